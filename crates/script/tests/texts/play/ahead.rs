//! `chance(bust)`, `chance(a, b)` and `mean(e)`, by their closed forms.

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Game, Node};
use stopwise_engine::stream::{Keys, WordSource};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_script::{Script, State, compile};

use crate::common::{compiled, script, text};

/// A feature of a state as a fraction.
fn fraction(game: &Script, state: State, name: &str) -> (i64, i64) {
    let features = game.features();
    let index = features.iter().position(|feature| feature.name == name).unwrap_or_else(|| panic!("{name}"));
    let value = game.feature(state, index);
    let feature = &features[index];
    assert!((feature.low..=feature.high).contains(&value), "{name} is {value} of {}", feature.denominator);
    (value, feature.denominator)
}

fn number(game: &Script, state: State, name: &str) -> i64 {
    fraction(game, state, name).0
}

/// Calls `look` at every question of some games.
fn at_questions(game: &Script, kind: &str, mut look: impl FnMut(State)) {
    let keys = Keys::new(3);
    let mut met = 0;
    for trial in 0..60 {
        let mut words = keys.streams(trial, game.seats() + 1);
        let mut node = game.root(&mut ());
        loop {
            node = match node {
                Node::Chance(state, seat, throw) => {
                    game.resolve(state, throw.sample(words.word(seat)), &mut ())
                }
                Node::Decision(state, question) => {
                    if game.info().kinds[question.kind].name == kind {
                        met += 1;
                        look(state);
                    }
                    let many = u64::from(question.actions.count());
                    let at = (u64::from(words.word(game.seats())) * many) >> 32;
                    let action = question.actions.iter().nth(usize::try_from(at).expect("small"));
                    game.decide(state, question.kind, action.unwrap_or(Action::NO), &mut ())
                }
                Node::Terminal(_) => break,
            };
        }
    }
    assert!(met > 100, "{met} questions");
}

/// One chance in six; and the mean of what is missing at most.
#[test]
fn pig_looks_ahead() {
    for players in ["1", "2", "3"] {
        let game = script("pig", &[("players", players)]);
        at_questions(&game, "stop", |state| {
            assert_eq!(fraction(&game, state, "risk"), (1, 6));
            let (points, left) = (number(&game, state, "points"), number(&game, state, "goal_left"));
            let mean: i64 = (2..=6).map(|face| (points + face).min(left)).sum();
            assert_eq!(fraction(&game, state, "gain"), (mean - 6 * points, 6), "{points} of {left}");
        });
    }
}

/// What the text counts itself is a fraction too.
#[test]
fn cases_that_the_text_counts() {
    let counted = text("pig").replace("chance(bust)", "chance(points % 7, 2 * sides)");
    let game = compiled(&counted, &[]);
    at_questions(&game, "stop", |state| {
        assert_eq!(fraction(&game, state, "risk"), (number(&game, state, "points") % 7, 12));
    });
}

/// A word of `see` is what policies read, whatever else has its name.
#[test]
fn see_comes_first() {
    let text = text("pig").replace("see risk", "see goal = 2 * goal\nsee score = points\nsee risk");
    let game = compiled(&text, &[]);
    at_questions(&game, "stop", |state| {
        assert_eq!(number(&game, state, "goal"), 200);
        assert_eq!(number(&game, state, "score"), number(&game, state, "points"));
    });
}

/// Farkle's chance of nothing without three pairs, by the number of dice, when the points of the turn may be banked. Who sets all dice
/// aside rolls them again, or banks.
#[test]
fn farkle_looks_ahead() {
    let farkle = text("farkle")
        + "see risk = chance(bust)\nsee is_risky = chance(bust) * 2 > 1\n\
                 see what_is_lost = chance(bust) * points - 1\n";
    let nothing = [0, 4 * 7776, 16 * 1296, 60 * 216, 204 * 36, 600 * 6, 1440];
    for hot_dice in ["yes", "no"] {
        let game = compiled(&farkle, &[("pairs", "0"), ("hot_dice", hot_dice)]);
        at_questions(&game, "stop", |state| {
            let left = usize::try_from(number(&game, state, "left")).expect("dice");
            assert_eq!(fraction(&game, state, "risk"), (nothing[left], 46_656), "{left} dice");
            assert_eq!(number(&game, state, "is_risky"), i64::from(left == 1));
            let lost = nothing[left] * number(&game, state, "points") - 46_656;
            assert_eq!(fraction(&game, state, "what_is_lost"), (lost, 46_656));
        });
    }
}

/// A roll of no dice is none: a bust behind it counts, unless the dice come back before it.
#[test]
fn a_bust_behind_a_roll_of_no_dice() {
    let text = |back: &str| {
        format!(
            "game ahead \"x\"\nnames usage = keep, give\ndie d = 1..6\nshared score = 0 in 0..100\nturn\n  \
             let points = 0 in 0..90\n  let left = 3 in 0..3\n  repeat while points < 60\n    roll x = d\n    \
             ask use in usage where use == keep or x >= 3\n    if use == keep: left -= 1\n{back}    \
             roll more = left d\n    if left == 0: bust\n    points += x\n    ask stop\n      \
             score = min(score + points, 100)\n      end turn\nend after 5 turns\nalone most score\n\
             see risk = chance(bust)\nsee left = left\n"
        )
    };
    for (back, lost) in [("", 2), ("    if left == 0: left = 2\n", 0), ("    if left == 1: left = 2\n", 2)] {
        let game = compiled(&text(back), &[]);
        let mut met = std::collections::BTreeSet::new();
        at_questions(&game, "stop", |state| {
            let [points, left] = ["points", "left"].map(|name| number(&game, state, name));
            if points < 60 {
                // A one and a two take the last die.
                assert_eq!(
                    fraction(&game, state, "risk").0,
                    if left == 1 { lost } else { 0 },
                    "{back}{left}"
                );
                met.insert(left);
            }
        });
        assert!(met.contains(&2), "{met:?}");
    }
}

/// A draw from a bag, a turn that ends by itself, and memory that is looked at.
#[test]
fn draws_and_ends_of_turns() {
    let text = "game cards \"x\"\nbag deck = 4 of good, 2 of bad, 2 of last\nshared score = 0 in 0..99\n\
                shared drawn = 0 in 0..99\nturn\n  let cards = deck in deck\n  let points = 0 in 0..20\n  repeat\n    \
                draw card from cards\n    else: end turn\n    drawn += 1\n    if card == bad: bust\n    points += 2\n    \
                if card == last\n      score += points\n      points += 1\n      end turn\n    ask stop\n      score += points\n      \
                end turn\nend after 4 turns\nalone most score\nsee risk = chance(bust)\nsee then = mean(points)\n\
                see goods = count(cards, good)\nsee later = mean(drawn)\n";
    let game = compiled(text, &[]);
    at_questions(&game, "stop", |state| {
        let (goods, points) = (number(&game, state, "goods"), number(&game, state, "points"));
        let drawn = number(&game, state, "drawn");
        // Before the first bad or last card, all of these are in the bag.
        let all = goods + 4;
        assert_eq!(fraction(&game, state, "risk"), (2 * 840 / all, 840));
        assert_eq!(number(&game, state, "then"), (goods * (points + 2) + 2 * (points + 3)) * 840 / all);
        assert_eq!(number(&game, state, "later"), (goods + 2) * (drawn + 1) * 840 / all);
    });
    let features = game.features();
    let memory =
        |name: &str| features.iter().find(|feature| feature.name == name).expect("it is there").memory;
    assert_eq!(memory("then"), 0);
    assert_ne!(memory("later"), 0);
}

/// Of 52 cards, one after the other, the chances have no common denominator that is small enough: up to 22nds they are exact,
/// and the others the nearest parts. Worked by hand: of 52 cards 13 bust, and 12 of the others end nothing.
#[test]
fn a_deck_of_cards() {
    let text = "game cards \"x\"\nbag pack = 13 of bad, 39 of good\nshared score = 0 in 0..99\nshared deck = pack in pack\nturn\n  \
                let cards = 0 in 0..52\n  repeat\n    ask stop: break\n    draw card from deck\n    else: break\n    \
                if card == bad: bust\n    cards += 1\n  score = min(score + cards, 99)\n\
                end empty when size(deck) == 0\nalone most score\nsee risk = chance(bust)\nsee then = mean(cards) - cards\n\
                see bads = count(deck, bad)\nsee left = size(deck)\nsee cards = cards\n";
    let game = compiled(text, &[]);
    let parts = 1_396_755_360;
    let mut met = std::collections::BTreeSet::new();
    at_questions(&game, "stop", |state| {
        let (bads, left) = (number(&game, state, "bads"), number(&game, state, "left"));
        let (risk, of) = fraction(&game, state, "risk");
        assert_eq!(of, parts);
        // The nearest part: twice the distance is one part at the most.
        assert!((2 * (risk * left - bads * parts)).abs() <= left, "{bads} of {left}: {risk}");
        if left <= 22 {
            assert_eq!(risk * left, bads * parts, "{bads} of {left}");
        }
        let cards = number(&game, state, "cards");
        // After a good card there is one more, and after a bad one nothing is left.
        let gain = (left - bads) - bads * cards;
        let then = number(&game, state, "then");
        assert!((2 * (then * left - gain * parts)).abs() <= left, "{gain} of {left}: {then}");
        met.insert(left);
    });
    assert!(met.contains(&52) && met.contains(&23) && met.contains(&22), "{met:?}");
    // 13 of 52 and 12 of 51.
    let Node::Decision(first, _) = game.root(&mut ()) else { panic!("a question") };
    assert_eq!(fraction(&game, first, "risk"), (349_188_840, parts));
}

/// A question with one answer is not asked, and what is looked at ahead ends there as at those that are asked.
#[test]
fn questions_with_one_answer_end_the_look() {
    let text = |play: &str| {
        format!(
            "game ahead \"x\"\ndie d = 1..6\nshared score = 0 in 0..100\nturn\n  let points = 0 in 0..90\n  \
             repeat while points < 60\n{play}      score = min(score + points, 100)\n      end turn\n\
             end after 5 turns\nalone most score\nsee then = mean(points)\n"
        )
    };
    // Of two dice none, one or several parts sum up to six; 10 of 36 rolls have none.
    let keep = "    roll rolled = 2 d\n    ask keep in parts(rolled) where sum(keep) >= 6\n    else: bust\n    \
                points += sum(keep)\n    ask stop\n";
    let game = compiled(&text(keep), &[]);
    at_questions(&game, "stop", |state| {
        let points = number(&game, state, "points");
        if points < 60 {
            assert_eq!(fraction(&game, state, "then"), (26 * points, 36), "{points}");
        }
    });
}

/// A bust that no answer avoids counts, also behind a question: one with one answer is not asked, and of one with several all are
/// tried.
#[test]
fn a_bust_behind_a_question() {
    let text = "game ahead \"x\"\nnames usage = keep, give\ndie d = 1..6\nshared score = 0 in 0..100\nturn\n  \
                let points = 0 in 0..90\n  repeat while points < 60\n    roll x = d\n    \
                ask use in usage where use == keep or x >= 5 or x <= 2\n    ask more in usage where x == 2 or more == give\n    \
                if x == 6 or x == 1 or x == 5 and use == keep or x == 2 and more == keep: bust\n    points += x\n    \
                ask stop\n      score = min(score + points, 100)\n      end turn\nend after 5 turns\nalone most score\n\
                see risk = chance(bust)\n";
    let game = compiled(text, &[]);
    at_questions(&game, "stop", |state| {
        // A six and a one are lost whatever is answered; a five and a two are saved by one of the answers.
        let risk = if number(&game, state, "points") < 60 { 2 } else { 0 };
        assert_eq!(fraction(&game, state, "risk"), (risk, 6));
    });
}

/// A question that is skipped is a no: the roll behind its yes is none that may come. Of six faces one is a bust, and the others count
/// at once where the question is skipped; else the look ends at it.
#[test]
fn a_question_that_is_skipped_is_a_no() {
    let text = "game ahead \"x\"\ndie d = 1..6\nshared score = 0 in 0..100\nturn\n  let points = 0 in 0..90\n  \
                let spare = yes\n  repeat while points < 60\n    roll x = d\n    if x == 1: bust\n    \
                let got = x in 1..6\n    ask retry where spare\n      spare = no\n      roll y = d\n      got = y\n    \
                points += got\n    ask stop\n      score = min(score + points, 100)\n      end turn\n\
                end after 5 turns\nalone most score\nsee risk = chance(bust)\nsee then = mean(points)\n";
    let game = compiled(text, &[]);
    let mut skipped = 0;
    at_questions(&game, "stop", |state| {
        let [points, spare] = ["points", "spare"].map(|name| number(&game, state, name));
        if points < 60 {
            skipped += 1 - spare;
            assert_eq!(fraction(&game, state, "risk"), (1, 6));
            assert_eq!(fraction(&game, state, "then"), (5 * points + 20 * (1 - spare), 6));
        }
    });
    assert!(skipped > 20, "{skipped}");
}

/// What cannot be looked at is refused with its place.
#[test]
fn what_cannot_be_looked_at() {
    let pig = text("pig");
    for (right, wrong, says) in [
        ("    roll face = d\n", "    roll face = d\n    roll other = d\n", "more than one roll"),
        ("mean(points) - points", "mean(points) / 2", "cannot be made"),
        ("chance(bust)", "chance(win)", "cannot be made"),
        ("risk = chance(bust)", "risk = chance(bust) and yes", "cannot be made"),
        ("mean(points) - points", "mean(pints) - points", "`pints`"),
        ("chance(bust)", "chance(1, points)", "depend on options only"),
        ("chance(bust)", "chance(1, 0)", "one case at least"),
        ("chance(bust)", "2 * chance(1, 6)", "stands alone"),
        ("chance(bust)", "chance(1, 2, 3)", "cannot be made"),
        ("ask stop \"hold\"", "ask stop of me \"hold\"", "can be looked at from no question"),
    ] {
        assert!(pig.contains(right), "{right}");
        let told = compile(&pig.replacen(right, wrong, 1), &[]).map(drop).expect_err(wrong).to_string();
        assert!(told.contains(says), "{wrong}: {told}");
    }
    let others =
        pig.replace("    points = min", "    for p in others\n      ask mercy of p\n    points = min");
    let told = compile(&others, &[]).map(drop).expect_err("others are asked").to_string();
    assert!(told.contains("others are asked after this question"), "{told}");
}

/// What was looked at before changes nothing: a thread that remembers results and one that remembers none find the same.
#[test]
fn remembered_results_are_those_that_are_found() {
    let with_looks = |name: &str| {
        let text =
            format!("{}\nsee risk_ahead = chance(bust)\nsee more_ahead = mean(score) - score\n", text(name));
        let text: String =
            text.lines().filter(|line| !line.starts_with("expect")).map(|line| format!("{line}\n")).collect();
        compiled(&text, &[])
    };
    for name in ["farkle", "two-dice-pig", "pig"] {
        let game = with_looks(name);
        let mut states = Vec::new();
        at_questions(&game, "stop", |state| states.push(state));
        let found = |state: State| ["risk_ahead", "more_ahead"].map(|look| fraction(&game, state, look));
        for &state in states.iter().step_by(states.len().div_ceil(100)) {
            let remembered = [found(state), found(state)];
            let fresh = std::thread::scope(|scope| scope.spawn(|| found(state)).join().expect("no panic"));
            assert_eq!(remembered, [fresh; 2], "{name}: {state:?}");
        }
    }
}
