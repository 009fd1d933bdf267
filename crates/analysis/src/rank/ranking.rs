//! A partial order of policies, from the known order of every two.

use crate::members::Members;
use crate::sequential::groups;

/// A partial order of policies, which are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The numbers of all policies, sorted by the sum of best and worst place, then by score: an extension of the known
    /// order.
    pub order: Vec<usize>,
    /// The best and the worst possible place, from 1, of each policy.
    pub places: Vec<(usize, usize)>,
    /// The maximal groups of policies no two of which are distinguished, by places in `order`; `None` if there are more
    /// than two per policy.
    pub groups: Option<Vec<Vec<usize>>>,
    /// For each policy, those that it is better than.
    better: Vec<Members>,
}

impl Ranking {
    /// Ranks `arms` policies by the transitive closure of `is_better`; `score` is the performance in the trials, and
    /// more is better.
    pub fn new(arms: usize, is_better: impl Fn(usize, usize) -> bool, score: impl Fn(usize) -> f64) -> Self {
        let better = closure(arms, is_better);
        let has = |a: usize, b: usize| better[a].has(b);
        let places = (0..arms).map(|arm| {
            let above = (0..arms).filter(|&other| has(other, arm)).count();
            let below = (0..arms).filter(|&other| has(arm, other)).count();
            (above + 1, arms - below)
        });
        let places: Vec<(usize, usize)> = places.collect();
        let mut order: Vec<usize> = (0..arms).collect();
        // A better policy has a higher best place and a higher worst place, so that their sum respects the known order.
        let middle = |arm: usize| places[arm].0 + places[arm].1;
        order.sort_by(|&a, &b| middle(a).cmp(&middle(b)).then(score(b).total_cmp(&score(a))));
        let is_apart = |a: usize, b: usize| has(order[a], order[b]) || has(order[b], order[a]);
        let groups = groups(arms, 2 * arms, is_apart);
        Self { groups, order, places, better }
    }

    /// Whether A is known to be better than B.
    pub fn is_better(&self, a: usize, b: usize) -> bool {
        self.better[a].has(b)
    }

    /// The groups of a place, counted from 0, as letters: a, b, …, z, aa, ab, …
    pub fn letters(&self, place: usize) -> Option<Vec<String>> {
        let of =
            |(group, places): (usize, &Vec<usize>)| places.binary_search(&place).ok().map(|_| letter(group));
        Some(self.groups.as_ref()?.iter().enumerate().filter_map(of).collect())
    }
}

fn letter(mut number: usize) -> String {
    let mut text = String::new();
    loop {
        text.insert(0, char::from(b'a' + u8::try_from(number % 26).expect("below 26")));
        if number < 26 {
            return text;
        }
        number = number / 26 - 1;
    }
}

/// The transitive closure (Warshall, J. ACM 9, 1962, 11–12): for each arm, those that it is better than.
fn closure(arms: usize, is_better: impl Fn(usize, usize) -> bool) -> Vec<Members> {
    let of = |a| Members::of(arms, (0..arms).filter(|&b| is_better(a, b)));
    let mut rows: Vec<_> = (0..arms).map(of).collect();
    for by_way_of in 0..arms {
        let through = rows[by_way_of].clone();
        rows.iter_mut().filter(|row| row.has(by_way_of)).for_each(|row| row.add(&through));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3 > 0 > 2 is known, so that 3 > 2 is as well; of 1 nothing is known.
    #[test]
    fn what_is_known_goes_on() {
        let known = [(3, 0), (0, 2)];
        let ranking = Ranking::new(4, |a, b| known.contains(&(a, b)), |arm| [5.0, 4.0, 9.0, 1.0][arm]);
        assert!(ranking.is_better(3, 2) && !ranking.is_better(2, 3) && !ranking.is_better(1, 2));
        assert_eq!(ranking.places, [(2, 3), (1, 4), (3, 4), (1, 2)]);
        assert_eq!(ranking.order, [3, 0, 1, 2]);
        assert_eq!(ranking.groups, Some(vec![vec![0, 2], vec![1, 2], vec![2, 3]]));
        assert_eq!(ranking.letters(2), Some(["a", "b", "c"].map(str::to_owned).to_vec()));
    }

    #[test]
    fn nothing_is_known() {
        let ranking = Ranking::new(3, |_, _| false, |arm| arm as f64);
        assert_eq!((ranking.order, ranking.places), (vec![2, 1, 0], vec![(1, 3); 3]));
        assert_eq!(ranking.groups, Some(vec![vec![0, 1, 2]]));
        assert!(Ranking::new(0, |_, _| true, |_| 0.0).order.is_empty());
    }

    #[test]
    fn more_than_a_word_of_policies() {
        let ranking = Ranking::new(150, |a, b| a + 1 == b, |_| 0.0);
        assert_eq!(ranking.order, (0..150).collect::<Vec<_>>());
        assert!(ranking.is_better(0, 149) && ranking.places[149] == (150, 150));
        assert_eq!(ranking.groups.as_ref().map(Vec::len), Some(150));
        assert_eq!([0, 25, 26, 701, 702].map(letter), ["a", "z", "aa", "zz", "aaa"]);
    }
}
