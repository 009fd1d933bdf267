//! What every command prints and writes, against golden files in `data/formats`: one for a command line, with its
//! output in every format and its files as sections.
//!
//! They are written anew when the environment variable `UPDATE_GOLDEN` is `1`. Whatever depends on the time, the
//! machine or the number of threads is taken out first.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::common::sheet::Sheet;
use crate::common::{BALANCED, RANKED, TABLES, data, good, manifest, read, rounded, rows, scratch};
use serde_json::Value;

/// The first lines of the tables: scripts and reports rely on them.
const HEADERS: [(&str, &str); 4] = [
    (
        "summary.csv",
        "game,rules,policy,seat,metric,unit,trials,mean,std_error,std_dev,min,p01,p05,p25,p50,p75,p95,p99,max",
    ),
    ("distribution.csv", "game,rules,policy,seat,metric,value,count,share,share_low,share_high,cumulative"),
    ("endings.csv", "game,rules,policy,ending,early,count,share,share_low,share_high"),
    (
        "turns.csv",
        "game,rules,policy,seat,turn,reached,reached_share,ended_here,ended_share,busts,bust_share",
    ),
];

const SOLO: &str = "simulate carbonite --policy tidy --trials 2k --threads 1";
const FOR_TWO: &str = "simulate pig --policy hold --policy hold-at-25 --trials 2k --threads 1";
const CITIES: &str =
    "simulate carcassonne --policy builder --policy knight-errant --set goal=20 --trials 2k --threads 1";
/// One policy in two seats, and a number of trials that three seats do not divide.
const ROTATED: &str = "simulate pig --set players=3 --set goal=30 --policy hold:n=8 --policy hold:n=12 --policy hold:n=8 \
                       --rotate --trials 2k --threads 1";

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a value can be written") + "\n"
}

/// The manifest without what another machine or another day writes.
fn lasting_manifest(folder: &Path) -> String {
    let mut manifest = manifest(folder);
    let fields = manifest.as_object_mut().expect("an object");
    for passing in ["version", "command_line", "instructions", "wall_seconds", "cpu_seconds"] {
        assert!(fields.remove(passing).is_some(), "{passing}");
    }
    pretty(&manifest)
}

/// What a command prints in every format and writes to every file, with the first lines of its tables.
fn sheet(line: &str, name: &str, tables: &[(&str, String)]) {
    let folder = scratch(&format!("formats-{name}"));
    let mut sheet = Sheet::new(name);
    let command = format!("{line} --out out");
    sheet.whole(&format!("stopwise {command}"), &good(&folder, &command).stdout);
    for (file, header) in tables {
        let text = read(&folder.join("out").join(file));
        assert_eq!(text.lines().next(), Some(header.as_str()), "{file}");
        sheet.section(&format!("out/{file}"), &text);
    }
    sheet.section("out/manifest.json", &lasting_manifest(&folder.join("out")));
    let csv = good(&folder, &format!("{line} --format csv"));
    assert_eq!(csv.stdout, read(&folder.join("out").join(tables[0].0)));
    let printed = good(&folder, &format!("{line} --format json"));
    let mut json = printed.json();
    rounded(&mut json);
    let rounded = pretty(&json);
    // What a simulation says are sums of whole numbers, divided once: nothing is to be rounded.
    let is_exact = line.starts_with("simulate ");
    sheet.section("--format json", if is_exact { &printed.stdout } else { &rounded });
    sheet.section("--format markdown", &good(&folder, &format!("{line} --format markdown")).stdout);
    sheet.check();
}

/// The first lines without axes.
fn plain<const N: usize>(tables: [(&'static str, &str); N]) -> [(&'static str, String); N] {
    tables.map(|(file, header)| (file, header.to_owned()))
}

/// The first lines of the tables of a comparison.
const COMPARED: [(&str, &str); 4] = [
    (
        "comparison.csv",
        "game,rules,metric,policy_a,policy_b,trials,mean_difference,std_error,low,high,method,a_better,equal,b_better,\
         identical_share,variance_ratio",
    ),
    (
        "comparison_quantiles.csv",
        "game,rules,metric,policy_a,policy_b,quantile,value_a,value_b,difference,low,high,method",
    ),
    (
        "comparison_early.csv",
        "game,rules,policy_a,policy_b,trials,both,a_alone,b_alone,neither,share_difference,low,high,method",
    ),
    (
        "comparison_distribution.csv",
        "game,rules,metric,policy_a,policy_b,value,count_a,count_b,share_difference,low,high,method",
    ),
];

/// Everything that a comparison prints and writes.
#[test]
fn comparisons() {
    for (name, line) in [
        (
            "compare-carbonite",
            "compare carbonite -p tidy -p first:k=2 -p first:k=3 -n 2k --threads 1 --divergent 2",
        ),
        ("compare-pig", "compare pig -p hold+hold-at-25 -p hold -n 2k --threads 1 --divergent 2 --seed 5"),
        (
            "compare-until",
            "compare pig -p hold+hold-at-25 -p hold --rotate --until-decided 0.02 --until-width 0.1 --threads 1 \
             --divergent 1",
        ),
    ] {
        sheet(line, name, &plain(COMPARED));
    }
}

/// One trial, the same policy twice, metrics that never vary, nobody who wins.
#[test]
fn comparisons_with_little_to_say() {
    let mut sheet = Sheet::new("compare-little-to-say");
    for options in [
        "--rules solo -p hold -p hold:n=25 -n 1 --divergent 1",
        "--rules solo -p hold -p hold:n=20 -n 500 --divergent 1",
        "-p hold -p hold-at-25 -n 500 --set turn_cap=2",
        "--rules solo -p hold -p hold:n=20 -n 2k --until-decided 0",
        "-p hold -p hold:n=25 -n 1 --until-width 1",
    ] {
        let line = format!("compare pig -q {options}");
        let found = good(&data(), &line).stdout;
        sheet.whole(&format!("stopwise {line}"), &found);
        let [csv, json] = ["csv", "json"].map(|as_what| good(&data(), &format!("{line} --format {as_what}")));
        for nonsense in ["NaN", "nan", "inf", "-0.00 ", "-0.000000", "-0,"] {
            for text in [&found, &csv.stdout, &json.stdout] {
                assert!(!text.contains(nonsense), "{nonsense} in\n{text}");
            }
        }
    }
    sheet.check();
}

/// The first lines of the tables of a sweep, with a column for every axis.
const SWEPT: [(&str, &str); 3] = [
    (
        "sweep.csv",
        "(axes),game,rules,policy,seat,metric,unit,trials,mean,std_error,std_dev,min,p01,p05,p25,p50,p75,p95,p99,max",
    ),
    (
        "best.csv",
        "(axes),game,rules,policy,metric,unit,trials,mean,loss,loss_low,loss_high,method,best,may_be_best",
    ),
    ("sensitivity.csv", "game,axis,row,level,against,metric,unit,points,mean,difference,low,high,method"),
];

/// Everything that a sweep prints and writes: a line for one axis, a map for two, a list for three.
#[test]
fn sweeps() {
    for (name, axes, line) in [
        ("sweep-carbonite", "k", "sweep carbonite -p first --vary k=1..5 -n 2k --paired 500"),
        (
            "sweep-pig",
            "1.n,goal",
            "sweep pig -p hold -p hold-at-25 --rotate --vary 1.n=12..24:6 --vary-rule goal=50,100 -n 2k",
        ),
        (
            "sweep-three",
            "k,copies,points.solid",
            "sweep carbonite -p tidy --vary k=1..2 --vary-rule copies=1,2 --vary-rule points.solid=5..9:2 --metric \
             vault -n 1k",
        ),
    ] {
        let tables = SWEPT.map(|(file, header)| (file, header.replace("(axes)", axes)));
        sheet(&format!("{line} --threads 1"), name, &tables);
    }
}

/// In colour the same text, once the colours are taken out.
#[test]
fn a_map_in_colour() {
    let line = "sweep carbonite -q -p first --vary k=1..2 --vary-rule copies=1,2 -n 500";
    let ran = |setting: &[(&str, &str)]| {
        let mut command = crate::common::program(&data());
        command.envs(setting.iter().copied()).args(line.split(' '));
        crate::common::Ran::new(command.output().expect("the program starts")).stdout
    };
    let plain = ran(&[]);
    let coloured = ran(&[("CLICOLOR_FORCE", "1")]);
    assert_eq!(ran(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
    let mut parts = coloured.split("\u{1b}[");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += part.split_once('m').expect("a colour ends with m").1;
    }
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(lines(&text), lines(&plain));
    assert!(coloured.len() > plain.len());
}

/// One trial, one point, points that are the same, a metric that never varies, no pairing.
#[test]
fn sweeps_with_little_to_say() {
    let mut sheet = Sheet::new("sweep-little-to-say");
    for options in [
        "pig --rules solo -p hold --vary n=19,20 -n 1",
        "pig --rules solo -p hold --vary n=20 -n 500",
        "pig --rules solo -p hold --vary n=98..100 --vary-rule turn_cap=900,1000 -n 500",
        "pig -p hold -p hold-at-25 --vary n=15,20 --set turn_cap=2 -n 500",
        "pig --rules solo -p hold --vary n=5,20 -n 500 --paired 0",
    ] {
        let line = format!("sweep -q {options}");
        let found = good(&data(), &line).stdout;
        sheet.whole(&format!("stopwise {line}"), &found);
        let folder = scratch("formats-sweep-little");
        let json = good(&folder, &format!("{line} --format json --out out")).stdout;
        let tables =
            ["sweep.csv", "best.csv", "sensitivity.csv"].map(|file| read(&folder.join("out").join(file)));
        for nonsense in ["NaN", "nan", "inf", "-0.000 ", "-0.000000", "-0.0,"] {
            for text in tables.iter().chain([&found, &json]) {
                assert!(!text.contains(nonsense), "{nonsense} in\n{text}");
            }
        }
    }
    sheet.check();
}

/// The data dictionary has every column of every file, in order, and says something of each.
#[test]
fn every_column_is_in_the_dictionary() {
    let csv = good(&data(), "columns --format csv").stdout;
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows(&csv) {
        assert!(!row["meaning"].is_empty(), "{row:?}");
        files.entry(row["file"].clone()).or_default().push(row["column"].clone());
    }
    for (file, header) in HEADERS.iter().chain(&COMPARED).chain(&RANKED).chain(&SWEPT).chain(&BALANCED) {
        assert_eq!(files.remove(*file).map(|columns| columns.join(",")).as_deref(), Some(*header), "{file}");
    }
    let solved = good(&data(), "solve pig --rules solo --set goal=5 --format csv -q").stdout;
    assert_eq!(
        files.remove("solution.csv").map(|columns| columns.join(",")).as_deref(),
        solved.lines().next()
    );
    assert!(files.is_empty(), "no such files: {files:?}");
    let all = good(&data(), "columns").stdout;
    assert!(
        all.contains("  variance_ratio  ") && good(&data(), "help columns").stdout.contains("variance_ratio")
    );
    let one = good(&data(), "columns turns.csv").stdout;
    assert!(one.starts_with("turns.csv\n") && !one.contains("variance_ratio"), "{one}");
}

#[test]
fn the_headers_are_those_of_all_tables() {
    assert_eq!(HEADERS.map(|(file, _)| file), TABLES);
}

#[test]
fn simulation_of_a_solo_game() {
    sheet(SOLO, "simulate-carbonite", &plain(HEADERS));
}

#[test]
fn simulation_of_a_game_for_two() {
    sheet(FOR_TWO, "simulate-pig", &plain(HEADERS));
}

#[test]
fn simulation_of_cities() {
    sheet(CITIES, "simulate-carcassonne", &plain(HEADERS));
}

#[test]
fn simulation_of_a_rotated_game_for_three() {
    sheet(ROTATED, "simulate-pig-rotated", &plain(HEADERS));
}

/// Few games, and games that nobody wins.
#[test]
fn simulations_with_little_to_say() {
    let mut sheet = Sheet::new("simulate-little-to-say");
    for options in [
        "--policy hold --policy hold-at-25 -n 1",
        "--policy hold --policy hold-at-25 -n 1 --rotate",
        "--policy hold --policy hold-at-25 -n 500 --rotate --set turn_cap=2",
    ] {
        let line = format!("simulate pig -q {options}");
        let found = good(&data(), &line).stdout;
        sheet.whole(&format!("stopwise {line}"), &found);
        let json = good(&data(), &format!("{line} --format json")).stdout;
        for nonsense in ["NaN", "nan", "inf", "-0.00"] {
            assert!(!found.contains(nonsense) && !json.contains(nonsense), "{nonsense} in\n{found}{json}");
        }
    }
    sheet.check();
}

/// What is said on stderr when all goes well: the time, or nothing.
#[test]
fn stderr_of_a_simulation() {
    let folder = scratch("formats-stderr");
    let said = good(&folder, SOLO).stderr;
    assert!(said.starts_with("2,000 trials in ") && said.ends_with(" million a second)\n"), "{said}");
    assert_eq!(good(&folder, &format!("{SOLO} --quiet")).stderr, "");
    let said = good(&folder, &format!("{SOLO} --quiet --verbose")).stderr;
    assert!(said.starts_with("runner: ") && said.ends_with(", on 1 thread\n"), "{said}");
}

#[test]
fn replay() {
    for (name, line) in [
        ("replay-carbonite", "replay carbonite --policy tidy --trial 7"),
        (
            "replay-icedice",
            "replay icedice --set copies=1 --set trios=1 --policy thief --policy stop-at --trial 5",
        ),
        (
            "replay-freeze",
            "replay freeze --set players=3 --set steps=40 --set start_counters=2 --policy when-behind",
        ),
        (
            "replay-carcassonne",
            "replay carcassonne --set goal=9 --policy knight-errant --policy builder --trial 4",
        ),
        ("replay-best-turn", "replay carcassonne --rules solo --policy best-turn"),
        ("replay-pig", "replay pig --policy hold --policy hold-at-25 --seed 3"),
        (
            "replay-pig-rotated",
            "replay pig --rules piglet --policy hold:n=2 --policy hold:n=1 --rotate --trial 1",
        ),
    ] {
        let mut sheet = Sheet::new(name);
        sheet.section(&format!("stopwise {line}"), &good(&data(), line).stdout);
        let json = good(&data(), &format!("{line} --json"));
        assert_eq!(json.stdout, pretty(&json.json()));
        sheet.section("--json", &json.stdout);
        sheet.check();
    }
}

/// The text with the error bounds out, and every number with twelve decimals cut to eleven.
fn steady(text: &str) -> String {
    let steady = |word: &str| {
        let decimals = word.split_once('.').map_or("", |(_, decimals)| decimals);
        match word {
            _ if word.contains("e-") && word.ends_with(')') => "tiny)".into(),
            _ if decimals.len() == 12 => format!("{:.11}", word.parse::<f64>().expect("a number")),
            _ => word.to_owned(),
        }
    };
    let line = |line: &str| line.split(' ').map(steady).collect::<Vec<_>>().join(" ") + "\n";
    text.lines().map(line).collect()
}

#[test]
fn solve() {
    for (name, line) in [
        ("solve-carbonite", "solve carbonite --set colours=2 --set turns=3 --policy tidy --policy first:k=1"),
        (
            "solve-freeze",
            "solve freeze --set players=2 --set steps=3 --set bank=3 --set start_counters=1 --policy always --policy never",
        ),
        ("solve-piglet", "solve pig --rules piglet --policy hold"),
        ("solve-pig-for-three", "solve pig --set players=3 --set goal=5 --policy hold"),
    ] {
        let mut sheet = Sheet::new(name);
        sheet.whole(&format!("stopwise {line}"), &steady(&good(&data(), line).stdout));

        let csv = good(&data(), &format!("{line} --format csv")).stdout;
        assert!(csv.starts_with("game,rules,metric,policy,value,regret,error,states\n"));
        let mut table = String::new();
        for row in csv.lines() {
            let cell = |cell: &str| match cell {
                _ if cell.contains("e-") => "tiny".into(),
                _ => steady(cell).trim_end().to_owned(),
            };
            table += &(row.split(',').map(cell).collect::<Vec<_>>().join(",") + "\n");
        }
        sheet.section("--format csv", &table);

        let mut value = good(&data(), &format!("{line} --format json")).json();
        rounded(&mut value);
        sheet.section("--format json", &pretty(&value));
        sheet.check();
    }
    let said = good(&data(), "solve pig --rules piglet").stderr;
    assert!(said.starts_with("solved in ") && said.ends_with(" s\n"), "{said}");
    assert_eq!(good(&data(), "solve pig --rules piglet --quiet").stderr, "");
}

/// The best turns as a policy, which other commands take.
#[test]
fn best_turns() {
    let folder = scratch("formats-best-turn");
    let mut sheet = Sheet::new("solve-best-turn");
    let line = "solve carcassonne --rules solo --set dice=4 --out out";
    sheet.whole(&format!("stopwise {line}"), &steady(&good(&folder, line).stdout));
    sheet.section("out/best-turn.toml", &steady(&read(&folder.join("out/best-turn.toml"))));
    sheet.check();
    let file = "out/best-turn.toml";
    // For the rules as they are without --set it is not; that is no mistake.
    let checked = good(&folder, &format!("policy check {file}"));
    assert!(checked.stdout.contains(": good (best-turn)"), "{}", checked.stdout);
    assert!(checked.stderr.contains("for other rules (4 dice, 3 rolls"), "{}", checked.stderr);
    let explained = good(&folder, &format!("policy explain {file}"));
    assert!(
        explained.stdout.contains("positions before a roll are worth; for 4 dice"),
        "{}",
        explained.stdout
    );
    let rules = "--rules solo --set dice=4 --threads 1";
    let compared = format!("compare carcassonne {rules} -p {file} -p builder -n 2k --quiet");
    assert_eq!(good(&folder, &compared).stderr, "");
    let replayed = good(&folder, &format!("replay carcassonne --rules solo --set dice=4 --policy {file}"));
    assert!(replayed.stdout.contains("the table: worth 0."), "{}", replayed.stdout);
}

#[test]
fn policy() {
    let mut sheet = Sheet::new("policy");
    for line in [
        "policy check policies/mine.toml policies/greedy.toml",
        "policy explain first:k=3",
        "policy explain tidy",
        "policy explain thief",
        "policy explain hold --game pig",
        "policy explain policies/mine.toml:risk=0.25",
        "policy features carbonite",
        "policy features icedice",
        "policy features freeze --set steps=300",
        "policy features carcassonne",
        "policy features pig --set players=3",
    ] {
        let ran = good(&data(), line);
        sheet.whole(&format!("stopwise {line}"), &ran.stdout);
        assert_eq!(ran.stderr, "", "{line}");
    }
    sheet.check();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies/carbonite/tidy.toml");
    assert_eq!(good(&data(), "policy show tidy").stdout, read(&source));
}

/// The policies that are sure to be there.
#[test]
fn policy_list() {
    let of = |line: &str| good(&data(), line).stdout;
    let of_game = |game: &str| of(&format!("policy list {game}"));
    let games = ["carbonite", "icedice", "freeze", "carcassonne", "pig"];
    assert_eq!(of("policy list"), games.map(of_game).concat());
    let [carbonite, pig] = ["carbonite", "pig"].map(of_game);
    for (list, line) in [
        (&carbonite, "carbonite   first                  Stop as soon as the Counter holds k pieces."),
        (
            &carbonite,
            "carbonite   tidy                   Stop at k pieces; spare the Vault, finish trees, mark with what is \
             held already.",
        ),
        (&pig, "pig         hold                   Hold at n points, or when they win."),
    ] {
        assert!(list.lines().any(|found| found == line), "{line}\n{list}");
    }
    assert!(pig.lines().all(|line| line.starts_with("pig ")));
}

#[test]
fn rules() {
    let mut sheet = Sheet::new("rules");
    for line in [
        "rules list",
        "rules list pig",
        "rules show carbonite --set turns=5 --set points.solid=9",
        "rules show carbonite --rules rules/short.toml",
        "rules show freeze --rules doubles --set rate=[1,0.5,0.25,1]",
        "rules show pig --rules piglet",
    ] {
        sheet.whole(&format!("stopwise {line}"), &good(&data(), line).stdout);
    }
    sheet.check();
}

#[test]
fn games_and_help() {
    // Which policies there are is another test's matter.
    let hide = |line: &str| match line.split_once("policies: ") {
        Some((before, names)) => {
            assert!(names.split(", ").count() >= 2, "{line}");
            format!("{before}policies: …\n")
        }
        None => format!("{line}\n"),
    };
    let games: String = good(&data(), "games").stdout.lines().map(hide).collect();
    let mut sheet = Sheet::new("games-and-help");
    sheet.whole("stopwise games", &games);
    let help = good(&data(), "--help").stdout;
    sheet.whole("stopwise --help", &help);
    sheet.check();
    assert_eq!(good(&data(), "help").stdout, help);
    let bare = Command::output(&mut crate::common::program(&data())).expect("the program starts");
    assert_eq!(
        (bare.status.code(), String::from_utf8_lossy(&bare.stderr).as_ref()),
        (Some(2), help.as_str())
    );
    let version = format!("stopwise {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(good(&data(), "--version").stdout, version);
}
