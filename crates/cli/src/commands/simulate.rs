//! `simulate`: many trials, then the reports.

use std::time::Instant;

use cpu_time::ProcessTime;
use stopwise_edge::NamedRules;
use stopwise_engine::run::Plan;
use stopwise_engine::tally::Tally;

use super::publish::publish;
use crate::args::{Repeat, Simulate};
use crate::failure::Failure;
use crate::numbers::{grouped, trials as trials_in_words};
use crate::output::{Directory, MANIFEST, note};
use crate::progress::Progress;
use crate::report::SimulationReport;
use crate::report::manifest::{Context, Policy, manifest};
use crate::report::played::played;
use crate::report::simulate::sheets;
use crate::runner::Chosen;
use crate::setup::{lineups, pool, rules};
use crate::signals;

pub(crate) fn simulate(args: &Simulate) -> Result<(), Failure> {
    let NamedRules { name, rules } = rules(&args.game)?;
    let lineups = lineups(&*rules, &args.policy)?;
    let runner = Chosen::new(args.runner, &*rules, &lineups)?;
    if args.trials == 0 {
        return Err(Failure::Input("--trials 0: write 1 or more".into()));
    }
    let trials = args.common.played(args.trials)?;
    let pool = pool(args.common.threads, trials)?;
    let mut files = sheets::FILES.to_vec();
    files.push(MANIFEST);
    // Before there are files, so that a signal never leaves half of them behind.
    signals::catch()?;
    let directory = args.common.place("simulate").map(|place| Directory::open(place, &files)).transpose()?;

    let progress = Progress::new(trials, rules.metrics()[0].name, args.common.quiet);
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let plan = Plan { seed: args.common.seed, trials: 0..trials };
    let rotations = pool.install(|| runner.play(&plan, &|batch| progress.batch(batch)));
    let (wall_seconds, cpu_seconds) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    progress.finish();

    let lineup = &lineups[0];
    let of_seat = |seat: usize| &lineup[if lineup.len() == 1 { 0 } else { seat }];
    let tally = Tally::whole(&rotations);
    let found = SimulationReport {
        game: rules.game(),
        rules: name,
        policies: (0..rules.seats()).map(|seat| of_seat(seat).label()).collect(),
        metrics: rules.metrics().to_vec(),
        endings: rules.endings().to_vec(),
        rotations,
        tally,
        seed: args.common.seed,
    };
    let context = Context {
        rules: rules.options(),
        policies: Policy::of_seats(rules.seats(), lineup, None),
        requested: args.trials,
        is_cut: false,
        stopping: None,
        runner: runner.name(),
        instructions: runner.instructions(),
        threads: pool.current_num_threads(),
        wall_seconds,
        cpu_seconds,
    };
    let is_cut = found.tally.trials < trials;
    let mut report = found.report();
    report.played = played(&*rules, &found.rules, lineup);
    report.repeat = repeat(args, is_cut.then_some(found.tally.trials));
    let manifest = || manifest(&found.subject(), &context);
    let written = publish(&report, (directory, manifest), args.common.format, is_cut)?;
    if args.verbose {
        let threads = if context.threads == 1 { "thread" } else { "threads" };
        note(&format!("runner: {}, on {} {threads}", runner.describe(), context.threads));
    }
    if !args.common.quiet {
        written.iter().for_each(|written| note(&written.to_string()));
        let rate = found.tally.trials as f64 / wall_seconds / 1e6;
        note(&format!(
            "{} in {wall_seconds:.2} s ({rate:.2} million a second)",
            trials_in_words(found.tally.trials)
        ));
    }
    if is_cut {
        let whole = found.tally.trials;
        let found = format!(
            "the results are those of the first {} trials, complete, with intervals for a number fixed beforehand",
            grouped(whole)
        );
        return Err(args.common.interrupted(&found, whole));
    }
    Ok(())
}

/// The command that gives the same result again.
fn repeat(args: &Simulate, cut: Option<u64>) -> String {
    Repeat::of("simulate", &args.game)
        .all("--policy", &args.policy.policies)
        .flag("--rotate", args.policy.rotate)
        .option("--trials", args.trials)
        .common(&args.common, cut)
        .text()
}
