//! How many trials a simulation plays.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

/// How many trials: a number, or when to stop. Where the trials themselves say when, intervals hold at every moment.
#[derive(Args, Clone, Copy, Debug, Serialize)]
pub struct Stop {
    /// How many trials; 10k, 2M, 1e6 and 10_000 are understood [default: 1M; at most 100M with a rule to stop]
    #[arg(long, short = 'n', allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::count)]
    pub trials: Option<u64>,
    /// Stop once the interval of the mean of the metric is no wider than this, from limit to limit, for every seat, or for
    /// every policy where they are rotated; of wins, 0.01 is one percentage point
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::decimal)]
    pub until_width: Option<f64>,
    /// Stop after this time, such as 60s, 5m or 1h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = crate::numbers::duration)]
    #[serde(serialize_with = "super::repeat::seconds")]
    pub budget: Option<Duration>,
}
