//! Rotation: the policies of a line-up move on from seat to seat, because a seat is an advantage.
//!
//! With *n* seats there are *n* rotations. In trial *i* the policy named for seat *s* (from 0) plays in seat
//! (*s* + *i*) mod *n*, so trial 0 is the line-up as it was named. The rotation follows from the number of the trial
//! and from nothing else: a part of a plan, or a run cut short, plays every trial with the rotation that it has in
//! the whole, and after any number of trials no rotation was played more than once oftener than another.
//!
//! Each rotation has a tally of its own, so that shards, interrupted runs and replays agree without being told. The
//! keys are thinned (`Keys::every`) and not the trials, so that games on lanes need not know of rotation.
//!
//! The length of a game, all seats together, is a histogram of its own: tallies of single seats do not hold how
//! seats go together.

use crate::game::Seat;

/// Which of the `seats` rotations plays trial `trial`.
pub fn rotation_of(trial: u64, seats: usize) -> usize {
    usize::try_from(trial % seats as u64).expect("less than the seats")
}

/// For which seat the policy was named that plays in `seat` in this rotation.
pub fn named_for(seat: Seat, rotation: usize, seats: usize) -> Seat {
    (seat + seats - rotation) % seats
}

/// The line-ups of all rotations, of a line-up that has a policy for every seat.
pub fn rotations<P: Clone>(lineup: &[P]) -> Vec<Vec<P>> {
    let seats = lineup.len();
    let of =
        |rotation| (0..seats).map(move |seat| lineup[named_for(seat, rotation, seats)].clone()).collect();
    (0..seats).map(of).collect()
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
}
