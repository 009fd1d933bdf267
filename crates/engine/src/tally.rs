//! Counts over many trials: exact integers, in memory that does not grow with the number of trials.

use std::collections::{BTreeMap, btree_map};
use std::slice;

use serde::{Deserialize, Serialize, Serializer};

use crate::game::{Counts, Event, Game, MAX_METRICS, MAX_SEATS, Seat};
use crate::plan::Batch;
use crate::trial::Watch;
use crate::trial_result::{TrialResult, measure_seat};

/// A histogram: how often each value occurred, exactly.
///
/// Values below a power of two are counted in an array, the rest in a map until a longer array is worth its memory,
/// because it would be filled well or used often. So a few trials of long games take little memory, and many trials
/// little time.
///
/// As text it is a list of values with their counts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Vec<(u32, u64)>")]
pub struct Histogram {
    dense: Vec<u64>,
    /// There may be millions of histograms, most of which have none.
    rest: Option<Box<Rest>>,
}

/// The values that are not in the array.
#[derive(Clone, Debug, Default)]
struct Rest {
    counts: BTreeMap<u32, u64>,
    /// How often a value was added.
    added: u64,
}

impl Rest {
    /// The array is never longer.
    const LONGEST: usize = 1 << 16;
    /// A longer array is worth its memory if the values in the map are at least one in so many of its length, …
    const SPACE: usize = 8;
    /// … or if they were added so many times its length.
    const TIME: u64 = 4;

    /// Whether an array of this length is worth its memory, when a value is added to this map so many times.
    fn is_worth(rest: Option<&Self>, length: usize, times: u64) -> bool {
        let (values, added) = rest.map_or((0, 0), |rest| (rest.counts.len(), rest.added));
        let is_filled = (values + 1) * Self::SPACE >= length;
        let is_frequent = added.saturating_add(times) / Self::TIME >= length as u64;
        length <= Self::LONGEST && (is_filled || is_frequent)
    }
}

/// The values of a histogram. A type of its own: many read them, and what is generic would be compiled for each.
struct Values<'h> {
    /// Of the next place of the array.
    value: u32,
    dense: slice::Iter<'h, u64>,
    rest: Option<btree_map::Iter<'h, u32, u64>>,
}

impl Iterator for Values<'_> {
    type Item = (u32, u64);

    fn next(&mut self) -> Option<(u32, u64)> {
        for &count in self.dense.by_ref() {
            let value = self.value;
            self.value += 1;
            if count > 0 {
                return Some((value, count));
            }
        }
        self.rest.as_mut()?.next().map(|(&value, &count)| (value, count))
    }
}

impl PartialEq for Histogram {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Histogram {}

impl From<Vec<(u32, u64)>> for Histogram {
    fn from(counts: Vec<(u32, u64)>) -> Self {
        let mut histogram = Self::default();
        counts.into_iter().for_each(|(value, times)| histogram.add_many(value, times));
        histogram
    }
}

impl Serialize for Histogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl Histogram {
    /// Counts `value` once.
    #[inline]
    pub fn add(&mut self, value: u32) {
        match self.dense.get_mut(value as usize) {
            Some(count) => *count += 1,
            None => self.add_many(value, 1),
        }
    }

    /// Counts `value` this many times.
    #[cold]
    pub fn add_many(&mut self, value: u32, times: u64) {
        let index = value as usize;
        if index >= self.dense.len() {
            let length = (index + 1).next_power_of_two();
            if !Rest::is_worth(self.rest.as_deref(), length, times) {
                let rest = self.rest.get_or_insert_default();
                *rest.counts.entry(value).or_default() += times;
                rest.added = rest.added.saturating_add(times);
                return;
            }
            self.lengthen(length);
        }
        self.dense[index] += times;
    }

    /// Makes the array so long, and moves values to it from the map.
    fn lengthen(&mut self, length: usize) {
        self.dense.resize(length, 0);
        let Some(mut rest) = self.rest.take() else { return };
        while let Some(first) = rest.counts.first_entry().filter(|first| (*first.key() as usize) < length) {
            self.dense[*first.key() as usize] = *first.get();
            first.remove();
        }
        self.rest = Some(rest).filter(|rest| !rest.counts.is_empty());
    }

    /// The values seen, in rising order, each with its count.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        Values { value: 0, dense: self.dense.iter(), rest: self.rest.as_ref().map(|rest| rest.counts.iter()) }
    }

    /// How often `value` was seen.
    pub fn count(&self, value: u32) -> u64 {
        match self.dense.get(value as usize) {
            Some(&count) => count,
            None => self.rest.as_ref().and_then(|rest| rest.counts.get(&value)).copied().unwrap_or(0),
        }
    }

    /// The number of values counted.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, count)| count).sum()
    }

    /// The sum of the values and of their squares.
    pub fn sums(&self) -> (u128, u128) {
        self.iter().fold((0, 0), |(sum, squares), (value, count)| {
            let (value, count) = (u128::from(value), u128::from(count));
            (sum + value * count, squares + value * value * count)
        })
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (value, count) in other.iter() {
            self.add_many(value, count);
        }
    }
}

/// The counts of one seat.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct SeatTally {
    /// One histogram per metric, in the order of [`Game::metrics`].
    pub metrics: Vec<Histogram>,
    /// Busts in the seat's turn 1, 2, …; index 0 is not used.
    pub busts: Histogram,
}

impl SeatTally {
    /// Adds the counts of `other`, which come from other trials or another seat.
    pub fn merge(&mut self, other: &Self) {
        self.busts.merge(&other.busts);
        for (histogram, more) in self.metrics.iter_mut().zip(&other.metrics) {
            histogram.merge(more);
        }
    }
}

/// The counts over many trials of a game.
///
/// Merging is associative and commutative. A tally is a function of the set of trials: threads, batches and their order
/// do not affect it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Tally {
    /// Finished trials.
    pub trials: u64,
    /// How often each ending happened, in the order of [`Game::endings`].
    pub endings: Vec<u64>,
    /// Sum and sum of squares of the first metric of the first seat: a running mean for progress displays.
    pub first: (u64, u128),
    /// The lengths of games in turns ([`Event::TURN`]) of all seats together. Empty if there is one seat, whose own
    /// turns are counted anyway.
    pub lengths: Histogram,
    /// The counts of each seat.
    pub seats: Vec<SeatTally>,
}

impl Tally {
    /// The trials, with the sums of the first metric of the first seat.
    #[must_use]
    pub fn counted(&self) -> Batch {
        Batch { trials: self.trials, sum: self.first.0, squares: self.first.1 }
    }

    /// An empty tally for a game.
    ///
    /// # Panics
    ///
    /// If the game declares more metrics than [`MAX_METRICS`].
    pub fn new<G: Game>(game: &G) -> Self {
        let metrics = game.metrics().len();
        assert!(metrics <= MAX_METRICS, "a game has at most {MAX_METRICS} metrics");
        let seat = SeatTally { metrics: vec![Histogram::default(); metrics], busts: Histogram::default() };
        Self {
            trials: 0,
            endings: vec![0; game.endings().len()],
            first: (0, 0),
            lengths: Histogram::default(),
            seats: vec![seat; game.seats()],
        }
    }

    /// The sum of the tallies of all rotations of a line-up.
    ///
    /// # Panics
    ///
    /// If there are no tallies.
    pub fn whole(rotations: &[Self]) -> Self {
        let mut whole = rotations[0].clone();
        rotations[1..].iter().for_each(|rotation| whole.merge(rotation));
        whole
    }

    /// Adds a trial that has ended, with its busts. This is what [`Recorder`] does for callers that take results one by
    /// one.
    pub fn enter(&mut self, end: &TrialResult<'_>) {
        let first = u64::from(end.of(0)[0]);
        self.first.0 += first;
        self.first.1 += u128::from(first * first);
        for (seat, tally) in self.seats.iter_mut().enumerate() {
            for (histogram, &value) in tally.metrics.iter_mut().zip(end.of(seat)) {
                histogram.add(value);
            }
        }
        for &(seat, turn) in end.busts {
            self.seats[usize::from(seat)].busts.add(turn);
        }
        if self.seats.len() > 1 {
            self.lengths.add(end.turns);
        }
        self.endings[end.ending] += 1;
        self.trials += 1;
    }

    /// Adds the counts of `other`, a tally of other trials of the same game.
    pub fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.first.0 += other.first.0;
        self.first.1 += other.first.1;
        for (count, more) in self.endings.iter_mut().zip(&other.endings) {
            *count += more;
        }
        self.lengths.merge(&other.lengths);
        for (seat, more) in self.seats.iter_mut().zip(&other.seats) {
            seat.merge(more);
        }
    }
}

/// Counts the events of one trial at a time and adds finished trials to a [`Tally`].
#[derive(Debug)]
pub struct Recorder<'t> {
    counts: [[u32; Event::COUNT]; MAX_SEATS],
    tally: &'t mut Tally,
}

impl<'t> Recorder<'t> {
    /// A recorder for `tally`.
    pub fn new(tally: &'t mut Tally) -> Self {
        Self { counts: [[0; Event::COUNT]; MAX_SEATS], tally }
    }

    /// Adds the trial that ended in `end`, and gets ready for the next.
    #[inline(always)]
    pub fn finish<G: Game>(&mut self, game: &G, end: G::State) {
        let metrics = game.metrics();
        let mut values = [0; MAX_METRICS];
        let mut turns = 0;
        for (seat, tally) in self.tally.seats.iter_mut().enumerate() {
            let counts = &mut self.counts[seat];
            turns += counts[Event::TURN.index()];
            measure_seat(game, end, seat, counts, &mut values);
            if seat == 0 {
                let first = u64::from(values[0]);
                self.tally.first.0 += first;
                self.tally.first.1 += u128::from(first * first);
            }
            // Both as long as the game's metrics, which is known: no loop is left.
            let histograms = &mut tally.metrics[..metrics.len()];
            for (histogram, &value) in histograms.iter_mut().zip(&values[..metrics.len()]) {
                histogram.add(value);
            }
            *counts = [0; Event::COUNT];
        }
        if self.tally.seats.len() > 1 {
            self.tally.lengths.add(turns);
        }
        self.tally.endings[game.ending(end)] += 1;
        self.tally.trials += 1;
    }
}

impl Counts for Recorder<'_> {
    #[inline(always)]
    fn counts(&mut self, seat: Seat) -> &mut [u32; Event::COUNT] {
        &mut self.counts[seat]
    }

    #[inline(always)]
    fn bust(&mut self, seat: Seat, turn: u32) {
        self.tally.seats[seat].busts.add(turn);
    }
}

impl<G: Game> Watch<G> for Recorder<'_> {
    const LOOKS: bool = false;
}
