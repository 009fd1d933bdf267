//! What a run says that a signal, or a budget, has ended: the truth, which another run repeats byte for byte.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{entries, good, manifest, read, scratch};
use crate::running::{
    Running, SIGHUP, SIGINT, SIGTERM, is_hangup_ignored, wait_for_files, wait_for_handler, wait_for_work,
};

/// More trials than anybody waits for.
pub(crate) const ENDLESS: &str = "1e15";

/// How long a run may take to end: two seconds are promised, and a busy machine may need some times as long. Runs that
/// are not looked at go on for minutes.
const SOON: Duration = Duration::from_secs(10);

/// Where a run says that it ended.
pub(crate) fn stop_after(message: &str) -> u64 {
    let number = message.split("--stop-after ").nth(1).map(|rest| rest.split(|c: char| !c.is_ascii_digit()));
    let number = number.and_then(|mut digits| digits.next()?.parse().ok());
    number.unwrap_or_else(|| panic!("no number in: {message}"))
}

/// The other run of the same arguments writes and prints the same.
fn assert_repeats(folder: &Path, line: &str, stdout: &str, after: u64) {
    let again = good(folder, &format!("{line} --out again --stop-after {after}"));
    assert_eq!(again.stdout, stdout, "{line}");
    // Of a run that has gone on for two seconds there are check points.
    let mut files = entries(&folder.join("out"));
    files.remove(".stopwise.checkpoints");
    assert_eq!(entries(&folder.join("again")), files, "{line}");
    for file in files.iter().filter(|file| file.ends_with(".csv")) {
        let [out, again] = ["out", "again"].map(|at| read(&folder.join(at).join(file)));
        assert!(out == again, "{line}: {file}");
    }
    let whole = |at: &str| manifest(&folder.join(at))["complete"].clone();
    assert_eq!(whole("again"), whole("out"), "{line}");
}

/// Interrupts a run once it has written its files' names and played for a moment; what it says.
fn interrupted(name: &str, line: &str, signal: i32) -> String {
    let signal = if signal == SIGHUP && is_hangup_ignored() { SIGTERM } else { signal };
    let folder = scratch(&format!("interrupted-{name}"));
    let mut running = Running::start(&folder, &format!("{line} --out out"));
    wait_for_files(&folder.join("out"));
    wait_for_work(running.child(), 10);
    // While it runs there is no file under its final name.
    assert!(entries(&folder.join("out")).iter().all(|name| name.ends_with(".part")), "{line}");
    let sent = Instant::now();
    running.send(signal);
    let ran = running.end();
    assert!(sent.elapsed() < SOON, "{line}: {:?}", sent.elapsed());
    assert_eq!(ran.code, Some(128 + signal), "{line}: {}", ran.stderr);
    let message = ran.stderr.lines().last().expect("a message");
    assert!(message.starts_with("interrupted: ") && message.ends_with("; written to out"), "{message}");
    assert!(entries(&folder.join("out")).iter().all(|name| !name.ends_with(".part")), "{line}");
    assert_eq!(manifest(&folder.join("out"))["complete"], false, "{line}");
    let after = stop_after(message);
    assert!(after > 0, "{line}");
    assert_repeats(&folder, line, &ran.stdout, after);
    message.to_owned()
}

#[test]
fn simulations() {
    let pig = "simulate pig --policy hold --policy hold-at-25 --seed 9 -n 1e15";
    interrupted("solo", "simulate carbonite --policy tidy --seed 9 -n 1e15", SIGINT);
    interrupted("two", pig, SIGTERM);
    interrupted("rotated", &format!("{pig} --rotate"), SIGHUP);
    interrupted("trial", &format!("{pig} --runner trial"), SIGINT);
    interrupted("width", &format!("{pig} --rotate --until-width 1e-9"), SIGTERM);
}

#[test]
fn comparisons() {
    let line = "compare carbonite --policy tidy --policy first --seed 9 --divergent 3";
    interrupted("fixed", &format!("{line} -n 1e15"), SIGINT);
    interrupted("until", &format!("{line} -n 1e15 --until-width 1e-9"), SIGTERM);
    interrupted("shares", "compare pig -p hold -p hold-at-25 --rotate -n 1e15 --until-decided 0", SIGHUP);
}

#[test]
fn rankings() {
    let of = |game: &str| format!("rank {game} -p hold --vary n=15..25 -n 1e9 --resolution 1e-9");
    // A race looks as it goes; the intervals of a round robin are for a number of games that was fixed.
    let is_fixed = |message: String| message.contains("with intervals for a number fixed beforehand");
    assert!(!is_fixed(interrupted("race", &of("pig --rules solo"), SIGTERM)));
    assert!(is_fixed(interrupted(
        "robin",
        "rank pig -p hold:n=20 -p hold:n=21 -p hold-at-25 -n 1e9",
        SIGINT
    )));
}

/// A ranking of a game that is a text goes on from however many of the check points that an interrupted one has left.
#[test]
fn rankings_of_texts_go_on() {
    for (name, line) in [
        ("race", "rank twenty-one --rules solo -p all -n 1e9 --resolution 1e-9 --stop-after 60M"),
        ("robin", "rank twenty-one -p all -n 2M"),
    ] {
        let folder = scratch(&format!("interrupted-text-{name}"));
        let mut running = Running::start(&folder, &format!("{line} -q --out out --threads 1"));
        // There are check points after two seconds, or at the signal.
        sleep(Duration::from_millis(2500));
        running.send(SIGINT);
        let _ = running.end();
        // The machine may be too fast for this, or as busy as that.
        let Ok(text) = fs::read_to_string(folder.join("out/.stopwise.checkpoints")) else { continue };
        let records: Vec<&str> = text.lines().collect();
        let whole = good(&folder, &format!("{line} -q --out whole"));
        for known in [records.len().div_ceil(2), records.len() - 1]
            .into_iter()
            .filter(|known| (1..records.len()).contains(known))
        {
            let into = format!("from-{known}");
            fs::create_dir(folder.join(&into)).expect("new");
            // The header and some records, the next of which was cut off.
            let cut = &records[known][..records[known].len() / 2];
            let text = format!("{}\n{cut}", records[..known].join("\n"));
            fs::write(folder.join(&into).join(".stopwise.checkpoints"), text).expect("written");
            let resumed = good(&folder, &format!("{line} -q --out {into} --resume"));
            assert_eq!(resumed.stdout, whole.stdout, "{line}: {known}");
            for file in entries(&folder.join("whole")).iter().filter(|file| file.ends_with(".csv")) {
                let [one, other] = ["whole", &into].map(|at| read(&folder.join(at).join(file)));
                assert!(one == other, "{line}: {known}: {file}");
            }
        }
    }
}

#[test]
fn sweeps_and_variants() {
    interrupted("sweep", "sweep pig --rules solo -p hold --vary n=1..199 -n 90k", SIGHUP);
    interrupted("balance", "balance carbonite --variant turns=5 -p first -p tidy -n 1e15", SIGTERM);
    interrupted("close", "balance pig -p hold:n=5 -p hold --close points=10 -n 1e15", SIGINT);
}

/// Telling where games part takes longer than playing them: what is told by the end is the list of a smaller number.
#[test]
fn partings_of_long_games() {
    let folder = scratch("interrupted-divergences");
    let arms =
        ["one", "builder:now=3", "builder:now=6", "builder:now=9", "builder:soon=3", "builder:short=1"];
    let arms = arms.map(|arm| format!("-p {arm}")).join(" ");
    let line = format!("compare carcassonne --rules solo-knight --set turns=150 {arms} -q -n 100");
    let mut running = Running::start(&folder, &format!("{line} --divergent 100 --out out"));
    wait_for_files(&folder.join("out"));
    // Nothing shows from outside when the last trial is played; that run takes so long.
    let began = Instant::now();
    good(&folder, &format!("{line} --out alone"));
    sleep(began.elapsed() / 2);
    let sent = Instant::now();
    running.send(SIGTERM);
    let ran = running.end();
    assert!(sent.elapsed() < SOON, "{:?}", sent.elapsed());
    assert_eq!(ran.code, Some(128 + SIGTERM), "{}", ran.stderr);
    assert_eq!(manifest(&folder.join("out"))["complete"], false);
    let change =
        ran.stderr.split("give ").nth(1).and_then(|rest| rest.split(" with ").next()).expect("a change");
    let change = change.replace(" and ", " ");
    let again = good(&folder, &format!("{line} {change} --out again"));
    assert_eq!(again.stdout, ran.stdout, "{change}");
    for file in entries(&folder.join("out")).iter().filter(|file| file.ends_with(".csv")) {
        assert!(read(&folder.join("out").join(file)) == read(&folder.join("again").join(file)), "{file}");
    }
}

/// What a budget ends is complete, and names the run that repeats it.
#[test]
fn budgets() {
    for (name, line) in [
        ("compared", "compare carbonite -p tidy -p first --seed 9 --budget 0.1s"),
        ("simulated", "simulate carbonite -p tidy --seed 9 --above 300 --quantiles 0.5 --budget 0.1s"),
        ("rotated", "simulate pig -p hold -p four-scoring-turns --rotate --budget 0.1s --until-width 1e-9"),
    ] {
        let folder = scratch(&format!("interrupted-budget-{name}"));
        let ran = good(&folder, &format!("{line} --out out"));
        assert_eq!(manifest(&folder.join("out"))["complete"], true);
        // Lines are broken where they are full.
        let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_repeats(&folder, line, &ran.stdout, stop_after(&words));
    }
}

/// Plans in which no piece is long enough to be looked at while it is played, and games that take long.
#[test]
fn whatever_is_played() {
    let folder = scratch("interrupted-whatever");
    let never = "game = \"pig\"\nname = \"never\"\nsummary = \"Roll on.\"\nparams = { x = 1 }\nstop = \"turn > 1000000 + x\"\n";
    fs::write(folder.join("never.toml"), never).expect("a file");
    let freeze = ["always", "late-stakes", "never", "when-behind", "not-ahead", "lone-stake"];
    let freeze = freeze.map(|name| format!("-p {name}")).join(" ");
    let long = "--set sides=64 --set turn_cap=20000 -p never.toml";
    // Their first trial takes longer than anybody waits.
    let many: String = (2..=61).map(|n| format!(" -p never.toml:x={n} -p hold:n={n}")).collect();
    for line in [
        format!("compare pig --rules solo {long}{many}"),
        "sweep pig --rules solo -p hold --vary n=1..200 -n 500k".to_owned(),
        format!("rank freeze {freeze}"),
        "simulate freeze --set steps=60000 --set players=8 -p always".to_owned(),
        "compare carcassonne --rules solo-knight --set turns=1000 -p builder -p one".to_owned(),
        format!("simulate pig {long} --threads 1"),
        // Each piece of this run is a single batch.
        format!("simulate pig {long} --runner lanes -n 1e7 --trials-out rows.csv"),
        format!("compare pig {long} -p hold"),
        format!("rank pig --rules solo {long} -p hold -p four-scoring-turns"),
        format!("balance pig {long} -p hold --variant goal=50 --variant goal=60 --threads 1"),
    ] {
        let mut running = Running::start(&folder, &line);
        wait_for_handler(running.child());
        wait_for_work(running.child(), 10);
        let sent = Instant::now();
        running.send(SIGTERM);
        let ran = running.end();
        assert!(sent.elapsed() < SOON, "{line}: {:?}", sent.elapsed());
        assert_eq!(ran.code, Some(128 + SIGTERM), "{line}: {}", ran.stderr);
    }
}

/// A ranking that may take long says so after two seconds, and how many trials would not.
#[test]
fn a_long_ranking_is_announced() {
    let folder = scratch("interrupted-announced");
    let line = "rank pig -p hold:n=20 -p hold:n=21 -p hold-at-25 -n 1e9 --seed 5 --threads 1";
    let mut running = Running::start(&folder, line);
    let stderr = running.child().stderr.take().expect("a pipe");
    let said = BufReader::new(stderr).lines().next().expect("a line").expect("text");
    assert!(said.starts_with("up to 1,000,000,000 trials at 3 tables may take "), "{said}");
    let trials = said.split("--trials ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a number");
    assert!(trials.parse::<u64>().is_ok_and(|trials| trials > 0 && trials < 1_000_000_000), "{said}");
    assert!(said.ends_with(" takes about a minute at most"), "{said}");
    running.interrupt();
    assert_eq!(running.end().code, Some(130));
}

/// A table of above 100,000 rows is not made after a signal; the command that repeats the run makes it.
#[test]
fn large_tables_are_left_out() {
    let folder = scratch("interrupted-large");
    let never = "game = \"pig\"\nname = \"never\"\nparams = { n = 1 }\nstop = \"turn > 100000 + n\"\n";
    fs::write(folder.join("never.toml"), never).expect("it is written");
    let policies: String = (1..=4).map(|n| format!(" -p never.toml:n={n}")).collect();
    let line = format!(
        "simulate pig --set players=4 --set turn_cap=30000{policies} --rotate --runner trial -q -n {ENDLESS}"
    );
    let mut running = Running::start(&folder, &format!("{line} --out out"));
    wait_for_files(&folder.join("out"));
    // Each rotation has had a trial.
    sleep(Duration::from_millis(300));
    running.send(SIGINT);
    let ran = running.end();
    assert_eq!(ran.code, Some(128 + SIGINT), "{}", ran.stderr);
    assert!(ran.stdout.contains("Left out: turns.csv."), "{}", ran.stdout);
    assert_eq!(manifest(&folder.join("out"))["left_out"], serde_json::json!(["turns.csv"]));
    assert!(read(&folder.join("out/report.html")).contains("Left out: turns.csv."));
    let after = stop_after(&ran.stderr);
    good(&folder, &format!("{line} --out again --stop-after {after}"));
    let mut files = entries(&folder.join("out"));
    files.remove(".stopwise.checkpoints");
    assert!(files.insert("turns.csv".into()));
    assert_eq!(entries(&folder.join("again")), files);
    for file in files.iter().filter(|file| file.ends_with(".csv") && *file != "turns.csv") {
        let [out, again] = ["out", "again"].map(|at| read(&folder.join(at).join(file)));
        assert!(out == again, "{file}");
    }
    assert!(read(&folder.join("again/turns.csv")).lines().count() > 100_000);
    assert!(manifest(&folder.join("again")).get("left_out").is_none());
}

/// JSON, text and page of a run that was cut short say so, and JSON of a whole one that it is whole.
#[test]
fn what_is_not_complete_says_so_in_every_format() {
    let folder = scratch("interrupted-complete");
    for (line, after) in [
        ("simulate pig -p hold -n 2k", 1000),
        ("compare pig -p hold -p hold-at-25 -n 2k", 1000),
        ("sweep pig -p hold --vary n=20..22 -n 1k", 2),
        ("balance pig -p hold --variant goal=50 -n 2k", 1000),
        ("rank pig -p hold -p hold-at-25 -n 2k", 1000),
    ] {
        let whole = good(&folder, &format!("{line} -q --format json")).json();
        assert_eq!(whole["complete"], true, "{line}");
        let cut = format!("{line} -q --stop-after {after}");
        let found = good(&folder, &format!("{cut} --format json")).json();
        assert_eq!(found["complete"], false, "{line}");
        for format in ["table", "html", "markdown"] {
            let told = good(&folder, &format!("{cut} --format {format}")).stdout;
            assert!(told.contains("Not complete: "), "{line} --format {format}");
        }
    }
}
