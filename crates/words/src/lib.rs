//! Games in words: rules read from text and written, policies explained, trials told.
//!
//! All of it is done once a command or once a trial that a person reads, so this crate is not optimised: its code for
//! five games, a quarter of what `stopwise-edge` would otherwise compile, takes two seconds instead of ten. Rules and
//! policies come as [`Any`], because a type in a signature would be compiled by who calls.

mod numbers;
mod parting;
mod replay;

use std::any::Any;
use std::marker::PhantomData;

use serde_json::Value;
use stopwise_engine::games::{self, EachGame, Playable, RulesError};
use stopwise_engine::lanes::LaneGame;
use stopwise_policy::{PolicyText, RulesText, TextError, TextPolicy, option_words, set_option, write_rules};

pub use numbers::grouped;
pub use parting::Parting;
pub use replay::{Answers, Listener, Outcome, Passage, Player};

/// Rules of a game whose type is not known here.
pub type AnyGame = Box<dyn Any>;

/// A game in words. `rules` are the game's type; policies are its `TextPolicy`.
///
/// # Panics
///
/// Methods panic if rules or policies are those of another game.
pub trait Words: Sync {
    /// Reads rules from the text of a preset or a file. Returns them with their name.
    ///
    /// # Errors
    ///
    /// All problems of the text, with their places.
    fn read(&self, text: &PolicyText) -> Result<(String, AnyGame), TextError>;

    /// Every option under its name.
    fn options(&self, rules: &dyn Any) -> Value;

    /// The rules as a file that needs no base.
    fn to_text(&self, rules: &dyn Any, name: &str) -> String;

    /// The rules with one option changed, as in `points.solid=9`.
    ///
    /// # Errors
    ///
    /// Says which option is unknown, or what is wrong with the value.
    fn with_option(&self, rules: &dyn Any, assignment: &str) -> Result<AnyGame, RulesError>;

    /// The words that are values of an option; empty if it takes other values.
    fn option_words(&self, rules: &dyn Any, option: &str) -> Vec<String>;

    /// An explanation of a policy, in several lines.
    fn explain(&self, rules: &dyn Any, policy: &dyn Any) -> String;

    /// Tells a trial, step by step. Returns `None` if the listener asked to stop, or if given actions do not lead to the
    /// end, which the replay then says.
    fn replay(
        &self,
        rules: &dyn Any,
        lineup: &[Player<'_>],
        passage: &Passage,
        listener: &mut dyn Listener,
    ) -> Option<Outcome>;

    /// The first decision of a trial on which two line-ups differ, if any.
    fn parting(&self, rules: &dyn Any, lineups: [&[&dyn Any]; 2], seed: u64, trial: u64) -> Option<Parting>;
}

/// The game with this name, in words.
///
/// # Panics
///
/// If there is no such game.
pub fn words(game: &str) -> &'static dyn Words {
    let mut search = Search { game, found: None };
    games::each(&mut search);
    search.found.expect("a game of the registry")
}

struct Search<'s> {
    game: &'s str,
    found: Option<&'static dyn Words>,
}

impl EachGame for Search<'_> {
    fn game<G: Playable>(&mut self) {
        if G::NAME == self.game {
            self.found = Some(&Typed::<G>(PhantomData));
        }
    }

    fn game_on_lanes<G: Playable + LaneGame>(&mut self) {
        self.game::<G>();
    }
}

/// A game whose type is known.
struct Typed<G>(PhantomData<fn() -> G>);

/// The rules of the game.
fn rules<G: Playable>(rules: &dyn Any) -> &G {
    rules.downcast_ref().expect("rules of the game that was named")
}

/// A policy of the game.
fn policy<G: Playable>(policy: &dyn Any) -> &TextPolicy<G> {
    policy.downcast_ref().expect("a policy of the game that was named")
}

impl<G: Playable> Words for Typed<G> {
    fn read(&self, text: &PolicyText) -> Result<(String, AnyGame), TextError> {
        let RulesText::<G> { name, rules, .. } = RulesText::read(text)?;
        Ok((name, Box::new(rules)))
    }

    fn options(&self, of: &dyn Any) -> Value {
        serde_json::to_value(rules::<G>(of)).unwrap_or_default()
    }

    fn to_text(&self, of: &dyn Any, name: &str) -> String {
        write_rules(name, rules::<G>(of))
    }

    fn with_option(&self, of: &dyn Any, assignment: &str) -> Result<AnyGame, RulesError> {
        Ok(Box::new(set_option(rules::<G>(of), assignment)?))
    }

    fn option_words(&self, of: &dyn Any, option: &str) -> Vec<String> {
        option_words(rules::<G>(of), option)
    }

    fn explain(&self, of: &dyn Any, asked: &dyn Any) -> String {
        policy::<G>(asked).explain(rules(of))
    }

    fn replay(
        &self,
        of: &dyn Any,
        lineup: &[Player<'_>],
        passage: &Passage,
        listener: &mut dyn Listener,
    ) -> Option<Outcome> {
        replay::replay::<G>(rules(of), lineup, passage, listener)
    }

    fn parting(&self, of: &dyn Any, lineups: [&[&dyn Any]; 2], seed: u64, trial: u64) -> Option<Parting> {
        let [a, b] = lineups.map(|lineup| lineup.iter().map(|asked| policy::<G>(*asked)).collect::<Vec<_>>());
        parting::parting(rules::<G>(of), &a, &b, seed, trial)
    }
}
