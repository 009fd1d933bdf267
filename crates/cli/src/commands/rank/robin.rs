//! A game with seats: everybody against everybody.

use std::ops::Range;

use stopwise_analysis::paired::check_points;
use stopwise_analysis::rank::{RoundRobin, Table, tables};
use stopwise_edge::{AnyPolicy, AnyRules};
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::Plan;
use stopwise_engine::tally::Tally;

use super::{Played, nothing_yet, trials_of};
use crate::args::{Rank, Runner};
use crate::failure::Failure;
use crate::progress::Stages;
use crate::report::rank::{By, Fresh};
use crate::runner::Chosen;
use crate::signals::is_ending;

/// Games of a table at most: half of its trials; the other half is kept for the winner.
pub(super) const MOST: u64 = Table::TRIALS / 2;

pub(super) fn play(
    args: &Rank,
    rules: &dyn AnyRules,
    policies: &[AnyPolicy],
    metric: usize,
    progress: &Stages,
) -> Result<Played, Failure> {
    let (seats, games) = (rules.seats(), trials_of(args, false));
    let numbered: Vec<_> = (0..).zip(tables(policies.len(), seats)).collect();
    let seated =
        numbered.into_iter().map(|(number, table)| Seated::new(rules, policies, metric, number, table));
    let mut seated = seated.collect::<Result<Vec<_>, Failure>>()?;
    let mut played = 0;
    let mut is_cut = false;
    // All tables go on together, so that a run cut short is a shorter run.
    for point in check_points(games) {
        if args.common.ends_after(seated[0].table.games) {
            break;
        }
        let done = seated.iter().map(|it| it.table).collect::<Vec<_>>();
        let tables = done.len() as u64;
        progress.begin(done[0].games * tables, point * tables, format!("{tables} tables"));
        let range = done[0].games..point;
        is_cut = !seated.iter_mut().all(|it| it.play(args.common.seed, range.clone(), progress));
        if is_cut {
            if done[0].games == 0 {
                return Err(nothing_yet(point));
            }
            seated.iter_mut().zip(done).for_each(|(it, table)| it.table = table);
            break;
        }
        played += tables * (range.end - range.start);
    }
    is_cut |= args.common.ends_after(seated[0].table.games);
    let counted = seated.iter().map(|it| it.table).collect();
    let robin = RoundRobin::new(policies.len(), seats, counted, args.alpha);
    let winner = robin.ranking().order[0];
    let trials = args.fresh.unwrap_or(games);
    let mut fresh = None;
    if !is_cut && trials > 0 {
        let is_theirs = |it: &Seated| it.table.one == winner || (seats == 2 && it.table.others == winner);
        seated.iter_mut().for_each(|it| (it.table.games, it.table.decided, it.table.wins) = (0, 0, 0));
        let theirs = seated.iter().filter(|it| is_theirs(it)).count() as u64;
        progress.begin(0, trials * theirs, format!("fresh trials of {}", policies[winner].label()));
        let mut theirs_seated = seated.iter_mut().filter(|it| is_theirs(it));
        is_cut = !theirs_seated.all(|it| it.play(args.common.seed, MOST..MOST + trials, progress));
        if !is_cut {
            played += trials * theirs;
            let counted = seated.iter().map(|it| it.table).collect();
            let alone = RoundRobin::new(policies.len(), seats, counted, args.alpha).strength_alone(winner);
            fresh =
                alone.map(|strength| Fresh { first_trial: MOST, trials: trials * theirs, mean: strength });
        }
    }
    let (runner, instructions) =
        seated.first().map_or(("trial", None), |it| (it.runner.name(), it.runner.instructions()));
    Ok(Played { by: By::RoundRobin(robin), fresh, is_cut, games: played, runner, instructions })
}

/// A table with whoever sits there.
struct Seated {
    metric: usize,
    /// All rotations.
    runner: Chosen,
    first_trial: u64,
    table: Table,
}

impl Seated {
    fn new(
        rules: &dyn AnyRules,
        policies: &[AnyPolicy],
        metric: usize,
        number: u64,
        table: Table,
    ) -> Result<Self, Failure> {
        let mut lineup = vec![policies[table.others].clone(); rules.seats()];
        lineup[0] = policies[table.one].clone();
        // Of many tables it takes long until all are laid.
        if is_ending() {
            return Err(nothing_yet(1));
        }
        let runner = Chosen::new(Runner::Auto, rules, &rotations(&lineup))?;
        Ok(Self { metric, runner, first_trial: number * Table::TRIALS, table })
    }

    /// Plays these of its trials; whether it came to their end.
    fn play(&mut self, seed: u64, trials: Range<u64>, progress: &Stages) -> bool {
        let whole = trials.end - trials.start;
        let plan = Plan { seed, trials: self.first_trial + trials.start..self.first_trial + trials.end };
        let tallies = self.runner.play(&plan, &|batch| progress.batch(batch));
        for (rotation, tally) in tallies.iter().enumerate() {
            let wins = |tally: &Tally, seat: usize| tally.seats[seat].metrics[self.metric].count(1);
            self.table.games += tally.trials;
            self.table.decided += (0..tally.seats.len()).map(|seat| wins(tally, seat)).sum::<u64>();
            // The one begins in the first seat.
            self.table.wins += wins(tally, rotation);
        }
        // Of many tables each may be over before anybody looks.
        tallies.iter().map(|tally| tally.trials).sum::<u64>() == whole && !is_ending()
    }
}
