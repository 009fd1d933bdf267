//! Requests of a person at the table: `advise` and `play`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{Format, GameArgs};

/// What each answer is worth in one position.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Advise {
    /// The game, and its rules.
    #[command(flatten)]
    #[serde(flatten)]
    pub game: GameArgs,
    /// The position as text, such as "score=72 other=81 turn_total=25": parts that are left out are as at the beginning of the
    /// game, and the report says which. `replay --json` has the positions of a trial
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["trial", "turn", "decision", "seat"])]
    pub state: Option<String>,
    /// The position is one of this trial, as the policies play it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::numbers::count)]
    pub trial: Option<u64>,
    /// The turn in which it is, from 1; every seat counts its own [default: the first with a decision]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::numbers::few)]
    pub turn: Option<usize>,
    /// Which decision with a choice of that turn, from 1 [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::numbers::few)]
    pub decision: Option<usize>,
    /// Whose decision
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::numbers::few)]
    pub seat: Option<usize>,
    /// Who plays the trial, and plays on where the game is not solved: NAME, NAME:param=value,… or a TOML file; once for all
    /// seats, or once for each [default: the strongest that comes with the game, as far as 1,000 games tell]
    #[arg(long = "policy", short = 'p', value_name = "POLICY")]
    #[serde(rename = "policy")]
    pub policies: Vec<String>,
    /// What is played for [default: the game's first metric]
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// Where values come from
    #[arg(long, value_enum, default_value_t)]
    pub by: By,
    /// Games that go on with each choice, where the game is not solved
    #[arg(long, short = 'n', default_value = "10k", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub trials: u64,
    /// The seed of all dice
    #[arg(long, default_value = "1", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::seed)]
    pub seed: u64,
    /// Threads [default: all]; results do not depend on it
    #[arg(long, allow_negative_numbers = true, value_parser = crate::numbers::few)]
    #[serde(skip)]
    pub threads: Option<usize>,
    /// What to print on stdout
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip)]
    pub format: Format,
    /// No progress
    #[arg(long, short)]
    #[serde(skip)]
    pub quiet: bool,
}

/// Where the values of answers come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Best play where the game has at most 2 million states, or 100,000 if it is a text; else games that go on
    #[default]
    Auto,
    /// Best play, however long it takes to find
    Exact,
    /// Games that go on with each choice
    Trials,
}

/// A game at the terminal.
#[derive(Args, Clone, Debug)]
pub struct Play {
    /// The game, and its rules.
    #[command(flatten)]
    pub game: GameArgs,
    /// Who plays against you, in the seats that are not yours: NAME, NAME:param=value,… or a TOML file; once for all of them,
    /// or once for each [default: the strongest that comes with the game, as far as 1,000 games tell]
    #[arg(long, short = 'a', value_name = "POLICY")]
    pub against: Vec<String>,
    /// Who says what choices are worth: best play that `solve --out` kept, or a policy that plays on in your seat [default: those
    /// who play against you]
    #[arg(long, value_name = "POLICY")]
    pub advice: Option<String>,
    /// Your seat
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::few)]
    pub seat: usize,
    /// The number of the trial, whose dice are rolled [default: another one each time]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::numbers::count)]
    pub trial: Option<u64>,
    /// The seed of all dice
    #[arg(long, default_value = "1", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::seed)]
    pub seed: u64,
    /// What `?` and the review are about [default: the game's first metric]
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<String>,
    /// Where the values of `?` and of the review come from
    #[arg(long, value_enum, default_value_t)]
    pub by: By,
    /// Games that go on with each choice, where the game is not solved [default: 2,000; in the review of a long game fewer, so that
    /// it takes seconds]
    #[arg(long, short = 'n', value_name = "TRIALS", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub trials: Option<u64>,
    /// Leave out the review after the game
    #[arg(long)]
    pub no_review: bool,
    /// Keep the game in this directory, as you.toml: a policy that `replay` takes
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace somebody's file of this name in the directory
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Threads [default: all]
    #[arg(long, allow_negative_numbers = true, value_parser = crate::numbers::few)]
    pub threads: Option<usize>,
}
