//! Variables that hold a player, or none.

use stopwise_engine::game::Game;
use stopwise_script::compile;

use crate::common::{Written, compiled, ends};
use crate::naive::walked;

const HOLDER: &str = "game holder \"x\"\noption players = 2 in 1..4\ndie d = 1..2\nplayer throws = 0 in 0..9\n\
                      shared holder = none in everyone\nplayer rival = none in everyone\nturn\n  roll face = d\n  throws += 1\n  \
                      if face == 2: holder = me\n  ask give where holder != none\n    rival = holder\n    \
                      holder.throws += holder.throws < 9 ? 1 : 0\nend after 1 rounds\nwin most (holder == me ? 1 : 0)\ntie nobody\n\
                      alone most place(holder)\nreport held_by = place(holder)\nreport rivals = rival == none ? 0 : 1\n";

/// Who has thrown a two last of all: seat 2 with 1/2, seat 1 with 1/4, and nobody in the rest.
#[test]
fn nobody_holds_it_to_begin_with() {
    let script = compiled(HOLDER, &[]);
    let means = walked(&script).expect("turns are counted");
    let column = |name: &str| -> Vec<f64> {
        let at = script.metrics().iter().position(|metric| metric.name == name).expect("a metric");
        means.iter().map(|means| means[at]).collect()
    };
    assert_eq!(column("win"), [0.25, 0.5]);
    // The number of a seat, and 0 of nobody.
    assert_eq!(column("held_by"), [0.25 + 2.0 * 0.5; 2]);
    // Asked where somebody holds it, half of the answers are yes: seat 1 in 1/2 of the games, seat 2 in 3/4.
    assert_eq!(column("rivals"), [0.25, 0.375]);
}

#[test]
fn positions_say_none() {
    for players in ["1", "2", "4"] {
        let script = compiled(HOLDER, &[("players", players)]);
        assert_eq!(
            ends(&script, &Written, 100).filter(|end| script.program().failure(end).is_some()).count(),
            0
        );
    }
}

#[test]
fn a_player_is_needed() {
    let always = HOLDER.replace("shared holder = none in everyone", "shared holder = nth(everyone, 1)");
    compiled(&always, &[]);
    let error = compile(&always.replace("  throws += 1\n", "  throws += 1\n  holder = none\n"), &[]);
    let error = error.expect_err("it always is a player").to_string();
    assert!(
        error.contains("`holder` is always a player") && error.contains("`= none in everyone`"),
        "{error}"
    );
}

/// What has no player to look at ends the run, and says so.
#[test]
fn none_has_no_values() {
    let script = compiled(&HOLDER.replace("ask give where holder != none", "if face == 1"), &[]);
    let failures: Vec<_> =
        ends(&script, &Written, 200).filter_map(|end| script.program().failure(&end)).collect();
    assert!(!failures.is_empty());
    let said = failures[0].in_words(HOLDER);
    assert!(said.contains("a player is needed, and this is `none`"), "{said}");
}
