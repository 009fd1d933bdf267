//! What the page is told is what the commands find.

use std::fs;

use serde_json::{Value, json};

use super::{MINE, Page, solo};
use crate::common::good;

#[test]
fn a_picture_is_what_the_command_finds() {
    let page = Page::open("serving-picture");
    let setting = solo(&json!({ "goal": "50" }));
    let found = page.found("picture", &json!({ "setting": setting, "trials": 3000 }));
    assert_eq!(
        found["command"],
        "stopwise simulate pig --rules solo --set goal=50 --policy hold:n=25 --trials 3000 --seed 1"
    );
    let command =
        found["command"].as_str().and_then(|line| line.strip_prefix("stopwise ")).expect("a command");
    let told = good(&page.folder, &format!("{command} --format json")).json();
    let of = |figure: &str| {
        let figures = found["figures"].as_array().expect("figures");
        figures.iter().find(|one| one["key"] == figure).unwrap_or_else(|| panic!("{found}")).clone()
    };
    let row = &told["means"].as_array().expect("means")[0];
    assert_eq!((&of("score")["value"], &row["metric"]), (&row["mean"], &"score".into()));
    assert_eq!(of("score")["interval"], json!([row["low"], row["high"]]));
    let values = found["values"].as_array().expect("values");
    let counted: Vec<_> = told["distribution"].as_array().expect("a distribution").iter().collect();
    let of_score: Vec<_> = counted
        .iter()
        .filter(|row| row["metric"] == "score")
        .map(|row| json!([row["value"], row["count"]]))
        .collect();
    assert_eq!(*values, of_score);
    // Rolls a game times seconds a roll.
    let rolls =
        told["means"].as_array().expect("means").iter().find(|row| row["metric"] == "rolls").expect("rolls");
    let minutes = rolls["mean"].as_f64().expect("a number") * 8.0 / 60.0;
    assert!((of("minutes")["value"].as_f64().expect("a number") - minutes).abs() < 1e-9);

    // The report has the bytes of the command's.
    let (status, report) = page.ask("report", &json!({ "setting": setting, "trials": 3000 }));
    assert_eq!(status, 200);
    assert_eq!(report, good(&page.folder, &format!("{command} --format html")).stdout);
    assert_eq!(page.end(), Some(130));
}

/// Where several may win together, who wins and what going first is worth are told in shares of the win.
#[test]
fn a_shared_win_is_told_in_shares() {
    let page = Page::open("serving-shares");
    let setting = json!({ "game": "threes", "rules": "table", "policies": [{ "name": "all-at-once" }] });
    let found = page.found("picture", &json!({ "setting": setting, "trials": 2000 }));
    let told =
        good(&page.folder, "simulate threes --rules table -p all-at-once --trials 2000 -q --format json");
    let told = told.json();
    let rows = told["means"].as_array().expect("means");
    let row = rows.iter().find(|row| row["metric"] == "share" && row["seat"] == 1).expect("a share");
    let figures = found["figures"].as_array().expect("figures");
    let of = |key: &str| figures.iter().find(|one| one["key"] == key).expect("a figure");
    assert_eq!(
        (&of("share")["value"], &of("share")["interval"]),
        (&row["mean"], &json!([row["low"], row["high"]]))
    );
    let edge = row["mean"].as_f64().expect("a number") - 0.25;
    assert!((of("edge")["value"].as_f64().expect("a number") - edge).abs() < 1e-12);
    assert!(figures.iter().all(|one| one["key"] != "win"), "{figures:?}");
    assert_eq!(page.end(), Some(130));
}

#[test]
fn differences_are_those_of_compare() {
    let page = Page::open("serving-versus");
    let (a, b) =
        (solo(&json!({})), json!({ "game": "pig", "rules": "solo", "policies": [{ "name": "mine.toml" }] }));
    let found = page.found("versus", &json!({ "a": a, "b": b, "trials": 4000 }));
    let told =
        good(&page.folder, "compare pig --rules solo -p hold:n=25 -p mine.toml -n 4000 --format json").json();
    let row = &told["comparison"].as_array().expect("a table")[0];
    let number = |value: &Value| value.as_f64().expect("a number");
    assert_eq!(number(&found["apart"][0]["value"]), -number(&row["mean_difference"]));
    assert_eq!(found["apart"][0]["interval"], json!([-number(&row["high"]), -number(&row["low"])]));
    assert_eq!(found["apart"][0]["shares"], json!([row["a_better"], row["equal"], row["b_better"]]));

    // Rules and policy together: the last of four sides against the first.
    let b = json!({ "game": "pig", "rules": "solo", "set": { "goal": "60" }, "policies": [{ "name": "mine.toml" }] });
    let found = page.found("versus", &json!({ "a": a, "b": b, "trials": 4000 }));
    let mean = |set: &str, policy: &str| {
        let told =
            good(&page.folder, &format!("simulate pig --rules solo{set} -p {policy} -n 4000 --format json"))
                .json();
        number(&told["means"][0]["mean"])
    };
    let expected = mean(" --set goal=60", "mine.toml") - mean("", "hold:n=25");
    assert!((number(&found["apart"][0]["value"]) - expected).abs() < 1e-5, "{found}");
    assert_eq!(page.found("versus", &json!({ "a": a, "b": a, "trials": 100 }))["same"], true);
    let other = json!({ "game": "carbonite", "policies": [{ "name": "tidy" }] });
    assert_eq!(page.refused("versus", &json!({ "a": a, "b": other, "trials": 100 })).0, 422);
    assert_eq!(page.end(), Some(130));
}

#[test]
fn the_best_along_a_slider_is_that_of_sweep() {
    let page = Page::open("serving-along");
    let asked = json!({ "setting": solo(&json!({})), "name": "n", "policy": 0, "values": "10,20,30", "trials": 2000 });
    let found = page.found("along", &asked);
    let told =
        good(&page.folder, "sweep pig --rules solo -p hold --vary n=10,20,30 -n 2000 --format json").json();
    let best =
        told["best"].as_array().expect("a table").iter().find(|row| row["best"] == true).expect("a best");
    let marked = found["points"].as_array().expect("points").iter().find(|point| point["best"] == true);
    assert_eq!(marked.expect("a best")["mean"], best["mean"]);
    assert!(found["chart"].as_str().expect("a chart").contains("<svg"));
    let along = |name: &str, values: &str| {
        let asked = json!({ "setting": solo(&json!({})), "name": name, "values": values, "trials": 200 });
        page.ask("along", &asked).0
    };
    assert_eq!((along("goal", "50,100"), along("nonsense", "1,2"), along("goal", "..")), (200, 422, 422));
    // What does not go together with the other options is left out.
    let setting = json!({ "game": "icedice", "policies": [{ "name": "racer" }] });
    let asked = json!({ "setting": setting, "name": "trios", "values": "1,3,15", "trials": 50 });
    let points = page.found("along", &asked)["points"].clone();
    let values: Vec<_> = points.as_array().expect("points").iter().map(|point| &point["value"]).collect();
    assert_eq!(values, ["1", "3"]);
    assert_eq!(page.end(), Some(130));
}

/// Of a game alone and of one for two: the order, the numbers and the report are those of `rank`; who cannot be ranked is told.
#[test]
fn a_ranking_is_what_the_command_finds() {
    let page = Page::open("serving-ranking");
    fs::write(page.folder.join("wrong.toml"), MINE.replace("turn_total", "turn_totl"))
        .expect("it can be written");
    fs::write(page.folder.join("same.toml"), MINE).expect("it can be written");
    for rules in ["solo", "standard"] {
        let policies = json!([
            { "name": "mine.toml" }, { "name": "same.toml" }, { "name": "wrong.toml" }, { "name": "hold" },
            { "name": "hold-at-25" }, { "name": "hold", "params": { "n": "12" } },
        ]);
        let setting = json!({ "game": "pig", "rules": rules, "set": { "goal": "50" }, "policies": policies });
        let asked = json!({ "setting": setting, "trials": 2000, "view": "ranking" });
        let found = page.found("ranking", &asked);
        let command =
            found["command"].as_str().and_then(|line| line.strip_prefix("stopwise ")).expect("a command");
        assert_eq!(
            command,
            format!(
                "rank pig --rules {rules} --set goal=50 --policy mine.toml --policy hold --policy hold-at-25 --policy \
                 hold:n=12 --trials 2000 --alpha 0.05 --seed 1"
            )
        );
        let told = good(&page.folder, &format!("{command} --format json")).json();
        let labels = told["rank"]
            .as_array()
            .expect("a table")
            .iter()
            .map(|row| row["policy"].as_str().expect("a label"));
        let of = |label: &str| match label {
            "mine:n=15" => json!({ "name": "mine.toml", "params": {} }),
            "hold:n=12" => json!({ "name": "hold", "params": { "n": "12" } }),
            "hold:n=20" => json!({ "name": "hold", "params": {} }),
            name => json!({ "name": name, "params": {} }),
        };
        assert_eq!(found["order"], json!(labels.map(of).collect::<Vec<_>>()));
        let left_out = found["left_out"].as_array().expect("who is left out");
        let of =
            |at: usize| (left_out[at][0].as_str().expect("a name"), left_out[at][1].as_str().expect("why"));
        assert!(
            left_out.len() == 2 && of(0).0 == "same.toml" && of(0).1.contains("mine.toml"),
            "{left_out:?}"
        );
        assert!(of(1).0 == "wrong.toml" && of(1).1.contains("turn_total"), "{left_out:?}");
        // Tables and charts are those of the report, in its words.
        let (status, report) = page.ask("report", &asked);
        assert_eq!(
            (status, &*report),
            (200, &*good(&page.folder, &format!("{command} --format html")).stdout)
        );
        // The page has no files.
        let report = report
            .replace("hold_at.csv has all", "the report has all")
            .replace("They are in thresholds.csv.", "They are in the files of the report.");
        let html = found["html"].as_str().expect("sections");
        let parts: Vec<_> =
            html.split("<section").skip(1).map(|part| part.split_once('>').expect("a tag").1).collect();
        // The matrix of pairs is a picture, whose numbers can be unfolded: it stands there once.
        let (pairs, parts): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| part.starts_with("<h2>Who beats whom</h2>"));
        assert!(!parts.is_empty() && parts.iter().all(|part| report.contains(part)), "{html}");
        assert!(pairs.iter().all(|pairs| !pairs.contains("win shares, %") && pairs.contains("<figure>")));
    }
    let alone = json!({ "setting": { "game": "pig", "policies": [{ "name": "hold" }] }, "trials": 100 });
    assert_eq!(page.refused("ranking", &alone).0, 422);
    assert_eq!(page.end(), Some(130));
}

/// What to hold at is what `solve` finds, by the features that are chosen, else by those of the game's chart or its policies.
#[test]
fn what_to_hold_at_is_that_of_the_command() {
    let page = Page::open("serving-held");
    let pig = json!({ "game": "pig", "set": { "goal": "20" } });
    let alone = json!({ "game": "pig", "rules": "solo", "set": { "goal": "20" } });
    let farkle = json!({ "game": "farkle", "rules": "one-turn", "set": { "dice": "4" } });
    let of = |command: &str| format!("stopwise solve {command}");
    for (setting, held, command) in [
        (&pig, json!({}), "pig --set goal=20 --table score,other_best --from turn_total"),
        (
            &pig,
            json!({ "columns": "", "rows": "goal_left" }),
            "pig --set goal=20 --table goal_left --from turn_total",
        ),
        (&alone, json!({}), "pig --rules solo --set goal=20 --table score --from turn_total"),
        // What is no feature is as if nothing was chosen.
        (
            &alone,
            json!({ "rows": "nonsense", "from": "--out" }),
            "pig --rules solo --set goal=20 --table score --from turn_total",
        ),
        (&farkle, json!({}), "farkle --rules one-turn --set dice=4 --table left --from points"),
    ] {
        let asked = json!({ "setting": setting, "held": held, "view": "held" });
        let found = page.found("held", &asked);
        assert_eq!((&found["command"], &found["greatest"]), (&json!(of(command)), &json!(false)));
        let (status, report) = page.ask("report", &asked);
        assert_eq!(
            (status, &*report),
            (200, &*good(&page.folder, &format!("solve {command} --format html")).stdout)
        );
        // The page has no files.
        let report = report.replace("hold_at.csv (--out DIR, or --format csv) has all", "the report has all");
        let html = found["html"].as_str().expect("sections");
        let parts: Vec<_> =
            html.split("<section").skip(1).map(|part| part.split_once('>').expect("a tag").1).collect();
        assert!(!parts.is_empty() && parts.iter().all(|part| report.contains(part)), "{html}");
    }
    // What is taken up to a value has the greatest.
    let offers = json!({ "game": "offers.game", "texts": { "offers.game": crate::best_tables::OFFERS } });
    let held = json!({ "rows": "left", "columns": "", "from": "shown" });
    let found = page.found("held", &json!({ "setting": offers, "held": held, "view": "held" }));
    assert_eq!(found["greatest"], true);
    for (setting, why) in [
        (json!({ "game": "threes" }), "no decision of threes is answered with yes or no"),
        (json!({ "game": "pig", "set": { "players": "3" } }), "three or more seats"),
        (json!({ "game": "carbonite" }), "not found within seconds"),
    ] {
        let (status, told) = page.refused("held", &json!({ "setting": setting }));
        assert!(status == 422 && told.contains(why) && !told.contains("--"), "{told}");
    }
    assert_eq!(page.end(), Some(130));
}

/// Of an option of the rules the fairest value is sought, where the same policy plays in every seat, and else nothing.
#[test]
fn of_rules_the_fairest_along_a_slider_is_sought() {
    let page = Page::open("serving-fairest");
    let along = |policies: &[&str], rules: &str, rotate: bool| {
        let policies: Vec<_> = policies.iter().map(|name| json!({ "name": name })).collect();
        let setting = json!({ "game": "pig", "rules": rules, "policies": policies, "rotate": rotate });
        page.found(
            "along",
            &json!({ "setting": setting, "name": "goal", "values": "10,20,150", "trials": 4000 }),
        )
    };
    for rotate in [false, true] {
        let found = along(&["hold"], "standard", rotate);
        assert_eq!(
            (&found["sought"], &found["of"]),
            (&json!("fairest"), &json!("How far apart the seats are"))
        );
        let points = found["points"].as_array().expect("points").clone();
        for point in &points {
            let goal = point["value"].as_str().expect("a value");
            let line = format!("simulate pig --set goal={goal} -p hold -n 4000 --format json");
            let wins = good(&page.folder, &line).json()["wins"].clone();
            let wins: Vec<_> =
                wins.as_array().expect("wins")[..2].iter().map(|row| row["share"].clone()).collect();
            assert_eq!(point["wins"], json!(wins), "{goal}");
        }
        // Who goes first in a race to ten or to twenty all but wins it.
        let best: Vec<_> =
            points.iter().filter(|point| point["best"] == true).map(|point| &point["value"]).collect();
        assert_eq!(best, ["150"]);
    }
    for (policies, rules) in [(&["hold", "mine.toml"][..], "standard"), (&["hold"][..], "solo")] {
        let found = along(policies, rules, false);
        assert_eq!((&found["sought"], &found["points"]), (&Value::Null, &json!([])));
        let chart = found["chart"].as_str().expect("a chart");
        assert!(chart.contains("<svg") && !chart.contains("best"), "{chart}");
    }
    assert_eq!(page.end(), Some(130));
}

/// What is of a seat says so, and all else is of all seats together: busts as the table of turns counts them.
#[test]
fn figures_of_a_game_for_several_say_whose_they_are() {
    let page = Page::open("serving-figures");
    for (rotate, policies) in
        [(false, ["hold", "mine.toml"]), (true, ["hold", "mine.toml"]), (true, ["hold"; 2])]
    {
        let chosen = policies.map(|name| json!({ "name": name }));
        let setting = json!({ "game": "pig", "policies": chosen, "rotate": rotate });
        let found = page.found("picture", &json!({ "setting": setting, "trials": 3000 }));
        let line = format!("simulate pig -p {} -p {} -n 3000 --format json", policies[0], policies[1]);
        let told = good(&page.folder, &(line + if rotate { " --rotate" } else { "" })).json();
        let figures = found["figures"].as_array().expect("figures");
        let titles: Vec<_> =
            figures.iter().map(|figure| figure["title"].as_str().expect("a title")).collect();
        let who = if rotate { "hold:n=20" } else { "seat 1" };
        let wins = format!("{who} wins");
        assert_eq!(
            titles,
            [
                &*wins,
                "going first, %-points",
                "busts a game, of all",
                "turns a game, of all",
                "minutes a game"
            ]
        );
        let number = |value: &Value| value.as_f64().expect("a number");
        let turns = told["turns"].as_array().expect("turns");
        let busts: f64 =
            turns.iter().filter(|row| !row["seat"].is_null()).map(|row| number(&row["busts"])).sum();
        assert!((number(&figures[2]["value"]) - busts / 3000.0).abs() < 1e-9, "{found} {busts}");
        // What is drawn is of a seat, and named so.
        let setting = json!({ "game": "pig", "policies": chosen, "rotate": rotate, "metric": "points" });
        let found = page.found("picture", &json!({ "setting": setting, "trials": 100 }));
        assert_eq!(found["figures"][2]["title"], format!("{who}: points a game"));
    }
    // Everybody rolls at once, ten minutes of a roll a second.
    let setting = json!({ "game": "freeze", "policies": [{ "name": "always" }] });
    let found = page.found("picture", &json!({ "setting": setting, "trials": 100, "seconds": 1 }));
    let mut figures = found["figures"].as_array().expect("figures").iter();
    let minutes = figures.find(|figure| figure["key"] == "minutes").and_then(|it| it["value"].as_f64());
    assert!(minutes.is_some_and(|minutes| (9.9..=10.2).contains(&minutes)), "{found}");
    assert_eq!(page.end(), Some(130));
}
