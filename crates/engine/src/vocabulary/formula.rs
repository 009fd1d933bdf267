//! Expressions over features, as others than the policy's compiler read them.

/// A step of an expression on a stack. Truth values are 0 and 1; numbers are whole, times their denominator, so that no step
/// overflows or divides by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A number.
    Number(i64),
    /// A feature of the state, by its index.
    Feature(usize),
    /// Of the candidate that is looked at, a predicate by its index.
    Predicate(usize),
    /// Of the candidate that is looked at, a number by its index.
    OfCandidate(usize),
    /// The opposite of a number, and of a truth value.
    Negate,
    /// See [`Formula::Negate`].
    Not,
    /// Two operands become one.
    Operation(Operation),
    /// A condition and two values become the first value, or the second.
    Choose,
}

/// How a policy answers a kind of question, for those who ask it of many games at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answering {
    /// The condition for the answer yes, if it is a question of yes and no.
    pub formula: Option<Vec<Formula>>,
    /// The lists by which one of several candidates is chosen, if it is a question of that form: the first whose condition
    /// holds applies, and the first candidate is taken of those that are left in the end, or of all if none applies.
    pub lists: Option<Vec<List>>,
    /// On what an answer depends, besides the legal actions, if that is known.
    pub reads: Option<Reads>,
}

/// A preference list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The condition under which it applies; none if it always does.
    pub when: Option<Vec<Formula>>,
    /// Its entries, from left to right.
    pub entries: Vec<Preference>,
}

/// An entry of a preference list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preference {
    /// Of the candidates that are left those stay for which this holds, if there are any.
    Where(Vec<Formula>),
    /// Those stay of which this is greatest.
    Most(Vec<Formula>),
}

/// What a policy reads, by index: features of the state, predicates as bits, and numbers of candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Features of the state.
    pub features: Vec<usize>,
    /// Predicates of candidates, as bits.
    pub predicates: u32,
    /// Numbers of candidates.
    pub numbers: Vec<usize>,
}

/// An operation on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Operation {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Min,
    Max,
}

impl Operation {
    /// Whether a row of operands may be grouped in any way, ranges included.
    pub fn is_associative(self) -> bool {
        matches!(self, Self::Or | Self::And | Self::Min | Self::Max)
    }

    /// Whether it gives a truth value of two numbers.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Equal | Self::Unequal | Self::Less | Self::AtMost | Self::More | Self::AtLeast)
    }
}
