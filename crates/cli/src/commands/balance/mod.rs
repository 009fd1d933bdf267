//! `balance`: what variants of the rules do to a game, in a designer's words.

mod options;
mod pilot;
mod rules;
mod run;
mod variant;
mod variants;

use std::collections::BTreeSet;

use serde_json::Map;
use stopwise_analysis::balance::Screening;
use stopwise_document::{Folded, View};
use stopwise_erased::{AnyPolicy, NamedRules};
use stopwise_narration::{InWords, counted as so_many, grouped, trials as trials_in_words};
use stopwise_reports::balance::{BalanceReport, Ruled, SearchReport, sheets};
use stopwise_reports::manifest::{Context, Policy};
use stopwise_reports::played::describe;

use super::run::Run;
use crate::args::{Balance, Common, GameArgs, Request, shell_line};
use crate::failure::Failure;
use crate::memory;

use crate::checkpoint::Handed;
use crate::progress::Steps;
use crate::session::Session;
use crate::threads::sharing;
use pilot::{Games, claim_count, pilot};
pub(super) use rules::{Change, changes};
use run::Counted;
use variant::Variant;
use variants::Wanted;

/// How to have the tables that a terminal does not show.
const MORE: &str = "Add --all to print everything; the files and the page of --out DIR have it in any case.";

/// How often a screening may leave a variant that meets all targets.
const ALPHA: f64 = 0.05;

pub(crate) fn balance(session: &Session, args: &Balance, handed: &Handed) -> Result<(), Failure> {
    let mut wanted = Wanted::new(session, args)?;
    if args.trials == 0 {
        return Err(Failure::Input("--trials 0: write 1 or more".into()));
    }
    let wished = args.common.played(args.trials)?;
    let files = sheets::files(args.targets.is_some(), args.search.is_some());
    let planned = repeat(args, args.common.stop_after);
    let mut run =
        Run::begin(session, (&args.common, handed), "balance", (&files, planned), (args.trials, None))?;

    let game =
        &GameArgs { game: args.game.clone(), rules: args.rules.first().cloned(), set: args.set.clone() };
    let games = Games { session, game, seed: args.common.seed, quiet: args.common.quiet, plays: &run.plays };
    let (search, best, counted) = run.pool.within(|| {
        if args.search.is_none() {
            check_memory(args, &wanted)?;
        }
        let mut endless = BTreeSet::new();
        let steps = Steps::new(session, "variants looked at", wanted.variants.len(), games.quiet);
        for variant in &wanted.variants {
            games.look(variant, &mut endless, &steps);
            steps.step();
        }
        steps.finish();
        let search = match args.search {
            Some(_) => Some(search(&mut wanted, games, args.trials, &mut endless)?),
            None => None,
        };
        // With what a search has found.
        check_memory(args, &wanted)?;
        let best = best(&wanted, games, pilot(args.trials))?;
        let counted = games.count(&wanted.variants, (wanted.naive, &best), wished)?;
        Ok::<_, Failure>((search, best, counted))
    })?;
    let context = context(args, &wanted.variants, run.context());
    if let Some(part) = args.common.shard {
        return run.leave(part, None);
    }

    let (base, changed) = (wanted.variants[0].clone(), all_changed(&wanted.variants));
    let balanced = balanced(args, wanted, search, best, counted);
    let trials = balanced.trials;
    if trials == 0 {
        return Err(Common::nothing_yet("trial of all variants"));
    }
    let is_cut = trials < wished;
    let mut report = balanced.report();
    if run.is_page_made() {
        describe(&mut report, &*base.rules, &base.name, &base.policies);
    }
    report.played.extend(changed);
    report.brief = (!args.all).then_some(MORE);
    report.repeat = shell_line(&repeat(args, (trials < args.trials).then_some(trials)));
    run.publish(report, (&balanced.subject(), &context, Map::new()), is_cut)?;
    let policies = balanced.policies.len();
    let beforehand = match policies {
        1 => String::new(),
        _ => format!(", and {} beforehand to choose the best", grouped(balanced.pilot)),
    };
    run.tell(&format!(
        "{} of {} with {} {}{beforehand} in {:.2} s",
        trials_in_words(trials),
        so_many(balanced.variants.len() as u64, "variant"),
        grouped(policies as u64),
        if policies == 1 { "policy" } else { "policies" },
        context.wall_seconds
    ));
    if is_cut {
        let found = format!(
            "the results are those of the first {}, complete, with intervals for a number fixed beforehand",
            match trials {
                1 => "trial".to_owned(),
                _ => trials_in_words(trials),
            }
        );
        return Err(run.interrupted(&found, trials));
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
    Request::Balance(Balance { common: args.common.ending_after(stop_after), ..args.clone() }).command_line()
}

/// Refuses more variants than fit, side by side with what is counted of each.
fn check_memory(args: &Balance, wanted: &Wanted) -> Result<(), Failure> {
    /// Where no bound is known of a metric.
    const UNKNOWN: f64 = 1024.0;
    let threads = sharing() as u64;
    let of = |variant: &Variant| {
        let values =
            |metric| variant.rules.bounds(metric).map_or(UNKNOWN, |(_, high)| high.clamp(1.0, 65_536.0));
        let cells: f64 = (0..variant.rules.metrics().len()).map(values).sum();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 16 times 65,536")]
        let cells = cells as u64 * variant.rules.seats() as u64;
        let bytes: usize = variant.policies.iter().map(AnyPolicy::bytes).sum();
        let policies = variant.policies.len() as u64;
        // A tally of each, in games for several another one at a table of naive ones; alone, what the best has more or less.
        let tallies = match (policies, variant.rules.seats()) {
            (1, _) => 1,
            (_, 1) => policies + 2,
            (_, seats) => policies * (1 + seats as u64),
        };
        bytes as u64 + tallies * cells * 8 * (threads + 1)
    };
    let need = wanted.variants.iter().map(of).sum();
    let what = format!("{} variants side by side", grouped(wanted.variants.len() as u64));
    memory::check(need, memory::limit(args.memory), &what)
}

/// Chooses the best policy under every variant, in so many trials each that serve nothing else.
fn best(wanted: &Wanted, games: Games<'_, '_>, trials: u64) -> Result<Vec<usize>, Failure> {
    let done = format!(
        "policies tried beforehand in {} each, for the best of each variant",
        trials_in_words(trials)
    );
    let all = wanted.variants.len() * wanted.labels.len();
    let steps = Steps::new(games.session, &done, all, games.quiet);
    let games = Games { quiet: true, ..games };
    let of = |(at, variant)| games.best((at, variant), wanted.naive, trials, &steps);
    let best = wanted.variants.iter().enumerate().map(of).collect();
    steps.finish();
    best
}

/// Screens the candidates, and takes those that stay among the variants.
fn search(
    wanted: &mut Wanted,
    games: Games<'_, '_>,
    trials: u64,
    endless: &mut BTreeSet<usize>,
) -> Result<SearchReport, Failure> {
    let claims = claim_count(&wanted.targets, &wanted.labels);
    let screening = Screening::new(ALPHA, wanted.candidates.len().max(1), claims.max(1), trials);
    let candidates = std::mem::take(&mut wanted.candidates);
    let steps = Steps::new(games.session, "variants screened", candidates.len(), games.quiet);
    let quietly = Games { quiet: true, ..games };
    let mut looked = Vec::new();
    for (at, candidate) in candidates.into_iter().enumerate() {
        let candidate = wanted.maker.variant(games.session, candidate)?;
        games.look(&candidate, endless, &steps);
        let screen = || quietly.screen(at, &candidate, &wanted.targets, &wanted.labels, &screening);
        let found = steps.during(candidate.name.clone(), screen)?;
        if !found.has_left {
            wanted.variants.push(candidate);
        }
        looked.push(found);
        steps.step();
    }
    steps.finish();
    Ok(SearchReport { combinations: wanted.combinations, is_sample: wanted.is_sample, looked })
}

fn context(args: &Balance, variants: &[Variant], run: Context) -> Context {
    let mut rules = Map::new();
    for variant in variants {
        rules.insert(variant.name.clone(), variant.rules.options());
    }
    let base = &variants[0];
    let policies = base.policies.iter().zip(1..).flat_map(|(policy, number)| {
        Policy::of_seats(base.rules.seats(), std::slice::from_ref(policy), Some(number))
    });
    Context { rules: rules.into(), policies: policies.collect(), requested: args.trials, ..run }
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
    let contest =
        |(at, variant)| policies.clone().map(|policy| counted.contest(at, variant, policy)).collect();
    let contests = variants.iter().enumerate().map(contest).collect();
    let tally = |at, policy| counted.tally.arms[counted.places.arm(at, policy)].rotations[0].clone();
    let tallies = (0..variants.len()).map(|at| policies.clone().map(|policy| tally(at, policy)).collect());
    let sums = |at, policy| counted.tally.games[counted.places.arm(at, policy)].clone();
    let games = (0..variants.len()).map(|at| policies.clone().map(|policy| sums(at, policy)).collect());
    BalanceReport {
        game: wanted.variants[0].rules.game(),
        seed: args.common.seed,
        trials: counted.tally.trials(),
        pilot: pilot(args.trials),
        tallies: tallies.collect(),
        games: games.collect(),
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
                endings: variant.rules.told_endings(),
                name: variant.name,
                changed: variant.changed,
                measures: variant.measures,
            })
            .collect(),
    }
}
