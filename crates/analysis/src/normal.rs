//! Quantiles of the standard normal distribution.

/// The number that a standard normal variable exceeds with probability `tail`, between 0 and 1; infinite at 0.
///
/// Wichura's algorithm AS 241 (Appl. Stat. 37, 1988, 477–484), exact to about one part in 10¹⁶. It takes the upper
/// tail, because α is small where many intervals are simultaneous, and 1 − α would lose its digits.
pub fn upper(tail: f64) -> f64 {
    let from_middle = 0.5 - tail;
    if from_middle.abs() <= 0.425 {
        return from_middle * ratio(&MIDDLE, 0.180_625 - from_middle * from_middle);
    }
    let (sign, tail) = if from_middle > 0.0 { (1.0, tail) } else { (-1.0, 1.0 - tail) };
    if tail <= 0.0 {
        return sign * f64::INFINITY;
    }
    let root = (-tail.ln()).sqrt();
    sign * if root <= 5.0 { ratio(&NEAR, root - 1.6) } else { ratio(&FAR, root - 5.0) }
}

/// The number of standard deviations on either side of the mean outside of which lies a probability of `alpha`, between
/// 0 and 1; 1.96 for 0.05.
///
/// # Panics
///
/// If `alpha` is not between 0 and 1.
pub fn two_sided(alpha: f64) -> f64 {
    assert!(alpha > 0.0 && alpha < 1.0, "alpha {alpha} is not between 0 and 1");
    upper(alpha / 2.0)
}

/// Numerator and denominator, highest power first.
type Ratio = [[f64; 8]; 2];

fn ratio([above, below]: &Ratio, x: f64) -> f64 {
    let polynomial = |terms: &[f64; 8]| terms.iter().fold(0.0, |sum, term| sum * x + term);
    polynomial(above) / polynomial(below)
}

const MIDDLE: Ratio = [
    [
        2.509_080_928_730_122_6e3,
        3.343_057_558_358_813e4,
        6.726_577_092_700_87e4,
        4.592_195_393_154_987e4,
        1.373_169_376_550_946e4,
        1.971_590_950_306_551_4e3,
        1.331_416_678_917_843_9e2,
        3.387_132_872_796_366_5,
    ],
    [
        5.226_495_278_852_854e3,
        2.872_908_573_572_194_4e4,
        3.930_789_580_009_271e4,
        2.121_379_430_158_659_5e4,
        5.394_196_021_424_751e3,
        6.871_870_074_920_579e2,
        4.231_333_070_160_091e1,
        1.0,
    ],
];

const NEAR: Ratio = [
    [
        7.745_450_142_783_414e-4,
        2.272_384_498_926_918_7e-2,
        2.417_807_251_774_506e-1,
        1.270_458_252_452_368_4,
        3.647_848_324_763_204_5,
        5.769_497_221_460_691,
        4.630_337_846_156_546,
        1.423_437_110_749_683_5,
    ],
    [
        1.050_750_071_644_416_9e-9,
        5.475_938_084_995_345e-4,
        1.519_866_656_361_645_7e-2,
        1.481_039_764_274_800_8e-1,
        6.897_673_349_851e-1,
        1.676_384_830_183_803_8,
        2.053_191_626_637_759,
        1.0,
    ],
];

const FAR: Ratio = [
    [
        2.010_334_399_292_288e-7,
        2.711_555_568_743_487_6e-5,
        1.242_660_947_388_078_5e-3,
        2.653_218_952_657_612e-2,
        2.965_605_718_285_048_8e-1,
        1.784_826_539_917_291_3,
        5.463_784_911_164_114,
        6.657_904_643_501_103,
    ],
    [
        2.044_263_103_389_939_7e-15,
        1.421_511_758_316_446e-7,
        1.846_318_317_510_054_5e-5,
        7.868_691_311_456_133e-4,
        1.487_536_129_085_061_5e-2,
        1.369_298_809_227_358e-1,
        5.998_322_065_558_879e-1,
        1.0,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Z95;

    /// Published quantiles, and those that other intervals here are made with.
    #[test]
    fn known_quantiles() {
        for (tail, expected) in [
            (0.5, 0.0),
            (0.25, 0.674_489_750_196_081_7),
            (0.025, Z95),
            (0.0125, 2.241_402_727_604_947),
            (0.001, 3.090_232_306_167_813_5),
            (1e-20, 9.262_340_089_798_408),
        ] {
            assert!((upper(tail) - expected).abs() < 1e-13, "{tail}: {}", upper(tail));
            assert!(tail < 1e-9 || (upper(1.0 - tail) + expected).abs() < 1e-10);
        }
        assert_eq!([upper(0.0), upper(1.0)], [f64::INFINITY, f64::NEG_INFINITY]);
    }
}
