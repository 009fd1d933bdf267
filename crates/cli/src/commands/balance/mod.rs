//! `balance`: what variants of the rules do to a game, in a designer's words.

mod options;
mod pilot;
mod rules;
mod run;
mod variant;
mod variants;

use std::time::Instant;

use cpu_time::ProcessTime;
use serde_json::Map;
use stopwise_analysis::balance::Screening;
use stopwise_edge::{AnyPolicy, NamedRules};
use stopwise_findings::balance::{BalanceReport, Ruled, SearchReport, sheets};
use stopwise_findings::manifest::{Context, Policy, manifest, mark};
use stopwise_findings::played::describe;
use stopwise_report::{Folded, Report, View};
use stopwise_words::{InWords, counted as so_many, grouped, trials as trials_in_words};

use super::parts;
use super::publish::{is_page_made, publish};
use crate::args::{Balance, Common, command_line, shell_line};
use crate::failure::Failure;
use crate::memory;
use crate::output::note;

use crate::progress::Steps;
use crate::session;
use crate::signals;
use crate::threads::{Threads, sharing};
use pilot::{PILOT, Session, claim_count};
pub(super) use rules::{Change, changes};
use run::Counted;
use variant::Variant;
use variants::Wanted;

/// How to have the tables that a terminal does not show.
const MORE: &str = "Add --all to print everything; the files and the page of --out DIR have it in any case.";

/// How often a screening may leave a variant that meets all targets.
const ALPHA: f64 = 0.05;

pub(crate) fn balance(args: &Balance) -> Result<(), Failure> {
    let mut wanted = Wanted::new(args)?;
    if args.trials == 0 {
        return Err(Failure::Input("--trials 0: write 1 or more".into()));
    }
    let wished = args.common.played(args.trials)?;
    let pool = Threads::new(args.common.threads, args.trials.max(PILOT))?;
    let files = sheets::files(args.targets.is_some(), args.search.is_some());
    // Before there are files, so that a signal never leaves half of them behind.
    signals::catch()?;
    let planned = repeat(args, args.common.stop_after);
    let (directory, plays) = parts::open(&args.common, "balance", &files, planned)?;

    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let session = Session { seed: args.common.seed, quiet: args.common.quiet, plays: &plays };
    let (search, best, counted) = pool.within(|| {
        let search = match args.search {
            Some(_) => Some(search(&mut wanted, session, args.trials)?),
            None => None,
        };
        check_memory(args, &wanted)?;
        let best =
            wanted.variants.iter().enumerate().map(|(at, variant)| session.best(at, variant, wanted.naive));
        let best = best.collect::<Result<Vec<_>, _>>()?;
        let counted = session.count(&wanted.variants, (wanted.naive, &best), wanted.lead, wished)?;
        Ok::<_, Failure>((search, best, counted))
    })?;
    let (wall_seconds, cpu_seconds) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    if let Some(part) = args.common.shard {
        return parts::leave(&args.common, part, &plays, directory);
    }

    let context = context(args, &wanted.variants, &pool, wall_seconds, cpu_seconds)?;
    let (base, changed) = (wanted.variants[0].clone(), all_changed(&wanted.variants));
    let balanced = balanced(args, wanted, search, best, counted);
    let trials = balanced.trials;
    if trials == 0 {
        return Err(Common::nothing_yet("trial of all variants"));
    }
    let is_cut = trials < wished;
    let mut report = balanced.report();
    if is_page_made(directory.as_ref(), args.common.format) {
        describe(&mut report, &*base.rules, &base.name, &base.policies);
    }
    report.played.extend(changed);
    report.brief = (!args.all).then_some(MORE);
    report.repeat = shell_line(&repeat(args, (trials < args.trials).then_some(trials)));
    mark(&mut report, &balanced.subject(), &context);
    let manifest = |report: &Report| manifest(&balanced.subject(), &context, report);
    let written = pool.within(|| {
        publish(report, (directory, &manifest), (args.common.format, args.common.quiet), is_cut)
    })?;
    if !args.common.quiet {
        written.iter().for_each(|written| note(&written.to_string()));
        let policies = balanced.policies.len();
        note(&format!(
            "{} of {} with {} {} in {wall_seconds:.2} s",
            trials_in_words(trials),
            so_many(balanced.variants.len() as u64, "variant"),
            grouped(policies as u64),
            if policies == 1 { "policy" } else { "policies" }
        ));
    }
    if is_cut {
        let found = format!(
            "the results are those of the first {}, complete, with intervals for a number fixed beforehand",
            match trials {
                1 => "trial".to_owned(),
                _ => trials_in_words(trials),
            }
        );
        return Err(args.common.interrupted(&found, trials));
    }
    Ok(())
}

/// What every variant but the first changes.
fn all_changed(variants: &[Variant]) -> Vec<Folded> {
    let named = |variant: &Variant| NamedRules { name: variant.name.clone(), rules: variant.rules.clone() };
    let (base, others) = variants.split_first().unwrap_or_else(|| unreachable!("the base is there"));
    others.iter().map(|variant| changed(&named(base), &named(variant))).collect()
}

/// What rules change in others.
pub(super) fn changed(base: &NamedRules, other: &NamedRules) -> Folded {
    let mut options = View::new("Changed options").texts("option").texts(&*base.name).texts(&*other.name);
    let found = changes(&base.rules.options(), &other.rules.options());
    let what = match found.is_empty() {
        true => format!("The same rules as {}.", base.name),
        false => {
            let each: Vec<_> = found.iter().map(Change::in_words).collect();
            format!("{} with {}.", base.name, each.join(", "))
        }
    };
    for Change { path, from, to } in found {
        options.row([path, from, to]);
    }
    Folded {
        title: format!("{} · rules {}", base.rules.game(), other.name),
        prose: vec![what],
        options,
        source: String::new(),
        is_open: false,
    }
}

/// The command line that gives the same result again.
fn repeat(args: &Balance, stop_after: Option<u64>) -> Vec<String> {
    command_line("balance", &Balance { common: args.common.ending_after(stop_after), ..args.clone() })
}

/// Refuses more variants than fit, side by side with what is counted of each and its difference from the first.
fn check_memory(args: &Balance, wanted: &Wanted) -> Result<(), Failure> {
    /// A tally, and the differences above and below nothing.
    const COUNTED: u64 = 3;
    /// Where no bound is known of a metric.
    const UNKNOWN: f64 = 1024.0;
    let threads = sharing() as u64;
    let of = |variant: &Variant| {
        let values =
            |metric| variant.rules.bounds(metric).map_or(UNKNOWN, |(_, high)| high.clamp(1.0, 65_536.0));
        let cells: f64 = (0..variant.rules.metrics().len()).map(values).sum();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 16 times 65,536")]
        let cells = cells as u64 * variant.rules.seats() as u64;
        let policies: usize = variant.policies.iter().map(AnyPolicy::bytes).sum();
        policies as u64 + variant.policies.len() as u64 * cells * 8 * COUNTED * (threads + 1)
    };
    let need = wanted.variants.iter().map(of).sum();
    let what = format!("{} variants side by side", grouped(wanted.variants.len() as u64));
    memory::check(need, memory::limit(args.memory), &what)
}

/// Screens the candidates, and takes those that stay among the variants.
fn search(wanted: &mut Wanted, session: Session<'_>, trials: u64) -> Result<SearchReport, Failure> {
    let claims = claim_count(&wanted.targets, &wanted.labels);
    let screening = Screening::new(ALPHA, wanted.candidates.len().max(1), claims.max(1), trials);
    let candidates = std::mem::take(&mut wanted.candidates);
    let steps = Steps::new("variants screened", candidates.len(), session.quiet);
    let session = Session { quiet: true, ..session };
    let mut looked = Vec::new();
    for (at, candidate) in candidates.into_iter().enumerate() {
        let candidate = wanted.maker.variant(candidate)?;
        let found = session.screen(at, &candidate, &wanted.targets, &wanted.labels, &screening)?;
        if !found.has_left {
            wanted.variants.push(candidate);
        }
        looked.push(found);
        steps.step();
    }
    steps.finish();
    Ok(SearchReport { combinations: wanted.combinations, is_sample: wanted.is_sample, looked })
}

fn context(
    args: &Balance,
    variants: &[Variant],
    pool: &Threads,
    wall_seconds: f64,
    cpu_seconds: f64,
) -> Result<Context, Failure> {
    let mut rules = Map::new();
    for variant in variants {
        rules.insert(variant.name.clone(), variant.rules.options());
    }
    let base = &variants[0];
    let policies = base.policies.iter().zip(1..).flat_map(|(policy, number)| {
        Policy::of_seats(base.rules.seats(), std::slice::from_ref(policy), Some(number))
    });
    Ok(Context {
        command_line: session::command_line(),
        rules: rules.into(),
        policies: policies.collect(),
        requested: args.trials,
        is_cut: false,
        stopping: None,
        runner: "trial",
        instructions: None,
        threads: pool.count(),
        wall_seconds,
        cpu_seconds,
    })
}

fn balanced(
    args: &Balance,
    wanted: Wanted,
    search: Option<SearchReport>,
    best: Vec<usize>,
    counted: Counted,
) -> BalanceReport {
    let (variants, policies) = (&wanted.variants, 0..wanted.labels.len());
    let skills = variants.iter().zip(&best).enumerate();
    let skills =
        skills.map(|(at, (variant, &best))| counted.skill(at, variant, best, wanted.naive)).collect();
    let contests = (0..variants.len())
        .map(|at| policies.clone().map(|policy| counted.contest(at, policy)).collect())
        .collect();
    let tally = |at, policy| counted.tally.arms[counted.places.arm(at, policy)].rotations[0].clone();
    let tallies = (0..variants.len()).map(|at| policies.clone().map(|policy| tally(at, policy)).collect());
    let pair = |at, policy| Some(counted.tally.pairs[counted.places.effect(at, policy)?].clone());
    let pairs = (0..variants.len()).map(|at| policies.clone().map(|policy| pair(at, policy)).collect());
    BalanceReport {
        game: wanted.variants[0].rules.game(),
        seed: args.common.seed,
        trials: counted.tally.trials(),
        pilot: PILOT,
        tallies: tallies.collect(),
        pairs: pairs.collect(),
        leads: counted.leads,
        skills,
        contests,
        naive: wanted.naive,
        best,
        search,
        policies: wanted.labels,
        targets: wanted.targets,
        variants: wanted
            .variants
            .into_iter()
            .map(|variant| Ruled {
                seats: variant.rules.seats(),
                metrics: variant.rules.metrics().to_vec(),
                endings: variant.rules.endings().to_vec(),
                name: variant.name,
                changed: variant.changed,
                measures: variant.measures,
            })
            .collect(),
    }
}
