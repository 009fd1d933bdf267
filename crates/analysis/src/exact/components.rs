//! Moments that lead to each other, strongly connected components: each after those that it leads to, and in groups between
//! which no path leads.

use super::formulas::Blocks;

/// The most bytes a moment that finding the order takes: numbers, and its place on the path of the search.
pub(super) const ORDER: usize = 7 * size_of::<u32>() + size_of::<(usize, u32, usize)>();

/// What stands for a moment that the search has not met, and for one whose component is complete.
const NEW: u32 = 0;
const DONE: u32 = u32::MAX;

/// The strongly connected components of the moments, each after those that it leads to.
pub(super) struct Order {
    /// The moments, component by component; within one in the order in which the search leaves them.
    moments: Vec<u32>,
    /// The end of each component.
    ends: Vec<usize>,
}

impl Order {
    /// Tarjan's algorithm (SIAM J. Comput. 1, 1972) in the form of Nuutila and Soisalon-Soininen (Inf. Process. Lett.
    /// 49, 1994), in which moments wait for the root of their component in the order in which the search leaves them.
    pub(super) fn of(formulas: &Blocks) -> Self {
        let count = formulas.len();
        let mut order = Self { moments: Vec::with_capacity(count), ends: Vec::new() };
        // By moment, when the search met the earliest moment known to be in its component.
        let mut roots = vec![NEW; count];
        let mut clock = NEW;
        // The moments from the start of the search to the current one, when each was met, and where its search goes on.
        let mut path: Vec<(usize, u32, usize)> = Vec::new();
        let mut waiting: Vec<(usize, u32)> = Vec::new();
        for start in 0..count {
            if roots[start] != NEW {
                continue;
            }
            clock += 1;
            roots[start] = clock;
            path.push((start, clock, 0));
            while let Some((moment, met, at)) = path.last_mut() {
                if let Some((next, after)) = formulas.next(*moment, *at) {
                    *at = after;
                    if roots[next] == NEW {
                        clock += 1;
                        roots[next] = clock;
                        path.push((next, clock, 0));
                    } else if roots[next] != DONE {
                        roots[*moment] = roots[*moment].min(roots[next]);
                    }
                    continue;
                }
                let (moment, met) = (*moment, *met);
                path.pop();
                let root = roots[moment];
                if let Some(&mut (before, ..)) = path.last_mut() {
                    // If the component is complete, its root was met later, and nothing changes.
                    roots[before] = roots[before].min(root);
                }
                if root < met {
                    waiting.push((moment, met));
                    continue;
                }
                let first = waiting.iter().rposition(|&(_, other)| other < met).map_or(0, |last| last + 1);
                for (member, _) in waiting.drain(first..).chain([(moment, met)]) {
                    roots[member] = DONE;
                    order.moments.push(index(member));
                }
                order.ends.push(order.moments.len());
            }
        }
        order
    }

    /// The number of components.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The moments of a component.
    pub(super) fn component(&self, number: usize) -> &[u32] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.moments[start..self.ends[number]]
    }

    /// The components by groups between which no path leads; within one in their order. Large groups first.
    pub(super) fn groups(&self, formulas: &Blocks) -> Vec<Vec<u32>> {
        let mut joined = Joined((0..formulas.len()).map(index).collect());
        for moment in 0..formulas.len() {
            formulas.successors(moment).for_each(|next| joined.join(moment, next));
        }
        let mut groups: Vec<(usize, Vec<u32>)> = Vec::new();
        let mut numbers = vec![NEW; formulas.len()];
        for number in 0..self.len() {
            let component = self.component(number);
            let root = joined.root(component[0] as usize);
            if numbers[root] == NEW {
                groups.push((0, Vec::new()));
                numbers[root] = index(groups.len());
            }
            let (moments, components) = &mut groups[numbers[root] as usize - 1];
            *moments += component.len();
            components.push(index(number));
        }
        groups.sort_by_key(|(moments, _)| usize::MAX - moments);
        groups.into_iter().map(|(_, components)| components).collect()
    }

    /// Whether moments of a component lead to each other.
    pub(super) fn is_cyclic(&self, component: &[u32], leads_to_itself: impl Fn(usize) -> bool) -> bool {
        match component {
            &[moment] => leads_to_itself(moment as usize),
            _ => true,
        }
    }
}

/// Sets of moments, each by one of them (Tarjan, J. ACM 22, 1975).
struct Joined(Vec<u32>);

impl Joined {
    fn root(&mut self, moment: usize) -> usize {
        let mut at = moment;
        while self.0[at] as usize != at {
            // Every other step of the way is cut short.
            self.0[at] = self.0[self.0[at] as usize];
            at = self.0[at] as usize;
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = index(a.min(b));
    }
}

/// A stage has fewer than 2³² moments.
fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
pub(super) mod tests {
    use stopwise_engine::stream::{Keys, WordSource as _};

    use super::super::formulas::{Extent, Formulas, Term};
    use super::*;

    /// A moment for each row of numbers, with formulas that name them.
    pub(in super::super) fn graph(rows: &[Vec<usize>]) -> Blocks {
        let mut formulas = Formulas::new(Extent::default(), rows.len());
        for row in rows {
            let mut parts = vec![(formulas.push(Term::Known([0.5; 2])), 1.0)];
            parts.extend(row.iter().map(|&next| (formulas.push(Term::Here(index(next), 0.0)), 1.0)));
            formulas.push_mean(&parts, parts.len() as f64);
            formulas.end();
        }
        Blocks::new(vec![formulas])
    }

    /// Components are those of mutual reachability, each after what it leads to.
    #[test]
    fn components_are_what_leads_to_each_other() {
        let mut words = Keys::new(3).streams(0, 1);
        let mut below = |number: usize| words.word(0) as usize % number;
        for round in 0..300 {
            let count = 1 + below(12);
            let edges = below(2 * count + 1);
            let mut rows = vec![Vec::new(); count];
            for _ in 0..edges {
                rows[below(count)].push(below(count));
            }
            // Warshall's algorithm.
            let mut leads: Vec<Vec<bool>> =
                rows.iter().map(|row| (0..count).map(|to| row.contains(&to)).collect()).collect();
            for middle in 0..count {
                for from in 0..count {
                    for to in 0..count {
                        leads[from][to] |= leads[from][middle] && leads[middle][to];
                    }
                }
            }
            let formulas = graph(&rows);
            let order = Order::of(&formulas);
            let mut places: Vec<_> = order.moments.iter().map(|&moment| moment as usize).collect();
            let components: Vec<Vec<usize>> = (0..order.ends.len())
                .map(|at| places[if at == 0 { 0 } else { order.ends[at - 1] }..order.ends[at]].to_vec())
                .collect();
            places.sort_unstable();
            assert!(places.into_iter().eq(0..count), "round {round}: every moment once");
            // Groups are those of mutual reachability, arrows forgotten.
            let mut linked = leads.clone();
            for middle in 0..count {
                for from in 0..count {
                    for to in 0..count {
                        let is = |from: usize, to: usize| linked[from][to] || linked[to][from] || from == to;
                        linked[from][to] = is(from, to) || is(from, middle) && is(middle, to);
                    }
                }
            }
            for group in order.groups(&formulas) {
                let members: Vec<_> =
                    group.iter().flat_map(|&number| order.component(number as usize)).collect();
                let mut all: Vec<_> = (0..count)
                    .filter(|&at| linked[*members[0] as usize][at] || at == *members[0] as usize)
                    .collect();
                let mut found: Vec<_> = members.iter().map(|&&member| member as usize).collect();
                all.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, all, "round {round}");
                assert!(group.is_sorted(), "round {round}");
            }
            for (at, component) in components.iter().enumerate() {
                let members: Vec<u32> = component.iter().map(|&member| index(member)).collect();
                let is_cyclic = component.iter().any(|&member| leads[member][member]);
                let returns = |moment: usize| formulas.successors(moment).any(|next| next == moment);
                assert_eq!(order.is_cyclic(&members, returns), is_cyclic, "round {round}");
                for (other, others) in components.iter().enumerate() {
                    for (&a, &b) in component.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                        if at == other {
                            assert!(a == b || leads[a][b], "round {round}: {a} and {b}");
                        } else if other > at {
                            assert!(!leads[a][b], "round {round}: {a} leads to {b}");
                        }
                    }
                }
            }
        }
    }
}
