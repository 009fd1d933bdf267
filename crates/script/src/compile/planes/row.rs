//! Cells of a word of the state as planes of their bits.

use super::super::value::At;
use super::MOST;
use super::lanes::{Lanes, all};
use crate::every::Every;
use crate::op::{Bin, Op, Reg};
use crate::state::Place;

/// A number in a word whose bits hold several cells: each so many bits, from these places on.
struct Row {
    word: At,
    bits: u8,
    from: Vec<u8>,
}

impl Lanes<'_, '_> {
    /// The cells that instructions read, bit by bit, if they are in one word.
    pub(super) fn cells(&mut self, ops: &[Op]) -> Option<Vec<At>> {
        let row = match ops.first()? {
            Op::LoadAt(_, first, len, _) => self.elements(ops, *first, *len)?,
            _ => self.places(ops)?,
        };
        (0..row.bits).map(|bit| self.bit(&row, bit)).collect()
    }

    fn places(&mut self, ops: &[Op]) -> Option<Row> {
        let place = |op: &Op| if let Op::Get(_, place) = op { Some(*place) } else { None };
        let places: Vec<Place> = ops.iter().map(place).collect::<Option<_>>()?;
        let (word, shift) = self.word_of(&places)?;
        let from = places.iter().map(|place| place.shift - shift).collect();
        Some(Row { word, bits: places[0].bits, from })
    }

    /// The bits of a word that hold equal cells, and the first of them.
    fn word_of(&mut self, places: &[Place]) -> Option<(At, u8)> {
        let one = places.first()?;
        let program = &self.compiler.program;
        let me = self.compiler.hidden.me.map(|cell| program.places[cell as usize]);
        let is_same = |place: &&Place| {
            (place.word, place.bits, place.low) == (one.word, one.bits, 0)
                && place.bits > 0
                && me.is_none_or(|me| (me.word, me.shift) != (place.word, place.shift))
        };
        if places.iter().filter(is_same).count() < places.len() {
            return None;
        }
        let shift = places.iter().map(|place| place.shift).min()?;
        let bits = places.iter().map(|place| place.shift + place.bits).max()? - shift;
        let whole = Place { shift, bits, ..*one };
        Some((self.once(|d| Op::Get(d, whole)), shift))
    }

    /// Elements of a row, so many after one with a number that is not known. That may lie before the row, but none that is
    /// read does: an index that may leave its range is checked first, and what is checked is calculated only where it is reached.
    fn elements(&mut self, ops: &[Op], first: u32, len: u32) -> Option<Row> {
        let mut base: Option<Reg> = None;
        let mut indices: Vec<i64> = Vec::new();
        for op in ops {
            let Op::LoadAt(_, own, many, index) = *op else { return None };
            let (of, more) = match self.flat.defs.get(&index) {
                Some(Op::BinK(Bin::Add, _, a, k))
                    if self.known.is_set(*a) && self.flat.defs.contains_key(a) =>
                {
                    (*a, i64::from(*k))
                }
                _ => (index, 0),
            };
            let of = self.known.first(of);
            if (own, many) != (first, len) || base.is_some_and(|base| base != of) {
                return None;
            }
            base = Some(of);
            indices.push(more);
        }
        let places = self.compiler.program.places[first as usize..(first + len) as usize].to_vec();
        let step = places.get(1)?.shift.checked_sub(places[0].shift).filter(|step| *step > 0)?;
        let is_row = |(at, place): (u8, &Place)| {
            u16::from(place.shift) == u16::from(places[0].shift) + u16::from(step) * u16::from(at)
        };
        if !(0..).zip(&places).all(is_row) {
            return None;
        }
        let (word, _) = self.word_of(&places)?;
        let (bits, step, least) = (places[0].bits, i64::from(step), *indices.iter().min()?);
        let place = |at: &i64| u8::try_from((at - least) * step).ok().filter(|from| from + bits <= 64);
        let from = indices.iter().map(place).collect::<Option<_>>()?;
        let by = self.bin(Bin::Mul, At::Reg(base?), At::Const(step));
        let by = self.bin(Bin::Add, by, At::Const(least * step));
        Some(Row { word: self.bin(Bin::Shr, word, by), bits, from })
    }

    /// One bit of every cell.
    fn bit(&mut self, row: &Row, bit: u8) -> Option<At> {
        let least = *row.from.iter().min()?;
        let far = |at: &u8| at - least;
        let step = row.from.iter().map(far).filter(|far| *far > 0).min().unwrap_or(1);
        let places = row.from.iter().map(far).map(|far| (far % step == 0).then_some(usize::from(far / step)));
        let places: Vec<usize> = places.collect::<Option<_>>()?;
        let many = places.iter().max()? + 1;
        if many > MOST {
            return None;
        }
        let many = u8::try_from(many).ok()?;
        let plane = self.evenly(row.word, Every { from: least + bit, step, many });
        match (0..).zip(&places).all(|(lane, place)| lane == *place) {
            true => Some(plane),
            false => self.moved(plane, &places),
        }
    }

    fn evenly(&mut self, word: At, every: Every) -> At {
        match word {
            At::Reg(a) if every.step > 1 && every.many > 1 => self.every(a, every),
            _ => {
                let plane = self.bin(Bin::Shr, word, At::Const(every.from.into()));
                self.bin(Bin::And, plane, At::Const(all(every.many.into())))
            }
        }
    }
}
