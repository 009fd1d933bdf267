//! Where a policy loses: its regret by kind of decision and turn.

use stopwise_analysis::exact::Loss;
use stopwise_document::chart::{Axis, Bars, Plot};
use stopwise_document::report::Block;
use stopwise_document::{Chart, Section, View};

use super::{SolveReport, Worth};

/// A chart has a bar for each of at most so many turns.
const BARS: usize = 60;
/// A policy with less regret is best play.
pub(super) const NOTHING: f64 = 1e-9;

/// Adds the regret by kind of decision, then by turn, and its picture.
pub(super) fn add(section: &mut Section, solved: &SolveReport, worth: &Worth) {
    if solved.seats > 1 || worth.regret.is_none() {
        return;
    }
    let Some(losses) = &worth.losses else {
        section.note(
            "Where it loses is not listed: the game has too many positions, or the policy comes to many more than best play.",
        );
        return;
    };
    let kinds: Vec<usize> =
        (0..solved.kinds.len()).filter(|&kind| losses.iter().any(|l| l.kind == kind)).collect();
    if kinds.is_empty() || worth.regret.is_some_and(|regret| regret < NOTHING) {
        return;
    }
    let unit = solved.unit();
    let titled = |view: View| {
        view.numbers("decisions a game").numbers("mistakes a game").numbers(format!("regret ({unit})"))
    };
    let mut view = titled(View::new("").texts("Where it loses"));
    for &kind in &kinds {
        let of_kind = losses.iter().filter(|loss| loss.kind == kind);
        view.row(std::iter::once(solved.kinds[kind].name.to_owned()).chain(numbers(of_kind, solved)));
    }
    section.view(view);

    let mut turns: Vec<u32> = losses.iter().filter_map(|loss| loss.turn).collect();
    turns.dedup();
    if turns.len() < 2 {
        section.chart(by_kind(solved, worth, losses, &kinds));
        return;
    }
    let mut view = titled(View::new("").numbers("turn").texts("decision"));
    for loss in losses {
        let turn = loss.turn.map_or_else(String::new, |turn| turn.to_string());
        let begins = [turn, solved.kinds[loss.kind].name.to_owned()];
        view.row(begins.into_iter().chain(numbers(std::iter::once(loss), solved)));
    }
    section.blocks.push(Block::Long(view));
    if turns.len() <= BARS {
        section.chart(chart(solved, worth, losses, &kinds, &turns));
    }
}

/// The sums of some rows, as they are to be read.
pub(super) fn numbers<'l>(losses: impl Iterator<Item = &'l Loss>, solved: &SolveReport) -> [String; 3] {
    let sums = losses.fold([0.0; 3], |[decisions, mistakes, regret], loss| {
        [decisions + loss.decisions, mistakes + loss.mistakes, regret + loss.regret]
    });
    let [decisions, mistakes, regret] = sums;
    [format!("{decisions:.6}"), format!("{mistakes:.6}"), format!("{:.9}", solved.read(regret))]
}

/// Of a game of one turn: a bar for every kind of decision.
fn by_kind(solved: &SolveReport, worth: &Worth, losses: &[Loss], kinds: &[usize]) -> Chart {
    let regret = |kind: usize| losses.iter().filter(|loss| loss.kind == kind).map(|loss| loss.regret).sum();
    let bars = Bars {
        x: Axis::of("regret", solved.about().unit),
        parts: vec!["regret".into()],
        rows: kinds
            .iter()
            .map(|&kind| (solved.kinds[kind].name.to_owned(), vec![Some(regret(kind))]))
            .collect(),
        is_stacked: true,
    };
    let sentence = format!(
        "What the answers of {} are worth less than the best ones, in the mean of a game, by kind of decision.",
        worth.label
    );
    Chart::new(format!("Where {} loses", worth.label), sentence, Plot::Bars(bars)).from_file("regret.csv")
}

fn chart(solved: &SolveReport, worth: &Worth, losses: &[Loss], kinds: &[usize], turns: &[u32]) -> Chart {
    let regret = |turn: u32, kind: usize| {
        let found = losses.iter().find(|loss| loss.turn == Some(turn) && loss.kind == kind);
        Some(found.map_or(0.0, |loss| loss.regret))
    };
    let row = |&turn: &u32| {
        (format!("turn {turn}"), kinds.iter().map(|&kind| regret(turn, kind)).collect::<Vec<_>>())
    };
    let bars = Bars {
        x: Axis::of("regret", solved.about().unit),
        parts: kinds.iter().map(|&kind| solved.kinds[kind].name.to_owned()).collect(),
        rows: turns.iter().map(row).collect(),
        is_stacked: true,
    };
    let sentence = format!(
        "What the answers of {} are worth less than the best ones, in the mean of a game, by turn and kind of decision.",
        worth.label
    );
    Chart::new(format!("Where {} loses", worth.label), sentence, Plot::Bars(bars)).from_file("regret.csv")
}
