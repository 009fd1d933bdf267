//! Pools of equal dice as sorted multisets with their weights.

/// The different results of some equal dice.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pool {
    /// The value of every result: a number, a name or a bag; and its weight.
    pub(crate) results: Vec<(i64, u32)>,
}

impl Pool {
    pub(crate) fn new(results: Vec<(i64, u64)>) -> Self {
        let exact = |(value, weight)| (value, u32::try_from(weight).unwrap_or(u32::MAX));
        Self { results: results.into_iter().map(exact).collect() }
    }

    /// So many dice with these faces: their values are added up. Bags of lower faces come first.
    pub(crate) fn of_dice(faces: &[(i64, u64)], many: u32) -> Self {
        let mut results = Vec::new();
        multisets(faces, 0, many, 0, 1, &mut results);
        Self::new(results)
    }

    pub(crate) fn weight(&self) -> u64 {
        self.results.iter().map(|(_, weight)| u64::from(*weight)).sum()
    }
}

/// Adds the bags of `many` more dice, beginning at a face, to `results`: with more of the lower faces first.
fn multisets(
    faces: &[(i64, u64)],
    face: usize,
    many: u32,
    bag: i64,
    ways: u64,
    results: &mut Vec<(i64, u64)>,
) {
    let Some(&(unit, weight)) = faces.get(face) else { return };
    if face + 1 == faces.len() {
        results.push((bag + unit * i64::from(many), ways * weight.pow(many)));
        return;
    }
    for count in (0..=many).rev() {
        // Which of the dice that are left show it.
        let choose = (0..count).fold(1, |choose, k| choose * u64::from(many - k) / u64::from(k + 1));
        let ways = ways * choose * weight.pow(count);
        multisets(faces, face + 1, many - count, bag + unit * i64::from(count), ways, results);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_sorted_bags_with_their_weights() {
        let faces: Vec<(i64, u64)> = (0..6).map(|face| (1 << (3 * face), 1)).collect();
        for (many, bags) in [(1, 6), (2, 21), (3, 56), (6, 462)] {
            let pool = Pool::of_dice(&faces, many);
            assert_eq!(pool.results.len(), bags);
            assert_eq!(pool.weight(), 6_u64.pow(many));
        }
        let pair = Pool::of_dice(&faces, 2);
        assert_eq!(pair.results[..3], [(2, 1), (1 + 8, 2), (1 + 64, 2)]);
    }
}
