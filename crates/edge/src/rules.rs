//! Rules of any game, as an object.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use serde_json::Value;
use stopwise_analysis::exact::{Distribution, ExactError, Limits};
use stopwise_engine::arms::Lineups;
use stopwise_engine::game::{Action, Ending, Game, Kind, Metric, Solvable};
use stopwise_engine::games::{Playable, RulesError};
use stopwise_engine::tables::{Noting, Tables};
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::{Feature, Predicate};
use stopwise_policy::{PolicyText, TextError, TextPolicy};
use stopwise_words::{Answers, Listener, Outcome, Parting, Passage, Player, words};

use crate::arm::{AnyArm, TypedArm};
use crate::batch::{self, BatchArm};
use crate::exact::{self, AnyBestPlay, BestTurns, Solved};
use crate::policy::AnyPolicy;
use crate::tables::AnyTables;

/// A game under one set of rules: its description as data, and everything that can be done with it.
///
/// Names are `'static` because they are constants of the games. A game described at run time would have to intern its
/// names for the lifetime of the program.
///
/// # Panics
///
/// Methods that take policies panic if one of them was compiled for another game.
pub trait AnyRules: Debug + Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;
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

    /// Every option under its name.
    fn options(&self) -> Value;
    /// The rules as a file that needs no base.
    fn to_text(&self, name: &str) -> String;
    /// The rules with one option changed, as in `points.solid=9`.
    ///
    /// # Errors
    ///
    /// Says which option is unknown, or what is wrong with the value.
    fn with_option(&self, assignment: &str) -> Result<Arc<dyn AnyRules>, RulesError>;

    /// The words that are values of an option, named as in [`AnyRules::with_option`]; empty if it takes other values.
    fn option_words(&self, option: &str) -> Vec<String>;

    /// Compiles a policy for these rules. `overrides` are parameters, as name and number, that replace values of the
    /// text.
    ///
    /// # Errors
    ///
    /// All problems of the text, with their places, and overrides of parameters that the text does not have.
    fn compile(&self, text: &PolicyText, overrides: &[(String, String)]) -> Result<AnyPolicy, TextError>;
    /// An explanation of a policy, in several lines.
    fn explain(&self, policy: &AnyPolicy) -> String;

    /// The arm of line-ups that take turns, each with a policy for every seat or one for all of them.
    fn arm(&self, lineups: &[Vec<AnyPolicy>]) -> Box<dyn AnyArm>;
    /// An empty tally.
    fn tally(&self) -> Tally;
    /// This number of tables: games side by side that wait for answers.
    ///
    /// # Panics
    ///
    /// If the number is 0 or more than 2³² − 1.
    fn tables(&self, tables: usize, noting: Noting) -> Box<dyn AnyTables>;
    /// The first decision of a trial on which two line-ups differ, if any.
    fn parting(&self, a: &[AnyPolicy], b: &[AnyPolicy], seed: u64, trial: u64) -> Option<Parting>;
    /// Tells a trial in words, step by step. Returns `None` if the listener asked to stop, or if given actions
    /// ([`AnyPolicy::given`]) do not lead to the end, which the replay then says.
    fn replay(&self, lineup: &[AnyPolicy], passage: &Passage, listener: &mut dyn Listener)
    -> Option<Outcome>;

    /// The exact mean of a metric of the first seat; seats without a policy play their best. The positions are listed
    /// if there are at most `listed`.
    ///
    /// # Errors
    ///
    /// If the walk would exceed the limits, or the game cannot be solved.
    /// If the walk would go beyond the limits, or meets what it cannot solve.
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
    pub(crate) rules: G,
}

impl<G: Playable> TypedRules<G> {
    /// The rules that were read.
    pub(crate) fn of(rules: &dyn Any) -> Self {
        Self { rules: *rules.downcast_ref().expect("rules of this game") }
    }
}

/// A line-up for a game whose type is known.
pub(crate) fn typed<G: Playable>(lineup: &[AnyPolicy]) -> Vec<Arc<TextPolicy<G>>> {
    lineup.iter().map(AnyPolicy::typed).collect()
}

impl<G: Playable> AnyRules for TypedRules<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn seats(&self) -> usize {
        self.rules.seats()
    }

    fn kinds(&self) -> &[Kind] {
        G::KINDS
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
        G::PREDICATES
    }

    fn options(&self) -> Value {
        words(G::NAME).options(&self.rules)
    }

    fn to_text(&self, name: &str) -> String {
        words(G::NAME).to_text(&self.rules, name)
    }

    fn with_option(&self, assignment: &str) -> Result<Arc<dyn AnyRules>, RulesError> {
        let rules = words(G::NAME).with_option(&self.rules, assignment)?;
        Ok(Arc::new(Self::of(&*rules)))
    }

    fn option_words(&self, option: &str) -> Vec<String> {
        words(G::NAME).option_words(&self.rules, option)
    }

    fn compile(&self, text: &PolicyText, overrides: &[(String, String)]) -> Result<AnyPolicy, TextError> {
        TextPolicy::compile(text, &self.rules, overrides).map(AnyPolicy::new)
    }

    fn explain(&self, policy: &AnyPolicy) -> String {
        if !policy.is_text() {
            return format!("{} has no text to explain\n", policy.heading().name);
        }
        words(G::NAME).explain(&self.rules, policy.compiled())
    }

    fn arm(&self, lineups: &[Vec<AnyPolicy>]) -> Box<dyn AnyArm> {
        if lineups.iter().flatten().any(|policy| policy.batch().is_some()) {
            return Box::new(BatchArm::new(Arc::new(*self), lineups));
        }
        let lineups = lineups.iter().map(|lineup| typed(lineup)).collect();
        Box::new(TypedArm { lineups: Lineups { game: self.rules, lineups } })
    }

    fn tally(&self) -> Tally {
        Tally::new(&self.rules)
    }

    fn tables(&self, tables: usize, noting: Noting) -> Box<dyn AnyTables> {
        Box::new(Tables::new(&self.rules, tables, noting))
    }

    fn parting(&self, a: &[AnyPolicy], b: &[AnyPolicy], seed: u64, trial: u64) -> Option<Parting> {
        if a.iter().chain(b).any(|policy| policy.batch().is_some()) {
            return batch::parting(self, a, b, seed, trial).ok().flatten();
        }
        let [a, b] = [a, b].map(|lineup| lineup.iter().map(AnyPolicy::compiled).collect::<Vec<_>>());
        words(G::NAME).parting(&self.rules, [&a, &b], seed, trial)
    }

    fn replay(
        &self,
        lineup: &[AnyPolicy],
        passage: &Passage,
        listener: &mut dyn Listener,
    ) -> Option<Outcome> {
        let recorded = match lineup.iter().any(|policy| policy.batch().is_some()) {
            false => Vec::new(),
            true => match batch::actions(self, lineup, passage.seed, passage.trial) {
                Ok(actions) => actions,
                Err(message) => {
                    let _ = listener.text(&format!("{message}\n"));
                    return None;
                }
            },
        };
        let players = lineup.iter().enumerate().map(|(at, policy)| Player {
            label: policy.label(),
            answers: match policy.actions() {
                Some(actions) => Answers::Given(actions),
                None if policy.batch().is_some() => Answers::Given(&recorded[at]),
                None => Answers::Text(policy.compiled()),
            },
        });
        let lineup: Vec<_> = players.collect();
        words(G::NAME).replay(&self.rules, &lineup, passage, listener)
    }

    fn solve(
        &self,
        seats: &[Option<AnyPolicy>],
        metric: usize,
        limits: Limits<'_>,
        listed: usize,
    ) -> Result<Solved, ExactError> {
        let seats: Vec<_> = seats.iter().map(|seat| seat.as_ref().map(AnyPolicy::typed::<G>)).collect();
        Ok(exact::solve(&self.rules, &seats, metric, limits)?.solved(listed))
    }

    fn best_play(&self, metric: usize, limits: Limits<'_>) -> Result<Box<dyn AnyBestPlay>, ExactError> {
        let free = vec![None; self.rules.seats()];
        Ok(Box::new(exact::solve(&self.rules, &free, metric, limits)?))
    }

    fn distribution(&self, lineup: &[AnyPolicy], limits: Limits<'_>) -> Result<Distribution, ExactError> {
        stopwise_analysis::exact::distribution(&self.rules, &typed(lineup), limits)
    }

    fn has_turn_tables(&self) -> bool {
        !G::TABLED.is_empty()
    }

    fn best_turns(&self, limits: Limits<'_>) -> Result<Option<BestTurns>, ExactError> {
        exact::best_turns(&self.rules, limits)
    }

    fn shares_turns(&self) -> bool {
        G::SHARED_TURNS
    }

    fn solvable(&self) -> &'static [Solvable] {
        G::SOLVABLE
    }
}
