//! What scripts and reports rely on: options, files, exit codes, and that the same command gives the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::{
    Row, TABLES, count, data, entries, good, manifest, number, read, rows, run, scratch, tables,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Runs of several batches for every thread, the last one incomplete.
const SOLO: &str = "simulate carbonite --policy tidy --trials 30001 --quiet";
const FOR_TWO: &str = "simulate pig --policy hold --policy hold-at-25 --trials 30001 --quiet";
const ROTATED: &str = "simulate pig --set players=3 --set goal=40 --policy hold:n=8 --policy hold:n=12 --policy \
                       hold:n=20 --rotate --trials 30001 --quiet";

#[test]
fn the_same_bytes_again_and_with_any_number_of_threads() {
    for (name, line) in [("solo", SOLO), ("two", FOR_TWO), ("rotated", ROTATED)] {
        let folder = scratch(&format!("contract-threads-{name}"));
        let first = good(&folder, &format!("{line} --out first"));
        for (out, threads) in
            [("again", ""), ("one", " --threads 1"), ("two", " --threads 2"), ("three", " --threads 3")]
        {
            let ran = good(&folder, &format!("{line}{threads} --out {out}"));
            assert_eq!(ran.stdout, first.stdout, "{out}");
            assert_eq!(tables(&folder.join(out)), tables(&folder.join("first")), "{out}");
        }
        assert_eq!(manifest(&folder.join("three"))["threads"], 3);
    }
}

/// What a rule or a budget stopped is the same as the first so many trials of a longer run.
#[test]
fn a_comparison_that_stops_itself_can_be_repeated() {
    let folder = scratch("contract-until");
    let line = "compare pig --rules solo --policy hold:n=20 --policy hold:n=15 --quiet";
    let tables = |out: &str| {
        let all = rows(&read(&folder.join(out).join("comparison.csv")));
        all.into_iter().map(|row| (row["trials"].clone(), row["mean_difference"].clone())).collect::<Vec<_>>()
    };
    for (name, until) in [("decided", "--until-decided 0"), ("budget", "--budget 0.2s")] {
        let first = good(&folder, &format!("{line} {until} --out {name} --threads 2")).stdout;
        let found = manifest(&folder.join(name));
        assert_eq!((&found["complete"], &found["trials"]), (&json!(true), &found["requested_trials"]));
        assert!(first.contains("hold at every moment") && found["stopping"]["at_most"] == 100_000_000);
        let csv = read(&folder.join(name).join("comparison.csv"));
        assert!(csv.contains("anytime-valid") && !csv.contains("fixed n"), "{csv}");
        good(&folder, &format!("{line} --trials {} --out again", found["trials"]));
        assert_eq!(tables(name), tables("again"));
    }
    let one = good(&folder, &format!("{line} --until-decided 0 --threads 1")).stdout;
    assert_eq!(one, good(&folder, &format!("{line} --until-decided 0 --threads 3")).stdout);
}

/// A comparison is the same on any number of threads, and its means are those of two simulations, digit by digit.
#[test]
fn a_comparison_is_two_simulations_taken_together() {
    let folder = scratch("contract-compare");
    let line = "compare carbonite --policy tidy --policy first --trials 30001 --quiet --divergent 9";
    let first = good(&folder, &format!("{line} --out first")).stdout;
    for threads in 1..=3 {
        assert_eq!(good(&folder, &format!("{line} --threads {threads} --out other")).stdout, first);
        for table in ["comparison.csv", "comparison_distribution.csv"] {
            assert_eq!(read(&folder.join("other").join(table)), read(&folder.join("first").join(table)));
        }
    }
    let found = manifest(&folder.join("first"));
    assert_eq!((&found["policies"][0]["lineup"], &found["policies"][1]["lineup"]), (&json!(1), &json!(2)));
    let [tidy, naive] = ["tidy", "first"].map(|policy| {
        let line = format!("simulate carbonite --policy {policy} --trials 30001 --quiet --format csv");
        rows(&good(&folder, &line).stdout)
    });
    let differences = rows(&read(&folder.join("first/comparison.csv")));
    assert_eq!(differences.len(), tidy.len());
    for ((row, a), b) in differences.iter().zip(&tidy).zip(&naive) {
        assert_eq!(row["metric"], a["metric"]);
        let by_hand = number(a, "mean") - number(b, "mean");
        // Each of the three is rounded to six decimals.
        assert!((number(row, "mean_difference") - by_hand).abs() < 1.6e-6, "{row:?}");
    }
    // What is said of a trial is what its replay shows.
    let told = good(&folder, &format!("{line} --format json")).json();
    let parted = &told["pairs"][0]["divergent"];
    assert_eq!(parted.as_array().map(Vec::len), Some(9));
    for parting in parted.as_array().expect("an array") {
        for (policy, side) in [("tidy", "a"), ("first", "b")] {
            let line = format!("replay carbonite --policy {policy} --trial {} --json", parting["trial"]);
            let replayed = good(&folder, &line).json();
            let steps = replayed["steps"].as_array().expect("steps");
            let mut decisions = steps.iter().filter(|step| step.get("chosen").is_some());
            let before = parting["decisions_before"].as_u64().expect("a count");
            let before = usize::try_from(before).expect("decisions of one game");
            let step = decisions.nth(before).expect("the decision");
            assert_eq!((&step["step"], &step["chosen"]), (&parting["decision"], &parting[side]));
            assert_eq!(step["state"], parting["state"]);
        }
    }
}

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
        FILES.iter().chain(&["manifest.json"]).map(|name| (*name).to_owned()).collect()
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

/// The format on stdout, the runner and what is said on stderr do not change a file.
#[test]
fn the_same_files_whatever_is_printed() {
    let folder = scratch("contract-printed");
    for line in [SOLO, ROTATED] {
        let trials = line.replace("30001", "5000");
        good(&folder, &format!("{trials} --out first"));
        for options in [
            "--format csv",
            "--format json",
            "--runner trial",
            "--runner lanes",
            "--runner auto",
            "--verbose",
        ] {
            good(&folder, &format!("{trials} --out other {options}"));
            assert_eq!(tables(&folder.join("other")), tables(&folder.join("first")), "{options}");
        }
    }
}

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
        .flat_map(|policy| ["all", "1", "2", "3"].map(|seat| ((*policy).to_owned(), seat.to_owned())))
        .collect();
    for table in [&summary, &distribution, &turns] {
        let mut found: Vec<_> = table.iter().map(standing).collect();
        found.dedup();
        assert_eq!(found, expected);
    }
    assert!(endings.iter().all(|row| row["policy"] == "hold:n=8 / hold:n=12 / hold:n=20"));
    assert_eq!(endings.iter().map(|row| count(row, "count")).sum::<u64>(), 30_001);

    // Counts of `all` are those of the seats together, wherever something is counted.
    for (table, keys, counts) in [
        (&distribution, ["metric", "value"], &["count"][..]),
        (&turns, ["turn", "turn"], &["reached", "ended_here", "busts"]),
        (&summary, ["metric", "metric"], &["trials"]),
    ] {
        for column in counts {
            let mut sums: BTreeMap<_, [u64; 2]> = BTreeMap::new();
            for row in table {
                let key = (&row["policy"], keys.map(|key| &row[key]));
                sums.entry(key).or_default()[usize::from(row["seat"] == "all")] += count(row, column);
            }
            assert!(sums.values().all(|[seats, all]| seats == all), "{column}");
        }
    }
    // Trial 0 is played as named: the first rotation has the trial that three seats do not divide.
    assert_eq!(manifest(&folder.join("out"))["rotation"]["trials"], json!([10_001, 10_000, 10_000]));
    for row in &summary {
        let at = policies.iter().position(|policy| row["policy"] == *policy).expect("a policy");
        let as_named = row["seat"] == (at + 1).to_string();
        let trials = if row["seat"] == "all" { 30_001 } else { 10_000 + u64::from(as_named) };
        assert_eq!(count(row, "trials"), trials, "{row:?}");
    }
    let wins: f64 = summary
        .iter()
        .filter(|row| row["seat"] == "all" && row["metric"] == "win")
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
                .filter(|line| !line.contains(",all,"))
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
                for seat in [seat.to_string(), "all".into()] {
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

#[test]
fn five_files_and_nothing_else() {
    let folder = scratch("contract-five");
    let five: BTreeSet<_> = TABLES.iter().copied().chain(["manifest.json"]).map(str::to_owned).collect();
    good(&folder, "simulate pig --policy hold -n 100 -q --out a/b/c");
    assert_eq!(entries(&folder.join("a/b/c")), five);
    // A second run replaces the files of the first.
    good(&folder, "simulate pig --policy hold -n 200 -q --out a/b/c");
    assert_eq!(entries(&folder.join("a/b/c")), five);
    assert_eq!(manifest(&folder.join("a/b/c"))["trials"], 200);
    assert_eq!(rows(&read(&folder.join("a/b/c/summary.csv")))[0]["trials"], "200");
    // Without --out nothing is written.
    good(&folder, "simulate pig --policy hold -n 100 -q");
    assert_eq!(entries(&folder).len(), 1);
}

/// A run that fails leaves a result directory as it was.
#[test]
fn failed_runs_write_nothing() {
    let folder = scratch("contract-failed");
    good(&folder, "simulate pig --policy hold -n 100 -q --out out");
    let before = (entries(&folder.join("out")), tables(&folder.join("out")));
    let line = "simulate pig --out out";
    for rest in
        ["--policy nobody", "--policy hold -n 0", "--policy hold --threads 0", "--policy hold --set goal=0"]
    {
        assert_eq!(run(&folder, &format!("{line} {rest}")).code, Some(2), "{rest}");
        assert_eq!((entries(&folder.join("out")), tables(&folder.join("out"))), before, "{rest}");
    }

    fs::create_dir_all(folder.join("taken/turns.csv")).expect("a folder in the way");
    let ran = run(&folder, "simulate pig --policy hold -n 100 -q --out taken");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("`taken`") && ran.stderr.contains("`turns.csv`"), "{}", ran.stderr);
    assert_eq!(entries(&folder.join("taken")).len(), 1);

    let ran = run(&folder, "simulate pig --policy nobody -n 100 -q --out never");
    assert_eq!(ran.code, Some(2));
    assert!(!folder.join("never").exists());
}

#[test]
fn the_manifest_has_everything_that_is_needed_to_repeat_the_run() {
    let folder = scratch("contract-manifest");
    let line = "simulate pig --policy hold:n=25 --policy greedy.toml --set goal=50 --seed 17 -n 3k --threads 2 -q \
                --out out";
    fs::copy(data().join("policies/greedy.toml"), folder.join("greedy.toml")).expect("a copy");
    good(&folder, line);
    let found = manifest(&folder.join("out"));
    let words: Vec<_> = found["command_line"].as_array().expect("words").iter().skip(1).collect();
    assert_eq!(words, line.split(' ').collect::<Vec<_>>());
    for (field, value) in [
        ("program", json!("stopwise")),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("game", json!("pig")),
        ("seed", json!(17)),
        ("stream_scheme", json!(1)),
        ("first_trial", json!(0)),
        ("trials", json!(3000)),
        ("requested_trials", json!(3000)),
        ("complete", json!(true)),
        ("runner", json!("lanes")),
        ("threads", json!(2)),
    ] {
        assert_eq!(found[field], value, "{field}");
    }
    assert!(["wall_seconds", "cpu_seconds"].iter().all(|field| found[field].as_f64() > Some(0.0)));
    let options = json!({
        "players": 2, "goal": 50, "sides": 6, "bust_faces": [1], "unit_score": false, "turn_cap": 10_000,
    });
    assert_eq!(found["rules"], json!({ "name": "standard+goal=50", "options": options }));
    let policies = found["policies"].as_array().expect("a list");
    assert_eq!(policies.len(), 2);
    let greedy = read(&folder.join("greedy.toml"));
    let shipped = good(&folder, "policy show hold").stdout;
    for (seat, label, file, text) in
        [(1, "hold:n=25", "policies/pig/hold.toml", shipped), (2, "greedy", "greedy.toml", greedy)]
    {
        let digest = Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        let expected = json!({ "seat": seat, "policy": label, "file": file, "sha256": digest, "text": text });
        assert_eq!(policies[seat - 1], expected);
    }
    assert_eq!(found.as_object().expect("an object").len(), 17, "what is new?");
}

/// A seed is more than a label, and its trials are not one game over and over.
#[test]
fn other_seeds_give_other_results() {
    let folder = scratch("contract-seeds");
    let mut seen = Vec::new();
    for seed in ["0", "1", "2", "18446744073709551615"] {
        good(&folder, &format!("simulate carbonite --policy tidy -n 2k -q --seed {seed} --out {seed}"));
        seen.push(read(&folder.join(seed).join("distribution.csv")));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 4);
    assert!(seen.iter().all(|table| rows(table).iter().filter(|row| row["metric"] == "score").count() > 100));
}

#[test]
fn numbers_as_people_write_them() {
    let folder = scratch("contract-numbers");
    let trials = |number: &str| {
        let ran =
            good(&folder, &format!("simulate pig --rules piglet --policy hold -q --format csv -n {number}"));
        count(&rows(&ran.stdout)[0], "trials")
    };
    let found = ["10k", "10_000", "1e4", "0.01M", "10000", "2M", "1e6"].map(trials);
    assert_eq!(found, [10_000, 10_000, 10_000, 10_000, 10_000, 2_000_000, 1_000_000]);
    let seeds = ["--seed 1_000", "--seed 1k"].map(|seed| good(&folder, &format!("{SOLO} {seed}")).stdout);
    assert_eq!(seeds[0], seeds[1]);
    let replays = ["1_000", "1k"]
        .map(|trial| good(&folder, &format!("replay carbonite --policy tidy --trial {trial}")).stdout);
    assert_eq!(replays[0], replays[1]);
}

/// The name of the rules, and the options in force.
fn rules_of(folder: &Path, options: &str) -> (String, Value) {
    good(folder, &format!("simulate carbonite --policy first -n 50 -q {options} --out out"));
    let found = manifest(&folder.join("out"));
    let name = found["rules"]["name"].as_str().expect("a name").to_owned();
    for table in tables(&folder.join("out")) {
        assert!(rows(&table).iter().all(|row| row["rules"] == name), "{table}");
    }
    (name, found["rules"]["options"].clone())
}

#[test]
fn rules_by_name_by_file_and_by_option() {
    let folder = scratch("contract-rules");
    let (name, wiki) = rules_of(&folder, "--threads 1");
    assert_eq!(name, "wiki");
    assert_eq!(rules_of(&folder, "--rules wiki"), (name, wiki.clone()));

    let (name, options) = rules_of(&folder, "--set turns=5 --set points.solid=9 --set retribution=any");
    assert_eq!(name, "wiki+turns=5+points.solid=9+retribution=any");
    let mut expected = wiki;
    expected["turns"] = json!(5);
    expected["points"]["solid"] = json!(9);
    expected["retribution"] = json!("any");
    assert_eq!(options, expected);

    let (name, mut expected) = rules_of(&folder, "--rules readme-v1");
    assert_eq!(name, "readme-v1");
    expected["turns"] = json!(3);
    expected["points"]["solid"] = json!(9);
    fs::copy(data().join("rules/short.toml"), folder.join("short.toml")).expect("a copy");
    let (name, options) = rules_of(&folder, "--rules short.toml");
    assert_eq!((name.as_str(), options), ("short", expected.clone()));
    expected["copies"] = json!(1);
    assert_eq!(
        rules_of(&folder, "--rules ./short.toml --set copies=1"),
        ("short+copies=1".to_owned(), expected)
    );
    // Three turns are three turns.
    let turns = rows(&read(&folder.join("out/turns.csv")));
    assert_eq!(turns.last().map(|row| row["turn"].as_str()), Some("3"));
}

/// A policy's file, its parameters, and the same policy by name.
#[test]
fn policies_by_name_by_file_and_with_parameters() {
    let folder = data();
    let shown = |policy: &str| {
        let line = "simulate carbonite --trials 2k -q --format csv --policy";
        good(&folder, &format!("{line} {policy}")).stdout
    };
    assert_eq!(shown("../../../../policies/carbonite/tidy.toml"), shown("tidy"));
    assert_eq!(shown("tidy:k=2"), shown("tidy"));
    assert_ne!(shown("tidy:k=3"), shown("tidy"));
    for (policy, label) in [
        ("policies/mine.toml", "mine:k=3,risk=0.3"),
        ("policies/mine.toml:k=2", "mine:k=2,risk=0.3"),
        ("./policies/mine.toml:risk=0.25,k=4", "mine:k=4,risk=0.25"),
    ] {
        assert!(rows(&shown(policy)).iter().all(|row| row["policy"] == label), "{policy}");
    }
}

#[test]
fn a_policy_for_all_seats_or_one_for_each() {
    let folder = scratch("contract-seats");
    let line = "simulate pig --set players=3 -n 2k -q --out";
    good(&folder, &format!("{line} same --policy hold"));
    good(&folder, &format!("{line} thrice --policy hold --policy hold --policy hold:n=20"));
    assert_eq!(tables(&folder.join("same")), tables(&folder.join("thrice")));
    good(&folder, &format!("{line} mixed --policy hold --policy hold:n=5 --policy hold-at-25"));
    let labels = ["hold:n=20", "hold:n=5", "hold-at-25"];
    for name in ["summary.csv", "distribution.csv", "turns.csv"] {
        for row in rows(&read(&folder.join("mixed").join(name))) {
            assert_eq!(row["policy"], labels[row["seat"].parse::<usize>().expect("a seat") - 1], "{name}");
        }
    }
    let endings = rows(&read(&folder.join("mixed/endings.csv")));
    assert!(endings.iter().all(|row| row["policy"] == "hold:n=20 / hold:n=5 / hold-at-25"));
    // Whoever holds at five wins less.
    let wins: Vec<_> = rows(&read(&folder.join("mixed/summary.csv")))
        .iter()
        .filter(|row| row["metric"] == "win")
        .map(|row| number(row, "mean"))
        .collect();
    assert!(wins[1] < wins[0] && wins[1] < wins[2], "{wins:?}");
    assert!((wins.iter().sum::<f64>() - 1.0).abs() < 2e-6, "{wins:?}");
}

#[test]
fn a_policy_that_lanes_cannot_play_falls_back_visibly() {
    let folder = scratch("contract-lanes");
    let wide = "game = \"carbonite\"\nname = \"wide\"\nsummary = \"Numbers beyond 32 bits.\"\n\
                stop = \"score_if_ended * score_if_stopped * vault > 5000000\"\n";
    fs::write(folder.join("wide.toml"), wide).expect("written");
    let line = "simulate carbonite --policy wide.toml -n 10 -q";
    let ran = run(&folder, &format!("{line} --runner lanes"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    let said = ["lanes cannot play this", "`stop`", "wide", "32 bits", "--runner trial"];
    assert!(said.iter().all(|words| ran.stderr.contains(words)), "{}", ran.stderr);
    let ran = good(&folder, &format!("{line} --verbose --out out"));
    assert!(ran.stderr.starts_with("runner: trial (lanes cannot play this"), "{}", ran.stderr);
    assert_eq!(manifest(&folder.join("out"))["runner"], "trial");
    let ran = good(&folder, "simulate carbonite --policy tidy -n 10 -q --verbose --out out");
    assert!(ran.stderr.starts_with("runner: lanes ("), "{}", ran.stderr);
    assert_eq!(manifest(&folder.join("out"))["runner"], "lanes");
    assert!(manifest(&folder.join("out"))["instructions"].is_string());
}

fn of_metric<'r>(rows: &'r [Row], seat: &str, metric: &str) -> Vec<&'r Row> {
    rows.iter().filter(|row| row["seat"] == seat && row["metric"] == metric).collect()
}

/// The tables tell the same story: every total can be found in two of them.
#[test]
fn the_tables_agree_with_each_other() {
    for (name, trials, line) in [
        ("solo", 30_001, SOLO.to_owned()),
        ("two", 30_001, FOR_TWO.to_owned()),
        ("wiki", 7000, "simulate carbonite --rules readme-v1 --policy first:k=3 -n 7k -q".into()),
        ("capped", 500, "simulate pig --policy hold:n=60 --set turn_cap=20 -n 500 -q".into()),
    ] {
        let folder = scratch(&format!("contract-tables-{name}"));
        good(&folder, &format!("{line} --out out"));
        let [summary, distribution, endings, turns] =
            TABLES.map(|table| rows(&read(&folder.join("out").join(table))));

        let total: u64 = endings.iter().map(|row| count(row, "count")).sum();
        assert_eq!(total, trials);
        for table in [&distribution, &endings] {
            for row in table {
                let share = count(row, "count") as f64 / trials as f64;
                assert!((number(row, "share") - share).abs() < 1e-9, "{row:?}");
                assert!(number(row, "share_low") <= share && share <= number(row, "share_high"), "{row:?}");
            }
        }
        let mut sums = BTreeMap::new();
        for row in &summary {
            let (seat, metric) = (row["seat"].as_str(), row["metric"].as_str());
            assert_eq!(count(row, "trials"), trials);
            let values: Vec<_> = of_metric(&distribution, seat, metric)
                .into_iter()
                .map(|row| (count(row, "value"), count(row, "count"), number(row, "cumulative")))
                .collect();
            assert!(values.is_sorted_by(|one, next| one.0 < next.0));
            assert_eq!(values.iter().map(|(_, count, _)| count).sum::<u64>(), trials, "{metric}");
            let sum: u64 = values.iter().map(|(value, count, _)| value * count).sum();
            let mean = sum as f64 / trials as f64;
            assert!((number(row, "mean") - mean).abs() < 1e-6, "{metric}: {mean}");
            let squares: f64 =
                values.iter().map(|(v, count, _)| (*v as f64 - mean).powi(2) * *count as f64).sum();
            let deviation = (squares / (trials - 1) as f64).sqrt();
            assert!((number(row, "std_dev") - deviation).abs() < 1e-6, "{metric}: {deviation}");
            let error = deviation / (trials as f64).sqrt();
            assert!((number(row, "std_error") - error).abs() < 1e-6, "{metric}: {error}");
            assert_eq!(count(row, "min"), values[0].0);
            assert_eq!(count(row, "max"), values[values.len() - 1].0);
            assert!((values[values.len() - 1].2 - 1.0).abs() < 1e-9);
            for (column, share) in [("p01", 0.01), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p99", 0.99)]
            {
                let least = values.iter().find(|value| value.2 >= share).expect("the last is 1").0;
                assert_eq!(count(row, column), least, "{metric} {column}");
            }
            sums.insert((seat, metric), sum);
        }
        let seats: BTreeSet<_> = summary.iter().map(|row| row["seat"].as_str()).collect();
        for seat in seats {
            let turns: Vec<_> = turns.iter().filter(|row| row["seat"] == seat).collect();
            let sum = |column| turns.iter().map(|row| count(row, column)).sum::<u64>();
            assert_eq!(sum("reached"), sums[&(seat, "turns")], "every turn reached is a turn");
            assert_eq!(sum("busts"), sums[&(seat, "busts")]);
            let none = of_metric(&distribution, seat, "turns").into_iter().find(|row| row["value"] == "0");
            assert_eq!(sum("ended_here") + none.map_or(0, |row| count(row, "count")), trials);
            let mut reached = sum("ended_here");
            for (turn, row) in (1..).zip(&turns) {
                assert_eq!((count(row, "turn"), count(row, "reached")), (turn, reached));
                for (share, counted, of) in [
                    ("reached_share", "reached", trials),
                    ("ended_share", "ended_here", trials),
                    ("bust_share", "busts", reached),
                ] {
                    let expected = count(row, counted) as f64 / of as f64;
                    assert!((number(row, share) - expected).abs() < 1e-9, "{row:?}");
                }
                reached -= count(row, "ended_here");
            }
            assert_eq!(reached, 0);
        }
        if name != "capped" && endings[0]["game"] == "pig" {
            let wins: u64 = ["1", "2"].iter().map(|seat| sums[&(*seat, "win")]).sum();
            assert_eq!(wins, trials, "somebody wins every game");
        }
    }
}

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

/// Options that people and scripts find in the contract are in the help.
#[test]
fn the_help_names_every_common_option() {
    let help = good(&data(), "simulate --help").stdout;
    for option in [
        "--trials",
        "--seed",
        "--threads",
        "--rules",
        "--set",
        "--policy",
        "--out",
        "--format",
        "--runner",
        "--quiet",
    ] {
        assert!(help.contains(option), "{option}");
    }
    for value in ["table", "csv", "json", "auto", "trial", "lanes", "[default: 1M]", "[default: 1]"] {
        assert!(help.contains(value), "{value}");
    }
    let main = good(&data(), "--help").stdout;
    let commands =
        main.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let mut seen = 0;
    for command in commands.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        let help = good(&data(), &format!("{command} --help")).stdout;
        assert!(help.contains(&format!("Usage: stopwise {command}")), "{command}");
        seen += 1;
    }
    assert!(seen >= 9);
    assert!(good(&data(), "completions bash").stdout.contains("simulate"));
    let manual = good(&data(), "man").stdout;
    assert!(manual.contains(".TH") && manual.contains("simulate"));
}
