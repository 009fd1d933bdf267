//! `manifest.json`: everything that is needed to repeat a result, and how long it took.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::Found;
use crate::failure::Failure;

/// What the tally does not know.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) rules: Value,
    /// For every seat: the policy's text and where it came from.
    pub(crate) texts: Vec<(String, String)>,
    pub(crate) requested: u64,
    pub(crate) runner: &'static str,
    pub(crate) instructions: Option<&'static str>,
    pub(crate) threads: usize,
    pub(crate) wall_seconds: f64,
    pub(crate) cpu_seconds: f64,
}

#[derive(Serialize)]
struct Manifest<'f> {
    program: &'static str,
    version: &'static str,
    command_line: Vec<String>,
    game: &'static str,
    rules: Rules<'f>,
    policies: Vec<Policy<'f>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<Rotation>,
    seed: u64,
    stream_scheme: u32,
    first_trial: u64,
    trials: u64,
    requested_trials: u64,
    complete: bool,
    runner: &'static str,
    instructions: Option<&'static str>,
    threads: usize,
    wall_seconds: f64,
    cpu_seconds: f64,
}

#[derive(Serialize)]
struct Rules<'f> {
    name: &'f str,
    options: &'f Value,
}

/// Where policies are rotated.
#[derive(Serialize)]
struct Rotation {
    /// The rule, in words.
    rule: &'static str,
    /// Of each rotation, in order.
    trials: Vec<u64>,
}

#[derive(Serialize)]
struct Policy<'f> {
    /// Where policies are rotated, the seat in trial 0.
    seat: usize,
    policy: &'f str,
    file: &'f str,
    sha256: String,
    text: &'f str,
}

/// The bytes of the manifest.
pub(crate) fn manifest(found: &Found, context: &Context) -> Result<Vec<u8>, Failure> {
    let policy = |(seat, (label, (file, text))): (usize, (&'_ String, &'_ (String, String)))| {
        let digest = Sha256::digest(text.as_bytes());
        let sha256 = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        (seat + 1, label.clone(), file.clone(), sha256, text.clone())
    };
    let policies: Vec<(usize, String, String, String, String)> =
        found.policies.iter().zip(&context.texts).enumerate().map(policy).collect();
    let manifest = Manifest {
        program: "stopwise",
        version: env!("CARGO_PKG_VERSION"),
        // Paths need not be UTF-8.
        command_line: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        game: found.game,
        rules: Rules { name: &found.rules, options: &context.rules },
        policies: policies
            .iter()
            .map(|(seat, policy, file, sha256, text)| Policy {
                seat: *seat,
                policy,
                file,
                sha256: sha256.clone(),
                text,
            })
            .collect(),
        rotation: found.is_rotated().then(|| Rotation {
            rule: "in trial i the policy for seat s plays in seat s + i, counted round the table",
            trials: found.rotations.iter().map(|tally| tally.trials).collect(),
        }),
        seed: found.seed,
        stream_scheme: stopwise_engine::stream::SCHEME,
        first_trial: 0,
        trials: found.tally.trials,
        requested_trials: context.requested,
        complete: found.tally.trials == context.requested,
        runner: context.runner,
        instructions: context.instructions,
        threads: context.threads,
        wall_seconds: context.wall_seconds,
        cpu_seconds: context.cpu_seconds,
    };
    let mut bytes = serde_json::to_vec_pretty(&manifest)?;
    bytes.push(b'\n');
    Ok(bytes)
}
