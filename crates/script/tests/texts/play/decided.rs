//! `won by` and `lost by`: chances by hand.

use stopwise_engine::game::Game;
use stopwise_script::compile;

use crate::common::compiled;
use crate::naive::walked;

/// A game in which who throws a six ends the game.
fn sixes(players: usize, ending: &str, rest: &str) -> String {
    format!(
        "game sixes \"x\"\noption players = {players} in 2..4\ndie d = 1..6\nturn\n  roll face = d\n  \
         if face == 6: end game six {ending}\nend six \"a six\"\nend early long after 120 turns\n{rest}"
    )
}

/// The mean of a metric of every seat; after 120 turns nothing is left.
fn means(metric: &str, players: usize, ending: &str, rest: &str) -> Vec<f64> {
    let script = compiled(&sixes(players, ending, rest), &[]);
    let at = script.metrics().iter().position(|own| own.name == metric).expect("a metric");
    walked(&script).expect("turns are counted").iter().map(|means| means[at]).collect()
}

fn agree(found: &[f64], wanted: &[f64]) {
    let near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6);
    assert!(near && found.len() == wanted.len(), "{found:?} and {wanted:?}");
}

/// The first of two throws the first six with 1/6 · 1 / (1 - 25/36) = 6/11; of three the first with 36/91, the others with 30
/// and 25 of 91.
#[test]
fn somebody_wins_or_loses_at_once() {
    let last = "win most place(me)\n";
    agree(&means("win", 2, "won by me", last), &[6.0 / 11.0, 5.0 / 11.0]);
    agree(&means("win", 2, "lost by me", last), &[5.0 / 11.0, 6.0 / 11.0]);
    agree(&means("win", 3, "won by nth(everyone, 2)", last), &[0.0, 1.0, 0.0]);
    agree(&means("win", 3, "lost by nth(everyone, 3)", last), &[0.0, 1.0, 0.0]);
    // Among the others the last seat wins.
    agree(&means("win", 3, "lost by me", last), &[0.0, 25.0 / 91.0, 66.0 / 91.0]);
}

#[test]
fn the_others_may_be_equal() {
    let lost = |seat: f64| 1.0 - seat / 91.0;
    let others = [36.0, 30.0, 25.0].map(|seat| lost(seat) / 2.0);
    agree(&means("share", 3, "lost by me", "win most 0\n"), &others.map(|half| half * 6.0));
    agree(&means("win", 3, "lost by me", "win most 0\ntie nobody\n"), &[0.0; 3]);
    agree(&means("win", 3, "lost by me", "win most 0\ntie by lot\n"), &others);
    // Of those who play on the next one to throw a six has lost as well. The lower seat of them begins and loses with 6/11.
    agree(
        &means("win", 3, "lost by me", "win most 0\ntie play on\n"),
        &[25.0, 30.0, 36.0].map(|seat| seat / 91.0),
    );
    // Only who wins is never equal to others: nothing is shared.
    for tie in ["", "tie nobody\n", "tie by lot\n", "tie play on\n"] {
        agree(&means("win", 2, "won by me", &format!("win most 0\n{tie}")), &[6.0 / 11.0, 5.0 / 11.0]);
    }
}

#[test]
fn an_early_end_has_no_winner() {
    let text = sixes(2, "won by me", "win most 0\n").replace("end six", "end early six");
    let error = compile(&text, &[]).expect_err("nobody wins").to_string();
    assert!(error.contains("declare it without `early`"), "{error}");
    let text = sixes(2, "won by 3", "win most 0\n");
    let error = compile(&text, &[]).expect_err("it is no player").to_string();
    assert!(error.contains("a player is needed"), "{error}");
    let text = sixes(2, "won me", "win most 0\n");
    let error = compile(&text, &[]).expect_err("who?").to_string();
    assert!(error.contains("`end game NAME won by PLAYER`"), "{error}");
}
