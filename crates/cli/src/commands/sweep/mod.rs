//! `sweep`: a grid over policy parameters and rule options, every point on the same trials.
//!
//! The points are played one after the other, by the runner that is fastest for each. Then the first trials are
//! played once more, all points side by side, to see how the points go together on common dice.

mod points;
mod progress;

use std::ops::ControlFlow;

use stopwise_document::csv;
use stopwise_engine::arms::{Arm, Products, run_arms};
use stopwise_engine::game::Better;
use stopwise_engine::run::Plan;
use stopwise_erased::AnyPolicy;
use stopwise_narration::{InWords, grouped, trials as trials_in_words};
use stopwise_reports::grid::Kind;
use stopwise_reports::manifest::{Context, Policy};
use stopwise_reports::played::describe;
use stopwise_reports::simulate::SimulationReport;
use stopwise_reports::sweep::{GridComparison, PointReport, SweepReport, sheets};

use points::{Point, Points};
use progress::GridProgress;

use super::run::Run;

use crate::args::{Common, Request, Sweep, shell_line};
use crate::checkpoint::{Handed, Plays};
use crate::failure::Failure;
use crate::memory;
use crate::output::Directory;
use crate::runner::fastest;
use crate::session::Session;
use crate::threads::most_threads;

/// The most points that are compared pair by pair: their products fill 8 MB a thread, and each trial costs half a million
/// multiplications. Of more nothing is assumed of how they go together.
const MAX_PAIRED: usize = 1000;

pub(crate) fn sweep(session: &Session, args: &Sweep, handed: &Handed) -> Result<(), Failure> {
    let points = Points::new(session, args)?;
    check_memory(&points, args)?;
    args.common.played(points.count() as u64)?;
    let planned = repeat(args, args.common.stop_after);
    let files = [&sheets::FILES[..], &[sheets::SWEEP]].concat();
    let mut run =
        Run::begin(session, (&args.common, handed), "sweep", (&files, planned), (args.trials, None))?;
    if let Some(directory) = run.directory.as_mut().filter(|_| !run.plays.is_part()) {
        directory.grow(sheets::SWEEP)?;
        directory.append(session, &csv::header(&sheets::headings(points.grid()))?);
    }

    let first = &points.first;
    let mut swept = SweepReport {
        game: first.rules.rules.game(),
        rules: points.rules()?,
        policy: points.policies(),
        grid: points.grid().clone(),
        metric: points.about,
        loses_ties: args.metric.is_none()
            && !points.about.is_share()
            && first.rules.rules.metrics()[0].is_share(),
        against: points.against(),
        is_rotated: points.is_rotated(),
        seats: first.rules.rules.seats(),
        trials: args.trials,
        seed: args.common.seed,
        points: Vec::new(),
        compared: None,
    };
    let Run { pool, plays, directory, .. } = &mut run;
    pool.within(|| play_all(&points, args, plays, &mut swept, directory.as_mut()))?;
    let played_seconds = run.context().wall_seconds;
    if let Some(part) = args.common.shard {
        if !run.plays.is_short() && args.common.stop_after.is_none() {
            // What it came to is kept.
            let _ = run.pool.within(|| pair(&points, args, &run.plays))?;
        }
        return run.leave(part, None);
    }
    if swept.points.is_empty() {
        return Err(Common::nothing_yet("setting"));
    }
    if swept.is_complete()
        && args.common.stop_after.is_none()
        && let ControlFlow::Continue(products) = run.pool.within(|| pair(&points, args, &run.plays))?
    {
        swept.compared =
            GridComparison::new(&swept.grid, args.trials, &swept.points, products, points.about.better);
    }
    let context = Context {
        rules: first.rules.rules.options(),
        policies: Policy::of_seats(first.rules.rules.seats(), &first.lineups[0], None),
        requested: args.trials.saturating_mul(points.count() as u64),
        is_cut: swept.compared.is_none(),
        runner: first.runner.name(),
        instructions: first.runner.instructions(),
        ..run.context()
    };
    let is_cut = swept.compared.is_none();
    let mut report = swept.report();
    report.warnings.extend(points.varied_together());
    if run.is_page_made() {
        describe(&mut report, &*first.rules.rules, &first.rules.name, &first.lineups[0]);
    }
    swept.head_by_axes(&mut report, &points.axes_of_policies());
    report.repeat = shell_line(&repeat(args, is_cut.then_some(swept.points.len() as u64)));
    run.publish(report, (&swept.subject(), &context, swept.about()), is_cut)?;
    let (seconds, games) = (context.wall_seconds, args.trials as f64 * swept.points.len() as f64);
    run.tell(&format!(
        "{} {} of {} in {seconds:.2} s {}, {:.2} s of which to compare them",
        grouped(swept.points.len() as u64),
        if swept.points.len() == 1 { "setting" } else { "settings" },
        trials_in_words(args.trials),
        run.rate(games, "games ", played_seconds),
        seconds - played_seconds
    ));
    let finished = swept.points.len();
    if swept.compared.is_none() && !args.common.ends_after(finished as u64) {
        let found = format!(
            "{finished} of {} settings are finished, and the same as in the whole grid; nothing is compared",
            points.count()
        );
        return Err(run.interrupted(&found, finished as u64));
    }
    Ok(())
}

/// Refuses a grid whose points do not fit, side by side with their products.
fn check_memory(points: &Points<'_>, args: &Sweep) -> Result<(), Failure> {
    if points.count() > MAX_PAIRED || args.paired == 0 {
        return Ok(());
    }
    let threads = most_threads(args.common.threads);
    let policies: usize = points.first.lineups.iter().flatten().map(AnyPolicy::bytes).sum();
    let need = (policies * points.count()) as u64 + Products::bytes(points.count()) * (threads as u64 + 1);
    let what = format!("{} settings side by side", grouped(points.count() as u64));
    memory::check(need, memory::limit(args.memory), &what)
}

/// Plays one point after the other, each into the file that grows, until all are done or a signal comes.
fn play_all(
    points: &Points<'_>,
    args: &Sweep,
    plays: &Plays<'_>,
    swept: &mut SweepReport,
    mut directory: Option<&mut Directory>,
) -> Result<(), Failure> {
    let progress = GridProgress::new(
        points.session,
        args.trials.saturating_mul(points.count() as u64),
        args.common.quiet,
    );
    let mut best = None;
    for at in 0..points.count() {
        // Of many small points each may be over before anybody looks.
        if plays.is_ending() || args.common.ends_after(at as u64) {
            break;
        }
        progress.done(so_far(swept, best, points.count()));
        let point = points.point(at)?;
        let found = play(at, &point, (points.session, args), plays, &progress)?;
        if plays.is_part() {
            continue;
        }
        let Some(found) = found else { break };
        let found = PointReport::new(&found, points.metric, point.rules.rules.bounds(points.metric));
        if let Some(directory) = &mut directory {
            directory.append(points.session, &csv::rows(&sheets::grown(&swept.grid, at, &found))?);
        }
        swept.points.push(found);
        best = Some(best.map_or(at, |best| better(swept, best, at)));
    }
    Ok(())
}

/// The mean of a point.
fn mean(swept: &SweepReport, at: usize) -> f64 {
    swept.points[at].cell.sum as f64 / swept.trials as f64
}

/// The better of two points; the first of equal ones.
fn better(swept: &SweepReport, a: usize, b: usize) -> usize {
    let is_better = match swept.metric.better {
        Better::Higher => mean(swept, b) > mean(swept, a),
        Better::Lower => mean(swept, b) < mean(swept, a),
    };
    if is_better { b } else { a }
}

/// How far a grid has come: the points done and, of parameters, the best of them.
fn so_far(swept: &SweepReport, best: Option<usize>, points: usize) -> String {
    let best = best
        .filter(|_| !swept.grid.varies(Kind::Rule))
        .map_or_else(String::new, |at| format!("  best {}: {:.3}", swept.grid.label(at), mean(swept, at)));
    format!("{} of {points} settings{best}", swept.points.len())
}

/// Plays all trials of a point; `None` if they were cut short.
fn play(
    at: usize,
    point: &Point,
    (session, args): (&Session, &Sweep),
    plays: &Plays<'_>,
    progress: &GridProgress<'_>,
) -> Result<Option<SimulationReport>, Failure> {
    let plan = plays.cut(Plan { seed: args.common.seed, trials: 0..args.trials });
    let rules = &point.rules.rules;
    let watch = |batch| progress.batch(batch, 1, point.runner.failure().is_some());
    let mut trials = |plan: &Plan| point.runner.play(plan, &watch);
    let rotations = plays.of(&format!("point {at}"), &plan, &mut trials);
    point.playing(session, args).check(point.runner.arm())?;
    let rotations = rotations?;
    let (name, lineup) = (&point.rules.name, &point.lineups[0]);
    let found = SimulationReport::new(&**rules, name, lineup, rotations, args.common.seed);
    Ok((found.tally.trials == args.trials).then_some(found))
}

/// Plays the first trials with all points side by side, unless the grid is too large or nobody wants it; breaks off when
/// it is cut short.
fn pair(
    points: &Points<'_>,
    args: &Sweep,
    plays: &Plays<'_>,
) -> Result<ControlFlow<(), Option<Products>>, Failure> {
    let trials = args.paired.min(args.trials);
    if points.count() > MAX_PAIRED || trials == 0 {
        return Ok(ControlFlow::Continue(None));
    }
    let all: Vec<_> = (0..points.count()).map(|at| points.point(at)).collect::<Result<_, _>>()?;
    let owned: Vec<_> = all.iter().map(|point| fastest(&*point.rules.rules, &point.lineups, 1)).collect();
    let failure = || owned.iter().find_map(|arm| arm.failure());
    let arms: Vec<&dyn Arm> = owned.iter().map(|arm| &**arm as _).collect();
    let progress =
        GridProgress::new(points.session, trials.saturating_mul(all.len() as u64), args.common.quiet);
    progress.done("comparing the settings".into());
    let plan = plays.cut(Plan { seed: args.common.seed, trials: 0..trials });
    let watch = |batch| progress.batch(batch, all.len(), failure().is_some());
    let mut play = |plan: &Plan| run_arms(&arms, points.metric, plan, &watch);
    let products = plays.of("pairs", &plan, &mut play);
    all.iter().zip(&owned).try_for_each(|(point, arm)| point.playing(points.session, args).check(&**arm))?;
    let products = products?;
    let is_whole = products.trials == trials;
    Ok(if is_whole { ControlFlow::Continue(Some(products)) } else { ControlFlow::Break(()) })
}

/// The command line that gives the same result again.
fn repeat(args: &Sweep, stop_after: Option<u64>) -> Vec<String> {
    Request::Sweep(Sweep { common: args.common.ending_after(stop_after), ..args.clone() }).command_line()
}
