//! How much of a game was luck: exactly where it is solved, else by games that are played on.

use std::fmt::Write as _;

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::luck::Luck;
use stopwise_engine::game::{Better, Metric};
use stopwise_narration::Outcome;
use stopwise_reports::advise::{AdviseReport, Origin};
use stopwise_reports::one_label;

use super::judged::Judged;
use super::table::PlayedGame;
use crate::advice::Advisor;

/// What the person came to.
fn result(table: &PlayedGame, outcome: &Outcome, metric: Metric) -> Option<u32> {
    let at = table.rules().metrics().iter().position(|other| *other == metric)?;
    Some(outcome.values[table.seat()][at])
}

/// What was due to chance: the result less the value of the start and what all decisions cost.
pub(super) fn exact(
    table: &PlayedGame,
    advisor: &Advisor,
    outcome: &Outcome,
    [own, others]: [&[Judged<'_>]; 2],
) -> String {
    let (Some(first), Some(start)) = (own.first(), advisor.value()) else { return String::new() };
    let metric = first.found.metric;
    let Some(result) = result(table, outcome, metric) else { return String::new() };
    let result = f64::from(result);
    let whole = f64::from(metric.whole());
    let start = if table.seat() > 0 && metric.is_won() { whole - start } else { start };
    let cost = |judged: &[Judged<'_>]| judged.iter().map(Judged::cost).sum::<f64>();
    let (lost, given) = (cost(own), cost(others));
    let sign = if metric.better == Better::Higher { 1.0 } else { -1.0 };
    let dice = sign * (result - start) + lost - given;
    let value = |value: f64| match metric.is_won() {
        true => {
            let shared = if metric.is_share() { ", ties shared" } else { "" };
            format!("wins {:.2} % of such games{shared}", 100.0 * value / whole)
        }
        false => format!("comes to {value:.3} {} in the mean", metric.unit),
    };
    let mut said = String::from("\nLuck\n");
    let _ = write!(said, "  Before the first roll, best play {}. ", value(start));
    let of_others = match others.is_empty() {
        true => String::new(),
        false => format!(", your opponents' gave you {}", first.amount(given)),
    };
    let _ = writeln!(
        said,
        "Your decisions cost {}{of_others}; chance {} {}.",
        first.amount(lost),
        if dice >= 0.0 { "gave you" } else { "cost you" },
        first.amount(dice)
    );
    said
}

/// The same by games that are played on, by the same policies after every decision.
pub(super) fn sampled(table: &PlayedGame, outcome: &Outcome, found: &AdviseReport, sampled: &Luck) -> String {
    let (Origin::Played { labels, .. }, Some(start), Some(dice)) = (
        &found.origin,
        sampled.start(),
        result(table, outcome, found.metric).and_then(|result| sampled.of_chance(result)),
    ) else {
        return String::new();
    };
    // "gave you", without a sign.
    let gave = |what: Estimate| {
        let is_good = (what.value >= 0.0) == (found.metric.better == Better::Higher);
        let size = if what.value < 0.0 { what.negated() } else { what };
        format!("{} you {}", if is_good { "gave" } else { "cost" }, found.amount(size))
    };
    let value = match found.metric.is_win() {
        true => format!("you win {} of such games", found.value(start)),
        false if found.metric.is_share() => format!("your share of such games is {}", found.value(start)),
        false => format!("such games come to {} {} in the mean", found.value(start), found.metric.unit),
    };
    let own = match sampled.of_decisions() {
        None => "You answered as it does".into(),
        Some(given) => format!("Where you answered otherwise, that {}", gave(given)),
    };
    let policy = one_label(labels);
    let differs = match sampled.of_decisions() {
        None => String::new(),
        Some(_) => format!(
            "\n  This measures your answers against those of {policy}, gains and costs together. The costs of decisions above are \
             against the best answer, and only those that are certain: the two need not agree."
        ),
    };
    format!(
        "\nLuck\n  With {policy} behind every decision, {value}. {own}; chance {}. ± is a 95 % interval.{differs}\n",
        gave(dice)
    )
}
