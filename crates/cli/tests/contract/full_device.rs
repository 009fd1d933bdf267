//! Whatever is printed: if it cannot be, that is an error, and said.
#![cfg(target_os = "linux")]

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::common::{Ran, data, program};

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
