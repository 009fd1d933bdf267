//! Rolls: every outcome with its weight.

use super::*;

impl<D: Driver> Naive<'_, D> {
    pub(super) fn dice(&mut self, dice: &Expr, many: Option<i64>) -> Run<Vec<Equal>> {
        if let Term::Word(word) = &dice.term
            && self.find(word).is_none()
            && let Some(faces) = self.world.dice.get(word)
        {
            return Ok(vec![Equal {
                die: 0,
                faces: faces.clone(),
                many: many.unwrap_or(1),
                single: many.is_none(),
            }]);
        }
        let bag = match self.expr(dice)? {
            V::Bag(bag) => bag,
            V::Face(die) => Bag::from([((0, die), 1)]),
            other => panic!("{other:?} is no bag of dice"),
        };
        let mut all = Vec::new();
        for ((_, die), count) in bag {
            let Face::Name(at) = die else { panic!("a die") };
            let faces = self.world.dice[&self.world.atoms[at]].clone();
            all.push(Equal { die: at + 1, faces, many: count, single: false });
        }
        Ok(all)
    }

    /// One event if it is light, else one for every group of dice.
    pub(super) fn roll(&mut self, seat: Seat, events: &[Vec<Equal>]) -> Run<Vec<V>> {
        let all: Vec<&Equal> = events.iter().flatten().collect();
        let weight = all.iter().fold(1_u64, |weight, equal| weight.saturating_mul(equal.weight(equal.many)));
        let mut shown: Vec<Vec<Vec<Face>>> = vec![Vec::new(); all.len()];
        if weight <= 65_536 {
            let results: Vec<Vec<(Vec<Vec<Face>>, u64)>> =
                all.iter().map(|equal| equal.results(equal.many)).collect();
            let weights = results.iter().fold(vec![1], |weights: Vec<u64>, part| {
                weights.iter().flat_map(|weight| part.iter().map(move |(_, own)| weight * own)).collect()
            });
            let mut at = if weights.len() == 1 { 0 } else { self.driver.chance(seat, &weights)? };
            for (shown, part) in shown.iter_mut().zip(&results).rev() {
                shown.clone_from(&part[at % part.len()].0);
                at /= part.len();
            }
        } else {
            for (shown, equal) in shown.iter_mut().zip(&all) {
                let mut left = equal.many;
                while left > 0 {
                    let group =
                        (1..=left).rev().find(|many| equal.weight(*many) <= 65_536).expect("one fits");
                    let results = equal.results(group);
                    let weights: Vec<u64> = results.iter().map(|(_, weight)| *weight).collect();
                    let at = if weights.len() == 1 { 0 } else { self.driver.chance(seat, &weights)? };
                    shown.extend(results[at].0.clone());
                    left -= group;
                }
            }
        }
        let mut at = 0;
        let mut values = Vec::new();
        for part in events {
            let mut bag = Bag::new();
            for equal in part {
                for face in shown[at].iter().flatten() {
                    *bag.entry((equal.die, *face)).or_default() += 1;
                }
                at += 1;
            }
            let is_sets = part.iter().any(|equal| equal.faces.iter().any(|(names, _)| names.len() > 1));
            values.push(match (&part[..], bag.keys().next()) {
                ([equal], Some((_, face))) if equal.single && !is_sets => match face {
                    Face::Number(number) => V::Number(*number),
                    face => V::Face(*face),
                },
                _ => V::Bag(bag),
            });
        }
        Ok(values)
    }
}

/// Equal dice of a roll.
pub(super) struct Equal {
    die: usize,
    faces: Vec<(Vec<Face>, u64)>,
    many: i64,
    single: bool,
}

impl Equal {
    fn weight(&self, many: i64) -> u64 {
        let weight: u64 = self.faces.iter().map(|(_, weight)| weight).sum();
        weight.saturating_pow(u32::try_from(many).expect("few"))
    }

    /// The different bags of faces, in order, each with the number of ways.
    fn results(&self, many: i64) -> Vec<(Vec<Vec<Face>>, u64)> {
        if self.single {
            return self.faces.iter().map(|(face, weight)| (vec![face.clone()], *weight)).collect();
        }
        let mut ways: BTreeMap<Vec<usize>, u64> = BTreeMap::from([(Vec::new(), 1)]);
        for _ in 0..many {
            let mut next = BTreeMap::new();
            for (faces, weight) in ways {
                for (at, (_, own)) in self.faces.iter().enumerate() {
                    let mut faces = faces.clone();
                    faces.push(at);
                    faces.sort_unstable();
                    *next.entry(faces).or_default() += weight * own;
                }
            }
            ways = next;
        }
        ways.into_iter()
            .map(|(faces, weight)| (faces.iter().map(|at| self.faces[*at].0.clone()).collect(), weight))
            .collect()
    }
}
