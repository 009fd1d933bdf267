//! `sweep`: every point is a simulation, and two points are a comparison.

use serde_json::json;

use crate::common::{entries, good, manifest, number, read, rows, scratch};

/// One turn is one turn, whatever is held at.
#[test]
fn a_metric_that_is_always_the_same_ranks_nothing() {
    let folder = scratch("contract-constant");
    for command in ["sweep", "rank"] {
        let line = format!(
            "{command} farkle --rules one-turn -p bank-at --vary n=200..400:100 -n 1k -q --format json"
        );
        let answer = good(&folder, &format!("{line} --metric turns")).json()["answer"].clone();
        assert_eq!(answer, json!(["In all 1,000 trials turns is 1: name another `--metric`."]), "{command}");
        let told = good(&folder, &line).json()["answer"].to_string();
        assert!(told.contains("points") && !told.contains("name another"), "{told}");
    }
}

/// A sweep is the same on any number of threads and any runner, and every point is a simulation, row by row.
#[test]
fn a_sweep_is_simulations_side_by_side() {
    const FILES: [&str; 3] = ["sweep.csv", "best.csv", "sensitivity.csv"];
    let folder = scratch("contract-sweep");
    let line = "sweep carbonite -p first --vary k=1..3 --vary-rule copies=1,2 -n 9001 --paired 5000 -q";
    let first = good(&folder, &format!("{line} --out first")).stdout;
    let files = |out: &str| FILES.map(|file| read(&folder.join(out).join(file)));
    for options in ["", "--threads 1", "--threads 3", "--runner trial", "--runner lanes"] {
        assert_eq!(
            good(&folder, format!("{line} --out other {options}").trim_end()).stdout,
            first,
            "{options}"
        );
        assert_eq!(files("other"), files("first"), "{options}");
    }
    assert_eq!(
        entries(&folder.join("first")),
        FILES.iter().chain(&["manifest.json", "report.html"]).map(|name| (*name).to_owned()).collect()
    );

    let [sweep, best, _] = files("first");
    let mut lines = sweep.lines();
    assert!(lines.next().is_some_and(|header| header.starts_with("k,copies,game,")));
    for (k, copies) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
        let alone =
            format!("simulate carbonite -p first:k={k} --set copies={copies} -n 9001 -q --format csv");
        for row in good(&folder, &alone).stdout.lines().skip(1) {
            assert_eq!(lines.next(), Some(format!("{k},{copies},{row}").as_str()));
        }
    }
    assert_eq!(lines.next(), None);

    let best = rows(&best);
    let scores: Vec<_> = rows(&sweep).into_iter().filter(|row| row["metric"] == "score").collect();
    for (row, score) in best.iter().zip(&scores) {
        // A policy competes with those under the same rules.
        let same = scores.iter().filter(|other| other["copies"] == row["copies"]);
        let most = same.map(|row| number(row, "mean")).fold(0.0, f64::max);
        assert_eq!((&row["mean"], &*row["sought"]), (&score["mean"], "best"));
        assert_eq!(row["best"] == "true", number(row, "mean") >= most);
        assert_eq!(row["best"] == "true", number(row, "loss") < 0.0);
        assert!(row["best"] == "true" || (number(row, "loss") - (most - number(row, "mean"))).abs() < 1.6e-6);
        assert!(
            number(row, "loss_low") <= number(row, "loss") && number(row, "loss") <= number(row, "loss_high")
        );
    }
    let found = manifest(&folder.join("first"));
    assert_eq!((&found["trials"], &found["complete"]), (&json!(6 * 9001), &json!(true)));
    assert_eq!(found["sweep"]["axes"][1], json!({ "name": "copies", "levels": ["1", "2"] }));
    assert_eq!(
        (&found["sweep"]["finished_points"], &found["sweep"]["paired_trials"]),
        (&json!(6), &json!(5000))
    );
}

/// Under each setting of the rules the best is sought as a sweep under those rules alone seeks it; the intervals are wider,
/// because all hold together. Rules alone have no best, but a setting with most and one with least.
#[test]
fn the_best_is_one_under_each_setting_of_the_rules() {
    let folder = scratch("contract-sweep-rules");
    let line = "sweep pig --rules solo -n 5k -q";
    good(&folder, &format!("{line} -p hold --vary n=18..21 --vary-rule goal=50,100 --out all"));
    let all = rows(&read(&folder.join("all/best.csv")));
    for goal in ["50", "100"] {
        good(&folder, &format!("{line} -p hold --vary n=18..21 --set goal={goal} --out alone{goal}"));
        let alone = rows(&read(&folder.join(format!("alone{goal}/best.csv"))));
        let of_goal: Vec<_> = all.iter().filter(|row| row["goal"] == goal).collect();
        assert_eq!((of_goal.len(), alone.len()), (4, 4));
        for (all, alone) in of_goal.iter().zip(&alone) {
            for column in ["rules", "policy", "mean", "loss", "best"] {
                assert_eq!(all[column], alone[column], "{column}");
            }
            assert!(number(all, "loss_low") <= number(alone, "loss_low"));
            assert!(number(all, "loss_high") >= number(alone, "loss_high"));
        }
    }
    good(&folder, &format!("{line} -p hold --vary-rule goal=50,100,150 --out rules"));
    let rules = rows(&read(&folder.join("rules/best.csv")));
    let first: Vec<_> = rules.iter().filter(|row| row["best"] == "true").collect();
    let told: Vec<_> = first.iter().map(|row| (&*row["sought"], &*row["goal"])).collect();
    assert_eq!((rules.len(), told), (6, vec![("most", "150"), ("least", "50")]));
    let ahead = number(&rules[2], "mean") - number(&rules[1], "mean");
    assert!((number(first[0], "loss") + ahead).abs() < 1.6e-6, "{first:?}");
}

/// What is said of two points on all trials is what `compare` says of them: the same mean and the same deviation.
#[test]
fn two_points_are_a_comparison() {
    let folder = scratch("contract-sweep-compare");
    for (options, policies) in [
        ("carbonite", ["first:k=2", "first:k=3"]),
        ("pig --rotate", ["hold:n=15+hold-at-25", "hold:n=16+hold-at-25"]),
    ] {
        let (game, vary) = match options {
            "carbonite" => ("carbonite", "-p first --vary k=2,3"),
            _ => ("pig", "--rotate -p hold -p hold-at-25 --vary 1.n=15,16"),
        };
        good(&folder, &format!("sweep {game} {vary} -n 9001 --paired 9001 -q --out sweep"));
        let [a, b] = policies;
        good(&folder, &format!("compare {options} -p {a} -p {b} -n 9001 -q --out compare"));
        let swept = rows(&read(&folder.join("sweep/sensitivity.csv")));
        let compared = &rows(&read(&folder.join("compare/comparison.csv")))[0];
        let close =
            |column: &str, other: &str| (number(&swept[1], column) + number(compared, other)).abs() < 1.6e-6;
        assert!(close("difference", "mean_difference"), "{swept:?} {compared:?}");
        // One difference alone: nothing is to hold together.
        assert!(close("low", "high") && close("high", "low"), "{swept:?} {compared:?}");
    }
}

/// Too many points to be compared pair by pair, each on two trials.
#[test]
fn a_sweep_of_more_points_than_pairs() {
    let folder = scratch("contract-sweep-many");
    let line = "sweep pig --rules solo -p hold --vary n=1..1001 -n 2 --runner trial -q --out out";
    good(&folder, line);
    assert_eq!(manifest(&folder.join("out"))["sweep"]["paired_trials"], 0);
    let best = rows(&read(&folder.join("out/best.csv")));
    assert_eq!(best.len(), 1001);
    assert!(best.iter().all(|row| row["method"].ends_with("any dependence")));
}

/// One policy in a game for several is varied in one seat, all in turn, against itself as it was named: its wins are those
/// of an exact solution. To 20 points, holding at 20 is best play, so that what `solve` says against best play is what is
/// played here.
#[test]
fn one_policy_varies_against_itself() {
    let folder = scratch("contract-sweep-mirror");
    let solved = good(&folder, "solve pig --set goal=20 -p hold:n=20 -p hold:n=5 -q --format json").json();
    let regret = |policy: &str| {
        let rows = solved["regret_against_best"].as_array().expect("rows").iter();
        let of_policy = rows.filter(|row| row["policy"] == policy);
        of_policy.map(|row| row["regret"].as_f64().expect("a number")).sum::<f64>()
    };
    assert_eq!((regret("hold:n=20"), regret("hold:n=5") > 0.6), (0.0, true), "hold:n=20 is best play");
    let line = "sweep pig --set goal=20 -p hold --vary n=5,20 -n 40k -q --out out";
    let told = good(&folder, line).stdout;
    assert!(told.contains("hold against hold:n=20, rotated"), "{told}");
    assert!(told.contains("Best: n=20 with"), "{told}");
    for row in rows(&read(&folder.join("out/best.csv"))) {
        let policy = format!("hold:n={}", row["n"]);
        // Best play has half of the wins, if seats are taken in turn; what each seat loses counts for half.
        let exact = 0.5 - regret(&policy) / 2.0;
        let error = (exact * (1.0 - exact) / 40_000.0).sqrt();
        assert!((number(&row, "mean") - exact).abs() < 4.5 * error, "{row:?}, exactly {exact}");
    }

    // It is what the same line-up is that names everybody, and rotated anyway.
    let rows_of = |line: &str| good(&folder, &format!("{line} -n 1k -q --format csv")).stdout;
    for players in [2, 3] {
        let game = format!("sweep pig --set players={players}");
        let named = format!("{game} {}--rotate --vary 1.n=15,25", "-p hold ".repeat(players));
        let alone = rows_of(&format!("{game} -p hold --vary n=15,25"));
        assert_eq!(alone, rows_of(&format!("{game} -p hold --vary n=15,25 --rotate")));
        assert_eq!(format!("1.{alone}"), rows_of(&named));
    }
}

/// A policy among its like has a fair share, which no trials need to tell: what is open of a difference from it is what is open of
/// the other, 1.96 · √(p q / n) for so many games, with room for a value that n games need not show, ln 40 / n.
#[test]
fn a_policy_among_its_like_has_a_fair_share() {
    let folder = scratch("contract-sweep-fair");
    for seats in [2, 3] {
        let line = format!("sweep pig --set goal=50 --set players={seats} -p hold --vary n=5,20 -n 3k -q");
        good(&folder, &format!("{line} --out out{seats}"));
        let found = rows(&read(&folder.join(format!("out{seats}/best.csv"))));
        let (fair, less) = (1.0 / f64::from(seats), number(&found[0], "mean"));
        assert!((number(&found[1], "mean") - fair).abs() < 1e-6, "{found:?}");
        let half = (1.96 * (less * (1.0 - less) / 3000.0).sqrt()).hypot(40_f64.ln() / 3000.0);
        for (column, value) in [("loss", 0.0), ("loss_low", -half), ("loss_high", half)] {
            let wanted = fair - less + value;
            assert!((number(&found[0], column) - wanted).abs() < 0.01 * half, "{column}: {found:?}");
        }
        // One mean is open: there is nothing that two could have in common.
        assert!(found.iter().all(|row| row["method"].ends_with("fixed n, any dependence")), "{found:?}");
        // As the best that was seen it may lead by nothing.
        assert!((number(&found[1], "loss") - less + fair).abs() < 1.6e-6, "{found:?}");
    }
}

/// The method names the trials in common where they make an interval narrower: a few of many do not.
#[test]
fn a_sweep_is_paired_where_that_helps() {
    let folder = scratch("contract-sweep-pairing");
    let line = "sweep pig --rules solo -p hold --vary n=19,20 -n 20k -q --format json";
    for (paired, pairing) in [
        ("10k", "paired in the first 10000 trials"),
        ("20k", "paired"),
        ("10", "any dependence"),
        ("1", "any dependence"),
    ] {
        let told = good(&folder, &format!("{line} --paired {paired}")).json();
        for table in ["sweep", "best"] {
            let rows = told[table].as_array().expect("rows");
            assert!(
                rows.iter().all(|row| row["n"] == 19 || row["n"] == 20),
                "{table}: numbers as they are in CSV"
            );
        }
        assert_eq!(told["pairing"], pairing);
        for row in ["best", "sensitivity"].iter().flat_map(|table| told[table].as_array().expect("rows")) {
            let method = row["method"].as_str().expect("a text");
            assert!(method.ends_with(&format!("fixed n, {pairing}")), "{method}");
        }
    }
}

/// Where all seats have the same policy at every point, wins say nothing of it (`refused.txt`).
#[test]
fn seats_that_are_alike_are_asked_for_something_else_than_wins() {
    let folder = scratch("contract-sweep-alike");
    // How long games are may be asked all the same, and what the first seat is worth under other rules.
    let told = good(&folder, "sweep pig -p hold -p hold --vary n=5,20 --metric turns -n 100 -q").stdout;
    assert!(told.contains("turns of seat 1"), "{told}");
    let told = good(&folder, "sweep pig -p hold --vary-rule goal=2,100 -n 1k -q").stdout;
    assert!(told.contains("Most for seat 1: goal=2"), "{told}");
}
