//! The names of a game: they are unique, and those on which reports rely exist.

use std::collections::HashSet;

use stopwise_engine::game::{Event, MAX_METRICS, MAX_SEATS, Source};
use stopwise_engine::vocabulary::{MAX_PREDICATES, Vocabulary};

pub(super) fn check<G: Vocabulary>(game: &G) {
    assert!((1..=MAX_SEATS).contains(&game.seats()));
    // The runner has an arm for each of four kinds.
    assert!((1..=4).contains(&game.info().kinds.len()));
    assert!(game.info().predicates.len() <= MAX_PREDICATES);
    unique([game.info().name]);
    unique(game.info().kinds.iter().map(|kind| kind.name));
    unique(game.info().predicates.iter().map(|predicate| predicate.name));
    unique(game.endings().iter().map(|ending| ending.name));
    unique(game.metrics().iter().map(|metric| metric.name));
    metrics(game);
    features(game);
}

/// Names that can stand in a policy file and in a table, each once.
fn unique(names: impl IntoIterator<Item = &'static str>) {
    let mut seen = HashSet::new();
    for name in names {
        let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        assert!(is_plain && !name.is_empty(), "{name:?} is no plain name");
        assert!(seen.insert(name), "{name} twice");
    }
    assert!(seen.iter().all(|name| !["not", "and", "or", "true", "false"].contains(name)));
}

/// First what the game is played for; then turns, rolls and busts, which every game counts.
fn metrics<G: Vocabulary>(game: &G) {
    let metrics = game.metrics();
    assert!(metrics.len() <= MAX_METRICS);
    assert!(["score", "win"].contains(&metrics[0].name), "{} first", metrics[0].name);
    assert!(metrics.iter().all(|metric| metric.is_win() == (metric.name == "win")), "{metrics:?}");
    assert!(
        game.endings().iter().all(|ending| ending.cap == (ending.name == "capped")),
        "{:?}",
        game.endings()
    );
    let place = |name| metrics.iter().position(|metric| metric.name == name).expect("a metric of every game");
    let counts = [("turns", Event::TURN), ("rolls", Event::ROLL), ("busts", Event::BUST)];
    for (name, event) in counts {
        assert_eq!(metrics[place(name)].source, Source::Count(event), "{name}");
    }
    let places = counts.map(|(name, _)| place(name));
    assert!(0 < places[0] && places.is_sorted(), "in this order: {counts:?}");
}

fn features<G: Vocabulary>(game: &G) {
    let features = game.features();
    unique(features.iter().map(|feature| feature.name));
    for feature in features {
        assert!(feature.low <= feature.high, "{feature:?}");
        assert!(feature.denominator >= 1, "{feature:?}");
        assert!(feature.memory.count_ones() <= 1, "one bit of memory at most: {feature:?}");
        assert!(!feature.meaning.is_empty() && !feature.meaning.ends_with('.'), "a noun phrase: {feature:?}");
    }
}
