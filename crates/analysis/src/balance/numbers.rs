//! What measures are made of, game by game: numbers whose means they are.

use stopwise_engine::game::Metric;
use stopwise_engine::paired::{GameSums, Number};

use super::Quantity;
use super::measure::{Measure, Statistic, metric_of};

/// A mean of a number of a game: over all games, or over those of which another number is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MeanOf {
    pub(super) number: Number,
    pub(super) among: Option<Number>,
}

impl MeanOf {
    fn numbers(self) -> impl Iterator<Item = Number> {
        [Some(self.number), self.among].into_iter().flatten()
    }
}

impl Measure {
    /// The mean that it is, or but for a factor or a constant; `None` if it is none, such as a quantile.
    pub(super) fn mean(&self, metrics: &[Metric]) -> Option<MeanOf> {
        let of_all = |number| Some(MeanOf { number, among: None });
        let of_decided = |number, wins| Some(MeanOf { number, among: Some(Number::Any(wins)) });
        let wins = || Metric::of_wins(metrics);
        match self.statistic {
            Statistic::Mean(Quantity::Rounds) => of_all(Number::Rounds(metric_of(Quantity::Turns, metrics)?)),
            Statistic::Mean(of) => of_all(Number::Sum(metric_of(of, metrics)?)),
            Statistic::Above(of, mark) => of_all(Number::Above(metric_of(of, metrics)?, mark)),
            Statistic::Early => of_all(Number::Early),
            Statistic::Ending(at) => of_all(Number::Ending(at)),
            Statistic::NoWinner => of_all(Number::Any(wins()?)),
            Statistic::FirstSeatEdge => of_decided(Number::Of(0, wins()?), wins()?),
            Statistic::SeatWins(seat) => of_decided(Number::Of(seat, wins()?), wins()?),
            // Of those who share a win one has it.
            Statistic::Close(name, most) => {
                let metric = metric_of(Quantity::Metric(name), metrics)?;
                of_decided(Number::Close { metric, most }, 0)
            }
            Statistic::Quantile(..) | Statistic::Deviation(_) | Statistic::Tail(_) => None,
        }
    }
}

/// Measures of rules with these metrics.
pub type Measured<'m> = (&'m [Measure], &'m [Metric]);

/// What is to be counted of games for measures, and for their [effects](super::effect) against another arm, if there is one.
pub fn to_count(of: Measured<'_>, base: Option<(usize, Measured<'_>)>) -> GameSums {
    let numbers = numbers(of);
    let Some((arm, base)) = base else { return GameSums::new(numbers, None) };
    let others = self::numbers(base);
    let mut products = Vec::new();
    for measure in of.0 {
        let other = base.0.iter().find(|other| other.name == measure.name);
        let means = measure.mean(of.1).zip(other.and_then(|other| other.mean(base.1)));
        let Some((own, other)) = means else { continue };
        for a in own.numbers() {
            for b in other.numbers() {
                let place = |all: &[Number], number| all.iter().position(|&known| known == number);
                let Some(pair) = place(&numbers, a).zip(place(&others, b)) else { continue };
                if !products.contains(&pair.into()) {
                    products.push(pair.into());
                }
            }
        }
    }
    GameSums::new(numbers, Some((arm, products)))
}

/// The numbers that measures need, each once.
fn numbers((measures, metrics): Measured<'_>) -> Vec<Number> {
    let mut all = Vec::new();
    for number in measures.iter().filter_map(|measure| measure.mean(metrics)).flat_map(MeanOf::numbers) {
        if !all.contains(&number) {
            all.push(number);
        }
    }
    all
}
