//! Lanes count what the trial counts, to the last bit.
//!
//! The same plan is played by the trial, one game after the other, and on the lanes of every set of instructions that
//! this machine has: random policies under random rules, the shipped ones, and policies at the limits of what lanes
//! can hold.

//!
//! All loops are those of the crate, behind its objects: none is compiled for the tests.

#[allow(dead_code, reason = "here policies are only written; the trial says what they answer")]
#[path = "../../../policy/tests/meaning/case.rs"]
mod case;
mod compare;
#[path = "../../../policy/tests/meaning/expression.rs"]
mod expression;
mod limits;
mod random;
mod rules;
mod runs;
mod shipped;
mod words;
