//! What the answers to one question are worth, from games that go on with each of them on the same dice.

use stopwise_engine::game::Better;
use stopwise_engine::paired::Differences;
use stopwise_engine::tally::Histogram;

use crate::estimate::{Estimate, Level, std_dev};
use crate::paired::{MeanDifference, Stopping, difference_of_shares};

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Valued {
    /// The mean of the metric.
    pub value: Estimate,
    /// How much better the best answer is on the same dice; `None` for the best itself.
    pub loss: Option<Estimate>,
}

/// The value of every answer, given what its trials were worth, in the same order; the number of the best comes first.
/// `None` if there is no answer, or no trial. `whole` is what the whole
/// counts, of values that are shares: 1 of those that are 0 or 1.
///
/// The best is the one with the best mean: of several that are close it is one of the lucky ones, and its value is optimistic
/// by less than its interval.
pub fn valued(played: &[Vec<u32>], better: Better, whole: Option<u32>) -> Option<(usize, Vec<Valued>)> {
    let of = |values: &Vec<u32>| {
        let mut histogram = Histogram::default();
        values.iter().for_each(|&value| histogram.add(value));
        Some((Stopping::Fixed.mean(&histogram, histogram.total(), whole)?, std_dev(&histogram)))
    };
    let means: Vec<(Estimate, f64)> = played.iter().map(of).collect::<Option<_>>()?;
    let sign = if better == Better::Higher { 1.0 } else { -1.0 };
    let worth = |at: &usize| sign * means[*at].0.value;
    // Of equal ones the first.
    let best = (0..means.len()).rev().max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
    let loss = |at: usize| {
        let pairs = played[best].iter().copied().zip(played[at].iter().copied());
        let differences: Differences = pairs.collect();
        let found = match whole {
            Some(1) => difference_of_shares(&differences, Level::SINGLE)?,
            _ => MeanDifference::of(&differences, means[best].1.max(means[at].1))?.fixed(Level::SINGLE),
        };
        Some(if better == Better::Higher { found } else { found.negated() })
    };
    let of = |at: usize| Valued { value: means[at].0, loss: (at != best).then(|| loss(at)).flatten() };
    Some((best, (0..means.len()).map(of).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_answer_loses_nothing() {
        let played = [vec![1, 0, 1, 0], vec![1, 1, 1, 0], vec![1, 1, 1, 0]];
        let (best, values) = valued(&played, Better::Higher, Some(1)).expect("trials");
        assert_eq!((best, values[1].loss), (1, None));
        assert_eq!((values[0].value.value, values[0].loss.expect("a loss").value), (0.5, 0.25));
        assert_eq!(values[2].loss.expect("a loss").value, 0.0);
        // Clopper and Pearson: two of four.
        let limits = values[0].value.interval.expect("four trials");
        assert!(
            (limits.low - 0.067_586).abs() < 1e-6 && (limits.high - 0.932_414).abs() < 1e-6,
            "{limits:?}"
        );
        let (best, values) = valued(&played, Better::Lower, None).expect("trials");
        assert_eq!((best, values[1].loss.expect("a loss").value), (0, 0.25));
        assert_eq!(valued(&[], Better::Lower, None), None);
    }
}
