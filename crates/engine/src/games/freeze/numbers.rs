//! Option values that are not plain numbers: probabilities as exact fractions, one per seat, and the size of the bank.

use std::fmt;

use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::game::{MAX_SEATS, Seat};

/// The denominator of a probability with four decimals, the most that are allowed.
const PARTS: u16 = 10_000;

/// A probability as an exact fraction in lowest terms; a decimal number in text.
///
/// The denominator divides 10,000. With the 36 rolls of two dice, the weights of a chance event are integers with a sum
/// of at most 360,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Fraction {
    numerator: u16,
    denominator: u16,
}

impl Fraction {
    /// Probability 0.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };
    /// Probability 1.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// The numerator.
    #[inline(always)]
    pub fn numerator(self) -> u32 {
        self.numerator.into()
    }

    /// The denominator.
    #[inline(always)]
    pub fn denominator(self) -> u32 {
        self.denominator.into()
    }
}

impl TryFrom<f64> for Fraction {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let error = || format!("{value} is no chance; write a number from 0 to 1 with at most four decimals");
        // A decimal of four digits is off by far less than the tolerance when it becomes a binary number.
        let parts = (0..=PARTS)
            .find(|&parts| (value * f64::from(PARTS) - f64::from(parts)).abs() < 1e-6)
            .ok_or_else(error)?;
        let (mut divisor, mut rest) = (PARTS, parts);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        Ok(Self { numerator: parts / divisor, denominator: PARTS / divisor })
    }
}

impl From<Fraction> for f64 {
    fn from(fraction: Fraction) -> Self {
        Self::from(fraction.numerator) / Self::from(fraction.denominator)
    }
}

/// A probability for each seat; in text one number for all seats, or a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    each: [Fraction; MAX_SEATS],
    /// The length of the list; 0 for one number.
    listed: u8,
    /// The seats with rate 1 and those with rate 0, as bits, because every step asks for them.
    certain: u8,
    never: u8,
}

impl Rates {
    /// Everybody rolls in every step.
    pub const ONE: Self = Self { each: [Fraction::ONE; MAX_SEATS], listed: 0, certain: u8::MAX, never: 0 };

    fn new(each: [Fraction; MAX_SEATS], listed: u8) -> Self {
        let seats = |with| each.iter().rev().fold(0, |seats, &rate| seats << 1 | u8::from(rate == with));
        Self { each, listed, certain: seats(Fraction::ONE), never: seats(Fraction::ZERO) }
    }

    /// The same rate for every seat.
    pub fn all(rate: Fraction) -> Self {
        Self::new([rate; MAX_SEATS], 0)
    }

    /// A rate for each seat; `None` unless there are one to eight.
    pub fn each(rates: &[Fraction]) -> Option<Self> {
        let listed = u8::try_from(rates.len()).ok().filter(|&listed| listed > 0)?;
        let mut each = [Fraction::ONE; MAX_SEATS];
        each.get_mut(..rates.len())?.copy_from_slice(rates);
        Some(Self::new(each, listed))
    }

    /// The length of the list, or `None` for one rate for all.
    pub fn listed(self) -> Option<u8> {
        (self.listed > 0).then_some(self.listed)
    }

    /// The rate of a seat.
    #[inline(always)]
    pub fn of(&self, seat: Seat) -> Fraction {
        self.each[seat % MAX_SEATS]
    }

    /// The seats that roll in every step, as bits.
    #[inline(always)]
    pub(super) fn certain(&self) -> u64 {
        self.certain.into()
    }

    /// The seats that never roll, as bits.
    #[inline(always)]
    pub(super) fn never(&self) -> u64 {
        self.never.into()
    }
}

impl Serialize for Rates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.listed {
            0 => self.each[0].serialize(serializer),
            listed => serializer.collect_seq(&self.each[..usize::from(listed)]),
        }
    }
}

impl<'de> Deserialize<'de> for Rates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RatesReader)
    }
}

struct RatesReader;

impl<'de> Visitor<'de> for RatesReader {
    type Value = Rates;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number from 0 to 1 for all players, or a list of one for each")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Rates, E> {
        Fraction::try_from(value).map(Rates::all).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Rates, E> {
        self.visit_f64(u32::try_from(value).map_or(f64::INFINITY, f64::from))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Rates, E> {
        self.visit_f64(i32::try_from(value).map_or(f64::INFINITY, f64::from))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Rates, A::Error> {
        let mut rates = Vec::new();
        while let Some(rate) = list.next_element()? {
            rates.push(rate);
        }
        Rates::each(&rates).ok_or_else(|| A::Error::invalid_length(rates.len(), &self))
    }
}

/// The number of counters in the bank at the start; in text a number, or "25 per player".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bank {
    /// This number in total.
    InAll(u16),
    /// This number per player.
    PerPlayer(u16),
}

/// The suffix of the number in text.
const PER_PLAYER: &str = " per player";

impl Serialize for Bank {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::InAll(counters) => serializer.serialize_u16(*counters),
            Self::PerPlayer(counters) => serializer.collect_str(&format_args!("{counters}{PER_PLAYER}")),
        }
    }
}

impl<'de> Deserialize<'de> for Bank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BankReader)
    }
}

struct BankReader;

impl Visitor<'_> for BankReader {
    type Value = Bank;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of counters from 1 to 10000, or a text such as \"25 per player\"")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Bank, E> {
        let error = |_| E::invalid_value(Unexpected::Unsigned(value), &self);
        u16::try_from(value).map(Bank::InAll).map_err(error)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Bank, E> {
        let error = |_| E::invalid_value(Unexpected::Signed(value), &self);
        u16::try_from(value).map(Bank::InAll).map_err(error)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Bank, E> {
        let counters = text.strip_suffix(PER_PLAYER).and_then(|counters| counters.trim().parse().ok());
        counters.map(Bank::PerPlayer).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}
