//! The tables for people: what best play answers in which situations.

use std::collections::BTreeMap;
use std::sync::Arc;

use stopwise_analysis::exact::{MOST_FEATURES, Situations, Times};
use stopwise_document::chart::{Axis, Heated};
use stopwise_document::{Block, Chart, Number, Section, Sheet, View};
use stopwise_engine::vocabulary::Feature;
use stopwise_narration::spoken;

use super::SolveReport;
use super::cells::{RowContext, exact, number};
use super::pictured::Pictured;
use crate::leading;

/// The file of the table that is asked for.
pub const FILE: &str = "decisions.csv";
/// What a yes/no decision is answered with.
pub(super) const YES: &str = "yes";
pub(super) const NO: &str = "no";
/// What brackets say.
pub(super) const UNMET: &str = "(…): best play never comes there.";
/// The most rows, columns, and tables that people are shown; more columns if they are narrow.
const SHOWN: [usize; 3] = [60, 16, 12];
/// So many rows and columns are left where cells are numbers and there are more of them.
const LEFT_OF_NUMBERS: [usize; 3] = [25, 12, SHOWN[2]];
/// Beyond the values that are shown there is at most this share of all decisions on either side.
pub(super) const HARDLY: f64 = 5e-4;
/// Columns of which so many characters are enough are all shown.
const LINE: usize = 80;

/// How best play answers a kind of decision, by features.
#[derive(Debug)]
pub struct AnswerTable {
    /// The kind of decision.
    pub kind: &'static str,
    /// Whether it is answered with yes or no.
    pub is_yes_no: bool,
    /// One to three features: from top to bottom, from left to right, and from table to table.
    pub by: Vec<Feature>,
    /// Those whose values are chosen, all of which are shown.
    pub chosen: [bool; MOST_FEATURES],
    /// Whether cells are the value of the last feature from which on, or up to which, the answer is yes.
    pub is_from: bool,
    /// Situations with their answers, in the order of the values.
    pub cells: Vec<Situations<String>>,
}

/// So many answers have a colour each.
const COLOURS: usize = 8;
/// What is said of answers without a colour of their own.
const OTHERS: &str = "another answer";

/// What is shown of a table.
pub(super) struct Shown<'t> {
    pub(super) table: &'t AnswerTable,
    /// The values of the features.
    pub(super) levels: [Vec<i64>; 3],
    /// Whether some are left out, so that people can read it.
    pub(super) is_part: bool,
    cells: BTreeMap<[i64; 3], &'t Situations<String>>,
}

/// What the notes below a table explain.
#[derive(Default)]
struct Marks {
    share: bool,
    /// Whether shares are of visits.
    counted: bool,
    tied: bool,
    unmet: bool,
}

impl AnswerTable {
    pub(super) fn shown(&self) -> Shown<'_> {
        let mut is_part = false;
        let levels = std::array::from_fn(|at| {
            let mut levels: Vec<_> = self.cells.iter().map(|cell| cell.values[at]).collect();
            levels.sort_unstable();
            levels.dedup();
            // The last feature is in the cells.
            let is_in_cells = self.is_from && at + 1 >= self.by.len();
            let has_room = |levels: &[i64]| levels.len() <= SHOWN[at] || at == 1 && self.is_narrow(levels);
            if is_in_cells || self.chosen[at] || has_room(&levels) {
                return levels;
            }
            is_part = true;
            let often = if self.is_from { &levels } else { self.often(at, &levels) };
            if has_room(often) {
                often.to_vec()
            } else {
                thinned(often, if self.is_from { LEFT_OF_NUMBERS } else { SHOWN }[at])
            }
        });
        Shown {
            table: self,
            levels,
            is_part,
            cells: self.cells.iter().map(|cell| (cell.values, cell)).collect(),
        }
    }

    /// The values of a feature without the least and the greatest ones, if hardly a decision has them.
    fn often<'l>(&self, at: usize, levels: &'l [i64]) -> &'l [i64] {
        let mut visits = vec![0.0; levels.len()];
        for cell in &self.cells {
            if let Ok(level) = levels.binary_search(&cell.values[at]) {
                visits[level] += cell.visits().unwrap_or(0.0);
            }
        }
        let few = HARDLY * visits.iter().sum::<f64>();
        let beyond = |visits: &mut dyn Iterator<Item = &f64>| {
            let mut sum = 0.0;
            visits
                .take_while(|visits| {
                    sum += **visits;
                    sum < few
                })
                .count()
        };
        let (before, behind) = (beyond(&mut visits.iter()), beyond(&mut visits.iter().rev()));
        if few > 0.0 { &levels[before..levels.len() - behind] } else { levels }
    }

    /// Whether a line has room for a column for each of these values of the second feature.
    fn is_narrow(&self, columns: &[i64]) -> bool {
        let length = |at: usize, value: i64| self.told(at, value).chars().count();
        let cell = match self.is_from {
            true => self.cells.iter().map(|cell| length(2, cell.values[2])).max(),
            false => self.cells.iter().flat_map(|cell| &cell.answers).map(|(answer, _)| answer.len()).max(),
        };
        let row = self.cells.iter().map(|cell| length(0, cell.values[0])).max().unwrap_or(0);
        let widths = columns.iter().map(|&column| 2 + length(1, column).max(cell.unwrap_or(0)));
        row.max(self.by[0].name.len()) + widths.sum::<usize>() <= LINE
    }

    /// A value of one of the features, in words.
    pub(super) fn told(&self, at: usize, value: i64) -> String {
        match self.by.get(at) {
            Some(feature) if feature.is_truth => if value == 0 { NO } else { YES }.to_owned(),
            Some(feature) if feature.denominator != 1 => told_chance(value, feature.denominator),
            _ => value.to_string(),
        }
    }

    /// What best play answers in some situations.
    fn answer(&self, cell: &Situations<String>, marks: &mut Marks) -> String {
        let Some(answer) = self.most(cell) else { return String::new() };
        let is_mixed = cell.answers.len() > 1;
        let mut told = match (self.is_yes_no, is_mixed) {
            (_, false) => answer.clone(),
            (true, true) => percent(cell.share(&YES.to_owned())),
            (false, true) => format!("{answer} {}", percent(cell.share(answer))),
        };
        let is_tied = cell.ties.situations > 0.0;
        if is_tied {
            told.push('=');
        }
        marks.share |= is_mixed;
        marks.counted |= is_mixed && cell.is_counted;
        marks.tied |= is_tied;
        if self.is_yes_no || cell.is_met() {
            return told;
        }
        // Of several answers that are never needed each would be as good to learn.
        marks.unmet = true;
        format!("({told})")
    }

    pub(super) fn section(&self) -> Section {
        let shown = self.shown();
        let mut marks = Marks::default();
        let pages = &shown.levels[2];
        let views: Vec<View> = pages.iter().map(|&page| shown.view(page, &mut marks)).collect();
        let mut notes = marks.notes();
        let mut section = Section::default();
        shown.picture(notes.clone()).into_iter().for_each(|chart| section.chart(chart));
        if shown.is_part {
            notes.push(format!("Not every value is shown; {FILE} (--out DIR, or --format csv) has all."));
        }
        views.into_iter().for_each(|view| section.view(view));
        if let Some(Block::View(last)) = section.blocks.last_mut() {
            notes.into_iter().for_each(|note| last.note(note));
        }
        section
    }

    /// The answer that is given most often; of several the first.
    fn most<'c>(&self, cell: &'c Situations<String>) -> Option<&'c String> {
        let answers = cell.answers.iter().map(|(answer, _)| (answer, cell.share(answer)));
        let most = answers.reduce(|most, next| if most.1 >= next.1 { most } else { next });
        most.map(|(answer, _)| answer)
    }

    /// The answers that have colours, from the one of most cells on; where they are too many, the last stands for all others.
    fn coloured(&self) -> Vec<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let most = self.cells.iter().filter_map(|cell| self.most(cell));
        most.for_each(|answer| *counts.entry(answer).or_default() += 1);
        let mut answers: Vec<_> = counts.into_iter().collect();
        answers.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let mut names: Vec<_> = answers.iter().map(|(answer, _)| (*answer).to_owned()).collect();
        if names.len() > COLOURS {
            names.truncate(COLOURS - 1);
            names.push(OTHERS.into());
        }
        names
    }
}

impl Marks {
    /// What stands below a table.
    fn notes(&self) -> Vec<String> {
        let notes = [
            (self.share && !self.counted, "A share is of the situations that differ in something else."),
            (
                self.counted,
                "A share is of the times that best play comes there, in situations that differ in something else.",
            ),
            (self.tied, "= in some of the situations, or all, another answer is as good."),
            (self.unmet, UNMET),
        ];
        notes.into_iter().filter(|(is_there, _)| *is_there).map(|(_, note)| note.to_owned()).collect()
    }
}

/// At most about so many of some values: those that are multiples of a round step, if there are about as many as by counting.
fn thinned(levels: &[i64], most: usize) -> Vec<i64> {
    let every = round(levels.len().div_ceil(most));
    let apart = levels.windows(2).map(|pair| pair[1].abs_diff(pair[0])).min().unwrap_or(1);
    let step = i64::try_from(every as u64 * apart).unwrap_or(i64::MAX);
    let multiples: Vec<_> = levels.iter().copied().filter(|level| level % step == 0).collect();
    if 4 * multiples.len() * every >= 3 * levels.len() {
        return multiples;
    }
    levels.iter().copied().step_by(every).collect()
}

/// A step of 1, 2, 5, 10, 20 … that is no shorter.
fn round(step: usize) -> usize {
    let scale = 10_usize.pow(step.max(1).ilog10());
    [scale, 2 * scale, 5 * scale].into_iter().find(|&round| round >= step).unwrap_or(10 * scale)
}

impl Shown<'_> {
    /// The table of a value of the third feature, if there is one.
    fn view(&self, page: i64, marks: &mut Marks) -> View {
        let (table, [rows, columns, _]) = (self.table, &self.levels);
        let (kind, row) = (spoken(table.kind), spoken(table.by[0].name));
        let mut title = format!("Best play: {kind} by {row}");
        if let [_, column, ..] = &*table.by {
            title += &format!(" (down) and {} (across)", spoken(column.name));
        }
        if let [_, _, third] = &*table.by {
            title += &format!(" where {} is {}", spoken(third.name), table.told(2, page));
        }
        let head = |&column: &i64| match table.by.len() {
            1 => kind.clone(),
            _ => table.told(1, column),
        };
        let column = |view: View, column| match table.is_yes_no {
            true => view.numbers(head(column)),
            false => view.texts(head(column)),
        };
        let mut view = columns.iter().fold(View::new(title).numbers(row), column);
        for &row in rows {
            let mut cell = |&column: &i64| {
                let cell = self.cells.get(&[row, column, page]);
                cell.map_or_else(String::new, |cell| table.answer(cell, marks))
            };
            let cells: Vec<_> = columns.iter().map(&mut cell).collect();
            // Of several tables each has its own rows.
            if cells.iter().any(|cell| !cell.is_empty()) {
                view.row(std::iter::once(table.told(0, row)).chain(cells));
            }
        }
        view
    }

    /// The same cells, coloured by the share of yes, or by the answer.
    fn picture(&self, notes: Vec<String>) -> Option<Chart> {
        let (table, kind) = (self.table, spoken(self.table.kind));
        let coloured = table.coloured();
        let place = |answer: &String| {
            coloured.iter().position(|name| name == answer).unwrap_or(coloured.len().saturating_sub(1))
        };
        let heated = |values: [i64; 3]| {
            let cell = self.cells.get(&values)?;
            let value = match table.is_yes_no {
                true => cell.share(&YES.to_owned()),
                false => place(table.most(cell)?) as f64,
            };
            Some(Heated { words: table.answer(cell, &mut Marks::default()), ..Heated::of(value) })
        };
        let pictured = match table.is_yes_no {
            true => Pictured {
                title: format!("Best play: {kind}, yes or no"),
                what: format!("In which situations best play answers {kind} with yes"),
                head: kind.to_owned(),
                value: Axis::share("share of yes"),
                notes,
            },
            false => Pictured {
                title: format!("Best play: {kind}"),
                what: format!("What best play answers to {kind}"),
                head: kind.to_owned(),
                value: Axis::levels(kind, coloured.clone()),
                notes,
            },
        };
        pictured.chart(&table.by, &self.levels, |at, value| table.told(at, value), heated)
    }
}

/// A chance, to four decimals.
fn told_chance(parts: i64, of: i64) -> String {
    let decimals = 1e4;
    ((parts as f64 / of as f64 * decimals).round() / decimals).to_string()
}

/// A row of `decisions.csv`.
#[derive(Debug)]
pub(super) struct CellRow {
    about: RowContext,
    kind: &'static str,
    /// The features, each with its value.
    at: [Option<(&'static str, Number)>; 3],
    answer: Arc<str>,
    yes: Times,
    cell: Situations<String>,
}

/// A row for each cell of a yes/no decision, of others for each answer in a cell.
pub(super) fn rows(solved: &SolveReport, about: &RowContext) -> Vec<CellRow> {
    let of = |table: &AnswerTable| {
        let row = |cell: &Situations<String>, answer: &str| CellRow {
            about: about.clone(),
            kind: table.kind,
            at: std::array::from_fn(|at| {
                table.by.get(at).map(|feature| (feature.name, number(feature, cell.values[at])))
            }),
            answer: answer.into(),
            yes: cell.answered(&answer.to_owned()),
            cell: cell.clone(),
        };
        let mut rows = Vec::new();
        for cell in &table.cells {
            match table.is_yes_no {
                true => rows.push(row(cell, YES)),
                false => rows.extend(cell.answers.iter().map(|(answer, _)| row(cell, answer))),
            }
        }
        rows
    };
    solved.table.iter().flat_map(of).collect()
}

pub(super) fn sheet() -> Sheet<CellRow> {
    leading::sheet(FILE, |r: &CellRow| r.about.game, |r| r.about.rules.clone())
        .column("kind", "", "a kind of decision", |r| r.kind)
        .column("feature", "", "a feature that was asked for", |r| Some(r.at[0]?.0))
        .column("value", "unit of the feature", "its value", |r| Some(r.at[0]?.1))
        .column("feature_2", "", "another one; empty if there is none", |r| Some(r.at[1]?.0))
        .column("value_2", "unit of the feature", "its value", |r| Some(r.at[1]?.1))
        .column("feature_3", "", "a third one; empty if there is none", |r| Some(r.at[2]?.0))
        .column("value_3", "unit of the feature", "its value", |r| Some(r.at[2]?.1))
        .column(
            "situations",
            "situations",
            "how many there are, counted for every position before a roll, and the start, from which one may come",
            |r| exact(r.cell.all().situations),
        )
        .column("yes", "situations", "in how many of them best play gives the answer", |r| {
            exact(r.yes.situations)
        })
        .column(
            "answer",
            "",
            "the answer: `yes` where it is yes or no; of others each has a row that best play gives in one of the situations",
            |r| r.answer.clone(),
        )
        .column("ties", "situations", "in how many of the situations another answer is as good as the best", |r| {
            exact(r.cell.ties.situations)
        })
        .column("met", "", "whether best play comes to one of the situations; `true` where that is not known", |r| {
            r.cell.is_met()
        })
        .column("visits", "", "how often a game comes to them under best play, in the mean; empty where that is not known", |r| {
            r.cell.visits().map(exact)
        })
        .column("yes_visits", "", "how often it gives the answer there", |r| {
            r.cell.is_counted.then(|| exact(r.yes.visits))
        })
}

/// A share that is neither none nor all, in percent.
pub(super) fn percent(share: f64) -> String {
    match share {
        _ if share < 0.005 => "< 1 %".into(),
        _ if share >= 0.995 => "> 99 %".into(),
        _ => format!("{:.0} %", 100.0 * share),
    }
}
