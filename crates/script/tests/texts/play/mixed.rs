//! Policies that answer by chance.

use stopwise_analysis::exact::{Limits, Objective, distribution, solve};
use stopwise_engine::game::{Event, Events, Game, Policy, Question, is_by_chance};
use stopwise_engine::stream::{Keys, WordSource as _};
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::trial_result::Recording;
use stopwise_engine::vector_env::{Renewal, Start, Tables as _, VectorEnv};
use stopwise_policy::{Text, TextPolicy};
use stopwise_script::{Script, State};

use crate::common::{compiled, script};

/// Both show heads or tails: who is first wins equal coins. A die is rolled after it, for points that change nothing.
const COINS: &str = "game coins \"x\"\noption players = 2 in 2..2\ndie d = 1..6\nplayer heads = no\nplayer score = 0 in 0..1\n\
    player rolled = 0 in 0..6\nround\n  ask all heads of p in everyone \"show heads\"\n  for p in everyone\n    \
    roll face = d by p\n    p.rolled = face\n    \
    if place(p) == 1 and all(q in everyone: q.heads == p.heads): p.score = 1\n    \
    if place(p) == 2 and any(q in others: q.heads != p.heads): p.score = 1\n\
    end over after 1 rounds\nwin most score\nreport rolled = rolled\n";

fn compile(game: &Script, answers: &str) -> Result<TextPolicy<Script>, String> {
    let text = format!("game = \"{}\"\nname = \"mixed\"\n{answers}\n", game.info().name);
    TextPolicy::compile(&Text::new("mixed.toml", text), game, &[]).map_err(|error| error.to_string())
}

fn policy(game: &Script, answers: &str) -> TextPolicy<Script> {
    compile(game, answers).unwrap_or_else(|error| panic!("{error}"))
}

/// The mean of a metric of a seat, by the probabilities of everything.
fn mean(game: &Script, lineup: &[&TextPolicy<Script>], seat: usize, metric: &str) -> f64 {
    let at = game.metrics().iter().position(|own| own.name == metric).expect("a metric");
    distribution(game, lineup, Limits::default()).expect("a small game").means[seat][at]
}

/// Chances are counted in 2⁻²⁴.
const NEAR: f64 = 1e-6;

/// Two chances p and q are equal coins with p q + (1 - p) (1 - q). The best opponent of a chance always answers what is rarer.
#[test]
fn values_are_means_over_what_is_drawn() {
    let game = compiled(COINS, &[]);
    let often = |p: f64| policy(&game, &format!("heads = \"chance({p})\""));
    for (p, q) in [(0.3, 0.6), (0.5, 0.9), (0.0, 0.25), (1.0, 0.25), (0.125, 0.125)] {
        let (a, b) = (often(p), often(q));
        let equal = p * q + (1.0 - p) * (1.0 - q);
        assert!((mean(&game, &[&a, &b], 0, "win") - equal).abs() < NEAR, "{p} {q}");
        assert!((mean(&game, &[&a, &b], 1, "win") - (1.0 - equal)).abs() < NEAR, "{p} {q}");
        let win = game.metrics().iter().position(|own| own.name == "win").expect("a metric");
        let objective = Objective::new(&game, win);
        let against = |seats: &[Option<&TextPolicy<Script>>]| {
            solve(&game, seats, objective, Limits::default()).expect("a small game").middle()
        };
        assert!(
            (against(&[Some(&a), None]) - p.min(1.0 - p)).abs() < NEAR,
            "{p}: {}",
            against(&[Some(&a), None])
        );
        assert!((against(&[None, Some(&a)]) - p.max(1.0 - p)).abs() < NEAR, "{p}");
    }
}

/// Several chances in an answer are drawn each by itself, and may depend on the position and on parameters.
#[test]
fn chances_are_independent() {
    let game = compiled(COINS, &[]);
    let heads = policy(&game, "heads = \"yes\"");
    let share = |answers: &str| mean(&game, &[&policy(&game, answers), &heads], 0, "win");
    for (answers, chance) in [
        ("heads = \"chance(0.5) and chance(0.5)\"", 0.25),
        ("heads = \"chance(0.2) or not chance(0.9)\"", 0.28),
        ("heads = \"chance(0.5) ? chance(0.1) : chance(0.7)\"", 0.4),
        ("heads = \"chance(0.5) == chance(0.25)\"", 0.5),
        ("params.p = 0.35\nheads = \"chance(p)\"", 0.35),
        ("heads = \"chance(round * 0.15)\"", 0.15),
        ("heads = \"chance(round) and chance(0.5)\"", 0.5),
    ] {
        assert!((share(answers) - chance).abs() < NEAR, "{answers}: {}", share(answers));
    }
}

/// What a trial leaves.
#[derive(Debug, Default, PartialEq)]
struct Course {
    dice: Vec<String>,
    answers: Vec<(usize, usize, u32)>,
}

impl Events for Course {
    fn event(&mut self, _: usize, _: Event) {}
}

impl Watch<Script> for Course {
    fn decided(&mut self, _: State, question: Question, action: stopwise_engine::game::Action) {
        if !question.actions.is_single() {
            self.answers.push((question.seat, question.kind, action.index()));
        }
    }

    fn resolved(
        &mut self,
        _: State,
        seat: usize,
        outcome: <<Script as Game>::Chance as stopwise_engine::chance::Chance>::Outcome,
    ) {
        self.dice.push(format!("{seat} {outcome:?}"));
    }
}

fn course(game: &Script, lineup: &[&TextPolicy<Script>], number: u64) -> (Course, State) {
    let mut course = Course::default();
    let by_chance = is_by_chance::<Script, _>(lineup);
    let mut words = Keys::new(7).streams_with(number, game.seats(), by_chance);
    let end = trial(game, lineup, &mut words, &mut course);
    (course, end)
}

/// Trials of a chance come out as it says, and whoever draws, the dice are the same.
#[test]
fn trials_draw_from_streams_of_their_own() {
    let game = compiled(COINS, &[]);
    let (mixed, pure) = (policy(&game, "heads = \"chance(0.3)\""), policy(&game, "heads = \"no\""));
    let (mut heads, trials) = (0, 20_000);
    for number in 0..trials {
        let (drawn, _) = course(&game, &[&mixed, &pure], number);
        assert_eq!(drawn.dice, course(&game, &[&pure, &pure], number).0.dice);
        assert_eq!(drawn, course(&game, &[&mixed, &pure], number).0);
        heads += u64::from(drawn.answers[0].2);
        // One word for the only answer, of the stream of the ninth seat.
        let word = Keys::new(7).answers(number, 0).word(0);
        assert_eq!(drawn.answers[0].2 == 1, f64::from(word) < 0.3 * 4_294_967_296.0);
    }
    // Five standard deviations.
    let most = 5.0 * (0.3 * 0.7 * trials as f64).sqrt();
    assert!((heads as f64 - 0.3 * trials as f64).abs() < most, "{heads}");
    // The two seats draw from different streams.
    let both = (0..1000).filter(|number| {
        let (drawn, _) = course(&game, &[&mixed], *number);
        drawn.answers[0].2 == drawn.answers[1].2
    });
    // 0.3² + 0.7² = 0.58.
    assert!((both.count() as f64 - 580.0).abs() < 5.0 * (1000.0_f64 * 0.58 * 0.42).sqrt());
}

/// Lists and numbers by chance; the first words of a stream of answers are those of the seat's number plus eight.
#[test]
fn lists_and_numbers_may_be_by_chance() {
    let game = script("goofspiel", &[("cards", "3")]);
    let numbers = policy(&game, "bid = \"chance(0.4) ? cards : 1\"");
    let lists = policy(
        &game,
        "bid = [{ when = \"chance(0.4)\", prefer = [\"most bid\"] }, { prefer = [\"least bid\"] }]",
    );
    let other = policy(&game, "bid = \"prize\"");
    for number in 0..300 {
        let [a, b] = [&numbers, &lists].map(|mixed| course(&game, &[mixed, &other], number));
        assert_eq!(a, b);
    }
    for metric in ["share", "points"] {
        let [a, b] = [&numbers, &lists].map(|mixed| mean(&game, &[mixed, &other], 0, metric));
        assert!((a - b).abs() < 1e-12);
    }
    // Of three lists the second has a chance of a half where the first has none.
    let three = policy(
        &game,
        "bid = [{ when = \"chance(0.5)\", prefer = [\"most bid\"] }, { when = \"chance(0.5)\", prefer = [\"bid == 2\"] }, \
         { prefer = [\"least bid\"] }]",
    );
    let mut first = [0.0_f64; 3];
    for number in 0..4000 {
        first[course(&game, &[&three, &other], number).0.answers[0].2 as usize] += 1.0;
    }
    for (count, share) in first.into_iter().zip([0.25, 0.25, 0.5]) {
        assert!(
            (count - 4000.0 * share).abs() < 5.0 * (4000.0_f64 * share * (1.0 - share)).sqrt(),
            "{first:?}"
        );
    }
}

/// Exact means are those of trials, in a game of several rounds.
#[test]
fn exact_means_are_those_of_trials() {
    let game = script("goofspiel", &[("cards", "4"), ("ties", "carry")]);
    let mixed = policy(
        &game,
        "bid = [{ when = \"chance(0.35) and prize > 1\", prefer = [\"most bid\"] }, { when = \"chance(0.1 * prize)\", prefer = \
         [\"over >= 0\", \"least over\"] }, { prefer = [\"least bid\"] }]",
    );
    let other = policy(&game, "bid = \"chance(0.5) ? prize : prize + 1\"");
    let trials = 40_000;
    let at = game.metrics().iter().position(|own| own.name == "points").expect("a metric");
    for seat in 0..2 {
        let (mut sum, mut squares) = (0.0, 0.0);
        for number in 0..trials {
            let (_, end) = course(&game, &[&mixed, &other], number);
            let mut values = [0; stopwise_engine::game::MAX_METRICS];
            game.measure(end, seat, &mut values);
            let value = f64::from(values[at]);
            (sum, squares) = (sum + value, squares + value * value);
        }
        let (n, exact) = (trials as f64, mean(&game, &[&mixed, &other], seat, "points"));
        let error = ((squares / n - (sum / n).powi(2)) / n).sqrt();
        assert!((sum / n - exact).abs() < 5.0 * error, "{} ± {error}, {exact}", sum / n);
    }
}

/// At tables, seated or asked, a policy plays the game of the trial.
#[test]
fn tables_play_what_trials_play() {
    let game = script("goofspiel", &[("cards", "5")]);
    let mixed = policy(&game, "bid = \"chance(0.5) ? cards : prize\"");
    let other = policy(&game, "bid = \"chance(0.2) ? 1 : prize + 1\"");
    let plain = policy(&game, "bid = \"prize\"");
    for number in 0..200 {
        let (_, end) = course(&game, &[&mixed, &other], number);
        let mut wanted = Vec::new();
        for seat in 0..2 {
            let mut values = [0; stopwise_engine::game::MAX_METRICS];
            game.measure(end, seat, &mut values);
            wanted.push(values[0]);
        }
        for seated in [vec![], vec![None, Some(&other)], vec![Some(&mixed)]] {
            let mut tables: VectorEnv<Script, &TextPolicy<Script>> =
                VectorEnv::new(&game, 1, Recording::Answers);
            tables.seat(seated);
            tables.begin(&Keys::new(7), &[Start { table: 0, trial: number, key: number }]);
            while let Some((_, _, question)) = tables.question(0) {
                let policy = [&mixed, &other][question.seat];
                let action = tables.ask(0, &policy).expect("a question");
                // Whoever asks again is told the same, and so is who has asked a policy that draws nothing meanwhile.
                tables.ask(0, &&plain).expect("a question");
                assert_eq!(tables.ask(0, &policy), Some(action));
                tables.step(&[0], &[action.index().into()], Renewal::Wait, &mut [], &mut []).expect("legal");
            }
            let metrics = game.metrics().len();
            let values = &tables.finished().values;
            assert_eq!([values[0], values[metrics]], wanted[..]);
        }
    }
}

/// A quotient in a chance is exact. A chance is rounded up to a part of 2⁻²⁴.
#[test]
fn quotients_are_exact() {
    let game = compiled(COINS, &[]);
    let heads = policy(&game, "heads = \"yes\"");
    let share = |answers: &str| mean(&game, &[&policy(&game, answers), &heads], 0, "win");
    let parts = f64::from(1 << 24);
    for (answers, of, divisor) in [
        ("heads = \"chance(1 / 3)\"", 1, 3),
        ("heads = \"chance(2 / 6)\"", 1, 3),
        ("heads = \"chance(1 - 2 / 3)\"", 1, 3),
        ("heads = \"chance(1 / 4)\"", 1, 4),
        ("heads = \"chance(5 / 7 / 2)\"", 5, 14),
        ("heads = \"chance(0.5 / 3)\"", 1, 6),
        ("heads = \"chance(round / 5)\"", 1, 5),
        ("params.n = 6\nheads = \"chance(5 / n)\"", 5, 6),
        ("heads = \"chance(59_603 / 59_604)\"", 59_603, 59_604),
    ] {
        let kept = (parts * f64::from(of) / f64::from(divisor)).ceil() / parts;
        assert!((share(answers) - kept).abs() < 1e-12, "{answers}: {} and {kept}", share(answers));
    }
}

/// A chance that never or always comes true is told, unless it is the rules that make it so.
#[test]
fn certain_chances_are_told() {
    let game = script("goofspiel", &[]);
    let told = |answers: &str| policy(&game, answers).heading().warnings().collect::<Vec<_>>().join("\n");
    for (answers, message) in [
        ("bid = \"chance(0) ? 1 : 2\"", "`chance(0)` is never true"),
        ("bid = \"chance(1) ? 1 : 2\"", "`chance(1)` is always true"),
        (
            "bid = [{ when = \"chance(3 / 3)\", prefer = [\"most bid\"] }, { prefer = [] }]",
            "`chance(3 / 3)` is always true",
        ),
        ("params.p = 0\nbid = \"chance(p) ? 1 : 2\"", "`p` is 0"),
        ("bid = \"chance(prize + 1) ? 1 : 2\"", "`chance(prize + 1)` is always true under these rules"),
        (
            "bid = \"prize > 3 and chance(4 - prize) ? 1 : 2\"",
            "`chance(4 - prize)` is never true here, after what is asked before",
        ),
    ] {
        assert!(told(answers).contains(message), "{answers}: {}", told(answers));
    }
    for answers in [
        "bid = \"chance(0.5) ? 1 : 2\"",
        "bid = \"chance(prize / 13) ? 1 : 2\"",
        "bid = \"chance(cards - 13) ? 1 : 2\"",
    ] {
        assert_eq!(told(answers), "", "{answers}");
    }
}

/// What is wrong with a chance is told.
#[test]
fn where_chances_may_stand() {
    let game = script("goofspiel", &[]);
    let nine = ["chance(0.5)"; 9].join(" or ");
    for (answers, message) in [
        ("bid = [\"chance(0.5)\"]", "`chance` cannot stand here"),
        ("bid = [\"most bid * (chance(0.5) ? 1 : 2)\"]", "`chance` cannot stand here"),
        ("bid = \"chance(chance(0.5) ? 0.1 : 0.2) ? 1 : 2\"", "`chance` cannot stand here"),
        ("bid = \"chance(1.5) ? 1 : 2\"", "a chance is a number from 0 to 1"),
        ("bid = \"chance(0.5, 0.2) ? 1 : 2\"", "`chance` takes one number"),
        ("bid = \"chanse(0.5) ? 1 : 2\"", "did you mean `chance`"),
        (&format!("bid = \"({nine}) ? 1 : 2\""), "at most eight chances"),
        ("bid = \"chance(1 / prize) ? 1 : 2\"", "a whole number that never changes"),
        ("bid = \"chance(1 / 0) ? 1 : 2\"", "a whole number that never changes"),
        ("bid = \"chance(1 / 59_605) ? 1 : 2\"", "too small to be exact"),
        ("bid = \"chance(0.5) ? 1 / 3 : 2\"", "drops the remainder"),
    ] {
        let error = compile(&game, answers).expect_err(answers);
        assert!(error.contains(message), "{error}");
    }
    let rust = stopwise_engine::games::pig::Pig::STANDARD;
    let text = Text::new("pig.toml", "game = \"pig\"\nname = \"mixed\"\nstop = \"chance(0.5)\"\n");
    let error = TextPolicy::compile(&text, &rust, &[]).expect_err("a game in Rust").to_string();
    assert!(error.contains("games that are texts"), "{error}");
}

/// In words.
#[test]
fn chances_are_explained() {
    let game = script("goofspiel", &[]);
    let mixed = policy(&game, "params.p = 0.3\nbid = \"chance(p) and prize > 3 ? cards : 1\"");
    let told = mixed.explain(&game);
    assert!(
        told.contains("a chance of p (0.3) comes true and [the prize that lies there] is more than 3"),
        "{told}"
    );
    assert!(mixed.is_by_chance(0) && !policy(&game, "bid = \"1\"").is_by_chance(0));
}

/// Rock, paper, scissors, again where they are equal, and so many coins: there are no dice, so that answers alone lead from one
/// position to the next.
#[test]
fn what_only_answers_move_is_followed() {
    let rps = "game rps \"x\"\noption players = 2 in 2..2\nplayer points = 0 in 0..1\nround\n  \
        ask all hand of p in everyone from 0..2\n  for p in everyone\n    for q in others\n      \
        if (3 + p.hand - q.hand) % 3 == 1: p.points += 1\nend over when points == 1\nwin most points\n";
    let game = compiled(rps, &[]);
    // Half of the hands are 0, three tenths 1: 38 % of the rounds are equal.
    let mixed = policy(&game, "hand = \"chance(0.5) ? 0 : chance(0.6) ? 1 : 2\"");
    assert!((mean(&game, &[&mixed], 0, "turns") - 1.0 / 0.62).abs() < NEAR);
    assert!((mean(&game, &[&mixed], 0, "win") - 0.5).abs() < NEAR);
    let coins = "game coins \"x\"\noption players = 2 in 2..2\noption rounds = 5 in 1..60\nplayer points = 0 in 0..60\nround\n  \
        ask all side of p in everyone from 1..2\n  let alike = all(q in everyone: all(r in everyone: r.side == q.side))\n  \
        for p in everyone where place(p) == 1 and alike: p.points += 1\nend over after rounds rounds\nwin most points\n\
        report points = points\n";
    let game = compiled(coins, &[("rounds", "60")]);
    let often = policy(&game, "side = \"chance(0.25) ? 1 : 2\"");
    // All sequences of answers would be 2¹²⁰.
    assert!((mean(&game, &[&often], 0, "points") - 60.0 * 0.625).abs() < 60.0 * NEAR);
}
