//! Exact values: against closed forms, published figures, independent programs, and what is sampled.

mod carcassonne;
mod freeze;
mod losses;
mod oracles;
mod sampled;
mod turn_tables;
