//! Loops that may go on without end are refused, and those that cannot are not.

use stopwise_engine::game::Game;
use stopwise_script::Script;

use crate::common::{Any, ends};

const ENDLESS: [&str; 6] = [
    // The first may leave before it rolls.
    "option players = 2 in 1..2\ndie d = 1..3\nround\n  let on[everyone] = yes\n  repeat while any(p in everyone where p.on)\n    \
     for p in everyone where p.on\n      if round == 2: break\n      roll x = d by p\n      p.on = no\n",
    // Nothing is drawn from an empty bag.
    "bag b = 1, 2\nturn\n  let deck = b in b\n  repeat\n    draw card from deck\n    else: again\n",
    // Nobody is asked where the condition does not hold.
    "die d = 1..6\nturn\n  roll x = d\n  repeat\n    ask stop where x > 6\n      end turn\n",
    // There may be no candidate.
    "die d = 1..6\nturn\n  roll x = d\n  repeat\n    ask n in 1..6 where n > x\n    else: again\n    if n == 1: end turn\n",
    // What is run through may be nothing.
    "option players = 2 in 1..2\ndie d = 1..6\nround\n  let on[everyone] = yes\n  repeat\n    for p in everyone where p.on\n      \
     ask stop of p\n        p.on = no\n",
    // It is another condition than that of the loop.
    "option players = 2 in 1..2\ndie d = 1..6\nround\n  let on[everyone] = yes\n  repeat while any(p in everyone where p.on)\n    \
     for p in everyone where not p.on\n      ask stop of p\n        p.on = no\n",
];

const FINITE: [&str; 3] = [
    "option players = 2 in 1..2\nround\n  let on[everyone] = yes\n  repeat while any(p in everyone where p.on)\n    \
     for q in everyone where q.on\n      ask stop of q\n        q.on = no\n",
    "option players = 2 in 1..2\nround\n  let on[everyone] = yes\n  repeat while any(p in everyone where p.on)\n    \
     ask all stop of p in everyone where p.on\n    for q in everyone where q.stop: q.on = no\n",
    // Who has rolled has stopped on the way out.
    "option players = 2 in 1..2\ndie d = 1..3\nround\n  let on[everyone] = yes\n  repeat while any(p in everyone where p.on)\n    \
     for p in everyone where p.on\n      roll x = d by p\n      p.on = no\n      if x == 3: break\n",
];

fn compiled(text: &str) -> Result<Script, String> {
    let text = format!("game small \"x\"\n{text}end over after 3 rounds\nwin most 1\nalone least turns\n");
    Script::new(&text, &[]).map_err(|error| error.to_string())
}

#[test]
fn endless_loops_are_refused() {
    for text in ENDLESS {
        let told = compiled(text).expect_err(text);
        assert!(told.contains("no roll, draw or question"), "{text}: {told}");
    }
}

#[test]
fn who_is_still_in_is_asked() {
    for text in FINITE {
        let game = compiled(text).unwrap_or_else(|told| panic!("{told}"));
        assert!(ends(&game, &Any, 1).all(|end| game.endings()[game.ending(end)].name == "over"));
    }
}

/// What a range is may depend on the number of a pass, however many stops all passes have.
#[test]
fn ranges_are_of_a_pass() {
    let text = "die d = 1..6\nturn\n  for n in 1..10\n    let total = 0 in 0..6 * n\n    roll all = n d\n    total = sum(all)\n    \
                if total > 50: bust\n";
    compiled(text).expect("the numbers of passes are known");
}
