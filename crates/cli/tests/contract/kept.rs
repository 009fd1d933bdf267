//! Best play, kept: a policy like others.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use stopwise::library::{Call, ask_words, json};

use crate::common::parquet::parquet;
use crate::common::{Row, good, number, read, rows, run, scratch};

/// A small game of each kind: in Rust and as text, with positions that return and without, for one and for two.
const GAMES: [&str; 7] = [
    "pig --rules solo",
    "pig --set goal=20",
    "carbonite --set colours=2 --set turns=3",
    "carcassonne --set dice=3 --set goal=2",
    "carcassonne --rules solo-knight --set dice=4 --set turns=3 --set knights_needed=2",
    "twenty-one",
    "toss-up --set players=1 --set goal=12",
];

#[test]
fn every_game_keeps_its_best_play() {
    let folder = scratch("kept-games");
    for (at, game) in GAMES.into_iter().enumerate() {
        let solved = good(&folder, &format!("solve {game} --out best{at} --format json")).json();
        let kept: Value =
            serde_json::from_str(&read(&folder.join(format!("best{at}/solution.json")))).expect("JSON");
        for field in ["value", "error", "states"] {
            assert_eq!(kept[field], solved[field], "{game}: {field}");
        }
        assert!(kept["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{game}");

        let line = format!("simulate {game} -p best{at}/policy.toml -n 20k --format csv");
        let csv = good(&folder, &line).stdout;
        assert_eq!(good(&folder, &format!("{line} --runner trial")).stdout, csv, "{game}");
        let row = &rows(&csv)[0];
        let (value, error) = (kept["value"].as_f64().expect("a number"), number(row, "std_error"));
        // Five standard errors, of one seed.
        assert!((number(row, "mean") - value).abs() <= 5.0 * error + 1e-9, "{game}: {csv}");
        for line in
            [format!("policy check best{at}/policy.toml"), format!("policy explain best{at}/policy.toml")]
        {
            let said = good(&folder, &line).stdout;
            assert!(said.starts_with("best-play (") || said.contains(" (best-play)"), "{game}: {said}");
        }
    }
}

/// Commands besides `simulate`.
#[test]
fn every_command_takes_it() {
    let folder = scratch("kept-commands");
    good(&folder, "solve pig --rules solo --out best -q");
    good(&folder, "solve pig --set goal=20 --out two -q");
    let best = "-p best/policy.toml";
    for line in [
        format!("compare pig --rules solo {best} -p hold -n 2k"),
        format!("rank pig --rules solo {best} -p hold -p hold:n=25 -n 2k"),
        "sweep pig --set goal=20 -p two/policy.toml -p hold --vary 2.n=8,10 -n 2k".into(),
        format!("replay pig --rules solo {best}"),
        format!("solve pig --rules solo {best}"),
        format!("simulate pig --rules solo {best} -n 2k --out out"),
        format!("simulate pig --rules solo {best} -n 2k --shard 1/2 --out part1"),
        format!("simulate pig --rules solo {best} -n 2k --shard 2/2 --out part2"),
    ] {
        let stdout = good(&folder, &line).stdout;
        assert!(stdout.contains("best-play") || line.contains("--shard"), "{line}\n{stdout}");
    }
    assert!(
        good(&folder, &format!("replay pig --rules solo {best}")).stdout.contains("the best in the table")
    );
    let regret = good(&folder, &format!("solve pig --rules solo {best} --format csv")).stdout;
    assert!(number(&rows(&regret)[1], "regret").abs() < 1e-9, "{regret}");
    // Parts know the values that they were played with.
    fs::remove_dir_all(folder.join("best")).expect("it was written");
    good(&folder, "merge part1 part2 --out whole -q");
    assert_eq!(read(&folder.join("whole/summary.csv")), read(&folder.join("out/summary.csv")));
}

/// Of a game that is solved turn by turn, as so few states are allowed: the walk finds the same.
#[test]
fn turns_are_kept() {
    let folder = scratch("kept-turns");
    let game = "carcassonne --set dice=4 --set goal=3 --set knights_needed=1";
    let table = "--table keep:largest,doubled";
    let solved = good(&folder, &format!("solve {game} --max-states 20k {table} --out best"));
    assert!(solved.stdout.contains("between turns; solved turn by turn"), "{}", solved.stdout);
    assert!(solved.stdout.contains("keep by largest (down) and doubled (across)"), "{}", solved.stdout);
    let best = "-p best/policy.toml";
    let walked = good(&folder, &format!("solve {game} {best} --format csv")).stdout;
    let (value, regret) = (number(&rows(&walked)[0], "value"), number(&rows(&walked)[1], "regret"));
    assert!(regret.abs() < 1e-9, "{walked}");
    let solution: Value = serde_json::from_str(&read(&folder.join("best/solution.json"))).expect("JSON");
    assert!((solution["value"].as_f64().expect("a number") - value).abs() < 1e-9, "{solution}");

    let csv = good(&folder, &format!("simulate {game} {best} -n 20k --format csv")).stdout;
    let one = good(&folder, &format!("simulate {game} {best} -n 20k --format csv --threads 1")).stdout;
    assert_eq!(csv, one, "whoever evaluates a turn");
    let row = &rows(&csv)[0];
    assert!((number(row, "mean") - value).abs() <= 5.0 * number(row, "std_error"), "{csv}");
    for line in [
        format!("compare {game} {best} -p builder -n 2k"),
        format!("rank {game} {best} -p builder -p one -n 1k"),
        format!("sweep {game} {best} -p builder --vary 2.now=5,6 -n 1k"),
        format!("replay {game} {best}"),
        "policy explain best/policy.toml".into(),
        "policy check best/policy.toml".into(),
    ] {
        let ran = good(&folder, &line);
        assert!(ran.stdout.contains("best-play") && !ran.stderr.contains("never says yes"), "{line}");
    }
    // Advice from what is kept, and from the walk.
    let position = "--trial 3 --format csv";
    let advice = |line: &str| rows(&good(&folder, &format!("advise {game} {line} {position}")).stdout);
    let (kept, walked) = (advice(best), advice(&format!("{best} --by exact")));
    assert!(kept.len() == walked.len() && kept.len() > 1, "{kept:?}");
    for (kept, walked) in kept.iter().zip(&walked) {
        assert!((number(kept, "value") - number(walked, "value")).abs() < 1e-9, "{kept:?} {walked:?}");
    }

    let line = format!("simulate {game} {best} -n 100");
    refused(&folder, &format!("{line} --set rolls=2"), &["for other rules: `two+"]);
    let values = folder.join("best/values.bin");
    let bytes = fs::read(&values).expect("it was written");
    for damaged in [bytes[..bytes.len() - 16].to_vec(), [&bytes[..15], &[1], &bytes[16..]].concat()] {
        fs::write(&values, damaged).expect("a file");
        refused(&folder, &line, &["cut short, or is damaged", "write it anew: stopwise solve carcassonne"]);
    }
    good(&folder, &format!("solve {game} --out walked -q"));
    fs::copy(folder.join("walked/values.bin"), &values).expect("a file");
    refused(&folder, &line, &["is not the one that this text was written with"]);
}

/// A library gives back what it has read, and takes it again in place of files.
#[test]
fn it_travels_by_content() {
    let folder = scratch("kept-library");
    good(&folder, "solve pig --rules solo --out best -q");
    let policy = folder.join("best/policy.toml");
    let words = ["simulate", "pig", "--rules", "solo", "-n", "2k", "-p", policy.to_str().expect("UTF-8")];
    let ask = |texts: BTreeMap<String, String>| {
        ask_words(words.iter().map(Into::into).collect(), Call { texts, ..Call::default() })
    };
    let found = ask(BTreeMap::new()).expect("it plays");
    fs::remove_dir_all(folder.join("best")).expect("it was written");
    assert_eq!(found.texts.len(), 2);
    let again = ask(found.texts.clone()).expect("it plays");
    let document = |found: stopwise::library::Found| json(&found.report.expect("a document")).expect("JSON");
    assert_eq!(document(found), document(again));
}

/// The same of a text, which tells by itself what outlasts a turn.
#[test]
fn turns_of_texts_are_kept() {
    let folder = scratch("kept-text-turns");
    let game = "yahtzee --rules two-boxes --set needed=6";
    let table = "--table stop:best_over,most_alike";
    let solved = good(&folder, &format!("solve {game} --max-states 300 {table} -p alike --out best"));
    assert!(solved.stdout.contains("between turns; solved turn by turn"), "{}", solved.stdout);
    assert!(solved.stdout.contains("stop by best over (down) and most alike (across)"), "{}", solved.stdout);
    let best = "-p best/policy.toml";
    let walked = good(&folder, &format!("solve {game} {best} -p alike --format csv")).stdout;
    let walked = rows(&walked);
    let turns = rows(&read(&folder.join("best/solution.csv")));
    for (walked, turns) in [(&walked[0], &turns[0]), (&walked[2], &turns[1])] {
        assert!((number(walked, "value") - number(turns, "value")).abs() < 1e-9, "{walked:?} {turns:?}");
    }
    assert!(number(&walked[1], "regret").abs() < 1e-9, "{walked:?}");
    let again = good(&folder, &format!("solve {game} --max-states 300 {best} --format csv")).stdout;
    assert!(number(&rows(&again)[1], "regret").abs() < 1e-9, "{again}");
    let regret = rows(&read(&folder.join("best/regret.csv")));
    let lost: f64 = regret.iter().map(|row| number(row, "regret")).sum();
    assert!((lost - number(&turns[1], "regret")).abs() < 1e-9 && lost > 0.1, "{regret:?}");

    let csv = good(&folder, &format!("simulate {game} {best} -n 20k --format csv")).stdout;
    let one = good(&folder, &format!("simulate {game} {best} -n 20k --format csv --threads 1")).stdout;
    assert_eq!(csv, one, "whoever evaluates a turn");
    let row = &rows(&csv)[0];
    let off = (number(row, "mean") - number(&turns[0], "value")).abs();
    assert!(off <= 5.0 * number(row, "std_error"), "{csv}");
    for line in [
        format!("compare {game} {best} -p over-par -n 2k"),
        format!("rank {game} {best} -p over-par -p alike -n 1k"),
        format!("replay {game} {best}"),
        "policy explain best/policy.toml".into(),
    ] {
        assert!(good(&folder, &line).stdout.contains("best-play"), "{line}");
    }
    let advice =
        |line: &str| rows(&good(&folder, &format!("advise {game} {line} --trial 3 --format csv")).stdout);
    let (kept, walked) = (advice(best), advice(&format!("{best} --by exact")));
    assert!(kept.len() == walked.len() && kept.len() > 1, "{kept:?}");
    for (kept, walked) in kept.iter().zip(&walked) {
        assert!((number(kept, "value") - number(walked, "value")).abs() < 1e-9, "{kept:?} {walked:?}");
    }
    let others = "simulate yahtzee --rules two-boxes -p best/policy.toml -n 100";
    refused(&folder, others, &["for other rules: `two-boxes+needed=6`"]);
    let values = folder.join("best/values.bin");
    let bytes = fs::read(&values).expect("it was written");
    fs::write(&values, &bytes[..bytes.len() - 16]).expect("a file");
    let line = format!("simulate {game} {best} -n 100");
    refused(&folder, &line, &["cut short, or is damaged", "write it anew: stopwise solve yahtzee"]);
}

/// A policy in a game for two is valued by a walk: what is too large for it is refused before it is solved turn by turn.
#[test]
fn policies_are_refused_first() {
    let folder = scratch("kept-refused-first");
    let line = "solve carcassonne -p builder";
    refused(
        &folder,
        line,
        &["as the rules tell", "leave --policy out", "simulate carcassonne -p DIR/policy.toml"],
    );
}

fn refused(folder: &Path, line: &str, words: &[&str]) {
    let ran = run(folder, line);
    assert_eq!(ran.code, Some(2), "{line}\n{}{}", ran.stdout, ran.stderr);
    assert!(words.iter().all(|word| ran.stderr.contains(word)), "{line}\n{}", ran.stderr);
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = scratch("kept-refused");
    good(&folder, "solve pig --rules solo --set goal=30 --out best -q");
    let line = "simulate pig --rules solo --set goal=30 -n 100 -p best/policy.toml";
    for rules in ["--rules solo", "--rules standard", "--rules solo --set goal=31"] {
        let line = format!("simulate pig {rules} -n 100 -p best/policy.toml");
        refused(&folder, &line, &["for other rules: `solo+goal=30`", "stopwise solve pig"]);
    }
    refused(&folder, "simulate farkle -n 100 -p best/policy.toml", &["for the game `pig`"]);
    let values = folder.join("best/values.bin");
    let bytes = fs::read(&values).expect("it was written");
    for (damaged, said) in [
        (bytes[..bytes.len() - 16].to_vec(), "cut short, or is damaged"),
        (bytes[..40].to_vec(), "cut short, or is damaged"),
        (b"no such thing".to_vec(), "no table of values"),
        ([&bytes[..15], &[3], &bytes[16..]].concat(), "another version"),
        ([&bytes[..200], &[bytes[200] ^ 1], &bytes[201..]].concat(), "cut short, or is damaged"),
    ] {
        fs::write(&values, damaged).expect("a file");
        refused(&folder, line, &[said, "write it anew: stopwise solve pig"]);
    }
    // That of another run.
    good(&folder, "solve pig --rules solo --set goal=30 --metric turns --out turns -q");
    fs::copy(folder.join("turns/values.bin"), &values).expect("a file");
    refused(&folder, line, &["other rules"]);
    fs::remove_file(&values).expect("a file");
    refused(&folder, line, &["`values.bin` of values is not there", "write both anew"]);
    // A policy is what people call theirs, too.
    fs::create_dir(folder.join("mine")).expect("a folder");
    fs::write(folder.join("mine/policy.toml"), "name = \"mine\"\n").expect("a file");
    refused(&folder, "solve pig --rules piglet --out mine", &["`policy.toml`", "has not written", "--force"]);
    assert_eq!(read(&folder.join("mine/policy.toml")), "name = \"mine\"\n");
    good(&folder, "solve pig --rules piglet --out mine --force");
    good(&folder, "solve pig --rules piglet --out mine");
}

/// In the order in which they are listed where they are few.
#[test]
fn as_many_positions_are_listed_as_are_asked_for() {
    let folder = scratch("kept-positions");
    let file = |line: &str, out: &str| {
        good(&folder, &format!("solve {line} --out {out} -q"));
        read(&folder.join(format!("{out}/solution_positions.csv")))
    };
    let few = file("pig --rules piglet", "few");
    assert_eq!(file("pig --rules piglet --positions all", "all"), few);
    assert_eq!(file("pig --rules piglet --positions 1G", "many"), few);
    let told = file("pig --set goal=42 --positions all", "pig");
    let all = rows(&told);
    let solution: Value = serde_json::from_str(&read(&folder.join("pig/solution.json"))).expect("JSON");
    let positions: std::collections::BTreeSet<_> =
        all.iter().filter(|row| row["decision"].is_empty()).map(|row| &row["position"]).collect();
    assert_eq!(
        Some(positions.len() as u64),
        solution["states"].as_u64(),
        "of Pig all states are before a roll"
    );
    let some = file("pig --set goal=42 --positions 9k", "some");
    assert!(told.starts_with(&some) && some.lines().count() == 9001);
    let told = good(&folder, "solve pig --rules solo --positions 3").stdout;
    assert_eq!(told.lines().filter(|line| line.contains("turn total")).count(), 3, "{told}");
    assert_eq!(rows(&file("pig --rules solo", "none")).len(), 0);
    refused(&folder, "solve pig --positions few", &["few", "all"]);

    // Of more rows than a row group has.
    good(&folder, "solve pig --set goal=42 --positions all --positions-format parquet --out packed -q");
    assert!(!folder.join("packed/solution_positions.csv").exists());
    let packed = fs::read(folder.join("packed/solution_positions.parquet")).expect("a file");
    let packed = parquet(&packed);
    assert_eq!((packed.rows, packed.groups.len()), (all.len(), all.len().div_ceil(1 << 17)));
    assert!(packed.groups.len() > 1);
    for (name, column) in packed.names.iter().zip(&packed.columns) {
        let is_same = |(row, cell): (&Row, &std::rc::Rc<str>)| {
            match name.as_str() {
                // In CSV these are rounded.
                "value" => (cell.parse::<f64>().expect("a number") - number(row, name)).abs() < 1e-12,
                "second_value" | "loss" | "visits" if !cell.is_empty() => {
                    (cell.parse::<f64>().expect("a number") - number(row, name)).abs() < 1e-12
                }
                "error" => cell.parse::<f64>().is_ok_and(|error| (0.0..1e-11).contains(&error)),
                _ => row[name] == **cell,
            }
        };
        assert!(all.iter().zip(column).all(is_same), "{name}");
    }
    let header = [
        "game rules metric position value error visits decision seat best second second_value loss state",
        "score turn_total score_if_stopped goal_left other_best lead",
    ];
    assert_eq!(packed.names.join(" "), header.join(" "));
    refused(&folder, "solve pig --positions-format parquet --out packed", &["--positions"]);
}

/// What a position's row says is what `advise` says of its text, and best play decides as often as it does in its regret,
/// which is another walk.
#[test]
fn rows_of_positions_say_what_is_decided() {
    let folder = scratch("kept-rows");
    for (at, game) in GAMES.into_iter().enumerate() {
        good(&folder, &format!("solve {game} --out best{at} -q"));
        let line = format!("solve {game} -p best{at}/policy.toml --positions all --out all{at} -q");
        good(&folder, &line);
        let table = |file: &str| rows(&read(&folder.join(format!("all{at}/{file}"))));
        let positions = table("solution_positions.csv");
        let decided: Vec<_> = positions.iter().filter(|row| !row["decision"].is_empty()).collect();

        let mut visits = BTreeMap::<(String, String), f64>::new();
        for row in &decided {
            let of = (row["seat"].clone(), row["decision"].clone());
            *visits.entry(of).or_default() += number(row, "visits");
        }
        let is_for_two = folder.join(format!("all{at}/regret_against_best.csv")).exists();
        let regret = table(if is_for_two { "regret_against_best.csv" } else { "regret.csv" });
        for row in &regret {
            let seat = row.get("seat").map_or("1", |seat| seat).to_owned();
            *visits.entry((seat, row["kind"].clone())).or_default() -= number(row, "decisions");
        }
        // Where colours or places are alike, positions stand for others, in which another of equal answers may be the first.
        let most = if game.starts_with("car") { 1e-2 } else { 1e-6 };
        assert!(!regret.is_empty() && visits.values().all(|left| left.abs() < most), "{game}: {visits:?}");

        for row in decided.iter().step_by(1.max(decided.len() / 4)) {
            let mut command = crate::common::program(&folder);
            let words = ["-q", "--by", "exact", "--format", "csv", "--state", &row["state"]];
            command.args(["advise"].into_iter().chain(game.split(' ')).chain(words));
            let told = crate::common::Ran::new(command.output().expect("the program starts"));
            let advice = rows(&told.stdout);
            let answer = |column: &str| {
                let found = advice.iter().find(|answer| answer["choice"] == row[column]);
                found.unwrap_or_else(|| panic!("{game}: {row:?}\n{}\n{}", told.stdout, told.stderr))
            };
            let [best, second] = [answer("best"), answer("second")];
            let loss = |answer| number(answer, "loss");
            assert!(loss(best) < 1e-9, "{game}: {row:?}");
            assert!((loss(second) - number(row, "loss")).abs() < 1e-9, "{game}: {row:?} {second:?}");
            assert!(advice.iter().all(|other| other == best || loss(other) >= loss(second) - 1e-9));
            for (answer, column) in [(best, "value"), (second, "second_value")] {
                let own = if row["seat"] == "2" && ["win", "share"].contains(&&*row["metric"]) {
                    1.0 - number(row, column)
                } else {
                    number(row, column)
                };
                assert!((number(answer, "value") - own).abs() < 1e-9, "{game}: {row:?} {answer:?}");
            }
        }
    }
}

/// The table for people, beside the least totals at which best play holds, which another walk finds.
#[test]
fn a_table_says_when_best_play_stops() {
    let folder = scratch("kept-table");
    good(&folder, "solve pig --rules solo --table turn_total,score --out out -q");
    let least: BTreeMap<String, u64> = rows(&read(&folder.join("out/thresholds.csv")))
        .iter()
        .map(|row| (row["value"].clone(), row["threshold"].parse().expect("a number")))
        .collect();
    let cells = rows(&read(&folder.join("out/decisions.csv")));
    assert!(cells.len() > 3000, "{}", cells.len());
    let mut compared = 0;
    for cell in &cells {
        assert_eq!([&*cell["kind"], &*cell["feature"], &*cell["feature_2"]], ["stop", "turn_total", "score"]);
        let Some(&least) = least.get(&cell["value_2"]) else { continue };
        // Above the least total best play may go on again.
        let total = cell["value"].parse::<u64>().expect("a number");
        if total > least {
            continue;
        }
        let yes = if total == least { number(cell, "situations") } else { 0.0 };
        assert!((number(cell, "yes") - yes).abs() < 1e-9, "{cell:?}, from {least} on");
        compared += 1;
    }
    assert!(compared > 1000, "{compared}");
    // The same as a table of what to hold at: of a hundred scores every fifth.
    let from = good(&folder, "solve pig --rules solo --table score --from turn_total").stdout;
    let (_, table) = from.split_once("by score\n").expect("a table");
    let told: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let told: Vec<_> =
        told.iter().take_while(|row| row.len() == 2 && row[0].parse::<u64>().is_ok()).collect();
    assert_eq!(told.len(), 20, "{from}");
    for row in told {
        let least = least.get(row[0]).map_or("–".to_owned(), u64::to_string);
        assert_eq!(row[1].trim_end_matches('*'), least, "{from}");
    }
    refused(
        &folder,
        "solve pig --table score,other_best,lead --from turn_total",
        &["there can be two features"],
    );
    let told = good(&folder, "solve pig --rules solo --table score").stdout;
    assert!(told.contains("Best play: stop by score") && told.contains(" %"), "{told}");
    let printed = good(&folder, "solve pig --rules solo --table turn_total,score --format csv").stdout;
    assert_eq!(printed, read(&folder.join("out/decisions.csv")));
    let markdown = good(&folder, "solve pig --rules solo --table turn_total,score --format markdown").stdout;
    assert!(markdown.contains("(down) and score (across)"), "{markdown}");
    refused(
        &folder,
        "solve pig --rules solo --table turn_totl",
        &["unknown feature `turn_totl`", "turn_total"],
    );
    // What only policies remember, points that change nothing, and turns that are counted only up to a safety net.
    refused(
        &folder,
        "solve pig --rules solo --table rolls_this_turn",
        &["without it; there are: ", "turn_total"],
    );
    let three = "solve carcassonne --rules solo-knight --set dice=3 --set turns=3 --set knights_needed=1";
    refused(&folder, &format!("{three} --table stop:score"), &["does not look at `score`", "rolls_left"]);
    let of_turns = |line: &str| good(&folder, &format!("{line} --table stop:turn -q")).stdout;
    assert!(of_turns(three).contains("stop by turn\n"), "{}", of_turns(three));
    let capped = "solve carcassonne --set dice=3 --set goal=2";
    assert!(of_turns(&format!("{capped} --set turn_cap=6")).contains("stop by turn\n"));
    refused(&folder, &format!("{capped} --table stop:turn"), &["does not look at `turn`"]);
    // A text: of its variables, and of those that only policies read.
    let text = good(&folder, "solve twenty-one --table points -q").stdout;
    assert!(text.contains("Best play: stop by points"), "{text}");
    let pig = concat!("solve ", env!("CARGO_MANIFEST_DIR"), "/../../games/pig.game --set goal=10");
    refused(
        &folder,
        &format!("{pig} --table scoring_turns"),
        &["there are: score, points, turn_total, score_if_stopped, goal_left"],
    );
    assert!(good(&folder, &format!("{pig} --table points,score -q")).stdout.contains("by points (down)"));
    refused(&folder, "solve pig --rules solo --table go:score", &["unknown decision `go`", "stop"]);
    refused(
        &folder,
        "solve pig --rules solo --table score,score,score,score",
        &["4 features, and there can be three"],
    );
}

/// A table for each value of a third feature: they add up to the table of the two others; and a yes or no is not a number.
#[test]
fn a_third_feature_has_a_table_for_each_value() {
    let folder = scratch("kept-table-third");
    let solve = "solve carcassonne --set dice=3 --set goal=5 -q --table";
    let cells = |by: &str| rows(&good(&folder, &format!("{solve} {by} --format csv")).stdout);
    let mut sums: BTreeMap<[String; 2], [f64; 2]> = BTreeMap::new();
    let three = cells("stop:dice,rolls_left,doubled");
    for cell in &three {
        assert_eq!([&*cell["feature_3"], &*cell["kind"]], ["doubled", "stop"]);
        assert!(["0", "1"].contains(&&*cell["value_3"]), "{cell:?}");
        let sums = sums.entry([cell["value"].clone(), cell["value_2"].clone()]).or_default();
        *sums = [sums[0] + number(cell, "situations"), sums[1] + number(cell, "yes")];
    }
    let two = cells("stop:dice,rolls_left");
    assert!(two.len() == sums.len() && two.len() < three.len(), "{two:?}");
    for cell in two {
        assert_eq!([&*cell["feature_3"], &*cell["value_3"]], ["", ""]);
        let [many, yes] = sums[&[cell["value"].clone(), cell["value_2"].clone()]];
        assert_eq!([number(&cell, "situations"), number(&cell, "yes")], [many, yes], "{cell:?}");
    }
    for format in ["table", "markdown"] {
        let told = good(&folder, &format!("{solve} stop:dice,rolls_left,doubled --format {format}")).stdout;
        for value in 0..=1 {
            let title = format!("stop by dice (down) and rolls left (across) where doubled is {value}");
            let told = told.replace('\\', "");
            assert!(told.contains(&title), "{told}");
        }
    }
    let page = good(&folder, &format!("{solve} stop:dice,rolls_left,doubled --format html")).stdout;
    assert!(page.contains("doubled 0") && page.contains("doubled 1"));
    let worms = "solve pickomino --rules one-turn --set dice=6 -q --table stop:has_worm,left";
    let told = good(&folder, worms).stdout;
    let first = |word: &str| told.lines().filter(|line| line.split_whitespace().next() == Some(word)).count();
    assert!(first("yes") == 1 && first("1") == 0, "{told}");
}
