//! Published figures that are no mean of a game.

use stopwise_analysis::exact::Part;
use stopwise_engine::game::{Game, Node};
use stopwise_script::{GameText, Script};

use crate::{read, root};

/// The score of a position of a game for one, and how many turns in a row have scored nothing.
fn score_and_failed(game: &Script, node: &Node<Script>) -> (i64, usize) {
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
    let text = read(&root().join("games/farkle.game")) + "report in_a_row = failed\n";
    let text = GameText::new(&text).unwrap_or_else(|error| panic!("{error}"));
    let zilch = text.presets().iter().find(|preset| preset.name == "zilch").expect("a preset");
    let mut options = zilch.values.clone();
    options.push(("players".into(), "1".into()));
    let game = text.script(&options).unwrap_or_else(|error| panic!("{error}"));
    let turn = |start: &Node<Script>| {
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
            let exit = |exit: &Node<Script>| {
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
