//! A part of a run: which of its trials.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use stopwise_engine::run::Plan;

/// Part `number`, from 1, of `of` parts, whose trials follow on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// Which.
    pub number: u64,
    /// Of how many.
    pub of: u64,
}

impl Part {
    /// More parts than anybody has machines for.
    pub(crate) const MOST: u64 = 1_000_000;

    /// Its trials of a plan: all parts together have all of them, and no part has more than one above another.
    pub(crate) fn cut(self, plan: &Plan) -> Plan {
        let Range { start, end } = plan.trials;
        let trials = u128::from(end.saturating_sub(start));
        let before = |parts: u64| {
            let before = trials * u128::from(parts) / u128::from(self.of);
            start + u64::try_from(before).unwrap_or(u64::MAX)
        };
        Plan { seed: plan.seed, trials: before(self.number - 1)..before(self.number) }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("write K/N, part K of N, such as 1/8 for the first of eight; N is at most {}", Self::MOST)
        };
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let whole = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        let (number, of) = (whole(number)?, whole(of)?);
        if !(1..=Self::MOST).contains(&of) || !(1..=of).contains(&number) {
            return Err(wrong());
        }
        Ok(Self { number, of })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every trial is in one part, in order, whatever the numbers.
    #[test]
    fn parts_are_the_whole() {
        for (start, trials) in [(0, 0), (0, 1), (5, 7), (0, 1_000_003), (1 << 63, 10), (0, u64::MAX)] {
            let plan = Plan { seed: 3, trials: start..start + trials };
            for of in [1, 2, 3, 8, 1000] {
                let mut next = start;
                for number in 1..=of {
                    let part = Part { number, of }.cut(&plan);
                    assert_eq!((part.seed, part.trials.start), (3, next));
                    let size = part.trials.end - part.trials.start;
                    let least = trials / of;
                    assert!((least..=least.saturating_add(1)).contains(&size), "{number}/{of} of {trials}");
                    next = part.trials.end;
                }
                assert_eq!(next, plan.trials.end);
            }
        }
    }

    #[test]
    fn parts_as_they_are_typed() {
        assert_eq!("2/8".parse(), Ok(Part { number: 2, of: 8 }));
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/x", "1/1000001", "1/2/3"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}
