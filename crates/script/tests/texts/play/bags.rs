//! Bags: what is worth nothing, faces that go into a narrower bag, and dice that are rolled again or alone.

use stopwise_engine::vocabulary::{Prose as _, read_position};
use stopwise_script::{Script, compile};

use crate::common::{Any, Written, compiled, ends};

fn game(text: &str) -> Script {
    let text = format!("game small \"x\"\n{text}end over after 1 turns\nalone most score\n");
    compiled(&text, &[])
}

/// How many of 200 games end with a failure, and the sum of scores.
fn played(game: &Script) -> (usize, i64) {
    let (mut failures, mut scores) = (0, 0);
    for end in ends(game, &Any, 200) {
        failures += usize::from(game.program().failure(&end).is_some());
        scores += game.program().measured(&end, 0)[0];
    }
    (failures, scores)
}

#[test]
fn a_set_that_is_worth_nothing_is_no_set() {
    let text = "option pair = 0 in 0..100\ndie d = 1..2\nworth d\n  1 1: pair\n  2: 50\nshared score = 0 in 0..1000\nturn\n  \
                roll dice = 2 d\n  score = count(x in parts(dice) where worth(x) > 0)\n";
    let game = game(text);
    // 1 1 has no part that is worth something, 1 2 one, 2 2 two.
    let (_, scores) = played(&game);
    assert!((150..250).contains(&scores), "{scores}");
}

#[test]
fn a_face_goes_into_a_narrower_bag_if_it_fits() {
    let draw = |filter: &str| {
        game(&format!(
            "names red = a, b\nbag reds = red\nbag cards = red, c\nshared score = 0 in 0..10\nturn\n  \
             let deck = cards in cards\n  let held = none in reds\n  draw card from deck\n  {filter}held += card\n  \
             score = size(held)\n"
        ))
    };
    let (failures, scores) = played(&draw("if card in red: "));
    assert_eq!(failures, 0);
    assert!((100..170).contains(&scores), "{scores}");
    assert!(played(&draw("")).0 > 0);
}

/// Bags of these faces have room for one of each as they are declared, and for all dice that are rolled.
#[test]
fn a_bag_of_faces_leaves_room_for_many_dice() {
    let text = "die d = 1..5, worm\nbag kinds = 1..5, worm\nshared score = 0 in 0..100\nturn\n  \
                let used = none in kinds\n  roll dice = 12 d\n  ask keep in dice\n  used += keep\n  \
                score = size(dice) + size(used) + count(dice, worm)\n";
    let (failures, scores) = played(&game(text));
    // Twelve dice, a face that was chosen, and two worms on the mean.
    assert!(failures == 0 && (2950..3050).contains(&scores), "{failures}, {scores}");
}

#[test]
fn what_is_taken_out_of_a_roll_is_rolled_again() {
    let text = "die d = 1..6\nshared score = 0 in 0..10\nturn\n  roll dice = 5 d\n  dice -= dice\n  \
                roll more = 5 - size(dice) d\n  dice += more\n  score = size(more) + size(dice)\n";
    assert_eq!(played(&game(text)), (0, 2000));
}

#[test]
fn a_die_that_was_drawn_or_chosen_is_rolled() {
    let game = |take: &str| {
        game(&format!(
            "die calm = 1..2\ndie wild = 5, star\nbag dice_of_all = 2 of calm, wild\nshared score = 0 in 0..100\nturn\n  \
             let pack = dice_of_all in dice_of_all\n  {take}\n  roll shown = one\n  \
             score = sum(shown) + 10 * size(shown) + 20 * count(shown, star)\n"
        ))
    };
    for take in ["draw one from pack", "ask one in pack"] {
        let (failures, scores) = played(&game(take));
        assert_eq!(failures, 0);
        // 11 and 12 with a calm die, 15 and 30 with a wild one: 23/2 and 45/2 on average.
        assert!((2300..=4500).contains(&scores), "{take}: {scores}");
    }
    // Two of three dice are calm.
    let (_, scores) = played(&game("draw one from pack"));
    assert!((scores - 200 * 91 / 6).abs() < 300, "{scores}");
}

/// A table `worth` is of faces, whichever dice show them.
#[test]
fn dice_of_several_kinds_are_worth_what_their_faces_are() {
    let text = |lines: &str| {
        format!(
            "die white = 5, 6\ndie black = 5, sun\nbag cubes = 2 of white, black\nworth black\n{lines}\
             shared score = 0 in 0..4000\nturn\n  let pool = cubes in cubes\n  roll shown = pool\n  score = worth(shown)\n"
        )
    };
    let scores = |lines: &str| {
        let game = game(&text(lines));
        let mut scores: Vec<i64> =
            ends(&game, &Any, 200).map(|end| game.program().measured(&end, 0)[0]).collect();
        scores.sort_unstable();
        scores.dedup();
        scores
    };
    // Two white dice and the black one: a 6 is in no line.
    assert_eq!(scores("  5: 10\n  sun: 7\n  5 5: 100\n  5 5 sun: 1000\n"), [0, 110, 1000]);
    assert_eq!(scores("  a a: 3\n  5 5 5: 100\n  sun: 1\n"), [0, 4, 100]);
}

/// Which die shows a face is told where several show it.
#[test]
fn a_position_tells_dice_of_the_same_face_apart() {
    let text = "game label \"x\"\ndie white = 5, 6\ndie black = 5, sun\nbag cubes = 2 of white, black\n\
                player score = 0 in 0..200\nturn\n  let pool = cubes in cubes\n  roll shown = pool\n  \
                ask keep in parts(shown) where count(keep, 5) == size(keep) \"keep\"\n  else: bust\n  \
                score += size(keep)\n  pool -= dice(keep)\n  roll more = pool\n  score += sum(more)\nend after 3 rounds\n\
                win most score\nalone most score\n";
    let game = compiled(text, &[]);
    ends(&game, &Written, 50).for_each(drop);
    let read = |text: &str| read_position(&game, text).map_err(|why| why.to_string());
    let (state, question) = read("among=white-5+6+black-5").expect("a position");
    let mut said: Vec<String> =
        question.actions.iter().map(|action| game.describe_action(&state, question.kind, action)).collect();
    said.sort_unstable();
    assert_eq!(said, ["black 5", "white 5", "white 5, black 5"]);
    let why = read("among=2*5+6").expect_err("no position");
    assert!(why.ends_with("`5` is on several dice; write white-5 or black-5"), "{why}");
}

/// A draw makes a variable less. What is a part of something is drawn from through a variable of its own, as the advice says.
#[test]
fn parts_are_drawn_from_by_a_name() {
    let text = "game piles \"x\"
option players = 2 in 2..3
bag deck = 1..4
names pile = left, right
shared piles[p in pile] = deck in deck
player hand = deck in deck
player score = 0 in 0..9
turn
  ask side in pile
  draw card from piles[side]
  score += number(card)
end after 1 rounds
win most score
";
    let refused = compile(text, &[]).expect_err("it is no variable");
    let [problem] = &refused.problems[..] else { panic!("{refused}") };
    let help = problem.help.as_deref().expect("advice");
    assert_eq!(help, "write `let rest = piles[…]`, draw from `rest`, and then `piles[…] = rest`");
    let draws = |part: &str| format!("  let rest = {part}\n  draw card from rest\n  {part} = rest\n");
    compile(&text.replace("  draw card from piles[side]\n", &draws("piles[side]")), &[]).expect("as advised");
    let of_others = text.replace("piles[side]", "left.hand");
    let of_others = of_others.replace("  ask side in pile\n", "  ask left in others\n");
    assert!(compile(&of_others, &[]).expect_err("no variable").to_string().contains("let rest = ….hand"));
}

/// A name that is drawn stands where its line of names has it, not where the bag has it.
#[test]
fn the_place_of_a_name_that_is_drawn() {
    let text = "names rank = two, three, four, five\nbag deck = 2 of five, three\nshared score = 0 in 0..9\nturn\n  \
                let left = deck in deck\n  draw card from left\n  score = place(card)\n";
    let game = game(text);
    let scores: std::collections::BTreeSet<i64> =
        ends(&game, &Any, 50).map(|end| game.program().measured(&end, 0)[0]).collect();
    assert_eq!(scores.into_iter().collect::<Vec<_>>(), [2, 4]);
}

/// The first names of another line, wherever it stands.
#[test]
fn the_first_of_other_names() {
    let text = |lines: &str| {
        format!(
            "game g \"x\"\n{lines}\nplayer score = 0 in 0..9\nturn\n  ask one in few\n  score = place(one)\nend after 1 rounds\n\
                 win most score\nalone most score\n"
        )
    };
    for lines in [
        "names suit = a, b, c\nnames few = first 2 of suit",
        "names few = first 2 of suit\nnames suit = a, b, c",
        "names few = first 2 of some\nnames some = first 3 of all_of\nnames all_of = a, b, c, e",
    ] {
        let game = compiled(&text(lines), &[]);
        let scores = ends(&game, &Any, 50).map(|end| game.program().measured(&end, 0)[0]);
        assert_eq!(scores.max(), Some(2), "{lines}");
    }
    let why = |lines: &str| compile(&text(lines), &[]).expect_err("a mistake").to_string();
    let circle = "names few = first 2 of some\nnames some = first 2 of few";
    assert!(why(circle).contains("`few` are made of names that are made of them"));
    let cards = "names card = suit * rank\nnames suit = a, b\nnames rank = x, y, z";
    let pairs = format!("{cards}\nbag pack = card\nnames few = first 2 of rank");
    compiled(&text(&pairs), &[]);
    let pairs = "names suit = a, b\nnames rank = x, y\nnames card = suit * rank\nnames few = first 2 of card";
    assert!(why(pairs).contains("`card` are pairs, of which there is no first"));
}
