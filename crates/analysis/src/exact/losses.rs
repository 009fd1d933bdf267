//! Where a policy of one seat falls short of best play: its regret by kind of decision and turn.
//!
//! The regret is the sum, over all positions that the policy reaches, of the number of times that it is there and of
//! what its answer is worth less than the best one, both with best play afterwards (the performance difference lemma:
//! Kakade and Langford, ICML 2002).

use std::collections::BTreeMap;

use stopwise_engine::game::{Action, Policy, Question};
use stopwise_engine::vocabulary::Vocabulary;

use super::distribution::{Sum, Watch, watched};
use super::folds::{Bounds, Evaluate};
use super::walk::{Moment, Shared};
use super::{Distribution, ExactError, Limits, Solution};

/// The feature that tells the turn of a seat, where a game has it: 0 in states that have forgotten it.
const TURN: &str = "turn";
/// An answer is a mistake if it is worth less than the best one by more than this: values close in to about 10⁻¹¹.
const MISTAKE: f64 = 1e-9;
/// Rolls are judged up to so many a state of best play, and so many at any rate: judging costs about as much as solving.
const ROLLS_A_STATE: usize = 2;
const ROLLS: usize = 20_000;

/// What a policy gives away in decisions of one kind in one turn, in the mean of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Index into [`Game::KINDS`](stopwise_engine::game::Game::KINDS).
    pub kind: usize,
    /// The seat's turn, from 1; `None` where positions do not know it: the row is of all those turns.
    pub turn: Option<u32>,
    /// Decisions with a choice.
    pub decisions: f64,
    /// Decisions in which another answer is better by more than 10⁻⁹.
    pub mistakes: f64,
    /// What is lost, in the unit of the metric; never negative.
    pub regret: f64,
}

/// What a policy gives away.
#[derive(Clone, Debug)]
pub struct Losses {
    /// Everything that is measured, as [`distribution`](super::distribution) finds it.
    pub distribution: Distribution,
    /// By turn, then by kind; `None` if the policy comes to many more positions than best play.
    pub rows: Option<Vec<Loss>>,
}

/// Counts decisions and what they cost.
struct Ledger<'s, G: Vocabulary> {
    solution: &'s Solution<G>,
    /// The number of the feature that is the turn.
    turn: Option<usize>,
    shared: Option<Shared<G, Bounds>>,
    rolls: usize,
    rows: BTreeMap<(Option<u32>, usize), [Sum; 3]>,
}

/// The losses of a policy in a game for one seat, against best play.
///
/// # Errors
///
/// If the game is too large, or need not end under this policy; if who watches says stop.
pub fn losses<G: Vocabulary, P: Policy<G>>(
    solution: &Solution<G>,
    policy: &P,
    limits: Limits<'_>,
) -> Result<Losses, ExactError> {
    let game = &solution.game;
    let turn = game.features().iter().position(|feature| feature.name == TURN);
    let mut ledger = Ledger { solution, turn, shared: None, rolls: 0, rows: BTreeMap::new() };
    let distribution = watched(game, &[policy], limits, &mut ledger)?;
    let row = |((turn, kind), sums): (&(Option<u32>, usize), &[Sum; 3])| {
        let [decisions, mistakes, regret] = sums.map(Sum::value);
        Loss { kind: *kind, turn: *turn, decisions, mistakes, regret }
    };
    let rows = (!ledger.is_over()).then(|| ledger.rows.iter().map(row).collect());
    Ok(Losses { distribution, rows })
}

impl<G: Vocabulary> Ledger<'_, G> {
    /// Whether more would take too long.
    fn is_over(&self) -> bool {
        self.rolls > ROLLS.max(ROLLS_A_STATE * self.solution.states)
    }
}

impl<G: Vocabulary> Watch<G> for Ledger<'_, G> {
    fn rolled(&mut self, state: G::State) {
        self.rolls += 1;
        self.shared = Some(Shared::new(state));
    }

    fn decided(&mut self, state: G::State, question: Question, action: Action, times: f64) {
        if question.actions.is_single() || self.is_over() {
            return;
        }
        let solution = self.solution;
        let walk = solution.walk(&[None]);
        let mut fold = Evaluate { look_up: |moment: Moment<G>| solution.look_up(moment) };
        let shared = self.shared.get_or_insert_with(|| Shared::new(state));
        let sign = if walk.wants_more(question.seat) { 1.0 } else { -1.0 };
        let mut worth = |action| {
            let [low, high] = walk.action(state, question, action, 0.0, &mut fold, shared);
            sign * f64::midpoint(low, high)
        };
        let best = question.actions.iter().map(&mut worth).fold(f64::NEG_INFINITY, f64::max);
        let loss = best - worth(action);
        let turn = self.turn.and_then(|turn| u32::try_from(solution.game.feature(state, turn)).ok());
        let sums = self.rows.entry((turn.filter(|&turn| turn > 0), question.kind)).or_default();
        sums[0].add(times);
        if loss > MISTAKE {
            sums[1].add(times);
        }
        sums[2].add(times * loss);
    }
}
