//! Exact values as data.

use std::sync::Arc;

use stopwise_analysis::exact::{ExactError, Limits, Objective, best_turns as solve_turns, solve as walk};
use stopwise_engine::games::Playable;
use stopwise_policy::{TextPolicy, write_table};

/// The exact mean of a metric of the first seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// Its bounds, which differ by the error of the iteration.
    pub bounds: [f64; 2],
    /// The middle of the bounds.
    pub value: f64,
    /// Half the width of the bounds.
    pub error: f64,
    /// Positions remembered.
    pub states: usize,
    /// Stages in which positions return.
    pub cyclic_stages: usize,
    /// The positions before a roll, if few are remembered.
    pub positions: Vec<Position>,
}

/// A position before a roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// What lies where, one entry a place.
    pub places: Vec<(&'static str, String)>,
    /// The bounds of its value.
    pub bounds: [f64; 2],
}

/// The best turns of a game whose turns can be solved by themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct BestTurns {
    /// The mean score of a turn in the long run.
    pub mean: f64,
    /// How far the mean may be off.
    pub error: f64,
    /// Positions before a roll in the table.
    pub rows: usize,
    /// The table as a policy file holds it.
    pub table: String,
}

pub(crate) fn solve<G: Playable>(
    rules: &G,
    seats: &[Option<Arc<TextPolicy<G>>>],
    metric: usize,
    limits: Limits<'_>,
    listed: usize,
) -> Result<Solved, ExactError> {
    let seats: Vec<_> = seats.iter().map(Option::as_deref).collect();
    let found = walk(rules, &seats, Objective::new(rules, metric), limits)?;
    let position = |(state, bounds)| Position { places: rules.describe_state(&state), bounds };
    Ok(Solved {
        bounds: found.value,
        value: found.middle(),
        error: found.error(),
        states: found.states,
        cyclic_stages: found.cyclic_stages,
        positions: if found.states <= listed { found.rolls().map(position).collect() } else { Vec::new() },
    })
}

pub(crate) fn best_turns<G: Playable>(
    rules: &G,
    limits: Limits<'_>,
) -> Result<Option<BestTurns>, ExactError> {
    let Some(turns) = solve_turns(rules, limits)? else { return Ok(None) };
    let (mean, error, rows) = (turns.mean, turns.error, turns.rows.len());
    Ok(Some(BestTurns { mean, error, rows, table: write_table(rules, &turns.rows) }))
}
