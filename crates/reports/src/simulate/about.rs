//! The leading columns of a simulation's tables: game, rules, policy and seat.

use std::sync::Arc;

use stopwise_analysis::seats::Standing;
use stopwise_document::Sheet;

use super::SimulationReport;
use crate::leading;

/// What the rows of a table are about.
#[derive(Clone, Debug)]
pub(super) struct RowContext {
    pub(super) game: Arc<str>,
    pub(super) rules: Arc<str>,
    pub(super) policy: Arc<str>,
    pub(super) seat: Option<usize>,
}

impl RowContext {
    pub(super) fn of(found: &SimulationReport, standing: &Standing) -> Self {
        Self {
            game: found.game.into(),
            rules: found.rules.as_str().into(),
            policy: found.policies[standing.policy].as_str().into(),
            seat: standing.seat.map(|seat| seat + 1),
        }
    }

    /// Of all seats together.
    pub(super) fn of_all(found: &SimulationReport) -> Self {
        Self {
            game: found.game.into(),
            rules: found.rules.as_str().into(),
            policy: found.lineup().into(),
            seat: None,
        }
    }
}

/// A table that begins with the columns that say what its rows are about: a policy in a seat, or in all of its seats.
pub(super) fn sheet<R>(
    file: &'static str,
    about: impl Fn(&R) -> &RowContext + Copy + Send + Sync + 'static,
) -> Sheet<R> {
    let seat = "from 1; empty where policies are rotated and the row is about all seats together";
    of_columns(file, about, ["the policy with its parameters", seat])
}

/// The same of a table with rows of `length`.
pub(super) fn sheet_of_games<R>(
    file: &'static str,
    about: impl Fn(&R) -> &RowContext + Copy + Send + Sync + 'static,
) -> Sheet<R> {
    let policy = "the policy with its parameters; of `length` those of all seats";
    let seat = "from 1; empty where policies are rotated and the row is about all seats together, and of `length`, the turns of all";
    of_columns(file, about, [policy, seat])
}

fn of_columns<R>(
    file: &'static str,
    about: impl Fn(&R) -> &RowContext + Copy + Send + Sync + 'static,
    [policy, seat]: [&'static str; 2],
) -> Sheet<R> {
    leading::sheet(file, move |r| about(r).game.clone(), move |r| about(r).rules.clone())
        .column("policy", "", policy, move |r| about(r).policy.clone())
        .column("seat", "", seat, move |r| about(r).seat)
}
