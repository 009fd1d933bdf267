//! The columns that tables of measures share.

use std::sync::Arc;

use stopwise_document::Sheet;

use super::BalanceReport;
use crate::leading::Leading;

/// A row about a measure.
pub(super) trait IsMeasured: Leading {
    /// What it is a row of.
    fn balanced(&self) -> &BalanceReport;
    /// The name of the measure.
    fn measure(&self) -> Arc<str>;
    /// What one of the measure is.
    fn unit(&self) -> Arc<str>;
}

/// The columns that tables of measures share.
pub(super) trait MeasureColumns {
    /// Adds the measure, which means so much, and its unit.
    fn measure(self, meaning: &'static str) -> Self;
    /// Adds the number of trials, which is the last.
    fn trials(self) -> Self;
}

impl<R: IsMeasured> MeasureColumns for Sheet<R> {
    fn measure(self, meaning: &'static str) -> Self {
        let named = self.column("measure", "", meaning, |r| r.measure());
        named.column("unit", "", "what one of the measure is", |r| r.unit())
    }

    fn trials(self) -> Self {
        self.column("trials", "trials", "how many trials of each variant with each policy", |r| {
            r.balanced().trials
        })
    }
}

/// What most tables say of the measure.
pub(super) const MEASURED: &str = "what was measured";
/// What the column `policy` means where a policy plays against itself.
pub(super) const POLICY_IN_EVERY_SEAT: &str =
    "the policy with its parameters; in a game for several it plays in every seat";
/// What the column `method` means.
pub(super) const METHOD: &str = "how the interval is made";
/// What the column `together` means.
pub(super) const TOGETHER: &str = "how many intervals of the file hold together with probability 95 %";
