//! Counts cities without any restriction. The method is that of the other oracle, but a city is one number, so that
//! millions fit in memory.

use std::collections::HashSet;

/// A city's cells as twelve bits each, row, column and sides, in rising order from the lowest.
type Key = u128;

/// From a cell to its neighbours: north, east, south, west, as the bits of its sides.
const STEPS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// A segment: where it lies and which of its sides are city.
type Cell = (i32, i32, u32);

/// How many cities there are of one segment, of two, up to `most` (at most ten), up to rotation and reflection. The
/// standard faces show every pattern of sides but all field and all city.
pub(crate) fn count_cities(most: usize) -> Vec<usize> {
    let mut cities: HashSet<Key> = (1..15).map(|sides| canonical(&[(0, 0, sides)])).collect();
    let mut counts = vec![cities.len()];
    while counts.len() < most {
        let mut larger = HashSet::new();
        for &city in &cities {
            grow(&unpack(city, counts.len()), &mut larger);
        }
        cities = larger;
        counts.push(cities.len());
    }
    counts
}

/// Every city that one more segment makes.
fn grow(city: &[Cell], larger: &mut HashSet<Key>) {
    let at = |x: i32, y: i32| city.iter().find(|cell| (cell.0, cell.1) == (x, y)).map(|cell| cell.2);
    let mut tried = Vec::new();
    for &(x, y, sides) in city {
        for (side, (dx, dy)) in STEPS.iter().enumerate() {
            let (x, y) = (x + dx, y + dy);
            if sides >> side & 1 == 0 || at(x, y).is_some() || tried.contains(&(x, y)) {
                continue;
            }
            tried.push((x, y));
            // What the neighbours' sides ask: city meets city, field meets field.
            let (mut city_at, mut field_at) = (0, 0);
            for (side, (dx, dy)) in STEPS.iter().enumerate() {
                match at(x + dx, y + dy).map(|sides| sides >> ((side + 2) % 4) & 1) {
                    Some(1) => city_at |= 1 << side,
                    Some(_) => field_at |= 1 << side,
                    None => {}
                }
            }
            let fits = |sides: &u32| sides & city_at == city_at && sides & field_at == 0;
            for sides in (1..15).filter(fits) {
                let mut grown = city.to_vec();
                grown.push((x, y, sides));
                larger.insert(canonical(&grown));
            }
        }
    }
}

/// The least of the numbers of its four turns and their mirror images.
fn canonical(city: &[Cell]) -> Key {
    let mut city = city.to_vec();
    let mut least = Key::MAX;
    for _ in 0..2 {
        for _ in 0..4 {
            // A quarter clockwise: what faced north faces east.
            for cell in &mut city {
                *cell = (-cell.1, cell.0, (cell.2 << 1 | cell.2 >> 3) & 15);
            }
            least = least.min(pack(&city));
        }
        for cell in &mut city {
            let (east, west) = (cell.2 >> 1 & 1, cell.2 >> 3 & 1);
            *cell = (-cell.0, cell.1, cell.2 & 0b0101 | east << 3 | west << 1);
        }
    }
    least
}

fn pack(city: &[Cell]) -> Key {
    let left = city.iter().map(|cell| cell.0).min().unwrap_or(0);
    let top = city.iter().map(|cell| cell.1).min().unwrap_or(0);
    let code = |cell: &Cell| (cell.1 - top) as u32 * 256 + (cell.0 - left) as u32 * 16 + cell.2;
    let mut codes = [u32::MAX; 10];
    for (place, cell) in codes.iter_mut().zip(city) {
        *place = code(cell);
    }
    let codes = &mut codes[..city.len()];
    codes.sort_unstable();
    codes.iter().rev().fold(0, |key, &code| key << 12 | Key::from(code))
}

fn unpack(key: Key, size: usize) -> Vec<Cell> {
    let cell = |number: usize| {
        let code = (key >> (12 * number) & 0xFFF) as i32;
        (code >> 4 & 15, code >> 8, (code & 15) as u32)
    };
    (0..size).map(cell).collect()
}
