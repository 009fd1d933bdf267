//! `rank`: many policies, in order as far as it is known.

mod field;
mod race;
mod robin;
mod stages;

use std::time::Instant;

use cpu_time::ProcessTime;
use stopwise_analysis::estimate::LEAST_ALPHA;
use stopwise_analysis::rank::Ranking;
use stopwise_edge::{AnyPolicy, AnyRules, NamedRules};
use stopwise_findings::manifest::{Context, Policy, manifest, mark};
use stopwise_findings::played::describe;
use stopwise_findings::rank::{By, Fresh, RankReport, sheets};
use stopwise_findings::tables::Tables;
use stopwise_report::Report;
use stopwise_words::{InWords, grouped};

use self::field::field;
use super::parts;
use super::publish::{are_data_read, is_page_made, publish};
use crate::args::{Rank, command_line, shell_line};
use crate::failure::Failure;
use crate::output::note;
use crate::progress::Making;
use crate::session;
use crate::setup::{metric, rules};
use crate::signals;
use crate::threads::Threads;
use stages::Stages;

/// Why a ranking has no parts.
const LOOKS: &str = "a ranking looks at all trials so far, and its winner plays fresh ones, so that it cannot be cut into \
                     parts; `compare` can";

/// What was played, and how.
struct Played {
    by: By,
    ranking: Ranking,
    /// Fresh trials of the winner, unless none were wanted or they were cut short.
    fresh: Option<Fresh>,
    is_cut: bool,
    games: u64,
    runner: &'static str,
    instructions: Option<&'static str>,
}

pub(crate) fn rank(args: &Rank) -> Result<(), Failure> {
    let NamedRules { name, rules } = rules(&args.game)?;
    let policies = field(args, &*rules)?;
    let ranked_by = metric(&*rules, args.metric.as_deref())?;
    check(args, &*rules, ranked_by)?;
    parts::refuse(&args.common, LOOKS)?;
    let is_alone = rules.seats() == 1;
    let pool = Threads::new(args.common.threads, trials_of(args, is_alone).max(args.fresh.unwrap_or(0)))?;
    let files = if is_alone { sheets::OF_RACES } else { sheets::OF_ROBINS };
    // Before there are files, so that a signal never leaves half of them behind.
    signals::catch()?;
    let planned = repeat(args, is_alone, args.common.stop_after);
    let (directory, plays) = parts::open(&args.common, "rank", &files, planned)?;

    let progress = Stages::new(args.common.quiet);
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let play = || match is_alone {
        true => race::play(args, &*rules, &policies, ranked_by, &plays, &progress),
        false => robin::play(args, &*rules, &policies, ranked_by, &plays, &progress),
    };
    let played = pool.within(play);
    let (wall_seconds, cpu_seconds) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    progress.finish();
    let Played { by, ranking, fresh, is_cut, games, runner, instructions } = played?;

    let ranked = RankReport {
        game: rules.game(),
        rules: name,
        seats: rules.seats(),
        seed: args.common.seed,
        alpha: args.alpha,
        metric: rules.metrics()[ranked_by],
        labels: policies.iter().map(AnyPolicy::label).collect(),
        ranking,
        by,
        fresh,
    };
    let of_policy = |(policy, number): (&AnyPolicy, _)| {
        Policy::of_seats(rules.seats(), std::slice::from_ref(policy), Some(number)).into_iter().next()
    };
    let trials = ranked.by.trials();
    let context = Context {
        command_line: session::command_line(),
        rules: rules.options(),
        policies: policies.iter().zip(1..).filter_map(of_policy).collect(),
        // A race that is settled is complete, whatever it might have played.
        requested: if is_cut { trials_of(args, is_alone) } else { trials },
        is_cut: false,
        stopping: Some(ranked.stopping()),
        runner,
        instructions,
        threads: pool.count(),
        wall_seconds,
        cpu_seconds,
    };
    let are_data_read = are_data_read(directory.as_ref(), args.common.format);
    let making = Making::new(args.common.quiet);
    let tables = are_data_read.then(|| Tables::new(&making));
    let mut report = pool.within(|| ranked.report(tables));
    drop(making);
    if is_page_made(directory.as_ref(), args.common.format) {
        describe(&mut report, &*rules, &ranked.rules, &policies);
    }
    report.repeat = shell_line(&repeat(args, is_alone, is_cut.then_some(trials)));
    mark(&mut report, &ranked.subject(), &context);
    let manifest = |report: &Report| manifest(&ranked.subject(), &context, report);
    let written = pool.within(|| {
        publish(report, (directory, &manifest), (args.common.format, args.common.quiet), is_cut)
    })?;
    if !args.common.quiet {
        written.iter().for_each(|written| note(&written.to_string()));
        let rate = games as f64 / wall_seconds / 1e6;
        note(&format!(
            "{} games of {} policies in {wall_seconds:.2} s ({rate:.2} million games a second)",
            grouped(games),
            policies.len()
        ));
    }
    if is_cut && !args.common.ends_after(trials) {
        let found = format!(
            "the results are those of the first {} trials, complete, without fresh ones",
            grouped(trials)
        );
        return Err(args.common.interrupted(&found, trials));
    }
    Ok(())
}

/// The command line that gives the same result again.
fn repeat(args: &Rank, is_alone: bool, stop_after: Option<u64>) -> Vec<String> {
    let (trials, common) = (Some(trials_of(args, is_alone)), args.common.ending_after(stop_after));
    command_line("rank", &Rank { trials, common, ..args.clone() })
}

/// Trials of a policy at most; with seats, games of a table.
fn trials_of(args: &Rank, is_alone: bool) -> u64 {
    args.trials.unwrap_or(if is_alone { 1_000_000 } else { 100_000 })
}

/// What clap cannot know of the arguments.
fn check(args: &Rank, rules: &dyn AnyRules, metric: usize) -> Result<(), Failure> {
    let is_alone = rules.seats() == 1;
    let most = if is_alone { stopwise_analysis::rank::FRESH } else { robin::MOST };
    let wrong = |message: String| Err(Failure::Input(message));
    if !(args.alpha > 0.0 && args.alpha < 1.0) {
        return wrong(format!("--alpha {}: write a number between 0 and 1, such as 0.05", args.alpha));
    }
    if args.alpha < LEAST_ALPHA {
        return wrong(format!(
            "--alpha {:e}: write {LEAST_ALPHA:e} or more; no number of trials makes anything as sure as that",
            args.alpha
        ));
    }
    if !(1..=most).contains(&trials_of(args, is_alone)) {
        let trials = trials_of(args, is_alone);
        return wrong(format!("--trials {trials}: write a number from 1 to {}", grouped(most)));
    }
    if let Some(fresh) = args.fresh.filter(|&fresh| fresh > most) {
        return wrong(format!("--fresh {fresh}: write a number from 0 to {}", grouped(most)));
    }
    if let Some(width) = args.resolution.filter(|width| !(*width > 0.0 && width.is_finite())) {
        return wrong(format!("--resolution {width}: write a number above 0, in the metric's unit"));
    }
    if is_alone {
        return Ok(());
    }
    let about = &rules.metrics()[metric];
    if !about.is_win() {
        return wrong(format!(
            "--metric {}: games with seats are ranked by wins; leave it out, or see `stopwise compare`",
            about.name
        ));
    }
    let unused = [("--resolution", args.resolution.is_some()), ("--aim", args.aim.is_some())]
        .into_iter()
        .find(|it| it.1);
    match unused {
        Some((option, _)) => wrong(format!(
            "{option}: {} has {} seats, so that every table plays a fixed number of games; leave it out",
            rules.game(),
            rules.seats()
        )),
        None => Ok(()),
    }
}

/// Ctrl-C before there was anything to say.
fn nothing_yet(first: u64) -> Failure {
    Failure::Interrupted(format!(
        "interrupted: the first check point is after {} trials; before it nothing is known, and nothing was written",
        grouped(first)
    ))
}
