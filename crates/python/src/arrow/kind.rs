//! Of which type a column is.
//!
//! Cells know their types, columns do not; a column has one that holds all of its cells. One without any cell has the type that
//! it has elsewhere, so that tables of several runs can be put together.

use stopwise_report::Cell;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Texts; also of numbers among texts, as CSV writes them: the `seat` of reports that have one of `all`.
    Text,
    /// Whole numbers, signed, so that differences of columns are what they should be.
    Whole,
    /// Whole numbers of which one is above 2⁶³: seeds and numbers of trials.
    Count,
    /// Numbers, and whole numbers among them.
    Real,
    /// Yes or no.
    Flag,
}

/// Columns of numbers or texts that have whole numbers alone in some tables: what rules are varied over, and the marks and
/// quantiles that were asked for.
const MIXED: [(&str, Kind); 3] = [("at", Kind::Real), ("level", Kind::Text), ("against", Kind::Text)];

/// Columns that may be without any cell, and are no numbers.
const TEXTS: [&str; 14] = [
    "against",
    "ending",
    "feature",
    "feature_2",
    "game",
    "kind",
    "level",
    "metric",
    "method",
    "policy",
    "position",
    "rules",
    "threshold_of",
    "unit",
];

/// Columns that may be without any cell, and are whole numbers.
const WHOLES: [&str; 8] =
    ["count", "decisions", "mistakes", "seat", "threshold", "turn", "value_2", "states"];

impl Kind {
    /// That of a column of this name with these cells.
    pub(super) fn of(name: &str, cells: &[&Cell]) -> Self {
        let is_any = |is: fn(&Cell) -> bool| cells.iter().any(|cell| is(cell));
        let mixed = MIXED.iter().find(|(mixed, _)| *mixed == name).map(|(_, kind)| *kind);
        if cells.iter().all(|cell| matches!(cell, Cell::Empty)) {
            return mixed.unwrap_or_else(|| Self::elsewhere(name));
        }
        let (is_flag, is_number) = (is_any(|cell| matches!(cell, Cell::Flag(_))), is_any(Cell::is_number));
        if is_any(|cell| matches!(cell, Cell::Text(_))) || is_flag && is_number {
            return Self::Text;
        }
        if let Some(kind) = mixed {
            return kind;
        }
        if is_flag {
            Self::Flag
        } else if is_any(|cell| matches!(cell, Cell::Real(..))) {
            Self::Real
        } else if !is_any(|cell| matches!(cell, Cell::Count(number) if i64::try_from(*number).is_err())) {
            Self::Whole
        } else if is_any(|cell| matches!(cell, Cell::Whole(_))) {
            Self::Real
        } else {
            Self::Count
        }
    }

    /// That of a column that has no cell here.
    fn elsewhere(name: &str) -> Self {
        if TEXTS.contains(&name) {
            Self::Text
        } else if WHOLES.contains(&name) {
            Self::Whole
        } else {
            Self::Real
        }
    }
}
