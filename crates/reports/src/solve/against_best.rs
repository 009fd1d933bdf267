//! What a policy gives away in each of two seats, where best play has the other.

use std::sync::Arc;

use stopwise_analysis::exact::Loss;
use stopwise_document::chart::{Axis, Bars, Plot};
use stopwise_document::report::Block;
use stopwise_document::{Chart, Section, Sheet, View};
use stopwise_engine::game::{Kind, Metric};

use super::cells::{RowContext, TURN, exact};
use super::losses::{NOTHING, numbers};
use super::{SolveReport, Worth};
use crate::leading;

/// The file.
pub(super) const FILE: &str = "regret_against_best.csv";

/// A policy in a seat, with best play in the other.
#[derive(Debug)]
pub struct AgainstBest {
    /// The first seat's mean.
    pub value: f64,
    /// What the mean is better for this seat with best play in it; never negative but by rounding.
    pub regret: f64,
    /// What it gives away; `None` where that is too much to find.
    pub losses: Option<Vec<Loss>>,
}

/// Adds the regret in each seat, and where it comes from.
pub(super) fn add(section: &mut Section, solved: &SolveReport, worth: &Worth) {
    let unit = solved.unit();
    if worth.against_best.is_empty() {
        if solved.seats == 2 && worth.regret.is_some() {
            section
                .note("What it is worth against best play is not listed: the game has too many positions.");
        }
        return;
    }
    let mut view =
        View::new("").texts("Against best play").numbers("seat 1's mean").numbers(format!("regret ({unit})"));
    for (seat, against) in worth.against_best.iter().enumerate() {
        view.row([
            format!("in seat {}", seat + 1),
            format!("{:.12}", solved.read(against.value)),
            format!("{:.12}", solved.read(against.regret.max(0.0))),
        ]);
    }
    section.view(view);
    section
        .note("Best play is the same against everybody; the best opponent looks for this policy's mistakes.");

    let mut view = View::new("")
        .texts("Where it loses")
        .texts("in seat")
        .numbers("decisions a game")
        .numbers("mistakes a game")
        .numbers(format!("regret ({unit})"));
    for (seat, against) in worth.against_best.iter().enumerate() {
        let losses = against.losses.iter().flatten();
        for (number, kind) in solved.kinds.iter().enumerate() {
            let mut of_kind = losses.clone().filter(|loss| loss.kind == number).peekable();
            if of_kind.peek().is_some() {
                let begins = [kind.name.to_owned(), (seat + 1).to_string()];
                view.row(begins.into_iter().chain(numbers(of_kind, solved)));
            }
        }
    }
    if worth.against_best.iter().any(|against| against.regret >= NOTHING) {
        section.view(view);
        section.blocks.extend(by_turn(solved, worth));
    }
    if worth.against_best.iter().any(|against| against.losses.is_none()) {
        section.note("Where it loses is not listed in full: it comes to many more positions than best play.");
    }
}

/// The same turn by turn, where positions know their turns.
fn by_turn(solved: &SolveReport, worth: &Worth) -> Option<Block> {
    let mut view = View::new("")
        .numbers("turn")
        .texts("decision")
        .texts("in seat")
        .numbers("decisions a game")
        .numbers("mistakes a game")
        .numbers(format!("regret ({})", solved.unit()));
    for (against, seat) in worth.against_best.iter().zip(1..) {
        for loss in against.losses.iter().flatten() {
            let begins = [loss.turn?.to_string(), solved.kinds[loss.kind].name.to_owned(), format!("{seat}")];
            view.row(begins.into_iter().chain(numbers(std::iter::once(loss), solved)));
        }
    }
    Some(Block::Long(view))
}

/// The regret of every policy in each seat, by kind of decision.
pub(super) fn chart(solved: &SolveReport) -> Option<Chart> {
    let seats = || {
        solved.worths.iter().flat_map(|worth| worth.against_best.iter().zip(1..).map(move |it| (worth, it)))
    };
    let rows = seats().filter_map(|(worth, (against, seat))| {
        let losses = against.losses.as_ref()?;
        let of = |kind: usize| losses.iter().filter(|loss| loss.kind == kind).map(|loss| loss.regret).sum();
        let regrets: Vec<f64> = (0..solved.kinds.len()).map(of).collect();
        Some((format!("{}, seat {seat}", worth.label), regrets))
    });
    let mut rows: Vec<(String, Vec<f64>)> = rows.collect();
    if rows.iter().flat_map(|(_, regrets)| regrets).sum::<f64>() < NOTHING {
        return None;
    }
    // Kinds in which nobody loses anything say nothing.
    let is_lost = |kind: &usize| rows.iter().any(|(_, regrets)| regrets[*kind] >= NOTHING);
    let kinds: Vec<usize> = (0..solved.kinds.len()).filter(is_lost).collect();
    for (_, regrets) in &mut rows {
        *regrets = kinds.iter().map(|&kind| solved.read(regrets[kind])).collect();
    }
    let bars = Bars {
        x: Axis::of("regret", solved.unit()),
        parts: kinds.iter().map(|&kind| solved.kinds[kind].name.to_owned()).collect(),
        rows: rows
            .into_iter()
            .map(|(name, regrets)| (name, regrets.into_iter().map(Some).collect()))
            .collect(),
        is_stacked: true,
    };
    let about = solved.about();
    let sentence = format!(
        "What each policy gives away against best play in the other seat, in the mean of a game, \
         by kind of decision: how much worse for it the first seat's {} becomes by its mistakes.",
        about.word()
    );
    Some(Chart::new("What is given away against best play", sentence, Plot::Bars(bars)).from_file(FILE))
}

/// A row of the file.
#[derive(Debug)]
pub(super) struct Row {
    about: RowContext,
    policy: Arc<str>,
    seat: usize,
    metric: Metric,
    kind: Kind,
    loss: Loss,
}

pub(super) fn rows(solved: &SolveReport, about: &RowContext) -> Vec<Row> {
    let mut rows = Vec::new();
    for worth in &solved.worths {
        for (against, seat) in worth.against_best.iter().zip(1..) {
            rows.extend(against.losses.iter().flatten().map(|&loss| Row {
                about: about.clone(),
                policy: worth.label.as_str().into(),
                seat,
                metric: solved.about(),
                kind: solved.kinds[loss.kind],
                loss,
            }));
        }
    }
    rows
}

pub(super) fn sheet() -> Sheet<Row> {
    leading::sheet(FILE, |r: &Row| r.about.game, |r| r.about.rules.clone())
        .column("policy", "", "the policy with its parameters; best play has the other seat", |r| {
            r.policy.clone()
        })
        .column("seat", "", "where the policy sits, from 1", |r| r.seat)
        .column("metric", "", "what is played for: the first seat's", |r| r.metric.name)
        .column("unit", "", "what one of the metric is", |r| r.metric.unit)
        .column("kind", "", "a kind of decision", |r| r.kind.name)
        .column("turn", "turns", TURN, |r| r.loss.turn)
        .column(
            "decisions",
            "decisions",
            "how many with a choice the policy has in a game, in the mean",
            |r| exact(r.loss.decisions),
        )
        .column(
            "mistakes",
            "decisions",
            "how many of them in which another answer is better by more than 10⁻⁹, with best play of \
             both afterwards",
            |r| exact(r.loss.mistakes),
        )
        .column(
            "regret",
            "unit of the metric",
            "how much worse for this seat the first seat's mean becomes by them; all rows of a seat \
             together are what the policy is worth less there than best play, both against best \
             play, which takes the first of equal answers",
            |r| exact(r.loss.regret),
        )
}
