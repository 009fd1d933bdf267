//! Two settings side by side, on the same dice.

use serde::Deserialize;
use serde_json::{Value, json};
use stopwise_erased::NamedRules;
use stopwise_narration::InWords as _;
use stopwise_reports::live::{Apart, apart};

use super::picture::MOST;
use super::setting::Setting;
use super::{Clerk, Wrong, document};
use crate::args::{Compare, Request};
use crate::stop::StopToken;

/// What is compared: how B differs from A.
#[derive(Debug, Deserialize)]
pub(super) struct Versus {
    a: Setting,
    b: Setting,
    trials: u64,
}

pub(super) fn versus(
    clerk: &Clerk<'_>,
    Versus { a, b, trials }: &Versus,
    stop: &StopToken,
) -> Result<Value, Wrong> {
    if a.game != b.game || a.texts.get(&a.game) != b.texts.get(&b.game) {
        return Err(Wrong(
            422,
            "A and B are different games: their figures stand side by side, but not on the same dice.".into(),
        ));
    }
    let (mut files, others) = (a.files(clerk.folder)?, b.files(clerk.folder)?);
    files.tables.extend(others.tables);
    for (name, text) in others.texts {
        if files.texts.insert(name.clone(), text.clone()).is_some_and(|other| other != text) {
            return Err(Wrong(
                422,
                format!("{name} has one text in A and another in B: save one under another name."),
            ));
        }
    }
    let lineups: Vec<_> = [a, b].map(|setting| setting.policies().join("+")).into();
    let (rules, set, is_same) = rules(clerk, [a, b], &mut files.texts)?;
    let sides = match (is_same, lineups[0] == lineups[1]) {
        (true, true) => return Ok(json!({ "same": true, "apart": [] })),
        (false, false) => 4,
        _ => 2,
    };
    let mut request = Compare { game: a.game().game, rules, set, rotate: b.rotate, ..Compare::of("pig") };
    request.policies = lineups;
    request.policies.dedup();
    request.until.trials = Some((*trials).clamp(2, MOST));
    request.until.metric = b.metric.clone();
    clerk.common(&mut request.common, b.seed);
    let report = document(clerk.ask_with(files, Request::Compare(request), stop)?)?;
    let command = if is_same { &*report.repeat } else { "" };
    let found = apart(&report, sides);
    let of = |one: &Apart| {
        json!({
            "metric": one.metric, "value": one.value, "text": one.text, "interval": one.interval, "half": one.half,
            "shares": one.shares,
        })
    };
    Ok(json!({
        "same": false, "trials": trials, "apart": found.iter().map(of).collect::<Vec<_>>(), "command": command,
        "seats": a.policies.len().max(1),
    }))
}

/// A name that rules may have: letters, digits and hyphens, and which side it is of.
fn called(name: &str, side: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(40).collect();
    format!("{plain}-{side}")
}

/// The rules of both: as they are typed, if they are the same; else as two files that are added to the texts.
fn rules(
    clerk: &Clerk<'_>,
    settings: [&Setting; 2],
    texts: &mut super::setting::Texts,
) -> Result<(Vec<String>, Vec<String>, bool), Wrong> {
    let [a, b] = settings;
    let named = |setting: &Setting| setting.rules(&setting.session(clerk.folder)?);
    let (one, other) = (named(a)?, named(b)?);
    if one.rules.options() == other.rules.options() {
        return Ok((a.rules.clone().into_iter().collect(), a.game().set, true));
    }
    let mut files = Vec::new();
    for (NamedRules { name, rules }, side) in [(&one, "A"), (&other, "B")] {
        let file = format!("{side}/rules.toml");
        texts.insert(file.clone(), rules.to_text(&called(name, side)));
        files.push(file);
    }
    Ok((files, Vec::new(), false))
}
