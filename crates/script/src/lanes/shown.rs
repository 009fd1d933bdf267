//! What a roll shows, as loops over columns.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use stopwise_engine::lanes::simd::{MOST_LANES, Vector16};

use super::column::{Column, Mask, Number, PART, Parts};
use super::streams::Words;
use crate::pool::EventPlaces;

/// What a part of a roll shows at every place.
#[derive(Debug)]
pub(super) enum Part {
    /// The place, and this.
    Place(i64),
    /// One of a few numbers, which are compared one by one.
    Few(Vec<i64>),
    Table(Vec<i32>),
    Wide(Vec<i64>),
}

/// The most numbers that are compared one by one.
const FEW: usize = 4;

impl Part {
    pub(super) fn new(values: Vec<i64>) -> Self {
        let is_row = (0..).zip(&values).all(|(at, value)| *value == values[0] + at);
        if is_row {
            return Self::Place(values[0]);
        }
        if values.len() <= FEW {
            return Self::Few(values);
        }
        let narrow: Result<_, _> = values.iter().map(|value| i32::try_from(*value)).collect();
        narrow.map_or(Self::Wide(values), Self::Table)
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

/// The same of few events, by the halves of their numbers.
#[inline(always)]
pub(super) fn looked_up<S: Vector16>(
    simd: S,
    parts: Parts,
    numbers: &Column<i32>,
    halves: &[[u16; MOST_LANES]; 4],
    weights: &mut Words,
    firsts: &mut Words,
) {
    for at in parts.all() {
        for few in 0..PART / S::LANES {
            let mut own = [0; MOST_LANES];
            for lane in 0..S::LANES {
                let number = numbers.0[at][few * S::LANES + lane].clamp(0, 15);
                own[lane] = i16::of(number.into()).cast_unsigned();
            }
            let own = simd.load(&own);
            let [mut a, mut b, mut c, mut d] = [[0; MOST_LANES]; 4];
            simd.store(simd.lookup_16(&halves[0], own), &mut a);
            simd.store(simd.lookup_16(&halves[1], own), &mut b);
            simd.store(simd.lookup_16(&halves[2], own), &mut c);
            simd.store(simd.lookup_16(&halves[3], own), &mut d);
            for lane in 0..S::LANES {
                weights.0[at][few * S::LANES + lane] = u32::from(a[lane]) | u32::from(b[lane]) << 16;
                firsts.0[at][few * S::LANES + lane] = u32::from(c[lane]) | u32::from(d[lane]) << 16;
            }
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
        Part::Few(values) => {
            for at in parts.all() {
                let (mut own, here, mut part) = (places.0[at], here.0[at], column.0[at]);
                for lane in 0..PART {
                    own[lane] = own[lane].wrapping_add(firsts.0[at][lane]);
                }
                for (place, number) in (0..).zip(values) {
                    let number = T::of(*number);
                    for lane in 0..PART {
                        let is_so = here[lane] & -i8::from(own[lane] == place);
                        part[lane] = part[lane].or_new(is_so, number);
                    }
                }
                column.0[at] = part;
            }
        }
        Part::Table(values) => show(parts, places, firsts, here, column, entry(values)),
        Part::Wide(values) => show(parts, places, firsts, here, column, entry(values)),
    }
}

/// The entry at a place; 0 for what is outside.
#[inline(always)]
fn entry<T: Number, N: Copy + Into<i64>>(values: &[N]) -> impl Fn(u32) -> T {
    // The slice itself: read by way of the list that has it, its address would be loaded for every game.
    move |place| T::of(values.get(place as usize).map_or(0, |value| (*value).into()))
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

#[cfg(test)]
mod tests {
    use stopwise_engine::lanes::plain::Plain;

    use super::super::stops::Events;
    use super::*;

    #[test]
    fn few_events_are_those_of_the_table() {
        let places: Vec<_> = (0..16)
            .map(|at| EventPlaces { weight: 70_000 * at + 3, first: u32::MAX - 90_000 * at })
            .collect();
        let mut numbers = Column::splat(0);
        (0..PART).zip(-20..).for_each(|(lane, number)| numbers.set(lane, number));
        for many in 1..=places.len() {
            let events = Events::new(places[..many].to_vec());
            let (mut weights, mut firsts) = (Column::splat(0), Column::splat(0));
            let halves = events.halves.expect("few events");
            looked_up(Plain, Parts::ALL, &numbers, &halves, &mut weights, &mut firsts);
            for lane in 0..PART {
                let event = places[usize::try_from(numbers.get(lane)).unwrap_or(0).min(many - 1)];
                assert_eq!((weights.get(lane), firsts.get(lane)), (event.weight, event.first));
            }
        }
    }
}
