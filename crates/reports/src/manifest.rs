//! `manifest.json`: what is needed to repeat a result, and how long it took.

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use stopwise_document::Report;
use stopwise_erased::AnyPolicy;
use stopwise_narration::{grouped, trials};
use stopwise_policy::Text;

use super::document::{exact, make_exact, written};

/// The plan of a run.
#[derive(Debug)]
pub struct Subject<'f> {
    /// The game.
    pub game: &'static str,
    /// The name of the rules.
    pub rules: &'f str,
    /// The seed.
    pub seed: u64,
    /// The trials that were played.
    pub trials: u64,
    /// With rotation, the trials of each rotation.
    pub rotations: Option<Vec<u64>>,
}

/// The policies, the runner and the machine of a run.
#[derive(Debug)]
pub struct Context {
    /// What was typed, word by word.
    pub command_line: Vec<String>,
    /// All options of the rules.
    pub rules: Value,
    /// The game, if it is a text.
    pub game_text: Option<GameFile>,
    /// Who played.
    pub policies: Vec<Policy>,
    /// The trials that were asked for.
    pub requested: u64,
    /// Whether something is lacking although all trials were played.
    pub is_cut: bool,
    /// The stopping rule and its outcome, if the number of trials was not fixed.
    pub stopping: Option<Value>,
    /// The name of the runner.
    pub runner: &'static str,
    /// The instructions that lanes used.
    pub instructions: Option<&'static str>,
    /// How many threads played.
    pub threads: usize,
    /// How long it took.
    pub wall_seconds: f64,
    /// The time of all threads together.
    pub cpu_seconds: f64,
}

#[derive(Serialize)]
struct Manifest<'f> {
    program: &'static str,
    version: &'static str,
    command_line: &'f [String],
    game: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_text: Option<&'f GameFile>,
    rules: Rules<'f>,
    policies: &'f [Policy],
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<Rotation>,
    #[serde(serialize_with = "exact")]
    seed: u64,
    stream_scheme: u32,
    first_trial: u64,
    #[serde(serialize_with = "exact")]
    trials: u64,
    #[serde(serialize_with = "exact")]
    requested_trials: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopping: Option<Value>,
    complete: bool,
    runner: &'static str,
    instructions: Option<&'static str>,
    threads: usize,
    wall_seconds: f64,
    cpu_seconds: f64,
    #[serde(flatten)]
    more: Value,
}

#[derive(Serialize)]
struct Rules<'f> {
    name: &'f str,
    options: &'f Value,
}

/// The rotation of policies.
#[derive(Serialize)]
struct Rotation {
    /// The rule, in words.
    rule: &'static str,
    /// The trials of each rotation, in order.
    trials: Value,
}

/// A game that is a text.
#[derive(Debug, Serialize)]
pub struct GameFile {
    file: String,
    sha256: String,
    text: String,
}

impl GameFile {
    /// A text, and where it is from.
    pub fn new(text: &Text) -> Self {
        Self { file: text.file.clone(), sha256: sha256(&text.text), text: text.text.clone() }
    }
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The policy of a seat.
#[derive(Debug, Serialize)]
pub struct Policy {
    /// In a comparison, the number of the line-up, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    lineup: Option<usize>,
    /// From 1; with rotation, the seat in trial 0.
    seat: usize,
    policy: String,
    file: String,
    sha256: String,
    text: String,
}

impl Policy {
    /// The policies of a line-up, seat by seat.
    pub fn of_seats(seats: usize, lineup: &[AnyPolicy], number: Option<usize>) -> Vec<Self> {
        let of_seat = |seat: usize| {
            let policy = &lineup[if lineup.len() == 1 { 0 } else { seat }];
            let text = &policy.heading().text;
            Self {
                lineup: number,
                seat: seat + 1,
                policy: policy.label(),
                file: text.file.clone(),
                sha256: sha256(&text.text),
                text: text.text.clone(),
            }
        };
        (0..seats).map(of_seat).collect()
    }
}

/// The bytes of the manifest of a report, from which tables may have been left out.
pub fn manifest(subject: &Subject<'_>, context: &Context, report: &Report) -> serde_json::Result<Vec<u8>> {
    manifest_with(subject, context, report, Map::new())
}

/// Whether all was played that was asked for.
fn is_complete(subject: &Subject<'_>, context: &Context) -> bool {
    subject.trials == context.requested && !context.is_cut
}

/// Says in a report whether all was played that was asked for: JSON as a fact, text and page as a warning if not.
pub fn mark(report: &mut Report, subject: &Subject<'_>, context: &Context) {
    let is_complete = is_complete(subject, context);
    report.fact("complete", is_complete);
    // Where only what is told of the trials was cut, the tables of it are left out or shorter.
    if subject.trials < context.requested {
        let (played, asked) = (grouped(subject.trials), trials(context.requested));
        report
            .warnings
            .insert(0, format!("Not complete: {played} of {asked} were played before the run was ended."));
    }
}

/// [`manifest`] with further fields of one command.
pub fn manifest_with(
    subject: &Subject<'_>,
    context: &Context,
    report: &Report,
    mut more: Map<String, Value>,
) -> serde_json::Result<Vec<u8>> {
    let is_whole = report.left_out.is_empty();
    if !is_whole {
        more.insert("left_out".to_owned(), report.left_out.clone().into());
    }
    let manifest = Manifest {
        program: "stopwise",
        version: env!("CARGO_PKG_VERSION"),
        command_line: &context.command_line,
        game: subject.game,
        game_text: context.game_text.as_ref(),
        rules: Rules { name: subject.rules, options: &context.rules },
        policies: &context.policies,
        rotation: subject.rotations.clone().map(|trials| Rotation {
            rule: "in trial i the policy for seat s plays in seat s + i, counted round the table",
            trials: exactly(trials.into()),
        }),
        seed: subject.seed,
        stream_scheme: stopwise_engine::stream::SCHEME,
        first_trial: 0,
        trials: subject.trials,
        requested_trials: context.requested,
        stopping: context.stopping.clone().map(exactly),
        complete: is_complete(subject, context) && is_whole,
        runner: context.runner,
        instructions: context.instructions,
        threads: context.threads,
        wall_seconds: context.wall_seconds,
        cpu_seconds: context.cpu_seconds,
        more: exactly(more.into()),
    };
    written(&manifest).map(String::into_bytes)
}

/// A value with its large numbers as text.
fn exactly(mut value: Value) -> Value {
    make_exact(&mut value);
    value
}
