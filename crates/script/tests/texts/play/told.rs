//! Texts are told back in words.

use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Action, Event, Events, Game as _, Node, Question};
use stopwise_engine::stream::{Keys, WordSource as _};
use stopwise_engine::vocabulary::{Cause, Prose as _, Transition, Vocabulary as _};
use stopwise_script::{Script, State, read, tell};

use crate::common::{compiled, script, text};

#[test]
fn pig_is_told() {
    let text = text("pig");
    let told = tell(&read(&text).expect("a game"));
    let wanted = [
        "Roll as often as you like; a one loses the points of the turn.",
        "The die `d` has 1 to `sides`.",
        "Of every player `score` (banked points) is 0 to begin with, from 0 to `goal`.",
        "Of every player `scoring_turns` (turns in which points were banked) is 0 to begin with, from 0 to 255.",
        "In a turn, which is one player's; then it is the next player's turn:",
        "  `points` (points of this turn) is 0 to begin with, from 0 to `goal`.",
        "  Again and again:",
        "    Dice are rolled: `d` as `face`.",
        "    If `face` is `bust_face`:",
        "      Bust: the turn ends, and what was only of this turn is lost.",
        "    `points` becomes the smaller of `points` + (1 if `unit_score`, else `face`) and `goal` - `score`.",
        "    The player answers yes or no to `stop` (hold). After a yes:",
        "      `points` is added to `score`.",
        "      `scoring_turns` becomes the smaller of `scoring_turns` + 1 and 255.",
        "      The turn ends.",
        "The game ends (`goal`) when `score` is `goal` of the player whose turn it was holds after a turn, at once.",
        "The game is cut off (`capped`) after `turn_cap` turns of all players and nobody wins.",
        "Who has the most `score` wins.",
        "Those who are equal share the win, as the text does not say otherwise.",
        "Alone, fewer turns are better; of a single turn, the most `score`.",
    ];
    assert_eq!(told, wanted);
}

/// Who rolls, who is asked, and whose values an end looks at.
#[test]
fn whose_it_is_is_told() {
    let text = "game whose \"x\"
option players = 3 in 2..3
die d = 1..6
bag b = 1, 2
player score = 0 in 0..100
round
  let held[everyone] = 0 in 0..6
  for p in everyone
    roll face = d by p
    draw one from b by p
    p.held = face
    ask stay of p
    ask more of p: p.score += p.held
end rich when score > 20
define best = max(p in everyone: p.score)
end empty when max(p in everyone: p.score) > 30, after equal turns
win most score
";
    let told = tell(&read(text).expect("a game")).join("\n");
    for line in [
        "The die `d` has 1 to 6.",
        "The bag `b` holds 1, 2.",
        "Of every player `score` is 0 to begin with, from 0 to 100.",
        "`best` stands for the most `score` of `p` over `p` of all players.",
        "  `held`, for each of all players, is 0 to begin with, from 0 to 6.",
        "    Dice are rolled by `p`: `d` as `face`.",
        "    One is drawn by `p` from `b` as `one`.",
        "    `p` answers yes or no to `stay`.\n",
        "    `p` answers yes or no to `more`. After a yes:\n",
        "(`rich`) when `score` is more than 20 of any player holds after a round, at once.",
        "(`empty`) when (the most `score` of `p` over `p` of all players) is more than 30 holds after a round,",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
}

#[test]
fn every_text_is_told() {
    for name in ["farkle", "zombie-dice", "cant-stop", "carbonite", "incan-gold"] {
        let text = text(name);
        let told = tell(&read(&text).expect("a game")).join("\n");
        assert!(told.lines().count() > 10, "{name}");
        assert!(!told.contains("``"), "{name}: {told}");
    }
}

/// What was rolled at every step of a trial, and the sentences that it is told with.
fn steps(
    game: &Script,
    trial: u64,
    mut answer: impl FnMut(State, Question) -> Action,
) -> Vec<(Option<String>, Vec<String>)> {
    #[derive(Default)]
    struct Heard(Vec<(usize, Event)>);
    impl Events for Heard {
        fn event(&mut self, seat: usize, event: Event) {
            self.0.push((seat, event));
        }
    }
    let mut words = Keys::new(4).streams(trial, game.seats());
    let mut node = game.root(&mut ());
    let (mut said, mut throw) = (Vec::new(), Vec::new());
    loop {
        let mut heard = Heard::default();
        let (before, cause, rolled, next) = match node {
            Node::Terminal(_) => return said,
            Node::Chance(state, seat, chance) => {
                let outcome = chance.sample(words.word(seat));
                throw.push((state, outcome));
                let rolled = game.tell_roll(&throw);
                if rolled.is_some() {
                    throw.clear();
                }
                (state, Cause::Roll(outcome), rolled, game.resolve(state, outcome, &mut heard))
            }
            Node::Decision(state, question) => {
                let action = answer(state, question);
                let next = game.decide(state, question.kind, action, &mut heard);
                (state, Cause::Answer(question.kind, action), None, next)
            }
        };
        let (Node::Terminal(after) | Node::Chance(after, ..) | Node::Decision(after, _)) = next;
        said.push((rolled, game.tell_step(&Transition { before, cause, after, events: &heard.0 })));
        node = next;
    }
}

/// What a chance shows has its name, whether it may change or not.
#[test]
fn a_chance_is_told_by_its_name() {
    let text = "game weather \"x\"\nshared days = 0 in 0..9\nturn\n  roll rain = chance(5, 6)\n  roll sun = chance(days + 1, 9)\n  \
                days += rain ? 1 : 0\n  if sun: days = 9\nend after 2 turns\nalone most days\n";
    let game = compiled(text, &[]);
    let told = |trial| steps(&game, trial, |_, question| question.actions.first());
    let mut said: Vec<_> = (0..20).flat_map(told).filter_map(|(rolled, _)| rolled).collect();
    said.sort();
    said.dedup();
    let wanted = ["rolls no (`rain`)", "rolls no (`sun`)", "rolls yes (`rain`)", "rolls yes (`sun`)"];
    assert_eq!(said, wanted);
}

/// Where a turn ends, a replay says so, and what the turn has brought; by a tally of what was rolled.
#[test]
fn the_end_of_a_turn_is_told() {
    let game = script("pig", &[("goal", "30")]);
    let points = game.features().iter().position(|feature| feature.name == "points").expect("points");
    for trial in 0..20 {
        let (mut scores, mut held, mut seat, mut turn) = ([0; 2], [0; 2], 0, 0);
        let hold = |state, _| if game.feature(state, points) >= 8 { Action::YES } else { Action::NO };
        for (rolled, said) in steps(&game, trial, hold) {
            let face = rolled.map(|rolled| {
                rolled.strip_prefix("rolls ").and_then(|rest| rest.split(' ').next()).expect("a face").parse()
            });
            let wanted = match face.transpose().expect("a number") {
                Some(1) => Some("bust: the turn is over".to_owned()),
                Some(face) => {
                    turn = (turn + face).min(30 - scores[seat]);
                    None
                }
                None if turn >= 8 => {
                    let before = scores[seat];
                    scores[seat] += turn;
                    held[seat] += 1;
                    let (now, turns) = (scores[seat], held[seat]);
                    let unit = if turns == 1 { "turn" } else { "turns" };
                    Some(format!(
                        "the turn is over: score {before} → {now} points, scoring_turns {} → {turns} {unit}",
                        turns - 1
                    ))
                }
                None => None,
            };
            if wanted.is_some() {
                (seat, turn) = (1 - seat, 0);
            }
            assert_eq!(said, Vec::from_iter(wanted));
        }
    }
}

/// A bust that is counted and ends no turn is not told as its end, and a round is everybody's.
#[test]
fn busts_that_end_no_turn_are_told_as_such() {
    let text = |play: &str| {
        format!(
            "game busts \"Busts\"\noption players = 2 in 1..3\ndie d = 1..6\nplayer score = 0 in 0..9 points\n\
             {play}\nend after 1 rounds\nwin most score\nalone most score\n"
        )
    };
    let said = |play: &str| {
        let game = compiled(&text(play), &[]);
        steps(&game, 0, |_, question| question.actions.first())
            .into_iter()
            .flat_map(|(_, said)| said)
            .collect::<Vec<_>>()
    };
    let turn = "turn\n  roll a = d\n  for p in others: count busts of p\n  roll b = d\n  count busts\n  roll c = d\n  score = 3";
    let (first, second) = (
        ["bust: seat 2", "bust: counted", "the turn is over: score 0 → 3 points"],
        ["bust: seat 1", "bust: counted", "the turn is over: score 0 → 3 points"],
    );
    assert_eq!(said(turn), [first, second].concat());
    // What a step brings is told with it where no question follows.
    let steps = "turn\n  roll a = d\n  score += 2\n  roll b = d\n  score += 3";
    let own = ["score 0 → 2 points", "the turn is over: score 2 → 5 points"];
    assert_eq!(said(steps), [own, own].concat());
    let round = "round\n  roll a = d\n  for p in everyone: count busts of p\n  roll b = d\n  for p in everyone: p.score += 2";
    assert_eq!(said(round), ["bust: seats 1 and 2", "the round is over: score 0 : 0 → 2 : 2 points"]);
}

/// The faces of "1, 1, 4", or of "2 of 1 + 1 of 4", as many dice are told.
fn faces(told: &str) -> Vec<(i64, &str)> {
    let parts = told.split(" + ").flat_map(|part| part.split(", "));
    parts
        .map(|part| match part.split_once(" of ") {
            Some((many, face)) => (many.parse().expect("a number"), face),
            None => (1, part),
        })
        .collect()
}

/// However many events a throw takes, it is told once, with all of its dice; the faces that are told are those that score.
#[test]
fn a_throw_of_many_dice_is_told_as_one() {
    let text = "game throws \"Throws\"\noption many = 9 in 1..20\ndie d = 1..6\ndie e = red, green, blue\n\
                player score = 0 in 0..3000 points\nturn\n  \
                roll a = many d, b = 20 e\n  score = sum(a) + 100 * count(b, green)\nend after 1 rounds\nalone most score\n";
    for many in [1_i64, 6, 7, 20] {
        let game = compiled(text, &[("many", &many.to_string())]);
        for trial in 0..20 {
            let steps = steps(&game, trial, |_, question| question.actions.first());
            let rolled: Vec<&String> = steps.iter().filter_map(|(rolled, _)| rolled.as_ref()).collect();
            let [rolled] = rolled[..] else { panic!("{rolled:?}") };
            let (numbers, colours) = rolled.split_once(" (`a`) and ").expect("two parts");
            let numbers = faces(numbers.strip_prefix("rolls ").expect("a roll"));
            let colours = faces(colours.strip_suffix(" (`b`)").expect("a roll"));
            let all = |faces: &[(i64, &str)]| faces.iter().map(|(many, _)| many).sum::<i64>();
            assert_eq!((all(&numbers), all(&colours)), (many, 20), "{rolled}");
            let of = |(many, face): &(i64, &str)| many * face.parse::<i64>().expect("a number");
            let green = colours.iter().find(|(_, colour)| *colour == "green");
            let score = numbers.iter().map(of).sum::<i64>() + 100 * green.map_or(0, |(many, _)| *many);
            let (_, said) = steps.last().expect("a step");
            assert_eq!(said.join(" "), format!("the turn is over: score 0 → {score} points"));
        }
    }
}

/// Who has turns and who plays next, what is done before the first turn, who wins at once, and wild faces.
#[test]
fn turns_that_are_not_everybodys_are_told() {
    let text = "game suns \"x\"
option players = 2 in 1..4
die d = 1..3, sun
worth d
  a a: a
  sun: wild
player chips = 2 in 0..9
setup
  roll first = d
  for p in everyone where first == sun: p.chips += 1
turn where chips > 0
  roll dice = 3 d
  if worth(dice) == 0
    chips -= 1
    end turn, then me
  if count(dice, sun) == 3: end game suns won by me
  if count(dice, 1) == 3: end game ones lost by me
end last when one is left
end suns \"three suns\"
end ones \"three ones\"
end after 90 turns
win most chips
alone most chips
";
    let told = tell(&read(text).expect("a game"));
    let wanted = [
        "  `sun` stands for any face",
        "Before the first turn:",
        "  Dice are rolled: `d` as `first`.",
        "In a turn, which is one player's; then it is the turn of the next player for whom `chips` is more than 0 holds:",
        "    The turn ends; the next is that of the player.",
        "    The game ends at once: `suns`, won by the player.",
        "    The game ends at once: `ones`, lost by the player.",
        "The game ends (`last`) when at most one player is left who has turns, at once.",
    ];
    for line in wanted {
        assert!(told.iter().any(|told| told == line), "{line}\n{}", told.join("\n"));
    }
    let without = tell(&read(&text.replace("end last when one is left\n", "")).expect("a game"));
    let line = "The game ends (`nobody_left`) when nobody is left who has turns, at once.";
    assert!(without.iter().any(|told| told == line), "{}", without.join("\n"));
}
