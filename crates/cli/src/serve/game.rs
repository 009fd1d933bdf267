//! The games, and what can be set in one.

use serde::Deserialize;
use serde_json::{Value, json};
use stopwise_engine::game::Better;
use stopwise_engine::info::{AnswerForm, Kind};
use stopwise_engine::options::{Domain, RuleOption};
use stopwise_erased::{AnyPolicy, AnyRules, Game, games};
use stopwise_narration::{InWords as _, about_under};
use stopwise_policy::{TomlText as _, shipped};

use super::setting::Setting;
use super::{Clerk, Wrong};
use crate::fresh::fresh;
use crate::session::Session;
use crate::setup::{self, PolicySpec};

/// What is to be told.
#[derive(Debug, Deserialize)]
pub(super) struct Tell {
    setting: Setting,
}

/// The games that come with the program, the one to begin with, and the texts that one of your own begins with.
pub(super) fn list(clerk: &Clerk<'_>) -> Result<Value, Wrong> {
    let game =
        |game: &&Game| json!({ "name": game.name, "summary": game.summary, "text": !game.text.is_empty() });
    const OWN: &str = "my-game";
    let [text, policy] = fresh(OWN);
    let games: Vec<_> = games().iter().map(game).collect();
    Ok(json!({ "games": games, "begin": clerk.begin, "fresh": [OWN, text, policy] }))
}

/// What can be set in a game. For a text with mistakes it is only the text, so that they can be mended.
pub(super) fn told(clerk: &Clerk<'_>, Tell { setting }: &Tell) -> Result<Value, Wrong> {
    told_whole(clerk, setting).or_else(|Wrong(status, why)| {
        let files = setting.files(clerk.folder)?;
        let Some(text) = files.texts.get(&setting.game) else { return Err(Wrong(status, why)) };
        Ok(json!({
            "broken": why, "name": setting.game.trim_end_matches(".game"), "title": "", "text": text, "isText": true,
            "summary": "A text that is no game yet.", "seats": 1, "paragraphs": [], "words": [], "presets": [],
            "options": [], "policies": [], "metrics": [],
        }))
    })
}

fn told_whole(clerk: &Clerk<'_>, setting: &Setting) -> Result<Value, Wrong> {
    let session = setting.session(clerk.folder)?;
    let game = setup::game(&session, &setting.game().game)?;
    // If options contradict each other, the rest can still be set.
    let named = setting.rules(&session);
    let problem = named.as_ref().err().map(|Wrong(_, message)| message.clone());
    let rules = match named {
        Ok(named) => named.rules,
        Err(_) => Setting { set: Default::default(), ..setting.clone() }
            .rules(&session)
            .map_or_else(|_| setup::first_rules(game).map(|named| named.rules), |named| Ok(named.rules))?,
    };
    let told = about_under(game, [&*rules]);
    let values = rules.options();
    let options = game.options.iter().map(|option| told_option(option, &values));
    let presets = game.presets.iter();
    let presets = presets.map(|preset| json!({ "name": preset.name, "summary": preset.text().summary() }));
    let policies = game.policies.iter().filter_map(|policy| {
        let compiled = rules.compile(&policy.text(), &[]).ok()?;
        Some(told_policy(policy.name, policy.content, &compiled))
    });
    let own = setting.policies.iter().filter(|chosen| game.policy(&chosen.name).is_none());
    let own = own.filter_map(|chosen| own_policy(&session, &*rules, &chosen.name));
    let metrics = rules.metrics().iter();
    let metrics =
        metrics.map(|metric| json!({ "name": metric.name, "unit": metric.unit, "meaning": metric.meaning, "less": metric.better == Better::Lower }));
    let first = if game.policies.is_empty() { first_policy(game.name, rules.kinds()) } else { String::new() };
    let text = if game.text.is_empty() { told_as_text(game.name) } else { game.text };
    Ok(json!({
        "name": game.name, "title": told.title, "summary": game.summary, "paragraphs": told.paragraphs,
        "words": told.words, "sources": told.sources, "isText": !game.text.is_empty(), "text": text,
        "presets": presets.collect::<Vec<_>>(), "options": options.collect::<Vec<_>>(),
        "policies": policies.chain(own).collect::<Vec<_>>(), "seats": rules.seats(),
        "metrics": metrics.collect::<Vec<_>>(), "problem": problem, "first": first,
        "decisions": rules.kinds().iter().map(|kind| json!({ "name": kind.name, "meaning": kind.meaning })).collect::<Vec<_>>(),
    }))
}

/// A first policy for a game that comes without one: it says yes, and takes the first or the least.
fn first_policy(game: &str, kinds: &[Kind]) -> String {
    let begin =
        format!("game = \"{game}\"\nname = \"first\"\nsummary = \"To be changed: says yes at once.\"\n");
    let answer = |kind: &Kind| {
        let answer = match kind.form {
            AnswerForm::YesNo => "\"true\"",
            AnswerForm::Items => "[]",
            AnswerForm::Number => "\"0\"",
        };
        format!("\n# {}\n{} = {answer}\n", kind.meaning.replace('\n', " "), kind.name)
    };
    kinds.iter().map(answer).fold(begin, |text, answer| text + &answer)
}

/// A game in Rust as a text to begin from, if it is told as one.
fn told_as_text(game: &str) -> &'static str {
    shipped::game_text(game).map_or("", |text| text.content)
}

/// An option with its value, and the values that it takes.
fn told_option(option: &RuleOption, values: &Value) -> Value {
    let value = option.name.split('.').fold(values, |value, name| &value[name]);
    let (meaning, of_words) = option.meanings();
    json!({
        "name": option.name, "meaning": meaning, "meanings": of_words, "value": value, "takes": told_domain(&option.domain),
        "advice": option.domain.to_string(),
    })
}

fn told_domain(domain: &Domain) -> Value {
    match domain {
        Domain::YesNo => json!({ "kind": "yesno" }),
        Domain::Whole(range) => json!({ "kind": "whole", "low": range.low, "high": range.high }),
        Domain::Number(low, high) => json!({ "kind": "number", "low": low, "high": high }),
        Domain::Words(words) => json!({ "kind": "words", "words": words }),
        Domain::Either(domains) => {
            json!({ "kind": "either", "of": domains.iter().map(told_domain).collect::<Vec<_>>() })
        }
        Domain::Text(_) | Domain::List(_) => json!({ "kind": "text" }),
    }
}

fn told_policy(name: &str, text: &str, compiled: &AnyPolicy) -> Value {
    let heading = compiled.heading();
    let params = heading.parameters.iter();
    let params = params.map(|it| {
        json!({
            "name": it.name, "value": it.value(), "truth": it.is_truth, "unit": it.unit, "meaning": it.meaning,
        })
    });
    json!({ "name": name, "title": heading.name, "summary": heading.summary, "params": params.collect::<Vec<_>>(), "text": text })
}

/// A policy that is a file of the directory, or is being written.
fn own_policy(session: &Session, rules: &dyn AnyRules, name: &str) -> Option<Value> {
    let spec = PolicySpec::parse(session, name, Some(rules.entry())).ok()?;
    let compiled = spec.compile(session, rules);
    Some(match compiled {
        Ok(compiled) => told_policy(name, &spec.text.text, &compiled),
        Err(_) => json!({ "name": name, "summary": "", "params": [], "text": spec.text.text }),
    })
}
