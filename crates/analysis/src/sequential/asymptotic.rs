//! A confidence sequence for the mean of anything with a variance.

use super::{Design, Sums};
use crate::estimate::Interval;

/// The asymptotic confidence sequence for the mean of independent values of unknown variance (Waudby-Smith, Arbour,
/// Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", Ann. Statist.
/// 52, 2024, 2613–2640, theorem 2.2): mean ± s · √(2 (nρ² + 1) / (nρ)² · ln(√(nρ² + 1) / α)).
///
/// The guarantee is asymptotic, as in a central limit theorem: its limits converge to those of a sequence that holds at
/// all check points with probability 1 − α, and early looks may err more often. How much more depends on skewness: a
/// mean that rests on rare large values needs a longer `burn_in`. In 10,000 runs with 74 looks at a coin of 0.01, a 95
/// % sequence missed in 6.7 % from 100 trials on, and in 4.7 % from 1,000 on; at scores of CarboniteDice, with
/// doubling, in 2.3 % either way.
///
/// Before the burn-in, and as long as all values are equal, the interval is unbounded. If the range of the values is
/// known, [`share`](super::share), [`pairs`](super::pairs) and [`Bounded`](super::Bounded) are exact.
pub fn asymptotic(sums: &Sums, burn_in: u64, design: Design) -> Interval {
    let unbounded = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    match sums.moments() {
        Some((mean, std_dev)) if sums.trials >= burn_in && std_dev > 0.0 => {
            let half = half_width(std_dev, sums.trials, design);
            Interval { low: mean - half, high: mean + half }
        }
        _ => unbounded,
    }
}

/// [`asymptotic`] for differences that are rarely other than 0, as those of similar policies are.
///
/// An event with a probability of 1 in 1,000 occurs once in the first thousand trials, or never, so that the sample
/// variance is unreliable: differences that are −100 once in ten thousand trials and 1 once in a hundred have mean 0,
/// but a sequence is soon sure of a positive one. So −½ ln α pseudo-trials are added, in which the difference is ±
/// `scale`. They make the interval of n equal values at least as wide as `scale` times −ln α / n, the greatest
/// probability at level α of an event that did not occur in n trials (the rule of three), and are negligible where
/// differences vary on the scale of `scale`. From the burn-in on the interval is bounded if `scale` is above 0, even if
/// all values are equal.
pub fn guarded(sums: &Sums, scale: f64, burn_in: u64, design: Design) -> Interval {
    sums.moments()
        .map_or(Interval::UNBOUNDED, |moments| guarded_by(moments, sums.trials, scale, burn_in, design))
}

/// [`guarded`] for the mean and standard deviation of so many independent trials. Where a trial has several values, the
/// standard deviation of all values is at least that of the trials' means, whatever their dependence.
pub fn guarded_by(
    (mean, std_dev): (f64, f64),
    trials: u64,
    scale: f64,
    burn_in: u64,
    design: Design,
) -> Interval {
    if trials < burn_in.max(1) || (std_dev <= 0.0 && scale <= 0.0) {
        return Interval::UNBOUNDED;
    }
    let unseen = 0.5 * design.nats() / trials as f64;
    let half = half_width(std_dev.hypot(scale * unseen.sqrt()), trials, design);
    Interval { low: mean - half, high: mean + half }
}

fn half_width(std_dev: f64, trials: u64, design: Design) -> f64 {
    let n = trials as f64;
    // nρ², with ρ as the paper tunes it for the target.
    let w = design.weight() * n / design.target as f64;
    std_dev * ((w + 1.0) / w * (w.ln_1p() + 2.0 * design.nats()) / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flips(n: u64) -> Sums {
        Sums { trials: n, sum: i128::from(n / 2), squares: u128::from(n / 2) }
    }

    /// The formula of the paper, written as there, with its own approximation of the best ρ: at the target, where the
    /// width hardly depends on ρ, that makes no difference; elsewhere a little.
    #[test]
    fn is_the_formula_of_the_paper() {
        let (alpha, target) = (0.05_f64, 10_000.0);
        let log = -2.0 * alpha.ln();
        let rho = ((log + log.ln() + 1.0) / target).sqrt();
        for (t, close) in [(1_000, 0.02), (10_000, 0.001), (100_000, 0.02)] {
            let n = t as f64;
            let inner = n * rho * rho + 1.0;
            let half = 0.5 * (2.0 * inner / (n * rho).powi(2) * (inner.sqrt() / alpha).ln()).sqrt();
            let interval = asymptotic(&flips(t), 100, Design::new(alpha, 10_000));
            let ours = (interval.high - interval.low) / 2.0;
            assert!((ours / half - 1.0).abs() < close, "{ours} {half}");
        }
    }

    /// No other tuning is narrower at the target.
    #[test]
    fn is_narrowest_at_its_target() {
        let width = |target| {
            let interval = asymptotic(&flips(10_000), 2, Design::new(0.05, target));
            interval.high - interval.low
        };
        assert!(
            [100, 5_000, 9_000, 11_000, 20_000, 10_000_000].iter().all(|&other| width(other) > width(10_000))
        );
    }

    /// Twins that never differed: what has a chance of −ln α / n at most, of `scale` each time, is inside.
    #[test]
    fn the_guard_holds_what_may_be_unseen() {
        for alpha in [0.05_f64, 1e-3, 1e-6, 1e-12] {
            for trials in [1_000, 10_000, 1_000_000] {
                let twins = Sums { trials, sum: 0, squares: 0 };
                let interval = guarded(&twins, 7.0, 1_000, Design::new(alpha, 10_000));
                let least = -alpha.ln() / trials as f64 * 7.0;
                assert!(interval.high >= least && interval.low == -interval.high, "{interval:?} {least}");
                assert!(trials != 10_000 || interval.high < 1.3 * least, "{interval:?} {least}");
            }
        }
        let design = Design::new(0.01, 10_000);
        let width = |interval: Interval| interval.high - interval.low;
        let plain = asymptotic(&flips(10_000), 1_000, design);
        let with_guard = guarded(&flips(10_000), 0.5, 1_000, design);
        assert!(width(with_guard) > width(plain) && width(with_guard) < 1.001 * width(plain));
        assert_eq!(guarded(&flips(998), 0.5, 1_000, design).high, f64::INFINITY);
    }

    #[test]
    fn is_unbounded_before_it_knows_anything() {
        let design = Design::new(0.05, 1000);
        let constant = Sums { trials: 500, sum: 3500, squares: 24_500 };
        for (sums, burn_in) in [(Sums::default(), 0), (flips(1), 0), (flips(98), 100), (constant, 100)] {
            assert_eq!(asymptotic(&sums, burn_in, design).low, f64::NEG_INFINITY);
        }
    }
}
