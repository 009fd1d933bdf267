//! Estimates with their intervals, and exact values by walking every path of a game. No input or output.

pub mod estimate;
pub mod exact;
