//! `columns`: the data dictionary.

use stopwise_report::{Cell, Dataset, Sheet, column};

use crate::args::Columns;
use crate::dictionary::{known, text};
use crate::failure::Failure;
use crate::listing::print_list;
use crate::setup::unknown;

pub(crate) fn columns(args: &Columns) -> Result<(), Failure> {
    let all = known();
    if let Some(file) = args.file.as_ref().filter(|&file| all.iter().all(|known| known.file != *file)) {
        return Err(unknown("file", file, &mut all.iter().map(|known| known.file)));
    }
    let wanted: Vec<_> =
        all.into_iter().filter(|known| args.file.as_ref().is_none_or(|file| known.file == *file)).collect();
    print_list(args.format, &table(&wanted), &|| text(&wanted))
}

/// The dictionary as a table itself.
fn table(files: &[Dataset]) -> Dataset {
    let rows = files.iter().flat_map(|file| {
        file.columns
            .iter()
            .map(|column| [file.file, &*column.name, &*column.unit, &*column.meaning].map(Cell::from))
    });
    Sheet {
        file: "columns.csv",
        columns: vec![
            column("file", "", "the file", |row: &[Cell; 4]| row[0].clone()),
            column("column", "", "the column", |row| row[1].clone()),
            column("unit", "", "what one of it is; empty for texts and plain numbers", |row| row[2].clone()),
            column("meaning", "", "what it means", |row| row[3].clone()),
        ],
    }
    .fill(rows)
}
