//! The effect of a rule change on a measure.

use stopwise_engine::paired::PairTally;

use super::measure::{Measure, Sample, Statistic};
use crate::estimate::{Estimate, Interval, Level, Method, std_dev, unsigned_zero};
use crate::paired::{MeanDifference, share_difference};

/// A measure under a variant of the rules, compared with the same measure under the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The measure under the base, in its unit.
    pub base: f64,
    /// The measure under the variant.
    pub variant: f64,
    /// Variant − base.
    pub difference: Estimate,
}

/// The effect of a variant on a measure; `None` where the measure has no value under the variant or the base. `pair` is
/// the tally of the same trials on the same dice, with the variant as A and the base as B.
///
/// Early ends and means are compared trial by trial. Otherwise two intervals, each at half of
/// α, are subtracted: valid under any dependence, conservative where the two are positively correlated.
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
    let difference = pair.and_then(|pair| paired(measure, [variant, base], pair, level));
    let difference = difference.unwrap_or_else(|| subtracted(under_variant, under_base, level));
    Some(Effect { base: under_base.value, variant: under_variant.value, difference })
}

/// The paired difference, for the measures that have one.
fn paired(measure: &Measure, samples: [Sample<'_>; 2], pair: &PairTally, level: Level) -> Option<Estimate> {
    match measure.statistic {
        Statistic::Mean(of) => {
            let metric = samples[0].alone(of)?;
            let seats = &samples[0].tally.seats;
            let differences = if seats.len() == 1 { &pair.metrics } else { &pair.wholes };
            // The deviation of a sum is at most the sum of the deviations.
            let most = samples.map(|sample| {
                sample.tally.seats.iter().map(|seat| std_dev(&seat.metrics[metric])).sum::<f64>()
            });
            let found = MeanDifference::of(differences.get(metric)?, most[0].max(most[1]))?.fixed(level);
            Some(Estimate { value: unsigned_zero(found.value), ..found })
        }
        Statistic::Early => {
            let [[neither, base], [variant, both]] = pair.early;
            share_difference([both, variant, base, neither], level)
        }
        _ => None,
    }
}

/// The difference of two estimates, each at half of α.
fn subtracted(variant: Estimate, base: Estimate, level: Level) -> Estimate {
    let interval = variant
        .interval
        .zip(base.interval)
        .map(|(variant, base)| Interval { low: variant.low - base.high, high: variant.high - base.low });
    Estimate { value: variant.value - base.value, interval, method: Method::TwoIntervals, level }
}
