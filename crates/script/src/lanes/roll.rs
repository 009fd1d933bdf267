//! Rolls and draws.

use super::build::{Builder, Obstacle};
use super::draw::Draw;
use super::instr::{Instr, Ref, Width};
use super::left::Left;
use super::local::Value;
use super::stops::{Roll, RollForm, Tabled};
use crate::code::HaltForm;
use crate::op::{Bin, SiteForm};
use crate::pool::EventPlaces;

/// The most places of the event of a roll, and of all events where there are several.
const MOST_PLACES: usize = 1 << 20;
const MOST_OF_SEVERAL: usize = 1 << 18;

impl Builder<'_> {
    /// A stop for dice or an answer.
    pub(super) fn stop(&mut self, site: u32, seat: Value, gives: &[Value]) -> Result<(), Obstacle> {
        let kinds = match &self.program.sites[site as usize].form {
            SiteForm::Ask(kind) => return self.ask(site, *kind, seat, gives[0]),
            SiteForm::Roll(kinds) => kinds.iter().map(|kind| kind.many as usize + 1).collect(),
            SiteForm::Draw(_) => Vec::new(),
        };
        let program = self.program;
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
                (RollForm::Tabled(tabled), tabled.ranges.clone())
            }
            None => match program.sites[site as usize].form {
                SiteForm::Draw(layout) => {
                    let draw = Draw::new(&program.layouts[usize::from(layout)]);
                    (RollForm::Drawn(draw), throws.ranges(choice))
                }
                _ => (RollForm::Each, throws.ranges(choice)),
            },
        };
        let given: Vec<Option<Ref>> =
            (0..).zip(&ranges).map(|(k, range)| self.gives(Left::Given(site, k), *range)).collect();
        let is_tabled = matches!(form, RollForm::Tabled(..));
        let number = match number {
            Value::Known(_) if is_tabled => Ok(0),
            Value::Known(number) if matches!(form, RollForm::Each) => Ok(number),
            number if matches!(form, RollForm::Drawn(_)) => Err(self.at(number, number.width())),
            number => Err(self.at(number, if is_tabled { Width::Middle } else { Width::Long })),
        };
        let seat = match seat {
            Value::Known(seat) => Ok(usize::try_from(seat).unwrap_or(0)),
            seat => Err(self.at(seat, Width::Byte)),
        };
        given.iter().flatten().for_each(|column| self.protect(*column));
        self.emit(Instr::Roll(self.rolls.len(), number.err(), seat.err()));
        let (seat, number) = (seat.unwrap_or(0), number.unwrap_or(0));
        self.rolls.push(Roll { seat, number, form, given, throws, choice: choice.clone() });
        Ok(())
    }
}
