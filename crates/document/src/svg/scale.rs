//! From values to pixels, and round values in between.

use super::number;
use crate::chart::Axis;

/// A straight map from values to pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Values.
    pub(crate) domain: [f64; 2],
    /// Pixels.
    pub(crate) range: [f64; 2],
}

impl Scale {
    /// Where a value stands; outside the domain it is moved to its end.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let [low, high] = self.domain;
        if value.is_nan() {
            return self.range[0];
        }
        let share = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 };
        self.range[0] + share * (self.range[1] - self.range[0])
    }
}

/// A round value and how it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// A step of 1, 2 or 5 times a power of ten: the digit and the power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TickStep {
    digit: i64,
    power: i32,
}

impl TickStep {
    /// The smallest that needs no more than `most` steps for this width.
    fn of(width: f64, most: usize) -> Self {
        let raw = (width / most.max(1) as f64).max(f64::MIN_POSITIVE);
        let mut power = i32::try_from(number::whole(raw.log10().floor())).unwrap_or(0);
        for _ in 0..2 {
            for digit in [1, 2, 5] {
                let step = Self { digit, power };
                // A hair of room for widths that are round themselves.
                if step.times(1) >= raw * (1.0 - 1e-9) {
                    return step;
                }
            }
            power += 1;
        }
        Self { digit: 1, power }
    }

    /// So many steps, as the number nearest to it.
    fn times(self, count: i64) -> f64 {
        let product = (self.digit * count) as f64;
        if self.power < 0 { product / 10_f64.powi(-self.power) } else { product * 10_f64.powi(self.power) }
    }
}

/// Round values from `low` to `high`, at most `most` steps apart.
fn steps(low: f64, high: f64, most: usize, least: Option<f64>) -> (TickStep, Vec<f64>) {
    let mut step = TickStep::of(high - low, most);
    if let Some(least) = least
        && step.times(1) < least
    {
        step = TickStep::of(least, 1);
    }
    let one = step.times(1);
    let first = number::whole((low / one - 1e-9).ceil());
    let last = number::whole((high / one + 1e-9).floor());
    (step, (first..=last).map(|count| step.times(count)).collect())
}

/// A domain that ends at round values.
pub(crate) fn nice([low, high]: [f64; 2], most: usize) -> [f64; 2] {
    if high <= low {
        let room = if low == 0.0 { 1.0 } else { 0.5 * low.abs() };
        return nice([low - room, low + room], most);
    }
    let step = TickStep::of(high - low, most);
    let one = step.times(1);
    [(low / one + 1e-9).floor(), (high / one - 1e-9).ceil()].map(|count| step.times(number::whole(count)))
}

/// The ticks of an axis of numbers; `is_whole` leaves out what lies between whole numbers.
pub(crate) fn ticks(axis: &Axis, [low, high]: [f64; 2], most: usize, is_whole: bool) -> Vec<Tick> {
    if high <= low || !(high - low).is_finite() {
        return vec![Tick { value: low, label: number::shown(axis, low) }];
    }
    let factor = if axis.is_share { 100.0 } else { 1.0 };
    let (step, values) = steps(low * factor, high * factor, most, is_whole.then_some(1.0));
    let places = u8::try_from(-step.power).unwrap_or(0);
    // The title has the unit, if there is one.
    let label = |value: f64| match axis.is_share && axis.unit.is_empty() {
        true => format!("{} %", number::decimals(value, places)),
        false => number::decimals(value, places),
    };
    values.into_iter().map(|value| Tick { value: value / factor, label: label(value) }).collect()
}

/// The smallest and the largest of some values, those that are finite.
pub(crate) fn extent(values: impl IntoIterator<Item = f64>) -> Option<[f64; 2]> {
    values.into_iter().filter(|value| value.is_finite()).fold(None, |found, value| match found {
        None => Some([value, value]),
        Some([low, high]) => Some([value.min(low), value.max(high)]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(low: f64, high: f64, most: usize) -> Vec<f64> {
        ticks(&Axis::default(), [low, high], most, false).into_iter().map(|tick| tick.value).collect()
    }

    #[test]
    fn steps_are_of_one_two_or_five() {
        assert_eq!(values(0.0, 10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(values(0.0, 0.3, 3), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(values(-7.0, 23.0, 6), [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0]);
        assert_eq!(values(0.0, 1e6, 4), [0.0, 5e5, 1e6]);
    }

    #[test]
    fn ticks_never_outnumber_what_is_asked_for() {
        for most in 1..12 {
            for width in [1e-7, 0.013, 0.99, 1.0, 7.0, 123.0, 9.9e8] {
                for low in [-width * 0.37, 0.0, 17.3] {
                    let ticks = ticks(&Axis::default(), [low, low + width], most, false);
                    assert!(ticks.len() <= most + 1, "{low} {width} {most}: {}", ticks.len());
                    assert!(ticks.iter().all(|tick| tick.value >= low - 1e-9 * width - 1e-12));
                }
            }
        }
    }

    #[test]
    fn labels_have_the_decimals_of_their_step() {
        let labels = |axis: &Axis, low, high| -> Vec<_> {
            ticks(axis, [low, high], 4, false).into_iter().map(|tick| tick.label).collect()
        };
        assert_eq!(labels(&Axis::default(), 0.0, 0.2), ["0.00", "0.05", "0.10", "0.15", "0.20"]);
        assert_eq!(labels(&Axis::share("share"), 0.0, 0.2), ["0 %", "5 %", "10 %", "15 %", "20 %"]);
        assert_eq!(labels(&Axis::points("edge"), 0.0, 0.2), ["0", "5", "10", "15", "20"]);
    }

    #[test]
    fn whole_numbers_have_no_ticks_between() {
        let ticks = ticks(&Axis::default(), [-0.5, 3.5], 10, true);
        assert_eq!(ticks.iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>(), ["0", "1", "2", "3"]);
    }

    #[test]
    fn nice_domains_hold_what_they_are_made_for() {
        assert_eq!(nice([0.0, 0.287], 4), [0.0, 0.3]);
        assert_eq!(nice([3.0, 97.0], 5), [0.0, 100.0]);
        assert_eq!(nice([0.0, 10.0], 5), [0.0, 10.0]);
        let [low, high] = nice([5.0, 5.0], 4);
        assert!(low < 5.0 && high > 5.0);
    }

    #[test]
    fn a_scale_maps_ends_to_ends() {
        let scale = Scale { domain: [0.0, 4.0], range: [100.0, 20.0] };
        assert_eq!([scale.at(0.0), scale.at(1.0), scale.at(4.0), scale.at(9.0)], [100.0, 80.0, 20.0, 20.0]);
    }
}
