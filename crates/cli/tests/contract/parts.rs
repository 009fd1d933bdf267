//! `--shard`, `merge` and `--resume`: a run in parts, or one that was broken off and goes on, is the run in one piece.

use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::common::{entries, good, read, run, scratch, written};

/// One of every kind of command that can be cut, with stages of all kinds.
const LINES: [&str; 7] = [
    "simulate carbonite -p tidy -n 3007 --above 500 --quantiles 0.1,0.9",
    "simulate pig -p hold -p hold-at-25 --rotate -n 1001",
    "compare carbonite -p tidy -p first -n 1501 --divergent 3",
    "compare carbonite --rules wiki --rules readme-v1 -p tidy -p first -n 801",
    "sweep pig --rules solo -p hold --vary n=18..22 -n 1501 --paired 700",
    "balance carbonite -p first -p tidy --variant retribution=any -n 901",
    "balance pig -p hold -p hold-at-25 --variant goal=50 --close points=10 -n 801",
];

/// Plays all parts of a run into `part1`, `part2`, …
fn parts(folder: &Path, line: &str, count: u64) -> Vec<String> {
    let part = |number| {
        let out = format!("part{number}");
        good(folder, &format!("{line} -q --force --out {out} --shard {number}/{count}"));
        out
    };
    (1..=count).map(part).collect()
}

/// Everything that a directory has but the manifest, which holds times.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let names = entries(folder).into_iter().filter(|name| name != "manifest.json");
    names.map(|name| (name.clone(), fs::read(folder.join(&name)).expect("a file"))).collect()
}

#[test]
fn parts_are_the_run_in_one_piece() {
    for (number, line) in LINES.iter().enumerate() {
        let folder = scratch(&format!("contract-parts-{number}"));
        let one = good(&folder, &format!("{line} -q --out whole"));
        let mut names = parts(&folder, line, 3);
        names.rotate_left(1);
        let merged = good(&folder, &format!("merge {} -q --out merged", names.join(" ")));
        assert_eq!(merged.stdout, one.stdout, "{line}");
        assert!(files(&folder.join("merged")) == files(&folder.join("whole")), "{line}");
        assert_eq!(files(&folder.join("part2")).len(), 1, "{line}: a part is one file");
    }
}

/// More parts than trials, and one part of one.
#[test]
fn parts_may_be_empty_or_all() {
    let folder = scratch("contract-parts-few");
    let line = "simulate pig --rules solo -p hold -n 2";
    let one = good(&folder, &format!("{line} -q"));
    for count in [1, 5] {
        let names = parts(&folder, line, count);
        assert_eq!(good(&folder, &format!("merge {} -q", names.join(" "))).stdout, one.stdout);
    }
}

#[test]
fn rows_are_those_of_the_run_in_one_piece() {
    let folder = scratch("contract-parts-rows");
    for (line, file) in [(LINES[0], "rows.csv"), (LINES[1], "rows.parquet")] {
        good(&folder, &format!("{line} -q --trials-out whole-{file}"));
        let names = parts(&folder, &format!("{line} --trials-out {file}"), 3).join(" ");
        good(&folder, &format!("merge {names} -q --trials-out {file}"));
        assert!(
            fs::read(folder.join(file)).expect("rows")
                == fs::read(folder.join(format!("whole-{file}"))).expect("rows")
        );
        fs::remove_file(folder.join(file)).expect("it is there");
        // One digit of the rows of one trial.
        let rows = folder.join("part2/shard.rows");
        let mut bytes = fs::read(&rows).expect("rows");
        bytes[40] ^= 1;
        fs::write(&rows, bytes).expect("it can be written");
        let refused = run(&folder, &format!("merge {names} -q --trials-out {file}"));
        assert!(
            refused.code == Some(2) && refused.stderr.contains("`part2`: its shard.rows is damaged"),
            "{}",
            refused.stderr
        );
    }
}

/// Every part that does not belong to the others is refused by its name, and nothing is written.
#[test]
fn what_is_wrong_is_refused_by_name() {
    let folder = scratch("contract-parts-wrong");
    let line = "simulate pig --rules solo -p hold -n 100";
    parts(&folder, line, 3);
    for (name, other) in [
        ("seed", "simulate pig --rules solo -p hold -n 100 --seed 2"),
        ("trials", "simulate pig --rules solo -p hold -n 101"),
        ("policy", "simulate pig --rules solo -p hold:n=21 -n 100"),
    ] {
        good(&folder, &format!("{other} -q --out {name} --shard 2/3"));
    }
    good(&folder, &format!("{line} -q --out four --shard 2/4"));
    good(&folder, &format!("{line} -q --out whole"));
    fs::create_dir(folder.join("empty")).expect("new");
    let part = read(&folder.join("part2/shard.txt"));
    let changed = |name: &str, text: &str| {
        fs::create_dir(folder.join(name)).expect("new");
        fs::copy(folder.join("part2/manifest.json"), folder.join(name).join("manifest.json")).expect("there");
        fs::write(folder.join(name).join("shard.txt"), text).expect("it can be written");
    };
    changed("cut", &part[..part.len() - 30]);
    changed("flipped", &part.replacen("\"trials\":33", "\"trials\":34", 1));
    // By another version, as whole as it can be.
    changed("version", &with_header(&part, "\"stopwise\":\"", "\"stopwise\":\"9"));
    for (second, said) in [
        (
            "",
            "parts are missing of `stopwise simulate pig --rules solo --policy hold --trials 100 --seed 1`: 2/3",
        ),
        ("part1", "`part1` and `part1` are both part 1 of 3"),
        ("seed", "`part1` and `seed` are of different runs: one is of"),
        ("trials", "`part1` and `trials` are of different runs: one is of"),
        ("policy", "`part1` and `policy` are of different runs: one is of"),
        ("four", "`part1` and `four` are of different runs: one is a part of 3, the other of 4"),
        ("whole", "`whole` has no part of a run: cannot read its shard.txt"),
        ("empty", "`empty` has no whole part of a run: it has no manifest.json"),
        ("nowhere", "cannot read `nowhere`"),
        ("cut", "`cut`: it is damaged, or not whole"),
        ("flipped", "`flipped`: it is damaged, or not whole"),
        (
            "version",
            "`part1` and `version` are of different runs: one is by stopwise 0.1.0, the other by 90.1.0",
        ),
    ] {
        let ran =
            run(&folder, format!("merge part1 {second} part3 -q --out merged").replace("  ", " ").as_str());
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{second}: {}", ran.stderr);
        assert!(!folder.join("merged").exists(), "{second}");
    }
}

/// All that are wrong are named at once, and the parts that are lacking.
#[test]
fn all_that_is_wrong_is_named() {
    let folder = scratch("contract-parts-all-wrong");
    let line = "simulate pig --rules solo -p hold -n 100";
    parts(&folder, line, 5);
    for name in ["part2", "part4"] {
        fs::remove_file(folder.join(name).join("manifest.json")).expect("it is there");
    }
    fs::write(folder.join("part5/shard.txt"), "cut").expect("it can be written");
    let ran = run(&folder, "merge part1 part2 part3 part4 part5");
    assert_eq!(
        ran.stderr,
        "error: `part2` has no whole part of a run: it has no manifest.json\n\
         `part4` has no whole part of a run: it has no manifest.json\n\
         `part5`: it is no part of a run of stopwise, or damaged\n\
         parts are missing of `stopwise simulate pig --rules solo --policy hold --trials 100 --seed 1`: 2/5, 4/5, 5/5; name the \
         directories of all 5\n"
    );
    assert_eq!(ran.code, Some(2));
    let many = format!("merge part1{}", " part2".repeat(30));
    let ran = run(&folder, &many);
    assert!(ran.stderr.contains("\nand 10 more like these\nparts are missing"), "{}", ran.stderr);
}

/// The rows of a part are beside its text.
#[test]
fn rows_want_directories() {
    let folder = scratch("contract-parts-rows-of-files");
    parts(&folder, "simulate pig -p hold -n 100 --trials-out rows.csv", 2);
    let ran = run(&folder, "merge part1/shard.txt part2/shard.txt --trials-out rows.csv");
    let said = "--trials-out: `part1/shard.txt` is a file, and the rows of its part are another; name the directory of both";
    assert!(ran.code == Some(2) && ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_cut_says_so() {
    let folder = scratch("contract-parts-looks");
    for (line, said) in [
        ("compare pig -p hold -p hold-at-25 --until-width 0.1", "stops by what it sees"),
        ("compare pig -p hold -p hold-at-25 --budget 1s", "stops by what it sees"),
        ("simulate pig -p hold --until-width 0.1", "stops by what it sees"),
        ("rank pig -p hold -p hold-at-25", "a ranking looks at all trials so far"),
    ] {
        let ran = run(&folder, &format!("{line} --shard 1/2 --out part"));
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{line}: {}", ran.stderr);
    }
    let ran = run(&folder, "simulate pig -p hold --shard 1/2");
    assert!(ran.code == Some(2) && ran.stderr.contains("add --out DIR"), "{}", ran.stderr);
    assert!(entries(&folder).is_empty());
}

/// A part whose header is changed, as whole as it can be.
fn with_header(part: &str, from: &str, to: &str) -> String {
    let (header, rest) = part.split_once('\n').expect("lines");
    let header = header.split_once(' ').expect("a check").1;
    assert!(header.contains(from), "{header}");
    let header = header.replacen(from, to, 1);
    let check: String = Sha256::digest(header.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{} {header}\n{rest}", &check[..16])
}

/// Parts that nobody can have played, and what is no file, are refused at once.
#[test]
fn what_never_ends_is_not_begun() {
    let folder = scratch("contract-parts-crafted");
    let line = "simulate pig --rules solo -p hold -n 100";
    parts(&folder, line, 3);
    let part = read(&folder.join("part1/shard.txt"));
    for (from, to) in [
        ("\"of\":3", "\"of\":1000000000000"),
        ("\"of\":3", "\"of\":18446744073709551615"),
        ("\"of\":3", "\"of\":0"),
        ("\"parts\":[1]", "\"parts\":[0]"),
        ("\"parts\":[1]", "\"parts\":[4]"),
        ("\"parts\":[1]", "\"parts\":[]"),
        ("\"parts\":[1]", "\"parts\":[1,1]"),
    ] {
        fs::write(folder.join("crafted.txt"), with_header(&part, from, to)).expect("it can be written");
        for parts in ["crafted.txt", "crafted.txt part2 part3"] {
            let ran = run(&folder, &format!("merge {parts}"));
            let said = "`crafted.txt`: it is no part of a run of stopwise, or damaged";
            assert!(ran.code == Some(2) && ran.stderr.contains(said), "{to}: {}", ran.stderr);
        }
    }
    // As many as there may be, of which nearly all are missing.
    fs::write(folder.join("many.txt"), with_header(&part, "\"of\":3", "\"of\":1000000"))
        .expect("it can be written");
    let ran = run(&folder, "merge many.txt");
    let said = "19/1000000, 20/1000000, 21/1000000 and 999979 more";
    assert!(ran.code == Some(2) && ran.stderr.contains(said), "{}", ran.stderr);
    #[cfg(unix)]
    {
        let pipe = |name: &str| {
            let made = std::process::Command::new("mkfifo").arg(folder.join(name)).status();
            assert!(made.expect("mkfifo").success());
        };
        pipe("pipe");
        fs::create_dir(folder.join("hollow")).expect("new");
        fs::copy(folder.join("part1/manifest.json"), folder.join("hollow/manifest.json")).expect("there");
        pipe("hollow/shard.txt");
        for (parts, name) in
            [("pipe", "pipe"), ("nowhere part2 pipe", "nowhere"), ("part1 hollow part3", "hollow")]
        {
            let ran = run(&folder, &format!("merge {parts}"));
            assert!(
                ran.code == Some(2) && ran.stderr.contains(&format!("`{name}`")),
                "{parts}: {}",
                ran.stderr
            );
        }
    }
}

/// A part that is whole gives way to itself alone.
#[test]
fn no_part_is_replaced_by_another() {
    let folder = scratch("contract-parts-other");
    let line = "simulate pig --rules solo -p hold -n 100";
    good(&folder, &format!("{line} -q --out part --shard 1/3"));
    let before = files(&folder.join("part"));
    for other in [
        &format!("{line} --shard 2/3"),
        &format!("{line} --shard 1/4"),
        line,
        "simulate pig --rules solo -p hold -n 101 --shard 1/3",
        "simulate pig --rules solo -p hold -n 101 --shard 1/3 --resume",
    ] {
        let ran = run(&folder, &format!("{other} -q --out part"));
        let said =
            "`part` has part 1/3 of a run, whole, which this is not; name another directory, or add --force";
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{other}: {}", ran.stderr);
    }
    good(&folder, &format!("{line} -q --out part --shard 1/3"));
    assert!(files(&folder.join("part")) == before);
    good(&folder, &format!("{line} -q --out part --shard 2/3 --force"));
    assert!(files(&folder.join("part")) != before);
}

/// The whole takes the place of a part only where that is wanted.
#[test]
fn no_part_is_replaced() {
    let folder = scratch("contract-parts-onto");
    parts(&folder, "simulate pig --rules solo -p hold -n 100", 2);
    let before = files(&folder.join("part2"));
    for (parts, out) in [("part1 part2", "part2"), ("part1 part2/shard.txt", "part2/../part2")] {
        let ran = run(&folder, &format!("merge {parts} --out {out}"));
        let said = "is one of the parts, which would be replaced by the whole";
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{}", ran.stderr);
        assert!(files(&folder.join("part2")) == before);
    }
    good(&folder, "merge part1 part2 -q --out part2 --force");
    assert!(folder.join("part2/summary.csv").exists() && !folder.join("part2/shard.txt").exists());
}

/// The check points of a run that was killed after some trials here and there, made of its parts; what is behind them was cut
/// off in the middle of a line.
fn check_points(folder: &Path, line: &str, into: &str) {
    let names = parts(folder, line, 5);
    good(folder, &format!("{line} -q --force --out part0 --shard 1/1"));
    let header = read(&folder.join("part0/shard.txt")).lines().next().map(str::to_owned).expect("a header");
    let mut text = format!("{header}\n");
    for name in [&names[0], &names[1], &names[3]] {
        let part = read(&folder.join(name).join("shard.txt"));
        let records: Vec<_> = part.lines().skip(1).collect();
        // Pilots are in every part, and in a run once.
        for record in &records[..records.len() - 1] {
            if !text.contains(record) {
                text += &format!("{record}\n");
            }
        }
    }
    let last = read(&folder.join("part5/shard.txt"));
    let last = last.lines().rev().nth(1).expect("a record");
    text += &last[..last.len() / 2];
    fs::create_dir(folder.join(into)).expect("new");
    fs::write(folder.join(into).join(".stopwise.checkpoints"), text).expect("it can be written");
}

#[test]
fn a_run_goes_on_where_it_was_broken_off() {
    for (number, line) in LINES.iter().enumerate() {
        let folder = scratch(&format!("contract-resume-{number}"));
        let one = good(&folder, &format!("{line} -q --out whole"));
        check_points(&folder, line, "resumed");
        let ran = good(&folder, &format!("{line} -q --out resumed --resume"));
        assert_eq!(ran.stdout, one.stdout, "{line}");
        assert!(files(&folder.join("resumed")) == files(&folder.join("whole")), "{line}");
    }
}

/// Trials of which only the tallies were kept are played again for their rows, between others.
#[test]
fn rows_of_trials_that_are_known() {
    for (number, line) in ["pig -p hold -p hold-at-25 --rotate", "carcassonne -p one"].iter().enumerate() {
        let folder = scratch(&format!("contract-resume-rows-{number}"));
        let line = format!("simulate {line} -n {}", [20_003, 307][number]);
        for (into, file) in [("from-csv", "rows.csv"), ("from-parquet", "rows.parquet")] {
            good(&folder, &format!("{line} -q --trials-out whole-{file}"));
            for name in (0..=5).map(|part| folder.join(format!("part{part}"))) {
                let _ = fs::remove_dir_all(name);
            }
            check_points(&folder, &line, into);
            good(&folder, &format!("{line} -q --out {into} --resume --trials-out {file}"));
            let [whole, resumed] = [format!("whole-{file}"), file.to_owned()].map(|name| folder.join(name));
            assert!(fs::read(whole).expect("rows") == fs::read(resumed).expect("rows"), "{line}: {file}");
        }
    }
}

/// Nobody knows how many of the games were played now, of no run.
#[test]
fn a_run_that_goes_on_tells_no_rate() {
    let folder = scratch("contract-resume-rate");
    let line = "sweep pig --rules solo -p hold --vary n=18..20 -n 300 --paired 100";
    assert!(good(&folder, line).stderr.contains(" games a second)"));
    check_points(&folder, line, "resumed");
    let told = good(&folder, &format!("{line} --out resumed --resume")).stderr;
    assert!(told.contains("(gone on with: not all of them now)") && !told.contains("a second)"), "{told}");
}

/// What is left of two stages may be divided in two ways, and the one be further than the other.
#[test]
fn stages_may_be_divided_in_two_ways() {
    let folder = scratch("contract-resume-divided");
    let line = LINES[4];
    let one = good(&folder, &format!("{line} -q --out whole"));
    let records = |count, number: usize, wanted: &str| -> String {
        let part = &parts(&folder, line, count)[number - 1];
        let shard = read(&folder.join(part).join("shard.txt"));
        let is_wanted = |line: &&str| line.contains("\"stage\":\"pairs\"") == (wanted == "pairs");
        let records = shard.lines().skip(1).take(shard.lines().count() - 2);
        records.filter(is_wanted).map(|line| format!("{line}\n")).collect()
    };
    // So many parts of the points, of which the first are known, and the same of the pairs.
    for (number, (points, pairs)) in
        [((4, 3), (3, 1)), ((3, 1), (2, 1)), ((2, 1), (5, 4))].into_iter().enumerate()
    {
        let known = |(count, known): (u64, usize), wanted| {
            (1..=known).map(|number| records(count, number, wanted)).collect::<String>()
        };
        let (points, pairs) = (known(points, "points"), known(pairs, "pairs"));
        good(&folder, &format!("{line} -q --force --out part0 --shard 1/1"));
        let header =
            read(&folder.join("part0/shard.txt")).lines().next().map(str::to_owned).expect("a header");
        let into = format!("resumed{number}");
        fs::create_dir(folder.join(&into)).expect("new");
        assert!(!points.is_empty() && !pairs.is_empty());
        let text = format!("{header}\n{points}{pairs}");
        fs::write(folder.join(&into).join(".stopwise.checkpoints"), text).expect("it can be written");
        let ran = good(&folder, &format!("{line} -q --out {into} --resume"));
        assert_eq!(ran.stdout, one.stdout, "{number}");
        assert!(files(&folder.join(&into)) == files(&folder.join("whole")), "{number}");
    }
}

#[test]
fn another_run_is_not_gone_on_with() {
    let folder = scratch("contract-resume-other");
    let line = "simulate pig --rules solo -p hold -n 100";
    check_points(&folder, line, "out");
    for other in [
        "simulate pig --rules solo -p hold -n 101",
        "simulate pig --rules solo -p hold -n 100 --seed 2",
        "simulate pig --rules solo -p hold:n=21 -n 100",
        "simulate pig --rules solo -p hold -n 100 --shard 1/2",
    ] {
        let ran = run(&folder, &format!("{other} --out out --resume"));
        assert!(
            ran.code == Some(2) && ran.stderr.contains("check points of another run"),
            "{other}: {}",
            ran.stderr
        );
        assert!(folder.join("out/.stopwise.checkpoints").exists(), "{other}");
    }
    // Without --resume it begins anew.
    good(&folder, "simulate pig --rules solo -p hold -n 101 -q --out out");
    assert_eq!(entries(&folder.join("out")), written(1));
    let ran = run(&folder, &format!("{line} --out new --resume"));
    assert!(ran.code == Some(0) && ran.stderr.contains("no check points"), "{}", ran.stderr);
}
