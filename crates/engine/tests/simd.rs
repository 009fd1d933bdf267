//! Every instruction set implements [`Vector`] and [`Vector16`] as documented, lane by lane.
//!
//! Vectors of random numbers, many of them at the limits of signs and halves, go through every operation. A plain
//! computation on each lane gives the expected result.

use rand::Rng;
use rand_pcg::Lcg64Xsh32;
use stopwise_engine::lanes::dispatch::{InstructionSet, MachineJob, on_machine};
use stopwise_engine::lanes::plain::Plain;
use stopwise_engine::lanes::simd::{
    DRAWN, Generators, Job, LaneTable, MOST_LANES, MOST_PARTS, Machine, Numbers, PCG_MULTIPLIER, Places,
    Vector, Vector16,
};

/// Rounds of random numbers; an interpreter takes a thousand times as long.
const ROUNDS: u64 = if cfg!(miri) { 2 } else { 400 };

/// Runs a job with every set of instructions of this machine.
fn on_all_sets<J: MachineJob<Output = ()> + Copy>(job: J) {
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        on_machine(set, job);
    }
    // What machines of other kinds run on.
    job.run(Plain);
}

/// Runs a function with the lanes of both widths.
macro_rules! on_both_widths {
    ($job:ident, $function:ident) => {
        #[derive(Clone, Copy)]
        struct $job;

        impl<S: Vector> Job<S> for $job {
            type Output = ();

            #[inline(always)]
            fn run(self, simd: S) {
                super::$function(simd);
            }
        }

        impl MachineJob for $job {
            type Output = ();

            fn run<M: Machine>(self, machine: M) {
                machine.wide().outlined(self);
                machine.narrow().outlined(self);
            }
        }

        #[test]
        fn $function() {
            on_all_sets($job);
        }
    };
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

    /// A number for every lane, and zeros behind them.
    #[inline(never)]
    fn lanes<S: Vector>(&mut self) -> S::Numbers {
        numbers::<S>(|_| self.number() & S::LARGEST)
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

    fn places(&mut self) -> Places {
        [0; MOST_PARTS].map(|_| self.long())
    }

    /// A bit for each lane; now and then for all or none.
    fn bits<S: Vector>(&mut self) -> u64 {
        let bits = match self.below(8) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << self.below(S::LANES),
            _ => self.0.next_u64(),
        };
        bits & all::<S>()
    }
}

fn all<S: Vector>() -> u64 {
    u64::MAX >> (64 - S::LANES)
}

#[allow(clippy::cast_possible_truncation, reason = "16 bits are asked for")]
fn low(number: u64) -> u16 {
    number as u16
}

/// An array of the lanes.
fn numbers<S: Vector>(mut number: impl FnMut(usize) -> u16) -> S::Numbers {
    let mut numbers = S::Numbers::ZEROS;
    for lane in 0..S::LANES {
        numbers.set(lane, number(lane));
    }
    numbers
}

/// Numbers of which some are equal to those of another array.
fn partly_equal<S: Vector>(a: &S::Numbers, b: &S::Numbers, round: u64) -> S::Numbers {
    numbers::<S>(|lane| if round >> (lane % 8) & 1 == 1 { a.get(lane) } else { b.get(lane) })
}

/// The lanes of a vector are what they should be. Only what takes vectors is compiled at every call.
#[inline(always)]
fn vector<S: Vector>(simd: S, what: &str, found: S::V, expected: impl Fn(usize) -> u16) {
    let mut lanes = S::Numbers::ZEROS;
    simd.store(found, &mut lanes);
    same_lanes::<S>(what, &lanes, &expected);
}

#[inline(never)]
fn same_lanes<S: Vector>(what: &str, lanes: &S::Numbers, expected: &dyn Fn(usize) -> u16) {
    for lane in 0..S::LANES {
        assert_eq!(lanes.get(lane), expected(lane) & S::LARGEST, "{} {what}, lane {lane}", S::NAME);
    }
    // Nothing is written behind the lanes.
    let length = size_of::<S::Numbers>() / if S::LARGEST == u16::MAX { 2 } else { 1 };
    assert!((S::LANES..length).all(|lane| lanes.get(lane) == 0), "{} {what}", S::NAME);
}

/// The lanes of a mask are what they should be, however they are asked for.
#[inline(always)]
fn truths<S: Vector>(simd: S, what: &str, found: S::M, expected: impl Fn(usize) -> bool) {
    let (ones, twos) = (simd.splat(1), simd.splat(2));
    let (mut kept, mut selected) = (S::Numbers::ZEROS, S::Numbers::ZEROS);
    simd.store(simd.zero_unless(found, ones), &mut kept);
    simd.store(simd.select(found, ones, twos), &mut selected);
    same_truths::<S>(what, (simd.bits(found), &kept, &selected), &expected);
}

#[inline(never)]
fn same_truths<S: Vector>(
    what: &str,
    (found, kept, selected): (u64, &S::Numbers, &S::Numbers),
    expected: &dyn Fn(usize) -> bool,
) {
    let bits = (0..S::LANES).fold(0, |bits, lane| bits | u64::from(expected(lane)) << lane);
    assert_eq!(found, bits, "{} {what}", S::NAME);
    same_lanes::<S>(what, kept, &|lane| u16::from(expected(lane)));
    same_lanes::<S>(what, selected, &|lane| 2 - u16::from(expected(lane)));
}

#[inline(always)]
fn part<S: Vector>(simd: S, what: &str, found: S::Q, expected: impl Fn(usize) -> u64) {
    let mut places = [0; MOST_PARTS];
    simd.store_part(found, &mut places);
    same_places::<S>(what, &places, &expected);
}

#[inline(never)]
fn same_places<S: Vector>(what: &str, places: &Places, expected: &dyn Fn(usize) -> u64) {
    for (place, &found) in places.iter().enumerate().take(S::LANES / S::PARTS) {
        assert_eq!(found, expected(place), "{} {what}, place {place}", S::NAME);
    }
}

#[inline(always)]
fn arithmetic<S: Vector>(simd: S) {
    for round in 0..ROUNDS {
        let mut source = Source::new(round);
        let (a, b) = (source.lanes::<S>(), source.lanes::<S>());
        let b = partly_equal::<S>(&a, &b, round);
        let (x, y) = (simd.load(&a), simd.load(&b));
        let both = |f: fn(u16, u16) -> u16| move |lane: usize| f(a.get(lane), b.get(lane));
        vector(simd, "load", x, |lane| a.get(lane));
        vector(simd, "splat", simd.splat(a.get(0)), |_| a.get(0));
        vector(simd, "and", simd.and(x, y), both(|a, b| a & b));
        vector(simd, "or", simd.or(x, y), both(|a, b| a | b));
        vector(simd, "and_not", simd.and_not(x, y), both(|a, b| a & !b));
        vector(simd, "add", simd.add(x, y), both(u16::wrapping_add));
        vector(simd, "sub", simd.sub(x, y), both(u16::wrapping_sub));
        vector(simd, "mul", simd.mul(x, y), both(u16::wrapping_mul));
        vector(simd, "min", simd.min(x, y), both(u16::min));
        let most = |number: u32| u16::try_from(number).unwrap_or(u16::MAX).min(S::LARGEST);
        let sum = |lane: usize| most(u32::from(a.get(lane)) + u32::from(b.get(lane)));
        vector(simd, "add_saturating", simd.add_saturating(x, y), sum);
        let product = |lane: usize| most(u32::from(a.get(lane)) * u32::from(b.get(lane)));
        vector(simd, "mul_saturating", simd.mul_saturating(x, y), product);
        let twice = |lane: usize| most(2 * u32::from(a.get(lane)));
        vector(simd, "mul_saturating", simd.mul_saturating(x, simd.splat(2)), twice);
    }
}

#[inline(always)]
fn masks<S: Vector>(simd: S) {
    for round in 0..ROUNDS {
        let mut source = Source::new(round);
        let (a, b) = (source.lanes::<S>(), source.lanes::<S>());
        let b = partly_equal::<S>(&a, &b, round);
        let (x, y) = (simd.load(&a), simd.load(&b));
        truths(simd, "eq", simd.eq(x, y), |lane| a.get(lane) == b.get(lane));
        truths(simd, "at_least", simd.at_least(x, y), |lane| a.get(lane) >= b.get(lane));

        let (p, q) = (source.bits::<S>(), source.bits::<S>());
        let (in_p, in_q) = (|lane: usize| p >> lane & 1 == 1, |lane: usize| q >> lane & 1 == 1);
        let (m, n) = (simd.mask(p), simd.mask(q));
        truths(simd, "mask", m, in_p);
        truths(simd, "mask_and", simd.mask_and(m, n), |lane| in_p(lane) && in_q(lane));
        truths(simd, "mask_or", simd.mask_or(m, n), |lane| in_p(lane) || in_q(lane));
        truths(simd, "mask_and_not", simd.mask_and_not(m, n), |lane| in_p(lane) && !in_q(lane));
        truths(simd, "whole", simd.whole(simd.zero_unless(m, simd.splat(u16::MAX))), in_p);
        let selected = |lane: usize| if in_p(lane) { a.get(lane) } else { b.get(lane) };
        vector(simd, "select", simd.select(m, x, y), selected);
        vector(simd, "zero_unless", simd.zero_unless(m, x), |lane| if in_p(lane) { a.get(lane) } else { 0 });
        vector(simd, "zero_where", simd.zero_where(m, x), |lane| if in_p(lane) { 0 } else { a.get(lane) });
        vector(simd, "count", simd.count(m, x), |lane| a.get(lane).wrapping_add(u16::from(in_p(lane))));
    }
    // One lane alone, each of them.
    for lane in 0..S::LANES {
        truths(simd, "mask", simd.mask(1 << lane), |other| other == lane);
    }
}

#[inline(always)]
fn tables<S: Vector>(simd: S) {
    let lengths = [1, 2, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 5000, 65_535, 65_536];
    // What narrow lanes look up fits them.
    for length in lengths.into_iter().filter(|&length| length <= usize::from(S::LARGEST) + 1) {
        let mut source = Source::new(length as u64);
        let entries: Vec<_> = (0..length).map(|_| source.number() & S::LARGEST).collect();
        let table = LaneTable::new(&entries);
        let what = format!("gather of {length}");
        let expected = |index: u16| entries[usize::from(index).min(length - 1)];
        for _ in 0..ROUNDS {
            let index = numbers::<S>(|_| low(source.below(length) as u64));
            vector(simd, &what, simd.gather(&table, simd.load(&index)), |lane| expected(index.get(lane)));
            // Whatever is asked, nothing beyond the table is read.
            simd.gather(&table, simd.load(&source.lanes::<S>()));
        }
        // Every entry.
        for first in (0..length).step_by(S::LANES) {
            let index = numbers::<S>(|lane| low((first + lane).min(length - 1) as u64));
            vector(simd, &what, simd.gather(&table, simd.load(&index)), |lane| expected(index.get(lane)));
        }
    }
}

#[inline(always)]
fn parts<S: Vector>(simd: S) {
    for round in 0..ROUNDS {
        let mut source = Source::new(round);
        let (a, b) = (source.places(), source.places());
        let (x, y) = (simd.load_part(&a), simd.load_part(&b));
        part(simd, "load_part", x, |place| a[place]);
        part(simd, "splat_part", simd.splat_part(a[0]), |_| a[0]);
        part(simd, "add_part", simd.add_part(x, y), |place| a[place].wrapping_add(b[place]));
        part(simd, "mul_part", simd.mul_part(x, y), |place| a[place].wrapping_mul(b[place]));
        part(simd, "xor_shr", simd.xor_shr::<27>(x), |place| a[place] ^ a[place] >> 27);
        part(simd, "xor_shr", simd.xor_shr::<30>(x), |place| a[place] ^ a[place] >> 30);
        part(simd, "xor_shr", simd.xor_shr::<31>(x), |place| a[place] ^ a[place] >> 31);
        let by = b.map(|by| by & 63);
        let shifted = simd.shift_in(x, simd.load_part(&by), y);
        part(simd, "shift_in", shifted, |place| a[place] << by[place] | b[place]);

        // Lanes of parts, and masks.
        let lanes = source.lanes::<S>();
        let v = simd.load(&lanes);
        let bits = source.bits::<S>();
        let other = simd.at_least(v, simd.splat(S::LARGEST / 3));
        for (mask, bits) in [(simd.mask(bits), bits), (other, simd.bits(other))] {
            let whole = simd.zero_unless(mask, simd.splat(u16::MAX));
            for number in 0..S::PARTS {
                let lane = |place: usize| S::PARTS * place + number;
                let chosen = |place: usize| if bits >> lane(place) & 1 == 1 { a[place] } else { b[place] };
                part(simd, "select_part", simd.select_part(simd.chosen(whole, number), x, y), chosen);
                part(simd, "widened", simd.widened(v, number), |place| lanes.get(lane(place)).into());
            }
        }
    }
}

/// The generator itself, from any states: what its words show, and the next ones.
#[inline(always)]
fn generators<S: Vector>(simd: S) {
    for round in 0..ROUNDS {
        let mut source = Source::new(round);
        let (starts, selectors) = ([(); MOST_PARTS].map(|()| source.places()), source.places());
        let [first, second] = [(); 2].map(|()| 1 + low(source.below(usize::from(S::LARGEST)) as u64));
        let mut streams = starts.map(|starts| {
            let mut seeds = starts.into_iter().zip(selectors);
            [(); MOST_PARTS].map(|()| {
                let (start, selector) = seeds.next().expect("as many");
                Lcg64Xsh32::new(start, selector)
            })
        });
        let increments = selectors.map(|selector| selector << 1 | 1);
        let mut states = starts.map(|mut starts| {
            for (state, increment) in starts.iter_mut().zip(increments) {
                let seeded = state.wrapping_add(increment);
                *state = seeded.wrapping_mul(PCG_MULTIPLIER).wrapping_add(increment);
            }
            simd.load_part(&starts)
        });
        let increment = simd.load_part(&increments);
        for _ in 0..20 {
            let mut pairs = [[simd.splat_part(0); 2]; MOST_PARTS / 2];
            let mut rests = pairs;
            for pair in 0..S::PARTS / 2 {
                pairs[pair] = simd.pcg_words([states[pair], states[pair + S::PARTS / 2]]);
                rests[pair] = simd.rests(pairs[pair], first);
            }
            let words = streams.each_mut().map(|streams| streams.each_mut().map(|stream| stream.next_u32()));
            let product = |lane: usize| u64::from(words[lane % S::PARTS][lane / S::PARTS]) * u64::from(first);
            vector(simd, "first", simd.scaled(&pairs, first), |lane| low(product(lane) >> 32));
            let rest = |lane: usize| (product(lane) & 0xFFFF_FFFF) * u64::from(second);
            vector(simd, "second", simd.scaled(&rests, second), |lane| low(rest(lane) >> 32));
            for state in &mut states {
                *state = simd.add_part(simd.mul_part(*state, simd.splat_part(PCG_MULTIPLIER)), increment);
            }
        }
    }
}

#[inline(always)]
fn bit_counts<S: Vector>(simd: S) {
    let mut source = Source::new(1);
    let mut counts = simd.no_bits();
    let mut expected = [0_u8; 64];
    for _ in 0..ROUNDS {
        let word = source.long();
        counts = simd.count_bits(counts, word);
        for (bit, count) in expected.iter_mut().enumerate() {
            *count = count.wrapping_add(u8::from(word >> bit & 1 == 1));
        }
        assert_eq!(simd.bit_counts(counts), expected, "{}", S::NAME);
    }
}

/// A job within a job, in a function of its own.
#[inline(always)]
fn jobs_within_jobs<S: Vector>(simd: S) {
    let mut source = Source::new(1);
    let (a, b) = (source.lanes::<S>(), source.lanes::<S>());
    let sum = simd.outlined(Sum(simd.load(&a), simd.load(&b)));
    vector(simd, "outlined", sum, |lane| a.get(lane).wrapping_add(b.get(lane)));
}

struct Sum<V>(V, V);

impl<S: Vector> Job<S> for Sum<S::V> {
    type Output = S::V;

    #[inline(always)]
    fn run(self, simd: S) -> S::V {
        simd.add(self.0, self.1)
    }
}

/// The tests of what lanes of both widths can do.
mod both_widths {
    use super::*;

    on_both_widths!(Arithmetic, arithmetic);
    on_both_widths!(Masks, masks);
    on_both_widths!(VectorEnv, tables);
    on_both_widths!(Parts, parts);
    on_both_widths!(Generators, generators);
    on_both_widths!(BitCounts, bit_counts);
    on_both_widths!(JobsWithinJobs, jobs_within_jobs);
}

#[derive(Clone, Copy)]
struct WideOnly;

impl<S: Vector16> Job<S> for WideOnly {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        wide_only(simd);
    }
}

impl MachineJob for WideOnly {
    type Output = ();

    fn run<M: Machine>(self, machine: M) {
        machine.wide().outlined(self);
    }
}

#[inline(always)]
fn wide_only<S: Vector16>(simd: S) {
    macro_rules! shifts {
        ($x:ident, $a:ident; $($by:literal)*) => {
            $(
                vector(simd, concat!("shl ", $by), simd.shl($x, $by), |lane| $a[lane] << $by);
                vector(simd, concat!("shr ", $by), simd.shr($x, $by), |lane| $a[lane] >> $by);
            )*
        };
    }
    for round in 0..ROUNDS {
        let mut source = Source::new(round);
        let (a, b) = (source.lanes::<S>(), source.lanes::<S>());
        let (x, y) = (simd.load(&a), simd.load(&b));
        shifts!(x, a; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        truths(simd, "meets", simd.meets(x, y), |lane| a[lane] & b[lane] != 0);
        vector(simd, "lowest_bit", simd.lowest_bit(x), |lane| a[lane] & a[lane].wrapping_neg());

        let table = [0; 32].map(|_| source.number());
        let mut twice = table;
        twice.copy_within(..16, 16);
        vector(simd, "lookup_16", simd.lookup_16(&twice, x), |lane| table[usize::from(a[lane] % 16)]);
        vector(simd, "count_ones", simd.count_ones(x), |lane| low(a[lane].count_ones().into()));

        // Masks that come from comparisons do as well as others.
        let bits = source.bits::<S>();
        for (mask, bits) in [(simd.mask(bits), bits), (simd.at_least(x, y), simd.bits(simd.at_least(x, y)))] {
            let mut out = [0; MOST_LANES].map(|_: u16| source.number());
            simd.compress(mask, x, &mut out);
            let kept: Vec<_> =
                (0..S::LANES).filter(|lane| bits >> lane & 1 == 1).map(|lane| a[lane]).collect();
            assert_eq!(out[..kept.len()], kept, "{} compress {bits:b}", S::NAME);
        }

        for seats in 1..6 {
            drawn_from(simd, &mut source, seats);
        }
    }
}

/// Twice, from the streams of so many seats.
fn drawn_from<S: Vector16>(simd: S, source: &mut Source, seats: u8) {
    let mut streams = Vec::new();
    let (mut states, mut increments) = (Vec::new(), Vec::new());
    for _ in 0..seats {
        let seeds = [(); DRAWN].map(|()| (source.long(), source.long()));
        streams.push(seeds.map(|(start, selector)| Lcg64Xsh32::new(start, selector)));
        increments.push(Generators(seeds.map(|(_, selector)| selector << 1 | 1)));
        states.push(Generators(seeds.map(|(start, selector)| {
            let increment = selector << 1 | 1;
            start.wrapping_add(increment).wrapping_mul(PCG_MULTIPLIER).wrapping_add(increment)
        })));
    }
    for _ in 0..2 {
        let whose = [(); DRAWN].map(|()| u8::try_from(source.long() % u64::from(seats)).expect("a seat"));
        let mask = [(); DRAWN].map(|()| -i8::from(!source.long().is_multiple_of(4)));
        let weights =
            [(); DRAWN].map(|()| u32::try_from(source.long() >> (32 + source.long() % 32)).unwrap_or(0));
        let places = simd.draw(&mut states, &increments, &whose, &mask, &weights);
        for lane in 0..DRAWN {
            if mask[lane] != 0 && weights[lane] > 0 {
                let word = streams[usize::from(whose[lane])][lane].next_u32();
                let place = (u64::from(word) * u64::from(weights[lane])) >> 32;
                assert_eq!(u64::from(places[lane]), place, "{} lane {lane}, {seats} seats", S::NAME);
            }
        }
    }
}

#[test]
fn what_wide_lanes_can_do() {
    on_all_sets(WideOnly);
}

#[test]
fn tables_are_filled_up() {
    for length in [1, 31, 32, 33, 64, 65, 128, 129, 256, 257, 5000, 65_536] {
        let entries: Vec<_> = (0..length).map(|number| low(number as u64)).collect();
        let table = LaneTable::new(&entries);
        assert_eq!(usize::from(table.last()), length - 1);
        assert_eq!(usize::from(table.largest()), length - 1);
        assert_eq!(table.entries()[..length], entries);
        assert!(table.entries()[length..].iter().all(|&entry| usize::from(entry) == length - 1));
        let is_narrow = length <= 256;
        assert_eq!(table.narrow().is_empty(), !is_narrow);
        assert!(!is_narrow || table.narrow().len().is_multiple_of(64));
        let all = (0..).zip(table.narrow());
        assert!(
            all.into_iter().all(|(index, &entry): (usize, _)| usize::from(entry) == index.min(length - 1))
        );
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

/// What a job is run with.
#[derive(Clone, Copy)]
struct Name;

impl MachineJob for Name {
    type Output = (&'static str, usize);

    fn run<M: Machine>(self, machine: M) -> (&'static str, usize) {
        let simd = machine.wide();
        assert_eq!(simd.bits(simd.eq(simd.splat(3), simd.splat(3))), all::<M::Wide>());
        assert_eq!(<M::Narrow as Vector>::NAME, <M::Wide as Vector>::NAME);
        assert_eq!(<M::Narrow as Vector>::LANES, 2 * <M::Wide as Vector>::LANES);
        (<M::Wide as Vector>::NAME, <M::Wide as Vector>::LANES)
    }
}

#[test]
fn the_best_set_is_the_widest() {
    let available = || InstructionSet::ALL.into_iter().filter(|set| set.is_available());
    assert_eq!(available().next(), Some(InstructionSet::best()));
    let mut narrowest = MOST_LANES;
    for set in available() {
        let (name, lanes) = on_machine(set, Name);
        assert_eq!(name, set.name());
        assert!(lanes <= narrowest && lanes.is_multiple_of(16), "{name}");
        narrowest = lanes;
    }
}
