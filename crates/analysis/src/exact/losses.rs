//! The losses of a policy against best play: its regret by kind of decision and turn, alone or in one of two seats.
//!
//! The regret is a sum over all positions that the policy reaches: the expected number of visits times the value of the
//! best answer minus that of the policy's answer, both followed by best play (the performance difference lemma: Kakade
//! and Langford, ICML 2002). In a game for two the other seat plays its best. Its policy is fixed, so the same holds,
//! and its answers lose nothing.

use std::collections::BTreeMap;

use stopwise_engine::game::{Action, Game, Policy, Question, Seat};
use stopwise_engine::vocabulary::{Frequency, Side, Vocabulary};

use super::bounds::Bounds;
use super::distribution::{Sum, Watch, watched};
use super::walk::{Shared, Walk};
use super::{Distribution, ExactError, Limits, Solution};

/// The name of the feature for the turn of a seat, in games that have it; it is 0 in states that have forgotten the
/// turn.
pub(super) const TURN: &str = "turn";
/// The loss in value above which an answer is a mistake: values are exact to about 10⁻¹¹.
pub(super) const MISTAKE: f64 = 1e-9;
/// The most rolls judged: this number per state of best play, or [`ROLLS`] if that is more. Judging a roll costs about
/// as much as solving it.
const ROLLS_A_STATE: usize = 2;
const ROLLS: usize = 20_000;

/// The losses of a policy in decisions of one kind in one turn, as means per game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Index into the kinds of [`Game::info`](stopwise_engine::game::Game::info).
    pub kind: usize,
    /// The seat's turn, from 1; `None` if positions do not store it: the row then covers all those turns.
    pub turn: Option<u32>,
    /// The number of decisions with a choice.
    pub decisions: f64,
    /// The number of decisions in which another answer is better by more than 10⁻⁹.
    pub mistakes: f64,
    /// The loss, in the unit of the metric; never negative.
    pub regret: f64,
}

/// How often a decision with certain values of two features is met, and answered yes: the cell of a
/// [`Frequency`](stopwise_engine::vocabulary::Frequency).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answered {
    /// The value of the chart's row.
    pub row: i64,
    /// The value of its column.
    pub column: i64,
    /// The expected number of these decisions per game.
    pub decisions: f64,
    /// The expected number that is answered yes.
    pub yes: f64,
}

/// The losses of a policy.
#[derive(Clone, Debug)]
pub struct Losses {
    /// The distribution of all metrics and endings, as from [`distribution`](super::distribution).
    pub distribution: Distribution,
    /// By turn, then by kind; `None` if the policy reaches many more positions than best play.
    pub rows: Option<Vec<Loss>>,
    /// The answers to the decision that the game charts, by row, then by column; empty if it charts none.
    pub answers: Vec<Answered>,
}

/// Counts decisions and their losses.
struct Ledger<'s, G: Vocabulary> {
    solution: &'s Solution<G>,
    /// The seat whose decisions are judged; `None` if nobody's are.
    seat: Option<Seat>,
    /// All seats play their best after a decision.
    walk: Walk<'s, G>,
    /// The index of the feature for the turn.
    turn: Option<usize>,
    shared: Option<Shared<G, Bounds>>,
    rolls: usize,
    rows: BTreeMap<(Option<u32>, usize), [Sum; 3]>,
    /// The decision that the game charts.
    charted: Option<Frequency>,
    answers: BTreeMap<(i64, i64), [Sum; 2]>,
}

/// The losses of a policy against best play, in a game for one seat.
///
/// # Errors
///
/// If the game is too large or need not end under this policy, or if the watcher stops the walk.
pub fn losses<G: Vocabulary>(
    solution: &Solution<G>,
    policy: &dyn Policy<G>,
    limits: Limits<'_>,
) -> Result<Losses, ExactError> {
    judged(solution, &[policy], Some(0), limits)
}

/// The losses of a policy in one of two seats, while the other seat plays its best and takes the first of equal answers
/// in the game's order. The total regret is the difference, for the policy's seat, between the value of best play for
/// both and the mean of the first seat's metric in [`Losses::distribution`].
///
/// # Errors
///
/// If the game is too large or need not end with these policies, or if the watcher stops the walk.
pub fn losses_against_best<G: Vocabulary>(
    solution: &Solution<G>,
    policy: &dyn Policy<G>,
    seat: Seat,
    limits: Limits<'_>,
) -> Result<Losses, ExactError> {
    let lineup: Vec<_> =
        (0..solution.game.seats()).map(|at| if at == seat { policy } else { solution as _ }).collect();
    judged(solution, &lineup, Some(seat), limits)
}

/// The answers of best play, of all seats, to the decision that the game charts; nothing if it charts none. Of equal
/// answers the last in the game's order is taken.
///
/// # Errors
///
/// If the game is too large or need not end, or if the watcher stops the walk.
pub fn best_answers<G: Vocabulary>(
    solution: &Solution<G>,
    limits: Limits<'_>,
) -> Result<Vec<Answered>, ExactError> {
    if solution.game.frequency().is_none() {
        return Ok(Vec::new());
    }
    Ok(judged(solution, &[&StopsSoon(solution)], None, limits)?.answers)
}

fn judged<G: Vocabulary>(
    solution: &Solution<G>,
    lineup: &[&dyn Policy<G>],
    seat: Option<Seat>,
    limits: Limits<'_>,
) -> Result<Losses, ExactError> {
    let game = &solution.game;
    let turn = game.features().iter().position(|feature| feature.name == TURN);
    let mut ledger = Ledger {
        solution,
        seat,
        walk: solution.walk(),
        turn,
        shared: None,
        rolls: 0,
        rows: BTreeMap::new(),
        charted: game.frequency(),
        answers: BTreeMap::new(),
    };
    let settled = seat.is_none().then_some(solution.objective);
    let distribution = watched(game, lineup, limits, settled, &mut ledger)?;
    let row = |((turn, kind), sums): (&(Option<u32>, usize), &[Sum; 3])| {
        let [decisions, mistakes, regret] = sums.map(Sum::value);
        Loss { kind: *kind, turn: *turn, decisions, mistakes, regret }
    };
    let rows = (!ledger.is_over()).then(|| ledger.rows.iter().map(row).collect());
    let answered = |(&(row, column), sums): (&(i64, i64), &[Sum; 2])| {
        let [decisions, yes] = sums.map(Sum::value);
        Answered { row, column, decisions, yes }
    };
    Ok(Losses { distribution, rows, answers: ledger.answers.iter().map(answered).collect() })
}

/// Best play that takes the last of equally good answers, in the game's order: yes rather than no, so that it stops where it
/// gains nothing by going on.
struct StopsSoon<'p, G: Game>(&'p Solution<G>);

impl<G: Game> Policy<G> for StopsSoon<'_, G> {
    fn choose(&self, _: &G, state: G::State, question: Question) -> Action {
        let first = question.actions.first();
        if question.actions.is_single() {
            return first;
        }
        self.0.best_answers(state, question).last().unwrap_or(first)
    }

    fn memory(&self) -> u32 {
        self.0.memory()
    }
}

impl<G: Vocabulary> Ledger<'_, G> {
    /// Notes the answer to a decision that is charted.
    fn note(&mut self, state: G::State, question: Question, action: Action, times: f64) {
        let Some(charted) = self.charted.filter(|charted| charted.kind == question.kind) else { return };
        let value = |side: Side| self.solution.game.feature(state, side.feature);
        let sums = self.answers.entry((value(charted.row), value(charted.column))).or_default();
        sums[0].add(times);
        if action == Action::YES {
            sums[1].add(times);
        }
    }

    /// Whether judging more rolls would take too long.
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
        if question.actions.is_single() || self.seat.is_some_and(|seat| seat != question.seat) {
            return;
        }
        self.note(state, question, action, times);
        if self.seat.is_none() || self.is_over() {
            return;
        }
        let solution = self.solution;
        let walk = &self.walk;
        let mut fold = solution.evaluation();
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
