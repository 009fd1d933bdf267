//! Columns of a sweep that are varied: texts as they were typed, and numbers where all of them are.

use stopwise_report::cell::Form;
use stopwise_report::{Cell, Dataset};

/// Files whose first columns, before the game, are what is varied.
const FILES: [&str; 2] = ["sweep.csv", "best.csv"];

/// The same table with numbers in place of texts; its CSV is the same. `None` if it has nothing that is varied.
pub(crate) fn numbered(dataset: &Dataset) -> Option<Dataset> {
    let varied = dataset.columns.iter().position(|column| column.name == "game")?;
    if varied == 0 || !FILES.contains(&dataset.file) {
        return None;
    }
    let mut numbered = dataset.clone();
    for at in 0..varied {
        let kinds: [fn(&str) -> Option<Cell>; 3] = [whole, real, flag];
        for kind in kinds {
            // Whatever is written otherwise, such as 007, stays a text.
            let same = |cell: &Cell| {
                let text = cell.written();
                kind(&text).filter(|cell| cell.written() == text)
            };
            let cells: Option<Vec<_>> = dataset.rows.iter().map(|row| same(&row[at])).collect();
            if let Some(cells) = cells {
                numbered.rows.iter_mut().zip(cells).for_each(|(row, cell)| row[at] = cell);
                break;
            }
        }
    }
    Some(numbered)
}

fn whole(text: &str) -> Option<Cell> {
    text.parse().ok().map(Cell::Whole)
}

fn real(text: &str) -> Option<Cell> {
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .map(|number| Cell::Real(number, Form::Shortest))
}

fn flag(text: &str) -> Option<Cell> {
    text.parse().ok().map(Cell::Flag)
}
