//! What to hold at: the value of a feature from which, or up to which, best play answers yes, as a rule book prints it.

use std::collections::BTreeMap;

use stopwise_analysis::exact::Situations;
use stopwise_document::chart::{Axis, Heated};
use stopwise_document::{Chart, Section, Sheet, View};
use stopwise_narration::spoken;

use super::SolveReport;
use super::cells::RowContext;
use super::pictured::Pictured;
use super::table::{Shown, Table, YES};
use crate::leading;

/// The file of the table that is asked for.
pub const FILE: &str = "hold_at.csv";
/// Where a person finds it.
pub const WHERE: &str = "hold_at.csv (--out DIR, or --format csv)";

/// On which side of its threshold the answer is yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    From,
    UpTo,
}

/// What best play does as a feature grows.
#[derive(Clone, Copy, Debug)]
struct HoldAt {
    /// The least value at which it always answers yes, or the greatest.
    threshold: Option<i64>,
    /// The same where an answer that is as good as no counts as yes.
    as_good: Option<i64>,
    /// Whether it answers yes before the threshold in some situations, or no behind it.
    is_mixed: bool,
    /// Whether it answers yes at every value.
    is_always: bool,
    /// The least and the greatest value in any situation.
    values: [i64; 2],
    /// Whether best play comes to one of them.
    is_met: bool,
}

impl HoldAt {
    /// Of situations in the order of the values; `None` if there are none.
    fn of(side: Side, cells: &[&Situations<String>], last: usize) -> Option<Self> {
        let value = |cell: &Situations<String>| cell.values[last];
        let values = [value(cells.first()?), value(cells.last()?)];
        let mut found = Self {
            threshold: None,
            as_good: None,
            is_mixed: false,
            is_always: true,
            values,
            is_met: cells.iter().any(|cell| cell.is_met),
        };
        let mut towards = cells.to_vec();
        if side == Side::UpTo {
            towards.reverse();
        }
        for cell in towards {
            let yes = cell.answered(&YES.to_owned());
            // Where both are as good, best play takes the first, which is no.
            let is_as_good = yes + cell.ties >= cell.many;
            if yes == cell.many {
                found.threshold = found.threshold.or(Some(value(cell)));
            } else {
                found.is_always = false;
                found.is_mixed |= match found.threshold {
                    Some(_) => !is_as_good,
                    None => yes > 0.0,
                };
            }
            match found.threshold {
                _ if is_as_good => found.as_good = found.as_good.or(Some(value(cell))),
                None => found.as_good = None,
                Some(_) => {}
            }
        }
        Some(found)
    }

    /// What happens, in a word.
    fn answer(&self, side: Side) -> &'static str {
        match (self.threshold, side) {
            (None, _) if !self.is_mixed => "never",
            _ if self.is_mixed => "mixed",
            _ if self.is_always => "always",
            (_, Side::From) => "from",
            (_, Side::UpTo) => "up to",
        }
    }
}

/// A column of situations: the values of the features by which it is told, and what best play does there.
type Place = ([i64; 2], HoldAt);

/// The side on which most places are told without exception, and what best play does at each.
fn places(table: &Table) -> (Side, Vec<Place>) {
    let last = table.by.len() - 1;
    let at =
        |cell: &Situations<String>| std::array::from_fn(|at| if at < last { cell.values[at] } else { 0 });
    let columns: Vec<Vec<&Situations<String>>> =
        table.cells.chunk_by(|a, b| at(a) == at(b)).map(|cells| cells.iter().collect()).collect();
    let told = |side: Side| -> Vec<Place> {
        columns.iter().filter_map(|cells| Some((at(cells[0]), HoldAt::of(side, cells, last)?))).collect()
    };
    let exceptions = |places: &[Place]| places.iter().filter(|(_, place)| place.is_mixed).count();
    let [from, up_to] = [Side::From, Side::UpTo].map(told);
    if exceptions(&up_to) < exceptions(&from) { (Side::UpTo, up_to) } else { (Side::From, from) }
}

/// The section with the thresholds of the last feature.
pub(super) fn section(table: &Table) -> Section {
    let held = Held::of(table);
    let (shown, notes) = (table.shown(), held.notes());
    let mut section = Section::default();
    held.picture(&shown, notes.clone()).into_iter().for_each(|chart| section.chart(chart));
    let mut view = held.view(&shown);
    notes.into_iter().for_each(|note| view.note(note));
    if shown.is_part {
        view.note(format!("Not every value is shown; {WHERE} has all."));
    }
    section.view(view);
    section
}

/// The thresholds of a table.
struct Held<'t> {
    table: &'t Table,
    /// The place of the last feature, whose thresholds they are.
    last: usize,
    side: Side,
    places: BTreeMap<[i64; 2], HoldAt>,
}

impl<'t> Held<'t> {
    fn of(table: &'t Table) -> Self {
        let (side, places) = places(table);
        Self { table, last: table.by.len() - 1, side, places: places.into_iter().collect() }
    }

    /// What stands in a cell; empty where there is no situation.
    fn told(&self, at: [i64; 2]) -> String {
        let Some(place) = self.places.get(&at) else { return String::new() };
        let mut told = place.threshold.map_or("–".into(), |value| self.table.told(self.last, value));
        if self.side == Side::UpTo && place.threshold.is_some() {
            told = format!("≤ {told}");
        }
        told += if place.is_mixed { "*" } else { "" };
        told + if place.as_good != place.threshold { "=" } else { "" }
    }

    fn which(&self) -> &'static str {
        match self.side {
            Side::From => "least",
            Side::UpTo => "greatest",
        }
    }

    fn notes(&self) -> Vec<String> {
        let [before, behind] = match self.side {
            Side::From => ["less", "more"],
            Side::UpTo => ["more", "less"],
        };
        let any = |is_so: fn(&HoldAt) -> bool| self.places.values().any(is_so);
        let mut notes = Vec::new();
        if any(|place| place.threshold.is_none()) {
            notes.push("–: it is never yes.".into());
        }
        if any(|place| place.is_mixed) {
            notes.push(format!(
                "* for {before} it is yes as well in some situations, or for {behind} it is no."
            ));
        }
        if any(|place| place.as_good != place.threshold) {
            notes.push(format!("= yes is as good as no for {before}: {WHERE} says how far."));
        }
        notes
    }

    fn view(&self, shown: &Shown<'_>) -> View {
        let (table, last) = (self.table, self.last);
        let [rows, columns, _] = &shown.levels;
        let by = |at: usize| spoken(table.by[at].name);
        let (name, kind) = (by(last), spoken(table.kind));
        let mut title =
            format!("Best play: the {} {name} at which the answer to {kind} is yes", self.which());
        let (rows, columns) = match last {
            0 => (&[0][..], &[0][..]),
            1 => (&rows[..], &[0][..]),
            _ => (&rows[..], &columns[..]),
        };
        let mut view = View::new("");
        match &*table.by {
            [_] => view = view.numbers(name),
            [_, _] => {
                title += &format!(", by {}", by(0));
                view = view.numbers(by(0)).numbers(name);
            }
            [_, _, ..] => {
                title += &format!(", by {} (down) and {} (across)", by(0), by(1));
                view = columns
                    .iter()
                    .fold(view.numbers(by(0)), |view, &column| view.numbers(table.told(1, column)));
            }
            [] => {}
        }
        view.title = title;
        for &row in rows {
            let cells = columns.iter().map(|&column| self.told([row, column]));
            let head = (last > 0).then(|| table.told(0, row));
            view.row(head.into_iter().chain(cells));
        }
        view
    }

    /// The same cells, coloured by the threshold.
    fn picture(&self, shown: &Shown<'_>, notes: Vec<String>) -> Option<Chart> {
        let (of, kind) = (&self.table.by[self.last], spoken(self.table.kind));
        let name = spoken(of.name);
        let heated = |[row, column, _]: [i64; 3]| {
            let place = self.places.get(&[row, column])?;
            let value = place.threshold.map(|value| value as f64);
            Some(Heated { value, words: self.told([row, column]), ..Heated::default() })
        };
        let pictured = Pictured {
            title: match self.side {
                Side::From => format!("Best play: {kind} from this {name} on"),
                Side::UpTo => format!("Best play: {kind} up to this {name}"),
            },
            what: format!(
                "The {} {name} ({}) at which best play answers {kind} with yes",
                self.which(),
                of.meaning
            ),
            value: Axis::of(&*name, ""),
            head: name,
            notes,
        };
        let told = |at, value| self.table.told(at, value);
        pictured.chart(&self.table.by[..self.last], &shown.levels, told, heated)
    }
}

/// A row of the file.
#[derive(Debug)]
pub(super) struct Row {
    about: RowContext,
    kind: &'static str,
    at: [Option<(&'static str, i64)>; 2],
    of: &'static str,
    side: Side,
    hold: HoldAt,
}

pub(super) fn rows(solved: &SolveReport, about: &RowContext) -> Vec<Row> {
    let Some(table) = solved.table.as_ref().filter(|table| table.is_from) else { return Vec::new() };
    let (by, of) = table.by.split_at(table.by.len() - 1);
    let (side, places) = places(table);
    let row = |(values, hold): Place| Row {
        about: about.clone(),
        kind: table.kind,
        at: std::array::from_fn(|at| Some((by.get(at)?.name, values[at]))),
        of: of[0].name,
        side,
        hold,
    };
    places.into_iter().map(row).collect()
}

pub(super) fn sheet() -> Sheet<Row> {
    leading::sheet(FILE, |r: &Row| r.about.game, |r| r.about.rules.clone())
        .column("kind", "", "a kind of decision that is answered with yes or no", |r| r.kind)
        .column("feature", "", "a feature that was asked for; empty if there is none", |r| {
            r.at[0].map(|(name, _)| name)
        })
        .column("value", "unit of the feature", "its value", |r| r.at[0].map(|(_, value)| value))
        .column("feature_2", "", "another one; empty if there is none", |r| r.at[1].map(|(name, _)| name))
        .column("value_2", "unit of the feature", "its value", |r| r.at[1].map(|(_, value)| value))
        .column("threshold_of", "", "the feature from a value of which on the answer is yes, or up to one", |r| {
            r.of
        })
        .column("side", "", "whether the answer is yes `from` the threshold on, or `up to` it", |r| match r.side {
            Side::From => "from",
            Side::UpTo => "up to",
        })
        .column(
            "threshold",
            "unit of the feature",
            "its least value at which best play answers yes in every situation, or its greatest; empty if there is none",
            |r| r.hold.threshold,
        )
        .column(
            "as_good",
            "unit of the feature",
            "the same where yes counts that is as good as no: other than the threshold only where both are equally good",
            |r| r.hold.as_good,
        )
        .column(
            "answer",
            "",
            "`never`: yes in no situation; `always`: in all; `from` or `up to` the threshold, and nowhere else; `mixed`: as \
             well on its other side in some situations, or not everywhere behind it",
            |r| r.hold.answer(r.side),
        )
        .column("least", "unit of the feature", "its least value in any situation", |r| r.hold.values[0])
        .column("greatest", "unit of the feature", "its greatest value in any situation", |r| r.hold.values[1])
        .column("met", "", "whether best play comes to one of the situations; `true` where that is not known", |r| {
            r.hold.is_met
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Situations by a value from 1 on: what best play answers at each, `=` where both are as good.
    fn of(side: Side, answers: &str) -> (Option<i64>, Option<i64>, &'static str) {
        let cell = |(answer, value): (char, i64)| {
            let word = if answer == 'y' { YES } else { "no" };
            let answers = match answer {
                '?' => vec![("no".to_owned(), 1.0), (YES.to_owned(), 1.0)],
                _ => vec![(word.to_owned(), 2.0)],
            };
            let ties = if answer == '=' { 2.0 } else { 0.0 };
            Situations { values: [value, 0, 0], many: 2.0, ties, is_met: true, answers }
        };
        let cells: Vec<_> = answers.chars().zip(1..).map(cell).collect();
        let found = HoldAt::of(side, &cells.iter().collect::<Vec<_>>(), 0).expect("situations");
        (found.threshold, found.as_good, found.answer(side))
    }

    #[test]
    fn thresholds_of_answers_in_a_row() {
        assert_eq!(of(Side::From, "nnyy"), (Some(3), Some(3), "from"));
        assert_eq!(of(Side::From, "n==y"), (Some(4), Some(2), "from"));
        assert_eq!(of(Side::From, "=nyy"), (Some(3), Some(3), "from"));
        assert_eq!(of(Side::From, "nny="), (Some(3), Some(3), "from"));
        assert_eq!(of(Side::From, "nn=="), (None, Some(3), "never"));
        assert_eq!(of(Side::From, "yyyy"), (Some(1), Some(1), "always"));
        assert_eq!(of(Side::From, "nn"), (None, None, "never"));
        assert_eq!(of(Side::From, "n?y"), (Some(3), Some(3), "mixed"));
        assert_eq!(of(Side::From, "nyn"), (Some(2), Some(2), "mixed"));
        assert_eq!(of(Side::From, "n?"), (None, None, "mixed"));
        assert_eq!(of(Side::UpTo, "yynn"), (Some(2), Some(2), "up to"));
        assert_eq!(of(Side::UpTo, "yy=n"), (Some(2), Some(3), "up to"));
        assert_eq!(of(Side::UpTo, "y?n"), (Some(1), Some(1), "mixed"));
    }
}
