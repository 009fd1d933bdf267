//! How sure an interval is to be, where several are read together.

/// The probability with which an interval may miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    alpha: f64,
}

impl Level {
    /// An interval by itself: 95 %.
    pub const SINGLE: Self = Self { alpha: 0.05 };

    /// The same for each of several intervals that are to hold together: each gets an equal part of α, whatever their
    /// dependence (Bonferroni). One of none is one by itself.
    #[must_use]
    pub fn among(self, intervals: usize) -> Self {
        Self { alpha: self.alpha / intervals.max(1) as f64 }
    }

    /// α.
    pub fn alpha(self) -> f64 {
        self.alpha
    }

    /// The standard normal quantile of the two-sided interval.
    pub fn z(self) -> f64 {
        upper_quantile(self.alpha / 2.0)
    }
}

/// The point above which the standard normal distribution has the share `tail`, for tails up to 0.05: both outer
/// branches of algorithm AS 241 (Wichura, Appl. Stat. 37, 1988, 477–484), right to about 16 digits.
fn upper_quantile(tail: f64) -> f64 {
    let r = (-tail.ln()).sqrt();
    let ratio = |x: f64, above: [f64; 8], below: [f64; 7]| {
        let above = above.iter().rev().fold(0.0, |sum, c| sum * x + c);
        above / (below.iter().rev().fold(0.0, |sum, c| sum * x + c) * x + 1.0)
    };
    if r <= 5.0 {
        let above = [
            1.423_437_110_749_683_577_34,
            4.630_337_846_156_545_295_90,
            5.769_497_221_460_691_405_50,
            3.647_848_324_763_204_605_04,
            1.270_458_252_452_368_382_58,
            2.417_807_251_774_506_117_70e-1,
            2.272_384_498_926_918_458_33e-2,
            7.745_450_142_783_414_076_40e-4,
        ];
        let below = [
            2.053_191_626_637_758_821_87,
            1.676_384_830_183_803_849_40,
            6.897_673_349_851_000_045_50e-1,
            1.481_039_764_274_800_745_90e-1,
            1.519_866_656_361_645_719_66e-2,
            5.475_938_084_995_344_946_00e-4,
            1.050_750_071_644_416_843_24e-9,
        ];
        ratio(r - 1.6, above, below)
    } else {
        let above = [
            6.657_904_643_501_103_777_20,
            5.463_784_911_164_114_369_90,
            1.784_826_539_917_291_335_80,
            2.965_605_718_285_048_912_30e-1,
            2.653_218_952_657_612_309_30e-2,
            1.242_660_947_388_078_438_60e-3,
            2.711_555_568_743_487_578_15e-5,
            2.010_334_399_292_288_132_65e-7,
        ];
        let below = [
            5.998_322_065_558_879_376_90e-1,
            1.369_298_809_227_358_053_10e-1,
            1.487_536_129_085_061_485_25e-2,
            7.868_691_311_456_132_591_00e-4,
            1.846_318_317_510_054_681_80e-5,
            1.421_511_758_316_445_888_70e-7,
            2.044_263_103_389_939_785_64e-15,
        ];
        ratio(r - 5.0, above, below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Z95;

    #[test]
    fn known_quantiles() {
        let known = [
            (0.025, Z95),
            (0.0125, 2.241_402_727_604_947),
            (0.005, 2.575_829_303_548_901),
            (0.000_5, 3.290_526_731_491_926),
            (1e-9, 5.997_807_015_008_182),
            (1e-20, 9.262_340_089_798_408),
        ];
        for (tail, z) in known {
            assert!((upper_quantile(tail) - z).abs() < 1e-12, "{tail}: {}", upper_quantile(tail));
        }
        assert_eq!(Level::SINGLE.among(2).alpha(), 0.025);
        assert_eq!(Level::SINGLE.among(0), Level::SINGLE);
    }

    /// The tail by Simpson's rule, far enough out.
    #[test]
    fn is_the_inverse_of_the_tail() {
        let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        for tail in [0.05, 0.01, 1e-4, 1e-8, 1e-12] {
            let z = upper_quantile(tail);
            let step = 10.0 / 20_000.0;
            let weight = |at: u32| if at == 0 { 1.0 } else { f64::from(2 + 2 * (at % 2)) };
            let sum: f64 = (0..20_000).map(|at| weight(at) * density(z + step * f64::from(at))).sum();
            assert!((sum * step / 3.0 / tail - 1.0).abs() < 1e-9, "{tail}");
        }
    }
}
