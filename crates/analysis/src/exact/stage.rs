//! The moments of a game by stages, and how large they are known to be.

use std::hint::black_box;
use std::ops::Range;

use stopwise_engine::game::Game;
use stopwise_engine::places::{Places, hash, index};

use super::Size;
use super::ahead::{Found, Kept};
use super::bounds::Bounds;
use super::components::ORDER;
use super::formulas::{Extent, Term};
use super::walk::Moment;

/// The moments of a stage, and their values once they are known.
#[derive(Debug)]
pub(super) struct Stage<G: Game> {
    places: Places,
    /// In the order in which they were found.
    entries: Vec<Entry<G>>,
    /// The upper bounds of the values, where they are others than the lower ones.
    upper: Vec<f64>,
    /// Whether moments of it lead to others of it, or to themselves.
    pub(super) leads_within: bool,
    /// The length of the formulas of its moments.
    pub(super) extent: Extent,
    /// What its moments lead to.
    pub(super) ahead: Kept,
}

/// A moment, and the lower bound of its value beside it: whoever looks for one reads the other.
#[derive(Clone, Copy, Debug)]
struct Entry<G: Game> {
    moment: Moment<G>,
    value: f64,
}

impl<G: Game> Default for Stage<G> {
    fn default() -> Self {
        Self {
            places: Places::default(),
            entries: Vec::new(),
            upper: Vec::new(),
            leads_within: false,
            extent: Extent::default(),
            ahead: Kept::default(),
        }
    }
}

impl<G: Game> Stage<G> {
    /// A lower bound on the bytes of a state.
    pub(super) const STATE: usize = size_of::<Entry<G>>() + Places::ENTRY;

    /// The number of its moments.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// A moment by its number.
    pub(super) fn moment(&self, at: usize) -> Moment<G> {
        self.entries[at].moment
    }

    /// Some of its moments.
    pub(super) fn moments(&self, numbers: Range<usize>) -> impl ExactSizeIterator<Item = Moment<G>> + '_ {
        self.entries[numbers].iter().map(|entry| entry.moment)
    }

    /// Its moments with the bounds of their values.
    pub(super) fn known(&self) -> impl Iterator<Item = (Moment<G>, Bounds)> + Clone + '_ {
        (0..self.len()).map(|at| (self.entries[at].moment, self.bounds(at)))
    }

    /// The number of a state's moment, given the hash of the state.
    pub(super) fn find(&self, state: &G::State, hash: u64) -> Option<usize> {
        self.places.find(hash, |at| self.entries[at].moment.state() == *state)
    }

    /// The bounds of a moment's value.
    pub(super) fn bounds(&self, at: usize) -> Bounds {
        let low = self.entries[at].value;
        [low, self.upper.get(at).copied().unwrap_or(low)]
    }

    /// A moment in a formula, which may be of the same stage.
    #[inline]
    pub(super) fn term(&self, at: usize, is_own: bool) -> Term {
        if is_own { Term::Here(index(at), 0.0) } else { Term::Known(self.bounds(at)) }
    }

    /// Enters the bounds of all values.
    pub(super) fn set(&mut self, bounds: &[Bounds]) {
        for (entry, [low, _]) in self.entries.iter_mut().zip(bounds) {
            entry.value = *low;
        }
        if bounds.iter().any(|[low, high]| low != high) {
            self.upper = bounds.iter().map(|[_, high]| *high).collect();
        }
    }

    /// Reads what [`Stage::find`] will look at first: memory answers many questions at a time, if they do not depend on each
    /// other. `likely` is for numbers.
    pub(super) fn warm(&self, found: &[Found<G>], likely: &mut Vec<u32>) {
        likely.clear();
        likely.extend(found.iter().filter_map(|found| self.places.first(found.hash)));
        black_box(likely.iter().fold(0, |sum, &at| sum ^ self.entries[at as usize].value.to_bits()));
    }

    /// Its size in bytes, including its values, but not its formulas.
    fn bytes(&self) -> usize {
        self.places.bytes() + self.entries.len() * size_of::<Entry<G>>()
    }

    /// The bytes that it takes to close in on its values: formulas, and the order of its moments.
    pub(super) fn closing(&self) -> usize {
        self.extent.bytes() + self.len() * ORDER
    }

    /// The number of a moment, which is added if it is new.
    fn add(&mut self, found: &Found<G>) -> usize {
        let (entries, state) = (&self.entries, found.moment.state());
        let number = self.places.add(
            found.hash,
            |at| entries[at].moment.state() == state,
            |at| hash(&entries[at].moment.state()),
        );
        if number == entries.len() {
            self.entries.push(Entry { moment: found.moment, value: 0.0 });
        }
        number
    }

    /// Gives back the memory that was set aside for more moments.
    pub(super) fn is_complete(&mut self) {
        self.entries.shrink_to_fit();
        self.ahead.is_complete();
    }
}

/// The known size while states are being found.
#[derive(Default)]
pub(super) struct Known {
    pub(super) size: Size,
    /// The bytes that it takes, at most, to close in on a stage in which positions recur.
    pub(super) closing: usize,
    /// The bytes of what moments lead to.
    pub(super) ahead: usize,
    /// The bytes of what is on its way to its stages, and of turns by themselves.
    pub(super) beside: usize,
}

impl Known {
    /// The number of a moment in its stage.
    pub(super) fn add<G: Game>(&mut self, stage: &mut Stage<G>, found: &Found<G>) -> usize {
        let (states, bytes) = (stage.len(), stage.bytes());
        let number = stage.add(found);
        self.size.states += stage.len() - states;
        self.size.bytes += stage.bytes() - bytes;
        number
    }

    /// The size including what there is beside states, and what it takes to close in, which exists for one stage at a time.
    pub(super) fn with_closing(&self) -> Size {
        Size { bytes: self.size.bytes + self.ahead + self.beside + self.closing, ..self.size }
    }
}
