//! What can be typed after `sweep`.

use clap::Args;
use serde::Serialize;

use super::{Common, GameArgs, PolicyArgs, Runner};
use crate::memory::Memory;

/// A grid of policy parameters and options of the rules.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Sweep {
    /// The game, and its rules.
    #[command(flatten)]
    #[serde(flatten)]
    pub game: GameArgs,
    /// Who plays.
    #[command(flatten)]
    #[serde(flatten)]
    pub policy: PolicyArgs,
    /// Vary a parameter of the policies: 1..5 (both ends), 1..21:5 (every fifth), 2,4,8; several make a grid. 2.k=… is the
    /// k of the second policy alone. One policy in a game for several plays against itself as it is named, in all
    /// seats in turn
    #[arg(long, value_name = "NAME=LIST")]
    pub vary: Vec<String>,
    /// Vary an option of the rules, named as in --set; preset=… varies the preset. The best of --vary is sought under each
    /// setting of the rules
    #[arg(long, value_name = "KEY=LIST")]
    pub vary_rule: Vec<String>,
    /// The metric that is compared, and says which parameters are best; of rules alone it says which have most and least
    /// [default: the game's first]
    #[arg(long)]
    pub metric: Option<String>,
    /// How many trials each setting has; 10k, 2M, 1e6 and 10_000 are understood
    #[arg(long, short = 'n', default_value = "1M", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub trials: u64,
    /// How many of them, the first, say how the settings go together on common dice; more make intervals narrower
    #[arg(long, value_name = "N", default_value = "100k", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub paired: u64,
    /// The runner; all give the same results
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip)]
    pub runner: Runner,
    /// How much memory.
    #[command(flatten)]
    #[serde(skip)]
    pub memory: Memory,
    /// What all that play trials have in common.
    #[command(flatten)]
    #[serde(flatten)]
    pub common: Common,
}
