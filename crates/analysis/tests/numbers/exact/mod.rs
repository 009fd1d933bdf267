//! Exact values against closed forms, published figures, independent programs, and sampled values.

mod carcassonne;
mod freeze;
mod losses;
mod oracles;
mod played;
mod sampled;
mod turn_tables;
