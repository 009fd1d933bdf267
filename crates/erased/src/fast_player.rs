//! An arm on the lanes of a thread, for all who compare arms or take their trials one by one.

use std::ops::Range;

use stopwise_engine::arms::{Arm, Player, Rows, TrialRows};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::rotation::{Share, shares};
use stopwise_engine::side_by_side::{LanePlayer, SideBySide};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial_result::Recording;

/// What plays the line-ups of an arm on lanes, each with its share of the trials.
pub(crate) struct FastPlayer<'a> {
    arm: &'a dyn Arm,
    keys: Keys,
    players: Vec<(Share, Box<dyn LanePlayer + 'a>)>,
    at_once: u64,
    /// The endings after which the rules could not go on.
    faulty: Vec<usize>,
}

impl<'a> FastPlayer<'a> {
    pub(crate) fn new(
        arm: &'a dyn Arm,
        (lanes, set): (&'a dyn SideBySide, InstructionSet),
        keys: &Keys,
        faulty: Vec<usize>,
    ) -> Self {
        let shares = shares(lanes.players()).enumerate();
        let players = shares.map(|(at, share)| (share, lanes.player(set, at, &share.keys(keys))));
        let at_once = lanes.at_once() * lanes.players() as u64;
        Self { arm, keys: *keys, players: players.collect(), at_once, faulty }
    }
}

impl Player for FastPlayer<'_> {
    fn at_once(&self) -> u64 {
        self.at_once
    }

    fn play(&mut self, block: &Range<u64>, answers: bool, rows: &mut Rows) {
        rows.resize(usize::try_from(block.end - block.start).expect("a block is small"));
        for (share, player) in &mut self.players {
            let of_share = TrialRows { share: *share, block: block.clone(), answers, rows };
            player.play(share.of(block), Some(of_share));
        }
        let is_faulty = |at| self.faulty.contains(&rows.ending(at));
        if !self.faulty.is_empty() && (0..rows.trials()).any(is_faulty) {
            // Only the reference runner says why the rules could not go on.
            self.arm.block(&self.keys, block, Recording::Nothing, &mut |_| ());
        }
    }

    fn tallies(self: Box<Self>) -> Vec<Tally> {
        self.players.into_iter().flat_map(|(_, player)| player.tallies()).collect()
    }
}
