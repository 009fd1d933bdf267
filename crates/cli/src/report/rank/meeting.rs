//! Two policies of a round robin.

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::rank::{RoundRobin, Table, Verdict};

use super::{By, RankReport};

/// Policies of a matrix at most: with more it is too wide for a page.
pub(super) const MOST: usize = 60;

/// Policy A with one seat against policy B in the others.
#[derive(Debug)]
pub(super) struct Meeting<'r> {
    pub(super) policies: [&'r str; 2],
    /// Their numbers.
    pub(super) numbers: [usize; 2],
    /// Their table; with two seats the same for A against B and B against A.
    pub(super) table: Table,
    pub(super) first_trial: u64,
    pub(super) share: Option<Estimate>,
    pub(super) lead: Option<Estimate>,
    pub(super) effect: Option<Estimate>,
    pub(super) verdict: Verdict,
}

impl RankReport {
    /// All pairs of a round robin, in the order of the ranking; empty for a race.
    pub(super) fn meetings(&self) -> Vec<Meeting<'_>> {
        let By::RoundRobin(robin) = &self.by else { return Vec::new() };
        let order = &self.ranking.order;
        let pairs = order.iter().flat_map(|&a| order.iter().map(move |&b| (a, b)));
        pairs.filter(|(a, b)| a != b).filter_map(|(a, b)| self.meeting(robin, a, b)).collect()
    }

    fn meeting(&self, robin: &RoundRobin, a: usize, b: usize) -> Option<Meeting<'_>> {
        let is_it = |table: &Table| {
            (table.one, table.others) == (a, b) || (self.seats == 2 && (table.one, table.others) == (b, a))
        };
        let at = robin.tables().iter().position(is_it)?;
        let verdict = match (robin.beats(a, b), robin.beats(b, a)) {
            (true, _) => Verdict::A,
            (_, true) => Verdict::B,
            _ => Verdict::Open,
        };
        Some(Meeting {
            policies: [a, b].map(|number| self.labels[number].as_str()),
            numbers: [a, b],
            table: robin.tables()[at],
            first_trial: at as u64 * Table::TRIALS,
            share: robin.share(a, b),
            lead: robin.lead(a, b),
            effect: robin.effect(a, b),
            verdict,
        })
    }
}

/// The steps of a cycle: each policy with the next, the last with the first.
pub(super) fn steps(cycle: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    cycle.iter().enumerate().map(|(at, &a)| [a, cycle[(at + 1) % cycle.len()]])
}
