//! Numbers as pictures and their tables show them: a point, thin spaces between thousands, a true minus, in any locale.

use crate::chart::Axis;
use crate::rounding::Rounding;

/// Between thousands, from five digits on.
const GROUP: char = '\u{202f}';

/// A value with the unit of its axis, as a sentence has it.
pub(crate) fn with_unit(axis: &Axis, value: f64) -> String {
    let text = shown(axis, value);
    if axis.is_share || axis.unit.is_empty() || !axis.levels.is_empty() {
        text
    } else {
        format!("{text} {}", axis.unit)
    }
}

/// A value: its level, a share in per cent, a whole number as such, any other with three decimals.
pub(crate) fn shown(axis: &Axis, value: f64) -> String {
    rounded(axis, value, Rounding::Nearest)
}

/// An interval, from one limit to the other; both are rounded outwards.
pub(crate) fn range(axis: &Axis, [low, high]: [f64; 2]) -> String {
    format!("{} to {}", rounded(axis, low, Rounding::Down), rounded(axis, high, Rounding::Up))
}

fn rounded(axis: &Axis, value: f64, rounding: Rounding) -> String {
    if let Some(name) = level(axis, value) {
        return name.to_owned();
    }
    if axis.is_share {
        let percent = 100.0 * value;
        let places = places(percent, 2);
        return format!("{} {}", decimals(rounding.to(places, percent), places), axis.percent());
    }
    in_places(value, rounding)
}

/// A number without an axis.
pub(crate) fn plain(value: f64) -> String {
    in_places(value, Rounding::Nearest)
}

fn in_places(value: f64, rounding: Rounding) -> String {
    if value.is_nan() {
        return "unknown".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞".into() } else { "−∞".into() };
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return decimals(value, 0);
    }
    if value.abs() < 1e-6 || value.abs() >= 1e15 {
        return format!("{value:.1e}").replace('-', "−");
    }
    let places = places(value, 3);
    decimals(rounding.to(places, value), places)
}

/// A value in few digits, as it stands at a rule across a chart.
pub(crate) fn brief(axis: &Axis, value: f64) -> String {
    if axis.is_share || !axis.levels.is_empty() || value.fract() == 0.0 || value.abs() < 1.0 {
        return shown(axis, value);
    }
    decimals(value, if value.abs() < 10.0 { 2 } else { 1 })
}

/// The name of a value on an axis of names.
pub(crate) fn level(axis: &Axis, value: f64) -> Option<&str> {
    axis.levels.iter().enumerate().find(|(at, _)| *at as f64 == value).map(|(_, name)| name.as_str())
}

/// At least this many decimals, and enough to show two digits of a number that would otherwise round to 0.
fn places(value: f64, usual: u8) -> u8 {
    let (size, least) = (value.abs(), 5.0 * 10_f64.powi(-i32::from(usual)));
    if size == 0.0 || size >= least {
        return usual;
    }
    u8::try_from(whole(1.0 - size.log10().floor())).unwrap_or(usual).clamp(usual, 8)
}

/// A number with so many decimals and grouped thousands; 0 is never negative.
pub(crate) fn decimals(value: f64, places: u8) -> String {
    let value = Rounding::Nearest.to(places, value);
    let text = format!("{:.1$}", value.abs(), usize::from(places));
    let (integer, fraction) = text.split_once('.').map_or((text.as_str(), None), |(a, b)| (a, Some(b)));
    let mut out = String::new();
    if value < 0.0 && text.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
        out.push('−');
    }
    for (at, digit) in integer.chars().enumerate() {
        if at > 0 && integer.len() > 4 && (integer.len() - at).is_multiple_of(3) {
            out.push(GROUP);
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// A coordinate: at most one decimal.
pub(crate) fn place(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".into() } else { text.into() }
}

/// The whole number nearest to zero from a number of pixels, ticks or steps.
#[allow(
    clippy::cast_possible_truncation,
    reason = "pixels, ticks and steps are far below 2⁵³, and others saturate"
)]
pub(crate) const fn whole(value: f64) -> i64 {
    value as i64
}

/// The same, for what is counted.
pub(crate) fn count(value: f64) -> usize {
    usize::try_from(whole(value)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_points_and_thin_spaces() {
        assert_eq!(plain(1_000_000.0), "1\u{202f}000\u{202f}000");
        assert_eq!(plain(1480.0), "1480");
        assert_eq!(plain(-0.5), "−0.500");
        assert_eq!(plain(-0.0), "0");
        assert_eq!(plain(348.006_2), "348.006");
        assert_eq!(plain(0.000_12), "0.00012");
        assert_eq!(plain(2.5e-9), "2.5e−9");
        assert_eq!(plain(f64::INFINITY), "∞");
    }

    #[test]
    fn shares_are_in_per_cent() {
        let axis = Axis::share("share");
        assert_eq!(shown(&axis, 0.3439), "34.39 %");
        assert_eq!(shown(&Axis::points("edge"), 0.0387), "3.87 %-points");
        assert_eq!(shown(&axis, 0.0), "0.00 %");
        assert_eq!(shown(&axis, 0.000_012), "0.0012 %");
        // Halves as in every table, and limits outwards.
        assert_eq!(shown(&axis, 0.461_25), "46.13 %");
        assert_eq!(range(&axis, [0.461_21, 0.461_29]), "46.12 % to 46.13 %");
        assert_eq!(range(&Axis::of("score", ""), [-1.000_4, 2.000_1]), "−1.001 to 2.001");
    }

    #[test]
    fn units_and_levels() {
        assert_eq!(with_unit(&Axis::of("score", "points"), 12.0), "12 points");
        let axis = Axis::levels("k", vec!["one".into(), "two".into()]);
        assert_eq!(with_unit(&axis, 1.0), "two");
    }

    #[test]
    fn rules_have_few_digits() {
        let axis = Axis::of("score", "points");
        assert_eq!(
            [348.006_2, 8.125, 270.0, 0.25].map(|value| brief(&axis, value)),
            ["348.0", "8.13", "270", "0.250"]
        );
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!(place(12.04), "12");
        assert_eq!(place(-0.01), "0");
        assert_eq!(place(3.25), "3.2");
    }
}
