//! Rolls and draws.

use super::build::{Builder, Obstacle};
use super::instr::{Instr, Order, Ref, Width};
use super::left::Left;
use super::local::Value;
use super::range::{Range, joined};
use super::stops::{Form, Roll, Tabled};
use crate::code::HaltForm;
use crate::layout::{BagOp, Field, Layout};
use crate::op::{Bin, SiteForm};
use crate::pool::{Choice, EventPlaces, Throws};

/// The most places of the event of a roll, and of all events where there are several.
const MOST_PLACES: usize = 1 << 20;
const MOST_OF_SEVERAL: usize = 1 << 18;

/// The number under which a draw gives a place.
const PLACE: u8 = 2;

fn spanned(values: &[i64]) -> Range {
    values.iter().fold((values[0], values[0]), |range, value| joined(range, (*value, *value)))
}

impl Builder<'_> {
    /// A stop for dice or an answer.
    pub(super) fn stop(&mut self, site: u32, seat: Value, gives: &[Value]) -> Result<(), Obstacle> {
        let kinds = match &self.program.sites[site as usize].form {
            SiteForm::Ask(kind) => return self.ask(site, *kind, seat, gives[0]),
            SiteForm::Roll(kinds) => kinds.iter().map(|kind| kind.many as usize + 1).collect(),
            SiteForm::Draw(_) => Vec::new(),
        };
        if let SiteForm::Draw(layout) = self.program.sites[site as usize].form {
            self.draw(site, layout, seat, gives[0]);
            return Ok(());
        }
        let HaltForm::Roll(choice, ..) = &self.program.code.aside.halts[site as usize].form else {
            return Err("a roll without an event".into());
        };
        let throws = self.program.throws.ok_or("a game without events")?;
        let mut number = Value::Known(0);
        for (kind, give) in gives.iter().enumerate() {
            let part = self.bin(Bin::Mul, *give, Value::Known(choice.step(kind)));
            number = self.bin(Bin::Add, number, part);
        }
        let events: usize = kinds.iter().product();
        let events = match number {
            Value::Known(number) => {
                usize::try_from(number).unwrap_or(0)..usize::try_from(number).unwrap_or(0) + 1
            }
            Value::In(..) => 0..events,
        };
        let most = if events.len() == 1 { MOST_PLACES } else { MOST_OF_SEVERAL };
        let (form, ranges) = match Tabled::of(throws, choice, events, most) {
            Some(tabled) => {
                if let ([EventPlaces { weight: 0, .. }], Value::Known(_)) =
                    (&tabled.events.places[..], number)
                {
                    for (k, (low, _)) in (0..).zip(&tabled.ranges) {
                        if let Some(column) = self.gives(Left::Given(site, k), (*low, *low)) {
                            self.put(column, Value::Known(*low));
                        }
                    }
                    return Ok(());
                }
                (Form::Tabled(tabled), tabled.ranges.clone())
            }
            None => (Form::Each, throws.ranges(choice)),
        };
        let given = (0..).zip(&ranges).map(|(k, range)| self.gives(Left::Given(site, k), *range)).collect();
        let is_tabled = matches!(form, Form::Tabled(..));
        let number = match number {
            Value::Known(_) if is_tabled => Ok(0),
            Value::Known(number) => Ok(number),
            number => Err(self.at(number, if is_tabled { Width::Middle } else { Width::Long })),
        };
        self.roll(seat, number, form, given, Some((throws, choice.clone())));
        Ok(())
    }

    /// A draw from a bag: the face in which a place among all dice lies, lower faces first. Where one face is left no word
    /// is taken.
    fn draw(&mut self, site: u32, number: u16, seat: Value, bag: Value) {
        let layout = &self.program.layouts[usize::from(number)];
        let (size, faces) = (self.bag(BagOp::Size, number, bag, Value::Known(0)), self.several(layout, bag));
        let weight = self.bin(Bin::Mul, size, faces);
        let weight = self.at(weight, Width::Middle);
        let range = (0, 1 << 16);
        let place = self.gives(Left::Given(site, PLACE), range);
        self.roll(seat, Err(weight), Form::Among, vec![place], None);
        let place = place.map_or(Value::Known(0), |column| Value::In(column, range));
        let (mut before, mut nth) = (Value::Known(0), Value::Known(0));
        for field in &layout.fields[..layout.fields.len().saturating_sub(1)] {
            let count = self.field(field, bag);
            before = self.bin(Bin::Add, before, count);
            let is_later = self.compare(Order::AtLeast, place, before);
            nth = self.bin(Bin::Add, nth, is_later);
        }
        let of = |value: fn(&Field) -> i64| layout.fields.iter().map(value).collect::<Vec<_>>();
        for (k, values) in [(0, of(|field| field.atom)), (1, of(Field::unit))] {
            let range = joined((0, 0), spanned(&values));
            if let Some(column) = self.gives(Left::Given(site, k), range) {
                let value = self.few(values, nth, range);
                self.put(column, value);
            }
        }
    }

    /// Whether a bag has several faces.
    fn several(&mut self, layout: &Layout, bag: Value) -> Value {
        let mut faces = Value::Known(0);
        for field in &layout.fields {
            let count = self.field(field, bag);
            let is_there = self.compare(Order::More, count, Value::Known(0));
            faces = self.bin(Bin::Add, faces, is_there);
        }
        self.compare(Order::More, faces, Value::Known(1))
    }

    fn roll(
        &mut self,
        seat: Value,
        number: Result<i64, Ref>,
        form: Form,
        given: Vec<Option<Ref>>,
        throws: Option<(&'static Throws, Choice)>,
    ) {
        let seat = match seat {
            Value::Known(seat) => Ok(usize::try_from(seat).unwrap_or(0)),
            seat => Err(self.at(seat, Width::Short)),
        };
        given.iter().flatten().for_each(|column| self.protect(*column));
        self.emit(Instr::Roll(self.rolls.len(), number.err(), seat.err()));
        let (seat, number) = (seat.unwrap_or(0), number.unwrap_or(0));
        self.rolls.push(Roll { seat, number, form, given, throws });
    }
}
