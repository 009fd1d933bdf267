//! A confidence sequence for a share.

use super::{Design, edge};
use crate::estimate::Interval;
use crate::gamma::{divergence, stirling_rest};

/// The confidence sequence for the probability of an event that occurred in `count` of `trials` independent trials.
///
/// A probability p is ruled out once the data are 1 / α times as likely under a mixture of probabilities, Beta(cp, cq)
/// with q = 1 − p, as under p (Robbins, Ann. Math. Stat. 41, 1970, 1397–1409; the two-sided beta-binomial boundary of
/// Howard, Ramdas, McAuliffe and Sekhon, Ann. Statist. 49, 2021, 1055–1080). Under p that ratio is a martingale that
/// starts at 1, so that it ever reaches 1 / α with probability α at most (Ville). The sequence is exact and needs only
/// the two counts. The sample share is always inside. The size c of the mixture is tuned for the target and must be the
/// same at every check point.
pub fn share(count: u64, trials: u64, design: Design) -> Interval {
    interval(Counts::of(count, trials), design)
}

/// The upper limit of [`share`] alone.
pub(super) fn share_at_most(count: u64, trials: u64, design: Design) -> f64 {
    upper(Counts::of(count, trials), design)
}

/// The lower limit of [`share`] alone.
pub(super) fn share_at_least(count: u64, trials: u64, design: Design) -> f64 {
    lower(Counts::of(count, trials), design)
}

/// Whether all of the sequence [`share`] lies above `p`, between 0 and 1: one look at the ratio, where its limits take
/// several.
pub(crate) fn is_above(p: f64, count: u64, trials: u64, design: Design) -> bool {
    let counts = Counts::of(count, trials);
    counts.s > 0.0 && p < counts.s / counts.n && Ratio::new(counts, design).log(p) >= design.nats()
}

/// Whether all of it lies below `p`.
pub(crate) fn is_below(p: f64, count: u64, trials: u64, design: Design) -> bool {
    is_above(1.0 - p, trials - count.min(trials), trials, design)
}

/// Successes, failures and both together.
#[derive(Clone, Copy, Debug)]
struct Counts {
    s: f64,
    f: f64,
    n: f64,
}

impl Counts {
    fn of(count: u64, trials: u64) -> Self {
        let count = count.min(trials);
        Self { s: count as f64, f: (trials - count) as f64, n: trials as f64 }
    }

    /// The failures as successes.
    fn mirrored(self) -> Self {
        Self { s: self.f, f: self.s, n: self.n }
    }
}

/// [`share`] for the mean of values from 0 to 1, given their sum: such as the part of a trial's seats to which something
/// happened, however the seats depend on each other.
///
/// The ratio of likelihoods is convex in the value, so that its expectation is at most that of an event with the same mean:
/// the sequence holds, and is wider than need be.
pub fn share_of(sum: f64, trials: u64, design: Design) -> Interval {
    let n = trials as f64;
    let s = sum.clamp(0.0, n);
    interval(Counts { s, f: n - s, n }, design)
}

fn interval(counts: Counts, design: Design) -> Interval {
    Interval { low: lower(counts, design), high: upper(counts, design) }
}

fn upper(counts: Counts, design: Design) -> f64 {
    if counts.n == 0.0 {
        return 1.0;
    }
    (1.0 - lower(counts.mirrored(), design)).max(counts.s / counts.n)
}

/// The lower limit. The logarithm of the ratio is convex in p, a sum of ln(c + i / p) and ln(c + j / q), and not above
/// 0 at the sample share: what is not ruled out is an interval around that.
fn lower(counts: Counts, design: Design) -> f64 {
    let Counts { s, n, .. } = counts;
    if s == 0.0 {
        return 0.0;
    }
    let (ratio, p) = (Ratio::new(counts, design), s / n);
    // Not above 0; and not a number where the share rounds to 1, where any number does that is not above.
    let least = ratio.log(p).min(0.0);
    let enough = (design.nats() - least).sqrt();
    // As for a normal mean, and more where the sample varies little.
    let guess = p - enough * ((2.0 * p * (1.0 - p) / n).sqrt() + enough / n);
    // Where few events say so little that this is not ruled out, nothing is.
    let floor = p * 2_f64.powi(-160);
    if guess <= floor && ratio.log(floor) < design.nats() {
        return 0.0;
    }
    // The square root of a ratio that is nearly a square is nearly linear.
    edge(p, floor, guess, |p| (ratio.log(p) - least).max(0.0).sqrt() - enough)
}

/// The ratio of the likelihoods of the data, under the mixture and under a probability.
#[derive(Clone, Copy, Debug)]
struct Ratio {
    counts: Counts,
    /// How many trials the mixture over probabilities weighs.
    size: f64,
    /// What does not depend on the probability.
    constant: f64,
}

impl Ratio {
    fn new(counts: Counts, design: Design) -> Self {
        Self::with_size(counts, design.target as f64 / design.weight())
    }

    fn with_size(counts: Counts, size: f64) -> Self {
        let all = size + counts.n;
        let constant = 0.5 * (all / size).ln() + stirling_rest(size) - stirling_rest(all);
        Self { counts, size, constant }
    }

    /// ln of B(cp + s, cq + f) / B(cp, cq) / (pˢ qᶠ) for s successes and f failures, n together.
    ///
    /// With Stirling's formula for every Γ the large terms are (c + n) times the divergence, from the coin p, of the coin
    /// with chance (cp + s) / (c + n); written so, nothing cancels however many trials there are.
    fn log(&self, p: f64) -> f64 {
        let Counts { s, f, n } = self.counts;
        let (q, all) = (1.0 - p, self.size + n);
        let (a, b) = (self.size * p, self.size * q);
        let excess = s - n * p;
        let main = all * (p * divergence(excess / (all * p)) + q * divergence(-excess / (all * q)));
        let scale = ((1.0 + s / a) * (1.0 + f / b)).ln();
        let rest = stirling_rest(a + s) + stirling_rest(b + f) - stirling_rest(a) - stirling_rest(b);
        main - 0.5 * scale + rest + self.constant
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_ratio(count: u64, trials: u64, size: f64, p: f64) -> f64 {
        Ratio::with_size(Counts::of(count, trials), size).log(p)
    }

    /// The martingale trial by trial: after i of k trials the mixture expects (cp + i) / (c + k) where p expects p.
    fn by_trials(count: u64, trials: u64, c: f64, p: f64) -> f64 {
        let term = |start: f64, chance: f64, times: u64| -> f64 {
            (0..times).map(|i| ((start + i as f64) / chance).ln()).sum()
        };
        let total: f64 = (0..trials).map(|k| (c + k as f64).ln()).sum();
        term(c * p, p, count) + term(c * (1.0 - p), 1.0 - p, trials - count) - total
    }

    #[test]
    fn the_closed_form_is_the_product_over_trials() {
        for (count, trials) in [(0, 1), (1, 1), (3, 10), (10, 10), (500, 1000), (12, 1000), (5000, 20_000)] {
            for size in [0.3, 7.0, 900.0] {
                for p in [1e-4, 0.02, 0.3, 0.5, 0.97] {
                    let (closed, product) =
                        (log_ratio(count, trials, size, p), by_trials(count, trials, size, p));
                    assert!((closed - product).abs() < 1e-9 * (1.0 + product.abs()), "{closed} {product}");
                }
            }
        }
    }

    /// Summed over all outcomes with their chances the ratio is 1, at any number of trials.
    #[test]
    fn the_ratio_is_a_martingale() {
        let (n, p, size) = (60_u32, 0.2_f64, 5.0);
        let mut choose = 1.0_f64;
        let mut sum = 0.0;
        for s in 0..=n {
            let chance = choose * p.powf(f64::from(s)) * (1.0 - p).powf(f64::from(n - s));
            sum += chance * log_ratio(s.into(), n.into(), size, p).exp();
            choose *= f64::from(n - s) / f64::from(s + 1);
        }
        assert!((sum - 1.0).abs() < 1e-11, "{sum}");
    }

    /// Of two seats that share a win the mean is ½ in every trial: it is inside, and the interval is that of a coin.
    #[test]
    fn parts_of_a_trial_are_as_wide_as_events() {
        let design = Design::new(0.05, 1_000);
        assert_eq!(share_of(500.0, 1_000, design), share(500, 1_000, design));
        let [low, high] = [500, 501].map(|count| share(count, 1_000, design));
        let middle = share_of(500.5, 1_000, design);
        assert!(low.low < middle.low && middle.low < high.low && middle.high < high.high);
        assert_eq!(share_of(0.0, 0, design), Interval { low: 0.0, high: 1.0 });
    }

    /// One look says what the limits say.
    #[test]
    fn above_and_below() {
        let design = Design::new(0.05, 1_000).among(4);
        for trials in [1_u64, 7, 60, 1_000, 123_456] {
            for count in (0..=trials).step_by(usize::try_from(trials.div_ceil(50)).expect("small")) {
                let limits = share(count, trials, design);
                for p in [0.05, 0.25, 0.5, 0.75, 0.95] {
                    assert_eq!(
                        is_above(p, count, trials, design),
                        limits.low > p,
                        "{count} of {trials}, {p}"
                    );
                    assert_eq!(
                        is_below(p, count, trials, design),
                        limits.high < p,
                        "{count} of {trials}, {p}"
                    );
                }
            }
        }
    }

    /// The limits are where the ratio says so, to the last bits, and take few looks.
    #[test]
    fn limits_are_where_bisection_ends() {
        for (alpha, target) in [(0.05, 1_000), (1e-6, 100_000), (0.5, 7)] {
            let design = Design::new(alpha, target);
            for n in [1_u32, 2, 9, 100, 5_432, 1_000_000, u32::MAX] {
                let counts = [1, 2, n / 1000, n / 10, n / 3, n / 2, n - n / 7, n - 1, n];
                for s in counts.into_iter().filter(|&s| s > 0 && s <= n) {
                    let counts = Counts::of(s.into(), n.into());
                    let (s, n) = (counts.s, counts.n);
                    let (mut inside, mut outside) = (s / n, 0.0);
                    for _ in 0..1_100 {
                        let middle = f64::midpoint(inside, outside);
                        let is_out = Ratio::new(counts, design).log(middle) >= design.nats();
                        *(if is_out { &mut outside } else { &mut inside }) = middle;
                    }
                    let low = lower(counts, design);
                    assert!((low - outside).abs() <= 1e-13 * (s / n), "{s} of {n}: {low} {outside}");
                }
            }
        }
    }

    #[test]
    fn extremes() {
        let design = Design::new(0.05, 10_000);
        assert_eq!(share(0, 0, design), Interval { low: 0.0, high: 1.0 });
        let none = share(0, 10_000, design);
        assert!(none.low == 0.0 && none.high > 0.0 && none.high < 2e-3, "{none:?}");
        let all = share(10_000, 10_000, design);
        assert!((all.low - (1.0 - none.high)).abs() < 1e-12 && all.high == 1.0);
        let huge = share(u64::MAX / 2, u64::MAX, design);
        assert!(huge.low < 0.5 && huge.high >= 0.5 && huge.high - huge.low < 1e-8);
    }
}
