//! The words in which policies speak about a game: features of a state, predicates on candidate actions.

use crate::game::{Action, Game, Node};

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

/// A game that policies written as text can play.
pub trait Vocabulary: Game {
    /// The features, with their ranges under these rules.
    fn features(&self) -> Vec<Feature>;

    /// The value of feature `index` times its denominator.
    fn feature(&self, state: &Self::State, index: usize) -> i64;

    /// The predicates on the candidates of decisions of [`Form::Items`](crate::game::Form::Items).
    const PREDICATES: &'static [Predicate];

    /// The actions of which predicate `index` holds in a decision of `kind`, as a mask; bits of actions that
    /// are no candidates mean nothing.
    fn predicate(&self, state: &Self::State, kind: usize, index: usize) -> u64;

    /// An action in words, for people: "a large red piece".
    fn describe_action(&self, state: &Self::State, kind: usize, action: Action) -> String;

    /// The dice in words.
    fn describe_outcome(&self, outcome: <<Self as Game>::Chance as crate::chance::Chance>::Outcome)
    -> String;

    /// What lies where, one line a place; nothing that a node would not show to every seat.
    fn describe_state(&self, state: &Self::State) -> Vec<(&'static str, String)>;

    /// What happened between two nodes, in words; empty when there is nothing to say.
    fn describe_step(&self, before: &Self::State, after: &Node<Self>) -> String {
        let _ = (before, after);
        String::new()
    }
}

/// Writes [`Vocabulary::features`] and [`Vocabulary::feature`] from one table, so that names and values cannot
/// drift apart: number, name, meaning, least and greatest value, what a chance is divided by, memory, value.
macro_rules! features {
    ($rules:ident, $state:ident; $($index:literal $name:literal $meaning:literal
        [$low:expr, $high:expr] / $denominator:expr, $memory:expr => $value:expr;)*) => {
        fn features(&self) -> Vec<$crate::vocabulary::Feature> {
            let $rules = self;
            vec![$($crate::vocabulary::Feature {
                name: $name,
                meaning: $meaning,
                low: i64::from($low),
                high: i64::from($high),
                denominator: i64::from($denominator),
                memory: $memory,
            },)*]
        }

        #[inline]
        fn feature(&self, $state: &Self::State, index: usize) -> i64 {
            let $rules = self;
            match index {
                $($index => i64::from($value),)*
                _ => unreachable!("a feature of this game"),
            }
        }
    };
}

pub(crate) use features;
