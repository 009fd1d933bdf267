//! Ctrl-C, readers that go away, and output that is not a terminal.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Ran, TABLES, data, entries, good, manifest, program, read, rows, scratch, tables};

const SIGINT: u32 = 2;
/// More trials than anybody waits for.
const ENDLESS: &str = "1e15";
const SOLO: &str = "simulate carbonite --policy tidy --seed 9";
const FOR_TWO: &str = "simulate pig --policy hold --policy hold-at-25 --seed 9";

/// A run that does not outlive its test.
struct Running(Option<Child>);

impl Running {
    fn start(folder: &Path, line: &str) -> Self {
        let mut command = program(folder);
        command.args(line.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(Some(command.spawn().expect("the program starts")))
    }

    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("it has not been waited for")
    }

    fn interrupt(&mut self) {
        let sent = Command::new("kill").args(["-INT", &self.child().id().to_string()]).status();
        assert!(sent.expect("`kill` is there").success());
    }

    fn end(mut self) -> Ran {
        let child = self.0.take().expect("it has not been waited for");
        Ran::new(child.wait_with_output().expect("it ends"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            // It may have ended on its own.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits until the files of the result are open: by then Ctrl-C is caught.
fn wait_for_files(folder: &Path) {
    let began = Instant::now();
    while !folder.exists() || entries(folder).len() < 5 {
        assert!(began.elapsed() < Duration::from_secs(20), "no files in {}", folder.display());
        sleep(Duration::from_millis(5));
    }
}

/// Waits until Ctrl-C is caught: Linux says so, elsewhere a second must do.
fn wait_for_handler(child: &Child) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(20) {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", child.id())) else {
            return sleep(Duration::from_secs(1));
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_some_and(|mask| mask >> (SIGINT - 1) & 1 == 1) {
            return;
        }
        sleep(Duration::from_millis(5));
    }
    panic!("Ctrl-C is never caught");
}

/// The number of trials that the message says.
fn trials(message: &str) -> u64 {
    let number = message.split("--trials ").nth(1).and_then(|rest| rest.split([';', '\n']).next());
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no number in: {message}"))
}

#[test]
fn an_interrupted_run_is_a_shorter_run() {
    let rotated = format!("{FOR_TWO} --rotate");
    for (name, line) in [("solo", SOLO), ("two", FOR_TWO), ("rotated", &rotated)] {
        let folder = scratch(&format!("signals-{name}"));
        let mut running = Running::start(&folder, &format!("{line} --trials {ENDLESS} --out out"));
        wait_for_files(&folder.join("out"));
        // While it runs there is no file under its final name.
        assert!(entries(&folder.join("out")).iter().all(|name| name.ends_with(".part")));
        sleep(Duration::from_millis(100));
        running.interrupt();
        let ran = running.end();
        assert_eq!(ran.code, Some(130), "{}", ran.stderr);

        let message = ran.stderr.lines().last().expect("a message");
        let trials = trials(message);
        assert!(trials > 0 && trials.is_multiple_of(4096), "whole batches: {trials}");
        assert!(message.starts_with("interrupted: ") && message.ends_with("; written to out"), "{message}");
        let names = entries(&folder.join("out"));
        assert_eq!(names.len(), 5);
        assert!(TABLES.iter().chain(&["manifest.json"]).all(|name| names.contains(*name)), "{names:?}");
        let found = manifest(&folder.join("out"));
        assert_eq!((&found["trials"], &found["complete"]), (&trials.into(), &false.into()));
        assert_eq!(found["requested_trials"], 1_000_000_000_000_000_u64);

        let again = good(&folder, &format!("{line} --trials {trials} --out again"));
        assert_eq!(again.stdout, ran.stdout);
        assert_eq!(tables(&folder.join("again")), tables(&folder.join("out")));
        assert_eq!(manifest(&folder.join("again"))["complete"], true);
    }
}

#[test]
fn an_interrupted_comparison_is_a_shorter_one() {
    const COMPARISON: &str = "compare carbonite --policy tidy --policy first --seed 9 --divergent 3";
    let folder = scratch("signals-compare");
    let mut running = Running::start(&folder, &format!("{COMPARISON} --trials {ENDLESS} --out out"));
    wait_for_files(&folder.join("out"));
    sleep(Duration::from_millis(100));
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    let trials = trials(ran.stderr.lines().last().expect("a message"));
    assert!(trials > 0 && trials.is_multiple_of(2048), "whole batches, of both policies: {trials}");
    assert_eq!(manifest(&folder.join("out"))["complete"], false);
    let again = good(&folder, &format!("{COMPARISON} --trials {trials} --out again"));
    assert!(!again.stdout.contains("anytime") && ran.stdout.contains("The intervals hold at every moment"));
    let files = entries(&folder.join("out"));
    assert_eq!(files, entries(&folder.join("again")));
    for file in files.iter().filter(|file| file.ends_with(".csv")) {
        // Whoever pressed Ctrl-C may have done so for what there was to see: all is the same but the intervals.
        let [out, again] = ["out", "again"].map(|at| {
            let mut rows = rows(&read(&folder.join(at).join(file)));
            for row in &mut rows {
                let method = row.remove("method").expect("a method");
                assert_eq!(method.contains("anytime-valid"), at == "out", "{method}");
                assert!(["low", "high"].iter().all(|limit| row.remove(*limit).is_some()));
            }
            rows
        });
        assert_eq!(out, again, "{file}");
    }
}

/// The finished points of a sweep stand in `sweep.csv.part` while it runs; Ctrl-C leaves them, and nothing half done.
#[test]
fn an_interrupted_sweep_keeps_its_finished_points() {
    let folder = scratch("signals-sweep");
    let sweep = |levels: &str, out: &str| {
        format!(
            "sweep pig --rules solo -p hold --vary n={levels} --runner trial -n 10k --threads 1 --out {out}"
        )
    };
    let running = Running::start(&folder, &sweep("1..9999", "out"));
    let part = folder.join("out/sweep.csv.part");
    let began = Instant::now();
    while !part.exists() || read(&part).lines().count() < 12 {
        assert!(began.elapsed() < Duration::from_secs(60), "no points in {}", part.display());
        sleep(Duration::from_millis(5));
    }
    let seen = read(&part);
    assert!(seen.ends_with('\n') && !folder.join("out/sweep.csv").exists());
    let mut running = running;
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    let message = ran.stderr.lines().last().expect("a message");
    assert!(message.starts_with("interrupted: ") && message.ends_with("; written to out"), "{message}");
    let finished: usize = message.split(' ').nth(1).and_then(|number| number.parse().ok()).expect("a number");
    assert!(message.contains(&format!("{finished} of 9999 points are finished")));

    let names = entries(&folder.join("out"));
    assert_eq!(
        names,
        ["best.csv", "manifest.json", "sensitivity.csv", "sweep.csv"].map(str::to_owned).into()
    );
    let whole = read(&folder.join("out/sweep.csv"));
    assert!(whole.starts_with(&seen));
    assert_eq!(read(&folder.join("out/best.csv")).lines().count(), 1, "a header");
    let found = manifest(&folder.join("out"));
    assert_eq!((&found["complete"], &found["sweep"]["finished_points"]), (&false.into(), &finished.into()));

    good(&folder, &sweep(&format!("1..{finished}"), "again"));
    assert_eq!(read(&folder.join("again/sweep.csv")), whole);
}

/// All points are finished, but the comparison of them is not.
#[test]
fn an_interrupted_comparison_of_points() {
    let folder = scratch("signals-sweep-pairs");
    let line = "sweep pig --rules solo -p hold --vary n=20,25 --runner trial -n 1M --paired 1M --out out";
    let mut running = Running::start(&folder, line);
    let part = folder.join("out/sweep.csv.part");
    let began = Instant::now();
    while !part.exists() || read(&part).lines().count() < 11 {
        assert!(began.elapsed() < Duration::from_secs(120), "no points in {}", part.display());
        sleep(Duration::from_millis(5));
    }
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 of 2 points are finished") && ran.stderr.contains("nothing is compared"));
    assert!(ran.stdout.contains("nothing is compared"), "{}", ran.stdout);
    assert_eq!(read(&folder.join("out/sweep.csv")).lines().count(), 11);
}

/// Ctrl-C reaches every program of a pipeline: that the reader is gone must not hide that the run was cut short.
#[test]
fn an_interrupted_run_without_a_reader() {
    let folder = scratch("signals-reader");
    let mut running = Running::start(&folder, &format!("{SOLO} --trials {ENDLESS} --out out"));
    drop(running.child().stdout.take());
    wait_for_files(&folder.join("out"));
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert_eq!(manifest(&folder.join("out"))["trials"], trials(&ran.stderr));
}

/// Without a directory the summary of what was played is printed all the same.
#[test]
fn an_interrupted_run_without_a_directory() {
    let folder = scratch("signals-stdout");
    let line = format!("{FOR_TWO} --format csv --quiet --trials");
    let mut running = Running::start(&folder, &format!("{line} {ENDLESS}"));
    wait_for_handler(running.child());
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert_eq!(good(&folder, &format!("{line} {}", trials(&ran.stderr))).stdout, ran.stdout);
}

/// A pipe that nobody reads from.
#[test]
fn a_broken_pipe_is_no_error() {
    for line in [
        "simulate carbonite --policy tidy -n 1k",
        "simulate carbonite --policy tidy -n 1k --format csv",
        "simulate pig --policy hold -n 1k --format json",
        "sweep carbonite --policy first --vary k=1,2 -n 1k -q",
        "solve pig --rules piglet",
        "solve pig --rules piglet --format csv",
        "replay carbonite --policy tidy",
        "replay pig --policy hold --json",
        "policy features carbonite",
        "policy list",
        "policy explain tidy",
        "policy show tidy",
        "policy check policies/mine.toml",
        "rules list",
        "rules show pig",
        "games",
        "completions bash",
        "man",
        "--help",
        "--version",
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = program(&data());
        command.args(line.split(' ')).stdout(writer);
        let ran = Ran::new(command.stderr(Stdio::piped()).output().expect("the program starts"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}");
    }
}

/// The files are written even if nobody reads what is printed.
#[test]
fn a_broken_pipe_does_not_cost_the_files() {
    let folder = scratch("signals-pipe");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = program(&folder);
    command.args(format!("{SOLO} -n 2k --out out").split(' ')).stdout(writer);
    let ran = Ran::new(command.stderr(Stdio::piped()).output().expect("the program starts"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(entries(&folder.join("out")).len(), 5);
}

/// A full disk is an error: exit code 1.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut command = program(&data());
    command.args(["policy", "features", "pig"]).stdout(full).stderr(Stdio::piped());
    let ran = Ran::new(command.output().expect("the program starts"));
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
}

/// Progress is for terminals: elsewhere there is one line on stderr, and no control characters at all.
#[test]
fn no_progress_without_a_terminal() {
    let folder = scratch("signals-progress");
    let ran = good(&folder, "simulate carbonite --policy tidy --trials 300k");
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    let control = |c: char| c.is_control() && c != '\n';
    assert!(!ran.stderr.contains(control) && !ran.stdout.contains(control), "{}", ran.stderr);
}

/// Colours are for terminals, too, and for those who ask; `NO_COLOR` has the last word.
#[test]
fn no_color() {
    let coloured = |setting: &[(&str, &str)], line: &str| {
        let mut command = program(&data());
        command.envs(setting.iter().copied()).args(line.split(' '));
        let ran = Ran::new(command.output().expect("the program starts"));
        (ran.stdout + &ran.stderr).contains('\u{1b}')
    };
    let (forced, none) = (("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1"));
    for line in ["simulat", "--help", "simulate pig --policy hold --bogus"] {
        assert!(coloured(&[forced], line), "{line}: the test would see colours");
        assert!(!coloured(&[forced, none], line), "{line}");
        assert!(!coloured(&[none], line) && !coloured(&[], line), "{line}");
    }
    for line in ["simulate carbonite --policy tidy -n 1k", "replay pig --policy hold", "simulate pog"] {
        assert!(!coloured(&[none], line) && !coloured(&[forced, none], line), "{line}");
    }
}
