//! Positions of rounds in which the players are asked one after the other: how far the round has come follows from what is given.

use stopwise_engine::game::{Action, Game, Node};
use stopwise_engine::vocabulary::{Prose as _, Vocabulary as _, read_position, write_position};
use stopwise_script::Script;

use crate::common::{compiled, script};

const MORE: &str = r#"game more "Each in turn rolls and may roll again once; the highest takes the point"

option players = 3 in 2..6

die d = 1..6
player score = 0 in 0..6 points

round
  for p in everyone
    roll a = d by p
    ask more of p
      roll b = d by p
      p.score = number(b)
    else
      p.score = number(a)

end over after 1 rounds
win most score
tie share
"#;

/// The first player of a round is another in each.
const STARTS: &str = r#"game starts "The starter begins, and all others follow"

option players = 3 in 2..6

die d = 1..6
player score = 0 in 0..600 points
shared starter = nth(everyone, 1)

round
  let first = starter
  for n in 0..players - 1
    let p = nth(everyone, (place(first) - 1 + n) % players + 1)
    roll a = d by p
    ask take of p
      p.score += number(a)
  starter = nth(everyone, place(starter) % players + 1)

end over after 9 rounds
win most score
"#;

/// Whose dice come after "no" in a position, or that it is over.
fn next(game: &Script, text: &str) -> Option<usize> {
    let (state, question) = read_position(game, text).unwrap_or_else(|why| panic!("{text}: {why}"));
    match game.decide(state, question.kind, Action::NO, &mut ()) {
        Node::Chance(_, seat, _) => Some(seat),
        Node::Terminal(_) => None,
        Node::Decision(..) => panic!("dice come first"),
    }
}

/// After the last player the round is over, whoever is asked it.
#[test]
fn the_seat_says_how_far_a_round_has_come() {
    let game = compiled(MORE, &[]);
    assert_eq!(next(&game, "a=5"), Some(1));
    assert_eq!(next(&game, "score=5/0/0 a=5 seat=2"), Some(2));
    assert_eq!(next(&game, "score=5/4/0 a=5 seat=3"), None);
}

/// What is known of the starter says which of the places it is; without, the text has to.
#[test]
fn who_began_says_how_far_a_round_has_come() {
    let game = compiled(STARTS, &[]);
    assert_eq!(next(&game, "starter=2 first=2 p=2 a=5 seat=2"), Some(2));
    assert_eq!(next(&game, "starter=2 p=2 a=5 seat=2"), Some(2));
    assert_eq!(next(&game, "starter=2 p=1 a=5 seat=1"), Some(2));
    // The first player begins, as in the first round.
    assert_eq!(next(&game, "p=2 a=5 seat=2"), Some(2));
    assert_eq!(next(&game, "a=5 seat=2"), Some(2));
    assert_eq!(next(&game, "starter=2 first=2 p=2 a=5 seat=2 place=1"), Some(2));
    for (text, why) in
        [("a=5 seat=4", "seat=4: write a number from 1 to 3"), ("p=9 a=5", "there are 3 players")]
    {
        let error = read_position(&game, text).expect_err("no player");
        assert!(error.to_string().contains(why), "{error}");
    }
}

/// How many rounds there were is a part of a position where it says when the game is over; else it is the first.
#[test]
fn the_round_is_a_part() {
    let game = compiled(STARTS, &[]);
    assert_eq!(next(&game, "starter=1 p=3 a=5 seat=3"), Some(1));
    assert_eq!(next(&game, "starter=1 p=3 a=5 seat=3 round=8"), Some(1));
    assert_eq!(next(&game, "starter=1 p=3 a=5 seat=3 round=9"), None);
    let position = read_position(&game, "starter=1 p=3 a=5 seat=3 round=8").expect("a position");
    assert!(write_position(&game, position).contains("round=8"));
    let error = read_position(&game, "round=10 a=5").expect_err("there is none").to_string();
    assert!(error.contains("round=10: write a number from 1 to 9"), "{error}");
    // It is p who is asked.
    for wrong in ["starter=3 p=2 a=5 seat=1", "starter=1 first=1 p=2 a=5 seat=1 place=1"] {
        let error = read_position(&game, wrong).expect_err("never so").to_string();
        assert!(error.contains("nobody is asked this so") && error.contains("seat=1"), "{error}");
    }
}

/// So it is where only policies look at it, and the cap: the rest that positions had in its place is read as well.
#[test]
fn a_clock_is_a_part() {
    let text = "game clock \"x\"\noption players = 2 in 2..2\ndie d = 1..6\nplayer score = 0 in 0..90\nturn\n  \
        let points = 0 in 0..90\n  repeat\n    roll face = d\n    points = min(points + face, 90 - score)\n    \
        ask stop\n      score += points\n      end turn\nend goal when score == 90\nend last after 5000 rounds\n\
        win most score\nsee left = 5000 - round\n";
    let game = compiled(text, &[]);
    let read = |text: &str| read_position(&game, text).expect("a position");
    let (at, first) = ("seat=2 score=3/4 points=5 face=5", read("seat=2 score=3/4 points=5 face=5"));
    let third = read(&format!("{at} round=3"));
    assert_eq!(write_position(&game, third), format!("{at} stops=1 round=3"));
    assert_eq!(write_position(&game, first), format!("{at} stops=1"));
    let left = game.features().iter().position(|feature| feature.name == "left").expect("a word");
    assert_eq!([first, third].map(|(state, _)| game.feature(state, left)), [4999, 4997]);
    // As earlier versions wrote them.
    for (name, position, rest) in [
        ("two-dice-pig", "seat=1 score=0/28 points=7 ones=0 stops=2", "0:600000000"),
        ("toss-up", "seat=1 score=56/57 points=6 left=4 stops=3", "2:3"),
        ("pass-the-pigs", "seat=1 score=0/27 points=1 sides=yes pay=1 stops=3", "0:600000000"),
        (
            "farkle",
            "decision=keep seat=1 score=550/1050 failed=0/0 points=0 left=6 among=1+2+3+4+5+6 stops=2",
            "1:c0000000000",
        ),
    ] {
        let game = script(name, &[]);
        let read = |text: String| read_position(&game, &text).unwrap_or_else(|why| panic!("{text}: {why}"));
        let fourth = read(format!("{position} round=4"));
        assert_eq!(read(format!("{position} rest={rest}")), fourth, "{name}");
        assert_eq!(read(format!("{position} rest={rest} round=4")), fourth, "{name}");
        assert_eq!(read(format!("{position} rest={rest} round=1")), read(position.to_owned()), "{name}");
        assert_eq!(write_position(&game, fourth), format!("{position} round=4"));
    }
}

/// A line that works is of a position that play comes to: dice lie there.
#[test]
fn an_example_is_met() {
    for text in [MORE, STARTS] {
        let game = compiled(text, &[]);
        let text = write_position(&game, game.example().expect("a question"));
        assert!(!text.contains("a=0"), "{text}");
        assert_eq!(write_position(&game, read_position(&game, &text).expect("it is one")), text);
    }
}
