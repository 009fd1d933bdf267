//! Integer functions for exact fractions.

/// The greatest common divisor of two non-negative numbers, at least 1.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// The least common multiple of two positive numbers.
pub(crate) fn lcm(a: i64, b: i64) -> i64 {
    (a / gcd(a, b)).saturating_mul(b)
}
