//! The words in which policies speak about a game: features of a state, predicates on candidate actions.
//!
//! # Why conditions are tabulated
//!
//! A game may map a state to a small number, the table key, that fixes its small features (CarboniteDice: turn,
//! Counter, last piece from the Vault; Pig: turn total and both scores). A condition on those is one table look-up,
//! whatever its text; the rest becomes flat code over exact integers. Ranges are known when a policy is loaded, so
//! that overflow and division by zero are errors then and cannot happen later.
//!
//! The key's column is what the last roll moved; its row is known before the dice fall, so that looking it up
//! delays nothing. The fine row is the part of the row on which most conditions depend. Where a list's predicates
//! depend on little of a question (the candidates' colour in CarboniteDice), the whole list is a table over the
//! candidate key.

mod prose;

pub use prose::{Cause, NO_SKETCH, Prose, Sketch, Step, counted, listed, seats_in_words};

use crate::game::{Game, Node, Question};

/// A number that a policy can ask of a state at any decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name in a policy file.
    pub name: &'static str,
    /// What it is, as a noun phrase.
    pub meaning: &'static str,
    /// The least value it can take under these rules, times the denominator.
    pub low: i64,
    /// The greatest value, times the denominator.
    pub high: i64,
    /// 1 for whole numbers; for an exact chance, what its numerator is divided by.
    pub denominator: i64,
    /// 0 where the future of the game depends on it anyway; otherwise the bit of memory it needs
    /// (see [`Game::forget`]).
    pub memory: u32,
}

/// A property of a candidate action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// Its name in a policy file.
    pub name: &'static str,
    /// What holds of "a piece" when it is true, as a relative clause: "that comes from the Bank".
    pub meaning: &'static str,
}

/// Candidates of a decision that a player hardly wants while there are others, for warnings about lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caution {
    /// The kind of decision.
    pub kind: usize,
    /// The number of the predicate that holds of the better candidates, and of no worse one.
    pub better: usize,
    /// The number of the predicate that holds of the worse candidates, and of no better one.
    pub worse: usize,
    /// The predicates that hold of no worse candidate, as bits.
    pub never: u32,
    /// What a list does that lets a worse candidate win against a better one, after "this list".
    pub message: &'static str,
}

/// The most predicates a game may have.
pub const MAX_PREDICATES: usize = 16;

/// The features of small range that conditions are tabulated over, as a place in a table: a column that moves
/// with every decision, and a row that is known before the dice fall, so that looking it up delays nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableKey {
    /// The slower part.
    pub row: usize,
    /// The part that a policy waits for: conditions are cheapest where they turn from no to yes as it grows.
    pub column: usize,
}

/// The part of a question of items that fixes which candidate a list prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CandidateKey {
    /// A small number, the same for questions that are alike.
    pub digest: usize,
    /// How far the actions of this question are shifted against those of its like.
    pub base: u32,
}

/// The most numbers that tell positions of a table of worths apart.
pub const MAX_TABLED: usize = 8;

/// The numbers that tell positions of a table of worths apart, as many as [`TurnTables::TABLED`] has names; the rest
/// are 0.
pub type Numbers = [u16; MAX_TABLED];

/// What a table of worths makes of a position in which dice are about to be rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tabled {
    /// Its numbers; between two turns those of no dice.
    pub numbers: Numbers,
    /// Whether a turn of the seat is over.
    pub is_between: bool,
    /// What the seat has scored so far.
    pub scored: u64,
}

/// A mask of actions for every predicate.
pub type Masks = [u64; MAX_PREDICATES];

/// A picture of the answers to a yes/no decision: over one feature or two, the least value of another at which the
/// answer is yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Above the picture.
    pub title: &'static str,
    /// The number of the kind of decision.
    pub kind: usize,
    /// From top to bottom.
    pub row: Side,
    /// From left to right; without it there is one column.
    pub column: Option<Side>,
    /// The feature whose least value is drawn.
    pub rising: Side,
}

/// A side of a [`Surface`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The number of the feature.
    pub feature: usize,
    /// What it is called in the picture.
    pub title: &'static str,
    /// What one of it is.
    pub unit: &'static str,
}

/// The words in which policies speak about a game. With it a game plays policies written as text; [`Tabulation`] and
/// [`TurnTables`], which most games leave empty or add later, make that faster, or better.
pub trait Vocabulary: Tabulation + TurnTables {
    /// The features, with their ranges under these rules.
    fn features(&self) -> Vec<Feature>;

    /// The value of feature `index` times its denominator.
    fn feature(&self, state: Self::State, index: usize) -> i64;

    /// [`Vocabulary::feature`] for those that take longer to compute.
    fn slow_feature(&self, state: &Self::State, index: usize) -> i64;

    /// Tells the number and the value (times its denominator) of every feature in `wanted`, bits by number, in order.
    #[inline(always)]
    fn each_feature(&self, state: Self::State, wanted: u64, tell: &mut impl FnMut(usize, i64)) {
        let mut left = wanted;
        while left != 0 {
            let index = left.trailing_zeros() as usize;
            tell(index, self.feature(state, index));
            left &= left - 1;
        }
    }

    /// The predicates on the candidates of decisions of [`Form::Items`](crate::game::Form::Items); at most
    /// [`MAX_PREDICATES`].
    const PREDICATES: &'static [Predicate];

    /// What lists of preferences had better leave alone under these rules.
    fn cautions(&self) -> Vec<Caution> {
        Vec::new()
    }

    /// How the answers to a yes/no decision can be drawn under these rules, if they depend on that little.
    fn surface(&self) -> Option<Surface> {
        None
    }

    /// The state of the surface's decision in which its features (row, column, rising) have these values, and nothing
    /// is remembered; a column of 0 where there are none. `None` if there is no such state.
    fn surface_state(&self, values: [i64; 3]) -> Option<Self::State> {
        let _ = values;
        None
    }

    /// For every predicate in `wanted` (bit *i* for predicate *i*) the actions of which it holds in a decision of
    /// `kind`, as a mask; bits of actions that are no candidates mean nothing, nor do the masks of predicates
    /// that are not wanted. All at once, because they share most of their work and a policy picks them by number.
    fn predicates(&self, state: Self::State, kind: usize, wanted: u32) -> Masks;
}

/// How conditions and lists are tabulated: an optimisation. A game without it computes them at every decision.
pub trait Tabulation: Game {
    /// Whether there are keys under any rules: without them no quick loops are compiled.
    const HAS_KEYS: bool = false;

    /// How many rows and columns of keys there are under these rules; no rows where nothing is tabulated.
    fn digests(&self) -> (usize, usize) {
        (0, 0)
    }

    /// The small numbers of a state that fix the features of [`Tabulation::is_digested`], each part below that of
    /// [`Tabulation::digests`]: conditions on those features are tabulated over it.
    fn digest(&self, state: Self::State) -> TableKey {
        let _ = state;
        TableKey { row: 0, column: 0 }
    }

    /// How many fine rows there are, at least 1 where there are rows: [`Tabulation::fine_row`] is the row modulo this.
    fn fine_rows(&self) -> usize {
        self.digests().0
    }

    /// The part of the key's row that most conditions depend on: those that depend on no more never compute the rest.
    fn fine_row(&self, state: Self::State) -> usize {
        self.digest(state).row
    }

    /// Some state with this key, if there is one.
    fn with_digest(&self, digest: TableKey) -> Option<Self::State> {
        let _ = digest;
        None
    }

    /// Whether the key fixes feature `index`.
    fn is_digested(index: usize) -> bool {
        let _ = index;
        false
    }

    /// The predicates that [`Tabulation::local`] fixes in questions of a kind, as bits.
    fn local_predicates(kind: usize) -> u32 {
        let _ = kind;
        0
    }

    /// How many candidate keys there are of questions of a kind: 0 if it has none.
    fn locals(&self, kind: usize) -> usize {
        let _ = kind;
        0
    }

    /// Where little of the state tells the candidates of a question apart, that little: lists of predicates that it
    /// fixes are tabulated over it.
    fn local(&self, state: Self::State, question: Question) -> Option<CandidateKey> {
        let _ = (state, question);
        None
    }

    /// Some state and question of a kind with this key and a base of 0, if there is one.
    fn with_local(&self, kind: usize, digest: usize) -> Option<(Self::State, Question)> {
        let _ = (kind, digest);
        None
    }
}

/// Tables of what positions within a turn are worth, for games whose turns can be solved by themselves.
pub trait TurnTables: Game {
    /// The names of the numbers by which a table tells positions before a roll apart: none if the game has no tables.
    const TABLED: &'static [&'static str] = &[];

    /// The rules that a table depends on, in words: it is good under rules that say the same.
    fn tabled_rules(&self) -> String {
        String::new()
    }

    /// What a table makes of a position before a roll, for a seat whose turn it is or was.
    fn tabled(&self, state: &Self::State, seat: usize) -> Tabled {
        let _ = (state, seat);
        Tabled { numbers: [0; MAX_TABLED], is_between: false, scored: 0 }
    }

    /// The roll with these numbers, if there is one.
    fn tabled_roll(&self, numbers: &Numbers) -> Option<Node<Self>> {
        let _ = numbers;
        None
    }

    /// One of all states that a table does not tell apart.
    fn tabled_state(&self, state: Self::State) -> Self::State {
        state
    }
}

/// Writes [`Vocabulary::features`], [`Vocabulary::feature`] and [`Vocabulary::each_feature`] from one table, so that names and values cannot
/// drift apart: number, name, meaning, least and greatest value, what a chance is divided by, memory, value.
///
/// The quick ones are computed in line; the others behind a call, lest they crowd the loop of a trial.
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
                $crate::vocabulary::Feature { name, meaning, low, high, denominator, memory }
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

        /// All in line, so that they share their work.
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

pub(crate) use features;
