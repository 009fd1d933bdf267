//! Line-ups that play many games side by side, as an arm on lanes: games as text, and Carcassonne.

use std::ops::Range;
use std::sync::Arc;

use stopwise_engine::arms::{Rows, TrialRows};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::rotation::Share;
use stopwise_engine::run::{Plan, SideBySide, Watcher, play_side_by_side};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_lanes::{Counting, LaneArm, LanePlayer};

/// An arm of line-ups.
pub(crate) fn arm(lineups: impl SideBySide + 'static) -> Box<dyn LaneArm> {
    Box::new(OnLanes(Arc::new(lineups)))
}

#[derive(Clone, Debug)]
struct OnLanes(Arc<dyn SideBySide>);

impl LaneArm for OnLanes {
    fn play(&self, set: InstructionSet, plan: &Plan, progress: &Watcher<'_>) -> Vec<Tally> {
        play_side_by_side(&*self.0, set, plan, progress)
    }

    fn counting(&self, set: InstructionSet, keys: &Keys) -> Box<dyn Counting> {
        Box::new(self.batches(set, 0, keys))
    }

    fn player(&self, set: InstructionSet, lineup: usize, keys: &Keys) -> Option<Box<dyn LanePlayer>> {
        Some(Box::new(self.batches(set, lineup, keys)))
    }
}

impl OnLanes {
    fn batches(&self, set: InstructionSet, lineup: usize, keys: &Keys) -> Batches {
        Batches { lineups: Arc::clone(&self.0), lineup, set, keys: *keys, tally: self.0.tally() }
    }
}

/// A line-up, and the tally of what it has played.
struct Batches {
    lineups: Arc<dyn SideBySide>,
    lineup: usize,
    set: InstructionSet,
    keys: Keys,
    tally: Tally,
}

impl Batches {
    fn feed(&mut self, trials: Range<u64>, rows: Option<TrialRows<'_>>) {
        let mut left = Some(trials);
        let mut next = |_: &Tally| left.take().unwrap_or(0..0);
        self.lineups.feed(self.set, self.lineup, &self.keys, &mut next, &mut self.tally, rows);
    }
}

impl LanePlayer for Batches {
    fn rows(&mut self, share: Share, block: &Range<u64>, answers: bool, rows: &mut Rows) {
        let rows = TrialRows { share, block: block.clone(), answers, rows };
        self.feed(share.of(block), Some(rows));
    }
}

impl Counting for Batches {
    fn play(&mut self, trials: Range<u64>) {
        self.feed(trials, None);
    }

    fn tally(self: Box<Self>) -> Tally {
        self.tally
    }
}
