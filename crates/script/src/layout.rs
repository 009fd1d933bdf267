//! Bags as packed counts: a field of a few bits for every face.

/// A face of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// The number of the face's name, from 1.
    pub(crate) atom: i64,
    /// The number on it; 0 for a name.
    pub(crate) number: i64,
    /// The name of the die that shows it, where dice of several kinds lie together.
    pub(crate) die: i64,
    pub(crate) shift: u32,
    pub(crate) bits: u32,
}

impl Field {
    #[inline(always)]
    pub(crate) fn of(&self, bag: i64) -> i64 {
        bag >> self.shift & ((1 << self.bits) - 1)
    }

    #[inline(always)]
    pub(crate) fn unit(&self) -> i64 {
        1 << self.shift
    }

    /// The most that fit.
    pub(crate) fn most(&self) -> i64 {
        (1 << self.bits) - 1
    }
}

/// The fields of a kind of bag, in the order in which the faces are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) fields: Vec<Field>,
    /// Whether every face has one field: the dice are of one kind.
    pub(crate) is_of_one: bool,
    /// The lowest bits of all fields, the bits above them, and so on.
    planes: Vec<i64>,
    /// The highest bits of all fields.
    tops: i64,
    /// The bits that are still in their field when they move up by 1, 2, 4 and so on.
    below: [i64; 6],
}

/// What a popcount costs, in fields that are added.
const A_COUNT: usize = 4;

impl Layout {
    /// Fields for faces, each for at least so many; a bit is added where there is room for it. `None` if they do not fit
    /// into 63 bits.
    pub(crate) fn new(faces: &[(i64, i64, i64)], most: &[i64]) -> Option<Self> {
        let least: Vec<u32> = most.iter().map(|most| 64 - most.max(&1).leading_zeros()).collect();
        let total: u32 = least.iter().sum();
        let kinds = u32::try_from(least.len()).ok()?;
        if total > 63 {
            return None;
        }
        let spare = ((63 - total) / kinds.max(1)).min(2);
        let mut shift = 0;
        let fields = faces.iter().zip(least).map(|(&(atom, number, die), bits)| {
            let field = Field { atom, number, die, shift, bits: bits + spare };
            shift += field.bits;
            field
        });
        let fields: Vec<Field> = fields.collect();
        let is_of_one =
            (1..fields.len()).all(|at| fields[..at].iter().all(|other| other.atom != fields[at].atom));
        let planes = planes(fields.iter().map(|field| (field, 1)));
        let sum = |of: &dyn Fn(&Field) -> i64| fields.iter().map(of).sum();
        let tops = sum(&|field| 1 << (field.shift + field.bits - 1));
        let below = std::array::from_fn(|step| sum(&|field| (field.most() >> (1 << step)) << field.shift));
        Some(Self { fields, is_of_one, planes, tops, below })
    }

    /// All bits that a bag may have.
    pub(crate) fn mask(&self) -> i64 {
        i64::MAX >> (63 - self.fields.iter().map(|field| field.bits).sum::<u32>())
    }

    pub(crate) fn size(&self, bag: i64) -> i64 {
        let mut size = [0];
        self.sizes(&[bag], &mut size);
        size[0]
    }

    /// Whether bits are counted plane by plane: faces are so many.
    #[inline(always)]
    pub(crate) fn has_few_planes(&self) -> bool {
        self.planes.len() * A_COUNT < self.fields.len()
    }

    /// The sizes of several bags.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "so that vector instructions are made of the loops")]
    pub(crate) fn sizes<const N: usize>(&self, bags: &[i64; N], sizes: &mut [i64; N]) {
        if self.has_few_planes() {
            for (at, plane) in (0..).zip(&self.planes) {
                for lane in 0..N {
                    sizes[lane] += i64::from((bags[lane] & plane).count_ones()) << at;
                }
            }
        } else {
            for field in &self.fields {
                for lane in 0..N {
                    sizes[lane] += field.of(bags[lane]);
                }
            }
        }
    }

    /// Of several bags, the lowest bit of every field that is not 0.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "so that vector instructions are made of the loops")]
    pub(crate) fn there<const N: usize>(&self, bags: &[i64; N], there: &mut [i64; N]) {
        for (at, plane) in (0..).zip(&self.planes) {
            for lane in 0..N {
                there[lane] |= (bags[lane] & plane) >> at;
            }
        }
    }

    pub(crate) fn sum(&self, bag: i64) -> i64 {
        self.fields.iter().map(|field| field.of(bag) * field.number).sum()
    }

    fn present(&self, bag: i64) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(move |field| field.of(bag) > 0)
    }

    pub(crate) fn highest(&self, bag: i64) -> i64 {
        self.present(bag).map(|field| field.number).max().unwrap_or(0)
    }

    pub(crate) fn lowest(&self, bag: i64) -> i64 {
        self.present(bag).map(|field| field.number).min().unwrap_or(0)
    }

    /// Calls `visit` with the count of every face, on all dice together.
    #[inline(always)]
    fn each_face(&self, bag: i64, mut visit: impl FnMut(i64)) {
        for (at, field) in self.fields.iter().enumerate() {
            if self.is_of_one {
                visit(field.of(bag));
            } else if self.fields[..at].iter().all(|other| other.atom != field.atom) {
                visit(self.count(bag, field.atom));
            }
        }
    }

    pub(crate) fn alike(&self, bag: i64) -> i64 {
        let mut most = 0;
        self.each_face(bag, |count| most = most.max(count));
        most
    }

    pub(crate) fn distinct(&self, bag: i64) -> i64 {
        let mut faces = 0;
        self.each_face(bag, |count| faces += i64::from(count > 0));
        faces
    }

    /// The longest row of successive faces.
    pub(crate) fn run(&self, bag: i64) -> i64 {
        let (mut longest, mut row) = (0, 0);
        self.each_face(bag, |count| {
            row = if count > 0 { row + 1 } else { 0 };
            longest = longest.max(row);
        });
        longest
    }

    /// Whether dice of several kinds show this face.
    pub(crate) fn is_on_several(&self, field: &Field) -> bool {
        self.fields.iter().any(|other| other.atom == field.atom && other.die != field.die)
    }

    pub(crate) fn count(&self, bag: i64, atom: i64) -> i64 {
        self.fields.iter().filter(|field| field.atom == atom).map(|field| field.of(bag)).sum()
    }

    /// What is left of a bag without another: 0 of a face of which the other has more.
    #[inline(always)]
    pub(crate) fn minus(&self, bag: i64, other: i64) -> i64 {
        let (less, mut under) = self.less(bag, other);
        for (step, below) in self.below.iter().enumerate() {
            under |= under >> (1 << step) & below;
        }
        less & !under
    }

    /// Every field of a bag less that of another, and the highest bits of those of which the other has more.
    #[inline(always)]
    fn less(&self, bag: i64, other: i64) -> (i64, i64) {
        // All fields at once: each borrows from its own highest bit.
        let less = (bag | self.tops).wrapping_sub(other & !self.tops) ^ (bag ^ !other) & self.tops;
        (less, (!bag & other | !(bag ^ other) & less) & self.tops)
    }

    pub(crate) fn is_within(&self, bag: i64, limit: i64) -> bool {
        self.less(limit, bag).1 == 0
    }

    /// The dice that show a face, as a bag of dice.
    pub(crate) fn dice(&self, bag: i64, atom: i64, dice: &Self) -> i64 {
        let shown = self.fields.iter().filter(|field| field.atom == atom);
        shown.map(|field| dice.unit(field.die) * field.of(bag)).sum()
    }

    /// The same counts in another layout.
    pub(crate) fn into(&self, bag: i64, other: &Self) -> i64 {
        self.fields.iter().map(|field| other.unit(field.atom) * field.of(bag)).sum()
    }

    /// A bag of one; none if it has no such face.
    pub(crate) fn unit(&self, atom: i64) -> i64 {
        self.fields.iter().find(|field| field.atom == atom).map_or(0, Field::unit)
    }

    /// The pairing of four dice with this number, from 0: two sums, the second times 65,536. Negative if an earlier one is
    /// the same.
    pub(crate) fn pairing(&self, bag: i64, number: i64) -> i64 {
        let mut numbers = Vec::with_capacity(4);
        for field in &self.fields {
            numbers.extend((0..field.of(bag)).map(|_| field.number));
        }
        let [a, b, c, d] = numbers[..] else { return -1 };
        let pairs = [(a + b, c + d), (a + c, b + d), (a + d, b + c)];
        let pairings = pairs.iter().flat_map(|&(one, two)| [(one, two), (two, one)]);
        let pairings: Vec<i64> = pairings.map(|(one, two)| one | two << 16).collect();
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        match pairings.get(at) {
            Some(pairing) if !pairings[..at].contains(pairing) => *pairing,
            _ => -1,
        }
    }

    /// All bags with at most so many of every face and in all, the empty one first.
    pub(crate) fn bags(&self, most: &[i64], size: i64, limit: usize) -> Option<Vec<i64>> {
        let mut bags = vec![(0, 0)];
        for (field, &most) in self.fields.iter().zip(most) {
            let before = bags.len();
            for at in 0..before {
                let (bag, used) = bags[at];
                for count in 1..=most.min(size - used) {
                    bags.push((bag + (count << field.shift), used + count));
                }
                if bags.len() > limit {
                    return None;
                }
            }
        }
        Some(bags.into_iter().map(|(bag, _)| bag).collect())
    }

    /// Every part of a bag but the empty one: parts with more first, then those with lower faces.
    pub(crate) fn parts(&self, bag: i64) -> Vec<i64> {
        let most: Vec<i64> = self.fields.iter().map(|field| field.of(bag)).collect();
        let mut parts = self.bags(&most, i64::MAX, usize::MAX).unwrap_or_default();
        parts.retain(|&part| part != 0);
        let key = |part: &i64| {
            let counts: Vec<i64> = self.fields.iter().map(|field| -field.of(*part)).collect();
            (-self.size(*part), counts)
        };
        parts.sort_by_cached_key(key);
        parts
    }
}

/// The bits of a bag that count 1, 2, 4 and so on in the sum of some of its fields, each times a number that is not
/// negative. A bit may count as several of them.
pub(crate) fn planes<'f>(fields: impl Iterator<Item = (&'f Field, i64)>) -> Vec<i64> {
    let mut planes = Vec::new();
    for (field, times) in fields {
        for bit in 0..field.bits {
            let weight = times << bit;
            let most = (64 - weight.leading_zeros()) as usize;
            planes.resize(planes.len().max(most), 0);
            for (at, plane) in planes.iter_mut().enumerate() {
                *plane |= (weight >> at & 1) << (field.shift + bit);
            }
        }
    }
    planes
}

/// What is worked out when a game is loaded for every bag that can be met.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bags {
    /// The first part and the number of parts, by layout and bag.
    parts: Tables<(u32, u32)>,
    list: Vec<i64>,
    worth: Tables<i64>,
    /// The six pairings of four dice.
    pairings: Tables<[i64; 6]>,
    /// Tables by number.
    known: Vec<Lookup<i64>>,
}

/// Tables by layout.
type Tables<T> = Vec<Option<Lookup<T>>>;

fn put<T: Copy>(tables: &mut Tables<T>, layout: u16, rows: Vec<(i64, T)>) {
    let layout = usize::from(layout);
    tables.resize(tables.len().max(layout + 1), None);
    tables[layout] = Some(Lookup::new(rows));
}

#[inline(always)]
fn get<T: Copy>(tables: &Tables<T>, layout: u16, bag: i64) -> Option<T> {
    tables.get(usize::from(layout))?.as_ref()?.get(bag)
}

/// The most parts and bags that are tabulated, and bags whose pairings are.
pub(crate) const MOST_PARTS: usize = 1 << 20;
pub(crate) const MOST_BAGS: usize = 1 << 17;
pub(crate) const MOST_PAIRED: usize = 1 << 12;

impl Bags {
    /// Tabulates the parts of all these bags. Returns the most parts that one has; `None` if there are too many.
    pub(crate) fn add_parts(&mut self, number: u16, layout: &Layout, bags: &[i64]) -> Option<usize> {
        let mut rows = Vec::new();
        let mut most = 0;
        for &bag in bags {
            let parts: f64 = layout.fields.iter().map(|field| (field.of(bag) + 1) as f64).product();
            if parts > Self::MOST_OF_ONE as f64 || self.list.len() > MOST_PARTS {
                return None;
            }
            let parts = layout.parts(bag);
            most = most.max(parts.len());
            rows.push((bag, (u32::try_from(self.list.len()).ok()?, u32::try_from(parts.len()).ok()?)));
            self.list.extend(parts);
        }
        self.list.shrink_to_fit();
        put(&mut self.parts, number, rows);
        Some(most)
    }

    pub(crate) fn add_worth(&mut self, number: u16, rows: Vec<(i64, i64)>) {
        put(&mut self.worth, number, rows);
    }

    pub(crate) fn has_pairings(&self, number: u16) -> bool {
        matches!(self.pairings.get(usize::from(number)), Some(Some(_)))
    }

    pub(crate) fn add_pairings(&mut self, number: u16, layout: &Layout, bags: Vec<i64>) {
        let pairings =
            |bag: i64| std::array::from_fn(|at| layout.pairing(bag, i64::try_from(at).unwrap_or(0)));
        put(&mut self.pairings, number, bags.into_iter().map(|bag| (bag, pairings(bag))).collect());
    }

    /// Adds a table; returns its number.
    pub(crate) fn add_table(&mut self, rows: Vec<(i64, i64)>) -> Option<u16> {
        let number = u16::try_from(self.known.len()).ok()?;
        self.known.push(Lookup::new(rows));
        Some(number)
    }

    /// The most parts of a bag.
    pub(crate) const MOST_OF_ONE: i64 = 4096;

    /// What is tabulated for an operation, by bag. For one with a number: the place in a list to which it is added; a bag that is
    /// not tabulated has place 0. A pairing is listed after one for lower numbers and before one for higher ones.
    #[allow(clippy::type_complexity, reason = "rows, and their list")]
    pub(crate) fn tabulated(&self, op: BagOp, layout: u16) -> Option<(Vec<(i64, i64)>, Option<Vec<i64>>)> {
        fn rows<T: Copy>(tables: &Tables<T>, layout: u16) -> Option<Vec<(i64, T)>> {
            Some(tables.get(usize::from(layout))?.as_ref()?.rows().collect())
        }
        match op {
            BagOp::Known(table) => Some((self.known.get(usize::from(table))?.rows().collect(), None)),
            BagOp::Worth => Some((rows(&self.worth, layout)?, None)),
            BagOp::Part => {
                let place =
                    |(bag, (first, _)): (i64, (u32, u32))| (bag, Self::MOST_OF_ONE + i64::from(first));
                let none = (0..Self::MOST_OF_ONE).map(|_| 0);
                let list = none.chain(self.list.iter().copied()).collect();
                Some((rows(&self.parts, layout)?.into_iter().map(place).collect(), Some(list)))
            }
            BagOp::Pairing => {
                let pairings = rows(&self.pairings, layout).filter(|rows| !rows.is_empty())?;
                let mut list = vec![-1; 8];
                list.extend(
                    pairings.iter().flat_map(|(_, [a, b, c, d, e, f])| [-1, *a, *b, *c, *d, *e, *f, -1]),
                );
                let places = pairings.iter().zip(1..).map(|((bag, _), at)| (*bag, 8 * at));
                Some((places.collect(), Some(list)))
            }
            _ => None,
        }
    }

    /// The range of the values of a table, and 0.
    pub(crate) fn range(&self, table: u16) -> (i64, i64) {
        let values =
            self.known.get(usize::from(table)).into_iter().flat_map(|table| table.slots.iter().flatten());
        values.fold((0, 0), |(low, high), (_, value)| (low.min(*value), high.max(*value)))
    }

    #[inline(always)]
    pub(crate) fn parts(&self, layout: u16, bag: i64) -> i64 {
        get(&self.parts, layout, bag).map_or(0, |(_, many)| many.into())
    }

    #[inline(always)]
    pub(crate) fn part(&self, layout: u16, bag: i64, number: i64) -> i64 {
        let Some((first, _)) = get(&self.parts, layout, bag) else { return 0 };
        let at = usize::try_from(number).ok();
        at.and_then(|at| self.list.get(first as usize + at)).copied().unwrap_or(0)
    }

    #[inline(always)]
    pub(crate) fn worth(&self, layout: u16, bag: i64) -> i64 {
        get(&self.worth, layout, bag).unwrap_or(0)
    }

    /// A pairing, if they are tabulated.
    #[inline(always)]
    pub(crate) fn pairing(&self, layout: u16, bag: i64, number: i64) -> Option<i64> {
        let pairings = get(&self.pairings, layout, bag)?;
        Some(usize::try_from(number).ok().and_then(|number| pairings.get(number)).copied().unwrap_or(-1))
    }

    #[inline(always)]
    pub(crate) fn known(&self, table: u16, bag: i64) -> i64 {
        self.known.get(usize::from(table)).and_then(|table| table.get(bag)).unwrap_or(0)
    }
}

/// Values by bag: open addressing, at most half full.
#[derive(Clone, Debug, PartialEq)]
struct Lookup<T> {
    slots: Vec<Option<(i64, T)>>,
}

impl<T: Copy> Lookup<T> {
    fn new(rows: Vec<(i64, T)>) -> Self {
        let mut slots = vec![None; (rows.len() * 2).next_power_of_two().max(2)];
        for (bag, value) in rows {
            let mut at = Self::first(bag, slots.len());
            while slots[at].is_some_and(|(other, _)| other != bag) {
                at = (at + 1) % slots.len();
            }
            slots[at] = Some((bag, value));
        }
        Self { slots }
    }

    fn rows(&self) -> impl Iterator<Item = (i64, T)> {
        self.slots.iter().flatten().copied()
    }

    #[inline(always)]
    fn first(bag: i64, slots: usize) -> usize {
        let hash = bag.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        #[allow(clippy::cast_possible_truncation, reason = "the upper bits, as many as there are slots")]
        let at = (hash >> (64 - slots.trailing_zeros())) as usize;
        at
    }

    #[inline(always)]
    fn get(&self, bag: i64) -> Option<T> {
        let last = self.slots.len() - 1;
        let mut at = Self::first(bag, self.slots.len());
        while let Some((other, value)) = self.slots[at & last] {
            if other == bag {
                return Some(value);
            }
            at += 1;
        }
        None
    }
}

/// Operations on a bag, or on a bag and a second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BagOp {
    Size,
    Sum,
    Highest,
    Lowest,
    Alike,
    Distinct,
    Run,
    /// How many of a face.
    Count,
    /// What is left of it without another.
    Minus,
    /// Whether another holds as many of every face.
    Within,
    /// What it is worth.
    Worth,
    /// The number of its parts, and one of them.
    Parts,
    Part,
    /// A pairing of four dice; negative if an earlier one is the same.
    Pairing,
    /// What a table has of it.
    Known(u16),
    /// The dice that show a face, as a bag of dice of the layout whose number is added.
    Dice(u16),
    /// The same counts in another layout; what it does not have is left out.
    Into(u16),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bag_without_another_has_what_is_left_of_every_face() {
        for most in [vec![1; 60], vec![12; 13], vec![1, 1, 2, 3, 4, 5, 6, 7, 30, 1000], vec![1 << 40]] {
            let faces: Vec<_> = (1..).take(most.len()).map(|atom| (atom, atom, 0)).collect();
            let layout = Layout::new(&faces, &most).expect("they fit");
            let mut word = 1_u64;
            let mut bag = || {
                word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                ((word ^ word >> 29).cast_signed() ^ i64::from(word >> 62 == 0)) & layout.mask()
            };
            for _ in 0..1000 {
                let (one, other) = (bag(), bag());
                let left = layout.minus(one, other);
                for field in &layout.fields {
                    assert_eq!(field.of(left), (field.of(one) - field.of(other)).max(0));
                }
                assert_eq!(left & !layout.mask(), 0);
                for other in [other, left] {
                    let is_within = layout.fields.iter().all(|field| field.of(other) <= field.of(one));
                    assert_eq!(layout.is_within(other, one), is_within);
                }
            }
        }
    }
}
