//! `simulate`: many trials, then the reports.

use std::ops::Range;
use std::time::Duration;

use serde_json::Map;
use stopwise_analysis::paired::Ended;
use stopwise_engine::game::Metric;
use stopwise_engine::run::Plan;
use stopwise_engine::stream::SCHEME;
use stopwise_engine::tally::Tally;
use stopwise_erased::{AnyArm, AnyPolicy, AnyRules, NamedRules, RowFormat, TrialRows};
use stopwise_narration::{InWords, grouped, trials as trials_in_words};
use stopwise_reports::manifest::{Context, Policy};
use stopwise_reports::played::describe;
use stopwise_reports::simulate::asked::{Asked, Question};
use stopwise_reports::simulate::length::asked_about;
use stopwise_reports::simulate::{SimulationReport, labels, numbers, sheets};
use stopwise_reports::trial_columns;

use super::ending::Ending;
use super::run::{Run, refuse_part};
use super::stop::End;
use super::trial_rows::{self, Fresh, RowSource, STAGE, Writing};
use crate::args::{Common, Request, Simulate, Stop, replay, shell_line};
use crate::checkpoint::{Handed, RowPart};
use crate::failure::Failure;
use crate::output::{Directory, ROWS, RowFile, RowPlan};
use crate::progress::Progress;
use crate::runner::Chosen;
use crate::session::Session;
use crate::setup::{lineups, metric_of, rules};

/// Why such a run has no parts.
const LOOKS: &str = "a run that stops by what it sees looks at all trials so far, and cannot be cut into parts; give --trials \
                     alone, without --until-width and --budget";

pub(crate) fn simulate(session: &Session, args: &Simulate, handed: &Handed) -> Result<(), Failure> {
    let NamedRules { name, rules } = rules(session, &args.game)?;
    let lineups = lineups(session, &*rules, &args.policy)?;
    let runner = Chosen::new(args.runner, &*rules, &lineups)?;
    let metrics = asked_about(&*rules);
    let asked = asked(args, &metrics)?;
    let arm = runner.arm();
    let end = End::new(Ending::new(&args.stop, None, asked.metric, &metrics)?, arm, rules.metrics());
    let ending = &end.ending;
    if !ending.is_fixed() {
        refuse_part(&args.common, LOOKS)?;
    }
    let trials = args.common.played(ending.most)?;
    let files = sheets::files(rules.seats(), !asked.questions.is_empty());
    let planned = repeat(args, ending.most, (args.stop.budget, args.common.stop_after));
    let limits = (trials, args.trials_out.as_deref());
    let mut run = Run::begin(session, (&args.common, handed), "simulate", (&files, planned), limits)?;

    let plan = run.plays.cut(Plan { seed: args.common.seed, trials: 0..trials });
    let table = Lineup { name, rules: &*rules, lineups: &lineups, arm };
    let fresh = Fresh::default();
    let mut writing = table.writing(args, &run, (handed.rows.as_deref(), &plan.trials), &fresh)?;
    let (rotations, ended) = table.play(args, &run, (&end, &runner), &plan, writing.as_mut())?;
    let context = run.context();
    if let Some(part) = args.common.shard {
        return run.leave(part, writing.map(|Writing { file, .. }| (file, plan.trials)));
    }

    let found = table.found(args, asked, rotations, (&end, ended));
    let played = found.tally.trials;
    let is_interrupted = ended == Ended::BrokenOff
        && played < trials
        && (session.is_ending() || !run.is_over(args.stop.budget));
    let is_short = ended == Ended::BrokenOff && args.stop.budget.is_none();
    let context = Context {
        rules: rules.options(),
        policies: Policy::of_seats(rules.seats(), &lineups[0], None),
        requested: if is_interrupted || is_short { ending.most } else { played },
        stopping: found.stop.told.as_ref().map(|stopped| ending.manifest(stopped)),
        runner: runner.name(),
        instructions: runner.instructions(),
        ..context
    };
    let mut report = run.report(|tables| found.report(tables));
    if run.is_page_made() {
        describe(&mut report, &*rules, &found.rules, &lineups[0]);
    }
    report.repeat = shell_line(&repeat(args, ending.most, ending.again(ended, played)));
    // Beside whole results their rows are whole, too, where there are some.
    let is_kept = is_interrupted && run.directory.as_ref().is_some_and(Directory::has_whole);
    let file = writing.map(|Writing { file, .. }| file);
    let rows = file.and_then(|mut file| (!is_kept || !file.is_there()).then(|| file.finish()));
    run.note = args.verbose.then(|| {
        let threads = if context.threads == 1 { "thread" } else { "threads" };
        format!("runner: {}, on {} {threads}", runner.describe(), context.threads)
    });
    run.publish(report, (&found.subject(), &context, Map::new()), is_interrupted)?;
    let rows = rows.transpose()?;
    let told = trials_in_words(played);
    rows.iter().for_each(|path| run.tell(&format!("wrote the rows of {told} into {path}")));
    let seconds = context.wall_seconds;
    run.tell(&format!("{told} in {seconds:.2} s {}", run.rate(played as f64, "", seconds)));
    if is_interrupted {
        let rows = rows.map_or_else(String::new, |path| format!("; {path} has the rows of {told}"));
        let intervals = if ending.is_fixed() { ", with intervals for a number fixed beforehand" } else { "" };
        let found = format!(
            "the results are those of the first {} trials, complete{intervals}{rows}",
            grouped(played)
        );
        return Err(run.interrupted(&found, played));
    }
    Ok(())
}

/// Who plays what.
struct Lineup<'t> {
    /// The name of the rules.
    name: String,
    rules: &'t dyn AnyRules,
    lineups: &'t [Vec<AnyPolicy>],
    /// They together.
    arm: &'t dyn AnyArm,
}

impl Lineup<'_> {
    /// What the policy of each seat is called.
    fn policies(&self) -> Vec<String> {
        labels(self.rules, &self.lineups[0])
    }

    /// The file of rows, if it is wanted: of those of parts, if these are merged. A part hands its rows on to who merges it.
    fn writing<'w>(
        &'w self,
        args: &Simulate,
        run: &Run<'_>,
        (parts, trials): (Option<&[RowPart]>, &Range<u64>),
        fresh: &'w Fresh,
    ) -> Result<Option<Writing<'w>>, Failure> {
        let Some(place) = args.trials_out.as_deref() else { return Ok(None) };
        let (rules, policies, common) = (self.rules, self.policies(), &args.common);
        let format = RowFile::format(place)?;
        let part = common.shard.and(common.out.as_deref()).map(|out| out.join(ROWS));
        let format = if part.is_some() { RowFormat::Raw } else { format };
        let rows = TrialRows::new(rules, &policies, self.lineups.len(), format).saying(vec![
            ("game", rules.game().to_owned()),
            ("rules", self.name.clone()),
            ("options", rules.options().to_string()),
            ("policies", policies.join(" / ")),
            ("seed", common.seed.to_string()),
            ("stream_scheme", SCHEME.to_string()),
            ("columns", trial_columns(rules.metrics()).to_string()),
        ]);
        let place = part.as_deref().unwrap_or(place);
        let (results, left) = (common.out.as_deref(), run.plays.rows_left());
        let file = RowFile::create(RowPlan { place, results, first: trials.start, left }, &rows)?;
        let source = match parts {
            Some(parts) => RowSource::Read(parts.to_vec()),
            None => RowSource::Played(self.arm, fresh),
        };
        Ok(Some(Writing { rows, file, source }))
    }

    /// Plays the plan: a tally of each of the line-ups that take turns, and why it ended.
    fn play(
        &self,
        args: &Simulate,
        run: &Run<'_>,
        (end, runner): (&End, &Chosen),
        plan: &Plan,
        mut writing: Option<&mut Writing<'_>>,
    ) -> Result<(Vec<Tally>, Ended), Failure> {
        let (first, quiet) = (self.rules.metrics()[0], args.common.quiet);
        let progress = match end.ending.is_fixed() {
            true => Progress::new(run.session, plan.trials.end - plan.trials.start, first, quiet),
            false => Progress::open_ended(run.session, first, quiet),
        };
        let failure = || runner.failure();
        let has_failed = || failure().is_some();
        let fresh = writing.as_deref().and_then(|writing| match writing.source {
            RowSource::Played(arm, fresh) if writing.file.is_wanted() => {
                Some((writing.rows.clone(), arm, fresh))
            }
            _ => None,
        });
        let begin = plan.trials.start;
        let play = |plan: &Plan, ends: &(dyn Fn() -> bool + Sync)| {
            progress.reach(plan.trials.start - begin);
            let watch = |batch| progress.batch(batch, ends());
            match &fresh {
                Some((rows, arm, fresh)) => fresh.play((rows, *arm), plan, &watch),
                None => runner.play(plan, &watch),
            }
        };
        let mut again = |plan: &Plan| play(plan, &has_failed);
        let mut play = |plan: &Plan| play(plan, &|| run.is_over(args.stop.budget) || has_failed());
        let leg = |plan: &Plan| {
            let found = match &mut writing {
                None => run.plays.of(STAGE, plan, &mut play),
                Some(writing) => trial_rows::play(plan, &run.plays, writing, &mut play, &mut again),
            };
            run.plays.seal().and(found)
        };
        let played = run.pool.within(|| end.play(plan, &numbers(&self.policies()), leg));
        let told = failure();
        let fault = runner.fault();
        let replay = fault.map_or_else(String::new, |fault| {
            let line = replay(&args.game, &args.policy, args.common.seed, Some(fault.trial));
            format!("\n  to see it: {}", shell_line(&line))
        });
        Failure::of_policy(told.map(|told| told + &replay))?;
        let played = played?;
        if args.common.shard.is_none() && played.0.iter().all(|tally| tally.trials == 0) {
            return Err(Common::nothing_yet("trial"));
        }
        Ok(played)
    }

    /// What was found.
    fn found(
        &self,
        args: &Simulate,
        asked: Asked,
        rotations: Vec<Tally>,
        (end, ended): (&End, Ended),
    ) -> SimulationReport {
        let seed = args.common.seed;
        let found = SimulationReport::new(self.rules, &self.name, &self.lineups[0], rotations, seed);
        SimulationReport {
            stop: end.told(ended, &found.tally),
            drawn: args.metric.is_some().then_some(asked.metric),
            asked,
            ..found
        }
    }
}

/// What is asked besides the tables that all simulations have.
fn asked(args: &Simulate, metrics: &[Metric]) -> Result<Asked, Failure> {
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
    let mut questions = Vec::new();
    for question in above.chain(quantiles).chain(args.best_of.iter().copied().map(Question::BestOf)) {
        // What is asked twice is answered once.
        if !questions.contains(&question) {
            questions.push(question);
        }
    }
    if !args.best_of.is_empty() && (args.stop.until_width.is_some() || args.stop.budget.is_some()) {
        return Err(Failure::Input(
            "--best-of has no interval that holds in a run that stops by looking; give the number of trials, with --trials, \
             in place of --until-width and --budget"
                .into(),
        ));
    }
    Ok(Asked { metric: metric_of(metrics, args.metric.as_deref())?, questions })
}

/// The command line that gives the same result again.
fn repeat(args: &Simulate, most: u64, (budget, stop_after): (Option<Duration>, Option<u64>)) -> Vec<String> {
    let stop = Stop { trials: Some(most), budget, ..args.stop };
    Request::Simulate(Simulate { stop, common: args.common.ending_after(stop_after), ..args.clone() })
        .command_line()
}
