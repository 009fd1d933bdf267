//! `replay`: what it tells is what `simulate` counts.

use std::collections::BTreeMap;

use serde_json::json;

use crate::common::{data, good, number, rows};

/// What `replay` tells of the first trials adds up to what `simulate` counts of them.
#[test]
fn replays_are_the_trials_that_were_simulated() {
    let folder = data();
    for (game, options) in
        [("carbonite", "--policy tidy --seed 5"), ("pig", "--policy hold --policy hold-at-25")]
    {
        let trials = 12;
        let line = format!("simulate {game} {options} -n {trials} -q --format csv");
        let simulated = rows(&good(&folder, &line).stdout);
        let mut sums: BTreeMap<(String, String), u64> = BTreeMap::new();
        for trial in 0..trials {
            let replay = good(&folder, &format!("replay {game} {options} --trial {trial} --json")).json();
            for seat in replay["seats"].as_array().expect("seats") {
                for (metric, value) in seat["metrics"].as_object().expect("metrics") {
                    let key = (seat["seat"].to_string(), metric.clone());
                    *sums.entry(key).or_default() += value.as_u64().expect("a count");
                }
            }
            let count = |seat: u64, step: &str| {
                let steps = replay["steps"].as_array().expect("steps").iter();
                steps.filter(|found| found["step"] == step && found["seat"] == json!(seat)).count() as u64
            };
            for seat in replay["seats"].as_array().expect("seats") {
                let number = seat["seat"].as_u64().expect("a number");
                assert_eq!(seat["metrics"]["turns"], count(number, "turn"));
                assert_eq!(seat["metrics"]["busts"], count(number, "bust"));
            }
        }
        assert_eq!(simulated.len(), sums.len());
        for row in &simulated {
            let sum = sums[&(row["seat"].clone(), row["metric"].clone())];
            assert!((number(row, "mean") - sum as f64 / trials as f64).abs() < 1e-6, "{row:?}");
        }
    }
}
