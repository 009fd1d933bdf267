//! The shipped policies under all presets.

use stopwise_engine::games::Rules;
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::icedice::IceDice;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::lanes::LaneGame;
use stopwise_engine::run::Plan;
use stopwise_policy::shipped::{Shipped, policies_of, rules_of};
use stopwise_policy::{RulesText, TextPolicy};

use super::compare::{Lineup, same_run};

fn compiled<G: LaneGame>(game: &G, shipped: &Shipped) -> TextPolicy<G> {
    TextPolicy::compile(&shipped.text(), game, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn play<G: LaneGame>(game: &G, lineup: Vec<TextPolicy<G>>, trials: u64) {
    let names: Vec<_> = lineup.iter().map(|policy| policy.name().to_owned()).collect();
    let lineup = Lineup::new(game, lineup).unwrap_or_else(|message| panic!("{message}"));
    if let Err(error) = same_run(game, &lineup, &Plan { seed: 1, trials: 0..trials }) {
        panic!("{} under {game:?}: {error}", names.join(", "));
    }
}

fn presets<G: Rules>() -> Vec<G> {
    let read = |preset: &Shipped| RulesText::read(&preset.text()).unwrap_or_else(|error| panic!("{error}"));
    rules_of(G::NAME).map(|preset| read(preset).rules).collect()
}

fn each<G: LaneGame + Rules>(trials: u64) {
    for game in presets::<G>() {
        for policy in policies_of(G::NAME) {
            play(&game, vec![compiled(&game, policy)], trials);
        }
    }
}

#[test]
fn of_carbonite() {
    each::<Carbonite>(20_000);
}

#[test]
fn of_pig() {
    each::<Pig>(3000);
}

#[test]
fn of_icedice() {
    each::<IceDice>(1000);
}

/// Line-ups of different policies.
fn mixed<G: LaneGame>(game: &G, trials: u64) {
    let all: Vec<_> = policies_of(G::NAME).map(|policy| compiled(game, policy)).collect();
    for first in 0..all.len() {
        for step in 1..all.len() {
            let seat = |seat: usize| all[(first + step * seat) % all.len()].clone();
            play(game, (0..game.seats()).map(seat).collect(), trials);
        }
    }
}

#[test]
fn against_each_other() {
    for players in 2..=4 {
        mixed(&Pig { players, ..Pig::STANDARD }, 200);
        mixed(&IceDice { players, ..IceDice::TWO }, 40);
    }
}
