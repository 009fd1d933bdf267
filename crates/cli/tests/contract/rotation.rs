//! `--rotate`: every policy in every seat, and what is told of all seats and of each.

use std::collections::BTreeMap;

use serde_json::json;

use crate::common::{Row, TABLES, count, data, good, manifest, number, read, rows, scratch};

pub(crate) const ROTATED: &str = "simulate pig --set players=3 --set goal=40 --policy hold:n=8 --policy hold:n=12 --policy \
                       hold:n=20 --rotate --trials 30001 --quiet";

/// The rows of a rotated run: every policy in all seats and in each, which add up.
#[test]
fn rotated_tables_agree_with_each_other() {
    let folder = scratch("contract-rotated");
    good(&folder, &format!("{ROTATED} --out out"));
    let [summary, distribution, endings, turns] =
        TABLES.map(|table| rows(&read(&folder.join("out").join(table))));
    let standing = |row: &Row| (row["policy"].clone(), row["seat"].clone());
    let policies = ["hold:n=8", "hold:n=12", "hold:n=20"];
    let expected: Vec<_> = policies
        .iter()
        .flat_map(|policy| ["", "1", "2", "3"].map(|seat| ((*policy).to_owned(), seat.to_owned())))
        .collect();
    for table in [&summary, &distribution, &turns] {
        let mut found: Vec<_> = table.iter().map(standing).collect();
        found.dedup();
        assert_eq!(found, expected);
    }
    assert!(endings.iter().all(|row| row["policy"] == "hold:n=8 / hold:n=12 / hold:n=20"));
    assert_eq!(endings.iter().map(|row| count(row, "count")).sum::<u64>(), 30_001);

    // Counts of all seats are those of the seats together, wherever something is counted.
    for (table, keys, counts) in [
        (&distribution, ["metric", "value"], &["count"][..]),
        (&turns, ["turn", "turn"], &["reached", "ended_here", "busts"]),
        (&summary, ["metric", "metric"], &["trials"]),
    ] {
        for column in counts {
            let mut sums: BTreeMap<_, [u64; 2]> = BTreeMap::new();
            for row in table {
                let key = (&row["policy"], keys.map(|key| &row[key]));
                sums.entry(key).or_default()[usize::from(row["seat"].is_empty())] += count(row, column);
            }
            assert!(sums.values().all(|[seats, all]| seats == all), "{column}");
        }
    }
    // Trial 0 is played as named: the first rotation has the trial that three seats do not divide.
    assert_eq!(manifest(&folder.join("out"))["rotation"]["trials"], json!([10_001, 10_000, 10_000]));
    for row in &summary {
        let at = policies.iter().position(|policy| row["policy"] == *policy).expect("a policy");
        let as_named = row["seat"] == (at + 1).to_string();
        let trials = if row["seat"].is_empty() { 30_001 } else { 10_000 + u64::from(as_named) };
        assert_eq!(count(row, "trials"), trials, "{row:?}");
    }
    let wins: f64 = summary
        .iter()
        .filter(|row| row["seat"].is_empty() && row["metric"] == "win")
        .map(|row| number(row, "mean"))
        .sum();
    assert!((wins - 1.0).abs() < 3e-6, "{wins}");
}

/// One policy in all seats: there is nothing to rotate but the tallies, and the seats' rows are those without.
#[test]
fn equal_policies_rotated_are_the_same_games() {
    let folder = scratch("contract-rotated-equal");
    for options in ["--policy hold", "--policy hold --policy hold:n=20"] {
        let line = format!("simulate pig {options} -n 3001 -q --out");
        good(&folder, &format!("{line} plain"));
        good(&folder, &format!("{line} rotated --rotate"));
        for table in TABLES {
            let [plain, rotated] = ["plain", "rotated"].map(|out| read(&folder.join(out).join(table)));
            let seats: String = rotated
                .lines()
                .filter(|line| line.split(',').nth(3) != Some(""))
                .map(|line| format!("{line}\n"))
                .collect();
            assert_eq!(seats, plain, "{table}");
        }
    }
}

/// What `replay --rotate` tells of the first trials adds up to what `simulate --rotate` counts of them.
#[test]
fn replays_know_the_rotation() {
    let options =
        "--set players=3 --set goal=40 --policy hold:n=8 --policy hold:n=12 --policy hold:n=20 --rotate";
    let trials = 10;
    let simulated = good(&data(), &format!("simulate pig {options} -n {trials} -q --format csv"));
    let simulated = rows(&simulated.stdout);
    let mut sums: BTreeMap<[String; 3], u64> = BTreeMap::new();
    for trial in 0..trials {
        let replay = good(&data(), &format!("replay pig {options} --trial {trial} --json")).json();
        assert_eq!(replay["rotation"], trial % 3);
        for (policy, seat) in replay["policies"].as_array().expect("a list").iter().zip(1..) {
            let metrics = &replay["seats"][seat - 1]["metrics"];
            for (metric, value) in metrics.as_object().expect("metrics") {
                for seat in [seat.to_string(), String::new()] {
                    let key = [policy.as_str().expect("a label").to_owned(), seat, metric.clone()];
                    *sums.entry(key).or_default() += value.as_u64().expect("a count");
                }
            }
        }
    }
    assert_eq!(simulated.len(), sums.len());
    for row in &simulated {
        let key = ["policy", "seat", "metric"].map(|column| row[column].clone());
        let sum = number(row, "mean") * number(row, "trials");
        assert!((sum - sums[&key] as f64).abs() < 1e-4, "{row:?}");
    }
}
