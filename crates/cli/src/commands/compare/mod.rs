//! `compare`: policies, or line-ups, on the same trials.

mod sides;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use stopwise_analysis::paired::{Comparison, Ended, Rule, Stopping, compare as play, is_same};
use stopwise_edge::AnyRules;
use stopwise_engine::arms::Arm;
use stopwise_engine::paired::{PairedTally, add_paired, all_pairs};
use stopwise_engine::run::Plan;
use stopwise_findings::compare::{ComparisonReport, sheets};
use stopwise_findings::manifest::{Context, Policy, manifest, mark};
use stopwise_findings::played::describe;
use stopwise_findings::tables::Tables;
use stopwise_report::Report;
use stopwise_words::{counted, grouped};

use self::sides::Sides;
use crate::args::{Common, Compare, Stop, Until, command_line, shell_line};
use crate::commands::balance::changed;
use crate::commands::ending::Ending;
use crate::commands::partings::{check_listed, tell};
use crate::commands::parts;
use crate::commands::publish::{are_data_read, is_page_made, publish};
use crate::failure::Failure;
use crate::output::note;
use crate::progress::{Making, Progress};
use crate::session;
use crate::setup::metric;
use crate::signals::{self, is_ending};
use crate::threads::Threads;

/// Why such a comparison has no parts.
const LOOKS: &str = "a comparison that stops by what it sees looks at all trials so far, and cannot be cut into parts; give \
                     --trials alone, without --until-width, --until-decided and --budget";

pub(crate) fn compare(args: &Compare) -> Result<(), Failure> {
    let sides = Sides::of(args)?;
    let (rules, lineups) = (sides.first(), &sides.lineups);
    let end = ending(&args.until, rules)?;
    let most = args.common.played(end.most)?;
    if !end.is_fixed() {
        parts::refuse(&args.common, LOOKS)?;
    }
    check_listed(args.divergent, most, all_pairs(lineups.len()).len())?;
    let pool = Threads::new(args.common.threads, most)?;
    // Before there are files, so that a signal never leaves half of them behind.
    signals::catch()?;
    let planned = repeat(args, end.most, args.divergent, (args.until.budget, args.common.stop_after));
    let (directory, plays) = parts::open(&args.common, "compare", &sheets::FILES, planned)?;

    let first = rules.metrics()[0].name;
    let progress = match end.is_fixed() {
        true => Progress::new(most, first, args.common.quiet),
        false => Progress::open_ended(first, args.common.quiet),
    };
    let rule = Rule { metric: end.metric, width: end.width, decided: end.decided };
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let plan = plays.cut(Plan { seed: args.common.seed, trials: 0..most });
    let owned: Vec<_> =
        lineups.iter().enumerate().map(|(at, lineups)| sides.rules_of(at).rules.arm(lineups)).collect();
    let failure = || owned.iter().find_map(|arm| arm.failure());
    let arms: Vec<&dyn Arm> = owned.iter().map(|arm| &**arm as _).collect();
    // A run that repeats another ends where that did, however long it takes.
    let budget = args.until.budget.filter(|_| args.common.stop_after.is_none());
    let is_over = || budget.is_some_and(|budget| wall.elapsed() >= budget);
    let watch = |batch| match progress.batch(batch) {
        ControlFlow::Continue(()) if is_over() || failure().is_some() => ControlFlow::Break(()),
        flow => flow,
    };
    let pairs = all_pairs(arms.len());
    let none = || PairedTally::new(&arms, &pairs, args.divergent);
    let mut add = |plan: &Plan, so_far| add_paired(&arms, so_far, plan, &watch);
    let mut leg = |plan: &Plan| plays.leg("trials", plan, &none, &mut add);
    let played = pool.within(|| play(&arms, pairs.len(), &plan, (&rule, end.stopping), &mut leg));
    if let Some(message) = failure() {
        progress.finish();
        return Err(Failure::Input(message));
    }
    let comparison = played?;
    if comparison.tally.trials() == 0 && args.common.shard.is_none() {
        progress.finish();
        return Err(nothing_yet(is_ending()));
    }
    let (wall_seconds, cpu_seconds) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    progress.finish();
    if let Some(part) = args.common.shard {
        return parts::leave(&args.common, part, &plays, directory);
    }

    let is_interrupted = comparison.ended == Ended::BrokenOff && (is_ending() || !is_over());
    let comparison = match comparison.ended {
        Ended::AllPlayed if most < end.most => comparison.broken_off(&arms),
        _ => comparison,
    };
    let trials = comparison.tally.trials();
    let is_short = comparison.ended == Ended::BrokenOff && args.until.budget.is_none();
    let pairs = &comparison.tally.pairs;
    let told =
        pool.within(|| tell(rules, lineups, args.common.seed, pairs, args.divergent, args.common.quiet));
    let ends_at = (comparison.ended == Ended::BrokenOff).then_some(trials);
    let compared = ComparisonReport {
        game: rules.game(),
        rules: sides.name(),
        seats: rules.seats(),
        sides: sides.told(),
        metrics: rules.metrics().to_vec(),
        endings: sides.rules.iter().flat_map(|named| named.rules.endings()).copied().collect(),
        is_rotated: args.rotate,
        partings: told.partings,
        is_divergent: told.wanted > 0,
        drawn: args.until.metric.is_some().then_some(end.metric),
        stopped: told_end(&end, &comparison),
        comparison,
        seed: args.common.seed,
    };
    let numbered = lineups.iter().take(sides.policies()).zip(1..);
    let context = Context {
        command_line: session::command_line(),
        rules: sides.options(),
        policies: numbered
            .flat_map(|(lineups, at)| Policy::of_seats(rules.seats(), &lineups[0], Some(at)))
            .collect(),
        requested: if is_interrupted || is_short { end.most } else { trials },
        is_cut: told.is_cut,
        stopping: compared.stopped.as_deref().map(|stopped| {
            let mut value = end.manifest(stopped);
            value["until_decided"] = end.decided.into();
            value
        }),
        runner: "trial",
        instructions: None,
        threads: pool.count(),
        wall_seconds,
        cpu_seconds,
    };
    let are_data_read = are_data_read(directory.as_ref(), args.common.format);
    let making = Making::new(args.common.quiet);
    let tables = are_data_read.then(|| Tables::new(&making));
    let mut report = pool.within(|| compared.report(tables));
    drop(making);
    if is_page_made(directory.as_ref(), args.common.format) {
        let (base, others) = sides.rules.split_first().unwrap_or_else(|| unreachable!("rules"));
        describe(&mut report, rules, &base.name, lineups.iter().flat_map(|lineups| &lineups[0]));
        report.played.extend(others.iter().map(|other| changed(base, other)));
    }
    let again = end.again(compared.comparison.ended, trials);
    report.repeat = shell_line(&repeat(args, end.most, told.wanted, again));
    mark(&mut report, &compared.subject(), &context);
    let manifest = |report: &Report| manifest(&compared.subject(), &context, report);
    let written = pool.within(|| {
        publish(
            report,
            (directory, &manifest),
            (args.common.format, args.common.quiet),
            is_interrupted || told.is_cut,
        )
    })?;
    if !args.common.quiet {
        written.iter().for_each(|written| note(&written.to_string()));
        let rate = trials as f64 * lineups.len() as f64 / wall_seconds / 1e6;
        note(&format!(
            "{} trials of {}{} in {wall_seconds:.2} s ({rate:.2} million games a second)",
            grouped(trials),
            counted(sides.policies() as u64, "policy"),
            match sides.rules.len() {
                1 => String::new(),
                several => format!(" under {several} sets of rules"),
            }
        ));
    }
    if told.is_cut {
        let first = if ends_at.is_some() { "first " } else { "" };
        let listed = match told.wanted {
            0 => "none is listed".to_owned(),
            wanted => format!("only the first {} of each pair are listed", grouped(wanted as u64)),
        };
        let found = format!(
            "the results are those of the {first}{} trials, complete, but of the trials in which two part {listed}",
            grouped(trials)
        );
        let stop = ends_at.map_or_else(String::new, |trials| format!(" and --stop-after {trials}"));
        let change = format!("give --divergent {}{stop} with otherwise the same arguments", told.wanted);
        return Err(args.common.interrupted_so(&found, &change));
    }
    if is_interrupted {
        let found = format!("the results are those of the first {} trials, complete", grouped(trials));
        return Err(args.common.interrupted(&found, trials));
    }
    Ok(())
}

/// A trial of many policies may take longer than there is time.
fn nothing_yet(is_interrupted: bool) -> Failure {
    match is_interrupted {
        true => Common::nothing_yet("trial of all policies"),
        false => Failure::Input(
            "--budget ended the run before the first trial of all policies was complete: give it more time, or fewer \
             policies"
                .into(),
        ),
    }
}

/// When the comparison ends.
fn ending(until: &Until, rules: &dyn AnyRules) -> Result<Ending, Failure> {
    let stop = Stop { trials: until.trials, until_width: until.until_width, budget: until.budget };
    Ending::new(&stop, until.until_decided, metric(rules, until.metric.as_deref())?, rules)
}

/// Why there were so many trials; `None` if that was fixed beforehand.
fn told_end(end: &Ending, comparison: &Comparison) -> Option<String> {
    if comparison.means.stopping() == Stopping::Fixed {
        return None;
    }
    let is_same = comparison.tally.pairs.iter().any(is_same);
    let otherwise = if is_same { ", or the two always played the same game" } else { "" };
    Some(end.told(comparison.ended, comparison.tally.trials(), "", otherwise))
}

/// The command line that gives the same result again.
fn repeat(
    args: &Compare,
    most: u64,
    divergent: usize,
    (budget, stop_after): (Option<Duration>, Option<u64>),
) -> Vec<String> {
    let until = Until { trials: Some(most), budget, ..args.until.clone() };
    let common = args.common.ending_after(stop_after);
    command_line("compare", &Compare { until, divergent, common, ..args.clone() })
}
