//! `serve`: the page answers with what the commands find, reads and writes in its folder alone, and ends in order.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{entries, good, program, read, run, scratch};
use crate::running::{Running, work};

const MINE: &str = "game = \"pig\"\nname = \"mine\"\nparams = { n = 15 }\nstop = \"turn_total >= n\"\n";

/// A page that is served in a folder.
struct Page {
    folder: PathBuf,
    running: Running,
    host: String,
    token: String,
}

impl Page {
    fn open(name: &str) -> Self {
        Self::open_with(name, &["--threads", "2"])
    }

    fn open_with(name: &str, words: &[&str]) -> Self {
        let folder = scratch(name);
        fs::write(folder.join("mine.toml"), MINE).expect("it can be written");
        Self::open_in(folder, words)
    }

    fn open_in(folder: PathBuf, words: &[&str]) -> Self {
        let mut command = program(&folder);
        command.args(["serve", "--port", "0"]).args(words).stdout(Stdio::piped()).stderr(Stdio::null());
        Self::of(folder, command)
    }

    fn of(folder: PathBuf, command: Command) -> Self {
        let mut running = Running::of(command);
        let mut address = String::new();
        let stdout = running.child().stdout.take().expect("it is a pipe");
        BufReader::new(stdout).read_line(&mut address).expect("an address");
        let place = address.trim().strip_prefix("http://").and_then(|place| place.strip_suffix('/'));
        let (host, token) = place.and_then(|place| place.split_once('/')).expect("an address");
        assert!(host.starts_with("127.0.0.1:") && token.len() == 32, "{address}");
        Self { host: host.to_owned(), token: token.to_owned(), folder, running }
    }

    /// What comes before the body of a question.
    fn head(&self, question: &str, body: &str) -> String {
        format!(
            "POST /{}/ask/{question} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nconnection: close\r\n\
             content-length: {}\r\n\r\n",
            self.token,
            self.host,
            body.len()
        )
    }

    /// Status and content of an answer.
    fn ask(&self, question: &str, value: &Value) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("it can be set");
        let body = value.to_string();
        stream.write_all((self.head(question, &body) + &body).as_bytes()).expect("it is read");
        let mut heard = String::new();
        stream.read_to_string(&mut heard).expect("an answer");
        let (head, content) = heard.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, content.to_owned())
    }

    fn found(&self, question: &str, value: &Value) -> Value {
        let (status, content) = self.ask(question, value);
        assert_eq!(status, 200, "{question} {value}: {content}");
        serde_json::from_str(&content).expect("JSON")
    }

    fn refused(&self, question: &str, value: &Value) -> (u16, String) {
        let (status, content) = self.ask(question, value);
        let why: Value = serde_json::from_str(&content).expect("JSON");
        (status, why["error"].as_str().expect("a reason").to_owned())
    }

    /// Ctrl-C: the exit code.
    fn end(mut self) -> Option<i32> {
        let begun = Instant::now();
        self.running.interrupt();
        let code = self.running.end().code;
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        code
    }
}

/// `--open` gives the browser of the system the address that is printed, with its word; where there is none the page is there
/// all the same, and says so.
#[test]
#[cfg(target_os = "linux")]
fn a_browser_is_started() {
    use std::os::unix::fs::PermissionsExt as _;

    for (name, has_browser) in [("serving-open", true), ("serving-alone", false)] {
        let folder = scratch(name);
        let programs = folder.join("bin");
        fs::create_dir(&programs).expect("it can be made");
        let mut command = program(&folder);
        command.args(["serve", "--port", "0", "--open"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        if has_browser {
            let browser = programs.join("xdg-open");
            let text = "#!/bin/sh\nprintf '%s\\n' \"$@\" > part && mv part opened\n";
            fs::write(&browser, text).expect("it can be written");
            fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).expect("it can be started");
            command.env("PATH", format!("{}:/usr/bin:/bin", programs.display()));
        } else {
            command.env("PATH", &programs);
        }
        let page = Page::of(folder, command);
        if has_browser {
            let opened = page.folder.join("opened");
            while !opened.exists() {
                thread::sleep(Duration::from_millis(5));
            }
            let address = format!("http://{}/{}/\n", page.host, page.token);
            assert_eq!(fs::read_to_string(opened).expect("an address"), address);
        }
        assert!(!page.found("games", &json!({}))["games"].is_null());
        let mut running = page.running;
        running.interrupt();
        let ran = running.end();
        assert_eq!(ran.code, Some(130));
        let is_told = ran.stderr.contains("no browser could be started: open the address yourself");
        assert_eq!(is_told, !has_browser, "{}", ran.stderr);
    }
}

fn solo(set: &Value) -> Value {
    json!({ "game": "pig", "rules": "solo", "set": set, "policies": [{ "name": "hold", "params": { "n": "25" } }] })
}

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
        assert!(!parts.is_empty() && parts.iter().all(|part| report.contains(part)), "{html}");
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
        (
            &farkle,
            json!({}),
            "farkle --rules one-turn --set dice=4 --metric points --table left --from points",
        ),
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
        let report = report.replace("hold_at.csv has all", "the report has all");
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

#[test]
fn mistakes_of_texts_have_their_places() {
    let page = Page::open("serving-check");
    let check = |kind: &str, name: &str, text: &str| {
        page.found("check", &json!({ "setting": solo(&json!({})), "kind": kind, "name": name, "text": text }))
    };
    // Places are counted in units of 16 bits, of which one character may have two.
    let wrong = MINE.replace("game =", "# 🎲\ngame =").replace("turn_total", "turn_totl");
    let problem = &check("policy", "mine.toml", &wrong)["problems"][0];
    let units: Vec<u16> = wrong.encode_utf16().collect();
    let at = |name: &str| usize::try_from(problem[name].as_u64().expect("a place")).expect("a place");
    assert_eq!(String::from_utf16_lossy(&units[at("from")..at("to")]), "turn_totl");
    assert_eq!((&problem["line"], &problem["help"]), (&5.into(), &"did you mean `turn_total`?".into()));
    assert_eq!(check("policy", "mine.toml", MINE)["problems"], json!([]));
    assert_eq!(check("game", "x.game", "game x\noptoin a = 1\n")["problems"][0]["line"], 2);
    // What is hardly meant is asked for by itself.
    let text = page.found("game", &json!({ "setting": { "game": "toss-up" } }))["text"].clone();
    let text = text.as_str().expect("a text").replacen("\nplayer ", "\nplayer spare = 1 in 0..5\nplayer ", 1);
    let asked = json!({ "setting": solo(&json!({})), "kind": "game", "name": "x.game", "text": text });
    let doubts = &page.found("warnings", &asked)["problems"];
    assert!(doubts.to_string().contains("`spare`"), "{doubts}");
    assert_eq!(
        check("rules", "r.toml", "game = \"pig\"\nname = \"r\"\nbase = \"solo\"\ngoal = 0\n")["problems"][0]
            ["line"],
        4
    );
    assert_eq!(page.end(), Some(130));
}

/// A text that is no game yet is told with its text, so that it can be mended; the page may begin with it.
#[test]
fn a_game_with_mistakes_is_opened() {
    const WRONG: &str = "game wrong\noptoin a = 1\n";
    let folder = scratch("serving-wrong");
    fs::write(folder.join("wrong.game"), WRONG).expect("it can be written");
    let page = Page::open_in(folder, &["wrong"]);
    assert_eq!(page.found("games", &json!({}))["begin"], "wrong.game");
    let told = page.found("game", &json!({ "setting": { "game": "wrong.game" } }));
    assert_eq!(
        (&told["text"], &told["name"], &told["policies"]),
        (&WRONG.into(), &"wrong".into(), &json!([]))
    );
    assert!(told["broken"].as_str().is_some_and(|why| why.contains("optoin")), "{told}");
    // Under rules that it does not know, too; of what is no file here there is nothing to mend.
    let told = page
        .found("game", &json!({ "setting": { "game": "wrong.game", "rules": "none", "set": { "b": "2" } } }));
    assert_eq!(told["text"], WRONG);
    assert_eq!(page.refused("game", &json!({ "setting": { "game": "none.game" } })).0, 422);
    assert_eq!(page.refused("picture", &json!({ "setting": { "game": "wrong.game" }, "trials": 10 })).0, 422);
    assert_eq!(page.end(), Some(130));
}

/// A game at the page's table is a trial as the program tells it, and advice is that of `advise`.
#[test]
fn a_game_of_a_person() {
    let page = Page::open("serving-table");
    let setting =
        json!({ "game": "pig", "rules": "solo", "set": { "goal": "30" }, "policies": [{ "name": "hold" }] });
    let sitting = |answers: &[i64]| json!({ "setting": setting, "seat": 0, "trial": 3, "answers": answers });
    let mut answers = Vec::new();
    let over = loop {
        let found = page.found("table", &sitting(&answers));
        if found["asked"].is_null() {
            break found;
        }
        let choices = found["asked"]["choices"].as_array().expect("choices");
        assert_eq!(choices.len(), 2, "{found}");
        if answers.is_empty() {
            let position = found["asked"]["position"].as_str().expect("a position");
            let worth = page.found("worth", &sitting(&answers));
            let mut command = program(&page.folder);
            command
                .args("advise pig --rules solo --set goal=30 --format json --state".split(' '))
                .arg(position);
            let advised = crate::common::Ran::new(command.output().expect("the program starts")).json();
            let best = advised["best"].as_str().expect("a best choice");
            let answer = worth["answer"][0].as_str().expect("an answer");
            assert!(answer.starts_with(&format!("Best is “{best}”")), "{answer}, {best}");
        }
        // Three rolls, then hold: the second choice.
        let at = usize::from(answers.len() % 4 == 3);
        answers.push(choices[at]["action"].as_i64().expect("a number"));
        assert!(answers.len() < 200);
    };
    assert_eq!(over["over"]["ending"], "somebody reached the goal");
    // As the telling ends: "you: score 12, turns 12, …".
    let line = over["text"].as_str().expect("a text").lines().find(|line| line.starts_with("you: "));
    let score = line.and_then(|line| line.strip_prefix("you: score ")?.split(',').next()).expect("a score");
    assert_eq!(over["over"]["said"], format!("Your score: {score} turns"));
    let row = over["over"]["table"]["rows"][0].as_array().expect("a row");
    assert_eq!(row[..2], [json!("1 · you"), json!(score)]);
    let review = page.found("review", &sitting(&answers));
    let review = review["review"].as_str().expect("a review");
    assert!(review.contains(&format!("{} decisions", answers.len())) && review.contains("Luck"), "{review}");

    // The same answers as a policy, told by the program.
    let own = format!("game = \"pig\"\nname = \"you\"\nsummary = \"Mine.\"\nanswers = {answers:?}\n");
    fs::write(page.folder.join("you.toml"), own).expect("it can be written");
    let told = good(&page.folder, "replay pig --rules solo --set goal=30 -p you.toml --trial 3").stdout;
    let ends = |text: &str| {
        text.lines().filter(|line| line.starts_with("you: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ends(over["text"].as_str().expect("a text")), ends(&told));

    for wrong in [&[63_i64][..], &[0; 10_001]] {
        assert_eq!(page.refused("table", &sitting(wrong)).0, 422);
    }
    let nobody = json!({ "setting": setting, "seat": 1, "trial": 3, "answers": [] });
    assert_eq!(page.refused("table", &nobody).0, 422);
    assert_eq!(page.end(), Some(130));
}

/// Who has won is what the telling says of the seats, from every seat; answers are said in the words of their question, and
/// what a text shows comes before its variables.
/// Best play that was kept plays and gives advice, however many positions it knows, as far as there is memory.
#[test]
fn kept_values_of_many_positions_are_read() {
    let folder = scratch("serving-kept");
    good(&folder, "solve pig --out best -q");
    let best = folder.join("best");
    let size = fs::metadata(best.join("values.bin")).expect("it is kept").len();
    assert!(size > 8 << 20, "{size}");
    let page = Page::open_in(best.clone(), &["--threads", "2"]);
    let setting = json!({ "game": "pig", "policies": [{ "name": "policy.toml" }] });
    let asked = json!({ "setting": setting, "seat": 0, "trial": 1, "answers": [] });
    let found = page.found("worth", &asked);
    assert!(found["tables"][0]["rows"].as_array().is_some_and(|rows| rows.len() == 2), "{found}");
    let picture =
        page.found("picture", &json!({ "setting": setting, "trials": 200, "whose": 0, "seconds": 8 }));
    assert_eq!(picture["trials"], 200);
    assert_eq!(page.end(), Some(130));
    let page = Page::open_in(best, &["--threads", "2", "--max-memory", "200M"]);
    let (status, why) = page.refused("table", &asked);
    let said = format!("--max-memory {}M", (size * 32).div_ceil(1_000_000));
    assert!(status == 422 && why.contains("values.bin has 15.7 MB") && why.contains(&said), "{why}");
    assert_eq!(page.end(), Some(130));
}

#[test]
fn a_game_of_a_person_among_several() {
    let page = Page::open("serving-several");
    let setting = json!({ "game": "flip-7", "rules": "duel", "policies": [{ "name": "two-cards" }] });
    let (mut heard, mut has_hands) = (Vec::new(), false);
    for trial in 0..6 {
        let mut answers: Vec<i64> = Vec::new();
        let over = loop {
            let found = page.found(
                "table",
                &json!({ "setting": setting, "seat": trial % 2, "trial": trial, "answers": answers }),
            );
            if found["asked"].is_null() {
                break found;
            }
            let (asked, choices) = (&found["asked"], found["asked"]["choices"].as_array().expect("choices"));
            if asked["meaning"] == "stay" {
                assert_eq!(
                    (&choices[0]["name"], &choices[1]["name"]),
                    (&json!("do not stay"), &json!("stay"))
                );
                let names = |list: &Value| -> Vec<String> {
                    let places = list.as_array().expect("places").iter();
                    places.map(|place| place[0].as_str().expect("a name").to_owned()).collect()
                };
                // A row for each player, with what all have; decks are for those who look for them.
                let scene = &asked["scene"];
                let (players, long) = (&scene["grids"][0], names(&scene["long"]));
                let has = |name: &str| {
                    players["columns"].as_array().is_some_and(|columns| columns.contains(&name.into()))
                };
                assert!(has("score") && has("active") && !has("pile"), "{players}");
                // Where nobody has a card yet there are no hands.
                has_hands |= has("hand");
                let rows = players["rows"].as_array().expect("rows").iter();
                let plays: Vec<_> = rows.map(|row| (row["name"].clone(), row["play"] == true)).collect();
                let expected = |seat: usize| (json!(format!("seat {}", seat + 1)), seat == trial % 2);
                assert_eq!(plays, [expected(0), expected(1)]);
                assert!(long.contains(&"pile".into()), "{long:?}");
                assert!(names(&scene["notes"]).contains(&"deadly".into()), "{scene}");
            }
            // One stays at once, and later at every fourth question.
            let at = if trial < 3 || answers.len() % 4 == 3 { choices.len() - 1 } else { 0 };
            answers.push(choices[at]["action"].as_i64().expect("a number"));
            assert!(answers.len() < 500);
        };
        let text = over["text"].as_str().expect("a text");
        let has_won = |seat: usize| {
            text.lines()
                .any(|line| line.starts_with(&format!("Seat {}", seat + 1)) && line.contains(": win 1,"))
        };
        let said = over["over"]["said"].as_str().expect("a sentence");
        let expected = match (has_won(trial % 2), has_won(1 - trial % 2)) {
            (true, false) => "You have won",
            (false, true) => "You have lost to seat ",
            (true, true) => "You have won, together with seat ",
            (false, false) => "Nobody has won",
        };
        assert!(said.starts_with(expected), "{said}: {text}");
        heard.push(expected);
    }
    heard.sort_unstable();
    heard.dedup();
    assert!(heard.len() > 1 && has_hands, "{heard:?}");
    assert_eq!(page.end(), Some(130));
}

/// A game that is only written on the page is played; what is kept plays the same again.
#[test]
fn texts_of_the_page_are_played_and_kept() {
    let page = Page::open("serving-texts");
    let game = page.found("game", &json!({ "setting": { "game": "toss-up" } }));
    let text = game["text"].as_str().expect("a text").replacen("game toss-up", "game mine", 1);
    let policy = game["policies"][0]["text"].as_str().expect("a text").replace("toss-up", "mine");
    // It comes without a policy: there is a first one, which plays.
    let told =
        page.found("game", &json!({ "setting": { "game": "mine.game", "texts": { "mine.game": text } } }));
    let texts = json!({ "mine.game": text, "first.toml": told["first"] });
    let first = json!({ "game": "mine.game", "policies": [{ "name": "first.toml" }], "texts": texts });
    page.found("picture", &json!({ "setting": first, "trials": 100 }));
    let setting = json!({
        "game": "mine.game", "policies": [{ "name": "own.toml" }], "texts": { "mine.game": text, "own.toml": policy },
    });
    let found = page.found("picture", &json!({ "setting": setting, "trials": 500 }));
    for (name, text) in [("mine.game", &text), ("own.toml", &policy)] {
        page.found("save", &json!({ "name": name, "text": text }));
        assert_eq!(read(&page.folder.join(name)), *text);
    }
    let command =
        found["command"].as_str().and_then(|line| line.strip_prefix("stopwise ")).expect("a command");
    let told = good(&page.folder, &format!("{command} --format json")).json();
    assert_eq!(told["means"][0]["mean"], {
        let figures = found["figures"].as_array().expect("figures");
        figures.iter().find(|one| one["key"] == told["means"][0]["metric"]).expect("a figure")["value"]
            .clone()
    });

    let setting = solo(&json!({ "goal": "50" }));
    for (what, name) in [("rules", "kept-rules.toml"), ("policy", "kept.toml")] {
        let kept = page.found("keep", &json!({ "setting": setting, "what": what, "name": "kept-rules" }));
        page.found("save", &json!({ "name": name, "text": kept["text"] }));
    }
    let means = |line: &str| good(&page.folder, line).json()["means"][0]["mean"].clone();
    assert_eq!(
        means("simulate pig --rules kept-rules.toml -p kept.toml -n 500 --format json"),
        means("simulate pig --rules solo --set goal=50 -p hold:n=25 -n 500 --format json")
    );
    let listed = page.found("files", &json!({}));
    let listed: Vec<_> = listed["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| (&file["name"], &file["kind"]))
        .collect();
    let expected = [
        ("kept-rules.toml", "rules"),
        ("kept.toml", "policy"),
        ("mine.game", "game"),
        ("mine.toml", "policy"),
        ("own.toml", "policy"),
    ];
    assert_eq!(
        format!("{listed:?}").replace("String(", "").replace(')', ""),
        format!("{expected:?}").replace(')', "")
    );
    assert_eq!(page.end(), Some(130));
}

#[test]
fn nothing_else_is_read_or_written() {
    let page = Page::open("serving-files");
    let outside = page.folder.with_file_name("serving-outside.toml");
    fs::write(&outside, MINE).expect("it can be written");
    let before = entries(&page.folder);
    let absolute = outside.display().to_string();
    for place in ["../serving-outside.toml", &absolute, "none.toml"] {
        let setting = json!({ "game": "pig", "policies": [{ "name": place }] });
        let (status, why) = page.refused("picture", &json!({ "setting": setting, "trials": 10 }));
        assert_eq!(
            (status, why.ends_with("is none of the files that may be read here")),
            (422, true),
            "{why}"
        );
        let (status, _) = page.refused(
            "save",
            &json!({ "name": place.replace("none", ".none"), "text": "x", "replace": true }),
        );
        assert_eq!(status, 422, "{place}");
    }
    let (status, why) = page.refused("save", &json!({ "name": "mine.toml", "text": "x" }));
    assert_eq!((status, &*why), (412, "there is a file mine.toml already"));
    assert_eq!((read(&page.folder.join("mine.toml")), read(&outside)), (MINE.into(), MINE.into()));
    assert_eq!(entries(&page.folder), before);
    assert_eq!(page.refused("none", &json!({})).0, 404);
    assert_eq!(page.refused("picture", &json!({})).0, 400);
    assert_eq!(page.end(), Some(130));
}

/// Listening on all of the machine, the page tells by which address others have it, and answers to it.
#[test]
fn others_are_told_an_address() {
    let folder = scratch("serving-others");
    let mut command = program(&folder);
    command.args(["serve", "--port", "0", "--host", "0.0.0.0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running::of(command);
    let mut line = String::new();
    BufReader::new(running.child().stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
    let near = line.trim().strip_prefix("http://").expect("an address").trim_end_matches('/').to_owned();
    let (host, token) = near.split_once('/').expect("a word");
    let mut told =
        BufReader::new(running.child().stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let mut far = None;
    let warning = told.find(|line| {
        far = far.take().or_else(|| line.split_once("open http://").map(|(_, address)| address.to_owned()));
        line.starts_with("warning: others on the network")
    });
    assert!(warning.is_some_and(|line| line.contains("can use the page, and save files here")));
    // A machine without a network has none.
    if let Some(far) = far {
        let (name, word) = far.trim_end_matches('/').split_once('/').expect("a word");
        assert_eq!((word, name.rsplit(':').next()), (token, host.rsplit(':').next()));
        let mut stream = TcpStream::connect(host).expect("it listens");
        let asked = format!("GET /{token}/ HTTP/1.1\r\nhost: {name}\r\nconnection: close\r\n\r\n");
        stream.write_all(asked.as_bytes()).expect("it is read");
        let mut heard = String::new();
        stream.read_to_string(&mut heard).expect("an answer");
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
    }
    running.interrupt();
    assert_eq!(running.child().wait().expect("it ends").code(), Some(130));
}

#[test]
fn threads_are_shared() {
    let mut page = Page::open_with("serving-threads", &["--threads", "1"]);
    let asked = json!({ "setting": { "game": "pig", "policies": [{ "name": "hold" }] }, "trials": 400_000 });
    let (before, begun) = (work(page.running.child()), Instant::now());
    thread::scope(|scope| {
        let answers: Vec<_> =
            (0..6).map(|_| scope.spawn(|| page.found("picture", &asked)["figures"].clone())).collect();
        let answers: Vec<_> =
            answers.into_iter().map(|answer| answer.join().expect("it is answered")).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    });
    let passed = begun.elapsed().as_secs_f64();
    if let (Some(before), Some(after)) = (before, work(page.running.child())) {
        let taken = (after - before) as f64 / 100.0;
        assert!(taken < 1.2 * passed + 0.1, "{taken} s of processors in {passed} s");
    }
    assert_eq!(page.end(), Some(130));
}

/// What is soon told does not wait for what takes long.
#[test]
fn what_takes_long_is_in_nobodys_way() {
    let page = Page::open("serving-long");
    let long = json!({ "setting": { "game": "yahtzee", "policies": [{ "name": "over-par" }] }, "trials": 5_000_000 });
    let long = long.to_string();
    let head = page.head("picture", &long);
    let mut streams: Vec<_> = (0..4).map(|_| TcpStream::connect(&page.host).expect("it listens")).collect();
    for stream in &mut streams {
        stream.write_all((head.clone() + &long).as_bytes()).expect("it is read");
    }
    thread::sleep(Duration::from_millis(200));
    let begun = Instant::now();
    page.found("picture", &json!({ "setting": solo(&json!({})), "trials": 100 }));
    page.found(
        "check",
        &json!({ "setting": solo(&json!({})), "kind": "policy", "name": "mine.toml", "text": MINE }),
    );
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    for stream in &streams {
        stream.set_nonblocking(true).expect("it can be set");
        let answered = stream.peek(&mut [0]);
        assert!(answered.is_err_and(|error| error.kind() == ErrorKind::WouldBlock), "it did not take long");
    }
    drop(streams);
    assert_eq!(page.end(), Some(130));
}

/// A page that takes too much memory says so, and goes on.
#[test]
fn memory_has_an_end() {
    let page = Page::open_with("serving-memory", &["--max-memory", "1M"]);
    if Path::new("/proc/self/status").exists() {
        let (status, why) = page.refused("games", &json!({}));
        assert!(
            status == 503 && why.starts_with("The page takes ") && why.contains("more than the 1.0 MB"),
            "{why}"
        );
    }
    assert_eq!(page.end(), Some(130));

    // Of what is left each answer has its share: a game that needs more is not solved but played.
    for (most, way) in [("80M", "From 2,000 games"), ("4G", "Exact")] {
        let page = Page::open_with("serving-share", &["--max-memory", most]);
        let setting = json!({ "game": "pig", "policies": [{ "name": "hold" }] });
        let found = page.found("worth", &json!({ "setting": setting, "seat": 0, "trial": 3, "answers": [] }));
        assert!(found["notes"][0].as_str().is_some_and(|note| note.starts_with(way)), "{most}: {found}");
        assert_eq!(page.end(), Some(130));
    }
}

#[test]
fn what_cannot_be_served_is_refused() {
    let page = Page::open("serving-refused");
    let folder = page.folder.clone();
    let (_, port) = page.host.rsplit_once(':').expect("a port");
    for (line, code, message) in [
        ("serve --threads 0", 2, "--threads 0: write a number from 1 to"),
        ("serve --host evil.example", 2, "invalid value 'evil.example'"),
        ("serve --port 70000", 2, "70000"),
        ("serve none.game", 2, "there is no such game, and no such file here"),
        ("serve ../pig.game", 2, "start it in the one of that file"),
        (&*format!("serve --port {port}"), 1, "--port 0 takes any port that is free"),
    ] {
        let ran = run(&folder, line);
        assert!(
            ran.code == Some(code) && ran.stderr.contains(message),
            "{line}: {:?} {}",
            ran.code,
            ran.stderr
        );
    }
    assert_eq!(page.end(), Some(130));
}
