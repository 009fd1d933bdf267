//! How often intervals that are looked at again and again are wrong.

use rand_pcg::Lcg64Xsh32;
use stopwise_analysis::estimate::{Interval, Z95};
use stopwise_analysis::sequential::{Bounded, Design, Pairs, Sums, apart, asymptotic, in_race, pairs, share};

use super::populations::Population;

/// 1 − α is 95 %. Sequences are tuned for a run of moderate length.
pub(crate) const ALPHA: f64 = 0.05;
const TARGET: u64 = 10_000;
/// Races are shorter: they draw for every arm.
const RACE_LENGTH: u64 = 25_600;

/// When everybody looks: the first time after 100 trials, the last after 100,000.
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
    /// The normal interval for a number of trials fixed beforehand, wrongly looked at more than once.
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

    /// As in the tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed n",
            Self::Early => "asymptotic from 100",
            Self::Asymptotic => "asymptotic from 1000",
            Self::Bounded => "bounded",
            Self::Share => "share",
            Self::Pairs => "pairs",
        }
    }

    /// Whether it never misses more often than α says, whatever is drawn.
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

    fn interval(self, values: &Bounded, design: Design) -> Interval {
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

fn start(population: &Population) -> Bounded {
    let (low, high) = population.range();
    Bounded::new(Interval { low: low.into(), high: high.into() })
}

/// What became of one way to make intervals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coverage {
    pub(crate) method: Method,
    /// Replicates with a look at which the truth was outside.
    pub(crate) missed: u64,
    /// Replicates whose intervals have no value in common.
    pub(crate) empty: u64,
    /// The mean width at the last look, as a multiple of the fixed one's; no number where that is 0.
    pub(crate) width: f64,
}

/// Looks at all intervals at all check points, replicate by replicate.
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

/// What became of a race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    /// Replicates in which, at some look, two arms were told apart that are equal or the other way round. An arm that
    /// is best and out is one of these.
    pub(crate) wrong: u64,
    /// Replicates in which a single arm was left at the last look.
    pub(crate) decided: u64,
}

/// Races arms with intervals at α / k each; with [`Method::Fixed`] at α, as one would who knows no better.
pub(crate) fn race(arms: &[Population], method: Method, replicates: u64) -> Race {
    let design = Design::new(ALPHA, TARGET).among(arms.len());
    let looks: Vec<_> = Looks::Doubling.trials().into_iter().filter(|&look| look <= RACE_LENGTH).collect();
    let truths: Vec<_> = arms.iter().map(|arm| arm.sums().sum).collect();
    let mut result = Race { wrong: 0, decided: 0 };
    for replicate in 0..replicates {
        let mut words: Vec<_> =
            (2..).map(|stream| Lcg64Xsh32::new(replicate, stream)).take(arms.len()).collect();
        let mut values: Vec<_> = arms.iter().map(start).collect();
        let (mut is_wrong, mut left) = (false, arms.len());
        for &look in &looks {
            for ((arm, values), words) in arms.iter().zip(&mut values).zip(&mut words) {
                values.add(&arm.draw(look - values.sums().trials, words));
            }
            let intervals: Vec<_> = values.iter().map(|values| method.interval(values, design)).collect();
            left = in_race(&intervals).into_iter().filter(|&is_in| is_in).count();
            let mut couples = (0..arms.len()).flat_map(|a| (0..arms.len()).map(move |b| (a, b)));
            is_wrong |= couples.any(|(a, b)| {
                let (lower, upper) = (&intervals[a], &intervals[b]);
                truths[a] >= truths[b] && apart(lower, upper) && lower.high < upper.low
            });
        }
        result.wrong += u64::from(is_wrong);
        result.decided += u64::from(left == 1);
    }
    result
}

/// Five arms: all equal, and in a known order.
pub(crate) fn races() -> Vec<(&'static str, Vec<Population>, [Method; 3])> {
    let coins = |counts: [u16; 5]| counts.map(|count| Population::coin("coin", count)).to_vec();
    let for_coins = [Method::Fixed, Method::Share, Method::Asymptotic];
    let for_scores = [Method::Fixed, Method::Bounded, Method::Asymptotic];
    vec![
        ("five coins 0.5", coins([1 << 15; 5]), for_coins),
        ("coins 0.5 0.5 0.48 0.45 0.4", coins([32_768, 32_768, 31_457, 29_491, 26_214]), for_coins),
        ("coins 0.5 0.47 0.46 0.45 0.4", coins([32_768, 30_802, 30_147, 29_491, 26_214]), for_coins),
        ("five times solo Pig", vec![Population::pig(); 5], for_scores),
        ("five times CarboniteDice", vec![Population::carbonite(); 5], for_scores),
    ]
}
