//! Rolls of many games: by its next word each has a place among all results, and what is shown there.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use stopwise_engine::lanes::simd::Vector16;

use super::column::{Column, FEW, Mask, Number, PART, PARTS, few_of, is_any, set_few};
use super::instr::{Ref, Width};
use super::over::over;
use super::run::Run;
use super::shown::{Part, numbered, show_part};
use super::stops::{Form, Roll, Tabled};
use super::streams::places_of_seats;
use crate::pool::EventPlaces;

impl<S: Vector16> Run<'_, S> {
    #[inline(always)]
    pub(super) fn roll(&mut self, roll: &Roll, event: Option<Ref>, seat: Option<Ref>) {
        let Self { loops, middle, long, here, weights, weight, firsts, .. } = self;
        let parts = match (&roll.form, event) {
            (Form::Tabled(Tabled { events, parts, .. }), None) => {
                let own = events.places[0].weight;
                if let Some((more, column)) = roll.one_place(parts)
                    && own > 0
                {
                    return self.roll_one(roll.seat, seat, own, more, column);
                }
                if *weight != Some(own) {
                    *weight = Some(own);
                    *weights = Column([[own; PART]; PARTS]);
                    *firsts = Column([[0; PART]; PARTS]);
                }
                parts.as_slice()
            }
            (Form::Tabled(Tabled { events, parts, .. }), Some(column)) => {
                *weight = None;
                let numbers = &middle[column.index()];
                let is_alone = loops.run(|parts| {
                    numbered(parts, numbers, &events.places, weights, firsts);
                    events.are_some_alone && is_any(parts, firsts, EventPlaces::TOO_MANY.first, here)
                });
                if is_alone {
                    return self.roll_each(roll, event, seat);
                }
                parts.as_slice()
            }
            (Form::Drawn(draw), Some(bag)) => {
                *weight = None;
                let bags = &long[bag.index()];
                loops.run(|parts| draw.weigh(parts, bags, here, weights));
                loops.run(|parts| firsts.clear(parts));
                &draw.parts
            }
            _ => return self.roll_each(roll, event, seat),
        };
        let Self { loops, bytes, long, here, weights, places, streams, .. } = self;
        let weight = |at: usize, few| few_of(&weights.0[at], few);
        match seat {
            None => loops.run(|parts| {
                let place = |at: usize, few, drawn| set_few(&mut places.0[at], few, drawn);
                streams[roll.seat].places(loops.simd, parts, here, weight, place);
            }),
            Some(seat) => loops.run(|parts| {
                let place = |at: usize, few, drawn| set_few(&mut places.0[at], few, drawn);
                places_of_seats(loops.simd, streams, &bytes[seat.index()], parts, here, weight, place);
            }),
        }
        if let (Form::Drawn(draw), Some(bag)) = (&roll.form, event) {
            loops.run(|parts| draw.find(parts, &long[bag.index()], here, places));
        }
        for (part, column) in parts.iter().zip(&roll.given) {
            let Some(column) = column else { continue };
            over!(self, column.width, |parts, columns| {
                let column = &mut columns[column.index()];
                show_part(parts, part, &self.places, &self.firsts, &self.here, column);
            });
        }
    }

    /// Rolls with as many places in all games: a column of bytes becomes the place and `more`.
    #[inline(always)]
    fn roll_one(&mut self, roller: usize, seat: Option<Ref>, weight: u32, more: u8, column: Ref) {
        let Self { loops, bytes, here, streams, .. } = self;
        match seat {
            None => loops.run(|parts| {
                let (column, weight, more) = (&mut bytes[column.index()], weight, more);
                streams[roller].places(
                    loops.simd,
                    parts,
                    here,
                    |_, _| [weight; FEW],
                    |at, few, places| {
                        show_few(column, here, (at, few), places, more);
                    },
                );
            }),
            Some(seat) => loops.run(|parts| {
                let Ok([seats, column]) = bytes.get_disjoint_mut([seat, column].map(Ref::index)) else {
                    return;
                };
                let (weight, more) = (weight, more);
                let weights = |_, _| [weight; FEW];
                places_of_seats(loops.simd, streams, seats, parts, here, weights, |at, few, places| {
                    show_few(column, here, (at, few), places, more);
                });
            }),
        }
    }
}

/// In the games of a mask, a few lanes become their places and `more`.
#[inline(always)]
fn show_few(column: &mut Column<u8>, here: &Mask, (at, few): (usize, usize), places: [u32; FEW], more: u8) {
    let (here, mut shown) = (few_of(&here.0[at], few), few_of(&column.0[at], few));
    for lane in 0..FEW {
        let value = u8::of(places[lane].into()).add(more);
        shown[lane] = shown[lane].or_new(here[lane], value);
    }
    set_few(&mut column.0[at], few, shown);
}

impl Roll {
    /// If all that is read of it is one column of bytes, which is the place and a number: that number, and the column.
    fn one_place(&self, parts: &[Part]) -> Option<(u8, Ref)> {
        let mut shown = parts.iter().zip(&self.given).filter_map(|(part, column)| Some((part, (*column)?)));
        match (shown.next()?, shown.next()) {
            ((Part::Place(more), column), None) if column.width == Width::Byte => {
                Some((u8::try_from(*more).ok()?, column))
            }
            _ => None,
        }
    }
}
