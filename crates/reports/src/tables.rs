//! Tables that may have millions of rows: a run that a signal ends leaves them out.

use std::fmt::Debug;

use stopwise_document::{Dataset, Report, Sheet};
use stopwise_narration::grouped;

use super::seeded::seeded;

/// The most rows, of all tables together, that a run makes which is to end at once: some take a microsecond each, and some
/// ten.
pub const MOST: usize = 100_000;

/// Who is told of large tables while they are made.
pub trait Watch: Debug + Sync {
    /// Whether the run is to end at once.
    fn is_ending(&self) -> bool;

    /// So many rows of a file are made, of about so many.
    fn made(&self, file: &'static str, rows: usize, of: usize);
}

/// The rows between two times that this is told.
const STEP: usize = 4096;

/// The tables of a report.
#[derive(Debug)]
pub struct Tables<'w> {
    watch: &'w dyn Watch,
    /// The number of rows made.
    rows: usize,
    made: Vec<Dataset>,
    left_out: Vec<&'static str>,
}

impl<'w> Tables<'w> {
    /// No tables yet; large ones will be told to this.
    pub fn new(watch: &'w dyn Watch) -> Self {
        Self { watch, rows: 0, made: Vec::new(), left_out: Vec::new() }
    }

    /// Adds a table that may be large: it has so many rows at least. Threads share the parts of its rows, which have the numbers
    /// from 0.
    pub(crate) fn large<R, I: IntoIterator<Item = R>>(
        &mut self,
        sheet: Sheet<R>,
        least: usize,
        (parts, rows): (usize, impl Fn(usize) -> I + Sync),
    ) {
        let (file, before, watch) = (sheet.file(), self.rows, self.watch);
        let goes_on = |count: usize| {
            if count.is_multiple_of(STEP) {
                watch.made(file, count, least.max(count));
            }
            before + count <= MOST || !watch.is_ending()
        };
        let table = if goes_on(least) { sheet.fill_in_parts(parts, rows, &goes_on) } else { None };
        match table {
            Some(table) => self.add(table),
            None => self.left_out.push(file),
        }
    }

    /// Adds a table that is not large.
    pub(crate) fn add(&mut self, table: Dataset) {
        self.rows += table.rows.len();
        self.made.push(table);
    }

    /// Puts all of them into a report of trials with this seed.
    pub(crate) fn put_into(self, report: &mut Report, seed: u64) {
        report.data = seeded(self.made, seed);
        report.warnings.extend(left_out(&self.left_out));
        report.left_out = self.left_out;
    }
}

/// Leaves a table of a report out after all.
pub fn leave_out(report: &mut Report, file: &'static str) {
    let earlier = left_out(&report.left_out);
    report.left_out.push(file);
    report.warnings.retain(|warning| Some(warning) != earlier.as_ref());
    report.warnings.extend(left_out(&report.left_out));
    report.data.extract_if(.., |table| table.file == file).for_each(Dataset::free);
}

/// What is said of files that are left out, if any are.
pub fn left_out(files: &[&str]) -> Option<String> {
    let most = grouped(MOST as u64);
    (!files.is_empty()).then(|| {
        format!(
            "Left out: {}. A signal leaves no time for more than {most} rows. The command that repeats this run writes them \
             all, and so does the run if it goes on with --resume.",
            files.join(", ")
        )
    })
}

/// Whether the run is to end.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Ending(pub bool);

#[cfg(test)]
impl Watch for Ending {
    fn is_ending(&self) -> bool {
        self.0
    }

    fn made(&self, _: &'static str, rows: usize, of: usize) {
        assert!(rows <= of);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(is_ending: bool, sizes: &[usize]) -> Report {
        let is_ending = Ending(is_ending);
        let mut tables = Tables::new(&is_ending);
        for (&size, file) in sizes.iter().zip(["a.csv", "b.csv", "c.csv", "d.csv"]) {
            let sheet = Sheet::new(file).column("n", "", "a number", |n: &usize| *n);
            tables.large(sheet, size / 2, (size, Some));
        }
        let mut report = Report::default();
        tables.put_into(&mut report, 1);
        report
    }

    /// The rows that fit count, those of a table that does not fit do not.
    #[test]
    fn large_tables_are_left_out_of_a_run_that_ends() {
        let sizes = [MOST - 10, 11, 10, 1];
        let report = tables(true, &sizes);
        assert_eq!(report.data.iter().map(|table| table.rows.len()).collect::<Vec<_>>(), [MOST - 10, 10]);
        assert_eq!(report.left_out, ["b.csv", "d.csv"]);
        let mut report = tables(false, &sizes);
        assert_eq!(report.data.iter().map(|table| table.rows.len()).collect::<Vec<_>>(), sizes);
        assert!(report.left_out.is_empty() && report.warnings.is_empty());
        for (file, left) in [("a.csv", "a.csv."), ("c.csv", "a.csv, c.csv.")] {
            leave_out(&mut report, file);
            assert!(report.dataset(file).is_none() && report.left_out.contains(&file));
            assert!(
                matches!(&*report.warnings, [warning] if warning.starts_with(&format!("Left out: {left}")))
            );
        }
        assert_eq!(report.data.iter().map(|table| table.file).collect::<Vec<_>>(), ["b.csv", "d.csv"]);
    }
}
