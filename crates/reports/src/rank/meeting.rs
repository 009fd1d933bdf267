//! Two policies of a round robin.

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::rank::{Matchup, RoundRobin, Verdict};

use super::RankReport;

/// Policies of a matrix at most: with more it is too wide for a page.
pub(super) const MOST: usize = 60;

/// Policy A with one seat against policy B in the others.
#[derive(Debug)]
pub(super) struct Meeting<'r> {
    pub(super) policies: [&'r str; 2],
    /// Their table; with two seats the same for A against B and B against A.
    pub(super) table: Matchup,
    pub(super) first_trial: u64,
    pub(super) share: Option<Estimate>,
    pub(super) lead: Option<Estimate>,
    pub(super) effect: Option<Estimate>,
    pub(super) verdict: Verdict,
}

impl RankReport {
    /// The policy of a place, from 0, against each of the others, in the order of the ranking.
    pub(super) fn meetings<'r>(
        &'r self,
        robin: &'r RoundRobin,
        place: usize,
    ) -> impl Iterator<Item = Meeting<'r>> {
        let order = &self.ranking.order;
        let a = order[place];
        order.iter().filter(move |&&b| a != b).map(move |&b| self.meeting(robin, a, b))
    }

    /// Policy A against policy B.
    pub(super) fn meeting(&self, robin: &RoundRobin, a: usize, b: usize) -> Meeting<'_> {
        let at = robin.table_of(a, b);
        let verdict = match (robin.beats(a, b), robin.beats(b, a)) {
            (true, _) => Verdict::A,
            (_, true) => Verdict::B,
            _ => Verdict::Open,
        };
        Meeting {
            policies: [a, b].map(|number| self.labels[number].as_str()),
            table: robin.tables()[at],
            first_trial: at as u64 * Matchup::TRIALS,
            share: robin.share(a, b),
            lead: robin.lead(a, b),
            effect: robin.effect(a, b),
            verdict,
        }
    }
}

/// The steps of a cycle: each policy with the next, the last with the first.
pub(super) fn steps(cycle: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    cycle.iter().enumerate().map(|(at, &a)| [a, cycle[(at + 1) % cycle.len()]])
}
