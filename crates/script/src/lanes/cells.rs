//! The variables of a game: each is in a column.

use std::collections::BTreeSet;

use stopwise_engine::vocabulary::Reads;

use super::build::{Builder, Obstacle};
use super::instr::Ref;
use super::local::Value;
use super::range::Range;
use crate::ir::Cells;
use crate::state::Place;

impl Builder<'_> {
    /// Whose turn it is.
    pub(super) fn me(&self) -> Value {
        match self.ir.me.and_then(|place| self.cells.get(&(place.word, place.shift))) {
            Some((column, _)) => Value::In(*column, (0, 7)),
            None => Value::Known(0),
        }
    }

    pub(super) fn cell(&self, place: Place) -> Value {
        match self.cells.get(&(place.word, place.shift)) {
            Some((column, range)) if place.bits > 0 => {
                self.stored.get(column).copied().unwrap_or(Value::In(*column, *range))
            }
            _ => Value::Known(place.low.into()),
        }
    }

    /// The columns of a row.
    pub(super) fn row(&self, cells: Cells) -> Result<Vec<(Ref, Range)>, Obstacle> {
        let places = self.row_places(cells);
        // Indices are bytes.
        if places.len() > usize::from(u8::MAX) {
            return Err("an array of more than 255 values".into());
        }
        let columns = places.into_iter().map(|place| self.cells.get(&place).copied());
        columns.collect::<Option<_>>().ok_or_else(|| "an array of numbers that never change".into())
    }

    /// Where the elements of a row are.
    fn row_places(&self, cells: Cells) -> Vec<(u8, u8)> {
        match cells {
            Cells::Near(row, _) => {
                (0..row.len).map(|at| (row.first.word, row.first.shift + row.step * at)).collect()
            }
            Cells::Wide(row, _) => {
                let in_word = 64 / row.step.max(1);
                let place = |at: u8| (row.first.word + at / in_word, row.step * (at % in_word));
                (0..row.len).map(place).collect()
            }
            Cells::Far(number) => {
                let far = &self.program.code.aside.far[number as usize];
                far.iter().map(|place| (place.word, place.shift)).collect()
            }
        }
    }

    /// The variables on which what is read of the state and of candidates depends at a question; nothing if that is not known.
    pub(super) fn variables(&self, site: u32, kind: usize, reads: &[Reads]) -> Option<Vec<(Place, Ref)>> {
        let mut places = BTreeSet::new();
        let (program, words) = self.game.read();
        for reads in reads {
            for reading in words.readings(program, kind, reads) {
                let reading = &program.readings[reading];
                if reading.ahead.iter().any(|(own, _)| *own == site) {
                    return None;
                }
                let Some((_, at)) = reading.at.iter().find(|(own, _)| *own == site) else { continue };
                let mut rows = Vec::new();
                let is_calculated = self.ir.reads(*at as usize, &mut |read| match read {
                    Ok(place) => drop(places.insert((place.word, place.shift))),
                    Err(cells) => rows.push(cells),
                });
                if !is_calculated {
                    return None;
                }
                for cells in rows {
                    places.extend(self.row_places(cells));
                }
            }
        }
        let known = program.places.iter().filter(|place| place.bits > 0);
        let read = known.filter(|place| places.contains(&(place.word, place.shift)));
        Some(read.map(|place| (*place, self.cells[&(place.word, place.shift)].0)).collect())
    }
}
