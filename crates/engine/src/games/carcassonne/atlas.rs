//! Cities as they are drawn for people. A position stores only the class of its city.
//!
//! A replay follows how the city was built and draws that city; for a position alone one city of the class is drawn.
//! Drawing needs the enumeration of all cities, which takes 0.4 s when the first city is drawn.

use std::sync::OnceLock;

use super::cities::{Key, larger};
use super::graph::{ClassId, Graph};
use super::segments::KINDS;

/// Every city that can still be closed, with its class.
#[derive(Debug)]
pub(super) struct Atlas {
    kinds: u8,
    /// The cities by size, sorted by key.
    cities: Vec<Vec<(Key, ClassId)>>,
    /// One city of every class.
    examples: Vec<Key>,
}

impl Atlas {
    /// The atlas for these kinds of segment (bit *k* for kind *k*), built on first use.
    pub(super) fn of(kinds: u8) -> &'static Self {
        static ATLASES: [OnceLock<Atlas>; 1 << KINDS] = [const { OnceLock::new() }; 1 << KINDS];
        ATLASES[usize::from(kinds) % ATLASES.len()].get_or_init(|| Self::new(kinds))
    }

    fn new(kinds: u8) -> Self {
        let (graph, cities) = Graph::enumerated(kinds);
        let mut examples = vec![0; graph.classes().count()];
        // The first of a class stays.
        for &(key, class) in cities.iter().rev().flat_map(|cities| cities.iter().rev()) {
            examples[usize::from(class)] = key;
        }
        Self { kinds, cities, examples }
    }

    /// A city of the class.
    pub(super) fn example(&self, class: ClassId) -> Key {
        self.examples[usize::from(class)]
    }

    /// The layout after one more segment of a kind on a city of `size` dice, such that the city is of the given class;
    /// the example of that class if there is none.
    pub(super) fn grown(&self, layout: Key, size: usize, kind: u32, class: ClassId) -> Key {
        let is_meant = |key: Key| {
            let cities = self.cities.get(size + 1).map_or(&[][..], Vec::as_slice);
            let found = cities.binary_search_by_key(&key, |&(key, _)| key);
            found.is_ok_and(|place| cities[place].1 == class)
        };
        let mut made = larger(layout, size, self.kinds).into_iter();
        let found = made.find(|&(segment, key, _)| segment as u32 == kind && is_meant(key));
        found.map_or_else(|| self.example(class), |(_, _, layout)| layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::carcassonne::cities::drawing;

    /// For every class, every way to build turns its drawn city into a city with one more segment of the right kind,
    /// and of the class that the graph names.
    #[test]
    fn cities_grow_as_the_graph_says() {
        for kinds in [0b1111, 0b0101] {
            let (atlas, graph) = (Atlas::of(kinds), Graph::of(kinds));
            for (id, class) in graph.classes() {
                let (layout, size) = (atlas.example(id), usize::from(class.size));
                for way in (0..32).filter(|way| class.of_kind.iter().any(|ways| ways >> way & 1 == 1)) {
                    let (kind, next) = (class.kind_of(1 << way), graph.next(class, way));
                    let grown = atlas.grown(layout, size, kind, next);
                    let lines = |text: String| {
                        let mut lines: Vec<_> = text.chars().filter(|c| !"·/".contains(*c)).collect();
                        lines.sort_unstable();
                        lines
                    };
                    let (before, mut after) = (lines(drawing(layout, size)), lines(drawing(grown, size + 1)));
                    for line in before {
                        let place = after.iter().position(|&c| c == line).expect("what is built stays");
                        after.remove(place);
                    }
                    let of_kind = ["╵╶╷╴", "│─", "└┌┐┘", "├┬┤┴"][kind as usize];
                    assert!(after.len() == 1 && of_kind.contains(after[0]), "{after:?} is of kind {kind}");
                }
            }
        }
    }
}
