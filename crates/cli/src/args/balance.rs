//! What can be typed after `balance`.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::Common;
use crate::memory::Memory;

/// Variants of the rules, and what they do to a game.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Balance {
    /// The game: see `stopwise games`
    #[arg(value_parser = crate::names::game_name)]
    pub game: String,
    /// Rules: a preset's name or a TOML file; may be given several times. The first is what the others are compared with
    /// [default: the game's first preset]
    #[arg(long, value_name = "PRESET|FILE")]
    pub rules: Vec<String>,
    /// Change one option in all variants, such as turns=5 or points.solid=9
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// One more variant: the first rules with these options changed, such as turns=5,points.solid=9
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub variant: Vec<String>,
    /// Also the first rules with each change of every variant by itself: which option does what
    #[arg(long)]
    pub one_by_one: bool,
    /// More variants: every combination of these options, such as turns=8..10 or atom=choice,bust
    #[arg(long, value_name = "KEY=LIST")]
    pub vary_rule: Vec<String>,
    /// NAME, NAME:param=value,…, a TOML file, or a policy as typed, 'stop = points >= 20'; give several, from naive to good, or
    /// `all` for those that come with the program; a directory stands for the policy files in it. In a game for several, one
    /// plays in every seat
    #[arg(long = "policy", short = 'p', value_name = "POLICY")]
    #[serde(rename = "policy")]
    pub policies: Vec<String>,
    /// Which of them plays naively [default: the first]
    #[arg(long, value_name = "POLICY")]
    pub naive: Option<String>,
    /// What a variant should do: a file of lines like "mean turns" = "30 to 40", rounds = "at most 8", "early end" = "up to 5 %"
    #[arg(long, value_name = "FILE")]
    #[serde(serialize_with = "super::repeat::path")]
    pub targets: Option<PathBuf>,
    /// Look among the combinations of --vary-rule, at so many of them at most, for variants that meet all targets
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::numbers::size)]
    pub search: Option<usize>,
    /// Also the share of the games with a score above this
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, value_parser = crate::numbers::small)]
    pub mark: Option<u32>,
    /// Also the share of the games whose winner leads the next by so much at most, such as points=10
    #[arg(long, value_name = "METRIC=MOST")]
    pub close: Option<String>,
    /// Print all tables: without it the text for people ends after a screen; files and pages have everything
    #[arg(long)]
    #[serde(skip)]
    pub all: bool,
    /// How many trials of each variant with each policy; 10k, 2M, 1e6 and 10_000 are understood. Of several policies as many more,
    /// 10k at most, choose the best beforehand, and in a game for several as many again have one seat at a table of the naive one
    #[arg(long, short = 'n', default_value = "100k", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub trials: u64,
    /// How much memory.
    #[command(flatten)]
    #[serde(skip)]
    pub memory: Memory,
    /// What all that play trials have in common.
    #[command(flatten)]
    #[serde(flatten)]
    pub common: Common,
}
