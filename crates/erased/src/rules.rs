//! Games and their rules, as objects.

use std::any::Any;
use std::fmt::{self, Debug};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use stopwise_analysis::exact::{Distribution, ExactError, Limits};
use stopwise_engine::game::{Ending, Info, Kind, Metric};
use stopwise_engine::options::RuleOption;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial_result::Recording;
use stopwise_engine::vocabulary::{CandidateColumn, CandidateNumber, Feature, Surface};
use stopwise_policy::shipped::Shipped;
use stopwise_policy::{Text, TextError};

use crate::arm::AnyArm;
use crate::asked::Asked;
use crate::exact::{AnyBestPlay, BestTurns, Solved};
use crate::policy::{AnyPolicy, OtherRules};
use crate::tried::Tried;
use crate::vector_env::AnyVectorEnv;

/// A game, with all that belongs to it.
pub struct Game {
    /// Its name on the command line, in policies and in rules files.
    pub name: &'static str,
    /// One sentence about it, for the list of games.
    pub summary: &'static str,
    /// The options of its rules, in the order in which people read them.
    pub options: &'static [RuleOption],
    /// Its rules presets; the first is in force where no other is named.
    pub presets: &'static [Shipped],
    /// Its policies, from naive to good.
    pub policies: &'static [Shipped],
    /// What it is, for people: see `stopwise_narration::about`.
    pub about: &'static str,
    /// Its text, if it is one; empty of a game in Rust.
    pub text: &'static str,
    /// Any rules of the game, of its own type.
    pub(crate) any: LazyLock<AnyGame, Box<dyn FnOnce() -> AnyGame + Send + Sync>>,
    pub(crate) object: fn(&'static Game, &dyn Any) -> Arc<dyn AnyRules>,
}

/// Rules of a game's own type.
pub(crate) type AnyGame = Box<dyn Any + Send + Sync>;

/// What belongs to a game, and is known before there are rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) options: &'static [RuleOption],
    pub(crate) presets: &'static [Shipped],
    pub(crate) policies: &'static [Shipped],
    pub(crate) about: &'static str,
    pub(crate) text: &'static str,
}

impl Game {
    /// The preset with this name.
    pub fn preset(&self, name: &str) -> Option<&'static Shipped> {
        self.presets.iter().find(|preset| preset.name == name)
    }

    /// The policy with this name.
    pub fn policy(&self, name: &str) -> Option<&'static Shipped> {
        self.policies.iter().find(|policy| policy.name == name)
    }

    /// Any rules of the game, given as its own type, from which others are made.
    pub fn any(&self) -> &dyn Any {
        &**self.any
    }

    /// Rules of this game, given as the game's own type.
    ///
    /// # Panics
    ///
    /// If they are of another type.
    pub fn rules(&'static self, typed: &dyn Any) -> Arc<dyn AnyRules> {
        (self.object)(self, typed)
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Rules, and their name in reports.
#[derive(Clone, Debug)]
pub struct NamedRules {
    /// The name.
    pub name: String,
    /// The rules.
    pub rules: Arc<dyn AnyRules>,
}

/// A game under one set of rules: its description as data, and what can be done with it but in words, which is the matter of
/// `stopwise-narration`.
///
/// Names are `'static`: constants of the games in Rust, and interned with the program of a game as text.
///
/// # Panics
///
/// Methods that take policies panic if one of them was compiled for other rules: see [`AnyRules::check_policy`]. A line-up has a
/// policy for every seat; it, the number of a metric, kind or action, and an [`Asked`] that are none of these rules' may panic or
/// give a number that means nothing: commands check what people type before they ask.
pub trait AnyRules: Debug + Send + Sync {
    /// The game that they are rules of.
    fn entry(&self) -> &'static Game;
    /// What people and commands need to know of the game.
    fn info(&self) -> &'static Info;
    /// The game's name.
    fn game(&self) -> &'static str {
        self.info().name
    }
    /// The number of seats.
    fn seats(&self) -> usize;
    /// The kinds of decision.
    fn kinds(&self) -> &'static [Kind] {
        self.info().kinds
    }
    /// The name of an action, given its kind and index, if it has the same name wherever it is legal: "small red",
    /// "stop".
    fn action_name(&self, kind: usize, action: u8) -> Option<String>;
    /// The metrics of a seat. The first one is the objective of the game.
    fn metrics(&self) -> &[Metric];
    /// The ways a trial can end.
    fn endings(&self) -> &[Ending];
    /// The endings that results tell: without faults, which are no results.
    fn told_endings(&self) -> Vec<Ending> {
        self.endings().iter().filter(|ending| !ending.fault).copied().collect()
    }
    /// The least and greatest possible value of a metric, if the rules imply them.
    fn bounds(&self, metric: usize) -> Option<(f64, f64)>;
    /// The features that policies may read, with their ranges under these rules.
    fn features(&self) -> Vec<Feature>;
    /// The variables of states as columns, where the game tells them.
    fn variables(&self) -> Option<Vec<Feature>>;
    /// The numbers of candidates that preference lists may compare, with their ranges under these rules.
    fn candidate_numbers(&self) -> Vec<CandidateNumber>;
    /// All that policies may read of candidates, under one name each whatever is decided.
    fn candidate_columns(&self) -> Vec<CandidateColumn>;

    /// The rules as the game's own type, for those who know it.
    fn typed(&self) -> &dyn Any;

    /// Compiles a policy for these rules. `overrides` are parameters, as name and number, that replace values of the
    /// text.
    ///
    /// # Errors
    ///
    /// All problems of the text, with their places, and overrides of parameters that the text does not have.
    fn compile(&self, text: &Text, overrides: &[(String, String)]) -> Result<AnyPolicy, TextError>;

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

    /// The position of a text: see [`read_position`](stopwise_engine::vocabulary::read_position).
    ///
    /// # Errors
    ///
    /// Says which part is wrong, and what it takes.
    fn asked(&self, text: &str) -> Result<Asked, String>;
    /// The same as [`AnyBestPlay::worths`] of the first metric, and the number of positions, of a policy that has kept them.
    fn kept_worths(&self, asked: &Asked, policy: &AnyPolicy) -> Option<(Vec<f64>, usize)>;
    /// The value of the game before it begins, for the first seat, where the policy knows it in the same way.
    fn kept_value(&self, policy: &AnyPolicy) -> Option<f64>;
    /// Why play hardly comes to a position, as far as random games tell.
    fn doubt(&self, asked: &Asked) -> Option<String>;
    /// A position that play comes to, as text, where that is known without a policy.
    fn example(&self) -> Option<String>;
    /// What a policy answers: the number of an action; `None` if it answers by chance.
    fn answer(&self, asked: &Asked, policy: &AnyPolicy) -> Option<u8>;
    /// The values of a metric of the deciding seat in these trials, each of which goes on with this answer and this line-up.
    ///
    /// # Errors
    ///
    /// Why the rules could not go on from there.
    fn played(
        &self,
        asked: &Asked,
        action: u8,
        lineup: &[AnyPolicy],
        metric_and_seed: (usize, u64),
        trials: Range<u64>,
    ) -> Result<Vec<u32>, String>;
    /// The values of a metric of a seat in these trials, which this line-up plays from the beginning.
    ///
    /// # Errors
    ///
    /// Why the rules could not go on.
    fn begun(
        &self,
        seat: usize,
        lineup: &[AnyPolicy],
        metric_and_seed: (usize, u64),
        trials: Range<u64>,
    ) -> Result<Vec<u32>, String>;
    /// The chance that an answer loses the turn to the dice before anybody decides again; `None` if that is too much to
    /// look at.
    fn bust_chance(&self, asked: &Asked, action: u8) -> Option<f64>;

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
    /// Whether best play of all seats has one value.
    ///
    /// # Errors
    ///
    /// Why not.
    fn has_best_play(&self) -> Result<(), ExactError>;
    /// Whether somebody wins every game that no cap cuts off, alone or with others.
    fn is_always_won(&self) -> bool;
    /// Best play of every seat for a metric of the first.
    ///
    /// # Errors
    ///
    /// If the walk would exceed the limits, or the game cannot be solved.
    fn best_play(&self, metric: usize, limits: Limits<'_>) -> Result<Box<dyn AnyBestPlay>, ExactError>;
    /// Which [`features`](AnyRules::features) the positions have that best play for a metric knows, at decisions of a kind or at
    /// all.
    fn known_features(&self, metric: usize, kind: Option<usize>) -> Vec<bool>;
    /// The chart of the answers to a yes/no decision under these rules, if they depend on few enough features.
    fn surface(&self) -> Option<Surface>;
    /// The same turn by turn, for games that are too large for a walk; `None` if it cannot be solved so.
    ///
    /// # Errors
    ///
    /// If a turn would exceed the limits, or the game cannot be solved.
    fn best_by_turns(
        &self,
        metric: usize,
        limits: Limits<'_>,
    ) -> Result<Option<Box<dyn AnyBestPlay>>, ExactError>;
    /// Whether a policy looks at what positions do not keep that best play knows.
    fn remembers(&self, policy: &AnyPolicy) -> bool;
    /// The exact distribution of all metrics and endings, with a line-up.
    ///
    /// # Errors
    ///
    /// If the walk would go beyond the limits.
    fn distribution(&self, lineup: &[AnyPolicy], limits: Limits<'_>) -> Result<Distribution, ExactError>;
    /// The best turns in the long run, as a value table; `None` if the game does not begin with a roll.
    ///
    /// # Errors
    ///
    /// If a turn is beyond the limits.
    fn best_turns(&self, limits: Limits<'_>) -> Result<Option<BestTurns>, ExactError>;
}
