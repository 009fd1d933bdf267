//! Several tests at once: p-values that keep the chance of any false finding.
//!
//! For intervals rather than tests see [`Design::among`](super::Design::among).

/// p-values times their number: what is at most α is a finding, and any of them is false with probability α at most,
/// whatever their dependence (Bonferroni).
pub fn bonferroni(p_values: &[f64]) -> Vec<f64> {
    p_values.iter().map(|p| (p * p_values.len() as f64).min(1.0)).collect()
}

/// Holm's adjusted p-values (Scand. J. Stat. 6, 1979, 65–70): the promise of [`bonferroni`] with at least its findings. The
/// least p-value is multiplied by the number of tests, the next by one less, and so on; none falls below the one
/// before it.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least = 0.0_f64;
    for (rank, at) in order.into_iter().enumerate() {
        least = least.max((p_values[at] * (p_values.len() - rank) as f64).min(1.0));
        adjusted[at] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand from the definitions.
    #[test]
    fn four_tests() {
        let p_values = [0.01, 0.04, 0.03, 0.005];
        let close = |ours: Vec<f64>, expected: [f64; 4]| {
            assert!(ours.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{ours:?}");
        };
        close(holm(&p_values), [0.03, 0.06, 0.06, 0.02]);
        close(bonferroni(&p_values), [0.04, 0.16, 0.12, 0.02]);
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }
}
