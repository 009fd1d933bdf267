//! How much skill matters: what the best of some policies has over a naive one, measured in luck.
//!
//! The best is chosen on some trials and measured on others: on those it was chosen on it looks better than it is.

use stopwise_engine::game::Better;
use stopwise_engine::paired::Differences;
use stopwise_engine::tally::{Histogram, SeatTally, Tally};

use super::measure::{SHARE, deviation, share};
use crate::estimate::{Estimate, Interval, Level, Method, unsigned_zero};
use crate::paired::MeanDifference;

/// The name of the measure in tables and targets.
pub const SKILL: &str = "skill";

/// The unit of [`Skill::size`] in games for this many seats.
pub fn skill_unit(seats: usize) -> &'static str {
    if seats == 1 { "standard deviations" } else { SHARE }
}

/// What was seen of the best and the naive policy, on fresh trials.
#[derive(Clone, Debug)]
pub enum Skill {
    /// The naive policy is the best.
    Same {
        /// The seats.
        seats: usize,
    },
    /// A game alone, played by both on the same dice.
    Alone {
        /// The score of the best less that of the naive policy, trial by trial.
        gap: Differences,
        /// The scores of the best and of the naive policy.
        scores: [Histogram; 2],
        /// Which way the score is wanted.
        better: Better,
    },
    /// The best at a table of naive ones, each seat equally often.
    Table {
        /// The games it won, of so many that somebody won.
        wins: (u64, u64),
        /// The seats.
        seats: usize,
    },
}

impl Skill {
    /// What the best has more than the naive policy, in the unit of the score and never the wrong way round for scores that
    /// are wanted low; at a table, its share of the games with a winner less a fair one.
    pub fn gap(&self, level: Level) -> Option<Estimate> {
        match self {
            Self::Same { seats } => {
                let method = if *seats == 1 { Method::Paired } else { Method::Wilson };
                let interval = Some(Interval { low: 0.0, high: 0.0 });
                Some(Estimate { value: 0.0, interval, method, level })
            }
            Self::Alone { gap, better, .. } => {
                let mean = MeanDifference::of(gap)?.fixed_at(level);
                let mean = if *better == Better::Lower { mean.negated() } else { mean };
                Some(Estimate { value: unsigned_zero(mean.value), ..mean })
            }
            Self::Table { wins: (wins, trials), seats } => {
                let fair = 1.0 / *seats as f64;
                Some(share(*wins, *trials, level)?.plus(-fair))
            }
        }
    }

    /// The spread of luck: the standard deviation of the score of a single game, the variances of the two policies
    /// averaged. At a table wins are counted, and there is none.
    pub fn luck(&self, level: Level) -> Option<Estimate> {
        match self {
            Self::Alone { scores: [best, naive], .. } => deviation(&[best, naive], level),
            _ => None,
        }
    }

    /// How much skill matters. Alone: the gap in standard deviations of a single game, `None` if the score never varies;
    /// 1 means that the naive policy needs as much luck as 16 of 100 games have to come up to the best one's mean, if luck is
    /// about normal. At a table: the gap, in shares of the games.
    ///
    /// Alone the interval is that of gap and luck together, each at half of α.
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

    /// How the interval of [`Skill::size`] is made.
    fn method(&self) -> Method {
        match self {
            Self::Same { .. } => Method::SamePolicy,
            Self::Alone { .. } => Method::GapOverDeviation,
            Self::Table { .. } => Method::Wilson,
        }
    }
}

/// The share of a [`contest`] that the policy won; `None` if nobody won a game.
pub fn wins_at((wins, decided): (u64, u64), level: Level) -> Option<Estimate> {
    share(wins, decided, level)
}

/// How often the policy that was named for the first seat wins, of the games of all rotations that somebody wins: what
/// [`Skill::Table`] and the standings of policies at a table rest on. `metric` is 1 for the seat that wins.
///
/// Over rotations the count is a sum of binomials with different chances, and Wilson's interval covers at least as often
/// (see [`seats`](crate::seats)).
pub fn contest(rotations: &[Tally], metric: usize) -> (u64, u64) {
    let wins = |seat: &SeatTally| seat.metrics[metric].count(1);
    let of = |(seat, tally): (usize, &Tally)| (wins(&tally.seats[seat]), tally.seats.iter().map(wins).sum());
    rotations.iter().enumerate().map(of).fold((0, 0), |sum, one: (u64, u64)| (sum.0 + one.0, sum.1 + one.1))
}
