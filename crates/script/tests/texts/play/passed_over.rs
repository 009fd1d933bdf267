//! `turn where`: whose turn it is where players are passed over, by hand.

use stopwise_engine::game::{Game, MAX_METRICS, Source};
use stopwise_script::compile;
use stopwise_script::lanes::Lanes;

use crate::common::{Any, compiled, ends};
use crate::naive::walked;

/// The seats that had turns, one digit each, and the ending.
fn order(players: usize, has_turns: &str, turn: &str, ends_when: &str) -> (i64, &'static str) {
    let text = format!(
        "game order \"x\"\noption players = {players} in 1..8\nshared order = 0 in 0..99999999\nshared turn_of = 0 in 0..9\n\
         player out = no\nplayer score = 0 in 0..9\nturn where {has_turns}\n  order = order % 10000000 * 10 + place(me)\n  \
         turn_of += turn_of < 9 ? 1 : 0\n{turn}{ends_when}win most score\nalone most score\nreport all = order\n"
    );
    let script = compiled(&text, &[]);
    let end = ends(&script, &Any, 1).next().expect("a trial");
    assert_eq!(script.program().failure(&end), None, "{text}");
    let mut values = [0; MAX_METRICS];
    script.measure(end, 0, &mut values);
    let at = script.metrics().iter().position(|metric| metric.name == "all").expect("a report");
    assert_eq!(script.metrics()[at].source, Source::End);
    (i64::from(values[at]), script.endings()[script.ending(end)].name)
}

#[test]
fn who_is_out_has_no_turn() {
    let two_out = "  for p in everyone where turn_of == 1 and place(p) == 2: p.out = yes\n";
    let rounds = "end full after 2 rounds\n";
    assert_eq!(order(3, "not out", two_out, rounds), (1313, "full"));
    // The turns of all are counted, and those passed over have none.
    assert_eq!(order(3, "not out", two_out, "end full after 5 turns\n"), (13131, "full"));
    // Who is out at the beginning does not begin.
    assert_eq!(order(3, "place(me) != 1", "", rounds), (2323, "full"));
    // Passed over in the first round alone, and for a while.
    assert_eq!(order(3, "place(me) != 2 or round > 1", "", rounds), (13123, "full"));
    assert_eq!(order(3, "place(me) != 3 or turn_of > 4", "", rounds), (1212, "full"));
    // One has all turns, each of which is a round.
    assert_eq!(order(4, "place(me) == 3", "", "end full after 4 rounds\n"), (3333, "full"));
}

/// Behind the last seat of a round the next round is looked at.
#[test]
fn the_number_of_the_round_says_who_has_turns() {
    let rounds = "end full after 2 rounds\n";
    assert_eq!(order(3, "place(me) != 1 or round > 1", "", rounds), (23123, "full"));
    assert_eq!(order(3, "place(me) != 3 or round > 1", "", rounds), (12123, "full"));
    assert_eq!(order(3, "place(me) != 1 or round == 1", "", rounds), (12323, "full"));
    // One seat a round, and one that is alone in the second.
    let own = "place(me) == (round - 1) % players + 1";
    assert_eq!(order(3, own, "", "end full after 6 rounds\n"), (123_123, "full"));
    assert_eq!(
        order(3, "round != 2 or place(me) == 2", "", "end full after 3 rounds\n"),
        (1_232_123, "full")
    );
    // After the last round there is none, and where nobody has turns in the next one nobody is left.
    assert_eq!(order(2, "round < 3", "", rounds), (1212, "full"));
    assert_eq!(order(2, "round < 3", "", "end full after 9 rounds\n"), (1212, "nobody_left"));
    // Of one more turn for the others nobody who is passed over has one.
    let goal = "end goal when score == 1, after one more turn for the others\n";
    assert_eq!(order(3, own, "  score = 1\n", goal), (1, "goal"));
}

#[test]
fn nobody_or_one_is_left() {
    let own = "  out = yes\n";
    assert_eq!(order(3, "not out", own, "").1, "nobody_left");
    assert_eq!(order(3, "not out", own, "end home when nobody is left\n"), (123, "home"));
    assert_eq!(order(3, "not out", own, "end last when one is left\n"), (12, "last"));
    // Seat 1 throws 2 out, then 3 throws 1 out.
    let next = "  let p = nth(everyone, place(me) % players + 1)\n  p.out = yes\n";
    assert_eq!(order(3, "not out", next, "end last when one is left\n"), (13, "last"));
    // Alone one is never the last of several.
    let third = "  if turn_of == 3: out = yes\n";
    assert_eq!(order(1, "not out", third, "end last when one is left\n"), (111, "last"));
    // Only one has turns from the beginning.
    assert_eq!(order(3, "place(me) == 2", "", "end last when one is left\n"), (0, "last"));
    // Nobody has a turn at all.
    assert_eq!(order(2, "out", "", ""), (0, "nobody_left"));
}

#[test]
fn last_turns_pass_players_over() {
    let two_scores = "  for p in everyone where turn_of == 1 and place(p) == 3: p.out = yes\n  if place(me) == 2: score = 1\n";
    let one_more = "end goal when score == 1, after one more turn for the others\n";
    assert_eq!(order(4, "not out", two_scores, one_more), (1241, "goal"));
    // Nobody else is left to have one more.
    let alone = "  if turn_of == 1\n    for p in everyone where place(p) == 3: p.out = yes\n    out = yes\n  else: score = 1\n";
    assert_eq!(order(3, "not out", alone, one_more), (12, "goal"));
    let one_scores =
        "  if turn_of == 1\n    for p in everyone where place(p) == 3: p.out = yes\n    score = 1\n";
    assert_eq!(
        order(3, "not out", one_scores, "end goal when score == 1, after equal turns\n"),
        (12, "goal")
    );
}

/// Three with a chip each; who throws 0 is out, and the last wins. Of two the one to move wins a third of the games: w = (1 - w)/2.
/// Of three the first wins c/2, the second 1/6 + a/2, the third c = 1/3 + b/2, so that they win 5, 6 and 10 of 21 games. Until
/// one of three, then one of two is out there are 2 turns each, 4 in all.
#[test]
fn the_last_one_wins() {
    let text = "game last \"x\"\noption players = 3 in 2..4\ndie coin = 0..1\nplayer chips = 1 in 0..1\nturn where chips > 0\n  \
                roll face = coin\n  if face == 0: chips -= 1\nend last when one is left\nend early long after 60 turns\n\
                win most chips\n";
    let script = compiled(text, &[]);
    let means = walked(&script).expect("turns are counted");
    let column = |name: &str| -> Vec<f64> {
        let at = script.metrics().iter().position(|metric| metric.name == name).expect("a metric");
        means.iter().map(|means| means[at]).collect()
    };
    for (found, wanted) in column("win").into_iter().zip([5.0, 6.0, 10.0]) {
        assert!((found - wanted / 21.0).abs() < 1e-6, "{found} and {wanted}/21");
    }
    let turns: f64 = column("turns").iter().sum();
    assert!((turns - 4.0).abs() < 1e-6, "{turns}");
}

/// The turns of every seat in rounds in which somebody is out, the ending, and whether all seats begin each turn together.
fn rounds(players: usize, has_turns: &str, round: &str, ends_when: &str) -> (Vec<f64>, &'static str, bool) {
    let text = format!(
        "game rounds \"x\"\noption players = {players} in 1..8\nshared n = 0 in 0..99\nplayer out = no\n\
         player score = 0 in 0..99\nround{has_turns}\n  n += 1\n{round}{ends_when}win most score\nalone most score\n"
    );
    let script = compiled(&text, &[]);
    let turns = script.metrics().iter().position(|metric| metric.name == "turns").expect("a metric");
    let means = walked(&script).expect("turns are counted");
    let end = ends(&script, &Any, 1).next().expect("a trial");
    let ending = script.endings()[script.ending(end)].name;
    (means.iter().map(|means| means[turns]).collect(), ending, script.info().shared_turns)
}

/// Who is out has no turn in the next rounds, which are over when nobody has one.
#[test]
fn who_is_out_has_no_turn_in_a_round() {
    let one_more = "  for p in everyone where place(p) <= n: p.out = yes\n";
    let five = "end full after 5 rounds\n";
    assert_eq!(rounds(3, "", one_more, five), (vec![5.0; 3], "full", true));
    assert_eq!(rounds(3, " where not out", one_more, five), (vec![1.0, 2.0, 3.0], "nobody_left", false));
    let last = "end last when one is left\n";
    assert_eq!(rounds(3, " where not out", one_more, last), (vec![1.0, 2.0, 2.0], "last", false));
    // Judged at the beginning of each round, by its number, and before the first.
    assert_eq!(rounds(2, " where place(me) == 1 or round > 1", "", five), (vec![5.0, 4.0], "full", false));
    assert_eq!(rounds(2, " where round < 3", "", five), (vec![2.0; 2], "nobody_left", false));
    assert_eq!(rounds(2, " where out", "", five), (vec![0.0; 2], "nobody_left", false));
    assert_eq!(rounds(1, " where n < 3", "", five), (vec![3.0], "nobody_left", false));
}

/// An option that lets everybody have turns leaves the game as it is without the condition.
#[test]
fn a_condition_that_always_holds_changes_nothing() {
    let text = |filter: &str| {
        format!(
            "game same \"x\"\noption players = 2 in 1..4\noption outs = no\ndie d = 1..6\nplayer score = 0 in 0..40\nturn{filter}\n  \
             roll face = d\n  score += face\nend goal when score >= 30, after one more turn for the others\nwin most score\n\
             alone least turns\n"
        )
    };
    let (plain, with) = (text(""), text(" where not outs or score < 10"));
    let size =
        |text: &str| Lanes::new(&compiled(text, &[]), &[Vec::new()], vec![vec![0]]).expect("lanes").size();
    assert_eq!(size(&plain), size(&with));
    assert_eq!(walked(&compiled(&plain, &[])), walked(&compiled(&with, &[])));
}

#[test]
fn what_is_wrong_says_what_to_write() {
    let game = |turn: &str, end: &str| {
        format!(
            "game wrong \"x\"\noption players = 2 in 2..4\nplayer out = no\nplayer score = 0 in 0..9\n{turn}\n  \
             for p in everyone: p.out = yes\nend full after 3 rounds\n{end}win most score\n"
        )
    };
    for (turn, end, wanted) in [
        ("turn", "end last when one is left\n", "`turn where CONDITION`"),
        ("round where not out", "tie play on\n", "`tie share`, `tie nobody` or `tie by lot`"),
        ("turn where not out", "tie play on\n", "`tie share`, `tie nobody` or `tie by lot`"),
        ("turn where score", "", "a yes or no"),
        ("turn where not out", "end last when one left\n", "`nobody is left` or `one is left`"),
        ("turn where not out", "end last when two are left\n", "`nobody is left` or `one is left`"),
    ] {
        let error = compile(&game(turn, end), &[]).expect_err("it is wrong").to_string();
        assert!(error.contains(wanted), "{error}");
    }
}

/// `end turn, then PLAYER`: another turn, the other way round, and on from there.
#[test]
fn a_turn_says_who_plays_next() {
    let full = "end full after 6 turns\n";
    let again = "  if turn_of % 2 == 1: end turn, then me\n";
    assert_eq!(order(3, "yes", again, full).0, 112_233);
    let back = "  end turn, then nth(everyone, (place(me) + players - 2) % players + 1)\n";
    assert_eq!(order(3, "yes", back, full).0, 132_132);
    let third = "  for p in everyone where turn_of == 1 and place(p) == 3: end turn, then p\n";
    assert_eq!(order(4, "yes", third, full).0, 134_123);
    // Who is passed over is so here, too: the next one plays.
    assert_eq!(order(4, "place(me) != 3", third, full).0, 141_241);
    let gone = "  out = yes\n  end turn, then nth(everyone, (place(me) + players - 2) % players + 1)\n";
    assert_eq!(order(3, "not out", gone, ""), (132, "nobody_left"));
    for ends_when in [
        "end full after 2 rounds\n",
        "end goal when score == 1, after equal turns\nend full after 6 turns\n",
        "end goal when score == 1, after one more turn for the others\nend full after 6 turns\n",
    ] {
        let text = format!(
            "game wrong \"x\"\noption players = 2 in 2..8\nplayer score = 0 in 0..9\nturn\n  score = 1\n  end turn, then me\n\
             {ends_when}win most score\n"
        );
        let error = compile(&text, &[]).expect_err("there are no rounds").to_string();
        assert!(error.contains("there are no rounds"), "{error}");
    }
}

/// What options shut off says nothing of who plays next, and who plays alone is the next one anyway.
#[test]
fn there_are_rounds_where_nobody_says_who_plays_next() {
    let text = "game off \"x\"\noption players = 2 in 1..4\noption extra = no\nplayer score = 0 in 0..9\nturn\n  score += 1\n  \
                if extra and score == 1: end turn, then me\nend full after 2 rounds\nwin most score\nalone most score\n\
                report points = score\nsee number = round\n";
    let turns = |options: &[(&str, &str)]| {
        let script = compiled(text, options);
        let at = script.metrics().iter().position(|metric| metric.name == "points").expect("a report");
        walked(&script).expect("turns are counted").iter().map(|means| means[at]).collect::<Vec<_>>()
    };
    assert_eq!(turns(&[]), [2.0, 2.0]);
    assert_eq!(turns(&[("players", "1"), ("extra", "yes")]), [2.0]);
    let given = vec![("extra".to_owned(), "yes".to_owned())];
    let error = compile(text, &given).expect_err("there are no rounds").to_string();
    assert!(error.contains("there are no rounds"), "{error}");
    // Nor has what policies read a number of the round.
    let counted = text.replace("2 rounds", "4 turns");
    let error = compile(&counted, &given).expect_err("there are no rounds").to_string();
    assert!(error.contains("count in a variable of your own"), "{error}");
}
