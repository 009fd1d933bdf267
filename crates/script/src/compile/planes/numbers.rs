//! Small numbers side by side: the lowest bits of all of them, the next bits, and so on.

use super::super::value::At;
use super::distinct::{Distinct, bits};
use super::known::{Key, keys};
use super::lanes::{Lanes, Node, all};
use crate::op::{Bin, Op};

/// The most bits of a number.
pub(super) const MOST_BITS: usize = 5;

impl Lanes<'_, '_> {
    /// Numbers that are not negative, as planes of their bits.
    pub(super) fn numbers(&mut self, lanes: &[At]) -> Option<Vec<At>> {
        let lanes = &lanes.iter().map(|at| self.first(*at)).collect::<Vec<_>>();
        let of = keys(lanes);
        if let Some(planes) = self.known.numbers.get(&of) {
            return planes.clone();
        }
        let planes = self.rearranged(&of).or_else(|| self.new_numbers(lanes));
        self.known.numbers.insert(of, planes.clone());
        planes
    }

    /// Numbers of which the planes are known in other places.
    fn rearranged(&mut self, of: &[Key]) -> Option<Vec<At>> {
        let known = self.known.numbers.iter().find_map(|(other, planes)| {
            let place = |key: &Key| other.iter().position(|own| own == key).filter(|_| key.is_ok());
            let which = of.iter().map(place).collect::<Option<Vec<usize>>>()?;
            Some((planes.clone()?, which))
        });
        let (planes, which) = known?;
        planes.into_iter().map(|plane| self.moved(plane, &which)).collect()
    }

    fn new_numbers(&mut self, lanes: &[At]) -> Option<Vec<At>> {
        match Distinct::of(lanes) {
            Distinct::Known(values) => {
                let most = values.iter().max().filter(|_| values.iter().all(|value| *value >= 0))?;
                let many = (0..=MOST_BITS).find(|many| most >> many == 0)?;
                Some((0..many).map(|at| At::Const(bits(&values, at))).collect())
            }
            Distinct::Partly(filled, known) => {
                let planes = self.numbers(&filled)?;
                let fits = known.iter().flatten().all(|value| (0..1 << MOST_BITS).contains(value));
                fits.then(|| self.with_known(planes, &known))
            }
            Distinct::One(_) => None,
            Distinct::Few(values, which) => {
                let planes = self.numbers(&values)?;
                Some(planes.into_iter().map(|plane| self.spread(plane, values.len(), &which)).collect())
            }
            Distinct::Many => self.same_numbers(lanes),
        }
    }

    fn same_numbers(&mut self, lanes: &[At]) -> Option<Vec<At>> {
        let many = lanes.len();
        if let Some((bin, a, b)) = self.operands(lanes) {
            return match bin {
                Bin::Add => {
                    let (a, b) = (self.numbers(&a)?, self.numbers(&b)?);
                    self.sum(&a, &b, many)
                }
                Bin::Min | Bin::Max => {
                    let (a, b) = (self.numbers(&a)?, self.numbers(&b)?);
                    let less = self.less(&a, &b, many);
                    let (a, b) = if bin == Bin::Min { (a, b) } else { (b, a) };
                    Some(self.chosen_numbers(less, &a, &b, many))
                }
                Bin::Eq | Bin::Ne | Bin::Lt | Bin::Le => Some(vec![self.truths(lanes)]),
                Bin::And | Bin::Or if lanes.iter().all(|at| self.flat.is_truth(*at)) => {
                    Some(vec![self.truths(lanes)])
                }
                _ => None,
            };
        }
        if let Some((c, a, b)) = self.choices(lanes) {
            if !c.iter().all(|at| self.flat.is_truth(*at)) {
                return None;
            }
            let (a, b, c) = (self.numbers(&a)?, self.numbers(&b)?, self.truths(&c));
            return Some(self.chosen_numbers(c, &a, &b, many));
        }
        let ops: Option<Vec<Op>> = lanes
            .iter()
            .map(|at| match self.node(*at)? {
                Node::Other(op) => Some(op),
                _ => None,
            })
            .collect();
        self.cells(&ops?)
    }

    pub(super) fn chosen(&mut self, c: At, a: At, b: At, many: usize) -> At {
        let not = self.not(c, many);
        let (a, b) = (self.and(c, a, many), self.and(not, b, many));
        self.or(a, b, many)
    }

    fn chosen_numbers(&mut self, c: At, a: &[At], b: &[At], many: usize) -> Vec<At> {
        let planes = (0..a.len().max(b.len())).map(|at| self.chosen(c, plane(a, at), plane(b, at), many));
        planes.collect()
    }

    /// Where the first is less than the second.
    pub(super) fn less(&mut self, a: &[At], b: &[At], many: usize) -> At {
        (0..a.len().max(b.len())).fold(At::Const(0), |less, at| {
            let (a, b) = (self.not(plane(a, at), many), plane(b, at));
            let (both, any) = (self.and(a, b, many), self.or(a, b, many));
            let less = self.and(less, any, many);
            self.or(both, less, many)
        })
    }

    pub(super) fn equal(&mut self, a: &[At], b: &[At], many: usize) -> At {
        let different = (0..a.len().max(b.len())).fold(At::Const(0), |all, at| {
            let one = self.other(plane(a, at), plane(b, at), many);
            self.or(all, one, many)
        });
        self.not(different, many)
    }

    /// Where one of two is.
    fn other(&mut self, a: At, b: At, many: usize) -> At {
        match (a, b) {
            (At::Const(bits), a) | (a, At::Const(bits)) if bits == all(many) => self.not(a, many),
            _ => {
                let (both, any) = (self.and(a, b, many), self.or(a, b, many));
                self.bin(Bin::Sub, any, both)
            }
        }
    }

    fn sum(&mut self, a: &[At], b: &[At], many: usize) -> Option<Vec<At>> {
        let mut carry = At::Const(0);
        let mut planes = Vec::new();
        for at in 0..a.len().max(b.len()) {
            let (a, b) = (plane(a, at), plane(b, at));
            let half = self.other(a, b, many);
            planes.push(self.other(half, carry, many));
            let (both, more) = (self.and(a, b, many), self.and(half, carry, many));
            carry = self.or(both, more, many);
        }
        if carry != At::Const(0) {
            planes.push(carry);
        }
        (planes.len() <= MOST_BITS).then_some(planes)
    }
}

fn plane(planes: &[At], at: usize) -> At {
    planes.get(at).copied().unwrap_or(At::Const(0))
}
