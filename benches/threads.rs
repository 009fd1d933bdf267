//! How a run gains from threads.
//!
//! It supports the claim that trials share nothing: the rate of `2` over that of `1` should be close to 2 where
//! two cores are free, and that of all cores close to their number, less what a hotter machine or two threads on
//! one core take off. More threads than cores gain nothing. Before anything is measured, every number of threads
//! is held to the same tally.

use std::ops::ControlFlow;
use std::thread::available_parallelism;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use stopwise_benches::{SEED, shipped_policy};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::run::{Plan, run};

/// About a hundred batches: the last ones, when a thread may wait for another, hardly show.
const TRIALS: u64 = 400_000;

fn threads(c: &mut Criterion) {
    let plan = Plan { seed: SEED, trials: 0..TRIALS };
    let game = Carbonite::WIKI;
    let lineup = [shipped_policy(&game, "first")];
    let play = || run(&game, &lineup, &plan, |_| ControlFlow::Continue(()));
    let all = available_parallelism().map_or(1, usize::from);
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let expected = pool(1).install(play);

    let mut group = c.benchmark_group("threads");
    group.throughput(Throughput::Elements(TRIALS)).sampling_mode(SamplingMode::Flat).sample_size(10);
    for threads in [1, 2].into_iter().chain((all > 2).then_some(all)) {
        let pool = pool(threads);
        assert_eq!(pool.install(play), expected, "{threads} threads play differently");
        group.bench_function(BenchmarkId::from_parameter(threads), |b| b.iter(|| pool.install(play)));
    }
    group.finish();
}

criterion_group!(name = benches; config = stopwise_benches::criterion(); targets = threads);
criterion_main!(benches);
