//! Evenly spread samples of large grids.

/// At most `wanted` distinct points of a grid with axes of these lengths, spread evenly. A point is a list of levels,
/// one per axis. A grid with no more points than that is returned whole, the last axis varying fastest.
///
/// The *i*-th point has the level ⌊length · frac(½ + *i* √p)⌋ on the axis of the prime p = 2, 3, 5, …: the sequence of
/// Richtmyer (1951; Niederreiter, Bull. Amer. Math. Soc. 84, 1978, 957–1041, section 5). Roots of primes are badly
/// approximable by fractions, so that the levels of each axis occur about equally often even in small samples, and
/// linearly independent over the rationals, so that no two axes stay correlated. Repeated points are dropped. The
/// sample is deterministic, and a larger one contains the smaller ones.
pub fn lattice(lengths: &[usize], wanted: usize) -> Vec<Vec<usize>> {
    let all = lengths.iter().fold(1_usize, |points, &length| points.saturating_mul(length));
    if all <= wanted {
        return (0..all).map(|point| levels(lengths, point)).collect();
    }
    let roots = roots(lengths.len());
    let mut seen = std::collections::HashSet::new();
    let mut points = Vec::new();
    // A bound on the attempts: a sample of nearly the whole grid may fall short by a few points.
    for i in 0..wanted.saturating_mul(64) {
        if points.len() == wanted {
            break;
        }
        let level = |(&length, root): (&usize, &f64)| {
            let place = (0.5 + i as f64 * root).fract();
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "at least 0 and below the length"
            )]
            let level = (place * length as f64) as usize;
            level.min(length - 1)
        };
        let point: Vec<_> = lengths.iter().zip(&roots).map(level).collect();
        if seen.insert(point.clone()) {
            points.push(point);
        }
    }
    points
}

/// The levels of the point with this number.
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

/// The roots of the first primes.
fn roots(count: usize) -> Vec<f64> {
    let is_prime = |n: &u32| (2..*n).all(|divisor| !n.is_multiple_of(divisor));
    (2..).filter(is_prime).take(count).map(|prime| f64::from(prime).sqrt()).collect()
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
                // Drawn at random, one level in three would be further off.
                assert!((count / even - 1.0).abs() < 0.3, "axis {axis}, level {level}: {count} of {even}");
            }
        }
        // Nearly all points of a small grid are found, too.
        assert!(lattice(&[7, 7], 48).len() >= 40);
    }
}
