//! `rank`: many policies, in order as far as it is known.

mod field;
mod race;
mod robin;
mod stages;

use serde_json::Map;
use stopwise_analysis::estimate::LEAST_ALPHA;
use stopwise_analysis::rank::Ranking;
use stopwise_engine::game::Metric;
use stopwise_erased::{AnyPolicy, AnyRules, NamedRules};
use stopwise_narration::{InWords, counted, grouped};
use stopwise_reports::manifest::{Context, Policy};
use stopwise_reports::played::describe;
use stopwise_reports::rank::{By, Fresh, RankReport, sheets};

use self::field::field;
use super::run::{Run, refuse_part};
use crate::args::{Rank, Request, shell_line};
use crate::checkpoint::Handed;
use crate::failure::Failure;
use crate::session::Session;
use crate::setup::{check_decides, metric, rules};
use stages::Stages;

/// Why a ranking has no parts.
const LOOKS: &str = "a ranking looks at all trials so far, and its winner plays fresh ones, so that it cannot be cut into \
                     parts; `compare` can";

/// Who is ranked, by what.
struct Field<'f> {
    session: &'f Session,
    args: &'f Rank,
    rules: &'f dyn AnyRules,
    policies: &'f [AnyPolicy],
    metric: usize,
}

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

pub(crate) fn rank(session: &Session, args: &Rank, handed: &Handed) -> Result<(), Failure> {
    let NamedRules { name, rules } = rules(session, &args.game)?;
    check_decides(&*rules)?;
    let policies = field(session, args, &*rules)?;
    let of_wins = Metric::of_wins(rules.metrics());
    let ranked_by = match &args.metric {
        None => of_wins.unwrap_or(0),
        named => metric(&*rules, named.as_deref())?,
    };
    check(args, &*rules, ranked_by)?;
    refuse_part(&args.common, LOOKS)?;
    let is_alone = rules.seats() == 1;
    args.common.played(trials_of(args, is_alone))?;
    let files = if is_alone { sheets::OF_RACES } else { sheets::OF_ROBINS };
    let most = trials_of(args, is_alone).max(args.fresh.unwrap_or(0));
    let planned = repeat(args, is_alone, args.common.stop_after);
    let mut run = Run::begin(session, (&args.common, handed), "rank", (&files, planned), (most, None))?;

    let progress = Stages::new(session, args.common.quiet);
    let field = Field { session, args, rules: &*rules, policies: &policies, metric: ranked_by };
    let played = run.pool.within(|| match is_alone {
        true => race::play(&field, &run.plays, &progress),
        false => robin::play(&field, &run.plays, &progress),
    });
    progress.finish();
    let context = run.context();
    let Played { by, ranking, fresh, is_cut, games, runner, instructions } = played?;

    let alike = match &by {
        By::RoundRobin(robin) => run.pool.within(|| robin::alike(&field, robin)),
        By::Race(_) => None,
    };
    let compared = by.trials().min(COMPARED);
    let is_ending = || is_cut || session.is_ending();
    let same = run.pool.within(|| same(&field, &ranking, compared, &is_ending));
    let ranked = RankReport {
        game: rules.game(),
        rules: name,
        seats: rules.seats(),
        seed: args.common.seed,
        alpha: args.alpha,
        metric: rules.metrics()[ranked_by],
        shared: of_wins.filter(|&at| at != ranked_by && !is_alone).map(|at| rules.metrics()[at].name),
        labels: policies.iter().map(AnyPolicy::label).collect(),
        ranking,
        by,
        fresh,
        alike,
        same: (same, compared),
    };
    let of_policy = |(policy, number): (&AnyPolicy, _)| {
        Policy::of_seats(rules.seats(), std::slice::from_ref(policy), Some(number)).into_iter().next()
    };
    let trials = ranked.by.trials();
    let context = Context {
        rules: rules.options(),
        policies: policies.iter().zip(1..).filter_map(of_policy).collect(),
        // A race that is settled is complete, whatever it might have played.
        requested: if is_cut { trials_of(args, is_alone) } else { trials },
        // Of fresh trials there may be none, though all others were played.
        is_cut,
        stopping: Some(ranked.stopping()),
        runner,
        instructions,
        ..context
    };
    let mut report = run.report(|tables| ranked.report(tables));
    if run.is_page_made() {
        describe(&mut report, &*rules, &ranked.rules, &policies);
    }
    report.repeat = shell_line(&repeat(args, is_alone, is_cut.then_some(trials)));
    run.publish(report, (&ranked.subject(), &context, Map::new()), is_cut)?;
    let seconds = context.wall_seconds;
    run.tell(&format!(
        "{} games of {} policies in {seconds:.2} s {}",
        grouped(games),
        policies.len(),
        run.rate(games as f64, "games ", seconds)
    ));
    if is_cut && !args.common.ends_after(trials) {
        // A race looks as it goes, and its intervals allow for that.
        let (what, intervals) = match is_alone {
            true => ("trial", ""),
            false => ("game", ", with intervals for a number fixed beforehand"),
        };
        let each = if is_alone { "" } else { " of each table" };
        let found = format!(
            "the results are those of the first {}{each}, complete{intervals}, without fresh ones",
            counted(trials, what)
        );
        return Err(run.interrupted(&found, trials));
    }
    Ok(())
}

/// Games in which the answers of two are compared: of fewer nothing is told.
const COMPARED: u64 = 200;
/// Of so many at the head of the order every two are compared.
const HEAD: usize = 30;

/// Groups of policies that give the same answers in so many games, of those that nothing tells apart; what is not compared before
/// a signal is not told.
fn same(field: &Field<'_>, ranking: &Ranking, games: u64, is_ending: &dyn Fn() -> bool) -> Vec<Vec<usize>> {
    let lineup = |policy: usize| vec![field.policies[policy].clone(); field.rules.seats()];
    let are_same = |a: usize, b: usize| {
        let (one, other) = (lineup(a), lineup(b));
        let parts = |trial| {
            is_ending() || field.rules.divergence(&one, &other, field.args.common.seed, trial).is_some()
        };
        !ranking.is_better(a, b) && !ranking.is_better(b, a) && !(0..games).any(parts)
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let texts = ranking.order.iter().filter(|&&policy| field.policies[policy].batch().is_none());
    for &policy in texts.take(if games < COMPARED { 0 } else { HEAD }) {
        match groups.iter_mut().find(|group| are_same(group[0], policy)) {
            Some(group) => group.push(policy),
            None => groups.push(vec![policy]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// The command line that gives the same result again.
fn repeat(args: &Rank, is_alone: bool, stop_after: Option<u64>) -> Vec<String> {
    let (trials, common) = (Some(trials_of(args, is_alone)), args.common.ending_after(stop_after));
    Request::Rank(Rank { trials, common, ..args.clone() }).command_line()
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
    if !about.is_won() {
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
