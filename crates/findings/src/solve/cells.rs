//! What the files of exact values share: how rows begin, and how numbers are written.

use std::sync::Arc;

use stopwise_report::Real;
use stopwise_report::cell::Form;

/// What all rows begin with.
#[derive(Clone, Debug)]
pub(super) struct About {
    pub(super) game: &'static str,
    pub(super) rules: Arc<str>,
}

/// Twelve decimals.
pub(super) const fn exact(value: f64) -> Real {
    Real(value, Form::Decimals(12))
}

/// What the column `turn` means.
pub(super) const TURN: &str =
    "the turn in which it is made, from 1; empty where positions do not know it: all those turns together";
