//! Loops of a program that is played game by game: what they came to is remembered, for all threads.

use std::sync::{Mutex, PoisonError};

use crate::arithmetic::Reg;
use crate::known::Known;
use crate::pure_loop::{Gives, Key, PureLoop, READS};

/// The parts of what is remembered, by a part of the key, so that few threads wait for each other.
const PARTS: usize = 16;

/// A loop that only calculates.
#[derive(Debug)]
pub(crate) struct Repeat {
    pub(crate) of_one: PureLoop,
    known: [Mutex<Known<READS, Gives>>; PARTS],
}

impl Repeat {
    pub(crate) fn new(of_one: PureLoop) -> Self {
        Self { of_one, known: Default::default() }
    }

    /// Sets the registers that it gives; `find` finds what it comes to where that is not known.
    #[inline]
    pub(crate) fn set<const N: usize>(&self, r: &mut [i64; N], find: impl FnOnce(&Key) -> Gives) {
        let n = |register: &Reg| *register as usize & (N - 1);
        let mut key = Key::default();
        for (value, slot) in key.iter_mut().zip(&self.of_one.reads) {
            *value = r[n(slot)].cast_unsigned();
        }
        let hash = key.iter().fold(0_u64, |hash, value| (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut known =
            self.known[(hash >> 60) as usize % PARTS].lock().unwrap_or_else(PoisonError::into_inner);
        let gives = known.of(&key, || find(&key));
        for (value, slot) in gives.iter().zip(&self.of_one.gives) {
            r[n(slot)] = *value;
        }
    }
}
