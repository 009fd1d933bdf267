//! A variant of the rules, ready to play.

use std::sync::Arc;

use stopwise_analysis::balance::Measure;
use stopwise_erased::{AnyPolicy, AnyRules};

/// One variant of the rules.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) rules: Arc<dyn AnyRules>,
    /// The options that differ from the first variant's, as `turns 10 → 5`.
    pub(crate) changed: Vec<String>,
    pub(crate) policies: Vec<AnyPolicy>,
    pub(crate) measures: Vec<Measure>,
}
