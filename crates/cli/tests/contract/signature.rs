//! The signature: one number for what every game does under every preset with its reference policies, and one a preset, so
//! that a difference tells where it is.
//!
//! A commit that changes rules, sampling or streams changes it, and says so in a trailer `Signature: old -> new`;
//! no other commit may. With the environment variable `UPDATE_GOLDEN=1` this test writes it anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use stopwise::library::{Call, ask_words};

use crate::common::{data, golden, good};

const TRIALS: &str = "5000";

/// Game, presets, policies. The order is part of the signature.
const PLAN: [(&str, &[&str], &[&str]); 5] = [
    ("carbonite", &["wiki", "readme-v1"], &["first:k=1", "first:k=2", "first:k=3", "tidy:k=2"]),
    (
        "icedice",
        &["two-players", "three-players", "four-players"],
        &["stop-at:k=1", "stop-at:k=2", "trio-breaker:k=3", "thief:k=3"],
    ),
    (
        "freeze",
        &["published", "workshop", "table", "broke-bonus", "doubles", "lightning"],
        &["always", "when-behind:n=1", "pile-and-clock:n=60"],
    ),
    (
        "carcassonne",
        &["two", "three", "four", "five", "solo", "solo-knight", "single-roll", "no-catapults"],
        &["one", "tight:n=4", "builder:now=6,soon=5,short=2", "knight-errant"],
    ),
    (
        "pig",
        &["standard", "solo", "piglet"],
        &["hold:n=20", "hold-at-25", "end-race-or-keep-pace:base=21,race=29", "four-scoring-turns:n=4"],
    ),
];

/// What identifies a row of a table, and what was counted. All else follows from these: shares, means and their
/// errors, quantiles. How they are rounded and which columns there are is not the signature's matter.
const COUNTED: [(&str, &[&str]); 3] = [
    ("distribution.csv", &["seat", "metric", "value", "count"]),
    ("endings.csv", &["ending", "count"]),
    ("turns.csv", &["seat", "turn", "reached", "ended_here", "busts"]),
];

/// FNV-1a with 64 bits.
fn fnv(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}

#[test]
fn fnv_is_fnv() {
    // From the authors' list of test vectors.
    assert_eq!((fnv(""), fnv("foobar")), (0xcbf2_9ce4_8422_2325, 0x8594_4171_f739_67e8));
}

/// What the trials of a preset with its policies counted, as text.
fn counts(game: &str, rules: &str, policies: &[&str]) -> String {
    let mut text = String::new();
    for policy in policies {
        let line =
            format!("simulate {game} --rules {rules} --policy {policy} --trials {TRIALS} --seed 1 --quiet");
        let words = line.split(' ').map(Into::into).collect();
        let found = ask_words(words, Call::default()).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
        let report = found.report.expect("a document");
        for (file, columns) in COUNTED {
            let _ = writeln!(text, "{game} {rules} {policy} {file}");
            let table = report.data.iter().find(|table| table.file == file).expect("a table");
            let place = |name: &&str| table.columns.iter().position(|column| column.name == *name);
            let places: Vec<_> = columns.iter().map(|name| place(name).expect("a column")).collect();
            for row in &table.rows {
                for (number, &place) in places.iter().enumerate() {
                    text.push_str(if number > 0 { "," } else { "" });
                    text.push_str(&row[place].written());
                }
                text.push('\n');
            }
        }
    }
    text
}

#[test]
fn the_signature_is_the_recorded_one() {
    let (mut all, mut presets) = (String::new(), String::new());
    for (game, rules, policies) in PLAN {
        for rules in rules {
            let text = counts(game, rules, policies);
            let _ = writeln!(presets, "{:016x} {game} {rules}", fnv(&text));
            all.push_str(&text);
        }
    }
    golden("signature.txt", &format!("{:016x}\n{presets}", fnv(&all)));
}

/// A new game in Rust, or a new preset of one, has its place in the plan.
#[test]
fn the_plan_has_every_game_and_preset() {
    let listed = good(&data(), "rules list").stdout;
    let listed: BTreeSet<_> = listed
        .lines()
        .map(|line| {
            let mut words = line.split_whitespace();
            (words.next().expect("a game"), words.next().expect("a preset"))
        })
        .collect();
    let in_rust = |(game, _): &(&str, &str)| PLAN.iter().any(|(known, ..)| known == game);
    let texts: BTreeSet<_> = listed.iter().filter(|listed| !in_rust(listed)).map(|(game, _)| *game).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    assert!(texts.iter().all(|game| folder.join(format!("{game}.game")).is_file()), "{texts:?}");
    let listed: BTreeSet<_> = listed.into_iter().filter(in_rust).collect();
    let planned = PLAN.iter().flat_map(|(game, presets, _)| presets.iter().map(move |rules| (*game, *rules)));
    assert_eq!(planned.collect::<BTreeSet<_>>(), listed);
}
