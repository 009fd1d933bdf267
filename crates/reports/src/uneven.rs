//! Games for several that nobody wins, or that end early, where settings are known to differ in how many they are: what a seat
//! wins does not say it.

use stopwise_analysis::binomial::share_limits;
use stopwise_analysis::estimate::Level;
use stopwise_analysis::won::of_seat;
use stopwise_engine::game::{Ending, Metric};
use stopwise_engine::tally::Tally;

use crate::cap;
use crate::words::percent;

/// How many games of a setting there are, and how many of them nobody wins and end early.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Left {
    games: u64,
    unwon: u64,
    early: u64,
}

impl Left {
    /// Of a tally; of a game for one there are none.
    pub(crate) fn of(metrics: &[Metric], endings: &[Ending], tally: &Tally) -> Self {
        if tally.seats.len() < 2 || Metric::of_wins(metrics).is_none() {
            return Self::default();
        }
        let (_, won) = of_seat(tally, 0, metrics);
        let early = endings.iter().zip(&tally.endings).filter(|(ending, _)| ending.early);
        Self { games: tally.trials, unwon: tally.trials - won, early: early.map(|(_, count)| count).sum() }
    }
}

/// In what settings differ, each in a sentence that says where they are most and where least: `at goal=8`.
pub(crate) fn told(settings: &[Left], place: impl Fn(usize) -> String) -> Vec<String> {
    let told = |count: fn(&Left) -> u64, what: fn(String) -> String| {
        let shares: Vec<_> = settings.iter().map(|left| (count(left), left.games)).collect();
        let [most, least] = ends(&shares)?;
        let share = |at: usize| percent(shares[at].0 as f64 / shares[at].1.max(1) as f64);
        Some(format!("{} {}, and {} {}.", what(share(most)), place(most), share(least), place(least)))
    };
    let all = [
        told(|left| left.unwon, |share| format!("Nobody wins {share} of the games")),
        told(|left| left.early, |share| format!("{share} of the games end early")),
    ];
    all.into_iter().flatten().collect()
}

/// Where a share is greatest and where it is least, if it is told and known to differ (95 %, all settings together).
fn ends(shares: &[(u64, u64)]) -> Option<[usize; 2]> {
    let level = Level::SINGLE.among(shares.len());
    let limits: Vec<_> = shares.iter().map(|&(count, games)| share_limits(count, games, level)).collect();
    let all = || 0..shares.len();
    let share = |at: &usize| shares[*at].0 as f64 / shares[*at].1.max(1) as f64;
    let most = all().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let least = all().min_by(|a, b| share(a).total_cmp(&share(b)))?;
    let (count, games) = shares[most];
    (cap::is_told(count, games) && limits[most].low > limits[least].high).then_some([most, least])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(games: u64, unwon: u64, early: u64) -> Left {
        Left { games, unwon, early }
    }

    fn said(settings: &[Left]) -> Vec<String> {
        told(settings, |at| format!("at goal={}", 8 + 4 * at))
    }

    #[test]
    fn what_differs_and_is_a_hundredth_or_more_is_told() {
        let found = said(&[left(2000, 0, 0), left(2000, 10, 0), left(2000, 85, 83)]);
        let wanted = [
            "Nobody wins 4.25 % of the games at goal=16, and 0.00 % at goal=8.",
            "4.15 % of the games end early at goal=16, and 0.00 % at goal=8.",
        ];
        assert_eq!(found, wanted);
        for same in [
            &[left(2000, 80, 0), left(2000, 85, 0)][..], // nothing that is known to differ
            &[left(2_000_000, 10, 0), left(2_000_000, 9_000, 0)], // too few
            &[left(0, 0, 0), left(0, 0, 0)],
            &[left(2000, 85, 0)],
        ] {
            assert!(said(same).is_empty());
        }
    }
}
