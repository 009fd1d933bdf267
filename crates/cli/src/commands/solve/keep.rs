//! Best play as files that other commands take: a policy, its values, and what was solved.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde::Serialize;
use stopwise_engine::game::{AnswerForm, Kind};
use stopwise_engine::vocabulary::listed;
use stopwise_erased::{AnyRules, Solved};
use stopwise_policy::{Text, write_values};
use stopwise_reports::as_read;
use stopwise_reports::solve::AnswerTable;

use crate::output::{HOLD_AT, POLICY, SOLUTION, VALUES};
use crate::publish::{Beside, whole};

/// How policies begin that this command writes.
const BEGINNING: &str = "# Best play ";

/// The first words of a policy.
pub(super) fn beginning(rules: &dyn AnyRules, name: &str) -> String {
    format!("{BEGINNING}of {} (rules {name}), ", rules.game())
}

/// Whether an earlier run wrote this file.
pub(super) fn is_ours(path: &Path) -> bool {
    let mut begins = Vec::new();
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
    let is_read =
        is_file && File::open(path).is_ok_and(|file| file.take(64).read_to_end(&mut begins).is_ok());
    is_read && [BEGINNING, SOLVED].iter().any(|ours| begins.starts_with(ours.as_bytes()))
}

/// Answers to every kind of question, which a text has to give: the values know better.
pub(super) fn answers(rules: &dyn AnyRules) -> String {
    rules.kinds().iter().map(answer).collect()
}

fn answer(kind: &Kind) -> String {
    match kind.form {
        AnswerForm::YesNo => format!("{} = \"true\"\n", kind.name),
        AnswerForm::Items | AnswerForm::Number => format!("{} = []\n", kind.name),
    }
}

/// How the file begins that says what was solved.
const SOLVED: &str = "{\n  \"program\": \"stopwise\",\n";

#[derive(Serialize)]
struct Solution<'s> {
    program: &'s str,
    game: &'s str,
    rules: &'s str,
    metric: &'s str,
    unit: &'s str,
    value: f64,
    error: f64,
    states: usize,
    seconds: f64,
}

/// What was solved, for programs.
pub(super) fn solution(
    rules: &dyn AnyRules,
    name: &str,
    metric: usize,
    [value, error]: [f64; 2],
    (states, seconds): (usize, f64),
) -> Vec<u8> {
    let metric = &rules.metrics()[metric];
    let (scale, unit) = as_read(metric);
    let solution = Solution {
        program: "stopwise",
        game: rules.game(),
        rules: name,
        metric: metric.name,
        unit,
        value: scale * value,
        error: scale * error,
        states,
        seconds,
    };
    let mut text = serde_json::to_string_pretty(&solution).unwrap_or_default();
    text.push('\n');
    text.into_bytes()
}

/// Best play, to be kept.
pub(super) struct Keeping<'k> {
    pub(super) rules: &'k dyn AnyRules,
    /// As a policy names it.
    pub(super) game: &'k str,
    /// Of the rules.
    pub(super) name: &'k str,
    pub(super) metric: usize,
    pub(super) solved: &'k Solved,
    pub(super) seconds: f64,
}

impl Keeping<'_> {
    /// The files; with a table of thresholds as a policy, if there is one that is no longer than a text may be.
    pub(super) fn files(&self, values: Vec<u8>, table: Option<&AnswerTable>) -> Beside<'static> {
        let Self { rules, game, name, metric, solved, seconds } = *self;
        let section = write_values(VALUES, &values, name, rules.metrics()[metric].name);
        let about = &rules.metrics()[metric];
        let (scale, unit) = as_read(about);
        let knows = match solved.turn_steps {
            0 => "every position",
            _ => "every position between turns, from which turns are worked out as they are asked for",
        };
        let text = format!(
            "{beginning}for {metric}: {value:.12} {unit} (± {error:.1e}).\n\
             # The answers before the values are never needed: {VALUES} knows {knows}.\n\
             game = {game:?}\nname = \"best-play\"\n\
             summary = \"Best play for {metric}, solved exactly: {value:.6} {unit}.\"\n\n\
             {answers}\n{section}",
            beginning = beginning(rules, name),
            metric = about.name,
            value = scale * solved.value,
            error = scale * solved.error,
            answers = answers(rules),
        );
        let solution = solution(rules, name, metric, [solved.value, solved.error], (solved.states, seconds));
        let held = table.and_then(|table| Some((table, table.condition()?)));
        let held =
            held.map(|(table, condition)| (HOLD_AT, self.held(table, &condition, &section).into_bytes()));
        let held = held.filter(|(_, text)| text.len() <= Text::LONGEST);
        let files = [(POLICY, text.into_bytes()), (VALUES, values), (SOLUTION, solution)];
        files.into_iter().chain(held).map(|(name, bytes)| (name, whole(bytes))).collect()
    }

    /// A policy that answers a decision as a table of thresholds has it, and others as best play.
    fn held(&self, table: &AnswerTable, condition: &str, section: &str) -> String {
        let Self { rules, game, name, .. } = self;
        let is_only = rules.kinds().len() == 1;
        let names: Vec<_> = table.by.iter().map(|feature| feature.name).collect();
        let names = listed(&names, "and");
        let kind = table.kind;
        let others = if is_only { "" } else { "; all else is best play" };
        let own = format!("{kind} = \"{condition}\"\n");
        let answer = |known: &Kind| if known.name == kind { own.clone() } else { answer(known) };
        let answers: String = rules.kinds().iter().map(answer).collect();
        let section = if is_only { String::new() } else { format!("\n{section}except = [{kind:?}]\n") };
        format!(
            "{beginning}as its table of thresholds has it.\n\
             game = {game:?}\nname = \"hold-at\"\n\
             summary = \"{kind} by {names}: the thresholds that lose least{others}.\"\n\n{answers}{section}",
            beginning = beginning(*rules, name),
        )
    }
}
