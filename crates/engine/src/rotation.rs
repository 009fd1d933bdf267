//! Rotation: the policies of a line-up move from seat to seat, because some seats have an advantage.
//!
//! With *n* seats there are *n* rotations. In trial *i* the policy named for seat *s* (from 0) plays in seat (*s* +
//! *i*) mod *n*, so trial 0 has the line-up as it was named. The rotation depends only on the number of the trial.
//! Parts of a plan and interrupted runs therefore play every trial with the same rotation as the whole plan, and after
//! any number of trials the counts of any two rotations differ by at most one.
//!
//! Each rotation has its own tally, so that shards, interrupted runs and replays agree without further information. Played
//! alone, it has its own keys (`Keys::every`) and consecutive trial numbers, so that what plays one line-up need not know
//! about rotation.
//!
//! The length of a game, over all seats, is a histogram of its own: tallies of single seats do not record how the
//! seats' values combine.

use std::ops::Range;

use crate::game::Seat;
use crate::stream::Keys;

/// The index of the rotation that plays trial `trial`.
pub fn rotation_of(trial: u64, seats: usize) -> usize {
    usize::try_from(trial % seats as u64).expect("less than the seats")
}

/// The seat for which the policy was named that plays in `seat` in this rotation.
pub fn named_for(seat: Seat, rotation: usize, seats: usize) -> Seat {
    (seat + seats - rotation) % seats
}

/// The line-ups of all rotations, given a line-up with a policy for every seat.
pub fn rotations<P: Clone>(lineup: &[P]) -> Vec<Vec<P>> {
    let seats = lineup.len();
    let of =
        |rotation| (0..seats).map(move |seat| lineup[named_for(seat, rotation, seats)].clone()).collect();
    (0..seats).map(of).collect()
}

/// One line-up's share of the trials: every `step`-th from `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The number of line-ups.
    pub step: u64,
    /// The first of the trials.
    pub first: u64,
}

/// The shares of this number of line-ups, in order.
pub fn shares(lineups: usize) -> impl Iterator<Item = Share> {
    let step = lineups as u64;
    (0..step).map(move |first| Share { step, first })
}

impl Share {
    /// The keys under which trial *k* is the *k*-th trial of the share.
    pub fn keys(&self, keys: &Keys) -> Keys {
        keys.every(self.step, self.first)
    }

    /// The range of the share that lies in `trials`.
    pub fn of(&self, trials: &Range<u64>) -> Range<u64> {
        let before = |trial: u64| trial.saturating_sub(self.first).div_ceil(self.step);
        before(trials.start)..before(trials.end)
    }

    /// The index, among `trials`, of the first one of the share that lies in them.
    pub fn begins(&self, trials: &Range<u64>) -> usize {
        usize::try_from((self.first + self.step - trials.start % self.step) % self.step).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_moves_on_by_one_seat() {
        assert_eq!(rotations(&["a", "b", "c"]), [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]]);
        assert_eq!(rotations(&["a"]), [["a"]]);
    }

    #[test]
    fn the_number_of_the_trial_tells_the_rotation() {
        assert_eq!([0, 1, 2, 3, 4].map(|trial| rotation_of(trial, 3)), [0, 1, 2, 0, 1]);
        assert_eq!(rotation_of(u64::MAX, 2), 1);
    }

    #[test]
    fn shares_are_the_trials_of_the_rotations() {
        let trials = 10..21;
        let of = |share: Share| share.of(&trials).map(move |at| at * share.step + share.first);
        assert_eq!(
            shares(3).map(|share| of(share).collect()).collect::<Vec<Vec<_>>>(),
            [vec![12, 15, 18], vec![10, 13, 16, 19], vec![11, 14, 17, 20]]
        );
        assert_eq!(shares(3).map(|share| share.begins(&trials)).collect::<Vec<_>>(), [2, 0, 1]);
    }
}
