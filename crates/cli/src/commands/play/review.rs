//! The review after a game: the dearest decisions, and how much was luck.

use std::fmt::Write as _;

use stopwise_engine::game::Better;
use stopwise_narration::{Outcome, grouped};
use stopwise_reports::advise::{AdviseReport, Origin};
use stopwise_reports::one_label;

use super::table::{Step, Table};
use crate::advice::Advisor;
use crate::failure::Failure;
use crate::session::Session;

/// So many decisions are listed.
const LISTED: usize = 5;

/// A decision, judged.
struct Judged<'s> {
    step: &'s Step,
    found: AdviseReport,
}

impl Judged<'_> {
    /// What it cost, if that is certain.
    fn cost(&self) -> f64 {
        let Some(loss) = self.found.values.get(self.step.choice).and_then(|value| value.loss) else {
            return 0.0;
        };
        let is_certain = matches!(self.found.origin, Origin::Exact { .. }) || loss.is_above(0.0);
        if is_certain { loss.value } else { 0.0 }
    }

    fn is_exact(&self) -> bool {
        matches!(self.found.origin, Origin::Exact { .. })
    }
}

/// The review of a game, as far as it has been played; `larger` says how games are solved that are not by themselves.
pub(crate) fn review(
    session: &Session,
    table: &Table,
    advisor: &Advisor,
    outcome: Option<&Outcome>,
    larger: &str,
) -> Result<String, Failure> {
    let steps = table.steps();
    let judge = |step| -> Result<Judged<'_>, Failure> {
        let step: &Step = step;
        let asked = advisor.asked(&step.position)?;
        Ok(Judged { step, found: advisor.advise(session, asked)? })
    };
    let own = steps.iter().filter(|step| step.seat == table.seat()).map(judge);
    let own: Vec<Judged<'_>> = own.collect::<Result<_, _>>()?;
    let mut said = decisions(&own);
    let is_solved = own.iter().all(Judged::is_exact);
    if let Some(outcome) = outcome.filter(|_| is_solved) {
        let others = steps.iter().filter(|step| step.seat != table.seat()).map(judge);
        let others: Vec<Judged<'_>> = others.collect::<Result<_, _>>()?;
        said += &luck(table, advisor, outcome, &own, &others);
    } else if outcome.is_some() {
        let _ = writeln!(said, "\nHow much was luck is told of games that are solved{larger}.");
    }
    Ok(said)
}

/// An amount of the metric, without its sign.
fn amount(found: &AdviseReport, value: f64) -> String {
    let is_exact = matches!(found.origin, Origin::Exact { .. });
    let value = value.abs();
    match (found.metric.is_win(), is_exact) {
        (true, true) => format!("{:.2} percentage points", 100.0 * value),
        (true, false) => format!("about {:.0} percentage points", 100.0 * value),
        (false, true) => format!("{value:.3} {}", found.metric.unit),
        (false, false) => format!("about {value:.0} {}", found.metric.unit),
    }
}

fn decisions(own: &[Judged<'_>]) -> String {
    let mut said = String::from("\nYour decisions\n");
    let costs: f64 = own.iter().map(Judged::cost).sum();
    let mut dear: Vec<&Judged<'_>> = own.iter().filter(|judged| judged.cost() > 0.0).collect();
    let how = match own.first().map(|judged| &judged.found.origin) {
        Some(Origin::Played { trials, labels, .. }) => {
            let games = grouped(*trials);
            format!(" (by {games} games of each choice, in which {} plays on)", one_label(labels))
        }
        _ => String::new(),
    };
    let one = |many: usize| if many == 1 { "decision" } else { "decisions" };
    let _ = match (own.first(), dear.len()) {
        (None, _) => writeln!(said, "  You had nothing to decide."),
        (Some(first), 0) => {
            let none = match first.is_exact() {
                true => "none could have been better",
                false => "none is shown to be worse than another",
            };
            writeln!(said, "  {} {}, of which {none}{how}.", own.len(), one(own.len()))
        }
        (Some(first), many) => writeln!(
            said,
            "  {} {}, of which {} could have been better; together they cost {}{how}.",
            own.len(),
            one(own.len()),
            many,
            amount(&first.found, costs)
        ),
    };
    dear.sort_by(|a, b| b.cost().total_cmp(&a.cost()));
    for judged in dear.iter().take(LISTED) {
        let best = &judged.found.asked.choices[judged.found.best].name;
        let places = judged.found.asked.places.iter().filter(|(_, what)| what.chars().count() < 40);
        let places: Vec<String> = places.map(|(place, what)| format!("{place} {what}")).collect();
        let _ = writeln!(
            said,
            "  turn {}: “{}” instead of “{best}” cost {}\n      {}",
            judged.step.turn,
            judged.found.asked.choices[judged.step.choice].name,
            amount(&judged.found, judged.cost()),
            places.join(" · ")
        );
    }
    said
}

/// What was due to the dice: what is left of the result when the start's value and all decisions are taken away.
fn luck(
    table: &Table,
    advisor: &Advisor,
    outcome: &Outcome,
    own: &[Judged<'_>],
    others: &[Judged<'_>],
) -> String {
    let (Some(first), Some(start)) = (own.first(), advisor.value()) else { return String::new() };
    let metric = first.found.metric;
    let Some(result) = outcome.seats[table.seat()]["metrics"][metric.name].as_f64() else {
        return String::new();
    };
    let start = if table.seat() > 0 && metric.is_win() { 1.0 - start } else { start };
    let cost = |judged: &[Judged<'_>]| judged.iter().map(Judged::cost).sum::<f64>();
    let (lost, given) = (cost(own), cost(others));
    let sign = if metric.better == Better::Higher { 1.0 } else { -1.0 };
    let dice = sign * (result - start) + lost - given;
    let value = |value: f64| match metric.is_win() {
        true => format!("wins {:.2} % of such games", 100.0 * value),
        false => format!("comes to {value:.3} {} in the mean", metric.unit),
    };
    let mut said = String::from("\nLuck\n");
    let _ = write!(said, "  Before the first roll, best play {}. ", value(start));
    let of_others = match others.is_empty() {
        true => String::new(),
        false => format!(", your opponents' gave you {}", amount(&first.found, given)),
    };
    let _ = writeln!(
        said,
        "Your decisions cost {}{of_others}; the dice {} {}.",
        amount(&first.found, lost),
        if dice >= 0.0 { "gave you" } else { "cost you" },
        amount(&first.found, dice)
    );
    said
}
