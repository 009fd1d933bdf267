//! Comparisons with a stopping rule, against exact differences.

use std::convert::Infallible;
use std::ops::ControlFlow;

use stopwise_analysis::estimate::Method;
use stopwise_analysis::exact::{Limits, distribution};
use stopwise_analysis::paired::{
    BURN_IN, Comparison, Ended, Rule, SAME_AFTER, Stopping, check_points, compare, is_same,
};
use stopwise_analysis::sequential::Design;
use stopwise_engine::arms::Arm;
use stopwise_engine::arms::Lineups;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::paired::run_paired;
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::Plan;
use stopwise_policy::{TextPolicy, shipped};

const ALPHA: f64 = 0.05;
const MOST: u64 = 40_000;

fn hold(game: &Pig, points: u32) -> TextPolicy<Pig> {
    let text = shipped::policy("pig", "hold").expect("shipped").text();
    TextPolicy::compile(&text, game, &[("n".to_owned(), points.to_string())]).expect("compiles")
}

/// Turns to 100 alone.
fn exact_turns(points: u32) -> f64 {
    let policy = hold(&Pig::SOLO, points);
    distribution(&Pig::SOLO, &[&policy], Limits::default()).expect("small enough").means[0][0]
}

fn until(points: [u32; 2], seed: u64, rule: Rule) -> Comparison {
    let lineups = points.map(|points| vec![vec![hold(&Pig::SOLO, points)]]);
    let arms = lineups.each_ref().map(|lineups| Lineups::of(&Pig::SOLO, lineups));
    let stopping = Stopping::Anytime(Design::new(ALPHA, 10_000));
    let plan = Plan { seed, trials: 0..MOST };
    compared(arms.each_ref().map(|arm| arm as _), &plan, (&rule, stopping))
}

/// Two arms to the end of the comparison.
fn compared(arms: [&dyn Arm; 2], plan: &Plan, stops: (&Rule, Stopping)) -> Comparison {
    let play = &mut |plan: &Plan| {
        Ok::<_, Infallible>(run_paired(&arms, &[(0, 1)], plan, 0, &|_| ControlFlow::Continue(())))
    };
    let Ok(found) = compare(&arms, 1, plan, stops, play);
    found
}

/// Stopped as soon as it seems clear which is better, which plain intervals do not survive, the interval holds the exact
/// difference in 95 of 100 runs, and the sign is right.
#[test]
fn stopping_at_will_keeps_the_promise() {
    // As many as show a sequence that holds in no more than 85 of 100 runs.
    const RUNS: u64 = 100;
    let rule = Rule { decided: Some(0.01), ..Rule::default() };
    for points in [[20, 15], [20, 25]] {
        let exact = exact_turns(points[0]) - exact_turns(points[1]);
        let (mut held, mut wrong) = (0, 0);
        for seed in 0..RUNS {
            let found = until(points, seed, rule);
            assert!(found.tally.trials() >= BURN_IN);
            let interval = found.means.interval(&found.tally, 0, 0).expect("past the burn-in");
            held += u64::from(interval.low <= exact && exact <= interval.high);
            wrong += u64::from(if exact < 0.0 { interval.low > 0.0 } else { interval.high < 0.0 });
        }
        // 4.5 standard errors below 95 of 100.
        let least = 0.95 - 4.5 * (0.95 * 0.05 / RUNS as f64).sqrt();
        assert!(held as f64 >= least * RUNS as f64, "{points:?}: {held} of {RUNS} hold {exact}");
        assert!(
            wrong as f64 <= (1.0 - least) * RUNS as f64,
            "{points:?}: {wrong} of {RUNS} have the wrong sign"
        );
    }
}

/// Where one wins nearly every game and the other hardly any, differences are near 1, and the interval is there, too.
#[test]
fn differences_of_wins_go_up_to_one() {
    let [good, bad] = [20, 2].map(|points| hold(&Pig::STANDARD, points));
    let lineups = [[&good, &bad], [&bad, &good]].map(|lineup| vec![lineup.map(Clone::clone).to_vec()]);
    let arms = lineups.each_ref().map(|lineups| Lineups::of(&Pig::STANDARD, lineups));
    let stopping = Stopping::Anytime(Design::new(ALPHA, 1_000));
    let plan = Plan { seed: 1, trials: 0..2_000 };
    let rule = Rule::default();
    let found = compared(arms.each_ref().map(|arm| arm as _), &plan, (&rule, stopping));
    let found = found.means.estimate(&found.tally, 0, 0).expect("trials");
    let interval = found.interval.expect("wins are bounded");
    assert!(found.value > 0.9 && interval.low <= found.value && found.value <= interval.high, "{found:?}");
    assert!(interval.low > 0.8 && interval.high <= 1.0, "{found:?}");
}

/// A run that stops at a check point is the paired run of so many trials, and the one before it was not enough.
#[test]
fn it_stops_at_the_first_check_point_that_is_enough() {
    const WIDTH: f64 = 0.15;
    let found = until([20, 25], 3, Rule { width: Some(WIDTH), ..Rule::default() });
    let trials = found.tally.trials();
    assert!(found.ended == Ended::Enough && check_points(MOST).any(|at| at == trials));
    let lineups = [20, 25].map(|points| vec![vec![hold(&Pig::SOLO, points)]]);
    let arms = lineups.each_ref().map(|lineups| Lineups::of(&Pig::SOLO, lineups));
    let width = |trials| {
        let plan = Plan { seed: 3, trials: 0..trials };
        let tally = run_paired(&arms.each_ref().map(|arm| arm as _), &[(0, 1)], &plan, 0, &|_| {
            ControlFlow::Continue(())
        });
        assert_eq!(tally == found.tally, trials == found.tally.trials());
        let interval = found.means.interval(&tally, 0, 0).expect("past the burn-in");
        interval.high - interval.low
    };
    let before = check_points(MOST).take_while(|&at| at < trials).last().expect("not the first");
    assert!(width(before) > WIDTH && width(trials) <= WIDTH);
    // Without a rule, and with one that cannot be met, all are played.
    for rule in [Rule::default(), Rule { decided: Some(0.0), ..Rule::default() }] {
        let found = until([20, 20], 3, rule);
        assert_eq!((found.ended, found.tally.trials()), (Ended::AllPlayed, MOST));
        let interval = found.means.interval(&found.tally, 0, 0).expect("past the burn-in");
        assert!(
            interval.low < 0.0 && interval.low == -interval.high,
            "nothing was seen, but it may be there"
        );
    }
}

/// Wins are 0 or 1, so that their sequence holds from the first trial: here of a policy that moves from seat to seat,
/// against itself, which wins half of its games, and of one that never stops.
#[test]
fn wins_have_a_range() {
    let two = Pig::STANDARD;
    let lineups = [[20, 20], [100, 20]].map(|points| rotations(&points.map(|points| hold(&two, points))));
    let arms = lineups.each_ref().map(|lineups| Lineups::of(&two, lineups));
    let stopping = Stopping::Anytime(Design::new(ALPHA, 1_000));
    for trials in [1, 100, 5_000] {
        let plan = Plan { seed: 1, trials: 0..trials };
        let rule = Rule { decided: Some(0.0), ..Rule::default() };
        let found = compared(arms.each_ref().map(|arm| arm as _), &plan, (&rule, stopping));
        let interval = found.means.interval(&found.tally, 0, 0).expect("always");
        assert!(interval.low >= -1.0 && interval.high <= 1.0 && interval.low < interval.high, "{interval:?}");
        assert_eq!(interval.low > 0.0, trials > 1, "who rolls on to 100 hardly ever wins: {interval:?}");
        assert!(
            found.means.method(0).to_string().contains("Bernstein")
                && found.means.method(1).to_string().contains("asymptotic")
        );
    }
}

/// Under rules that end after a turn, turns are 0 or 1, and under others they are not: their difference is no share, whichever
/// arm comes first, and the interval holds the exact difference.
#[test]
fn what_is_bounded_under_all_rules_is_bounded() {
    let short = Pig { turn_cap: 1, ..Pig::SOLO };
    let exact = exact_turns(20) - 1.0;
    for games in [[short, Pig::SOLO], [Pig::SOLO, short]] {
        let lineups = games.map(|game| vec![vec![hold(&game, 20)]]);
        let arms = [0, 1].map(|at| Lineups::of(&games[at], &lineups[at]));
        let stopping = Stopping::Anytime(Design::new(ALPHA, 2_000));
        let plan = Plan { seed: 1, trials: 0..4_000 };
        let found = compared(arms.each_ref().map(|arm| arm as _), &plan, (&Rule::default(), stopping));
        let turns = found.means.estimate(&found.tally, 0, 1).expect("trials");
        let interval = turns.interval.expect("past the burn-in");
        assert_eq!(turns.method, Method::AnytimePaired);
        let exact = if games[0] == short { -exact } else { exact };
        assert!(interval.low <= exact && exact <= interval.high, "{exact}: {interval:?}");
    }
}

/// Under different rules equal answers may have different results.
#[test]
fn equal_answers_under_different_rules_are_no_equal_games() {
    let points = Pig { sides: 2, turn_cap: 1, ..Pig::SOLO };
    let heads = Pig { unit_score: true, ..points };
    let same = |games: [Pig; 2]| {
        let lineups = games.map(|game| vec![vec![hold(&game, 1)]]);
        let arms = [0, 1].map(|at| Lineups::of(&games[at], &lineups[at]));
        let plan = Plan { seed: 1, trials: 0..SAME_AFTER };
        let tally = run_paired(&arms.each_ref().map(|arm| arm as _), &[(0, 1)], &plan, 0, &|_| {
            ControlFlow::Continue(())
        });
        assert_eq!(tally.pairs[0].identical, SAME_AFTER);
        is_same(&tally.pairs[0])
    };
    assert!(same([points, points]));
    assert!(!same([points, heads]));
}
