//! Texts of the page, and games of a person at it.

use std::fs;

use serde_json::{Value, json};

use super::{MINE, Page, solo};
use crate::common::{good, program, read, scratch};

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
    // A score of so many turns.
    let text = over["text"].as_str().expect("a text");
    let turns = text.lines().filter(|line| line.starts_with("Turn ")).count();
    let said = format!("Your score: {turns} turns");
    assert_eq!(over["over"]["said"], said);
    assert!(text.lines().any(|line| line == format!("{said}.")), "{text}");
    let (table, rolls) = (&over["over"]["table"], text.matches("rolls a ").count());
    let at = table["columns"]
        .as_array()
        .and_then(|columns| columns.iter().position(|column| column["text"] == "rolls"));
    let row = table["rows"][0].as_array().expect("a row");
    assert_eq!((&row[0], &row[at.expect("a column")]), (&json!("1 · you"), &json!(rolls.to_string())));
    let review = page.found("review", &sitting(&answers));
    let review = review["review"].as_str().expect("a review");
    assert!(review.contains(&format!("{} decisions", answers.len())) && review.contains("Luck"), "{review}");

    // The same answers as a policy, told by the program.
    let own = format!("game = \"pig\"\nname = \"you\"\nsummary = \"Mine.\"\nanswers = {answers:?}\n");
    fs::write(page.folder.join("you.toml"), own).expect("it can be written");
    let told = good(&page.folder, "replay pig --rules solo --set goal=30 -p you.toml --trial 3").stdout;
    let ends = format!("you: score {turns}, turns {turns}, rolls {rolls}, ");
    assert!(told.lines().any(|line| line.starts_with(&ends)), "{ends}: {told}");

    for wrong in [&[63_i64][..], &[0; 10_001]] {
        assert_eq!(page.refused("table", &sitting(wrong)).0, 422);
    }
    let nobody = json!({ "setting": setting, "seat": 1, "trial": 3, "answers": [] });
    assert_eq!(page.refused("table", &nobody).0, 422);
    assert_eq!(page.end(), Some(130));
}

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
    let page = Page::open_in(best, &["--threads", "2", "--max-memory", "60M"]);
    let (status, why) = page.refused("table", &asked);
    let said = format!("--max-memory {}M", (size * 4).div_ceil(1_000_000));
    assert!(status == 422 && why.contains("values.bin has 15.7 MB") && why.contains(&said), "{why}");
    assert_eq!(page.end(), Some(130));
}

/// Two answers of one effect are no choice, and the page is told what was answered: 1, 4, 4, 4 are 5 and 8 in either order.
#[test]
fn answers_of_one_effect_are_given() {
    let page = Page::open("serving-one-effect");
    let setting = json!({ "game": "cant-stop", "policies": [{ "name": "three-runners" }] });
    let sitting = |answers| json!({ "setting": setting, "seat": 0, "trial": 29, "answers": answers });
    let found = page.found("table", &sitting(json!([])));
    assert_eq!(
        (found["answers"].as_array().map(Vec::len), &found["asked"]["meaning"]),
        (Some(1), &json!("stop"))
    );
    assert_eq!(page.found("table", &sitting(found["answers"].clone())), found);
    assert_eq!(page.end(), Some(130));
}

/// Who has won is what the telling says of the seats, from every seat; answers are said in the words of their question, and
/// what a text shows comes before its variables.
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
                let pile =
                    scene["places"].as_array().expect("places").iter().find(|place| place[0] == "pile");
                assert!(
                    pile.is_some_and(|pile| pile[1].as_str().is_some_and(|what| what.ends_with(" kinds")))
                );
                assert!(names(&scene["notes"]).contains(&"deadly".into()), "{scene}");
            }
            // One stays at once, and later at every fourth question.
            let at = if trial < 3 || answers.len() % 4 == 3 { choices.len() - 1 } else { 0 };
            answers.push(choices[at]["action"].as_i64().expect("a number"));
            assert!(answers.len() < 500);
        };
        let text = over["text"].as_str().expect("a text");
        // Who has the most points at the end, alone or with others.
        let points =
            text.rsplit_once("\n      score: ").and_then(|(_, points)| points.split(" points").next());
        let points: Vec<u64> = points.map_or_else(Vec::new, |points| {
            points.split(" : ").map(|points| points.parse().expect("a number")).collect()
        });
        let has_won = |seat: usize| points[seat] >= points[1 - seat];
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
    // Several may win this game together.
    let of = |list: &Value, key: &str| {
        let list = list.as_array().expect("a list").clone();
        list.into_iter().find(|one| one[key] == "share").expect("a share")
    };
    assert_eq!(of(&told["means"], "metric")["mean"], of(&found["figures"], "key")["value"]);

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
