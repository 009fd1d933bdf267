//! `advise` and `play`: what a person asks and does at the table.

use std::fs::write;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{Ran, data, documents, good, number, program, read, rows, run, scratch};

/// Piglet (Neller and Presser, 2004): who has a head on the table and rolls on wins 5 games of 7, who holds 3 of 5. By hand:
/// with p = 4/7 for who begins, rolling on is worth 1/2 + (1 − p)/2; holding leaves the other at 0 to 1, which is worth 2/5.
#[test]
fn advice_is_what_the_published_values_say() {
    let advice =
        rows(&good(&data(), "advise pig --rules piglet --state turn_total=1 -q --format csv").stdout);
    let of = |choice: &str| advice.iter().find(|row| row["choice"] == choice).expect("a choice");
    assert!((number(of("roll again"), "value") - 5.0 / 7.0).abs() < 1e-9, "{advice:?}");
    assert!((number(of("hold"), "value") - 0.6).abs() < 1e-9, "{advice:?}");
    assert!((number(of("hold"), "loss") - (5.0 / 7.0 - 0.6)).abs() < 1e-9, "{advice:?}");
    assert_eq!((number(of("roll again"), "bust"), number(of("hold"), "bust")), (0.5, 0.0));
    assert_eq!(of("hold")["method"], "exact");
}

/// A second seat is told its own chance of winning: by symmetry that of a first seat in its place.
#[test]
fn both_seats_have_their_own_values() {
    let folder = data();
    let of = |state: &str| {
        let line = format!("advise pig --set goal=20 -q --format csv --state {state}");
        let mut command = program(&folder);
        let words = line.split(' ').map(|word| word.replace('+', " "));
        let ran = Ran::new(command.args(words).output().expect("the program starts"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        rows(&ran.stdout).iter().map(|row| number(row, "value")).collect::<Vec<_>>()
    };
    let (one, two) = (of("score=3+other=8+turn_total=5"), of("seat=2+score=3+other=8+turn_total=5"));
    assert!(one.iter().zip(&two).all(|(a, b)| (a - b).abs() < 1e-9), "{one:?} {two:?}");
}

/// Games that go on with the answers of a policy are worth what the walk says of it.
#[test]
fn played_values_hold_the_exact_ones() {
    let folder = data();
    // Solo, a policy that never holds before the goal: each turn ends in a bust, or with the goal.
    let line = "advise pig --rules solo --set goal=12 --state turn_total=6 -p hold:n=12 -q --format csv";
    let exact = rows(&good(&folder, line).stdout);
    let played = rows(&good(&folder, &format!("{line} --by trials -n 20k")).stdout);
    for (exact, played) in exact.iter().zip(&played) {
        assert_eq!((exact["method"].as_str(), played["method"].as_str()), ("exact", "played"));
        // Best play takes fewer turns than any policy.
        assert!(number(played, "value_high") > number(exact, "value"), "{exact:?} {played:?}");
        assert!(number(played, "value_low") < number(played, "value"), "{played:?}");
    }
}

/// What people are shown to copy has no counter that only a cap reads, and is the same position to everybody else. Two-Dice
/// Pig tells policies how many rounds are left: what that is worked out of stays.
#[test]
fn what_is_copied_has_no_counters() {
    let folder = scratch("contract-advise-copied");
    write(folder.join("once.game"), ONCE).expect("a file");
    write(folder.join("hold.toml"), HOLD).expect("a file");
    for (game, policy, has_round) in [("once.game", "hold.toml", false), ("two-dice-pig", "hold", true)] {
        let asked = |words: &[&str]| {
            let line = [&["advise", game, "-p", policy, "--by", "trials", "-n", "200", "-q"], words].concat();
            Ran::new(program(&folder).args(line).output().expect("the program starts"))
        };
        let of_trial = ["--trial", "3", "--turn", "4"];
        let whole = asked(&[&of_trial[..], &["--format", "json"]].concat()).json();
        let written = whole["position"].to_string();
        let has_clock = written.contains(" round=4") || written.contains(" turns=6");
        assert!(has_clock && !written.contains(" rest="), "{whole}");
        let shown = asked(&of_trial).stdout;
        let line = shown.lines().find_map(|line| line.trim().strip_prefix("As text: ")).expect("a line");
        let [turns, round, stops] =
            ["turns", "round", "stops"].map(|part| line.contains(&format!(" {part}=")));
        assert_eq!((turns, round, stops), (false, has_round, false), "{line}");
        let values = |found: &Value| {
            let rows = found["advice"].as_array().expect("rows").iter();
            rows.map(|row| (row["value"].clone(), row["loss"].clone())).collect::<Vec<_>>()
        };
        let again = asked(&["--state", line, "--format", "json"]).json();
        assert_eq!(values(&again), values(&whole), "{line}");
    }
}

const ONCE: &str = r#"game once "A six loses the points of the turn"
option players = 2 in 2..2
die d = 1..6
player score = 0 in 0..50
turn
  let points = 0 in 0..50
  repeat
    roll face = d
    if face == 6: bust
    points = min(points + face, 50 - score)
    ask stop "stop"
      score += points
      end turn
end goal when score == 50
win most score
"#;

const HOLD: &str = r#"game = "once.game"
name = "hold"
summary = "Stop at 10."
stop = "points >= 10 || score + points >= 50"
"#;

/// Every game has positions that are texts, and advice on them.
#[test]
fn every_game_gives_advice() {
    let folder = data();
    let games = good(&folder, "games --format csv").stdout;
    for game in rows(&games) {
        let game = &game["game"];
        let asked = format!("advise {game} --trial 3 --by trials -n 40 -q --format json");
        let found = good(&folder, &asked).json();
        let position = found["position"].as_str().expect("a position");
        assert!(found["advice"].as_array().expect("rows").len() > 1, "{game}: {found}");
        let mut command = program(&folder);
        let words =
            ["advise", game, "--by", "trials", "-n", "40", "-q", "--format", "json", "--state", position];
        let again = Ran::new(command.args(words).output().expect("the program starts"));
        let again = again.json();
        assert_eq!(again["advice"], found["advice"], "{game}: {position}");
        assert!(!again["answer"].to_string().contains("hardly"), "{game}: {again}");
        // A line that works is shown to whoever has none.
        let shown = run(&folder, &format!("advise {game} -q")).stderr;
        let line = shown.split_once("this line works: --state \"").and_then(|(_, line)| line.split_once('"'));
        let line = line.unwrap_or_else(|| panic!("{game}: {shown}")).0;
        let mut command = program(&folder);
        let words = ["advise", game, "--by", "trials", "-n", "2", "-q", "--state", line];
        let ran = Ran::new(command.args(words).output().expect("the program starts"));
        assert_eq!(ran.code, Some(0), "{game}: {line}\n{}", ran.stderr);
    }
}

/// Of a single turn advice is about what wins, and of any game about the metric that is named.
#[test]
fn advice_is_about_a_metric() {
    let folder = data();
    let of = |line: &str| good(&folder, &format!("advise {line} -q --format json")).json();
    // With 5,000 points at stake and one die left nobody goes on: a third of 50 or 100 points more.
    let state = "--state decision=stop\tpoints=5000\tleft=1";
    let found = of(&format!("farkle --rules one-turn {state}"));
    assert_eq!(
        (&found["metric"], &found["unit"], &found["best"]),
        (&"score".into(), &"points".into(), &"bank".into())
    );
    assert_eq!(found["advice"][0]["method"], "exact");
    // Fewer rolls are not better.
    let found = of(&format!("farkle --rules one-turn --metric rolls -n 40 {state}"));
    assert_eq!((&found["metric"], &found["best"]), (&"rolls".into(), &"bank".into()), "{found}");
    // For two it is played for.
    let found = of(&format!("farkle --metric points -n 40 {state}"));
    assert_eq!((&found["metric"], &found["advice"][0]["method"]), (&"points".into(), &"played".into()));
    let ran = run(&folder, "advise pig --metric points --by exact --state turn_total=9");
    assert!(
        ran.stderr.contains("--by exact: best play of several is found for wins alone"),
        "{}",
        ran.stderr
    );
    let ran = run(&folder, "advise pig --metric point --state turn_total=9");
    assert!(ran.stderr.contains("points"), "{}", ran.stderr);
}

/// What is left out is told, and what lies there more often than there is.
#[test]
fn what_is_assumed_and_doubted_is_told() {
    let advise = |state: &str| {
        let mut command = program(&data());
        let words = ["advise", "zombie-dice", "-n", "4", "-q", "--state", state];
        Ran::new(command.args(words).output().expect("the program starts"))
    };
    let told = advise("hand=green_die brains=1 shots=1 cup=5*green_die+4*yellow_die+2*red_die eaten=red_die");
    assert_eq!(told.code, Some(0), "{}", told.stderr);
    assert!(told.stdout.contains("Left out, and so taken as: seat=1 score=0/0/0/0"), "{}", told.stdout);
    assert!(!told.stdout.contains("hardly"), "{}", told.stdout);
    let told = advise("eaten=2*red_die brains=2");
    let said = format!("{}{}", told.stdout, told.stderr).replace("\n", " ");
    assert!(said.contains("of `red_die` there are 3, and 5 lie in cup and eaten together"), "{said}");
}

/// Whose turn it is decides who is asked: who wins by banking banks.
#[test]
fn a_position_is_of_whose_turn_it_is() {
    let folder = data();
    for (seat, score) in [(1, "9800/9000"), (2, "9000/9800")] {
        let position = format!("decision=stop\tseat={seat}\tscore={score}\tpoints=300\tleft=2");
        let found =
            good(&folder, &format!("advise farkle --by trials -n 100 -q --format json --state {position}"))
                .json();
        assert_eq!(found["best"], "bank", "{found}");
        assert_eq!(found["seat"], seat, "{found}");
    }
}

/// Mistakes are told with what to write.
#[test]
fn positions_are_checked() {
    let folder = data();
    for (line, said) in [
        ("advise pig", "say which position: --state \"NAME=VALUE …\""),
        ("advise pig --state score", "`score` is no part of a position"),
        ("advise pig --state score=200", "write a number from 0 to 99"),
        (
            "advise pig --state turn_total=9\tbank=3",
            "`bank` is no part of this position; its parts are `seat`, `score`",
        ),
        ("advise pig --trial 3 --turn 900", "has no decision 1 with a choice in turn 900;"),
        ("advise icedice --state decision=take", "choices=… with some of small-red"),
        ("advise pig --set goal=20 --state turn_total=1 --by exact", "no play comes to this position"),
        (
            "advise pig --state score=50",
            "nothing is decided before the first roll of a turn; write turn_total=",
        ),
        (
            "advise farkle --state decision=stop\tpoints=200",
            "the rules do not ask `stop` in this position: what",
        ),
        ("advise pickomino --state decision=stop\tused=6*5", "or write another decision: keep, steal"),
        ("advise threes --state left=4\tamong=2*2+2*4+6", "change among, or left, which says how many"),
        ("advise toss-up --state left=4", "the rules do not ask `stop` in this position"),
        (
            "advise yahtzee --state dice=5*1",
            "write decision= with one of stop, box; this line works: --state",
        ),
        ("advise yahtzee --state decision=stop", "no play comes to this position: dice has 0, and always 5"),
        ("advise pig --state score=72,", "no commas between the parts"),
        ("advise carbonite --state decision=mark\tturn=3", "in turn 3 a piece is out as marker"),
        ("advise carbonite --state decision=mark\tvault=red:SSS", "at most 2 of a colour and size"),
        ("advise carcassonne --state decision=place\tdice=5", "while dice are placed all in hand are shown"),
        // What the rules ask instead, and places that do not go together.
        ("advise icedice --state decision=stop", "decision=stop: nothing was taken yet; write counter="),
        (
            "advise icedice --state decision=victim\tstealing=red:S\tvault_after=red:S",
            "with two players nobody is asked",
        ),
        (
            "advise icedice --rules three-players --state decision=victim\tstealing=red:S\tvault_after=red:S",
            "the bank has small red, so that it is not stolen",
        ),
        (
            "advise icedice --state decision=stop\tcounter=red:S\tvault_after=red:SML,blue:SML,green:SML",
            "seat 2 has 3 trios in the vault and has won",
        ),
        ("advise icedice --state decision=take\tchoices=small-red,small-blue", "no roll offers just these"),
        (
            "advise carbonite --state decision=stop\tmarker=red:S",
            "decision=stop: nothing was taken yet; write counter=",
        ),
        ("advise carbonite --state decision=mark\tcounter=red:S", "when the counter is empty"),
        (
            "advise carbonite --state decision=take\tmarker=red:S\tchoices=small-red,large-red,large-blue",
            "the most like it is choices=small-red,large-red",
        ),
        ("advise carcassonne --state decision=stop\trolls=3", "after roll 3 of 3 the turn is over"),
        ("advise carcassonne --state decision=keep", "a knight is kept with"),
        ("advise carcassonne --state decision=stop\tscore=42", "write a number from 0 to 41"),
        (
            "advise freeze --rules table --state asked=1\tfreezing=2",
            "freezing=…: seat 2 has not answered yet",
        ),
        ("advise freeze --rules table --state asked=1\tfrozen=1", "seat 1 has a frozen six already"),
        ("advise freeze --rules table --state asked=1\tbank=1", "the places together have"),
        ("advise freeze --rules workshop --state asked=1", "nobody can freeze a six"),
    ] {
        let ran = run(&folder, line);
        assert_eq!(ran.code, Some(2), "{line}");
        assert!(ran.stderr.contains(said), "{line}: {}", ran.stderr);
    }
}

/// A person is shown what a text's `see` lines say, beside its variables.
#[test]
fn what_is_worked_out_is_shown() {
    let state = "decision=stop points=500 left=3 score=2000/3500";
    let mut command = program(&data());
    let words = ["advise", "farkle", "-n", "40", "-q", "--state", state];
    let told = Ran::new(command.args(words).output().expect("the program starts")).stdout;
    // Who is asked may bank: the question is asked where that is so.
    for (name, what) in [("goal left", "8000 points"), ("lead", "−1500 points"), ("may bank", "yes")] {
        let line = told.lines().find(|line| line.starts_with(name));
        assert!(line.is_some_and(|line| line.ends_with(what)), "{name}: {told}");
    }
    // Of a deck it is said how much it is, as at the table; all of it stands in the text: 94 cards less those of four players.
    let told = good(&data(), "advise flip-7 --trial 1 -n 2 -q").stdout;
    let line = |name: &str| told.lines().find(|line| line.starts_with(name)).map(str::trim_end);
    assert!(line("deck ").is_some_and(|line| line.ends_with(" 90, of 22 kinds")), "{told}");
    // What is no number has no unit.
    assert!(line("added ").is_some_and(|line| line.ends_with(" none")), "{told}");
    let ran = run(&data(), "simulate farkle -p bank-at:300 -n 9");
    assert!(ran.stderr.contains("for example bank-at:n=300"), "{}", ran.stderr);
}

/// A game of one's own has no policy that could play on; what is solved needs none, and what is not is told.
#[test]
fn a_game_without_policies_is_solved() {
    let folder = scratch("own-advice");
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/pig.game");
    let text = std::fs::read_to_string(games).expect("a game").replacen("game pig", "game mine", 1);
    std::fs::write(folder.join("mine.game"), text).expect("it is written");
    let line = "advise mine.game --set goal=10 --set players=1 -q --format csv --state";
    let found = rows(&good(&folder, &format!("{line} points=4")).stdout);
    assert_eq!(found[0]["method"], "exact");
    // No sum of faces is 1.
    let ran = run(&folder, &format!("{line} points=1"));
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("has no policy that could play on from it"), "{}", ran.stderr);
    let ran = run(&folder, "advise mine.game");
    assert!(ran.stderr.contains("say which position: --state \"NAME=VALUE …\""), "{}", ran.stderr);
    let ran = run(&folder, "play mine.game --trial 3");
    assert!(ran.stderr.contains("play alone where the rules allow it"), "{}", ran.stderr);
}

/// Plays with these lines on stdin.
fn play(folder: &Path, line: &str, typed: &str) -> Ran {
    let mut command = program(folder);
    command.args(line.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("it reads");
    Ran::new(child.wait_with_output().expect("it ends"))
}

/// A person who answers as a policy would plays the trial of that policy; and what was kept is told again.
#[test]
fn a_person_plays_the_trial() {
    let folder = scratch("play");
    let last = |text: &str| {
        // Long lines are broken, and go on under the first.
        let end = text.split("\nThe game is over").last().expect("an end");
        let whole = end.replace("\n  ", " ");
        let seats = whole.lines().filter(|line| line.starts_with("Seat ") && !line.contains(" has won"));
        let behind = |line: &str| {
            line.split_once(": ").expect("a colon").1.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let several: Vec<String> = seats.map(behind).collect();
        // Alone the score, of a person in a sentence.
        let score = whole.split_once(": score ").or_else(|| whole.split_once("Your score: "));
        let score = score.map(|(_, score)| score.split([' ', ',']).next().expect("a number").to_owned());
        if several.is_empty() { vec![score.expect("a score")] } else { several }
    };
    for (game, lineup, against) in [
        ("pig", "-p hold-at-25 -p hold", " --against hold"),
        ("pig --rules solo", "-p hold-at-25", ""),
        ("carbonite", "-p tidy", ""),
        ("icedice", "-p thief -p stop-at", " --against stop-at"),
        ("farkle", "-p once -p once", " --against once"),
        ("shut-the-box", "-p most-boxes", ""),
        // Both draw.
        ("goofspiel", "-p mixed -p mixed:two=0.3", " --against mixed:two=0.3"),
    ] {
        let told = documents(&good(&folder, &format!("replay {game} {lineup} --trial 4 --json")).stdout);
        let steps = told[0]["steps"].as_array().expect("steps").iter();
        let has_choice =
            |step: &Value| step["possible"].as_array().is_some_and(|possible| possible.len() > 1);
        let own = steps.filter(|step| step["seat"] == 1 && has_choice(step));
        let typed: String =
            own.map(|step| format!("{}\n", step["chosen"].as_str().expect("a name"))).collect();
        let line = format!("play {game}{against} --trial 4 --no-review --out kept --force");
        let ran = play(&folder, &line, &typed);
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
        let expected = good(&folder, &format!("replay {game} {lineup} --trial 4")).stdout;
        assert_eq!(last(&ran.stdout), last(&expected), "{}", ran.stdout);
        let mut lines = ran.stderr.lines();
        let again = lines.find_map(|line| line.strip_prefix("see it again: stopwise ")).expect("a command");
        assert_eq!(last(&good(&folder, again).stdout), last(&expected));
    }
    let refused = run(&folder, "simulate farkle -p kept/you.toml -n 10");
    assert!(refused.stderr.contains("only `stopwise replay`"), "{}", refused.stderr);
    assert_eq!(refused.code, Some(2));
}

/// 1, 4, 4, 4 make 5 and 8 whatever is paired: two answers of one effect, of which the first is given unasked, kept with the game,
/// and not taken back alone.
#[test]
fn answers_of_one_effect_are_no_question() {
    let folder = scratch("play-one-effect");
    let line = "play cant-stop --trial 29 --no-review --out kept --force";
    let ran = play(&folder, line, "undo\nno\nundo\nyes\nquit\n");
    let (before, after) = ran.stdout.split_once("chooses 5 and 8").expect("an answer");
    assert!(before.contains("rolls 1, 4, 4, 4") && !before.contains("which pairs:"), "{}", ran.stdout);
    assert!(after.contains("There is nothing to take back.") && after.contains("Taken back"), "{after}");
    let kept = read(&folder.join("kept/you.toml"));
    let again = kept.lines().find_map(|line| line.strip_prefix("# stopwise ")).expect("a command");
    let told = good(&folder, again).stdout;
    assert!(told.contains("chooses 5 and 8") && told.contains("chooses to stop"), "{told}");
}

/// A text's table: a row for each player, arrays under their indices, dice in hand, and no line that is too long.
#[test]
fn a_text_has_a_table() {
    let shown =
        |game: &str, typed: &str| play(&data(), &format!("play {game} --trial 3 --no-review"), typed).stdout;
    // Two steps, in the columns that were chosen.
    let told = shown("cant-stop", "3 and 8\n");
    let (_, after) = told.split_once("chooses 3 and 8").expect("an answer");
    for row in [
        "                    2  3  4  5   6   7   8  9  10  11  12",
        "    > seat 1 track  .  .  .  .   .   .   .  .   .   .   .",
        "      seat 2 track  .  .  .  .   .   .   .  .   .   .   .",
        "      ahead         .  1  .  .   .   .   1  .   .   .   .",
        "      at most       3  5  7  9  11  13  11  9   7   5   3",
    ] {
        assert!(after.lines().any(|line| line == row), "{row}\n{after}");
    }
    assert!(shown("shut-the-box", "").contains("open   [1] [2] [3] [4] [5] [6] [7] [8] [9]\n"));
    // Thirteen dice, less those that are drawn.
    let told = shown("zombie-dice", "");
    assert!(told.contains("cup     3 × green_die · 4 × yellow_die · 3 × red_die\n"), "{told}");
    // Of a deck it is said how much it is: 94 cards of 13 numbers, six modifiers and three actions, less one for each of four
    // players. Whoever asks what a choice is worth is told what they are.
    let told = shown("flip-7", "1\n?\n");
    assert!(told.contains("\n      deck  90, of 22 kinds\n"), "{told}");
    let (before, after) = told.split_once("Best is").or_else(|| told.split_once(" best")).expect("advice");
    assert!(!before.contains("plus_2 ·") && after.contains("1 × plus_2 ·"), "{told}");
    assert!(!told.contains("to choose from"), "{told}");
    let games = good(&data(), "games --format json").json();
    let games = games.as_array().expect("games").iter();
    for game in games.filter_map(|game| game["game"].as_str()) {
        let told = shown(game, "1\n#1\n1\n#1\n1\n");
        let long = told.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{game}");
    }
}

/// Two pairs in either order are one choice as long as there is a runner for both; who has one left chooses who climbs. Of
/// a choice both names are understood.
#[test]
fn choices_of_one_effect_are_one() {
    let play = |typed: &str| play(&data(), "play cant-stop --trial 3 --no-review", typed).stdout;
    let offered = |told: &str| {
        let (_, last) = told.rsplit_once("which pairs:\n").expect("a question");
        let lines = last.lines().map_while(|line| line.strip_prefix("    ")?.split_once(' '));
        let lines = lines.map(|(_, name)| name.split_once(" · ").map_or(name, |(name, _)| name));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    // Dice 1, 2, 3 and 5.
    assert_eq!(offered(&play("")), ["3 and 8", "4 and 7", "6 and 5"]);
    let told = play("8 and 3\nstop: no\n");
    assert!(told.contains("chooses 8 and 3"), "{told}");
    // Runners stand on 3 and 8, and one is left; dice 1, 3, 3 and 4.
    assert_eq!(offered(&told), ["4 and 7", "7 and 4", "5 and 6", "6 and 5"]);
    // Advice has a line for each, and every policy chooses one of them.
    let line = "advise cant-stop --trial 3 --turn 1 --by trials -n 40 -q --format json";
    let found = good(&data(), line).json();
    let names = found["advice"].as_array().expect("rows").iter().map(|row| row["choice"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["3 and 8", "4 and 7", "6 and 5"]);
}

/// Choices say what they pay: by hand, two ones are 200 points, and one is 100.
#[test]
fn choices_say_what_they_pay() {
    let folder = data();
    let told = play(&folder, "play farkle --trial 3 --no-review", "#2\n").stdout;
    assert!(told.contains("#1 1, 1 · 200 points\n    #2 1 · 100 points\n"), "{told}");
    assert!(told.contains("chooses 1 · 100 points (`keep`)"), "{told}");
    let told = good(&folder, "replay farkle --policy by-dice --trial 3").stdout;
    assert!(told.contains("chooses 1-1 · 200 points (`keep`) rather than 1 · 100 points "), "{told}");
    // The table has them; the file has the names alone.
    let line = "advise farkle --trial 3 --by trials -n 40 -q";
    assert!(good(&folder, line).stdout.contains("\n1, 1 · 200 points "));
    let names = rows(&good(&folder, &format!("{line} --format csv")).stdout);
    assert_eq!(names.iter().map(|row| &row["choice"]).collect::<Vec<_>>(), ["1, 1", "1"]);
}

/// Where all answer at once, nobody is told what the others have answered before having answered, too.
#[test]
fn answers_at_once_are_told_together() {
    let folder = data();
    for seat in 1..=4 {
        let line = format!("play incan-gold --trial 3 --seat {seat} --no-review");
        let asked = play(&folder, &line, "").stdout;
        assert!(asked.contains("leave the temple:") && !asked.contains("chooses"), "{seat}: {asked}");
        let answered = play(&folder, &line, "1\n").stdout;
        let told: Vec<usize> = (1..=4)
            .map(|seat| answered.find(&format!("seat {seat} chooses not to leave")).expect("an answer"))
            .collect();
        assert!(told.is_sorted(), "{answered}");
    }
}

/// Words, numbers, advice, what has no meaning, taking back, and the review.
#[test]
fn a_person_asks_and_takes_back() {
    let ran = play(
        &data(),
        "play pig --set goal=20 --against hold:n=10 --trial 5",
        "7\nfoo\n?\nrules\nroll\nundo\nundo\nundo\n2\n1\nh\n1\nh\n1\nh\n1\nh\n",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for said in [
        "There is no choice 7; the last is 2.",
        "`foo` is no choice here",
        "percentage points.",
        "chance of winning",
        "Taken back; the dice fall as they did.",
        "There is nothing to take back.",
        "Your decisions",
        "Luck",
    ] {
        assert!(ran.stdout.contains(said), "{said}\n{}", ran.stdout);
    }
    // Against best play that is kept, the review is that of a game that is solved.
    let folder = scratch("table-kept");
    good(&folder, "solve pig --set goal=20 --out best -q");
    let line = "play pig --set goal=20 --against best/policy.toml --trial 2";
    let review = |line: &str| {
        let told = play(&folder, line, &"h\n".repeat(20)).stdout;
        told.split_once("Your decisions").map(|(_, review)| review.to_owned())
    };
    let kept = review(line);
    assert!(kept.as_ref().is_some_and(|review| review.contains("Luck")), "{kept:?}");
    assert_eq!(kept, review(&format!("{line} --by exact")));
    // Alone, whoever is named says what choices are worth.
    let game = "yahtzee --rules two-boxes";
    good(&folder, &format!("solve {game} --max-states 300 --out box -q"));
    let told =
        play(&folder, &format!("play {game} --advice box/policy.toml --trial 2"), &"#1\n".repeat(40)).stdout;
    assert!(told.contains("Luck") && told.contains("in the mean"), "{told}");
    // Best play gives nothing away, in whatever words a city that grew is drawn.
    let game = "carcassonne --set dice=5 --set goal=3 --set knights_needed=2";
    good(&folder, &format!("solve {game} --max-states 20k --out turns -q"));
    let line = format!("play {game} --against turns/policy.toml --trial 2");
    let told = play(&folder, &line, &"1\n".repeat(1000)).stdout;
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("your opponents' gave you 0.00 percentage points"), "{told}");
    // The exact luck lies where games that are played on tell it, against the same best play and from the start of the same
    // trials.
    let line = "play pig --set goal=20 --against best/policy.toml --trial 9";
    let luck = |by: &str| {
        let told = play(&folder, &format!("{line} {by}"), &"r\nh\n".repeat(40)).stdout;
        let luck = told.split_once("\nLuck\n").expect("luck").1;
        luck.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    let number =
        |text: &str| text.split(' ').next().and_then(|word| word.parse::<f64>().ok()).expect("a number");
    let signed = |luck: &str| {
        let (_, dice) = luck.split_once("chance ").expect("chance");
        let (way, size) = dice.split_once(" you ").expect("a way");
        let half = size.split_once(" ± ").map_or(0.0, |(_, half)| number(half));
        (if way == "gave" { number(size) } else { -number(size) }, half)
    };
    let (exact, sampled) = (luck("--by exact"), luck("--by trials --trials 4000"));
    // Where the two measures can differ, that is said.
    assert!(sampled.contains("The costs of decisions above are against the best answer"), "{sampled}");
    let ((exact, _), (value, half)) = (signed(&exact), signed(&sampled));
    assert!((exact - value).abs() <= half && half > 0.0 && half < 5.0, "{exact}: {sampled}");
    let simulated = good(&folder, "simulate pig --set goal=20 -p best/policy.toml -n 4000 --format json -q");
    let rows = documents(&simulated.stdout);
    let wins = rows[0]["summary"].as_array().expect("a table").iter();
    let mean =
        wins.filter(|row| row["seat"] == 1 && row["metric"] == "win").find_map(|row| row["mean"].as_f64());
    let start = sampled.split_once("you win ").map(|(_, start)| number(start));
    assert!((100.0 * mean.expect("wins") - start.expect("a start")).abs() < 0.06, "{mean:?}: {sampled}");
    // Where nothing more is typed the game ends.
    let ran = play(&data(), "play pig --trial 5 --set goal=20", "roll\n");
    assert_eq!((ran.code, ran.stdout.contains("The game is not over.")), (Some(0), true));
}

/// Whoever is not named plays against the strongest policy, as `rank` finds it, not the one that is best against naive play.
#[test]
fn the_strongest_policy_is_the_best_against_all() {
    let folder = data();
    for (game, best) in [("cant-stop", "rule-of-28"), ("toss-up", "by-dice"), ("incan-gold", "odds")] {
        let ranked = good(&folder, &format!("rank {game} -p all -n 4000 -q")).stdout;
        assert!(ranked.contains(&format!("Best: {best}")), "{ranked}");
        let advised =
            good(&folder, &format!("advise {game} --trial 1 --turn 1 --trials 50 --by trials -q")).stdout;
        assert!(advised.contains(&format!("in which {best}")), "{advised}");
    }
}
