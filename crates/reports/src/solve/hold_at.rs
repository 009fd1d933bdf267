//! What to hold at: the value of a feature from which, or up to which, best play answers yes, as a rule book prints it.

use std::collections::BTreeMap;

use stopwise_analysis::exact::{Situations, Times};
use stopwise_document::chart::{Axis, Heated};
use stopwise_document::{Chart, Number, Section, Sheet, View};
use stopwise_engine::vocabulary::Feature;
use stopwise_narration::spoken;

use super::SolveReport;
use super::cells::{RowContext, exact, limit, number};
use super::pictured::Pictured;
use super::table::{AnswerTable, HARDLY, NO, Shown, YES, percent};
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

/// Situations by what best play answers.
#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    yes: Times,
    no: Times,
    /// In how many situations yes is as good as no; best play takes the first, which is no.
    as_good: f64,
}

impl Answers {
    fn of(cell: &Situations<String>) -> Self {
        let [yes, no] = [YES, NO].map(|answer| cell.answered(&answer.to_owned()));
        let (ties, as_good) = (cell.ties, cell.ties.situations);
        let no = Times { situations: no.situations - as_good, visits: no.visits - ties.visits, ..no };
        Self { yes, no, as_good }
    }
}

/// Where the answer is no before a cell, and yes from it on: the situations in which best play answers otherwise.
fn otherwise(cells: &[Answers], from: usize) -> Times {
    cells[..from].iter().map(|cell| cell.yes).chain(cells[from..].iter().map(|cell| cell.no)).sum()
}

/// The cell from which on yes loses least where best play answers otherwise; of several the one with the fewest visits, then with
/// the fewest situations, then with the fewest behind it in which yes is only as good, then the first. None if there are
/// exceptions, and hardly ever a yes.
fn cheapest(cells: &[Answers], all: Times) -> usize {
    let mut beyond = vec![Answers::default(); cells.len() + 1];
    for at in (0..cells.len()).rev() {
        beyond[at] = beyond[at + 1];
        beyond[at].no += cells[at].no;
        beyond[at].as_good += cells[at].as_good;
    }
    let (mut yes, mut found) = (Times::default(), (0, [f64::INFINITY; 4]));
    for (at, beyond) in beyond.iter().enumerate() {
        let wrong: Times = [yes, beyond.no].into_iter().sum();
        let few = [wrong.loss, wrong.visits, wrong.situations, beyond.as_good];
        if few < found.1 {
            found = (at, few);
        }
        cells.get(at).into_iter().for_each(|cell| yes += cell.yes);
    }
    let (from, [_, wrong, ..]) = found;
    let right: Times = cells[from..].iter().map(|cell| cell.yes).sum();
    let is_rare = wrong > 0.0 && right.share_of(all) < HARDLY;
    if is_rare { cells.len() } else { from }
}

/// The first cell with more situations that are answered with yes: of a turn in which best play never comes there, who holds
/// from it on sees none of the later ones.
fn first(cells: &[Answers]) -> usize {
    let is_yes = |cell: &Answers| cell.yes.situations > cell.no.situations;
    cells.iter().position(is_yes).unwrap_or(cells.len())
}

/// What best play does as a feature grows, as a threshold says it.
#[derive(Clone, Copy, Debug)]
struct HoldAt {
    /// The least value at which the answer is yes, or the greatest; `None` if it is always no.
    threshold: Option<i64>,
    /// The same where an answer that is as good as no counts as yes.
    as_good: Option<i64>,
    /// The share in which best play answers otherwise: of the times that it comes there, if it does; otherwise of situations.
    otherwise: f64,
    /// How often best play comes to the situations, where that is known.
    visits: Option<f64>,
    /// Whether it answers yes at every value.
    is_always: bool,
    /// The least and the greatest value in any situation.
    values: [i64; 2],
}

impl HoldAt {
    /// Of situations in the order of the values; `None` if there are none.
    fn of(side: Side, cells: &[&Situations<String>], last: usize) -> Option<Self> {
        let value = |cell: &Situations<String>| cell.values[last];
        let values = [value(cells.first()?), value(cells.last()?)];
        let mut towards: Vec<&Situations<String>> = cells.to_vec();
        if side == Side::UpTo {
            towards.reverse();
        }
        let all: Times = towards.iter().map(|cell| cell.all()).sum();
        let cells: Vec<Answers> = towards.iter().map(|cell| Answers::of(cell)).collect();
        let from = if all.visits > 0.0 { cheapest(&cells, all) } else { first(&cells) };
        let otherwise = otherwise(&cells, from).share_of(all);
        let as_good = (0..from).rev().take_while(|at| cells[*at].no.situations == 0.0).last().unwrap_or(from);
        let value_at = |at: usize| towards.get(at).map(|cell| value(cell));
        Some(Self {
            threshold: value_at(from),
            as_good: value_at(as_good),
            otherwise,
            visits: towards[0].is_counted.then_some(all.visits),
            is_always: from == 0 && cells.iter().all(|cell| cell.no.situations + cell.as_good == 0.0),
            values,
        })
    }

    /// Whether best play comes to one of them, as far as is known.
    fn is_met(&self) -> bool {
        self.visits != Some(0.0)
    }

    /// Whether yes is as good as no on the other side of the threshold, or at the end where it is never better.
    fn is_as_good(&self) -> bool {
        self.as_good != self.threshold && (self.threshold.is_some() || self.otherwise == 0.0)
    }

    /// What happens, in a word.
    fn answer(&self, side: Side) -> &'static str {
        match (self.threshold, side) {
            _ if self.otherwise > 0.0 => "mixed",
            (None, _) => "never",
            _ if self.is_always => "always",
            (_, Side::From) => "from",
            (_, Side::UpTo) => "up to",
        }
    }
}

/// A column of situations: the values of the features by which it is told, and what best play does there.
type Place = ([i64; 2], HoldAt);

/// The side on which most places are told without exception, and what best play does at each.
fn places(table: &AnswerTable) -> (Side, Vec<Place>) {
    let last = table.by.len() - 1;
    let at =
        |cell: &Situations<String>| std::array::from_fn(|at| if at < last { cell.values[at] } else { 0 });
    let columns: Vec<Vec<&Situations<String>>> =
        table.cells.chunk_by(|a, b| at(a) == at(b)).map(|cells| cells.iter().collect()).collect();
    let told = |side: Side| -> Vec<Place> {
        columns.iter().filter_map(|cells| Some((at(cells[0]), HoldAt::of(side, cells, last)?))).collect()
    };
    let [from, up_to] = [Side::From, Side::UpTo].map(told);
    if Exceptions::of(&up_to) < Exceptions::of(&from) { (Side::UpTo, up_to) } else { (Side::From, from) }
}

/// In how many decisions of a game best play answers otherwise than the thresholds say; then, at how many places.
#[derive(PartialEq, PartialOrd)]
struct Exceptions {
    share: f64,
    places: usize,
}

impl Exceptions {
    fn of(places: &[Place]) -> Self {
        let visits: f64 = places.iter().map(|(_, place)| place.visits.unwrap_or(0.0)).sum();
        let wrong: f64 = places.iter().map(|(_, place)| place.visits.unwrap_or(0.0) * place.otherwise).sum();
        Self {
            share: if visits > 0.0 { wrong / visits } else { 0.0 },
            places: places.iter().filter(|(_, place)| place.otherwise > 0.0).count(),
        }
    }
}

impl AnswerTable {
    /// Where there are thresholds, of all values: when to answer yes, as a condition of a policy.
    pub fn condition(&self) -> Option<String> {
        (self.is_from && !self.chosen.contains(&true)).then(|| condition(self))
    }
}

fn condition(table: &AnswerTable) -> String {
    let (side, places) = places(table);
    let (of, by) = table.by.split_last().map_or((None, &[][..]), |(of, by)| (Some(of), by));
    let Some(of) = of else { return "false".into() };
    let told = |hold: &HoldAt| match (hold.threshold, side) {
        (None, _) => "false".to_owned(),
        (Some(value), Side::From) if value <= of.low => "true".into(),
        (Some(value), Side::UpTo) if value >= of.high => "true".into(),
        (Some(_), Side::From) if of.is_truth => of.name.into(),
        (Some(_), Side::UpTo) if of.is_truth => format!("!{}", of.name),
        (Some(value), Side::From) => format!("{} >= {}", of.name, limit(of, value, true)),
        (Some(value), Side::UpTo) => format!("{} <= {}", of.name, limit(of, value, false)),
    };
    if by.len() < 2 {
        let cells = places.iter().map(|(at, hold)| (at[0], told(hold)));
        return choice(by.first(), cells.collect());
    }
    let row = |cells: &[Place]| {
        let of_row = cells.iter().map(|(at, hold)| (at[1], told(hold)));
        (cells[0].0[0], choice(by.get(1), of_row.collect()))
    };
    choice(by.first(), places.chunk_by(|(a, _), (b, _)| a[0] == b[0]).map(row).collect())
}

/// One of some conditions, by the value of a feature; between two values, that of the less one.
fn choice(by: Option<&Feature>, mut cells: Vec<(i64, String)>) -> String {
    cells.dedup_by(|next, before| next.1 == before.1);
    let Some(by) = by.filter(|_| cells.len() > 1) else {
        return cells.pop().map_or("false".into(), |(_, condition)| condition);
    };
    fn split(by: &Feature, cells: &[(i64, String)]) -> String {
        let (before, behind) = cells.split_at(cells.len() / 2);
        match before {
            [] => behind[0].1.clone(),
            _ if by.is_truth => format!("({} ? {} : {})", by.name, split(by, behind), split(by, before)),
            _ => {
                let from = limit(by, behind[0].0, true);
                format!("({} < {from} ? {} : {})", by.name, split(by, before), split(by, behind))
            }
        }
    }
    split(by, &cells)
}

/// The section with the thresholds of the last feature.
pub(super) fn section(table: &AnswerTable) -> Section {
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
    table: &'t AnswerTable,
    /// The place of the last feature, whose thresholds they are.
    last: usize,
    side: Side,
    places: BTreeMap<[i64; 2], HoldAt>,
}

impl<'t> Held<'t> {
    fn of(table: &'t AnswerTable) -> Self {
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
        told += if place.otherwise > 0.0 { "*" } else { "" };
        told + if place.is_as_good() { "=" } else { "" }
    }

    fn which(&self) -> &'static str {
        match self.side {
            Side::From => "least",
            Side::UpTo => "greatest",
        }
    }

    fn notes(&self) -> Vec<String> {
        let before = match self.side {
            Side::From => "less",
            Side::UpTo => "more",
        };
        let any = |is_so: fn(&HoldAt) -> bool| self.places.values().any(is_so);
        let mut notes = Vec::new();
        if any(|place| place.threshold.is_none()) {
            let is_rare = any(|place| place.threshold.is_none() && place.otherwise > 0.0);
            let rare = if is_rare { ", or, with *, hardly ever" } else { "" };
            notes.push(format!("–: it is never yes{rare}."));
        }
        if any(|place| place.otherwise > 0.0) {
            let places: Vec<Place> = self.places.iter().map(|(at, place)| (*at, *place)).collect();
            notes.push(match Exceptions::of(&places).share {
                0.0 => "* best play answers otherwise in some situations.".into(),
                share => format!(
                    "* best play answers otherwise in some situations, altogether in {} of its decisions.",
                    percent(share).replace("< ", "less than ")
                ),
            });
        }
        if any(HoldAt::is_as_good) {
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
            let value = place.threshold.map(|value| value as f64 / of.denominator as f64);
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
    at: [Option<(&'static str, Number)>; 2],
    of: &'static str,
    side: Side,
    hold: HoldAt,
    /// The least and the greatest value, the threshold, and that which is as good.
    values: [Number; 2],
    threshold: Option<Number>,
    as_good: Option<Number>,
}

pub(super) fn rows(solved: &SolveReport, about: &RowContext) -> Vec<Row> {
    let Some(table) = solved.table.as_ref().filter(|table| table.is_from) else { return Vec::new() };
    let (by, of) = table.by.split_at(table.by.len() - 1);
    let (side, places) = places(table);
    let row = |(values, hold): Place| Row {
        about: about.clone(),
        kind: table.kind,
        at: std::array::from_fn(|at| by.get(at).map(|by| (by.name, number(by, values[at])))),
        of: of[0].name,
        side,
        values: hold.values.map(|value| number(&of[0], value)),
        threshold: hold.threshold.map(|value| number(&of[0], value)),
        as_good: hold.as_good.map(|value| number(&of[0], value)),
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
            "the least value at which to answer yes, or the greatest: the one that loses least where best play answers otherwise; where it \
             never comes, the first at which it answers yes in most situations; empty if there is none",
            |r| r.threshold,
        )
        .column(
            "as_good",
            "unit of the feature",
            "the same where yes counts that is as good as no: other than the threshold only where both are equally good",
            |r| r.as_good,
        )
        .column(
            "answer",
            "",
            "`never`: yes in no situation; `always`: in all; `from` or `up to` the threshold, and nowhere else; `mixed`: best \
             play answers otherwise in some situations",
            |r| r.hold.answer(r.side),
        )
        .column("least", "unit of the feature", "its least value in any situation", |r| r.values[0])
        .column("greatest", "unit of the feature", "its greatest value in any situation", |r| r.values[1])
        .column("met", "", "whether best play comes to one of the situations; `true` where that is not known", |r| {
            r.hold.is_met()
        })
        .column(
            "otherwise",
            "share",
            "in which best play answers otherwise: of the times that it comes there; where it never comes, or `visits` are not \
             known, of the situations",
            |r| exact(r.hold.otherwise),
        )
        .column("visits", "", "how often a game comes there under best play, in the mean; empty where that is not known", |r| {
            r.hold.visits.map(exact)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Situations by a value from 1 on: what best play answers at each, `=` where both are as good, and how often it comes there.
    fn held(side: Side, answers: &str, visits: Option<&[f64]>) -> HoldAt {
        let cell = |(at, answer): (usize, char)| {
            let word = if answer == 'y' { YES } else { NO };
            let times = |situations: f64| {
                let visits = visits.map_or(0.0, |visits| visits[at] * situations / 2.0);
                Times { situations, visits, loss: visits }
            };
            let answers = match answer {
                '?' => vec![(NO.to_owned(), times(1.0)), (YES.to_owned(), times(1.0))],
                _ => vec![(word.to_owned(), times(2.0))],
            };
            let ties = if answer == '=' { times(2.0) } else { Times::default() };
            Situations { values: [1 + at as i64, 0, 0], answers, ties, is_counted: visits.is_some() }
        };
        let cells: Vec<_> = answers.chars().enumerate().map(cell).collect();
        HoldAt::of(side, &cells.iter().collect::<Vec<_>>(), 0).expect("situations")
    }

    fn of(side: Side, answers: &str) -> (Option<i64>, Option<i64>, &'static str) {
        let found = held(side, answers, None);
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
        assert_eq!(of(Side::UpTo, "yynn"), (Some(2), Some(2), "up to"));
        assert_eq!(of(Side::UpTo, "yy=n"), (Some(2), Some(3), "up to"));
    }

    #[test]
    fn where_no_game_is_counted_the_first_cell_with_more_yes_than_no() {
        assert_eq!(of(Side::From, "n?y"), (Some(3), Some(3), "mixed"));
        assert_eq!(of(Side::From, "nyynnnn"), (Some(2), Some(2), "mixed"));
        assert_eq!(of(Side::From, "n?"), (None, None, "mixed"));
        assert_eq!(of(Side::UpTo, "y?n"), (Some(1), Some(1), "mixed"));
        assert!((held(Side::From, "n?yy", None).otherwise - 1.0 / 8.0).abs() < 1e-15);
    }

    #[test]
    fn exceptions_count_as_often_as_play_comes_there() {
        let from = |answers, visits: &[f64]| held(Side::From, answers, Some(visits));
        // Nobody comes to the last ones.
        let found = from("nynnn", &[5.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!((found.threshold, found.otherwise, found.answer(Side::From)), (Some(2), 0.0, "from"));
        // Of those that no game tells apart, the one with the fewest situations.
        let found = from("nnnyn", &[5.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!((found.threshold, found.otherwise), (Some(4), 0.0));
        let found = from("nynny", &[5.0, 3.0, 1.0, 1.0, 2.0]);
        assert_eq!((found.threshold, found.visits), (Some(2), Some(12.0)));
        assert!((found.otherwise - 2.0 / 12.0).abs() < 1e-15);
        // Where no game comes at all, situations count.
        let found = from("nynny", &[0.0; 5]);
        assert_eq!((found.threshold, found.is_met()), (Some(2), false));
    }
}
