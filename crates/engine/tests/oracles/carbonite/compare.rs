//! The comparison with the oracle: places, features, predicates, and the results of a trial.

use stopwise_engine::game::{Action, Game};
use stopwise_engine::games::carbonite::{Carbonite, MARK, STOP, State, TAKE};
use stopwise_engine::games::pyramids::pieces;
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::{Feature, Vocabulary};

use crate::naive::carbonite as oracle;
use crate::naive::carbonite::{Decision, Piece, Position};

/// Features that the rules page does not know.
pub(crate) const OWN_FEATURES: [&str; 1] = ["live_colours"];

pub(crate) fn bit(piece: Piece) -> u64 {
    1 << (3 * piece.0 + piece.1)
}

pub(crate) fn same_kind(kind: usize) -> Decision {
    match kind {
        MARK => Decision::Mark,
        TAKE => Decision::Take,
        STOP => Decision::Stop,
        _ => unreachable!("three kinds"),
    }
}

/// Every piece lies in the same place. The oracle has a place for each, so that none is lost or doubled.
pub(crate) fn same_places(state: &State, rules: &oracle::Rules, decision: Decision, position: &Position) {
    assert_eq!(state.turn(), position.turn);
    let returns = decision == Decision::Mark || position.turn < u32::from(rules.turns);
    for colour in 0..5 {
        for size in 0..3 {
            let piece: pieces::Types = 1 << (3 * colour + size);
            let at = |place: &oracle::Place| u32::from(place[colour][size]);
            assert_eq!(state.bank().count_of(piece), at(&position.bank), "bank {state:?} {position:?}");
            assert_eq!(state.vault().count_of(piece), at(&position.vault), "vault {state:?} {position:?}");
            let on_counter = u32::from(state.counter() & piece != 0);
            assert_eq!(on_counter, at(&position.counter), "counter {state:?} {position:?}");
            let will_return = u32::from(size < 2 && returns) * at(&position.markers);
            assert_eq!(u32::from(state.marker() & piece != 0), will_return, "marker {state:?} {position:?}");
        }
    }
}

pub(crate) fn in_range(game: &Carbonite, features: &[Feature], state: &State) {
    for (index, feature) in features.iter().enumerate() {
        let value = game.feature(*state, index);
        let range = feature.low..=feature.high;
        assert!(range.contains(&value), "{} = {value}, not in {range:?}: {state:?}", feature.name);
    }
}

pub(crate) fn same_features(
    game: &Carbonite,
    features: &[Feature],
    state: &State,
    rules: &oracle::Rules,
    decision: Decision,
    position: &Position,
) {
    for (index, feature) in features.iter().enumerate() {
        // Where the last piece came from is kept only while there is something to decide about it.
        let is_kept = feature.name != "vault_match" || decision == Decision::Stop;
        if is_kept && !OWN_FEATURES.contains(&feature.name) {
            let ours = (game.feature(*state, index), feature.denominator);
            assert_eq!(ours, oracle::feature(rules, position, feature.name), "{} {position:?}", feature.name);
        }
    }
}

pub(crate) fn same_predicates(
    game: &Carbonite,
    state: &State,
    rules: &oracle::Rules,
    kind: usize,
    position: &Position,
    candidates: &[Piece],
) {
    let masks = game.predicates(*state, kind, u32::MAX);
    for (predicate, holds) in Carbonite::WIKI.info().predicates.iter().zip(masks) {
        for &piece in candidates {
            let expected = oracle::predicate(rules, position, same_kind(kind), piece, predicate.name);
            assert_eq!(holds & bit(piece) != 0, expected, "{} {piece:?} {position:?}", predicate.name);
        }
    }
    let numbers = game.candidate_numbers();
    for (index, known) in numbers.iter().enumerate().filter(|(_, known)| known.kind == kind) {
        for &(colour, size) in candidates {
            let expected = match known.number.name {
                "in_bank" => position.bank[colour][size],
                "held" => position.vault[colour][size] + position.counter[colour][size],
                name => panic!("no such number: {name}"),
            };
            let found = game.candidate_number(state, Action(bit((colour, size))), index);
            assert_eq!(found, expected.into(), "{} {colour} {size} {position:?}", known.number.name);
        }
    }
}

/// Everything that a tally reports of the trial.
pub(crate) fn same_report(game: &Carbonite, tally: &Tally, report: &oracle::Report) {
    let seat = &tally.seats[0];
    for (metric, histogram) in game.metrics().iter().zip(&seat.metrics) {
        let expected = match metric.name {
            "score" => report.score,
            "vault" => report.vault,
            "solids" => report.solids,
            "pairs" => report.pairs,
            "turns" => report.turn_reached,
            "completed" => report.completed,
            "rolls" => report.rolls,
            "busts" => report.bomb_outs,
            "vault_matches" => report.vault_matches,
            name => unreachable!("the oracle does not know {name}"),
        };
        assert_eq!(histogram.iter().collect::<Vec<_>>(), [(expected, 1)], "{} {report:?}", metric.name);
    }
    let ending = match report.ending {
        oracle::Ending::Completed => "completed",
        oracle::Ending::NoMarker => "no_marker",
        oracle::Ending::NoRetribution => "no_retribution",
        oracle::Ending::NoMatch => "no_match",
    };
    for (kind, &count) in game.endings().iter().zip(&tally.endings) {
        assert_eq!(count, u64::from(kind.name == ending), "{} {report:?}", kind.name);
    }
    let busts: Vec<_> = report.bomb_out_turns.iter().map(|&turn| (turn, 1)).collect();
    assert_eq!(seat.busts.iter().collect::<Vec<_>>(), busts, "a turn has at most one bomb-out");
}
