//! What a stream of its own for every trial costs, and what the other way would have cost.
//!
//! It supports the choice of the stream contract. Trials could also share one sequence, each leaping to its own
//! stretch of it; `advance` measures that leap. `stream` hashes the trial's key instead, and draws the first word
//! besides. If `advance` takes longer than `stream` all the same, stretches are not even the cheaper way; they are
//! also bounded in length and, under a linear congruence, alike at distances of powers of two. `word` is one 32-bit
//! word of a stream: `stream` over `word`, each measured back to back, is how many draws a seeding costs, beside the
//! dozens that a game takes.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stopwise_benches::{SEED, TRIALS};
use stopwise_engine::stream::{Keys, WordSource};

/// Words that a trial of the shared sequence could draw, as a power of two: more than any game here needs.
const STRETCH: u32 = 16;

fn seeding(c: &mut Criterion) {
    let keys = black_box(Keys::new(SEED));
    let mut group = c.benchmark_group("seeding");
    group.throughput(Throughput::Elements(TRIALS));
    group.bench_function("stream", |b| {
        b.iter(|| {
            for trial in 0..TRIALS {
                black_box(keys.stream(trial, 0));
            }
        });
    });
    group.bench_function("advance", |b| {
        let start = black_box(keys.generator(0, 0));
        b.iter(|| {
            for trial in 0..TRIALS {
                let mut generator = start.clone();
                generator.advance(trial << STRETCH);
                black_box(generator);
            }
        });
    });
    group.bench_function("word", |b| {
        let mut stream = keys.stream(0, 0);
        b.iter(|| {
            for _ in 0..TRIALS {
                black_box(stream.word(0));
            }
        });
    });
    group.finish();
}

criterion_group!(name = benches; config = stopwise_benches::criterion(); targets = seeding);
criterion_main!(benches);
