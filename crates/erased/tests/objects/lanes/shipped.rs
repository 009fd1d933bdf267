//! The shipped policies under all presets.

use std::sync::Arc;

use stopwise_engine::games::Rules;
use stopwise_engine::games::carcassonne::Carcassonne;
use stopwise_engine::games::freeze::{Bank, Freeze};
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::run::Plan;
use stopwise_erased::{AnyPolicy, AnyRules, game};
use stopwise_policy::shipped::{Shipped, policies_of, rules_of};

use super::compare::{Lineup, object, same_run};

fn compiled(rules: &dyn AnyRules, shipped: &Shipped) -> AnyPolicy {
    rules.compile(&shipped.text(), &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn play(rules: &Arc<dyn AnyRules>, lineup: Vec<AnyPolicy>, trials: u64) {
    let names: Vec<_> = lineup.iter().map(AnyPolicy::label).collect();
    let lineup = Lineup::new(rules, &[lineup]).unwrap_or_else(|message| panic!("{message}"));
    if let Err(error) = same_run(&lineup, &Plan { seed: 1, trials: 0..trials }) {
        panic!("{} under {rules:?}: {error}", names.join(", "));
    }
}

fn each(name: &str, trials: u64) {
    let game = game(name).expect("in the registry");
    for preset in rules_of(name) {
        let rules = stopwise_narration::read_rules(game, &preset.text())
            .unwrap_or_else(|error| panic!("{error}"))
            .rules;
        for policy in policies_of(name) {
            play(&rules, vec![compiled(&*rules, policy)], trials);
        }
    }
}

#[test]
fn of_carbonite() {
    each("carbonite", 20_000);
}

#[test]
fn of_pig() {
    each("pig", 3000);
}

#[test]
fn of_icedice() {
    each("icedice", 1000);
}

#[test]
fn of_freeze() {
    each("freeze", 200);
}

#[test]
fn of_carcassonne() {
    each("carcassonne", 1000);
}

/// Line-ups of different policies.
fn mixed<G: Rules>(game: &G, trials: u64) {
    let rules = object(game);
    let all: Vec<_> = policies_of(game.info().name).iter().map(|policy| compiled(&*rules, policy)).collect();
    for first in 0..all.len() {
        // For two every pair; each of three or four then sits beside every other somewhere.
        for step in 1..if rules.seats() == 2 { all.len() } else { 3 } {
            let seat = |seat: usize| all[(first + step * seat) % all.len()].clone();
            play(&rules, (0..rules.seats()).map(seat).collect(), trials);
        }
    }
}

#[test]
fn against_each_other() {
    for players in 2..=4 {
        mixed(&Pig { players, ..Pig::STANDARD }, 200);
        mixed(&IceDice { players, ..IceDice::TWO }, 40);
        mixed(&Carcassonne { players, ..Carcassonne::TWO }, 40);
    }
    for players in 2..=8 {
        mixed(&Freeze { players, steps: 200, bank: Bank::PerPlayer(10), ..Freeze::TABLE }, 40);
    }
}
