//! The influence of skill: the gap between the best of several policies and a naive one, relative to the spread of
//! luck.
//! The best policy is chosen on some trials and measured on others: on the former it is overestimated.

use stopwise_engine::game::{Better, Metric};
use stopwise_engine::paired::Differences;
use stopwise_engine::tally::{Histogram, Tally};

use super::measure::{SHARE, deviation};
use crate::estimate::{Estimate, Interval, Level, Method, std_dev, unsigned_zero};
use crate::paired::MeanDifference;
use crate::won::{in_games, parts, wins_at};

/// The name of the measure in tables and targets.
pub const SKILL: &str = "skill";

/// The unit of [`Skill::size`] in games for this many seats.
pub fn skill_unit(seats: usize) -> &'static str {
    if seats == 1 { "standard deviations" } else { SHARE }
}

/// The best and the naive policy on fresh trials.
#[derive(Clone, Debug)]
pub enum Skill {
    /// The naive policy itself is the best.
    Same {
        /// The seats.
        seats: usize,
    },
    /// A game for one seat, played by both on the same dice.
    Alone {
        /// The score of the best policy minus that of the naive one, paired by trial.
        gap: Differences,
        /// The scores of the best and of the naive policy.
        scores: [Histogram; 2],
        /// Whether a higher or a lower score is better.
        better: Better,
    },
    /// The best policy at a table of naive ones, in each seat equally often.
    Table {
        /// The games it won, with its shares of those that several won together, and the games with a winner.
        wins: (f64, u64),
        /// The seats.
        seats: usize,
    },
}

impl Skill {
    /// The advantage of the best policy: for one seat the gap in the unit of the score, positive if the best policy is
    /// better, also where lower scores are better; at a table its share of the games with a winner, less the fair
    /// share.
    pub fn gap(&self, level: Level) -> Option<Estimate> {
        match self {
            Self::Same { seats } => {
                let method = if *seats == 1 { Method::Paired } else { Method::Exact };
                let interval = Some(Interval { low: 0.0, high: 0.0 });
                Some(Estimate { value: 0.0, interval, method, level })
            }
            Self::Alone { gap, better, scores: [best, naive] } => {
                let most = std_dev(best).max(std_dev(naive));
                let mean = MeanDifference::of(gap, most)?.fixed(level);
                let mean = if *better == Better::Lower { mean.negated() } else { mean };
                Some(Estimate { value: unsigned_zero(mean.value), ..mean })
            }
            Self::Table { wins: (wins, trials), seats } => {
                let fair = 1.0 / *seats as f64;
                Some(wins_at((*wins, *trials), level)?.plus(-fair))
            }
        }
    }

    /// The spread of luck: the standard deviation of the score of a single game, from the mean variance of the two
    /// policies. `None` at a table, where wins are counted.
    pub fn luck(&self, level: Level) -> Option<Estimate> {
        match self {
            Self::Alone { scores: [best, naive], .. } => deviation(&[best, naive], level),
            _ => None,
        }
    }

    /// The influence of skill. For one seat: the gap in standard deviations of a single game, `None` if the score never
    /// varies; at 1, with roughly normal scores, the naive policy reaches the best policy's mean in 16 of 100 games. At
    /// a table: the gap, as a share of the games.
    ///
    /// For one seat the interval combines those of gap and luck, each at α / 2.
    pub fn size(&self, level: Level) -> Option<Estimate> {
        let Self::Alone { .. } = self else {
            return Some(Estimate { method: self.method(), ..self.gap(level)? });
        };
        let both = level.among(2);
        let (gap, luck) = (self.gap(both)?, self.luck(both)?);
        if luck.value == 0.0 {
            return None;
        }
        let interval = gap.interval.zip(luck.interval).filter(|(_, luck)| luck.low > 0.0);
        let over = |limit: f64, inner: f64, outer: f64| limit / if limit < 0.0 { outer } else { inner };
        let interval = interval.map(|(gap, luck)| Interval {
            low: over(gap.low, luck.high, luck.low),
            high: over(gap.high, luck.low, luck.high),
        });
        Some(Estimate { value: gap.value / luck.value, interval, method: self.method(), level })
    }

    /// The method of [`Skill::size`].
    fn method(&self) -> Method {
        match self {
            Self::Same { .. } => Method::SamePolicy,
            Self::Alone { .. } => Method::GapOverDeviation,
            Self::Table { .. } => Method::Exact,
        }
    }
}

/// What the policy that was named for the first seat wins, and the games with a winner, over all rotations: the data of
/// [`Skill::Table`] and of [`wins_at`].
pub fn contest(rotations: &[Tally], metrics: &[Metric]) -> (f64, u64) {
    Metric::of_wins(metrics).map_or((0.0, 0), |at| in_games(parts(rotations, at), &metrics[at]))
}
