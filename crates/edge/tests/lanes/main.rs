//! Lanes count what the trial counts, to the last bit.
//!
//! The same plan is played by the trial, one game after the other, and on the lanes of every set of instructions that
//! this machine has: random policies under random rules, the shipped ones, and policies at the limits of what lanes
//! can hold.

#[allow(dead_code, reason = "here policies are only written; the trial says what they answer")]
#[path = "meaning/case.rs"]
mod case;
#[path = "meaning/expression.rs"]
mod expression;

mod lanes {
    pub(super) mod compare;
    pub(super) mod limits;
    pub(super) mod random;
    pub(super) mod rules;
    pub(super) mod runs;
    pub(super) mod shipped;
    pub(super) mod words;
}
