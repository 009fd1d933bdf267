//! `compare`: policies, or line-ups, on the same trials.

mod sides;

use std::time::Duration;

use serde_json::Map;
use stopwise_analysis::paired::{Comparison, Ended, Stopping, compare as play_until, is_same};
use stopwise_engine::arms::Arm;
use stopwise_engine::paired::{PairedTally, add_paired, all_pairs};
use stopwise_engine::run::Plan;
use stopwise_erased::{AnyPolicy, AnyRules};
use stopwise_narration::{grouped, trials as trials_in_words};
use stopwise_reports::compare::{ComparisonReport, sheets};
use stopwise_reports::manifest::{Context, Policy};
use stopwise_reports::played::describe;
use stopwise_reports::stopped::Stopped;

use self::sides::Sides;
use crate::args::{Common, Compare, GameArgs, PolicyArgs, Request, Stop, Until, replay, shell_line};
use crate::checkpoint::Handed;
use crate::commands::balance::changed;
use crate::commands::divergences::{Told, check_listed, tell};
use crate::commands::ending::{ALL_ALIKE, Ending};
use crate::commands::run::{Run, refuse_part};
use crate::failure::Failure;
use crate::fault::Playing;
use crate::progress::Progress;
use crate::runner::fastest;
use crate::session::Session;
use crate::setup::metric;

/// Why such a comparison has no parts.
const LOOKS: &str = "a comparison that stops by what it sees looks at all trials so far, and cannot be cut into parts; give \
                     --trials alone, without --until-width, --until-decided and --budget";

pub(crate) fn compare(session: &Session, args: &Compare, handed: &Handed) -> Result<(), Failure> {
    let sides = Sides::of(session, args)?;
    let (rules, lineups) = (sides.first(), &sides.lineups);
    let end = ending(&args.until, rules)?;
    let most = args.common.played(end.most)?;
    if !end.is_fixed() {
        refuse_part(&args.common, LOOKS)?;
    }
    check_listed(args.divergent, most, all_pairs(lineups.len()).len())?;
    let planned = repeat(args, end.most, args.divergent, (args.until.budget, args.common.stop_after));
    let mut run =
        Run::begin(session, (&args.common, handed), "compare", (&sheets::FILES, planned), (most, None))?;

    let (comparison, is_interrupted) = play(args, &run, &sides, &end)?;
    let context = run.context();
    if let Some(part) = args.common.shard {
        return run.leave(part, None);
    }
    let told = run.pool.within(|| {
        let pairs = &comparison.tally.pairs;
        tell(session, rules, lineups, args.common.seed, pairs, args.divergent, args.common.quiet)
    });
    let (listed, is_cut) = (told.wanted, told.is_cut);
    let compared = found(args, &sides, &end, comparison, told);
    let (trials, ended) = (compared.comparison.tally.trials(), compared.comparison.ended);
    let context = context_of(args, &sides, &end, (&compared, is_interrupted, is_cut), context);
    let mut report = run.report(|tables| compared.report(tables));
    if run.is_page_made() {
        let (base, others) = sides.rules.split_first().unwrap_or_else(|| unreachable!("rules"));
        describe(&mut report, rules, &base.name, lineups.iter().flat_map(|lineups| &lineups[0]));
        report.played.extend(others.iter().map(|other| changed(base, other)));
    }
    report.repeat = shell_line(&repeat(args, end.most, listed, end.again(ended, trials)));
    run.publish(report, (&compared.subject(), &context, Map::new()), is_interrupted || is_cut)?;
    let (seconds, games) = (context.wall_seconds, trials as f64 * lineups.len() as f64);
    let policies = sides.policies();
    run.tell(&format!(
        "{} of {} {}{} in {seconds:.2} s {}",
        trials_in_words(trials),
        grouped(policies as u64),
        if policies == 1 { "policy" } else { "policies" },
        match sides.rules.len() {
            1 => String::new(),
            several => format!(" under {several} sets of rules"),
        },
        run.rate(games, "games ", seconds)
    ));
    if is_cut {
        return Err(list_is_cut(&run, trials, (ended == Ended::BrokenOff).then_some(trials), listed));
    }
    if is_interrupted {
        let found = format!("the results are those of the first {} trials, complete", grouped(trials));
        return Err(run.interrupted(&found, trials));
    }
    Ok(())
}

/// Plays all sides on the same trials; also whether a signal cut them short.
fn play(args: &Compare, run: &Run<'_>, sides: &Sides, end: &Ending) -> Result<(Comparison, bool), Failure> {
    let (first, quiet) = (sides.first().metrics()[0], args.common.quiet);
    let most = args.common.played(end.most)?;
    let plan = run.plays.cut(Plan { seed: args.common.seed, trials: 0..most });
    let progress = match end.is_fixed() {
        true => Progress::new(run.session, plan.trials.end - plan.trials.start, first, quiet),
        false => Progress::open_ended(run.session, first, quiet),
    };
    let lineups = sides.lineups.iter().enumerate();
    let arm = |(at, lineups): (usize, &Vec<Vec<AnyPolicy>>)| {
        let rules = &*sides.rules_of(at).rules;
        // Under different rules, answers are compared as the reference runner tells them.
        if sides.rules.len() == 1 { fastest(rules, lineups, sides.lineups.len()) } else { rules.arm(lineups) }
    };
    let owned: Vec<_> = lineups.map(arm).collect();
    let failure = || owned.iter().find_map(|arm| arm.failure());
    let arms: Vec<&dyn Arm> = owned.iter().map(|arm| &**arm as _).collect();
    let is_over = || run.is_over(args.until.budget);
    let watch = |batch| progress.batch(batch, is_over() || failure().is_some());
    let pairs = all_pairs(arms.len());
    let none = || PairedTally::new(&arms, &pairs, args.divergent);
    let begin = plan.trials.start;
    let mut add = |plan: &Plan, so_far| {
        progress.reach(plan.trials.start - begin);
        add_paired(&arms, so_far, plan, &watch)
    };
    let mut leg = |plan: &Plan| run.plays.leg("trials", plan, &none, &mut add);
    let rule = end.asked();
    let played = run.pool.within(|| play_until(&arms, pairs.len(), &plan, (&rule, end.stopping), &mut leg));
    let games = args.games();
    for (at, (arm, lineups)) in owned.iter().zip(&sides.lineups).enumerate() {
        let (game, rules) = (&games[at / sides.policies()], &*sides.rules_of(at).rules);
        Playing { session: run.session, game, rules, lineups, seed: args.common.seed }.check(&**arm)?;
    }
    let comparison = played?;
    let is_ending = run.session.is_ending();
    if comparison.tally.trials() == 0 && args.common.shard.is_none() {
        return Err(nothing_yet(is_ending));
    }
    let is_interrupted = comparison.ended == Ended::BrokenOff && (is_ending || !is_over());
    Ok(match comparison.ended {
        Ended::AllPlayed if most < end.most => (comparison.broken_off(&arms), is_interrupted),
        _ => (comparison, is_interrupted),
    })
}

/// What was found.
fn found(
    args: &Compare,
    sides: &Sides,
    end: &Ending,
    comparison: Comparison,
    told: Told,
) -> ComparisonReport {
    let rules = sides.first();
    ComparisonReport {
        game: rules.game(),
        rules: sides.name(),
        seats: rules.seats(),
        sides: sides.told(),
        metrics: rules.metrics().to_vec(),
        endings: sides.rules.iter().flat_map(|named| named.rules.told_endings()).collect(),
        is_rotated: args.rotate,
        divergences: told.divergences,
        is_divergent: told.wanted > 0,
        drawn: args.until.metric.is_some().then_some(end.metric),
        stopped: told_end(end, &comparison),
        comparison,
        seed: args.common.seed,
        replay: replay_line(args),
    }
}

/// The command line that replays a trial, but for its number and its policies; of several rules it leaves open which.
fn replay_line(args: &Compare) -> String {
    let (rules, which) = match &*args.rules {
        [] => (None, ""),
        [only] => (Some(only.clone()), ""),
        _ => (None, " --rules …"),
    };
    let game = GameArgs { game: args.game.clone(), rules, set: args.set.clone() };
    let policy = PolicyArgs { policies: Vec::new(), rotate: args.rotate };
    shell_line(&replay(&game, &policy, args.common.seed, None)) + which
}

/// Who played what, for the manifest.
fn context_of(
    args: &Compare,
    sides: &Sides,
    end: &Ending,
    (found, is_interrupted, is_cut): (&ComparisonReport, bool, bool),
    run: Context,
) -> Context {
    let (rules, comparison) = (sides.first(), &found.comparison);
    let numbered = sides.lineups.iter().take(sides.policies()).zip(1..);
    let is_short = comparison.ended == Ended::BrokenOff && args.until.budget.is_none();
    Context {
        rules: sides.options(),
        policies: numbered
            .flat_map(|(lineups, at)| Policy::of_seats(rules.seats(), &lineups[0], Some(at)))
            .collect(),
        requested: if is_interrupted || is_short { end.most } else { comparison.tally.trials() },
        is_cut,
        stopping: found.stopped.as_ref().map(|stopped| {
            let mut value = end.manifest(stopped);
            value["until_decided"] = end.decided.into();
            value
        }),
        ..run
    }
}

/// A signal came while the trials were told in which two part.
fn list_is_cut(run: &Run<'_>, trials: u64, stop_after: Option<u64>, listed: usize) -> Failure {
    let first = if stop_after.is_some() { "first " } else { "" };
    let of_each = match listed {
        0 => "none is listed".to_owned(),
        listed => format!("only the first {} of each pair are listed", grouped(listed as u64)),
    };
    let found = format!(
        "the results are those of the {first}{} trials, complete, but of the trials in which two part {of_each}",
        grouped(trials)
    );
    let stop = stop_after.map_or_else(String::new, |trials| format!(" and --stop-after {trials}"));
    let change = format!("give --divergent {listed}{stop} with otherwise the same arguments");
    run.interrupted_so(&found, &change)
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
    Ending::new(&stop, until.until_decided, metric(rules, until.metric.as_deref())?, rules.metrics())
}

/// Why there were so many trials; `None` if that was fixed beforehand.
fn told_end(end: &Ending, comparison: &Comparison) -> Option<Stopped> {
    if comparison.means.stopping() == Stopping::Fixed {
        return None;
    }
    let Comparison { means, tally, .. } = comparison;
    let is_constant = |pair| !means.varies(tally, pair, end.metric);
    let otherwise = match () {
        () if tally.pairs.iter().any(is_same) => ", or the two always played the same game",
        () if (0..tally.pairs.len()).any(is_constant) => ALL_ALIKE,
        () => "",
    };
    // What is known after all trials is known.
    let ended = match comparison.ended {
        Ended::AllPlayed if comparison.meets(&end.asked()) => Ended::Enough,
        ended => ended,
    };
    Some(end.told(ended, comparison.tally.trials(), "", otherwise))
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
    Request::Compare(Compare { until, divergent, common, ..args.clone() }).command_line()
}
