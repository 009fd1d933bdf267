//! Estimates with confidence intervals: summaries, paired comparisons, rankings, sweeps over grids, effects of rule
//! variants; and exact values by walking every path of a game. No input or output.

pub mod balance;
mod band;
pub mod best_of;
mod beta;
pub mod binomial;
pub mod estimate;
pub mod exact;
mod gamma;
mod interval;
mod level;
mod mean;
mod members;
mod method;
pub mod mover;
pub mod normal;
pub mod paired;
pub mod rank;
pub mod seats;
pub mod sequential;
mod single;
pub mod student;
pub mod sweep;
