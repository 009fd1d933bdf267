//! What was played, for pages: the rules and the policies, in words and as texts.

use serde_json::Value;
use stopwise_edge::{AnyPolicy, AnyRules, games};
use stopwise_report::{Folded, View};

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

fn game(rules: &dyn AnyRules, name: &str) -> Folded {
    let summary = games().iter().find(|game| game.name == rules.game()).map(|game| game.summary.to_owned());
    let mut options = View::new("").texts("option").texts("value");
    flat(&mut options, "", &rules.options());
    Folded {
        title: format!("{} · rules {name}", rules.game()),
        prose: summary.into_iter().collect(),
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
