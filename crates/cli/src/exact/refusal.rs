//! Messages for games that cannot be solved: how large they are, and which variants are small enough.

use std::fmt::Write as _;

use stopwise_analysis::exact::{ExactError, Limit, Size};
use stopwise_engine::options::Domain;
use stopwise_erased::{AnyPolicy, AnyRules};
use stopwise_narration::{counted, grouped};
use stopwise_script::{GameText, Preset};

use crate::failure::Failure;
use crate::memory::Bytes;

/// What is said if a signal ends it.
pub(crate) const INTERRUPTED: &str = "interrupted: nothing is solved, and nothing was written";

pub(crate) fn failure(rules: &dyn AnyRules, error: ExactError) -> Failure {
    match error {
        ExactError::Interrupted => Failure::Interrupted(INTERRUPTED.into()),
        ExactError::TooLarge { limit, size, varied } => {
            Failure::Input(too_large(limit, &size) + &most_varied(&varied) + &sizes(rules))
        }
        ExactError::Fault(_) => Failure::Input(format!("{error}{EVERY_PATH}")),
        error => Failure::input(error),
    }
}

/// Why a range that games keep to may be left.
const EVERY_PATH: &str = "\n  or, if it can grow for ever, as for somebody who never stops, let the text keep it low by `min(…, MOST)`: \
                          every path is walked, also those that games hardly ever take";

/// An error if these policies would not be valued where best play is solved turn by turn: that may take minutes.
pub(crate) fn is_valued_by_turns(
    rules: &dyn AnyRules,
    policies: &[AnyPolicy],
    error: &ExactError,
) -> Result<(), Failure> {
    let Failure::Input(why) = failure(rules, error.clone()) else { return Ok(()) };
    let game = rules.game();
    match policies.iter().find(|policy| rules.remembers(policy)) {
        Some(_) if rules.seats() > 1 => {}
        Some(policy) => {
            return Err(Failure::Input(format!(
                "{why}\npolicy {}: {}",
                policy.label(),
                ExactError::Remembers
            )));
        }
        None if rules.seats() == 1 || policies.is_empty() => return Ok(()),
        None => {}
    }
    Err(Failure::Input(format!(
        "{why}\na policy is valued against its best opponent by that walk; best play alone may be solved turn by turn: \
         leave --policy out,\nkeep it with --out DIR, and see what it wins: stopwise simulate {game} -p DIR/policy.toml -p \
         POLICY"
    )))
}

/// Why a policy is not evaluated; what ends the command instead is an error.
pub(crate) fn why(error: ExactError) -> Result<String, Failure> {
    match error {
        ExactError::Interrupted => Err(Failure::Interrupted(INTERRUPTED.into())),
        ExactError::TooLarge { limit, size, varied } => Ok(too_large(limit, &size) + &most_varied(&varied)),
        error => Ok(error.to_string()),
    }
}

fn too_large(limit: Limit, size: &Size) -> String {
    let states = size.states_at_least.max(size.states);
    let mut out = "too large for an exact walk: ".to_owned();
    let bytes = Bytes(size.bytes as u64);
    let _ = match limit {
        Limit::States(most) => {
            write!(out, "more than {}, which --max-states allows", counted(most as u64, "state"))
        }
        Limit::Bytes(most) => {
            write!(out, "more than {} of memory, which --max-memory allows", Bytes(most as u64))
        }
    };
    let _ = write!(out, "\n  at least {}, which take {bytes} or more", counted(states as u64, "state"));
    if size.states == 0 {
        out.push_str(", as the rules tell");
        return out;
    }
    if states > size.states {
        out.push_str(", as a sample of them shows");
    }
    let _ = write!(
        out,
        "; found so far: {} in {} of {} stages or more",
        grouped(size.states as u64),
        grouped((size.stages + 1) as u64),
        grouped(size.stages_at_least.max(size.stages + 1) as u64)
    );
    out
}

/// The variables with most values, which make it large.
fn most_varied(varied: &[(String, usize)]) -> String {
    let most = varied.iter().filter(|(_, values)| *values > 1).take(3);
    let most: Vec<_> = most.map(|(name, values)| format!("{name} {}", grouped(*values as u64))).collect();
    if most.is_empty() { String::new() } else { format!("\n  most values so far have {}", most.join(", ")) }
}

/// Command lines that solve, ready to be typed; or that none are known.
fn sizes(rules: &dyn AnyRules) -> String {
    let lines = rules.info().solvable.iter().map(|size| {
        let line = format!("stopwise solve {} {}", rules.game(), size.options);
        (line, format!("{}, {} s", counted(size.states, "state"), size.seconds))
    });
    let lines = lines.chain(expected(rules));
    let lines: Vec<_> = lines.collect();
    let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
    let mut out = if lines.is_empty() && !rules.entry().text.is_empty() {
        format!(
            "\nno preset of {} has an `expect` line, so that none is known to be small enough",
            rules.game()
        )
    } else if lines.is_empty() {
        format!(
            "\n{} has no variant that is known to be small enough, and that somebody can win",
            rules.game()
        )
    } else if rules.info().solvable.is_empty() {
        format!("\nthese solve {}:", rules.game())
    } else {
        format!("\nsizes of {} that solve, with their times on two cores:", rules.game())
    };
    for (line, size) in lines {
        let _ = write!(out, "\n  {line:width$}   # {size}");
    }
    format!("{out}\n{}", instead(rules))
}

/// The presets of which a text says what must come out: an expectation is an exact value.
fn expected(rules: &dyn AnyRules) -> Vec<(String, String)> {
    let Ok(text) = GameText::new(rules.entry().text) else { return Vec::new() };
    let is_expected =
        |preset: &&Preset| text.expects().iter().any(|expect| expect.preset.as_ref() == Some(&preset.name));
    let line = |preset: &Preset| {
        (format!("stopwise solve {} --rules {}", rules.game(), preset.name), preset.meaning.clone())
    };
    text.presets().iter().filter(is_expected).map(line).collect()
}

/// What can be done with a game that is not solved.
pub(crate) fn instead(rules: &dyn AnyRules) -> String {
    let mut out = "not solved, it can be played: `stopwise rank` finds the best of some policies, `stopwise advise` what a choice is worth"
        .to_owned();
    let numbers = rules.entry().options.iter().filter(|option| matches!(option.domain, Domain::Whole(_)));
    let numbers: Vec<_> = numbers.map(|option| option.name).take(3).collect();
    // What a number of a text changes is not known: payouts leave as many positions.
    let is_text = !rules.entry().text.is_empty();
    if is_text {
        out.push_str("; in the text a lower limit on what grows, such as `min(pot + face, 100)`, leaves fewer positions");
    }
    if rules.info().solvable.is_empty() && !numbers.is_empty() && !is_text {
        let _ = write!(
            out,
            "; smaller numbers may be solved, such as of {}: --set NAME=NUMBER",
            numbers.join(", ")
        );
    }
    out
}
