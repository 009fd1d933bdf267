//! Numbers, intervals and line-ups as text, and the limits of intervals for tables.

use stopwise_analysis::estimate::Interval;
use stopwise_document::Real;
use stopwise_engine::game::Metric;
use stopwise_engine::vocabulary::listed;
use stopwise_narration::{grouped, spoken, trials};

use super::numbers::{PERCENT, POINTS};

/// What the column `game` means, in every file.
pub(super) const GAME: &str = "the game";
/// What the column `rules` means.
pub(super) const RULES: &str = "the preset or file, with every option that was changed";

/// A warning if intervals of means rest on less than a thousand trials, a number that was fixed beforehand.
pub(super) fn few_trials(number: u64) -> Option<String> {
    let said = || {
        format!(
            "Only {}: the intervals of means are Student's, which hold for values that are about normal, or some thousands \
             of them. Use --trials 100k.",
            trials(number)
        )
    };
    (number < 1_000).then(said)
}

/// A line-up in one cell: one label if all seats have the same, otherwise one per seat.
pub fn one_label(labels: &[String]) -> String {
    match labels.split_first() {
        Some((first, rest)) if rest.iter().all(|label| label == first) => first.clone(),
        _ => labels.join(" / "),
    }
}

/// What is measured, with its unit; points are not in points.
pub(super) fn with_unit(name: &str, unit: &str) -> String {
    if name == unit { name.to_owned() } else { format!("{name} ({unit})") }
}

/// What is said of a metric that had the same value in every trial, so that nothing differs in it: of an amount, and not after
/// few trials, in which that may be chance.
pub(crate) fn always(metric: &Metric, value: f64, trials: u64) -> Option<String> {
    let is_told = !metric.is_won() && few_trials(trials).is_none();
    let what = with_unit(metric.word(), metric.unit);
    is_told.then(|| {
        format!("In all {} {what} is {value}: name another `--metric`.", stopwise_narration::trials(trials))
    })
}

/// All of so many: `Both settings`, `All 3 settings`.
pub(crate) fn all(count: usize, what: &str) -> String {
    if count == 2 { format!("Both {what}") } else { format!("All {} {what}", grouped(count as u64)) }
}

/// What is measured, at the head of a picture: `Knights kept`, of `knights_kept`.
pub(super) fn title(name: &str, unit: &str) -> String {
    capital(&with_unit(&spoken(name), unit))
}

/// The text with a capital at its head.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The text with a capital at its head, unless that is the name of a policy.
pub(super) fn headed(text: String) -> String {
    if text.starts_with("seat ") { capital(&text) } else { text }
}

/// A share from 0 to 1 in per cent, with two decimals: `12.30 %`.
pub(super) fn percent(share: f64) -> String {
    PERCENT.number(share)
}

/// A difference of two shares in percentage points, with its sign and two decimals: `+1.20`.
pub(super) fn points(difference: f64) -> String {
    POINTS.number(difference)
}

/// Both limits, for tables, rounded outwards; `None` where nothing is known, or nothing bounds the value.
pub(super) fn limits(interval: Option<Interval>, real: impl Fn(f64) -> Real) -> [Option<Real>; 2] {
    let limits = [interval.map(|interval| interval.low), interval.map(|interval| interval.high)];
    let [low, high] = limits.map(|limit| limit.filter(|limit| limit.is_finite()).map(&real));
    [low.map(Real::down), high.map(Real::up)]
}

/// Both limits, for charts.
pub(super) fn pair(interval: Option<Interval>) -> Option<[f64; 2]> {
    interval.map(|interval| [interval.low, interval.high])
}

/// Up to `most` of some names, with what stands between two, and how many more there are.
pub(crate) fn some<N: AsRef<str>>(names: &[N], most: usize, between: &str) -> String {
    let named = names.iter().take(most).map(AsRef::as_ref).collect::<Vec<_>>().join(between);
    match names.len().saturating_sub(most) {
        0 => named,
        more => format!("{named} and {} more", grouped(more as u64)),
    }
}

/// Some names in a sentence, with the word before the last, as far as it has room: `a, b or c`.
pub(crate) fn listing<N: AsRef<str>>(names: &[N], most: usize, last: &str) -> String {
    if names.len() > most { some(names, most, ", ") } else { listed(names, last) }
}

/// A share of games or trials that is an upper limit, as `1 of n` if it is too small for per cent.
pub(crate) fn at_most(share: f64, of: &str) -> String {
    match share >= 1e-3 {
        true => format!("{} of the {of}", PERCENT.up(share)),
        false => format!("1 of {:.0} {of}", (1.0 / share).floor()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_names_some_are_said() {
        assert_eq!(some(&["a", "b"], 2, " · "), "a · b");
        assert_eq!(some(&["a", "b", "c", "d"], 2, ", "), "a, b and 2 more");
    }

    #[test]
    fn small_shares_are_one_of_so_many() {
        let most = [0.25, 0.001_229, 0.0003, 1e-6].map(|share| at_most(share, "games"));
        let wanted = ["25.00 % of the games", "0.13 % of the games", "1 of 3333 games", "1 of 1000000 games"];
        assert_eq!(most, wanted);
    }
}
