//! Rules of any game, as an object.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use stopwise_analysis::exact::{Distribution, ExactError, Limits};
use stopwise_engine::arms::Lineups;
use stopwise_engine::game::{Action, Ending, Game, Info, Kind, Metric, Solvable};
use stopwise_engine::games::Playable;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial_result::Recording;
use stopwise_engine::vector_env::VectorEnv;
use stopwise_engine::vocabulary::{CandidateNumber, Feature, Predicate};
use stopwise_policy::{PolicyText, TextError, TextPolicy};

use crate::arm::{AnyArm, TypedArm};
use crate::batch::BatchArm;
use crate::exact::{self, AnyBestPlay, BestTurns, Solved};
use crate::policy::{AnyPolicy, OtherRules};
use crate::registry;
use crate::tried::{Tried, tried};
use crate::vector_env::AnyVectorEnv;

/// A game under one set of rules: its description as data, and what can be done with it but in words, which is the matter of
/// `stopwise-narration`.
///
/// Names are `'static`: constants of the games in Rust, and interned with the program of a game as text.
///
/// # Panics
///
/// Methods that take policies panic if one of them was compiled for other rules: see [`AnyRules::check_policy`].
pub trait AnyRules: Debug + Send + Sync {
    /// The game that they are rules of.
    fn entry(&self) -> &'static registry::Game;
    /// What people and commands need to know of the game.
    fn info(&self) -> &'static Info;
    /// The game's name.
    fn game(&self) -> &'static str {
        self.info().name
    }
    /// The number of seats.
    fn seats(&self) -> usize;
    /// The kinds of decision.
    fn kinds(&self) -> &[Kind];
    /// The name of an action, given its kind and index, if it has the same name wherever it is legal: "small red",
    /// "stop".
    fn action_name(&self, kind: usize, action: u8) -> Option<String>;
    /// The metrics of a seat. The first one is the objective of the game.
    fn metrics(&self) -> &[Metric];
    /// The ways a trial can end.
    fn endings(&self) -> &[Ending];
    /// The least and greatest possible value of a metric, if the rules imply them.
    fn bounds(&self, metric: usize) -> Option<(f64, f64)>;
    /// The features that policies may read, with their ranges under these rules.
    fn features(&self) -> Vec<Feature>;
    /// The predicates that preference lists may use.
    fn predicates(&self) -> &[Predicate];
    /// The numbers of candidates that preference lists may compare, with their ranges under these rules.
    fn candidate_numbers(&self) -> Vec<CandidateNumber>;

    /// The rules as the game's own type, for those who know it.
    fn typed(&self) -> &dyn Any;

    /// Compiles a policy for these rules. `overrides` are parameters, as name and number, that replace values of the
    /// text.
    ///
    /// # Errors
    ///
    /// All problems of the text, with their places, and overrides of parameters that the text does not have.
    fn compile(&self, text: &PolicyText, overrides: &[(String, String)]) -> Result<AnyPolicy, TextError>;

    /// Whether a policy can play under these rules: one that was compiled for them, or one that is no text.
    ///
    /// # Errors
    ///
    /// Says for which game, or that it was for other rules, that the policy was compiled.
    fn check_policy(&self, policy: &AnyPolicy) -> Result<(), OtherRules>;

    /// The arm of line-ups that take turns, each with a policy for every seat or one for all of them.
    fn arm(&self, lineups: &[Vec<AnyPolicy>]) -> Box<dyn AnyArm>;
    /// What a policy, read from text, does in every seat of so many games, or of fewer, once they have had `steps` turns
    /// and decisions together.
    fn tried(&self, policy: &AnyPolicy, games: u64, steps: u64) -> Tried;
    /// An empty tally.
    fn tally(&self) -> Tally;
    /// This number of tables: games side by side that wait for answers.
    ///
    /// # Panics
    ///
    /// If the number is 0 or more than 2³² − 1.
    fn tables(&self, tables: usize, noting: Recording) -> Box<dyn AnyVectorEnv>;

    /// The exact mean of a metric of the first seat; seats without a policy play their best. The positions are listed
    /// if there are at most `listed`.
    ///
    /// # Errors
    ///
    /// If the walk would exceed the limits, or the game cannot be solved.
    fn solve(
        &self,
        seats: &[Option<AnyPolicy>],
        metric: usize,
        limits: Limits<'_>,
        listed: usize,
    ) -> Result<Solved, ExactError>;
    /// Best play of every seat for a metric of the first.
    ///
    /// # Errors
    ///
    /// If the walk would exceed the limits, or the game cannot be solved.
    fn best_play(&self, metric: usize, limits: Limits<'_>) -> Result<Box<dyn AnyBestPlay>, ExactError>;
    /// The exact distribution of all metrics and endings, with a line-up.
    ///
    /// # Errors
    ///
    /// If the walk would go beyond the limits.
    fn distribution(&self, lineup: &[AnyPolicy], limits: Limits<'_>) -> Result<Distribution, ExactError>;
    /// Whether the game has turns that can be solved by themselves.
    fn has_turn_tables(&self) -> bool;
    /// The best turns in the long run, as a value table; `None` if the game does not begin with a roll.
    ///
    /// # Errors
    ///
    /// If a turn is beyond the limits.
    fn best_turns(&self, limits: Limits<'_>) -> Result<Option<BestTurns>, ExactError>;
    /// Whether all seats begin each turn together.
    fn shares_turns(&self) -> bool;
    /// Variants that the exact walk can solve, from the smallest.
    fn solvable(&self) -> &'static [Solvable];
}

/// Rules of a game whose type is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedRules<G: Playable> {
    game: &'static registry::Game,
    pub(crate) rules: G,
}

/// Rules of a game whose type is known, given as that type.
pub(crate) fn object<G: Playable>(game: &'static registry::Game, typed: &dyn Any) -> Arc<dyn AnyRules> {
    let rules: &G = typed.downcast_ref().expect("rules of this game");
    Arc::new(TypedRules { game, rules: *rules })
}

/// A line-up for a game whose type is known.
pub(crate) fn typed<G: Playable>(rules: &G, lineup: &[AnyPolicy]) -> Vec<Arc<TextPolicy<G>>> {
    lineup.iter().map(|policy| policy.typed(rules)).collect()
}

impl<G: Playable> AnyRules for TypedRules<G> {
    fn entry(&self) -> &'static registry::Game {
        self.game
    }

    fn info(&self) -> &'static Info {
        self.rules.info()
    }

    fn seats(&self) -> usize {
        self.rules.seats()
    }

    fn kinds(&self) -> &[Kind] {
        self.rules.info().kinds
    }

    fn action_name(&self, kind: usize, action: u8) -> Option<String> {
        self.rules.action_name(kind, Action(1_u64.checked_shl(action.into())?))
    }

    fn metrics(&self) -> &[Metric] {
        Game::metrics(&self.rules)
    }

    fn endings(&self) -> &[Ending] {
        Game::endings(&self.rules)
    }

    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        self.rules.bounds(metric)
    }

    fn features(&self) -> Vec<Feature> {
        self.rules.features()
    }

    fn predicates(&self) -> &[Predicate] {
        self.rules.info().predicates
    }

    fn candidate_numbers(&self) -> Vec<CandidateNumber> {
        self.rules.candidate_numbers()
    }

    fn typed(&self) -> &dyn Any {
        &self.rules
    }

    fn compile(&self, text: &PolicyText, overrides: &[(String, String)]) -> Result<AnyPolicy, TextError> {
        TextPolicy::compile(text, &self.rules, overrides).map(|policy| AnyPolicy::new(policy, &self.rules))
    }

    fn check_policy(&self, policy: &AnyPolicy) -> Result<(), OtherRules> {
        if policy.is_text() { policy.compiled_for(&self.rules).map(drop) } else { Ok(()) }
    }

    fn arm(&self, lineups: &[Vec<AnyPolicy>]) -> Box<dyn AnyArm> {
        if lineups.iter().flatten().any(|policy| policy.batch().is_some()) {
            return Box::new(BatchArm::new(Arc::new(*self), lineups));
        }
        let lineups = lineups.iter().map(|lineup| typed(&self.rules, lineup)).collect();
        Box::new(TypedArm::new(Lineups { game: self.rules, lineups }))
    }

    fn tried(&self, policy: &AnyPolicy, games: u64, steps: u64) -> Tried {
        tried(&self.rules, &policy.typed(&self.rules), games, steps)
    }

    fn tally(&self) -> Tally {
        Tally::new(&self.rules)
    }

    fn tables(&self, tables: usize, noting: Recording) -> Box<dyn AnyVectorEnv> {
        Box::new(VectorEnv::new(&self.rules, tables, noting))
    }

    fn solve(
        &self,
        seats: &[Option<AnyPolicy>],
        metric: usize,
        limits: Limits<'_>,
        listed: usize,
    ) -> Result<Solved, ExactError> {
        let seats: Vec<_> =
            seats.iter().map(|seat| seat.as_ref().map(|policy| policy.typed(&self.rules))).collect();
        Ok(exact::solve(&self.rules, &seats, metric, limits)?.solved(listed))
    }

    fn best_play(&self, metric: usize, limits: Limits<'_>) -> Result<Box<dyn AnyBestPlay>, ExactError> {
        let free = vec![None; self.rules.seats()];
        Ok(Box::new(exact::solve(&self.rules, &free, metric, limits)?))
    }

    fn distribution(&self, lineup: &[AnyPolicy], limits: Limits<'_>) -> Result<Distribution, ExactError> {
        stopwise_analysis::exact::distribution(&self.rules, &typed(&self.rules, lineup), limits)
    }

    fn has_turn_tables(&self) -> bool {
        !self.rules.info().tabled.is_empty()
    }

    fn best_turns(&self, limits: Limits<'_>) -> Result<Option<BestTurns>, ExactError> {
        exact::best_turns(&self.rules, limits)
    }

    fn shares_turns(&self) -> bool {
        self.rules.info().shared_turns
    }

    fn solvable(&self) -> &'static [Solvable] {
        self.rules.info().solvable
    }
}
