//! What was played, for pages: the rules and the policies, in words and as texts.

use serde_json::Value;
use stopwise_document::{Folded, Report, View};
use stopwise_erased::{AnyPolicy, AnyRules};
use stopwise_narration::{GameSummary, InWords, about_under};

/// Says in a report what was played, the game under its rules and then every policy once, and adds the words of the game
/// to its terms.
pub fn describe<'p>(
    report: &mut Report,
    rules: &dyn AnyRules,
    name: &str,
    policies: impl IntoIterator<Item = &'p AnyPolicy>,
) {
    let about = about_under(rules.entry(), [rules]);
    report.played.push(game(rules, name, &about));
    for policy in policies {
        let title = policy.label();
        if report.played.iter().all(|folded| folded.title != title) {
            report.played.push(of_policy(rules, policy, title));
        }
    }
    for (word, meaning) in about.words {
        if report.terms.iter().all(|(known, _)| *known != word) {
            report.terms.push((word, meaning));
        }
    }
}

fn game(rules: &dyn AnyRules, name: &str, about: &GameSummary) -> Folded {
    let mut prose = vec![about.title.clone()];
    prose.extend(about.paragraphs.iter().cloned());
    if !about.sources.is_empty() {
        prose.push(format!("The rules were published here: {}", about.sources.join(" · ")));
    }
    let mut options = View::new("").texts("option").texts("value");
    flat(&mut options, "", &rules.options());
    Folded {
        title: format!("{} · rules {name}", rules.game()),
        prose,
        options,
        source: rules.entry().text.to_owned(),
        is_open: true,
    }
}

/// Options with the keys of `--set`.
fn flat(options: &mut View, key: &str, value: &Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                flat(options, &key, value);
            }
        }
        Value::String(text) => options.row([key.to_owned(), text.clone()]),
        value => options.row([key.to_owned(), value.to_string()]),
    }
}

fn of_policy(rules: &dyn AnyRules, policy: &AnyPolicy, title: String) -> Folded {
    let explained = rules.explain(policy);
    let lines = explained.lines().map(str::trim).filter(|line| !line.is_empty());
    Folded {
        title,
        prose: lines.map(str::to_owned).collect(),
        options: View::default(),
        source: policy.heading().text.text.clone(),
        is_open: false,
    }
}
