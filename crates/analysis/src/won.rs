//! What a policy wins with one seat at a table of another.
//!
//! Where those who tie share a win, its parts are counted: equals hardly ever win alone, so that the games that somebody
//! wins alone are those that the policy with one seat has won.

use stopwise_engine::game::{Metric, Seat};
use stopwise_engine::tally::{SeatTally, Tally};

use crate::binomial::mean_share_limits;
use crate::estimate::{Estimate, Level, Method};

/// The parts of wins that a seat has, and those of all seats.
pub fn parts_of(tally: &Tally, seat: Seat, metric: usize) -> (u64, u64) {
    let of = |seat: &SeatTally| -> u64 {
        seat.metrics[metric].iter().map(|(parts, games)| u64::from(parts) * games).sum()
    };
    (of(&tally.seats[seat]), tally.seats.iter().map(of).sum())
}

/// The parts of wins that the policy named for the first seat has, and those of all seats, over all rotations of a line-up.
pub fn parts(rotations: &[Tally], metric: usize) -> (u64, u64) {
    let of = |(seat, tally): (usize, &Tally)| parts_of(tally, seat, metric);
    rotations.iter().enumerate().map(of).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// The games that a seat won, with its shares of those that several won together, and the games with a winner.
pub fn of_seat(tally: &Tally, seat: Seat, metrics: &[Metric]) -> (f64, u64) {
    Metric::of_wins(metrics).map_or((0.0, 0), |at| in_games(parts_of(tally, seat, at), &metrics[at]))
}

/// The games that several seats won together.
pub fn tied(tally: &Tally, metrics: &[Metric]) -> u64 {
    let Some(at) = Metric::of_wins(metrics) else { return 0 };
    let (_, decided) = of_seat(tally, 0, metrics);
    let alone = |seat: &SeatTally| seat.metrics[at].count(metrics[at].whole());
    decided - tally.seats.iter().map(alone).sum::<u64>()
}

/// The games with a winner, if all seats won each of them together.
pub fn won_by_all(tally: &Tally, metrics: &[Metric]) -> Option<u64> {
    let at = Metric::of_wins(metrics).filter(|_| tally.seats.len() > 1)?;
    let (_, decided) = of_seat(tally, 0, metrics);
    let has_part = |seat: &SeatTally| seat.metrics[at].total() - seat.metrics[at].count(0);
    let all = tally.seats.iter().all(|seat| has_part(seat) == decided);
    (all && decided > 0).then_some(decided)
}

/// Parts as games: those that the policy won, with its shares of others, and those with a winner.
pub fn in_games((own, all): (u64, u64), metric: &Metric) -> (f64, u64) {
    (own as f64 / f64::from(metric.whole()), all / u64::from(metric.whole()))
}

/// The share of the games with a winner that the policy won; `None` if there is none.
///
/// Over rotations the count is a sum of binomials with different chances, and the exact interval covers at least as
/// often (see [`seats`](crate::seats)); shares of a game vary less than whole games of the same mean.
pub fn wins_at((wins, decided): (f64, u64), level: Level) -> Option<Estimate> {
    let value = wins / decided as f64;
    let interval = Some(mean_share_limits(wins, decided, level));
    (decided > 0).then_some(Estimate { value, interval, method: Method::Exact, level })
}

#[cfg(test)]
mod tests {
    use stopwise_engine::game::Role;
    use stopwise_engine::tally::Histogram;

    use super::*;

    /// Twelve parts are a win. Of ten games three seats share four, two share two, of which the policy is one of the two in
    /// the first only, and it wins one alone, another one; two have no winner: 4 · 4 + 6 + 12 = 34 parts of 8 games.
    #[test]
    fn a_tie_is_shared() {
        let seat = |values: &[(u32, u64)]| {
            let mut share = Histogram::default();
            values.iter().for_each(|&(parts, games)| share.add_many(parts, games));
            SeatTally { metrics: vec![share], busts: Histogram::default() }
        };
        let own = seat(&[(4, 4), (6, 1), (12, 1), (0, 4)]);
        let second = seat(&[(4, 4), (6, 2), (12, 1), (0, 3)]);
        let third = seat(&[(4, 4), (6, 1), (0, 5)]);
        let tally = Tally {
            trials: 10,
            endings: Vec::new(),
            first: (0, 0),
            lengths: Histogram::default(),
            seats: vec![own, second, third],
        };
        let metric = Metric { role: Role::Share(12), ..Metric::end("share", "1/12 games", "a share") };
        let metrics = [metric];
        assert_eq!((tied(&tally, &metrics), won_by_all(&tally, &metrics)), (6, None));
        let all = Tally { trials: 4, seats: vec![seat(&[(4, 3), (0, 1)]); 3], ..tally.clone() };
        assert_eq!((tied(&all, &metrics), won_by_all(&all, &metrics)), (3, Some(3)));
        let counted = parts(&[tally], 0);
        assert_eq!(counted, (34, 96));
        let (wins, decided) = in_games(counted, &metric);
        assert!((wins - 34.0 / 12.0).abs() < 1e-12 && decided == 8);
        let found = wins_at((wins, decided), Level::SINGLE).expect("games");
        assert!((found.value - 34.0 / 96.0).abs() < 1e-12);
        assert!(found.interval.is_some_and(|limits| limits.low < 0.25 && limits.high > 0.375));
    }
}
