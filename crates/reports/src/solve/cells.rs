//! Shared by the files of exact values: the leading columns, and how numbers are written.

use std::sync::Arc;

use stopwise_document::cell::NumberFormat;
use stopwise_document::{Number, Real};
use stopwise_engine::vocabulary::Feature;

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

/// A value of a feature as it is read: a chance is counted in parts.
pub(super) fn number(feature: &Feature, value: i64) -> Number {
    match feature.denominator {
        1 => Number::Whole(value),
        parts => Number::Real(exact(value as f64 / parts as f64)),
    }
}

/// The same as a policy writes it, which has six decimals: not above it, or not below.
pub(super) fn limit(feature: &Feature, value: i64, is_below: bool) -> String {
    const DECIMALS: f64 = 1e6;
    match feature.denominator {
        1 => value.to_string(),
        parts => {
            let scaled = value as f64 / parts as f64 * DECIMALS;
            (if is_below { scaled.floor() } else { scaled.ceil() } / DECIMALS).to_string()
        }
    }
}

/// What the column `turn` means.
pub(super) const TURN: &str =
    "the turn in which it is made, from 1; empty where positions do not know it: all those turns together";
