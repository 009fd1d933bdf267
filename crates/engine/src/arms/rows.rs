//! The results of single trials.

use std::ops::Range;

use super::Arm;
use crate::game::Seat;
use crate::stream::Keys;
use crate::trial_result::Recording;

/// The ending of every trial of a block, and all metrics of all seats.
#[derive(Clone, Debug)]
pub struct Rows {
    seats: usize,
    metrics: usize,
    endings: Vec<usize>,
    /// Trial by trial, seat by seat.
    values: Vec<u32>,
}

impl Rows {
    /// An empty block for a game with this number of seats and metrics.
    pub fn new(seats: usize, metrics: usize) -> Self {
        Self { seats, metrics, endings: Vec::new(), values: Vec::new() }
    }

    /// The number of trials.
    pub fn trials(&self) -> usize {
        self.endings.len()
    }

    /// The ending of a trial, as an index into [`Game::endings`](crate::game::Game::endings).
    pub fn ending(&self, at: usize) -> usize {
        self.endings[at]
    }

    /// All metrics of a seat in a trial, in the order of [`Game::metrics`](crate::game::Game::metrics).
    pub fn values(&self, at: usize, seat: Seat) -> &[u32] {
        let from = (at * self.seats + seat) * self.metrics;
        &self.values[from..from + self.metrics]
    }

    /// Adds a trial, given its ending and all metrics of all seats.
    pub fn push(&mut self, ending: usize, values: impl Iterator<Item = u32>) {
        self.endings.push(ending);
        self.values.extend(values);
    }

    /// Plays a block of trials; its results replace what was here.
    pub fn play(&mut self, arm: &dyn Arm, keys: &Keys, trials: &Range<u64>) {
        let count = usize::try_from(trials.end - trials.start).expect("a block is small");
        self.endings.resize(count, 0);
        self.values.resize(count * self.seats * self.metrics, 0);
        arm.block(keys, trials, Recording::Nothing, &mut |end| {
            self.endings[end.at] = end.ending;
            for seat in 0..self.seats {
                let from = (end.at * self.seats + seat) * self.metrics;
                self.values[from..][..self.metrics].copy_from_slice(end.of(seat));
            }
        });
    }
}
