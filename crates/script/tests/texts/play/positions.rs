//! What positions have: as many of them, as valuable, as those of the same games in Rust.

use stopwise_analysis::exact::{Limits, Objective, Solution, losses_against_best, solve};
use stopwise_engine::game::{Action, Game, MAX_METRICS, Policy, Question};
use stopwise_engine::games::carbonite::{Atom, Carbonite, Multiplier, Retribution, VaultMatch};
use stopwise_engine::games::pig::{self, Pig};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{Text, TextPolicy};
use stopwise_script::{Script, State};

use super::pig::{self as other, states};
use crate::common::{compiled, ends, policy, script};
use crate::naive::walked;

/// The first of the legal answers.
struct First;

impl<G: Game> Policy<G> for First {
    fn choose(&self, _: &G, _: G::State, question: Question) -> Action {
        question.actions.first()
    }
}

/// Holds at 9 points, and at those that win.
struct Holds(u64);

impl Policy<Pig> for Holds {
    fn choose(&self, _: &Pig, state: pig::State, _: Question) -> Action {
        let (score, points) = (u64::from(state.score()), u64::from(state.turn_total()));
        (points >= 9 || score + points >= self.0).into()
    }

    fn memory(&self) -> u32 {
        0
    }
}

impl Policy<Script> for Holds {
    fn choose(&self, game: &Script, state: State, _: Question) -> Action {
        let [score, points] = ["score", "points"].map(|name| other::value(game, state, name));
        (points >= 9 || score + points >= self.0).into()
    }

    fn memory(&self) -> u32 {
        0
    }
}

fn best<G: Game>(game: &G) -> Solution<G> {
    let free: Vec<Option<First>> = (0..game.seats()).map(|_| None).collect();
    solved(game, &free)
}

fn solved<G: Game, P: Policy<G>>(game: &G, seats: &[Option<P>]) -> Solution<G> {
    solve(game, seats, Objective::new(game, 0), Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-11 * a.abs().max(1.0), "{a} and {b}");
}

/// The value of a text; a win is 1.
fn value(game: &Script, solution: &Solution<Script>) -> f64 {
    let whole = if game.seats() > 1 { game.bounds(0).expect("a win has bounds").1 } else { 1.0 };
    solution.middle() / whole
}

fn pig(players: u8, goal: u16, cap: u16) -> (Pig, Script) {
    let rust = Pig { players, goal, turn_cap: cap, ..Pig::STANDARD };
    let [players, goal, cap] = [players.into(), goal, cap].map(|number| number.to_string());
    (rust, script("pig", &[("players", &players), ("goal", &goal), ("turn_cap", &cap)]))
}

/// As many positions, as many of them that return, and the same value.
#[test]
fn pig_under_best_play() {
    for (players, goal, cap) in [(1, 100, 10_000), (1, 30, 12), (2, 30, 10_000), (2, 12, 9)] {
        let (rust, text) = pig(players, goal, cap);
        let (of_rust, of_text) = (best(&rust), best(&text));
        close(of_rust.middle(), value(&text, &of_text));
        assert_eq!(of_rust.states, of_text.states, "{players} players to {goal}");
        assert_eq!(of_rust.cyclic_stages > 0, of_text.cyclic_stages > 0, "{players} players to {goal}");
        let held: Vec<_> = (0..rust.seats()).map(|_| Some(Holds(goal.into()))).collect();
        let (of_rust, of_text) = (solved(&rust, &held), solved(&text, &held));
        close(of_rust.middle(), value(&text, &of_text));
        assert_eq!(of_rust.states, of_text.states, "{players} players to {goal}, holding at 9");
    }
}

/// Neller and Presser, 2004.
#[test]
#[ignore = "a minute"]
fn pig_for_two() {
    let (_, text) = pig(2, 100, 10_000);
    let solution = best(&text);
    assert!((value(&text, &solution) - 0.530_592_725).abs() < 1e-9);
    assert_eq!(solution.states, 980_496);
}

/// Twenty-four variants, as valuable, and with as many positions before rolls. (The exact walk of the game in Rust merges
/// them by the symmetry of colours.)
#[test]
fn carbonite_dice() {
    for number in 0..24_usize {
        let pick = |shift: usize, many: usize| (number * 7 + shift * 5 + number / many) % many;
        let turns = 1 + number % 3;
        let (colours, copies) = (if turns < 3 { 2 + pick(1, 2) } else { 2 }, 1 + pick(2, 2));
        let multiplier = pick(3, 4);
        let (retribution, atom, vault_match) = (pick(4, 3), pick(5, 3), pick(6, 3));
        let small = |number: usize| u8::try_from(number).expect("small");
        let rust = Carbonite {
            turns: small(turns),
            colours: small(colours),
            copies: small(copies),
            multiplier: [
                Multiplier::LastCompleted,
                Multiplier::Pips,
                Multiplier::PipsMinusOne,
                Multiplier::None,
            ][multiplier],
            retribution: [Retribution::All, Retribution::Any, Retribution::None][retribution],
            atom: [Atom::Choice, Atom::Reroll, Atom::Bust][atom],
            vault_match: [VaultMatch::ForcedRoll, VaultMatch::Free, VaultMatch::NoMatch][vault_match],
            ..Carbonite::WIKI
        };
        let options = [
            ("turns", turns.to_string()),
            ("colours", colours.to_string()),
            ("copies", copies.to_string()),
            ("multiplier", ["last_completed", "pips", "pips_minus_one", "none"][multiplier].into()),
            ("retribution", ["all", "any", "none"][retribution].into()),
            ("atom", ["choice", "reroll", "bust"][atom].into()),
            ("vault_match", ["forced_roll", "free", "no_match"][vault_match].into()),
        ];
        let options: Vec<_> = options.iter().map(|(name, value)| (*name, &**value)).collect();
        let text = script("carbonite", &options);
        let of_text = best(&text);
        let of_rust = best(&rust);
        close(of_rust.middle(), of_text.middle());
        assert_eq!(states(&rust), of_text.states, "{options:?}");
        assert_eq!(of_text.cyclic_stages, 0, "{options:?}");
    }
}

/// Six dice one by one, each thrown again at most once: 4.25 points each. What is banked is paid out, so that a position
/// is the die and whether it may be thrown again; a number that is compared with is none of these.
#[test]
fn what_is_only_added_to_is_paid_out() {
    let text = "game six \"x\"\ndie d = 1..6\nshared points = 2 in 0..99 points\nshared bonus = 0 in 0..9\nturn\n  \
                roll face = d\n  ask again_once\n    roll face = d\n    bonus += 1\n  points += face\n\
                end after 6 rounds\nalone most points\nreport bonus = bonus\n";
    let six = compiled(text, &[]);
    let solution = best(&six);
    close(solution.middle(), 27.5);
    assert_eq!(solution.states, 12);
    assert_eq!(solution.cyclic_stages, 0);
    let read = compiled(
        &text.replace("  roll face = d\n  ask", "  roll face = d\n  if points > 90: end turn\n  ask"),
        &[],
    );
    let solution = best(&read);
    close(solution.middle(), 27.5);
    assert!(solution.states > 12, "{}", solution.states);
    let less = compiled(
        &text.replace("points += face", "points += face - 2").replace("points = 2 in", "points = 12 in"),
        &[],
    );
    close(best(&less).middle(), 25.5);
}

/// A player's number that is set, under whatever name the player has: the last of two faces, 3.5 in the mean. Added to, both are.
#[test]
fn what_is_set_is_reported() {
    let rest = "end after 2 rounds\nwin most last\nalone most last\nreport same = last\n";
    let head = "game last \"x\"\noption players = 1 in 1..2\nplayer last = 0 in 0..20\ndie d = 1..6\n";
    for (rules, mean) in [
        ("turn\n  roll face = d\n  last = face\n", 3.5),
        ("turn\n  roll face = d\n  ask stay\n  for p in everyone: p.last = face\n", 3.5),
        ("turn\n  roll face = d\n  ask stay\n  for p in everyone: p.last += face\n", 7.0),
        (
            "round\n  roll face = d\n  ask all stay of p in everyone\n  for p in everyone\n    p.last = face\n",
            3.5,
        ),
        (
            "round\n  roll face = d\n  ask all stay of p in everyone\n  for p in everyone\n    p.last += face\n",
            7.0,
        ),
        ("turn\n  roll face = d\n  last += 1\n  for p in everyone: p.last = face\n", 3.5),
    ] {
        let game = compiled(&format!("{head}{rules}{rest}"), &[]);
        close(best(&game).middle(), mean);
    }
}

/// Stops after the third roll, which only policies count.
struct Third(u32);

impl Policy<Script> for Third {
    fn choose(&self, game: &Script, state: State, _: Question) -> Action {
        (other::value(game, state, "rolled") >= 3).into()
    }

    fn memory(&self) -> u32 {
        self.0
    }
}

/// Memory is left out, unless the policy asks for it: three rolls without a one, 12 points on the average.
#[test]
fn memory_is_for_policies() {
    let text = "game three \"x\"\ndie d = 1..6\nshared score = 0 in 0..60\nshared rolled = 0 in 0..99\nturn\n  \
                let points = 0 in 0..60\n  repeat\n    roll face = d\n    rolled += 1\n    if face == 1: bust\n    \
                points = min(points + face, 60)\n    ask stop\n      score = points\n      end turn\n\
                end after 1 turns\nalone most score\n";
    let with = compiled(text, &[]);
    let without = compiled(&text.replace("    rolled += 1\n", ""), &[]);
    assert_eq!(best(&with).states, best(&without).states);
    let feature = with.features().into_iter().find(|feature| feature.name == "rolled").expect("rolled");
    assert_ne!(feature.memory, 0);
    assert!(
        with.features().iter().filter(|feature| feature.memory == 0).any(|feature| feature.name == "points")
    );
    close(solved(&with, &[Some(Third(feature.memory))]).middle(), 12.0 * 125.0 / 216.0);
}

/// What is read of a text, or why it is refused.
fn asked(game: &Script, text: &str) -> Result<u32, String> {
    let read = stopwise_engine::vocabulary::read_position(game, text);
    read.map(|(_, question)| question.actions.count()).map_err(|why| why.to_string())
}

/// A question whose condition does not hold is no position; a condition may be a name that stands for something, as long as
/// what it reads has not changed. Where the rules know what can be chosen, nobody has to write it.
#[test]
fn a_question_that_is_not_asked_is_no_position() {
    let farkle = script("farkle", &[]);
    for (text, is_asked) in [
        ("points=300", false),
        ("points=500 left=3", true),
        ("points=300 score=50/0", true),
        ("points=0 score=50/0", true),
    ] {
        let found = asked(&farkle, &format!("decision=stop {text}"));
        assert_eq!(found.is_ok(), is_asked, "{text}: {found:?}");
    }
    assert_eq!(asked(&farkle, "decision=keep among=1+5+2*2+3+4"), Ok(3));
    assert_eq!(asked(&farkle, "decision=keep among=1+5+2*2+3+4 choices=1"), Ok(1));
    let none = asked(&farkle, "decision=keep among=2+2*3+2*4+6");
    assert!(none.as_ref().is_err_and(|why| why.contains("do not ask `keep` in this position")), "{none:?}");

    let text = "game g \"\"\noption players = 2 in 1..2\ndie d = 1..6\nturn\n  let points = 0 in 0..60\n  repeat\n    \
        roll face = d\n    if face == 1: bust\n    points += face\n    let is_much = points >= 20\n    LATER\n    \
        ask stop where is_much \"stop\": end turn\nend last after 3 turns\nplayer score = 0 in 0..99\nwin most score\n";
    for (later, is_known) in [
        ("if points == 6: bust", true),
        ("if points > 30: points = 30", false),
        ("for x in 1..2: points = min(points + 1, 50)", false),
        ("if points == 7\n      points = 60\n      end turn", true),
    ] {
        let text = text.replace("LATER", later);
        let game = compiled(&text, &[]);
        assert!(asked(&game, "points=25").is_ok(), "{later}");
        assert_eq!(asked(&game, "points=12").is_err(), is_known, "{later}");
    }
}

/// As many dice lie at a question as were rolled, as long as what says how many has not changed and none were taken away.
#[test]
fn dice_at_a_question_are_as_many_as_were_rolled() {
    let why = |game: &Script, text: &str| asked(game, text).err().unwrap_or_default();
    let farkle = script("farkle", &[]);
    for (text, expected) in [
        ("left=6 among=3*2+3+4+5", ""),
        ("left=2 among=1+5", ""),
        ("left=2 among=3*2+3+4+5", "among: 6 dice lie there, and 2 were rolled; change among, or left"),
        ("left=6 among=1+5", "among: 2 dice lie there, and 6 were rolled"),
    ] {
        let found = why(&farkle, &format!("decision=keep {text}"));
        assert!(found.starts_with(expected) && found.is_empty() == expected.is_empty(), "{text}: {found}");
    }
    let pairs = why(&script("cant-stop", &[]), "decision=pairs among=2+3+4");
    assert!(pairs.contains("3 dice lie there, and 4 were rolled; write 4 of them"), "{pairs}");

    let text = "game g \"\"\ndie d = 1..6\nturn\n  let points = 0 in 0..96\n  let left = 4 in 0..4\n  \
        repeat while left > 0\n    roll rolled = left d\n    LATER\n    ask keep in parts(rolled) \"keep\"\n    \
        points += sum(keep)\n    left -= size(keep)\n  score = points\n  end turn\nplayer score = 0 in 0..96\n\
        end over after 1 rounds\nwin least score\nalone least score\n";
    for (later, is_known) in
        [("points += 1", true), ("left = max(left - 1, 1)", false), ("if points == 50: left = 4", false)]
    {
        let found = why(&compiled(&text.replace("LATER", later), &[]), "left=3 among=1+2+3+4");
        assert_eq!(found.contains("4 dice lie there, and 3 were rolled"), is_known, "{later}: {found}");
    }
}

/// In a round a position says who is asked: each player is asked by a line of its own, or one line asks whoever it is.
#[test]
fn a_position_of_a_round_says_who_is_asked() {
    let text = "game captains \"x\"\noption players = 3 in 2..4\ndie d = 1..4\nplayer points = 0 in 0..90\n\
                shared captain = nth(everyone, 1)\nround\n  roll face = d by captain\n  for n in 0..players - 1\n    \
                let p = nth(everyone, (place(captain) - 1 + n) % players + 1)\n    ask leave of p: p.points += face\n  \
                captain = nth(everyone, place(captain) % players + 1)\n  for p in everyone\n    ask more of p\n      \
                ask most of p: p.points += 1\n      p.points += 1\nend after 5 rounds\nwin most points\n";
    let game = compiled(text, &[]);
    for (text, seat) in [
        ("decision=leave seat=2 captain=3 face=4 p=2", 1),
        ("decision=leave seat=3 captain=3 face=4 p=3", 2),
        ("decision=more seat=1 points=1/2/3", 0),
        ("decision=more seat=3 points=1/2/3", 2),
        ("decision=most seat=2", 1),
    ] {
        let (state, question) = stopwise_engine::vocabulary::read_position(&game, text)
            .unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(question.seat, seat, "{text}");
        let written = stopwise_engine::vocabulary::write_position(&game, (state, question));
        assert!(written.contains(&format!("seat={}", seat + 1)), "{text}: {written}");
        assert_eq!(asked(&game, &written), asked(&game, text), "{written}");
    }
    let other = asked(&game, "decision=more seat=4");
    assert!(other.is_err(), "{other:?}");
}

/// Walk to the third space or turn back; who does not turn back at the third space walks on the spot. Best play turns back, and
/// plays as it is worth.
#[test]
fn who_could_stay_for_ever_goes_home() {
    let text = "game walk \"x\"\ndie d = 1..3\nplayer score = 0 in 0..6\nturn\n  let at = 0 in 0..3\n  let turned = no\n  \
                repeat\n    if at > 0 and not turned\n      ask back: turned = yes\n    roll x = d\n    \
                at = turned ? max(at - x, 0) : min(at + x, 3)\n    if turned and at == 0\n      score = 3\n      \
                end turn\nend after 1 rounds\nalone most score\n";
    let game = compiled(text, &[]);
    let solution = best(&game);
    close(solution.middle(), 3.0);
    for end in ends(&game, &solution, 100) {
        let mut values = [0; MAX_METRICS];
        game.measure(end, 0, &mut values);
        assert_eq!(values[0], 3);
    }
}

/// What is told in the first round is read after the second: seat 1 wins if it scores, and else every other game by lot.
#[test]
fn what_only_a_later_round_reads_is_part_of_positions() {
    let mean = |text: &str, seat: usize, metric: &str| {
        let script = compiled(text, &[]);
        let at = script.metrics().iter().position(|own| own.name == metric).expect("a metric");
        walked(&script).expect("turns are counted")[seat][at]
    };
    let text = "game later \"x\"\noption players = 2 in 2..4\ndie coin = 0..1\nplayer score = 0 in 0..9\nturn\n  roll f = coin\n  \
                if round == 1 and place(me) == 1: score += f\nend after 2 rounds\nwin most score\ntie by lot\n";
    assert!((mean(text, 0, "win") - 0.75).abs() < 1e-12);
    assert!((mean(text, 1, "win") - 0.25).abs() < 1e-12);
    // The last number of the first round is what both score in the second.
    let text = "game later \"x\"\noption players = 2 in 2..4\ndie d = 1..3\nshared kept = 0 in 0..3\nplayer score = 0 in 0..9\n\
                turn\n  roll f = d\n  if round == 1: kept = f\n  if round == 3: score = kept\nend after 3 rounds\n\
                win most score\nreport points = score\n";
    assert!((mean(text, 0, "points") - 2.0).abs() < 1e-12);
    assert!((mean(text, 1, "points") - 2.0).abs() < 1e-12);
}

/// Each of two seats may pay in each of two turns; the value of best play is that of a policy and what it loses.
#[test]
fn losses_are_what_best_play_has_more() {
    let text = "game lot \"x\"\noption players = 2 in 2..4\ndie d = 1..3\nplayer score = 0 in 0..9\nturn\n  roll f = d\n  \
                ask pay\n    score = min(score + f, 9)\nend after 2 rounds\nwin most score\ntie by lot\n";
    let game = compiled(text, &[]);
    for answers in ["f >= 2", "score < 3"] {
        let text = format!("game = \"lot\"\nname = \"mine\"\npay = \"{answers}\"\n");
        let policy = policy(&game, &Text::new("mine.toml", text));
        let win = game.metrics().iter().position(|metric| metric.name == "win").expect("a metric");
        let free = vec![None::<TextPolicy<Script>>; 2];
        let best = solve(&game, &free, Objective::new(&game, win), Limits::default()).expect("it is small");
        // Nobody is better off who does not pay.
        assert!((best.middle() - 0.5).abs() < 1e-12);
        let losses = losses_against_best(&best, &policy, 0, Limits::default()).expect("it is small");
        let lost: f64 = losses.rows.expect("few rolls").iter().map(|row| row.regret).sum();
        let mean = losses.distribution.means[0][win];
        assert!(lost > 0.01 && (best.middle() - mean - lost).abs() < 1e-12, "{answers}: {mean} and {lost}");
    }
}
