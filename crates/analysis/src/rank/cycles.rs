//! Cycles of policies that beat each other.

use std::collections::VecDeque;

use crate::members::Members;

/// A shortest cycle of every strongly connected component of the relation `beats`: each policy beats the next, and the
/// last the first. Components of one policy have none.
///
/// A cycle begins with its lowest number; components come in the order of their lowest numbers.
pub fn cycles(policies: usize, beats: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let row = |a| Members::of(policies, (0..policies).filter(|&b| b != a && beats(a, b)));
    let beaten: Vec<_> = (0..policies).map(row).collect();
    let from: Vec<_> = (0..policies).map(|start| reached(start, &beaten)).collect();
    let mut is_done = vec![false; policies];
    let mut found = Vec::new();
    for first in 0..policies {
        let component: Vec<usize> = (first..policies)
            .filter(|&other| from[first][other].is_some() && from[other][first].is_some())
            .collect();
        if is_done[first] || component.is_empty() {
            continue;
        }
        component.iter().for_each(|&policy| is_done[policy] = true);
        // No cycle leaves its component, and a shortest one goes through some member.
        let rings = component.iter().filter_map(|&start| ring(start, &from[start]));
        found.extend(rings.min_by_key(Vec::len).map(lowest_first));
    }
    found
}

/// The predecessor of every policy on a shortest path from `start`; `start` has one only on a cycle. Given are those that
/// each policy beats.
fn reached(start: usize, beaten: &[Members]) -> Vec<Option<usize>> {
    let mut before = vec![None; beaten.len()];
    let mut left = Members::of(beaten.len(), 0..beaten.len());
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for next in beaten[at].and(&left).iter() {
            before[next] = Some(at);
            queue.push_back(next);
        }
        left = left.without(&beaten[at]);
    }
    before
}

/// The shortest cycle through `start`.
fn ring(start: usize, before: &[Option<usize>]) -> Option<Vec<usize>> {
    let mut ring = Vec::new();
    let mut at = before[start]?;
    while at != start {
        ring.push(at);
        at = before[at]?;
    }
    ring.push(start);
    ring.reverse();
    Some(ring)
}

fn lowest_first(mut ring: Vec<usize>) -> Vec<usize> {
    let lowest = ring.iter().enumerate().min_by_key(|&(_, policy)| policy).map_or(0, |(at, _)| at);
    ring.rotate_left(lowest);
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(policies: usize, pairs: &[(usize, usize)]) -> Vec<Vec<usize>> {
        cycles(policies, |a, b| pairs.contains(&(a, b)))
    }

    #[test]
    fn rings_of_several_sizes() {
        // Rock, scissors, paper, and a policy that beats all.
        assert_eq!(of(4, &[(3, 0), (3, 1), (3, 2), (0, 2), (2, 1), (1, 0)]), [[0, 2, 1]]);
        assert_eq!(of(5, &[(4, 1), (1, 2), (2, 3), (3, 4), (2, 4), (0, 1)]), [[1, 2, 4]]);
        let two = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 3)];
        assert_eq!(of(7, &two), [vec![0, 1, 2], vec![3, 4, 5, 6]]);
    }

    #[test]
    fn an_order_has_none() {
        assert!(cycles(20, |a, b| a < b).is_empty());
        assert!(of(3, &[]).is_empty() && of(0, &[]).is_empty() && of(1, &[(0, 0)]).is_empty());
    }

    /// Every policy beats the next five: any three or four around the table form a cycle.
    #[test]
    fn shortest_of_many() {
        let found = cycles(11, |a, b| (1..=5).contains(&((b + 11 - a) % 11)));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].len(), 3);
    }
}
