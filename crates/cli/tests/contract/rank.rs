//! `rank`: what it prints and writes, against golden files in `data/formats`; what scripts rely on; what it refuses.
//!
//! The golden files are written anew when the environment variable `UPDATE_GOLDEN` is `1`.

use std::fs;

use crate::common::sheet::Sheet;
use crate::common::{
    RANKED, Row, count, data, entries, good, manifest, number, read, rounded, rows, scratch,
};
use serde_json::Value;

const RACE: &str =
    "rank carbonite -p tidy -p first:k=2 -p first:k=3 -p spare-the-vault -p second-tree -n 20k";
const FOR_TWO: &str = "rank icedice -p racer -p thief -p honest -p stop-at -n 2k";
const FOR_THREE: &str = "rank pig --set players=3 --set goal=30 -p hold:n=8 -p hold:n=12 -p hold:n=20 -n 2k";

/// In a round all meet the same dice: who gives the same answers always ties, and is told to play alike. Neither of the
/// first two banks before the third roll, after which the pot has six points at least.
#[test]
fn policies_that_play_alike_are_told() {
    let alike = "The two play alike: they give the same answers in all of 200 games that were tried.";
    let answer = |field: &str| {
        let ranked = good(&data(), &format!("rank bank --set players=2 -n 500 {field}"));
        ranked.stdout.lines().collect::<Vec<_>>().join(" ")
    };
    let told = answer("-p at:n=1 -p at:n=6");
    assert!(told.contains("at:n=1 and at:n=6 share every win.") && told.contains(alike), "{told}");
    assert!(!answer("-p at:n=1 -p at:n=250").contains(alike));
}

/// What was the same in every trial has no limits, and is told to be so; of one trial nothing is known.
#[test]
fn values_that_never_change_are_told() {
    let folder = scratch("rank-always");
    let text = "game sure \"Two or one a turn\"\nplayer score = 0 in 0..20 points\ndie d = 1..6\nturn\n  roll face = d\n  \
                ask more \"two\": score += 2\n  else: score += 1\nend after 5 rounds\nalone most score\n";
    fs::write(folder.join("sure.game"), text).expect("written");
    for (name, more) in [("two", "yes"), ("one", "no"), ("luck", "face > 3")] {
        let text = format!("game = \"sure.game\"\nname = \"{name}\"\nmore = \"{more}\"\n");
        fs::write(folder.join(format!("{name}.toml")), text).expect("written");
    }
    let cells = |trials: u32| {
        let line = format!("rank sure.game -p two.toml -p one.toml -p luck.toml -n {trials} -q");
        let told = good(&folder, &line).stdout;
        let row = |name: &str| {
            let table = told.lines().skip_while(|line| !line.starts_with("policy "));
            let line = table.into_iter().find(|line| line.starts_with(name)).expect("a row");
            line.split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        ["two ", "one ", "luck "].map(row)
    };
    let [two, one, luck] = cells(2000);
    assert_eq!(two[3..5], ["10.000", "in all trials"], "{two:?}");
    assert_eq!(one[3..7], ["5.000", "in all trials", "−5.000", "in all trials"], "{one:?}");
    assert!(luck[4].contains(" to ") && luck[6].contains(" to "), "{luck:?}");
    assert!(cells(1).iter().all(|row| row[4] == "not known"));
}

#[test]
fn formats() {
    let [rank, pairs, matches] = RANKED;
    for (name, line, other) in [
        ("rank-carbonite", RACE, pairs),
        ("rank-icedice", FOR_TWO, matches),
        ("rank-pig", FOR_THREE, matches),
    ] {
        let folder = scratch(&format!("rank-{name}"));
        let line = format!("{line} --threads 1");
        let table = good(&folder, &format!("{line} --out out"));
        let mut sheet = Sheet::new(name);
        sheet.whole(&format!("stopwise {line} --out out"), &table.stdout);
        assert!(table.stderr.contains(" games a second)"), "{}", table.stderr);
        for (file, header) in [rank, other] {
            let text = read(&folder.join("out").join(file));
            assert_eq!(text.lines().next(), Some(header), "{file}");
            sheet.section(&format!("out/{file}"), &text);
        }
        assert_eq!(entries(&folder.join("out")).len(), 4);
        let mut found = manifest(&folder.join("out"));
        let fields = found.as_object_mut().expect("an object");
        for passing in ["version", "command_line", "run", "instructions", "wall_seconds", "cpu_seconds"] {
            assert!(fields.remove(passing).is_some(), "{passing}");
        }
        sheet.section("out/manifest.json", &(serde_json::to_string_pretty(&found).expect("a value") + "\n"));
        let csv = good(&folder, &format!("{line} --format csv --quiet"));
        assert_eq!((csv.stdout, csv.stderr), (read(&folder.join("out/rank.csv")), String::new()));
        let mut json = good(&folder, &format!("{line} --format json")).json();
        rounded(&mut json);
        sheet.section("--format json", &(serde_json::to_string_pretty(&json).expect("a value") + "\n"));
        sheet.section("--format markdown", &good(&folder, &format!("{line} --format markdown")).stdout);
        sheet.check();
    }
}

/// One trial, too few for a look, metrics that never vary, twins, nobody who wins, everything won.
#[test]
fn little_to_say() {
    let mut sheet = Sheet::new("rank-little-to-say");
    for line in [
        "rank pig --rules solo -p hold -p hold:n=25 -n 1",
        "rank pig --rules solo -p hold -p hold:n=25 -n 500 --fresh 0",
        "rank carbonite -p first:k=4 -p tidy:k=90 -p tidy:k=91 -n 3k --aim best",
        "rank pig --rules solo -p hold -p hold:n=25 --set turn_cap=3",
        "rank pig -p hold -p hold-at-25 -p hold:n=3 --set turn_cap=2 -n 500",
        "rank pig -p hold -p hold:n=100 -n 1",
    ] {
        let found = good(&data(), &format!("{line} --quiet")).stdout;
        sheet.whole(&format!("stopwise {line} --quiet"), &found);
        let others = ["csv", "json", "markdown"]
            .map(|format| good(&data(), &format!("{line} --quiet --format {format}")).stdout);
        for nonsense in ["NaN", "nan", "inf", "-0.00 ", "−0.00 ", "−0.000 ", "-0.000 ", "-0.000000,", "-0,"]
        {
            for text in others.iter().chain([&found]) {
                assert!(!text.contains(nonsense), "{nonsense} in\n{text}");
            }
        }
    }
    sheet.check();
}

/// The same bytes on any number of threads; what the tables say of a policy is what a simulation says.
#[test]
fn a_ranking_is_a_function_of_its_arguments() {
    let folder = scratch("rank-threads");
    for (at, (line, other)) in
        [(RACE, "rank_pairs.csv"), (FOR_TWO, "matches.csv"), (FOR_THREE, "matches.csv")].iter().enumerate()
    {
        let first = good(&folder, &format!("{line} --quiet --threads 1 --out one{at}")).stdout;
        assert_eq!(good(&folder, &format!("{line} --quiet --threads 3 --out three{at}")).stdout, first);
        for file in ["rank.csv", other] {
            let [one, three] =
                ["one", "three"].map(|out| read(&folder.join(format!("{out}{at}")).join(file)));
            assert_eq!(one, three, "{file}");
        }
    }
    for row in rows(&read(&folder.join("one0/rank.csv"))) {
        let line =
            format!("simulate carbonite -p {} -n {} --quiet --format csv", row["policy"], row["trials"]);
        let alone = rows(&good(&folder, &line).stdout);
        assert_eq!(alone[0]["mean"], row["mean"], "{row:?}");
    }
    // A longer race looks where a shorter one does: what had left by then is the same.
    let longer = rows(
        &good(&folder, &format!("{} -n 40k --quiet --format csv", RACE.trim_end_matches(" -n 20k"))).stdout,
    );
    let shorter = rows(&read(&folder.join("one0/rank.csv")));
    for row in shorter.iter().filter(|row| count(row, "trials") < 20_000) {
        let again = longer.iter().find(|again| again["policy"] == row["policy"]).expect("all of them");
        assert_eq!((&again["trials"], &again["low"]), (&row["trials"], &row["low"]));
    }
}

/// What varies is ranked with every value, as if each had been typed.
#[test]
fn grids_of_policies() {
    let of = |options: &str| good(&data(), &format!("rank carbonite {options} -n 2k -q --format csv")).stdout;
    let grid = of("-p first -p spare-the-vault -p safety-first --vary k=1..3 --vary enough=4,8");
    let typed: Vec<_> = ["first:k=1", "first:k=2", "first:k=3"]
        .into_iter()
        .map(str::to_owned)
        .chain((1..=3).flat_map(|k| [4, 8].map(|enough| format!("spare-the-vault:k={k},enough={enough}"))))
        .chain(["safety-first".to_owned()])
        .map(|policy| format!("-p {policy}"))
        .collect();
    assert_eq!(rows(&grid).len(), 10);
    assert_eq!(grid, of(&typed.join(" ")));
}

/// Tables share no dice, the games of one can be told again, and a policy more changes nothing of the others.
#[test]
fn matches_stand_on_their_own() {
    let folder = scratch("rank-matches");
    let table = |line: &str, out: &str| {
        good(&folder, &format!("{line} --quiet --fresh 0 --out {out}"));
        rows(&read(&folder.join(out).join("matches.csv")))
    };
    let found = table(FOR_THREE, "three");
    assert_eq!(found.len(), 6);
    let more = table(&format!("{FOR_THREE} -p hold:n=15"), "four");
    let of = |rows: &[Row], a: &str, b: &str| {
        let row = rows.iter().find(|row| row["policy_a"] == a && row["policy_b"] == b);
        row.unwrap_or_else(|| panic!("{a} {b}")).clone()
    };
    for row in &found {
        let again = of(&more, &row["policy_a"], &row["policy_b"]);
        for column in ["first_trial", "games", "no_winner", "a_share"] {
            assert_eq!(again[column], row[column], "{column}");
        }
    }
    // With two seats the shares of two against each other are 1 together, and so is everything mirrored.
    let two = table(FOR_TWO, "two");
    for row in &two {
        let back = of(&two, &row["policy_b"], &row["policy_a"]);
        assert!((number(row, "a_share") + number(&back, "a_share") - 1.0).abs() < 2e-9);
        assert!((number(row, "lead_low") + number(&back, "lead_high")).abs() < 2e-9);
        assert!((number(row, "effect") + number(&back, "effect")).abs() < 2e-9);
        assert_eq!(row["first_trial"], back["first_trial"]);
    }
    // The winners of the first games of a table, as `replay` tells them.
    let row = of(&two, "thief:k=3", "racer:k=3");
    let line = "rank icedice -p racer -p thief -n 4 --fresh 0 --quiet --format json";
    let few = good(&folder, line).json();
    let mut wins = 0.0;
    for trial in 0..4 {
        let line = format!("replay icedice -p racer -p thief --rotate --trial {trial} --json");
        let told = good(&folder, &line).json();
        let is_thief = |policy: &Value| *policy == "thief:k=3";
        let seat = told["policies"].as_array().expect("policies").iter().position(is_thief);
        let of_seat = &told["seats"][seat.expect("the thief")];
        wins += of_seat["metrics"]["win"].as_f64().expect("0 or 1");
    }
    assert_eq!(row["first_trial"], "0");
    let thief = few["matches"].as_array().expect("matches").iter().find(|it| it["policy_a"] == "thief:k=3");
    assert_eq!(thief.expect("the match")["a_share"], wins / 4.0);
}

/// The command that a report names gives the same report again, a run that was cut short included.
#[test]
fn repeated() {
    for line in [
        "rank carbonite -p tidy -p first --vary 2.k=2,3 -n 5k --aim best --resolution 1.5 --alpha 0.01",
        "rank carbonite -p tidy -p spare-the-vault -n 9k --metric busts --fresh 100 --seed 7",
        "rank carbonite -p tidy -p spare-the-vault -n 9k --stop-after 2000",
        "rank pig --set goal=30 -p hold:n=8 -p hold:n=12 -n 3k --stop-after 2000",
    ] {
        let first = good(&data(), &format!("{line} --quiet --format json")).json();
        let repeat =
            first["repeat"].as_str().and_then(|line| line.strip_prefix("stopwise ")).expect("a line");
        let again = good(&data(), &format!("{repeat} --quiet --format json")).json();
        assert_eq!(again, first, "{line}");
    }
}
