//! Completions in the shells themselves, where they are installed.
#![cfg(unix)]

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Ran, data, good, scratch};

/// A shell with the program on its path, in a folder; `None`, and a line that the harness does not swallow, without the shell.
fn shell(name: &str, folder: &Path, arguments: &[&str]) -> Option<Ran> {
    let program = Path::new(env!("CARGO_BIN_EXE_stopwise")).parent().expect("a folder");
    let paths = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(std::iter::once(program.to_owned()).chain(env::split_paths(&paths)));
    if !env::split_paths(&paths).any(|folder| folder.join(name).is_file()) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: no {name} here, so that its completions are not tried");
        return None;
    }
    let mut command = Command::new("timeout");
    command.args(["60", name]).args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env("PATH", path.expect("a path")).env("HOME", folder);
    Some(Ran::new(command.output().expect("the shell starts")))
}

#[test]
fn fish_completes_a_game() {
    let folder = scratch("shells-fish");
    fs::write(folder.join("stopwise.fish"), good(&data(), "completions fish").stdout).expect("a file");
    for (typed, expected) in [
        ("stopwise simulate carb", "carbonite"),
        ("stopwise simulate carbonite --policy second", "second-tree"),
        ("stopwise sim", "simulate"),
    ] {
        let script = format!("source stopwise.fish; complete -C '{typed}'");
        let Some(ran) = shell("fish", &folder, &["--no-config", "-c", &script]) else { return };
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{typed}");
        let words = ran.stdout.lines().filter_map(|line| line.split('\t').next());
        assert!(words.into_iter().any(|word| word == expected), "{typed}: {}", ran.stdout);
    }
}

/// zsh completes only where somebody types: in a terminal of its own.
const TYPED: &str = r#"zmodload zsh/zpty
zpty typist zsh -f -i
zpty -w typist "PS1=; autoload -Uz compinit; compinit -u -D; source ./_stopwise; echo rea''dy"
zpty -r typist out '*ready*'
zpty -w -n typist $'WORDS\t'
zpty -r typist out '*REST*'
print completed
zpty -d typist
"#;

#[test]
fn zsh_completes_a_game() {
    let folder = scratch("shells-zsh");
    fs::write(folder.join("_stopwise"), good(&data(), "completions zsh").stdout).expect("a file");
    for (typed, rest) in
        [("stopwise simulate carb", "onite"), ("stopwise simulate carbonite --policy second", "-tree")]
    {
        fs::write(folder.join("type.zsh"), TYPED.replace("WORDS", typed).replace("REST", rest))
            .expect("a file");
        let Some(ran) = shell("zsh", &folder, &["-f", "type.zsh"]) else { return };
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "completed\n"), "{typed}: {}", ran.stderr);
    }
}
