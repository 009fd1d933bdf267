//! How numbers are rounded for people, in sentences, tables and pictures alike.

/// Where a number goes that has more decimals than are shown. A number that has so many but for the last bits of a product stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest; halves away from 0.
    Nearest,
    /// Down, as a lower limit, so that what is printed contains what was found.
    Down,
    /// Up, as an upper limit.
    Up,
}

/// More than the last bits of a product, in steps of the last decimal.
const NEAR: f64 = 1e-6;

impl Rounding {
    /// The number with so many decimals; 0 has no sign.
    #[must_use]
    pub fn to(self, decimals: u8, value: f64) -> f64 {
        let unit = 10_f64.powi(decimals.into());
        let steps = value * unit;
        let whole = match self {
            Self::Nearest => (steps.abs() + 0.5 + NEAR).floor().copysign(steps),
            Self::Down => (steps + NEAR).floor(),
            Self::Up => (steps - NEAR).ceil(),
        };
        whole / unit + 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_away_from_0_and_limits_outwards() {
        let all = |value| [Rounding::Nearest, Rounding::Down, Rounding::Up].map(|it| it.to(2, value));
        assert_eq!(all(46.125), [46.13, 46.12, 46.13]);
        assert_eq!(all(-46.125), [-46.13, -46.13, -46.12]);
        // 100 · 0.07 is not 7, nor 100 · 1.15 quite 115.
        assert_eq!(all(100.0 * 0.07), [7.0; 3]);
        assert_eq!(Rounding::Nearest.to(0, 100.0 * 0.145), 15.0);
        assert!(Rounding::Nearest.to(2, -0.001).is_sign_positive());
    }
}
