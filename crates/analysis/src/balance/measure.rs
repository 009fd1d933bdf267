//! Measures of a game and their estimators.

use std::borrow::Cow;

use stopwise_engine::game::{Ending, Event, Metric};
use stopwise_engine::paired::GameSums;
use stopwise_engine::tally::{Histogram, Tally};

use crate::estimate::{Estimate, Interval, Level, Method, moments, quantile, quantile_limits};
use crate::mean;
use crate::student::two_sided_t;
use crate::won::{of_seat, wins_at};

/// A quantity of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Turns, of all seats together.
    Turns,
    /// Turns of all seats by how many play; one that has begun counts.
    Rounds,
    /// Rolls, of all seats together.
    Rolls,
    /// The score of a game for one seat: its first metric.
    Score,
    /// The metric of this name, of all seats together.
    Metric(&'static str),
}

/// A statistic of a sample of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statistic {
    /// The mean.
    Mean(Quantity),
    /// The value that this share of the games does not exceed.
    Quantile(Quantity, f64),
    /// The standard deviation of a single game.
    Deviation(Quantity),
    /// The 99 % quantile over the median.
    Tail(Quantity),
    /// The share of the games in which the quantity is above this.
    Above(Quantity, u32),
    /// The share of the games that end early.
    Early,
    /// The share of the games with this ending.
    Ending(usize),
    /// The first seat's share of the games with a winner, less the fair share; those who tie may share a game.
    FirstSeatEdge,
    /// A seat's share in the same way, as a multiple of the fair share: 1 is fair for any number of seats.
    SeatWins(usize),
    /// The share of the games without a winner.
    NoWinner,
    /// Of the games with a winner, the share in which the winner leads in this metric by this much at most.
    Close(&'static str, u32),
}

/// A measure, as reports name and define it.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its name in tables and targets: `mean turns`.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its definition, in words.
    pub definition: String,
    /// The statistic that it is.
    pub statistic: Statistic,
}

/// The unit of shares.
pub(super) const SHARE: &str = "share of games";

/// The unit of shares of which 1 is fair.
pub(super) const FAIR_SHARES: &str = "fair shares";

/// The tally of one policy in all seats under one variant, with what is needed to read it.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'t> {
    /// The tally.
    pub tally: &'t Tally,
    /// The metrics of the rules.
    pub metrics: &'t [Metric],
    /// The endings of the rules.
    pub endings: &'t [Ending],
    /// Numbers of whole games, if they were counted.
    pub games: Option<&'t GameSums>,
}

impl Measure {
    /// Whether it is a share, which is shown in per cent.
    pub fn is_share(&self) -> bool {
        self.unit == SHARE
    }

    /// How its interval is made.
    pub fn method(&self) -> Method {
        match self.statistic {
            Statistic::Mean(_) => Method::Student,
            Statistic::Quantile(..) => Method::OrderStatistics,
            Statistic::Deviation(_) => Method::FourthMoment,
            Statistic::Tail(_) => Method::TwoOrderStatistics,
            Statistic::Above(..)
            | Statistic::Early
            | Statistic::Ending(_)
            | Statistic::FirstSeatEdge
            | Statistic::SeatWins(_)
            | Statistic::NoWinner
            | Statistic::Close(..) => Method::Exact,
        }
    }

    /// Estimates the measure from a sample with a fixed number of trials; `None` if the sample does not hold what it
    /// needs.
    pub fn of(&self, sample: Sample<'_>, level: Level) -> Option<Estimate> {
        let tally = sample.tally;
        match self.statistic {
            Statistic::Mean(of) => sample.mean(self, of, level),
            Statistic::Quantile(of, share) => {
                let histogram = &sample.whole(of)?;
                let limits = quantile_limits(histogram, share, level);
                let interval = limits.map(|(low, high)| Interval { low: low.into(), high: high.into() });
                let value = quantile(histogram, share).into();
                Some(Estimate { value, interval, method: self.method(), level })
            }
            Statistic::Deviation(of) => deviation(&[&*sample.whole(of)?], level),
            Statistic::Tail(of) => tail(&*sample.whole(of)?, level),
            Statistic::Above(of, mark) => {
                let whole = sample.whole(of)?;
                let above = whole.iter().filter(|&(value, _)| value > mark);
                share(above.map(|(_, count)| count).sum(), tally.trials, level)
            }
            Statistic::Early => {
                let early = sample.endings.iter().zip(&tally.endings).filter(|(ending, _)| ending.early);
                share(early.map(|(_, &count)| count).sum(), tally.trials, level)
            }
            Statistic::Ending(at) => share(*tally.endings.get(at)?, tally.trials, level),
            Statistic::FirstSeatEdge => {
                let first = wins_at(sample.won(0), level)?;
                let fair = 1.0 / tally.seats.len() as f64;
                Some(first.plus(-fair))
            }
            Statistic::SeatWins(seat) => {
                let wins = wins_at(sample.won(seat), level)?;
                let seats = tally.seats.len() as f64;
                let interval = wins.interval.map(|interval| interval.times(seats));
                Some(Estimate { value: seats * wins.value, interval, ..wins })
            }
            Statistic::NoWinner => share(tally.trials - sample.won(0).1, tally.trials, level),
            Statistic::Close(..) => {
                let mean = self.mean(sample.metrics)?;
                let count = |number| u64::try_from(sample.games?.sum(number)?[0]).ok();
                share(count(mean.number)?, count(mean.among?)?, level)
            }
        }
    }
}

impl<'t> Sample<'t> {
    /// The histogram of a quantity of whole games, if there is one.
    pub fn whole(&self, of: Quantity) -> Option<Cow<'t, Histogram>> {
        match (of, self.tally.seats.as_slice()) {
            (Quantity::Turns, [_, _, ..]) => Some(Cow::Borrowed(&self.tally.lengths)),
            (Quantity::Rounds, seats) => {
                let (mut rounds, seats) = (Histogram::default(), u32::try_from(seats.len()).ok()?);
                let turns = self.whole(Quantity::Turns)?;
                turns.iter().for_each(|(turns, games)| rounds.add_many(turns.div_ceil(seats), games));
                Some(Cow::Owned(rounds))
            }
            (_, [seat]) => Some(Cow::Borrowed(&seat.metrics[metric_of(of, self.metrics)?])),
            _ => None,
        }
        .filter(|histogram| histogram.total() > 0)
    }

    /// The mean of a quantity of whole games.
    ///
    /// Of several seats it needs their sums, game by game; without them the deviation of a sum is at most the sum of the deviations.
    fn mean(&self, measure: &Measure, of: Quantity, level: Level) -> Option<Estimate> {
        let trials = Some(self.tally.trials).filter(|&trials| trials > 0)?;
        let of_sums = |(sum, squares)| moments(trials, sum, squares);
        let games = || self.games?.sum(measure.mean(self.metrics)?.number).map(|sums| of_sums(sums.into()));
        let (value, deviation) = match self.whole(of) {
            Some(whole) => of_sums(whole.sums()),
            None => games().or_else(|| {
                let metric = metric_of(of, self.metrics)?;
                let seats = self.tally.seats.iter().map(|seat| of_sums(seat.metrics[metric].sums()));
                Some(seats.fold((0.0, 0.0), |sum, seat| (sum.0 + seat.0, sum.1 + seat.1)))
            })?,
        };
        let reach = mean::reach(deviation, trials, mean::scale(deviation), level);
        let around = Estimate::around(value, reach, Method::Student, level);
        // No value is negative.
        let interval = around.interval.map(|limits| Interval { low: limits.low.max(0.0), ..limits });
        Some(Estimate { interval, ..around })
    }

    /// The games that a seat won, with its shares of those that several won together, and the games with a winner.
    pub(super) fn won(&self, seat: usize) -> (f64, u64) {
        of_seat(self.tally, seat, self.metrics)
    }
}

/// The metric that counts a quantity for a seat, by its place.
pub(super) fn metric_of(of: Quantity, metrics: &[Metric]) -> Option<usize> {
    let metric = |is_it: &dyn Fn(&Metric) -> bool| metrics.iter().position(is_it);
    match of {
        Quantity::Turns => metric(&|metric| metric.counts(Event::TURN)),
        Quantity::Rounds => None,
        Quantity::Rolls => metric(&|metric| metric.counts(Event::ROLL)),
        Quantity::Score => Some(0),
        Quantity::Metric(name) => metric(&|metric| metric.name == name),
    }
}

/// A share of trials.
pub(super) fn share(count: u64, trials: u64, level: Level) -> Option<Estimate> {
    (trials > 0).then(|| Estimate::share(count, trials, level))
}

/// The root of the mean variance of several samples with equal numbers of trials, under any dependence.
///
/// The standard error of a variance is √((m₄ − s⁴) / n), with the fourth central moment m₄ (Cramér, Mathematical
/// Methods of Statistics, 1946, 27.4): unlike the interval from χ² it does not assume normal values. The standard error
/// of a mean of variances is at most the mean of theirs.
pub(super) fn deviation(samples: &[&Histogram], level: Level) -> Option<Estimate> {
    let (mut variance, mut error, mut least) = (0.0, 0.0, u64::MAX);
    for histogram in samples {
        let trials = histogram.total();
        let n = trials as f64;
        let (sum, squares) = histogram.sums();
        let (mean, std_dev) = moments(trials.max(1), sum, squares);
        let fourth = |(value, count): (u32, u64)| (f64::from(value) - mean).powi(4) * count as f64;
        let fourth = histogram.iter().map(fourth).sum::<f64>() / n;
        variance += std_dev.powi(2) / samples.len() as f64;
        error += ((fourth - std_dev.powi(4)).max(0.0) / n).sqrt() / samples.len() as f64;
        least = least.min(trials);
    }
    if least == 0 || samples.is_empty() {
        return None;
    }
    let half = two_sided_t(level.alpha(), least - 1) * error;
    // An event that did not occur, of a scale that values have, adds its probability times its square.
    let unseen = -(level.alpha() / 2.0).ln() / least as f64 * variance.max(1.0);
    let root = |variance: f64| variance.max(0.0).sqrt();
    let limits = || Interval { low: root(variance - half), high: root(variance + half + unseen) };
    let interval = (least > 1).then(limits);
    Some(Estimate { value: root(variance), interval, method: Method::FourthMoment, level })
}

/// The 99 % quantile over the median, from the limits of both. `None` where the median is 0.
fn tail(histogram: &Histogram, level: Level) -> Option<Estimate> {
    let (far, middle) = (quantile(histogram, 0.99), quantile(histogram, 0.5));
    if middle == 0 {
        return None;
    }
    let each = level.among(2);
    let limits = quantile_limits(histogram, 0.99, each).zip(quantile_limits(histogram, 0.5, each));
    let interval = limits.filter(|(_, (low, _))| *low > 0).map(|(far, middle)| Interval {
        low: f64::from(far.0) / f64::from(middle.1),
        high: f64::from(far.1) / f64::from(middle.0),
    });
    let value = f64::from(far) / f64::from(middle);
    Some(Estimate { value, interval, method: Method::TwoOrderStatistics, level })
}
