//! Rolls of many games: by its next word each has a place among all results, and what is shown there.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use stopwise_engine::lanes::simd::Vector16;

use super::column::{Column, Number, PART, PARTS, is_any};
use super::instr::{Ref, Width};
use super::loops::Held;
use super::over::over;
use super::run::Run;
use super::shown::{Part, looked_up, numbered, show_part};
use super::stops::{Roll, RollForm, Tabled};
use super::streams::Whose;
use crate::pool::EventPlaces;

impl<S: Vector16> Run<'_, S> {
    #[inline(always)]
    pub(super) fn roll(&mut self, roll: &Roll, event: Option<Ref>, seat: Option<Ref>) {
        let Self { loops, middle, here, weights, weight, firsts, .. } = self;
        let parts = match (&roll.form, event) {
            (RollForm::Tabled(Tabled { events, parts, .. }), None) => {
                let own = events.places[0].weight;
                if let Some((more, column)) = roll.one_place(parts) {
                    return self.roll_one(roll.seat, seat, own, more, column);
                }
                if *weight != Some(own) {
                    *weight = Some(own);
                    *weights = Column([[own; PART]; PARTS]);
                    *firsts = Column([[0; PART]; PARTS]);
                }
                parts.as_slice()
            }
            (RollForm::Tabled(Tabled { events, parts, .. }), Some(column)) => {
                *weight = None;
                let numbers = &middle[column.index()];
                loops.run(|parts| match &events.halves {
                    Some(halves) => looked_up(loops.simd, parts, numbers, halves, weights, firsts),
                    None => numbered(parts, numbers, &events.places, weights, firsts),
                });
                if events.are_some_alone
                    && loops.run(|parts| is_any(parts, firsts, EventPlaces::TOO_MANY.first, here))
                {
                    return self.roll_each(roll, event, seat);
                }
                parts.as_slice()
            }
            (RollForm::Drawn(draw), Some(bag)) => {
                *weight = None;
                loops.run(|parts| firsts.clear(parts));
                over!(self, bag.width, |parts, columns| {
                    draw.weigh(parts, &columns[bag.index()], here, weights);
                });
                &draw.parts
            }
            _ => return self.roll_each(roll, event, seat),
        };
        let Self { loops, bytes, here, weights, places, streams, .. } = self;
        let whose = seat.map_or(Whose::One(roll.seat), |seat| Whose::Each(&bytes[seat.index()]));
        loops.run(|parts| {
            let weights = |at: usize| &weights.0[at];
            streams.draw(loops.simd, parts, whose, here, weights, |at, drawn| places.0[at] = *drawn);
        });
        if let (RollForm::Drawn(draw), Some(bag)) = (&roll.form, event) {
            over!(self, bag.width, |parts, columns| {
                draw.find(parts, &columns[bag.index()], &self.here, &mut self.places);
            });
        }
        for (part, column) in parts.iter().zip(&roll.given) {
            let Some(column) = column else { continue };
            over!(self, column.width, |parts, columns| {
                let column = &mut columns[column.index()];
                show_part(parts, part, &self.places, &self.firsts, &self.here, column);
            });
        }
    }

    /// Rolls with as many places in all games, of which a column of bytes shows the place and `more`.
    #[inline(always)]
    fn roll_one(&mut self, roller: usize, seat: Option<Ref>, weight: u32, more: u8, column: Ref) {
        let mut shown = u8::taken(self, column);
        let Self { loops, bytes, here, streams, .. } = self;
        let weights = [weight; PART];
        let whose = seat.map_or(Whose::One(roller), |seat| Whose::Each(&bytes[seat.index()]));
        loops.run(|parts| {
            streams.draw(
                loops.simd,
                parts,
                whose,
                here,
                |_| &weights,
                |at, places| {
                    let (here, mut part) = (here.0[at], shown.0[at]);
                    for lane in 0..PART {
                        part[lane] = part[lane].or_new(here[lane], u8::of(places[lane].into()).add(more));
                    }
                    shown.0[at] = part;
                },
            );
        });
        u8::put_back(self, column, shown);
    }
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
