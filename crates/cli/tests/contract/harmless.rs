//! Whatever names, arguments and files hold, a terminal is never given what it would obey.

use std::fs;
use std::path::Path;

use crate::common::{Ran, data, program, scratch};

/// Characters of every kind that a terminal obeys: control characters, and marks that turn the direction of writing.
const UNSEEN: [char; 18] = [
    '\u{1b}', '\u{7}', '\u{8}', '\r', '\u{7f}', '\u{80}', '\u{9b}', '\u{9f}', '\u{61c}', '\u{200e}',
    '\u{200f}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{2028}', '\n', '\t',
];

fn ran(folder: &Path, words: &[&str]) -> Ran {
    Ran::new(program(folder).args(words).output().expect("the program starts"))
}

/// Refused, with the character shown and not sent.
fn shown(folder: &Path, words: &[&str], c: char) {
    let ran = ran(folder, words);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{words:?}\n{}", ran.stderr);
    harmless(&ran.stderr, words);
    let escaped = match c {
        '\n' => "\\n".into(),
        '\t' => "\\t".into(),
        c => format!("\\u{{{:x}}}", u32::from(c)),
    };
    assert!(ran.stderr.contains(&escaped), "{words:?}: no {escaped} in\n{}", ran.stderr);
}

fn harmless(text: &str, words: &[&str]) {
    // Line breaks and tabs are what text is made of.
    let is_bad = |c: char| (UNSEEN.contains(&c) || c.is_control()) && !"\n\t".contains(c);
    assert!(!text.contains(is_bad), "{words:?}: {text:?}");
}

#[test]
fn arguments_are_shown() {
    for c in UNSEEN {
        let word = format!("ho{c}ld");
        let (set, vary, n) = (format!("goal=5{c}0"), format!("n=2{c},3"), format!("1{c}0"));
        shown(&data(), &["simulate", "pig", "-p", &word], c);
        shown(&data(), &["simulate", "pig", "-p", "hold", "--rules", &word], c);
        shown(&data(), &["simulate", "pig", "-p", "hold", "--trials", &n], c);
        shown(&data(), &["simulate", "pig", "-p", "hold", "--set", &set], c);
        shown(&data(), &["sweep", "pig", "-p", "hold", "--vary", &vary], c);
        shown(&data(), &["sweep", "pig", "-p", "hold", "--vary-rule", &set], c);
        shown(&data(), &["balance", "pig", "-p", "hold", "--variant", &set], c);
        shown(&data(), &[&word], c);
        shown(&data(), &["simulate", &word], c);
        shown(&data(), &["policy", "check", &format!("no/{word}.toml")], c);
        shown(&data(), &["columns", &word], c);
    }
}

/// Policies and rules are quoted in messages, told in words and printed.
#[test]
fn files_are_shown() {
    let folder = scratch("harmless-files");
    let text = |summary: &str, stop: &str| {
        format!("game = \"pig\"\nname = \"mine\"\nsummary = \"{summary}\"\nstop = \"{stop}\"\n")
    };
    for (number, c) in UNSEEN.into_iter().enumerate() {
        let (good, bad, rules) =
            (format!("{number}.toml"), format!("{number}-bad.toml"), format!("{number}-rules.toml"));
        // Of control characters TOML takes those above 127 as they are, and the others as escapes.
        let written = if u32::from(c) < 0x80 { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
        fs::write(folder.join(&good), text(&format!("a {written} b"), "turn_total >= 20")).expect("a file");
        fs::write(folder.join(&bad), text("", &format!("turn_total > {c} 20 ? nothing"))).expect("a file");
        fs::write(folder.join(&rules), format!("game = \"pig\"\nname = \"a{c}b\"\n{c}\n")).expect("a file");
        for words in [
            &["policy", "check", &good, &bad][..],
            &["policy", "explain", &good],
            &["policy", "show", &good],
            &["policy", "show", &bad],
            &["simulate", "pig", "-n", "10", "-p", &bad],
            &["rules", "show", "pig", "--rules", &rules],
        ] {
            let ran = ran(&folder, words);
            harmless(&ran.stderr, words);
            harmless(&ran.stdout, words);
        }
    }
}

/// A path may hold what it likes: what is said of it is one line.
#[cfg(unix)]
#[test]
fn directories_are_shown() {
    let folder = scratch("harmless-out");
    let out = "o\u{1b}[2J\u{202e}ut\nerror: no";
    let words = ["simulate", "pig", "-p", "hold", "-n", "10", "--out", out];
    let first = ran(&folder, &words);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert!(first.stderr.contains("into o\\u{1b}[2J\\u{202e}ut\\nerror: no\n"), "{}", first.stderr);
    harmless(&first.stderr, &words);
    assert!(folder.join(out).join("manifest.json").exists());
    // In messages that refuse it as well.
    let other = ["rank", "pig", "-p", "hold", "-p", "hold:n=25", "-n", "10", "--out", out];
    let refused = ran(&folder, &other);
    assert_eq!((refused.code, refused.stderr.lines().count()), (Some(2), 1), "{}", refused.stderr);
    harmless(&refused.stderr, &other);
}

/// A page shows them: in what policies say of themselves, in comments of their texts and in names.
#[test]
fn pages_are_harmless() {
    let folder = scratch("harmless-pages");
    let unseen: String = UNSEEN.into_iter().filter(|c| !c.is_control()).collect();
    let shown: String = unseen.chars().map(|c| format!("\\u{{{:x}}}", u32::from(c))).collect();
    let text = format!(
        "# a comment {unseen}\ngame = \"pig\"\nname = \"mine\"\nsummary = \"a summary {unseen}\"\nstop = \"true\"\n"
    );
    let file = format!("mi{unseen}ne.toml");
    fs::write(folder.join(&file), text).expect("a file");
    for format in ["html", "svg"] {
        let words =
            ["simulate", "pig", "-p", &file, "-n", "10", "-q", "--out", "out", "--force", "--format", format];
        let ran = ran(&folder, &words);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        harmless(&ran.stdout, &words);
        let page = fs::read_to_string(folder.join("out/report.html")).expect("a page");
        harmless(&page, &words);
        for said in ["a comment ", "a summary ", "mi"] {
            assert!(page.contains(&format!("{said}{shown}")), "{said}");
        }
    }
}

/// JSON says the same characters in its own way.
#[test]
fn json_is_harmless() {
    let folder = scratch("harmless-json");
    let summary = "a \u{9b}31m \u{202e} b \u{7f}";
    let text =
        format!("# {summary}\ngame = \"pig\"\nname = \"mine\"\nsummary = \"{summary}\"\nstop = \"true\"\n");
    fs::write(folder.join("mine.toml"), text.replace('\u{7f}', "")).expect("a file");
    let words = ["simulate", "pig", "-p", "mine.toml", "-n", "10", "-q", "--out", "out", "--format", "json"];
    let ran = ran(&folder, &words);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    harmless(&ran.stdout, &words);
    let manifest = fs::read_to_string(folder.join("out/manifest.json")).expect("a manifest");
    harmless(&manifest, &words);
    let found: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(found["policies"][0]["text"], text.replace('\u{7f}', ""));
}
