//! What is wrong with a text is said with the file, the line, the column, the words in question underlined, and
//! what to write instead.
//!
//! Every `data/errors/NAME.toml` has its message in `NAME.txt`. The messages are written anew when the environment
//! variable `UPDATE_GOLDEN` is `1`. `pig-`, `carcassonne-` and `rules-` say what a text is read as: a policy of another
//! game, or rules.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::pig::Pig;
use stopwise_policy::{PolicyText, RulesText, TextError, TextPolicy, nearest};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/errors")
}

/// What is wrong with the bytes of a file.
fn error(file: &str, bytes: &[u8]) -> TextError {
    let read = |text: &PolicyText| match file {
        _ if file.starts_with("rules-pig-") => RulesText::<Pig>::read(text).map(drop),
        _ if file.starts_with("rules-") => RulesText::<Carbonite>::read(text).map(drop),
        _ if file.starts_with("carcassonne-") => {
            TextPolicy::compile(text, &Carcassonne { dice: 4, ..Carcassonne::SOLO }, &[]).map(drop)
        }
        _ if file.starts_with("pig-") => TextPolicy::compile(text, &Pig::SOLO, &[]).map(drop),
        _ => TextPolicy::compile(text, &Carbonite::WIKI, &[]).map(drop),
    };
    let result = PolicyText::from_bytes(file, bytes.to_vec()).and_then(|text| read(&text));
    result.err().unwrap_or_else(|| panic!("{file}: no mistake was found"))
}

/// A policy of `CarboniteDice` that stops by this expression, as TOML writes it.
fn stop(expression: &str) -> String {
    format!("game = \"carbonite\"\nname = \"mine\"\nsummary = \"s\"\nstop = {expression}\n")
}

fn stop_error(expression: &str) -> TextError {
    error("mine.toml", stop(expression).as_bytes())
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

/// Texts that nobody would write by hand.
fn monsters() -> Vec<(&'static str, String)> {
    let list = |entry: &str, count| format!("{}take = [{}]\n", stop("'true'"), entry.repeat(count));
    vec![
        ("parentheses", stop(&format!("'{}'", "(".repeat(100_000)))),
        ("parentheses-fewer", stop(&format!("'{}counter > 1{}'", "(".repeat(2000), ")".repeat(2000)))),
        ("parentheses-too-many", stop(&format!("'{}counter > 1{}'", "(".repeat(48), ")".repeat(48)))),
        ("long-expression", stop(&format!("'counter > 1{}'", " ".repeat(4086)))),
        ("nots", stop(&format!("'{}true'", "!".repeat(4000)))),
        ("minuses", stop(&format!("'{}1 > 0'", "-".repeat(4000)))),
        ("pluses", stop(&format!("'1{} > 0'", "+1".repeat(2000)))),
        ("unary-pluses", stop(&format!("'{}1 > 0'", "+".repeat(2000)))),
        ("ands", stop(&format!("'true{}'", "&&true".repeat(600)))),
        ("choices", stop(&format!("'{}'", "true?".repeat(800)))),
        ("else-choices", stop(&format!("'{}true'", "true?true:".repeat(400)))),
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

#[test]
fn messages_are_the_golden_ones() {
    let entries =
        fs::read_dir(folder()).expect("the folder is there").map(|entry| entry.expect("readable").path());
    let tomls = entries.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let read = |path: PathBuf| {
        let file = path.file_name().expect("a file").to_str().expect("ASCII").to_owned();
        (file, fs::read(path).expect("readable"))
    };
    let mut texts: Vec<_> = tomls.map(read).collect();
    texts.extend(
        monsters().into_iter().map(|(name, text)| (format!("monster-{name}.toml"), text.into_bytes())),
    );
    texts.sort();
    let mut wrong = Vec::new();
    for (file, bytes) in &texts {
        let message = format!("{}\n", error(file, bytes));
        let golden = folder().join(file).with_extension("txt");
        if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
            fs::write(&golden, &message).expect("writable");
        }
        if fs::read_to_string(&golden).ok().as_deref() != Some(&message) {
            wrong.push(format!("{file}:\n{message}"));
        }
    }
    assert!(wrong.is_empty(), "other messages than expected:\n\n{}", wrong.join("\n"));
    let messages =
        fs::read_dir(folder()).expect("the folder is there").count() - (texts.len() - monsters().len());
    assert_eq!(messages, texts.len(), "messages without a text");
}

/// Messages stay readable, whatever the text: few, short, without control characters, underlined within the line.
#[test]
fn messages_are_short_and_harmless() {
    for (name, text) in monsters() {
        let error = error(name, text.as_bytes());
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
        ("'counter > 1 ≥ 2'", (4, 21, "≥")),
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
    let error = |line: &str| error("mine.toml", format!("{head}{line}\n").as_bytes());
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
    let text = PolicyText::new("mine.toml", stop("'counter >= k'") + "params = { k = 2, risk = 0.5 }\n");
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
