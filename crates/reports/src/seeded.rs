//! Adds the column `seed`, so that tables of runs with different seeds can be concatenated, and `method` to tables whose limits are
//! all of one.

use std::sync::Arc;

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

/// Tables of shares, whose limits are all made in one way.
const OF_ONE_METHOD: [&str; 3] = ["distribution.csv", "endings.csv", "turns.csv"];

/// Adds that way to these tables, as their last column.
pub(super) fn add_method(tables: &mut [Dataset], method: &str) {
    for table in tables.iter_mut().filter(|table| OF_ONE_METHOD.contains(&table.file)) {
        table.columns.push(Heading {
            name: "method".into(),
            data_type: DataType::Text,
            unit: "".into(),
            meaning: "how the intervals are made".into(),
        });
        let method: Arc<str> = method.into();
        table.rows.iter_mut().for_each(|row| row.push(Cell::from(method.clone())));
    }
}
