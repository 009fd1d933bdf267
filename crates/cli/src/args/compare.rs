//! What can be typed after `compare`.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::Common;

/// Line-ups on the same trials.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Compare {
    /// The game: see `stopwise games`
    #[arg(value_parser = crate::names::game_name)]
    pub game: String,
    /// Rules: a preset's name or a TOML file [default: the game's first preset]; given several times, every policy plays
    /// under each, on the same dice
    #[arg(long, value_name = "PRESET|FILE")]
    pub rules: Vec<String>,
    /// Change one option of all rules, such as turns=5 or points.solid=9
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// NAME, NAME:param=value,…, a TOML file, or a policy as typed, 'stop = points >= 20'; give two or more (with several --rules
    /// one will do), or `all` for those that come with the program; a directory stands for the policy files in it. In a game for
    /// several, one plays in every seat; for a line-up join one for each seat with `+`. What is compared is the first seat
    #[arg(long = "policy", short = 'p', value_name = "POLICY")]
    #[serde(rename = "policy")]
    pub policies: Vec<String>,
    /// Policies move on by one seat from trial to trial; what is compared is the first policy of each line-up
    #[arg(long)]
    pub rotate: bool,
    /// How many trials.
    #[command(flatten)]
    #[serde(flatten)]
    pub until: Until,
    /// List the first trials in which each pair decides differently, this many, ready for `replay`
    #[arg(
        long,
        value_name = "N",
        default_value = "0",
        hide_default_value = true,
        allow_negative_numbers = true
    )]
    #[arg(value_parser = crate::numbers::few)]
    #[serde(skip_serializing_if = "is_zero")]
    pub divergent: usize,
    /// What all that play trials have in common.
    #[command(flatten)]
    #[serde(flatten)]
    pub common: Common,
}

/// How many trials: a number, or when to stop. Where the trials themselves say when, intervals hold at every moment.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Until {
    /// How many trials; 10k, 2M, 1e6 and 10_000 are understood [default: 1M; at most 100M with a rule to stop]
    #[arg(long, short = 'n', allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub trials: Option<u64>,
    /// Stop once the interval of every difference is no wider than this, from limit to limit; of wins, 0.01 is one
    /// percentage point
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::decimal)]
    pub until_width: Option<f64>,
    /// Stop once it is known of every pair which has more, or that they differ by no more than this
    #[arg(long, value_name = "DELTA", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::decimal)]
    pub until_decided: Option<f64>,
    /// Stop after this time, such as 60s, 5m or 1h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = crate::numbers::duration)]
    #[serde(serialize_with = "super::repeat::seconds")]
    pub budget: Option<Duration>,
    /// The metric that is drawn, quantile by quantile, and that decides when to stop [default: the game's first]
    #[arg(long)]
    pub metric: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
