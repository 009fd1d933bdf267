//! `sweep`: every point is a simulation, and two points are a comparison.

use serde_json::json;

use crate::common::{entries, good, manifest, number, read, rows, scratch};

/// A sweep is the same on any number of threads and any runner, and every point is a simulation, row by row.
#[test]
fn a_sweep_is_simulations_side_by_side() {
    const FILES: [&str; 3] = ["sweep.csv", "best.csv", "sensitivity.csv"];
    let folder = scratch("contract-sweep");
    let line = "sweep carbonite -p first --vary k=1..3 --vary-rule copies=1,2 -n 9001 --paired 5000 -q";
    let first = good(&folder, &format!("{line} --out first")).stdout;
    let files = |out: &str| FILES.map(|file| read(&folder.join(out).join(file)));
    for options in ["", "--threads 1", "--threads 3", "--runner trial", "--runner lanes"] {
        assert_eq!(
            good(&folder, format!("{line} --out other {options}").trim_end()).stdout,
            first,
            "{options}"
        );
        assert_eq!(files("other"), files("first"), "{options}");
    }
    assert_eq!(
        entries(&folder.join("first")),
        FILES.iter().chain(&["manifest.json", "report.html"]).map(|name| (*name).to_owned()).collect()
    );

    let [sweep, best, _] = files("first");
    let mut lines = sweep.lines();
    assert!(lines.next().is_some_and(|header| header.starts_with("k,copies,game,")));
    for (k, copies) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
        let alone =
            format!("simulate carbonite -p first:k={k} --set copies={copies} -n 9001 -q --format csv");
        for row in good(&folder, &alone).stdout.lines().skip(1) {
            assert_eq!(lines.next(), Some(format!("{k},{copies},{row}").as_str()));
        }
    }
    assert_eq!(lines.next(), None);

    let best = rows(&best);
    let scores: Vec<_> = rows(&sweep).into_iter().filter(|row| row["metric"] == "score").collect();
    let most = scores.iter().map(|row| number(row, "mean")).fold(0.0, f64::max);
    for (row, score) in best.iter().zip(&scores) {
        assert_eq!(row["mean"], score["mean"]);
        assert_eq!(row["best"] == "true", number(row, "mean") >= most);
        assert_eq!(row["best"] == "true", number(row, "loss") < 0.0);
        assert!(row["best"] == "true" || (number(row, "loss") - (most - number(row, "mean"))).abs() < 1.6e-6);
        assert!(
            number(row, "loss_low") <= number(row, "loss") && number(row, "loss") <= number(row, "loss_high")
        );
    }
    let found = manifest(&folder.join("first"));
    assert_eq!((&found["trials"], &found["complete"]), (&json!(6 * 9001), &json!(true)));
    assert_eq!(found["sweep"]["axes"][1], json!({ "name": "copies", "levels": ["1", "2"] }));
    assert_eq!(
        (&found["sweep"]["finished_points"], &found["sweep"]["paired_trials"]),
        (&json!(6), &json!(5000))
    );
}

/// What is said of two points on all trials is what `compare` says of them: the same mean and the same deviation.
#[test]
fn two_points_are_a_comparison() {
    let folder = scratch("contract-sweep-compare");
    for (options, policies) in [
        ("carbonite", ["first:k=2", "first:k=3"]),
        ("pig --rotate", ["hold:n=15+hold-at-25", "hold:n=16+hold-at-25"]),
    ] {
        let (game, vary) = match options {
            "carbonite" => ("carbonite", "-p first --vary k=2,3"),
            _ => ("pig", "--rotate -p hold -p hold-at-25 --vary 1.n=15,16"),
        };
        good(&folder, &format!("sweep {game} {vary} -n 9001 --paired 9001 -q --out sweep"));
        let [a, b] = policies;
        good(&folder, &format!("compare {options} -p {a} -p {b} -n 9001 -q --out compare"));
        let swept = rows(&read(&folder.join("sweep/sensitivity.csv")));
        let compared = &rows(&read(&folder.join("compare/comparison.csv")))[0];
        let close =
            |column: &str, other: &str| (number(&swept[1], column) + number(compared, other)).abs() < 1.6e-6;
        assert!(close("difference", "mean_difference"), "{swept:?} {compared:?}");
        // One difference alone: nothing is to hold together.
        assert!(close("low", "high") && close("high", "low"), "{swept:?} {compared:?}");
    }
}

/// Too many points to be compared pair by pair, each on two trials.
#[test]
fn a_sweep_of_more_points_than_pairs() {
    let folder = scratch("contract-sweep-many");
    let line = "sweep pig --rules solo -p hold --vary n=1..1001 -n 2 --runner trial -q --out out";
    good(&folder, line);
    assert_eq!(manifest(&folder.join("out"))["sweep"]["paired_trials"], 0);
    let best = rows(&read(&folder.join("out/best.csv")));
    assert_eq!(best.len(), 1001);
    assert!(best.iter().all(|row| row["method"].ends_with("any dependence")));
}
