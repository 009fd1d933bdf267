//! What is legal and hardly meant: names that nothing reads, and what does not happen in many random games.

mod asked_first;
mod counted_once;
mod ends;
mod limits;
mod misspelt;
mod others;
mod random;
mod unreached;
mod unread;

use stopwise_engine::vocabulary::grouped;

use crate::compile;
use crate::op::Program;
use crate::problem::{Problem, Span};
use crate::script::Script;
use crate::syntax::{End, EndForm, File, Form, Name};
use crate::text::GameText;
use asked_first::asked_first;
use counted_once::counted_once;
use ends::at_ends;
use limits::{Long, lines_of};
use misspelt::misspelt_faces;
use others::ends_of_others;
use random::Met;
use unreached::unreached;
use unread::unread;

/// The games that are played, and the rolls and questions of all of them: whichever is over first.
const GAMES: u64 = 10_000;
const STEPS: u64 = 2_000_000;
/// The same of every preset.
const PRESET_GAMES: u64 = 100;
const PRESET_STEPS: u64 = 100_000;
/// A range is far wider than what is met if it is so many times as wide, and has so many numbers more.
const WIDER: i64 = 20;
const MORE: i64 = 200;

/// What a check of a text that compiles has found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What is legal and hardly meant, in the order of the text.
    pub warnings: Vec<Problem>,
    /// Why the rules cannot go on in one of the random games.
    pub fault: Option<Problem>,
}

/// What is legal in a text and hardly meant: what nothing reads, and what does not happen in 10,000 games in which all
/// answers are random; and whether the rules go on in them. `script` is the game under the options that are looked at.
/// Of every preset some games are played as well: they may never end by themselves, or not go on. So are some of every option
/// at the ends of its values.
pub fn check(text: &GameText, script: &Script) -> Checked {
    let (file, program) = (text.file(), script.program());
    let mut warnings = unread(file);
    warnings.extend(misspelt_faces(text.text(), file));
    warnings.extend(ends_of_others(text.text(), file));
    warnings.extend(asked_first(file, program));
    warnings.extend(counted_once(text.text(), file));
    let met = Met::new(program, GAMES, STEPS);
    let games = format!("{} random games", grouped(met.games));
    questions(file, program, &met, &games, &mut warnings);
    endings(file, program, &met, &games, &mut warnings);
    let filter = file.play.as_ref().and_then(|play| play.filter.as_ref());
    if let Some(filter) = filter.filter(|_| met.turns.iter().all(|turns| *turns == 0)) {
        warnings.push(Problem::new(filter.span.clone(), format!("nobody has a turn in {games}")));
    }
    ranges(file, program, &met, &games, &mut warnings);
    if met.fault.is_none() {
        warnings.extend(unreached(text, (GAMES, STEPS)));
    }
    let mut fault = cannot_go_on(text, program, &met, "");
    let long = limits::long(file, program, &met);
    warnings.extend(long.iter().map(|long| long.problem(file, &games)));
    for preset in &file.presets {
        // What is wrong with it was found when the text was read.
        let Ok(program) = compile::compile(file, &preset.values) else { continue };
        let met = Met::new(&program, PRESET_GAMES, PRESET_STEPS);
        let when = format!(" with preset `{}`", preset.name.text);
        fault = fault.or_else(|| cannot_go_on(text, &program, &met, &when));
        let found = limits::long(file, &program, &met);
        let is_known = |found: &&Long| long.iter().any(|long| long.name == found.name);
        let new = found.iter().filter(|found| !is_known(found) && !found.is_meant_by(file, preset));
        let games = format!("{} random games{when}", grouped(met.games));
        warnings.extend(new.map(|new| new.problem_of(text, preset, &games)));
    }
    if fault.is_none() {
        warnings.extend(at_ends(text));
    }
    warnings.sort_by_key(|warning| warning.span.start);
    Checked { warnings, fault }
}

/// The first random game in which a number left its range.
fn cannot_go_on(text: &GameText, program: &Program, met: &Met, when: &str) -> Option<Problem> {
    let (number, end) = met.fault?;
    let failure = program.failure(&end)?;
    let found = failure.in_words(text.text());
    let message = format!("the rules cannot go on in random game {}{when}: {found}", grouped(number));
    let help = failure.help();
    Some(Problem::new(failure.span, message).help(help))
}

fn questions(file: &File, program: &Program, met: &Met, games: &str, warnings: &mut Vec<Problem>) {
    for (kind, asked) in program.kinds.iter().zip(&met.asked) {
        let mut place: Option<Span> = None;
        file.each_statement(&mut |statement| match &statement.form {
            Form::Ask { name, .. } | Form::AskAll { name, .. } if name.text == kind.name => {
                place.get_or_insert(name.span.clone());
            }
            _ => {}
        });
        if let (0, Some(place)) = (asked, place) {
            let message = format!("`{}` never has two answers in {games}, if it is met at all", kind.name);
            warnings.push(Problem::new(place, message));
        }
    }
}

fn endings(file: &File, program: &Program, met: &Met, games: &str, warnings: &mut Vec<Problem>) {
    for (ending, &ended) in program.endings.iter().zip(&met.ended) {
        let Some(line) = lines_of(file, &ending.name).next() else { continue };
        // A limit that nobody meets is a good one.
        let is_limit = |end: &End| matches!(end.form, EndForm::After(..) | EndForm::Left(0));
        let has_limit = lines_of(file, &ending.name).any(is_limit);
        if ended == 0 && !has_limit {
            let message = format!("no game ends as `{}` in {games}", ending.name);
            warnings.push(Problem::new(line.span.clone(), message));
        }
    }
}

fn ranges(file: &File, program: &Program, met: &Met, games: &str, warnings: &mut Vec<Problem>) {
    let mut declared: Vec<&Name> =
        file.shared.iter().chain(&file.player).map(|variable| &variable.name).collect();
    file.each_statement(&mut |statement| {
        if let Form::Let(variable) = &statement.form {
            declared.push(&variable.name);
        }
    });
    for (named, range) in program.named.iter().zip(&met.ranges) {
        let (Some(named), Some((least, most))) = (named, *range) else { continue };
        let Some(place) = declared.iter().find(|name| name.text == named.name) else { continue };
        // What nothing reads is not worked out.
        if warnings.iter().any(|warning| warning.span == place.span) {
            continue;
        }
        let (low, high) = named.range;
        let (width, found) = (high - low, most - low.min(least));
        if width > found.saturating_mul(WIDER) && width - found > MORE {
            let message =
                format!("`{}` is {least} to {most} in {games}, and its range is {low}..{high}", named.name);
            let help = "a narrower range makes positions smaller; but who stops later than at random may need all of it";
            warnings.push(Problem::new(place.span.clone(), message).help(help));
        }
    }
}
