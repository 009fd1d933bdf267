//! Numerically stable parts of ln Γ and of the divergence of two coins.

/// The remainder of Stirling's formula, ln Γ(x) − ((x − ½) ln x − x + ½ ln 2π), for x > 0.
pub(crate) fn stirling_rest(x: f64) -> f64 {
    // Below 10 by Γ(x) = Γ(x + k) / (x (x + 1) … (x + k − 1)); there the first term of the series that is left out is less
    // than 10⁻¹⁴.
    let (mut above, mut product) = (x, 1.0);
    while above < 10.0 {
        product *= above;
        above += 1.0;
    }
    let series = stirling_series(above);
    if above == x {
        return series;
    }
    series + (above - 0.5) * above.ln() - (x - 0.5) * x.ln() - (above - x) - f64::ln(product)
}

/// The asymptotic series of that remainder, for x ≥ 10.
fn stirling_series(x: f64) -> f64 {
    let y = 1.0 / (x * x);
    let series = 1.0 / 12.0
        - y * (1.0 / 360.0
            - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y * (1.0 / 1188.0 - y * (691.0 / 360_360.0)))));
    series / x
}

/// (1 + u) ln(1 + u) − u for u ≥ −1, without cancellation near 0, where it is about u² / 2.
pub(crate) fn divergence(u: f64) -> f64 {
    if u <= -1.0 {
        1.0
    } else if u.abs() < 1e-2 {
        let u2 = u * u;
        u2 * (1.0 / 2.0 - u / 6.0 + u2 / 12.0 - u * u2 / 20.0 + u2 * u2 / 30.0 - u * u2 * u2 / 42.0
            + u2 * u2 * u2 / 56.0)
    } else {
        (1.0 + u) * u.ln_1p() - u
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ln_gamma(x: f64) -> f64 {
        (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + stirling_rest(x)
    }

    #[test]
    fn gamma_of_whole_and_half_numbers() {
        let mut factorial = 0.0;
        for n in 1..40 {
            assert!((ln_gamma(f64::from(n)) - factorial).abs() < 1e-12, "{n}");
            factorial += f64::from(n).ln();
        }
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-13);
        // Γ(x) ≈ 1 / x near 0.
        assert!((ln_gamma(1e-20) + 1e-20_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn divergence_is_smooth_where_its_forms_meet() {
        let direct = |u: f64| (1.0 + u) * u.ln_1p() - u;
        for u in [-9.9e-3, -5e-3, 5e-3, 9.9e-3] {
            assert!((divergence(u) / direct(u) - 1.0).abs() < 1e-12);
        }
        assert_eq!((divergence(-1.0), divergence(0.0)), (1.0, 0.0));
    }
}
