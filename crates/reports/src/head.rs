//! The first facts of every run, by the same names whatever the command.

use stopwise_document::Report;
use stopwise_engine::stream::SCHEME;

/// Who played what, and how often.
#[derive(Debug)]
pub(super) struct Head<'h> {
    pub(super) game: &'static str,
    pub(super) rules: &'h str,
    /// The line-up, if one alone played.
    pub(super) policy: Option<String>,
    /// How many were compared.
    pub(super) policies: Option<usize>,
    pub(super) seats: usize,
    pub(super) is_rotated: bool,
    pub(super) trials: u64,
    pub(super) seed: u64,
}

impl Head<'_> {
    /// Adds the facts.
    pub(super) fn put_into(self, report: &mut Report) {
        report.fact("game", self.game);
        report.fact("rules", self.rules);
        if let Some(policy) = self.policy {
            report.fact("policy", policy);
        }
        if let Some(policies) = self.policies {
            report.fact("policies", policies);
        }
        report.fact("seats", self.seats);
        report.fact("rotated", self.is_rotated);
        report.fact("trials", self.trials);
        report.fact("seed", self.seed);
        report.fact("stream_scheme", u64::from(SCHEME));
    }
}
