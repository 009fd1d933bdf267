//! A confidence sequence for the mean of values in a known range.

use super::{Design, Sums, edge};
use crate::estimate::Interval;

/// The largest tilt, in units of 1 over the width of the range; each further one is half as large.
const TILT: f64 = 0.5;

/// Values in a known range, entered batch by batch.
///
/// For a tilt λ below 1, and values scaled to a range of width 1, exp(λ Σ(x − µ) − ψ(λ) V) with ψ(λ) = −ln(1 − λ) − λ
/// is a supermartingale from 1, where V is the sum of the squared distances of every value from a guess made before it
/// (Fan, Grama and Liu, Electron. J. Probab. 20, 2015, lemma 4.1; Howard, Ramdas, McAuliffe and Sekhon, Ann. Statist.
/// 49, 2021, theorem 4). Any mixture over tilts is one as well: here an even one over ½, ¼, ⅛, … down to what is best
/// at the target if values vary as much as they can. A mean µ is ruled out when the mixture, on one side, reaches 2 / α
/// (Ville). So the width adapts to the observed variance, the sample mean is always inside, and the sequence is exact.
///
/// The guess is the mean before the batch, so that V needs the batch's sums alone. Batches must be consecutive, and the
/// size of one must be fixed before it begins. Few large batches cost little: where each is as large as all before,
/// the guess adds about one variance a batch to V. Before the first, the guess is the middle of the range, which
/// may be far off: let that batch be small. (Batch *means* in place of values would keep the range while
/// they lose the variance, and widen the interval accordingly; betting on each value is narrower for small numbers of
/// trials but needs every value, in order: Waudby-Smith and Ramdas, J. R. Stat. Soc. B 86, 2024, 1–27.)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    range: Interval,
    sums: Sums,
    /// V, in squares of the range's width.
    spread: f64,
}

impl Bounded {
    /// Starts without values. All values must be in `range`.
    ///
    /// # Panics
    ///
    /// If the range is empty or unbounded.
    pub fn new(range: Interval) -> Self {
        let width = range.high - range.low;
        assert!(width >= 0.0 && width.is_finite(), "the range {range:?} is empty or unbounded");
        Self { range, sums: Sums::default(), spread: 0.0 }
    }

    /// The sums of all values entered.
    pub fn sums(&self) -> Sums {
        self.sums
    }

    /// Enters the next batch.
    pub fn add(&mut self, batch: &Sums) {
        if let Some((mean, std_dev)) = batch.moments() {
            let (m, width) = (batch.trials as f64, self.range.high - self.range.low);
            let from_guess = (mean - self.guess()) / width;
            self.spread += (m - 1.0) * (std_dev / width).powi(2) + m * from_guess.powi(2);
            self.sums.merge(batch);
        }
    }

    /// The prediction of the next value: the mean, with the middle of the range as one more value.
    fn guess(&self) -> f64 {
        let middle = f64::midpoint(self.range.low, self.range.high);
        let n = self.sums.trials as f64;
        self.sums.moments().map_or(middle, |(mean, _)| (mean * n + middle) / (n + 1.0))
    }

    /// The confidence sequence at this check point.
    pub fn interval(&self, design: Design) -> Interval {
        let Interval { low, high } = self.range;
        match self.sums.moments() {
            Some((mean, _)) if high > low => {
                let mean = mean.clamp(low, high);
                let half = excess(self.spread, design) * (high - low) / self.sums.trials as f64;
                Interval { low: (mean - half).max(low), high: (mean + half).min(high) }
            }
            _ => self.range,
        }
    }
}

/// How far the sum of scaled values may be from its expectation, on either side.
fn excess(spread: f64, design: Design) -> f64 {
    let nats = design.among(2).nats();
    // The best tilt for n values of variance ¼.
    let least = (8.0 * nats / design.target as f64).sqrt();
    let tilts = || std::iter::successors(Some(TILT), |&tilt| (tilt > least).then_some(tilt / 2.0));
    let psi = |tilt: f64| -(-tilt).ln_1p() - tilt;
    let needed = nats + (tilts().count() as f64).ln();
    // The best tilt alone rules out everything beyond this; the others lower the bound a little.
    let alone = tilts().map(|tilt| (needed + psi(tilt) * spread) / tilt).fold(f64::INFINITY, f64::min);
    edge(0.0, alone, alone, |x| {
        tilts().map(|tilt| (tilt * x - psi(tilt) * spread - needed).exp()).sum::<f64>().ln()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Interval = Interval { low: 0.0, high: 1.0 };

    fn zeros_and_ones(ones: u64, trials: u64) -> Sums {
        Sums { trials, sum: i128::from(ones), squares: u128::from(ones) }
    }

    /// V is a sum over single values, here taken one by one.
    #[test]
    fn the_spread_of_a_batch_is_that_of_its_values() {
        let mut values = Bounded::new(Interval { low: -2.0, high: 8.0 });
        let (mut first, mut second) = (Sums::default(), Sums::default());
        [3, 8, -2, 4].iter().for_each(|&value| first.add(value, 1));
        [5, 5, 0].iter().for_each(|&value| second.add(value, 1));
        values.add(&first);
        values.add(&second);
        let from =
            |guess: f64, batch: &[f64]| batch.iter().map(|x| ((x - guess) / 10.0).powi(2)).sum::<f64>();
        let expected = from(3.0, &[3.0, 8.0, -2.0, 4.0]) + from((13.0 + 3.0) / 5.0, &[5.0, 5.0, 0.0]);
        assert!((values.spread - expected).abs() < 1e-12);
        assert_eq!(values.sums().trials, 7);
    }

    #[test]
    fn follows_the_variance() {
        let width = |ones| {
            let mut values = Bounded::new(UNIT);
            values.add(&zeros_and_ones(ones, 100));
            values.add(&zeros_and_ones(99 * ones, 9_900));
            let interval = values.interval(Design::new(0.05, 10_000));
            interval.high - interval.low
        };
        // Standard deviations 0.5 and 0.0995.
        assert!(width(1) < width(50) / 3.5);
        assert!(width(50) < 2.2 * 2.0 * 1.96 * 0.5 / 100.0);
    }

    #[test]
    fn knows_the_range_at_least() {
        let design = Design::new(0.05, 1000);
        assert_eq!(Bounded::new(UNIT).interval(design), UNIT);
        let mut one = Bounded::new(UNIT);
        one.add(&zeros_and_ones(1, 1));
        assert_eq!(one.interval(design), UNIT);
        let point = Interval { low: 3.0, high: 3.0 };
        let mut constant = Bounded::new(point);
        constant.add(&Sums { trials: 2, sum: 6, squares: 18 });
        assert_eq!(constant.interval(design), point);
    }
}
