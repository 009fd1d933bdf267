//! Arms whose trials are played on lanes, for all who compare them or take them one by one.

use std::ops::Range;

use stopwise_engine::arms::{Arm, Player, Rows};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::rotation::{Share, shares};
use stopwise_engine::run::TallyArm;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial_result::{Recording, TrialResult};
use stopwise_lanes::{LaneArm, LanePlayer};

use crate::arm::{AnyArm, Fault};

/// An arm that plays on lanes wherever lanes can.
#[derive(Debug)]
pub struct FastArm {
    arm: Box<dyn AnyArm>,
    lanes: Box<dyn LaneArm>,
    set: InstructionSet,
}

impl FastArm {
    /// An arm, and the same line-ups on lanes with these instructions.
    pub fn new(arm: Box<dyn AnyArm>, lanes: Box<dyn LaneArm>, set: InstructionSet) -> Self {
        Self { arm, lanes, set }
    }

    /// The endings after which the rules could not go on.
    fn faulty(&self) -> Vec<usize> {
        let is_fault = |&ending: &usize| {
            let mut tally = self.arm.tally();
            tally.endings[ending] = 1;
            self.arm.faults(&tally) > 0
        };
        (0..self.early().len()).filter(is_fault).collect()
    }
}

impl Arm for FastArm {
    fn lineups(&self) -> usize {
        self.arm.lineups()
    }

    fn tally(&self) -> Tally {
        self.arm.tally()
    }

    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        self.arm.bounds(metric)
    }

    fn shape(&self) -> (usize, usize) {
        self.arm.shape()
    }

    fn early(&self) -> Vec<bool> {
        self.arm.early()
    }

    fn fast_player<'a>(&'a self, keys: &Keys) -> Option<Box<dyn Player + 'a>> {
        let player = |(lineup, share): (usize, Share)| {
            Some((share, self.lanes.player(self.set, lineup, &share.keys(keys))?))
        };
        let lineups = shares(self.arm.lineups()).enumerate().map(player).collect::<Option<_>>()?;
        Some(Box::new(OnLanes { arm: &*self.arm, keys: *keys, lineups, faulty: self.faulty() }))
    }

    fn block(
        &self,
        keys: &Keys,
        trials: &Range<u64>,
        noting: Recording,
        ended: &mut dyn FnMut(&TrialResult<'_>),
    ) {
        self.arm.block(keys, trials, noting, ended);
    }
}

impl TallyArm for FastArm {
    fn batch(&self, lineup: usize, keys: &Keys, trials: Range<u64>, tally: &mut Tally) {
        self.arm.batch(lineup, keys, trials, tally);
    }
}

impl AnyArm for FastArm {
    fn on_lanes(&self) -> Result<Box<dyn LaneArm>, String> {
        self.arm.on_lanes()
    }

    fn failure(&self) -> Option<String> {
        self.arm.failure()
    }

    fn faults(&self, tally: &Tally) -> u64 {
        self.arm.faults(tally)
    }

    fn fault(&self) -> Option<Fault> {
        self.arm.fault()
    }
}

/// The line-ups of an arm on the lanes of a thread, each with its share of the trials.
struct OnLanes<'a> {
    arm: &'a dyn AnyArm,
    keys: Keys,
    lineups: Vec<(Share, Box<dyn LanePlayer>)>,
    /// The endings after which the rules could not go on.
    faulty: Vec<usize>,
}

impl Player for OnLanes<'_> {
    fn play(&mut self, block: &Range<u64>, answers: bool, rows: &mut Rows) {
        rows.resize(usize::try_from(block.end - block.start).expect("a block is small"));
        for (share, player) in &mut self.lineups {
            player.rows(*share, block, answers, rows);
        }
        let is_faulty = |at| self.faulty.contains(&rows.ending(at));
        if !self.faulty.is_empty() && (0..rows.trials()).any(is_faulty) {
            // Only the reference runner says why the rules could not go on.
            self.arm.block(&self.keys, block, Recording::Nothing, &mut |_| ());
        }
    }

    fn tallies(self: Box<Self>) -> Vec<Tally> {
        self.lineups.into_iter().map(|(_, player)| player.tally()).collect()
    }
}
