//! Optimal turns of a solitaire game that is repeated for ever, and the value table that plays them.

use stopwise_engine::game::{Game, Node, NodeOf};
use stopwise_engine::vocabulary::{Numbers, Vocabulary};

use super::{ExactError, Limits, Part, Progress};

/// The target width of the bounds.
const WIDTH: f64 = 1e-12;
/// The greatest number of rounds: rounding may keep the bounds a little further apart than [`WIDTH`].
const ROUNDS: usize = 1000;

/// The optimal turns of a game.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The greatest mean score of a turn in the long run.
    pub mean: f64,
    /// The largest error of the mean.
    pub error: f64,
    /// The positions before a roll that best play can reach, each with its value: the mean score of the rest of the
    /// turn, plus the value of the next turn's start relative to an empty one.
    pub rows: Vec<(Numbers, f64)>,
}

/// A turn from one of the positions between turns.
struct Turn<G: Game> {
    numbers: Numbers,
    part: Part<G>,
    /// For every exit, its score and the index of the next turn; `None` if the game is over.
    exits: Vec<(f64, Option<usize>)>,
}

/// The optimal turns of a game for one seat, by value iteration over the positions between turns: the least and the
/// greatest change of their values in one turn enclose the mean (Odoni, Operations Research 17, 1969). `None` if the
/// game has no value tables, or several seats.
///
/// # Errors
///
/// If a turn is too large, or if the watcher stops the walk.
pub fn best_turns<G: Vocabulary>(game: &G, limits: Limits<'_>) -> Result<Option<Turns>, ExactError> {
    let Node::Chance(start, ..) = game.root(&mut ()) else { return Ok(None) };
    if game.info().tabled.is_empty() || game.seats() > 1 {
        return Ok(None);
    }
    let mut begins = vec![game.tabled(&start, 0).numbers];
    let mut turns: Vec<Turn<G>> = Vec::new();
    let mut left = limits;
    while turns.len() < begins.len() {
        let Some(turn) = explore(game, begins[turns.len()], &mut begins, left)? else { return Ok(None) };
        left.states = left.states.saturating_sub(turn.part.len());
        left.bytes = left.bytes.saturating_sub(turn.part.bytes());
        turns.push(turn);
    }
    let steps = turns.iter().map(|turn| turn.part.len()).sum();
    let mut worths = vec![0.0; turns.len()];
    let (mut mean, mut error) = (0.0, f64::INFINITY);
    for _ in 0..ROUNDS {
        let value = |turn: &Turn<G>| {
            limits.tell(Progress::Explore { steps })?;
            Ok(turn.part.evaluate(&turn.worths(&worths).map(|worth| [worth]).collect::<Vec<_>>())[0])
        };
        let values: Vec<f64> = turns.iter().map(value).collect::<Result<_, ExactError>>()?;
        let changes = || values.iter().zip(&worths).map(|(value, worth)| value - worth);
        let (low, high) =
            (changes().fold(f64::INFINITY, f64::min), changes().fold(f64::NEG_INFINITY, f64::max));
        (mean, error) = (f64::midpoint(low, high), (high - low) / 2.0);
        if high - low < WIDTH {
            break;
        }
        worths = values.iter().map(|value| value - values[0]).collect();
    }
    let mut rows: Vec<_> = turns.iter().zip(&worths).map(|(turn, &worth)| (turn.numbers, worth)).collect();
    for turn in &turns {
        limits.tell(Progress::Explore { steps })?;
        let exits: Vec<_> = turn.worths(&worths).collect();
        for (state, worth) in turn.part.best_rolls(&exits) {
            let numbers = game.tabled(&state, 0).numbers;
            // Of a roll in several chance events only the first is a position of the table.
            let is_whole =
                matches!(game.tabled_roll(&numbers), Some(Node::Chance(whole, ..)) if whole == state);
            if is_whole && !rows.iter().any(|(known, _)| *known == numbers) {
                rows.push((numbers, worth));
            }
        }
    }
    in_order(&mut rows);
    Ok(Some(Turns { mean, error, rows }))
}

/// Sorts the rows by their numbers. Outside of what is generic, so that the sort is compiled once.
fn in_order(rows: &mut [(Numbers, f64)]) {
    rows.sort_by_key(|row| row.0);
}

/// Explores the turn that begins with these coordinates; new positions between turns are added to `begins`.
fn explore<G: Vocabulary>(
    game: &G,
    numbers: Numbers,
    begins: &mut Vec<Numbers>,
    limits: Limits<'_>,
) -> Result<Option<Turn<G>>, ExactError> {
    let Some(start @ Node::Chance(start_state, ..)) = game.tabled_roll(&numbers) else { return Ok(None) };
    let is_exit = |node: &NodeOf<G>| match node {
        Node::Chance(state, ..) => *state != start_state && game.tabled(state, 0).is_between,
        _ => false,
    };
    let part = explore_within(game, start, is_exit, limits)?;
    let exit = |node: &NodeOf<G>| match node {
        Node::Terminal(end) => (game.tabled(end, 0).scored as f64, None),
        Node::Chance(state, ..) | Node::Decision(state, _) => {
            let next = game.tabled(state, 0);
            let known = begins.iter().position(|begin| *begin == next.numbers);
            let number = known.unwrap_or_else(|| {
                begins.push(next.numbers);
                begins.len() - 1
            });
            (next.scored as f64, Some(number))
        }
    };
    let exits = part.exits.iter().map(exit).collect();
    Ok(Some(Turn { numbers, part, exits }))
}

/// A part of a game, within limits.
pub(super) fn explore_within<G: Game>(
    game: &G,
    start: NodeOf<G>,
    is_exit: impl Fn(&NodeOf<G>) -> bool,
    limits: Limits<'_>,
) -> Result<Part<G>, ExactError> {
    limits.explore(|watch| Part::explore_within(game, start, is_exit, watch))
}

impl<G: Game> Turn<G> {
    /// The values of the turn's exits, given those of the positions between turns.
    fn worths<'w>(&'w self, between: &'w [f64]) -> impl Iterator<Item = f64> + 'w {
        self.exits.iter().map(|&(scored, next)| scored + next.map_or(0.0, |next| between[next]))
    }
}
