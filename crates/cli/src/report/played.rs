//! What was played, for pages: the rules and the policies, in words and as texts.

use serde_json::Value;
use stopwise_edge::{AnyPolicy, AnyRules};
use stopwise_report::{Folded, Report, View};
use stopwise_words::InWords;

use crate::about::{About, about};

/// Says in a report what was played, and adds the words of the game to its terms.
pub(crate) fn describe<'p>(
    report: &mut Report,
    rules: &dyn AnyRules,
    name: &str,
    policies: impl IntoIterator<Item = &'p AnyPolicy>,
) {
    report.played = played(rules, name, policies);
    add_words(report, rules);
}

/// Adds the words of the game to the terms of a report.
pub(crate) fn add_words(report: &mut Report, rules: &dyn AnyRules) {
    for (word, meaning) in told(rules).words {
        if report.terms.iter().all(|(known, _)| *known != word) {
            report.terms.push((word, meaning));
        }
    }
}

/// The game under its rules, then every policy once.
pub(crate) fn played<'p>(
    rules: &dyn AnyRules,
    name: &str,
    policies: impl IntoIterator<Item = &'p AnyPolicy>,
) -> Vec<Folded> {
    let mut all = vec![game(rules, name)];
    for policy in policies {
        let title = policy.label();
        if all.iter().all(|folded| folded.title != title) {
            all.push(of_policy(rules, policy, title));
        }
    }
    all
}

/// What the game is; its name alone where nothing is told of it.
fn told(rules: &dyn AnyRules) -> About {
    stopwise_edge::game(rules.game()).and_then(|game| about(game).ok()).unwrap_or_default()
}

fn game(rules: &dyn AnyRules, name: &str) -> Folded {
    let About { title, mut paragraphs, sources, .. } = told(rules);
    paragraphs.insert(0, title);
    if !sources.is_empty() {
        paragraphs.push(format!("The rules were published here: {}", sources.join(" · ")));
    }
    let mut options = View::new("").texts("option").texts("value");
    flat(&mut options, "", &rules.options());
    Folded {
        title: format!("{} · rules {name}", rules.game()),
        prose: paragraphs,
        options,
        source: String::new(),
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
