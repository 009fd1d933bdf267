//! What is wrong with the input is said with exit code 2, a message that tells what to change, and nothing else: in files,
//! in folders that tests make, and in words that no line of `refused.txt` can hold.

use std::fs;

use crate::common::{Ran, data, entries, good, run, scratch, written};

/// Exit code 2, a message, nothing on stdout.
fn refused(ran: &Ran, line: &str) {
    assert_eq!(ran.code, Some(2), "{line}\n{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout, "", "{line}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.ends_with('\n'), "{line}\n{}", ran.stderr);
    assert!(!ran.stderr.contains('\u{1b}'), "{line}");
}

#[test]
fn words_that_are_no_numbers() {
    for number in ["ten", "-5", "1.5", "1e99", "", "0x10", "1e-3", "99999999999999999999", "5 000"] {
        for option in ["--trials", "--seed", "--threads"] {
            let mut words: Vec<_> = "simulate pig --policy hold".split(' ').collect();
            words.extend([option, number]);
            let output = crate::common::program(&data()).args(words).output().expect("the program starts");
            let ran = Ran::new(output);
            refused(&ran, &format!("{option} {number}"));
            let said =
                ran.stderr.contains("for example") || ran.stderr.contains("too large") || number.is_empty();
            assert!(said && ran.stderr.contains(option), "{option} {number}: {}", ran.stderr);
        }
        for line in ["replay pig --policy hold --trial", "solve pig --rules piglet --max-states"] {
            let (before, option) = line.rsplit_once(' ').expect("words");
            let words = before.split(' ').chain([option, number]);
            let output = crate::common::program(&data()).args(words).output().expect("the program starts");
            let ran = Ran::new(output);
            refused(&ran, &format!("{line} {number}"));
            assert!(ran.stderr.contains(option), "{option} {number}: {}", ran.stderr);
        }
    }
}

#[test]
fn sweeps() {
    // Nothing is written if any point is wrong.
    let folder = scratch("bad-input-sweeps");
    let ran = run(&folder, "sweep carbonite -p first --vary-rule copies=1..3 --out never");
    refused(&ran, "sweep");
    assert!(entries(&folder).is_empty());
    fs::create_dir_all(folder.join("taken/sweep.csv")).expect("a folder in the way");
    let ran = run(&folder, "sweep carbonite -p first --vary k=1,2 -n 10 --out taken");
    refused(&ran, "sweep");
    assert!(ran.stderr.contains("`taken`") && ran.stderr.contains("`sweep.csv`"), "{}", ran.stderr);
    assert_eq!(entries(&folder.join("taken")).len(), 1);
}

#[test]
fn rotations() {
    let ran = run(&data(), "solve pig --rules piglet --rotate");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{}", ran.stderr);

    // Two policies of one name could not be told apart where reports go by policy.
    let folder = scratch("bad-input-rotations");
    for (file, points) in [("one.toml", 10), ("two.toml", 20)] {
        let text = format!(
            "game = \"pig\"\nname = \"mine\"\nsummary = \"Hold.\"\nstop = \"turn_total >= min({points}, goal_left)\"\n"
        );
        fs::write(folder.join(file), text).expect("written");
    }
    let line = "simulate pig --policy one.toml --policy two.toml -n 10 -q";
    let ran = run(&folder, &format!("{line} --rotate"));
    refused(&ran, line);
    for word in ["`one.toml`", "`two.toml`", "`mine`", "change the name"] {
        assert!(ran.stderr.contains(word), "no {word} in {}", ran.stderr);
    }
    good(&folder, line);
    good(&folder, "simulate pig --policy one.toml --policy one.toml -n 10 -q --rotate");
}

/// What belongs to the rules, or to a policy, is no value after `--` either.
#[test]
fn options_of_something_else() {
    for line in ["simulate pig -p hold --bogus 3", "games --players 3", "simulate chess --players 3"] {
        let said = run(&data(), line).stderr;
        assert!(said.contains("unexpected argument") && !said.contains("tip:"), "{line}: {said}");
    }
}

#[test]
fn files_that_cannot_be_read() {
    let ran = run(
        &data(),
        "policy check policies/greedy.toml missing.toml policies/misspelt.toml policies/mine.toml",
    );
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.stdout,
        "policies/greedy.toml: good (greedy)\npolicies/mine.toml: good (mine:k=3,risk=0.3)\n"
    );
    for words in
        ["cannot read `missing.toml`", "policies/misspelt.toml:5:9", "2 of 4 policies cannot be used"]
    {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
}

/// A file that is not there, beside one whose last ending some systems do not show, or one with a similar name.
#[test]
fn files_that_are_there_under_another_name() {
    let folder = scratch("bad-input-like");
    fs::write(folder.join("mine.toml.txt"), "").expect("a file");
    fs::write(folder.join("gentle.toml"), "").expect("a file");
    for (line, words) in [
        ("simulate pig -p mine.toml", "there is `mine.toml.txt`: rename it to mine.toml"),
        ("simulate pig -p ./mine.toml", "there is `mine.toml.txt`"),
        ("simulate pig -p hold --rules gentel.toml", "did you mean `gentle.toml`?"),
        ("simulate pig -p hold --rules Gentle.toml", "did you mean `gentle.toml`?"),
        ("rules check mine.toml", "there is `mine.toml.txt`"),
        ("balance pig -p hold --targets mine.toml", "there is `mine.toml.txt`"),
    ] {
        let ran = run(&folder, line);
        refused(&ran, line);
        assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
    }
}

/// The words of a policy say which game it is for.
#[test]
fn a_policy_that_names_no_game_is_told_the_likely_one() {
    let folder = scratch("contract-bad-no-game");
    for (text, game) in [
        ("name = \"mine\"\nstop = \"turn_total >= 20\"\n", "pig"),
        (
            "name = \"mine\"\nstop = \"left < 3\"\nkeep = [\"is_worm\", \"most gains\"]\nsteal = \"yes\"\n",
            "pickomino",
        ),
    ] {
        fs::write(folder.join("mine.toml"), text).expect("it can be written");
        for line in [
            "policy explain mine.toml".into(),
            "policy check mine.toml".into(),
            format!("simulate {game} -p mine.toml -n 10"),
        ] {
            let ran = run(&folder, &line);
            refused(&ran, &line);
            assert!(ran.stderr.contains(&format!("write game = \"{game}\"")), "{line}: {}", ran.stderr);
        }
    }
}

/// File, line and column, the line itself and a caret under what is wrong.
#[test]
fn mistakes_in_files_are_underlined() {
    for line in [
        "simulate carbonite --policy policies/broken.toml",
        "solve carbonite --set colours=2 --set turns=1 --policy policies/broken.toml",
        "replay carbonite --policy policies/broken.toml",
        "policy explain policies/broken.toml",
    ] {
        let ran = run(&data(), line);
        refused(&ran, line);
        let lines: Vec<_> = ran.stderr.lines().collect();
        assert_eq!(lines[1..4], [" --> policies/broken.toml:5:24", "  |", "5 | stop = \"counter >= 2 &&\""]);
        assert_eq!(lines[4], format!("  | {}^", " ".repeat(23)));
    }
    let places = |line: &str| {
        let ran = run(&data(), line);
        refused(&ran, line);
        let place = |line: &str| line.trim_start().strip_prefix("--> ").map(str::to_owned);
        ran.stderr.lines().filter_map(place).collect::<Vec<_>>()
    };
    // Everything that is wrong is said at once.
    let file = "policies/misspelt.toml";
    let found = places("simulate carbonite --policy policies/misspelt.toml");
    assert_eq!(found.len(), 3, "{found:?}");
    for place in ["5:9", "6:10", "7:1"] {
        assert!(found.contains(&format!("{file}:{place}")), "{found:?}");
    }
    assert_eq!(places("simulate carbonite --policy policies/unclosed.toml").len(), 1);
    let found = places("rules show carbonite --rules rules/misspelt.toml");
    assert_eq!(found, ["rules/misspelt.toml:6:1", "rules/misspelt.toml:7:1"]);
}

#[test]
fn directories_that_cannot_be_written() {
    let folder = scratch("bad-input-out");
    fs::write(folder.join("file"), "").expect("a file");
    for out in ["file", "file/below"] {
        let line = format!("simulate pig --policy hold -n 10 --out {out}");
        let ran = run(&folder, &line);
        refused(&ran, &line);
        assert!(ran.stderr.contains(&format!("cannot write into `{out}`")), "{}", ran.stderr);
    }
    assert_eq!(entries(&folder).len(), 1);
}

#[test]
fn what_clap_refuses() {
    for line in [
        "simulate pig --policy hold --bogus",
        "simulate pig --policy hold --trials 10 --trials 20",
        "simulate pig --policy hold --format xml",
        "simulate pig --policy hold --runner fast",
        "simulate pig --policy hold --out",
        "simulate pig hold",
        "simulate",
        "simulat pig",
        "policy",
        "policy chek",
        "policy check",
        "rules",
        "rules show",
        "games carbonite pig",
        "completions klingon",
    ] {
        let ran = run(&data(), line);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(ran.stderr.contains("--help") || ran.stderr.contains("Usage: "), "{line}\n{}", ran.stderr);
    }
}

/// Words that nobody means: they are refused, or they are harmless, but nothing panics.
#[test]
fn words_that_nobody_means() {
    let strange = [
        "", " ", "=", ":", ",", ".", "..", "/", "\\", "é", "\u{202e}", "%s", "-", "--", "'", "\n", "*",
        "a.toml:",
    ];
    for word in strange {
        for before in [
            &["simulate"][..],
            &["simulate", "pig", "-n", "1", "--policy"],
            &["simulate", "pig", "-n", "1", "--policy", "hold", "--rules"],
            &["simulate", "pig", "-n", "1", "--policy", "hold", "--set"],
            &["solve", "pig", "--rules", "piglet", "--metric"],
            &["policy", "explain"],
            &["policy", "show"],
            &["policy", "check"],
            &["rules", "show"],
        ] {
            let output =
                crate::common::program(&data()).args(before).arg(word).output().expect("the program starts");
            refused(&Ran::new(output), &format!("{before:?} {word:?}"));
        }
    }
}

/// A path need not be UTF-8, a name must be.
#[cfg(unix)]
#[test]
fn words_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let word = OsStr::from_bytes(b"out-\xff");
    let folder = scratch("bad-input-utf8");
    let mut command = crate::common::program(&folder);
    command.args("simulate pig --policy hold -n 10 -q --out".split(' ')).arg(word);
    // Not every file system has such names.
    if fs::create_dir(folder.join(word)).is_ok() {
        let ran = Ran::new(command.output().expect("the program starts"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(fs::read_dir(folder.join(word)).expect("a folder").count(), written(2).len());
    }
    // Alone, and beside a word that is not shown as it is.
    for before in [&["simulate", "pig", "--policy"][..], &["simulate", "pig", "--rules", "\u{7}", "--policy"]]
    {
        let output =
            crate::common::program(&folder).args(before).arg(word).output().expect("the program starts");
        let ran = Ran::new(output);
        refused(&ran, "--policy");
        assert!(ran.stderr.contains("`out-\u{fffd}`: this is not Unicode"), "{}", ran.stderr);
    }
}

/// The commands above are refused for what is wrong with them, not for anything else.
#[test]
fn the_same_commands_without_the_mistake_are_good() {
    for line in [
        "simulate carbonite --policy tidy:k=3 --rules readme-v1 --set points.solid=9 -n 10",
        "simulate pig --policy hold --policy hold-at-25 --threads 1024 -n 10",
        // What is common to all variants, one of them may have otherwise.
        "balance pig -p hold --set goal=70 --variant goal=50 -n 10 -q",
        "solve pig --rules piglet --metric win --policy hold",
        "replay carbonite --policy policies/mine.toml:risk=0.1 --trial 18446744073709551615",
        "policy explain hold --game pig",
        "rules show carbonite --rules rules/short.toml",
    ] {
        good(&data(), line);
    }
}

/// What is an option of another command, or stands for something in another one, is told.
#[test]
fn what_other_commands_know() {
    let folder = scratch("bad-input-others");
    fs::create_dir_all(folder.join("pols/deep")).expect("new");
    let directory = "is a directory, which stands for all policies in it in compare, rank, balance and solve; name one of its files here";
    for (line, said) in [
        ("simulate pig -p pols", directory),
        ("simulate pig -p pols/deep", directory),
        ("replay pig -p hold --format json", "for machines write --json"),
        ("simulate pig -p hold --json", "write --format json"),
        ("simulate pig -p hold --trials-out my.csv --force", "replaces an earlier one without it"),
    ] {
        let ran = run(&folder, line);
        refused(&ran, line);
        assert!(ran.stderr.contains(said), "{line}: {}", ran.stderr);
    }
    assert!(!run(&folder, "simulate pig -p hold --force").stderr.contains("--trials-out"));
}
