//! Ctrl-C, readers that go away, and output that is not a terminal.
#![cfg(unix)]

use std::io::Write as _;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Ran, data, entries, good, manifest, program, read, scratch, written};
use crate::interrupted::{ENDLESS, stop_after};
use crate::running::{Running, SIGTERM, wait_for_files, wait_for_handler, wait_for_work};

const SOLO: &str = "simulate carbonite --policy tidy --seed 9";
const FOR_TWO: &str = "simulate pig --policy hold --policy hold-at-25 --seed 9";

/// The finished points of a sweep stand in `sweep.csv.part` while it runs; Ctrl-C leaves them, and nothing half done.
#[test]
fn an_interrupted_sweep_keeps_its_finished_points() {
    let folder = scratch("signals-sweep");
    let sweep = |levels: &str, out: &str| {
        format!(
            "sweep pig --rules solo -p hold --vary n={levels} --runner trial -n 10k --threads 1 --out {out}"
        )
    };
    let running = Running::start(&folder, &sweep("1..999", "out"));
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
    assert!(message.contains(&format!("{finished} of 999 settings are finished")));

    let names = entries(&folder.join("out"));
    assert_eq!(
        names,
        ["best.csv", "manifest.json", "report.html", "sensitivity.csv", "sweep.csv"]
            .map(str::to_owned)
            .into()
    );
    let whole = read(&folder.join("out/sweep.csv"));
    assert!(whole.starts_with(&seen));
    assert_eq!(read(&folder.join("out/best.csv")).lines().count(), 1, "a header");
    let found = manifest(&folder.join("out"));
    assert_eq!((&found["complete"], &found["sweep"]["finished_points"]), (&false.into(), &finished.into()));

    good(&folder, &sweep(&format!("1..{finished}"), "again"));
    assert_eq!(read(&folder.join("again/sweep.csv")), whole);
}

/// A game that was played is kept when its review is interrupted.
#[test]
fn an_interrupted_review_keeps_the_game() {
    let folder = scratch("signals-review");
    let mut command = program(&folder);
    let line = "play carbonite --trial 3 --by trials -n 20M --out kept";
    command.args(line.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running::of(command);
    let typed = running.child().stdin.take().map(|mut pipe| pipe.write_all(b"1\n1\n1\n"));
    typed.expect("a pipe").expect("it reads");
    wait_for_work(running.child(), 100);
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("interrupted: the game is not reviewed to its end\n"), "{}", ran.stderr);
    assert!(!ran.stdout.contains("Your decisions"), "{}", ran.stdout);
    assert!(read(&folder.join("kept/you.toml")).contains("answers = ["));
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
    assert!(
        ran.stderr.contains("2 of 2 settings are finished") && ran.stderr.contains("nothing is compared")
    );
    assert!(ran.stdout.contains("nothing is compared"), "{}", ran.stdout);
    assert_eq!(read(&folder.join("out/sweep.csv")).lines().count(), 11);
    assert_eq!(manifest(&folder.join("out"))["complete"], false);
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
    assert_eq!(manifest(&folder.join("out"))["trials"], stop_after(&ran.stderr));
}

/// SIGUSR1 asks how far a run is, and does not end it: `dd` has made it a habit, and batch systems send it ahead of a limit.
#[test]
fn a_run_that_is_asked_says_how_far_it_is() {
    let folder = scratch("signals-asked");
    let mut running = Running::start(&folder, &format!("{SOLO} --trials {ENDLESS} --quiet"));
    wait_for_handler(running.child());
    for _ in 0..2 {
        wait_for_work(running.child(), 30);
        running.ask();
    }
    wait_for_work(running.child(), 10);
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    let told: Vec<_> = ran.stderr.lines().collect();
    assert_eq!(told.len(), 3, "two answers and the end: {}", ran.stderr);
    for line in &told[..2] {
        assert!(line.contains(" of ") && line.contains(" trials  ") && line.contains("score "), "{line}");
    }
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
    assert_eq!(good(&folder, &format!("{line} {}", stop_after(&ran.stderr))).stdout, ran.stdout);
}

/// `timeout` sends its signal to the process, and to the group in which it is: two that come together are one.
#[test]
fn a_signal_and_its_echo() {
    let folder = scratch("signals-echo");
    let mut running = Running::start(&folder, &format!("{SOLO} -n {ENDLESS} --out out"));
    wait_for_files(&folder.join("out"));
    running.interrupt();
    sleep(Duration::from_millis(20));
    running.interrupt();
    let ran = running.end();
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert_eq!(manifest(&folder.join("out"))["trials"], stop_after(&ran.stderr));
}

/// A pipe in which there is no room, and that nobody reads.
#[cfg(target_os = "linux")]
fn full_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    use std::io::Write as _;

    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    // As much as a pipe holds.
    writer.write_all(&[b'\n'; 1 << 16]).expect("it fits");
    (reader, writer)
}

/// Nobody reads what is printed, nor what is said: a second signal ends the run at once.
#[cfg(target_os = "linux")]
#[test]
fn a_second_signal_needs_no_reader() {
    let folder = scratch("signals-blocked");
    let (_reader, writer) = full_pipe();
    let mut command = program(&folder);
    command.args(format!("{SOLO} -n 1k --out out").split(' '));
    command.stdout(writer.try_clone().expect("a pipe")).stderr(writer);
    let mut running = Running::of(command);
    let began = Instant::now();
    while !folder.join("out/manifest.json").exists() {
        assert!(began.elapsed() < Duration::from_secs(20), "no files");
        sleep(Duration::from_millis(5));
    }
    running.interrupt();
    sleep(Duration::from_millis(300));
    let sent = Instant::now();
    running.interrupt();
    assert_eq!(running.end().code, Some(130));
    assert!(sent.elapsed() < Duration::from_secs(2), "{:?}", sent.elapsed());
}

/// Nobody reads what is printed, perhaps not even what is said: the first signal ends a run all the same, whether it comes
/// while trials are played or when they are done, and what was written is whole.
#[cfg(target_os = "linux")]
#[test]
fn a_first_signal_needs_no_reader() {
    for (number, is_said, trials, is_whole) in
        [(0, true, "1k", true), (1, true, ENDLESS, false), (2, false, "1k", true), (3, false, ENDLESS, false)]
    {
        let folder = scratch(&format!("signals-blocked-{number}"));
        let (_reader, writer) = full_pipe();
        let mut command = program(&folder);
        command.args(format!("{SOLO} -n {trials} --out out").split(' '));
        let stderr = if is_said { Stdio::piped() } else { writer.try_clone().expect("a pipe").into() };
        command.stdout(writer).stderr(stderr);
        let mut running = Running::of(command);
        wait_for_files(&folder.join("out"));
        let began = Instant::now();
        while is_whole && !folder.join("out/manifest.json").exists() {
            assert!(began.elapsed() < Duration::from_secs(20), "no files");
            sleep(Duration::from_millis(5));
        }
        if is_whole {
            sleep(Duration::from_millis(300));
        } else {
            wait_for_work(running.child(), 10);
        }
        let sent = Instant::now();
        running.send(SIGTERM);
        let ran = running.end();
        // Two seconds are promised; a busy machine may need some times as long.
        assert!(sent.elapsed() < Duration::from_secs(10), "{:?}", sent.elapsed());
        assert_eq!(ran.code, Some(128 + SIGTERM), "{}", ran.stderr);
        assert_eq!(entries(&folder.join("out")), written(1));
        assert_eq!(manifest(&folder.join("out"))["complete"], is_whole);
        if is_said && is_whole {
            assert_eq!(
                ran.stderr,
                "interrupted: nobody read what was printed; files, if there are any, are complete\n"
            );
        } else if is_said {
            assert_eq!(manifest(&folder.join("out"))["trials"], stop_after(&ran.stderr));
        }
    }
}

/// A reader that is slow gets everything, a signal or not.
#[cfg(target_os = "linux")]
#[test]
fn a_slow_reader_is_waited_for() {
    use std::io::Read as _;

    let folder = scratch("signals-slow");
    let line = "compare pig -p hold -p hold-at-25 -n 1k --divergent 700 --format json -q";
    let whole = good(&folder, line).stdout;
    assert!(whole.len() > 3 << 16, "more than a pipe holds");
    let mut running = Running::start(&folder, line);
    let mut stdout = running.child().stdout.take().expect("a pipe");
    let mut read = vec![0; 1];
    stdout.read_exact(&mut read).expect("it prints");
    running.interrupt();
    let mut piece = [0; 1 << 13];
    loop {
        sleep(Duration::from_millis(50));
        match stdout.read(&mut piece).expect("it prints") {
            0 => break,
            bytes => read.extend(&piece[..bytes]),
        }
    }
    assert!(read == whole.as_bytes(), "{} of {} bytes", read.len(), whole.len());
    assert_eq!(running.end().code, Some(0));
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
        "replay pig --policy hold --trial 0..100M",
        "replay pig --policy hold --trial 0..100M --json",
        "policy features carbonite",
        "policy list",
        "policy explain tidy",
        "policy show tidy",
        "policy check policies/mine.toml",
        "rules list",
        "rules show pig",
        "games",
        "games pig",
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
    assert_eq!(entries(&folder.join("out")), written(1));
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
