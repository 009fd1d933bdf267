//! `setup`: what is done once, before the first turn.

use stopwise_analysis::exact::{Limits, Objective, solve};
use stopwise_engine::game::Game;
use stopwise_policy::TextPolicy;
use stopwise_script::{Script, compile};

use crate::common::compiled;
use crate::naive::walked;

fn mean(text: &str, seat: usize, metric: &str) -> f64 {
    let script = compiled(text, &[]);
    let at = script.metrics().iter().position(|own| own.name == metric).expect("a metric");
    walked(&script).expect("turns are counted")[seat][at]
}

/// A number is rolled before the game, and each of two turns is a point with 1/6 where it is rolled again.
#[test]
fn something_is_rolled_before_the_game() {
    let text = "game aim \"x\"\noption players = 2 in 1..3\ndie d = 1..6\nshared aim = 0 in 0..6\nplayer score = 0 in 0..9\n\
                setup\n  roll aim = d\n  for p in everyone where p.score == 0: p.score = place(p)\nturn\n  roll face = d\n  \
                if face == aim: score += 3\nend full after 2 rounds\nwin most score\nalone most score\nreport points = score\n";
    for seat in [0, 1] {
        let first = if seat == 0 { 1.0 } else { 2.0 };
        assert!((mean(text, seat, "points") - (first + 2.0 * 3.0 / 6.0)).abs() < 1e-12);
        assert!((mean(text, seat, "turns") - 2.0).abs() < 1e-12);
        // What is rolled before the game is seat 1's.
        assert!((mean(text, seat, "rolls") - if seat == 0 { 3.0 } else { 2.0 }).abs() < 1e-12);
    }
    // Seat 2 is ahead by one: seat 1 wins if it hits more often, 2 · (1/6) · (5/6) · (25/36) + (1/36) · (35/36) = 285/1296.
    assert!((mean(text, 0, "win") - 285.0 / 1296.0).abs() < 1e-12);
}

/// One of two cards is kept before the game, at random and by choice.
#[test]
fn something_is_dealt_and_chosen_before_the_game() {
    let text = "game deal \"x\"\noption players = 2 in 2..2\nbag pack = 1..4\nplayer card = 0 in 0..4\nsetup\n  \
                let deck = pack in pack\n  for p in everyone\n    draw two = 2 from deck by p\n    ask keep of p in two\n    \
                p.card = keep\nround: end round\nend full after 1 rounds\nwin most card\nreport kept = card\n";
    // Chosen at random a card is any of the four.
    assert!((mean(text, 0, "kept") - 2.5).abs() < 1e-12);
    assert!((mean(text, 1, "kept") - 2.5).abs() < 1e-12);
    assert!((mean(text, 1, "win") - 0.5).abs() < 1e-12);
    // Nothing is rolled: each drew two cards.
    assert!((mean(text, 0, "rolls") - 2.0).abs() < 1e-12);
    assert!((mean(text, 1, "rolls") - 2.0).abs() < 1e-12);
    let unit =
        |text| compiled(text, &[]).metrics().iter().find(|own| own.name == "rolls").expect("a metric").unit;
    assert_eq!(unit(text), "draws");
    // With a die that is rolled, rolls are rolls.
    let rolling = &text
        .replace("bag pack", "die d = 1..2\nbag pack")
        .replace("round: end", "round\n  roll face = d\n  end");
    assert_eq!(unit(rolling), "rolls");
    assert!((mean(rolling, 0, "rolls") - 1.0).abs() < 1e-12);
}

#[test]
fn there_is_no_turn_yet() {
    let game = |line: &str| {
        format!(
            "game wrong \"x\"\noption players = 2 in 2..4\ndie d = 1..6\nplayer score = 0 in 0..9\nsetup\n  {line}\nturn\n  \
             roll score = d\nend full after 3 rounds\nwin most score\n"
        )
    };
    for (line, wanted) in [
        ("bust", "before the first turn"),
        ("end turn", "before the first turn"),
        ("count busts of nth(everyone, 1)", "before the first turn"),
        ("score = 3", "nobody plays before the first turn"),
        ("for p in everyone where p == me: p.score = 1", "nobody plays before the first turn"),
        ("for p in others: p.score = 1", "write `everyone`"),
        ("ask go: for p in everyone: p.score = 1", "say who: `ask go of PLAYER`"),
        ("ask go in 1..2", "say who: `ask go of PLAYER`"),
    ] {
        let error = compile(&game(line), &[]).expect_err("it is wrong").to_string();
        assert!(error.contains(wanted), "{line}: {error}");
    }
}

/// A number from 1 to 3 says whose turns there are: both seats', seat 2's, or nobody's. Who has a turn scores with 1/3, so that
/// seat 1 has half of the games but where seat 2 alone has a turn: there it has half of 2/3. Together 4/9.
#[test]
fn what_is_rolled_before_the_game_is_solved() {
    let text = "game some \"x\"\noption players = 2 in 2..4\ndie d = 1..3\nshared first = 1 in 1..3\nplayer score = 0 in 0..9\n\
                setup\n  roll first = d\n  ask stay of nth(everyone, 1): first = first\nturn where place(me) >= first\n  \
                roll f = d\n  ask pay where f == 3: score = 1\nend full after 1 rounds\nwin most score\n";
    let script = compiled(text, &[]);
    let share = script.metrics().iter().position(|metric| metric.name == "share").expect("a metric");
    let free = vec![None::<TextPolicy<Script>>; 2];
    let best = solve(&script, &free, Objective::new(&script, share), Limits::default()).expect("it is small");
    // Two share in halves.
    assert!((best.middle() / 2.0 - 4.0 / 9.0).abs() < 1e-12, "{}", best.middle());
    assert!((mean(text, 0, "turns") - 1.0 / 3.0).abs() < 1e-12);
    assert!((mean(text, 1, "turns") - 2.0 / 3.0).abs() < 1e-12);
}
