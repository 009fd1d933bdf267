//! Error rates of intervals under repeated looks.

use rand_pcg::Lcg64Xsh32;
use stopwise_analysis::estimate::{Interval, Z95};
use stopwise_analysis::sequential::{Bounded, Design, Pairs, Sums, asymptotic, pairs, share};

use super::populations::Population;

/// 1 − α is 95 %. Sequences are tuned for a run of moderate length.
pub(crate) const ALPHA: f64 = 0.05;
pub(crate) const TARGET: u64 = 10_000;
/// The check points: the first after 100 trials, the last after 100,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// After twice as many each time: 11 looks.
    Doubling,
    /// After a tenth more each time: 74 looks.
    Often,
}

impl Looks {
    /// The numbers of trials, all even.
    pub(crate) fn trials(self) -> Vec<u64> {
        let next = move |trials: u64| match self {
            Self::Doubling => 2 * trials,
            Self::Often => (trials + trials / 10).next_multiple_of(2),
        };
        let until_last = |&trials: &u64| (trials < 100_000).then(|| next(trials).min(100_000));
        std::iter::successors(Some(100), until_last).collect()
    }
}

/// A way to make an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// The normal interval for a fixed number of trials, invalid under repeated looks.
    Fixed,
    /// [`asymptotic`] from 100 trials on.
    Early,
    /// [`asymptotic`] from 1,000 trials on.
    Asymptotic,
    Bounded,
    Share,
    Pairs,
}

impl Method {
    const ALL: [Self; 6] =
        [Self::Fixed, Self::Early, Self::Asymptotic, Self::Bounded, Self::Share, Self::Pairs];

    /// Whether its error rate is α at most for all populations.
    pub(crate) fn is_exact(self) -> bool {
        matches!(self, Self::Bounded | Self::Share | Self::Pairs)
    }

    fn fits(self, (low, high): (i32, i32)) -> bool {
        match self {
            Self::Share => low >= 0 && high <= 1,
            Self::Pairs => low >= -1 && high <= 1,
            _ => true,
        }
    }

    pub(crate) fn interval(self, values: &Bounded, design: Design) -> Interval {
        let sums = values.sums();
        let natural = |count: i128| u64::try_from(count).expect("a count");
        match self {
            Self::Fixed => fixed(&sums),
            Self::Early => asymptotic(&sums, 100, design),
            Self::Asymptotic => asymptotic(&sums, 1000, design),
            Self::Bounded => values.interval(design),
            Self::Share => share(natural(sums.sum), sums.trials, design),
            Self::Pairs => {
                let decided = sums.squares.cast_signed();
                let better = natural((decided + sums.sum) / 2);
                let worse = natural((decided - sums.sum) / 2);
                pairs(Pairs { better, equal: sums.trials - better - worse, worse }, design).difference
            }
        }
    }
}

fn fixed(sums: &Sums) -> Interval {
    let (mean, std_dev) = sums.moments().expect("trials");
    let half = Z95 * std_dev / (sums.trials as f64).sqrt();
    Interval { low: mean - half, high: mean + half }
}

pub(crate) fn start(population: &Population) -> Bounded {
    let (low, high) = population.range();
    Bounded::new(Interval { low: low.into(), high: high.into() })
}

/// Counts for one way to make intervals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coverage {
    pub(crate) method: Method,
    /// Replicates in which an interval misses at some look.
    pub(crate) missed: u64,
    /// Replicates in which the intervals of all looks are disjoint.
    pub(crate) empty: u64,
    /// The mean width at the last look, as a multiple of the fixed one's; no number where that is 0.
    pub(crate) width: f64,
}

/// Counts over all replicates, with all intervals at all check points.
pub(crate) fn coverage(population: &Population, looks: Looks, replicates: u64) -> Vec<Coverage> {
    let design = Design::new(ALPHA, TARGET);
    let looks = looks.trials();
    let (truth, _) = population.sums().moments().expect("values");
    let methods = Method::ALL.into_iter().filter(|method| method.fits(population.range()));
    let mut all: Vec<_> =
        methods.map(|method| Coverage { method, missed: 0, empty: 0, width: 0.0 }).collect();
    for replicate in 0..replicates {
        let mut words = Lcg64Xsh32::new(replicate, 1);
        let mut values = start(population);
        let mut common = vec![(f64::NEG_INFINITY, f64::INFINITY, false); all.len()];
        for &look in &looks {
            values.add(&population.draw(look - values.sums().trials, &mut words));
            for (result, (low, high, missed)) in all.iter().zip(&mut common) {
                let interval = result.method.interval(&values, design);
                assert!(!interval.low.is_nan() && !interval.high.is_nan());
                (*low, *high) = (low.max(interval.low), high.min(interval.high));
                // A constant is met but for rounding.
                *missed |= truth < interval.low - 1e-12 || truth > interval.high + 1e-12;
            }
        }
        let last = fixed(&values.sums());
        for (result, (low, high, missed)) in all.iter_mut().zip(common) {
            let interval = result.method.interval(&values, design);
            result.missed += u64::from(missed);
            result.empty += u64::from(low > high + 1e-12);
            result.width += (interval.high - interval.low) / (last.high - last.low) / replicates as f64;
        }
    }
    all
}
