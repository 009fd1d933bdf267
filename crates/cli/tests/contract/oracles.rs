//! Known numbers through the binary: what is simulated agrees with what is exact, and what is solved is printed to
//! the last digit that others have published.

use std::collections::BTreeMap;

use crate::common::{data, good, read};
use serde_json::Value;

/// A fixed seed with an honest mean strays so far once in 147,000 comparisons.
const ERRORS: f64 = 4.5;

/// The rows of a simulation's summary.
fn simulated(line: &str, trials: &str) -> Value {
    let ran = good(&data(), &format!("simulate {line} --trials {trials} --seed 1 --quiet --format json"));
    ran.json()["summary"].clone()
}

/// The row in which these columns have these texts.
fn row<'r>(rows: &'r Value, wanted: &[(&str, &str)]) -> &'r Value {
    let text = |cell: &Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
    let is = |row: &&Value| wanted.iter().all(|&(column, wanted)| text(&row[column]) == wanted);
    rows.as_array().expect("rows").iter().find(is).unwrap_or_else(|| panic!("no {wanted:?} in {rows}"))
}

fn assert_agrees(summary: &Value, seat: &str, metric: &str, exact: f64, what: &str) {
    let of_metric = row(summary, &[("seat", seat), ("metric", metric)]);
    let (mean, error) = (&of_metric["mean"], &of_metric["std_error"]);
    let (mean, error) = (mean.as_f64().expect("a mean"), error.as_f64().expect("an error"));
    // A metric that never varies must be exact.
    assert!(
        (mean - exact).abs() <= ERRORS * error + 1e-9,
        "{what}: {metric} {mean} ± {error}, exactly {exact}"
    );
}

/// The expected number of turns to 100, of `data/pig-oracles.csv`.
#[test]
fn pig_alone() {
    for (n, exact) in [(20, 12.636_769_490_5), (25, 12.685_158_208_9)] {
        let line = format!("pig --rules solo --policy hold:n={n}");
        let summary = simulated(&line, "400k");
        assert_agrees(&summary, "1", "score", exact, &line);
        assert_agrees(&summary, "1", "turns", exact, &line);
    }
}

/// The first seat's share of the wins, hold at 20 against itself: .5347 in T. W. Neller's exercises on Pig
/// (<http://nifty.stanford.edu/2010/neller-pig/advantage.html>), and further digits as the exact walk has them.
#[test]
fn pig_for_two() {
    let exact = 0.534_698_326_2;
    let line = "pig --policy hold:n=20";
    let summary = simulated(line, "600k");
    assert_agrees(&summary, "1", "win", exact, line);
    assert_agrees(&summary, "2", "win", 1.0 - exact, line);
}

/// The same rotated: a policy that plays itself wins every game, and going first is worth what it was.
#[test]
fn pig_for_two_rotated() {
    let line = "simulate pig --policy hold:n=20 --rotate --trials 600k --seed 1 --quiet --format json";
    let found = good(&data(), line).json();
    let number = |value: &Value| value.as_f64().expect("a number");
    let edge = number(&found["first_seat_edge"]);
    let error = (number(&found["first_seat_edge_high"]) - edge) / 1.96;
    assert!((edge - 0.034_698_326_2).abs() <= ERRORS * error, "{edge}");
    assert_eq!(number(&row(&found["wins"], &[("who", "policy")])["share"]), 1.0);
}

/// Every metric and every ending of small games, against the exact walk over all paths of the same policy.
#[test]
fn carbonite_by_chance_and_exactly() {
    for rules in [
        "--set colours=2 --set turns=3",
        "--set colours=2 --set turns=5",
        "--set colours=3 --set copies=1 --set turns=3",
        "--rules readme-v1 --set colours=2 --set turns=3 --set retribution=any",
    ] {
        for policy in ["first:k=1", "first:k=2", "tidy", "policies/mine.toml:k=2"] {
            let line = format!("carbonite {rules} --policy {policy}");
            let solved = good(&data(), &format!("solve {line} --quiet --format json")).json();
            let trials = 100_000;
            let ran = good(&data(), &format!("simulate {line} -n {trials} --quiet --format json")).json();
            let value = &solved["solution"][1]["value"];
            let means = solved["solution_means"].as_array().expect("means");
            assert_eq!((means.len(), &means[0]["metric"], &means[0]["mean"]), (9, &"score".into(), value));
            for mean in means {
                let metric = mean["metric"].as_str().expect("a name");
                let exact = mean["mean"].as_f64().expect("a mean");
                assert_agrees(&ran["summary"], "1", metric, exact, &line);
            }
            for ending in ran["endings"].as_array().expect("endings") {
                let name = ending["ending"].as_str().expect("a name");
                let exact = row(&solved["solution_endings"], &[("ending", name)]);
                let exact = exact["share"].as_f64().expect("a share");
                let share = ending["share"].as_f64().expect("a share");
                let error = (exact * (1.0 - exact) / f64::from(trials)).sqrt();
                assert!(
                    (share - exact).abs() <= ERRORS * error + 1e-9,
                    "{line}: {name} {share}, exactly {exact}"
                );
            }
            let best = solved["value"].as_f64().expect("a value");
            assert!(value.as_f64() <= Some(best + 1e-9), "{line}: better than the best");
        }
    }
}

/// The published values, by the options of `solve pig`.
fn oracles() -> BTreeMap<String, Vec<(String, String)>> {
    let text = read(&data().join("pig-oracles.csv"));
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let mut oracles: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for row in reader.deserialize() {
        let (options, what, value): (String, String, String) = row.expect("three columns");
        oracles.entry(options).or_default().push((what, value));
    }
    oracles
}

/// Whether the table has a line for `what` that shows the published value: with as many digits or more, and the same
/// ones when rounded to as many.
fn prints(table: &str, what: &str, published: &str) -> bool {
    let digits = |number: &str| number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    table.lines().map(str::trim).any(|line| {
        let rest = match what.strip_prefix("position ") {
            Some(position) => line.strip_suffix(position).filter(|rest| rest.ends_with(' ')),
            None => line.strip_prefix(what),
        };
        let cell = rest.and_then(|rest| rest.split_whitespace().next()).unwrap_or("");
        let places = digits(published);
        digits(cell) >= places && cell.parse().is_ok_and(|cell: f64| format!("{cell:.places$}") == published)
    })
}

/// Solves, and returns the table.
fn assert_all_printed(options: &str, oracles: &[(String, String)]) -> String {
    let table = good(&data(), &format!("solve pig {options} --quiet")).stdout;
    for (what, value) in oracles {
        assert!(prints(&table, what, value), "no {what} {value} in\n{table}");
    }
    table
}

/// Nearly a million positions: a test of its own, beside the others.
const FOR_TWO: &str = "--rules standard";

#[test]
fn published_values_of_pig() {
    let oracles = oracles();
    assert!(oracles.contains_key(FOR_TWO) && oracles.values().map(Vec::len).sum::<usize>() == 21);
    for (options, oracles) in oracles.iter().filter(|(options, _)| *options != FOR_TWO) {
        assert_all_printed(options, oracles);
    }
}

#[test]
fn published_value_of_pig_for_two() {
    let table = assert_all_printed(FOR_TWO, &oracles()[FOR_TWO]);
    let error = table.split_once("(± ").and_then(|(_, rest)| rest.split_once(')'));
    let error: f64 = error.and_then(|(error, _)| error.parse().ok()).expect("an error bound");
    assert!(error < 1e-11, "{table}");
}

/// A published number that is wrong in its last digit would be noticed, and a digit too few as well.
#[test]
fn prints_is_strict() {
    let table =
        "Best play      0.571428571429   (± 1.0e-14)\n  0.400000000000   scores 0 : 1, turn total 0\n";
    assert!(prints(table, "Best play", "0.5714285714"));
    assert!(prints(table, "position 0 : 1, turn total 0", "0.400000000000"));
    for (what, value) in [
        ("Best play", "0.571428571428"),
        ("Best play", "0.5714285714286"),
        ("Value", "0.571428571429"),
        ("position 0 : 1, turn total 1", "0.400000000000"),
        ("position 0 : 0, turn total 0", "0.400000000000"),
    ] {
        assert!(!prints(table, what, value), "{what} {value}");
    }
}
