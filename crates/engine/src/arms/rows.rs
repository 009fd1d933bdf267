//! The results of single trials.

use std::ops::Range;

use super::Arm;
use crate::game::Seat;
use crate::plan::Batch;
use crate::rotation::{Share, rotation_of};
use crate::stream::Keys;
use crate::tally::Tally;
use crate::trial_result::{Recording, TrialResult};

/// The ending of every trial of a block, and all metrics of all seats.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    seats: usize,
    metrics: usize,
    endings: Vec<u16>,
    /// Trial by trial, seat by seat.
    values: Vec<u32>,
    /// A number for the answers of every trial, if they are wanted.
    answers: Vec<u64>,
}

impl Rows {
    /// An empty block for the trials of an arm.
    pub fn of(arm: &dyn Arm) -> Self {
        let (seats, metrics) = arm.shape();
        Self::new(seats, metrics)
    }

    /// Makes this an empty block for the trials of an arm.
    pub(super) fn shape(&mut self, arm: &dyn Arm) {
        (self.seats, self.metrics) = arm.shape();
    }

    /// A metric of the first seat in every trial.
    #[inline(always)]
    pub(crate) fn column(&self, metric: usize) -> impl Iterator<Item = u32> {
        let step = (self.seats * self.metrics).max(1);
        self.values.get(metric..).unwrap_or_default().iter().step_by(step).copied()
    }

    /// What is reported of the trials.
    pub(crate) fn report(&self) -> Batch {
        let mut batch = Batch { trials: self.trials() as u64, sum: 0, squares: 0 };
        for at in 0..self.trials() {
            let value = u64::from(self.values(at, 0)[0]);
            batch.sum += value;
            batch.squares += u128::from(value * value);
        }
        batch
    }

    /// A metric of the first policy in every trial of a block, given the number of line-ups that take turns.
    pub(super) fn own(&self, metric: usize, block: &Range<u64>, lineups: usize, column: &mut [u32]) {
        let mut seat = rotation_of(block.start, lineups);
        for (at, value) in column.iter_mut().enumerate() {
            *value = self.values(at, seat)[metric];
            seat = if seat + 1 == lineups { 0 } else { seat + 1 };
        }
    }

    /// An empty block for a game with this number of seats and metrics.
    pub fn new(seats: usize, metrics: usize) -> Self {
        Self { seats, metrics, ..Self::default() }
    }

    /// The number of seats.
    pub(crate) fn seats(&self) -> usize {
        self.seats
    }

    /// The number of trials.
    pub fn trials(&self) -> usize {
        self.endings.len()
    }

    /// The ending of a trial, as an index into [`Game::endings`](crate::game::Game::endings).
    pub fn ending(&self, at: usize) -> usize {
        self.endings[at].into()
    }

    /// A number for all answers of a trial, if they were asked for: equal for equal answers under the same rules, and for
    /// different ones only by chance, less than once in 2⁴⁰ times. It depends on who played: compare it with numbers of the
    /// same kind of player.
    pub fn answers(&self, at: usize) -> u64 {
        self.answers[at]
    }

    /// All metrics of a seat in a trial, in the order of [`Game::metrics`](crate::game::Game::metrics).
    pub fn values(&self, at: usize, seat: Seat) -> &[u32] {
        let from = (at * self.seats + seat) * self.metrics;
        &self.values[from..from + self.metrics]
    }

    /// A metric of all seats in a trial, added up.
    pub(crate) fn whole(&self, at: usize, metric: usize) -> u32 {
        (0..self.seats).map(|seat| self.values(at, seat)[metric]).sum()
    }

    /// Adds a trial, given its ending and all metrics of all seats.
    pub fn push(&mut self, ending: usize, values: impl Iterator<Item = u32>) {
        self.endings.push(index(ending));
        self.values.extend(values);
    }

    /// Makes room for this many trials, whose results are to be [put](Rows::put).
    pub fn resize(&mut self, trials: usize) {
        self.endings.resize(trials, 0);
        self.values.resize(trials * self.seats * self.metrics, 0);
        self.answers.resize(trials, 0);
    }

    /// Sets the ending and the number of the answers of a trial. Returns all metrics of all seats, to be set.
    #[inline(always)]
    pub fn put(&mut self, at: usize, ending: usize, answers: u64) -> &mut [u32] {
        self.endings[at] = index(ending);
        self.answers[at] = answers;
        self.row(at)
    }

    /// All metrics of all seats in a trial.
    #[inline(always)]
    pub fn row(&mut self, at: usize) -> &mut [u32] {
        let width = self.seats * self.metrics;
        &mut self.values[at * width..][..width]
    }

    /// Plays a block of trials; its results replace what was here.
    pub fn play(&mut self, arm: &dyn Arm, keys: &Keys, trials: &Range<u64>) {
        self.resize(usize::try_from(trials.end - trials.start).expect("a block is small"));
        arm.block(keys, trials, Recording::Nothing, &mut |end| self.enter(end));
    }

    /// The same, each trial into the tally of its line-up as well, and with numbers for the answers if they are wanted.
    pub(crate) fn play_into(
        &mut self,
        arm: &dyn Arm,
        keys: &Keys,
        trials: &Range<u64>,
        answers: bool,
        tallies: &mut [Tally],
    ) {
        self.resize(usize::try_from(trials.end - trials.start).expect("a block is small"));
        let noting = if answers { Recording::Answers } else { Recording::Busts };
        arm.block(keys, trials, noting, &mut |end| {
            tallies[end.lineup].enter(end);
            self.enter(end);
        });
    }

    /// Sets the row of a trial.
    fn enter(&mut self, end: &TrialResult<'_>) {
        let metrics = self.metrics.max(1);
        let answers = end.answers.iter().fold(0, |number, &answer| with_answer(number, answer.into()));
        for (seat, values) in self.put(end.at, end.ending, answers).chunks_exact_mut(metrics).enumerate() {
            values.copy_from_slice(end.of(seat));
        }
    }
}

/// The rows of a block of trials, into which games that end in any order put those of a line-up's share.
#[derive(Debug)]
pub struct TrialRows<'r> {
    /// The share, whose trials have the numbers that are played.
    pub share: Share,
    /// The block.
    pub block: Range<u64>,
    /// Whether the rows have numbers for answers.
    pub answers: bool,
    /// A row for every trial of the block.
    pub rows: &'r mut Rows,
}

impl TrialRows<'_> {
    /// Puts the ending and the answers of a trial of the share. Returns all metrics of all seats, to be set.
    pub fn put(&mut self, trial: u64, ending: usize, answers: u64) -> &mut [u32] {
        let nth = usize::try_from(trial - self.share.of(&self.block).start).unwrap_or(usize::MAX);
        let step = usize::try_from(self.share.step).unwrap_or(usize::MAX);
        self.rows.put(self.share.begins(&self.block) + nth * step, ending, answers)
    }
}

/// A number for all answers of a game with one more: an odd factor, and the upper bits into the lower ones.
#[inline(always)]
pub fn with_answer(number: u64, answer: u64) -> u64 {
    let product = number.wrapping_add(answer).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 29)
}

/// The index of an ending, as it is kept.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "a game has few endings")]
fn index(ending: usize) -> u16 {
    ending as u16
}
