//! Where a policy falls short of best play: its regret by kind of decision and turn, alone or in one of two seats.
//!
//! The regret is the sum, over all positions that the policy reaches, of the number of times that it is there and of
//! what its answer is worth less than the best one, both with best play afterwards (the performance difference lemma:
//! Kakade and Langford, ICML 2002). In a game for two the other seat plays its best, which is fixed, so that the same holds:
//! its answers lose nothing.

use std::collections::BTreeMap;

use stopwise_engine::game::{Action, Game, Policy, Question, Seat};
use stopwise_engine::vocabulary::Vocabulary;

use super::distribution::{Sum, Watch, watched};
use super::folds::{Bounds, Evaluate};
use super::walk::{Moment, Shared};
use super::{Distribution, ExactError, Limits, Solution};

/// The feature that tells the turn of a seat, where a game has it: 0 in states that have forgotten it.
const TURN: &str = "turn";
/// An answer is a mistake if it is worth less than the best one by more than this: values close in to about 10⁻¹¹.
const MISTAKE: f64 = 1e-9;
/// Answers that are worth less than the best one by no more are best as well: more than values are off, and little enough
/// that a game of them loses nothing.
const SAME: f64 = 1e-10;
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
    /// Whose decisions are judged.
    seat: Seat,
    /// Nobody: all seats play their best after a decision.
    free: Vec<Option<&'s Solution<G>>>,
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
    judged(solution, &[policy], 0, limits)
}

/// The losses of a policy in one of two seats, where best play has the other and takes the first of equal answers, in the
/// game's order. All regret together is what the value of best play for both is better, for that seat, than the mean of the
/// first seat's metric in [`Losses::distribution`].
///
/// # Errors
///
/// If the game is too large, or need not end in this way; if who watches says stop.
pub fn losses_against_best<G: Vocabulary, P: Policy<G>>(
    solution: &Solution<G>,
    policy: &P,
    seat: Seat,
    limits: Limits<'_>,
) -> Result<Losses, ExactError> {
    let player = |at| if at == seat { Player::Judged(policy) } else { Player::Best(solution) };
    let lineup: Vec<_> = (0..solution.game.seats()).map(player).collect();
    judged(solution, &lineup, seat, limits)
}

fn judged<G: Vocabulary, P: Policy<G>>(
    solution: &Solution<G>,
    lineup: &[P],
    seat: Seat,
    limits: Limits<'_>,
) -> Result<Losses, ExactError> {
    let game = &solution.game;
    let turn = game.features().iter().position(|feature| feature.name == TURN);
    let free = vec![None; game.seats()];
    let mut ledger = Ledger { solution, seat, free, turn, shared: None, rolls: 0, rows: BTreeMap::new() };
    let distribution = watched(game, lineup, limits, &mut ledger)?;
    let row = |((turn, kind), sums): (&(Option<u32>, usize), &[Sum; 3])| {
        let [decisions, mistakes, regret] = sums.map(Sum::value);
        Loss { kind: *kind, turn: *turn, decisions, mistakes, regret }
    };
    let rows = (!ledger.is_over()).then(|| ledger.rows.iter().map(row).collect());
    Ok(Losses { distribution, rows })
}

/// Who sits in a seat.
enum Player<'p, G: Game, P> {
    Judged(&'p P),
    Best(&'p Solution<G>),
}

impl<G: Game, P: Policy<G>> Policy<G> for Player<'_, G, P> {
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action {
        match self {
            Self::Judged(policy) => policy.choose(game, state, question),
            Self::Best(_) if question.actions.is_single() => question.actions.first(),
            Self::Best(solution) => first_of_best(solution, state, question),
        }
    }

    fn memory(&self) -> u32 {
        match self {
            Self::Judged(policy) => policy.memory(),
            Self::Best(solution) => solution.memory(),
        }
    }
}

/// The first of the best answers: one that does not depend on the last digits of their values.
fn first_of_best<G: Game>(solution: &Solution<G>, state: G::State, question: Question) -> Action {
    let worths = solution.worths(state, question).unwrap_or_default();
    let best = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut answers = question.actions.iter().zip(worths);
    answers.find(|(_, worth)| best - worth <= SAME).map_or(question.actions.first(), |(action, _)| action)
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
        if question.seat != self.seat || question.actions.is_single() || self.is_over() {
            return;
        }
        let solution = self.solution;
        let walk = solution.walk(&self.free);
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
