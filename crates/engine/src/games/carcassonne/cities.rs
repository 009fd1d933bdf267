//! Every city that can still be closed, up to rotation and reflection, found by enumeration.
//!
//! A city grows by one segment at a time, in a cell that an open side faces. These cells are its *gaps*, and each must
//! be filled. A city with more gaps than dice left is therefore dropped at once, and so is a city with a gap that no
//! segment fits. The remaining cities are searched to the end, and those that lead to no closed city are dropped too.

use super::segments::{KINDS, Segment, Sides};

/// The most dice in a city.
pub(super) const MOST_DICE: usize = 9;

/// The cells of a city in canonical position, in ascending order from the lowest bits. A cell takes twelve bits: its
/// row, column and sides.
pub(super) type Key = u128;
const CELL_BITS: usize = 12;

/// A cell index: the grid has rows of 16 cells. A city of nine segments that begins here stays two cells away from the
/// edges, so that neither its gaps nor their neighbours lie outside.
const CORNER: usize = 0x33;
/// The cell of the first segment.
const MIDDLE: usize = 0x77;
const CELLS: usize = 0x100;
/// The flag of a cell that holds a segment, beside the segment's sides.
const BUILT: u8 = 16;
/// The offsets from a cell to its neighbours, clockwise from north.
const STEPS: [isize; 4] = [-16, 1, 16, -1];

/// A city during the enumeration.
#[derive(Debug)]
pub(super) struct City {
    /// Its cells, in the orientation with the smallest key.
    pub(super) key: Key,
    /// The number of city sides that are not joined.
    pub(super) open_sides: u32,
    /// The smallest number of further segments that closes it.
    pub(super) needed: u8,
    /// For every kind of segment, the cities of the next size that it can make, as indices, each once.
    pub(super) next: [Vec<u32>; KINDS],
}

/// All cities of these kinds of segment (bit *k* for kind *k*) that can be closed with at most nine segments, by size.
/// The one of size 0 is the empty grid. Cities that need no more segments are closed.
pub(super) fn enumerate(kinds: u8) -> Vec<Vec<City>> {
    let mut sizes = Vec::new();
    let mut keys: Vec<Key> = vec![0];
    for size in 0..=MOST_DICE {
        let grids: Vec<_> = keys.iter().map(|&key| Grid::unpack(key, size)).collect();
        let grown: Vec<_> = grids.iter().map(|grid| grid.grow(kinds)).collect();
        let mut next: Vec<_> = grown.iter().flatten().map(|&(_, key)| key).collect();
        next.sort_unstable();
        next.dedup();
        let number = |key: Key| u32::try_from(next.partition_point(|&other| other < key)).unwrap_or(u32::MAX);
        let city = |((&key, grid), grown): ((&Key, &Grid), &Vec<(Segment, Key)>)| {
            let of_kind = |kind: Segment| {
                let mut made: Vec<_> = grown
                    .iter()
                    .filter(|(segment, _)| *segment == kind)
                    .map(|&(_, key)| number(key))
                    .collect();
                made.sort_unstable();
                made.dedup();
                made
            };
            City { key, open_sides: grid.open_sides(), needed: u8::MAX, next: Segment::ALL.map(of_kind) }
        };
        sizes.push(keys.iter().zip(&grids).zip(&grown).map(city).collect());
        keys = next;
    }
    give_up(&mut sizes);
    sizes
}

/// Finds how many segments each city needs, and removes the cities that no number of segments closes.
fn give_up(sizes: &mut [Vec<City>]) {
    // The number of a city among those of its size that are kept, and what it needs.
    let mut kept: Vec<Option<(u32, u8)>> = Vec::new();
    for cities in sizes.iter_mut().rev() {
        let mut numbers = Vec::with_capacity(cities.len());
        let mut count = 0;
        for city in cities.iter_mut() {
            let mut needed =
                if city.open_sides == 0 && city.next.iter().all(Vec::is_empty) { 0 } else { u8::MAX };
            for next in &mut city.next {
                next.retain_mut(|next| match kept[*next as usize] {
                    Some((number, then)) => {
                        *next = number;
                        needed = needed.min(then + 1);
                        true
                    }
                    None => false,
                });
            }
            city.needed = needed;
            numbers.push((needed < u8::MAX).then_some((count, needed)));
            count += u32::from(needed < u8::MAX);
        }
        cities.retain(|city| city.needed < u8::MAX);
        kept = numbers;
    }
}

/// The cities that one more segment makes of a city: the segment, the key shared by all orientations of the city, and
/// the layout as grown.
pub(super) fn larger(layout: Key, size: usize, kinds: u8) -> Vec<(Segment, Key, Key)> {
    let mut made = Vec::new();
    let grid = Grid::unpack(layout, size);
    grid.each_larger(kinds, |kind, larger| made.push((kind, larger.key(), larger.key_seen(0))));
    made
}

/// A drawing of a city, one box-drawing character per die: rows from the north, separated by `/`, with a dot for an
/// empty cell.
pub(super) fn drawing(layout: Key, size: usize) -> String {
    const LINES: [char; 16] =
        ['·', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];
    let grid = Grid::unpack(layout, size);
    let mut rows: Vec<String> = Vec::new();
    for y in CORNER >> 4..16 {
        let row: String =
            (CORNER & 15..16).map(|x| LINES[usize::from(grid.cells[y << 4 | x] & 15)]).collect();
        let row = row.trim_end_matches(LINES[0]);
        if !row.is_empty() {
            rows.push(row.to_owned());
        }
    }
    rows.join("/")
}

/// The segments of these kinds, in all orientations, with city at every side of `must` and at no side of `must_not`.
fn segments(kinds: u8, must: Sides, must_not: Sides) -> impl Iterator<Item = (Segment, Sides)> {
    let turned = (1..15).filter(move |sides| sides & must == must && sides & must_not == 0);
    let kind_of = |sides| Segment::showing(sides).map(|kind| (kind, sides));
    turned.filter_map(kind_of).filter(move |&(kind, _)| kinds >> kind as u8 & 1 == 1)
}

/// A city on a grid.
struct Grid {
    cells: [u8; CELLS],
    built: [usize; MOST_DICE],
    size: usize,
}

impl Grid {
    /// Places a city on a grid.
    fn unpack(key: Key, size: usize) -> Self {
        let mut grid = Self { cells: [0; CELLS], built: [0; MOST_DICE], size };
        for number in 0..size {
            #[allow(clippy::cast_possible_truncation, reason = "twelve bits are kept")]
            let cell = (key >> (CELL_BITS * number)) as usize & 0xFFF;
            let at = CORNER + (cell >> 8 << 4) + (cell >> 4 & 15);
            grid.cells[at] = BUILT | Sides::try_from(cell & 15).unwrap_or(0);
            grid.built[number] = at;
        }
        grid
    }

    fn neighbours(at: usize) -> impl Iterator<Item = (usize, usize)> {
        STEPS.iter().enumerate().map(move |(side, &step)| (side, at.wrapping_add_signed(step)))
    }

    /// The constraints on an empty cell's sides from its neighbours: the sides that must be city, and those that must
    /// be field.
    fn asked(&self, at: usize) -> (Sides, Sides) {
        let mut asked = (0, 0);
        for (side, next) in Self::neighbours(at) {
            let cell = self.cells[next];
            if cell & BUILT != 0 {
                let is_city = cell >> (side ^ 2) & 1;
                asked.0 |= is_city << side;
                asked.1 |= (is_city ^ 1) << side;
            }
        }
        asked
    }

    /// The empty cells that open sides face, each once.
    fn gaps(&self) -> Vec<usize> {
        let mut gaps = Vec::with_capacity(2 * MOST_DICE);
        self.each_gap(|gap| {
            gaps.push(gap);
            true
        });
        gaps
    }

    /// Tells every gap once, as long as the answer is yes; whether it always was.
    fn each_gap(&self, mut told: impl FnMut(usize) -> bool) -> bool {
        // A bit for every cell.
        let mut known = [0_u64; CELLS / 64];
        for &at in &self.built[..self.size] {
            let cell = self.cells[at];
            for (side, next) in Self::neighbours(at) {
                if cell >> side & 1 == 0 || self.cells[next] != 0 {
                    continue;
                }
                let (word, bit) = (&mut known[next / 64], 1 << (next % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    if !told(next) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn open_sides(&self) -> u32 {
        self.gaps().iter().map(|&gap| self.asked(gap).0.count_ones()).sum()
    }

    /// Every city that one more segment makes, except those that cannot be closed.
    fn grow(&self, kinds: u8) -> Vec<(Segment, Key)> {
        let mut made = Vec::new();
        self.each_larger(kinds, |kind, larger| made.push((kind, larger.key())));
        made
    }

    fn each_larger(&self, kinds: u8, mut made: impl FnMut(Segment, &Self)) {
        if self.size == MOST_DICE {
            return;
        }
        let gaps = if self.size == 0 { vec![MIDDLE] } else { self.gaps() };
        for at in gaps {
            let (must, must_not) = self.asked(at);
            for (kind, sides) in segments(kinds, must, must_not) {
                let mut larger = Self { size: self.size + 1, ..*self };
                larger.cells[at] = BUILT | sides;
                larger.built[self.size] = at;
                let mut left = MOST_DICE - larger.size;
                let fills = |gap| {
                    let (must, must_not) = larger.asked(gap);
                    let is_one_left = left > 0;
                    left = left.saturating_sub(1);
                    is_one_left && segments(kinds, must, must_not).next().is_some()
                };
                if larger.each_gap(fills) {
                    made(kind, &larger);
                }
            }
        }
    }

    /// The smallest of the keys of its eight orientations.
    fn key(&self) -> Key {
        (0..8).map(|way| self.key_seen(way)).min().unwrap_or(0)
    }

    /// The key of one of eight orientations: the upper four are mirrored, the rest is the rotation.
    fn key_seen(&self, way: u32) -> Key {
        let (mirrored, turns) = (way & 4 != 0, way & 3);
        // Twelve bits a cell, as in the key, from the corner of the grid.
        let mut codes = [0_u16; MOST_DICE];
        let (mut top, mut left) = (15, 15);
        for (code, &at) in codes.iter_mut().zip(&self.built[..self.size]) {
            let place = u16::try_from(at).unwrap_or(0);
            let (mut x, mut y, mut sides) = (place & 15, place >> 4, u16::from(self.cells[at] & 15));
            if mirrored {
                (x, sides) = (15 - x, sides & 0b0101 | (sides & 0b0010) << 2 | (sides & 0b1000) >> 2);
            }
            for _ in 0..turns {
                (x, y, sides) = (15 - y, x, (sides << 1 | sides >> 3) & 15);
            }
            (top, left) = (top.min(y), left.min(x));
            *code = y << 8 | x << 4 | sides;
        }
        let codes = &mut codes[..self.size];
        codes.sort_unstable();
        let corner = top << 8 | left << 4;
        codes.iter().rev().fold(0, |key, code| key << CELL_BITS | Key::from(code - corner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts on the rules page: the cities of up to nine dice that nine dice can close, and how many of them are
    /// closed.
    #[test]
    fn cities_of_the_standard_faces() {
        let sizes = enumerate(0b1111);
        let counts: Vec<_> = sizes.iter().map(Vec::len).collect();
        assert_eq!(counts, [1, 4, 18, 123, 1017, 5920, 17866, 26339, 18083, 4646]);
        let closed = |cities: &Vec<City>| cities.iter().filter(|city| city.needed == 0).count();
        let closed: Vec<_> = sizes.iter().map(closed).collect();
        assert_eq!(closed, [0, 0, 1, 2, 6, 15, 62, 234, 1051, 4646]);
    }

    /// A row of three from the north-west, with a corner below its end.
    #[test]
    fn drawings() {
        let cell = |y: Key, x: Key, sides: Key| y << 8 | x << 4 | sides;
        let row = cell(0, 0, 2) | cell(0, 1, 14) << 12 | cell(0, 2, 12) << 24 | cell(1, 2, 3) << 36;
        assert_eq!(drawing(row, 4), "╶┬┐/··└");
        assert_eq!(drawing(cell(0, 0, 5), 1), "│");
        assert_eq!(drawing(0, 0), "");
    }

    /// The fewest segments that close a city, for each kind alone or combined: a pair of caps, a ring of corners.
    #[test]
    fn what_few_kinds_can_close() {
        let first_closed = |kinds| {
            let closed = |cities: &Vec<City>| cities.iter().any(|city| city.needed == 0);
            enumerate(kinds).iter().position(closed)
        };
        let [cap, straight, corner, tee] = [1, 2, 4, 8];
        assert_eq!(first_closed(cap), Some(2));
        assert_eq!(first_closed(corner), Some(4));
        assert_eq!(first_closed(straight | tee), None);
        assert_eq!(first_closed(straight), None);
        assert_eq!(first_closed(corner | straight), Some(4));
        assert_eq!(first_closed(corner | tee), Some(4));
    }
}
