//! Results to bytes: pure functions, one file a format.

pub(crate) mod manifest;
pub(crate) mod tables;
pub(crate) mod text;

use stopwise_engine::game::{Ending, Metric};
use stopwise_engine::tally::Tally;

/// What a simulation found, with all that names it.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) game: &'static str,
    pub(crate) rules: String,
    /// A label for every seat.
    pub(crate) policies: Vec<String>,
    pub(crate) metrics: &'static [Metric],
    pub(crate) endings: &'static [Ending],
    pub(crate) tally: Tally,
    pub(crate) seed: u64,
}

impl Found {
    /// Index of the metric `turns`.
    pub(crate) fn turns(&self) -> Option<usize> {
        self.metrics.iter().position(|metric| metric.name == "turns")
    }

    /// All policies in one cell: one label, or one for every seat where they differ.
    pub(crate) fn lineup(&self) -> String {
        match self.policies.split_first() {
            Some((first, rest)) if rest.iter().all(|label| label == first) => first.clone(),
            _ => self.policies.join(" / "),
        }
    }
}
