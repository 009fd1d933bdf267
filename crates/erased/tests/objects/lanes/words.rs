//! Every feature and predicate that a policy can use, in every kind of decision.

use stopwise_engine::game::Game as _;
use stopwise_engine::games::Rules;
use stopwise_engine::games::carbonite::{Atom, Carbonite, Multiplier, Retribution, VaultMatch};
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::freeze::{Bank, Doubles, Freeze};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::{Faces, Pig};
use stopwise_engine::run::Plan;
use stopwise_engine::vocabulary::Vocabulary;

use super::compare::{Lineup, same_run, same_trials};

/// More games than two vectors of 64 lanes hold, so that lanes are filled anew.
fn plays<G: Rules>(game: &G, answers: &str) {
    let lineup = Lineup::of(game, answers).unwrap_or_else(|message| panic!("{answers}: {message}"));
    let plan = |trials| Plan { seed: 5, trials: 0..trials };
    same_run(&lineup, &plan(140))
        .and_then(|_| same_trials(&lineup, &plan(3)))
        .unwrap_or_else(|error| panic!("{answers} under {game:?}: {error}"));
}

/// Conditions on one feature, each splitting its range elsewhere.
fn conditions<G: Vocabulary>(game: &G) -> Vec<String> {
    let mut conditions = Vec::new();
    for feature in game.features() {
        let (name, denominator, low) = (feature.name, feature.denominator, feature.low);
        // Near the least value, where most states are, and in the middle.
        for limit in [low, low + 1, low + 2, low + 5, low + (feature.high - low) / 2] {
            conditions.push(format!("{name} * {denominator} > {limit}"));
        }
        conditions.push(format!("{name} * {denominator} - 2 * ({name} * {denominator}) == -2"));
    }
    conditions
}

#[test]
fn of_carbonite() {
    let wiki = Carbonite::WIKI;
    for game in [
        wiki,
        Carbonite { copies: 1, vault_match: VaultMatch::Free, ..wiki },
        Carbonite { turns: 2, colours: 2, copies: 1, retribution: Retribution::None, ..wiki },
        Carbonite { turns: 5, colours: 3, atom: Atom::Bust, vault_match: VaultMatch::NoMatch, ..wiki },
        Carbonite {
            retribution: Retribution::Any,
            atom: Atom::Reroll,
            vault_match: VaultMatch::Free,
            ..wiki
        },
        Carbonite { colours: 4, doubling: false, multiplier: Multiplier::PipsMinusOne, ..wiki },
    ] {
        for condition in conditions(&game) {
            plays(&game, &format!("stop = 'counter >= 3 || {condition}'"));
            let list = format!("[{{ when = '{condition}', prefer = ['large'] }}, {{ prefer = ['medium'] }}]");
            plays(&game, &format!("stop = 'counter >= 2'\nmark = {list}\ntake = {list}"));
        }
        for predicate in Carbonite::WIKI.info().predicates {
            let name = predicate.name;
            for list in [name.to_owned(), format!("not {name}"), format!("{name} && not medium || large")] {
                plays(&game, &format!("stop = 'counter >= 2'\nmark = ['{list}']"));
                plays(&game, &format!("stop = 'counter >= 2'\ntake = ['{list}', 'small']"));
            }
        }
    }
}

#[test]
fn of_pig() {
    let faces = |faces: &[u8]| Faces::try_from(faces.to_vec()).expect("faces of a die");
    for game in [
        Pig { goal: 40, turn_cap: 50, ..Pig::SOLO },
        Pig { goal: 30, turn_cap: 40, ..Pig::STANDARD },
        // Tables too large for lanes, and for any table.
        Pig { players: 3, goal: 60, sides: 10, bust_faces: faces(&[3]), turn_cap: 40, ..Pig::STANDARD },
        Pig { players: 4, goal: 200, sides: 30, bust_faces: faces(&[1, 30]), turn_cap: 80, ..Pig::STANDARD },
    ] {
        for condition in conditions(&game) {
            plays(
                &game,
                &format!("stop = '{condition} && turn_total > 3 || turn_total >= min(20, goal_left)'"),
            );
        }
    }
}

#[test]
fn of_icedice() {
    let two = IceDice { turn_cap: 24, ..IceDice::TWO };
    for game in [
        two,
        IceDice { copies: Copies::Number(1), trios: 4, no_choice: NoChoice::Bust, ..two },
        IceDice { copies: Copies::Number(4), trios: 6, no_choice: NoChoice::Reroll, ..two },
        IceDice { turn_cap: 24, ..IceDice::THREE },
        IceDice { turn_cap: 24, copies: Copies::Number(2), ..IceDice::FOUR },
    ] {
        for condition in conditions(&game) {
            plays(&game, &format!("stop = 'counter >= 3 || {condition}'"));
            let list = format!("[{{ when = '{condition}', prefer = ['large'] }}, {{ prefer = ['medium'] }}]");
            plays(&game, &format!("stop = 'counter >= 2'\ntake = {list}\nvictim = {list}"));
        }
        for predicate in IceDice::TWO.info().predicates {
            let name = predicate.name;
            for list in [name.to_owned(), format!("not {name}"), format!("{name} && not medium || large")] {
                plays(&game, &format!("stop = 'counter >= 2'\ntake = ['{list}', 'small']"));
                plays(&game, &format!("stop = 'counter >= 3'\nvictim = ['{list}', 'not leader']"));
            }
        }
    }
}

#[test]
fn of_freeze() {
    let two = Freeze { players: 2, steps: 40, bank: Bank::PerPlayer(15), ..Freeze::TABLE };
    for game in [
        two,
        // Tables too large for lanes, and for any table.
        Freeze { players: 5, steps: 90, bank: Bank::PerPlayer(100), ..two },
        Freeze { players: 8, steps: 150, bank: Bank::PerPlayer(500), doubles: Doubles::Always, ..two },
        Freeze { steps: 90, doubles: Doubles::Lightning, confirm_steps: 4, ..two },
    ] {
        for condition in conditions(&game) {
            plays(&game, &format!("freeze = '{condition}'"));
            plays(&game, &format!("freeze = '{condition} && step % 3 > 0 || counters > 4'"));
        }
    }
}

#[test]
fn of_carcassonne() {
    let two = Carcassonne { goal: 15, turn_cap: 30, ..Carcassonne::TWO };
    for game in [
        two,
        Carcassonne { players: 4, dice: 7, knights_needed: 1, ..two },
        Carcassonne { turns: 4, keeping: true, ..Carcassonne::SOLO },
    ] {
        for condition in conditions(&game) {
            let list = |one: &str, other: &str| {
                format!(
                    "[{{ when = '{condition}', prefer = ['{one}', 'done'] }}, {{ prefer = ['{other}', 'done'] }}]"
                )
            };
            let place = list("knight", "closes_largest");
            plays(&game, &format!("stop = 'largest > 2'\nkeep = '{condition}'\nplace = {place}"));
            let place = list("fewest_needed", "best_chance");
            plays(&game, &format!("stop = '{condition}'\nkeep = 'false'\nplace = {place}"));
        }
        for predicate in game.info().predicates {
            for list in [predicate.name.to_owned(), format!("not {} && not tee", predicate.name)] {
                plays(
                    &game,
                    &format!(
                        "stop = 'largest > 2'\nkeep = 'largest < 4'\nplace = ['{list}', 'knight', 'done']"
                    ),
                );
            }
        }
    }
}
