//! Yes/no expressions: the operators of CEL over a game's features, with exact arithmetic.
//!
//! ```text
//! condition   counter >= 2 && (bust_chance > 0.3 || vault_match == 1)
//! numbers     whole numbers, decimals, features, parameters;  + - *  / %  min(a, b)  max(a, b)
//! comparing   == != < <= > >=          joining   && || ! (or: and, or, not)          choosing   a ? b : c
//! ```
//!
//! `/` and `%` are for whole numbers and round towards zero, as in CEL; dividing by what can be 0 is an error
//! when the policy is loaded, as is everything that could overflow. Chances are fractions, never floating point.

pub(crate) mod check;
pub(crate) mod code;
pub(crate) mod doubt;
pub(crate) mod lex;
pub(crate) mod names;
pub(crate) mod parse;

/// The greatest common divisor of two non-negative numbers, at least 1.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// The least common multiple of two positive numbers.
pub(crate) fn lcm(a: i64, b: i64) -> i64 {
    (a / gcd(a, b)).saturating_mul(b)
}
