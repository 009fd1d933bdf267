//! The values of a column, all of one type.

use std::borrow::Cow;
use std::sync::Arc;

use crate::cell::{Cell, NumberFormat};

/// The type of a column. Every cell of it is empty or of this type, whatever the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataType {
    /// Texts.
    Text,
    /// Whole numbers, signed, so that differences of columns are right.
    Integer,
    /// Whole numbers that may be 2⁶³ or more, such as seeds.
    Unsigned,
    /// Numbers; whole ones may be among them.
    Real,
    /// True or false.
    Flag,
}

/// A type whose values are cells of one [`DataType`].
pub trait Value: Into<Cell> {
    /// The type of a column of these.
    const DATA_TYPE: DataType;
}

/// A number, and how CSV writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Real(pub f64, pub NumberFormat);

/// A number of a column in which some are whole by definition and others are not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Without a point in every format.
    Whole(i64),
    /// Any other.
    Real(Real),
}

impl Real {
    /// A mean, deviation or difference: six decimals.
    #[must_use]
    pub const fn number(value: f64) -> Self {
        Self(value, NumberFormat::Decimals(6))
    }

    /// A share from 0 to 1: nine decimals, which resolve one trial in a thousand million.
    #[must_use]
    pub const fn share(value: f64) -> Self {
        Self(value, NumberFormat::Decimals(9))
    }

    /// A share of trials; 0 where there are none.
    #[must_use]
    pub fn share_of(count: u64, trials: u64) -> Self {
        Self::share(if trials == 0 { 0.0 } else { count as f64 / trials as f64 })
    }

    /// A lower limit: what is written is not above it.
    #[must_use]
    pub const fn down(self) -> Self {
        match self.1 {
            NumberFormat::Decimals(places) | NumberFormat::Rounded(places) => {
                Self(self.0, NumberFormat::Down(places))
            }
            _ => self,
        }
    }

    /// An upper limit: what is written is not below it.
    #[must_use]
    pub const fn up(self) -> Self {
        match self.1 {
            NumberFormat::Decimals(places) | NumberFormat::Rounded(places) => {
                Self(self.0, NumberFormat::Up(places))
            }
            _ => self,
        }
    }

    /// As few digits as give the same number again.
    #[must_use]
    pub const fn shortest(value: f64) -> Self {
        Self(value, NumberFormat::Shortest)
    }
}

impl From<Real> for Cell {
    fn from(Real(value, form): Real) -> Self {
        Self::Real(value, form)
    }
}

impl From<Number> for Cell {
    fn from(number: Number) -> Self {
        match number {
            Number::Whole(number) => Self::Whole(number),
            Number::Real(real) => real.into(),
        }
    }
}

macro_rules! values {
    ($($data_type:ident: $($value:ty),*;)*) => {$($(
        impl Value for $value {
            const DATA_TYPE: DataType = DataType::$data_type;
        }
    )*)*};
}

values! {
    Text: &str, String, Arc<str>;
    Integer: u64, u32, usize, i64;
    Real: Real, Number;
    Flag: bool;
}

impl<V: Value> Value for Option<V> {
    const DATA_TYPE: DataType = V::DATA_TYPE;
}

impl DataType {
    /// The first type of which all of these texts are values.
    #[must_use]
    pub fn of_texts(texts: &[String]) -> Self {
        let holds_all = |of: &Self| texts.iter().all(|text| of.parse(text).is_some());
        [Self::Integer, Self::Real, Self::Flag].into_iter().find(holds_all).unwrap_or(Self::Text)
    }

    /// The value that a text stands for; `None` if it would be written otherwise, such as `007`.
    fn parse(self, text: &str) -> Option<Cell> {
        let cell = match self {
            Self::Text => Cell::text(text),
            Self::Integer => Cell::Whole(text.parse().ok()?),
            Self::Unsigned => Cell::Count(text.parse().ok()?),
            Self::Real => Real::shortest(text.parse().ok().filter(|number: &f64| number.is_finite())?).into(),
            Self::Flag => Cell::Flag(text.parse().ok()?),
        };
        (cell.written() == text).then_some(cell)
    }

    /// A cell as a value of this type: what is varied in a sweep stands in its cells as it was typed.
    #[must_use]
    pub fn read(self, cell: &Cell) -> Cow<'_, Cell> {
        match cell {
            Cell::Text(text) if self != Self::Text => Cow::Owned(self.parse(text).unwrap_or(Cell::Empty)),
            _ => Cow::Borrowed(cell),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_they_are_written() {
        assert_eq!(Cell::from(Real::share_of(1, 3)).written(), "0.333333333");
        assert_eq!(Cell::from(Real::share_of(0, 0)).written(), "0.000000000");
        assert_eq!(Cell::from(Real::number(-0.5)).written(), "-0.500000");
        assert_eq!(Cell::from(None::<Real>), Cell::Empty);
    }

    /// A type holds a text if it writes the same again.
    #[test]
    fn types_of_texts() {
        let of =
            |texts: &[&str]| DataType::of_texts(&texts.iter().map(|&text| text.into()).collect::<Vec<_>>());
        assert_eq!(of(&["1", "-20"]), DataType::Integer);
        assert_eq!(of(&["1", "0.5"]), DataType::Real);
        assert_eq!(of(&["true", "false"]), DataType::Flag);
        for texts in [&["1", "any"][..], &["007"], &["1.0"], &["1e400"], &["true", "1"]] {
            assert_eq!(of(texts), DataType::Text, "{texts:?}");
        }
        let read = |of: DataType, cell: Cell| of.read(&cell).into_owned();
        assert_eq!(read(DataType::Integer, "7".into()), Cell::Whole(7));
        assert_eq!(read(DataType::Real, "7".into()), Cell::Real(7.0, NumberFormat::Shortest));
        assert_eq!(read(DataType::Text, "7".into()), Cell::text("7"));
        assert_eq!(read(DataType::Real, Cell::Count(7)), Cell::Count(7));
    }
}
