//! What is too large for `solve` is refused before much is spent, with numbers and with sizes that are not.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{Ran, data, good, program, run, scratch};
use crate::running::{Running, SIGINT, SIGTERM, wait_for_handler, wait_for_work};

/// At once for people; a busy machine may need some times as long. Walks that nobody stops take minutes.
const SOON: Duration = Duration::from_secs(10);

/// The command lines that a refusal offers, each with its states and seconds.
fn offered(message: &str) -> Vec<(String, u64, f64)> {
    let lines = message.lines().filter_map(|line| line.trim().strip_prefix("stopwise ")?.split_once('#'));
    let offer = |(line, about): (&str, &str)| {
        let (states, seconds) = about.split_once(" states, ").expect("states and seconds");
        let states = states.trim().replace(',', "").parse().expect("a number");
        let seconds = seconds.trim().trim_end_matches(" s").parse().expect("a time");
        (line.trim().to_owned(), states, seconds)
    };
    lines.map(offer).collect()
}

/// What has most values in the positions of a text is named: a variable, or a roll that is walked part by part.
#[test]
fn what_makes_a_text_large_is_named() {
    let folder = scratch("what-is-large");
    let head = "game large \"Large\"\ndie d = 1..6\nplayer score = 0 in 0..500 points\nturn\n";
    let tail = "end over after 20 turns\nalone most score\n";
    for (name, turn, known) in [
        (
            "capped",
            "  roll face = d\n  ask stop \"stop\": end turn\n  score = min(score + face, 500)\n",
            "most values so far have `score` ",
        ),
        (
            "many",
            "  ask many in 1..30 \"dice\"\n  roll dice = many d\n  score = max(score, sum(dice))\n",
            "most values so far have a roll of many dice, part by part, ",
        ),
    ] {
        fs::write(folder.join(format!("{name}.game")), format!("{head}{turn}{tail}")).expect("written");
        let ran = run(&folder, &format!("solve {name}.game --max-states 1000"));
        assert!(ran.code == Some(2) && ran.stderr.contains(known), "{name}: {}", ran.stderr);
    }
}

/// With a limit that the smallest size exceeds, every game offers its sizes; those that take less than half a second solve
/// here, with as many states as it says, and somebody can win them: in a game that ends before, anything is best play.
#[test]
fn what_is_offered_solves() {
    for game in ["carbonite", "carcassonne", "pig"] {
        let ran = run(&data(), &format!("solve {game} --max-states 5"));
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        let sizes = offered(&ran.stderr);
        assert!(sizes.len() >= 2, "{}", ran.stderr);
        assert!(sizes.is_sorted_by_key(|(_, states, _)| *states), "from the smallest: {}", ran.stderr);
        for (line, states, _) in sizes.iter().filter(|(_, _, seconds)| *seconds < 0.5) {
            let solved = good(&data(), &format!("{line} --format json -q")).json();
            assert_eq!(solved["states"], *states, "{line}");
            assert!(solved["value"].as_f64().is_some_and(|value| value > 0.0), "nobody can win {line}");
        }
    }
}

/// Of a game as text, the presets of which it says what must come out.
#[test]
fn presets_of_a_text_that_solve_are_offered() {
    let ran = run(&data(), "solve cant-stop --max-states 5");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    for line in ["stopwise solve cant-stop --rules tiny", "stopwise solve cant-stop --rules small"] {
        assert!(ran.stderr.contains(line), "no {line} in\n{}", ran.stderr);
    }
    good(&data(), "solve cant-stop --rules tiny -q");
}

/// A trio of `IceDice` takes three turns of one player, and three turns of both are too many positions: no size is
/// offered. Who solves a game that ends before reads that all games end at the cap.
#[test]
fn a_game_that_nobody_can_win_is_not_offered() {
    let ran = run(&data(), "solve icedice --max-states 5");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let none = "icedice has no variant that is known to be small enough, and that somebody can win";
    assert!(offered(&ran.stderr).is_empty() && ran.stderr.contains(none), "{}", ran.stderr);
    for instead in ["`stopwise rank`", "`stopwise advise`", "such as of players, trios, turn_cap: --set"] {
        assert!(ran.stderr.contains(instead), "no {instead} in\n{}", ran.stderr);
    }
    let capped = good(&data(), "solve icedice --set copies=1 --set trios=1 --set turn_cap=1 --policy thief");
    let first = "With thief:k=3 in every seat, 100.00 % of the games end at the turn cap without a winner.";
    assert_eq!(capped.stdout.lines().nth(1), Some(first), "{}", capped.stdout);
}

/// Of one turn the number of turns is always one: other metrics are named, and no policy is called the best.
#[test]
fn a_metric_that_is_always_the_same_is_told() {
    let answer = |command: &str| {
        let solved = good(&data(), command);
        solved
            .stdout
            .lines()
            .skip(1)
            .take_while(|line| !line.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let told = answer("solve farkle --rules one-turn --set dice=4 --metric turns -p bank-at");
    assert_eq!(told[0], "Best play has a mean of 1.000000 turns.");
    assert!(told[1].starts_with("However it is played, turns is 1: name another `--metric`, `"), "{told:?}");
    // What is played for is what wins.
    let told = answer("solve farkle --rules one-turn --set dice=4 -p bank-at");
    assert!(told.len() == 2 && told[1].contains("points worse"), "{told:?}");
}

/// A game whose size its rules tell.
#[test]
fn a_game_that_is_too_large_is_refused_at_once() {
    let began = Instant::now();
    // Of these it is known.
    for (game, known) in [
        ("carbonite --rules readme-v1 --set points.solid=9", "at least 40,008,144 states"),
        ("carcassonne --metric points", "at least 44,019,279 states"),
        (
            "carcassonne --metric points --set goal=3 --set rolls=9 --set nine_catapults=off",
            "at least 44,019,279 states",
        ),
    ] {
        let ran = run(&data(), &format!("solve {game}"));
        assert!(ran.code == Some(2) && ran.stderr.contains(known), "{game}\n{}", ran.stderr);
        assert!(
            ran.stderr.contains("as the rules tell") && !offered(&ran.stderr).is_empty(),
            "{}",
            ran.stderr
        );
    }
    let ran = run(&data(), "solve pig --set goal=1000");
    assert!(began.elapsed() < SOON);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    for said in [
        "more than 40,000,000 states",
        "at least 996,008,994 states, which take",
        "GB or more, as the rules tell",
        "stopwise solve pig --rules solo",
    ] {
        assert!(ran.stderr.contains(said), "no {said} in\n{}", ran.stderr);
    }
}

#[test]
fn memory_is_a_limit() {
    let line = "solve carbonite --set colours=2";
    let ran = run(&data(), &format!("{line} --max-memory 5M"));
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("more than 5.0 MB of memory, which --max-memory allows"), "{}", ran.stderr);
    assert!(ran.stderr.contains("found so far: ") && !offered(&ran.stderr).is_empty());
    let distribution = run(&data(), "solve freeze --policy always --max-memory 100k -q");
    assert_eq!(distribution.code, Some(2));
    assert!(distribution.stderr.contains("--max-memory allows"), "{}", distribution.stderr);
    for size in ["0", "4X", "", "1.5GiB"] {
        let ran = Ran::new(
            program(&data())
                .args(["solve", "pig", "--max-memory", size])
                .output()
                .expect("the program starts"),
        );
        assert_eq!(ran.code, Some(2), "{size}");
        assert!(ran.stderr.contains("is no size"), "{}", ran.stderr);
    }
}

/// Best play, a policy's distribution and best turns: each of them takes longer than anybody waits.
#[test]
fn a_signal_ends_it_within_two_seconds() {
    let folder = scratch("solving-signals");
    for (line, signal, code) in [
        ("solve icedice --max-states 1G", SIGINT, 130),
        ("solve icedice --set copies=1 --set trios=1 --max-states 1G", SIGTERM, 143),
        ("solve freeze --policy always --max-states 1G", SIGTERM, 143),
        ("solve carcassonne --rules solo-knight --set rolls=9 --long-run --out out", SIGINT, 130),
        // Too large by default, and walked for whoever allows more.
        ("solve carcassonne --max-states 1G --max-memory 100G", SIGTERM, 143),
    ] {
        for work in [4, 20] {
            let mut running = Running::start(&folder, line);
            wait_for_handler(running.child());
            wait_for_work(running.child(), work);
            running.send(signal);
            let began = Instant::now();
            let ran = running.end();
            assert!(began.elapsed() < SOON, "{line}: {:?}", began.elapsed());
            assert_eq!(ran.code, Some(code), "{line}\n{}", ran.stderr);
            assert_eq!(ran.stderr, "interrupted: nothing is solved, and nothing was written\n");
            assert_eq!(ran.stdout, "");
        }
    }
    assert!(!folder.join("out/policy.toml").exists());
}

/// A game of a quarter of a million turns, told: hundreds of megabytes.
const MONSTER: &str = "replay pig --rules solo --policy policies/greedy-turns.toml --set goal=1000 --set sides=64 --set turn_cap=60000";

/// What has been told is forgotten: a reader that goes ends it at once, and a signal as well though nobody reads.
#[test]
fn a_long_trial_is_told_as_it_goes() {
    for options in ["", " --json"] {
        let line = format!("{MONSTER}{options}");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = program(&data());
        command.args(line.split(' ')).stdout(writer).stderr(Stdio::piped());
        let began = Instant::now();
        let ran = Ran::new(command.output().expect("the program starts"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}");
        assert!(began.elapsed() < Duration::from_secs(10), "{line}: {:?}", began.elapsed());

        let mut running = Running::start(&data(), &line);
        wait_for_handler(running.child());
        sleep(Duration::from_millis(100));
        running.interrupt();
        // Nobody reads what is told.
        let began = Instant::now();
        while running.child().try_wait().expect("a child").is_none() {
            assert!(began.elapsed() < SOON, "{line}");
            sleep(Duration::from_millis(10));
        }
        let ran = running.end();
        assert_eq!(ran.code, Some(130), "{}", ran.stderr);
        assert_eq!(ran.stderr, "interrupted: the trial is not told to its end\n");
    }
}

/// What is too large for a walk is solved turn by turn, where the game is told so: to the same value.
#[test]
fn too_large_for_a_walk_but_not_for_turns() {
    let folder = scratch("solving-turns");
    let game = "carcassonne --set dice=4 --set goal=3 --set knights_needed=2";
    let walked = good(&folder, &format!("solve {game} --format json")).json();
    let line = format!("solve {game} --max-states 5k");
    let turns = good(&folder, &format!("{line} --positions 3 --format json")).json();
    let value = |json: &Value, name: &str| json[name].as_f64().expect("a number");
    let off = (value(&walked, "value") - value(&turns, "value")).abs();
    assert!(off <= value(&walked, "error") + value(&turns, "error"), "{off}");
    assert!(value(&turns, "error") < 1e-11 && value(&walked, "states") > 5e3);
    let told = good(&folder, &line).stdout;
    assert!(told.contains("36 between turns; solved turn by turn"), "{told}");
    let told = good(&folder, &format!("{line} --table score")).stdout;
    assert!(told.contains("Best play: stop by score"), "{told}");
    refused(&folder, &format!("solve {game} --max-states 50 --out none"), &["more than 50 states"]);
    assert!(!folder.join("none").exists(), "a directory of a run that failed");
}

fn refused(folder: &Path, line: &str, words: &[&str]) {
    let ran = run(folder, line);
    assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
    assert!(words.iter().all(|word| ran.stderr.contains(word)), "{line}: {}", ran.stderr);
}

/// Of turns a position is worth those that are still to come: at the start the first one has begun.
#[test]
fn what_has_begun_is_counted_before_the_position() {
    let folder = scratch("contract-solve-counted");
    let line = "solve pig --rules solo --set goal=3 -q";
    let told = good(&folder, line).stdout;
    assert!(told.contains("turns still to come  best answer    position"), "{told}");
    assert!(told.contains("What has begun, such as a turn, is counted before the position."), "{told}");
    let solved = good(&folder, &format!("{line} --format json")).json();
    let start = solved["solution_positions"][0]["value"].as_f64().expect("a number");
    // Alone to 3 points: 3 to 6 end the game at once, 2 leaves 1 more to make, which 2 to 6 do in another roll or turn.
    // With t for the turns to come: after a 2 (roll again) t2 = 1/6 · (1 + t), as a 1 loses the turn; at the start
    // t = 1/6 · (1 + t) + 1/6 · t2.
    assert!((start - 7.0 / 29.0).abs() < 1e-12, "{start}");
    let best = solved["solution"][0]["value"].as_f64().expect("a number");
    assert!((best - start - 1.0).abs() < 1e-12, "{best}");
}

const NIM: &str = "game nim \"Take one to three; who takes the last wins\"
option players = 2 in 2..2
option pile = 40 in 1..300
player score = 0 in 0..1
shared left = pile in 0..300
turn
  ask take in 1..3 where take <= left \"take\"
  left -= take
  if left == 0: end game last won by me
end last \"the pile is empty\"
win most score
";

const DUEL: &str =
    "game duel \"Win at once, or enter a duel in which who draws first hits one time in three\"
option players = 2 in 2..2
option safe = yes
die d = 1..6
player score = 0 in 0..1
shared inside = not safe
turn
  if not inside
    ask enter \"enter the duel\"
      inside = yes
      end turn
    end game shot won by me
  ask shoot \"draw\"
    roll face = d
    if face <= 2: end game shot won by me
    end game shot lost by me
end shot \"somebody has drawn\"
win most score
";

/// Questions without rolls between them are positions as well: of Nim it is known who wins, and of a pile so high that nobody could
/// follow all ways.
#[test]
fn games_without_rolls_are_solved() {
    let folder = scratch("nim");
    fs::write(folder.join("nim.game"), NIM).expect("a file");
    for pile in [1, 4, 7, 24, 40, 41, 300] {
        let found = good(&folder, &format!("solve nim.game --set pile={pile} -q --format json")).json();
        let value = found["value"].as_f64().expect("a value");
        assert!((value - if pile % 4 == 0 { 0.0 } else { 1.0 }).abs() < 1e-12, "{pile}: {value}");
    }
}

/// Where both would rather wait there is a gap between what either can be sure of, a third and two thirds here, and no value.
#[test]
fn who_would_rather_wait_has_no_value() {
    let folder = scratch("duel");
    fs::write(folder.join("duel.game"), DUEL).expect("a file");
    let ran = run(&folder, "solve duel.game --set safe=no -q");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let said = ran.stderr.replace('\n', " ");
    assert!(said.contains("lies between 0.3333333333 and 0.6666666667."), "{said}");
    // Who can win at once does, and what the duel is worth is not asked, but in its positions.
    let told = good(&folder, "solve duel.game -q --out out --positions all").stdout;
    assert!(
        told.contains("Best play  1.0000000000") && told.contains("0.333333 to 0.666667  not known"),
        "{told}"
    );
    let state = "--state decision=shoot\tseat=2\tinside=yes";
    let ran = run(&folder, &format!("advise duel.game -q --by exact {state}"));
    assert!(ran.stderr.contains("players would rather wait than go on"), "{}", ran.stderr);
    // Nor does a policy that keeps the values know it.
    let ran = run(&folder, &format!("advise duel.game -q --by exact -p out/policy.toml {state}"));
    assert!(ran.stderr.contains("players would rather wait than go on"), "{}", ran.stderr);
    let draws = "name = \"draw\"\ngame = \"duel.game\"\nenter = \"score >= 0\"\nshoot = \"score >= 0\"\n";
    fs::write(folder.join("draw.toml"), draws).expect("a file");
    let told = good(&folder, &format!("advise duel.game -q -p draw.toml -n 200 {state}")).stdout;
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("players would rather wait than go on") && told.contains("From 200 "), "{told}");
}
