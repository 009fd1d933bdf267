//! Lanes give the same tallies as the trial, bit for bit.
//!
//! The same plan is played by the trial, one game after the other, and on lanes with every instruction set that this
//! machine has: with random policies under random rules, with the shipped ones, and with policies at the limits of what
//! lanes can hold.

#[allow(dead_code, reason = "here policies are only written; the trial says what they answer")]
#[path = "../../../../policy/tests/meaning/case.rs"]
mod case;
mod compare;
#[path = "../../../../policy/tests/meaning/expression.rs"]
mod expression;
mod limits;
mod pairs;
mod portable;
mod random;
mod rules;
mod runs;
mod shipped;
mod words;
mod workloads;
