//! Estimates with confidence intervals: summaries, paired comparisons, rankings, sweeps over grids, effects of rule
//! variants; and exact values by walking every path of a game. No input or output.
//!
//! Piglet with a goal of 2 points is won by the first player in 4 games of 7 (Neller and Presser, 2004):
//!
//! ```
//! use stopwise_analysis::exact::{Limits, Objective, Solution, solve};
//! use stopwise_engine::games::pig::Pig;
//!
//! let (game, win) = (Pig::PIGLET, 0);
//! let both_free: [Option<Solution<Pig>>; 2] = [None, None];
//! let solution = solve(&game, &both_free, Objective::new(&game, win), Limits::default())?;
//! assert!((solution.middle() - 4.0 / 7.0).abs() < 1e-9);
//! # Ok::<(), stopwise_analysis::exact::ExactError>(())
//! ```

pub mod balance;
mod band;
pub mod best_of;
mod beta;
pub mod binomial;
pub mod choices;
pub mod estimate;
pub mod exact;
mod gamma;
mod interval;
mod level;
pub mod luck;
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
pub mod won;
