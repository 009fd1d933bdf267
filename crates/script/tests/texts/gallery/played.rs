//! Every game is played by policies and at random, under its defaults and every preset.

use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{Action, Event, Events, Game as _, Node, Policy, Question, Seat};
use stopwise_engine::stream::{Keys, WordSource as _};
use stopwise_engine::vocabulary::{Cause, Prose as _, read_position, write_position};
use stopwise_script::{GameText, Script, State};

use super::{PROOFS, policy, texts};
use crate::common::{Any, Written, ends, files, plays, stem};

/// The trials of each.
const TRIALS: u64 = 60;

/// The game under its defaults and under every preset.
pub(crate) fn variants(text: &GameText) -> Vec<(String, Script)> {
    let presets = text.presets().iter().map(|preset| (preset.name.clone(), preset.values.clone()));
    let all = [("defaults".to_owned(), Vec::new())].into_iter().chain(presets);
    all.map(|(name, values)| (name, text.script(&values).unwrap_or_else(|error| panic!("{error}")))).collect()
}

#[test]
fn any_play_ends() {
    for (name, text) in texts() {
        assert_eq!(text.name(), name);
        assert!(!text.meaning().is_empty(), "{name}");
        assert_eq!(text.expects().is_empty(), PROOFS.contains(&name.as_str()), "{name}");
        for (variant, game) in variants(&text) {
            plays(&game, &Any, TRIALS, &format!("{name}, {variant}"));
        }
    }
}

#[test]
fn every_policy_plays() {
    for (name, text) in texts().filter(|(name, _)| !PROOFS.contains(&name.as_str())) {
        let policies = files(&format!("policies/{name}"), "toml");
        assert!(policies.len() >= 3, "{name} has {} policies", policies.len());
        for (variant, game) in variants(&text) {
            for file in &policies {
                let policy = policy(&game, &name, stem(file));
                plays(&game, &policy, TRIALS, &format!("{name}, {variant}, {}", policy.name()));
            }
        }
    }
}

/// What is written at a question is the same position when it is read.
#[test]
fn positions_are_read_back() {
    for (_, text) in texts() {
        for (_, game) in variants(&text) {
            ends(&game, &Written, 4).for_each(drop);
        }
    }
}

/// Plays as another policy, and doubts no position.
struct Undoubted<P>(P);

impl<P: Policy<Script>> Policy<Script> for Undoubted<P> {
    fn choose(&self, game: &Script, state: State, question: Question) -> Action {
        assert_eq!(game.doubt((state, question)), None, "{}", write_position(game, (state, question)));
        self.0.choose(game, state, question)
    }

    fn memory(&self) -> u32 {
        self.0.memory()
    }
}

/// What random games tell of the pieces of a game holds in those of its policies too.
#[test]
fn positions_of_games_are_not_doubted() {
    for (name, text) in texts() {
        let policies = files(&format!("policies/{name}"), "toml");
        for (_, game) in variants(&text) {
            ends(&game, &Undoubted(Any), 20).for_each(drop);
            if PROOFS.contains(&name.as_str()) {
                continue;
            }
            for file in &policies {
                ends(&game, &Undoubted(policy(&game, &name, stem(file))), 20).for_each(drop);
            }
        }
    }
}

/// More than there is of a piece, in places that share it; and dice of which there always are as many.
#[test]
fn pieces_that_lie_twice_are_told() {
    for (name, text, said) in [
        (
            "zombie-dice",
            "cup=6*green_die+4*yellow_die+3*red_die eaten=green_die brains=1",
            "of `green_die` there are 6, and 7 lie in cup and eaten together",
        ),
        (
            "dead-mans-draw",
            "decision=stop row=anchor:2 owner=hook-third:1",
            "of `hook third` there is 1, and 2 lie in deck and owner",
        ),
        ("flip-7", "decision=stay hand=12,12,none,none", "of `12` there are 12, and 14 lie in "),
        (
            "pickomino",
            "used=worm total=26 left=3 top=25/0",
            "of `25` there is 1, and 2 lie in lies and top together",
        ),
        ("yahtzee", "decision=box dice=3*1", "dice has 3, and always 5 at this question"),
    ] {
        let game = crate::common::script(name, &[]);
        let position = read_position(&game, text).unwrap_or_else(|why| panic!("{name}: {why}"));
        let doubt = game.doubt(position).unwrap_or_else(|| panic!("{name}: {text}"));
        assert!(doubt.starts_with(said), "{name}: {doubt}");
    }
}

/// Cards that never leave deck, row and pile: too few of them, and too many, and what a place that is as before the game would have.
#[test]
fn pieces_that_are_missing_are_told() {
    let text = "game rows \"x\"
bag pack = 3 of 1, 2 of 2, 2 of crow
shared deck = pack in pack
shared pile = none in pack
player score = 0 in 0..60 points
turn
  let row = none in pack
  repeat
    if size(deck) == 0
      deck = pile
      pile = none
    draw card from deck
    else: break
    row += card
    if count(row, crow) == 2: break
    ask stop
      break
  score += count(row, crow) == 2 ? 0 : sum(row)
  pile += row
end goal when score >= 20
alone least turns
";
    let game = stopwise_script::GameText::checked(text).and_then(|text| text.script(&[]));
    let game = game.unwrap_or_else(|error| panic!("{error}"));
    let doubt = |text: &str| {
        game.doubt(read_position(&game, text).unwrap_or_else(|why| panic!("{text}: {why}")))
            .unwrap_or_default()
    };
    assert_eq!(doubt("row=1+2 deck=not:1+2"), "");
    let few = doubt("row=1 deck=none");
    assert!(
        few.starts_with("of `1` 1 lies in deck, pile and row together, and always 3 at this question in "),
        "{few}"
    );
    assert!(few.ends_with(" random games: write more in one of them, such as pile=not:1"), "{few}");
    let more = doubt("row=1+2");
    assert!(more.starts_with("of `1` there are 3, and 4 lie in deck and row together, "), "{more}");
    assert!(more.ends_with(": write fewer in one of them, such as deck=not:1+2"), "{more}");
    let more = doubt("row=1+2 pile=1");
    assert!(more.ends_with(": write fewer in one of them, such as deck=not:2*1+2"), "{more}");
    let more = doubt("row=4*1");
    assert!(more.ends_with(": write fewer in one of them"), "{more}");
}

/// Short positions say the same as long ones, of which only one decision is asked.
#[test]
fn positions_are_short() {
    for (name, short, long) in [
        (
            "pickomino",
            "lies=not:25,30 top=25/30 worms=2/3 used=worm total=26 left=3",
            "decision=stop seat=1 lies=yes,yes,yes,yes,no,yes,yes,yes,yes,no,yes,yes,yes,yes,yes,yes \
             under=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 top=25/30 worms=2/3 used=worm total=26 left=3",
        ),
        (
            "pickomino",
            "rolled=2*1+2+3+2*5+2*worm",
            "decision=keep used=none total=0 left=8 rolled=2*1+2+3+2*5+2*worm choices=1,2,3,5,worm",
        ),
        (
            "cant-stop",
            "decision=pairs track=7:2,9:1/none ahead=6..8:1 among=1+2+2+5",
            "decision=pairs track=0,0,0,0,0,2,0,1,0,0,0/0,0,0,0,0,0,0,0,0,0,0 ahead=0,0,0,0,1,1,1,0,0,0,0 among=1+2*2+5",
        ),
        (
            "zombie-dice",
            "cup=not:green_die+2*red_die hand=green_die brains=1 eaten=red_die",
            "cup=5*green_die+4*yellow_die+red_die hand=green_die brains=1 eaten=red_die",
        ),
        ("incan-gold", "met=fire,rocks inside=not:2", "met=no,no,no,yes,yes inside=yes,no,yes,yes"),
    ] {
        let game = crate::common::script(name, &[]);
        let read = |text| read_position(&game, text).unwrap_or_else(|why| panic!("{name}: {text}: {why}"));
        assert_eq!(read(short), read(long), "{name}");
    }
    let game = crate::common::script("pickomino", &[]);
    let both = read_position(&game, "total=23");
    assert!(both.is_err(), "no worm is set aside, and nobody has the tile: {both:?}");
    let why = read_position(&game, "lies=20 total=24").expect_err("no tile").to_string();
    assert!(why.contains("lies=20: `20` is none of 21 to 36"), "{why}");
}

/// The events of a game, in order.
#[derive(Default)]
struct Heard(Vec<(Seat, Event)>);

impl Events for Heard {
    fn event(&mut self, seat: Seat, event: Event) {
        self.0.push((seat, event));
    }
}

/// Law: a telling stops at rolls with one outcome and questions with one answer too, and is otherwise the game that is played,
/// event by event. How many such rolls and questions there were.
fn told_in_full(game: &Script, trial: u64) -> usize {
    let mut words = Keys::new(37).streams(trial, game.seats());
    let (mut events, mut heard, mut forced) = (Heard::default(), Heard::default(), 0);
    let mut played = game.root(&mut events);
    let mut told = game.next_told(None, &mut heard);
    loop {
        loop {
            let only = match told {
                Node::Decision(state, question @ Question { kind, actions, .. }) if actions.is_single() => {
                    let text = write_position(game, (state, question));
                    assert_eq!(read_position(game, &text), Ok((state, question)), "{text}");
                    Some((state, Cause::Answer(kind, actions.first())))
                }
                Node::Chance(state, _, throw) => throw.certain().map(|shown| (state, Cause::Roll(shown))),
                _ => None,
            };
            let Some(only) = only else { break };
            forced += 1;
            told = game.next_told(Some(only), &mut heard);
        }
        match (told, played) {
            // An end may still hold what only a question read.
            (Node::Terminal(told), Node::Terminal(played)) => {
                let result = |end| {
                    (game.ending(end), [0, game.seats() - 1].map(|seat| game.program().measured(&end, seat)))
                };
                assert_eq!(result(told), result(played));
            }
            _ => assert_eq!(told, played),
        }
        assert_eq!(heard.0, events.0);
        let (state, cause): (State, _) = match played {
            Node::Terminal(_) => return forced,
            Node::Chance(state, seat, throw) => (state, Cause::Roll(throw.sample(words.word(seat)))),
            Node::Decision(state, question) => {
                (state, Cause::Answer(question.kind, Any.choose(game, state, question)))
            }
        };
        played = match cause {
            Cause::Roll(shown) => game.resolve(state, shown, &mut events),
            Cause::Answer(kind, action) => game.decide(state, kind, action, &mut events),
        };
        told = game.next_told(Some((state, cause)), &mut heard);
    }
}

#[test]
fn answers_without_a_choice_are_told() {
    let with_forced: Vec<String> = texts()
        .filter(|(_, text)| {
            variants(text)
                .iter()
                .map(|(_, game)| (0..6).map(|trial| told_in_full(game, trial)).sum::<usize>())
                .sum::<usize>()
                > 0
        })
        .map(|(name, _)| name)
        .collect();
    // A box that alone fits, a die that alone scores.
    for name in ["shut-the-box", "farkle", "cant-stop", "yahtzee"] {
        assert!(with_forced.iter().any(|found| found == name), "{name}: {with_forced:?}");
    }
}
