//! Rules with line-ups, ready to play.

use std::fmt::Debug;

use stopwise_engine::games::Playable;
use stopwise_engine::run::TallyArm;
use stopwise_engine::tally::Tally;
use stopwise_lanes::{LaneArm, TextLineups, on_lanes};

/// An arm of any game: everything that runs, comparisons and rankings need of rules with their line-ups.
pub trait AnyArm: TallyArm + Debug + Send {
    /// The same line-ups on lanes.
    ///
    /// # Errors
    ///
    /// The reason, in words, why lanes cannot play them.
    fn on_lanes(&self) -> Result<Box<dyn LaneArm>, String>;

    /// Why the arm could not play all trials, if a policy that answers in batches failed. Its counts are then useless.
    /// Text policies never fail.
    fn failure(&self) -> Option<String> {
        None
    }
}

/// The arm of a game whose type is known.
#[derive(Debug)]
pub(crate) struct TypedArm<G: Playable> {
    pub(crate) lineups: TextLineups<G>,
}

/// Implements the traits of an arm by those of its line-ups.
mod delegated {
    use std::ops::Range;

    use stopwise_engine::arms::Arm;
    use stopwise_engine::stream::Keys;
    use stopwise_engine::trial_result::{Recording, TrialResult};

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

        fn block(
            &self,
            keys: &Keys,
            trials: &Range<u64>,
            noting: Recording,
            ended: &mut dyn FnMut(&TrialResult<'_>),
        ) {
            self.lineups.block(keys, trials, noting, ended);
        }
    }

    impl<G: Playable> TallyArm for TypedArm<G> {
        fn batch(&self, lineup: usize, keys: &Keys, trials: Range<u64>, tally: &mut Tally) {
            self.lineups.batch(lineup, keys, trials, tally);
        }
    }
}

impl<G: Playable> AnyArm for TypedArm<G> {
    fn on_lanes(&self) -> Result<Box<dyn LaneArm>, String> {
        on_lanes(self.lineups.game.info().name, &self.lineups)
    }
}
