//! Expressions for a yes or no, or a number: the operators of CEL over a game's features, with exact arithmetic.
//!
//! ```text
//! condition   counter >= 2 && (bust_chance > 0.3 || vault_match == 1)
//! numbers     whole numbers, decimals, features, parameters;  + - *  / %  min(a, b)  max(a, b)
//! chance      chance(0.3): yes in three of ten answers
//! comparing   == != < <= > >=          joining   && || ! (or: and, or, not)          choosing   a ? b : c
//! ```
//!
//! `/` and `%` are for whole numbers and round towards zero, as in CEL; dividing by what can be 0 is an error
//! when the policy is loaded, as is everything that could overflow. Chances are fractions, never floating point.

pub(crate) mod by_digest;
pub(crate) mod chance;
pub(crate) mod check;
pub(crate) mod columns;
pub(crate) mod condition;
pub(crate) mod drawn;
mod flat;
pub(crate) mod fraction;
pub(crate) mod lex;
pub(crate) mod lint;
pub(crate) mod names;
pub(crate) mod parameter;
pub(crate) mod parse;
pub(crate) mod quantity;
pub(crate) mod scope;
pub(crate) mod table;
