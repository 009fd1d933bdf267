//! Pairs on lanes are compared as on the reference runner: differences, endings, and in which trials answers differ.

use std::sync::Arc;

use stopwise_engine::arms::{Arm, run_arms};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::freeze::Freeze;
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::paired::{GameSums, Number, PairedTally, add_paired, all_pairs};
use stopwise_engine::rotation::rotations;
use stopwise_engine::run::Plan;
use stopwise_erased::{AnyPolicy, AnyRules};
use stopwise_policy::shipped::policies_of;

use super::compare::{Lineup, object, on, sets};

/// Compares all line-ups with one another.
fn same(rules: &Arc<dyn AnyRules>, lineups: &[Vec<Vec<AnyPolicy>>], trials: u64) {
    let plan = Plan { seed: 5, trials: 3..3 + trials };
    let lineups: Vec<_> = lineups.iter().map(|lineups| Lineup::new(rules, lineups).expect("lanes")).collect();
    let one_by_one: Vec<&dyn Arm> = lineups.iter().map(|lineup| &*lineup.arm as _).collect();
    let pairs = all_pairs(lineups.len());
    let numbers = [Number::Sum(0), Number::Sum(1), Number::Any(0), Number::Early];
    let games =
        |at| GameSums::new(numbers.to_vec(), (at > 0).then(|| (0, (0..4).map(|at| [at, at]).collect())));
    let games: Vec<_> = (0..lineups.len()).map(games).collect();
    let compared = |arms: &[&dyn Arm]| {
        let none = PairedTally::new(arms, &pairs, 50).of_games(games.clone());
        add_paired(arms, none, &plan, &on)
    };
    let expected = compared(&one_by_one);
    let products = run_arms(&one_by_one, 0, &plan, &on);
    for set in sets() {
        let fast: Vec<_> = lineups.iter().map(|lineup| lineup.on_lanes_by(set)).collect();
        let fast: Vec<&dyn Arm> = fast.iter().map(|arm| &**arm as _).collect();
        let found = compared(&fast);
        for (expected, found) in expected.pairs.iter().zip(&found.pairs) {
            assert_eq!(expected.identical, found.identical, "{rules:?}: {} and {}", found.a, found.b);
        }
        assert!(expected == found, "{rules:?} with {}", set.name());
        assert_eq!(products, run_arms(&fast, 0, &plan, &on));
    }
}

/// All shipped policies, and those given by their texts.
fn policies(rules: &dyn AnyRules, others: &[&str]) -> Vec<AnyPolicy> {
    let shipped = policies_of(rules.game()).iter().map(|policy| policy.text());
    let compile = |text| rules.compile(&text, &[]).unwrap_or_else(|error| panic!("{error}"));
    let own = others.iter().map(|answers| super::compare::policy(rules, answers));
    shipped.map(compile).chain(own).collect()
}

fn alone(policies: Vec<AnyPolicy>) -> Vec<Vec<Vec<AnyPolicy>>> {
    policies.into_iter().map(|policy| vec![vec![policy]]).collect()
}

/// Policies that differ rarely, whose games are often equal, or equal but for an answer or two.
#[test]
fn of_carbonite() {
    let rules = object(&Carbonite::WIKI);
    let often = ["stop = 'counter >= 2'\nmark = ['large']", "stop = 'counter >= (turn == 10 ? 3 : 2)'"];
    same(&rules, &alone(policies(&*rules, &often)), 6000);
}

#[test]
fn of_pig() {
    for goal in [30, 100, 400] {
        let rules = object(&Pig { goal, ..Pig::SOLO });
        let near = [
            "stop = 'turn_total >= min(21, goal_left)'",
            "stop = 'turn_total >= min(turn == 3 ? 22 : 21, goal_left)'",
        ];
        same(&rules, &alone(policies(&*rules, &near)), 6000);
    }
}

/// Policies for all seats that differ in one step, or in one decision of few games.
#[test]
fn of_freeze() {
    for game in [Freeze { steps: 60, ..Freeze::TABLE }, Freeze { steps: 60, ..Freeze::DOUBLES }] {
        let rules = object(&game);
        let near = ["freeze = 'lead < 0 && step != 30'", "freeze = 'lead < 0 && lead > -4'"];
        same(&rules, &alone(policies(&*rules, &near)), 1500);
    }
}

/// Policies that differ where points are near the goal, and in whether a knight is kept.
#[test]
fn of_carcassonne() {
    let rules = object(&Carcassonne::TWO);
    let near = [
        "place = ['closes_largest', 'done']\nstop = 'true'\nkeep = 'lead < 20'",
        "place = [{ when = 'score > 30', prefer = ['knight'] }, { prefer = ['closes_largest', 'done'] }]\nstop = 'true'\nkeep = 'lead < 20'",
        "place = ['closes_largest', 'done']\nstop = 'turn != 4 || largest > 3'\nkeep = 'lead < 21'",
    ];
    same(&rules, &alone(policies(&*rules, &near)), 700);
}

/// Line-ups that rotate.
#[test]
fn of_several() {
    for players in 2..=4 {
        for rules in [
            object(&Pig { players, ..Pig::STANDARD }),
            object(&IceDice { players, ..IceDice::TWO }),
            object(&Freeze { players, steps: 80, ..Freeze::TABLE }),
            object(&Carcassonne { players, ..Carcassonne::TWO }),
        ] {
            let all = policies(&*rules, &[]);
            let lineup = |first: usize| {
                let seats = (0..rules.seats()).map(|seat| all[(first + seat) % all.len()].clone());
                rotations(&seats.collect::<Vec<_>>())
            };
            let mut lineups: Vec<_> = (0..all.len().min(4)).map(lineup).collect();
            lineups.push(vec![vec![all[0].clone()]]);
            same(&rules, &lineups, 700);
        }
    }
}
