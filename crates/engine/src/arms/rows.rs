//! The results of single trials.

use crate::game::Seat;

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

    /// Clears the block and makes room for this number of trials.
    pub fn clear(&mut self, trials: usize) {
        self.endings.clear();
        self.endings.resize(trials, 0);
        self.values.resize(trials * self.seats * self.metrics, 0);
    }

    /// Sets the result of a trial, given its ending and all metrics of each seat.
    pub fn set<V: AsRef<[u32]>>(&mut self, at: usize, ending: usize, values: impl Fn(Seat) -> V) {
        self.endings[at] = ending;
        for seat in 0..self.seats {
            let from = (at * self.seats + seat) * self.metrics;
            self.values[from..from + self.metrics].copy_from_slice(&values(seat).as_ref()[..self.metrics]);
        }
    }
}
