//! What every command prints and writes, against golden files in `data/formats`: one for a command line, with its
//! output in every format and its files as sections.
//!
//! They are written anew when the environment variable `UPDATE_GOLDEN` is `1`. Whatever depends on the time, the
//! machine or the number of threads is taken out first.

mod compare;
mod lists;
mod replay;
mod simulate;
mod solve;
mod sweep;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::common::sheet::Sheet;
use crate::common::{BALANCED, RANKED, TABLES, data, good, manifest, read, rounded, rows, scratch};

/// The first lines of the tables: scripts and reports rely on them.
const HEADERS: [(&str, &str); 4] = [
    (
        "summary.csv",
        "game,rules,policy,seat,metric,unit,trials,mean,std_error,std_dev,min,p01,p05,p25,p50,p75,p95,p99,max,seed",
    ),
    (
        "distribution.csv",
        "game,rules,policy,seat,metric,value,count,share,share_low,share_high,cumulative,seed,method",
    ),
    ("endings.csv", "game,rules,policy,ending,early,count,share,share_low,share_high,seed,method"),
    (
        "turns.csv",
        "game,rules,policy,seat,turn,reached,reached_share,reached_low,reached_high,ended_here,ended_share,ended_low,\
         ended_high,busts,bust_share,bust_low,bust_high,seed,method",
    ),
];

/// The fields of JSON that every result has, and those that it has where trials were played.
const HEAD: [&str; 3] = ["game", "rules", "seats"];
const PLAYED: [&str; 4] = ["rotated", "trials", "seed", "stream_scheme"];

/// That of the table which games with several seats have besides.
const WINS: (&str, &str) = ("wins.csv", "game,rules,who,policy,seat,share,share_low,share_high,method,seed");

/// And that of what is known of them as a whole.
const GAMES: (&str, &str) = ("games.csv", "game,rules,policy,quantity,unit,value,low,high,method,seed");

/// That of the table with what was asked besides.
const ASKED: (&str, &str) =
    ("asked.csv", "game,rules,policy,seat,metric,unit,question,at,value,low,high,method,seed");

pub(crate) const MEANS: (&str, &str) =
    ("means.csv", "game,rules,policy,seat,metric,unit,trials,mean,low,high,method,seed");

/// Those of the tables of exact values.
const ADVISED: (&str, &str) = (
    "advice.csv",
    "game,rules,position,seat,decision,choice,metric,value,value_low,value_high,loss,loss_low,loss_high,bust,method,\
     trials,policies",
);

const SOLVED: [(&str, &str); 11] = [
    (
        "decisions.csv",
        "game,rules,kind,feature,value,feature_2,value_2,feature_3,value_3,situations,yes,answer,ties,met,\
         visits,yes_visits",
    ),
    (
        "hold_at.csv",
        "game,rules,kind,feature,value,feature_2,value_2,threshold_of,side,threshold,as_good,answer,least,greatest,met,\
         otherwise,visits",
    ),
    ("solution.csv", "game,rules,metric,policy,value,regret,error,states,reply"),
    ("solution_means.csv", "game,rules,policy,seat,metric,unit,mean"),
    ("solution_endings.csv", "game,rules,policy,ending,early,share"),
    ("solution_distribution.csv", "game,rules,policy,seat,metric,value,share"),
    (
        "solution_positions.csv",
        "game,rules,metric,position,value,error,visits,decision,seat,best,second,second_value,loss,state,FEATURE",
    ),
    (
        "thresholds.csv",
        "game,rules,metric,policy,kind,feature,value,feature_2,value_2,threshold_of,threshold",
    ),
    ("solution_varied.csv", "(axes),game,rules,metric,policy,value,regret,error,states,reply"),
    ("regret.csv", "game,rules,policy,metric,unit,kind,turn,decisions,mistakes,regret"),
    ("regret_against_best.csv", "game,rules,policy,seat,metric,unit,kind,turn,decisions,mistakes,regret"),
];

/// Those of the tables of a benchmark.
const MEASURED: [(&str, &str); 2] = [
    ("rows.csv", "work,runner,games_per_second,ns_per_roll,ratio"),
    ("scaling.csv", "runner,threads,games_per_second,ratio"),
];

/// The first lines of the tables of a comparison.
const COMPARED: [(&str, &str); 4] = [
    (
        "comparison.csv",
        "game,rules,metric,policy_a,policy_b,trials,mean_difference,std_error,low,high,method,a_better,equal,b_better,\
         identical_share,variance_ratio,direction,mean_a,mean_b,seed",
    ),
    (
        "comparison_quantiles.csv",
        "game,rules,metric,policy_a,policy_b,quantile,value_a,value_b,difference,low,high,method,seed",
    ),
    (
        "comparison_early.csv",
        "game,rules,policy_a,policy_b,trials,both,a_alone,b_alone,neither,share_difference,low,high,method,seed",
    ),
    (
        "comparison_distribution.csv",
        "game,rules,metric,policy_a,policy_b,value,count_a,count_b,share_difference,low,high,method,seed",
    ),
];

/// The first lines of the tables of a sweep, with a column for every axis.
const SWEPT: [(&str, &str); 3] = [
    (
        "sweep.csv",
        "(axes),game,rules,policy,seat,metric,unit,trials,mean,std_error,std_dev,min,p01,p05,p25,p50,p75,p95,p99,max,seed",
    ),
    (
        "best.csv",
        "(axes),game,rules,policy,metric,unit,trials,mean,sought,loss,loss_low,loss_high,method,best,may_be_best,seed",
    ),
    (
        "sensitivity.csv",
        "game,axis,row,level,against,metric,unit,points,mean,difference,low,high,method,seed",
    ),
];

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a value can be written") + "\n"
}

/// The manifest without what another machine or another day writes.
fn lasting_manifest(folder: &Path) -> String {
    let mut manifest = manifest(folder);
    let fields = manifest.as_object_mut().expect("an object");
    for passing in ["version", "command_line", "run", "instructions", "wall_seconds", "cpu_seconds"] {
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

/// The data dictionary has every column of every file, in order, and says something of each.
#[test]
fn every_column_is_in_the_dictionary() {
    let csv = good(&data(), "columns --format csv").stdout;
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows(&csv) {
        assert!(!row["meaning"].is_empty(), "{row:?}");
        files.entry(row["file"].clone()).or_default().push(row["column"].clone());
    }
    let tables = HEADERS
        .iter()
        .chain([&WINS, &GAMES, &ASKED, &MEANS])
        .chain(&COMPARED)
        .chain(&RANKED)
        .chain(&SWEPT)
        .chain(&BALANCED);
    for (file, header) in tables.chain(&SOLVED).chain(&MEASURED).chain([&ADVISED]) {
        assert_eq!(files.remove(*file).map(|columns| columns.join(",")).as_deref(), Some(*header), "{file}");
    }
    let others: Vec<_> = files.into_keys().collect();
    assert_eq!(others, ["json", "manifest.json", "trials"], "all other files are tables");
    let all = good(&data(), "columns").stdout;
    assert!(
        all.contains("  variance_ratio  ") && good(&data(), "help columns").stdout.contains("variance_ratio")
    );
    let one = good(&data(), "columns turns.csv").stdout;
    assert!(one.starts_with("turns.csv\n") && !one.contains("variance_ratio"), "{one}");
}

/// So has it every field of JSON, and of manifests, of parts too.
#[test]
fn every_field_is_in_the_dictionary() {
    let folder = scratch("formats-fields");
    let known = rows(&good(&folder, "columns --format csv").stdout);
    let of = |file: &str| -> Vec<String> {
        known.iter().filter(|row| row["file"] == file).map(|row| row["column"].clone()).collect()
    };
    let tables: Vec<_> = known.iter().filter_map(|row| row["file"].strip_suffix(".csv")).collect();
    let (json, manifests) = (of("json"), of("manifest.json"));
    for (number, line) in [
        "simulate pig -p hold -n 100 --until-width 0.5",
        "compare pig -p hold -p hold-at-25 -n 100",
        "rank pig --rules solo -p hold -p hold-at-25 -n 200 --fresh 0",
        "rank pig -p hold -p hold-at-25 -n 100",
        "sweep pig --rules solo -p hold --vary n=19..20 -n 100 --paired 100",
        "sweep pig --rules solo -p hold --vary-rule goal=40..42 -n 100 --paired 100",
        "balance pig -p hold --variant goal=50 -n 100",
        "solve pig --set goal=10 -p hold",
        "solve pig --rules solo --vary-rule goal=10,11 -p hold",
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("{line} -q --format json --out out{number}");
        let found = good(&folder, &out).json();
        assert_eq!(found["complete"], true, "{line}");
        assert_eq!(found["command"], line.split(' ').next().expect("a command"));
        let is_of_trials = !line.starts_with("solve ");
        for field in HEAD.iter().copied().chain(PLAYED.into_iter().filter(|_| is_of_trials)) {
            assert!(!found[field].is_null(), "{line}: {field}");
        }
        for field in found.as_object().expect("an object").keys() {
            assert!(json.contains(field) || tables.contains(&field.as_str()), "{line}: {field}");
        }
        for field in manifest(&folder.join(format!("out{number}"))).as_object().expect("an object").keys() {
            assert!(manifests.contains(field), "{line}: {field}");
        }
    }
    good(&folder, "simulate pig -p hold -n 100 -q --shard 1/2 --out part");
    for field in manifest(&folder.join("part")).as_object().expect("an object").keys() {
        assert!(manifests.contains(field), "{field}");
    }
}

#[test]
fn the_headers_are_those_of_all_tables() {
    assert_eq!(HEADERS.map(|(file, _)| file), TABLES);
}
