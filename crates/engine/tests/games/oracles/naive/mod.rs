//! Deliberately naive reference implementations of the dice games.
//!
//! They follow the rules pages sentence by sentence, share no code with the engine and aim only at clarity. Their only
//! use is as test oracles.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    unused_imports,
    reason = "a test oracle: not every test uses every part"
)]
#![allow(clippy::needless_range_loop, reason = "the plainest loop is the wanted one")]
#![allow(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test oracle must stop loudly at the first thing that cannot be"
)]

pub mod carcassonne;
pub mod freeze;
pub mod hash;
