//! A policy as it is typed, without a file, plays as the same text in a file does.

use std::fs;
use std::path::Path;

use crate::common::{Ran, program, read, run, scratch};

/// Runs the program with these policies after the words of a line.
fn with(folder: &Path, line: &str, policies: &[&str]) -> Ran {
    let policies = policies.iter().flat_map(|policy| ["-p", *policy]);
    Ran::new(program(folder).args(line.split(' ')).args(policies).output().expect("the program starts"))
}

fn table(folder: &Path, line: &str, policies: &[&str]) -> String {
    let ran = with(folder, &format!("{line} --format csv -q"), policies);
    assert_eq!(ran.code, Some(0), "{line} {policies:?}\n{}", ran.stderr);
    ran.stdout
}

/// The numbers are those of a file of the same text, in every command that plays or solves.
#[test]
fn they_play_as_files_do() {
    let folder = scratch("typed-policies");
    let pig =
        "game = \"pig\"\nname = \"mine\"\nparams = { n = 20 }\nstop = \"turn_total >= min(n, goal_left)\"\n";
    let farkle = "game = \"farkle\"\nname = \"mine\"\nstop = \"points / 50 >= 7\"\nkeep = [\"uses_all\", \"most pays - 90 * used\"]\n";
    fs::write(folder.join("pig.toml"), pig).expect("a file");
    fs::write(folder.join("farkle.toml"), farkle).expect("a file");
    let pig = ("stop = turn_total >= min(n, goal_left); n = 20; name = mine", "pig.toml");
    let farkle =
        ("keep = uses_all, most pays - 90 * used; stop = \"points / 50 >= 7\"; name = mine", "farkle.toml");
    for (line, (typed, file), others) in [
        ("simulate pig -n 2k", pig, &[][..]),
        ("simulate pig -n 2k", pig, &["hold"]),
        ("simulate farkle -n 2k", farkle, &[]),
        ("compare pig -n 2k", pig, &["hold:n=25"]),
        ("rank farkle -n 500", farkle, &["once"]),
        ("sweep pig --rules solo --vary n=18..22 -n 2k", pig, &[]),
        ("rank pig --vary n=18..22 -n 500", pig, &[]),
        ("balance pig --vary-rule goal=50,100 -n 2k", pig, &["hold"]),
        ("solve pig --set goal=30", pig, &[]),
    ] {
        let [by_text, by_file] = [typed, file].map(|policy| {
            let all: Vec<_> = [policy].into_iter().chain(others.iter().copied()).collect();
            table(&folder, line, &all)
        });
        assert_eq!(by_text, by_file, "{line}");
    }
    let show = |words: &[&str]| Ran::new(program(&folder).args(words).output().expect("the program starts"));
    let shown = show(&["policy", "show", pig.0, "--game", "pig"]);
    fs::write(folder.join("shown.toml"), &shown.stdout).expect("a file");
    assert_eq!(
        table(&folder, "simulate pig -n 2k", &["shown.toml"]),
        table(&folder, "simulate pig -n 2k", &[pig.0])
    );
}

/// A directory of such a name is one, and no text.
#[test]
fn what_is_there_is_not_typed() {
    let folder = scratch("typed-folder");
    fs::create_dir(folder.join("a=b")).expect("a folder");
    let hold = "game = \"pig\"\nname = \"mine\"\nstop = \"turn_total >= min(20, goal_left)\"\n";
    fs::write(folder.join("a=b").join("mine.toml"), hold).expect("a file");
    for line in
        ["simulate pig -n 10 -p a=b", "policy check a=b", "policy check a=b --game pig", "policy show a=b"]
    {
        let ran = run(&folder, line);
        assert!(ran.stderr.contains("`a=b` is a directory") && ran.code == Some(2), "{line}: {}", ran.stderr);
    }
    let ran = run(&folder, "rank pig --rules solo -n 100 -q -p a=b -p hold-at-25");
    assert!(ran.stdout.contains("mine"), "{}{}", ran.stdout, ran.stderr);
}

/// What `--vary` names and the policy reads is a parameter; a run that is kept is repeated by its manifest, in parts as well.
#[test]
fn they_are_varied_kept_and_merged() {
    let folder = scratch("typed-policies-kept");
    let sweep = "sweep pig --rules solo --vary n=18..22 -n 2k";
    assert_eq!(
        table(&folder, sweep, &["stop = turn_total >= min(n, goal_left)"]),
        table(&folder, sweep, &["stop = turn_total >= min(n, goal_left); n = 18"])
    );
    let typed = &["stop = turn_total >= min(n, goal_left); n = 23"][..];
    for part in ["1/2", "2/2"] {
        let ran =
            with(&folder, &format!("simulate pig -n 2k -q --shard {part} --out p{}", &part[..1]), typed);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    assert_eq!(run(&folder, "merge p1 p2 --out merged -q").code, Some(0));
    assert_eq!(with(&folder, "simulate pig -n 2k -q --out whole", typed).code, Some(0));
    assert_eq!(with(&folder, "simulate pig -n 2k -q --out whole --resume", typed).code, Some(0));
    assert_eq!(read(&folder.join("merged/summary.csv")), read(&folder.join("whole/summary.csv")));
    assert!(read(&folder.join("whole/summary.csv")).contains("stop-turn-total-ge-min-n-goal-left:n=23"));
}

/// Mistakes are told with the words that were typed, and what may be typed where nothing was.
#[test]
fn mistakes_are_told() {
    let folder = scratch("typed-policies-mistakes");
    for (line, policies, part) in [
        ("simulate pig", &["stop = turn_totl >= 20"][..], "did you mean `turn_total`?"),
        ("simulate pig", &["stop = turn_total >= min(n, goal_left)"], "unknown name `n`"),
        ("simulate pig", &["halt = turn_total >= 20"], "stop"),
        ("simulate pig", &["stop = turn_total >= 20; n = 3 4"], "`n`"),
        ("simulate pig", &["stop ="], "stop"),
        ("compare pig", &["stop = turn_total >= 20", "stop = turn_total>=20"], "different policies"),
        ("simulate farkle", &[], "shipped for farkle"),
    ] {
        let ran = with(&folder, line, policies);
        assert_eq!(ran.code, Some(2), "{line} {policies:?}");
        assert!(ran.stderr.contains(part), "{policies:?}: {}", ran.stderr);
    }
}

/// What is cut off a long name tells policies apart, and two of one name are not shown as one.
#[test]
fn names_tell_apart() {
    let folder = scratch("typed-policies-names");
    let long = "stop = turn_total >= min(goal_left, 20) or turn_total >= min(goal_left, 2";
    let pair = [format!("{long}2)"), format!("{long}3)")];
    let told = table(&folder, "compare pig -n 2k", &[&pair[0], &pair[1]]);
    let names: Vec<_> = told.split(',').filter(|cell| cell.starts_with("stop-turn-total-ge-min")).collect();
    assert!(
        names.iter().all(|name| name.len() <= 40) && names.iter().any(|name| *name != names[0]),
        "{told}"
    );
    let equal = ["stop = turn_total >= 20", "stop = turn_total>=20"];
    let ran = with(&folder, "simulate pig -n 100", &equal);
    assert!(ran.stderr.contains("as by `; name = other`"), "{}", ran.stderr);
}

/// The worth of an answer would tell what somebody has answered by chance at the same time.
#[test]
fn hidden_answers_by_chance_stay_hidden() {
    let folder = scratch("typed-policies-hidden");
    let text = "game coins \"x\"\noption players = 2 in 2..2\nplayer points = 0 in 0..9\nround\n  \
        ask all side of p in everyone from 1..2\n  let alike = all(q in everyone: all(r in everyone: r.side == q.side))\n  \
        for p in everyone where place(p) == 1 and alike: p.points += 1\n  \
        for p in everyone where place(p) == 2 and not alike: p.points += 1\nend over after 1 rounds\nwin most points\n";
    fs::write(folder.join("coins.game"), text).expect("a file");
    let line = "advise coins.game --trial 0 -n 200 --by trials -q --seat";
    let hidden = with(&folder, &format!("{line} 2"), &["side = chance(0.5) ? 1 : 2"]);
    assert_eq!(hidden.code, Some(2), "{}", hidden.stdout);
    assert!(hidden.stderr.contains("asked at the same time has answered by chance"), "{}", hidden.stderr);
    for (seat, policy) in [(1, "side = chance(0.5) ? 1 : 2"), (2, "side = 1")] {
        let told = with(&folder, &format!("{line} {seat}"), &[policy]);
        assert_eq!(told.code, Some(0), "{}", told.stderr);
    }
}
