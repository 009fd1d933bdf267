//! Columns: a number of every game that is played side by side, and loops over them.
//!
//! A loop loads a part of its operands by value, computes, and stores the result: the compiler then makes vector
//! instructions of it without asking whether operands overlap. Loops count their lanes: iterators are not always inlined.
#![allow(clippy::needless_range_loop, reason = "the reason is given above")]

use std::ops::Range;

use stopwise_engine::lanes::simd::{DRAWN, Job, MOST_LANES, Vector16};

use super::instr::Order;

/// The most games that are played side by side.
pub(super) const LANES: usize = 2048;
/// Half as many are where the columns of one have more bytes: their caches hold no more.
const MOST_BYTES: usize = 768;
/// The numbers of a part.
pub(super) const PART: usize = DRAWN;
pub(super) const PARTS: usize = LANES / PART;

/// How many games are played side by side that have so many columns, by width.
pub(super) fn lanes([bytes, short, middle, long]: [usize; 4]) -> usize {
    if bytes + 2 * short + 4 * middle + 8 * long > MOST_BYTES { LANES / 2 } else { LANES }
}

/// A number of every game.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Column<T>(pub(super) [[T; PART]; PARTS]);

/// The columns of a width.
pub(super) type Columns<T> = Vec<Box<Column<T>>>;

/// The lane to which a game moves, and the one from which.
pub(super) type Move = (u16, u16);

/// The first parts of columns: no games are in others, and loops leave them out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts(usize);

impl Parts {
    pub(super) const ALL: Self = Self(PARTS);

    /// Those with the games of a mask.
    pub(super) fn of(games: &Mask) -> Self {
        Self(games.0.iter().rposition(|part| *part != [0; PART]).map_or(0, |last| last + 1))
    }

    #[inline(always)]
    pub(super) fn all(self) -> Range<usize> {
        0..self.0.min(PARTS)
    }
}

/// Loops over columns, for an instruction set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loops<S> {
    pub(super) simd: S,
    pub(super) parts: Parts,
}

impl<S: Vector16> Loops<S> {
    /// Runs a loop as a function of its own: the compiler makes vector instructions of loops in short functions only.
    #[inline(always)]
    pub(super) fn run<R>(self, run: impl FnOnce(Parts) -> R) -> R {
        self.simd.outlined(Loop(|| run(self.parts)))
    }
}

struct Loop<F>(F);

impl<S, R, F: FnOnce() -> R> Job<S> for Loop<F> {
    type Output = R;

    #[inline(always)]
    fn run(self, _: S) -> R {
        (self.0)()
    }
}

/// All bits of the games that something happens to, and no bits of the others.
pub(super) type Mask = Column<i8>;

/// Numbers of a width.
pub(super) trait Number: Copy + Ord {
    const LEAST: Self;
    const GREATEST: Self;
    /// The number, if it fits; what does not fit is the number of a game that nothing happens to.
    fn of(number: i64) -> Self;
    fn wide(self) -> i64;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn shl(self, by: u32) -> Self;
    fn shr(self, by: u32) -> Self;
    /// By any number from 0 to 63.
    fn shl_by(self, by: Self) -> Self;
    fn shr_by(self, by: Self) -> Self;
    /// 0 where the divisor is 0.
    fn div(self, by: Self) -> Self;
    /// `new` where the mask has all bits, this number where it has none. Bits are taken one by one: of a choice the
    /// compiler makes jumps.
    fn or_new(self, mask: i8, new: Self) -> Self;
}

/// Methods that are inlined, a line each.
macro_rules! inlined {
    ($($name:ident($this:ident $(, $argument:ident: $kind:ty)?) -> $result:ty { $body:expr })*) => {
        $(#[inline(always)]
        fn $name($this $(, $argument: $kind)?) -> $result {
            $body
        })*
    };
}

macro_rules! numbers {
    ($($number:ty, $float:ty, $units:expr);*) => {$(
        impl Number for $number {
            const LEAST: Self = Self::MIN;
            const GREATEST: Self = Self::MAX;

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, clippy::cast_lossless, reason = "what does not fit is not read")]
            fn of(number: i64) -> Self {
                number as Self
            }

            inlined! {
                wide(self) -> i64 { self.into() }
                add(self, other: Self) -> Self { self.wrapping_add(other) }
                sub(self, other: Self) -> Self { self.wrapping_sub(other) }
                mul(self, other: Self) -> Self { self.wrapping_mul(other) }
                and(self, other: Self) -> Self { self & other }
                or(self, other: Self) -> Self { self | other }
                shl(self, by: u32) -> Self { self.wrapping_shl(by) }
                shr(self, by: u32) -> Self { self.wrapping_shr(by) }
            }

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bits")]
            fn shl_by(self, by: Self) -> Self {
                let is_in = (0..Self::BITS as Self).contains(&by);
                if is_in { self.wrapping_shl(by as u32) } else { 0 }
            }

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bits")]
            fn shr_by(self, by: Self) -> Self {
                self.wrapping_shr(by.min(Self::BITS as Self - 1).max(0) as u32)
            }

            #[inline(always)]
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                clippy::cast_lossless,
                reason = "the numbers of a quotient in floating point have half of its bits"
            )]
            fn div(self, by: Self) -> Self {
                if Self::BITS == 64 {
                    return self.checked_div(by).unwrap_or(0);
                }
                // The quotient without its sign is never rounded to a whole number that is greater. Added to a number whose
                // last bit counts 1, it becomes the nearest whole number: conversions would be done one by one.
                const WHOLE: $float = (1_u64 << $units) as $float;
                let quotient = (self as $float / by as $float).abs();
                let nearest = quotient + WHOLE;
                let above = Self::from(nearest - WHOLE > quotient);
                let number = (nearest.to_bits() as Self).wrapping_sub(above);
                let sign = if Self::MIN == 0 { 0 } else { (self ^ by) >> (Self::BITS - 1) };
                (number ^ sign).wrapping_sub(sign) & Self::from(by != 0).wrapping_neg()
            }

            #[inline(always)]
            #[allow(clippy::cast_lossless, clippy::cast_sign_loss, reason = "all bits, or none")]
            fn or_new(self, mask: i8, new: Self) -> Self {
                self ^ (self ^ new) & mask as Self
            }
        }
    )*};
}

numbers!(u8, f32, 23; i16, f32, 23; i32, f64, 52; i64, f64, 52);

impl<T: Copy> Column<T> {
    pub(super) fn splat(number: T) -> Self {
        Self([[number; PART]; PARTS])
    }

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> T {
        self.0[lane / PART % PARTS][lane % PART]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, number: T) {
        self.0[lane / PART % PARTS][lane % PART] = number;
    }

    /// Moves the numbers of games.
    pub(super) fn gather(&mut self, moves: &[Move]) {
        for (to, from) in moves {
            self.set((*to).into(), self.get((*from).into()));
        }
    }
}

impl Column<u32> {
    #[inline(always)]
    pub(super) fn clear(&mut self, parts: Parts) {
        for at in parts.all() {
            self.0[at] = [0; PART];
        }
    }
}

/// How many games a mask has: its lanes of each part added up, as numbers.
#[inline(always)]
fn total(lanes: [i8; PART]) -> usize {
    let mut total = 0;
    for lane in lanes {
        total += i16::from(lane);
    }
    usize::from(total.cast_unsigned())
}

impl Mask {
    pub(super) const NONE: Self = Column([[0; PART]; PARTS]);

    /// How many games it has.
    #[inline(always)]
    pub(super) fn count(&self, parts: Parts) -> usize {
        let mut sum = [0; PART];
        for at in parts.all() {
            for lane in 0..PART {
                sum[lane] -= self.0[at][lane];
            }
        }
        total(sum)
    }

    /// Adds the games of another.
    #[inline(always)]
    pub(super) fn join(&mut self, parts: Parts, other: &Self) {
        for at in parts.all() {
            for lane in 0..PART {
                self.0[at][lane] |= other.0[at][lane];
            }
        }
    }

    /// Takes away the games of another.
    #[inline(always)]
    pub(super) fn without(&mut self, parts: Parts, other: &Self) {
        for at in parts.all() {
            for lane in 0..PART {
                self.0[at][lane] &= !other.0[at][lane];
            }
        }
    }

    /// Moves those of its games in which something is, or is not, so of a column to another mask, in which there are none yet if
    /// they are the first. Returns how many they are.
    #[inline(always)]
    pub(super) fn part<T: Number>(
        &mut self,
        parts: Parts,
        column: &Column<T>,
        (is_so, wanted): (impl Fn(T) -> bool, bool),
        to: &mut Self,
        is_first: bool,
    ) -> usize {
        let (flip, before) = (-i8::from(!wanted), -i8::from(!is_first));
        let mut sum = [0; PART];
        for at in parts.all() {
            let (mut own, numbers, mut other) = (self.0[at], column.0[at], to.0[at]);
            for lane in 0..PART {
                let moved = own[lane] & (-i8::from(is_so(numbers[lane])) ^ flip);
                own[lane] ^= moved;
                other[lane] = other[lane] & before | moved;
                sum[lane] -= moved;
            }
            (self.0[at], to.0[at]) = (own, other);
        }
        total(sum)
    }

    /// The same with those in which a column compares so with a number.
    #[inline(always)]
    pub(super) fn part_by<T: Number>(
        &mut self,
        parts: Parts,
        column: &Column<T>,
        (order, number): (Order, i64),
        to: &mut Self,
        is_first: bool,
    ) -> usize {
        let number = T::of(number);
        let wanted = matches!(order, Order::Equal | Order::Less | Order::AtMost);
        match order {
            Order::Equal | Order::Unequal => {
                self.part(parts, column, (|a| a == number, wanted), to, is_first)
            }
            Order::Less | Order::AtLeast => self.part(parts, column, (|a| a < number, wanted), to, is_first),
            Order::AtMost | Order::More => self.part(parts, column, (|a| a <= number, wanted), to, is_first),
        }
    }

    /// Those of its games in which a column is, or is not, another number than 0.
    #[inline(always)]
    pub(super) fn of(&self, parts: Parts, truth: &Column<u8>, wanted: bool) -> Self {
        let mut mask = Self::NONE;
        let flip = -i8::from(!wanted);
        for at in parts.all() {
            let (own, truth) = (self.0[at], truth.0[at]);
            for lane in 0..PART {
                mask.0[at][lane] = own[lane] & (-i8::from(truth[lane] != 0) ^ flip);
            }
        }
        mask
    }

    /// Its games, in order.
    #[inline(always)]
    pub(super) fn list<S: Vector16>(&self, parts: Parts, simd: S, lanes: &mut Vec<u16>) {
        lanes.resize(LANES + MOST_LANES, 0);
        let mut many = 0;
        let mut numbers = [0; MOST_LANES];
        for (lane, number) in (0..).zip(&mut numbers) {
            *number = lane;
        }
        let (mut numbers, step) = (simd.load(&numbers), simd.splat(lane_of(S::LANES)));
        for at in parts.all() {
            for few in 0..PART / S::LANES {
                let mut games = [0; MOST_LANES];
                for lane in 0..S::LANES {
                    games[lane] = i16::from(self.0[at][few * S::LANES + lane]).cast_unsigned();
                }
                let games = simd.whole(simd.load(&games));
                if let Some(lanes) = lanes[many..].first_chunk_mut() {
                    simd.compress(games, numbers, lanes);
                }
                many += simd.bits(games).count_ones() as usize;
                numbers = simd.add(numbers, step);
            }
        }
        lanes.truncate(many);
    }

    /// Its games as bits.
    #[inline(always)]
    pub(super) fn bits<S: Vector16>(&self, parts: Parts, simd: S) -> Bits {
        let mut bits = Bits::NONE;
        for at in parts.all() {
            bits.set(simd, at, &self.0[at]);
        }
        bits
    }
}

/// The number of a lane as lists of lanes have it.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "there are few lanes")]
pub(super) fn lane_of(lane: usize) -> u16 {
    lane as u16
}

/// Some games, a bit each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits([u64; PARTS]);

impl Bits {
    pub(super) const NONE: Self = Self([0; PARTS]);

    /// The games of a part become those of a mask.
    #[inline(always)]
    pub(super) fn set<S: Vector16>(&mut self, simd: S, at: usize, part: &[i8; PART]) {
        let mut wide = [0; PART];
        for lane in 0..PART {
            wide[lane] = i16::from(part[lane]).cast_unsigned();
        }
        self.0[at] = 0;
        self.add_where(simd, at, &wide);
    }

    /// Adds those games of a part in which a number is not 0.
    #[inline(always)]
    pub(super) fn add_where<S: Vector16>(&mut self, simd: S, at: usize, part: &[u16; PART]) {
        for few in 0..PART / S::LANES {
            let mut numbers = [0; MOST_LANES];
            for lane in 0..S::LANES {
                numbers[lane] = part[few * S::LANES + lane];
            }
            let numbers = simd.load(&numbers);
            self.0[at] |= simd.bits(simd.meets(numbers, numbers)) << (few * S::LANES);
        }
    }

    /// How many games of a part there are.
    #[inline(always)]
    pub(super) fn many_in(&self, at: usize) -> u32 {
        self.0[at].count_ones()
    }

    /// Calls `visit` with every game of a part.
    #[inline(always)]
    pub(super) fn each_in(&self, at: usize, mut visit: impl FnMut(usize)) {
        let mut bits = self.0[at];
        while bits != 0 {
            visit(at * PART + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }

    /// Calls `visit` with every game.
    #[inline(always)]
    pub(super) fn each(&self, mut visit: impl FnMut(usize)) {
        (0..PARTS).for_each(|at| self.each_in(at, &mut visit));
    }
}

/// `d` becomes a number in the games of a mask.
#[inline(always)]
pub(super) fn fill<T: Number>(parts: Parts, column: &mut Column<T>, number: T, mask: &Mask) {
    for at in parts.all() {
        let (mask, mut old) = (mask.0[at], column.0[at]);
        for lane in 0..PART {
            old[lane] = old[lane].or_new(mask[lane], number);
        }
        column.0[at] = old;
    }
}

/// The greatest number of a column.
#[inline(always)]
pub(super) fn greatest<T: Number>(parts: Parts, column: &Column<T>) -> i64 {
    let mut most = [T::LEAST; PART];
    for at in parts.all() {
        for lane in 0..PART {
            most[lane] = most[lane].max(column.0[at][lane]);
        }
    }
    most.into_iter().max().unwrap_or(T::LEAST).wide()
}

/// The games of a mask in which a number is outside of a range.
#[inline(always)]
fn outside<T: Number>(parts: Parts, a: &Column<T>, low: T, high: T, mask: &Mask) -> Mask {
    let mut out = Mask::NONE;
    for at in parts.all() {
        let (part, mask) = (a.0[at], mask.0[at]);
        for lane in 0..PART {
            out.0[at][lane] = mask[lane] & -i8::from((part[lane] < low) | (part[lane] > high));
        }
    }
    out
}

/// The games of a mask in which a number is outside of limits, and how many they are, if there are any.
#[inline(always)]
pub(super) fn limits<T: Number>(
    parts: Parts,
    column: &Column<T>,
    low: i64,
    high: i64,
    games: &Mask,
) -> Option<(Mask, usize)> {
    // A limit that the width does not have is none.
    let low = if T::of(low).wide() == low { T::of(low) } else { T::LEAST };
    let high = if T::of(high).wide() == high { T::of(high) } else { T::GREATEST };
    if !is_any_outside(parts, column, low, high, games) {
        return None;
    }
    let out = outside(parts, column, low, high, games);
    Some((out, out.count(parts)))
}

#[inline(always)]
fn is_any_outside<T: Number>(parts: Parts, a: &Column<T>, low: T, high: T, mask: &Mask) -> bool {
    let mut any = [0; PART];
    for at in parts.all() {
        let (part, mask) = (a.0[at], mask.0[at]);
        for lane in 0..PART {
            any[lane] |= mask[lane] & -i8::from((part[lane] < low) | (part[lane] > high));
        }
    }
    any != [0; PART]
}

/// Whether a column is this in a game of a mask.
#[inline(always)]
pub(super) fn is_any(parts: Parts, words: &Column<u32>, word: u32, mask: &Mask) -> bool {
    let mut any = [0; PART];
    for at in parts.all() {
        for lane in 0..PART {
            any[lane] |= mask.0[at][lane] & -i8::from(words.0[at][lane] == word);
        }
    }
    any != [0; PART]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_those_of_whole_numbers() {
        for (a, b) in (0..=255_i64).flat_map(|a| (0..=255_i64).map(move |b| (a, b))) {
            let quotient = a.checked_div(b).unwrap_or(0);
            assert_eq!(u8::of(a).div(u8::of(b)).wide(), quotient, "{a} / {b}");
        }
        let near = |numbers: &[i64]| -> Vec<i64> { numbers.iter().flat_map(|n| n - 3..=n + 3).collect() };
        for a in near(&[0, 100, -100, 181 * 181, 30_000, -30_000, 32_764, -32_764]) {
            for b in near(&[0, 7, -7, 100, 181, 16_000, 32_764, -32_764]) {
                let quotient = a.checked_div(b).unwrap_or(0);
                assert_eq!(i16::of(a).div(i16::of(b)).wide(), quotient, "{a} / {b}");
            }
        }
        for a in near(&[0, 46_341 * 46_339, 1 << 30, -(1 << 30), 2_147_483_644, -2_147_483_644]) {
            for b in near(&[0, 10, -10, 46_339, 1 << 29, 2_147_483_644, -2_147_483_644]) {
                let quotient = a.checked_div(b).unwrap_or(0);
                assert_eq!(i32::of(a).div(i32::of(b)).wide(), quotient, "{a} / {b}");
            }
        }
    }
}
