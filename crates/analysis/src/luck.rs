//! How much of what came of one game was luck, where a policy stands behind every decision.
//!
//! What came of a game, less what the policy makes of its start, is what chance gave and what decisions gave. A decision gives
//! what its answer is worth less what the policy's own answer is worth there, the policy playing on behind both: nothing, where
//! the answers are the same. What is left is luck.

use stopwise_engine::paired::Differences;
use stopwise_engine::tally::Histogram;

use crate::estimate::{Estimate, Level, std_dev};
use crate::paired::{MeanDifference, Stopping};

/// A game, beside trials in which a policy plays from its start and from its decisions: the same trials everywhere, on the same
/// dice, so that sums are made trial by trial.
#[derive(Clone, Debug)]
pub struct Luck {
    start: Histogram,
    whole: Option<u32>,
    /// What is taken away from the result, trial by trial.
    due: Vec<i64>,
    /// What decisions gave, of the same trials.
    given: Vec<i64>,
    has_differed: bool,
}

impl Luck {
    /// A game without decisions, given what trials from its start came to; `whole` is what the whole counts, of
    /// values that are shares: 1 of those that are 0 or 1.
    pub fn new(start: &[u32], whole: Option<u32>) -> Self {
        let mut histogram = Histogram::default();
        start.iter().for_each(|&value| histogram.add(value));
        let due = start.iter().map(|&value| value.into()).collect();
        Self { start: histogram, whole, due, given: vec![0; start.len()], has_differed: false }
    }

    /// A decision whose answer was not the policy's: what the same trials come to after it, and after that of the policy.
    pub fn decided(&mut self, answered: &[u32], instead: &[u32]) {
        let trials = self.due.iter_mut().zip(&mut self.given);
        for ((due, given), (&answered, &instead)) in trials.zip(answered.iter().zip(instead)) {
            let more = i64::from(answered) - i64::from(instead);
            (*due, *given) = (*due + more, *given + more);
        }
        self.has_differed = true;
    }

    /// What the policy makes of the start; `None` without trials.
    pub fn start(&self) -> Option<Estimate> {
        Stopping::Fixed.mean(&self.start, self.start.total(), self.whole)
    }

    /// What the decisions gave, in the unit of the metric; `None` if all were those of the policy.
    pub fn of_decisions(&self) -> Option<Estimate> {
        self.has_differed.then(|| self.mean(self.given.iter().copied()))?
    }

    /// What chance gave to a game that came to this result, in the unit of the metric; `None` without trials.
    pub fn of_chance(&self, result: u32) -> Option<Estimate> {
        self.mean(self.due.iter().map(|due| i64::from(result) - due))
    }

    fn mean(&self, of_trials: impl Iterator<Item = i64>) -> Option<Estimate> {
        let part = |size: i64| u32::try_from(size).unwrap_or(if size < 0 { 0 } else { u32::MAX });
        let differences: Differences = of_trials.map(|size| (part(size), part(-size))).collect();
        Some(MeanDifference::of(&differences, std_dev(&self.start))?.fixed(Level::SINGLE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: won in half of the trials; an answer that wins one trial of four more, and one that wins two less.
    #[test]
    fn what_is_left_is_luck() {
        let mut luck = Luck::new(&[1, 0, 1, 0], Some(1));
        assert_eq!((luck.start().map(|start| start.value), luck.of_decisions()), (Some(0.5), None));
        let of = |luck: &Luck, result| luck.of_chance(result).map(|luck| luck.value);
        assert_eq!((of(&luck, 1), of(&luck, 0)), (Some(0.5), Some(-0.5)));
        luck.decided(&[1, 1, 1, 0], &[1, 0, 1, 0]);
        assert_eq!(luck.of_decisions().map(|given| given.value), Some(0.25));
        luck.decided(&[0, 1, 0, 0], &[1, 1, 1, 0]);
        assert_eq!(luck.of_decisions().map(|given| given.value), Some(-0.25));
        assert_eq!((of(&luck, 1), of(&luck, 0)), (Some(0.75), Some(-0.25)));
        assert_eq!(Luck::new(&[], None).of_chance(1), None);
    }

    /// What differs together, trial by trial, is certain: the decision takes back what the start gave.
    #[test]
    fn trials_are_added_one_by_one() {
        let start: Vec<u32> = (0..1000).map(|trial| trial % 2).collect();
        let mut luck = Luck::new(&start, None);
        let width = |luck: &Luck| {
            luck.of_chance(1)
                .and_then(|luck| luck.interval)
                .map(|interval| interval.half_width())
                .expect("trials")
        };
        let before = width(&luck);
        luck.decided(&vec![0; 1000], &start);
        assert!(width(&luck) < before / 4.0);
        assert_eq!(luck.of_chance(1).map(|luck| luck.value), Some(1.0));
    }
}
