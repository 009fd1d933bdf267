//! `solve`: the exact value of best play, and of policies.

mod asked;
mod keep;
mod positions;
mod table;
mod varied;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use cpu_time::ProcessTime;
use stopwise_analysis::exact::{ExactError, Limits};
use stopwise_document::Report;
use stopwise_erased::{AnyPolicy, AnyRules, NamedRules};
use stopwise_narration::grouped;
use stopwise_reports::manifest::{Context, Subject, manifest, mark};
use stopwise_reports::played::describe;
use stopwise_reports::solve::{SolveReport, Surface, Worth, sheets};

use crate::args::{PositionFormat, Request, Solve, shell_line};
use crate::exact::{INTERRUPTED, Walking, failure, instead, why};
use crate::failure::Failure;
use crate::numbers::most;
use crate::output::{
    Directory, HOLD_AT, MANIFEST, POLICY, Place, SOLUTION, VALUES, Written, note, note_of_play, settled,
    shown, tell,
};
use crate::publish::{Beside, are_pictures_seen, is_page_made, publish};
use crate::session::Session;
use crate::setup::{PolicySpec, all_of, check_labels, metric, rules};
use crate::signals;
use crate::threads::Threads;

use asked::{Asked, KEPT, best_play, context, has_best, limits};
use keep::{Keeping, answers, beginning, is_ours, solution};
use positions::Listing;
use table::Wanted;
use varied::solve_varied;

/// Positions are listed up to so many, decisions included.
const LISTED: usize = 40;

pub(crate) fn solve(session: &Session, args: &Solve) -> Result<(), Failure> {
    if !args.vary_rule.is_empty() {
        return solve_varied(session, args);
    }
    let NamedRules { name, rules } = rules(session, &args.game)?;
    match &args.out {
        Some(path) if args.long_run => best_turn(session, &*rules, &name, args, path),
        _ => solve_game(session, &*rules, name, args),
    }
}

/// A policy that could not be evaluated, and why.
struct Unknown {
    label: String,
    why: String,
}

fn solve_game(session: &Session, rules: &dyn AnyRules, name: String, args: &Solve) -> Result<(), Failure> {
    let metric = metric(rules, args.metric.as_deref())?;
    let named = all_of(session, &args.policies, rules.entry())?;
    let specs = named.iter().map(|spec| PolicySpec::parse(session, spec, Some(rules.entry())));
    let policies = specs.map(|spec| spec?.compile(session, rules)).collect::<Result<Vec<_>, Failure>>()?;
    check_labels(&policies)?;
    let wanted = Wanted::new(rules, args, metric)?;
    let kept: &[_] = if has_best(rules, &policies) { &[POLICY, VALUES, SOLUTION] } else { &[] };
    let held: &[_] = if args.from.is_some() { &[HOLD_AT] } else { &[] };
    let mut files = [&sheets::files(rules.seats())[..], kept, held, &[MANIFEST]].concat();
    if args.positions_format == PositionFormat::Parquet {
        files.retain(|name| *name != PositionFormat::Csv.file());
        files.push(PositionFormat::Parquet.file());
    }
    signals::catch_for(session, INTERRUPTED)?;
    let place = |path| Place { path, command: "solve", force: args.force, run: None, is_ours: Some(is_ours) };
    let directory =
        args.out.as_deref().map(|path| Directory::open(session, place(path), &files)).transpose()?;
    if !policies.is_empty() && !args.quiet && rules.has_best_play() == Err(ExactError::AtOnce) {
        let why = "the players answer at once, and it would have to choose by chance";
        note_of_play(session, &format!("best play of both is left out: {why}"));
    }
    let (started, cpu) = (Instant::now(), ProcessTime::now());
    let pool = Threads::new(args.threads, u64::MAX)?;
    let walking = Walking::new(session, &limits(args), args.quiet, Some(instead(rules)));
    let limits = Limits { watch: &|step| walking.step(step), ..limits(args) };
    let listing = |most| Listing {
        session,
        game: rules.game(),
        rules: &name,
        metric: rules.metrics()[metric],
        kinds: rules.kinds(),
        most,
    };
    let found = pool.within(|| -> Result<_, Failure> {
        let best = best_play(rules, metric, &policies, limits)?;
        let mut solved = best.as_ref().map(|best| best.solved(LISTED));
        let features = best.as_ref().map(|best| best.features()).unwrap_or_default();
        let seconds = started.elapsed().as_secs_f64();
        let most = args.positions.as_deref().map(most);
        if let (Some(best), Some(solved), Some(most), None) = (&best, &mut solved, most, &directory) {
            listing(most).tell(&**best, solved)?;
        }
        let listed = best.clone().filter(|_| most.is_some() && directory.is_some());
        let table = match (&best, &wanted) {
            (Some(best), Some(wanted)) => {
                let table = wanted.table(&**best, limits).map_err(|error| failure(rules, error))?;
                wanted.others(table.as_ref()).iter().for_each(|said| note_of_play(session, said));
                table
            }
            _ => None,
        };
        let kept = best.as_ref().zip(solved.as_ref()).filter(|_| directory.is_some());
        let kept = kept.map(|(best, solved)| {
            let game = game_word(session, rules);
            let keeping = Keeping { rules, game: &game, name: &name, metric, solved, seconds };
            keeping.files(best.keep(), table.as_ref())
        });
        let kept: Beside<'_> = kept.into_iter().flatten().collect();
        let best = best.filter(|_| solved.as_ref().is_some_and(|solved| solved.states <= KEPT));
        let surface = best.as_ref().and_then(|best| best.surface(&policies));
        let drawn = best.as_ref().filter(|_| are_pictures_seen(session, directory.as_ref(), args.format));
        let charted = match drawn.map(|best| best.charted(limits)) {
            Some(Ok(charted)) => charted,
            Some(Err(ExactError::Interrupted)) => return Err(failure(rules, ExactError::Interrupted)),
            // The picture is left out where it would take too much.
            Some(Err(_)) | None => None,
        };
        let asked = Asked { rules, metric, best, solved: solved.as_ref() };
        let worth = |policy: &AnyPolicy| match asked.worth(policy, limits) {
            Ok(worth) => Ok(Ok(worth)),
            Err(error) => Ok(Err(Unknown { label: policy.label(), why: why(error)? })),
        };
        let worths: Vec<Result<Worth, Unknown>> =
            policies.iter().map(worth).collect::<Result<_, Failure>>()?;
        Ok(((solved, features), surface, charted, worths, (kept, listed, table)))
    });
    walking.finish();
    let ((best, features), surface, charted, worths, (mut kept, listed, table)) = found?;
    if let (Some(best), Some(words)) = (&listed, &args.positions) {
        let format = args.positions_format;
        kept.push((format.file(), listing(most(words)).file(Arc::clone(best), format)));
    }
    let (worths, unknown): (Vec<_>, Vec<_>) = worths.into_iter().partition(Result::is_ok);
    let worths: Vec<Worth> = worths.into_iter().filter_map(Result::ok).collect();
    let solved = SolveReport {
        game: rules.game(),
        rules: name.clone(),
        seats: rules.seats(),
        is_always_won: rules.is_always_won(),
        metrics: rules.metrics().to_vec(),
        endings: rules.told_endings(),
        kinds: rules.kinds().to_vec(),
        features,
        metric,
        bounds: rules.bounds(metric),
        best,
        worths,
        surface: surface
            .map(|drawn| Surface { drawn, labels: policies.iter().map(AnyPolicy::label).collect() }),
        charted,
        table,
    };
    let mut report = solved.report();
    // The table that is asked for is the main one: `--format csv` prints it.
    let main = match (&args.from, &args.table) {
        (Some(_), _) => Some(sheets::HOLD_AT),
        (None, Some(_)) => Some(sheets::DECISIONS),
        (None, None) => None,
    };
    let is_asked_for = |file: &str| main == Some(file);
    report.data.sort_by_key(|data| !is_asked_for(data.file));
    if is_page_made(session, directory.as_ref(), args.format) {
        describe(&mut report, rules, &solved.rules, &policies);
    }
    report.repeat = shell_line(&Request::Solve(args.clone()).command_line());
    let is_cut = !unknown.is_empty();
    let context = Context { is_cut, ..context(session, rules, &policies, &pool, (started, cpu)) };
    let subject = Subject { game: solved.game, rules: &solved.rules, seed: 0, trials: 0, rotations: None };
    mark(&mut report, &subject, &context);
    let manifest = |report: &Report| manifest(&subject, &context, report);
    let written = pool.within(|| {
        publish(session, report, (directory, &manifest, &kept), (args.format, args.quiet), false)
    })?;
    if let (Some(caller), Some(best), Some(words)) = (session.caller(), &listed, &args.positions)
        && let Some(report) = &mut caller.said().report
    {
        listing(most(words)).hand_over(&**best, report)?;
    }
    tell_end(session, args, written, started);
    let why: Vec<_> = unknown
        .into_iter()
        .filter_map(Result::err)
        .map(|unknown| format!("policy {}: {}", unknown.label, unknown.why))
        .collect();
    if why.is_empty() { Ok(()) } else { Err(Failure::Input(why.join("\n"))) }
}

/// Says which files were written, and how long it took.
fn tell_end(session: &Session, args: &Solve, written: Option<Written>, started: Instant) {
    if !args.quiet {
        written.iter().for_each(|written| note(session, &written.to_string()));
        note(session, &format!("solved in {:.2} s", started.elapsed().as_secs_f64()));
    }
}

/// The game, as a policy names it: a file by its path.
fn game_word(session: &Session, rules: &dyn AnyRules) -> String {
    let file = session.game_text().map(|text| text.file).filter(|file| file.ends_with(".game"));
    file.filter(|_| stopwise_erased::game(rules.game()).is_none()).unwrap_or_else(|| rules.game().to_owned())
}

/// Writes the best turns as a policy.
fn best_turn(
    session: &Session,
    rules: &dyn AnyRules,
    name: &str,
    args: &Solve,
    path: &Path,
) -> Result<(), Failure> {
    if rules.info().tabled.is_empty() || rules.seats() > 1 {
        return Err(Failure::Input(format!(
            "--long-run: only in games for one are turns played for ever, and of {} {name} no turn is solved by itself; leave \
             it out for best play",
            rules.game()
        )));
    }
    let place = Place { path, command: "solve", force: args.force, run: None, is_ours: Some(is_ours) };
    let directory = Directory::open(session, place, &[SOLUTION, POLICY])?;
    let started = Instant::now();
    signals::catch_for(session, INTERRUPTED)?;
    let walking = Walking::new(session, &limits(args), args.quiet, None);
    let turns = rules.best_turns(Limits { watch: &|step| walking.step(step), ..limits(args) });
    walking.finish();
    let turns = turns.map_err(|error| failure(rules, error))?;
    let turns = turns.ok_or_else(|| Failure::other("the game does not begin with a roll"))?;
    let text = format!(
        "{beginning}of single turns: {mean:.10} a turn in the long run. The answers before the table are for\n\
         # positions that best play does not lead to.\n\
         game = \"{game}\"\nname = \"best-turn\"\nsummary = \"Play every turn for the greatest mean score.\"\n\n\
         {answers}\n{table}",
        beginning = beginning(rules, name),
        mean = turns.mean,
        game = rules.game(),
        answers = answers(rules),
        table = turns.table,
    );
    let seconds = started.elapsed().as_secs_f64();
    let solution = solution(rules, name, 0, [turns.mean, turns.error], (turns.rows, seconds));
    let write = |file: &str| if file == POLICY { text.as_bytes() } else { &solution };
    let written = directory.finish(true, &mut |name, file| file.write(write(name)).map(|()| true)).map(Some);
    let printed = tell(
        session,
        &format!(
            "Best turns     {:.12}   (± {:.1e}) a turn in the long run\nTable          {} positions before a roll, in {}\n",
            turns.mean,
            turns.error,
            grouped(turns.rows as u64),
            shown(&path.join(POLICY))
        ),
    );
    let written = settled(written, printed, false)?;
    tell_end(session, args, written, started);
    Ok(())
}
