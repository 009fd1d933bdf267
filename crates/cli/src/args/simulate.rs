//! What can be typed after `simulate`.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::{Common, GameArgs, PolicyArgs, Runner, Stop};

/// Many trials of a line-up.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Simulate {
    /// The game, and its rules.
    #[command(flatten)]
    #[serde(flatten)]
    pub game: GameArgs,
    /// Who plays.
    #[command(flatten)]
    #[serde(flatten)]
    pub policy: PolicyArgs,
    /// How many trials.
    #[command(flatten)]
    #[serde(flatten)]
    pub stop: Stop,
    /// Also the share of the trials with more than this, with its interval: a whole number, or of a metric that is a share
    /// one such as 0.5; may be given several times
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = crate::numbers::mark)]
    pub above: Vec<f64>,
    /// Also these quantiles, with their intervals: shares such as 0.5,0.9 or 50%,90%
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::share)]
    pub quantiles: Vec<f64>,
    /// Also the expected best of so many games; may be given several times
    #[arg(long, value_name = "GAMES", allow_negative_numbers = true, value_parser = crate::numbers::games)]
    pub best_of: Vec<u32>,
    /// What is drawn, and what --until-width, --above, --quantiles and --best-of are about [default: the game's first metric;
    /// drawn is the first with more than two values]; of games for several also `length`, the turns of all seats together
    #[arg(long)]
    pub metric: Option<String>,
    /// Write a row for every trial and seat into this file: trial, seat, policy, ending and every metric; as CSV or as
    /// Parquet, whichever its name ends in. Of a part (--shard) no such file is written: its rows stay in the directory of
    /// the part, and `stopwise merge` writes those of all parts, with this option
    #[arg(long, value_name = "FILE.csv|FILE.parquet")]
    #[serde(skip)]
    pub trials_out: Option<PathBuf>,
    /// The runner; all give the same results
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip)]
    pub runner: Runner,
    /// Say on stderr which runner ran
    #[arg(long, short)]
    #[serde(skip)]
    pub verbose: bool,
    /// What all that play trials have in common.
    #[command(flatten)]
    #[serde(flatten)]
    pub common: Common,
}
