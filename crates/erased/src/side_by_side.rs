//! Line-ups that play many games side by side, as players: games as text, and Carcassonne.

use std::sync::Arc;

use stopwise_engine::arms::TrialRows;
use stopwise_engine::plan::Batch;
use stopwise_engine::side_by_side::{Feed, LanePlayer};
use stopwise_engine::tally::Tally;

/// A player whose games are counted in a tally for each of its line-ups, by what plays them.
pub(crate) struct Tallied<F> {
    pub(crate) tallies: Vec<Tally>,
    pub(crate) play: F,
}

impl<F: FnMut(&mut Feed<'_>, &mut [Tally], Option<TrialRows<'_>>)> LanePlayer for Tallied<F> {
    fn feed(&mut self, next: &mut Feed<'_>, rows: Option<TrialRows<'_>>) {
        (self.play)(next, &mut self.tallies, rows);
    }

    fn counted(&self) -> Batch {
        self.tallies.iter().map(Tally::counted).sum()
    }

    fn tallies(self: Box<Self>) -> Vec<Tally> {
        self.tallies
    }
}

/// The different policies of line-ups, and the numbers of those in every line-up.
pub(crate) fn numbered<P>(lineups: &[Vec<Arc<P>>]) -> (Vec<Arc<P>>, Vec<Vec<usize>>) {
    let mut policies: Vec<Arc<P>> = Vec::new();
    let mut number = |policy: &Arc<P>| {
        policies.iter().position(|known| Arc::ptr_eq(known, policy)).unwrap_or_else(|| {
            policies.push(Arc::clone(policy));
            policies.len() - 1
        })
    };
    let lineups = lineups.iter().map(|lineup| lineup.iter().map(&mut number).collect()).collect();
    (policies, lineups)
}
