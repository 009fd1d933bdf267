//! The games that ended at the tables.

use crate::game::{MAX_METRICS, MAX_SEATS, Seat};

/// Games that are over, in the order in which they ended.
#[derive(Clone, Debug)]
pub struct Finished {
    seats: usize,
    metrics: usize,
    /// The index of each game's table.
    pub tables: Vec<u32>,
    /// The number of each game's trial.
    pub trials: Vec<u64>,
    /// The ending of each game, as an index into [`Game::endings`](crate::game::Game::endings).
    pub endings: Vec<usize>,
    /// The number of turns of all seats together, for each game.
    pub turns: Vec<u32>,
    /// All metrics: game by game, seat by seat, in the order of [`Game::metrics`](crate::game::Game::metrics).
    pub values: Vec<u32>,
    /// The first game in which the rules could not go on, entered or not: its trial, and why.
    pub fault: Option<(u64, String)>,
    /// The results of the game that ended last, which may not be entered.
    last: Last,
}

#[derive(Clone, Debug)]
struct Last {
    ending: usize,
    turns: u32,
    values: [[u32; MAX_METRICS]; MAX_SEATS],
}

impl Finished {
    /// An empty list, for this number of seats and metrics.
    pub(super) fn new(seats: usize, metrics: usize) -> Self {
        let last = Last { ending: 0, turns: 0, values: [[0; MAX_METRICS]; MAX_SEATS] };
        Self {
            seats,
            metrics,
            tables: Vec::new(),
            trials: Vec::new(),
            endings: Vec::new(),
            turns: Vec::new(),
            values: Vec::new(),
            fault: None,
            last,
        }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// All metrics of a seat in one of the games.
    pub fn of(&self, game: usize, seat: Seat) -> &[u32] {
        let from = (game * self.seats + seat) * self.metrics;
        &self.values[from..from + self.metrics]
    }

    /// All metrics of all seats in one of the games, seat by seat.
    pub fn of_all(&self, game: usize) -> &[u32] {
        let length = self.seats * self.metrics;
        &self.values[game * length..(game + 1) * length]
    }

    pub(super) fn clear(&mut self) {
        self.tables.clear();
        self.trials.clear();
        self.endings.clear();
        self.turns.clear();
        self.values.clear();
        self.fault = None;
    }

    #[cold]
    pub(super) fn note_fault(&mut self, trial: u64, why: Option<String>) {
        if self.fault.is_none() {
            self.fault = why.map(|why| (trial, why));
        }
    }

    pub(super) fn note_end(&mut self, ending: usize) {
        self.last.ending = ending;
        self.last.turns = 0;
    }

    pub(super) fn note_seat(&mut self, seat: Seat, values: &[u32; MAX_METRICS], turns: u32) {
        self.last.values[seat] = *values;
        self.last.turns += turns;
    }

    /// A metric of a seat in the game that ended last.
    pub(super) fn last(&self, seat: Seat, metric: usize) -> u32 {
        self.last.values[seat][metric]
    }

    /// Enters the game that ended last.
    pub(super) fn enter(&mut self, table: u32, trial: u64) {
        self.tables.push(table);
        self.trials.push(trial);
        self.endings.push(self.last.ending);
        self.turns.push(self.last.turns);
        for values in &self.last.values[..self.seats] {
            self.values.extend_from_slice(&values[..self.metrics]);
        }
    }
}
