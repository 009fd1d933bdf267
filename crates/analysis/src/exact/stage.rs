//! The moments of a game by stages, and how large they are known to be.

use rustc_hash::FxHashMap;
use stopwise_engine::game::Game;

use super::Size;
use super::bounds::Bounds;
use super::formulas::Extent;
use super::interval_iteration::ORDER;
use super::walk::Moment;

/// The moments of a stage, and their values once they are known.
#[derive(Debug)]
pub(super) struct Stage<G: Game> {
    /// The place of each state's moment.
    pub(super) numbers: FxHashMap<G::State, u32>,
    /// In the order in which they were found.
    pub(super) moments: Vec<Moment<G>>,
    pub(super) values: Vec<Bounds>,
    /// Whether positions recur.
    pub(super) is_cyclic: bool,
    /// The length of the formulas of its moments.
    pub(super) extent: Extent,
}

impl<G: Game> Default for Stage<G> {
    fn default() -> Self {
        Self {
            numbers: FxHashMap::default(),
            moments: Vec::new(),
            values: Vec::new(),
            is_cyclic: false,
            extent: Extent::default(),
        }
    }
}

impl<G: Game> Stage<G> {
    /// A lower bound on the bytes of a state: the table has one more byte per entry, and is at most seven eighths full.
    pub(super) const STATE: usize =
        (size_of::<(G::State, u32)>() + 1) * 8 / 7 + size_of::<Moment<G>>() + size_of::<Bounds>();

    /// Its size in bytes, including its values, but not its formulas.
    fn bytes(&self) -> usize {
        self.numbers.capacity() * 8 / 7 * (size_of::<(G::State, u32)>() + 1)
            + self.moments.capacity() * size_of::<Moment<G>>()
            + self.moments.len() * size_of::<Bounds>()
    }

    /// The bytes that it takes to close in on its values: formulas, and the order of its moments.
    pub(super) fn closing(&self) -> usize {
        self.extent.bytes() + self.moments.len() * ORDER
    }

    /// Adds a moment. Returns whether it is new.
    fn add(&mut self, moment: Moment<G>) -> bool {
        let next = u32::try_from(self.moments.len()).unwrap_or(u32::MAX);
        let is_new = *self.numbers.entry(moment.state()).or_insert(next) == next;
        if is_new {
            self.moments.push(moment);
        }
        is_new
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
    pub(super) fn add<G: Game>(&mut self, stage: &mut Stage<G>, moment: Moment<G>) {
        let before = stage.bytes();
        self.size.states += usize::from(stage.add(moment));
        self.size.bytes += stage.bytes() - before;
    }

    /// The size including what it takes to close in, which exists for one stage at a time.
    pub(super) fn with_closing(&self) -> Size {
        Size { bytes: self.size.bytes + self.closing, ..self.size }
    }
}
