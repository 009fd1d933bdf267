//! Whatever language a machine speaks, numbers and names are written the same.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::common::{Ran, data, entries, program, scratch};

/// What may name a language.
const NAMES: [&str; 8] =
    ["LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LC_COLLATE", "LC_TIME", "LC_MONETARY"];

/// Languages, the first an English one: German writes commas in numbers, Turkish another i, French spaces between
/// thousands. None need be installed; what is set is all that differs.
const LANGUAGES: [&[(&str, &str)]; 7] = [
    &[("LC_ALL", "en_US.UTF-8"), ("LANG", "en_US.UTF-8")],
    &[("LC_ALL", "de_DE.UTF-8"), ("LANG", "de_DE.UTF-8")],
    &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8"), ("LANGUAGE", "tr")],
    &[("LANG", "C.UTF-8")],
    &[("LANG", "C.UTF-8"), ("LC_NUMERIC", "de_DE")],
    &[("LANG", "fr_FR.UTF-8"), ("LC_NUMERIC", "fr_FR.UTF-8"), ("LC_MONETARY", "fr_FR.UTF-8")],
    &[("LANG", "de_DE.utf8"), ("LC_COLLATE", "tr_TR"), ("LC_TIME", "tr_TR")],
];

/// A command line for each command that reports numbers.
const LINES: [(&str, &str); 7] = [
    ("simulate", "simulate icedice -p thief -n 2000 --seed 3 --above 0 --metric turns"),
    ("compare", "compare carbonite -p tidy -p first -n 2000"),
    ("rank", "rank pig --rules solo -p hold --vary n=15..25:5 -n 2000"),
    ("sweep", "sweep pig --rules solo -p hold --vary n=10..20:5 --vary-rule goal=50,100 -n 2000"),
    ("balance", "balance carbonite -p tidy -p first --variant turns=5 -n 2000"),
    ("solve", "solve pig --set goal=15 -p hold:n=4"),
    ("replay", "replay pig -p hold --seed 3"),
];

/// The program where nothing else names a language.
fn speaking(mut command: Command, language: &[(&str, &str)]) -> Command {
    for name in NAMES {
        command.env_remove(name);
    }
    command.envs(language.iter().copied());
    command
}

/// What is printed, and every file but the manifest, which tells the time.
type Written = (String, Vec<(String, Vec<u8>)>);

#[test]
fn other_locales_give_the_same_bytes() {
    let folder = scratch("contract-locales");
    for (name, line) in LINES {
        let written = |number: usize| -> Written {
            let out = format!("{name}-{number}");
            let mut words: Vec<&str> = line.split(' ').collect();
            if name != "replay" {
                words.extend(["--quiet", "--out", &out]);
            }
            let output = speaking(program(&folder), LANGUAGES[number]).args(words).output();
            let ran = Ran::new(output.expect("the program starts"));
            assert_eq!(ran.code, Some(0), "{name} in {:?}: {}", LANGUAGES[number], ran.stderr);
            let files = if name == "replay" { BTreeSet::new() } else { entries(&folder.join(&out)) };
            let files =
                files.into_iter().filter(|file| !["manifest.json", "solution.json"].contains(&file.as_str()));
            let bytes = files.map(|file| {
                let bytes = fs::read(folder.join(&out).join(&file)).expect("a file");
                (file, bytes)
            });
            (ran.stdout, bytes.collect())
        };
        let english = written(0);
        assert!(!english.0.is_empty(), "{name}");
        let has = |file: &str| english.1.iter().any(|(name, _)| name == file);
        assert!(name == "replay" || has("report.html") && english.1.len() > 2, "{name}");
        for (number, language) in LANGUAGES.iter().enumerate().skip(1) {
            assert!(written(number) == english, "{name} in {language:?}");
        }
    }
}

#[test]
fn other_locales_print_the_same_formats() {
    for format in ["table", "csv", "json", "markdown", "html", "svg"] {
        for (name, line) in LINES.iter().filter(|(name, _)| matches!(*name, "simulate" | "compare")) {
            let printed = |language| {
                let words = line.split(' ').chain(["--quiet", "--format", format]);
                let output = speaking(program(&data()), language).args(words).output();
                let ran = Ran::new(output.expect("the program starts"));
                assert_eq!(ran.code, Some(0), "{name} as {format} in {language:?}: {}", ran.stderr);
                ran.stdout
            };
            let english = printed(LANGUAGES[0]);
            for language in &LANGUAGES[1..] {
                assert!(printed(language) == english, "{name} as {format} in {language:?}");
            }
        }
    }
}

/// Words of options and what is said of mistakes.
#[test]
fn other_locales_read_the_same_words() {
    let refused = |language| {
        let words = ["simulate", "PIG", "--policy", "hold", "--trials", "1,5"];
        let output = speaking(program(&data()), language).args(words).output();
        Ran::new(output.expect("the program starts")).stderr
    };
    let english = refused(LANGUAGES[0]);
    assert!(!english.is_empty());
    for language in &LANGUAGES[1..] {
        assert_eq!(refused(language), english, "{language:?}");
    }
}
