//! The terms in which policies refer to a game: features of a state, and predicates on candidate actions.
//!
//! # Why conditions are tabulated
//!
//! A game may map a state to a small number, the table key, that fixes its small features (CarboniteDice: turn,
//! Counter, last piece from the Vault; Pig: turn total and both scores). A condition on these features is one table
//! look-up, whatever its text. Other conditions become flat code over exact integers. Ranges are known when a policy is
//! loaded, so overflow and division by zero are errors then and cannot happen later.
//!
//! The column of the key changes with the last roll. The row is known before the dice fall, so that looking it up
//! delays nothing. The fine row is the part of the row on which most conditions depend. If a list's predicates depend
//! on little of a question (in CarboniteDice the candidates' colour), the whole list is a table over the candidate key.

mod candidates;
mod effects;
mod formula;
mod position;
mod prose;
mod scene;

pub(crate) use candidates::Kept;
pub use candidates::{Candidate, CandidateColumn, Candidates, candidate_columns};
pub use effects::effects;
pub use formula::{Answering, Formula, List, Operation, Preference, Reads};
pub use position::{Parts, Position, PositionError, each, read_position, write_position};
pub use prose::{
    Cause, NO_SKETCH, Prose, Rolled, Sketch, Transition, counted, grouped, in_units, listed, seats_in_words,
    with_worth, worth_in_words,
};
pub use scene::{Grid, GridRow, Scene};

use crate::game::{Action, Game, NodeOf, Question, Seat};
pub use crate::info::Predicate;

/// A number that a policy can read in a state at any decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name in a policy file.
    pub name: &'static str,
    /// Its meaning, as a noun phrase.
    pub meaning: &'static str,
    /// Its unit, or nothing.
    pub unit: &'static str,
    /// The least value it can take under these rules, times the denominator.
    pub low: i64,
    /// The greatest value, times the denominator.
    pub high: i64,
    /// 1 for whole numbers; for a chance, in how many parts it is counted.
    pub denominator: i64,
    /// Whether it is a yes or no: 1 is yes, 0 is no.
    pub is_truth: bool,
    /// 0 if the future of the game depends on it anyway; otherwise the bit of memory that it needs (see
    /// [`Game::forget`]).
    pub memory: u32,
}

/// A number, or a yes or no, that a policy can read of every candidate of the questions of one kind. It has the name of
/// the kind if it is the number that is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateNumber {
    /// The index of the kind of decision.
    pub kind: usize,
    /// Its name, meaning and range, and the memory that it needs.
    pub number: Feature,
}

impl CandidateNumber {
    /// A whole number from 0 that needs no memory and has no unit.
    pub fn count(kind: usize, name: &'static str, meaning: &'static str, most: impl Into<i64>) -> Self {
        let (high, unit) = (most.into(), "");
        let number =
            Feature { name, meaning, unit, low: 0, high, denominator: 1, is_truth: false, memory: 0 };
        Self { kind, number }
    }

    /// The same number with a unit.
    #[must_use]
    pub fn in_units(mut self, unit: &'static str) -> Self {
        self.number.unit = unit;
        self
    }
}

/// Candidates that a player hardly ever wants while there are others, for warnings about preference lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caution {
    /// The index of the kind of decision.
    pub kind: usize,
    /// The index of a predicate that holds for the better candidates, and for no worse one.
    pub better: usize,
    /// The index of a predicate that holds for the worse candidates, and for no better one.
    pub worse: usize,
    /// The predicates that hold for no worse candidate, as bits.
    pub never: u32,
    /// The effect of a list that prefers a worse candidate to a better one, as a continuation of "this list".
    pub message: &'static str,
}

/// The most predicates a game may have.
pub const MAX_PREDICATES: usize = 16;

/// The features of small range over which conditions are tabulated, as an index into a table. The column changes with
/// every decision; the row is known before the dice fall, so that looking it up delays nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableKey {
    /// The part that changes more slowly.
    pub row: usize,
    /// The part that a policy waits for. Conditions are cheapest if they turn from no to yes as it grows.
    pub column: usize,
}

/// Where a feature is found: bits of a word of the state, times a number, and another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureBits {
    /// The word.
    pub word: u8,
    /// The lowest of its bits.
    pub shift: u8,
    /// These bits, from the lowest on.
    pub mask: u64,
    /// What the bits are multiplied by.
    pub factor: i64,
    /// What is added then.
    pub plus: i64,
}

/// The part of a question of items that determines which candidate a list prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateKey {
    /// A small number, equal for questions that differ only by a shift of the actions.
    pub digest: usize,
    /// The shift of this question's actions.
    pub base: u32,
}

/// The largest number of coordinates of a position in a value table.
pub const MAX_TABLED: usize = 8;

/// The coordinates of a position in a value table. [`Info::tabled`](crate::info::Info::tabled) names those that are used; the rest are 0.
pub type Numbers = [u16; MAX_TABLED];

/// How a value table sees a position in which dice are about to be rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tabled {
    /// Its coordinates; between two turns, coordinates that belong to no roll.
    pub numbers: Numbers,
    /// Whether a turn of the seat is over, and no new one has begun.
    pub is_between: bool,
    /// The points of the seat so far.
    pub scored: u64,
}

/// A mask of actions for every predicate.
pub type Masks = [u64; MAX_PREDICATES];

/// A chart of the answers to a yes/no decision: over one or two features, the least value of another feature at which
/// the answer is yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// The title of the chart.
    pub title: &'static str,
    /// The index of the kind of decision.
    pub kind: usize,
    /// The feature from top to bottom.
    pub row: Side,
    /// The feature from left to right; without it there is one column.
    pub column: Option<Side>,
    /// The feature whose least value is drawn.
    pub rising: Side,
}

/// A chart of a yes/no decision: over two features, how often the answer is yes in the positions that play reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frequency {
    /// The title of the chart.
    pub title: &'static str,
    /// The index of the kind of decision.
    pub kind: usize,
    /// The feature from top to bottom.
    pub row: Side,
    /// The feature from left to right.
    pub column: Side,
}

/// A side of a [`Surface`] or of a [`Frequency`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The index of the feature.
    pub feature: usize,
    /// Its name in the chart.
    pub title: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
}

/// The features and predicates of a game. With them the game plays policies written as text. [`Tabulation`] makes that
/// faster; most games leave it empty or add it later.
pub trait Vocabulary: Tabulation {
    /// The features, with their ranges under these rules.
    fn features(&self) -> Vec<Feature>;

    /// The value of feature `index` times its denominator.
    fn feature(&self, state: Self::State, index: usize) -> i64;

    /// [`Vocabulary::feature`] without a copy of the state, for games whose states are large.
    #[inline(always)]
    fn feature_in_place(&self, state: &Self::State, index: usize) -> i64 {
        self.feature(*state, index)
    }

    /// [`Vocabulary::feature`] for features that take longer to compute.
    fn slow_feature(&self, state: &Self::State, index: usize) -> i64;

    /// Calls `tell` with the index and the value (times its denominator) of every feature in `wanted`, a set of bits,
    /// in order.
    #[inline(always)]
    fn each_feature(&self, state: Self::State, wanted: u64, tell: &mut impl FnMut(usize, i64)) {
        let mut left = wanted;
        while left != 0 {
            let index = left.trailing_zeros() as usize;
            tell(index, self.feature(state, index));
            left &= left - 1;
        }
    }

    /// Warnings about preference lists under these rules.
    fn cautions(&self) -> Vec<Caution> {
        Vec::new()
    }

    /// The chart of the answers to a yes/no decision under these rules, if they depend on few enough features.
    fn surface(&self) -> Option<Surface> {
        None
    }

    /// The chart of the frequency of yes in a decision, for games without a [`Vocabulary::surface`].
    fn frequency(&self) -> Option<Frequency> {
        None
    }

    /// The state of the chart's decision in which its features (row, column, rising) have these values, without memory;
    /// the column is 0 if the chart has none. `None` if there is no such state.
    fn surface_state(&self, values: [i64; 3]) -> Option<Self::State> {
        let _ = values;
        None
    }

    /// For every predicate in `wanted` (bit *i* for predicate *i*), the mask of actions for which it holds in a
    /// decision of `kind`. Bits of actions that are not candidates, and masks of predicates that are not wanted, are
    /// undefined. All are computed at once, because they share most of their work and a policy picks them by index.
    fn predicates(&self, state: Self::State, kind: usize, wanted: u32) -> Masks;

    /// The same for a question, of whose candidates alone something is asked.
    #[inline(always)]
    fn predicates_of(&self, state: Self::State, question: Question, wanted: u32) -> Masks {
        self.predicates(state, question.kind, wanted)
    }

    /// Whether questions of a kind are asked under these rules. Where they are not, their words may be missing.
    fn is_asked(&self, kind: usize) -> bool {
        let _ = kind;
        true
    }

    /// The predicates that have a meaning in questions of a kind, as bits.
    fn known_predicates(&self, kind: usize) -> u32 {
        let _ = kind;
        u32::MAX
    }

    /// The numbers of candidates, with their ranges under these rules.
    fn candidate_numbers(&self) -> Vec<CandidateNumber> {
        Vec::new()
    }

    /// Number `index` of [`Vocabulary::candidate_numbers`] times its denominator, of a candidate of a question of its kind
    /// in this state.
    fn candidate_number(&self, state: &Self::State, candidate: Action, index: usize) -> i64 {
        let _ = (state, candidate, index);
        0
    }

    /// The variables of a state as columns of whole numbers, as a player sees them who is asked, with their ranges; 0 where
    /// one holds nothing. What is of players begins with the one who is asked. `None` if a game does not tell them.
    fn variables(&self) -> Option<Vec<Feature>> {
        None
    }

    /// Writes their values in a state in which a seat is asked, one element for each of [`Vocabulary::variables`].
    fn write_variables(&self, state: &Self::State, seat: Seat, row: &mut [f32]) {
        let _ = (state, seat, row);
    }
}

/// How conditions, lists and the values of turns are tabulated. This is an optimisation: a game without it computes conditions
/// and lists at every decision, and has no best turns as a policy.
pub trait Tabulation: Game {
    /// The number of rows and of columns of keys under these rules; 0 rows if nothing is tabulated.
    fn digests(&self) -> (usize, usize) {
        (0, 0)
    }

    /// The key of a state, each part below that of [`Tabulation::digests`]. It fixes the features of
    /// [`Tabulation::is_digested`]; conditions on those features are tabulated over it.
    fn digest(&self, state: Self::State) -> TableKey {
        let _ = state;
        TableKey { row: 0, column: 0 }
    }

    /// The number of fine rows, at least 1 if there are rows: [`Tabulation::fine_row`] is the row modulo this.
    fn fine_rows(&self) -> usize {
        self.digests().0
    }

    /// The part of the key's row that most conditions depend on. Conditions that depend on no more never compute the
    /// rest.
    fn fine_row(&self, state: Self::State) -> usize {
        self.digest(state).row
    }

    /// Some state with this key, if there is one.
    fn with_digest(&self, digest: TableKey) -> Option<Self::State> {
        let _ = digest;
        None
    }

    /// Whether the key fixes feature `index`.
    fn is_digested(&self, index: usize) -> bool {
        let _ = index;
        false
    }

    /// Whether the fine row and the column fix feature `index`: the state of the key with this fine row as its row has the
    /// same value, and there is one wherever a key has a state. Conditions on such features alone are tabulated over the
    /// fine rows once.
    fn is_fine(&self, index: usize) -> bool {
        let _ = index;
        false
    }

    // Features that are bits of a state, of games that are known when they run.

    /// The number of moments: where features are found depends on the moment, and it alone.
    fn moments(&self) -> usize {
        0
    }

    /// The moment of a state.
    fn moment(&self, state: &Self::State) -> usize {
        let _ = state;
        0
    }

    /// Where a feature is found at a moment, if it is bits.
    fn bits_of(&self, moment: usize, index: usize) -> Option<FeatureBits> {
        let _ = (moment, index);
        None
    }

    /// The bits, as they are in a state.
    fn bits(&self, state: &Self::State, of: &FeatureBits) -> i64 {
        let _ = (state, of);
        0
    }

    /// The predicates that the key of [`Tabulation::local`] fixes in questions of a kind, as bits.
    fn local_predicates(&self, kind: usize) -> u32 {
        let _ = kind;
        0
    }

    /// The number of candidate keys of questions of a kind: 0 if it has none.
    fn locals(&self, kind: usize) -> usize {
        let _ = kind;
        0
    }

    /// The candidate key of a question, if little of the state distinguishes its candidates. Lists of predicates that
    /// the key fixes are tabulated over it.
    fn local(&self, state: Self::State, question: Question) -> Option<CandidateKey> {
        let _ = (state, question);
        None
    }

    /// Some state and question of a kind with this key and a base of 0, if there is one.
    fn with_local(&self, kind: usize, digest: usize) -> Option<(Self::State, Question)> {
        let _ = (kind, digest);
        None
    }

    // Value tables of positions within a turn, of games whose turns can be solved by themselves.

    /// The rules that a table depends on, as text: it is valid under all rules that give the same text.
    fn tabled_rules(&self) -> String {
        String::new()
    }

    /// How a table sees a position before a roll, for a seat whose turn it is or was.
    fn tabled(&self, state: &Self::State, seat: usize) -> Tabled {
        let _ = (state, seat);
        Tabled { numbers: [0; MAX_TABLED], is_between: false, scored: 0 }
    }

    /// The roll with these coordinates, if there is one.
    fn tabled_roll(&self, numbers: &Numbers) -> Option<NodeOf<Self>> {
        let _ = numbers;
        None
    }

    /// The representative of all states that a table does not distinguish.
    fn tabled_state(&self, state: Self::State) -> Self::State {
        state
    }
}

/// Writes [`Vocabulary::features`], [`Vocabulary::feature`] and [`Vocabulary::each_feature`] from one table, so that
/// names and values cannot get out of step. Each row has index, name, meaning, least and greatest value, denominator,
/// memory and value.
///
/// The quick features are computed inline. The others are behind a call, so that they do not enlarge the loop of a
/// trial.
#[macro_export]
macro_rules! features {
    ($rules:ident, $state:ident;
     quick { $($index:literal $name:literal $meaning:literal
        [$low:expr, $high:expr] / $denominator:expr, $memory:expr => $value:expr;)* }
     slow { $($slow_index:literal $slow_name:literal $slow_meaning:literal
        [$slow_low:expr, $slow_high:expr] / $slow_denominator:expr, $slow_memory:expr => $slow_value:expr;)* }) => {
        fn features(&self) -> Vec<$crate::vocabulary::Feature> {
            let $rules = self;
            let features = [
                $(($index, $name, $meaning, i64::from($low), i64::from($high), i64::from($denominator), $memory),)*
                $(($slow_index, $slow_name, $slow_meaning, i64::from($slow_low), i64::from($slow_high),
                    i64::from($slow_denominator), $slow_memory),)*
            ];
            let check = |(at, (index, name, meaning, low, high, denominator, memory))| {
                debug_assert_eq!(at, index, "features are numbered in order");
                let unit = "";
                $crate::vocabulary::Feature { name, meaning, unit, low, high, denominator, is_truth: false, memory }
            };
            features.into_iter().enumerate().map(check).collect()
        }

        #[inline(always)]
        fn feature(&self, $state: Self::State, index: usize) -> i64 {
            let $rules = self;
            match index {
                $($index => i64::from($value),)*
                _ => {
                    let copy = $state;
                    self.slow_feature(&copy, index)
                }
            }
        }

        /// All inline, so that they share their work.
        #[inline(always)]
        fn each_feature(&self, $state: Self::State, wanted: u64, tell: &mut impl FnMut(usize, i64)) {
            let $rules = self;
            $(if wanted >> $index & 1 == 1 {
                tell($index, i64::from($value));
            })*
            $(if wanted >> $slow_index & 1 == 1 {
                tell($slow_index, i64::from($slow_value));
            })*
        }

        #[cold]
        #[inline(never)]
        fn slow_feature(&self, state: &Self::State, index: usize) -> i64 {
            let ($rules, $state) = (self, *state);
            match index {
                $($slow_index => i64::from($slow_value),)*
                _ => unreachable!("a feature of this game"),
            }
        }
    };
}

pub use features;
