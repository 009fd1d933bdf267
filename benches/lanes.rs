//! A game a lane beside a game at a time: a group a row, a member for each runner and set of instructions.
//!
//! It supports the table of `stopwise bench` and the cycles in `engine/src/lanes/mod.rs`.
//!
//! | Group | On lanes it is |
//! |---|---|
//! | `lanes/carbonite-first` | one comparison for `stop`; the lists are empty |
//! | `lanes/carbonite-tidy` | the same, and masks for seven entries of two lists |
//! | `lanes/carbonite-points` | flat code on numbers of 16 bits |
//! | `lanes/pig-solo-hold` | the lesser of two numbers, computed; lanes of 8 bits, dice dealt ahead |
//! | `lanes/pig-hold` | the same; two streams a lane, drawn roll by roll |
//! | `lanes/icedice-two` | one comparison for `stop`, no lists; two Vaults and the Bank of two planes each |
//! | `lanes/icedice-four` | the same; four Vaults and the Bank of four planes each, four streams a lane |
//! | `lanes/freeze-table` | one comparison for `freeze`, of every seat with a six; four streams a lane, all drawn in a step |
//!
//! Where the time goes with AVX-512 on Zen 5: samples of `perf record` by the file that the instruction comes from. The
//! generator includes the dice and the seeding, the rules the restart of a lane, the policy its view of the game.
//!
//! | | first | tidy | points | solo Pig | Pig for two |
//! |---|---|---|---|---|---|
//! | rules | 26 % | 25 % | 16 % | 24 % | 30 % |
//! | generator | 30 % | 12 % | 9 % | 40 % | 38 % |
//! | policy | 1 % | 48 % | 62 % | 9 % | 12 % |
//! | finishing and tallies | 22 % | 10 % | 6 % | 18 % | 12 % |
//! | driver: masks, who waits | 21 % | 5 % | 7 % | 9 % | 8 % |

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use stopwise_benches::{SEED, shipped_policy};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::freeze::Freeze;
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::lanes::{LaneGame, LaneLineups};
use stopwise_engine::run::batch;
use stopwise_engine::side_by_side::SideBySide as _;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_policy::{Text, TextPolicy};

/// Enough to fill the lanes many times over.
const TRIALS: u64 = 50_000;

/// Stops when what the next roll is expected to destroy is worth a few pieces.
const POINTS: &str = r#"
game = "carbonite"
name = "points"
summary = "Stop when too many points are at risk."
stop = "counter >= 1 && points_if_stopped * bust_chance > 3"
"#;

fn lanes(c: &mut Criterion) {
    let wiki = Carbonite::WIKI;
    let points = TextPolicy::compile(&Text::new("points.toml", POINTS), &wiki, &[]);
    row(c, "lanes/carbonite-first", &wiki, &shipped_policy(&wiki, "first"));
    row(c, "lanes/carbonite-tidy", &wiki, &shipped_policy(&wiki, "tidy"));
    row(c, "lanes/carbonite-points", &wiki, &points.expect("the text above compiles"));
    row(c, "lanes/pig-solo-hold", &Pig::SOLO, &shipped_policy(&Pig::SOLO, "hold"));
    row(c, "lanes/pig-hold", &Pig::STANDARD, &shipped_policy(&Pig::STANDARD, "hold"));
    row(c, "lanes/icedice-two", &IceDice::TWO, &shipped_policy(&IceDice::TWO, "stop-at"));
    row(c, "lanes/icedice-four", &IceDice::FOUR, &shipped_policy(&IceDice::FOUR, "stop-at"));
    row(c, "lanes/freeze-table", &Freeze::TABLE, &shipped_policy(&Freeze::TABLE, "when-behind"));
}

fn row<G: LaneGame>(c: &mut Criterion, name: &str, game: &G, policy: &TextPolicy<G>) {
    let keys = Keys::new(SEED);
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(TRIALS)).sampling_mode(SamplingMode::Flat);
    group.bench_function("trial", |bencher| {
        bencher.iter(|| {
            let mut tally = Tally::new(game);
            batch(game, std::slice::from_ref(policy), &keys, 0..TRIALS, &mut tally);
            tally
        });
    });
    let on_lanes = policy.on_lanes(game).expect("lanes can play it");
    let on_lanes = LaneLineups { game: *game, lineups: vec![vec![on_lanes]] };
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        group.bench_function(set.name(), |bencher| {
            bencher.iter(|| {
                let mut player = on_lanes.player(set, 0, &keys);
                player.play(0..TRIALS, None);
                player.tallies()
            });
        });
    }
    group.finish();
}

criterion_group!(name = benches; config = stopwise_benches::criterion(); targets = lanes);
criterion_main!(benches);
