//! Push-your-luck games as bit-packed state machines, and the runner that plays millions of seeded trials.
//!
//! A [`Game`](game::Game) is a Markov decision process: its rules are pure functions from node to node. A
//! [`trial`](trial::trial) walks one path, asking policies and sampling chance. [`run`](run::run) plays the trials of a
//! [`Plan`](run::Plan) in parallel into a [`Tally`](tally::Tally) of integers.
//!
//! ```
//! use std::ops::ControlFlow;
//! use stopwise_engine::game::{Action, Policy, Question};
//! use stopwise_engine::games::carbonite::{Carbonite, State, STOP};
//! use stopwise_engine::run::{Plan, run};
//!
//! /// Stop at two pieces; otherwise the first legal piece.
//! struct First;
//!
//! impl Policy<Carbonite> for First {
//!     fn choose(&self, _: &Carbonite, state: State, question: Question) -> Action {
//!         if question.kind == STOP { Action::from(state.counter_count() >= 2) } else { question.actions.first() }
//!     }
//! }
//!
//! let plan = Plan { seed: 1, trials: 0..10_000 };
//! let tally = run(&Carbonite::WIKI, &[First], &plan, |_| ControlFlow::Continue(()));
//! assert_eq!(tally.trials, 10_000);
//! let (sum, _) = tally.seats[0].metrics[0].sums();
//! assert!((130..140).contains(&(sum / 10_000)));
//! ```

#[macro_use]
mod inlined;

pub mod answers;
pub mod arms;
pub mod bitboard;
pub mod chance;
pub mod digest;
mod ending;
mod events;
pub mod game;
pub mod games;
pub mod info;
mod instruction_set;
pub mod kept;
pub mod lanes;
pub mod look_ahead;
mod memo;
mod metric;
mod node;
pub mod options;
pub mod paired;
pub mod part;
pub mod places;
pub mod plan;
pub mod rotation;
pub mod run;
pub mod side_by_side;
pub mod stream;
pub mod tally;
pub mod trial;
pub mod trial_result;
pub mod turn_by_turn;
pub mod turn_values;
pub mod vector_env;
pub mod vocabulary;
pub mod within;
