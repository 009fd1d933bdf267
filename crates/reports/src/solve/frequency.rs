//! The chart of a yes/no decision: how often best play and the policies answer yes, by two features.

use stopwise_analysis::exact::Answered;
use stopwise_document::Chart;
use stopwise_document::chart::{Axis, Heat, Heated, Panel, Plot};
use stopwise_erased::Side;

use super::SolveReport;

/// The most policies that are drawn.
const MOST: usize = 5;
/// Cells that fewer of a thousand games meet are empty.
const RARE: f64 = 1e-3;

/// Best play and the policies, if the game charts a decision.
pub(super) fn chart(solved: &SolveReport) -> Option<Chart> {
    let (charted, best) = solved.charted.as_ref()?;
    let policies = solved.worths.iter().filter(|worth| !worth.answers.is_empty()).take(MOST);
    let all: Vec<(&str, &[Answered])> = std::iter::once(("best play", best.as_slice()))
        .chain(policies.map(|worth| (worth.label.as_str(), worth.answers.as_slice())))
        .collect();
    let met = || all.iter().flat_map(|(_, answers)| *answers).filter(|cell| cell.decisions >= RARE);
    let rows = levels(met().map(|cell| cell.row).collect());
    let columns = levels(met().map(|cell| cell.column).collect());
    if rows.is_empty() || columns.len() < 2 {
        return None;
    }
    let panel = |&(name, answers): &(&str, &[Answered])| {
        let heated = |row: i64, column: i64| {
            let is_this =
                |cell: &&Answered| (cell.row, cell.column) == (row, column) && cell.decisions >= RARE;
            let cell = answers.iter().find(is_this)?;
            Some(Heated::of(cell.yes / cell.decisions))
        };
        let cells = rows.iter().map(|&row| columns.iter().map(|&column| heated(row, column)).collect());
        Panel { title: name.to_owned(), cells: cells.collect() }
    };
    let kind = solved.kinds[charted.kind].name;
    let plot = Heat {
        x: named(&charted.column, &columns),
        y: named(&charted.row, &rows),
        value: Axis::share(format!("share of the decisions {kind} that are answered yes")),
        panels: all.iter().map(panel).collect(),
        middle: None,
        is_lower_better: false,
        legend: String::new(),
    };
    let whose = if all.len() > 1 { "best play and the policies answer" } else { "best play answers" };
    let sentence = format!(
        "How often {whose} {kind} with yes, by {} and {}, exactly. Best play stops \
         where it gains nothing by going on. Empty where fewer than one game in a thousand comes.",
        charted.row.title, charted.column.title
    );
    Some(Chart::new(charted.title, sentence, Plot::Heat(plot)))
}

/// In rising order, each once.
fn levels(mut met: Vec<i64>) -> Vec<i64> {
    met.sort_unstable();
    met.dedup();
    met
}

fn named(side: &Side, levels: &[i64]) -> Axis {
    Axis::levels(side.title, levels.iter().map(ToString::to_string).collect())
}
