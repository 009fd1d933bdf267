//! Exact values under several rules: how much a rule is worth, without trials.

use std::time::Instant;

use cpu_time::ProcessTime;
use stopwise_analysis::exact::Limits;
use stopwise_document::Report;
use stopwise_erased::{AnyPolicy, AnyRules, NamedRules};
use stopwise_reports::manifest::{Subject, manifest, mark};
use stopwise_reports::played::describe;
use stopwise_reports::solve::{VariedPoint, VariedReport, sheets};

use super::asked::{Asked, KEPT, best_play, context, limits};
use super::tell_end;
use crate::args::{Request, Solve, shell_line};
use crate::exact::{INTERRUPTED, Walking, failure};
use crate::failure::Failure;
use crate::grid::Varied;
use crate::output::{Directory, MANIFEST, Place};
use crate::publish::{is_page_made, publish};
use crate::session::Session;
use crate::setup::{PolicySpec, all_of, check_labels, metric, rules};
use crate::signals;
use crate::threads::Threads;

/// Solves the game under each setting, one after the other, all of which are read before the first is solved.
pub(super) fn solve_varied(session: &Session, args: &Solve) -> Result<(), Failure> {
    let varied = Varied::new(&[], &args.vary_rule)?;
    let mut points = Vec::new();
    for at in 0..varied.grid.points() {
        points.push(Point::new(session, args, varied.rules(session, at, &args.game)?)?);
    }
    let about = points[0].rules.rules.metrics()[points[0].metric];
    signals::catch_for(session, INTERRUPTED)?;
    let place = |path| Place { path, command: "solve", force: args.force, run: None, is_ours: None };
    let files = [sheets::VARIED, MANIFEST];
    let directory =
        args.out.as_deref().map(|path| Directory::open(session, place(path), &files)).transpose()?;
    let (started, cpu) = (Instant::now(), ProcessTime::now());
    let pool = Threads::new(args.threads, u64::MAX)?;
    let mut found = Vec::new();
    for (at, point) in points.iter().enumerate() {
        let solved = pool.within(|| point.solve(session, args));
        found.push(solved.map_err(|failure| match failure {
            Failure::Input(why) => Failure::Input(format!("{}: {why}", varied.grid.label(at))),
            other => other,
        })?);
    }
    let name = match varied.is_of_presets() {
        true => "varied".to_owned(),
        false => rules(session, &args.game)?.name,
    };
    let seats = points[0].rules.rules.seats();
    let report = VariedReport {
        game: points[0].rules.rules.game(),
        rules: name,
        seats: points.iter().all(|point| point.rules.rules.seats() == seats).then_some(seats),
        metric: about,
        grid: varied.grid.clone(),
        points: found,
    };
    let subject = Subject { game: report.game, rules: &report.rules, seed: 0, trials: 0, rotations: None };
    let context = context(session, &*points[0].rules.rules, &points[0].policies, &pool, (started, cpu));
    let mut document = report.report();
    if is_page_made(session, directory.as_ref(), args.format) {
        let Point { rules, policies, .. } = &points[0];
        describe(&mut document, &*rules.rules, &rules.name, policies);
        report.head_by_axes(&mut document);
    }
    document.repeat = shell_line(&Request::Solve(args.clone()).command_line());
    mark(&mut document, &subject, &context);
    let manifest = |report: &Report| manifest(&subject, &context, report);
    let written =
        publish(session, document, (directory, &manifest, &Vec::new()), (args.format, args.quiet), false)?;
    tell_end(session, args, written, started);
    Ok(())
}

/// A setting of the rules, with the policies under it.
struct Point {
    rules: NamedRules,
    metric: usize,
    policies: Vec<AnyPolicy>,
}

impl Point {
    fn new(session: &Session, args: &Solve, rules: NamedRules) -> Result<Self, Failure> {
        let metric = metric(&*rules.rules, args.metric.as_deref())?;
        let named = all_of(session, &args.policies, rules.rules.entry())?;
        let specs = named.iter().map(|spec| PolicySpec::parse(session, spec, Some(rules.rules.entry())));
        let policies =
            specs.map(|spec| spec?.compile(session, &*rules.rules)).collect::<Result<Vec<_>, _>>()?;
        check_labels(&policies)?;
        Ok(Self { rules, metric, policies })
    }

    /// The values under these rules.
    fn solve(&self, session: &Session, args: &Solve) -> Result<VariedPoint, Failure> {
        let rules: &dyn AnyRules = &*self.rules.rules;
        let walking = Walking::new(session, &limits(args), args.quiet, None);
        let limits = Limits { watch: &|step| walking.step(step), ..limits(args) };
        let best = best_play(rules, self.metric, &self.policies, limits)?;
        let solved = best.as_ref().map(|best| best.solved(0));
        let best = best.filter(|_| solved.as_ref().is_some_and(|solved| solved.states <= KEPT));
        let asked = Asked { rules, metric: self.metric, best, solved: solved.as_ref() };
        let worth = |policy: &AnyPolicy| asked.worth(policy, limits).map_err(|error| failure(rules, error));
        let worths = self.policies.iter().map(worth).collect::<Result<Vec<_>, _>>();
        walking.finish();
        let metric = rules.metrics()[self.metric];
        Ok(VariedPoint::new(rules.game(), &self.rules.name, metric, solved.as_ref(), &worths?))
    }
}
