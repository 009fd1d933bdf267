//! What trials come to, whichever way they are counted: exact integers, so that parts of a run merge to the whole of it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use stopwise_engine::arms::Products;
use stopwise_engine::lead::Leads;
use stopwise_engine::paired::PairedTally;
use stopwise_engine::tally::Tally;

/// Counts of trials. Merging is associative and commutative.
pub(crate) trait Counted: Serialize + DeserializeOwned + Send + 'static {
    /// How it is called where it is kept.
    const KIND: &'static str;

    /// Finished trials.
    fn trials(&self) -> u64;

    /// Adds the counts of other trials of the same play.
    fn merge(&mut self, other: &Self);
}

/// What the tables of a round robin came to, each after as many games.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Seated {
    /// Of each table.
    pub(crate) games: u64,
    /// Of each table the games with a winner, and those that the policy with one seat won.
    pub(crate) tables: Vec<(u64, u64)>,
}

impl Counted for Seated {
    const KIND: &'static str = "tables";

    fn trials(&self) -> u64 {
        self.games
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        for ((decided, wins), more) in self.tables.iter_mut().zip(&other.tables) {
            *decided += more.0;
            *wins += more.1;
        }
    }
}

/// A tally for each of the line-ups that take turns.
impl Counted for Vec<Tally> {
    const KIND: &'static str = "tallies";

    fn trials(&self) -> u64 {
        self.iter().map(|tally| tally.trials).sum()
    }

    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(tally, more)| tally.merge(more));
    }
}

impl Counted for PairedTally {
    const KIND: &'static str = "pairs";

    fn trials(&self) -> u64 {
        self.trials()
    }

    fn merge(&mut self, other: &Self) {
        self.merge(other);
    }
}

impl Counted for Products {
    const KIND: &'static str = "products";

    fn trials(&self) -> u64 {
        self.trials
    }

    fn merge(&mut self, other: &Self) {
        self.merge(other);
    }
}

impl Counted for Leads {
    const KIND: &'static str = "leads";

    fn trials(&self) -> u64 {
        self.trials
    }

    fn merge(&mut self, other: &Self) {
        self.merge(other);
    }
}
