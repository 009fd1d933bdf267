//! What a change of the rules moves.

use stopwise_engine::paired::PairTally;

use super::measure::{Measure, Sample, Statistic};
use super::{Level, Measured};
use crate::estimate::Interval;
use crate::paired::{MeanDifference, newcombe_at};

/// A measure under a variant less the same under the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Under the base.
    pub base: f64,
    /// Under the variant.
    pub variant: f64,
    /// Variant less base.
    pub difference: Measured,
    /// How the interval is made.
    pub method: &'static str,
}

/// The effect on a measure; `None` where either has none. `pair` is of the same trials on the same dice: A the variant,
/// B the base.
///
/// Early ends, and means of a game alone, are compared trial by trial. Otherwise the two intervals, each at half of α, are
/// taken together: right however the two go together, and wider than need be where they do.
pub fn effect(
    measure: &Measure,
    variant: Sample<'_>,
    base: Sample<'_>,
    pair: Option<&PairTally>,
    level: Level,
) -> Option<Effect> {
    let half = level.among(2);
    let (under_variant, under_base) = (measure.of(variant, half)?, measure.of(base, half)?);
    let pair = pair.filter(|_| variant.tally.seats.len() == base.tally.seats.len());
    let (difference, method) = match pair.and_then(|pair| paired(measure, variant, pair, level)) {
        Some(found) => found,
        None => (apart(under_variant, under_base), "both intervals, Bonferroni"),
    };
    Some(Effect { base: under_base.value, variant: under_variant.value, difference, method })
}

/// Trial by trial, for the measures that can be.
fn paired(
    measure: &Measure,
    sample: Sample<'_>,
    pair: &PairTally,
    level: Level,
) -> Option<(Measured, &'static str)> {
    match measure.statistic {
        // A pair is about one seat: of a game for several that is not the whole game.
        Statistic::Mean(of) if sample.tally.seats.len() == 1 => {
            let mean = MeanDifference::of(&pair.metrics[sample.alone(of)?])?;
            let interval = mean.std_error.map(|error| {
                let half = level.z() * error;
                Interval { low: mean.value - half, high: mean.value + half }
            });
            // No negative zero.
            Some((Measured { value: mean.value + 0.0, interval }, "paired, fixed n"))
        }
        Statistic::Early => {
            let [[neither, base], [variant, both]] = pair.early;
            let found = newcombe_at(both, variant, base, neither, level.z())?;
            let difference = Measured { value: found.value, interval: Some(found.interval) };
            Some((difference, "Newcombe 1998 method 10, paired"))
        }
        _ => None,
    }
}

fn apart(variant: Measured, base: Measured) -> Measured {
    let interval = variant
        .interval
        .zip(base.interval)
        .map(|(variant, base)| Interval { low: variant.low - base.high, high: variant.high - base.low });
    Measured { value: variant.value - base.value, interval }
}
