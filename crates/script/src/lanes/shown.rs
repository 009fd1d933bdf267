//! What a roll shows, as loops over columns.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use super::column::{Column, Mask, Number, PART, Parts};
use super::streams::Words;
use crate::pool::EventPlaces;

/// What a part of a roll shows at every place.
#[derive(Debug)]
pub(super) enum Part {
    /// The place, and this.
    Place(i64),
    Table(Vec<i64>),
}

impl Part {
    pub(super) fn new(values: Vec<i64>) -> Self {
        let is_row = (0..).zip(&values).all(|(at, value)| *value == values[0] + at);
        if is_row { Self::Place(values[0]) } else { Self::Table(values) }
    }
}

/// The weights and first places of events, by number; of the last one for what is outside.
#[inline(always)]
pub(super) fn numbered(
    parts: Parts,
    numbers: &Column<i32>,
    events: &[EventPlaces],
    weights: &mut Words,
    firsts: &mut Words,
) {
    for at in parts.all() {
        for lane in 0..PART {
            let number = numbers.0[at][lane].max(0).cast_unsigned() as usize;
            let event = events[number.min(events.len() - 1)];
            weights.0[at][lane] = event.weight;
            firsts.0[at][lane] = event.first;
        }
    }
}

/// In the games of a mask, what a part of a roll shows at a place.
#[inline(always)]
pub(super) fn show_part<T: Number>(
    parts: Parts,
    part: &Part,
    places: &Words,
    firsts: &Words,
    here: &Mask,
    column: &mut Column<T>,
) {
    match part {
        Part::Place(more) => {
            let more = T::of(*more);
            show(parts, places, firsts, here, column, |place| T::of(i64::from(place)).add(more));
        }
        Part::Table(values) => {
            let value = |place: u32| T::of(values.get(place as usize).copied().unwrap_or(0));
            show(parts, places, firsts, here, column, value);
        }
    }
}

#[inline(always)]
fn show<T: Number>(
    parts: Parts,
    places: &Words,
    firsts: &Words,
    here: &Mask,
    column: &mut Column<T>,
    value: impl Fn(u32) -> T,
) {
    for at in parts.all() {
        let (places, firsts, here, mut part) = (places.0[at], firsts.0[at], here.0[at], column.0[at]);
        for lane in 0..PART {
            let value = value(firsts[lane].wrapping_add(places[lane]));
            part[lane] = part[lane].or_new(here[lane], value);
        }
        column.0[at] = part;
    }
}
