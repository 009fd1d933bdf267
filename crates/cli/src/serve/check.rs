//! What is wrong with a text while it is written.

use serde::Deserialize;
use serde_json::{Value, json};
use stopwise_narration::read_rules;
use stopwise_policy::{Text, TextError};
use stopwise_script::{GameText, place};

use super::setting::Setting;
use super::{Clerk, Wrong};
use crate::setup;

/// A text, and the page's settings: a policy is checked under its rules.
#[derive(Debug, Deserialize)]
pub(super) struct Check {
    setting: Setting,
    /// The file.
    name: String,
    text: String,
    /// `game`, `policy` or `rules`.
    kind: String,
}

pub(super) fn check(clerk: &Clerk<'_>, Check { setting, name, text, kind }: &Check) -> Result<Value, Wrong> {
    let read = match Text::from_bytes(name, text.clone().into_bytes()) {
        Ok(read) => read,
        Err(error) => return Ok(told(&error)),
    };
    if kind == "game" {
        // A game that is not complete yet is not played: only its text is checked.
        return Ok(match GameText::checked(text) {
            Ok(game) => json!({ "problems": [], "understood": game.tell(), "name": game.name() }),
            Err(error) => told(&error),
        });
    }
    let session = setting.session(clerk.folder)?;
    let game = setup::game(&session, &setting.game().game)?;
    if kind == "rules" {
        return Ok(read_rules(game, &read).map_or_else(
            |error| told(&error),
            |rules| json!({ "problems": [], "understood": [], "name": rules.name }),
        ));
    }
    let rules = setting.rules(&session)?.rules;
    Ok(match rules.compile(&read, &[]) {
        Ok(policy) => {
            let explained = stopwise_narration::InWords::explain(&*rules, &policy);
            let understood: Vec<_> = explained.lines().map(str::to_owned).collect();
            let warnings: Vec<_> = policy.heading().warnings().collect();
            json!({ "problems": [], "warnings": warnings, "understood": understood, "name": policy.heading().name })
        }
        Err(error) => told(&error),
    })
}

/// What is legal in the text of a game but hardly meant; some of it is found by ten thousand games with random answers.
pub(super) fn warned(Check { name, text, .. }: &Check) -> Value {
    let found =
        GameText::checked(text).and_then(|game| Ok(stopwise_script::check(&game, &game.script(&[])?)));
    let problems =
        found.map_or_else(|_| Vec::new(), |found| found.fault.into_iter().chain(found.warnings).collect());
    told(&TextError { file: name.clone(), text: text.clone(), problems })
}

/// The most problems that are told.
const SHOWN: usize = 50;

/// The problems of a text, with places as a browser counts them: in units of 16 bits.
fn told(error: &TextError) -> Value {
    let units = |at: usize| {
        let before = error.text.get(..at).unwrap_or(&error.text);
        before.encode_utf16().count()
    };
    let problems = error.problems.iter().take(SHOWN).map(|problem| {
        let (line, column) = place(&error.text, problem.span.start);
        json!({
            "from": units(problem.span.start), "to": units(problem.span.end), "line": line, "column": column,
            "placed": problem.span != (0..0), "message": problem.message, "help": problem.help,
        })
    });
    json!({ "problems": problems.collect::<Vec<_>>(), "understood": [] })
}
