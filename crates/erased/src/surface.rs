//! The chart of the answers to a yes/no decision: where best play says yes, and where policies do.

use std::sync::Arc;

use stopwise_analysis::exact::Solution;
use stopwise_engine::game::{Action, Actions, Policy as _, Question};
use stopwise_engine::games::Playable;
use stopwise_engine::vocabulary;
use stopwise_policy::TextPolicy;

/// The most levels of each of two features, and of one.
const LEVELS: usize = 100;
const LEVELS_OF_ONE: usize = 400;
/// Answers whose values differ by less than this are equally good: values are exact to about 10⁻¹¹.
const EQUAL: f64 = 1e-10;

/// The least value of a feature at which the answer to a decision is yes, over one or two other features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The title of the chart.
    pub title: &'static str,
    /// The index of the kind of decision.
    pub kind: usize,
    /// The feature from top to bottom, with its levels.
    pub rows: (Side, Vec<i64>),
    /// The feature from left to right, with its levels; `None` if there is one column.
    pub columns: Option<(Side, Vec<i64>)>,
    /// The feature whose least value the cells hold.
    pub rising: Side,
    /// The cells of best play.
    pub best: Cells,
    /// The cells of every policy; `None` for a policy that reads other features.
    pub policies: Vec<Option<Cells>>,
}

/// A decision of which a chart shows how often the answer is yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charted {
    /// The title of the chart.
    pub title: &'static str,
    /// The index of the kind of decision.
    pub kind: usize,
    /// The feature from top to bottom.
    pub row: Side,
    /// The feature from left to right.
    pub column: Side,
}

/// A feature of the chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Its name in policies.
    pub name: &'static str,
    /// Its name in the chart.
    pub title: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
}

/// Row by row; `None` if play does not reach the cell, or the answer is never yes.
pub type Cells = Vec<Vec<Option<i64>>>;

pub(crate) fn charted<G: Playable>(rules: &G) -> Option<Charted> {
    let vocabulary::Frequency { title, kind, row, column } = rules.frequency()?;
    let features = rules.features();
    Some(Charted { title, kind, row: named(&features, row), column: named(&features, column) })
}

fn named(features: &[vocabulary::Feature], side: vocabulary::Side) -> Side {
    Side { name: features[side.feature].name, title: side.title, unit: side.unit }
}

pub(crate) fn drawn<G: Playable>(
    rules: &G,
    solution: &Solution<G>,
    policies: &[Arc<TextPolicy<G>>],
) -> Option<Drawn> {
    let surface = rules.surface()?;
    let features = rules.features();
    let most = if surface.column.is_some() { LEVELS } else { LEVELS_OF_ONE };
    let levels = |side: vocabulary::Side| {
        let feature = &features[side.feature];
        let every = usize::try_from(feature.high - feature.low + 1).unwrap_or(1).div_ceil(most).max(1);
        (named(&features, side), (feature.low..=feature.high).step_by(every).collect::<Vec<_>>())
    };
    let rows = levels(surface.row);
    let columns = surface.column.map(levels);
    let rising = &features[surface.rising.feature];
    let question = Question { seat: 0, kind: surface.kind, actions: Actions::YES_NO };

    // A cell: the least value of best play, and those of the policies.
    let cell = |row: i64, column: i64| {
        let states = || {
            (rising.low..=rising.high)
                .filter_map(|value| Some((value, rules.surface_state([row, column, value])?)))
        };
        let is_best = |&(_, state): &(i64, G::State)| {
            solution.worths(state, question).is_some_and(|worths| worths[1] >= worths[0] - EQUAL)
        };
        let best = states().find(is_best).map(|(value, _)| value);
        let of = |policy: &Arc<TextPolicy<G>>| {
            let says_yes =
                |&(_, state): &(i64, G::State)| policy.choose(rules, state, question) == Action::YES;
            // Where best play never comes, no policy does.
            best.and_then(|_| states().find(says_yes)).map(|(value, _)| value)
        };
        (best, policies.iter().map(of).collect::<Vec<_>>())
    };
    let across = columns.as_ref().map_or_else(|| vec![0], |(_, levels)| levels.clone());
    let cells: Vec<Vec<_>> =
        rows.1.iter().map(|&row| across.iter().map(|&column| cell(row, column)).collect()).collect();
    let pick = |at: Option<usize>| -> Cells {
        let value = |(best, others): &(Option<i64>, Vec<Option<i64>>)| at.map_or(*best, |at| others[at]);
        cells.iter().map(|row| row.iter().map(value).collect()).collect()
    };
    let of = |(at, policy): (usize, &Arc<TextPolicy<G>>)| {
        (policy.memory() == 0 && !policy.is_mixed()).then(|| pick(Some(at)))
    };
    Some(Drawn {
        title: surface.title,
        kind: surface.kind,
        best: pick(None),
        policies: policies.iter().enumerate().map(of).collect(),
        rows,
        columns,
        rising: named(&features, surface.rising),
    })
}
