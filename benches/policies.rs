//! How many games a second each way of answering a decision lets one thread play.
//!
//! It supports the rates in the tables of results, and the claim that a condition may use any feature: what
//! differs between the rows is how a policy is answered.
//!
//! | Row | Answered by |
//! |---|---|
//! | `carbonite/first` | a table for `stop`; the lists are empty |
//! | `carbonite/tidy` | the same table; preference lists for `take` and `mark` |
//! | `carbonite/points` | flat code for `stop`, because points fit no table; the lists are empty |
//! | `carbonite/readme-v1` | as `first`, under the older rules |
//! | `icedice/stop-at` | a table for `stop`; the lists are empty; two streams |
//! | `icedice/thief` | a table for `stop` that needs the trios; a list of seven predicates |
//! | `freeze/pile-and-clock` | a table over the clock and the deficit; a game has 2400 rolls |
//! | `freeze/lone-stake` | flat code, because no table holds the other dice |
//! | `carcassonne/turn` | a list and constants: one turn alone, one roll, looked up in the city graph |
//! | `carcassonne/one` | the same in whole games for two |
//! | `carcassonne/builder` | several lists with conditions, which look ahead |
//! | `pig/hold-solo` | a table over points and score; one stream |
//! | `pig/hold` | a table of a megabyte, over the scores of both seats; two streams |
//! | `pig/end-race-or-keep-pace` | another such table |
//! | `pig/four-scoring-turns` | flat code, because no table holds the scoring turns |
//!
//! Policies play games of different length, so that the ratio of two rows is the ratio of two whole runs and
//! not the price of an answer. For that see `text_against_rust`, where both sides play the same games.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use stopwise_benches::{TRIALS, play, shipped_policy};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::freeze::Freeze;
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{Text, TextPolicy};

/// Stops when what the next roll is expected to destroy is worth a few pieces.
const POINTS: &str = r#"
game = "carbonite"
name = "points"
summary = "Stop when too many points are at risk."

params = { risk = 4 }
stop = "bust_chance * points_if_stopped >= risk"
"#;

fn policies(c: &mut Criterion) {
    let points = TextPolicy::compile(&Text::new("points.toml", POINTS), &Carbonite::WIKI, &[]);
    let mut group = c.benchmark_group("policies");
    group.throughput(Throughput::Elements(TRIALS)).sampling_mode(SamplingMode::Flat);
    shipped(&mut group, "carbonite/first", Carbonite::WIKI, "first");
    shipped(&mut group, "carbonite/tidy", Carbonite::WIKI, "tidy");
    measure(&mut group, "carbonite/points", Carbonite::WIKI, points.expect("the text above compiles"));
    shipped(&mut group, "carbonite/readme-v1", Carbonite::README_V1, "first");
    for name in ["stop-at", "thief"] {
        shipped(&mut group, &format!("icedice/{name}"), IceDice::TWO, name);
    }
    for name in ["pile-and-clock", "lone-stake"] {
        shipped(&mut group, &format!("freeze/{name}"), Freeze::PUBLISHED, name);
    }
    shipped(&mut group, "pig/hold-solo", Pig::SOLO, "hold");
    shipped(&mut group, "carcassonne/turn", Carcassonne::SOLO, "one");
    for name in ["one", "builder"] {
        shipped(&mut group, &format!("carcassonne/{name}"), Carcassonne::TWO, name);
    }
    for name in ["hold", "end-race-or-keep-pace", "four-scoring-turns"] {
        shipped(&mut group, &format!("pig/{name}"), Pig::STANDARD, name);
    }
    group.finish();
}

fn shipped<G: Vocabulary>(group: &mut BenchmarkGroup<'_, WallTime>, id: &str, game: G, name: &str) {
    measure(group, id, game, shipped_policy(&game, name));
}

fn measure<G: Vocabulary>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: &str,
    game: G,
    policy: TextPolicy<G>,
) {
    let lineup = [policy];
    group.bench_function(id, |b| b.iter(|| play(&game, &lineup)));
}

criterion_group!(name = benches; config = stopwise_benches::criterion(); targets = policies);
criterion_main!(benches);
