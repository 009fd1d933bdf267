//! A value as text, and what stands out.

use crate::cell::NumberFormat;
use crate::chart::{Axis, Tone};

/// How a thing stands out, in a character.
pub(super) const fn mark(tone: Tone) -> char {
    match tone {
        Tone::Best => '*',
        Tone::Possible => '≈',
        Tone::Bad => '▾',
        Tone::Plain => ' ',
    }
}

/// A value as a chart shows it: shares in per cent, whole numbers as such, others with three decimals.
pub(super) fn shown(axis: &Axis, value: f64) -> String {
    if axis.is_share {
        format!("{:.2} {}", 100.0 * value, axis.percent())
    } else if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        NumberFormat::Decimals(3).written(value)
    }
}
