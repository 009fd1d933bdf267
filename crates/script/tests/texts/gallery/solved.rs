//! Law: what is solved is what is played. Under every preset, every policy has in trials the means that the walk finds.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use stopwise_analysis::estimate::Summary;
use stopwise_analysis::exact::{
    ExactError, Limits, Objective, Progress, Situations, Solution, distribution, losses, losses_in_turns,
    situations, solve, solve_between_turns,
};
use stopwise_engine::game::{Action, AnswerForm, Event, Events, Game, Policy, Question, Seat};
use stopwise_engine::run::{Plan, run};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::vocabulary::Vocabulary as _;
use stopwise_engine::within::WorthsWithin;
use stopwise_policy::{Text, TextPolicy, write_values};
use stopwise_script::{GameText, Script, State};

use super::played::variants;
use super::{PROOFS, policy, texts};
use crate::common::{self, files, given, stem};

const TRIALS: u64 = 20_000;
/// The most states of what is tried.
const STATES: usize = 8_000;

/// The means of a policy, which are those of its trials; nothing if the game is not small enough to be compared.
fn agree<P: Policy<Script>>(game: &Script, policy: &P, what: &str) -> Option<Vec<Vec<f64>>> {
    let lineup = std::slice::from_ref(policy);
    let limits = Limits { states: STATES, ..Limits::default() };
    let exact = match distribution(game, lineup, limits) {
        Ok(exact) => exact,
        Err(ExactError::TooLarge { .. }) => return None,
        Err(error) => panic!("{what}: {error:?}"),
    };
    let tally: Tally = run(game, lineup, &Plan { seed: 3, trials: 0..TRIALS }, |_| ControlFlow::Continue(()));
    for (seat, means) in exact.means.iter().enumerate() {
        for (metric, &mean) in means.iter().enumerate() {
            let sampled = Summary::of(&tally.seats[seat].metrics[metric]).expect("trials were played");
            // An empirical Bernstein bound (Maurer and Pontil, 2009, theorem 4): exceeded once in a million comparisons.
            let (n, log) = (TRIALS as f64, 4e6_f64.ln());
            let reach = sampled.std_dev.expect("many trials") * (2.0 * log / n).sqrt()
                + 7.0 * f64::from(sampled.max).max(1.0) * log / (3.0 * (n - 1.0));
            let metric = game.metrics()[metric].name;
            assert!(
                (sampled.mean - mean).abs() <= reach,
                "{what}, {metric} of seat {seat}: played {} ± {reach}, solved {mean}",
                sampled.mean
            );
        }
    }
    Some(exact.means)
}

/// Small variants of texts whose presets are large.
const SMALL: [(&str, &[(&str, &str)]); 8] = [
    ("zombie-dice", &[("greens", "2"), ("yellows", "1"), ("reds", "1"), ("players", "1"), ("rounds", "1")]),
    ("zombie-dice", &[("greens", "2"), ("yellows", "1"), ("reds", "0"), ("players", "2"), ("goal", "2")]),
    ("farkle", &[("dice", "3"), ("players", "2"), ("goal", "500"), ("entry", "0")]),
    ("farkle", &[("dice", "4"), ("players", "1"), ("goal", "1000"), ("third", "500")]),
    ("shut-the-box", &[("boxes", "6")]),
    ("shut-the-box", &[("boxes", "6"), ("one_die", "never")]),
    ("shut-the-box", &[("boxes", "6"), ("one_die", "by_boxes"), ("high", "4"), ("forced", "no")]),
    ("shut-the-box", &[("boxes", "6"), ("players", "2")]),
];

/// Presets, and the defaults, with too many positions under every policy, or with few of very many answers.
const LARGE: [(&str, &[&str]); 7] = [
    ("bank", &["defaults", "long"]),
    ("cant-stop", &["defaults", "solo"]),
    ("farkle", &["defaults", "greed", "plain", "short", "zilch"]),
    ("pickomino", &["defaults", "gentle"]),
    ("shut-the-box", &["defaults", "duel", "pub", "twelve", "two-dice"]),
    ("threes", &["table"]),
    ("yahtzee", &["defaults", "free", "table", "upper"]),
];

/// Every preset that is not large, and the small variants.
fn all_variants(name: &str, text: &GameText) -> Vec<(String, Script)> {
    let small = SMALL.iter().filter(|(own, _)| *own == name).map(|(_, options)| {
        (format!("{options:?}"), text.script(&given(options)).unwrap_or_else(|error| panic!("{error}")))
    });
    let is_large =
        |variant: &str| LARGE.iter().any(|(own, presets)| *own == name && presets.contains(&variant));
    variants(text).into_iter().filter(|(variant, _)| !is_large(variant)).chain(small).collect()
}

#[test]
fn what_is_solved_is_what_is_played() {
    let mut tried = 0;
    for (name, text) in texts().filter(|(name, _)| !PROOFS.contains(&name.as_str())) {
        for (variant, game) in all_variants(&name, &text) {
            for file in files(&format!("policies/{name}"), "toml") {
                let policy = policy(&game, &name, stem(&file));
                let what = format!("{name}, {variant}, {}", policy.name());
                tried += usize::from(agree(&game, &policy, &what).is_some());
            }
        }
    }
    assert!(tried > 75, "{tried}");
}

/// Best play, kept as a policy, has in trials the value that it was solved with.
#[test]
fn best_play_that_is_kept_is_best_play() {
    let mut tried = Vec::new();
    for (name, text) in texts().filter(|(name, _)| !PROOFS.contains(&name.as_str())) {
        for (variant, game) in all_variants(&name, &text).into_iter().filter(|(_, game)| game.seats() <= 2) {
            let limits = Limits { states: STATES / 2, ..Limits::default() };
            let Ok(best) = solve::<_, &TextPolicy<Script>>(
                &game,
                &vec![None; game.seats()],
                Objective::new(&game, 0),
                limits,
            ) else {
                continue;
            };
            let (policy, what) = (kept(&game, best.keep()), format!("{name}, {variant}"));
            let means = agree(&game, &policy, &what).expect("as many positions as best play");
            let exact = means[0][0];
            assert!((exact - best.middle()).abs() <= 1e-9 * exact.abs().max(1.0), "{what}: {exact}");
            tried.push(name.clone());
        }
    }
    tried.dedup();
    assert!(tried.len() > 7, "{tried:?}");
}

/// A sample of the positions between turns, drawn where finding them takes longer than a second, tells of no more than there are.
#[test]
fn a_sample_tells_of_no_more_than_there_are() {
    let (_, text) = texts().find(|(name, _)| name == "yahtzee").expect("it is shipped");
    let (_, game) = variants(&text).into_iter().find(|(variant, _)| variant == "upper").expect("a preset");
    let told = AtomicUsize::new(0);
    let watch = |step: Progress| {
        if let Progress::Find { size } = step {
            told.fetch_max(size.states_at_least, Relaxed);
        }
        ControlFlow::Continue(())
    };
    // The limit is their number.
    let limits = Limits { states: 2730, watch: &watch, ..Limits::default() };
    let found = solve_between_turns(&game, Objective::new(&game, 0), limits).expect("no more than that");
    assert_eq!(found.expect("turns by themselves").states, 2730);
    assert!(told.into_inner() <= 2730);
}

/// With only positions between turns stored, values and answers are those of all positions.
#[test]
fn between_turns_it_is_the_same() {
    let (mut tried, mut judged) = (Vec::new(), 0);
    for (name, text) in texts().filter(|(name, _)| !PROOFS.contains(&name.as_str())) {
        for (variant, game) in all_variants(&name, &text).into_iter().filter(|(_, game)| game.seats() <= 2) {
            let (what, objective) = (format!("{name}, {variant}"), Objective::new(&game, 0));
            let limits = Limits { states: 300, ..Limits::default() };
            let Ok(Some(between)) = solve_between_turns(&game, objective, limits) else { continue };
            let limits = Limits { states: 2 * STATES, ..Limits::default() };
            let free: Vec<Option<&TextPolicy<Script>>> = vec![None; game.seats()];
            let Ok(all) = solve(&game, &free, objective, limits) else { continue };
            assert!(between.states <= all.states && between.turn_steps() > 0, "{what}");
            let error = all.error() + between.error();
            assert!((between.middle() - all.middle()).abs() <= error, "{what}: {}", between.middle());
            let mut questions = 0;
            let forgetful =
                WorthsWithin::remembering(&game, 0, 1 << 30).expect("it tells what outlasts turns");
            for number in 0..20 {
                let mut asked = Asked(Vec::new());
                trial(&game, &[&all], &mut Keys::new(9).streams(number, game.seats()), &mut asked);
                for (state, question) in asked.0.into_iter().step_by(7) {
                    let again =
                        forgetful.worths(&game, &objective, &between, state, question).expect("known");
                    let again: Vec<f64> = again.iter().map(|(_, worth)| worth).collect();
                    let worths = [&all, &between].map(|solution| solution.worths(state, question));
                    let [Some(all), Some(between)] = worths else { panic!("{what}: {state:?} {worths:?}") };
                    let is_same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-10 * a.abs().max(1.0);
                    assert!(all.iter().zip(&between).all(is_same), "{what}: {all:?}, {between:?}");
                    assert_eq!(again, between, "{what}: whatever is forgotten");
                    questions += 1;
                }
            }
            assert!(questions > 0, "{what}");
            same_tables(&game, &all, &between, &what);
            for file in files(&format!("policies/{name}"), "toml") {
                judged += usize::from(same_losses(
                    &game,
                    (&all, &between),
                    &policy(&game, &name, stem(&file)),
                    &what,
                ));
            }
            // Kept, it has in trials the value that it was solved with.
            let policy = kept(&game, between.keep());
            let exact = distribution(&game, &[&policy], Limits::default()).expect("small").means[0][0];
            assert!((exact - all.middle()).abs() <= 1e-9 * exact.abs().max(1.0), "{what}: {exact}");
            tried.push(what);
        }
    }
    assert!(tried.iter().any(|what| what == "yahtzee, two-boxes") && tried.len() > 1, "{tried:?}");
    assert!(judged >= 3, "{judged}");
}

/// Best play has the same answers in the same situations, by the features that need no memory, three at a time; how often a
/// situation counts is another matter.
fn same_tables(game: &Script, all: &Solution<Script>, between: &Solution<Script>, what: &str) {
    let features: Vec<_> = game
        .features()
        .iter()
        .enumerate()
        .filter(|(_, feature)| feature.memory == 0)
        .map(|(at, _)| at)
        .collect();
    for kind in 0..game.info().kinds.len() {
        for features in features.chunks(3) {
            let answers = [all, between].map(|solution| {
                let named = |_, action| action;
                let found = situations(solution, kind, features, &named, Limits::default()).expect("small");
                let cell = |cell: Situations<Action>| {
                    let answers: Vec<_> = cell.answers.iter().map(|(answer, _)| *answer).collect();
                    (cell.values, answers, cell.ties.situations == 0.0)
                };
                found.into_iter().map(cell).collect::<Vec<_>>()
            });
            assert_eq!(answers[0], answers[1], "{what}: kind {kind} by {features:?}");
        }
    }
}

/// Whether the losses of a policy are told: then they are those of the walk over all positions.
fn same_losses(
    game: &Script,
    (all, between): (&Solution<Script>, &Solution<Script>),
    policy: &TextPolicy<Script>,
    what: &str,
) -> bool {
    let found = match losses_in_turns(between, policy, Limits::default()) {
        Ok(found) => found,
        Err(ExactError::Remembers) => {
            assert!(policy.memory() != 0 || game.seats() > 1, "{what}");
            return false;
        }
        Err(error) => panic!("{what}: {error}"),
    };
    let expected = losses(all, policy, Limits::default()).expect("small");
    let is_same = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    assert!(is_same(found.value, expected.distribution.means[0][0]), "{what}: {}", found.value);
    for row in expected.rows.expect("few") {
        let own = found.rows.iter().find(|own| (own.kind, own.turn) == (row.kind, row.turn));
        let own = own.unwrap_or_else(|| panic!("{what}: {row:?} in {:?}", found.rows));
        let pairs = [(own.decisions, row.decisions), (own.mistakes, row.mistakes), (own.regret, row.regret)];
        assert!(pairs.into_iter().all(|(a, b)| is_same(a, b)), "{what}: {own:?}, not {row:?}");
    }
    true
}

/// The questions of a trial.
struct Asked(Vec<(State, Question)>);

impl Events for Asked {
    fn event(&mut self, _: Seat, _: Event) {}
}

impl Watch<Script> for Asked {
    fn decided(&mut self, state: State, question: Question, _: Action) {
        self.0.push((state, question));
    }
}

fn kept(game: &Script, values: Vec<u8>) -> TextPolicy<Script> {
    let info = game.info();
    let answers = info.kinds.iter().map(|kind| match kind.form {
        AnswerForm::YesNo => format!("{} = \"true\"\n", kind.name),
        AnswerForm::Items | AnswerForm::Number => format!("{} = []\n", kind.name),
    });
    let section = write_values("values.bin", &values, "these", game.metrics()[0].name);
    let text =
        format!("game = {:?}\nname = \"best-play\"\n{}{section}", info.name, answers.collect::<String>());
    let text = Text { beside: Some(values.into()), ..Text::new("policy.toml", text) };
    common::policy(game, &text)
}
