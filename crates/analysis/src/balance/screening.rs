//! Screening: drops variants that certainly fail a target.

use super::measure::{Measure, Quantity, Sample, Statistic};
use super::{Bounds, Verdict};
use crate::estimate::{Estimate, Interval, Level, Method};
use crate::sequential::{self, Design, Sums};

/// Trials before the first interval for a mean: its sequence rests on a central limit theorem.
const BURN_IN: u64 = 1_000;
/// The ratio of consecutive check points.
const GROWTH: u64 = 4;

/// A search for variants that meet all targets. Variants are played to check points at fixed numbers of trials, where
/// one that certainly fails a target is dropped. The confidence sequences hold simultaneously at all check points and
/// for all variants: the probability of dropping any variant that meets every target is α at most.
///
/// The sequences are [`sequential::share`] and [`sequential::asymptotic`]. Measures without one (spreads, tails, close
/// games) never drop a variant. The variants that remain are to be judged on fresh trials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screening {
    design: Design,
    trials: u64,
}

/// One target for one variant at a check point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screened {
    /// The estimate; `None` if the sample does not hold what the measure needs.
    pub measured: Option<Estimate>,
    /// Whether the target certainly fails.
    pub fails: bool,
    /// How far the value lies outside the bounds; 0 within.
    pub shortfall: f64,
}

impl Screening {
    /// A screening of `variants` variants, each with `claims` pairs of target and policy, up to `trials` trials. The
    /// probability of dropping any variant that meets all targets is at most `alpha`.
    ///
    /// # Panics
    ///
    /// If `alpha` is not between 0 and 1, or a number is 0.
    pub fn new(alpha: f64, variants: usize, claims: usize, trials: u64) -> Self {
        let design = Design::new(alpha, trials.div_ceil(GROWTH).max(1));
        Self { design: design.among(variants).among(claims), trials }
    }

    /// The check points: 1,000 trials, four times as many, and so on up to all.
    pub fn check_points(&self) -> Vec<u64> {
        let next = |&at: &u64| (at < self.trials).then(|| at.saturating_mul(GROWTH).min(self.trials));
        std::iter::successors(Some(BURN_IN.min(self.trials)), next).collect()
    }

    /// Tests one target at a check point.
    pub fn look(&self, measure: &Measure, bounds: &Bounds, sample: Sample<'_>) -> Screened {
        let fixed = measure.of(sample, Level::SINGLE);
        let value = fixed.map(|fixed| fixed.value);
        let measured = fixed.map(|fixed| match self.sequence(measure, sample) {
            Some((interval, method)) => {
                let interval = interval.bounded();
                Estimate { interval, method, level: self.design.level(), ..fixed }
            }
            None => Estimate { interval: None, ..fixed },
        });
        let fails = match measure.statistic {
            Statistic::Quantile(of, share) => self.quantile_fails(sample, of, share, bounds),
            _ => measured.is_some_and(|measured| bounds.judge(measured.interval) == Verdict::Fail),
        };
        Screened { measured, fails, shortfall: value.map_or(0.0, |value| bounds.shortfall(value)) }
    }

    /// A quantile is above a bound if and only if the share of games up to the bound is too small: a test of a share.
    fn quantile_fails(&self, sample: Sample<'_>, of: Quantity, share: f64, bounds: &Bounds) -> bool {
        let Some(histogram) = sample.whole(of) else { return false };
        let up_to = |is_in: &dyn Fn(f64) -> bool| {
            let count = histogram.iter().filter(|&(value, _)| is_in(value.into())).map(|(_, count)| count);
            sequential::share(count.sum(), histogram.total(), self.design.among(2))
        };
        bounds.at_most.is_some_and(|most| up_to(&|value| value <= most).high < share)
            || bounds.at_least.is_some_and(|least| up_to(&|value| value < least).low >= share)
    }

    /// The confidence sequence of a measure, if it has one.
    fn sequence(&self, measure: &Measure, sample: Sample<'_>) -> Option<(Interval, Method)> {
        let tally = sample.tally;
        let won = |seat| {
            let (wins, decided) = sample.won(seat);
            sequential::share_of(wins, decided, self.design)
        };
        match measure.statistic {
            Statistic::Mean(of) => {
                let sums = Sums::from(&*sample.whole(of)?);
                Some((sequential::asymptotic(&sums, BURN_IN, self.design), Method::AnytimeMean))
            }
            Statistic::Above(..) | Statistic::Early | Statistic::Ending(_) | Statistic::NoWinner => {
                let value = measure.of(sample, Level::SINGLE)?.value;
                // A share of the trials is a count over them.
                let count = (value * tally.trials as f64).round();
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "at most the trials"
                )]
                let count = count as u64;
                Some((sequential::share(count, tally.trials, self.design), Method::AnytimeShare))
            }
            Statistic::FirstSeatEdge => {
                let fair = 1.0 / tally.seats.len() as f64;
                Some((won(0).plus(-fair), Method::AnytimeShare))
            }
            Statistic::SeatWins(seat) => {
                Some((won(seat).times(tally.seats.len() as f64), Method::AnytimeShare))
            }
            Statistic::Quantile(..) | Statistic::Deviation(_) | Statistic::Tail(_) | Statistic::Close(..) => {
                None
            }
        }
    }
}
