//! `compare`: its means are those of simulations, its trials those of replays, and a run that stopped can be repeated.

use serde_json::json;

use crate::common::{data, good, manifest, number, read, rows, scratch};

/// What a rule or a budget stopped is the same as the first so many trials of a longer run.
#[test]
fn a_comparison_that_stops_itself_can_be_repeated() {
    let folder = scratch("contract-until");
    let line = "compare pig --rules solo --policy hold:n=20 --policy hold:n=15 --quiet";
    let tables = |out: &str| {
        let all = rows(&read(&folder.join(out).join("comparison.csv")));
        all.into_iter().map(|row| (row["trials"].clone(), row["mean_difference"].clone())).collect::<Vec<_>>()
    };
    for (name, until) in [("decided", "--until-decided 0"), ("budget", "--budget 0.2s")] {
        let first = good(&folder, &format!("{line} {until} --out {name} --threads 2")).stdout;
        let found = manifest(&folder.join(name));
        assert_eq!((&found["complete"], &found["trials"]), (&json!(true), &found["requested_trials"]));
        // Lines are broken where they are full.
        let words = first.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("hold at every moment") && found["stopping"]["at_most"] == 100_000_000);
        let csv = read(&folder.join(name).join("comparison.csv"));
        assert!(csv.contains("anytime-valid") && !csv.contains("fixed n"), "{csv}");
        good(&folder, &format!("{line} --trials {} --out again", found["trials"]));
        assert_eq!(tables(name), tables("again"));
    }
    let one = good(&folder, &format!("{line} --until-decided 0 --threads 1")).stdout;
    assert_eq!(one, good(&folder, &format!("{line} --until-decided 0 --threads 3")).stdout);
}

/// The difference of the shares of games that two win has one interval, whatever table it stands in, and whether the number
/// of trials was fixed or not: that of the trials that only one of them wins.
#[test]
fn a_difference_of_wins_has_one_interval() {
    let folder = scratch("contract-compare-wins");
    let line = "compare pig -p hold:n=15 -p hold-at-25 -n 3k -q";
    for (stop, method) in
        [("", "exact shares and MOVER, paired"), (" --until-width 0.001", "paired, anytime-valid")]
    {
        good(&folder, &format!("{line}{stop} --out wins"));
        let [means, shares] = ["comparison.csv", "comparison_distribution.csv"]
            .map(|it| rows(&read(&folder.join("wins").join(it))));
        let win = &means[0];
        assert!(win["metric"] == "win" && win["method"].starts_with(method), "{win:?}");
        for row in &shares {
            assert_eq!(row["method"], win["method"]);
            let (sign, [low, high]) =
                if row["value"] == "1" { (1.0, ["low", "high"]) } else { (-1.0, ["high", "low"]) };
            for (column, of) in [("share_difference", "mean_difference"), ("low", low), ("high", high)] {
                assert!(
                    (number(row, column) - sign * number(win, of)).abs() < 1.6e-6,
                    "{column}: {row:?} {win:?}"
                );
            }
        }
    }
}

/// A comparison is the same on any number of threads, and its means are those of two simulations, digit by digit.
#[test]
fn a_comparison_is_two_simulations_taken_together() {
    let folder = scratch("contract-compare");
    let line = "compare carbonite --policy tidy --policy first --trials 30001 --quiet --divergent 9";
    let first = good(&folder, &format!("{line} --out first")).stdout;
    for threads in 1..=3 {
        assert_eq!(good(&folder, &format!("{line} --threads {threads} --out other")).stdout, first);
        for table in ["comparison.csv", "comparison_distribution.csv"] {
            assert_eq!(read(&folder.join("other").join(table)), read(&folder.join("first").join(table)));
        }
    }
    let found = manifest(&folder.join("first"));
    assert_eq!((&found["policies"][0]["lineup"], &found["policies"][1]["lineup"]), (&json!(1), &json!(2)));
    let [tidy, naive] = ["tidy", "first"].map(|policy| {
        let line = format!("simulate carbonite --policy {policy} --trials 30001 --quiet --format csv");
        rows(&good(&folder, &line).stdout)
    });
    let differences = rows(&read(&folder.join("first/comparison.csv")));
    assert_eq!(differences.len(), tidy.len());
    for ((row, a), b) in differences.iter().zip(&tidy).zip(&naive) {
        assert_eq!(row["metric"], a["metric"]);
        let by_hand = number(a, "mean") - number(b, "mean");
        // Each of the three is rounded to six decimals.
        assert!((number(row, "mean_difference") - by_hand).abs() < 1.6e-6, "{row:?}");
    }
    // What is said of a trial is what its replay shows.
    let told = good(&folder, &format!("{line} --format json")).json();
    let parted = &told["divergent"];
    assert_eq!(parted.as_array().map(Vec::len), Some(9));
    for divergence in parted.as_array().expect("an array") {
        for (policy, side) in [("tidy", "a"), ("first", "b")] {
            let line = format!("replay carbonite --policy {policy} --trial {} --json", divergence["trial"]);
            let replayed = good(&folder, &line).json();
            let steps = replayed["steps"].as_array().expect("steps");
            let mut decisions = steps.iter().filter(|step| step.get("chosen").is_some());
            let before = divergence["decisions_before"].as_u64().expect("a count");
            let before = usize::try_from(before).expect("decisions of one game");
            let step = decisions.nth(before).expect("the decision");
            assert_eq!((&step["step"], &step["chosen"]), (&divergence["decision"], &divergence[side]));
            let state = step["state"].as_object().expect("a state");
            assert!(!state.is_empty());
            for (place, text) in state {
                assert_eq!(&divergence[format!("state_{place}")], text, "{place}");
            }
        }
    }
}

/// Two sets of rules with the same policies: the means are those of simulations under each, digit by digit, every row says whose
/// rules it is about, and pages and manifest have both.
#[test]
fn rules_are_compared_like_policies() {
    let folder = scratch("contract-compare-rules");
    let both = "compare carbonite --rules wiki --rules readme-v1 -n 3001 -q";
    let alone = good(&folder, &format!("{both} -p tidy --out out")).stdout;
    let words = alone.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "rules wiki / readme-v1",
        "with rules wiki than with rules readme-v1",
        "A rules wiki · B rules readme-v1",
    ] {
        assert!(words.contains(said), "{said}: {alone}");
    }
    assert!(!words.contains("the same game"), "{alone}");
    let page = read(&folder.join("out/report.html"));
    assert!(page.contains("rules wiki") && page.contains("rules readme-v1"));
    let found = manifest(&folder.join("out"));
    assert_eq!(found["rules"]["name"], "wiki / readme-v1");
    for rules in ["wiki", "readme-v1"] {
        let shown =
            good(&folder, &format!("simulate carbonite --rules {rules} -p tidy -n 1 -q --out {rules}"));
        assert!(!shown.stdout.is_empty());
        assert_eq!(found["rules"]["options"][rules], manifest(&folder.join(rules))["rules"]["options"]);
    }
    let found = rows(&good(&folder, &format!("{both} -p tidy -p first --format csv")).stdout);
    let mean = |rules: &str, policy: &str, metric: &str| {
        let line = format!("simulate carbonite --rules {rules} -p {policy} -n 3001 -q --format csv");
        let all = rows(&good(&folder, &line).stdout);
        number(all.iter().find(|row| row["metric"] == metric).expect("the metric"), "mean")
    };
    let pairs: Vec<_> = found.iter().filter(|row| row["metric"] == "score").collect();
    assert_eq!(pairs.len(), 6);
    for row in pairs {
        let is_one = !row["rules"].contains(" / ");
        let (a, b) = row["rules"].split_once(" / ").unwrap_or((&row["rules"], &row["rules"]));
        let by_hand = mean(a, &row["policy_a"], "score") - mean(b, &row["policy_b"], "score");
        assert!((number(row, "mean_difference") - by_hand).abs() < 1.6e-6, "{row:?}");
        assert_eq!(row["identical_share"].is_empty(), !is_one, "{row:?}");
    }
}

/// The command that a report names gives the same report again, whatever ended the run.
#[test]
fn repeated() {
    let pig = "compare pig --rules solo -p hold:n=20 -p hold:n=15";
    for line in [
        "compare carbonite -p tidy -p first:k=3 -p first -n 500 --divergent 2 --seed 7".to_owned(),
        "compare pig --set goal=30 -p hold+hold-at-25 -p hold --rotate --until-decided 0.5 --until-width 0.2"
            .into(),
        "compare carbonite --rules readme-v1 --rules wiki --set turns=5 -p tidy --until-width 4".into(),
        format!("{pig} --until-width 0.4 --metric turns --budget 1h"),
        format!("{pig} --budget 0.1s"),
        format!("{pig} --budget 1h -n 1500"),
        format!("{pig} -n 9k --stop-after 1234"),
    ] {
        let first = good(&data(), &format!("{line} --quiet --format json")).json();
        let repeat =
            first["repeat"].as_str().and_then(|line| line.strip_prefix("stopwise ")).expect("a line");
        let again = good(&data(), &format!("{repeat} --quiet --format json")).json();
        assert_eq!(again, first, "{line}");
    }
}

/// How often A has more, by the rows of two simulations of the same trials: text says so of every metric, and the file
/// says of which direction its shares are. Fewer turns alone are better in solo Pig, where they are the score.
#[test]
fn which_has_more_is_counted_in_a_stated_direction() {
    let folder = scratch("contract-directions");
    for (game, a, b, less) in [
        ("carbonite", "tidy", "first", vec!["rolls", "busts", "turns"]),
        ("pig --rules solo", "hold:n=20", "hold:n=15", vec!["score", "turns", "rolls", "busts"]),
    ] {
        let [of_a, of_b] = [a, b].map(|policy| {
            let line = format!("simulate {game} -p {policy} -n 500 -q --trials-out {policy}.csv");
            good(&folder, &line);
            rows(&read(&folder.join(format!("{policy}.csv"))))
        });
        let text = good(&folder, &format!("compare {game} -p {a} -p {b} -n 500 -q --out out")).stdout;
        let head = text.lines().find(|line| line.contains("variance")).expect("a table");
        assert!(head.contains("A more") && head.contains("B more") && !text.contains("A better"), "{text}");
        for row in rows(&read(&folder.join("out/comparison.csv"))) {
            let metric = &row["metric"];
            let of_both = || of_a.iter().zip(&of_b).map(|(a, b)| (number(a, metric), number(b, metric)));
            let share =
                |is: fn(f64, f64) -> bool| of_both().filter(|&(a, b)| is(a, b)).count() as f64 / 500.0;
            let (more, fewer) = (share(|a, b| a > b), share(|a, b| a < b));
            let shown = text.lines().find(|line| line.split(' ').next() == Some(metric)).expect("a row");
            let percent = |share: f64| format!("{:.2} %", 100.0 * share);
            let [at_more, at_fewer] = [more, fewer].map(|share| shown.find(&percent(share)));
            assert!(
                at_more.is_some() && at_fewer.is_some() && at_more <= at_fewer,
                "{shown}: {more} {fewer}"
            );
            if row["direction"] == "less" {
                assert_eq!((number(&row, "a_better"), number(&row, "b_better")), (fewer, more), "{row:?}");
                assert!(less.contains(&metric.as_str()), "{row:?}");
            } else {
                assert_eq!((number(&row, "a_better"), number(&row, "b_better")), (more, fewer), "{row:?}");
            }
        }
    }
}

/// That a policy alone plays against itself is said before anything that might be taken for a contest.
#[test]
fn who_does_not_meet_is_said_first() {
    let first = |line: &str| {
        let told = good(&data(), &format!("compare {line} -n 200 -q --format json")).json();
        told["answer"][0].as_str().map(str::to_owned)
    };
    let said = |line| first(line).expect("an answer");
    assert_eq!(
        said("pig -p hold:n=5 -p hold:n=20"),
        "These policies do not meet: each plays in every seat, against itself. `rank` lets policies meet."
    );
    assert!(
        said("pig -p hold+hold-at-25 -p hold").starts_with("Where one policy is named it plays in every")
    );
    let rotated = good(&data(), "compare pig -p hold -p hold-at-25 --rotate -n 200 -q").stdout;
    assert!(rotated.contains("as often as any other") && !rotated.contains("more often with"), "{rotated}");
    for meeting in ["pig -p hold+hold-at-25 -p hold-at-25+hold", "pig --rules solo -p hold -p hold:n=15"] {
        assert!(!said(meeting).contains("against itself"), "{meeting}");
    }
}
