//! `simulate`.

use super::{GAMES, HEADERS, WINS, plain, sheet};
use crate::common::sheet::Sheet;
use crate::common::{data, good, scratch};

const SOLO: &str = "simulate carbonite --policy tidy --trials 2k --threads 1";

const FOR_TWO: &str = "simulate pig --policy hold --policy hold-at-25 --trials 2k --threads 1";

const CITIES: &str =
    "simulate carcassonne --policy builder --policy knight-errant --set goal=20 --trials 2k --threads 1";

/// One policy in two seats, and a number of trials that three seats do not divide.
const ROTATED: &str = "simulate pig --set players=3 --set goal=30 --policy hold:n=8 --policy hold:n=12 --policy hold:n=8 \
                       --rotate --trials 2k --threads 1";

/// The first lines of the tables of a game with several seats.
fn with_wins() -> Vec<(&'static str, String)> {
    plain(HEADERS).into_iter().chain(plain([WINS, GAMES])).collect()
}

#[test]
fn simulation_of_a_solo_game() {
    sheet(SOLO, "simulate-carbonite", &plain(HEADERS));
}

#[test]
fn simulation_of_a_game_for_two() {
    sheet(FOR_TWO, "simulate-pig", &with_wins());
}

#[test]
fn simulation_of_cities() {
    sheet(CITIES, "simulate-carcassonne", &with_wins());
}

#[test]
fn simulation_of_a_rotated_game_for_three() {
    sheet(ROTATED, "simulate-pig-rotated", &with_wins());
}

/// Few games, and games that nobody wins.
#[test]
fn simulations_with_little_to_say() {
    let mut sheet = Sheet::new("simulate-little-to-say");
    for options in [
        "--policy hold --policy hold-at-25 -n 1",
        "--policy hold --policy hold-at-25 -n 1 --rotate",
        "--policy hold --policy hold-at-25 -n 500 --rotate --set turn_cap=2",
    ] {
        let line = format!("simulate pig -q {options}");
        let found = good(&data(), &line).stdout;
        sheet.whole(&format!("stopwise {line}"), &found);
        let json = good(&data(), &format!("{line} --format json")).stdout;
        for nonsense in ["NaN", "nan", "inf", "-0.00", "−0.00"] {
            assert!(!found.contains(nonsense) && !json.contains(nonsense), "{nonsense} in\n{found}{json}");
        }
    }
    sheet.check();
}

/// What is said on stderr when all goes well: the time, or nothing.
#[test]
fn stderr_of_a_simulation() {
    let folder = scratch("formats-stderr");
    let said = good(&folder, SOLO).stderr;
    assert!(said.starts_with("2,000 trials in ") && said.ends_with(" a second)\n"), "{said}");
    assert_eq!(good(&folder, &format!("{SOLO} --quiet")).stderr, "");
    let said = good(&folder, &format!("{SOLO} --quiet --verbose")).stderr;
    assert!(said.starts_with("runner: ") && said.ends_with(", on 1 thread\n"), "{said}");
}
