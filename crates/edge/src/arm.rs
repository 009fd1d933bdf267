//! Rules with line-ups, ready to play.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use stopwise_engine::arms::{Lineups, MetricArm};
use stopwise_engine::games::Playable;
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::lanes::{Counts, LaneGame};
use stopwise_engine::lead::LeadArm;
use stopwise_engine::paired::PairedArm;
use stopwise_engine::run::{Plan, TallyArm, Watcher, batch_on_lanes, run_in_turn_on_lanes, run_on_lanes};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_policy::{LaneText, TextPolicy};

/// An arm of any game: everything that runs, comparisons and rankings ask of rules with their line-ups.
pub trait AnyArm: TallyArm + MetricArm + PairedArm + LeadArm + Debug + Send {
    /// The same line-ups on lanes.
    ///
    /// # Errors
    ///
    /// In words why lanes cannot play them.
    fn on_lanes(&self) -> Result<Box<dyn LaneArm>, String>;
}

/// An arm on lanes.
pub trait LaneArm: Debug + Send + Sync {
    /// Plays the trials of a plan as [`play`](stopwise_engine::run::play) does: the same tallies, to the last bit.
    ///
    /// # Panics
    ///
    /// If the machine does not have the instructions.
    fn play(&self, set: InstructionSet, plan: &Plan, progress: &Watcher<'_>) -> Vec<Tally>;

    /// Plays batches of trials with the first line-up on this thread, one after the other into one count.
    ///
    /// # Panics
    ///
    /// If the machine does not have the instructions.
    fn batches(&self, set: InstructionSet, keys: &Keys, batches: &[Range<u64>]) -> Tally;
}

/// The line-ups of a game, shared with whatever else holds its policies.
pub(crate) type TextLineups<G> = Lineups<G, Arc<TextPolicy<G>>>;

/// How a game's line-ups get on lanes, if it has lanes.
pub(crate) type ToLanes<G> = fn(&TextLineups<G>) -> Result<Box<dyn LaneArm>, String>;

/// The arm of a game's type.
#[derive(Debug)]
pub(crate) struct TypedArm<G: Playable> {
    pub(crate) lineups: TextLineups<G>,
    pub(crate) to_lanes: Option<ToLanes<G>>,
}

/// The arm's trials are those of its line-ups.
mod delegated {
    use stopwise_engine::arms::Arm;
    use stopwise_engine::lead::Leads;
    use stopwise_engine::paired::Block;

    use super::*;

    impl<G: Playable> Arm for TypedArm<G> {
        fn lineups(&self) -> usize {
            self.lineups.lineups()
        }

        fn tally(&self) -> Tally {
            self.lineups.tally()
        }

        fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
            self.lineups.bounds(metric)
        }
    }

    impl<G: Playable> TallyArm for TypedArm<G> {
        fn batch(&self, lineup: usize, keys: &Keys, trials: Range<u64>, tally: &mut Tally) {
            self.lineups.batch(lineup, keys, trials, tally);
        }
    }

    impl<G: Playable> MetricArm for TypedArm<G> {
        fn measure(&self, metric: usize, keys: &Keys, trials: &Range<u64>, values: &mut [u32]) {
            self.lineups.measure(metric, keys, trials, values);
        }
    }

    impl<G: Playable> PairedArm for TypedArm<G> {
        fn note(&self, keys: &Keys, trials: &Range<u64>, rotations: &mut [Tally], block: &mut Block) {
            self.lineups.note(keys, trials, rotations, block);
        }
    }

    impl<G: Playable> LeadArm for TypedArm<G> {
        fn leads(&self, metric: usize, keys: &Keys, trials: Range<u64>, found: &mut Leads) {
            self.lineups.leads(metric, keys, trials, found);
        }
    }
}

impl<G: Playable> AnyArm for TypedArm<G> {
    fn on_lanes(&self) -> Result<Box<dyn LaneArm>, String> {
        self.to_lanes.ok_or_else(|| format!("{} has no lanes", G::NAME))?(&self.lineups)
    }
}

/// [`ToLanes`] of a game with lanes.
pub(crate) fn to_lanes<G: Playable + LaneGame>(arm: &TextLineups<G>) -> Result<Box<dyn LaneArm>, String> {
    if let Some(obstacle) = arm.game.obstacle() {
        return Err(obstacle);
    }
    let lineup = |lineup: &Vec<Arc<TextPolicy<G>>>| {
        lineup.iter().map(|policy| LaneText::new(policy, &arm.game)).collect::<Result<Vec<_>, _>>()
    };
    let lineups = arm.lineups.iter().map(lineup).collect::<Result<_, _>>()?;
    Ok(Box::new(OnLanes { game: arm.game, lineups }))
}

/// Line-ups on lanes.
#[derive(Debug)]
struct OnLanes<G> {
    game: G,
    lineups: Vec<Vec<LaneText>>,
}

impl<G: Playable + LaneGame> LaneArm for OnLanes<G> {
    fn play(&self, set: InstructionSet, plan: &Plan, progress: &Watcher<'_>) -> Vec<Tally> {
        match self.lineups.as_slice() {
            [lineup] => vec![run_on_lanes(set, &self.game, lineup, plan, progress)],
            lineups => run_in_turn_on_lanes(set, &self.game, lineups, plan, progress),
        }
    }

    fn batches(&self, set: InstructionSet, keys: &Keys, batches: &[Range<u64>]) -> Tally {
        let mut counts = G::Counts::new(&self.game);
        for trials in batches {
            batch_on_lanes(set, &self.game, &self.lineups[0], keys, trials.clone(), &mut counts);
        }
        let mut tally = Tally::new(&self.game);
        counts.enter(&self.game, &mut tally);
        tally
    }
}
