//! What is read is read up to a limit, and what is no policy is not printed.
#![cfg(unix)]

use std::fs;
use std::process::Stdio;

use crate::common::{Ran, data, good, program, run, scratch};

fn refused(ran: &Ran, words: &[&str]) {
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);
    for word in words {
        assert!(ran.stderr.contains(word), "no `{word}` in\n{}", ran.stderr);
    }
}

/// A file without end is read to the limit: in no more than half a gigabyte, and at once.
#[test]
fn files_without_end() {
    for line in [
        "policy check /dev/zero",
        "policy show /dev/zero",
        "policy explain /dev/zero",
        "simulate pig -n 10 -p /dev/zero",
        "simulate pig -n 10 -p hold --rules /dev/zero",
        "sweep pig -n 10 -p hold --vary-rule preset=/dev/zero",
        "balance pig -n 10 -p hold --targets /dev/zero",
    ] {
        let shell = format!("ulimit -v 524288; exec \"$0\" {line}");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &shell, env!("CARGO_BIN_EXE_stopwise")]).stdin(Stdio::null());
        let ran = Ran::new(command.current_dir(data()).output().expect("a shell"));
        refused(&ran, &["/dev/zero", "longer than 65536 bytes"]);
    }
}

/// The limit is the length of a file, and not a byte less.
#[test]
fn the_longest_policy() {
    let folder = scratch("reading-longest");
    let policy = "game = \"pig\"\nname = \"mine\"\nsummary = \"\"\nstop = \"true\"\n";
    for (length, code) in [(65536, 0), (65537, 2)] {
        let text = format!("{policy}#{}", "x".repeat(length - policy.len() - 1));
        fs::write(folder.join("mine.toml"), text).expect("a file");
        assert_eq!(run(&folder, "policy check mine.toml").code, Some(code), "{length}");
    }
}

/// From a pipe as from a file.
#[test]
fn a_policy_from_a_pipe() {
    let policy = fs::File::open(data().join("policies/mine.toml")).expect("a policy");
    let mut command = program(&data());
    command.args(["policy", "check", "/dev/stdin"]).stdin(policy);
    let ran = Ran::new(command.output().expect("the program starts"));
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "/dev/stdin: good (mine:k=3,risk=0.3)\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn only_policies_are_shown() {
    let folder = scratch("reading-show");
    let secret = "root:x:0:0\nsecond line\nthird line\n";
    fs::write(folder.join("secret"), secret).expect("a file");
    let path = folder.join("secret");
    let ran = run(&folder, &format!("policy show {}", path.display()));
    refused(&ran, &["secret:1:", "1 | root:x:0:0"]);
    assert!(!ran.stderr.contains("second") && !ran.stderr.contains("third"), "{}", ran.stderr);
    // TOML, but no policy; a policy, but not a good one.
    for (text, words) in [
        ("key = \"value\"\nother = 2\n", "`game` is missing"),
        ("game = \"chess\"\n", "unknown game `chess`"),
        ("game = \"pig\"\nname = \"mine\"\nsummary = \"\"\nstop = \"totl > 2\"\n", "unknown name `totl`"),
    ] {
        fs::write(folder.join("no.toml"), text).expect("a file");
        refused(&run(&folder, "policy show no.toml"), &[words]);
    }
    let mine = fs::read_to_string(data().join("policies/mine.toml")).expect("a policy");
    assert_eq!(good(&data(), "policy show policies/mine.toml").stdout, mine);
}
