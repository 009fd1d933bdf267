//! What trials come to, whichever way they are counted: exact integers, so that parts of a run merge to the whole of it.
//!
//! Check points are texts of gigabytes at worst: what writes and reads them is compiled here, with optimisation.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use stopwise_engine::arms::Products;
use stopwise_engine::paired::{PairTally, PairedTally};
use stopwise_engine::tally::Tally;

/// The number of pairs that a thread writes at a time.
const PAIRS: usize = 64;

/// The number of pairs above which their counts are large: one has some ten kilobytes of text.
const MANY: usize = 10_000;

/// Counts of trials. Merging is associative and commutative.
pub trait Counted: Send + 'static {
    /// How it is called where it is kept.
    const KIND: &'static str;

    /// Finished trials.
    fn trials(&self) -> u64;

    /// Adds the counts of other trials of the same play.
    fn merge(&mut self, other: &Self);

    /// The counts as JSON; `None` if they are large and `goes_on` says no.
    fn text(&self, goes_on: &(dyn Fn() -> bool + Sync)) -> Option<String>;

    /// Whether their text is so large that it takes seconds to write, which a run that is to end at once has not.
    fn is_large(&self) -> bool {
        false
    }

    /// The counts of a text; `None` if it is none of such counts.
    fn of_text(text: &str) -> Option<Self>
    where
        Self: Sized;
}

/// The text of what can be written, as everything here can.
fn json(counts: &impl Serialize) -> String {
    serde_json::to_string(counts).expect("counts are numbers and lists")
}

/// What counts of plain numbers have in common.
macro_rules! plain {
    ($kind:literal, |$counts:ident| $trials:expr) => {
        const KIND: &'static str = $kind;

        fn trials(&self) -> u64 {
            let $counts = self;
            $trials
        }

        fn text(&self, _: &(dyn Fn() -> bool + Sync)) -> Option<String> {
            Some(json(self))
        }

        fn of_text(text: &str) -> Option<Self> {
            serde_json::from_str(text).ok()
        }
    };
}

/// What the tables of a round robin came to, each after as many games.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Seated {
    /// Of each table.
    pub games: u64,
    /// Of each table the games with a winner, and those that the policy with one seat won: in parts of a win, where those who
    /// tie share it.
    pub tables: Vec<(u64, u64)>,
}

impl Counted for Seated {
    plain!("tables", |counts| counts.games);

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
    plain!("tallies", |counts| counts.iter().map(|tally| tally.trials).sum());

    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(tally, more)| tally.merge(more));
    }
}

impl Counted for PairedTally {
    const KIND: &'static str = "pairs";

    fn trials(&self) -> u64 {
        self.trials()
    }

    fn is_large(&self) -> bool {
        self.pairs.len() > MANY
    }

    fn merge(&mut self, other: &Self) {
        self.merge(other);
    }

    fn text(&self, goes_on: &(dyn Fn() -> bool + Sync)) -> Option<String> {
        let of_some = |pairs: &[PairTally]| {
            let mut text = json(&pairs);
            // Without its brackets.
            text.pop();
            text.remove(0);
            (!self.is_large() || goes_on()).then_some(text)
        };
        let pairs = self.pairs.par_chunks(PAIRS).map(of_some).collect::<Option<Vec<_>>>()?;
        let mut text = format!("{{\"arms\":{},\"pairs\":[", json(&self.arms));
        text.reserve(pairs.iter().map(|pairs| pairs.len() + 1).sum::<usize>() + 2);
        for (at, some) in pairs.iter().enumerate() {
            if self.is_large() && !goes_on() {
                return None;
            }
            text.push_str(if at == 0 { "" } else { "," });
            text.push_str(some);
        }
        text.push_str("],\"games\":");
        text.push_str(&json(&self.games));
        text.push('}');
        Some(text)
    }

    fn of_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

impl Counted for Products {
    plain!("products", |counts| counts.trials);

    fn merge(&mut self, other: &Self) {
        self.merge(other);
    }
}
