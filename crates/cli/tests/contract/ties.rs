//! A game whose win can be shared: what is exact of it follows from two coins.

use std::fs;
use std::path::PathBuf;

use crate::common::{Row, good, number, read, rows, scratch};

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
    let never = always.replace("always", "never").replace("Toss.", "Wait.").replace(">= 0", "< 0");
    fs::write(folder.join("never.toml"), never).expect("a file");
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
    let shares = "With best play on both sides the first seat wins 50.000000 % of the games, ties shared, and the second \
                  seat the other 50.000000 %.";
    assert_eq!(told("--metric share"), shares);
}

/// Two who toss tie in half of the games, and each wins a quarter alone. One who does not toss has half a win where the other has
/// tails too: a quarter of a game.
#[test]
fn shares_of_a_win_are_solved_in_games() {
    let folder = folder("ties-kept");
    let line = "solve toss.game --metric share -p always.toml -p never.toml --out best -q --format json";
    let told = good(&folder, line).json();
    assert_eq!((&told["unit"], told["value"].as_f64()), (&"games".into(), Some(0.5)));
    let kept: serde_json::Value =
        serde_json::from_str(&read(&folder.join("best/solution.json"))).expect("JSON");
    assert_eq!((&kept["unit"], &kept["value"]), (&told["unit"], &told["value"]));
    let table = |name: &str| rows(&read(&folder.join("best").join(name)));
    let of = |row: &Row, names: [&str; 2]| names.map(|name| number(row, name));
    let values: Vec<_> = table("solution.csv").iter().map(|row| of(row, ["value", "regret"])).collect();
    assert_eq!(values, [[0.5, 0.0], [0.5, 0.0], [0.25, 0.25]]);
    let is_of = |row: &&Row| row["policy"] == "always" && row["seat"] == "1" && row["metric"] == "share";
    let shares = table("solution_distribution.csv");
    let shares: Vec<_> = shares.iter().filter(is_of).map(|row| of(row, ["value", "share"])).collect();
    assert_eq!(shares, [[0.0, 0.25], [0.5, 0.5], [1.0, 0.25]]);
    let positions = table("solution_positions.csv");
    assert!(positions.iter().all(|row| (0.0..=1.0).contains(&number(row, "value"))), "{positions:?}");
    let varied = good(&folder, "solve toss.game --metric share --vary-rule players=2 -q").stdout;
    assert!(varied.contains("share (games)") && varied.contains("0.500000"), "{varied}");
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

/// More than a half is a win alone, and nothing is more than one.
#[test]
fn marks_of_shares_are_shares() {
    let folder = folder("ties-above");
    let line = "simulate toss.game -p always.toml -n 4k -q --metric share --above 0 --above 0.25 --above 50% --above 1";
    let told = good(&folder, &format!("{line} --out out")).stdout;
    assert!(told.contains("P(share > 0.25)") && told.contains("P(share > 0.5)"), "{told}");
    assert!(told.contains("`share` is never above 1"), "{told}");
    let asked = rows(&read(&folder.join("out/asked.csv")));
    for (at, chance) in [("0", 0.75), ("0.25", 0.75), ("0.5", 0.25), ("1", 0.0)] {
        let row = asked.iter().find(|row| row["at"] == at && row["seat"] == "1").expect("an answer");
        let close = 4.5 * f64::sqrt(0.1875 / 4000.0);
        assert!((number(row, "value") - chance).abs() <= if chance > 0.0 { close } else { 0.0 }, "{row:?}");
    }
}

/// One who tosses against two who do not has ⅔ of the wins in the mean, in every table and file, with the same limits, and nothing
/// is without a winner. A width is one of games, of whatever parts trials count.
#[test]
fn who_wins_is_told_in_shares_of_a_win() {
    let folder = folder("ties-won");
    let line = "simulate toss.game --set players=3 -p always.toml -p never.toml -p never.toml -q";
    let told = good(&folder, &format!("{line} -n 3000 --out found")).stdout;
    assert!(
        told.contains("Seat 1 · always wins most often: 6") && told.contains(" of the games, ties shared."),
        "{told}"
    );
    let table = |name: &str| rows(&read(&folder.join("found").join(name)));
    let wins = table("wins.csv");
    let limits = |row: &Row, names: [&str; 3]| names.map(|name| number(row, name));
    let [value, low, high] = limits(&wins[0], ["share", "share_low", "share_high"]);
    assert!((value - 2.0 / 3.0).abs() < 4.5 / 3.0 / 3000_f64.sqrt(), "{wins:?}");
    assert!(low < value && value < high && high - low < 0.04, "{wins:?}");
    let is_share = |row: &&Row| row["metric"] == "share" && row["seat"] == "1";
    let close = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 2e-6);
    let means = table("means.csv");
    let mean = means.iter().find(is_share).expect("a row");
    assert!(close(limits(mean, ["mean", "low", "high"]), [value, low, high]), "{mean:?}");
    let edge = table("games.csv");
    let less = [value, low, high].map(|share| share - 1.0 / 3.0);
    assert!(close(limits(&edge[0], ["value", "low", "high"]), less), "{edge:?}");
    assert_eq!((&*wins[3]["who"], number(&wins[3], "share")), ("nobody", 0.0));

    let stopped =
        good(&folder, &format!("{line} -n 100k --until-width 0.1 --metric share --out stopped")).stdout;
    assert!(
        stopped.contains("every interval of the mean of share is at most 0.1 (10 percentage points) wide"),
        "{stopped}"
    );
    let widths = rows(&read(&folder.join("stopped/means.csv")));
    let widths = widths.iter().filter(is_share).map(|row| number(row, "high") - number(row, "low"));
    let width = widths.fold(0.0, f64::max);
    assert!(width <= 0.1 && width > 0.02, "{width}");
}

/// At a table of three one who tosses among two who do not wins half of the games alone and has a third of the others: ⅔. One
/// who does not, among two who do, has a third of the quarter without heads: 1/12, and never wins alone. Values are 1 and ⅓, and
/// ⅓ and 0: the deviations are ⅓ and ⅓ · √(3/16).
/// Seat 1 always has 5 points; so has seat 3 if there is one, and they share every win. Seat 2 has none ever: what n games without
/// a win bound at 95 % is the chance p with (1 - p)^n = 2.5 %, in fair shares.
#[test]
fn seats_that_never_have_a_part_of_a_win_have_limits() {
    let folder = folder("ties-never");
    let text = TOSS.replace("game toss", "game lead").replace("in 0..1 points", "in 0..5 points");
    let text = text.replace("\nend after", "  if place(me) != 2: score = 5\n\nend after");
    fs::write(folder.join("lead.game"), text).expect("a file");
    let always = read(&folder.join("always.toml")).replace("toss.game", "lead.game");
    fs::write(folder.join("lead.toml"), always).expect("a file");
    let line = "balance lead.game -p lead.toml --variant players=3 -n 1000 -q --format csv";
    let told = good(&folder, line).stdout;
    let table = rows(&told);
    for (rules, players) in [("standard", 2.0), ("standard+players=3", 3.0)] {
        let is_it = |row: &&Row| row["rules"] == rules && row["measure"] == "seat 2 wins";
        let row = table.iter().find(is_it).expect("a row");
        assert_eq!((number(row, "value"), number(row, "low")), (0.0, 0.0), "{rules}");
        let most = players * (1.0 - 0.025_f64.powf(1.0 / 1000.0));
        // Limits are rounded outwards, to six decimals.
        let more = number(row, "high") - most;
        assert!((-1e-9..1.1e-6).contains(&more), "{rules}: {more}");
    }
}

#[test]
fn policies_are_judged_by_shares_of_a_win() {
    const GAMES: f64 = 3000.0;
    let near = |value: f64, wanted: f64, deviation: f64| {
        assert!((value - wanted).abs() < 4.5 * deviation / GAMES.sqrt(), "{value}, not {wanted}");
    };
    let folder = folder("ties-judged");
    let line = "toss.game --set players=3 -p never.toml -p always.toml -n 3000 -q --out";
    let of = |found: &[Row], column: &str, policy: &str, value: &str| {
        number(found.iter().find(|row| row[column] == policy).expect("a row"), value)
    };

    let told = good(&folder, &format!("rank {line} ranked")).stdout;
    assert!(told.contains("Best: always, wins 6") && told.contains("ties shared, with one seat"), "{told}");
    assert_eq!(good(&folder, &format!("rank {line} named --metric share")).stdout, told);
    let alone = good(&folder, &format!("rank {line} alone --metric win")).stdout;
    let is_told = |told: &str| told.contains("A tie is no win here: `--metric share` ranks by");
    assert!(is_told(&alone) && !is_told(&told), "{alone}");
    let met = rows(&read(&folder.join("ranked/matches.csv")));
    near(of(&met, "policy_a", "always", "a_share"), 2.0 / 3.0, 1.0 / 3.0);
    near(of(&met, "policy_a", "never", "a_share"), 1.0 / 12.0, (3.0_f64 / 16.0).sqrt() / 3.0);
    assert!(met.iter().all(|row| row["no_winner"] == "0"), "{met:?}");

    let told = good(&folder, &format!("balance {line} balanced")).stdout;
    assert!(told.contains("always wins most with one seat at a table of never"), "{told}");
    let stand = rows(&read(&folder.join("balanced/standings.csv")));
    near(of(&stand, "policy", "always", "value"), 2.0 / 3.0, 1.0 / 3.0);
    // They always tie.
    near(of(&stand, "policy", "never", "value"), 1.0 / 3.0, 1e-3);
    // Among those who do not toss every seat has a third of every game; among those who do, too, in the mean, and nobody is left out.
    let measured = rows(&read(&folder.join("balanced/balance.csv")));
    let measure = |policy: &str, name: &str| {
        let is_it = |row: &&Row| row["policy"] == policy && row["measure"] == name;
        number(measured.iter().find(is_it).expect("a row"), "value")
    };
    for policy in ["never", "always"] {
        assert!(measure(policy, "no winner") == 0.0, "{measured:?}");
        near(measure(policy, "first-seat edge"), 0.0, if policy == "never" { 1e-6 } else { 0.4 });
        near(measure(policy, "seat 3 wins"), 1.0, if policy == "never" { 1e-6 } else { 1.2 });
    }
    let skill = rows(&read(&folder.join("balanced/skill.csv")));
    near(of(&skill, "measure", "gap", "value"), 1.0 / 3.0, 1.0 / 3.0);
}

/// Of two seats one who tosses against one who does not has half of the games, and a half of the others; what is counted is what a
/// simulation of the same games counts.
#[test]
fn two_share_what_a_simulation_says() {
    let folder = folder("ties-for-two");
    let policies = "-p always.toml -p never.toml -n 2000 -q";
    good(&folder, &format!("rank toss.game {policies} --out out"));
    let met = rows(&read(&folder.join("out/matches.csv")));
    let simulated =
        rows(&good(&folder, &format!("simulate toss.game {policies} --rotate --format csv")).stdout);
    let is_it = |row: &&Row| row["metric"] == "share" && row["policy"] == "always" && row["seat"].is_empty();
    let mean = number(simulated.iter().find(is_it).expect("a row"), "mean");
    let share = number(&met[0], "a_share");
    assert!((share - mean).abs() < 1e-6 && (share - 0.75).abs() < 0.03, "{share} {mean}");
}
