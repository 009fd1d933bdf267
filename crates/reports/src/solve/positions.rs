//! Positions with their values, as a table for programs, and for people where they are few.

use std::borrow::Cow;
use std::sync::Arc;

use stopwise_analysis::exact::KNOWN;
use stopwise_document::cell::{Cell, NumberFormat};
use stopwise_document::dataset::Heading;
use stopwise_document::{DataType, Dataset, Real, Section, Sheet, View};
use stopwise_engine::game::{Kind, Metric, Source};
use stopwise_engine::vocabulary::Feature;
use stopwise_erased::{Decided, Position};

use super::SolveReport;
use super::cells::{RowContext, exact};
use crate::leading;
use crate::shared_wins::in_games;

pub(super) const FILE: &str = "solution_positions.csv";

/// What positions are of.
#[derive(Clone, Copy, Debug)]
pub struct Listed<'l> {
    /// The game.
    pub game: &'static str,
    /// The name of the rules.
    pub rules: &'l str,
    /// What is played for.
    pub metric: Metric,
    /// The kinds of decisions.
    pub kinds: &'l [Kind],
    /// The features that they have.
    pub features: &'l [Feature],
}

/// A row of `solution_positions.csv`, but for the features.
#[derive(Debug)]
struct PositionRow {
    about: RowContext,
    metric: Metric,
    position: Arc<str>,
    bounds: [f64; 2],
    visits: Option<f64>,
    decided: Option<(&'static str, Decided)>,
}

impl Listed<'_> {
    /// `solution_positions.csv`, or a part of it.
    pub fn dataset(&self, positions: &[Position]) -> Dataset {
        let about = RowContext { game: self.game, rules: self.rules.into() };
        let row = |position: &Position| PositionRow {
            about: about.clone(),
            metric: self.metric,
            position: in_words(position).into(),
            bounds: position.bounds,
            visits: position.visits,
            decided: position.decided.clone().map(|decided| (self.kinds[decided.kind].name, decided)),
        };
        let mut table = sheet().fill(positions.iter().map(row));
        in_games(std::slice::from_mut(&mut table), &[self.metric]);
        let own: Vec<_> = table.columns.iter().map(|column| column.name.clone()).collect();
        table.columns.extend(self.features.iter().map(|feature| heading(feature, &own)));
        for (row, position) in table.rows.iter_mut().zip(positions) {
            let values = position.decided.as_ref().map(|decided| &decided.features);
            let value = |(at, feature)| values.map_or(Cell::Empty, |values| cell(feature, values[at]));
            row.extend(self.features.iter().enumerate().map(value));
        }
        table
    }
}

/// The same without rows, for the dictionary.
pub(super) fn columns() -> Dataset {
    let mut table = sheet().without_rows();
    table.columns.push(Heading {
        name: Cow::Borrowed("FEATURE"),
        data_type: DataType::Real,
        unit: Cow::Borrowed(""),
        meaning: Cow::Borrowed(
            "a column for each feature that positions know and the rules do not fix, by its name (`policy features`), or \
             `feature_NAME` if another column has that name; empty before a roll",
        ),
    });
    table
}

/// Whether the bounds of a value meet.
fn is_known([low, high]: [f64; 2]) -> bool {
    high - low <= KNOWN * high.abs().max(1.0)
}

/// With two digits, of which the last is rounded up: what is told is not less than the error.
fn rounded_up(error: f64) -> f64 {
    if error <= 0.0 {
        return 0.0;
    }
    let digit = 10_f64.powf(error.log10().floor() - 1.0);
    (error / digit).ceil() * digit
}

fn sheet() -> Sheet<PositionRow> {
    let decided = |r: &PositionRow| r.decided.as_ref().map(|(_, decided)| decided.clone());
    let known = move |r: &PositionRow| decided(r).filter(|_| is_known(r.bounds));
    leading::sheet(FILE, |r: &PositionRow| r.about.game, |r| r.about.rules.clone())
        .column("metric", "", "what is played for", |r| r.metric.name)
        .column(
            "position",
            "",
            "a position before a roll or at a decision; they are listed where they are few, or where that is asked for",
            |r| r.position.clone(),
        )
        .column(
            "value",
            "unit of the metric",
            "the first seat's mean from there, under best play; of what is counted, such as turns, how much is still to \
             come: a turn that has begun is counted before the position",
            |r| exact(f64::midpoint(r.bounds[0], r.bounds[1])),
        )
        .column("error", "unit of the metric", "how far the value may be off", |r| {
            Real(rounded_up((r.bounds[1] - r.bounds[0]) / 2.0), NumberFormat::Exponent(1))
        })
        .column(
            "visits",
            "visits",
            "how often a game comes there under best play, in the mean: the chance of it, where no position returns; empty \
             where there are too many positions",
            |r| r.visits.map(exact),
        )
        .column("decision", "", "the kind of decision; empty before a roll, as the next columns are", |r| {
            r.decided.as_ref().map(|(kind, _)| *kind)
        })
        .column("seat", "", "who decides, from 1", move |r| decided(r).map(|decided| decided.seat + 1))
        .column("best", "", "the best answer; of equal ones the first in the game's order; empty where the value is not known", move |r| {
            known(r).map(|decided| Arc::<str>::from(&*decided.answers[0]))
        })
        .column("second", "", "the best of the other answers", move |r| {
            known(r).map(|decided| Arc::<str>::from(&*decided.answers[1]))
        })
        .column("second_value", "unit of the metric", "the value after that one, with best play afterwards", move |r| {
            known(r).map(|decided| exact(decided.second_value))
        })
        .column("loss", "unit of the metric", "how much worse that is for who decides; 0 if it is as good", move |r| {
            known(r).map(|decided| exact(decided.loss))
        })
        .column("state", "", "the position as `advise --state` takes it", |r| {
            r.decided.as_ref().map(|(_, decided)| Arc::<str>::from(&*decided.text))
        })
}

fn heading(feature: &Feature, own: &[Cow<'static, str>]) -> Heading {
    let name = feature.name;
    let is_taken = own.iter().any(|own| own == name);
    Heading {
        name: if is_taken { Cow::Owned(format!("feature_{name}")) } else { Cow::Borrowed(name) },
        data_type: match feature {
            Feature { is_truth: true, .. } => DataType::Flag,
            Feature { denominator: 1, .. } => DataType::Integer,
            _ => DataType::Real,
        },
        unit: Cow::Borrowed(""),
        meaning: Cow::Borrowed(feature.meaning),
    }
}

fn cell(feature: &Feature, value: i64) -> Cell {
    match feature {
        Feature { is_truth: true, .. } => Cell::Flag(value == 1),
        Feature { denominator: 1, .. } => Cell::Whole(value),
        Feature { denominator, .. } => exact(value as f64 / *denominator as f64).into(),
    }
}

/// A position in words.
fn in_words(position: &Position) -> String {
    let places = position.places.iter().map(|(place, text)| format!("{} {text}", place.to_lowercase()));
    places.collect::<Vec<_>>().join(", ")
}

/// The values of all positions, where they are few.
pub(super) fn section(solved: &SolveReport) -> Section {
    let mut section = Section::default();
    let Some(best) = &solved.best else { return section };
    let is_counted = matches!(solved.about().source, Source::Count(_));
    let value = match is_counted {
        true => format!("{} still to come", solved.about().unit),
        false => "first seat's value".to_owned(),
    };
    let mut view = View::new("").numbers(value).texts("best answer").texts("position");
    let mut has_all = true;
    for position in &best.positions {
        let [low, high] = position.bounds;
        let best = position.decided.as_ref().map_or("before a roll", |decided| &decided.answers[0]);
        let is_known = is_known(position.bounds);
        has_all &= is_known;
        let [value, best] = match is_known {
            true => [format!("{:.12}", solved.read(f64::midpoint(low, high))), best.to_owned()],
            // Limits are rounded outwards.
            false => {
                let least = (solved.read(low) * 1e6).floor() / 1e6;
                let most = (solved.read(high) * 1e6).ceil() / 1e6;
                [format!("{least:.6} to {most:.6}"), "not known".to_owned()]
            }
        };
        view.row([value, best, in_words(position)]);
    }
    if !has_all {
        view.note(
            "Where a value is not known, players would rather wait than go on, so that play need not end.",
        );
    }
    if is_counted {
        view.note("What has begun, such as a turn, is counted before the position.");
    }
    section.view(view);
    section
}
