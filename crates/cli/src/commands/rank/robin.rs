//! A game with seats: everybody against everybody.

use std::ops::Range;

use stopwise_analysis::paired::check_points;
use stopwise_analysis::rank::{RoundRobin, Table, tables};
use stopwise_edge::{AnyPolicy, AnyRules};
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::Plan;
use stopwise_engine::tally::Tally;

use super::stages::{Stage, Stages};
use super::{Played, nothing_yet, trials_of};
use crate::args::{Rank, Runner};
use crate::failure::Failure;
use crate::numbers::grouped;
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
    let room = Room { rules, policies, metric, seed: args.common.seed };
    let mut seated: Vec<_> =
        (0..).zip(tables(policies.len(), seats)).map(|(number, table)| Seated::new(number, table)).collect();
    let first = room.runner(&seated[0].table)?;
    let mut played = 0;
    let mut is_cut = false;
    // All tables go on together, so that a run cut short is a shorter run.
    for point in check_points(games) {
        if args.common.ends_after(seated[0].table.games) {
            break;
        }
        let done = seated.iter().map(|it| it.table).collect::<Vec<_>>();
        let tables = done.len() as u64;
        let stage = Stage { done: done[0].games, next: point, most: games, pieces: tables };
        progress.begin(stage, &format!("{} tables", grouped(tables)));
        let range = done[0].games..point;
        is_cut = !all(&mut seated.iter_mut(), |it| room.play(it, range.clone(), progress))?;
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
        let stage = Stage { done: 0, next: trials, most: trials, pieces: theirs };
        progress.begin(stage, &format!("fresh trials of {}", policies[winner].label()));
        let mut theirs_seated = seated.iter_mut().filter(|it| is_theirs(it));
        is_cut = !all(&mut theirs_seated, |it| room.play(it, MOST..MOST + trials, progress))?;
        if !is_cut {
            played += trials * theirs;
            let counted = seated.iter().map(|it| it.table).collect();
            let alone = RoundRobin::new(policies.len(), seats, counted, args.alpha).strength_alone(winner);
            fresh =
                alone.map(|strength| Fresh { first_trial: MOST, trials: trials * theirs, mean: strength });
        }
    }
    let (runner, instructions) = (first.name(), first.instructions());
    Ok(Played { by: By::RoundRobin(robin), fresh, is_cut, games: played, runner, instructions })
}

/// Whether all of them hold; after the first that does not, no more are asked.
fn all<T>(
    of: &mut dyn Iterator<Item = T>,
    mut holds: impl FnMut(T) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    for it in of {
        if !holds(it)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A table and its trials. Who plays there is seated when it plays: of a thousand policies there are half a million tables.
struct Seated {
    first_trial: u64,
    table: Table,
}

impl Seated {
    fn new(number: u64, table: Table) -> Self {
        Self { first_trial: number * Table::TRIALS, table }
    }
}

/// What all tables share.
struct Room<'r> {
    rules: &'r dyn AnyRules,
    policies: &'r [AnyPolicy],
    metric: usize,
    seed: u64,
}

impl Room<'_> {
    /// All rotations of a table.
    fn runner(&self, table: &Table) -> Result<Chosen, Failure> {
        let mut lineup = vec![self.policies[table.others].clone(); self.rules.seats()];
        lineup[0] = self.policies[table.one].clone();
        Chosen::new(Runner::Auto, self.rules, &rotations(&lineup))
    }

    /// Plays these of a table's trials; whether it came to their end.
    fn play(&self, seated: &mut Seated, trials: Range<u64>, progress: &Stages) -> Result<bool, Failure> {
        let whole = trials.end - trials.start;
        let first = seated.first_trial;
        let plan = Plan { seed: self.seed, trials: first + trials.start..first + trials.end };
        let tallies = self.runner(&seated.table)?.play(&plan, &|batch| progress.batch(batch));
        let table = &mut seated.table;
        for (rotation, tally) in tallies.iter().enumerate() {
            let wins = |tally: &Tally, seat: usize| tally.seats[seat].metrics[self.metric].count(1);
            table.games += tally.trials;
            table.decided += (0..tally.seats.len()).map(|seat| wins(tally, seat)).sum::<u64>();
            // The one begins in the first seat.
            table.wins += wins(tally, rotation);
        }
        // Of many tables each may be over before anybody looks.
        Ok(tallies.iter().map(|tally| tally.trials).sum::<u64>() == whole && !is_ending())
    }
}
