//! What to hold at: the least value of a feature at which best play answers yes, as a rule book prints it.

use stopwise_analysis::exact::Situations;
use stopwise_document::{Section, View};

use super::table::{FILE, Shown, Table};

/// What best play does as a feature grows.
#[derive(Clone, Copy, Default)]
struct LeastYes {
    /// The least value at which it always answers yes.
    value: Option<i64>,
    /// Whether it answers yes below that in some situations, or no above.
    is_mixed: bool,
}

impl LeastYes {
    /// Of situations in the order of the values.
    fn of<'s>(cells: impl Iterator<Item = (i64, &'s Situations)>) -> Option<Self> {
        cells.fold(None, |found: Option<Self>, (value, cell)| {
            let least = found.unwrap_or_default();
            Some(match cell.yes == cell.many {
                true => Self { value: least.value.or(Some(value)), ..least },
                false => {
                    Self { is_mixed: least.is_mixed || least.value.is_some() || cell.yes > 0.0, ..least }
                }
            })
        })
    }
}

/// The section with the least values of the last feature at which best play answers yes.
pub(super) fn section(table: &Table) -> Section {
    let mut section = Section::default();
    section.view(view(&table.shown()));
    section
}

fn view(shown: &Shown<'_>) -> View {
    let (table, last) = (shown.table, shown.table.by.len() - 1);
    let (from, row) = (&table.by[last], table.by[0].name);
    let [rows, columns, _] = &shown.levels;
    let mut title =
        format!("Best play: the least {} at which the answer to {} is yes, by {row}", from.name, table.kind);
    let heads: Vec<_> = match table.by.get(1).filter(|_| last > 1) {
        None => vec![(0, from.name.to_owned())],
        Some(column) => {
            title += &format!(" (down) and {} (across)", column.name);
            columns.iter().map(|&column| (column, table.told(1, column))).collect()
        }
    };
    let mut view =
        heads.iter().fold(View::new(title).numbers(row), |view, (_, head)| view.numbers(head.clone()));
    let mut is_mixed = false;
    for &row in rows {
        let mut cell = |column: i64| {
            let low = if last > 1 { [row, column, i64::MIN] } else { [row, i64::MIN, 0] };
            let high = if last > 1 { [row, column, i64::MAX] } else { [row, i64::MAX, 0] };
            let cells = shown.cells.range(low..=high).map(|(values, cell)| (values[last], *cell));
            let Some(found) = LeastYes::of(cells) else { return String::new() };
            is_mixed |= found.is_mixed;
            let least = found.value.map_or("–".into(), |value| table.told(last, value));
            if found.is_mixed { format!("{least}*") } else { least }
        };
        let cells: Vec<_> = heads.iter().map(|&(column, _)| cell(column)).collect();
        view.row(std::iter::once(table.told(0, row)).chain(cells));
    }
    view.note("–: it is never yes.");
    if is_mixed {
        view.note("* for less it is yes as well in some situations, or for more it is no.");
    }
    if shown.is_part {
        view.note(format!("Not every value is shown; {FILE} has all."));
    }
    view
}
