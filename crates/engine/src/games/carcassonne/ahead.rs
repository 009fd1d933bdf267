//! Where the ways to build on lead: tables for the predicates of policies.

use std::sync::OnceLock;

use super::cities::MOST_DICE;
use super::graph::{Class, ClassId, Graph};
use super::segments::KINDS;

/// For every class of cities, where the ways to build on lead.
#[derive(Debug)]
pub(super) struct Ahead(Vec<Ways>);

/// Where the ways to build on a city of a class lead.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// Those that leave the fewest open sides.
    pub(super) fewest_open: Best,
    /// Those after which the fewest segments are needed.
    pub(super) fewest_needed: Best,
    /// Those after which most kinds of segment fit.
    pub(super) most_fitting: Best,
    /// Those that leave no more open sides than there were.
    pub(super) no_more_open: u64,
    /// For every number of segments, those after which so many can close the city.
    closable: [u32; MOST_DICE + 1],
}

/// By kind of segment, how good the best ways to build on are, and which these are.
#[derive(Debug, Default)]
pub(super) struct Best([(u8, u32); KINDS]);

impl Best {
    fn add(&mut self, kind: usize, way: u32, rank: u8) {
        let (best, ways) = &mut self.0[kind];
        if *ways == 0 || rank > *best {
            (*best, *ways) = (rank, way);
        } else if rank == *best {
            *ways |= way;
        }
    }

    /// The best of these ways, which are all ways of some kinds.
    #[inline(always)]
    pub(super) fn among(&self, builds: u64) -> u64 {
        let (mut best, mut found) = (0, 0);
        for (rank, ways) in self.0 {
            if u64::from(ways) & builds == 0 {
                continue;
            }
            if found == 0 || rank > best {
                (best, found) = (rank, ways);
            } else if rank == best {
                found |= ways;
            }
        }
        found.into()
    }
}

impl Ahead {
    /// The tables of a graph of these kinds of segment, computed on first use.
    #[inline(always)]
    pub(super) fn of(kinds: u8) -> &'static Self {
        static TABLES: [OnceLock<Ahead>; 1 << KINDS] = [const { OnceLock::new() }; 1 << KINDS];
        TABLES[usize::from(kinds) % (1 << KINDS)].get_or_init(|| Self::new(Graph::of(kinds)))
    }

    #[cold]
    fn new(graph: &Graph) -> Self {
        Self(graph.classes().map(|(_, class)| Ways::new(graph, class)).collect())
    }

    /// Of the class of this number.
    #[inline(always)]
    pub(super) fn class(&self, id: ClassId) -> &Ways {
        &self.0[usize::from(id)]
    }
}

impl Ways {
    fn new(graph: &Graph, class: &Class) -> Self {
        let mut ways = Self::default();
        for (kind, of_kind) in class.of_kind.into_iter().enumerate() {
            for number in (0..32).filter(|number| of_kind >> number & 1 == 1) {
                let (way, next) = (1 << number, graph.class(graph.next(class, number)));
                ways.fewest_open.add(kind, way, u8::MAX - next.open_sides);
                ways.fewest_needed.add(kind, way, u8::MAX - next.needed);
                let fitting = next.of_kind.iter().map(|&ways| u8::from(ways != 0)).sum();
                ways.most_fitting.add(kind, way, fitting);
                ways.no_more_open |= if next.open_sides <= class.open_sides { u64::from(way) } else { 0 };
                for closable in &mut ways.closable[usize::from(next.needed)..] {
                    *closable |= way;
                }
            }
        }
        ways
    }

    /// Those after which this number of segments can close the city.
    #[inline(always)]
    pub(super) fn closable(&self, segments: u8) -> u64 {
        self.closable[usize::from(segments)].into()
    }
}
