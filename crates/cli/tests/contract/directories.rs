//! A result directory has one writer at a time, holds whole results or none, and nothing of anybody else's is touched.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{Ran, entries, good, manifest, program, read, run, scratch, tables, written};

const SHORT: &str = "simulate pig --rules solo -p hold -n 200 -q --out out";
const MARK: &str = ".stopwise.part";

/// A run that lasts until it is killed, as by the machine's end.
struct Endless(Child);

impl Endless {
    fn start(folder: &Path, line: &str) -> Self {
        let mut command = program(folder);
        command.args(line.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().expect("the program starts"))
    }

    fn kill(mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it ends");
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        // It may have been killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(20), "{what}");
        sleep(Duration::from_millis(5));
    }
}

fn all() -> Vec<String> {
    written(1).into_iter().collect()
}

fn names(folder: &Path) -> Vec<String> {
    entries(folder).into_iter().collect()
}

fn refused(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    says(ran, words);
}

/// What is meant could be, at another time.
fn is_taken(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    says(ran, words);
}

fn says(ran: &Ran, words: &[&str]) {
    assert_eq!(ran.stdout, "", "{}", ran.stderr);
    for word in words {
        assert!(ran.stderr.contains(word), "no `{word}` in\n{}", ran.stderr);
    }
}

#[test]
fn a_second_run_is_told_who_is_writing() {
    let folder = scratch("directories-two");
    let endless = Endless::start(&folder, "simulate pig --rules solo -p hold -n 1e15 -q --out out");
    wait_for("all files", || {
        folder.join("out").exists() && entries(&folder.join("out")).len() > written(1).len()
    });
    let before = entries(&folder.join("out"));
    for line in [SHORT, &format!("{SHORT} --force")] {
        let ran = run(&folder, line);
        is_taken(
            &ran,
            &["another run is writing into `out`", &format!("process {}", endless.0.id()), "1e15"],
        );
        assert!(ran.stderr.contains("wait for its end, or name another directory"), "{}", ran.stderr);
        assert_eq!(entries(&folder.join("out")), before);
    }
    // What a killed run leaves, the next one clears away.
    endless.kill();
    assert_eq!(entries(&folder.join("out")), before);
    good(&folder, SHORT);
    assert_eq!(names(&folder.join("out")), all());
}

/// Many at once: one writes, or several one after the other; the rest is refused, and no files are mixed.
#[test]
fn runs_that_begin_together() {
    let folder = scratch("directories-many");
    let start = |seed: u32| {
        let mut command = program(&folder);
        command.args(SHORT.split(' ')).args(["--seed", &seed.to_string()]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts")
    };
    for round in 0..5 {
        let children: Vec<_> = (1..=8).map(|seed| start(10 * round + seed)).collect();
        let mut winners = Vec::new();
        for (child, seed) in children.into_iter().zip(1..) {
            let ran = Ran::new(child.wait_with_output().expect("it ends"));
            match ran.code {
                Some(0) => winners.push(10 * round + seed),
                _ => is_taken(&ran, &["another run is writing into `out`"]),
            }
        }
        let found = manifest(&folder.join("out"));
        assert!(winners.iter().any(|&seed| found["seed"] == seed), "{winners:?}");
        assert_eq!(names(&folder.join("out")), all());
        good(&folder, &format!("{} --seed {}", SHORT.replace("out out", "out alone"), found["seed"]));
        assert_eq!(tables(&folder.join("out")), tables(&folder.join("alone")));
    }
}

/// No link is followed, wherever it stands: what it points to stays as it was.
#[test]
fn links_are_not_followed() {
    let folder = scratch("directories-links");
    let victim = folder.join("victim");
    fs::write(&victim, "precious").expect("a file");
    let out = folder.join("out");
    fs::create_dir(&out).expect("a folder");
    let sweep = "sweep pig --rules solo -p hold --vary n=20,25 -n 200 -q --out out";

    symlink(&victim, out.join("sweep.csv.part")).expect("a link");
    refused(&run(&folder, sweep), &["`out`", "`sweep.csv.part`", "remove it"]);
    assert!(out.join("sweep.csv.part").is_symlink());
    good(&folder, &format!("{sweep} --force"));
    assert!(!out.join("sweep.csv.part").exists() && out.join("sweep.csv").is_file());

    symlink(&victim, out.join(MARK)).expect("a link");
    refused(&run(&folder, sweep), &["`out`", MARK, "remove it"]);
    fs::remove_file(out.join(MARK)).expect("a link");

    // A result may be a link: it is replaced, and not what it points to.
    fs::remove_file(out.join("best.csv")).expect("a file");
    symlink(&victim, out.join("best.csv")).expect("a link");
    good(&folder, sweep);
    assert!(!out.join("best.csv").is_symlink());
    assert_eq!(read(&victim), "precious");
}

/// Somebody's file under the name of the one that grows is no leftover.
#[test]
fn the_file_that_grows_is_new() {
    let folder = scratch("directories-grows");
    let sweep = |levels: &str| {
        format!("sweep pig --rules solo -p hold --vary n={levels} --runner trial -n 20k -q --out out")
    };
    let part = folder.join("out/sweep.csv.part");
    fs::create_dir(folder.join("out")).expect("a folder");
    fs::write(&part, "my notes").expect("a file");
    refused(&run(&folder, &sweep("20,25")), &["`sweep.csv.part`", "--force"]);
    assert_eq!(read(&part), "my notes");
    fs::remove_file(&part).expect("a file");

    let endless = Endless::start(&folder, &sweep("1..999"));
    wait_for("points", || part.exists() && read(&part).lines().count() > 12);
    endless.kill();
    assert!(part.exists() && !folder.join("out/manifest.json").exists());
    good(&folder, &sweep("20,25"));
    assert_eq!(
        names(&folder.join("out")),
        ["best.csv", "manifest.json", "report.html", "sensitivity.csv", "sweep.csv"]
    );
}

/// Temporary files of runs are cleared away; files that only look like them stay.
#[test]
fn only_our_own_leftovers_are_removed() {
    let folder = scratch("directories-leftovers");
    let out = folder.join("out");
    fs::create_dir(&out).expect("a folder");
    let ours = [".summary.csv.4242.part", ".manifest.json.77.part"];
    let theirs =
        [".notes.csv.4242.part", ".summary.csv.x.part", "summary.csv.1.part", "thesis.part", ".summary.csv"];
    ours.iter().chain(&theirs).for_each(|name| fs::write(out.join(name), "text").expect("a file"));
    good(&folder, SHORT);
    let left = entries(&out);
    assert!(ours.iter().all(|name| !left.contains(*name)), "{left:?}");
    assert!(theirs.iter().all(|name| left.contains(*name)), "{left:?}");
    assert_eq!(left.len(), written(1).len() + theirs.len());
}

/// Results of another command, and files that nobody vouches for, are replaced on demand alone, and then as a whole.
#[test]
fn files_of_others() {
    let folder = scratch("directories-others");
    let out = folder.join("out");
    good(&folder, "rank pig --rules solo -p hold -p hold:n=25 -n 2k --fresh 0 -q --out out");
    let before = entries(&out);
    let ran = run(&folder, SHORT);
    refused(&ran, &["`out` has the results of `stopwise rank`", "name another directory", "--force"]);
    assert_eq!(entries(&out), before);
    fs::write(out.join("notes.txt"), "mine").expect("a file");
    good(&folder, &format!("{SHORT} --force"));
    assert_eq!(names(&out).iter().filter(|name| *name != "notes.txt").cloned().collect::<Vec<_>>(), all());
    assert_eq!(read(&out.join("notes.txt")), "mine");

    fs::remove_file(out.join("manifest.json")).expect("a manifest");
    refused(&run(&folder, SHORT), &["`out` has a file `distribution.csv`, but no manifest", "--force"]);
    for strange in ["{}", "no JSON", "{\"program\": \"other\", \"command_line\": [\"other\", \"simulate\"]}"]
    {
        fs::write(out.join("manifest.json"), strange).expect("a file");
        refused(&run(&folder, SHORT), &["`manifest.json` that is no manifest of stopwise", "--force"]);
        assert_eq!(read(&out.join("manifest.json")), strange);
    }
    good(&folder, &format!("{SHORT} --force"));
    good(&folder, SHORT);

    // A run that was killed after the manifest had gone: its command may go on, another may not.
    fs::remove_file(out.join("manifest.json")).expect("a manifest");
    for (command, code) in [("rank", 2), ("simulate", 0)] {
        let dead = json!({
            "program": "stopwise", "command": command, "process": 1, "begun": 0, "command_line": ["stopwise", command],
        });
        fs::write(out.join(MARK), dead.to_string()).expect("a mark");
        assert_eq!(run(&folder, SHORT).code, Some(code));
        assert!(!out.join(MARK).exists());
    }

    // Best turns have no manifest, but say themselves what they are.
    let turns = "solve carcassonne --rules solo --long-run -q --out turns";
    fs::create_dir(folder.join("turns")).expect("a folder");
    fs::write(folder.join("turns/policy.toml"), "name = \"mine\"\n").expect("a file");
    refused(&run(&folder, turns), &["`policy.toml`", "`stopwise solve` has not written", "--force"]);
    assert_eq!(read(&folder.join("turns/policy.toml")), "name = \"mine\"\n");
}

/// What one kind of run writes and the next of the same command does not is gone: all files are of one run.
#[test]
fn earlier_results_are_replaced_as_a_whole() {
    let folder = scratch("directories-whole");
    good(&folder, "rank pig --rules solo -p hold -p hold:n=25 -n 2k --fresh 0 -q --out out");
    assert!(folder.join("out/rank_pairs.csv").exists());
    good(&folder, "rank pig -p hold -p hold:n=25 -n 2k --fresh 0 -q --out out");
    assert_eq!(names(&folder.join("out")), ["manifest.json", "matches.csv", "rank.csv", "report.html"]);
}

/// Wherever a run is killed, a manifest stands beside the files of its own run.
#[test]
fn a_manifest_means_a_complete_set() {
    let folder = scratch("directories-kill");
    for seed in 1..=2 {
        good(&folder, &format!("{} --seed {seed}", SHORT.replace("out out", &format!("out {seed}"))));
    }
    let whole = [1, 2].map(|seed| tables(&folder.join(seed.to_string())));
    for round in 0..60_u64 {
        let seed = 1 + round % 2;
        let endless = Endless::start(&folder, &format!("{SHORT} --seed {seed}"));
        sleep(Duration::from_micros(500 * (round % 30)));
        endless.kill();
        if folder.join("out/manifest.json").exists() {
            let of = manifest(&folder.join("out"))["seed"].as_u64().expect("a seed");
            assert_eq!(tables(&folder.join("out")), whole[usize::try_from(of - 1).expect("small")]);
        }
    }
    good(&folder, SHORT);
    assert_eq!(names(&folder.join("out")), all());
}

/// A run dies while it replaces files, and the next one as it begins, with its mark half made or not yet: the files are still
/// those of the command.
#[test]
fn two_deaths() {
    let folder = scratch("directories-deaths");
    for mark in [None, Some("")] {
        good(&folder, &format!("{SHORT} --force"));
        fs::remove_file(folder.join("out/manifest.json")).expect("it is there");
        let refused = run(&folder, SHORT);
        assert!(refused.stderr.contains("no manifest that says which run wrote it"), "{}", refused.stderr);
        fs::write(folder.join("out/.stopwise.replacing"), "simulate").expect("a note");
        mark.iter().for_each(|text| fs::write(folder.join("out/.stopwise.part"), text).expect("a mark"));
        let other =
            run(&folder, &SHORT.replace("simulate", "compare").replace("-p hold", "-p hold -p hold:n=19"));
        assert_eq!(other.code, Some(2), "{}", other.stderr);
        good(&folder, SHORT);
        assert_eq!(names(&folder.join("out")), all());
    }
}

/// A device without room: the message names the file, the report is printed, and what was there stays whole.
#[test]
fn a_full_disk() {
    let folder = scratch("directories-full");
    // Files may have 512 bytes, and a longer one is refused as on a full disk.
    let limited = |line: &str| {
        let shell = format!("trap '' XFSZ; ulimit -f 1; exec \"$0\" {line}");
        let mut command = Command::new("sh");
        command.current_dir(&folder).args(["-c", &shell, env!("CARGO_BIN_EXE_stopwise")]);
        Ran::new(command.stdin(Stdio::null()).output().expect("a shell"))
    };
    good(&folder, SHORT);
    let before = (entries(&folder.join("out")), tables(&folder.join("out")));
    let ran = limited(&format!("{SHORT} --seed 2"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("error: cannot write `out/"), "{}", ran.stderr);
    assert_eq!(ran.stdout, good(&folder, &format!("{} --seed 2", SHORT.replace(" --out out", ""))).stdout);
    assert_eq!((entries(&folder.join("out")), tables(&folder.join("out"))), before);

    let sweep = "sweep pig --rules solo -p hold --vary n=20..29 -n 200 -q";
    let ran = limited(&format!("{sweep} --out sweep"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: cannot write `sweep/sweep.csv`"), "{}", ran.stderr);
    assert_eq!(ran.stdout, good(&folder, sweep).stdout);
    assert!(entries(&folder.join("sweep")).is_empty());
}

#[test]
fn what_was_written_is_said_in_one_line() {
    let folder = scratch("directories-said");
    let line = SHORT.replace(" -q", "");
    let ran = good(&folder, &line);
    let said: Vec<_> = ran.stderr.lines().filter(|line| line.starts_with("wrote ")).collect();
    assert_eq!(
        said,
        [
            "wrote summary.csv, distribution.csv, endings.csv, turns.csv, means.csv, report.html, manifest.json into out"
        ],
        "{}",
        ran.stderr
    );
    assert_eq!(good(&folder, SHORT).stderr, "");
}
