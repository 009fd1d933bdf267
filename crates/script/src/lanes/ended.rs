//! Numbers of games that are over: each is counted, or kept for a row.

use stopwise_engine::tally::Histogram;

use super::column::{Column, Number};
use super::counts::Count;

/// How often each number of a byte was counted since the counts were taken: by two turns, because counting the same number
/// again waits for the count before.
#[derive(Clone)]
pub(super) struct Bytes([[u32; 256]; 2]);

impl Bytes {
    pub(super) const NONE: Self = Self([[0; 256]; 2]);

    #[inline(always)]
    fn count(&mut self, lanes: &[u16], column: &Column<u8>) {
        let numbers = column.0.as_flattened();
        let of = |lane: &u16| usize::from(numbers[usize::from(*lane) % numbers.len()]);
        let [even, odd] = &mut self.0;
        let (pairs, last) = lanes.as_chunks::<2>();
        for [one, other] in pairs {
            even[of(one)] += 1;
            odd[of(other)] += 1;
        }
        last.iter().for_each(|lane| even[of(lane)] += 1);
    }

    /// Moves the counts to a histogram.
    pub(super) fn take(&mut self, histogram: &mut Histogram) {
        let [even, odd] = std::mem::replace(&mut self.0, Self::NONE.0);
        for ((value, even), odd) in (0..).zip(even).zip(odd) {
            if even + odd > 0 {
                histogram.add_many(value, (even + odd).into());
            }
        }
    }
}

/// A number of every game; what is outside of 32 bits counts as 0.
pub(super) enum Numbers<'n> {
    Zero,
    Count(&'n Count),
    Byte(&'n Column<u8>),
    Short(&'n Column<i16>),
    Middle(&'n Column<i32>),
    Long(&'n Column<i64>),
}

impl<'n> From<&'n Count> for Numbers<'n> {
    fn from(count: &'n Count) -> Self {
        match count.short() {
            _ if !count.is_changed() => Self::Zero,
            Some(short) => Self::Byte(short),
            None => Self::Count(count),
        }
    }
}

/// Does something with what gives the number of a game.
macro_rules! with {
    ($numbers:ident, |$of:ident| $do:expr) => {
        match $numbers {
            Numbers::Zero => {
                let $of = |_| 0;
                $do
            }
            Numbers::Count(count) => {
                let $of = |lane| count.get(lane);
                $do
            }
            Numbers::Byte(column) => {
                let $of = |lane| column.get(lane).into();
                $do
            }
            Numbers::Short(column) => {
                let $of = |lane| narrow(*column, lane);
                $do
            }
            Numbers::Middle(column) => {
                let $of = |lane| narrow(*column, lane);
                $do
            }
            Numbers::Long(column) => {
                let $of = |lane| narrow(*column, lane);
                $do
            }
        }
    };
}

impl Numbers<'_> {
    /// Counts those of some games.
    pub(super) fn count(&self, lanes: &[u16], bytes: &mut Bytes, histogram: &mut Histogram) {
        if let Self::Byte(column) = self {
            return bytes.count(lanes, column);
        }
        with!(self, |of| count_each(lanes, of, |value, many| match many {
            1 => histogram.add(value),
            many => histogram.add_many(value, many),
        }));
    }

    /// Adds those of some games to values.
    pub(super) fn push(&self, lanes: &[u16], values: &mut Vec<u32>) {
        with!(self, |of| values.extend(lanes.iter().map(|lane| -> u32 { of(usize::from(*lane)) })));
    }
}

/// Calls `count` with what each of some games has, or once if all have the same, and with how many have it.
#[inline(always)]
pub(super) fn count_each<T: Copy + PartialEq>(
    lanes: &[u16],
    of: impl Fn(usize) -> T,
    mut count: impl FnMut(T, u64),
) {
    let Some((first, others)) = lanes.split_first() else { return };
    let first = of((*first).into());
    if others.iter().all(|lane| of((*lane).into()) == first) {
        count(first, lanes.len() as u64);
    } else {
        lanes.iter().for_each(|lane| count(of((*lane).into()), 1));
    }
}

#[inline(always)]
fn narrow<T: Number>(column: &Column<T>, lane: usize) -> u32 {
    u32::try_from(column.get(lane).wide()).unwrap_or(0)
}
