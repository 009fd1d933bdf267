//! A typed cell of a dataset.

use std::fmt::{self, Write};
use std::sync::Arc;

use serde_json::Value;

use crate::rounding::Rounding;

/// What stands in a cell of a [`Dataset`](crate::Dataset).
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing is known: an empty cell in CSV, `null` in JSON.
    Empty,
    /// A text.
    Text(Arc<str>),
    /// A whole number.
    Count(u64),
    /// A whole number that may be negative.
    Whole(i64),
    /// A number, and how CSV writes it; JSON has all its digits.
    Real(f64, NumberFormat),
    /// Yes or no.
    Flag(bool),
}

/// How a number is written in CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFormat {
    /// With so many decimals.
    Decimals(u8),
    /// Rounded to so many decimals, ties away from zero.
    Rounded(u8),
    /// Rounded down to so many decimals, as a lower limit, so that what is written contains what was found.
    Down(u8),
    /// Rounded up to so many decimals, as an upper limit.
    Up(u8),
    /// As few digits as give the same number again.
    Shortest,
    /// With an exponent and so many decimals: `1.2e-9`.
    Exponent(u8),
}

impl Cell {
    /// A text.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// As CSV writes it.
    #[must_use]
    pub fn written(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    /// Appends it as CSV writes it.
    pub(crate) fn write(&self, text: &mut String) {
        match self {
            Self::Empty => {}
            Self::Text(own) => text.push_str(own),
            Self::Count(number) => put(text, format_args!("{number}")),
            Self::Whole(number) => put(text, format_args!("{number}")),
            Self::Real(value, form) => form.write(*value, text),
            Self::Flag(flag) => put(text, format_args!("{flag}")),
        }
    }

    /// As JSON has it: numbers unrounded, `null` where nothing is known or the number is not finite.
    #[must_use]
    pub fn value(&self) -> Value {
        match self {
            Self::Empty => Value::Null,
            Self::Text(text) => Value::from(text.as_ref()),
            Self::Count(number) => Value::from(*number),
            Self::Whole(number) => Value::from(*number),
            Self::Real(value, _) => Value::from(*value),
            Self::Flag(flag) => Value::from(*flag),
        }
    }
}

macro_rules! cells {
    ($($value:ty: |$it:ident| $cell:expr;)*) => {$(
        impl From<$value> for Cell {
            fn from($it: $value) -> Self {
                $cell
            }
        }
    )*};
}

cells! {
    &str: |text| Self::text(text);
    &String: |text| Self::text(text.as_str());
    String: |text| Self::text(text);
    Arc<str>: |text| Self::Text(text);
    u64: |number| Self::Count(number);
    u32: |number| Self::Count(number.into());
    usize: |number| Self::Count(number as u64);
    i64: |number| Self::Whole(number);
    bool: |flag| Self::Flag(flag);
}

/// Empty where there is no value.
impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, T::into)
    }
}

impl NumberFormat {
    /// The number as CSV writes it.
    #[must_use]
    pub fn written(self, value: f64) -> String {
        let mut text = String::new();
        self.write(value, &mut text);
        text
    }

    /// Appends the number as CSV writes it; 0 is never negative.
    fn write(self, value: f64, text: &mut String) {
        let start = text.len();
        match self {
            Self::Decimals(places) => put(text, format_args!("{value:.0$}", usize::from(places))),
            Self::Rounded(places) => {
                let scale = 10_f64.powi(places.into());
                put(text, format_args!("{:.1$}", (value * scale).round() / scale, usize::from(places)));
            }
            Self::Down(places) | Self::Up(places) => {
                let rounding = if matches!(self, Self::Down(_)) { Rounding::Down } else { Rounding::Up };
                put(text, format_args!("{:.1$}", rounding.to(places, value), usize::from(places)));
            }
            Self::Shortest => put(text, format_args!("{value}")),
            Self::Exponent(places) => put(text, format_args!("{value:.0$e}", usize::from(places))),
        }
        if let Some(zero) = text[start..].strip_prefix('-')
            && zero.bytes().all(|byte| matches!(byte, b'0' | b'.'))
        {
            text.remove(start);
        }
    }
}

/// Appends; a string takes everything.
fn put(text: &mut String, arguments: fmt::Arguments<'_>) {
    let _ = text.write_fmt(arguments);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_they_are_written() {
        assert_eq!(Cell::Real(-1e-9, NumberFormat::Decimals(6)).written(), "0.000000");
        assert_eq!(Cell::Real(0.25, NumberFormat::Shortest).written(), "0.25");
        let limits = |value| [NumberFormat::Down(2), NumberFormat::Up(2)].map(|form| form.written(value));
        assert_eq!(limits(0.126), ["0.12", "0.13"]);
        assert_eq!(limits(-0.126), ["-0.13", "-0.12"]);
        assert_eq!(
            (limits(-0.001), limits(0.07)),
            (["-0.01".into(), "0.00".into()], ["0.07".into(), "0.07".into()])
        );
        assert_eq!(Cell::Real(1.234e-9, NumberFormat::Exponent(1)).written(), "1.2e-9");
        assert_eq!(Cell::Real(2.5e-7, NumberFormat::Rounded(6)).written(), "0.000000");
    }

    #[test]
    fn json_has_all_digits() {
        assert_eq!(Cell::Real(1.0 / 3.0, NumberFormat::Decimals(6)).value(), Value::from(1.0 / 3.0));
        assert_eq!(Cell::Real(f64::NAN, NumberFormat::Shortest).value(), Value::Null);
        assert_eq!(Cell::from(true).value(), Value::from(true));
    }
}
