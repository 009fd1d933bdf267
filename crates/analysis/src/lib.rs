//! Estimates with their intervals, paired differences, who wins from which seat, and exact values by walking every path of a game. No input or output.

pub mod estimate;
pub mod exact;
pub mod normal;
pub mod paired;
pub mod rank;
pub mod seats;
pub mod sequential;
pub mod sweep;
