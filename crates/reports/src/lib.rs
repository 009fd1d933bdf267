//! What every command found, as a report: pure functions from results to sentences, tables and charts.
//!
//! A module for each command, and those that all of them share. Nothing here knows arguments, files or terminals, and nothing is
//! optimised: a report takes milliseconds.

pub mod advise;
pub mod balance;
pub mod bench;
mod bins;
mod cap;
pub mod compare;
pub mod document;
pub mod doubts;
pub mod fair;
mod fields;
pub mod grid;
mod head;
mod leading;
pub mod live;
pub mod manifest;
mod numbers;
pub mod played;
pub mod rank;
pub mod row;
mod seeded;
mod shared_wins;
pub mod simulate;
pub mod solve;
pub mod stopped;
pub mod sweep;
pub mod tables;
mod terms;
mod uneven;
mod won;
mod words;

use stopwise_document::Dataset;

pub use fields::{documents, trial_columns};
pub use numbers::as_read;
pub use words::one_label;

/// The tables of all commands, without rows.
pub fn columns() -> Vec<Dataset> {
    let of_trials = [
        simulate::sheets::columns(),
        compare::sheets::columns(),
        rank::sheets::columns(),
        sweep::sheets::columns(),
        balance::sheets::columns(),
    ];
    let mut of_trials = seeded::seeded(of_trials.concat(), 0);
    seeded::add_method(&mut of_trials, "");
    [of_trials, solve::sheets::columns(), advise::sheets::columns(), bench::columns()].concat()
}
