//! Whether one policy is best under all variants.

use crate::estimate::{Estimate, Interval};
use crate::sequential::in_race;

/// The performance of each policy under each variant, with simultaneous intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// `policies[variant][policy]`; more is better.
    pub policies: Vec<Vec<Estimate>>,
}

/// Whether one policy is best under all variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Everywhere {
    /// The policy with this index.
    Best(usize),
    /// No policy: each is beaten under some variant.
    Nobody,
    /// Not known: some policy may be.
    Open,
}

impl Standings {
    /// The policies that can still be best under a variant: those that no other policy is known to beat.
    pub fn can_be_best(&self, variant: usize) -> Vec<bool> {
        let limits = |policy: &Estimate| policy.interval.unwrap_or(Interval::UNBOUNDED);
        let arms: Vec<_> = self.policies[variant].iter().map(limits).collect();
        in_race(&arms)
    }

    /// Whether one policy is best under all variants, with the confidence with which all intervals hold.
    pub fn everywhere(&self) -> Everywhere {
        let variants: Vec<_> = (0..self.policies.len()).map(|variant| self.can_be_best(variant)).collect();
        let policies = variants.first().map_or(0, Vec::len);
        let mut open = (0..policies).filter(|&policy| variants.iter().all(|in_race| in_race[policy]));
        let is_alone = |policy: usize| {
            variants
                .iter()
                .all(|in_race| in_race.iter().enumerate().all(|(at, &is_in)| is_in == (at == policy)))
        };
        match open.next() {
            None => Everywhere::Nobody,
            Some(policy) if is_alone(policy) => Everywhere::Best(policy),
            Some(_) => Everywhere::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Level, Method};

    fn standings(variants: &[&[(f64, f64)]]) -> Standings {
        let of = |&(low, high): &(f64, f64)| {
            let (value, interval) = (f64::midpoint(low, high), Some(Interval { low, high }));
            Estimate { value, interval, method: Method::Normal, level: Level::SINGLE }
        };
        Standings { policies: variants.iter().map(|policies| policies.iter().map(of).collect()).collect() }
    }

    #[test]
    fn best_nobody_open() {
        assert_eq!(
            standings(&[&[(0.0, 1.0), (2.0, 3.0)], &[(5.0, 6.0), (7.0, 8.0)]]).everywhere(),
            Everywhere::Best(1)
        );
        assert_eq!(
            standings(&[&[(0.0, 1.0), (2.0, 3.0)], &[(7.0, 8.0), (5.0, 6.0)]]).everywhere(),
            Everywhere::Nobody
        );
        assert_eq!(
            standings(&[&[(0.0, 1.0), (2.0, 3.0)], &[(5.0, 7.5), (7.0, 8.0)]]).everywhere(),
            Everywhere::Open
        );
        assert_eq!(standings(&[&[(0.0, 1.0)]]).everywhere(), Everywhere::Best(0));
        let open = standings(&[&[(0.0, 1.0), (0.5, 3.0)]]);
        assert_eq!(open.can_be_best(0), [true, true]);
        let mut unknown = standings(&[&[(1.0, 1.0), (2.0, 2.0)]]);
        unknown.policies[0].iter_mut().for_each(|policy| policy.interval = None);
        assert_eq!(unknown.everywhere(), Everywhere::Open);
    }
}
