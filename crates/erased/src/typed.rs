//! Games whose type is known, as objects: the loops over a game are compiled here.

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use stopwise_analysis::exact::{Distribution, ExactError, Limits};
use stopwise_engine::arms::Lineups;
use stopwise_engine::game::{self, Action, Ending, Info, Metric, Policy as _};
use stopwise_engine::games::Playable;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial_result::Recording;
use stopwise_engine::vocabulary::{self, CandidateColumn, CandidateNumber, Feature, write_position};
use stopwise_policy::{Text, TextError, TextPolicy};

use crate::arm::{AnyArm, TypedArm};
use crate::asked::{self, Asked};
use crate::batch::BatchArm;
use crate::by_turns;
use crate::exact::{self, AnyBestPlay, BestTurns, Solved};
use crate::policy::{AnyPolicy, OtherRules, typed};
use crate::rules::{AnyGame, AnyRules, Game, Texts};
use crate::tried::{Tried, tried};
use crate::vector_env::{AnyVectorEnv, TypedVectorEnv};

impl Game {
    /// A game, given by any of its rules, which are made when they are needed.
    pub(crate) fn new<G: Playable>(texts: Texts, rules: impl FnOnce() -> G + Send + Sync + 'static) -> Self {
        let Texts { name, summary, options, presets, policies, about, text } = texts;
        let any = LazyLock::new(Box::new(|| Box::new(rules()) as AnyGame) as Box<_>);
        Self { name, summary, options, presets, policies, about, text, any, object: object::<G> }
    }
}

/// Rules of a game whose type is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedRules<G: Playable> {
    game: &'static Game,
    pub(crate) rules: G,
}

/// Rules of a game whose type is known, given as that type.
pub(crate) fn object<G: Playable>(game: &'static Game, typed: &dyn Any) -> Arc<dyn AnyRules> {
    let rules: &G = typed.downcast_ref().expect("rules of this game");
    Arc::new(TypedRules { game, rules: *rules })
}

impl<G: Playable> AnyRules for TypedRules<G> {
    fn entry(&self) -> &'static Game {
        self.game
    }

    fn info(&self) -> &'static Info {
        self.rules.info()
    }

    fn seats(&self) -> usize {
        self.rules.seats()
    }

    fn action_name(&self, kind: usize, action: u8) -> Option<String> {
        self.rules.action_name(kind, Action(1_u64.checked_shl(action.into())?))
    }

    fn metrics(&self) -> &[Metric] {
        game::Game::metrics(&self.rules)
    }

    fn endings(&self) -> &[Ending] {
        game::Game::endings(&self.rules)
    }

    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        self.rules.bounds(metric)
    }

    fn features(&self) -> Vec<Feature> {
        self.rules.features()
    }

    fn candidate_numbers(&self) -> Vec<CandidateNumber> {
        self.rules.candidate_numbers()
    }

    fn variables(&self) -> Option<Vec<Feature>> {
        self.rules.variables()
    }

    fn candidate_columns(&self) -> Vec<CandidateColumn> {
        vocabulary::candidate_columns(&self.rules)
    }

    fn typed(&self) -> &dyn Any {
        &self.rules
    }

    fn compile(&self, text: &Text, overrides: &[(String, String)]) -> Result<AnyPolicy, TextError> {
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
        Box::new(TypedVectorEnv::new(&self.rules, tables, noting))
    }

    fn asked(&self, text: &str) -> Result<Asked, String> {
        Asked::read(&self.rules, text)
    }

    fn kept_worths(&self, asked: &Asked, policy: &AnyPolicy) -> Option<(Vec<f64>, usize)> {
        let (state, question) = asked.typed(&self.rules);
        let (worths, states) = policy.typed(&self.rules).kept_worths(&self.rules, state, question)?;
        Some((asked.of_choices(&worths), states))
    }

    fn kept_value(&self, policy: &AnyPolicy) -> Option<f64> {
        policy.typed(&self.rules).kept_value(&self.rules)
    }

    fn doubt(&self, asked: &Asked) -> Option<String> {
        asked::doubt(&self.rules, asked)
    }

    fn example(&self) -> Option<String> {
        self.rules.example().map(|position| write_position(&self.rules, position))
    }

    fn answer(&self, asked: &Asked, policy: &AnyPolicy) -> Option<u8> {
        asked::answer(&self.rules, asked, policy)
    }

    fn played(
        &self,
        asked: &Asked,
        action: u8,
        lineup: &[AnyPolicy],
        metric_and_seed: (usize, u64),
        trials: Range<u64>,
    ) -> Result<Vec<u32>, String> {
        asked::played(&self.rules, asked, action, lineup, metric_and_seed, trials)
    }

    fn begun(
        &self,
        seat: usize,
        lineup: &[AnyPolicy],
        metric_and_seed: (usize, u64),
        trials: Range<u64>,
    ) -> Result<Vec<u32>, String> {
        asked::begun(&self.rules, seat, lineup, metric_and_seed, trials)
    }

    fn bust_chance(&self, asked: &Asked, action: u8) -> Option<f64> {
        asked::bust_chance(&self.rules, asked, action)
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

    fn is_always_won(&self) -> bool {
        self.rules.is_always_won()
    }

    fn has_best_play(&self) -> Result<(), ExactError> {
        stopwise_analysis::exact::has_one_value(&self.rules, self.rules.seats())
    }

    fn best_play(&self, metric: usize, limits: Limits<'_>) -> Result<Box<dyn AnyBestPlay>, ExactError> {
        let free = vec![None; self.rules.seats()];
        Ok(Box::new(exact::solve(&self.rules, &free, metric, limits)?))
    }

    fn known_features(&self, metric: usize, kind: Option<usize>) -> Vec<bool> {
        exact::known_features(&self.rules, metric, kind)
    }

    fn surface(&self) -> Option<vocabulary::Surface> {
        self.rules.surface()
    }

    fn best_by_turns(
        &self,
        metric: usize,
        limits: Limits<'_>,
    ) -> Result<Option<Box<dyn AnyBestPlay>>, ExactError> {
        by_turns::solve(&self.rules, metric, limits)
    }

    fn remembers(&self, policy: &AnyPolicy) -> bool {
        policy.typed(&self.rules).memory() != 0
    }

    fn distribution(&self, lineup: &[AnyPolicy], limits: Limits<'_>) -> Result<Distribution, ExactError> {
        stopwise_analysis::exact::distribution(&self.rules, &typed(&self.rules, lineup), limits)
    }

    fn best_turns(&self, limits: Limits<'_>) -> Result<Option<BestTurns>, ExactError> {
        exact::best_turns(&self.rules, limits)
    }
}
