//! What it costs that a policy is text: the same policy from its file and written in Rust.
//!
//! It supports what is said about the price of text. Before anything is measured, the two are held to the
//! same tally, number for number, so that `NAME/text` and `NAME/rust` play the very same games and the ratio
//! of their times is the price of the text: 1.2 means that a run takes a fifth longer than it would. `first`
//! asks a small table, `tidy` preference lists besides. Pig has little else to compute in a roll; `hold`
//! plays it for two, with a table of a megabyte, and `hold-solo` with one that stays in the nearest cache.

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use stopwise_benches::{TRIALS, play, shipped_policy};
use stopwise_engine::game::Policy;
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::native::{First, Hold, Tidy};

fn text_against_rust(c: &mut Criterion) {
    let mut group = c.benchmark_group("text_against_rust");
    group.throughput(Throughput::Elements(TRIALS)).sampling_mode(SamplingMode::Flat);
    // The numbers are the files' own.
    pair(&mut group, "first", Carbonite::WIKI, First { k: 2 }, "first");
    pair(&mut group, "tidy", Carbonite::WIKI, Tidy { k: 2 }, "tidy");
    pair(&mut group, "hold", Pig::STANDARD, Hold { n: 20 }, "hold");
    pair(&mut group, "hold-solo", Pig::SOLO, Hold { n: 20 }, "hold");
    group.finish();
}

fn pair<G: Vocabulary>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: &str,
    game: G,
    rust: impl Policy<G>,
    name: &str,
) {
    let (rust, text) = ([rust], [shipped_policy(&game, name)]);
    assert_eq!(play(&game, &rust), play(&game, &text), "{id}: the two play differently");
    group.bench_function(BenchmarkId::new(id, "rust"), |b| b.iter(|| play(&game, &rust)));
    group.bench_function(BenchmarkId::new(id, "text"), |b| b.iter(|| play(&game, &text)));
}

criterion_group!(name = benches; config = stopwise_benches::criterion(); targets = text_against_rust);
criterion_main!(benches);
