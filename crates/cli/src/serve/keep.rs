//! What the page can save: the report, and rules, policies and games as files.

use serde::Deserialize;
use serde_json::{Value, json};
use stopwise_document::html;
use stopwise_erased::AnyRules;
use stopwise_narration::InWords as _;
use stopwise_policy::Text;

use super::setting::{Chosen, Setting};
use super::shown::{Shown, View};
use super::{Clerk, Wrong, document, held, ranking};
use crate::args::Request;
use crate::setup::{self, PolicySpec};
use crate::stop::StopToken;

/// The page that the command prints with `--format html`.
pub(super) fn report(clerk: &Clerk<'_>, shown: &Shown, stop: &StopToken) -> Result<String, Wrong> {
    let Shown { setting, trials, view, .. } = shown;
    let request = match view {
        View::Games => Request::Simulate(setting.simulation(clerk, (*trials).clamp(1, super::picture::MOST))),
        View::Ranking => ranking::of_shown(clerk, shown)?,
        View::Held => held::of_shown(clerk, shown)?,
    };
    let found = clerk.ask(setting, request, stop)?;
    Ok(html::page_alone(&document(found)?))
}

/// What is to be saved, and the name that the text gives it.
#[derive(Debug, Deserialize)]
pub(super) struct Keep {
    setting: Setting,
    /// `rules`, `policy` or `game`.
    what: String,
    /// Which policy.
    #[serde(default)]
    policy: usize,
    /// What the rules are called.
    #[serde(default)]
    name: String,
}

/// A text to be saved or downloaded.
pub(super) fn kept(clerk: &Clerk<'_>, Keep { setting, what, policy, name }: &Keep) -> Result<Value, Wrong> {
    let session = setting.session(clerk.folder)?;
    let game = setup::game(&session, &setting.game().game)?;
    let text = match &**what {
        "game" => match stopwise_policy::shipped::game_text(game.name) {
            _ if !game.text.is_empty() => game.text.to_owned(),
            Some(text) => text.content.to_owned(),
            None => {
                return Err(Wrong(422, format!("{} has no text: it is a part of the program", game.name)));
            }
        },
        "rules" => {
            let named = setting.rules(&session)?;
            named.rules.to_text(if name.is_empty() { &named.name } else { name })
        }
        _ => {
            let chosen = setting.policies.get(*policy).cloned().unwrap_or_default();
            let spec = PolicySpec::parse(&session, &chosen.name, Some(game))?;
            with_parameters(&*setting.rules(&session)?.rules, spec.text, &chosen)
        }
    };
    Ok(json!({ "text": text }))
}

/// The text of a policy with other values of its parameters. Where they cannot be replaced, the text is unchanged and a remark
/// says which values were played.
fn with_parameters(rules: &dyn AnyRules, text: Text, chosen: &Chosen) -> String {
    if chosen.params.is_empty() {
        return text.text;
    }
    let changed = chosen.params.iter().fold(text.text.clone(), |text, (name, value)| set(&text, name, value));
    let overrides: Vec<_> = chosen.params.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let parameters = |text: &str, overrides: &[(String, String)]| {
        let compiled = rules.compile(&Text::new("kept", text), overrides).ok()?;
        let parameters = compiled.heading().parameters.iter();
        Some(parameters.map(|parameter| (parameter.name.clone(), parameter.value())).collect::<Vec<_>>())
    };
    let wanted = parameters(&text.text, &overrides);
    if wanted.is_some() && parameters(&changed, &[]) == wanted {
        return changed;
    }
    format!("# Played as {}\n{}", chosen.word(), text.text)
}

/// The text with the value of a parameter replaced: after `NAME =` within `params = { … }`, after `params.NAME =`, or below
/// `[params]`.
fn set(text: &str, name: &str, value: &str) -> String {
    let Some(params) = text.find("params") else { return text.to_owned() };
    format!("{}{}", &text[..params], set_after(&text[params..], name, value))
}

/// The text with what follows the first `NAME =` replaced.
fn set_after(text: &str, name: &str, value: &str) -> String {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut from = 0;
    while let Some(at) = text[from..].find(name).map(|at| from + at) {
        from = at + name.len();
        let is_whole = !text[..at].ends_with(is_letter) && !text[from..].starts_with(is_letter);
        let rest = &text[from..];
        let after = rest.trim_start();
        if is_whole && after.starts_with('=') {
            let value_at = from + (rest.len() - after.len()) + 1;
            // Beside the value its unit and meaning may stand.
            if text[value_at..].trim_start().starts_with('{') && name != "value" {
                return format!("{}{}", &text[..value_at], set_after(&text[value_at..], "value", value));
            }
            let old = text[value_at..].find([',', '}', '\n', '#']).unwrap_or(text.len() - value_at);
            let (begin, end) = (&text[..value_at], &text[value_at + old..]);
            let gap = if end.starts_with(['}', '#']) { " " } else { "" };
            return format!("{begin} {value}{gap}{end}");
        }
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_set_in_the_text() {
        for (text, expected) in [
            (
                "params = { n = 20 }\nstop = \"turn_total >= n\"\n",
                "params = { n = 25 }\nstop = \"turn_total >= n\"\n",
            ),
            ("params = { nn = 1, n = 20, m = 3 }\n", "params = { nn = 1, n = 25, m = 3 }\n"),
            ("[params]\nn = 20 # more\nm = 2\n", "[params]\nn = 25 # more\nm = 2\n"),
            ("stop = \"n == 3\"\n", "stop = \"n == 3\"\n"),
            (
                "params.m = { value = 1 }\nparams.n = { unit = \"points\", value = 20 }\n",
                "params.m = { value = 1 }\nparams.n = { unit = \"points\", value = 25 }\n",
            ),
            (
                "params.n = { value = 20, meaning = \"of n = 3\" }\n",
                "params.n = { value = 25, meaning = \"of n = 3\" }\n",
            ),
        ] {
            assert_eq!(set(text, "n", "25"), expected);
        }
    }
}
