//! `games check`: what is wrong with a text, what of it is hardly meant, whether what it expects is so, and what was
//! understood.

use std::ops::ControlFlow;

use stopwise_analysis::exact::{ExactError, Limits};
use stopwise_engine::run::{Plan, play};
use stopwise_erased::{AnyPolicy, AnyRules, Game};
use stopwise_narration::{counted, grouped};
use stopwise_policy::{TextError, visible_word};
use stopwise_script::{Checked, Expect, GameText, Problem, place};

use crate::commands::each_file::each_file;
use crate::failure::Failure;
use crate::mistake::Mistake;
use crate::output::{note, tell};
use crate::session::Session;
use crate::setup::{self, PolicySpec};

/// The most positions of what is solved, and the trials of what is not.
const STATES: usize = 200_000;
const TRIALS: u64 = 100_000;

pub(super) fn check(session: &Session, files: &[String]) -> Result<(), Failure> {
    let said = ["the game is not what it should be", "games are not what they should be"];
    each_file(session, files, said, |file| check_one(session, file))
}

/// What is not as the author of the text expects.
fn check_one(session: &Session, file: &str) -> Result<Vec<Mistake>, Failure> {
    let text = setup::game_text(session, file)?;
    let in_file = |error| TextError { file: text.file.clone(), ..error };
    let read = GameText::checked(&text.text).map_err(in_file)?;
    let game = Game::from_text(&text)?;
    let script = read.script(&[]).map_err(in_file)?;
    let Checked { warnings, fault } = stopwise_script::check(&read, &script);
    let but = if fault.is_none() { "but" } else { "and" };
    let doubts = match warnings.len() {
        0 => String::new(),
        1 => format!(", {but} see the warning"),
        many => format!(", {but} see {many} warnings"),
    };
    let say = |what: &str, problem: Problem| {
        let error = TextError { file: text.file.clone(), text: text.text.clone(), problems: vec![problem] };
        note(session, &format!("{what}: {error}"));
        Mistake::all(&error)
    };
    let mut mistakes: Vec<Mistake> = fault.into_iter().flat_map(|fault| say("error", fault)).collect();
    let is_sound = mistakes.is_empty();
    warnings.into_iter().for_each(|warning| drop(say("warning", warning)));
    for expect in read.expects() {
        let (line, column) = place(&text.text, expect.span.start);
        let here = format!("{}:{line}", visible_word(&text.file));
        let expected = format!("{} = {}", expect.metric, expect.number);
        match tried(session, game, &read, expect)? {
            Tried::Mean(found, off) if (found - expect.number).abs() <= expect.within + off => {}
            Tried::Mean(found, off) => {
                let about = if off > 0.0 { format!(" ± {off:.2}") } else { String::new() };
                let message = format!("{expected} is expected, and it is {found}{about}");
                note(session, &format!("error: {here}: {message}"));
                let (file, line, column) = (text.file.clone(), Some(line), Some(column));
                mistakes.push(Mistake { file, line, column, message, help: None });
            }
            Tried::Left(why) => note(session, &format!("note: {here}: {expected} is not tried: {why}")),
        }
    }
    let options = counted(read.options().len() as u64, "option");
    let presets = counted(read.presets().len() as u64, "preset");
    let expectations = counted(read.expects().len() as u64, "expectation");
    tell(
        session,
        &format!(
            "{}: {}{doubts} ({}; {options}, {presets}, {expectations})\n\nWhat was understood:\n\n{}\n",
            visible_word(file),
            match (is_sound, mistakes.is_empty()) {
                (false, _) => "the rules cannot go on in some games",
                (true, true) => "good",
                (true, false) => "not as expected",
            },
            read.name(),
            read.tell().join("\n")
        ),
    )?;
    Ok(mistakes)
}

/// What an expectation came to.
enum Tried {
    /// The mean, and how far it may be off.
    Mean(f64, f64),
    /// It could not be tried, and why.
    Left(String),
}

fn tried(session: &Session, game: &'static Game, read: &GameText, expect: &Expect) -> Result<Tried, Failure> {
    let script = read.script(&expect.options)?;
    let rules = game.rules(&script);
    let Some(metric) = rules.metrics().iter().position(|metric| metric.name == expect.metric) else {
        return Ok(Tried::Left("it is no metric under these options".into()));
    };
    let mut seats: Vec<Option<AnyPolicy>> = Vec::new();
    for name in &expect.policies {
        seats.push(match name.as_str() {
            "best" => None,
            name => match policy(session, game, &*rules, name) {
                Ok(policy) => Some(policy),
                Err(Failure::Input(message) | Failure::Text(message, _)) => return Ok(Tried::Left(message)),
                Err(other) => return Err(other),
            },
        });
    }
    let given = seats.len();
    let seats: Vec<_> =
        (0..rules.seats()).map(|seat| seats.get(seat % given.max(1)).cloned().flatten()).collect();
    let whole = f64::from(rules.metrics()[metric].whole());
    let limits = Limits { states: STATES, ..Limits::default() };
    match rules.solve(&seats, metric, limits, 0) {
        Ok(solved) => return Ok(Tried::Mean(solved.value / whole, solved.error)),
        Err(ExactError::TooLarge { .. }) => {}
        Err(error) => return Ok(Tried::Left(error.to_string())),
    }
    let Some(lineup) = seats.into_iter().collect::<Option<Vec<_>>>() else {
        let most = grouped(STATES as u64);
        return Ok(Tried::Left(format!("best play has more than {most} positions; see `stopwise solve`")));
    };
    let arm = rules.arm(&[lineup]);
    let tallies = play(&*arm, &Plan { seed: 1, trials: 0..TRIALS }, &|_| ControlFlow::Continue(()));
    let values = &tallies[0].seats[0].metrics[metric];
    let (sum, squares) = values.sums();
    #[allow(clippy::cast_precision_loss, reason = "far below 2⁵³")]
    let (trials, sum, squares) = (tallies[0].trials as f64, sum as f64, squares as f64);
    let mean = sum / trials;
    let error = ((squares / trials - mean * mean).max(0.0) / trials).sqrt();
    Ok(Tried::Mean(mean / whole, 5.0 * error / whole))
}

/// A policy of the game, or in a file beside it.
fn policy(
    session: &Session,
    game: &'static Game,
    rules: &dyn AnyRules,
    name: &str,
) -> Result<AnyPolicy, Failure> {
    PolicySpec::parse(session, name, Some(game))?.compile(session, rules)
}
