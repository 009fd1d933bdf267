//! Typed tables for programs: a file each, with a dictionary of its columns.

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::cell::Cell;
use crate::value::{DataType, Value};

/// A table for programs. CSV writes it to `file`, JSON has it under the file's stem.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// The name of its file, such as `summary.csv`.
    pub file: &'static str,
    /// What is in its columns.
    pub columns: Vec<Heading>,
    /// As many cells a row as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// What is in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its name, a contract with scripts.
    pub name: Cow<'static, str>,
    /// The type of its cells.
    pub data_type: DataType,
    /// What one of it is; empty for texts and plain numbers.
    pub unit: Cow<'static, str>,
    /// What it means, in a sentence without a full stop.
    pub meaning: Cow<'static, str>,
}

/// A dataset to be: the one place where a file's columns stand, each with its name, type, unit, meaning and value.
pub struct Sheet<R> {
    file: &'static str,
    columns: Vec<Heading>,
    /// The cell of each column in the row made from an `R`.
    cells: Vec<CellOf<R>>,
}

type CellOf<R> = Box<dyn Fn(&R) -> Cell + Send + Sync>;

impl<R> Sheet<R> {
    /// A dataset without columns.
    #[must_use]
    pub fn new(file: &'static str) -> Self {
        Self { file, columns: Vec::new(), cells: Vec::new() }
    }

    /// The name of the file.
    #[must_use]
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// Adds a column; its type is that of its values.
    #[must_use]
    pub fn column<V: Value>(
        mut self,
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
        value: impl Fn(&R) -> V + Send + Sync + 'static,
    ) -> Self {
        self.columns.push(Heading {
            name: Cow::Borrowed(name),
            data_type: V::DATA_TYPE,
            unit: Cow::Borrowed(unit),
            meaning: Cow::Borrowed(meaning),
        });
        self.cells.push(Box::new(move |row| value(row).into()));
        self
    }

    /// The dataset with a row for each of these.
    pub fn fill(self, rows: impl IntoIterator<Item = R>) -> Dataset {
        let mut made = Vec::new();
        for row in rows {
            made.push(self.cells(&row));
        }
        self.with(made)
    }

    /// The dataset without rows: what is in its columns.
    pub fn without_rows(self) -> Dataset {
        self.with(Vec::new())
    }

    /// As [`Sheet::fill`], for so many rows that threads share their parts, which have the numbers from 0. `goes_on` is asked
    /// at every row with the number of rows so far; `None` if it says no. The rows so far are then freed in the background.
    pub fn fill_in_parts<I: IntoIterator<Item = R>>(
        self,
        parts: usize,
        rows: impl Fn(usize) -> I + Sync,
        goes_on: &(dyn Fn(usize) -> bool + Sync),
    ) -> Option<Dataset> {
        let count = Count { goes_on, rows: AtomicUsize::new(0), is_over: AtomicBool::new(false) };
        let part = |part: usize| {
            let mut made = Vec::new();
            if count.is_over() {
                return made;
            }
            for row in rows(part) {
                if !count.goes_on() {
                    break;
                }
                made.push(self.cells(&row));
            }
            made
        };
        let rows = in_parts(parts, &part);
        let made = self.with(rows);
        if count.is_over.into_inner() {
            made.free();
            return None;
        }
        Some(made)
    }

    fn cells(&self, row: &R) -> Vec<Cell> {
        // And room for one that all rows of a table have.
        let mut cells = Vec::with_capacity(self.cells.len() + 1);
        cells.extend(self.cells.iter().map(|cell| cell(row)));
        cells
    }

    fn with(self, rows: Vec<Vec<Cell>>) -> Dataset {
        Dataset { file: self.file, columns: self.columns, rows }
    }
}

impl<R> fmt::Debug for Sheet<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sheet")
            .field("file", &self.file)
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}

/// The rows of all parts, in order.
fn in_parts(parts: usize, rows: &(dyn Fn(usize) -> Vec<Vec<Cell>> + Sync)) -> Vec<Vec<Cell>> {
    let parts: Vec<_> = (0..parts).into_par_iter().map(rows).collect();
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|part| all.extend(part));
    all
}

/// How many rows are made, and whether that was too many.
struct Count<'g> {
    goes_on: &'g (dyn Fn(usize) -> bool + Sync),
    rows: AtomicUsize,
    is_over: AtomicBool,
}

impl Count<'_> {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Counts one more; whether it may be made.
    fn goes_on(&self) -> bool {
        let goes_on = !self.is_over() && (self.goes_on)(1 + self.rows.fetch_add(1, Ordering::Relaxed));
        if !goes_on {
            self.is_over.store(true, Ordering::Relaxed);
        }
        goes_on
    }
}

/// The name of a file without `.csv`.
pub(crate) fn stem(file: &'static str) -> &'static str {
    file.strip_suffix(".csv").unwrap_or(file)
}

impl Dataset {
    /// The name of its file without `.csv`.
    #[must_use]
    pub fn stem(&self) -> &'static str {
        stem(self.file)
    }

    /// Frees millions of rows in the background: nobody waits for that.
    pub fn free(self) {
        // Without a thread they are freed here.
        let _ = std::thread::Builder::new().name("freeing".into()).spawn(move || drop(self));
    }

    /// Puts columns before the others; `cells` are theirs, row by row.
    ///
    /// # Panics
    ///
    /// If there are not as many rows of cells as rows.
    #[must_use]
    pub fn after(mut self, columns: Vec<Heading>, cells: Vec<Vec<Cell>>) -> Self {
        assert_eq!(cells.len(), self.rows.len(), "as many rows as there are");
        self.columns.splice(0..0, columns);
        for (row, cells) in self.rows.iter_mut().zip(cells) {
            row.splice(0..0, cells);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet<usize> {
        Sheet::new("n.csv").column("n", "", "a number", |n: &usize| *n)
    }

    #[test]
    fn parts_follow_in_order() {
        let rows = |part: usize| (0..part % 4).map(move |row| 10 * part + row);
        let parted = sheet().fill_in_parts(50, rows, &|_| true);
        assert_eq!(parted, Some(sheet().fill((0..50).flat_map(rows))));
    }

    /// What a part has may take long, so that none is begun for a table that is left out.
    #[test]
    fn no_part_is_begun_in_vain() {
        let begun = AtomicUsize::new(0);
        let rows = |part: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            [part]
        };
        assert_eq!(sheet().fill_in_parts(100_000, rows, &|count| count <= 10), None);
        // Other threads may have begun one each.
        assert!(begun.into_inner() <= 11 + rayon::current_num_threads());
    }
}
