//! Wins by policy and by seat, and the advantage of going first.
//!
//! Everything is computed from one tally per rotation ([`stopwise_engine::rotation`]); a run without rotation has one
//! rotation. At most one seat wins a trial, or several share a win: then a seat counts its part of it.
//!
//! The wins of the seats in one trial exclude each other: (wins of seat 1, …, wins of seat *n*, no winner) is
//! multinomial in every rotation. The count of one seat, or of several seats together, is then binomial, and the exact
//! interval holds for it. Over several rotations the count is a sum of binomials with different probabilities. It
//! deviates from its mean no more than a binomial with their average does (Hoeffding, Ann. Math. Stat. 27, 1956,
//! 713–721, theorem 5), so the exact interval covers at least as often, and so it does for parts of wins, which vary less than whole ones
//! of the same mean. Where all rotations have equal weight, their
//! shares are combined by [`combination`](crate::mover::combination).

use stopwise_engine::game::{Metric, Seat};
use stopwise_engine::rotation::named_for;
use stopwise_engine::tally::{SeatTally, Tally};

use crate::estimate::{Estimate, Method};
use crate::mover::Part;
use crate::paired::Stopping;
use crate::won::{of_seat, tied};

/// The sum of counts as a share of the sum of trials, over groups given as (count, trials), with its interval.
/// `None` if there are no trials.
fn pooled(stopping: Stopping, groups: impl Iterator<Item = (f64, u64)>) -> Option<Estimate> {
    let (count, trials) = groups.fold((0.0, 0), |sum, group| (sum.0 + group.0, sum.1 + group.1));
    (trials > 0).then(|| stopping.share_of(count, trials))
}

/// The wins of a run of games with more than one seat.
#[derive(Clone, Copy, Debug)]
pub struct Wins<'t> {
    /// A tally for every rotation, in order; one without rotation.
    pub rotations: &'t [Tally],
    /// The number of the policy named for each seat; equal policies have equal numbers.
    pub lineup: &'t [usize],
    /// What is measured of a seat; one of them is of wins ([`Metric::of_wins`]).
    pub metrics: &'t [Metric],
    /// How the number of trials was decided.
    pub stopping: Stopping,
}

impl Wins<'_> {
    /// The wins of a seat, with its parts of those that several share, and the games with a winner.
    fn of_seat(&self, rotation: usize, seat: Seat) -> (f64, u64) {
        of_seat(&self.rotations[rotation], seat, self.metrics)
    }

    /// Games with a winner, or with several.
    fn decided(&self, rotation: usize) -> u64 {
        self.of_seat(rotation, 0).1
    }

    /// The share of the trials that a seat wins, with any policy.
    pub fn seat(&self, seat: Seat) -> Option<Estimate> {
        pooled(
            self.stopping,
            (0..self.rotations.len()).map(|at| (self.of_seat(at, seat).0, self.rotations[at].trials)),
        )
    }

    /// The share of its trials that a policy wins in `seat`, or in any of its seats. If it has several seats in a
    /// trial, a win in any of them counts.
    pub fn policy(&self, policy: usize, seat: Option<Seat>) -> Option<Estimate> {
        pooled(
            self.stopping,
            (0..self.rotations.len()).filter_map(|rotation| {
                let mut seats = sits_in(self.lineup, policy, rotation, seat).peekable();
                seats.peek()?;
                let wins = seats.map(|seat| self.of_seat(rotation, seat).0).sum();
                Some((wins, self.rotations[rotation].trials))
            }),
        )
    }

    /// The share of the trials without a winner.
    pub fn nobody(&self) -> Option<Estimate> {
        let of = |(at, tally): (usize, &Tally)| ((tally.trials - self.decided(at)) as f64, tally.trials);
        pooled(self.stopping, self.rotations.iter().enumerate().map(of))
    }

    /// The share of the trials that several seats win together, where those who tie share a win.
    pub fn tied(&self) -> Option<Estimate> {
        Metric::of_wins(self.metrics).filter(|&at| self.metrics[at].is_share())?;
        let of = |tally: &Tally| (tied(tally, self.metrics) as f64, tally.trials);
        pooled(self.stopping, self.rotations.iter().map(of))
    }

    /// The advantage of going first: the first seat's share of the games with a winner, less the fair share of one
    /// seat, 1 / *n*; between −1 / *n* and 1 − 1 / *n*. All rotations have equal weight, so that every policy goes
    /// first equally often; without rotation it includes the advantage of the first seat's policy. `None` if a rotation
    /// had no game with a winner.
    ///
    /// Given the number of games of a rotation with a winner, the first seat's wins are binomial: the interval is that
    /// of [`combination`](crate::mover::combination), and the exact one for one rotation. In a run with a stopping rule, games without a winner do not
    /// change the sequence of a rotation.
    pub fn first_seat_edge(&self) -> Option<Estimate> {
        let factor = 1.0 / self.rotations.len() as f64;
        let part = |at| {
            let (count, trials) = self.of_seat(at, 0);
            Part { factor, count, trials }
        };
        let share = self.stopping.combination(&(0..self.rotations.len()).map(part).collect::<Vec<_>>())?;
        let fair = 1.0 / self.lineup.len() as f64;
        let method = match share.method {
            Method::Mover => Method::MoverOverRotations,
            method => method,
        };
        Some(Estimate { method, ..share.plus(-fair) })
    }
}

/// The seats, all or only `seat`, in which a policy sits in this rotation.
fn sits_in(
    lineup: &[usize],
    policy: usize,
    rotation: usize,
    only: Option<Seat>,
) -> impl Iterator<Item = Seat> {
    let seats = lineup.len();
    (0..seats)
        .filter(move |&seat| only.is_none_or(|only| only == seat))
        .filter(move |&seat| lineup[named_for(seat, rotation, seats)] == policy)
}

/// The tally of a policy in one seat, or in all of its seats.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The policy's number.
    pub policy: usize,
    /// The seat, or `None` for all.
    pub seat: Option<Seat>,
    /// The tally. A trial in which the policy has several of the seats counts once for each.
    pub tally: SeatTally,
    /// The number of trials in which the policy had such a seat. Values of several seats of one trial are dependent;
    /// under any dependence their mean varies no more than that of this many independent values.
    pub trials: u64,
}

/// A standing for every seat of a run without rotation.
pub fn by_seat(tally: &Tally, lineup: &[usize]) -> Vec<Standing> {
    let of = |((seat, tally), &policy): ((Seat, &SeatTally), _)| (policy, seat, tally.clone());
    let seats = tally.seats.iter().enumerate().zip(lineup).map(of);
    seats
        .map(|(policy, seat, seats)| Standing {
            policy,
            seat: Some(seat),
            tally: seats,
            trials: tally.trials,
        })
        .collect()
}

/// The standings of a rotated run: for every policy, in the order of the line-up, first that of all seats together,
/// then one for each seat in which it sat.
pub fn by_policy(rotations: &[Tally], lineup: &[usize]) -> Vec<Standing> {
    let mut standings = Vec::new();
    let is_first = |&(at, policy): &(usize, &usize)| lineup[..at].iter().all(|earlier| earlier != policy);
    for (_, &policy) in lineup.iter().enumerate().filter(is_first) {
        let seats = std::iter::once(None).chain((0..lineup.len()).map(Some));
        standings.extend(seats.filter_map(|seat| standing(rotations, lineup, policy, seat)));
    }
    standings
}

/// `None` if there are no such trials.
fn standing(rotations: &[Tally], lineup: &[usize], policy: usize, seat: Option<Seat>) -> Option<Standing> {
    let (mut sum, mut trials): (Option<SeatTally>, u64) = (None, 0);
    for (rotation, tally) in rotations.iter().enumerate().filter(|(_, tally)| tally.trials > 0) {
        let mut seats = sits_in(lineup, policy, rotation, seat).map(|seat| &tally.seats[seat]).peekable();
        trials += if seats.peek().is_some() { tally.trials } else { 0 };
        for seat in seats {
            match &mut sum {
                Some(sum) => sum.merge(seat),
                None => sum = Some(seat.clone()),
            }
        }
    }
    sum.map(|tally| Standing { policy, seat, tally, trials })
}
