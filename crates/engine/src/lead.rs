//! The margin by which winners lead, which tallies of single seats cannot give.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::arms::{Arm, BLOCK, Lineups, Rows};
use crate::game::{Game, Policy};
use crate::plan::{BATCH, Batch, Pace, Plan, Watcher, from_one_queue};
use crate::stream::Keys;
use crate::tally::Histogram;

/// The index of the metric that is 1 for the winning seat, in games for several.
pub const WIN: usize = 0;

/// The winners' leads over many trials.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Leads {
    /// Finished trials.
    pub trials: u64,
    /// For games with a winner: the winner's value of a metric minus the best value of the others, or 0 if that is
    /// negative.
    pub leads: Histogram,
}

impl Leads {
    /// Adds the leads of `other`, which come from other trials.
    pub fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.leads.merge(&other.leads);
    }

    /// Adds a game, given for each seat 1 if it won, else 0, and its value of the metric.
    pub fn enter(&mut self, seats: impl Iterator<Item = (u32, u32)>) {
        let (mut winner, mut others) = (None, 0);
        for (win, value) in seats {
            match win {
                1 => winner = Some(value),
                _ => others = others.max(value),
            }
        }
        if let Some(winner) = winner {
            self.leads.add(winner.saturating_sub(others));
        }
        self.trials += 1;
    }
}

/// An arm that reports the winners' leads.
pub trait LeadArm: Arm {
    /// Plays trials with the first line-up, in fixed seats, and adds to `found` the winners' leads in a metric that is
    /// read from the end of the game ([`Source::End`](crate::game::Source::End)).
    fn leads(&self, metric: usize, keys: &Keys, trials: Range<u64>, found: &mut Leads);
}

/// Plays the trials of a plan with the first line-up of an arm and counts the winners' leads in a metric.
///
/// The result is a function of the arm and the plan; `progress` is called as by [`play`](crate::run::play), with sums
/// of 0, and stops the run in the same way.
pub fn run_leads(arm: &dyn LeadArm, metric: usize, plan: &Plan, progress: &Watcher<'_>) -> Leads {
    let keys = Keys::new(plan.seed);
    let threads = from_one_queue(plan, |queue| {
        let mut found = Leads::default();
        let mut pace = Pace::new(arm.at_once(), BATCH);
        while let Some(trials) = queue.next(&mut pace) {
            let count = trials.end - trials.start;
            arm.leads(metric, &keys, trials, &mut found);
            queue.report(progress(Batch { trials: count, sum: 0, squares: 0 }));
        }
        found
    });
    let mut total = Leads::default();
    threads.iter().for_each(|thread| total.merge(thread));
    total
}

/// From rows of trials, so that no loop is compiled for a rare question.
impl<G: Game, P: Policy<G>> LeadArm for Lineups<G, P> {
    fn leads(&self, metric: usize, keys: &Keys, trials: Range<u64>, found: &mut Leads) {
        let seats = self.game.seats();
        let mut rows = Rows::new(seats, self.game.metrics().len());
        for block in trials.clone().step_by(BLOCK) {
            let block = block..trials.end.min(block.saturating_add(BLOCK as u64));
            self.rows_of_first(keys, &block, &mut rows);
            for at in 0..rows.trials() {
                found.enter((0..seats).map(|seat| {
                    let values = rows.values(at, seat);
                    (values[WIN], values[metric])
                }));
            }
        }
    }
}
