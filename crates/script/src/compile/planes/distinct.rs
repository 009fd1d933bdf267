//! Values side by side of which some are known, or the same as others.

use super::super::value::At;
use super::MOST;
use super::lanes::Lanes;
use super::numbers::MOST_BITS;
use crate::op::Bin;

/// The most different values that are looked up by their bits.
const MOST_LOOKED_UP: usize = 8;
/// The most ways in which values are moved to their places.
const MOST_MOVES: usize = 6;

/// Several values, as far as they are known or the same.
pub(super) enum Distinct {
    Known(Vec<i64>),
    /// Those that are known, and all with one of the others in their places.
    Partly(Vec<At>, Vec<Option<i64>>),
    One(At),
    /// Each once, and which it is of every lane.
    Few(Vec<At>, Vec<usize>),
    Many,
}

impl Distinct {
    pub(super) fn of(lanes: &[At]) -> Self {
        debug_assert!(lanes.len() <= MOST);
        let known = |at: &At| if let At::Const(value) = at { Some(*value) } else { None };
        let values: Vec<Option<i64>> = lanes.iter().map(known).collect();
        let Some(open) = lanes.iter().find(|at| known(at).is_none()) else {
            return Self::Known(values.into_iter().flatten().collect());
        };
        if values.iter().any(Option::is_some) {
            let filled = lanes.iter().map(|at| if known(at).is_some() { *open } else { *at });
            return Self::Partly(filled.collect(), values);
        }
        let (mut distinct, mut which) = (Vec::new(), Vec::new());
        for lane in lanes {
            let at = distinct.iter().position(|own| own == lane).unwrap_or(distinct.len());
            if at == distinct.len() {
                distinct.push(*lane);
            }
            which.push(at);
        }
        match distinct.len() {
            1 => Self::One(*open),
            many if many < lanes.len() => Self::Few(distinct, which),
            _ => Self::Many,
        }
    }
}

impl Lanes<'_, '_> {
    /// Planes in which some lanes have values that are known.
    pub(super) fn with_known(&mut self, mut planes: Vec<At>, known: &[Option<i64>]) -> Vec<At> {
        let many = known.len();
        let values: Vec<i64> = known.iter().map(|value| value.unwrap_or(0)).collect();
        let open: Vec<i64> = known.iter().map(|value| value.is_none().into()).collect();
        while planes.len() < MOST_BITS && values.iter().any(|value| value >> planes.len() != 0) {
            planes.push(At::Const(0));
        }
        let with = (0..).zip(planes).map(|(at, plane)| {
            let plane = self.and(plane, At::Const(bits(&open, 0)), many);
            self.or(plane, At::Const(bits(&values, at)), many)
        });
        with.collect()
    }

    /// A plane of few values, each in the lanes that have it.
    pub(super) fn spread(&mut self, plane: At, values: usize, which: &[usize]) -> At {
        let lanes_of = |value: usize| {
            let is: Vec<i64> = which.iter().map(|own| i64::from(*own == value)).collect();
            bits(&is, 0)
        };
        let lanes: Vec<i64> = (0..values).map(lanes_of).collect();
        let of = |index: usize| {
            (0..values).filter(|value| index >> value & 1 == 1).fold(0, |all, value| all | lanes[value])
        };
        if let At::Const(index) = plane {
            return At::Const(of(usize::try_from(index).unwrap_or(0)));
        }
        if lanes.iter().enumerate().all(|(value, own)| *own == lanes[0] << value) {
            return self.bin(Bin::Mul, plane, At::Const(lanes[0]));
        }
        if values <= MOST_LOOKED_UP {
            let entries = (0..1 << values).map(of).collect();
            return self.look_up(entries, plane);
        }
        self.moved(plane, which).unwrap_or_else(|| {
            // There is nothing quicker for so many.
            (0..values).fold(At::Const(0), |all, value| {
                let bit = self.bin(Bin::Shr, plane, At::Const(i64::try_from(value).unwrap_or(0)));
                let bit = self.bin(Bin::And, bit, At::Const(1));
                let part = self.bin(Bin::Mul, bit, At::Const(lanes[value]));
                self.bin(Bin::Or, all, part)
            })
        })
    }

    /// The bit of a plane with each of these numbers, if few moves bring them to their places.
    pub(super) fn moved(&mut self, plane: At, which: &[usize]) -> Option<At> {
        let mut moves: Vec<(i64, i64)> = Vec::new();
        for (lane, from) in which.iter().enumerate() {
            let by = i64::try_from(*from).ok()? - i64::try_from(lane).ok()?;
            match moves.iter_mut().find(|(known, _)| *known == by) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => moves.push((by, 1 << lane)),
            }
        }
        (moves.len() <= MOST_MOVES).then(|| {
            moves.into_iter().fold(At::Const(0), |all, (by, lanes)| {
                let (bin, by) = if by < 0 { (Bin::Shl, -by) } else { (Bin::Shr, by) };
                let part = self.bin(bin, plane, At::Const(by));
                let part = self.bin(Bin::And, part, At::Const(lanes));
                self.bin(Bin::Or, all, part)
            })
        })
    }
}

/// A bit of several values.
pub(super) fn bits(values: &[i64], at: usize) -> i64 {
    (0..).zip(values).fold(0, |all, (lane, value)| all | (value >> at & 1) << lane)
}
