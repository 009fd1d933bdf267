//! Shared by the files of exact values: the leading columns, and how numbers are written.

use std::sync::Arc;

use stopwise_document::Real;
use stopwise_document::cell::NumberFormat;

/// What all rows begin with.
#[derive(Clone, Debug)]
pub(super) struct RowContext {
    pub(super) game: &'static str,
    pub(super) rules: Arc<str>,
}

/// Twelve decimals.
pub(super) const fn exact(value: f64) -> Real {
    Real(value, NumberFormat::Decimals(12))
}

/// What the column `turn` means.
pub(super) const TURN: &str =
    "the turn in which it is made, from 1; empty where positions do not know it: all those turns together";
