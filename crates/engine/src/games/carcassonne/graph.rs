//! The city graph: cities with the same future form one class, and building is a look-up.
//!
//! Two cities of the same size are in one class if they have the same number of open sides and every kind of segment
//! leads to the same classes from both. The default faces have 74,016 cities that nine dice can close, counting the
//! empty grid. They form 660 classes with 5,652 ways to build on, at most 27 from one class. The number of open sides
//! splits no class: the future already implies it.
//!
//! The graph of the default faces is stored in `classes.txt` (29 KB), which a test regenerates and compares. For other
//! faces the cities are enumerated when the rules are first used, which takes at most 0.13 s; for the default faces it
//! would take 0.4 s (measured on one busy core of two, optimised as for tests). The graph is built once per process and
//! is not part of the rules.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::cities::{City, Key, enumerate};
use super::segments::{KINDS, Segment};

/// The number of a class of cities.
pub type ClassId = u16;

/// The class of the empty grid, without a city.
pub const FRESH: ClassId = 0;

/// The kinds of segment on the default faces, as bits.
const ALL_KINDS: u8 = 0b1111;
/// The graph of the default faces, written by a test: see [`Graph::read`].
const CLASSES: &str = include_str!("classes.txt");

/// A class of cities with the same future.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// Segments in the city.
    pub size: u8,
    /// The number of city sides that are not joined.
    pub open_sides: u8,
    /// The smallest number of further segments that closes it; 0 for a closed city.
    pub needed: u8,
    /// The ways to build on, one bit each, as a mask per kind of segment; ways are numbered kind by kind.
    pub of_kind: [u32; KINDS],
    /// The ways that close the city.
    pub closing: u32,
    /// The index in [`Graph`]'s list at which the classes that its ways lead to begin.
    first: u16,
}

impl Class {
    /// The kind of segment that these ways build with; all must have the same kind.
    #[inline(always)]
    pub(super) fn kind_of(&self, ways: u64) -> u32 {
        let builds = |&(_, of_kind): &(u32, u32)| u64::from(of_kind) & ways != 0;
        (0..).zip(self.of_kind).find(builds).map_or(0, |(kind, _)| kind)
    }
}

/// The classes of all cities that a set of kinds of segment makes.
#[derive(Debug, PartialEq, Eq)]
pub struct Graph {
    classes: Vec<Class>,
    next: Vec<ClassId>,
}

impl Graph {
    /// The graph of these kinds of segment (bit *k* for kind *k*), built on first use.
    #[inline(always)]
    pub(super) fn of(kinds: u8) -> &'static Self {
        static GRAPHS: [OnceLock<Graph>; 1 << KINDS] = [const { OnceLock::new() }; 1 << KINDS];
        GRAPHS[usize::from(kinds & ALL_KINDS)].get_or_init(|| Self::build(kinds))
    }

    #[cold]
    fn build(kinds: u8) -> Self {
        if kinds == ALL_KINDS { Self::read(CLASSES) } else { Self::enumerated(kinds).0 }
    }

    /// The class of this number.
    #[inline(always)]
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[usize::from(id)]
    }

    /// The class that building in way number `way` leads to.
    #[inline(always)]
    pub fn next(&self, class: &Class, way: u32) -> ClassId {
        self.next[usize::from(class.first) + way as usize]
    }

    /// Every class with its number.
    pub fn classes(&self) -> impl Iterator<Item = (ClassId, &Class)> {
        (0..).zip(&self.classes)
    }

    /// Enumerates the cities and merges those with the same future, from the largest to the smallest. Returns the graph
    /// and the cities by size, sorted by key, each with its class.
    pub(super) fn enumerated(kinds: u8) -> (Self, Vec<Vec<(Key, ClassId)>>) {
        let mut sizes: Vec<Vec<Rank>> = Vec::new();
        // For every city of a size its class among those of that size.
        let mut ranks: Vec<ClassId> = Vec::new();
        let mut numbered: Vec<Vec<(Key, ClassId)>> = Vec::new();
        for cities in enumerate(kinds).iter().rev() {
            let rank: Vec<_> = cities.iter().map(|city| Rank::new(city, &ranks)).collect();
            let mut classes = BTreeMap::new();
            for rank in &rank {
                classes.insert(rank, 0);
            }
            for (number, (_, place)) in (0..).zip(&mut classes) {
                *place = number;
            }
            ranks = rank.iter().map(|rank| classes[rank]).collect();
            numbered.push(cities.iter().map(|city| city.key).zip(ranks.iter().copied()).collect());
            sizes.push(classes.into_keys().cloned().collect());
        }
        sizes.reverse();
        numbered.reverse();
        let mut graph = Self { classes: Vec::new(), next: Vec::new() };
        let mut first = 0;
        for ((size, ranks), cities) in (0..).zip(sizes).zip(&mut numbered) {
            cities.iter_mut().for_each(|(_, class)| *class += first);
            first += ClassId::try_from(ranks.len()).unwrap_or(ClassId::MAX);
            for Rank { needed, open_sides, next } in ranks {
                let next = next.map(|ranks| ranks.into_iter().map(|rank| first + rank).collect());
                graph.push(size, open_sides, needed, next);
            }
        }
        graph.mark_closing();
        (graph, numbered)
    }

    /// Adds a class, given the classes that each kind of segment leads to.
    fn push(&mut self, size: u8, open_sides: u8, needed: u8, next: [Vec<ClassId>; KINDS]) {
        let first = u16::try_from(self.next.len()).unwrap_or(u16::MAX);
        let mut ways = 0;
        let of_kind = next.map(|next| {
            let mask = ((1_u64 << next.len()) - 1) << ways;
            ways += next.len();
            self.next.extend(next);
            u32::try_from(mask).expect("a city has at most 27 ways to build on")
        });
        self.classes.push(Class { size, open_sides, needed, of_kind, closing: 0, first });
    }

    fn mark_closing(&mut self) {
        for number in 0..self.classes.len() {
            let class = &self.classes[number];
            let ways = class.of_kind.iter().fold(0, |ways, of_kind| ways | of_kind);
            let closes = |way: &u32| ways >> way & 1 == 1 && self.class(self.next(class, *way)).needed == 0;
            let closing = (0..32).filter(closes).fold(0, |closing, way| closing | 1 << way);
            self.classes[number].closing = closing;
        }
    }

    /// Reads a graph: one line per class in the order of their numbers, with size, open sides and segments needed, and
    /// for each kind of segment the numbers of the classes that it leads to.
    fn read(text: &str) -> Self {
        fn numbers<N: std::str::FromStr>(part: &str) -> Vec<N> {
            part.split_ascii_whitespace().filter_map(|number| number.parse().ok()).collect()
        }
        let mut graph = Self { classes: Vec::new(), next: Vec::new() };
        for line in text.lines() {
            let mut parts = line.split(',');
            let head: Vec<u8> = parts.next().map(numbers).unwrap_or_default();
            let next = Segment::ALL.map(|_| parts.next().map(numbers).unwrap_or_default());
            if let [size, open_sides, needed] = head[..] {
                graph.push(size, open_sides, needed, next);
            }
        }
        graph.mark_closing();
        graph
    }
}

/// What identifies a class among the cities of its size. The order is that of the class numbers: fewest segments needed
/// first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    needed: u8,
    open_sides: u8,
    next: [Vec<ClassId>; KINDS],
}

impl Rank {
    /// `ranks` are the classes of the cities of the next size.
    fn new(city: &City, ranks: &[ClassId]) -> Self {
        let classes = |next: &Vec<u32>| {
            let mut classes: Vec<_> = next.iter().map(|&next| ranks[next as usize]).collect();
            classes.sort_unstable();
            classes.dedup();
            classes
        };
        let open_sides = u8::try_from(city.open_sides).unwrap_or(u8::MAX);
        Self { needed: city.needed, open_sides, next: city.next.each_ref().map(classes) }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::games::carcassonne::cities::MOST_DICE;

    /// Writes the format that [`Graph::read`] reads.
    fn write(graph: &Graph) -> String {
        let mut text = String::new();
        for class in &graph.classes {
            let _ = write!(text, "{} {} {}", class.size, class.open_sides, class.needed);
            for of_kind in class.of_kind {
                text.push(',');
                for way in (0..32).filter(|way| of_kind >> way & 1 == 1) {
                    let _ = write!(text, " {}", graph.next(class, way));
                }
            }
            text.push('\n');
        }
        text
    }

    /// The table in the repository equals the enumeration, byte for byte. With the environment variable
    /// `UPDATE_GOLDEN=1` it is rewritten.
    #[test]
    fn the_table_is_the_enumerated_one() {
        let (graph, _) = Graph::enumerated(ALL_KINDS);
        let text = write(&graph);
        if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/games/carcassonne/classes.txt");
            std::fs::write(path, &text).expect("the folder can be written");
        }
        assert!(text == CLASSES, "classes.txt differs");
        assert!(graph == Graph::read(CLASSES), "what is written is read");
    }

    #[test]
    fn classes_of_the_default_faces() {
        let graph = Graph::of(ALL_KINDS);
        let mut sizes = [0; MOST_DICE + 1];
        for (_, class) in graph.classes() {
            sizes[usize::from(class.size)] += 1;
        }
        assert_eq!(sizes, [1, 4, 18, 118, 234, 165, 85, 29, 5, 1]);
        assert_eq!((graph.classes.len(), graph.next.len()), (660, 5652));
        assert_eq!(graph.class(FRESH), &Class { of_kind: [1, 2, 4, 8], needed: 2, ..Class::default() });
    }

    /// Every step leads to a class one segment larger, and the least number needed among the next classes is one less.
    #[test]
    fn steps_lead_to_what_is_needed() {
        for kinds in 1..1 << KINDS {
            let graph = Graph::of(kinds);
            for (_, class) in graph.classes() {
                let ways = class.of_kind.iter().fold(0, |ways, of_kind| ways | of_kind);
                assert_eq!(ways.count_ones(), ways.trailing_ones(), "ways are numbered without a hole");
                let next: Vec<_> =
                    (0..ways.count_ones()).map(|way| graph.class(graph.next(class, way))).collect();
                assert!(next.iter().all(|next| next.size == class.size + 1));
                let least = next.iter().map(|next| next.needed).min();
                assert_eq!(class.needed, least.map_or(0, |least| least + 1));
                assert_eq!(class.needed == 0, class.size > 0 && class.open_sides == 0);
            }
        }
    }
}
