//! The temporary files of this process, so that whoever ends it can remove them.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files that there are.
static TEMPORARIES: Mutex<Temporaries> = Mutex::new(Temporaries { paths: Vec::new(), is_over: false });

#[derive(Debug)]
pub(super) struct Temporaries {
    paths: Vec<PathBuf>,
    /// Set when the process is about to end: from then on nothing is created and nothing moved.
    is_over: bool,
}

/// Removes all temporary files of this process and lets no more be created: for whoever is about to end it, on any
/// thread. Files that are being moved into place are waited for, so that a result is replaced as a whole or not at all.
pub(crate) fn remove_temporaries() {
    let mut temporaries = lock();
    temporaries.is_over = true;
    // The last first: the mark that the directory is in use was the first.
    for path in temporaries.paths.drain(..).rev() {
        // Already gone, or not ours to remove: nothing better can be done.
        let _ = fs::remove_file(path);
    }
}

/// Creates a file that was not there. Nothing that stands under its name is followed or touched.
pub(super) fn create(path: &Path) -> io::Result<File> {
    let mut temporaries = lock();
    temporaries.check()?;
    let file = File::options().read(true).write(true).create_new(true).open(path)?;
    temporaries.paths.push(path.to_owned());
    Ok(file)
}

/// Opens a file that a process which died has left, and that has a lock from now on: an error if somebody holds it.
pub(super) fn reopen(path: &Path) -> io::Result<File> {
    let mut temporaries = lock();
    temporaries.check()?;
    let file = File::options().read(true).write(true).open(path)?;
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(io::Error::other("another process is writing it"));
    }
    temporaries.paths.push(path.to_owned());
    Ok(file)
}

/// Removes a file that [`create`] made, unless it has gone.
pub(super) fn remove(path: &Path) {
    let mut temporaries = lock();
    let before = temporaries.paths.len();
    temporaries.paths.retain(|other| other != path);
    if temporaries.paths.len() < before {
        // Already gone, or not ours to remove: nothing better can be done.
        let _ = fs::remove_file(path);
    }
}

/// A file is not removed when the process ends.
pub(super) fn leave(path: &Path) {
    lock().paths.retain(|other| other != path);
}

/// Keeps everybody else from creating and removing files until the guard is gone.
pub(super) fn lock() -> MutexGuard<'static, Temporaries> {
    // Whoever panicked left a list that is right all the same.
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Temporaries {
    /// An error if the process is about to end.
    pub(super) fn check(&self) -> io::Result<()> {
        if self.is_over { Err(io::Error::other("the run is being ended")) } else { Ok(()) }
    }

    /// Moves a file to its place.
    pub(super) fn move_to(&mut self, temporary: &Path, place: &Path) -> io::Result<()> {
        fs::rename(temporary, place)?;
        self.paths.retain(|other| other != temporary);
        Ok(())
    }
}
