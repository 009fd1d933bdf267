//! What it costs that a game is text: the same game from its file and written in Rust, in the trial.
//!
//! It supports what is said about how many games a second a game as text plays. Before anything is measured, the two are
//! held to the same lengths and endings, so that `NAME/text` and `NAME/rust` play the very same games, with the same policy
//! from its file, and the ratio of their times is the price of the text. `examples/texts.rs` plays them for a counter of
//! instructions, which a busy machine does not disturb.

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use stopwise_benches::{TRIALS, play, shipped_policy};
use stopwise_engine::games::pig::Pig;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_script::Script;

fn games_as_text(c: &mut Criterion) {
    let mut group = c.benchmark_group("games_as_text");
    group.throughput(Throughput::Elements(TRIALS)).sampling_mode(SamplingMode::Flat);
    let pig = include_str!("../games/pig.game");
    pair(&mut group, "pig", Pig::STANDARD, (pig, "2"), "hold");
    pair(&mut group, "pig-solo", Pig::SOLO, (pig, "1"), "hold");
    group.finish();
}

fn pair<G: Vocabulary>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: &str,
    rust: G,
    (text, players): (&str, &str),
    policy: &str,
) {
    let text = Script::new(text, &[("players".into(), players.into())]).expect("a game of the gallery");
    let (of_rust, of_text) = ([shipped_policy(&rust, policy)], [shipped_policy(&text, policy)]);
    let (one, other) = (play(&rust, &of_rust), play(&text, &of_text));
    assert_eq!(one.lengths, other.lengths, "{id}: the two play differently");
    assert_eq!(one.endings[..rust.endings().len()], other.endings[..rust.endings().len()]);
    group.bench_function(BenchmarkId::new(id, "rust"), |b| b.iter(|| play(&rust, &of_rust)));
    group.bench_function(BenchmarkId::new(id, "text"), |b| b.iter(|| play(&text, &of_text)));
}

criterion_group!(name = benches; config = stopwise_benches::criterion(); targets = games_as_text);
criterion_main!(benches);
