//! Moments between which one player can stay for ever, and what leaving them is worth.
//!
//! Where a player can stay, every value up to the greatest stands: the upper bound of a moment is kept up by those that it leads
//! to, and theirs by it (end components: de Alfaro, Formal Verification of Probabilistic Systems, 1997). A game that never ends is
//! worth the least to who stays. So such moments are worth at most the best way out of them, from where bounds close in again
//! (deflating: Kelmendi, Krämer, Křetínský and Weininger, CAV 2018); with the signs exchanged for the player who wants less.

use std::ops::Range;

use super::bounds::{Bounds, better};
use super::components::Order;
use super::formulas::{Blocks, Extent, Formulas, Term};

/// A component of moments that lead to each other.
#[derive(Clone, Copy)]
pub(super) struct Component<'c> {
    pub(super) formulas: &'c Blocks,
    /// Its moments, in the order of their values, and the place of the first one's, by which formulas name it.
    pub(super) moments: &'c [u32],
    pub(super) place: usize,
}

/// A greatest set of moments between which one player can stay: an end component.
#[derive(Debug)]
pub(super) struct EndComponent {
    /// Whether who can stay wants more.
    pub(super) wants_more: bool,
    /// Its moments, by where they are in the component, in order.
    pub(super) members: Vec<usize>,
    /// The ways out: moments, and steps of their formulas.
    exits: Vec<(usize, Vec<usize>)>,
}

impl Component<'_> {
    /// Its end components that a player can leave, of both players.
    pub(super) fn end_components(self) -> Vec<EndComponent> {
        let mut found = Vec::new();
        for wants_more in [true, false] {
            let mut candidates = vec![(0..self.moments.len()).collect::<Vec<_>>()];
            while let Some(candidate) = candidates.pop() {
                let (members, mut graph) = self.staying(&candidate, wants_more);
                let parts = graph.cyclic_parts(&members);
                if parts.iter().any(|part| part.len() < candidate.len()) {
                    candidates.extend(parts);
                } else if !parts.is_empty() {
                    let exits = std::mem::take(&mut graph.exits);
                    if !exits.is_empty() {
                        found.push(EndComponent { wants_more, members, exits });
                    }
                }
            }
        }
        found
    }

    /// Those of some moments at which a player can stay among them, whatever chance and others do.
    fn staying(self, candidate: &[usize], wants_more: bool) -> (Vec<usize>, Graph) {
        let mut is_member = vec![false; self.moments.len()];
        candidate.iter().for_each(|&at| is_member[at] = true);
        let (mut members, mut keeps) = (candidate.to_vec(), Vec::new());
        loop {
            let before = members.len();
            members.retain(|&at| {
                self.keep(at, wants_more, &is_member, &mut keeps);
                is_member[at] = keeps.last() == Some(&true);
                is_member[at]
            });
            if members.len() == before {
                break;
            }
        }
        let mut graph = Graph::default();
        for &at in &members {
            self.keep(at, wants_more, &is_member, &mut keeps);
            self.ways(at, wants_more, &keeps, &mut graph);
        }
        (members, graph)
    }

    /// Whether a player can stay among the members from each step of a moment's formula.
    fn keep(self, at: usize, wants_more: bool, is_member: &[bool], keeps: &mut Vec<bool>) {
        let (steps, parts) = self.formulas.formula(self.moments[at] as usize);
        keeps.clear();
        for step in steps {
            let keeps_on = match *step {
                Term::Known(_) => false,
                // What is paid on the way is no staying.
                Term::Here(place, reward) => {
                    let at = (place as usize).checked_sub(self.place);
                    reward == 0.0 && at.and_then(|at| is_member.get(at)) == Some(&true)
                }
                Term::Better(a, b, more) => {
                    let (a, b) = (keeps[a as usize], keeps[b as usize]);
                    if more == wants_more { a || b } else { a && b }
                }
                Term::Mean(from, count, _) => {
                    parts[range(from, count)].iter().all(|&(step, _)| keeps[step as usize])
                }
            };
            keeps.push(keeps_on);
        }
    }

    /// Where a member leads while its player stays, and the ways out that this player has.
    fn ways(self, at: usize, wants_more: bool, keeps: &[bool], graph: &mut Graph) {
        let (steps, parts) = self.formulas.formula(self.moments[at] as usize);
        let (mut is_met, mut next, mut exits) = (vec![false; steps.len()], Vec::new(), Vec::new());
        is_met[steps.len() - 1] = true;
        for number in (0..steps.len()).rev().filter(|number| keeps[*number]) {
            if !is_met[number] {
                continue;
            }
            match steps[number] {
                Term::Known(_) => {}
                Term::Here(place, _) => next.push(place as usize - self.place),
                Term::Better(a, b, more) => {
                    for step in [a as usize, b as usize] {
                        is_met[step] = true;
                        if more == wants_more && !keeps[step] {
                            exits.push(step);
                        }
                    }
                }
                Term::Mean(from, count, _) => {
                    parts[range(from, count)].iter().for_each(|&(step, _)| is_met[step as usize] = true);
                }
            }
        }
        graph.next.push(next);
        if !exits.is_empty() {
            graph.exits.push((self.moments[at] as usize, exits));
        }
    }
}

fn range(from: u32, count: u32) -> Range<usize> {
    from as usize..(from + count) as usize
}

/// Where members lead while their player stays.
#[derive(Default)]
struct Graph {
    /// By member.
    next: Vec<Vec<usize>>,
    exits: Vec<(usize, Vec<usize>)>,
}

impl Graph {
    /// The members that lead to each other, or to themselves.
    fn cyclic_parts(&self, members: &[usize]) -> Vec<Vec<usize>> {
        let mut formulas = Formulas::new(Extent::default(), members.len());
        for next in &self.next {
            for at in next {
                let number = members.binary_search(at).unwrap_or(0);
                formulas.push(Term::Here(u32::try_from(number).unwrap_or(u32::MAX), 0.0));
            }
            formulas.end();
        }
        let formulas = Blocks::new(vec![formulas]);
        let order = Order::of(&formulas);
        let parts = (0..order.len()).map(|number| order.component(number)).filter(|part| {
            order.is_cyclic(part, |number| formulas.successors(number).any(|next| next == number))
        });
        let sorted = |part: &[u32]| {
            let mut part: Vec<usize> = part.iter().map(|&number| members[number as usize]).collect();
            part.sort_unstable();
            part
        };
        parts.map(sorted).collect()
    }
}

impl EndComponent {
    /// What the best way out is worth.
    pub(super) fn best_exit(
        &self,
        formulas: &Blocks,
        here: impl Fn(usize) -> Bounds,
        steps: &mut Vec<Bounds>,
    ) -> Bounds {
        let mut best: Option<Bounds> = None;
        for (moment, exits) in &self.exits {
            formulas.evaluate(*moment, &here, steps);
            for &exit in exits {
                best = Some(best.map_or(steps[exit], |best| better(best, steps[exit], self.wants_more)));
            }
        }
        best.unwrap_or([f64::NEG_INFINITY, f64::INFINITY])
    }
}
