//! A file with a row for every trial: it grows beside its place while trials are played, and is moved there at the end.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::{shown, temporaries};
use crate::failure::Failure;

/// How every such file begins, so that those of earlier runs are known.
const BEGINNING: &str = "trial,seat,policy,ending,";

/// A file of rows that is being written.
#[derive(Debug)]
pub(crate) struct RowFile {
    place: PathBuf,
    temporary: PathBuf,
    file: File,
    /// Why it was given up.
    broken: Option<Failure>,
}

impl RowFile {
    /// Opens the file, before anything is played. A file of an earlier run is replaced in the end; another one is not.
    pub(crate) fn create(place: &Path, header: &str) -> Result<Self, Failure> {
        if place.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("csv")) {
            return Err(Failure::Input(format!(
                "--trials-out {}: rows are written as CSV; give the file a name that ends in .csv",
                shown(place)
            )));
        }
        let cannot = |error: &dyn std::fmt::Display| {
            Failure::Input(format!("--trials-out: cannot write `{}`: {error}", shown(place)))
        };
        if place.is_dir() {
            return Err(cannot(&"it is a directory"));
        }
        if std::fs::symlink_metadata(place).is_ok() && !is_ours(place) {
            return Err(Failure::Input(format!(
                "--trials-out: `{}` is there, and no file of trials; remove it or give another name",
                shown(place)
            )));
        }
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let temporary = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let file = temporaries::create(&temporary).map_err(|error| cannot(&error))?;
        let mut rows = Self { place: place.to_owned(), temporary, file, broken: None };
        rows.append(header.as_bytes());
        Ok(rows)
    }

    /// Adds rows. If that fails the run goes on without the file; [`RowFile::finish`] says why.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        if self.broken.is_none()
            && let Err(error) = self.file.write_all(bytes)
        {
            self.broken = Some(self.cannot_complete(&error));
        }
    }

    /// Whether rows are still wanted.
    pub(crate) fn is_wanted(&self) -> bool {
        self.broken.is_none()
    }

    /// Moves the file to its place, and says which that is.
    pub(crate) fn finish(mut self) -> Result<String, Failure> {
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

    fn cannot_complete(&self, error: &std::io::Error) -> Failure {
        Failure::Other(format!("cannot write `{}`: {error}", shown(&self.place)))
    }
}

impl Drop for RowFile {
    fn drop(&mut self) {
        temporaries::remove(&self.temporary);
    }
}

/// Whether an earlier run wrote this file; links are not followed.
fn is_ours(place: &Path) -> bool {
    let mut begins = [0; BEGINNING.len()];
    let is_file = std::fs::symlink_metadata(place).is_ok_and(|about| about.is_file());
    is_file
        && File::open(place).is_ok_and(|mut file| file.read_exact(&mut begins).is_ok())
        && begins == *BEGINNING.as_bytes()
}
