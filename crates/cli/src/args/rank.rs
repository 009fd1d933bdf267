//! What can be typed after `rank`.

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::{Common, GameArgs};
use crate::memory::Memory;

/// Many policies in order.
#[derive(Args, Clone, Debug, Serialize)]
#[command(mut_arg("shard", |shard| shard.hide(true)))]
pub struct Rank {
    /// The game, and its rules.
    #[command(flatten)]
    #[serde(flatten)]
    pub game: GameArgs,
    /// NAME, NAME:param=value,…, a TOML file, or a policy as typed, 'stop = points >= 20'; give two or more, `all` for those that
    /// come with the program, or a directory for the policy files in it. Alone they race on the same dice; where there are seats
    /// everybody meets everybody, and every seat is taken equally often
    #[arg(long = "policy", short = 'p', value_name = "POLICY")]
    #[serde(rename = "policy")]
    pub policies: Vec<String>,
    /// Rank a policy with every value of a parameter: 1..5 (both ends), 1..21:5 (every fifth), 2,4,8; several make a grid.
    /// 2.k=… is the k of the second policy alone
    #[arg(long, value_name = "NAME=LIST")]
    pub vary: Vec<String>,
    /// The metric to rank by [default: the game's first]; games with seats are ranked by wins
    #[arg(long)]
    pub metric: Option<String>,
    /// Trials of a policy at most, or games of every table [default: 1M; with seats 100k]
    #[arg(long, short = 'n', allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub trials: Option<u64>,
    /// The chance that anything in the ranking is wrong, at most
    #[arg(long, default_value = "0.05", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::decimal)]
    pub alpha: f64,
    /// What a race is for: until the order of all is known, or only who is best [default: order]
    #[arg(long, value_enum)]
    pub aim: Option<Aim>,
    /// Differences that are too small to matter, in the metric's unit: policies that are as close are settled
    /// [default: 1 % of the leader's standard deviation]
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::decimal)]
    pub resolution: Option<f64>,
    /// Fresh trials of the winner, whose mean in the ranking is optimistic; 0 for none [default: as many as the ranking took]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub fresh: Option<u64>,
    /// How much memory.
    #[command(flatten)]
    #[serde(skip)]
    pub memory: Memory,
    /// What all that play trials have in common.
    #[command(flatten)]
    #[serde(flatten)]
    pub common: Common,
}

/// What a race is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Aim {
    /// Until the order of every two is known, or they are as close as the resolution
    #[default]
    Order,
    /// Until only those are left that may be best
    Best,
}
