//! What can be typed after `replay`.

use std::ops::RangeInclusive;

use clap::Args;

use super::{GameArgs, PolicyArgs};
use crate::numbers::Span;

/// Trials told step by step.
#[derive(Args, Debug)]
pub struct Replay {
    /// The game, and its rules.
    #[command(flatten)]
    pub game: GameArgs,
    /// Who plays.
    #[command(flatten)]
    pub policy: PolicyArgs,
    /// The number of the trial, from 0; with A..B the trials from A to B, both of them told, one after the other [default: 0;
    /// 0..999 with --most and --least]
    #[arg(long, value_name = "N|A..B", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::span)]
    pub trial: Option<Span>,
    /// Of these trials tell the one with the most of a metric for --seat, the first of several: `--most turns` the longest,
    /// `--most points` that of the highest score
    #[arg(long, value_name = "METRIC", conflicts_with = "least")]
    pub most: Option<String>,
    /// Of these trials tell the one with the least of it
    #[arg(long, value_name = "METRIC")]
    pub least: Option<String>,
    /// Whose metric --most and --least look at
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::few)]
    pub seat: usize,
    /// Tell only this turn, from 1, or with A..B the turns from A to B, both of them; every seat counts its own. The end
    /// of the game is told all the same
    #[arg(long, value_name = "N|A..B", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::turns)]
    pub turn: Option<RangeInclusive<u32>>,
    /// The seed of all dice
    #[arg(long, default_value = "1", allow_negative_numbers = true)]
    #[arg(value_parser = crate::numbers::seed)]
    pub seed: u64,
    /// For machines: a document of several lines; with --trial A..B a document a trial, each on one line
    #[arg(long)]
    pub json: bool,
}
