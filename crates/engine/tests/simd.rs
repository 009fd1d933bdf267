//! Every set of instructions does what [`Simd`] says, lane by lane.
//!
//! Vectors of random numbers, among them many at the edges of signs and halves, go through every operation; a plain
//! computation on each lane says what must come out.

use rand::Rng;
use rand_pcg::Lcg64Xsh32;
use stopwise_engine::lanes::dispatch::{AnyJob, InstructionSet, with_set};
use stopwise_engine::lanes::simd::{Job, LaneTable, MOST_LANES, PCG_MULTIPLIER, Simd};

type Lanes = [u16; MOST_LANES];
type Quarter = [u64; MOST_LANES / 4];

/// Rounds of random numbers.
const ROUNDS: u64 = 400;

/// Runs a job with every set of instructions of this machine.
fn on_all_sets<J: AnyJob<Output = ()> + Copy>(job: J) {
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        with_set(set, job);
    }
}

/// Random numbers, the same ones every time.
struct Source(Lcg64Xsh32);

impl Source {
    fn new(round: u64) -> Self {
        Self(Lcg64Xsh32::new(round, 1))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.next_u32() as usize % limit
    }

    fn number(&mut self) -> u16 {
        const EDGES: [u16; 12] = [0, 1, 2, 0x7F, 0xFF, 0x100, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF];
        match self.below(3) {
            0 => EDGES[self.below(EDGES.len())],
            _ => low(self.0.next_u64()),
        }
    }

    fn lanes(&mut self) -> Lanes {
        [0; MOST_LANES].map(|_| self.number())
    }

    /// Often a word of all ones or zeros.
    fn long(&mut self) -> u64 {
        match self.below(6) {
            0 => 0,
            1 => u64::MAX,
            2 => 0xFFFF_FFFF,
            _ => self.0.next_u64(),
        }
    }

    fn quarter(&mut self) -> Quarter {
        [0; MOST_LANES / 4].map(|_| self.long())
    }

    /// A bit for each lane; now and then for all or none.
    fn bits<S: Simd>(&mut self) -> u32 {
        let bits = match self.below(8) {
            0 => 0,
            1 => u32::MAX,
            2 => 1 << self.below(S::LANES),
            _ => self.0.next_u32(),
        };
        bits & all::<S>()
    }
}

fn all<S: Simd>() -> u32 {
    u32::MAX >> (32 - S::LANES)
}

#[allow(clippy::cast_possible_truncation, reason = "16 bits are asked for")]
fn low(number: u64) -> u16 {
    number as u16
}

/// The lanes of a vector are what they should be.
#[inline(always)]
fn vector<S: Simd>(simd: S, what: &str, found: S::V, expected: impl Fn(usize) -> u16) {
    let mut lanes = [0; MOST_LANES];
    simd.store(found, &mut lanes);
    for (lane, found) in lanes.into_iter().enumerate().take(S::LANES) {
        assert_eq!(found, expected(lane), "{} {what}, lane {lane}", S::NAME);
    }
    // Nothing is written behind the lanes.
    assert!(lanes[S::LANES..].iter().all(|&lane| lane == 0), "{} {what}", S::NAME);
}

/// The lanes of a mask are what they should be, however they are asked for.
#[inline(always)]
fn truths<S: Simd>(simd: S, what: &str, found: S::M, expected: impl Fn(usize) -> bool) {
    let bits = (0..S::LANES).fold(0, |bits, lane| bits | u32::from(expected(lane)) << lane);
    assert_eq!(simd.bits(found), bits, "{} {what}", S::NAME);
    let (ones, twos) = (simd.splat(1), simd.splat(2));
    vector(simd, what, simd.keep(found, ones), |lane| u16::from(expected(lane)));
    vector(simd, what, simd.select(found, ones, twos), |lane| 2 - u16::from(expected(lane)));
}

#[inline(always)]
fn quarter<S: Simd>(simd: S, what: &str, found: S::Q, mask: u64, expected: impl Fn(usize) -> u64) {
    let mut places = [0; MOST_LANES / 4];
    simd.store_quarter(found, &mut places);
    for (place, found) in places.into_iter().enumerate().take(S::LANES / 4) {
        assert_eq!(found & mask, expected(place) & mask, "{} {what}, place {place}", S::NAME);
    }
}

#[derive(Clone, Copy)]
struct Arithmetic;

impl AnyJob for Arithmetic {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for round in 0..ROUNDS {
            let mut source = Source::new(round);
            let (a, mut b) = (source.lanes(), source.lanes());
            // Equal numbers now and then.
            for lane in (0..MOST_LANES).filter(|lane| round >> (lane % 8) & 1 == 1) {
                b[lane] = a[lane];
            }
            let (x, y) = (simd.load(&a), simd.load(&b));
            vector(simd, "load", x, |lane| a[lane]);
            vector(simd, "splat", simd.splat(a[0]), |_| a[0]);
            vector(simd, "and", simd.and(x, y), |lane| a[lane] & b[lane]);
            vector(simd, "or", simd.or(x, y), |lane| a[lane] | b[lane]);
            vector(simd, "and_not", simd.and_not(x, y), |lane| a[lane] & !b[lane]);
            vector(simd, "add", simd.add(x, y), |lane| a[lane].wrapping_add(b[lane]));
            vector(simd, "sub", simd.sub(x, y), |lane| a[lane].wrapping_sub(b[lane]));
            vector(simd, "mul", simd.mul(x, y), |lane| a[lane].wrapping_mul(b[lane]));
            vector(simd, "min", simd.min(x, y), |lane| a[lane].min(b[lane]));
            let sum = simd.add_saturating(x, y);
            vector(simd, "add_saturating", sum, |lane| a[lane].saturating_add(b[lane]));
            let product = simd.mul_saturating(x, y);
            vector(simd, "mul_saturating", product, |lane| a[lane].saturating_mul(b[lane]));
            let few = simd.mul_saturating(x, simd.splat(2));
            vector(simd, "mul_saturating", few, |lane| a[lane].saturating_mul(2));
            vector(simd, "count_ones", simd.count_ones(x), |lane| low(a[lane].count_ones().into()));
            let shifted = |lane: usize| a[lane] << 1 | b[lane] >> 15;
            vector(simd, "shift_in", simd.shift_in(x, y), shifted);
            vector(simd, "lowest_bit", simd.lowest_bit(x), |lane| a[lane] & a[lane].wrapping_neg());
        }
    }
}

#[test]
fn arithmetic() {
    on_all_sets(Arithmetic);
}

#[derive(Clone, Copy)]
struct Shifts;

impl AnyJob for Shifts {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        macro_rules! shifts {
            ($x:ident, $a:ident; $($by:literal)*) => {
                $(
                    vector(simd, concat!("shl ", $by), simd.shl::<$by>($x), |lane| $a[lane] << $by);
                    vector(simd, concat!("shr ", $by), simd.shr::<$by>($x), |lane| $a[lane] >> $by);
                )*
            };
        }
        for round in 0..ROUNDS {
            let a = Source::new(round).lanes();
            let x = simd.load(&a);
            shifts!(x, a; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        }
    }
}

#[test]
fn shifts() {
    on_all_sets(Shifts);
}

#[derive(Clone, Copy)]
struct Masks;

impl AnyJob for Masks {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for round in 0..ROUNDS {
            let mut source = Source::new(round);
            let (a, mut b) = (source.lanes(), source.lanes());
            for lane in (0..MOST_LANES).filter(|lane| round >> (lane % 8) & 1 == 1) {
                b[lane] = a[lane];
            }
            let (x, y) = (simd.load(&a), simd.load(&b));
            truths(simd, "eq", simd.eq(x, y), |lane| a[lane] == b[lane]);
            truths(simd, "at_least", simd.at_least(x, y), |lane| a[lane] >= b[lane]);
            truths(simd, "meets", simd.meets(x, y), |lane| a[lane] & b[lane] != 0);

            let (p, q) = (source.bits::<S>(), source.bits::<S>());
            let (in_p, in_q) = (|lane: usize| p >> lane & 1 == 1, |lane: usize| q >> lane & 1 == 1);
            let (m, n) = (simd.mask(p), simd.mask(q));
            truths(simd, "mask", m, in_p);
            truths(simd, "both", simd.both(m, n), |lane| in_p(lane) && in_q(lane));
            truths(simd, "either", simd.either(m, n), |lane| in_p(lane) || in_q(lane));
            truths(simd, "but_not", simd.but_not(m, n), |lane| in_p(lane) && !in_q(lane));
            vector(simd, "select", simd.select(m, x, y), |lane| if in_p(lane) { a[lane] } else { b[lane] });
            vector(simd, "keep", simd.keep(m, x), |lane| if in_p(lane) { a[lane] } else { 0 });

            // Masks that come from comparisons do as well.
            for (mask, bits) in [(m, p), (simd.at_least(x, y), simd.bits(simd.at_least(x, y)))] {
                let mut out = source.lanes();
                simd.compress(mask, x, &mut out);
                let kept: Vec<_> =
                    (0..S::LANES).filter(|lane| bits >> lane & 1 == 1).map(|lane| a[lane]).collect();
                assert_eq!(out[..kept.len()], kept, "{} compress {bits:b}", S::NAME);
            }
        }
        // One lane alone, each of them.
        for lane in 0..S::LANES {
            truths(simd, "mask", simd.mask(1 << lane), |other| other == lane);
        }
    }
}

#[test]
fn masks() {
    on_all_sets(Masks);
}

#[derive(Clone, Copy)]
struct Tables;

impl AnyJob for Tables {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for round in 0..ROUNDS {
            let mut source = Source::new(round);
            let (table, index) = (source.lanes(), source.lanes().map(|number| number % 32));
            let found = simd.lookup(&table, simd.load(&index));
            vector(simd, "lookup", found, |lane| table[usize::from(index[lane])]);
            let mut twice = table;
            twice.copy_within(..16, 16);
            let index = source.lanes();
            let found = simd.lookup_16(&twice, simd.load(&index));
            vector(simd, "lookup_16", found, |lane| table[usize::from(index[lane] % 16)]);
        }
        for length in [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 5000, 65_535, 65_536] {
            let mut source = Source::new(length as u64);
            let entries: Vec<_> = (0..length).map(|_| source.number()).collect();
            let table = LaneTable::new(&entries);
            for _ in 0..ROUNDS {
                // Within the table, about its end, and anything.
                let index = [0; MOST_LANES].map(|_| match source.below(4) {
                    0 => low((length - 1 + source.below(3)) as u64),
                    1 => source.number(),
                    _ => low(source.below(length) as u64),
                });
                let found = simd.gather(&table, simd.load(&index));
                let what = format!("gather of {length}");
                vector(simd, &what, found, |lane| entries[usize::from(index[lane]).min(length - 1)]);
            }
            // Every entry.
            for first in (0..length).step_by(S::LANES) {
                let mut index = [0; MOST_LANES];
                for (lane, index) in index.iter_mut().enumerate() {
                    *index = low((first + lane).min(length - 1) as u64);
                }
                let found = simd.gather(&table, simd.load(&index));
                vector(simd, "gather", found, |lane| entries[usize::from(index[lane])]);
            }
        }
    }
}

#[test]
fn tables() {
    on_all_sets(Tables);
    for length in [1, 31, 32, 33, 64, 65, 128, 129, 5000, 65_536] {
        let entries: Vec<_> = (0..length).map(|number| low(number as u64)).collect();
        let table = LaneTable::new(&entries);
        assert_eq!(usize::from(table.last()), length - 1);
        assert_eq!(table.entries()[..length], entries);
        assert!(table.entries()[length..].iter().all(|&entry| usize::from(entry) == length - 1));
    }
}

#[test]
#[should_panic]
fn tables_have_entries() {
    LaneTable::new(&[]);
}

#[test]
#[should_panic = "at most 65,536 entries"]
fn tables_are_not_longer_than_an_index_reaches() {
    LaneTable::new(&vec![0; 65_537]);
}

#[derive(Clone, Copy)]
struct Quarters;

impl AnyJob for Quarters {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        const FULL: u64 = u64::MAX;
        const LOWER: u64 = 0xFFFF_FFFF;
        for round in 0..ROUNDS {
            let mut source = Source::new(round);
            let values = [0; 4].map(|_| source.quarter());
            let [a, b, ..] = values;
            let [x, y] = [a, b].map(|values| simd.load_quarter(&values));
            quarter(simd, "load_quarter", x, FULL, |place| a[place]);
            quarter(simd, "splat_quarter", simd.splat_quarter(a[0]), FULL, |_| a[0]);
            let product = |place: usize| (a[place] & LOWER) * (b[place] & LOWER);
            quarter(simd, "widening_mul", simd.widening_mul(x, y), FULL, product);

            // Below 2⁴⁸, as a word times a number of faces is.
            let values = values.map(|values| values.map(|value| value >> 16));
            let halves = simd.upper_halves(values.map(|values| simd.load_quarter(&values)));
            vector(simd, "upper_halves", halves, |lane| low(values[lane % 4][lane / 4] >> 32));

            let lanes = source.lanes();
            let bits = source.bits::<S>();
            let other = simd.at_least(simd.load(&lanes), simd.splat(0x6000));
            for (mask, bits) in [(simd.mask(bits), bits), (other, simd.bits(other))] {
                let chosen =
                    |lane: usize, place: usize| if bits >> lane & 1 == 1 { a[place] } else { b[place] };
                macro_rules! quarters {
                    ($($k:literal)*) => {
                        $(quarter(
                            simd,
                            concat!("select_quarter ", $k),
                            simd.select_quarter::<$k>(simd.keep(mask, simd.splat(u16::MAX)), x, y),
                            FULL,
                            |place| chosen(4 * place + $k, place),
                        );)*
                    };
                }
                quarters!(0 1 2 3);
            }

            // The generator itself, from any state.
            let (next, words) = simd.pcg(x, y);
            let stepped = |place: usize| a[place].wrapping_mul(PCG_MULTIPLIER).wrapping_add(b[place]);
            quarter(simd, "pcg state", next, FULL, stepped);
            #[allow(clippy::cast_possible_truncation, reason = "the output is the lower half")]
            let mixed = |place: usize| (((a[place] >> 18) ^ a[place]) >> 27) as u32;
            let word = |place: usize| mixed(place).rotate_right(u32::from(low(a[place] >> 59)));
            quarter(simd, "pcg word", words, LOWER, |place| word(place).into());
        }
    }
}

#[test]
fn quarters() {
    on_all_sets(Quarters);
}

/// Streams of PCG32 beside those of `rand_pcg`.
#[derive(Clone, Copy)]
struct Generators;

impl AnyJob for Generators {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for round in 0..ROUNDS {
            let mut source = Source::new(round);
            let (starts, selectors) = (source.quarter(), source.quarter());
            let mut streams: Vec<_> = starts
                .iter()
                .zip(selectors)
                .map(|(&start, selector)| Lcg64Xsh32::new(start, selector))
                .collect();
            let increments = selectors.map(|selector| selector << 1 | 1);
            let mut states = starts;
            for (state, increment) in states.iter_mut().zip(increments) {
                let seeded = state.wrapping_add(increment);
                *state = seeded.wrapping_mul(PCG_MULTIPLIER).wrapping_add(increment);
            }
            let (mut state, increment) = (simd.load_quarter(&states), simd.load_quarter(&increments));
            for _ in 0..100 {
                let (next, word) = simd.pcg(state, increment);
                state = next;
                let words: Vec<_> = streams.iter_mut().map(|stream| u64::from(stream.next_u32())).collect();
                quarter(simd, "pcg", word, 0xFFFF_FFFF, |place| words[place]);
            }
        }
    }
}

#[test]
fn generators() {
    on_all_sets(Generators);
}

/// A job within a job, in a function of its own.
#[derive(Clone, Copy)]
struct Apart;

struct Sum<V>(V, V);

impl<S: Simd> Job<S> for Sum<S::V> {
    type Output = S::V;

    #[inline(always)]
    fn run(self, simd: S) -> S::V {
        simd.add(self.0, self.1)
    }
}

impl AnyJob for Apart {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut source = Source::new(1);
        let (a, b) = (source.lanes(), source.lanes());
        let sum = simd.apart(Sum(simd.load(&a), simd.load(&b)));
        vector(simd, "apart", sum, |lane| a[lane].wrapping_add(b[lane]));
    }
}

#[test]
fn jobs_within_jobs() {
    on_all_sets(Apart);
}

/// What a job is run with.
#[derive(Clone, Copy)]
struct Name;

impl AnyJob for Name {
    type Output = (&'static str, usize);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (&'static str, usize) {
        assert_eq!(simd.bits(simd.eq(simd.splat(3), simd.splat(3))), all::<S>());
        (S::NAME, S::LANES)
    }
}

#[test]
fn the_best_set_is_the_widest() {
    let available = || InstructionSet::ALL.into_iter().filter(|set| set.is_available());
    assert!(InstructionSet::Plain.is_available());
    assert_eq!(available().next(), Some(InstructionSet::best()));
    let mut narrowest = MOST_LANES;
    for set in available() {
        let (name, lanes) = with_set(set, Name);
        assert_eq!(name, set.name());
        assert!(lanes <= narrowest && lanes.is_multiple_of(16), "{name}");
        narrowest = lanes;
    }
}
