//! Quantiles of the normal distribution, for intervals of any level.

/// How many standard deviations either side of the mean leave out a share of `alpha` in all, between 0 and 1; 1.96 for
/// 0.05.
///
/// # Panics
///
/// If `alpha` is not between 0 and 1.
pub fn two_sided(alpha: f64) -> f64 {
    assert!(alpha > 0.0 && alpha < 1.0, "alpha {alpha} is not between 0 and 1");
    // Beyond 39 deviations there is less than the least number that is more than 0.
    let (mut low, mut high) = (0.0, 39.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        *(if 2.0 * tail(middle) > alpha { &mut low } else { &mut high }) = middle;
    }
    high
}

/// The chance that a standard normal variable is above x, for x of 0 and more.
fn tail(x: f64) -> f64 {
    let density = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    if x < 3.0 {
        // ½ − φ(x) (x + x³ / 3 + x⁵ / (3 · 5) + …)
        let mut term = x;
        let mut sum = 0.0;
        for odd in (3..130).step_by(2) {
            sum += term;
            term *= x * x / f64::from(odd);
        }
        0.5 - density * sum
    } else {
        // Laplace's continued fraction: φ(x) / (x + 1 / (x + 2 / (x + …)))
        density / (1..=120).rev().fold(x, |rest, number| x + f64::from(number) / rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Z95;

    /// Tables of the normal distribution.
    #[test]
    fn known_quantiles() {
        assert!((two_sided(0.05) - Z95).abs() < 1e-12);
        for (alpha, expected) in [
            (0.5, 0.674_489_750_196),
            (0.1, 1.644_853_626_951),
            (0.01, 2.575_829_303_549),
            (0.001, 3.290_526_731_492),
            (1e-9, 6.109_410_204_869),
        ] {
            assert!((two_sided(alpha) - expected).abs() < 1e-9, "{alpha}: {}", two_sided(alpha));
        }
    }

    #[test]
    fn both_forms_of_the_tail_meet() {
        let fraction = |x: f64| {
            let density = (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
            density / (1..=400).rev().fold(x, |rest, number| x + f64::from(number) / rest)
        };
        for x in [2.0, 2.5, 2.999] {
            assert!((tail(x) / fraction(x) - 1.0).abs() < 1e-11, "{x}");
        }
        assert_eq!(tail(0.0), 0.5);
    }
}
