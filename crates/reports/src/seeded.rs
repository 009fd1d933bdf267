//! Adds the column `seed`, so that tables of runs with different seeds can be concatenated.

use stopwise_document::{Cell, DataType, Dataset, Heading};

/// Its heading.
pub(super) fn heading() -> Heading {
    Heading {
        name: "seed".into(),
        data_type: DataType::Unsigned,
        unit: "".into(),
        meaning: "the seed of the trials: rows of different seeds are of independent runs".into(),
    }
}

/// The tables of trials with this seed, each with the column as its last.
pub(super) fn seeded(mut tables: Vec<Dataset>, seed: u64) -> Vec<Dataset> {
    for table in &mut tables {
        table.columns.push(heading());
        table.rows.iter_mut().for_each(|row| row.push(Cell::from(seed)));
    }
    tables
}
