//! What columns of several tables mean, and how their numbers are written.

use stopwise_document::Real;

/// What most tables say of the measure.
pub(super) const MEASURED: &str = "what was measured";
/// What the column `unit` means.
pub(super) const UNIT: &str = "what one of the measure is";
/// What the column `policy` means where a policy plays against itself.
pub(super) const POLICY_IN_EVERY_SEAT: &str =
    "the policy with its parameters; in a game for several it plays in every seat";
/// What the column `method` means.
pub(super) const METHOD: &str = "how the interval is made";
/// What the column `together` means.
pub(super) const TOGETHER: &str = "how many intervals of the file hold together with probability 95 %";
/// What the column `trials` means, which is the last.
pub(super) const TRIALS: &str = "how many trials of each variant with each policy";

/// Shares with nine decimals, everything else with six.
pub(super) const fn figure(value: f64, is_share: bool) -> Real {
    if is_share { Real::share(value) } else { Real::number(value) }
}

/// The same, empty where nothing is known.
pub(super) fn maybe(value: Option<f64>, is_share: bool) -> Option<Real> {
    value.map(|value| figure(value, is_share))
}
