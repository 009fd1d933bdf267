//! `simulate`: many trials, then the reports.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use stopwise_analysis::paired::Ended;
use stopwise_edge::{AnyRules, NamedRules, RowFormat, TrialRows};
use stopwise_engine::run::Plan;
use stopwise_engine::stream::SCHEME;
use stopwise_engine::tally::Tally;
use stopwise_findings::manifest::{Context, Policy, manifest, mark};
use stopwise_findings::played::describe;
use stopwise_findings::simulate::asked::{Asked, Question};
use stopwise_findings::simulate::{SimulationReport, numbers, sheets};
use stopwise_findings::tables::Tables;
use stopwise_report::Report;
use stopwise_words::{InWords, grouped, trials as trials_in_words};

use super::ending::Ending;
use super::pieces::{RowSource, STAGE, Writing};
use super::publish::{are_data_read, is_page_made, publish};
use super::stop::End;
use super::{parts, pieces};
use crate::args::{Common, Simulate, Stop, command_line, shell_line};
use crate::failure::Failure;
use crate::output::{ROWS, RowFile, RowPlan, note};
use crate::progress::{Making, Progress};
use crate::runner::Chosen;
use crate::session;
use crate::setup::{lineups, metric, rules};
use crate::signals::{self, is_ending};
use crate::threads::Threads;

/// Why such a run has no parts.
const LOOKS: &str = "a run that stops by what it sees looks at all trials so far, and cannot be cut into parts; give --trials \
                     alone, without --until-width and --budget";

pub(crate) fn simulate(args: &Simulate) -> Result<(), Failure> {
    let NamedRules { name, rules } = rules(&args.game)?;
    let lineups = lineups(&*rules, &args.policy)?;
    let runner = Chosen::new(args.runner, &*rules, &lineups)?;
    let asked = asked(args, &*rules)?;
    let end = End::new(Ending::new(&args.stop, None, asked.metric, &*rules)?, &*rules.arm(&lineups));
    let ending = &end.ending;
    if !ending.is_fixed() {
        parts::refuse(&args.common, LOOKS)?;
    }
    let trials = args.common.played(ending.most)?;
    let pool = Threads::new(args.common.threads, trials)?;
    let files = sheets::files(rules.seats(), !asked.questions.is_empty());
    // Before there are files, so that a signal never leaves half of them behind.
    signals::catch()?;
    let planned = repeat(args, ending.most, (args.stop.budget, args.common.stop_after));
    let (directory, plays) = parts::open(&args.common, "simulate", &files, planned)?;

    let lineup = &lineups[0];
    let of_seat = |seat: usize| &lineup[if lineup.len() == 1 { 0 } else { seat }];
    let policies: Vec<_> = (0..rules.seats()).map(|seat| of_seat(seat).label()).collect();
    let plan = plays.cut(Plan { seed: args.common.seed, trials: 0..trials });
    let arm = rules.arm(&lineups);
    let writing = args.trials_out.as_deref().map(|place| {
        let format = RowFile::format(place)?;
        // A part hands its rows on to who merges it.
        let part = args.common.shard.and(args.common.out.as_deref()).map(|out| out.join(ROWS));
        let format = if part.is_some() { RowFormat::Raw } else { format };
        let place = part.as_deref().unwrap_or(place);
        let rows = TrialRows::new(&*rules, &policies, lineups.len(), format).saying(vec![
            ("game", rules.game().to_owned()),
            ("rules", name.clone()),
            ("options", rules.options().to_string()),
            ("policies", policies.join(" / ")),
            ("seed", args.common.seed.to_string()),
            ("stream_scheme", SCHEME.to_string()),
        ]);
        let (results, left) = (args.common.out.as_deref(), plays.rows_left());
        let file = RowFile::create(RowPlan { place, results, first: plan.trials.start, left }, &rows)?;
        let source = match &args.common.handed.rows {
            Some(parts) => RowSource::Read(parts.clone()),
            None => RowSource::Played(&*arm),
        };
        Ok::<_, Failure>(Writing { rows, file, source })
    });
    let mut writing = writing.transpose()?;

    let progress = match ending.is_fixed() {
        true => Progress::new(trials, rules.metrics()[0].name, args.common.quiet),
        false => Progress::open_ended(rules.metrics()[0].name, args.common.quiet),
    };
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    // A run that repeats another ends where that did, however long it takes.
    let budget = args.stop.budget.filter(|_| args.common.stop_after.is_none());
    let is_over = || budget.is_some_and(|budget| wall.elapsed() >= budget);
    let watch = |batch| match progress.batch(batch) {
        ControlFlow::Continue(()) if is_over() || runner.failure().is_some() => ControlFlow::Break(()),
        flow => flow,
    };
    let mut play = |plan: &Plan| runner.play(plan, &watch);
    let mut play = |plan: &Plan| plays.of(STAGE, plan, &mut play);
    let leg = |plan: &Plan| {
        let found = match &mut writing {
            None => play(plan),
            Some(writing) => pieces::play(plan, &plays, writing, &mut play),
        };
        plays.seal().and(found)
    };
    let played = pool.within(|| end.play(&plan, &numbers(&policies), leg));
    if let Some(message) = runner.failure().or_else(|| arm.failure()) {
        progress.finish();
        return Err(Failure::Input(message));
    }
    let (rotations, ended) = played?;
    if args.common.shard.is_none() && rotations.iter().all(|tally| tally.trials == 0) {
        progress.finish();
        return Err(Common::nothing_yet("trial"));
    }
    let (wall_seconds, cpu_seconds) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    progress.finish();
    if let Some(part) = args.common.shard {
        let rows = writing.map(|Writing { file, .. }| file);
        return parts::leave_rows(&args.common, part, &plays, directory, (rows, plan.trials));
    }

    let tally = Tally::whole(&rotations);
    let is_interrupted = ended == Ended::BrokenOff && tally.trials < trials && (is_ending() || !is_over());
    let is_short = ended == Ended::BrokenOff && args.stop.budget.is_none();
    let stop = end.told(ended, tally.trials);
    let found = SimulationReport {
        game: rules.game(),
        rules: name,
        policies,
        metrics: rules.metrics().to_vec(),
        endings: rules.endings().to_vec(),
        rotations,
        tally,
        seed: args.common.seed,
        shares_turns: rules.shares_turns(),
        drawn: args.metric.is_some().then_some(asked.metric),
        asked,
        stop,
    };
    let context = Context {
        command_line: session::command_line(),
        rules: rules.options(),
        policies: Policy::of_seats(rules.seats(), lineup, None),
        requested: if is_interrupted || is_short { ending.most } else { found.tally.trials },
        is_cut: false,
        stopping: found.stop.told.as_deref().map(|stopped| ending.manifest(stopped)),
        runner: runner.name(),
        instructions: runner.instructions(),
        threads: pool.count(),
        wall_seconds,
        cpu_seconds,
    };
    let are_data_read = are_data_read(directory.as_ref(), args.common.format);
    let making = Making::new(args.common.quiet);
    let tables = are_data_read.then(|| Tables::new(&making));
    let mut report = pool.within(|| found.report(tables));
    drop(making);
    if is_page_made(directory.as_ref(), args.common.format) {
        describe(&mut report, &*rules, &found.rules, lineup);
    }
    report.repeat = shell_line(&repeat(args, ending.most, ending.again(ended, found.tally.trials)));
    mark(&mut report, &found.subject(), &context);
    let manifest = |report: &Report| manifest(&found.subject(), &context, report);
    let row_file = writing.map(|Writing { file, .. }| file.finish());
    let written = pool.within(|| {
        publish(report, (directory, &manifest), (args.common.format, args.common.quiet), is_interrupted)
    })?;
    let row_file = row_file.transpose()?;
    if args.verbose {
        let threads = if context.threads == 1 { "thread" } else { "threads" };
        note(&format!("runner: {}, on {} {threads}", runner.describe(), context.threads));
    }
    if !args.common.quiet {
        written.iter().for_each(|written| note(&written.to_string()));
        let played = trials_in_words(found.tally.trials);
        row_file.iter().for_each(|path| note(&format!("wrote the rows of {played} into {path}")));
        let rate = found.tally.trials as f64 / wall_seconds / 1e6;
        note(&format!(
            "{} in {wall_seconds:.2} s ({rate:.2} million a second)",
            trials_in_words(found.tally.trials)
        ));
    }
    if is_interrupted {
        let whole = found.tally.trials;
        let rows = row_file
            .map_or_else(String::new, |path| format!("; {path} has the rows of {}", trials_in_words(whole)));
        let intervals = if ending.is_fixed() { ", with intervals for a number fixed beforehand" } else { "" };
        let found = format!(
            "the results are those of the first {} trials, complete{intervals}{rows}",
            grouped(whole)
        );
        return Err(args.common.interrupted(&found, whole));
    }
    Ok(())
}

/// What is asked besides the tables that all simulations have.
fn asked(args: &Simulate, rules: &dyn AnyRules) -> Result<Asked, Failure> {
    let wrong = |share: &&f64| !(**share > 0.0 && **share < 1.0);
    if let Some(share) = args.quantiles.iter().find(wrong) {
        return Err(Failure::Input(format!(
            "--quantiles {share}: write shares between 0 and 1, such as 0.5,0.9"
        )));
    }
    if let Some(games) = args.best_of.iter().find(|games| !(1..=100_000).contains(*games)) {
        return Err(Failure::Input(format!("--best-of {games}: write a number of games from 1 to 100,000")));
    }
    let above = args.above.iter().copied().map(Question::Above);
    let quantiles = args.quantiles.iter().copied().map(Question::Quantile);
    let questions: Vec<_> =
        above.chain(quantiles).chain(args.best_of.iter().copied().map(Question::BestOf)).collect();
    if !args.best_of.is_empty() && (args.stop.until_width.is_some() || args.stop.budget.is_some()) {
        return Err(Failure::Input(
            "--best-of has no interval that holds in a run that stops by looking; give the number of trials, with --trials, \
             in place of --until-width and --budget"
                .into(),
        ));
    }
    Ok(Asked { metric: metric(rules, args.metric.as_deref())?, questions })
}

/// The command line that gives the same result again.
fn repeat(args: &Simulate, most: u64, (budget, stop_after): (Option<Duration>, Option<u64>)) -> Vec<String> {
    let stop = Stop { trials: Some(most), budget, ..args.stop };
    command_line("simulate", &Simulate { stop, common: args.common.ending_after(stop_after), ..args.clone() })
}
