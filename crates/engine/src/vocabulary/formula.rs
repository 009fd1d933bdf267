//! Expressions over features, as others than the policy's compiler read them.

/// A step of an expression on a stack. Truth values are 0 and 1; numbers are whole, times their denominator, so that no step
/// overflows or divides by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A number.
    Number(i64),
    /// A feature of the state, by its index.
    Feature(usize),
    /// The opposite of a number, and of a truth value.
    Negate,
    /// See [`Formula::Negate`].
    Not,
    /// Two operands become one.
    Operation(Operation),
    /// A condition and two values become the first value, or the second.
    Choose,
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
