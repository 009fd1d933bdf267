//! Pages and pictures of every command, and what the terminal shows of a report.

use std::fs;

use crate::common::{data, good, program, read, rows, run, scratch};

/// A small run of every command that writes a directory.
const RUNS: [&str; 7] = [
    "simulate carbonite -p tidy -n 2k --above 300 --quantiles 0.5 --best-of 3",
    "simulate pig -p hold -p hold-at-25 --rotate -n 2k",
    "compare carbonite -p tidy -p first -p second-tree -n 1k",
    "rank icedice -p racer -p thief -n 200",
    "sweep carbonite -p tidy --vary k=1..2 --vary-rule turns=5,8 -n 500",
    "balance pig --rules solo -p hold -p hold-at-25 --variant goal=50 -n 1k",
    "solve carbonite --set colours=2 --set turns=3 -p tidy",
];

/// The page in the directory is the one that is printed, whatever the number of threads; it asks nothing of a network, holds
/// every table of the directory, and the command that it names gives the same page again.
#[test]
fn of_all_commands() {
    let folder = scratch("pages");
    for (at, line) in RUNS.iter().enumerate() {
        let out = format!("out{at}");
        good(&folder, &format!("{line} -q --threads 1 --out {out}"));
        let page = read(&folder.join(&out).join("report.html"));
        let printed = good(&folder, &format!("{line} -q --threads 2 --format html")).stdout;
        assert!(printed == page, "{line}: another page is printed");
        assert!(page.len() < 400_000, "{line}: {} bytes", page.len());
        for loaded in ["src=\"http", "href=\"http", "url(http", "@import", "<script src"] {
            assert!(!page.contains(loaded), "{line}: {loaded}");
        }
        assert!(page.contains("<svg") && page.contains("<meta name=\"viewport\""), "{line}: no pictures");
        for file in fs::read_dir(folder.join(&out)).expect("a folder") {
            let name = file.expect("a file").file_name().into_string().expect("a name");
            if name.ends_with(".csv") && read(&folder.join(&out).join(&name)).lines().count() > 1 {
                assert!(page.contains(&name), "{line}: no {name}");
            }
        }
        let json = good(&folder, &format!("{line} -q --format json")).json();
        let repeat = json["repeat"].as_str().expect("a command").strip_prefix("stopwise ").expect("ours");
        let again = good(&folder, &format!("{repeat} -q --format html")).stdout;
        assert!(again == page, "{line}: {repeat} gives another page");
        let picture = good(&folder, &format!("{line} -q --format svg")).stdout;
        assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{line}: {picture}");
        // Away from its page a picture says of what it is, in lines of small letters below it.
        let small = picture.split("font-size=\"11\">").skip(1).filter_map(|rest| rest.split('<').next());
        let caption = small.collect::<Vec<_>>().join(" ");
        let game = json["game"].as_str().expect("a game");
        assert!(
            caption
                .starts_with(&format!("stopwise {} · {game} · ", line.split(' ').next().expect("a command"))),
            "{line}: {caption}"
        );
        let seed = json["seed"].as_u64().map_or_else(String::new, |seed| format!("seed {seed}"));
        assert!(caption.contains(&seed), "{line}: {caption}");
    }
}

/// Where the locale names an encoding that is not UTF-8, reports are ASCII.
#[test]
fn without_utf8() {
    let output = program(&data())
        .args("simulate carbonite -p tidy -n 500 -q".split(' '))
        .env("LC_ALL", "C")
        .output()
        .expect("the program starts");
    assert!(output.stdout.is_ascii(), "{}", String::from_utf8_lossy(&output.stdout));
    let text = String::from_utf8(output.stdout).expect("ASCII");
    assert!(text.contains("+- 95 %") && text.contains("####"), "{text}");
}

/// A sweep over what changes nothing says so, and an interrupted one shows what it has.
#[test]
fn sweeps_that_have_little_to_say() {
    let folder = scratch("pages-sweeps");
    let same = good(&folder, "sweep pig --rules solo -p hold --vary-rule turn_cap=900,1000 -n 500 -q").stdout;
    assert!(same.contains("Both settings play the same games"), "{same}");
    let some = good(&folder, "sweep carbonite -p tidy --vary k=5..8 -n 500 -q").stdout;
    assert!(some.contains("The same play in all 500 trials: k=6 · k=7 · k=8.\n"), "{some}");
    let line = "sweep carbonite -p tidy --vary k=5..7 --vary-rule turns=9,10 -n 500 -q";
    let some = good(&folder, line).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "The same play in all 500 trials: k=6, turns=9 · k=7, turns=9; the settings of another group play alike as well.";
    assert!(some.contains(told), "{some}");
    let line = "sweep pig --rules solo -p hold --vary n=18..20 --vary-rule turn_cap=900,1000 -n 500 -q";
    let idle = good(&folder, line).stdout;
    assert!(idle.contains("\nturn_cap changes nothing that was seen: if at all, then in at most 0.74 % of the trials (95 %)."), "{idle}");
    let none = good(&folder, "sweep pig --rules solo -p hold --vary n=18..22 -n 500 -q").stdout;
    assert!(!none.contains("same play"), "{none}");
    let line = "sweep pig --rules solo -p hold --vary n=18..22 -n 500 -q --stop-after 2";
    let found = run(&folder, line);
    assert!(found.stdout.contains("2 of 5 settings are finished"), "{}", found.stdout);
    assert!(found.stdout.contains("n=18  ") && found.stdout.contains("n=19  "), "{}", found.stdout);
}

/// A picture is of whatever metric is named, counts and lengths included; the page has the same one.
#[test]
fn any_metric_can_be_drawn() {
    let folder = scratch("pages-metric");
    for (line, metrics) in [
        ("simulate carbonite -p tidy -n 500 -q", ["turns", "vault_matches", "busts"]),
        ("simulate icedice -p racer -n 500 -q", ["win", "rolls", "turns"]),
        ("compare carbonite -p tidy -p first -n 500 -q", ["turns", "vault_matches", "busts"]),
    ] {
        for metric in metrics {
            let drawn = good(&folder, &format!("{line} --metric {metric} --format svg")).stdout;
            let title = drawn.split("<title id=\"t\">").nth(1).expect("a title").to_lowercase();
            assert!(title.replace(' ', "_").starts_with(metric), "{line}: {metric}");
        }
    }
    let page =
        good(&folder, "compare carbonite -p tidy -p first -n 500 -q --metric turns --format html").stdout;
    assert!(page.contains("turns, A − B"), "quantile by quantile");
}

/// What is no column has its place in the dictionary, too: every field of the manifest and of JSON, of every command.
#[test]
fn every_field_is_in_the_dictionary() {
    let folder = scratch("pages-fields");
    let known = |file: &str| {
        let table = good(&folder, &format!("columns {file} --format csv")).stdout;
        rows(&table).into_iter().map(|row| row["column"].clone()).collect::<Vec<_>>()
    };
    let (json, manifest) = (known("json"), known("manifest.json"));
    for line in RUNS.iter().chain(&["simulate pig -p hold -p hold:n=9 --until-width 0.5 --rotate"]) {
        let found = good(&folder, &format!("{line} -q --force --out out --format json")).json();
        let fields = found.as_object().expect("an object").iter();
        for (name, _) in fields.filter(|(name, value)| !value.is_array() || **name == "answer") {
            assert!(json.contains(name), "{line}: {name}");
        }
        for name in crate::common::manifest(&folder.join("out")).as_object().expect("an object").keys() {
            assert!(manifest.contains(name), "{line}: {name}");
        }
    }
    good(&folder, "simulate carbonite -p tidy -n 10 -q --trials-out rows.csv");
    assert!(read(&folder.join("rows.csv")).starts_with("trial,seat,policy,ending,score,"));
    assert_eq!(known("trials")[..4].join(","), "trial,seat,policy,ending");
}
