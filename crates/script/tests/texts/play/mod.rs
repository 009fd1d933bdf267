//! Games of the gallery are compiled and played.

mod ahead;
mod bags;
mod checked;
mod decided;
mod deep;
mod faults;
mod figures;
mod formatted;
mod loops;
mod mistakes;
mod mixed;
mod mutants;
mod nobody;
mod passed_over;
mod pig;
mod policies;
mod positions;
mod seats;
mod setup;
mod texts;
mod told;
mod wild;

use stopwise_engine::game::Game as _;

use crate::common::{Any, plays, script};

#[test]
fn every_game_is_played_to_an_end_of_its_own() {
    for name in ["pig", "farkle", "zombie-dice", "cant-stop", "carbonite", "incan-gold"] {
        plays(&script(name, &[]), &Any, 300, name);
    }
}

/// A game of one turn is over after it, and one that may go on for long is cut off.
#[test]
fn one_turn_is_no_cap() {
    let capped = |options: &[(&str, &str)]| {
        let game = script("pig", options);
        game.endings().iter().any(|ending| ending.name == "capped" && ending.cap)
    };
    assert!(!capped(&[("players", "1"), ("turn_cap", "1")]));
    assert!(!capped(&[("players", "2"), ("turn_cap", "2")]));
    assert!(capped(&[("players", "1"), ("turn_cap", "2")]));
    assert!(capped(&[]));
}
