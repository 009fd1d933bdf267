//! The balance report as text: tables by topic, then conclusions.

use std::fmt::Write as _;

use stopwise_analysis::balance::{Level, Measure, Statistic};
use stopwise_analysis::estimate::Estimate;

use super::BalanceReport;
use super::sentences::{changes, effects, everywhere, skill};
use super::verdicts::{searched, targets};
use crate::numbers::grouped;
use crate::report::words::{percent, points, range};

/// The whole text.
pub(crate) fn text(balanced: &BalanceReport) -> String {
    let mut out = String::new();
    let plural =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let _ = writeln!(
        out,
        "{} · {} · {} · {} trials each, all on the same dice · seed {}",
        balanced.game,
        plural(balanced.variants.len(), "variant", "variants"),
        plural(balanced.policies.len(), "policy", "policies"),
        grouped(balanced.trials),
        balanced.seed
    );
    if let Some(search) = &balanced.search {
        searched(&mut out, balanced, search);
    }
    for (policy, label) in balanced.policies.iter().enumerate() {
        let seats = balanced.variants.iter().any(|ruled| ruled.seats > 1);
        let _ = writeln!(out, "\n{label}{}", if seats { " in every seat" } else { "" });
        for topic in [Topic::Length, Topic::Endings, Topic::Seats, Topic::Scores] {
            table(&mut out, balanced, policy, topic);
        }
    }
    let _ = writeln!(out, "\nLimits are {}, each by itself.", Level::SINGLE);
    definitions(&mut out, balanced);
    changes(&mut out, balanced);
    skill(&mut out, balanced);
    everywhere(&mut out, balanced);
    effects(&mut out, balanced);
    targets(&mut out, balanced);
    out
}

/// The topic of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Topic {
    Length,
    Endings,
    Seats,
    Scores,
}

impl Topic {
    fn of(measure: &Measure) -> Self {
        use stopwise_analysis::balance::Quantity::Score;
        match measure.statistic {
            Statistic::Early | Statistic::Ending(_) => Self::Endings,
            Statistic::FirstSeatEdge | Statistic::NoWinner | Statistic::Close(_) => Self::Seats,
            Statistic::Mean(Score)
            | Statistic::Quantile(Score, _)
            | Statistic::Deviation(_)
            | Statistic::Tail(_)
            | Statistic::Above(..) => Self::Scores,
            Statistic::Mean(_) | Statistic::Quantile(..) => Self::Length,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Length => "Length",
            Self::Endings => "Endings",
            Self::Seats => "Seats",
            Self::Scores => "Scores",
        }
    }
}

/// A value as text: shares in per cent, an edge in percentage points, quantiles as integers.
fn shown(measure: &Measure, value: f64) -> String {
    match measure.statistic {
        Statistic::FirstSeatEdge => points(value),
        _ if measure.is_share() => percent(value),
        Statistic::Quantile(..) => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}

/// A table with variants as rows and the measures of a topic as columns; limits are below the values.
fn table(out: &mut String, balanced: &BalanceReport, policy: usize, topic: Topic) {
    let mut columns: Vec<&Measure> = Vec::new();
    for measure in balanced.variants.iter().flat_map(|ruled| &ruled.measures) {
        if Topic::of(measure) == topic && columns.iter().all(|column| column.name != measure.name) {
            columns.push(measure);
        }
    }
    if columns.is_empty() {
        return;
    }
    let header = |column: &&Measure| column.name.trim_start_matches("early end: ").to_owned();
    let mut rows = vec![(topic.title().to_owned(), columns.iter().map(header).collect::<Vec<_>>())];
    for (variant, ruled) in balanced.variants.iter().enumerate() {
        let found = |column: &&Measure| {
            let measure = ruled.measures.iter().find(|measure| measure.name == column.name)?;
            Some((measure, balanced.measured(variant, policy, measure, Level::SINGLE)?))
        };
        let found: Vec<_> = columns.iter().map(found).collect();
        let value = |cell: &Option<(&Measure, Estimate)>| match cell {
            Some((measure, measured)) => shown(measure, measured.value),
            None => "–".into(),
        };
        let limits = |cell: &Option<(&Measure, Estimate)>| match cell {
            Some((measure, measured)) => {
                range(|value| shown(measure, value).replace(" %", ""), measured.interval)
            }
            None => String::new(),
        };
        rows.push((ruled.name.clone(), found.iter().map(value).collect()));
        rows.push((String::new(), found.iter().map(limits).collect()));
    }
    let first = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..columns.len())
        .map(|column| rows.iter().map(|(_, cells)| cells[column].chars().count()).max().unwrap_or(0))
        .collect();
    let _ = writeln!(out);
    for (name, cells) in rows {
        let mut line = format!("  {name:<first$}");
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(line, "   {cell:<width$}");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Every measure once, with its definition and the method of its limits.
fn definitions(out: &mut String, balanced: &BalanceReport) {
    let mut told: Vec<&str> = Vec::new();
    let all = || balanced.variants.iter().flat_map(|ruled| &ruled.measures);
    let width = all().map(|measure| measure.name.chars().count()).max().unwrap_or(0);
    for measure in all() {
        if told.contains(&measure.name.as_str()) {
            continue;
        }
        told.push(&measure.name);
        let unit = if measure.is_share() { "" } else { measure.unit };
        let comma = if unit.is_empty() { "" } else { "; " };
        let _ = writeln!(
            out,
            "  {:<width$}   {} ({unit}{comma}{})",
            measure.name,
            measure.definition,
            measure.method()
        );
    }
    let alone = balanced.variants.iter().all(|ruled| ruled.seats == 1);
    if alone {
        let _ = writeln!(out, "  There is one seat: no edge of going first, no close games.");
    } else if all().all(|measure| !matches!(measure.statistic, Statistic::Close(_))) {
        let _ = writeln!(out, "  Close games are counted with --close METRIC=MOST.");
    }
}
