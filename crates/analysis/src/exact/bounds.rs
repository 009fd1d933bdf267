//! Bounds of a value, and what choice and chance make of them.

/// A lower and an upper bound.
pub(super) type Bounds = [f64; 2];

/// The bounds of the better of two values.
#[inline]
pub(super) fn better(a: Bounds, b: Bounds, wants_more: bool) -> Bounds {
    if wants_more { [a[0].max(b[0]), a[1].max(b[1])] } else { [a[0].min(b[0]), a[1].min(b[1])] }
}

/// The bounds of the mean of values with weights that sum to `total`.
#[inline]
pub(super) fn mean(parts: impl Iterator<Item = (Bounds, f64)>, total: f64) -> Bounds {
    let (mut low, mut high) = (0.0, 0.0);
    for (worth, weight) in parts {
        low += weight * worth[0];
        high += weight * worth[1];
    }
    [low / total, high / total]
}
