//! How many states a second the exact walk solves, on one thread.
//!
//! It supports what is said about which variants can be solved at all: states over rate is the time. The rows
//! stand for the two ways of solving. In `carbonite/2-colours-5-turns` no position returns and every state is
//! looked at once; in `pig` positions return, so that the rate falls with the number of sweeps until the bounds
//! meet, and the ratio of the two rates is the price of that. `pig/goal-40-as-text` is the same game from its file. `pig/piglet` has so few states that it shows what
//! a walk costs before it begins.

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use stopwise_analysis::exact::{Limits, Objective, Solution, solve};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::TextPolicy;
use stopwise_script::Script;

fn exact(c: &mut Criterion) {
    let mut group = c.benchmark_group("exact");
    group.sample_size(10).measurement_time(Duration::from_secs(4));
    let small = Carbonite { colours: 2, copies: 2, turns: 5, ..Carbonite::WIKI };
    measure(&mut group, "carbonite/2-colours-5-turns", small);
    measure(&mut group, "pig/piglet", Pig::PIGLET);
    measure(&mut group, "pig/goal-40", Pig { goal: 40, ..Pig::STANDARD });
    let text = Script::new(include_str!("../games/pig.game"), &[("goal".into(), "40".into())]);
    measure(&mut group, "pig/goal-40-as-text", text.expect("a game of the gallery"));
    group.finish();
}

fn measure<G: Vocabulary>(group: &mut BenchmarkGroup<'_, WallTime>, id: &str, game: G) {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let states = pool.install(|| best(&game).states);
    group.throughput(Throughput::Elements(states as u64)).sampling_mode(SamplingMode::Flat);
    group.bench_function(id, |b| b.iter(|| pool.install(|| best(&game).middle())));
}

/// Best play of all seats for the first metric.
fn best<G: Vocabulary>(game: &G) -> Solution<G> {
    let free = vec![None::<TextPolicy<G>>; game.seats()];
    solve(game, &free, Objective::new(game, 0), Limits::default()).expect("a small game")
}

criterion_group!(name = benches; config = stopwise_benches::criterion(); targets = exact);
criterion_main!(benches);
