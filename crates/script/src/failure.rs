//! Why a run cannot go on: a number left its range, or something was asked for that is not there.

use crate::compile::NOTHING_FOR_ALL;
use crate::layout::{Field, Layout};
use crate::op::{Named, NamedKind, Program};
use crate::problem::{Span, place};
use crate::state::{State, WORDS, index};

/// The most of a bag that are listed one by one.
const MOST_LISTED: i64 = 8;

/// What ended a run that the text does not say how to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The place in the text.
    pub span: Span,
    /// What failed, such as "`points` is 104, and 0 to 100 is allowed".
    pub what: String,
    /// Whether that is a number out of its range.
    pub is_range: bool,
    /// Whose turn it was, from 0, if one player's.
    pub seat: Option<usize>,
    /// The variables that could be seen there, with their values in words.
    pub values: Vec<(String, String)>,
}

impl Failure {
    /// In words: the line of the text, what failed there, and the values of the variables in this line.
    pub fn in_words(&self, text: &str) -> String {
        let (line, column) = place(text, self.span.start);
        let whole = text.lines().nth(line - 1).unwrap_or_default().trim();
        let is_in_line =
            |name: &str| whole.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        let seat = self.seat.map(|seat| format!("seat {}", seat + 1));
        let values = self.values.iter().filter(|(name, _)| is_in_line(name));
        let values = values.map(|(name, value)| format!("`{name}` is {value}"));
        let with: Vec<String> = seat.into_iter().chain(values).collect();
        let with = if with.is_empty() { String::new() } else { format!(" ({})", with.join(", ")) };
        format!("line {line}, column {column}: {}{with}, in `{whole}`", self.what)
    }

    /// What to write instead.
    pub(crate) fn help(&self) -> &'static str {
        match (self.is_range, &*self.what) {
            (true, what) if what.starts_with('`') => {
                "let the range be wider, or say what happens then: `min(…, MOST)`, or an `if`"
            }
            (true, _) => "say what happens then: `min(…, MOST)`, `max(…, LEAST)`, or an `if` before it",
            // What is no number out of its range is nothing to divide by, or nothing to choose from.
            (false, NOTHING_FOR_ALL) => "ask only who has something: `where CONDITION` before `from`",
            (false, "this divides by zero") => "say what is done then: an `if` before it",
            (false, _) => "say what is done then: `else` below this line, or an `if` before it",
        }
    }
}

impl Program {
    /// Why the run that ended so could not go on; `None` if it ended as the text says.
    pub fn failure(&self, end: &State) -> Option<Failure> {
        let check = self.checks.get(end.failed()?)?;
        let found = (self.words < WORDS).then(|| end.0[WORDS - 1].cast_signed());
        let (low, high) = (check.low, check.high);
        let is_range = (low, high) != (1, 1);
        let what = match found {
            _ if !is_range => check.what.clone(),
            Some(found) => format!("{} is {found}, and {low} to {high} is allowed", check.what),
            None => format!("{} is not within {low} to {high}", check.what),
        };
        let seat = self.me.map(|me| index(self.value(end, me)));
        let mut values: Vec<(String, String)> = Vec::new();
        for named in check.seen.iter().rev().filter_map(|&number| self.named.get(number)?.as_ref()) {
            if values.iter().all(|(name, _)| *name != named.name) {
                values.push((named.name.clone(), self.shown_in_words(end, named, seat.unwrap_or(0))));
            }
        }
        values.reverse();
        Some(Failure { span: check.span.clone(), what, is_range, seat, values })
    }

    /// What a cell holds.
    pub(crate) fn value(&self, state: &State, cell: u32) -> i64 {
        let place = self.places[cell as usize];
        place.of(&state.0).cast_signed() + i64::from(place.low)
    }

    fn shown_in_words(&self, state: &State, named: &Named, seat: usize) -> String {
        let cell = named.first + if named.is_players { u32::try_from(seat).unwrap_or(0) } else { 0 };
        self.in_words(named.kind, self.value(state, cell))
    }

    /// What a bag holds, with how many of it.
    pub(crate) fn held(&self, layout: u16, value: i64) -> Vec<(i64, String)> {
        let layout = &self.layouts[usize::from(layout)];
        let held = layout.fields.iter().filter(|field| field.of(value) > 0);
        held.map(|field| (field.of(value), self.face(layout, field))).collect()
    }

    /// The name of a face; with the name of its die before it, where dice of other kinds show the same.
    pub(crate) fn face(&self, layout: &Layout, field: &Field) -> String {
        match layout.is_on_several(field) {
            true => format!("{} {}", self.name(field.die), self.name(field.atom)),
            false => self.name(field.atom),
        }
    }

    fn name(&self, atom: i64) -> String {
        match atom {
            0 => "none".to_owned(),
            atom => self.atoms.get(index(atom - 1)).cloned().unwrap_or_default(),
        }
    }

    /// A value in words.
    pub(crate) fn in_words(&self, kind: NamedKind, value: i64) -> String {
        match kind {
            NamedKind::Number => value.to_string(),
            NamedKind::Truth => if value == 0 { "no" } else { "yes" }.to_owned(),
            NamedKind::Name => self.name(value),
            NamedKind::Player if value < 0 => "none".into(),
            NamedKind::Player => format!("seat {}", value + 1),
            NamedKind::Bag(layout) => {
                let held = self.held(layout, value);
                // Few are listed one by one, as they lie on the table, and so is what there is once of each.
                let is_once = held.iter().all(|(many, _)| *many == 1);
                let one_by_one = is_once || held.iter().map(|(many, _)| many).sum::<i64>() <= MOST_LISTED;
                let listed: Vec<String> = match one_by_one {
                    true => held
                        .into_iter()
                        .flat_map(|(many, name)| (0..many).map(move |_| name.clone()))
                        .collect(),
                    false => held.into_iter().map(|(many, name)| format!("{many} of {name}")).collect(),
                };
                match listed.is_empty() {
                    true => "none".to_owned(),
                    false => listed.join(if one_by_one { ", " } else { " + " }),
                }
            }
            NamedKind::Pairing => format!("{} and {}", value & 0xffff, value >> 16),
        }
    }
}
