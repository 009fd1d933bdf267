//! `simulate --until-width` and `--budget`: where a run stops follows from its plan, and all its intervals are those of a run
//! that may stop.

use serde_json::json;

use crate::common::{Row, data, good, manifest, number, read, rows, scratch, tables};

const LINE: &str = "simulate pig --set goal=40 -p hold:n=8 -p hold:n=20";

fn width(row: &Row, [low, high]: [&str; 2]) -> f64 {
    number(row, high) - number(row, low)
}

/// With any number of threads, whichever runner plays and whether or not rows are written the run is the same, and of as many
/// trials as one that is as long.
#[test]
fn a_run_that_stops_itself_is_a_function_of_its_plan() {
    let folder = scratch("contract-until-width");
    let line = format!("{LINE} --quiet --rotate --until-width 1 --quantiles 0.5 --metric points");
    let first = good(&folder, &format!("{line} --out first")).stdout;
    let found = manifest(&folder.join("first"));
    assert_eq!((&found["complete"], &found["trials"]), (&json!(true), &found["requested_trials"]));
    assert_eq!(
        (&found["stopping"]["metric"], &found["stopping"]["until_width"]),
        (&json!("points"), &json!(1.0))
    );
    assert_eq!(found["trials"].as_u64().expect("a number") % 2, 0, "whole rounds");
    for more in ["--threads 1", "--threads 3", "--runner trial", "--trials-out rows.csv", "-n 5M"] {
        let again = good(&folder, &format!("{line} {more} --out again --force")).stdout;
        let same = |text: &str| {
            text.lines().filter(|line| !line.contains("stopwise ")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(same(&again), same(&first), "{more}");
        assert!(tables(&folder.join("again")) == tables(&folder.join("first")), "{more}");
    }
    let trials = found["trials"].to_string();
    assert_eq!(
        read(&folder.join("rows.csv")).lines().count(),
        1 + 2 * trials.parse::<usize>().expect("a number")
    );

    // What is counted is what a run of so many trials counts; what is known of it is less.
    good(&folder, &format!("{} --trials {trials} --out fixed", line.replace(" --until-width 1", "")));
    let of = |out: &str, table: &str| rows(&read(&folder.join(out).join(table)));
    for (table, value, limits) in [
        ("distribution.csv", "count", ["share_low", "share_high"]),
        ("endings.csv", "count", ["share_low", "share_high"]),
        ("wins.csv", "share", ["share_low", "share_high"]),
        ("asked.csv", "value", ["low", "high"]),
    ] {
        let (open, fixed) = (of("first", table), of("fixed", table));
        assert_eq!(open.len(), fixed.len());
        for (open, fixed) in open.iter().zip(&fixed) {
            assert_eq!(open[value], fixed[value], "{table}");
            assert!(open.get("method").is_none_or(|method| method.starts_with("anytime-valid")), "{open:?}");
            if !fixed[limits[0]].is_empty() {
                assert!(width(open, limits) >= width(fixed, limits), "{table}: {open:?} {fixed:?}");
            }
        }
    }
    let (means, summary) = (of("first", "means.csv"), of("fixed", "summary.csv"));
    assert_eq!(means.len(), summary.len());
    for (row, plain) in means.iter().zip(&summary) {
        assert_eq!((&row["mean"], &row["trials"]), (&plain["mean"], &plain["trials"]));
        assert!(width(row, ["low", "high"]) > 2.0 * 1.96 * number(plain, "std_error"), "{row:?}");
        let is_asked = row["metric"] == "points" && row["seat"].is_empty();
        assert!(!is_asked || width(row, ["low", "high"]) <= 1.0, "{row:?}");
    }
    // The check point before was not enough.
    let before = trials.parse::<u64>().expect("a number") - 1;
    let short = good(&folder, &format!("{line} -n {before} --format csv"));
    let found = rows(&short.stdout);
    assert!(found.iter().all(|row| number(row, "trials") <= before as f64));
}

/// The repeat line is a whole one, and gives the same bytes.
#[test]
fn the_line_that_repeats_it() {
    let folder = scratch("contract-until-repeat");
    let told = good(&folder, "simulate carbonite -p tidy --until-width 5 --quiet --format json");
    let line = told.json()["repeat"].as_str().expect("a line").to_owned();
    assert_eq!(line, "stopwise simulate carbonite --policy tidy --trials 100000000 --until-width 5 --seed 1");
    let again = good(&folder, &format!("{} --quiet --format json", &line["stopwise ".len()..]));
    assert_eq!(again.stdout, told.stdout);
    let words = told.json()["stopped"].as_str().expect("a sentence").to_owned();
    assert!(words.starts_with("Stopped at ") && words.contains("mean of score is at most 5 wide"), "{words}");
}

/// No text of such a run has an interval for a number of trials fixed beforehand.
#[test]
fn no_other_interval_is_printed() {
    for line in [
        "simulate carbonite -p tidy --until-width 5 --above 300 --quantiles 0.5,0.9".to_owned(),
        format!("{LINE} --until-width 0.05"),
        format!("{LINE} --rotate --budget 0.05s"),
    ] {
        for format in ["table", "markdown", "json", "html"] {
            let found = good(&data(), &format!("{line} --quiet --format {format}")).stdout;
            for method in ["Wilson", "fixed n", "MOVER", "fixed beforehand", "1.96 of them"] {
                assert!(!found.contains(method), "{line}: {method} in {format}");
            }
        }
    }
}

/// After few trials nothing is known of means, and the most there may be ends the run.
#[test]
fn few_trials_end_it() {
    let found =
        good(&data(), "simulate pig --rules solo -p hold -n 500 --until-width 0.1 --quiet --format json");
    let found = found.json();
    assert_eq!(found["means"][0]["low"], json!(null));
    let words = found["stopped"].as_str().expect("a sentence").to_owned();
    assert!(
        words.starts_with(
            "Stopped at 500 trials, the most that were allowed, too few for what was asked for:"
        ),
        "{words}"
    );
}

/// Values that were all alike say nothing of how far others may be off: in truth the means are 1.595 and 0.184 points.
#[test]
fn what_was_all_alike_is_not_known() {
    let folder = scratch("until-alike");
    let same = "compare farkle --rules one-turn -p bank-at:n=7000 -p bank-at:n=9000 --until-decided 0.01";
    let told = good(&folder, &format!("{same} -n 3000 -q")).stdout;
    assert!(told.contains("the most that were allowed, too few"), "{told}");
    let line = "simulate farkle --rules one-turn -p bank-at:n=9000 --until-width 0.5 -n 2000 -q";
    let told = good(&folder, line).stdout;
    assert!(told.contains("the most that were allowed, too few"), "{told}");
    // 0 and 1 are all that there is.
    let line = "simulate farkle --rules one-turn -p once --metric rolls --until-width 0.5 -n 3M -q";
    let told = good(&folder, line).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("at most 0.5 wide, or all of its values were alike"), "{told}");
    let line = "sweep farkle --rules one-turn -p bank-at --vary n=7000,9000 -n 2000 -q --out out";
    good(&folder, line);
    let losses = rows(&read(&folder.join("out/best.csv")));
    assert!(losses.iter().all(|row| row["loss_high"].is_empty()), "{losses:?}");
}
