//! Whatever is printed: if it cannot be, that is an error, and said.
#![cfg(target_os = "linux")]

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::common::{Ran, data, entries, program, scratch};

#[test]
fn nothing_is_lost_in_silence() {
    for line in [
        "--help",
        "--version",
        "help simulate",
        "simulate --help",
        "columns --help",
        "completions bash",
        "completions zsh",
        "man",
        "games",
        "columns",
        "policy list",
        "policy show hold",
        "policy check policies/mine.toml",
        "rules show pig",
        "simulate pig -p hold -n 10 -q",
        "simulate pig -p hold -n 10 -q --format json",
        "compare pig -p hold -p hold:n=25 -n 10 -q",
        "sweep carbonite -p first --vary k=1,2 -n 10 -q",
        "solve pig --rules piglet -q",
        "replay pig -p hold",
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let mut command = program(&data());
        command.args(line.split(' ')).stdout(full).stderr(Stdio::piped());
        let ran = Ran::new(command.output().expect("the program starts"));
        assert_eq!(ran.code, Some(1), "{line}");
        assert!(ran.stderr.starts_with("error: cannot write to stdout: "), "{line}\n{}", ran.stderr);
    }
}

/// The files of the same run are said to be there.
#[test]
fn files_are_there_all_the_same() {
    let folder = scratch("full-device-files");
    let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut command = program(&folder);
    command.args("simulate pig -p hold -n 10 -q --format json --out out".split(' ')).stdout(full);
    let ran = Ran::new(command.stderr(Stdio::piped()).output().expect("the program starts"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("; the files in `out` are written\n"), "{}", ran.stderr);
    assert!(folder.join("out/manifest.json").exists() && folder.join("out/summary.csv").exists());
}

/// A process that may open no more files lacks something; its path is right.
#[test]
fn too_few_open_files_are_no_bad_input() {
    let folder = scratch("few-files");
    let program = program(&folder);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -n 8; exec \"$0\" simulate pig -p hold -n 10 --out out"]);
    shell.arg(program.get_program()).current_dir(&folder);
    let ran = Ran::new(shell.output().expect("a shell"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.starts_with("error: cannot write into `out`: "), "{}", ran.stderr);
    assert_eq!(entries(&folder.join("out")), [].into());
}
