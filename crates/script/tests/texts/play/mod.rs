//! Games of the gallery are compiled and played.

mod ahead;
mod bags;
mod checked;
mod decided;
mod faults;
mod figures;
mod formatted;
mod loops;
mod mistakes;
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

use crate::common::{Any, plays, script};

#[test]
fn every_game_is_played_to_an_end_of_its_own() {
    for name in ["pig", "farkle", "zombie-dice", "cant-stop", "carbonite", "incan-gold"] {
        plays(&script(name, &[]), &Any, 300, name);
    }
}
