//! Values of charts as text, and the characters that mark emphasis.

use crate::chart::{Axis, Tone};
use crate::rounding::Rounding;

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
    match axis.is_share {
        true => format!("{} {}", fixed(axis, value, Rounding::Nearest), axis.percent()),
        false if value.fract() == 0.0 && value.abs() < 1e15 => format!("{value:.0}"),
        false => fixed(axis, value, Rounding::Nearest),
    }
}

/// A value without its unit, with as many decimals as all others: two in per cent, else three.
pub(super) fn fixed(axis: &Axis, value: f64, rounding: Rounding) -> String {
    match axis.is_share {
        true => format!("{:.2}", rounding.to(2, 100.0 * value)),
        false => format!("{:.3}", rounding.to(3, value)),
    }
}
