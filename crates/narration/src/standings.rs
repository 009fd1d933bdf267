//! How a game came out: who has won and by what, in a sentence, and which metrics say more than that.

use stopwise_engine::game::{Better, MAX_METRICS, Metric, Role, Seat, Source};
use stopwise_engine::vocabulary::{in_units, listed};

/// What each seat came to.
pub(crate) struct Standings<'r> {
    pub(crate) metrics: &'r [Metric],
    /// Those of each seat, in the order of `metrics`.
    pub(crate) values: &'r [[u32; MAX_METRICS]],
    /// The policy of each seat.
    pub(crate) labels: &'r [String],
    /// The seat of the person to whom it is said.
    pub(crate) you: Option<Seat>,
}

impl Standings<'_> {
    /// The sentence; nothing of a game for one in which nobody is spoken to.
    pub(crate) fn said(&self) -> Option<String> {
        if let [only] = self.values {
            let first = self.metrics.first()?;
            return self
                .you
                .map(|_| format!("Your {}: {}", first.name, in_units(&only[0].to_string(), first.unit)));
        }
        let won = self.winners();
        let others: Vec<String> = won
            .iter()
            .filter(|seat| Some(**seat) != self.you)
            .map(|&seat| format!("seat {} ({})", seat + 1, self.labels[seat]))
            .collect();
        let others = listed(&others, "and");
        let said = match (self.you, won.len()) {
            (_, 0) => return Some("Nobody has won".into()),
            (Some(you), 1) if won[0] == you => "You have won".into(),
            (Some(you), _) if won.contains(&you) => format!("You have won, together with {others}"),
            (Some(_), _) => format!("You have lost to {others}"),
            (None, 1) => format!("S{} has won", &others[1..]),
            (None, _) => format!("S{} have won together", &others[1..]),
        };
        Some(match self.decisive() {
            None => said,
            Some(metric) => format!("{said}: {}", self.by(metric, &won)),
        })
    }

    /// The metrics that say more than the sentence, by their places: whatever happened to somebody.
    pub(crate) fn telling(&self) -> Vec<usize> {
        let said = if self.values.len() > 1 { self.decisive() } else { self.you.map(|_| 0) };
        let says_more = |&at: &usize| {
            let is_same = |other: usize| {
                self.metrics[at].unit == self.metrics[other].unit
                    && self.values.iter().all(|values| values[at] == values[other])
            };
            let happened = self.values.iter().any(|values| values[at] > 0);
            let is_score = at == 0 && said.is_none();
            !self.metrics[at].is_won() && !said.is_some_and(is_same) && (happened || is_score)
        };
        (0..self.metrics.len()).filter(says_more).collect()
    }

    /// Those who have a part in the win.
    fn winners(&self) -> Vec<Seat> {
        let won = Metric::of_wins(self.metrics);
        let has_won = |&seat: &Seat| won.is_some_and(|at| self.values[seat][at] > 0);
        (0..self.values.len()).filter(has_won).collect()
    }

    /// The first amount of the end of which every winner has as much, and every other seat less.
    fn decisive(&self) -> Option<usize> {
        let won = self.winners();
        let first = *won.first()?;
        let decides = |&at: &usize| {
            let metric = &self.metrics[at];
            let of = |seat: Seat| self.values[seat][at];
            let is_beaten = |seat: Seat| match metric.better {
                Better::Higher => of(seat) < of(first),
                Better::Lower => of(seat) > of(first),
            };
            let is_amount =
                metric.role == Role::Amount && metric.source == Source::End && metric.unit != "games";
            is_amount
                && (0..self.values.len()).all(|seat| match won.contains(&seat) {
                    true => of(seat) == of(first),
                    false => is_beaten(seat),
                })
        };
        (0..self.metrics.len()).find(decides)
    }

    /// "100 points to 83": the number of who is spoken to, or of who has won, comes first.
    fn by(&self, metric: usize, won: &[Seat]) -> String {
        let of = |seat: Seat| self.values[seat][metric].to_string();
        let with_unit = |seat: Seat| in_units(&of(seat), self.metrics[metric].unit);
        let has_lost = self.you.filter(|you| !won.contains(you));
        let beaten: Vec<String> = (0..self.values.len()).filter(|seat| !won.contains(seat)).map(of).collect();
        match has_lost {
            Some(you) => format!("{} to {}", with_unit(you), of(won[0])),
            None if beaten.is_empty() => format!("{} each", with_unit(won[0])),
            None => format!("{} to {}", with_unit(won[0]), listed(&beaten, "and")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const METRICS: [Metric; 4] = [
        Metric::WIN,
        Metric { role: Role::Share(6), ..Metric::end("share", "1/6 games", "a share") },
        Metric::end("tie_break", "games", "a tie-break"),
        Metric::end("points", "points", "points at the end"),
    ];

    fn said(points: &[u32], you: Option<Seat>) -> String {
        let most = points.iter().max().expect("seats");
        let many = points.iter().filter(|points| *points == most).count();
        let values: Vec<_> = points
            .iter()
            .map(|points| {
                let mut values = [0; MAX_METRICS];
                values[0] = u32::from(points == most && many == 1);
                values[1] = if points == most { 6 / u32::try_from(many).expect("few") } else { 0 };
                values[3] = *points;
                values
            })
            .collect();
        let labels: Vec<String> =
            ["hold", "chase", "last"][..points.len()].iter().map(|name| (*name).into()).collect();
        let result = Standings { metrics: &METRICS, values: &values, labels: &labels, you };
        assert_eq!(result.telling(), [0; 0]);
        result.said().expect("a sentence")
    }

    #[test]
    fn who_won_and_by_what() {
        assert_eq!(said(&[83, 101], Some(0)), "You have lost to seat 2 (chase): 83 points to 101");
        assert_eq!(said(&[83, 101], Some(1)), "You have won: 101 points to 83");
        assert_eq!(said(&[83, 101], None), "Seat 2 (chase) has won: 101 points to 83");
        assert_eq!(said(&[9, 7, 8], None), "Seat 1 (hold) has won: 9 points to 7 and 8");
        assert_eq!(said(&[9, 9, 8], Some(0)), "You have won, together with seat 2 (chase): 9 points to 8");
        assert_eq!(
            said(&[9, 9, 8], Some(2)),
            "You have lost to seat 1 (hold) and seat 2 (chase): 8 points to 9"
        );
        assert_eq!(said(&[1, 0], None), "Seat 1 (hold) has won: 1 point to 0");
        assert_eq!(said(&[9, 9], None), "Seat 1 (hold) and seat 2 (chase) have won together: 9 points each");
    }

    #[test]
    fn alone_the_score_is_said() {
        let metrics = [
            Metric::end("score", "points", "the score"),
            Metric::end("upper", "points", "of a part"),
            Metric::end("points", "points", "the same"),
        ];
        let mut values = [[0; MAX_METRICS]];
        values[0][..3].copy_from_slice(&[87, 34, 87]);
        let result = |you| Standings { metrics: &metrics, values: &values, labels: &[], you };
        assert_eq!(result(Some(0)).said(), Some("Your score: 87 points".into()));
        assert_eq!(result(Some(0)).telling(), [1]);
        assert_eq!((result(None).said(), result(None).telling()), (None, vec![0, 1, 2]));
    }
}
