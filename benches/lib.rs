//! What the benchmarks share: how long to measure, and one batch of games as they all play it.
//!
//! `cargo bench -p stopwise-benches` runs everything; a name after `--` picks some: `-- carbonite/tidy`. All
//! games are those of seed 1 from trial 0, so that what is measured never differs but for the machine. Compare
//! numbers of one run on a quiet machine only.

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use stopwise_engine::game::{Game, Policy};
use stopwise_engine::run::batch;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{TextPolicy, shipped};

/// The seed of every benchmark.
pub const SEED: u64 = 1;

/// Trials of one batch: a few milliseconds' work, beside which an empty tally costs nothing.
pub const TRIALS: u64 = 20_000;

/// Twenty samples in two seconds: enough to see a difference of a few hundredths on a quiet machine.
pub fn criterion() -> Criterion {
    let measured = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2));
    measured.warm_up_time(Duration::from_secs(1)).without_plots()
}

/// Plays [`TRIALS`] games on this thread.
///
/// Rules and line-up are hidden from the compiler: those of a user are not known when it runs either.
pub fn play<G: Game, P: Policy<G>>(game: &G, lineup: &[P]) -> Tally {
    let mut tally = Tally::new(game);
    batch(black_box(game), black_box(lineup), &Keys::new(SEED), 0..TRIALS, &mut tally);
    tally
}

/// A policy that comes with the program, with its own parameters.
///
/// # Panics
///
/// If the game ships no such policy, or it does not compile under these rules.
pub fn shipped_policy<G: Vocabulary>(game: &G, name: &str) -> TextPolicy<G> {
    let text = shipped::policy(game.info().name, name).expect("a shipped policy").text();
    TextPolicy::compile(&text, game, &[]).expect("shipped policies compile")
}
