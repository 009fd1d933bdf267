//! What policies of games for several win, in words: games, or shares of wins where those who tie share them.

use stopwise_engine::game::Metric;
use stopwise_engine::tally::Histogram;

/// Whether some of these values are a part of a win: several have tied and share it.
pub(crate) fn has_parts(metric: &Metric, values: &Histogram) -> bool {
    metric.is_share() && values.iter().any(|(value, _)| 0 < value && value < metric.whole())
}

/// The words for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Won {
    /// A column of it: `wins`.
    pub(crate) title: &'static str,
    /// It at the beginning of a sentence: `Wins`.
    pub(crate) plural: &'static str,
    /// What everybody's share is: `The share of the games that each wins`.
    pub(crate) of_each: &'static str,
    /// What a share is of where all games count: ` of the games`.
    pub(crate) of_all: &'static str,
    /// What a share is of: ` of the games with a winner`.
    pub(crate) of: &'static str,
    /// The same of a share that is spoken of: ` of the games with a winner that it wins`.
    pub(crate) that_it_wins: &'static str,
}

impl Won {
    /// Those of a game with these metrics.
    pub(crate) fn of(metrics: &[Metric]) -> Self {
        Self::of_games(metrics.iter().any(Metric::is_share))
    }

    /// Those of games whose wins are shared by those who tie, or of games without ties.
    pub(crate) fn of_games(are_shared: bool) -> Self {
        match are_shared {
            false => Self {
                title: "wins",
                plural: "Wins",
                of_each: "The share of the games that each wins",
                of_all: " of the games",
                of: " of the games with a winner",
                that_it_wins: " of the games with a winner that it wins",
            },
            true => Self {
                title: "share of a win",
                plural: "Shares of a win",
                of_each: "The share of a win that each has",
                of_all: " of the games, ties shared",
                of: " of the games with a winner, ties shared",
                that_it_wins: " of a win that it has, where those who tie share it",
            },
        }
    }
}
