//! A game with seats: everybody against everybody.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use stopwise_analysis::paired::check_points;
use stopwise_analysis::rank::{Matchup, RoundRobin, tables};
use stopwise_analysis::won::{in_games, parts};
use stopwise_engine::game::Metric;
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::Plan;
use stopwise_erased::{AnyPolicy, AnyRules, Seated};
use stopwise_narration::{InWords, grouped};
use stopwise_reports::rank::{Alike, By, Fresh};

use super::stages::{Stage, Stages};
use super::{COMPARED, Field, Played, nothing_yet, trials_of};
use crate::args::{GameArgs, Runner};
use crate::checkpoint::Plays;
use crate::failure::Failure;
use crate::fault::Playing;
use crate::runner::Chosen;
use crate::session::Session;

/// Games of a table at most: half of its trials; the other half is kept for the winner.
pub(super) const MOST: u64 = Matchup::TRIALS / 2;
/// How long tables play before the next check point, unless the first check point takes longer. Every table is begun anew then,
/// and many games side by side end one by one: a thousand games of each take twice as long as a thousand of many.
const AIM: Duration = Duration::from_secs(2);
/// So many tables are prepared once: each takes a tenth of a megabyte in the largest of the gallery.
const KEPT: usize = 150;

pub(super) fn play(field: &Field<'_>, plays: &Plays<'_>, progress: &Stages<'_>) -> Result<Played, Failure> {
    let Field { session, args, rules, policies, metric } = *field;
    let (seats, games, about) = (rules.seats(), trials_of(args, false), &rules.metrics()[metric]);
    let mut tables = tables(policies.len(), seats);
    let kept = RefCell::new(vec![None; tables.len().min(KEPT)]);
    let (game, seed) = (&args.game, args.common.seed);
    let room = Room { session, game, rules, policies, metric, seed, progress, kept };
    let first = room.runner(&tables, 0)?;
    let everybody: Vec<_> = (0..tables.len()).collect();
    let mut played = 0;
    let mut is_cut = false;
    // All tables go on together, so that a run cut short is a shorter run.
    let mut points = check_points(games).peekable();
    let mut at_once = 0;
    while let Some(mut point) = points.next() {
        let done = tables[0].games;
        if args.common.ends_after(done) {
            break;
        }
        while !args.common.ends_after(point)
            && let Some(further) = points.next_if(|further| further - done <= at_once)
        {
            point = further;
        }
        let begun = Instant::now();
        let stage = Stage { done, next: point, most: games, pieces: tables.len() as u64 };
        progress.begin(stage, &format!("{} tables", grouped(tables.len() as u64)));
        let plan = Plan { seed: args.common.seed, trials: done..point };
        let found = room.of("tables", &plan, &tables, &everybody, plays)?;
        if found.games < point - done {
            if done == 0 {
                return Err(nothing_yet(point));
            }
            is_cut = true;
            break;
        }
        enter(&mut tables, &everybody, &found, about);
        played += tables.len() as u64 * found.games;
        // The clock decides only how many check points are passed at once: whoever asks another process for games, or plays
        // them for one, goes to each of them, as a resumed run does, which takes no time for what is known.
        let is_timed = plays.is_all_here() && !plays.is_resumed();
        at_once = if is_timed { games_in(AIM, found.games, begun.elapsed()) } else { 0 };
    }
    is_cut |= args.common.ends_after(tables[0].games);
    let robin = RoundRobin::new(policies.len(), seats, tables.clone(), args.alpha);
    let ranking = robin.ranking();
    let winner = ranking.order[0];
    let trials = args.fresh.unwrap_or(games);
    let mut fresh = None;
    if !is_cut && trials > 0 {
        let is_theirs = |&at: &usize| tables[at].one == winner || (seats == 2 && tables[at].others == winner);
        let theirs: Vec<_> = everybody.iter().copied().filter(is_theirs).collect();
        tables.iter_mut().for_each(|table| (table.games, table.decided, table.wins) = (0, 0, 0.0));
        let stage = Stage { done: 0, next: trials, most: trials, pieces: theirs.len() as u64 };
        progress.begin(stage, &format!("fresh trials of {}", policies[winner].label()));
        let plan = Plan { seed: args.common.seed, trials: MOST..MOST + trials };
        let found = room.of(&format!("fresh trials of {}", winner + 1), &plan, &tables, &theirs, plays)?;
        is_cut = found.games < trials;
        if !is_cut {
            enter(&mut tables, &theirs, &found, about);
            let trials = trials * theirs.len() as u64;
            played += trials;
            let alone = RoundRobin::new(policies.len(), seats, tables, args.alpha).strength_alone(winner);
            fresh = alone.map(|strength| Fresh { first_trial: MOST, trials, mean: strength });
        }
    }
    let (runner, instructions) = (first.name(), first.instructions());
    Ok(Played { by: By::RoundRobin(robin), ranking, fresh, is_cut, games: played, runner, instructions })
}

/// The two that win nothing of each other, or share every win, if they give the same answers in all games that are compared.
pub(super) fn alike(field: &Field<'_>, robin: &RoundRobin) -> Option<Alike> {
    let at = robin.level_table(field.rules.metrics()[field.metric].is_share())?;
    let table = robin.tables()[at];
    let games = table.games.min(COMPARED);
    let first = at as u64 * Matchup::TRIALS;
    let [one, others] =
        [table.one, table.others].map(|number| vec![field.policies[number].clone(); field.rules.seats()]);
    let seed = field.args.common.seed;
    let is_same = |trial: u64| field.rules.divergence(&one, &others, seed, trial).is_none();
    (games > 0 && (first..first + games).all(is_same)).then_some(Alike { table, games })
}

/// Adds the games of these tables.
fn enter(tables: &mut [Matchup], which: &[usize], found: &Seated, about: &Metric) {
    for (&at, &(all, own)) in which.iter().zip(&found.tables) {
        let (wins, decided) = in_games((own, all), about);
        let table = &mut tables[at];
        table.games += found.games;
        table.decided += decided;
        table.wins += wins;
    }
}

/// How many games of each table are played in a time, if so many took so long.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive number of games")]
fn games_in(time: Duration, games: u64, took: Duration) -> u64 {
    (games as f64 * time.as_secs_f64() / took.as_secs_f64().max(f64::MIN_POSITIVE)) as u64
}

/// What all tables share.
struct Room<'r> {
    session: &'r Session,
    game: &'r GameArgs,
    rules: &'r dyn AnyRules,
    policies: &'r [AnyPolicy],
    metric: usize,
    seed: u64,
    progress: &'r Stages<'r>,
    /// The first tables, once they are seated.
    kept: RefCell<Vec<Option<Arc<Chosen>>>>,
}

impl Room<'_> {
    /// All rotations of a table, by its place. They are seated when they play: of a thousand policies there are half a million
    /// tables.
    fn runner(&self, tables: &[Matchup], at: usize) -> Result<Arc<Chosen>, Failure> {
        if let Some(Some(runner)) = self.kept.borrow().get(at) {
            return Ok(Arc::clone(runner));
        }
        let runner = Arc::new(Chosen::new(Runner::Auto, self.rules, &self.lineups(&tables[at]))?);
        if let Some(kept) = self.kept.borrow_mut().get_mut(at) {
            *kept = Some(Arc::clone(&runner));
        }
        Ok(runner)
    }

    fn lineups(&self, table: &Matchup) -> Vec<Vec<AnyPolicy>> {
        let mut lineup = vec![self.policies[table.others].clone(); self.rules.seats()];
        lineup[0] = self.policies[table.one].clone();
        rotations(&lineup)
    }

    /// What these of the tables come to in so many games of each; fewer games if a signal came.
    fn of(
        &self,
        stage: &str,
        plan: &Plan,
        tables: &[Matchup],
        which: &[usize],
        plays: &Plays<'_>,
    ) -> Result<Seated, Failure> {
        let mut failed = None;
        let mut play = |plan: &Plan| {
            let found = self.play(tables, which, plan.trials.clone()).unwrap_or_else(|failure| {
                failed = Some(failure);
                None
            });
            found.unwrap_or_else(|| Seated { games: 0, tables: vec![(0, 0); which.len()] })
        };
        let found = plays.of(stage, plan, &mut play);
        let found = plays.seal().and(found)?;
        failed.map_or(Ok(found), Err)
    }

    /// Plays these games of each table; `None` if a signal came.
    fn play(
        &self,
        tables: &[Matchup],
        which: &[usize],
        games: Range<u64>,
    ) -> Result<Option<Seated>, Failure> {
        let count = games.end - games.start;
        let mut found = Seated { games: count, tables: Vec::new() };
        for &at in which {
            let first = at as u64 * Matchup::TRIALS;
            let plan = Plan { seed: self.seed, trials: first + games.start..first + games.end };
            let runner = self.runner(tables, at)?;
            let watch = |batch| self.progress.batch(batch, runner.failure().is_some());
            let tallies = runner.play(&plan, &watch);
            let playing = Playing {
                session: self.session,
                game: self.game,
                rules: self.rules,
                lineups: &self.lineups(&tables[at]),
                seed: self.seed,
            };
            playing.check(runner.arm())?;
            // Of many tables each may be over before anybody looks.
            if tallies.iter().map(|tally| tally.trials).sum::<u64>() < count || self.progress.is_ending() {
                return Ok(None);
            }
            // The one begins in the first seat.
            let (own, all) = parts(&tallies, self.metric);
            found.tables.push((all, own));
        }
        Ok(Some(found))
    }
}
