//! The moments of a game by stages, and how large they are known to be.

use stopwise_engine::game::Game;

use super::Size;
use super::bounds::Bounds;
use super::components::ORDER;
use super::formulas::Extent;
use super::places::{Places, hash};
use super::walk::Moment;

/// The moments of a stage, and their values once they are known.
#[derive(Debug)]
pub(super) struct Stage<G: Game> {
    places: Places,
    /// In the order in which they were found.
    entries: Vec<Entry<G>>,
    /// The upper bounds of the values, where they are others than the lower ones.
    upper: Vec<f64>,
    /// Whether positions recur.
    pub(super) is_cyclic: bool,
    /// The length of the formulas of its moments.
    pub(super) extent: Extent,
}

/// A moment, and the lower bound of its value beside it: whoever looks for one reads the other.
#[derive(Clone, Copy, Debug)]
struct Entry<G: Game> {
    moment: Moment<G>,
    value: f64,
}

/// A moment on its way to its stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<G: Game> {
    pub(super) stage: u64,
    /// Of its state.
    pub(super) hash: u64,
    pub(super) moment: Moment<G>,
}

impl<G: Game> Found<G> {
    /// The moment of a representative state.
    pub(super) fn new(game: &G, moment: Moment<G>) -> Self {
        let state = moment.state();
        Self { stage: game.stage(state), hash: hash(&state), moment }
    }
}

impl<G: Game> Default for Stage<G> {
    fn default() -> Self {
        Self {
            places: Places::default(),
            entries: Vec::new(),
            upper: Vec::new(),
            is_cyclic: false,
            extent: Extent::default(),
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

    /// Its moments from a number on.
    pub(super) fn moments(&self, from: usize) -> impl ExactSizeIterator<Item = Moment<G>> + '_ {
        self.entries[from..].iter().map(|entry| entry.moment)
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

    /// Enters the bounds of all values.
    pub(super) fn set(&mut self, bounds: &[Bounds]) {
        for (entry, [low, _]) in self.entries.iter_mut().zip(bounds) {
            entry.value = *low;
        }
        if bounds.iter().any(|[low, high]| low != high) {
            self.upper = bounds.iter().map(|[_, high]| *high).collect();
        }
    }

    /// The number of the moment that [`Stage::find`] looks at first. Whoever looks for many asks for these first and
    /// [touches](Stage::touch) them: memory answers many questions at a time, if they do not depend on each other.
    pub(super) fn likely(&self, hash: u64) -> Option<u32> {
        self.places.first(hash)
    }

    /// Reads a moment.
    pub(super) fn touch(&self, at: u32) -> u64 {
        self.entries[at as usize].value.to_bits()
    }

    /// Its size in bytes, including its values, but not its formulas.
    fn bytes(&self) -> usize {
        self.places.bytes() + self.entries.len() * size_of::<Entry<G>>()
    }

    /// The bytes that it takes to close in on its values: formulas, and the order of its moments.
    pub(super) fn closing(&self) -> usize {
        self.extent.bytes() + self.len() * ORDER
    }

    /// Adds a moment. Returns whether it is new.
    fn add(&mut self, found: &Found<G>) -> bool {
        let (entries, state) = (&self.entries, found.moment.state());
        let is_new = self.places.add(
            found.hash,
            |at| entries[at].moment.state() == state,
            |at| hash(&entries[at].moment.state()),
        );
        if is_new {
            self.entries.push(Entry { moment: found.moment, value: 0.0 });
        }
        is_new
    }

    /// Gives back the memory that was set aside for more moments.
    pub(super) fn is_complete(&mut self) {
        self.entries.shrink_to_fit();
    }
}

/// The known size while states are being found.
#[derive(Default)]
pub(super) struct Known {
    pub(super) size: Size,
    /// The bytes that it takes, at most, to close in on a stage in which positions recur.
    pub(super) closing: usize,
}

impl Known {
    pub(super) fn add<G: Game>(&mut self, stage: &mut Stage<G>, found: &Found<G>) {
        let before = stage.bytes();
        self.size.states += usize::from(stage.add(found));
        self.size.bytes += stage.bytes() - before;
    }

    /// The size including what it takes to close in, which exists for one stage at a time.
    pub(super) fn with_closing(&self) -> Size {
        Size { bytes: self.size.bytes + self.closing, ..self.size }
    }
}
