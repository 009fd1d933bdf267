//! Some of the points of a grid that is too large to look at all of them.

/// At most `wanted` different points of a grid with axes of these lengths, each point the level of every axis, spread evenly:
/// all of them, in order and the last axis fastest, if there are no more.
///
/// The *i*-th point has the level ⌊length · frac(½ + *i* / φᵏ)⌋ on axis *k*, where φ > 1 solves φᵈ⁺¹ = φ + 1 for *d* axes: the
/// additive recurrence of the golden ratio and its relatives (Roberts, "The Unreasonable Effectiveness of Quasirandom
/// Sequences", 2018). Points that come again are left out. Nothing is drawn, so that a larger sample holds the smaller
/// ones, and every level of every axis comes about equally often.
pub fn lattice(lengths: &[usize], wanted: usize) -> Vec<Vec<usize>> {
    let all = lengths.iter().fold(1_usize, |points, &length| points.saturating_mul(length));
    if all <= wanted {
        return (0..all).map(|point| levels(lengths, point)).collect();
    }
    let phi = golden(lengths.len());
    let mut seen = std::collections::HashSet::new();
    let mut points = Vec::new();
    // Far more than needed: what is left out are points of which there are enough others.
    for i in 0..wanted.saturating_mul(64) {
        if points.len() == wanted {
            break;
        }
        let level = |(length, k): (&usize, i32)| {
            let place = (0.5 + i as f64 / phi.powi(k)).fract();
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "at least 0 and below the length"
            )]
            let level = (place * *length as f64) as usize;
            level.min(length - 1)
        };
        let point: Vec<_> = lengths.iter().zip(1..).map(level).collect();
        if seen.insert(point.clone()) {
            points.push(point);
        }
    }
    points
}

/// The levels of a point by its number.
fn levels(lengths: &[usize], point: usize) -> Vec<usize> {
    let mut rest = point;
    let mut levels: Vec<_> = lengths
        .iter()
        .rev()
        .map(|&length| {
            let level = rest % length;
            rest /= length;
            level
        })
        .collect();
    levels.reverse();
    levels
}

/// The root above 1 of φᵈ⁺¹ = φ + 1, by iteration: a contraction.
fn golden(axes: usize) -> f64 {
    (0..60).fold(2.0_f64, |phi, _| (1.0 + phi).powf(1.0 / (axes as f64 + 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_points_where_that_is_not_too_many() {
        let points = lattice(&[2, 3], 6);
        assert_eq!(points, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
        assert_eq!(lattice(&[], 1), [Vec::<usize>::new()]);
        assert!(lattice(&[2, 0], 9).is_empty());
    }

    #[test]
    fn a_sample_is_even_and_grows() {
        let lengths = [10, 5, 4, 3];
        let (small, large) = (lattice(&lengths, 60), lattice(&lengths, 120));
        assert_eq!(small, large[..60]);
        assert_eq!(large.len(), 120);
        for (axis, &length) in lengths.iter().enumerate() {
            for level in 0..length {
                let count = large.iter().filter(|point| point[axis] == level).count() as f64;
                let even = 120.0 / length as f64;
                // Drawn at random, two in three levels would be within a third of it.
                assert!((count / even - 1.0).abs() < 0.5, "axis {axis}, level {level}: {count} of {even}");
            }
        }
        // Nearly all points of a small grid are found, too.
        assert!(lattice(&[7, 7], 48).len() >= 40);
    }

    #[test]
    fn the_golden_ratio_and_the_plastic_number() {
        assert!((golden(1) - 1.618_033_988_749_895).abs() < 1e-12);
        assert!((golden(2) - 1.324_717_957_244_746).abs() < 1e-12);
    }
}
