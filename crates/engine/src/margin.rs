//! The margin by which winners lead, which tallies of single seats cannot give.

use serde::{Deserialize, Serialize};

use crate::arms::{Arm, Rows, player};
use crate::plan::{BATCH, Batch, Pace, Plan, Watcher, from_one_queue};
use crate::stream::Keys;
use crate::tally::Histogram;

/// The index of the metric that says what a seat wins, in games for several.
pub const WIN: usize = 0;

/// The winners' leads over many trials.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Margins {
    /// Finished trials.
    pub trials: u64,
    /// For games with a winner: the winner's value of a metric minus the best value of the others, or 0 if that is
    /// negative. Of those who share a win, the first is the winner.
    pub leads: Histogram,
}

impl Margins {
    /// Adds the leads of `other`, which come from other trials.
    pub fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.leads.merge(&other.leads);
    }

    /// Adds a game, given for each seat its part of the win, or 0, and its value of the metric.
    pub fn enter(&mut self, seats: impl Iterator<Item = (u32, u32)>) {
        let (mut winner, mut others) = (None, 0);
        for (win, value) in seats {
            if win > 0 && winner.is_none() {
                winner = Some(value);
            } else {
                others = others.max(value);
            }
        }
        if let Some(winner) = winner {
            self.leads.add(winner.saturating_sub(others));
        }
        self.trials += 1;
    }
}

/// Plays the trials of a plan with an arm and counts the winners' leads in a metric that is read from the end of the game
/// ([`Source::End`](crate::game::Source::End)).
///
/// The result is a function of the arm and the plan; `progress` is called as by [`play`](crate::run::play), with sums
/// of 0, and stops the run in the same way.
pub fn run_leads(arm: &dyn Arm, metric: usize, plan: &Plan, progress: &Watcher<'_>) -> Margins {
    let keys = Keys::new(plan.seed);
    let threads = from_one_queue(plan, progress, |queue| {
        let mut found = Margins::default();
        let (seats, _) = arm.shape();
        let (mut player, mut rows) = (player(arm, &keys), Rows::of(arm));
        let mut pace = Pace::new(player.at_once(), BATCH);
        while let Some(trials) = queue.next(&mut pace) {
            let count = trials.end - trials.start;
            player.play(&trials, false, &mut rows);
            for at in 0..rows.trials() {
                let of = |seat| rows.values(at, seat);
                found.enter((0..seats).map(|seat| (of(seat)[WIN], of(seat)[metric])));
            }
            queue.report(progress(Batch { trials: count, sum: 0, squares: 0 }));
        }
        found
    });
    let mut total = Margins::default();
    threads.iter().for_each(|thread| total.merge(thread));
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two of three share a win with equal values, and with different ones; one wins alone, by 3, and behind another; nobody wins.
    #[test]
    fn those_who_share_a_win_lead_by_little() {
        let mut found = Margins::default();
        let games: [&[(u32, u32)]; 5] = [
            &[(0, 3), (6, 10), (6, 10)],
            &[(6, 9), (0, 4), (6, 7)],
            &[(0, 7), (12, 10)],
            &[(1, 5), (0, 8)],
            &[(0, 9), (0, 1)],
        ];
        games.iter().for_each(|seats| found.enter(seats.iter().copied()));
        assert_eq!(found, Margins { trials: 5, leads: Histogram::from(vec![(0, 2), (2, 1), (3, 1)]) });
    }
}
