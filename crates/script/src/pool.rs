//! Chance: pools of equal dice as sorted multisets with their weights, and draws from a bag.

use std::hash::{Hash, Hasher};

use stopwise_engine::chance::{Chance, bounded};

use crate::layout::Layout;

/// An event heavier than this is thrown in groups.
pub(crate) const HEAVIEST: u64 = 65_536;
/// The most parts of an event: kinds of dice.
pub(crate) const MOST_PARTS: usize = 7;

/// The different results of some equal dice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    /// The value of every result: a number, a name or a bag.
    pub(crate) values: Vec<i64>,
    /// The weight of all results up to each.
    ends: Vec<u32>,
    /// The result of every place; empty if every result has weight 1.
    by_place: Vec<u16>,
}

impl Pool {
    pub(crate) fn new(results: Vec<(i64, u64)>) -> Self {
        let mut total = 0;
        let mut pool = Self::default();
        let is_even = results.iter().all(|(_, weight)| *weight == 1);
        for (at, (value, weight)) in (0_u16..).zip(results) {
            total += weight;
            pool.values.push(value);
            pool.ends.push(u32::try_from(total).unwrap_or(u32::MAX));
            if !is_even {
                pool.by_place.extend((0..weight).map(|_| at));
            }
        }
        pool
    }

    /// So many dice with these faces: their values are added up. Bags of lower faces come first.
    pub(crate) fn of_dice(faces: &[(i64, u64)], many: u32) -> Self {
        let mut results = Vec::new();
        multisets(faces, 0, many, 0, 1, &mut results);
        Self::new(results)
    }

    pub(crate) fn weight(&self) -> u32 {
        self.ends.last().copied().unwrap_or(1)
    }

    fn weight_of(&self, at: usize) -> u32 {
        self.ends[at] - if at == 0 { 0 } else { self.ends[at - 1] }
    }

    #[inline]
    fn at(&self, place: u32) -> u16 {
        match self.by_place.get(place as usize) {
            Some(at) => *at,
            None => u16::try_from(place).unwrap_or(0),
        }
    }
}

/// Adds the bags of `many` more dice, beginning at a face, to `results`: with more of the lower faces first.
fn multisets(
    faces: &[(i64, u64)],
    face: usize,
    many: u32,
    bag: i64,
    ways: u64,
    results: &mut Vec<(i64, u64)>,
) {
    let Some(&(unit, weight)) = faces.get(face) else { return };
    if face + 1 == faces.len() {
        results.push((bag + unit * i64::from(many), ways * weight.pow(many)));
        return;
    }
    for count in (0..=many).rev() {
        // Which of the dice that are left show it.
        let choose = (0..count).fold(1, |choose, k| choose * u64::from(many - k) / u64::from(k + 1));
        let ways = ways * choose * weight.pow(count);
        multisets(faces, face + 1, many - count, bag + unit * i64::from(count), ways, results);
    }
}

/// The tables of a program from which chance events are made.
#[derive(Debug)]
pub(crate) struct Throws {
    pub(crate) pools: Vec<Pool>,
    pub(crate) layouts: Vec<Layout>,
}

/// A chance event: pools thrown together, or a draw from a bag.
#[derive(Clone, Copy, Debug)]
pub struct Throw {
    pub(crate) tables: &'static Throws,
    /// The pools, the first part first; `u16::MAX` for none.
    pub(crate) pools: [u16; MOST_PARTS],
    /// For a draw, the layout of the bag; otherwise `u16::MAX`.
    pub(crate) layout: u16,
    pub(crate) bag: i64,
}

/// No pool, no layout.
pub(crate) const NONE: u16 = u16::MAX;

impl PartialEq for Throw {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tables, other.tables)
            && (self.pools, self.layout, self.bag) == (other.pools, other.layout, other.bag)
    }
}

impl Eq for Throw {}

impl Hash for Throw {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.pools, self.layout, self.bag).hash(state);
    }
}

/// What a throw shows: for each pool its number times 65,536 and the number of its result; of a draw, first the number of
/// the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shown(pub(crate) [u32; MOST_PARTS]);

impl Shown {
    const NOTHING: Self = Self([u32::MAX; MOST_PARTS]);

    fn field(at: usize) -> Self {
        let mut shown = Self::NOTHING;
        shown.0[0] = u32::try_from(at).unwrap_or(0);
        shown
    }
}

impl Throws {
    /// The value of a part of what is shown.
    #[inline]
    pub(crate) fn value(&self, part: u32) -> i64 {
        let [low, high] = [part & 0xffff, part >> 16];
        let pool = self.pools.get(high as usize);
        pool.and_then(|pool| pool.values.get(low as usize)).copied().unwrap_or(0)
    }
}

impl Throw {
    /// The pools with the numbers of their parts.
    fn pools(&self) -> impl Iterator<Item = (usize, u16, &'static Pool)> {
        let tables = self.tables;
        let thrown = self.pools.into_iter().enumerate().filter(|(_, pool)| *pool != NONE);
        thrown.map(|(part, pool)| (part, pool, &tables.pools[usize::from(pool)]))
    }

    fn bag_layout(&self) -> Option<&'static Layout> {
        let tables = self.tables;
        tables.layouts.get(usize::from(self.layout))
    }

    /// The weight of all outcomes.
    pub(crate) fn weight(&self) -> u64 {
        match self.bag_layout() {
            Some(layout) => layout.size(self.bag).cast_unsigned(),
            None => self.pools().map(|(_, _, pool)| u64::from(pool.weight())).product(),
        }
    }

    /// The only outcome, if there is one.
    #[inline]
    pub(crate) fn certain(&self) -> Option<Shown> {
        if let Some(layout) = self.bag_layout() {
            let mut present = layout.fields.iter().enumerate().filter(|(_, field)| field.of(self.bag) > 0);
            return match (present.next(), present.next()) {
                (Some((at, _)), None) => Some(Shown::field(at)),
                _ => None,
            };
        }
        self.pools().all(|(_, _, pool)| pool.values.len() == 1).then(|| {
            let mut shown = Shown::NOTHING;
            self.pools().for_each(|(part, number, _)| shown.0[part] = u32::from(number) << 16);
            shown
        })
    }
}

impl Chance for Throw {
    type Outcome = Shown;

    fn outcomes(self) -> impl Iterator<Item = (Shown, u32)> {
        let mut all = vec![(Shown::NOTHING, 1)];
        if let Some(layout) = self.bag_layout() {
            let counts = layout.fields.iter().enumerate();
            let counts = counts.map(|(at, field)| (Shown::field(at), field.of(self.bag)));
            let present = counts.filter(|(_, count)| *count > 0);
            all = present.map(|(shown, count)| (shown, u32::try_from(count).unwrap_or(0))).collect();
        } else {
            for (part, number, pool) in self.pools() {
                let more = all.iter().flat_map(|&(shown, weight)| {
                    (0_u32..).zip(&pool.values).map(move |(at, _)| {
                        let mut shown = shown;
                        shown.0[part] = u32::from(number) << 16 | at;
                        (shown, weight * pool.weight_of(at as usize))
                    })
                });
                all = more.collect();
            }
        }
        all.into_iter()
    }

    #[inline]
    fn sample(self, word: u32) -> Shown {
        if let Some(layout) = self.bag_layout() {
            let mut place = i64::from(bounded(word, u32::try_from(self.weight()).unwrap_or(1)));
            for (at, field) in layout.fields.iter().enumerate() {
                place -= field.of(self.bag);
                if place < 0 {
                    return Shown::field(at);
                }
            }
            return Shown::field(0);
        }
        let mut shown = Shown::NOTHING;
        if self.pools[1..] == [NONE; MOST_PARTS - 1] && self.pools[0] != NONE {
            let pool = &self.tables.pools[usize::from(self.pools[0])];
            let at = pool.at(bounded(word, pool.weight()));
            shown.0[0] = u32::from(self.pools[0]) << 16 | u32::from(at);
            return shown;
        }
        let mut weight = u32::try_from(self.weight()).unwrap_or(1);
        let mut place = bounded(word, weight);
        for (part, number, pool) in self.pools() {
            weight /= pool.weight();
            let at = pool.at(place / weight);
            shown.0[part] = u32::from(number) << 16 | u32::from(at);
            // What is left is a place among the outcomes of the other parts, each as often as this result.
            let at = usize::from(at);
            let before = pool.ends[at] - pool.weight_of(at);
            place = (place - before * weight) / pool.weight_of(at);
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_sorted_bags_with_their_weights() {
        let faces: Vec<(i64, u64)> = (0..6).map(|face| (1 << (3 * face), 1)).collect();
        for (many, bags) in [(1, 6), (2, 21), (3, 56), (6, 462)] {
            let pool = Pool::of_dice(&faces, many);
            assert_eq!(pool.values.len(), bags);
            assert_eq!(pool.weight(), 6_u32.pow(many));
        }
        let pair = Pool::of_dice(&faces, 2);
        assert_eq!(&pair.values[..3], &[2, 1 + 8, 1 + 64]);
        assert_eq!((pair.weight_of(0), pair.weight_of(1)), (1, 2));
    }
}
