//! Of which type a column is.
//!
//! Cells know their types, columns do not; a column has one that holds all of its cells. One without any cell has the type that
//! it has elsewhere, so that tables of several runs can be put together.

use stopwise_report::Cell;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Texts; numbers among them are as CSV writes them.
    Text,
    /// Whole numbers, signed, so that differences of columns are what they should be.
    Whole,
    /// Whole numbers of which one is 2⁶³ or more.
    Count,
    /// Numbers, and whole numbers among them.
    Real,
    /// Yes or no.
    Flag,
}

/// Columns that hold several types, by file.
const MIXED: [(&str, &str, Kind); 4] = [
    ("asked.csv", "at", Kind::Real),
    ("sensitivity.csv", "level", Kind::Text),
    ("sensitivity.csv", "against", Kind::Text),
    ("solution.csv", "regret", Kind::Real),
];

/// Columns that may be without any cell, and are no numbers.
const TEXTS: [&str; 20] = [
    "a",
    "b",
    "beats",
    "better",
    "decision",
    "ending",
    "feature",
    "feature_2",
    "game",
    "groups",
    "kind",
    "method",
    "metric",
    "policy",
    "quantity",
    "position",
    "rules",
    "threshold_of",
    "unit",
    "verdict",
];

/// Columns that may be without any cell, and are whole numbers.
const WHOLES: [&str; 13] = [
    "cycle",
    "decisions_before",
    "fresh_first_trial",
    "fresh_trials",
    "seat",
    "seed",
    "states",
    "threshold",
    "trial",
    "trials_to_decide",
    "turn",
    "value_2",
    "together",
];

/// Files whose `value` is a whole number.
const WHOLE_VALUES: [&str; 3] = ["distribution.csv", "solution_distribution.csv", "thresholds.csv"];

impl Kind {
    /// That of a column of this file and name with these cells.
    pub(super) fn of<'c>(file: &str, name: &str, cells: impl Iterator<Item = &'c Cell> + Clone) -> Self {
        let is_any = |is: fn(&Cell) -> bool| cells.clone().any(is);
        if let Some((_, _, kind)) = MIXED.iter().find(|mixed| (mixed.0, mixed.1) == (file, name)) {
            return *kind;
        }
        let (is_text, is_flag, is_number) = (
            is_any(|cell| matches!(cell, Cell::Text(_))),
            is_any(|cell| matches!(cell, Cell::Flag(_))),
            is_any(Cell::is_number),
        );
        match (is_text, is_flag, is_number) {
            (false, false, false) => Self::elsewhere(file, name),
            (false, true, false) => Self::Flag,
            (false, false, true) if is_any(|cell| matches!(cell, Cell::Real(..))) => Self::Real,
            (false, false, true) => match (is_any(is_large), is_any(|cell| matches!(cell, Cell::Whole(_)))) {
                (false, _) => Self::Whole,
                (true, false) => Self::Count,
                (true, true) => Self::Real,
            },
            _ => Self::Text,
        }
    }

    /// That of a column that has no cell here.
    fn elsewhere(file: &str, name: &str) -> Self {
        if TEXTS.contains(&name) || name.starts_with("state_") {
            Self::Text
        } else if WHOLES.contains(&name) || name == "value" && WHOLE_VALUES.contains(&file) {
            Self::Whole
        } else if name == "early" {
            Self::Flag
        } else {
            Self::Real
        }
    }
}

/// Whether it is a number that is too large for [`Kind::Whole`].
fn is_large(cell: &Cell) -> bool {
    matches!(cell, Cell::Count(number) if i64::try_from(*number).is_err())
}
