//! By how much the winner leads: what no tally of single seats can say.

use std::ops::ControlFlow;

use crate::game::{Game, LineupJob, MAX_METRICS, Policy};
use crate::run::{BATCH, Batch, Plan, from_one_queue};
use crate::stream::Keys;
use crate::tally::Histogram;
use crate::trial::trial;

/// The index of the metric that is 1 for the seat that wins, in games for several.
const WIN: usize = 0;

/// How close games are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leads {
    /// Finished trials.
    pub trials: u64,
    /// Of the games with a winner, what it has of a metric more than the best of the others: 0 where another has as much,
    /// or more.
    pub leads: Histogram,
}

/// Plays the trials of a plan with a line-up that keeps its seats, and notes by how much the winner leads in a metric that is
/// read from the end of the game ([`Source::End`](crate::game::Source::End)).
///
/// The result is a function of the game, the line-up and the plan; `progress` is called as by [`run`](crate::run::run), with
/// sums of 0, and stops the run in the same way.
pub fn run_leads<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    metric: usize,
    plan: &Plan,
    progress: impl Fn(Batch) -> ControlFlow<()> + Sync,
) -> Leads {
    let keys = Keys::new(plan.seed);
    let threads = from_one_queue(plan, |queue| {
        let mut found = Leads::default();
        while let Some(trials) = queue.next(BATCH) {
            let count = trials.end - trials.start;
            P::with_quickest(lineup, Played { game, keys: &keys, metric, trials, found: &mut found });
            queue.report(progress(Batch { trials: count, sum: 0, squares: 0 }));
        }
        found
    });
    let mut total = Leads::default();
    for thread in &threads {
        total.trials += thread.trials;
        total.leads.merge(&thread.leads);
    }
    total
}

/// A batch of trials with one line-up.
struct Played<'p, G> {
    game: &'p G,
    keys: &'p Keys,
    metric: usize,
    trials: std::ops::Range<u64>,
    found: &'p mut Leads,
}

impl<G: Game> LineupJob<G> for Played<'_, G> {
    type Output = ();

    #[inline(never)]
    fn run<P: Policy<G>>(self, lineup: &[P]) {
        let (game, seats) = (self.game, self.game.seats());
        for number in self.trials {
            let end = trial(game, lineup, &mut self.keys.streams(number, seats), &mut ());
            let (mut winner, mut others) = (None, 0);
            for seat in 0..seats {
                let mut values = [0; MAX_METRICS];
                game.measure(end, seat, &mut values);
                match values[WIN] {
                    1 => winner = Some(values[self.metric]),
                    _ => others = others.max(values[self.metric]),
                }
            }
            if let Some(winner) = winner {
                self.found.leads.add(winner.saturating_sub(others));
            }
            self.found.trials += 1;
        }
    }
}
