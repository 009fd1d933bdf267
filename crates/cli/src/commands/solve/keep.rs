//! Best play as files that other commands take: a policy, its values, and what was solved.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde::Serialize;
use stopwise_engine::game::AnswerForm;
use stopwise_erased::{AnyRules, Solved};
use stopwise_policy::write_values;
use stopwise_reports::as_read;

use crate::output::{POLICY, SOLUTION, VALUES};
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
    let answer = |kind: &stopwise_engine::game::Kind| match kind.form {
        AnswerForm::YesNo => format!("{} = \"true\"\n", kind.name),
        AnswerForm::Items | AnswerForm::Number => format!("{} = []\n", kind.name),
    };
    rules.kinds().iter().map(answer).collect()
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
    /// The files.
    pub(super) fn files(&self, values: Vec<u8>) -> Beside<'static> {
        let Self { rules, game, name, metric, solved, seconds } = *self;
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
            section = write_values(VALUES, &values, name, about.name),
        );
        let solution = solution(rules, name, metric, [solved.value, solved.error], (solved.states, seconds));
        let files = [(POLICY, text.into_bytes()), (VALUES, values), (SOLUTION, solution)];
        files.map(|(name, bytes)| (name, whole(bytes))).into()
    }
}
