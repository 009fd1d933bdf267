//! What is wrong with the input is said with exit code 2, a message that tells what to change, and nothing else.

use std::fs;

use crate::common::{Ran, data, entries, good, run, scratch, written};

/// Exit code 2, a message, nothing on stdout.
fn refused(ran: &Ran, line: &str) {
    assert_eq!(ran.code, Some(2), "{line}\n{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout, "", "{line}");
    assert!(ran.stderr.starts_with("error: ") && ran.stderr.ends_with('\n'), "{line}\n{}", ran.stderr);
    assert!(!ran.stderr.contains('\u{1b}'), "{line}");
}

/// Runs what must be refused with all of these words.
fn bad(line: &str, words: &[&str]) {
    let ran = run(&data(), line);
    refused(&ran, line);
    for word in words {
        assert!(ran.stderr.contains(word), "{line}: no `{word}` in\n{}", ran.stderr);
    }
}

#[test]
fn unknown_names_come_with_the_nearest_known_one() {
    let unknown = |what: &str, name: &str| format!("unknown {what} `{name}`");
    for (line, what, name, near) in [
        ("simulate carbonit --policy tidy", "game", "carbonit", "carbonite"),
        ("solve pgi", "game", "pgi", "pig"),
        ("replay carbonitee --policy tidy", "game", "carbonitee", "carbonite"),
        ("policy features pg", "game", "pg", "pig"),
        ("policy list pg", "game", "pg", "pig"),
        ("policy explain tidy --game carbonit", "game", "carbonit", "carbonite"),
        ("policy show tidy --game carbonit", "game", "carbonit", "carbonite"),
        ("rules list pgi", "game", "pgi", "pig"),
        ("rules show pigg", "game", "pigg", "pig"),
        ("simulate carbonite --policy tdiy", "policy", "tdiy", "tidy"),
        ("simulate pig --policy hold --policy holt", "policy", "holt", "hold"),
        ("solve pig --rules piglet --policy hold-at-52", "policy", "hold-at-52", "hold-at-25"),
        ("replay carbonite --policy frist", "policy", "frist", "first"),
        ("policy explain tidi:k=3", "policy", "tidi", "tidy"),
        ("policy show Tidy", "policy", "Tidy", "tidy"),
        ("simulate carbonite --rules wikki --policy tidy", "rules preset", "wikki", "wiki"),
        ("rules show carbonite --rules readme-v2", "rules preset", "readme-v2", "readme-v1"),
        ("solve pig --rules pigley", "rules preset", "pigley", "piglet"),
        ("simulate carbonite --policy tidy --set trns=5", "option", "trns", "turns"),
        ("simulate carbonite --policy tidy --set points.sold=9", "option", "points.sold", "points.solid"),
        ("simulate carbonite --policy tidy --set point.solid=9", "option", "point.solid", "points.solid"),
        ("rules show pig --set goall=9", "option", "goall", "goal"),
        ("simulate carbonite --rules rules/misspelt.toml --policy tidy", "option", "trns", "turns"),
        ("simulate pig --policy hold:m=5", "parameter", "m", "n"),
        ("policy explain policies/mine.toml:rsik=0.1", "parameter", "rsik", "risk"),
        ("solve pig --rules piglet --metric wins", "metric", "wins", "win"),
        ("solve carbonite --metric scroe", "metric", "scroe", "score"),
    ] {
        bad(line, &[&unknown(what, name), &format!("did you mean `{near}`?")]);
    }
}

/// A name that is like no other comes with all of them.
#[test]
fn unknown_names_come_with_all_known_ones() {
    bad("simulate chess --policy hold", &["unknown game `chess`", "carbonite", "pig"]);
    bad("simulate pig --policy xyzzy", &["unknown policy `xyzzy`", "hold", "hold-at-25"]);
    bad(
        "simulate pig --rules xyzzy --policy hold",
        &["unknown rules preset `xyzzy`", "standard", "solo", "piglet"],
    );
    bad("solve pig --metric xyzzy", &["unknown metric `xyzzy`", "win", "turns", "rolls", "busts", "points"]);
    bad("simulate pig", &["name a policy", "--policy", "hold"]);
    // A policy of another game is not a policy of this one.
    bad("simulate pig --policy tidy", &["unknown policy `tidy`", "hold"]);
    bad("policy explain hold --game carbonite", &["unknown policy `hold`", "first", "tidy"]);
}

#[test]
fn numbers_out_of_range() {
    bad("simulate pig --policy hold --trials 0", &["--trials 0", "1 or more"]);
    bad("simulate pig --policy hold --threads 0", &["--threads 0", "1 to 1024"]);
    bad("simulate pig --policy hold --threads 100k", &["--threads 100000", "1 to 1024"]);
    bad("solve pig --rules piglet --threads 0", &["--threads 0", "1 to 1024"]);
    bad("bench --seconds 0", &["--seconds", "more than 0"]);
    bad("bench --seconds nan", &["--seconds"]);
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
        if number != "5 000" && !number.is_empty() {
            bad(&format!("replay pig --policy hold --trial {number}"), &["--trial"]);
            bad(&format!("solve pig --rules piglet --max-states {number}"), &["--max-states"]);
        }
    }
    bad("solve pig --rules solo --max-states 5", &["more than 5 states", "--max-states"]);
    bad("simulate pig --policy hold --set players=5", &["players", "5 is out of range", "1 to 4"]);
    bad("simulate pig --policy hold --set goal=0", &["goal", "0 is out of range", "1 to 1000"]);
    bad("simulate carbonite --policy tidy --set turns=-1", &["turns", "-1"]);
    bad("simulate carbonite --policy tidy --set turns=ten", &["turns"]);
    bad("simulate carbonite --policy tidy --set atom=chioce", &["atom", "chioce", "choice"]);
}

#[test]
fn comparisons() {
    bad("compare pig", &["name a policy", "--policy", "hold"]);
    bad("compare pig -p hold", &["one policy, `hold`", "two or more", "or two --rules"]);
    bad("compare pig --rules solo --rules solo -p hold", &["`solo` and `solo` are the same rules"]);
    bad(
        "compare pig --rules solo --rules standard -p hold",
        &["`solo` and `standard` are for different numbers of players", "balance GAME --rules A --rules B"],
    );
    bad(
        "compare carbonite --rules wiki --rules readme-v1 -p tidy --divergent 2",
        &["--divergent 2", "leave it out"],
    );
    bad("compare pgi -p hold -p hold:n=25", &["unknown game `pgi`", "did you mean `pig`?"]);
    bad("compare carbonite -p tidy -p frist", &["unknown policy `frist`", "did you mean `first`?"]);
    bad("compare carbonite -p tidy -p first:j=3", &["unknown parameter `j`"]);
    bad("compare pig -p hold -p hold+holt", &["unknown policy `holt`", "did you mean `hold`?"]);
    bad("compare pig -p hold -p hold+hold+hold", &["`hold+hold+hold`", "3 policies for 2 seats"]);
    bad("compare pig --rules solo -p hold -p hold+hold", &["unknown policy `hold+hold`"]);
    bad("compare pig -p hold -p hold:n=25 -n 0", &["--trials 0", "1 or more"]);
    bad("compare pig -p hold -p hold:n=25 --threads 0", &["--threads 0", "1 to 1024"]);
    bad("compare pig -p hold -p hold:n=25 --divergent some", &["--divergent"]);
    bad("compare pig -p hold -p hold:n=25 --divergent 200k", &["--divergent 200000", "write 100000 or less"]);
    bad(
        "compare pig -p hold -p hold:n=25 -p hold:n=9 --divergent 40k",
        &["all 3 pairs", "write 33333 or less"],
    );
    bad("columns turn.csv", &["unknown file `turn.csv`", "`turns.csv`"]);
    bad("compare pig -p hold -p hold:n=25 --until-width 0", &["--until-width 0", "above 0"]);
    bad("compare pig -p hold -p hold:n=25 --until-width NaN", &["--until-width NaN", "above 0"]);
    bad("compare pig -p hold -p hold:n=25 --until-width 1e400", &["--until-width", "`1e400` is too large"]);
    bad("compare pig -p hold -p hold:n=25 --until-decided -1", &["--until-decided -1", "0 or more"]);
    bad("compare pig -p hold -p hold:n=25 --budget soon", &["`soon` is no time", "60s"]);
    bad("compare pig -p hold -p hold:n=25 --metric turn", &["unknown metric `turn`", "`turns`"]);
    bad(
        "compare pig -p hold -p hold:n=25 --until-width 1 --metric turn",
        &["unknown metric `turn`", "`turns`"],
    );
    bad("compare pig --rules solo -p hold -p hold:n=25 --rotate", &["--rotate", "one seat"]);
}

#[test]
fn sweeps() {
    for (options, words) in [
        ("", &["nothing varies", "--vary NAME=LIST", "--vary-rule KEY=LIST", "stopwise simulate"][..]),
        ("--vary k", &["--vary k: write NAME=LIST", "k=1..5"]),
        ("--vary k=", &["--vary k=:", "a level is missing"]),
        ("--vary k=5..1", &["`5..1` runs backwards", "write 1..5"]),
        ("--vary k=1..2 --vary k=3", &["`k` is varied twice"]),
        ("--vary kk=1..5", &["unknown parameter `kk`", "did you mean `k`?"]),
        ("--vary k=1..20k", &["`1..20k` is no range of numbers"]),
        ("--vary k=1..20000", &["20000 levels are too many; at most 10000"]),
        ("--vary k=1..101 --vary-rule turns=1..100", &["101 · 100 = 10100 settings", "at most 10000"]),
        ("--vary k=a,b", &["parameter `k`", "`a` is no number"]),
        ("--vary 2.k=1,2", &["no policy 2; there is one"]),
        ("--vary-rule copis=1,2", &["unknown option `copis`", "did you mean `copies`?"]),
        ("--vary-rule copies=1..3", &["--vary-rule copies=3", "3 is out of range", "1 to 2"]),
        ("--vary k=1..2 --vary-rule copies=2,3", &["--vary-rule copies=3, at k=1, copies=3"]),
        ("--vary-rule points=1,2", &["`points` has parts", "points.solid"]),
        ("--vary-rule atom=choice,rerol", &["rerol"]),
        ("--vary-rule preset=wiki,readme", &["unknown rules preset `readme`"]),
        ("--vary-rule copies=1,2 --set copies=1", &["both set and varied", "leave --set copies out"]),
        ("--vary k=1,2 --metric scor", &["unknown metric `scor`", "did you mean `score`?"]),
        ("--vary k=1,2 -n 0", &["--trials 0", "1 or more"]),
        ("--vary k=1,2 --threads 0", &["--threads 0", "1 to 1024"]),
        ("--vary k=1,2 --rotate", &["--rotate", "one seat", "leave it out"]),
        ("--vary k=1,2 --paired some", &["--paired"]),
    ] {
        bad(format!("sweep carbonite -p first {options}").trim_end(), words);
    }
    bad("sweep carbonite --vary k=1,2", &["name a policy", "--policy"]);
    bad("sweep carbonite -p first:k=2 --vary k=1,2", &["`k` has a value in --policy first:k=… already"]);
    bad("sweep pig -p hold -p hold-at-25 --vary 2.n=1,2", &["hold-at-25 has no parameters"]);
    bad("sweep pig -p hold --vary n=1,2 --runner lanes --set goal=0", &["goal", "1 to 1000"]);
    // Alone one plays for few turns, together to win: no point is better than one of another kind.
    bad("sweep pig -p hold --vary-rule players=2,1", &["players=1", "the metric `win`", "--metric"]);
    bad("sweep pig -p hold -p hold --vary-rule players=2,3", &["2 policies for 3 seats"]);
    bad("sweep carbonite -p first --vary k=1,2 --out signature.txt/x", &["signature.txt/x"]);

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
    for line in [
        "simulate carbonite --policy tidy --rotate",
        "replay carbonite --policy tidy --rotate",
        "simulate pig --rules solo --policy hold --rotate",
        "simulate pig --set players=1 --policy hold --rotate",
    ] {
        bad(line, &["--rotate", "one seat", "leave it out"]);
    }
    bad("simulate pig --policy hold --policy hold --policy hold --rotate", &["3 policies for 2 seats"]);
    bad("simulate pig --rotate", &["name a policy"]);
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

#[test]
fn assignments() {
    bad("simulate carbonite --policy tidy --set turns", &["`turns` is no assignment", "KEY=VALUE"]);
    bad("simulate carbonite --policy tidy --set =", &["--set"]);
    bad("simulate carbonite --policy tidy --set turns.x=1", &["--set", "turns"]);
    bad("simulate carbonite --policy tidy:k", &["`tidy:k`", "name=value"]);
    bad("simulate carbonite --policy tidy:", &["`tidy:`", "name=value"]);
    bad("simulate carbonite --policy tidy:k=2,", &["`tidy:k=2,`", "name=value"]);
    bad("simulate carbonite --policy tidy:k=2,k=3", &["`k` has two values"]);
    bad("simulate carbonite --policy tidy:k=two", &["parameter `k`", "`two` is no number"]);
    bad("simulate carbonite --policy tidy:k=", &["parameter `k`", "no number"]);
    bad("simulate carbonite --policy tidy:k=99999999999999999999", &["parameter `k`", "too large"]);
    bad("policy show tidy:k=3", &["write the name alone"]);
}

/// What belongs to the rules, or to a policy, is not an option of the command, and is no value after `--` either.
#[test]
fn options_of_something_else() {
    for (line, words) in [
        ("simulate pig -p hold --players 3", "by --set players=3"),
        ("solve pig --goal=50 --rules solo", "by --set goal=50"),
        ("balance pig -p hold --bust-faces [1]", "by --set bust_faces=[1]"),
        ("simulate carbonite -p tidy --solid 9", "by --set points.solid=9"),
        ("compare CarboniteDice -p tidy --retribution -p first", "by --set retribution=…"),
        ("simulate pig -p hold --n 25", "-p hold:n=25"),
        ("rank carbonite -p tidy -p first --k=3", "-p tidy:k=3"),
        ("simulate pig --rules solo --rules standard -p hold", "balance GAME --rules A --rules B"),
        ("simulate pig --rules solo --rules standard -p hold", "compare GAME --rules A --rules B"),
        ("sweep pig --rules solo --rules standard -p hold", "--vary-rule preset=A,B"),
    ] {
        bad(line, &[words]);
    }
    for line in ["simulate pig -p hold --bogus 3", "games --players 3", "simulate chess --players 3"] {
        let said = run(&data(), line).stderr;
        assert!(said.contains("unexpected argument") && !said.contains("tip:"), "{line}: {said}");
    }
}

#[test]
fn what_is_said_twice() {
    bad("simulate pig -p hold --set goal=50 --set goal=60", &["`goal` has two values, goal=50 and goal=60"]);
    bad("balance pig -p hold --variant goal=50,goal=60", &["`goal` has two values"]);
    bad("balance pig -p hold --variant goal=50 --variant goal=50", &["`standard+goal=50` stands twice"]);
    bad("balance pig -p hold --rules solo --rules solo", &["`solo` stands twice"]);
    bad("balance pig -p hold --variant goal=100", &["`standard` stands twice", "a variant changes nothing"]);
    bad("simulate pig -p hold --set bust_faces=[1,1]", &["bust_faces", "1 stands twice"]);
    // What is common to all variants, one of them may have otherwise.
    good(&data(), "balance pig -p hold --set goal=70 --variant goal=50 -n 10 -q");
}

#[test]
fn how_many_policies() {
    bad("simulate carbonite --policy tidy --policy first", &["2 policies for 1 seat:", "--policy once"]);
    bad("simulate pig --policy hold --policy hold --policy hold", &["3 policies for 2 seats"]);
    bad("replay pig --set players=4 --policy hold --policy hold", &["2 policies for 4 seats"]);
    bad("solve pig --set players=3", &["three or more seats", "policy"]);
}

#[test]
fn files_that_cannot_be_read() {
    for line in [
        "simulate pig --policy missing.toml",
        "simulate pig --policy missing.toml:n=3",
        "simulate pig --rules missing.toml --policy hold",
        "policy explain missing.toml",
    ] {
        bad(line, &["cannot read `missing.toml`"]);
    }
    bad("simulate pig --policy ./policies", &["cannot read `./policies`"]);
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

#[test]
fn files_for_another_game() {
    bad(
        "simulate pig --policy policies/mine.toml",
        &["this policy is for the game `carbonite`, not for `pig`", "--> policies/mine.toml:1:8"],
    );
    bad(
        "simulate pig --rules rules/short.toml --policy hold",
        &["these rules are for `carbonite`, not for `pig`", "--> rules/short.toml:1:8"],
    );
    bad("policy check policies/mine.toml --rules piglet", &["unknown rules preset `piglet`", "wiki"]);
    bad("policy check rules/short.toml", &["unknown key", "base"]);
}

/// File, line and column, the line itself and a caret under what is wrong.
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
    bad("simulat pig", &["'simulate'"]);
    bad("games carbonit", &["did you mean `carbonite`?"]);
    for (numbers, words) in
        [("7..3", "write 3..7"), ("1..", "write for example 3..9"), ("1..9:2", "both ends")]
    {
        bad(&format!("replay pig -p hold --trial {numbers}"), &["--trial", words]);
        bad(&format!("replay pig -p hold --turn {numbers}"), &["--turn", words]);
    }
    for turns in ["0", "1..0", "0..5"] {
        bad(
            &format!("replay pig -p hold --turn {turns}"),
            &["turns are counted from 1; write for example 1..3"],
        );
    }
    bad("simulate pig -p hold --budget -1s", &["`-1s` is no time; write for example 60s"]);
    bad("compare pig -p hold -p hold-at-25 --budget -1", &["`-1` is no time"]);
    bad("simulate pig --polcy hold", &["'--policy'"]);
    bad("simulate pig --policy hold --format cvs", &["'--format <FORMAT>'", "csv"]);
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
        "solve pig --rules piglet --metric win --policy hold",
        "replay carbonite --policy policies/mine.toml:risk=0.1 --trial 18446744073709551615",
        "policy explain hold --game pig",
        "rules show carbonite --rules rules/short.toml",
    ] {
        good(&data(), line);
    }
}
