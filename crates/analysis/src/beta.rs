//! Quantiles of beta distributions, from which exact limits of shares and Student's t follow.

use crate::gamma::{divergence, stirling_rest};
use crate::normal::upper;

/// From this least parameter on the quantile has a closed form.
const LARGE: f64 = 1_000.0;

/// The number below which a variable with the distribution Beta(a, b) lies with probability `tail`, which is above 0 and
/// at most ½; `a` and `b` are 1 or more.
///
/// From `a` and `b` of 1,000 on it is the expansion 26.5.22 of Abramowitz and Stegun (Handbook of Mathematical
/// Functions, 1964; after Paulson and Camp), whose error is below 1/10,000 of the distance from the mean for tails from
/// 10⁻⁸ on, and below 1/1,000 for tails from 10⁻¹⁵ on.
pub(crate) fn quantile(tail: f64, a: f64, b: f64) -> f64 {
    logistic(logit(tail, a, b))
}

/// The number above which a variable with the distribution Beta(a, b) lies with probability `tail`: see [`quantile`].
pub(crate) fn upper_quantile(tail: f64, a: f64, b: f64) -> f64 {
    // The complement of the variable has the distribution Beta(b, a); its small values keep their digits as a logit.
    logistic(-logit(tail, b, a))
}

fn logit(tail: f64, a: f64, b: f64) -> f64 {
    let start = paulson_camp(tail, a, b);
    if a.min(b) >= LARGE { start } else { solve(tail, a, b, start) }
}

/// The logit of the quantile, ln x − ln(1 − x), from a number near it. `a` and `b` are above 0.
///
/// As a function of the logit, the logarithm of the distribution function is concave: Newton's method converges from
/// anywhere, from the left after its first step.
pub(crate) fn solve(tail: f64, a: f64, b: f64, start: f64) -> f64 {
    let mut logit = start;
    for _ in 0..60 {
        let (ln_probability, slope) = distribution(logit, a, b);
        let step = (tail.ln() - ln_probability) / slope;
        logit += step;
        if step.abs() < 1e-10 {
            break;
        }
    }
    logit
}

/// The logit of the approximate quantile, for `a` and `b` above ½.
fn paulson_camp(tail: f64, a: f64, b: f64) -> f64 {
    let y = upper(tail);
    let (a_less, b_less) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
    let h = 2.0 / (a_less + b_less);
    let lambda = (y * y - 3.0) / 6.0;
    let w = y * (h + lambda).max(0.0).sqrt() / h - (b_less - a_less) * (lambda + 5.0 / 6.0 - 2.0 / (3.0 * h));
    (a / b).ln() - 2.0 * w
}

/// 1 / (1 + e^−logit).
fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The logarithm of the distribution function of Beta(a, b) at a logit, and its derivative there.
///
/// The function is x^a y^b f / (a B(a, b)) with y = 1 − x and the continued fraction f. The powers and the beta function
/// nearly cancel where `a` or `b` is large: they are taken together, as in Loader, "Fast and accurate computation of
/// binomial probabilities", 2000.
fn distribution(logit: f64, a: f64, b: f64) -> (f64, f64) {
    let (x, y) = (logistic(logit), logistic(-logit));
    let n = a + b;
    let (at, beside) = (n * x, n * y);
    let deviance = at * divergence(a / at - 1.0) + beside * divergence(b / beside - 1.0);
    let rest = stirling_rest(n) - stirling_rest(a) - stirling_rest(b);
    let scale = 0.5 * (a * b / (2.0 * std::f64::consts::PI * n)).ln();
    let fraction = fraction(x, a, b);
    (scale + rest - deviance - a.ln() + fraction.ln(), a / fraction)
}

/// The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8) by Lentz's method. It converges
/// fast for x below the mean.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let or_tiny = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / or_tiny(1.0 - (a + b) * x / (a + 1.0));
    let mut result = d;
    for m in 1..10_000_u32 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut factor = 1.0;
        for term in [even, odd] {
            d = 1.0 / or_tiny(1.0 + term * d);
            c = or_tiny(1.0 + term / c);
            factor = c * d;
            result *= factor;
        }
        if (factor - 1.0).abs() < 1e-14 {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beta(1, b), Beta(a, 1) and Beta(2, 2) have quantiles in closed form.
    #[test]
    fn quantiles_in_closed_form() {
        for tail in [0.5_f64, 0.025, 1e-4, 1e-12, 1e-90] {
            for n in [1.0_f64, 2.0, 7.0, 1e3, 1e6, 1e9] {
                let first = -(-tail).ln_1p() / n;
                let exact = -(-first).exp_m1();
                assert!((quantile(tail, 1.0, n) / exact - 1.0).abs() < 1e-8, "{tail} {n}");
                let last = tail.powf(1.0 / n);
                assert!((quantile(tail, n, 1.0) / last - 1.0).abs() < 1e-8, "{tail} {n}");
            }
            let x = quantile(tail, 2.0, 2.0);
            assert!((x * x * (3.0 - 2.0 * x) / tail - 1.0).abs() < 1e-8, "{tail}");
        }
    }

    /// Where the closed form takes over, both agree.
    #[test]
    fn the_expansion_agrees_where_it_begins() {
        for (a, b) in [(1e3, 1e3), (1e3, 1e6), (1e6, 1e3), (2e3, 1e4)] {
            for (tail, close) in [(0.025, 1e-4), (1e-4, 1e-4), (1e-8, 2e-4), (1e-15, 1e-3)] {
                let start = paulson_camp(tail, a, b);
                let [near, exact] = [start, solve(tail, a, b, start)].map(logistic);
                assert!(((near - exact) / (exact - a / (a + b))).abs() < close, "{a} {b} {tail}");
            }
        }
    }
}
