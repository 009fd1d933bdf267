//! Games as text on lanes.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use stopwise_engine::arms::{Arm as _, Rows};
use stopwise_engine::game::{Game as _, Policy as _};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::rotation::Share;
use stopwise_engine::run::{Feed, Plan, SideBySide, Watcher, play_side_by_side};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_lanes::{Counting, LaneArm, LanePlayer, TextLineups};
use stopwise_policy::TextPolicy;
use stopwise_script::Script;
use stopwise_script::lanes::{Lanes, TrialRows};

/// Line-ups of any game on lanes: `game` is its name.
///
/// # Errors
///
/// The reason, in words, why lanes cannot play them.
pub(crate) fn on_lanes(game: &str, lineups: &dyn Any) -> Result<Box<dyn LaneArm>, String> {
    of_text(lineups).unwrap_or_else(|| stopwise_lanes::on_lanes(game, lineups))
}

/// Line-ups of a game as text; nothing if they are of another game.
fn of_text(lineups: &dyn Any) -> Option<Result<Box<dyn LaneArm>, String>> {
    let lineups = lineups.downcast_ref::<TextLineups<Script>>()?;
    let kinds = 0..lineups.game.info().kinds.len();
    let lanes = |lineup: &Vec<Arc<TextPolicy<Script>>>| {
        let players = lineup.iter().map(|policy| kinds.clone().map(|kind| policy.answering(kind)).collect());
        Lanes::new(&lineups.game, &players.collect::<Vec<_>>())
    };
    let lanes = lineups.lineups.iter().map(lanes).collect::<Result<_, _>>();
    Some(lanes.map(|lanes| -> Box<dyn LaneArm> {
        Box::new(TextLanes(Arc::new(Inner { lineups: lineups.clone(), lanes })))
    }))
}

#[derive(Clone, Debug)]
struct TextLanes(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    lineups: TextLineups<Script>,
    /// Of every line-up.
    lanes: Vec<Lanes>,
}

impl Inner {
    fn feed(
        &self,
        set: InstructionSet,
        lineup: usize,
        keys: &Keys,
        next: &mut Feed<'_>,
        tally: &mut Tally,
        rows: Option<TrialRows<'_>>,
    ) {
        let (game, policies) = (&self.lineups.game, &self.lineups.lineups[lineup]);
        let choose = |seat: usize, state, question| {
            let policy = if policies.len() == 1 { &policies[0] } else { &policies[seat] };
            policy.choose(game, state, question)
        };
        self.lanes[lineup].play(set, keys, next, &choose, tally, rows);
    }
}

impl LaneArm for TextLanes {
    fn play(&self, set: InstructionSet, plan: &Plan, progress: &Watcher<'_>) -> Vec<Tally> {
        play_side_by_side(&OnSet(&self.0, set), plan, progress)
    }

    fn counting(&self, set: InstructionSet, keys: &Keys) -> Box<dyn Counting> {
        Box::new(self.batches(set, 0, keys))
    }

    fn player(&self, set: InstructionSet, lineup: usize, keys: &Keys) -> Option<Box<dyn LanePlayer>> {
        Some(Box::new(self.batches(set, lineup, keys)))
    }
}

impl TextLanes {
    fn batches(&self, set: InstructionSet, lineup: usize, keys: &Keys) -> Batches {
        Batches { lanes: self.clone(), lineup, set, keys: *keys, tally: self.0.lineups.tally() }
    }
}

/// A line-up, and the tally of what it has played.
struct Batches {
    lanes: TextLanes,
    lineup: usize,
    set: InstructionSet,
    keys: Keys,
    tally: Tally,
}

impl Batches {
    fn feed(&mut self, trials: Range<u64>, rows: Option<TrialRows<'_>>) {
        let mut left = Some(trials);
        let mut next = |_: &Tally| left.take().unwrap_or(0..0);
        self.lanes.0.feed(self.set, self.lineup, &self.keys, &mut next, &mut self.tally, rows);
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

/// On an instruction set.
struct OnSet<'l>(&'l Inner, InstructionSet);

impl SideBySide for OnSet<'_> {
    fn lineups(&self) -> usize {
        self.0.lanes.len()
    }

    fn tally(&self) -> Tally {
        self.0.lineups.tally()
    }

    fn feed(&self, lineup: usize, keys: &Keys, next: &mut Feed<'_>, tally: &mut Tally) {
        self.0.feed(self.1, lineup, keys, next, tally, None);
    }
}
