//! Whole answers, about hands that were dealt beforehand. Their half widths are Student's t of the differences, widened by the
//! guard −ln(α/2)/√n against values that did not occur, or of wins the exact limits of the trials that differ.

use std::ops::{ControlFlow, Range};

use stopwise_analysis::paired::{Rule, compare};
use stopwise_analysis::sequential::Design;
use stopwise_document::text::{Style, text};
use stopwise_engine::arms::Arm;
use stopwise_engine::paired::{all_pairs, run_paired};
use stopwise_engine::plan::Plan;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::SeatTally;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial_result::{Recording, TrialResult};

use super::*;

const SCORE: Metric = Metric::end("score", "points", "what was scored");
const TURNS: Metric = Metric::end("turns", "turns", "how long it took").less();

/// What a line-up is worth in trial after trial: values, each with the number of trials in a row that have it.
struct Dealt<'d> {
    name: &'d str,
    runs: &'d [(u32, u64)],
    /// Its answers, where they are not told by what it has.
    answer: Option<u8>,
    /// The first trials, which a cap cuts off.
    capped: u64,
    seats: usize,
    is_won: bool,
}

impl Arm for Dealt<'_> {
    fn lineups(&self) -> usize {
        1
    }

    fn tally(&self) -> Tally {
        let seat = SeatTally { metrics: vec![Histogram::default()], busts: Histogram::default() };
        Tally {
            trials: 0,
            endings: vec![0; 2],
            first: (0, 0),
            lengths: Histogram::default(),
            seats: vec![seat; self.seats],
        }
    }

    fn bounds(&self, _: usize) -> Option<(f64, f64)> {
        self.is_won.then_some((0.0, 1.0))
    }

    fn early(&self) -> Vec<bool> {
        vec![false, true]
    }

    fn block(&self, _: &Keys, trials: &Range<u64>, _: Recording, ended: &mut dyn FnMut(&TrialResult<'_>)) {
        let values = self.runs.iter().flat_map(|&(value, times)| (0..times).map(move |_| value));
        let first = usize::try_from(trials.start).expect("a few");
        for ((at, trial), value) in trials.clone().enumerate().zip(values.skip(first)) {
            let is_capped = trial < self.capped;
            ended(&TrialResult {
                at,
                lineup: 0,
                ending: usize::from(is_capped),
                early: is_capped,
                turns: 1,
                busts: &[],
                answers: &[self.answer.unwrap_or(u8::try_from(value).expect("a few"))],
                values: &[value, 0][..self.seats],
                metrics: 1,
                stride: 1,
            });
        }
    }
}

/// A policy alone, with these runs.
fn alone<'d>(name: &'d str, runs: &'d [(u32, u64)]) -> Dealt<'d> {
    Dealt { name, runs, answer: None, capped: 0, seats: 1, is_won: false }
}

/// The first of two seats, which wins or does not.
fn first<'d>(name: &'d str, runs: &'d [(u32, u64)]) -> Dealt<'d> {
    Dealt { seats: 2, is_won: true, ..alone(name, runs) }
}

fn compared(metric: Metric, dealt: &[Dealt<'_>]) -> ComparisonReport {
    stopping(metric, dealt, Stopping::Fixed)
}

fn stopping(metric: Metric, dealt: &[Dealt<'_>], stopping: Stopping) -> ComparisonReport {
    let arms: Vec<&dyn Arm> = dealt.iter().map(|dealt| dealt as &dyn Arm).collect();
    let pairs = all_pairs(arms.len());
    let trials = dealt[0].runs.iter().map(|(_, times)| times).sum();
    let mut play = |plan: &Plan| -> Result<_, ()> {
        Ok(run_paired(&arms, &pairs, plan, 0, &|_| ControlFlow::Continue(())))
    };
    let plan = Plan { seed: 1, trials: 0..trials };
    let rule = (&Rule::default(), stopping);
    ComparisonReport {
        game: "hands",
        rules: "three".into(),
        seats: dealt[0].seats,
        sides: Side::all(dealt.iter().map(|dealt| ("three".to_owned(), dealt.name.to_owned()))),
        metrics: vec![metric],
        endings: vec![Ending::regular("goal", "somebody reached the goal"), Ending::CAPPED],
        is_rotated: false,
        comparison: compare(&arms, pairs.len(), &plan, rule, &mut play).expect("it plays"),
        stopped: None,
        is_divergent: false,
        drawn: None,
        divergences: Vec::new(),
        seed: 1,
        replay: String::new(),
    }
}

fn said(metric: Metric, dealt: &[Dealt<'_>]) -> Vec<String> {
    answer::answer(&compared(metric, dealt))
}

/// Differences of +4 in 6,000 of 10,000 trials and else none: mean 2.4, deviation 4 · √0.24 = 1.960, half width 0.0385.
#[test]
fn a_clear_winner_is_told_by_how_much() {
    let told = said(SCORE, &[alone("a", &[(12, 6000), (8, 4000)]), alone("b", &[(8, 10_000)])]);
    let wanted = [
        "a has 2.400 ± 0.039 points more than b; better in 60.00 % of the trials, equal in 40.00 %, worse in 0.00 %.",
        "Both play the same game in 40.00 % of the trials.",
    ];
    assert_eq!(told, wanted);
}

/// Differences of +2 in 5,050 trials and −2 in 4,950: mean 0.02, deviation 2.000, half width 0.0393.
#[test]
fn a_difference_that_may_be_nothing_is_not_known() {
    let told = said(SCORE, &[alone("a", &[(10, 5050), (8, 4950)]), alone("b", &[(8, 5050), (10, 4950)])]);
    let wanted = [
        "a has 0.020 ± 0.040 points more than b; better in 50.50 % of the trials, equal in 0.00 %, worse in 49.50 %.",
        "The 95 % interval includes 0: these trials do not show which has more.",
        "Both play the same game in 0.00 % of the trials.",
    ];
    assert_eq!(told, wanted);
}

/// Differences of −2 in 7,500 trials and +2 in 2,500: mean −1, deviation √3, half width 0.0340.
#[test]
fn less_can_be_better() {
    let told = said(TURNS, &[alone("a", &[(5, 7500), (9, 2500)]), alone("b", &[(7, 10_000)])]);
    let wanted = [
        "a has 1.000 ± 0.034 turns less than b (less is better); better in 75.00 % of the trials, equal in 0.00 %, \
         worse in 25.00 %.",
        "Both play the same game in 0.00 % of the trials.",
    ];
    assert_eq!(told, wanted);
    let told = said(
        TURNS,
        &[alone("a", &[(8, 10_000)]), alone("b", &[(7, 10_000)]), alone("c", &[(4, 5000), (7, 5000)])],
    );
    assert!(told[0].starts_with("Best: c, mean turns 5.500 turns, better than each"), "{told:?}");
}

/// None of n trials differs: at most 1 − 0.025^(1/n) do, 0.368 % of 1,000 and 0.1229 % of 3,000.
#[test]
fn the_same_play_bounds_how_often_it_can_differ() {
    for (trials, most) in
        [(1000, "0.37 % of the trials"), (3000, "0.13 % of the trials"), (10_000, "1 of 2711 trials")]
    {
        let runs = [(8, trials)];
        let told = said(SCORE, &[alone("a", &runs), alone("b", &runs)]);
        let wanted = [
            "a and b have the same score in every trial.".to_owned(),
            format!(
                "Every trial is the same game under both: if they differ at all, then in at most {most} \
                 (95 %)."
            ),
        ];
        assert_eq!(told, wanted);
    }
    let other = Dealt { answer: Some(1), ..alone("b", &[(8, 1000)]) };
    let wanted =
        ["a and b have the same score in every trial.", "Both play the same game in 0.00 % of the trials."];
    assert_eq!(said(SCORE, &[alone("a", &[(8, 1000)]), other]), wanted);
}

/// Where neither varies, nothing but the number of trials says how far others are off.
#[test]
fn a_difference_that_is_always_the_same_has_no_interval() {
    let told = |trials| said(SCORE, &[alone("a", &[(10, trials)]), alone("b", &[(9, trials)])]);
    let start =
        "a has 1.000 points more than b; better in 100.00 % of the trials, equal in 0.00 %, worse in 0.00 %.";
    let end = "Both play the same game in 0.00 % of the trials.";
    assert_eq!(told(1), [start, "One trial does not show which has more.", end]);
    let same = "That is so in every trial: another difference comes in at most 1 of 2711 trials (95 %).";
    assert_eq!(told(10_000), [start, same, end]);
    let dealt = [alone("a", &[(10, 2000)]), alone("b", &[(9, 2000)]), alone("c", &[(7, 2000)])];
    let three = said(SCORE, &dealt);
    let wanted = "Best: a, mean score 10.000 points, better than each of the others (95 %, all pairs together): 1.000 points \
                  before the next, b.";
    assert_eq!(three, [wanted]);
    // Every trial has it: nothing is open.
    let told = text(&compared(SCORE, &dealt).report(None), Style::PLAIN);
    assert!(told.contains("+1.000 ± –") && !told.contains('≈'), "{told}");
    let told = text(
        &compared(SCORE, &[alone("a", &[(10, 1)]), alone("b", &[(9, 1)]), alone("c", &[(7, 1)])])
            .report(None),
        Style::PLAIN,
    );
    assert!(told.contains('≈'), "one trial tells nothing: {told}");
}

/// The half width of the lead is that at 0.05 / 3 for three pairs: 2.394 · 0.980 / 100.
#[test]
fn the_best_of_several_is_known_against_each() {
    let (a, b) = ([(12, 6000), (8, 4000)], [(10, 6000), (8, 4000)]);
    let told = said(SCORE, &[alone("b", &b), alone("c", &[(8, 10_000)]), alone("a", &a)]);
    let wanted = "Best: a, mean score 10.400 points, better than each of the others (95 %, all pairs together): \
                  1.200 ± 0.024 points before the next, b.";
    assert_eq!(told, [wanted]);
}

/// 50 of 100 trials with 20 and else 0: mean 10, standard error 1.005; 30 of 100: 6 and 0.92, of which two digits are hundredths.
#[test]
fn a_mean_has_two_digits_of_its_standard_error() {
    let (a, b) = ([(20, 50), (0, 50)], [(20, 30), (0, 70)]);
    let dealt = [alone("a", &a), alone("b", &b), alone("c", &[(1, 100)])];
    let compared = compared(SCORE, &dealt);
    assert!(answer::answer(&compared)[0].starts_with("Best: a, mean score 10.0 points, "));
    let page = text(&compared.report(None), Style::PLAIN);
    for row in ["1 a               10.0 ", "2 b               6.00 ", "3 c              1.000 "] {
        assert!(page.contains(row), "{page}");
    }
}

#[test]
fn several_that_may_be_the_best_are_named() {
    let (a, b) = ([(10, 5050), (8, 4950)], [(8, 5050), (10, 4950)]);
    let told = |last: u32| said(SCORE, &[alone("a", &a), alone("b", &b), alone("c", &[(last, 10_000)])]);
    let seen = "Best seen: a, mean score 9.010 points.";
    assert_eq!(told(6), [seen, "Not distinguished from it (95 %, all pairs together): b."]);
    assert_eq!(
        told(9),
        [seen, "These trials do not show which of the 3 is best (95 %, all pairs together)."]
    );
    let same = ["a", "b", "c"].map(|name| alone(name, &a));
    assert_eq!(said(SCORE, &same), ["All 3 have the same score in every trial."]);
}

/// Where the run could stop by looking, no interval holds together with the others.
#[test]
fn a_run_that_stops_by_looking_knows_leads_one_by_one() {
    let told = |b: &[(u32, u64)]| {
        let dealt =
            [alone("a", &[(12, 6000), (8, 4000)]), alone("b", b), alone("c", &[(5, 6000), (6, 4000)])];
        let anytime = Stopping::Anytime(Design::new(0.05, 10_000));
        answer::answer(&stopping(SCORE, &dealt, anytime))
    };
    let seen = "Best seen: a, mean score 10.400 points.";
    let known = "The lead over each of the others is known (95 %), each by itself and not all together.";
    assert_eq!(told(&[(10, 6000), (8, 4000)]), [seen, known]);
    let open = "These trials do not show that this is better than each of the others.";
    assert_eq!(told(&[(8, 4010), (12, 5990)]), [seen, open]);
}

/// A wins 1,000 games of 10,000 more, and no others: the exact limits of 10 % are 9.42 % and 10.61 %. Of three pairs together it
/// is 2.394 · 0.3 / 100, and the guard.
#[test]
fn wins_are_those_of_a_seat() {
    let (a, b, c) = ([(1, 6000), (0, 4000)], [(1, 5000), (0, 5000)], [(1, 4000), (0, 6000)]);
    let seat =
        "What is compared is seat 1 of 2: what its policy does there, against the others of its line-up.";
    let told = said(Metric::WIN, &[first("a / x", &a), first("b / x", &b)]);
    let wanted = [
        "Seat 1 wins 10.00 ± 0.61 percentage points more often with a / x than with b / x; better in 10.00 % of the trials, \
         equal in 90.00 %, worse in 0.00 %.",
        "Both play the same game in 90.00 % of the trials.",
        seat,
    ];
    assert_eq!(told, wanted);
    let told = said(Metric::WIN, &[first("a / x", &a), first("b / x", &b), first("c / x", &c)]);
    let wanted = [
        "Seat 1 wins most often with a / x: 60.00 % of the games, better than with each of the others (95 %, all pairs \
         together): 10.00 ± 0.72 percentage points before the next, b / x.",
        seat,
    ];
    assert_eq!(told, wanted);
    let never = [(0, 1000)];
    let told = said(Metric::WIN, &[first("a / x", &never), first("b / x", &never)]);
    assert_eq!(told[0], "Seat 1 wins no trial alone, with a / x or with b / x.");
}

/// A policy in every seat meets only itself: what it wins says nothing of the other.
#[test]
fn policies_that_do_not_meet_are_not_judged() {
    let wins = |name| first(name, &[(1, 6000), (0, 4000)]);
    let mut compared = compared(Metric::WIN, &[wins("a"), first("b", &[(1, 5000), (0, 5000)])]);
    let meet =
        "These policies do not meet: each plays in every seat, against itself. `rank` lets policies meet.";
    let told = answer::answer(&compared);
    let first_seat = "What seat 1 wins against the same policy tells what going first is worth with it: who is better is not \
                      seen here.";
    assert_eq!((&*told[0], &*told[3], told.len()), (meet, first_seat, 4));
    compared.is_rotated = true;
    let turned = "In all seats in turn, a policy wins against itself as often as any other does, but for ties: who is better \
                  is not seen here.";
    assert_eq!(answer::answer(&compared), [meet, turned]);
}

/// Under other rules it is the policy whose games differ, and equal answers are no equal games.
#[test]
fn rules_are_compared_with_one_policy() {
    let mut compared = compared(SCORE, &[alone("a", &[(12, 6000), (8, 4000)]), alone("b", &[(8, 10_000)])]);
    compared.sides = Side::all(["wiki", "short"].map(|rules| (rules.to_owned(), "hold".to_owned())));
    let wanted = "The mean score of hold is 2.400 ± 0.039 points higher with rules wiki than with rules short; better in 60.00 % of \
                  the trials, equal in 40.00 %, worse in 0.00 %.";
    assert_eq!(answer::answer(&compared), [wanted]);
}

/// 200 of 10,000 games are cut off, which comes before all else.
#[test]
fn capped_games_are_told_first() {
    let capped = Dealt { capped: 200, ..alone("b", &[(8, 10_000)]) };
    let told = said(SCORE, &[alone("a", &[(9, 10_000)]), capped]);
    let wanted =
        format!("2.00 % of the games with b end at the turn cap without a winner. {}", crate::cap::WHY);
    assert_eq!(told[0], wanted);
}

/// Sides go by what differs: their line-ups, their rules, or both.
#[test]
fn sides_are_named_by_what_differs() {
    let names = |sides: &[(&str, &str)]| {
        let sides = sides.iter().map(|&(rules, lineup)| (rules.to_owned(), lineup.to_owned()));
        Side::all(sides).into_iter().map(|side| side.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&[("wiki", "tidy"), ("wiki", "first")]), ["tidy", "first"]);
    assert_eq!(names(&[("wiki", "tidy"), ("short", "tidy")]), ["rules wiki", "rules short"]);
    assert_eq!(
        names(&[("wiki", "tidy"), ("wiki", "first"), ("short", "tidy"), ("short", "first")]),
        ["tidy under wiki", "first under wiki", "tidy under short", "first under short"]
    );
    assert_eq!(names(&[("wiki", "tidy"), ("wiki", "tidy")]), ["tidy", "tidy"]);
}

/// Only a line-up of one policy plays against itself.
#[test]
fn a_lineup_of_several_is_not_alone() {
    let sides = Side::all([("wiki".into(), "hold / hold-at-25".into()), ("wiki".into(), "hold".into())]);
    assert_eq!(sides.iter().map(Side::is_alone).collect::<Vec<_>>(), [false, true]);
}
