//! What lanes note of every game, and where: they finish games in another order than that of the trials.

use std::ops::Range;

use super::simd::{MOST_PARTS, Places, Vector, Vector16};
use super::{Lane, Mask};
use crate::arms::Rows;
use crate::bitboard::Number;
use crate::rotation::Share;

/// Rows into which lanes put what finished games were worth.
#[derive(Clone, Debug)]
pub struct Noting {
    /// A row for every trial of a block.
    pub rows: Rows,
    /// Whether the answers are to be noted.
    pub answers: bool,
    /// The number of the first game, of which lanes know the lower bits.
    first: u16,
    /// Where its row is, and how many rows further the next one's.
    place: usize,
    step: usize,
}

impl Noting {
    /// Rows for a line-up's share of the trials of a block.
    pub(crate) fn new(rows: Rows, (share, block): (Share, &Range<u64>), answers: bool) -> Self {
        let step = usize::try_from(share.step).unwrap_or(usize::MAX);
        Self { rows, answers, first: low(share.of(block).start), place: share.begins(block), step }
    }

    /// The row of a game, given the lower bits of its number: its ending, the number of its answers, and its metrics, to be
    /// set.
    #[inline(always)]
    pub fn put(&mut self, number: u16, ending: usize, answers: u64) -> &mut [u32] {
        self.rows.put(self.at(number), ending, answers)
    }

    /// The metrics of a game whose row was put.
    #[inline(always)]
    pub fn row(&mut self, number: u16) -> &mut [u32] {
        self.rows.row(self.at(number))
    }

    #[inline(always)]
    fn at(&self, number: u16) -> usize {
        self.place + usize::from(number.wrapping_sub(self.first)) * self.step
    }
}

/// The lower bits of the number of a trial.
#[allow(clippy::cast_possible_truncation, reason = "the lower bits")]
pub(super) fn low(number: u64) -> u16 {
    number as u16
}

/// The answers of the games on lanes of 16 bits, as three numbers. The first takes up one answer after the other: it is
/// mixed so that after different answers it is different. The second is the sum of its values, and the third the sum of those
/// of the second and of what is mixed. Games that once answered differently agree in all three by chance only, in about one
/// of 2⁴⁰ cases.
#[derive(Clone, Copy, Debug)]
pub struct Trace<S: Vector>([Lane<S>; 3]);

impl<S: Vector16> Trace<S> {
    /// The number of numbers.
    pub const NUMBERS: usize = 3;

    /// Before the first answer.
    #[inline(always)]
    pub fn new(none: Lane<S>) -> Self {
        Self([none; 3])
    }

    /// Takes up the answers of a step, as two numbers, where the mask holds.
    #[inline(always)]
    pub fn note(&mut self, answers: Lane<S>, others: Lane<S>, mask: Mask<S>) {
        let Self([hash, sum, sums]) = self;
        let mixed = (*hash + answers + hash.alike(0x9E37)).times(0x6D2B);
        let mixed = (mixed << 8) | (mixed >> 8);
        *hash = Lane::select(mask, mixed + others, *hash);
        *sum = *sum + hash.zero_unless(mask);
        *sums = *sums + (*sum + mixed).zero_unless(mask);
    }

    /// The three numbers of all lanes.
    #[inline(always)]
    pub fn numbers(&self) -> [Lane<S>; 3] {
        self.0
    }

    /// Begins again where the mask holds.
    #[inline(always)]
    pub fn restart(&mut self, mask: Mask<S>) {
        for number in &mut self.0 {
            *number = number.zero_where(mask);
        }
    }

    /// The three numbers of a lane in one.
    #[inline(always)]
    pub fn joined(numbers: [u16; 3]) -> u64 {
        numbers.into_iter().fold(0, |joined, number| joined << 16 | u64::from(number))
    }
}

/// A prime p of which 2 is a primitive root and (p − 1) / 2 is prime, too. What it lacks of 2⁵⁴ has many binary digits: modulo
/// 2⁵⁴ − 33 games with sparse answers were mistaken for one another, because one answer weighs as much as two others.
const PRIME: u64 = (1 << PRIME_BITS) - PRIME_LACKS;
const PRIME_BITS: u32 = 54;
const PRIME_LACKS: u64 = 0x1E37_79B9_8995;
const _: () = assert!(PRIME_LACKS < 1 << 45, "a number and eight further digits fit 64 bits");

/// The answers of the games on a part of the lanes, where each is yes or no: as the digits of a binary number that begins with
/// 1, modulo a prime of 54 bits.
#[derive(Clone, Copy, Debug)]
pub struct Digits([Places; MOST_PARTS]);

impl Digits {
    /// Before the first answer.
    pub const NONE: Self = Self([[1; MOST_PARTS]; MOST_PARTS]);

    /// Adds up to eight answers of every lane: their number and, as a binary number, they themselves.
    #[inline(always)]
    pub fn add<S: Vector>(&mut self, simd: S, count: S::V, answers: S::V) {
        for part in 0..S::PARTS {
            let (by, low) = (simd.widened(count, part), simd.widened(answers, part));
            let longer = simd.shift_in(simd.load_part(&self.0[part]), by, low);
            // What is above 2⁵⁴, at most 9 bits, is replaced by what it is modulo the prime.
            let above = simd.shr_part::<PRIME_BITS>(longer);
            let less = simd.mul_part(above, simd.splat_part(PRIME_LACKS.wrapping_sub(1 << PRIME_BITS)));
            simd.store_part(simd.add_part(longer, less), &mut self.0[part]);
        }
    }

    /// The number of a lane, which begins again.
    #[inline(always)]
    pub fn take<S: Vector>(&mut self, _: S, lane: usize) -> u64 {
        std::mem::replace(&mut self.0[lane % S::PARTS][lane / S::PARTS % MOST_PARTS], 1) % PRIME
    }
}
