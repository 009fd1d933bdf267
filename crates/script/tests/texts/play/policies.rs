//! Policies read of a text's candidates what the text says of them.

use stopwise_engine::game::{Action, Actions, Event, Events, Game, Node, Policy, Question};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::vocabulary::{CandidateNumber, Prose as _, Vocabulary};
use stopwise_policy::{Text, TextPolicy};
use stopwise_script::{Script, State};

use crate::common::{compiled, script};
use crate::gallery::agree;
use crate::play::Any;

fn policy(game: &Script, answers: &str) -> TextPolicy<Script> {
    let text = format!("game = \"{}\"\nname = \"mine\"\n{answers}\n", game.info().name);
    TextPolicy::compile(&Text::new("mine.toml", text), game, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// The questions that a policy is asked, with its answers.
#[derive(Default)]
struct Asked(Vec<(State, Question, Action)>);

impl Events for Asked {
    fn event(&mut self, _: usize, _: Event) {}
}

impl Watch<Script> for Asked {
    fn decided(&mut self, state: State, question: Question, action: Action) {
        self.0.push((state, question, action));
    }
}

fn asked(game: &Script, policy: &TextPolicy<Script>, kind: &str) -> Vec<(State, Question, Action)> {
    let mut asked = Asked::default();
    for number in 0..30 {
        let mut words = Keys::new(5).streams(number, game.seats());
        trial(game, &[policy], &mut words, &mut asked);
    }
    asked.0.retain(|(_, question, _)| game.info().kinds[question.kind].name == kind);
    assert!(asked.0.len() > 30, "{kind}: {} questions", asked.0.len());
    for (state, question, answer) in &asked.0 {
        // What the policy does not remember makes no difference.
        let forgotten = game.forget(*state, policy.memory());
        assert_eq!(policy.choose(game, forgotten, *question), *answer, "{state:?}");
    }
    asked.0
}

fn read(game: &Script, state: State, name: &str) -> i64 {
    let index = game.features().iter().position(|feature| feature.name == name).expect(name);
    game.feature(state, index)
}

fn of_candidate(game: &Script, state: &State, kind: usize, name: &str) -> impl Fn(Action) -> i64 {
    let is_it = |number: &CandidateNumber| number.kind == kind && number.number.name == name;
    let index = game.candidate_numbers().iter().position(is_it).expect(name);
    move |action| game.candidate_number(state, action, index)
}

/// What is read of dice to keep is what keeping them brings.
#[test]
fn numbers_of_parts_are_what_keeping_them_brings() {
    let game = script("farkle", &[]);
    let first = policy(&game, "stop = \"points >= 300\"\nkeep = []");
    let mut tried = 0;
    for (state, question, _) in asked(&game, &first, "keep") {
        let number = |name, action| of_candidate(&game, &state, question.kind, name)(action);
        let before = |name| read(&game, state, name);
        for action in question.actions.iter() {
            let Node::Decision(after, _) = game.decide(state, question.kind, action, &mut ()) else {
                continue;
            };
            let (pays, used) = (number("pays", action), number("used", action));
            assert_eq!(read(&game, after, "points"), before("points") + pays, "{state:?}");
            let left = if used == before("left") { 6 } else { before("left") - used };
            assert_eq!(read(&game, after, "left"), left, "{state:?}");
            tried += 1;
        }
    }
    assert!(tried > 30, "{tried}");
}

/// Every entry of a list keeps what it says, by a naive reading of the numbers.
#[test]
fn lists_compare_numbers_of_parts_and_of_the_state() {
    let game = script("farkle", &[]);
    type Entry = fn(i64, i64, i64) -> i64;
    // Pays, used, points: the greater, the better.
    let entries: [(&str, Entry); 9] = [
        ("most pays", |pays, _, _| pays),
        ("least used", |_, used, _| -used),
        ("pays >= 300", |pays, _, _| (pays >= 300).into()),
        ("not (used > 2)", |_, used, _| (used <= 2).into()),
        ("most pays - 60 * used", |pays, used, _| pays - 60 * used),
        ("least (points + pays) / 500", |pays, _, points| -((points + pays) / 500)),
        ("points + pays >= 500 && used < 4", |pays, used, points| (points + pays >= 500 && used < 4).into()),
        ("most points >= 600 ? pays : -used", |pays, used, points| if points >= 600 { pays } else { -used }),
        ("used == 1 || pays == 1000", |pays, used, _| (used == 1 || pays == 1000).into()),
    ];
    for (first, (text, of)) in entries.iter().enumerate() {
        let (next, then) = &entries[(first + 4) % entries.len()];
        let mine = policy(&game, &format!("stop = \"points >= 900\"\nkeep = [\"{text}\", \"{next}\"]"));
        for (state, question, answer) in asked(&game, &mine, "keep") {
            let number = |name, action| of_candidate(&game, &state, question.kind, name)(action);
            let value = |of: &Entry, action| {
                of(number("pays", action), number("used", action), read(&game, state, "points"))
            };
            let mut left: Vec<Action> = question.actions.iter().collect();
            let mut narrowing = Vec::new();
            for of in [of, then] {
                let most = left.iter().map(|&action| value(of, action)).max().expect("a candidate");
                left.retain(|&action| value(of, action) == most);
                narrowing.push(Actions(left.iter().map(|action| action.0).sum()));
            }
            assert_eq!(answer, left[0], "{text}, {next}: {state:?}");
            let told: Vec<_> =
                mine.narrowing(&game, state, question).into_iter().map(|(_, left)| left).collect();
            assert_eq!(told, narrowing, "{text}, {next}");
        }
    }
}

const THROWS: &str = "game throws \"Throw as many dice as you like, but no six\"
option goal = 60 in 1..100 points
die d = 1..6
shared score = 0 in 0..goal points
turn
  ask dice in 2..7 where dice != 5 and dice < 8 - score / 10 \"how many dice are thrown\"
  else: end turn
  roll thrown = dice d
  if count(thrown, 6) > 0: bust
  score = min(score + sum(thrown), goal)
end goal when score == goal
end early capped after 200 turns
alone least turns
";

/// An expression for a number is answered with the nearest that is legal; the lower of two.
#[test]
fn a_number_is_the_nearest_that_is_legal() {
    let game = compiled(THROWS, &[]);
    type Wanted = fn(i64) -> f64;
    let wanted: [(&str, Wanted); 5] = [
        ("9", |_| 9.0),
        ("min(6, (goal - score) / 4 + 1)", |score| ((60 - score) / 4 + 1).min(6) as f64),
        ("1 + 0.1 * score", |score| 1.0 + 0.1 * score as f64),
        ("score > 20 ? 5 : -100", |score| if score > 20 { 5.0 } else { -100.0 }),
        ("score % 7 + 0.5", |score| (score % 7) as f64 + 0.5),
    ];
    for (text, of) in wanted {
        let mine = policy(&game, &format!("dice = \"{text}\""));
        let mut is_clipped = [false; 2];
        for (state, question, answer) in asked(&game, &mine, "dice") {
            let score = read(&game, state, "score");
            let legal = (2..=7).filter(|&dice| dice != 5 && dice < 8 - score / 10);
            let far = |dice: i64| (dice as f64 - of(score)).abs();
            let nearest = legal.clone().fold(None, |best: Option<i64>, dice| match best {
                Some(best) if far(best) <= far(dice) + 1e-9 => Some(best),
                _ => Some(dice),
            });
            let nearest = nearest.expect("a legal number");
            assert_eq!(
                of_candidate(&game, &state, question.kind, "dice")(answer),
                nearest,
                "{text}: {score}"
            );
            assert_eq!(mine.is_clipped(&game, state, question), far(nearest) > 0.5 + 1e-9, "{text}: {score}");
            is_clipped[usize::from(far(nearest) > 0.5 + 1e-9)] = true;
        }
        assert!(is_clipped[1] || text.contains("goal"), "{text}");
    }
    // A list answers as well.
    let most = policy(&game, "dice = [\"dice <= 4\", \"most dice\"]");
    for (state, question, answer) in asked(&game, &most, "dice") {
        let dice = of_candidate(&game, &state, question.kind, "dice");
        let best = question.actions.iter().map(&dice).filter(|&dice| dice <= 4).max();
        assert_eq!(Some(dice(answer)), best);
    }
}

/// One word may be said of the candidates of several questions, and each reads its own.
#[test]
fn predicates_are_those_of_the_question() {
    let game = script("carbonite", &[]);
    let mine =
        policy(&game, "stop = \"true\"\nmark = [\"last_in_bank\"]\ntake = [\"not small\", \"from_bank\"]");
    let mut kept = 0;
    for (state, question, answer) in asked(&game, &mine, "take") {
        // Pieces are numbered colour by colour, by rising height.
        let is_small = |action: Action| action.index().is_multiple_of(3);
        let is_choice = question.actions.iter().any(is_small) && !question.actions.iter().all(is_small);
        assert!(!is_choice || !is_small(answer), "{state:?}");
        kept += u32::from(is_choice);
    }
    assert!(kept > 0);
}

const ROBBERS: &str = "game robbers \"Take from somebody, or from a heap\"
option players = 4 in 2..4
names heap = red, green, blue
shared stock[heap] = 5 in 0..5 stones
player score = 3 in 0..30 stones
die d = 1..6
turn
  roll face = d
  if face > 3
    ask victim in others where victim.score > 0 \"whom to rob\"
    else: end turn
    victim.score -= 1
    score += 1
  else
    ask source in heap where stock[source] > 0 \"which heap\"
    else: end turn
    stock[source] -= 1
    score += 1
end after 12 rounds
win most score
alone most score
candidate victim
  has = it.score stones \"stones of the victim\"
  richer = it.score > score \"is richer\"
candidate source
  has = stock[it] stones \"stones of the heap\"
  best = it == green \"is green\"
";

/// Players and names are candidates as parts are: what is read of each is its own.
#[test]
fn players_and_names_are_compared() {
    let game = compiled(ROBBERS, &[]);
    let mine = policy(
        &game,
        "victim = [\"not richer\", \"most has\"]\nsource = [\"best && has >= 2\", \"least has\", \"not best\"]",
    );
    for (state, question, answer) in asked(&game, &mine, "victim") {
        let has = of_candidate(&game, &state, question.kind, "has");
        let own = read(&game, state, "score");
        let not_richer: Vec<_> = question.actions.iter().filter(|&action| has(action) <= own).collect();
        let among = if not_richer.is_empty() { question.actions.iter().collect() } else { not_richer };
        let most = among.iter().map(|&action| has(action)).max().expect("a victim");
        assert_eq!(Some(&answer), among.iter().find(|&&action| has(action) == most), "{state:?}");
    }
    for (state, question, answer) in asked(&game, &mine, "source") {
        let has = of_candidate(&game, &state, question.kind, "has");
        let (green, all) = (Action(2), || question.actions.iter());
        let least = all().map(&has).min().expect("a heap");
        let wanted = if all().any(|action| action == green) && has(green) >= 2 {
            green
        } else {
            let of_least: Vec<_> = all().filter(|&action| has(action) == least).collect();
            of_least.iter().copied().find(|&action| action != green).unwrap_or(of_least[0])
        };
        assert_eq!(answer, wanted, "{state:?}");
    }
}

const POST: &str = "game post \"Names that may be chosen, of every kind\"
option players = 2 in 1..2
names action = deliver, rest, trade, steal
names town = n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12, n13, n14, n15, n16, n17, n18, rest
die calm = 1..4
die wild = 3..6
bag dice = 2 of calm, wild
die coin = head, tail, 7
player score = 0 in 0..999 points
turn
  let bag = dice in dice
  roll one = coin
  ask what in action where (what != deliver or score % 3 > 0) and (what != steal or one == head) \"what to do\"
  score = min(score + place(what), 999)
  ask taken in bag \"which die\"
  bag -= taken
  roll shown = taken
  score = min(score + sum(shown), 999)
  ask where_to in town where place(where_to) % 5 != score % 5 \"where to go\"
  score = min(score + place(where_to), 999)
  roll sides = 3 coin
  ask side in sides \"which side\"
  if one == tail
    ask what in (trade, rest) \"what to do now\"
    score = min(score + place(what), 999)
end after 12 rounds
win most score
alone most score
candidate what
  trade = place(it) > 2 \"is one of the later ones\"
";

/// A name is a predicate of what is called so, whatever it is the name of, wherever that is asked; with the words of the text first.
#[test]
fn names_say_what_is_chosen() {
    let game = compiled(POST, &[]);
    let mine = policy(
        &game,
        "what = [{ when = \"score % 2 == 0\", prefer = [\"deliver\", \"rest\"] }, { prefer = [\"steal or deliver\", \"trade\", \"not rest\"] }]
         taken = [\"wild\"]\nwhere_to = [\"n17 && score > 9\", \"most n3 ? 2 : n18 ? 3 : rest ? 1 : 0\", \"not n2\"]
         side = [\"not head\", \"tail\"]",
    );
    // By the name of the kind, the score and the name: the greater the better, entry by entry.
    type Entry = fn(i64, &str) -> i64;
    let even: &[Entry] = &[|_, name| (name == "deliver").into(), |_, name| (name == "rest").into()];
    let odd: &[Entry] = &[
        |_, name| ["steal", "deliver"].contains(&name).into(),
        |_, name| ["trade", "steal"].contains(&name).into(),
        |_, name| (name != "rest").into(),
    ];
    let entries = |kind: &str, score: i64| -> &[Entry] {
        match kind {
            "what" if score % 2 == 0 => even,
            "what" => odd,
            "taken" => &[|_, name| (name == "wild").into()],
            "side" => &[|_, name| (name != "head").into(), |_, name| (name == "tail").into()],
            _ => &[
                |score, name| (name == "n17" && score > 9).into(),
                |_, name| match name {
                    "n3" => 2,
                    "n18" => 3,
                    name => (name == "rest").into(),
                },
                |_, name| (name != "n2").into(),
            ],
        }
    };
    for kind in ["what", "taken", "where_to", "side"] {
        for (state, question, answer) in asked(&game, &mine, kind) {
            let score = read(&game, state, "score");
            let named = |action: &Action| game.describe_action(&state, question.kind, *action);
            let mut left: Vec<Action> = question.actions.iter().collect();
            for of in entries(kind, score) {
                let most = left.iter().map(|action| of(score, &named(action))).max();
                left.retain(|action| Some(of(score, &named(action))) == most);
            }
            assert_eq!(answer, left[0], "{kind}: {score}");
        }
    }
    let predicates: Vec<_> = game.info().predicates.iter().map(|it| (it.name, it.meaning)).collect();
    assert_eq!(
        predicates[..5],
        [
            ("trade", "is one of the later ones"),
            ("deliver", "is `deliver`"),
            ("rest", "is `rest`"),
            ("steal", "is `steal`"),
            ("calm", "is `calm`")
        ]
    );
    for players in ["1", "2"] {
        crate::naive::by_lists(&compiled(POST, &[("players", players)]), 500).expect("on lanes");
        let alone = compiled(POST, &[("players", players)]);
        agree(
            &alone,
            &policy(&alone, mine.text().text.split_once("mine\"").expect("answers").1),
            500,
            "names",
        )
        .expect("on lanes");
    }
}

/// In games by rounds policies read which it is, also where those who are tied play on; without rounds there is none.
#[test]
fn policies_read_the_number_of_the_round() {
    let text = |play: &str, end: &str| {
        format!(
            "game rounds \"Rounds\"
option players = 3 in 1..4
die d = 1..6
player score = 0 in 0..1000 points
{play}
end {end}
win most score
tie play on
alone most score
"
        )
    };
    let turn = "turn\n  ask go \"go\": score += 1\n  roll face = d\n  score = min(score + face, 999)";
    let round = "round\n  ask all go of p in everyone \"go\"\n  for p in everyone where p.go: p.score += 1\n  \
                 roll face = d";
    let limited = [(turn, "after 4 rounds"), (round, "after 4 rounds")];
    let endless = [(turn, "over when score > 10"), (round, "over when any(p in everyone where p.score > 3)")];
    let names = |game: &Script| game.features().iter().map(|feature| feature.name).collect::<Vec<_>>();
    for (play, end) in limited.into_iter().chain(endless) {
        let game = compiled(&text(play, end), &[]);
        if (play, end) == endless[0] {
            assert!(!names(&game).contains(&"round"));
            continue;
        }
        let features = game.features();
        let feature = features.iter().find(|feature| feature.name == "round").expect("the feature");
        let mine = policy(&game, "go = \"round % 2 == 1\"");
        for number in 0..30 {
            let mut asked = Asked::default();
            let mut words = Keys::new(8).streams(number, game.seats());
            trial(&game, &[&mine], &mut words, &mut asked);
            let mut rounds = [0; 4];
            for (state, question, answer) in asked.0 {
                rounds[question.seat] += 1;
                let played = rounds[question.seat];
                // The number stays at the first of the further rounds, for those who are tied.
                let told = read(&game, state, "round");
                assert_eq!(told, played.min(feature.high), "{end}: {state:?}");
                assert_eq!(answer == Action(2), told % 2 == 1, "{end}");
                let forgotten = game.forget(state, mine.memory());
                assert_eq!(mine.choose(&game, forgotten, question), answer, "{end}: {state:?}");
            }
        }
        let most = if end == "after 4 rounds" { 5 } else { 10_001 };
        assert_eq!((feature.low, feature.high), (1, most));
    }
}

/// What all choose from at once is numbers, names or players, and something.
#[test]
fn what_all_choose_from() {
    let text = |from: &str| {
        let text = format!(
            "game bids \"x\"\noption players = 3 in 2..4\nplayer score = 0 in 0..99\nnames gem = ruby, opal\nbag pack = 3 of 1..4\nround\n  \
             ask all bid of p in everyone from {from}\nend after 3 rounds\nwin most score\n"
        );
        stopwise_script::compile(&text, &[]).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(text("0..3"), Ok(()));
    let nothing = text("2..1").expect_err("nothing");
    assert!(nothing.contains("there is nothing to choose from"), "{nothing}");
    let own = text("0..3 where p.bid < 3").expect_err("it is no part");
    assert!(own.contains("`bid` is one value here") && own.contains("write `bid` alone"), "{own}");
    let parts = text("parts(pack)").expect_err("parts");
    assert!(parts.contains("all at once choose among numbers, names or players"), "{parts}");
    let mixed = text("1, ruby").expect_err("a number and a name");
    assert!(mixed.contains("all at once choose among numbers, names or players"), "{mixed}");
    // Who is not asked has nothing, and what is named must have room for that.
    let kept = |range: &str| {
        let text = format!(
            "game bids \"x\"\noption players = 3 in 2..4\nplayer score = 0 in 0..99\nround\n  let bid[everyone] = 1 in {range}\n  \
             ask all bid of p in everyone where p.score > 0 from 1..4\nend after 3 rounds\nwin most score\n"
        );
        stopwise_script::compile(&text, &[]).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(kept("0..4"), Ok(()));
    let without = kept("1..4").expect_err("no room for none");
    assert!(without.contains("cannot say that somebody was not asked"), "{without}");
    // What options shut off is no mistake.
    let shut = "game bids \"x\"\noption players = 3 in 2..4\noption k = 0 in 0..3\nplayer score = 0 in 0..99\nround\n  if k > 0\n    \
                ask all bid of p in everyone from 1..k\n    for p in everyone: p.score += p.bid\n  \
                ask all other of p in everyone where k > 0 from 1..k\n  for p in everyone: p.score += p.other\n\
                end after 3 rounds\nwin most score\n";
    for k in ["0", "2"] {
        compiled(shut, &[("k", k)]);
    }
    compiled(shut, &[]);
    let others = "game bids \"x\"\noption players = 3 in 2..4\nplayer score = 0 in 0..99\nround\n  \
                  ask all bid of p in others from 0..3\nend after 3 rounds\nwin most score\n";
    let error = stopwise_script::compile(others, &[]).expect_err("nobody's round").to_string();
    assert!(error.contains("there are no `others` here") && error.contains("write `everyone`"), "{error}");
    let in_turn = others.replace("round\n", "turn\n");
    let told = stopwise_script::GameText::checked(&in_turn).expect("a game").tell().join("\n");
    assert!(told.contains("All `p` of the other players choose `bid` among 0 to 3"), "{told}");
}

/// Who chooses at once with others sees none of their choices, whatever the text says can be seen.
#[test]
fn choices_at_once_are_hidden() {
    let game = compiled(
        "game bids \"x\"\noption players = 3 in 2..4\nnames card = one, two\nplayer score = 0 in 0..99\nround\n  \
         let bid[everyone] = 0 in 0..5\n  let held[everyone] = none in card\n  \
         ask all bid of p in everyone from 0..place(p)\n  ask all held of p in everyone from card\n  \
         for p in everyone: p.score += p.bid\nend after 3 rounds\nwin most score\n\
         see bids = sum(p in everyone: p.bid)\nsee held = count(p in everyone where p.held == two)\n",
        &[],
    );
    let mut asked = Asked::default();
    trial(&game, &[&Any], &mut Keys::new(3).streams(0, 3), &mut asked);
    assert_eq!(asked.0.len(), 3 * 3 * 2);
    let mut seen = 0;
    for (state, question, _) in asked.0 {
        let is_of_cards = question.kind == 1;
        let bids = read(&game, state, "bids");
        seen += bids;
        assert!(is_of_cards || bids == 0, "{bids}");
        assert_eq!(read(&game, state, "held"), 0);
        assert_eq!(read(&game, game.seen(state), "bids"), bids);
    }
    assert!(seen > 0, "bids are known when cards are played");
    assert!(game.asks_at_once());
}

/// Where options shut a question off, or nobody is there of whom it could be asked, a policy may say what it would answer.
#[test]
fn questions_that_are_never_asked_may_be_answered() {
    let text = "game rob \"x\"\noption players = 3 in 1..3\noption robbing = yes\nplayer score = 0 in 0..99\nturn\n  \
                score = min(score + 1, 99)\n  if robbing\n    ask victim in others where victim.score > 0\n    \
                else: end turn\n    victim.score -= 1\nend after 3 rounds\nwin most score\nalone most score\n\
                candidate victim\n  has = it.score\n";
    // So may what a condition shuts off, with all that would be done after a yes.
    let shut = "game shut \"x\"\noption most = 0 in 0..3\nplayer hand = 0 in 0..most\nshared turns_left = 3 in 0..3\nturn\n  \
                turns_left -= 1\n  ask spend where hand > 0\n    hand -= 1\n  else: turns_left -= 0\n\
                end done when turns_left == 0\nalone least turns\n";
    policy(&compiled(shut, &[]), "spend = \"hand > 0\"");
    policy(&compiled(shut, &[("most", "2")]), "spend = \"hand > 0\"");
    let of = |options: &[(&str, &str)], word: &str| {
        let answers = format!(
            "game = \"rob\"\nname = \"mine\"\nparams = {{ n = 1 }}\nvictim = [\"most n * {word}\"]\n"
        );
        TextPolicy::compile(&Text::new("mine.toml", answers), &compiled(text, options), &[]).map(drop)
    };
    for options in [&[][..], &[("robbing", "no")], &[("players", "1")]] {
        assert!(of(options, "has").is_ok(), "{options:?}");
    }
    let told = of(&[], "hass").expect_err("misspelt").to_string();
    assert!(told.contains("unknown name `hass`"), "{told}");
}
