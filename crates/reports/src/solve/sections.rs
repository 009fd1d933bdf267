//! The tables and sentences of exact values.

use stopwise_document::{Report, Section, View};
use stopwise_engine::game::{Better, Metric, Role, Source};
use stopwise_engine::vocabulary::listed;
use stopwise_narration::{counted, grouped};

use super::losses::NOTHING;
use super::{SolveReport, Worth, against_best, charts, frequency, hold_at, losses, surface};
use crate::cap;
use crate::numbers::{as_read, of_differences};
use crate::words::with_unit;

/// The values of a distribution are listed up to so many.
const VALUES: usize = 12;

/// Adds the answer and all sections.
pub(super) fn sections(report: &mut Report, solved: &SolveReport) {
    report.answer = answer(solved);
    report.section(best(solved));
    // What is asked for stands before what is told anyway.
    if let Some(table) = &solved.table {
        report.section(if table.is_from { hold_at::section(table) } else { table.section() });
    }
    if let Some(chart) = surface::chart(solved).or_else(|| frequency::chart(solved)) {
        let mut section = Section::default();
        section.chart(chart);
        report.section(section);
    }
    for worth in &solved.worths {
        report.section(policy(solved, worth));
    }
    if let Some(chart) = against_best::chart(solved) {
        let mut section = Section::default();
        section.chart(chart);
        report.section(section);
    }
    if let Some(chart) = charts::distributions(solved) {
        let mut section = Section::default();
        section.chart(chart);
        report.section(section);
    }
    report.section(super::positions::section(solved));
}

/// The sentences.
pub(super) fn answer(solved: &SolveReport) -> Vec<String> {
    let metric = solved.about();
    let mut said: Vec<_> = solved.worths.iter().filter_map(|worth| capped(solved, worth)).collect();
    if let Some(best) = &solved.best {
        let name = metric.word();
        let start =
            if solved.kinds.is_empty() { "Nobody decides anything: a game has" } else { "Best play has" };
        said.push(match solved.seats {
            2 => both(solved, best.value),
            _ if name == metric.unit => format!("{start} a mean of {:.6} {name}.", best.value),
            // What a game has or not.
            _ if metric.unit == "games" => {
                format!("{start} a mean {name} of {:.6} a game.", best.value)
            }
            _ => format!("{start} a mean {name} of {:.6} {}.", best.value, metric.unit),
        });
    }
    if let Some(best) = solved.best.as_ref().filter(|_| solved.is_always_the_same()) {
        // Those of the end before those that are counted on the way.
        let others = |of_end: bool| {
            let is_other = move |other: &&Metric| {
                other.source != metric.source && (other.source == Source::End) == of_end
            };
            solved.metrics.iter().filter(is_other).map(|other| format!("`{}`", other.name))
        };
        let others: Vec<_> = others(true).chain(others(false)).collect();
        let other = match &others[..] {
            [] => String::new(),
            others => format!(": name another `--metric`, {}", listed(others, "or")),
        };
        let what = with_unit(metric.word(), metric.unit);
        said.push(format!("However it is played, {what} is {:.0}{other}.", best.value));
        return said;
    }
    if solved.best.is_none() && metric.is_won() {
        said.extend(solved.worths.iter().filter_map(|worth| of_seats(solved, worth)));
    }
    said.extend(solved.worths.iter().filter_map(|worth| replied(solved, worth)));
    let (scale, unit) = of_differences(&metric);
    for worth in solved.worths.iter().filter(|_| !solved.kinds.is_empty()) {
        let Some(regret) = worth.regret else { continue };
        let against = if solved.seats == 2 { " against its best opponent" } else { "" };
        let at_second = worth.against_best.get(1).map_or(0.0, |second| second.regret);
        said.push(if regret.abs() < NOTHING && at_second > NOTHING {
            format!(
                "{} is best play in the first seat{against}; in the second it is {:.6} {unit} worse than best play.",
                worth.label,
                scale * at_second
            )
        } else if regret.abs() < NOTHING {
            format!("{} is best play{against}.", worth.label)
        } else {
            format!("{} is {:.6} {unit} worse{against}.", worth.label, scale * regret)
        });
    }
    said
}

/// What both seats have with best play. What is left of the first one's wins is the second's, but for ties, if there are any.
fn both(solved: &SolveReport, value: f64) -> String {
    let metric = solved.about();
    let start = match &*solved.kinds {
        [] => "Nobody decides anything: the first seat",
        _ => "With best play on both sides the first seat",
    };
    let (share, rest) = (100.0 * value, 100.0 - 100.0 * value);
    let nobody = if solved.is_always_won { "" } else { ", and games that nobody wins" };
    match metric.role {
        Role::Win if solved.metrics.iter().any(Metric::is_share) => format!(
            "{start} wins {share:.6} % of the games; the other {rest:.6} % are wins of the second seat and ties{nobody}."
        ),
        Role::Win | Role::Share(_) => {
            let share = solved.read(share);
            let (rest, tied) = (100.0 - share, if metric.is_share() { ", ties shared" } else { "" });
            match solved.is_always_won {
                true => format!(
                    "{start} wins {share:.6} % of the games{tied}, and the second seat the other {rest:.6} %."
                ),
                false => format!(
                    "{start} wins {share:.6} % of the games{tied}; the other {rest:.6} % are wins of the second seat{nobody}."
                ),
            }
        }
        _ => {
            let [own, other] = match metric.better {
                Better::Higher => ["most", "least"],
                Better::Lower => ["least", "most"],
            };
            format!(
                "The first seat has {value:.6} {} in the mean ({}), where it plays for the {own} of it, and the second seat \
                 for its having the {other}.",
                metric.unit,
                metric.word()
            )
        }
    }
}

/// Shares of wins that differ by less are those of games without ties: less than the rounding of sums is seen.
const TIED: f64 = 1e-9;

/// What the best reply to a policy wins in each of two seats.
fn replied(solved: &SolveReport, worth: &Worth) -> Option<String> {
    let (metric, first) = (solved.about(), worth.reply?);
    let [first, second] = [first, worth.value].map(|value| 100.0 * solved.read(value));
    let shared = if metric.is_share() { ", ties shared" } else { "" };
    metric.is_won().then(|| {
        format!(
            "The best reply to {} wins {first:.6} % of the games from seat 1{shared}; from seat 2 it leaves seat 1 {second:.6} %.",
            worth.label
        )
    })
}

/// What every seat wins with the same policy in all of them.
fn of_seats(solved: &SolveReport, worth: &Worth) -> Option<String> {
    let means = &worth.alone.as_ref()?.means;
    // Where nobody ties, the share of a win that a seat has is how often it wins.
    let win = solved.metrics.iter().position(Metric::is_win);
    let is_tied = |means: &Vec<f64>| {
        let share = solved.read(means[solved.metric]);
        solved.about().is_share() && win.is_none_or(|win| (share - means[win]).abs() > TIED)
    };
    let shared = if means.iter().any(is_tied) { ", ties shared" } else { "" };
    let share = |(seat, means): (usize, &Vec<f64>)| {
        let share = format!("{:.6} %", 100.0 * solved.read(means[solved.metric]));
        match seat {
            0 => format!("seat 1 wins {share} of the games"),
            _ => format!("seat {} {share}", seat + 1),
        }
    };
    let shares: Vec<_> = means.iter().enumerate().map(share).collect();
    Some(format!("With {} in every seat, {}{shared}.", worth.label, listed(&shares, "and")))
}

/// What a cap on the turns cuts off.
fn capped(solved: &SolveReport, worth: &Worth) -> Option<String> {
    let share = cap::exact_share(&solved.endings, &worth.alone.as_ref()?.endings)?;
    let who = if solved.seats > 1 { " in every seat" } else { "" };
    let cap = cap::name(&solved.endings);
    Some(format!("With {}{who}, {share} of the games end at {cap} without a winner.", worth.label))
}

fn best(solved: &SolveReport) -> Section {
    let mut section = Section::default();
    let Some(best) = &solved.best else { return section };
    let mut view = View::new("").texts("").texts("");
    view.row([
        "Best play".into(),
        format!("{:.12} (± {:.1e})", solved.read(best.value), solved.read(best.error)),
    ]);
    let cycles = match best.cyclic_stages {
        0 => String::new(),
        stages => {
            format!("; positions return in {}: closed in from both sides", counted(stages as u64, "stage"))
        }
    };
    let states = grouped(best.states as u64);
    view.row([
        "States".into(),
        match best.turn_steps {
            0 => format!("{states} remembered{cycles}"),
            steps => {
                format!(
                    "{states} between turns; solved turn by turn, with {} steps of turns",
                    grouped(steps as u64)
                )
            }
        },
    ]);
    section.view(view);
    if solved.seats == 2 {
        section.note(match solved.about().is_won() {
            true => "Both seats play their best; the value is the first seat's.",
            false => "The value is the first seat's, which the second plays against: it does not play for an amount of its own.",
        });
        let share = solved.metrics.iter().find(|metric| metric.is_share());
        if let (Role::Win, Some(share)) = (solved.metrics[solved.metric].role, share) {
            section.note(format!(
                "If games can end in a tie, the second seat takes one as gladly as a win: --metric {} counts it for both.",
                share.name
            ));
        }
    }
    if best.turn_steps > 0 {
        section.note("What positions within a turn are worth is worked out when the turn is asked for.");
    }
    section
}

/// Everything about a policy, exactly.
fn policy(solved: &SolveReport, worth: &Worth) -> Section {
    let mut section = Section::new(format!("Policy {}", worth.label));
    let seats = solved.seats;
    let mut view = View::new("").texts("").texts("");
    let against = if seats == 2 { " against its best opponent" } else { "" };
    view.row(["Value".into(), format!("{:.12}{against}", solved.read(worth.value))]);
    if let Some(regret) = worth.regret {
        view.row(["Regret".into(), format!("{:.12}", solved.read(regret))]);
    }
    let who = if seats > 1 { " with this policy in every seat" } else { "" };
    let which = if worth.alone.is_some() { who } else { " between turns" };
    view.row(["States".into(), format!("{}{which}", grouped(worth.states as u64))]);
    section.view(view);

    if let Some(reply) = worth.reply {
        let mut view = View::new("").texts("Best reply to it").numbers("seat 1's mean");
        for (seat, value) in [(1, reply), (2, worth.value)] {
            view.row([format!("from seat {seat}"), format!("{:.12}", solved.read(value))]);
        }
        section.view(view);
    }
    losses::add(&mut section, solved, worth);
    against_best::add(&mut section, solved, worth);

    let Some(alone) = &worth.alone else {
        section.note(
            "Its other means, endings and chances are not told: that needs all positions within turns. `simulate` estimates them.",
        );
        return section;
    };
    let mut means = View::new("").captioned("Exact means of every metric").texts("Exact means");
    for seat in 0..seats {
        means = means.numbers(if seats > 1 { format!("seat {}", seat + 1) } else { String::new() });
    }
    means = means.texts("");
    for (at, metric) in solved.metrics.iter().enumerate() {
        let (scale, unit) = as_read(metric);
        let values = alone.means.iter().map(|means| format!("{:.10}", scale * means[at]));
        means.row(std::iter::once(metric.word().to_owned()).chain(values).chain([unit.to_owned()]));
    }
    section.view(means);

    let mut endings = View::new("").texts("Endings").numbers("probability").texts("");
    for (ending, share) in solved.endings.iter().zip(&alone.endings) {
        endings.row([ending.name.to_owned(), format!("{share:.10}"), ending.meaning.to_owned()]);
    }
    section.view(endings);

    let shares = &alone.shares[0][solved.metric];
    if (2..=VALUES).contains(&shares.len()) && solved.about().source == Source::End {
        let mut view = View::new("").texts(solved.about().name).numbers("probability");
        for (&value, share) in shares {
            view.row([format!("P({}) =", solved.read(value.into())), format!("{share:.12}")]);
        }
        section.view(view);
    }
    section
}
