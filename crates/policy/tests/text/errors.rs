//! Errors in texts: the message has the file, the line, the column, the underlined words, and what to write instead.
//!
//! The cases are sections of `data/errors/*.txt`: the name of a text and how it is read, the text, `---`, and the
//! message. `, escaped` marks texts with bytes that a text file cannot hold: they are written `\xNN`, a backslash is
//! `\\`, and a backslash at the end of a line removes the line break. `, generated` marks texts made by `monsters`. A
//! text that is read for its warnings has no errors, and may have no warnings. The messages are rewritten if the
//! environment variable `UPDATE_GOLDEN` is `1`.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::pig::Pig;
use stopwise_policy::{Heading, RulesText, Text, TextError, TextPolicy, nearest, shipped};

use crate::meaning::sheet::Sheet;

const POLICY: &str = "policy of carbonite";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/errors")
}

/// What is wrong with the bytes of a file.
fn error(read_as: &str, file: &str, bytes: &[u8]) -> TextError {
    let read = |text: &Text| match read_as {
        "policy of carbonite" => TextPolicy::compile(text, &Carbonite::WIKI, &[]).map(drop),
        "policy of pig" => TextPolicy::compile(text, &Pig::SOLO, &[]).map(drop),
        "policy of carcassonne" => {
            TextPolicy::compile(text, &Carcassonne { dice: 4, ..Carcassonne::SOLO }, &[]).map(drop)
        }
        "policy of sheet" => TextPolicy::compile(text, &Sheet { tabulated: false }, &[]).map(drop),
        "rules of carbonite" => {
            RulesText::read(text, &Carbonite::WIKI, shipped::rules_of("carbonite")).map(drop)
        }
        "rules of pig" => RulesText::read(text, &Pig::STANDARD, shipped::rules_of("pig")).map(drop),
        _ => panic!("{file}: nothing is read as {read_as:?}"),
    };
    let result = Text::from_bytes(file, bytes.to_vec()).and_then(|text| read(&text));
    result.err().unwrap_or_else(|| panic!("{file}: no mistake was found"))
}

/// The warnings of a file without mistakes.
fn warnings(read_as: &str, file: &str, bytes: &[u8]) -> String {
    let text = Text::from_bytes(file, bytes.to_vec()).expect("text");
    let of = |heading: &Heading| heading.warnings().collect::<Vec<_>>().join("\n");
    let warnings = match read_as {
        "warnings of carbonite" => {
            TextPolicy::compile(&text, &Carbonite::WIKI, &[]).map(|policy| of(policy.heading()))
        }
        "warnings of pig" => TextPolicy::compile(&text, &Pig::SOLO, &[]).map(|policy| of(policy.heading())),
        "warnings of sheet" => {
            TextPolicy::compile(&text, &Sheet { tabulated: false }, &[]).map(|policy| of(policy.heading()))
        }
        _ => panic!("{file}: nothing is read as {read_as:?}"),
    };
    warnings.unwrap_or_else(|error| panic!("{error}"))
}

/// A policy of `CarboniteDice` that stops by this expression, as TOML writes it.
fn stop(expression: &str) -> String {
    format!("game = \"carbonite\"\nname = \"mine\"\nsummary = \"s\"\nstop = {expression}\n")
}

fn stop_error(expression: &str) -> TextError {
    error(POLICY, "mine.toml", stop(expression).as_bytes())
}

/// What is printed of the only problem: line and column, and the characters over the carets.
fn place(error: &TextError) -> (usize, usize, String) {
    assert_eq!(error.problems.len(), 1, "{error}");
    let text = error.to_string();
    let lines: Vec<_> = text.lines().collect();
    let mut place = lines[1].rsplit(':').map(|number| number.parse().expect("a number"));
    let (column, line) = (place.next().expect("a column"), place.next().expect("a line"));
    let carets = lines[4].chars().zip(lines[3].chars().chain(std::iter::repeat(' ')));
    (line, column, carets.filter(|(caret, _)| *caret == '^').map(|(_, c)| c).collect())
}

/// What PowerShell writes with `>`, and its opposite.
#[test]
fn utf_16_with_its_mark_is_read() {
    let text = stop("'counter >= 2' # ≥ two pieces").replace('\n', "\r\n");
    let bytes = |bytes: fn(u16) -> [u8; 2]| {
        let marked = format!("\u{feff}{text}");
        marked.encode_utf16().flat_map(bytes).collect::<Vec<_>>()
    };
    for mut bytes in [bytes(u16::to_le_bytes), bytes(u16::to_be_bytes)] {
        let read = Text::from_bytes("mine.toml", bytes.clone()).expect("text");
        assert_eq!(read.text, text);
        TextPolicy::compile(&read, &Carbonite::WIKI, &[]).expect("a good policy");
        bytes.pop();
        let error = Text::from_bytes("mine.toml", bytes).expect_err("half a character is missing");
        assert!(error.to_string().contains("UTF-16"), "{error}");
    }
}

/// Texts that nobody would write by hand.
fn monsters() -> Vec<(&'static str, String)> {
    let list = |entry: &str, count| format!("{}take = [{}]\n", stop("'true'"), entry.repeat(count));
    vec![
        ("parentheses", stop(&format!("'{}'", "(".repeat(100_000)))),
        ("parentheses-fewer", stop(&format!("'{}counter > 1{}'", "(".repeat(2000), ")".repeat(2000)))),
        ("parentheses-too-many", stop(&format!("'{}counter > 1{}'", "(".repeat(48), ")".repeat(48)))),
        ("nots", stop(&format!("'{}true'", "!".repeat(4000)))),
        ("minuses", stop(&format!("'{}1 > 0'", "-".repeat(4000)))),
        ("pluses", stop(&format!("'1{} > 0'", "+1".repeat(2000)))),
        ("unary-pluses", stop(&format!("'{}1 > 0'", "+".repeat(2000)))),
        ("ands", stop(&format!("'true{} 1'", "&&true".repeat(9000)))),
        ("choices", stop(&format!("'{}'", "true?".repeat(800)))),
        ("else-choices", stop(&format!("'{}true'", "counter>1?true:".repeat(400)))),
        ("calls", stop(&format!("'{}'", "min(".repeat(1000)))),
        ("comparisons", stop(&format!("'1{}'", "<1".repeat(2000)))),
        ("digits", stop(&format!("'counter > {}'", "9".repeat(4000)))),
        ("leading-zeros", stop(&format!("'counter > {}x'", "0".repeat(3000)))),
        ("long-name", stop(&format!("'{} > 1'", "a".repeat(4000)))),
        ("long-key", format!("{}{} = 1\n", stop("'true'"), "a".repeat(60_000))),
        ("long-text", stop(&format!("'true' # {}", "x".repeat(65_536)))),
        ("entry-of-not", list("\"!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!small\",", 1)),
        ("many-problems", list("\"smalll\", ", 6000)),
        ("many-lists", list("{ when = \"trun > 1\", prefer = [] }, ", 1500)),
        ("many-keys", stop("'true'") + &(0..6000).map(|key| format!("{key} = 1\n")).collect::<String>()),
        ("many-parameters", {
            let parameters: String = (0..5000).map(|number| format!("p{number} = 1, ")).collect();
            format!("{}params = {{ {parameters} }}\n", stop("'true'"))
        }),
        ("toml-arrays", format!("{}take = {}\n", stop("'true'"), "[".repeat(60_000))),
        ("toml-tables", format!("{}params = {}\n", stop("'true'"), "{ a = ".repeat(10_000))),
        ("toml-dots", format!("{}{} = 1\n", stop("'true'"), vec!["a"; 30_000].join("."))),
        ("toml-headers", format!("{}[{}]\n", stop("'true'"), vec!["a"; 30_000].join("."))),
        ("windows-lines", stop("'''\ncounter >= 2\n|| trun > 6\n'''").replace('\n', "\r\n")),
        ("byte-order-mark", format!("\u{feff}game = 1\n{}", &stop("'true'")[19..])),
    ]
}

/// The bytes that an escaped text stands for.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        let length = match escape.as_bytes()[0] {
            b'\n' => 1,
            b'\\' => {
                bytes.push(b'\\');
                1
            }
            b'x' => {
                bytes.push(u8::from_str_radix(&escape[1..3], 16).expect("two hexadecimal digits"));
                3
            }
            other => panic!("no escape: {:?}", char::from(other)),
        };
        rest = &escape[length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// A file of cases with the messages of today. The names of the cases are added to `seen`.
fn with_messages(content: &str, seen: &mut BTreeSet<String>) -> String {
    let mut sections = content.split("\n=== ");
    let mut today = sections.next().unwrap_or_default().to_owned();
    for section in sections {
        let (head, body) = section.split_once('\n').expect("a text after the head");
        // An empty text has no line before the dashes.
        let end = if body.starts_with("---\n") { 0 } else { body.find("\n---\n").expect("dashes") + 1 };
        let text = &body[..end];
        let (file, what) = head.split_once(": ").expect("what the text is read as");
        let (read_as, how) = what.split_once(", ").unwrap_or((what, ""));
        let bytes = match how {
            "" => text.as_bytes().to_vec(),
            "escaped" => unescaped(text),
            "generated" => {
                let mut monsters = monsters().into_iter();
                let monster = monsters.find(|(name, _)| file == format!("monster-{name}.toml"));
                monster.unwrap_or_else(|| panic!("{file} is no monster")).1.into_bytes()
            }
            _ => panic!("{file}: nothing is written {how:?}"),
        };
        assert!(seen.insert(file.to_owned()), "{file} stands twice");
        let said = match read_as.starts_with("warnings") {
            true => warnings(read_as, file, &bytes),
            false => error(read_as, file, &bytes).to_string(),
        };
        today += &format!("\n=== {head}\n{text}---\n{said}\n");
    }
    today
}

#[test]
fn messages_are_the_golden_ones() {
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder()).expect("the folder is there") {
        let path = entry.expect("readable").path();
        let golden = fs::read_to_string(&path).expect("text");
        let today = with_messages(&golden, &mut seen);
        if today == golden {
            continue;
        }
        if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
            fs::write(&path, &today).expect("writable");
            continue;
        }
        let known: BTreeSet<_> = golden.split("\n=== ").map(str::trim_end).collect();
        let new = today.split("\n=== ").filter(|section| !known.contains(section.trim_end()));
        wrong.extend(new.map(|section| format!("{}: {section}", path.display())));
    }
    assert!(wrong.is_empty(), "other messages than expected:\n\n{}", wrong.join("\n"));
    for (name, _) in monsters() {
        assert!(seen.contains(&format!("monster-{name}.toml")), "{name} has no message");
    }
}

/// Messages stay readable, whatever the text: few, short, without control characters, underlined within the line.
#[test]
fn messages_are_short_and_harmless() {
    for (name, text) in monsters() {
        let error = error(POLICY, name, text.as_bytes());
        let message = error.to_string();
        assert!(message.lines().count() <= 6 * 20 + 1, "{name}: {} lines", message.lines().count());
        for line in message.lines() {
            assert!(line.chars().count() < 400, "{name}: {line}");
            assert!(!line.contains(char::is_control), "{name}: {line:?}");
        }
        for problem in &error.problems {
            let Range { start, end } = problem.span.clone();
            assert!(start <= end && end <= error.text.len() + 1, "{name}: {problem:?}");
        }
    }
}

#[test]
fn carets_stand_under_what_is_wrong() {
    let cases = [
        ("'trun >= 6'", (4, 9, "trun")),
        ("\"counter >= 2 || trun >= 6\"", (4, 25, "trun")),
        // After characters of two, three and four bytes, on the same line and before it.
        ("'counter > 1 || 2 ≥ 2'", (4, 26, "≥")),
        ("\"\"\"# größer\ncounter >= 2\"\"\"", (4, 11, "#")),
        ("'''\ncounter >= 2\n  || trun >= 6'''", (6, 6, "trun")),
        ("\"\"\"counter\n>= 2 ||\ttrun >= 6\"\"\"", (5, 9, "trun")),
        ("\"\"\"\\\n\n   trun >= 6\"\"\"", (6, 4, "trun")),
        // Escapes move the characters: the whole value is underlined.
        ("\"counter \\u003e 2 || trun\"", (4, 8, "\"counter \\u003e 2 || trun\"")),
        ("\"\\tcounter > trun\"", (4, 8, "\"\\tcounter > trun\"")),
        // A span of several lines is underlined in the first.
        ("'''\ncounter >= 2 || min(turn,\n 3)'''", (5, 17, "min(turn,")),
        ("'counter > 1 && '", (4, 24, "'")),
        ("''", (4, 9, "'")),
        ("'counter > (1 + turn) && counter + (turn)'", (4, 33, "counter + (turn)")),
        ("'((counter) < (turn)) < 3'", (4, 9, "((counter) < (turn))")),
        ("'counter > 1/6'", (4, 19, "1/6")),
        ("'turn / (counter - 2) > 1'", (4, 16, "(counter - 2)")),
    ];
    for (expression, (line, column, words)) in cases {
        assert_eq!(place(&stop_error(expression)), (line, column, words.to_owned()), "{expression}");
    }
}

/// Comments and keys before the place hold characters of two, three and four bytes.
#[test]
fn columns_count_characters() {
    let head = "game = \"carbonite\"\nname = \"mine\"\nsummary = \"größer ≥ 𝟛\"\n";
    let error = |line: &str| error(POLICY, "mine.toml", format!("{head}{line}\n").as_bytes());
    let case = |line: &str| place(&error(line));
    assert_eq!(case("stop = 'turn > 2' # größer\ntake = ['smal']"), (5, 10, "smal".into()));
    assert_eq!(case("stop = 'turn > 2'\ntake = [ 'small', # größer ≥ 𝟛\n 'lrage' ]"), (6, 3, "lrage".into()));
    assert_eq!(case("params = { \"ö≥𝟛\" = 1 }\nstop = 'turn > 2'"), (4, 12, "\"ö≥𝟛\"".into()));
    let two = "mark = [{ when = 'turn ≥ 2', prefer = [] }, { prefer = [] }]\nstop = 'turn > 2'";
    assert_eq!(case(two), (4, 24, "≥".into()));
}

/// The window that is shown of an endless line moves with the place.
#[test]
fn long_lines_are_cut_around_the_place() {
    for before in [0, 5, 8, 9, 20, 300] {
        let (left, right) = ("'small', ".repeat(before), "'large', ".repeat(30));
        let error = stop_error(&format!("'true'\ntake = [{left}'smal', {right}]"));
        assert_eq!(place(&error), (5, 10 + 9 * before, "smal".to_owned()), "{error}");
        assert!(error.to_string().lines().all(|line| line.chars().count() <= 130), "{error}");
    }
}

#[test]
fn overrides_are_checked_like_parameters() {
    let text = Text::new("mine.toml", stop("'counter >= k'") + "params = { k = 2, risk = 0.5 }\n");
    let compile = |name: &str, value: &str| {
        TextPolicy::compile(&text, &Carbonite::WIKI, &[(name.to_owned(), value.to_owned())])
    };
    let label = |name, value| compile(name, value).expect("good").label();
    assert_eq!(label("k", "3"), "mine:k=3,risk=0.5");
    assert_eq!(label("risk", "-0.250"), "mine:k=2,risk=-0.25");
    assert_eq!(label("risk", "+1_000"), "mine:k=2,risk=1000");
    let problem = |name, value| compile(name, value).expect_err("bad").problems.remove(0);
    assert_eq!(problem("rsik", "1").message, "unknown parameter `rsik`");
    assert_eq!(problem("rsik", "1").help.as_deref(), Some("did you mean `risk`?"));
    for bad in ["", "-", "--1", "two", "1e3", "1/2", "nan", "0.1234567", "9999999999999", "²", "1 "] {
        assert!(problem("k", bad).message.starts_with("parameter `k`: "), "{bad}");
    }
}

#[test]
fn the_nearest_name_is_near() {
    let known = ["counter", "bust_chance", "turn", "vault"];
    let cases = [
        ("cuonter", Some("counter")),
        ("bustchance", Some("bust_chance")),
        ("trun", Some("turn")),
        ("valut", Some("vault")),
        ("", None),
        ("xyzzy", None),
        ("größe", None),
    ];
    for (name, near) in cases {
        assert_eq!(nearest(name, known), near, "{name}");
    }
    assert_eq!(nearest("turn", []), None);
}
