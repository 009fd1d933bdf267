//! Closing in on the values of moments that lead to each other, from both sides.
//!
//! Starting from the least and the greatest value, every sweep maps lower bounds to lower bounds and upper bounds to
//! upper bounds, because averaging and choosing are monotone (interval iteration: Haddad and Monmege, Theor. Comput.
//! Sci. 735, 2018). Moments that lead to each other, a strongly connected component, are swept together, after all
//! those that they lead to (topological value iteration: Dai, Mausam, Weld and Goldsmith, JAIR 42, 2011): a component
//! takes as many sweeps as it needs itself. Within one, moments are swept in the order in which a depth-first search
//! leaves them, so that what is known at the exits reaches the entrance in one sweep.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::ExactError;
use super::bounds::Bounds;
use super::formulas::Blocks;
use super::parts::in_parts;

/// Sweeps after which a component that does not converge is an error.
const SWEEPS: usize = 100_000;
/// The most tasks for threads.
const TASKS: usize = 1 << 12;
/// The number of moments evaluated between two progress reports.
const LOOK: usize = 256;

/// The most bytes a moment that finding the order takes: numbers, and its place on the path of the search.
pub(super) const ORDER: usize = 5 * size_of::<u32>() + size_of::<(usize, u32, usize)>();

/// The bounds of all moments of a stage, given those of the metric. `tell` is told how often the current component has
/// been swept and how many moments are done, and says whether to continue.
///
/// What no path leads to and fro, in whatever direction, is closed in by itself, on all threads.
///
/// # Errors
///
/// If a component does not converge, or whatever `tell` returns.
pub(super) fn close_in(
    mut formulas: Blocks,
    bounds: Bounds,
    stage: u64,
    tell: &(dyn Fn(usize, usize) -> Result<(), ExactError> + Sync),
) -> Result<Vec<Bounds>, ExactError> {
    let order = Order::of(&formulas);
    let groups = order.groups(&formulas);
    // Values stand group by group, in the order in which they are swept: a group has its own alone.
    let mut places = vec![0; formulas.len()];
    let swept = groups.iter().flatten().flat_map(|&number| order.component(number as usize));
    swept.zip(0..).for_each(|(&moment, place)| places[moment as usize] = place);
    formulas.renumber(&places);
    let mut values = vec![bounds; formulas.len()];
    let mut rest = &mut values[..];
    let mut own = Vec::with_capacity(groups.len());
    for group in &groups {
        let moments = group.iter().map(|&number| order.component(number as usize).len()).sum();
        let (values, others) = std::mem::take(&mut rest).split_at_mut(moments);
        own.push(Mutex::new(values));
        rest = others;
    }
    let done = AtomicUsize::new(0);
    let sweeping = Sweeping { formulas: &formulas, order: &order, places: &places, stage, tell, done: &done };
    let close = |part: Range<usize>| {
        let mut groups = groups[part.clone()].iter().zip(&own[part]);
        groups.try_for_each(|(group, values)| {
            sweeping.close(group, &mut values.lock().unwrap_or_else(PoisonError::into_inner))
        })
    };
    in_parts(groups.len(), groups.len().div_ceil(TASKS).max(1), &close)?;
    Ok(places.iter().map(|&place| values[place as usize]).collect())
}

struct Sweeping<'s> {
    /// They name places of values.
    formulas: &'s Blocks,
    order: &'s Order,
    /// The place of every moment's value.
    places: &'s [u32],
    stage: u64,
    tell: &'s (dyn Fn(usize, usize) -> Result<(), ExactError> + Sync),
    done: &'s AtomicUsize,
}

impl Sweeping<'_> {
    /// Closes in on components, given by their numbers, one after the other. `values` are theirs.
    fn close(&self, components: &[u32], values: &mut [Bounds]) -> Result<(), ExactError> {
        let mut steps = Vec::new();
        let mut looked = 0;
        let of = |number: u32| self.order.component(number as usize);
        let first = components.first().map_or(0, |&number| self.places[of(number)[0] as usize] as usize);
        let mut begun = 0;
        for &number in components {
            let component = of(number);
            let is_cyclic = self.order.is_cyclic(component, |moment| {
                let own = self.places[moment] as usize;
                self.formulas.successors(moment).any(|place| place == own)
            });
            let mut sweep = 0;
            loop {
                let mut moved = 0.0_f64;
                for (&moment, at) in component.iter().zip(begun..) {
                    looked += 1;
                    if looked % LOOK == 0 {
                        (self.tell)(sweep, self.done.load(Relaxed))?;
                    }
                    let here = |place: usize| values[place - first];
                    let [low, high] = self.formulas.evaluate(moment as usize, here, &mut steps);
                    // A bound never gets worse, whatever rounding does.
                    let [old_low, old_high] = values[at];
                    let new = [low.max(old_low), high.min(old_high)];
                    values[at] = new;
                    let scale = old_high.abs().max(1.0);
                    moved = moved.max((new[0] - old_low) / scale).max((old_high - new[1]) / scale);
                }
                // The width left by moments outside cannot shrink here: the component is done when nothing moves.
                if !is_cyclic || moved <= f64::EPSILON {
                    break;
                }
                sweep += 1;
                if sweep == SWEEPS {
                    return Err(ExactError::Stuck { stage: self.stage });
                }
            }
            begun += component.len();
            self.done.fetch_add(component.len(), Relaxed);
        }
        Ok(())
    }
}

/// What stands for a moment that the search has not met, and for one whose component is complete.
const NEW: u32 = 0;
const DONE: u32 = u32::MAX;

/// The strongly connected components of the moments, each after those that it leads to.
struct Order {
    /// The moments, component by component; within one in the order in which the search leaves them.
    moments: Vec<u32>,
    /// The end of each component.
    ends: Vec<usize>,
}

impl Order {
    /// Tarjan's algorithm (SIAM J. Comput. 1, 1972) in the form of Nuutila and Soisalon-Soininen (Inf. Process. Lett.
    /// 49, 1994), in which moments wait for the root of their component in the order in which the search leaves them.
    fn of(formulas: &Blocks) -> Self {
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

    /// The moments of a component.
    fn component(&self, number: usize) -> &[u32] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.moments[start..self.ends[number]]
    }

    /// The components by groups between which no path leads; within one in their order. Large groups first.
    fn groups(&self, formulas: &Blocks) -> Vec<Vec<u32>> {
        let mut joined = Joined((0..formulas.len()).map(index).collect());
        for moment in 0..formulas.len() {
            formulas.successors(moment).for_each(|next| joined.join(moment, next));
        }
        let mut groups: Vec<(usize, Vec<u32>)> = Vec::new();
        let mut numbers = vec![NEW; formulas.len()];
        for number in 0..self.ends.len() {
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
    fn is_cyclic(&self, component: &[u32], leads_to_itself: impl Fn(usize) -> bool) -> bool {
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
mod tests {
    use stopwise_engine::stream::{Keys, WordSource as _};

    use super::super::formulas::{Extent, Formulas, Term};
    use super::*;

    /// A moment for each row of numbers, with formulas that name them.
    fn graph(rows: &[Vec<usize>]) -> Blocks {
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

    /// The mean of what is known (½) and of moments that lead to each other is ½.
    #[test]
    fn bounds_meet() {
        let rows = vec![vec![1, 2], vec![0], vec![2, 3], vec![]];
        let values = close_in(graph(&rows), [-3.0, 40.0], 0, &|_, _| Ok(())).expect("it converges");
        for [low, high] in values {
            assert!(low <= 0.5 && 0.5 <= high && high - low < 1e-14, "{low} to {high}");
        }
    }
}
