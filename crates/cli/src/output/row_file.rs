//! A file with a row for every trial: it grows beside its place while trials are played, and is moved there at the end.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use stopwise_edge::{RowFormat, RowState, TrialFile, TrialRows, TrialShare};

use super::place::ROWS;
use super::{earlier, shown, temporaries};
use crate::failure::Failure;

/// How every CSV file of trials begins, so that those of earlier runs are known.
const BEGINNING: &str = "trial,seat,policy,ending,";
/// What stands among the last bytes of every Parquet file that the program writes, of any version: who made it. Behind it is
/// an order of three bytes for every column.
const MAKER: &[u8] = b"stopwise version ";
const LAST: u64 = 256;

/// Bytes that are written at a time, at least.
const BLOCK: usize = 1 << 20;

/// Where a file of rows is that is not whole, and how far it has come.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct RowsLeft {
    temporary: PathBuf,
    state: RowState,
}

impl RowsLeft {
    /// What is left after a later moment.
    pub(crate) fn then(self, next: Self) -> Self {
        Self { state: self.state.then(next.state), ..next }
    }

    /// The file that has so much, if there is one: the one that was left, or, where the run ended in order, what it wrote.
    fn found<'p>(&'p self, place: &'p Path) -> Option<&'p Path> {
        let is_long = |path: &&Path| {
            std::fs::symlink_metadata(path)
                .is_ok_and(|about| about.is_file() && about.len() >= self.state.bytes)
        };
        [&*self.temporary, place].into_iter().find(is_long)
    }
}

/// What is to be done for a file of rows.
#[derive(Debug)]
pub(crate) struct RowPlan<'p> {
    pub(crate) place: &'p Path,
    /// The result directory of the run, if it has one.
    pub(crate) results: Option<&'p Path>,
    /// The first trial.
    pub(crate) first: u64,
    /// What an earlier run has left.
    pub(crate) left: Option<RowsLeft>,
}

/// A file of rows that is being written.
#[derive(Debug)]
pub(crate) struct RowFile {
    place: PathBuf,
    temporary: PathBuf,
    file: File,
    rows: TrialFile,
    /// The first trial that is lacking when it is opened.
    first: u64,
    /// What is not written yet.
    bytes: Vec<u8>,
    /// Why it was given up.
    broken: Option<Failure>,
}

impl RowFile {
    /// The format that a file's name asks for.
    pub(crate) fn format(place: &Path) -> Result<RowFormat, Failure> {
        let ends_in =
            |wanted: &str| place.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
        if ends_in("csv") {
            Ok(RowFormat::Csv)
        } else if ends_in("parquet") {
            Ok(RowFormat::Parquet)
        } else {
            Err(Failure::Input(format!(
                "--trials-out {}: rows are written as CSV or as Parquet; give the file a name that ends in .csv or \
                 .parquet",
                shown(place)
            )))
        }
    }

    /// Opens the file, before anything is played. A file of an earlier run is replaced in the end; another one is not, and
    /// in the result directory of the same run, which is there, no name of a result is taken.
    pub(crate) fn create(plan: RowPlan<'_>, rows: &TrialRows) -> Result<Self, Failure> {
        let RowPlan { place, results, first, left } = plan;
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::Input(format!("--trials-out: cannot write `{}`: {error}", shown(place)))
        };
        if place.is_dir() {
            return Err(cannot(&"it is a directory"));
        }
        let is_shard = place.file_name().is_some_and(|name| name == ROWS);
        if !is_shard
            && results.is_some_and(|results| is_within(place, results))
            && place.file_name().is_some_and(earlier::is_result)
        {
            return Err(Failure::Input(format!(
                "--trials-out: `{}` is the name of a result, and its directory that of --out; give another name",
                shown(place)
            )));
        }
        if !is_shard && std::fs::symlink_metadata(place).is_ok() && !is_ours(place) {
            return Err(Failure::Input(format!(
                "--trials-out: `{}` is there, and no file of trials; remove it or give another name",
                shown(place)
            )));
        }
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let temporary = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let mut file = temporaries::create(&temporary).map_err(|error| cannot(&error))?;
        // For as long as this process lives. Where there are no locks, what a dead one left stays.
        let _ = file.try_lock();
        let mut bytes = Vec::new();
        let found = left.as_ref().and_then(|left| Some((left, left.found(place)?)));
        let (rows, first) = match found {
            Some((left, found)) => {
                let copied = File::open(found)
                    .and_then(|old| std::io::copy(&mut old.take(left.state.bytes), &mut file));
                copied.map_err(|error| cannot(&error))?;
                if found != place {
                    // It has been taken over.
                    let _ = std::fs::remove_file(found);
                }
                (TrialFile::resumed(rows, &left.state), left.state.trials)
            }
            None => (TrialFile::new(rows, first, &mut bytes), first),
        };
        remove_dead(place);
        Ok(Self { place: place.to_owned(), temporary, file, rows, first, bytes, broken: None })
    }

    /// The first trial that was lacking when it was opened.
    pub(crate) const fn first(&self) -> u64 {
        self.first
    }

    /// How far it has come, and is written.
    pub(crate) fn check_point(&mut self) -> RowsLeft {
        self.write();
        RowsLeft { temporary: self.temporary.clone(), state: self.rows.state() }
    }

    /// Adds rows. If that fails the run goes on without the file; [`RowFile::finish`] says why.
    pub(crate) fn append(&mut self, share: &TrialShare) {
        if self.is_wanted() {
            self.rows.add(share, &mut self.bytes);
            if self.bytes.len() >= BLOCK {
                self.write();
            }
        }
    }

    /// Whether rows are still wanted.
    pub(crate) fn is_wanted(&self) -> bool {
        self.broken.is_none()
    }

    /// Moves the file to its place, and says which that is.
    pub(crate) fn finish(mut self) -> Result<String, Failure> {
        self.rows.end(&mut self.bytes);
        self.write();
        if let Some(failure) = self.broken.take() {
            return Err(failure);
        }
        self.file.sync_all().map_err(|error| self.cannot_complete(&error))?;
        let mut temporaries = temporaries::lock();
        let moved = temporaries.check().and_then(|()| temporaries.move_to(&self.temporary, &self.place));
        drop(temporaries);
        moved.map_err(|error| self.cannot_complete(&error))?;
        Ok(shown(&self.place))
    }

    fn write(&mut self) {
        if self.is_wanted()
            && let Err(error) = self.file.write_all(&self.bytes)
        {
            self.broken = Some(self.cannot_complete(&error));
        }
        self.bytes.clear();
    }

    fn cannot_complete(&self, error: &std::io::Error) -> Failure {
        Failure::Other(format!("cannot write `{}`: {error}", shown(&self.place)))
    }
}

impl Drop for RowFile {
    fn drop(&mut self) {
        temporaries::remove(&self.temporary);
    }
}

/// Removes what processes that were killed have left beside this file.
fn remove_dead(place: &Path) {
    let Some(name) = place.file_name().and_then(|name| name.to_str()) else { return };
    let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_one = |found: &str| {
        let number = found.strip_prefix('.').and_then(|rest| rest.strip_prefix(name));
        let number = number.and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".part"));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && entry.file_name().to_str().is_some_and(is_one) {
            let is_dead = File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            if is_dead {
                // If it cannot be removed it is in nobody's way.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

/// Whether a file belongs into a directory that is there, by whatever name.
fn is_within(place: &Path, directory: &Path) -> bool {
    let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty());
    let [parent, directory] = [parent.unwrap_or(Path::new(".")), directory].map(std::fs::canonicalize);
    parent.is_ok_and(|parent| directory.is_ok_and(|directory| parent == directory))
}

/// Whether an earlier run wrote this file; links are not followed.
fn is_ours(place: &Path) -> bool {
    let is_file = std::fs::symlink_metadata(place).is_ok_and(|about| about.is_file());
    let is_ours = || -> std::io::Result<bool> {
        let mut file = File::open(place)?;
        match RowFile::format(place) {
            Ok(RowFormat::Csv) => {
                let mut begins = [0; BEGINNING.len()];
                file.read_exact(&mut begins)?;
                Ok(begins == *BEGINNING.as_bytes())
            }
            Ok(RowFormat::Parquet) => {
                let mut ends = Vec::new();
                file.seek(SeekFrom::End(-i64::try_from(LAST).unwrap_or(0)))?;
                file.take(LAST).read_to_end(&mut ends)?;
                Ok(ends.windows(MAKER.len()).any(|bytes| bytes == MAKER))
            }
            Ok(RowFormat::Raw) | Err(_) => Ok(false),
        }
    };
    is_file && is_ours().unwrap_or(false)
}
