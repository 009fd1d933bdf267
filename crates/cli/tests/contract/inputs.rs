//! Rules and policies, by name, by file and with options, for every seat.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{Ran, data, good, manifest, number, program, read, rows, run, scratch, tables};

/// The name of the rules, and the options in force.
fn rules_of(folder: &Path, options: &str) -> (String, Value) {
    good(folder, &format!("simulate carbonite --policy first -n 50 -q {options} --out out"));
    let found = manifest(&folder.join("out"));
    let name = found["rules"]["name"].as_str().expect("a name").to_owned();
    for table in tables(&folder.join("out")) {
        assert!(rows(&table).iter().all(|row| row["rules"] == name), "{table}");
    }
    (name, found["rules"]["options"].clone())
}

#[test]
fn rules_by_name_by_file_and_by_option() {
    let folder = scratch("contract-rules");
    let (name, wiki) = rules_of(&folder, "--threads 1");
    assert_eq!(name, "wiki");
    assert_eq!(rules_of(&folder, "--rules wiki"), (name, wiki.clone()));

    let (name, options) = rules_of(&folder, "--set turns=5 --set points.solid=9 --set retribution=any");
    assert_eq!(name, "wiki+turns=5+points.solid=9+retribution=any");
    let mut expected = wiki;
    expected["turns"] = json!(5);
    expected["points"]["solid"] = json!(9);
    expected["retribution"] = json!("any");
    assert_eq!(options, expected);

    let (name, mut expected) = rules_of(&folder, "--rules readme-v1");
    assert_eq!(name, "readme-v1");
    expected["turns"] = json!(3);
    expected["points"]["solid"] = json!(9);
    fs::copy(data().join("rules/short.toml"), folder.join("short.toml")).expect("a copy");
    let (name, options) = rules_of(&folder, "--rules short.toml");
    assert_eq!((name.as_str(), options), ("short", expected.clone()));
    expected["copies"] = json!(1);
    assert_eq!(
        rules_of(&folder, "--rules ./short.toml --set copies=1"),
        ("short+copies=1".to_owned(), expected)
    );
    // Three turns are three turns.
    let turns = rows(&read(&folder.join("out/turns.csv")));
    assert_eq!(turns.last().map(|row| row["turn"].as_str()), Some("3"));
}

/// A policy's file, its parameters, and the same policy by name.
/// Games are found under the names by which they are published, however those are written.
#[test]
fn games_by_their_published_names() {
    for (typed, game) in [
        ("CarboniteDice", "carbonite"),
        ("Carbonite Dice", "carbonite"),
        ("CARBONITE", "carbonite"),
        ("Ice-Dice", "icedice"),
        ("Freeze Dice", "freeze"),
        ("Carcassonne: The Dice Game", "carcassonne"),
        ("Pig", "pig"),
    ] {
        let output = program(&data()).args(["rules", "show", typed]).output().expect("the program starts");
        let told = Ran::new(output).stdout;
        assert!(told.starts_with(&format!("game = \"{game}\"\n")), "{typed}: {told}");
    }
}

#[test]
fn rules_are_checked() {
    let folder = scratch("inputs-rules-check");
    let text = "game = \"pig\"\nname = \"mine\"\nbase = \"solo\"\ngoal = 50\n";
    fs::write(folder.join("mine.toml"), text).expect("a file");
    let utf_16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.join("powershell.toml"), utf_16).expect("a file");
    fs::write(folder.join("bad.toml"), text.replace("goal", "gaol")).expect("a file");
    let told = "good (mine, rules of pig; against standard: goal 100 → 50, players 2 → 1)\n";
    let ran = good(&folder, "rules check mine.toml powershell.toml");
    assert_eq!(ran.stdout, format!("mine.toml: {told}powershell.toml: {told}"));
    let ran = run(&folder, "rules check bad.toml mine.toml");
    assert_eq!((ran.code, ran.stdout), (Some(2), format!("mine.toml: {told}")));
    assert!(
        ran.stderr.contains("did you mean `goal`?") && ran.stderr.contains("bad.toml:4:1"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.ends_with("error: 1 of 2 rules cannot be used\n"), "{}", ran.stderr);
}

#[test]
fn policies_by_name_by_file_and_with_parameters() {
    let folder = data();
    let shown = |policy: &str| {
        let line = "simulate carbonite --trials 2k -q --format csv --policy";
        good(&folder, &format!("{line} {policy}")).stdout
    };
    assert_eq!(shown("../../../../policies/carbonite/tidy.toml"), shown("tidy"));
    assert_eq!(shown("tidy:k=2"), shown("tidy"));
    assert_ne!(shown("tidy:k=3"), shown("tidy"));
    for (policy, label) in [
        ("policies/mine.toml", "mine:k=3,risk=0.3"),
        ("policies/mine.toml:k=2", "mine:k=2,risk=0.3"),
        ("./policies/mine.toml:risk=0.25,k=4", "mine:k=4,risk=0.25"),
    ] {
        assert!(rows(&shown(policy)).iter().all(|row| row["policy"] == label), "{policy}");
    }
}

#[test]
fn a_policy_for_all_seats_or_one_for_each() {
    let folder = scratch("contract-seats");
    let line = "simulate pig --set players=3 -n 2k -q --out";
    good(&folder, &format!("{line} same --policy hold"));
    good(&folder, &format!("{line} thrice --policy hold --policy hold --policy hold:n=20"));
    assert_eq!(tables(&folder.join("same")), tables(&folder.join("thrice")));
    good(&folder, &format!("{line} mixed --policy hold --policy hold:n=5 --policy hold-at-25"));
    let labels = ["hold:n=20", "hold:n=5", "hold-at-25"];
    for name in ["summary.csv", "distribution.csv", "turns.csv"] {
        for row in rows(&read(&folder.join("mixed").join(name))) {
            assert_eq!(row["policy"], labels[row["seat"].parse::<usize>().expect("a seat") - 1], "{name}");
        }
    }
    let endings = rows(&read(&folder.join("mixed/endings.csv")));
    assert!(endings.iter().all(|row| row["policy"] == "hold:n=20 / hold:n=5 / hold-at-25"));
    // Whoever holds at five wins less.
    let wins: Vec<_> = rows(&read(&folder.join("mixed/summary.csv")))
        .iter()
        .filter(|row| row["metric"] == "win")
        .map(|row| number(row, "mean"))
        .collect();
    assert!(wins[1] < wins[0] && wins[1] < wins[2], "{wins:?}");
    assert!((wins.iter().sum::<f64>() - 1.0).abs() < 2e-6, "{wins:?}");
}

/// A policy or rules that are called like shipped ones and are others have the name of their file as well; two of other
/// files that are called the same are refused.
#[test]
fn one_name_is_one_policy_and_one_set_of_rules() {
    let folder = scratch("contract-inputs-namesakes");
    let shipped = good(&folder, "policy show tidy").stdout;
    fs::write(folder.join("same.toml"), shipped.replace('\n', "\r\n")).expect("a file");
    fs::write(folder.join("mine.toml"), shipped.replace("counter >= k", "counter >= k + 1")).expect("a file");
    let answer = |line: &str| {
        let told = good(&folder, &format!("{line} -n 500 -q --format json")).json();
        told["answer"].as_array().expect("sentences").iter().map(ToString::to_string).collect::<String>()
    };
    let told = answer("compare carbonite -p tidy -p mine.toml");
    assert!(told.contains("tidy:k=2 has") && told.contains("than tidy (mine.toml):k=2"), "{told}");
    let ran = run(&folder, "compare carbonite -p tidy -p same.toml -n 500 -q");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("`tidy` and `same.toml` are both called `tidy:k=2`"), "{}", ran.stderr);
    for line in ["rank carbonite -p tidy -p mine.toml", "balance carbonite -p tidy -p mine.toml"] {
        good(&folder, &format!("{line} -n 500 -q"));
    }

    let hold =
        |n: u32| format!("game = \"pig\"\nname = \"mine\"\nstop = \"turn_total >= min({n}, goal_left)\"\n");
    fs::write(folder.join("a.toml"), hold(20)).expect("a file");
    fs::write(folder.join("b.toml"), hold(25)).expect("a file");
    for line in [
        "compare pig -p a.toml -p b.toml",
        "compare pig -p a.toml+b.toml -p hold",
        "simulate pig -p a.toml -p b.toml --rotate",
        "sweep pig -p a.toml -p b.toml --rotate --vary-rule goal=50,60",
        "balance pig -p a.toml -p b.toml",
        "rank pig -p a.toml -p b.toml",
        "solve pig --rules piglet -p a.toml -p b.toml",
    ] {
        let ran = run(&folder, line);
        assert_eq!(ran.code, Some(2), "{line}\n{}", ran.stderr);
        assert!(
            ran.stderr.contains("called `mine`") && ran.stderr.contains("change the name in one of"),
            "{line}\n{}",
            ran.stderr
        );
    }

    let rules = good(&folder, "rules show pig").stdout;
    fs::write(folder.join("rules.toml"), &rules).expect("a file");
    fs::write(folder.join("short.toml"), rules.replace("goal = 100", "goal = 50")).expect("a file");
    for (file, named) in [("rules.toml", "rules standard ·"), ("short.toml", "rules standard (short.toml) ·")]
    {
        let told = good(&folder, &format!("simulate pig --rules {file} -p hold -n 500 -q")).stdout;
        assert!(told.contains(named), "{told}");
    }
    let told = good(&folder, "simulate pig --rules short.toml --set sides=8 -p hold -n 500 -q").stdout;
    assert!(told.contains("rules standard (short.toml)+sides=8 ·"), "{told}");
}

/// With 300 points nobody holds: no turn has more than the 99 that are missing at its last roll.
#[test]
fn a_condition_that_the_rules_make_constant_is_told_once() {
    let folder = scratch("contract-inputs-constant");
    for (line, times) in [
        ("simulate pig -p hold -n 100", 0),
        ("simulate pig -p hold:n=300 -n 100", 1),
        ("simulate pig -p hold:n=30 --set goal=20 -n 100", 1),
        ("sweep pig -p hold --vary n=20,300,400 -n 100", 1),
        ("sweep pig -p hold --vary-rule goal=10,20,30 -n 100", 1),
        ("balance pig -p hold --variant goal=15 -n 100", 1),
        ("rank pig -p hold -p hold-at-25 -n 100", 0),
    ] {
        let told = good(&folder, &format!("{line} -q")).stderr;
        let found = told.matches("is never true under these rules: `turn_total` is 0 to").count();
        assert_eq!(found, times, "{line}: {told}");
    }
    let told = good(&folder, "simulate pig -p hold:n=300 -n 100 -q").stderr;
    let said = "note: hold:n=300: `turn_total >= n` is never true under these rules: `turn_total` is 0 to 100, `n` is 300";
    assert!(told.starts_with(said), "{told}");
}

/// JSON has what stderr says of what is played, and the words of whoever asked.
#[test]
fn notes_and_remarks_are_in_json() {
    let folder = scratch("contract-inputs-notes");
    let mut command = program(&folder);
    command.args("simulate pig -p hold:n=300 -n 100 -q --format json --remark".split(' '));
    let ran = Ran::new(command.arg("Why?\n\nNobody holds.").output().expect("the program starts"));
    let found = ran.json();
    let [note] = &found["notes"].as_array().expect("a list")[..] else { panic!("{found}") };
    assert_eq!(ran.stderr, format!("note: {}\n", note.as_str().expect("a text")));
    assert_eq!(found["remarks"], json!(["Why?", "Nobody holds."]));
    // What two seats, or many tables, say is said once.
    let ran = good(&folder, "rank carcassonne -p best-turn -p builder -p one -n 5 -q --format json");
    assert_eq!((ran.stderr.lines().count(), ran.json()["notes"].as_array().map(Vec::len)), (1, Some(1)));
    let none = good(&folder, "simulate pig -p hold -n 100 -q --format json").json();
    assert_eq!((&none["notes"], &none["remarks"]), (&json!([]), &json!([])));
}
