//! The solved policy, played: its sampled mean agrees with the exact value, and no policy beats it.

use std::ops::ControlFlow;

use stopwise_analysis::estimate::Summary;
use stopwise_analysis::exact::{Limits, Objective, Solution, distribution, solve};
use stopwise_engine::game::Game;
use stopwise_engine::games::carbonite::{Atom, Carbonite, Retribution};
use stopwise_engine::games::pig::Pig;
use stopwise_engine::run::{Plan, run};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{TextPolicy, shipped};

const PLAN: Plan = Plan { seed: 7, trials: 0..200_000 };

fn solved<G: Vocabulary>(game: &G) -> Solution<G> {
    let free: Vec<Option<&TextPolicy<G>>> = vec![None; game.seats()];
    solve(game, &free, Objective::new(game, 0), Limits::default()).expect("small enough")
}

/// 4.5 standard errors: a chance of 7 in a million for each comparison.
fn assert_sampled_mean_is<G: Game>(game: &G, policy: &impl stopwise_engine::game::Policy<G>, expected: f64) {
    let tally = run(game, &[policy], &PLAN, |_| ControlFlow::Continue(()));
    let summary = Summary::of(&tally.seats[0].metrics[0]).expect("trials were played");
    let distance = (summary.mean - expected).abs();
    assert!(
        distance <= 4.5 * summary.std_error.expect("many trials"),
        "sampled {} ± {}, exact {expected}",
        summary.mean,
        summary.std_error.expect("many trials")
    );
}

#[test]
fn carbonite_solved_and_played() {
    let small = Carbonite { colours: 2, copies: 1, turns: 5, ..Carbonite::WIKI };
    for rules in [
        small,
        Carbonite { copies: 2, turns: 3, ..small },
        Carbonite { atom: Atom::Reroll, ..small },
        Carbonite { retribution: Retribution::Any, atom: Atom::Bust, ..Carbonite::README_V1 },
    ] {
        let rules = Carbonite { colours: 2, turns: rules.turns.min(5), ..rules };
        let solution = solved(&rules);
        assert_eq!(solution.cyclic_stages, 0);
        assert_sampled_mean_is(&rules, &&solution, solution.middle());
    }
}

#[test]
fn pig_solved_and_played() {
    let solo = Pig { goal: 30, ..Pig::SOLO };
    let solution = solved(&solo);
    assert_sampled_mean_is(&solo, &&solution, solution.middle());
    let two = Pig { goal: 30, ..Pig::STANDARD };
    let solution = solved(&two);
    assert_sampled_mean_is(&two, &&solution, solution.middle());
}

/// Best play is at least as good as every shipped policy, whose exact values are those sampled.
#[test]
fn shipped_policies_on_a_small_game() {
    let rules = Carbonite { colours: 2, copies: 2, turns: 3, ..Carbonite::WIKI };
    let best = solved(&rules).middle();
    for policy in shipped::policies_of("carbonite") {
        let policy = TextPolicy::compile(&policy.text(), &rules, &[]).expect("compiles");
        let exact = distribution(&rules, &[&policy], Limits::default()).expect("small enough");
        assert!(exact.means[0][0] <= best + 1e-9, "{} beats best play", policy.name());
        assert_sampled_mean_is(&rules, &policy, exact.means[0][0]);
    }
}
