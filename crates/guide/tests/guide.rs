//! The guide's game obeys the laws of every game, is solved as it is played, and reads the texts of the guide.

#[path = "../../engine/tests/games/common.rs"]
mod common;
#[path = "../../engine/tests/games/laws/generic/mod.rs"]
mod generic;
#[allow(dead_code, reason = "the games of the program use more of it")]
#[path = "../../analysis/tests/numbers/exact/played.rs"]
mod played;

use std::ops::ControlFlow;

use stopwise_engine::run::{Plan, run};
use stopwise_guide::games::two_dice::TwoDice;
use stopwise_policy::{RulesText, Text, TextPolicy};

/// The tests that the guide writes.
mod laws {
    use super::*;
    use crate::generic::check;

    include!(concat!(env!("OUT_DIR"), "/test-0.rs"));
}

mod exact {
    use super::*;
    use crate::played::{Free, check};

    include!(concat!(env!("OUT_DIR"), "/test-1.rs"));
}

macro_rules! text {
    ($name:literal) => {
        Text::new($name, include_str!(concat!(env!("OUT_DIR"), "/", $name)))
    };
}

#[test]
fn presets_are_those_of_the_game() {
    let (standard, gentle) = (text!("standard.toml"), text!("gentle.toml"));
    let read = |text: &Text| RulesText::read(text, &TwoDice::STANDARD, &[]).expect("good rules").rules;
    assert_eq!(read(&standard), TwoDice::STANDARD);
    // A base must be shipped: its options stand here instead.
    let [mut all, over]: [toml::Table; 2] = [standard, gentle].map(|text| text.text.parse().expect("TOML"));
    assert_eq!(over["base"].as_str(), Some("standard"));
    all.extend(over.into_iter().filter(|(key, _)| key != "base"));
    assert_eq!(read(&Text::new("gentle.toml", all.to_string())), TwoDice::GENTLE);
}

/// Holding at 22 beats holding at 10.
#[test]
fn the_policy_plays() {
    let game = TwoDice::STANDARD;
    let hold = |n: &str| {
        TextPolicy::compile(&text!("hold.toml"), &game, &[("n".to_owned(), n.to_owned())]).expect("compiles")
    };
    let plan = Plan { seed: 1, trials: 0..2000 };
    let tally = run(&game, &[hold("22"), hold("10")], &plan, |_| ControlFlow::Continue(()));
    assert_eq!((tally.trials, tally.endings[1]), (2000, 0));
    assert!(tally.seats[0].metrics[0].sums().0 > 1100);
}
