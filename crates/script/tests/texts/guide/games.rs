use std::path::Path;

use stopwise_analysis::exact::{Limits, Objective, solve};
use stopwise_policy::{Text, TextPolicy};
use stopwise_script::{Checked, GameText, Problem, Script, check, format};

use super::{blocks, page};
use crate::common::{given, plays, policy, read};

/// A game of the page.
fn game(name: &str) -> GameText {
    let found = blocks(&page(), "game").into_iter().find(|(file, _)| file == &format!("{name}.game"));
    let (file, text) = found.expect("the game is on the page");
    GameText::checked(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn script(text: &GameText, options: &[(&str, &str)]) -> Script {
    text.script(&given(options)).unwrap_or_else(|error| panic!("{error}"))
}

/// The mean of best play alone.
fn best(text: &GameText, options: &[(&str, &str)]) -> f64 {
    let script = script(text, options);
    let solution =
        solve::<_, TextPolicy<Script>>(&script, &[None], Objective::new(&script, 0), Limits::default());
    solution.expect("a small game").middle()
}

#[test]
fn every_game_is_written_well() {
    for (file, text) in blocks(&page(), "game") {
        assert_eq!(format(&text).expect("a good text"), text, "{file}");
        let text = GameText::checked(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(format!("{}.game", text.name()), file);
        let found = check(&text, &script(&text, &[]));
        assert!(found.warnings.is_empty() && found.fault.is_none(), "{file}: {found:?}");
    }
}

#[test]
fn every_policy_plays_its_game() {
    for (file, text) in blocks(&page(), "toml") {
        let name = text.lines().find_map(|line| line.strip_prefix("game = \"")?.strip_suffix(".game\""));
        let game = script(&game(name.expect("the game of the policy")), &[]);
        plays(&game, &policy(&game, &Text::new(&file, text)), 200, &file);
    }
}

/// The mean number of turns alone to a goal, if a six loses the points of the turn and play is best: each score by
/// repeated improvement, from the goal downwards.
fn nerves(goal: usize) -> f64 {
    let mut turns = vec![0.0; goal + 1];
    for score in (0..goal).rev() {
        // What a turn costs from this score on, at first too little.
        for _ in 0..2000 {
            // By the points of the turn: what is still to come before the next roll.
            let mut rolling = vec![0.0; goal - score + 1];
            for points in (0..goal - score).rev() {
                let after = |points: usize| {
                    let points = points.min(goal - score);
                    let stopped = turns[score + points];
                    if points == goal - score { stopped } else { f64::min(stopped, rolling[points]) }
                };
                let good: f64 = (1..=5).map(|face| after(points + face)).sum();
                rolling[points] = (good + turns[score]) / 6.0;
            }
            turns[score] = 1.0 + rolling[0];
        }
    }
    turns[0]
}

#[test]
fn every_game_is_solved() {
    let alone = ("players", "1");
    let one_die = best(&game("nerves"), &[alone, ("goal", "20")]);
    assert!((one_die - nerves(20)).abs() < 1e-9, "{one_die} is {}", nerves(20));
    // A roll of five dice scores nothing in 600 of 7,776 cases, and 50 points are always enough.
    let pool = best(&game("five-dice"), &[alone, ("goal", "50")]);
    assert!((pool - 7776.0 / 7176.0).abs() < 1e-9, "{pool}");
    let bag = best(&game("dragon"), &[alone, ("goal", "5")]);
    assert!(bag > 1.0 && bag < 10.0, "{bag}");
}

/// What the page says under "How do I …?" is in these games, which are played at random.
#[test]
fn every_way_is_one() {
    for name in ["many", "hours", "peak"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/texts/guide/{name}.game"));
        let text = read(&file);
        let text = GameText::checked(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let Checked { warnings, fault } = check(&text, &script(&text, &[]));
        let is_ending = |warning: &Problem| warning.message.contains("`empty`");
        assert!(warnings.iter().all(is_ending) && fault.is_none(), "{name}: {warnings:?}, {fault:?}");
    }
}
