//! All games, small: what is solved is what is played. And the policies that are shipped for one of them.

use std::ops::ControlFlow;

use stopwise_analysis::estimate::Summary;
use stopwise_analysis::exact::{Limits, Objective, distribution, solve};
use stopwise_engine::games::carbonite::{Atom, Carbonite, Retribution};
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::freeze::{Bank, Doubles, Freeze, Simultaneous};
use stopwise_engine::games::icedice::{Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::Pig;
use stopwise_engine::run::{Plan, run};
use stopwise_policy::{TextPolicy, shipped};

use super::played::{Free, check};

#[test]
fn carbonite() {
    let small = Carbonite { colours: 2, copies: 1, turns: 5, ..Carbonite::WIKI };
    for rules in [
        small,
        Carbonite { copies: 2, turns: 3, ..small },
        Carbonite { atom: Atom::Reroll, ..small },
        Carbonite {
            retribution: Retribution::Any,
            atom: Atom::Bust,
            colours: 2,
            turns: 3,
            ..Carbonite::README_V1
        },
    ] {
        check(&rules, Free::Any);
    }
}

#[test]
fn icedice() {
    let small = IceDice { copies: Copies::Number(1), trios: 1, turn_cap: 1, ..IceDice::TWO };
    check(&small, Free::Any);
    check(&IceDice { no_choice: NoChoice::Bust, turn_cap: 2, ..small }, Free::Nobody);
    check(&IceDice { no_choice: NoChoice::Reroll, players: 3, ..small }, Free::Nobody);
}

#[test]
fn freeze() {
    let small = Freeze { players: 2, steps: 3, bank: Bank::InAll(3), start_counters: 1, ..Freeze::PUBLISHED };
    check(&small, Free::Nobody);
    check(
        &Freeze { doubles: Doubles::Always, simultaneous: Simultaneous::All, steps: 2, ..small },
        Free::Nobody,
    );
    check(&Freeze { players: 3, steps: 2, ..small }, Free::Nobody);
}

#[test]
fn freeze_without_freezing() {
    let small = Freeze { players: 2, steps: 3, bank: Bank::InAll(3), start_counters: 1, ..Freeze::WORKSHOP };
    check(&small, Free::Any);
}

#[test]
fn carcassonne() {
    let small = Carcassonne { dice: 3, goal: 2, turn_cap: 6, ..Carcassonne::TWO };
    check(&small, Free::Any);
    check(&Carcassonne { dice: 4, turns: 3, ..Carcassonne::SOLO }, Free::Any);
    check(&Carcassonne { players: 3, ..small }, Free::Any);
}

#[test]
fn pig() {
    check(&Pig { goal: 30, turn_cap: 20, ..Pig::SOLO }, Free::Any);
    check(&Pig { goal: 12, turn_cap: 8, ..Pig::STANDARD }, Free::Any);
    check(&Pig { players: 3, goal: 6, turn_cap: 12, ..Pig::STANDARD }, Free::Any);
    check(&Pig { turn_cap: 20, ..Pig::PIGLET }, Free::Any);
}

/// Best play is at least as good as every shipped policy, whose exact values are those sampled.
#[test]
fn shipped_policies_on_a_small_game() {
    let rules = Carbonite { colours: 2, copies: 2, turns: 3, ..Carbonite::WIKI };
    let free: [Option<&TextPolicy<Carbonite>>; 1] = [None];
    let best = solve(&rules, &free, Objective::new(&rules, 0), Limits::default()).expect("small").middle();
    for policy in shipped::policies_of("carbonite") {
        let policy = TextPolicy::compile(&policy.text(), &rules, &[]).expect("compiles");
        let exact = distribution(&rules, &[&policy], Limits::default()).expect("small enough").means[0][0];
        assert!(exact <= best + 1e-9, "{} beats best play", policy.name());
        let plan = Plan { seed: 7, trials: 0..200_000 };
        let tally = run(&rules, &[&policy], &plan, |_| ControlFlow::Continue(()));
        let sampled = Summary::of(&tally.seats[0].metrics[0]).expect("trials were played");
        let error = sampled.std_error.expect("many trials");
        // 4.5 standard errors: a chance of 7 in a million for each comparison.
        assert!(
            (sampled.mean - exact).abs() <= 4.5 * error,
            "sampled {} ± {error}, exact {exact}",
            sampled.mean
        );
    }
}
