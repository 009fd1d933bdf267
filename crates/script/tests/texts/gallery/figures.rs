//! Published figures that are no mean of a game.

use stopwise_analysis::exact::{Limits, Objective, Part, solve};
use stopwise_engine::game::{Game, Node, NodeOf};
use stopwise_policy::TextPolicy;
use stopwise_script::{GameText, Script};

use crate::common::{compiled, text};

/// The score of a position of a game for one, and how many turns in a row have scored nothing.
fn score_and_failed(game: &Script, node: &NodeOf<Script>) -> (i64, usize) {
    let (Node::Chance(state, ..) | Node::Decision(state, _) | Node::Terminal(state)) = node;
    let measured = game.program().measured(state, 0);
    let of = |name: &str| {
        let at = game.metrics().iter().position(|metric| metric.name == name).expect("a metric");
        measured[at]
    };
    (of("points"), usize::try_from(of("in_a_row")).expect("a small number"))
}

/// Zilch pays 620.855 points a turn in the long run (Busche, "Maximizing Expected Scores in the Game of Zilch", 2010):
/// what a turn pays and the worth of the number of failed turns after it, which best play of the turn balances.
#[test]
#[ignore = "takes minutes where nothing is optimised"]
fn zilch_pays_so_much_a_turn() {
    // A turn is walked in depth, and it may have hundreds of rolls.
    let walk = std::thread::Builder::new().stack_size(1 << 30).spawn(zilch).expect("a thread");
    let paid = walk.join().expect("a number");
    assert!((paid - 620.8547).abs() < 0.0001, "{paid}");
}

fn zilch() -> f64 {
    let text = text("farkle") + "report in_a_row = failed\n";
    let text = GameText::new(&text).unwrap_or_else(|error| panic!("{error}"));
    let zilch = text.presets().iter().find(|preset| preset.name == "zilch").expect("a preset");
    let mut options = zilch.values.clone();
    options.push(("players".into(), "1".into()));
    let game = text.script(&options).unwrap_or_else(|error| panic!("{error}"));
    let turn = |start: &NodeOf<Script>| {
        let before = score_and_failed(&game, start);
        Part::explore(&game, *start, |node| {
            matches!(node, Node::Chance(..)) && score_and_failed(&game, node) != before
        })
    };
    let after = |part: &Part<Script>, wanted: fn((i64, usize)) -> bool| {
        *part.exits.iter().find(|exit| wanted(score_and_failed(&game, exit))).expect("an exit")
    };
    // Enough points that a penalty can be paid.
    let first = after(&turn(&game.root(&mut ())), |(score, _)| (1000..2000).contains(&score));
    let none = turn(&first);
    let one = turn(&after(&none, |(_, failed)| failed == 1));
    let two = turn(&after(&one, |(_, failed)| failed == 2));
    let (start, _) = score_and_failed(&game, &first);
    let mut worth = [0.0; 3];
    let mut paid = 0.0;
    for _ in 0..200 {
        let values = [&none, &one, &two].map(|part| {
            let exit = |exit: &NodeOf<Script>| {
                let (score, failed) = score_and_failed(&game, exit);
                [f64::from(i32::try_from(score - start).expect("points")) + worth[failed]]
            };
            part.evaluate(&part.exits.iter().map(exit).collect::<Vec<_>>())[0]
        });
        paid = values[0];
        worth = values.map(|value| value - paid);
    }
    paid
}

/// The end of Yahtzee with two boxes that are open: by a program of its own, whose full game is worth the published
/// 254.5896 with the free joker rule, 254.5877 with the forced one, and 253.9702 without.
#[test]
fn the_end_of_yahtzee() {
    ends_of_yahtzee(&ENDS[1..2], &["free", "forced"]);
}

#[test]
#[ignore = "takes half a minute"]
fn other_ends_of_yahtzee() {
    ends_of_yahtzee(&ENDS, &["none", "free", "forced"]);
}

fn ends_of_yahtzee(ends: &[End], jokers: &[&str]) {
    let whole = text("yahtzee");
    let fresh = [
        ("open[b in box_name] = place(b) <= boxes", "open[b in box_name] = b == ONE or b == TWO"),
        ("uppers = 0 in", "uppers = UPPERS in"),
        ("scored_five = no", "scored_five = FIVE"),
        ("end full after boxes rounds", "end full after 2 rounds"),
    ];
    let changed = fresh.iter().fold(whole, |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text.replace(from, to)
    });
    for (one, two, uppers, five, values) in ends {
        let of = |text: &str, word: &str, value: &str| text.replace(word, value);
        let text = of(&of(&of(&of(&changed, "ONE", one), "TWO", two), "UPPERS", uppers), "FIVE", five);
        let all = ["none", "free", "forced"].into_iter().zip(values);
        for (joker, value) in all.filter(|(joker, _)| jokers.contains(joker)) {
            let game = compiled(&text, &[("joker", joker)]);
            let found =
                solve::<_, TextPolicy<Script>>(&game, &[None], Objective::new(&game, 0), Limits::default());
            let found = found.unwrap_or_else(|error| panic!("{error:?}")).middle();
            assert!((found - value).abs() < 1e-9, "{one}, {two}, {joker}: {found}");
        }
    }
}

/// Two boxes, the points of the upper ones, whether five alike have scored; and the values.
type End = (&'static str, &'static str, &'static str, &'static str, [f64; 3]);
const ENDS: [End; 3] = [
    ("ones", "full_house", "0", "yes", [21.931_635_160_5, 22.978_450_558_1, 22.978_450_558_1]),
    ("sixes", "four_alike", "60", "yes", [62.297_463_819_7, 62.297_463_819_7, 62.276_454_414_6]),
    ("fours", "three_alike", "0", "yes", [33.610_108_012_9, 33.610_108_012_9, 33.600_092_247_4]),
];
