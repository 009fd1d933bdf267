//! Games that a cap on their turns cuts off. They are told before anything else: means and wins are then more about the
//! cap than about the game.

use stopwise_engine::game::Ending;

use crate::words::percent;

/// From this share of the games on the cap is told first.
const TOLD: f64 = 0.01;

/// The games that end at a cap, of counts in the order of the endings.
pub(crate) fn capped(endings: &[Ending], counts: &[u64]) -> u64 {
    endings.iter().zip(counts).filter(|(ending, _)| ending.cap).map(|(_, count)| count).sum()
}

/// Whether so many games of so many are told first.
pub(crate) fn is_told(capped: u64, games: u64) -> bool {
    capped as f64 >= TOLD * games.max(1) as f64 && capped > 0
}

/// The exact share of the games that end at a cap, of probabilities in the order of the endings, if it is told first.
pub(crate) fn exact_share(endings: &[Ending], shares: &[f64]) -> Option<String> {
    let capped = endings.iter().zip(shares).filter(|(ending, _)| ending.cap).map(|(_, share)| share);
    Some(capped.sum::<f64>()).filter(|&share| share >= TOLD).map(percent)
}

/// The share of the games that end at a cap, if it is told first.
pub(crate) fn share(capped: u64, games: u64) -> Option<String> {
    is_told(capped, games).then(|| percent(capped as f64 / games.max(1) as f64))
}

/// What the cap is of, which may be of the rolls of one turn as well.
pub(crate) fn name(endings: &[Ending]) -> &'static str {
    let cap = endings.iter().find(|ending| ending.cap);
    cap.and_then(|cap| cap.meaning.strip_suffix(" was reached")).unwrap_or("the turn cap")
}

/// What is to be thought of them.
pub(crate) const WHY: &str = "The cap is too low for such games, a policy never stops, or the rules are stuck: `stopwise policy check` plays some games and says where.";

#[cfg(test)]
mod tests {
    use super::*;

    const ENDINGS: [Ending; 2] = [Ending::regular("goal", "somebody reached the goal"), Ending::CAPPED];

    #[test]
    fn the_cap_is_called_what_it_is_of() {
        let of_both =
            Ending { meaning: "the cap on turns, or on the rolls of a turn, was reached", ..Ending::CAPPED };
        assert_eq!((name(&ENDINGS), name(&[])), ("the turn cap", "the turn cap"));
        assert_eq!(name(&[of_both]), "the cap on turns, or on the rolls of a turn,");
    }

    #[test]
    fn a_hundredth_of_the_games_is_told() {
        assert_eq!(capped(&ENDINGS, &[90, 10]), 10);
        assert_eq!(share(10, 100), Some("10.00 %".to_owned()));
        assert_eq!((share(1, 100).is_some(), share(9, 1000)), (true, None));
        assert_eq!((share(0, 0), exact_share(&ENDINGS, &[0.995, 0.005])), (None, None));
        assert_eq!(exact_share(&ENDINGS, &[0.5, 0.5]), Some("50.00 %".to_owned()));
    }
}
