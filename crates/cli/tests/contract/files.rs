//! Result directories: which files there are, what a failed run leaves, and what the manifest says.

use std::fmt::Write as _;
use std::fs;

use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::common::{data, entries, good, manifest, read, rows, run, scratch, tables, written};

#[test]
fn all_files_and_nothing_else() {
    let folder = scratch("contract-files");
    good(&folder, "simulate pig --policy hold -n 100 -q --out a/b/c");
    assert_eq!(entries(&folder.join("a/b/c")), written(2));
    // A second run replaces the files of the first.
    good(&folder, "simulate pig --policy hold -n 200 -q --out a/b/c");
    assert_eq!(entries(&folder.join("a/b/c")), written(2));
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
    assert!(found["run"].as_str().is_some_and(|digits| digits.len() == 16));
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
    assert_eq!(found.as_object().expect("an object").len(), 18, "what is new?");
}
