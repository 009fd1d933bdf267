//! Quantiles of Student's t distribution.

use crate::beta;
use crate::normal::two_sided;

/// From so many degrees of freedom on the quantile is expanded around the normal one.
const LARGE: f64 = 1_000.0;

/// The distance from 0 outside of which Student's t lies with a probability of `alpha`, between 0 and 1; 12.7 for one
/// degree of freedom and 1.96 for very many, at 0.05. Infinite for 0 degrees of freedom.
///
/// From the beta distribution (Abramowitz and Stegun 26.7.1 and 26.5.27); from 1,000 degrees of freedom on by four terms
/// of the expansion 26.7.5, whose rest is below 10⁻⁹ of it for `alpha` of 10⁻¹² and more.
pub fn two_sided_t(alpha: f64, freedom: u64) -> f64 {
    if freedom == 0 {
        return f64::INFINITY;
    }
    let (z, n) = (two_sided(alpha), freedom as f64);
    if n >= LARGE {
        let z2 = z * z;
        let terms = [
            (z2 + 1.0) / 4.0,
            ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
            (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0,
            ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92_160.0,
        ];
        return z * (1.0 + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / n));
    }
    // n / (n + t²) has the distribution Beta(n / 2, ½), and is small where t is large.
    let start = (n / (z * z)).ln();
    (n * (-beta::solve(alpha, n / 2.0, 0.5, start)).exp()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published table (Abramowitz and Stegun, table 26.10), and closed forms for one and two degrees of freedom.
    #[test]
    fn known_quantiles() {
        for (alpha, freedom, expected) in [
            (0.05, 1, 12.706),
            (0.05, 2, 4.303),
            (0.05, 3, 3.182),
            (0.05, 9, 2.262),
            (0.05, 29, 2.045),
            (0.05, 120, 1.980),
            (0.5, 1, 1.000),
            (0.5, 10, 0.700),
            (0.01, 4, 4.604),
            (0.001, 10, 4.587),
        ] {
            assert!((two_sided_t(alpha, freedom) - expected).abs() < 5.1e-4, "{alpha} {freedom}");
        }
        for alpha in [0.3_f64, 0.05, 1e-3, 1e-9] {
            let one = 1.0 / (std::f64::consts::FRAC_PI_2 * alpha).tan();
            assert!((two_sided_t(alpha, 1) / one - 1.0).abs() < 1e-8, "{alpha}");
            let inside = 1.0 - alpha;
            let two = inside * (2.0 / (alpha * (1.0 + inside))).sqrt();
            assert!((two_sided_t(alpha, 2) / two - 1.0).abs() < 1e-7, "{alpha}");
        }
        assert!(two_sided_t(0.05, 0).is_infinite());
    }

    #[test]
    fn the_expansion_agrees_where_it_begins() {
        for alpha in [0.5, 0.05, 1e-3, 1e-6, 1e-12] {
            let ratio = two_sided_t(alpha, 1_000) / two_sided_t(alpha, 999);
            assert!(ratio < 1.0 && 1.0 - ratio < 1e-4, "{alpha} {ratio}");
            assert!((two_sided_t(alpha, u64::MAX) / two_sided(alpha) - 1.0).abs() < 1e-12);
        }
    }
}
