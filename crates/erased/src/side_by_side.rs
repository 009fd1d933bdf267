//! Line-ups that play many games side by side, as players: games as text, and Carcassonne.

use stopwise_engine::arms::TrialRows;
use stopwise_engine::plan::Batch;
use stopwise_engine::side_by_side::{Feed, LanePlayer};
use stopwise_engine::tally::Tally;

/// A line-up whose games are counted in a tally, by what plays them.
pub(crate) struct Tallied<F> {
    pub(crate) tally: Tally,
    pub(crate) play: F,
}

impl<F: FnMut(&mut Feed<'_>, &mut Tally, Option<TrialRows<'_>>)> LanePlayer for Tallied<F> {
    fn feed(&mut self, next: &mut Feed<'_>, rows: Option<TrialRows<'_>>) {
        (self.play)(next, &mut self.tally, rows);
    }

    fn counted(&self) -> Batch {
        self.tally.counted()
    }

    fn tally(self: Box<Self>) -> Tally {
        self.tally
    }
}
