//! `compare`: policies, or line-ups, on the same trials.

use std::time::Instant;

use cpu_time::ProcessTime;
use stopwise_engine::arms::Arm;
use stopwise_engine::paired::{PairTally, all_pairs, parting, run_paired};
use stopwise_engine::run::Plan;
use stopwise_engine::stream::Keys;
use stopwise_policy::TextPolicy;

use crate::args::{Compare, Format};
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::output::{Directory, note, print};
use crate::progress::{Progress, catch_interrupts};
use crate::report::compare::{Compared, Told, json, tables, text};
use crate::report::manifest::{Context, Policy, manifest};
use crate::report::one_label;
use crate::setup::{NamedRules, Playable, compared, pool, rules, with_game};

const MANIFEST: &str = "manifest.json";

pub(crate) fn compare(args: &Compare) -> Result<(), Failure> {
    with_game!(args.game.game.as_str(), G => compare_game::<G>(args))
}

fn compare_game<G: Playable>(args: &Compare) -> Result<(), Failure> {
    let NamedRules { name, rules } = rules::<G>(&args.game)?;
    let lineups = compared(&rules, &args.policies)?;
    if args.trials == 0 {
        return Err(Failure::Input("--trials 0: write 1 or more".into()));
    }
    let pool = pool(args.threads)?;
    let mut files = tables::FILES.to_vec();
    files.push(MANIFEST);
    // Before there are files, so that Ctrl-C never leaves half of them behind.
    catch_interrupts()?;
    let directory = args.out.as_deref().map(|path| Directory::open(path, &files)).transpose()?;

    let progress = Progress::new(args.trials, rules.metrics()[0].name, args.quiet);
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let plan = Plan { seed: args.seed, trials: 0..args.trials };
    let arms: Vec<_> =
        lineups.iter().map(|lineup| Arm { game: &rules, lineups: std::slice::from_ref(lineup) }).collect();
    let pairs = all_pairs(arms.len());
    let tally =
        pool.install(|| run_paired(&arms, &pairs, &plan, args.divergent, |batch| progress.batch(batch)));
    let (wall_seconds, cpu_seconds) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    progress.finish();

    let labels = |lineup: &Vec<TextPolicy<G>>| lineup.iter().map(TextPolicy::label).collect::<Vec<_>>();
    let partings = tally.pairs.iter().map(|pair| told(&rules, &lineups, args.seed, pair));
    let compared = Compared {
        game: G::NAME,
        rules: name,
        seats: rules.seats(),
        lineups: lineups.iter().map(|lineup| one_label(&labels(lineup))).collect(),
        metrics: rules.metrics(),
        partings: partings.collect(),
        is_divergent: args.divergent > 0,
        tally,
        seed: args.seed,
    };
    let numbered = lineups.iter().zip(1..);
    let context = Context {
        rules: serde_json::to_value(rules)?,
        policies: numbered.flat_map(|(lineup, at)| Policy::of_seats(&rules, lineup, Some(at))).collect(),
        requested: args.trials,
        runner: "trial",
        instructions: None,
        threads: pool.current_num_threads(),
        wall_seconds,
        cpu_seconds,
    };
    if let Some(directory) = directory {
        directory.finish(|name| match name {
            MANIFEST => manifest(&compared.subject(), &context),
            table => tables::table(table, &compared),
        })?;
    }
    let printed = match args.format {
        Format::Table => print(&text::text(&compared)),
        Format::Csv => print(&String::from_utf8_lossy(&tables::table("comparison.csv", &compared)?)),
        Format::Json => print(&json::json(&compared)?),
    };
    let trials = compared.trials();
    match printed {
        // Ctrl-C reaches the reader of a pipe, too; that must not hide that the run was cut short.
        Err(Failure::BrokenPipe) if trials < args.trials => {}
        printed => printed?,
    }
    if !args.quiet {
        let rate = trials as f64 * lineups.len() as f64 / wall_seconds / 1e6;
        note(&format!(
            "{} trials of {} policies in {wall_seconds:.2} s ({rate:.2} million games a second)",
            grouped(trials),
            lineups.len()
        ));
    }
    if trials < args.trials {
        return Err(Failure::Interrupted(format!(
            "interrupted: the results are those of the first {} trials, complete and the same as with --trials {trials}{}",
            grouped(trials),
            args.out.as_ref().map_or_else(String::new, |path| format!("; written to {}", path.display()))
        )));
    }
    Ok(())
}

/// The partings of a pair, in words.
fn told<G: Playable>(rules: &G, lineups: &[Vec<TextPolicy<G>>], seed: u64, pair: &PairTally) -> Vec<Told> {
    let keys = Keys::new(seed);
    let tell = |&trial: &u64| {
        let found = parting(rules, &lineups[pair.a], &lineups[pair.b], &keys, trial)?;
        let question = found.a.question;
        let name = |action| rules.describe_action(&found.a.state, question.kind, action);
        Some(Told {
            trial,
            seat: question.seat + 1,
            turn: found.a.turn,
            kind: G::KINDS[question.kind].name,
            before: found.before,
            a: name(found.a.action),
            b: name(found.b),
            places: rules.describe_state(&found.a.state),
        })
    };
    pair.parted.iter().filter_map(tell).collect()
}
