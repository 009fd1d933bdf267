//! The columns with which the tables of measures begin, and the one with which they end.

use stopwise_report::{Cell, Column, column};

use super::BalanceReport;
use crate::leading::{Leading, after_game_and_rules};

/// A row about a measure.
pub(super) trait IsMeasured: Leading {
    /// What it is a row of.
    fn balanced(&self) -> &BalanceReport;
    /// The name of the measure.
    fn measure(&self) -> Cell;
    /// What one of the measure is.
    fn unit(&self) -> Cell;
}

/// Game and rules, `who`, the measure, which means so much, and its unit; then the table's own columns, and the trials.
pub(super) fn of_measures<R: IsMeasured>(
    mut who: Vec<Column<R>>,
    measure: &'static str,
    own: Vec<Column<R>>,
) -> Vec<Column<R>> {
    who.push(column("measure", "", measure, R::measure));
    who.push(column("unit", "", "what one of the measure is", R::unit));
    who.extend(own);
    who.push(column("trials", "trials", "how many trials of each variant with each policy", |r: &R| {
        r.balanced().trials.into()
    }));
    after_game_and_rules(who)
}

/// What most tables say of the measure.
pub(super) const MEASURED: &str = "what was measured";

/// The policy that plays in every seat.
pub(super) fn policy_in_every_seat<R>(of: fn(&R) -> Cell) -> Column<R> {
    column("policy", "", "the policy with its parameters; in a game for several it plays in every seat", of)
}

/// How the interval is made.
pub(super) fn method<R>(of: fn(&R) -> Cell) -> Column<R> {
    column("method", "", "how the interval is made", of)
}

/// How many intervals hold together.
pub(super) fn together<R>(of: fn(&R) -> Cell) -> Column<R> {
    column("together", "", "how many intervals of the file hold together with probability 95 %", of)
}
