//! Estimates and exact values against closed forms, published figures, independent programs, and each other.

#[path = "../../../engine/tests/games/common.rs"]
mod common;
mod exact;
mod statistics;
