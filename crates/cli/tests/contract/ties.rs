//! A game whose win can be shared: what is exact of it follows from two coins.

use std::fs;
use std::path::PathBuf;

use crate::common::{good, scratch};

/// Each seat may toss one coin, and most heads win.
const TOSS: &str = r#"game toss "One toss each, or none"

option players = 2 in 2..4

die coin = 0..1
player score = 0 in 0..1 points "heads"

turn
  ask toss "toss the coin"
    roll face = coin
    score += face

end after 1 rounds
win most score
"#;

fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("toss.game"), TOSS).expect("a file");
    let always = "game = \"toss.game\"\nname = \"always\"\nsummary = \"Toss.\"\ntoss = \"score >= 0\"\n";
    fs::write(folder.join("always.toml"), always).expect("a file");
    folder
}

/// The first seat wins alone if it has heads and the other has not; half of the games are ties.
#[test]
fn what_the_first_seat_does_not_win_may_be_ties() {
    let folder = folder("ties-solved");
    let told = |line: &str| {
        good(&folder, &format!("solve toss.game {line} -q --format json")).json()["answer"][0].clone()
    };
    let wins = "With best play on both sides the first seat wins 25.000000 % of the games; the other 75.000000 % are wins \
                of the second seat and ties.";
    assert_eq!(told("--metric win"), wins);
    let shares = "With best play on both sides the first seat has 0.500000 of a game in the mean, and the second seat the \
                  other 0.500000.";
    assert_eq!(told("--metric share"), shares);
}

/// A seat has half of a game in the mean, and of a single game nothing, a half or all.
#[test]
fn shares_of_a_win_are_read_in_games() {
    let folder = folder("ties-simulated");
    let told = good(&folder, "simulate toss.game -p always.toml -n 4k -q").stdout;
    let row = told.lines().find(|line| line.starts_with("share")).expect("shares");
    let cells: Vec<_> = row.split_whitespace().collect();
    let mean: f64 = cells[1].parse().expect("a mean");
    // A quarter of the games counts 0, a quarter 1: the deviation is √⅛.
    assert!((mean - 0.5).abs() < 4.5 * (0.125_f64 / 4000.0).sqrt(), "{row}");
    // 1 %, median, 99 % and the most.
    let told = [4, 7, 10, 11, 12].map(|at| cells[at]);
    assert_eq!(told, ["0", "0.5", "1", "1", "games"], "{row}");
}
