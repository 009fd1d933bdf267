//! One writer at a time: the mark that a run has a directory.
//!
//! The mark is a file with the name of the run in it, and an advisory lock on that file. The lock goes with its process,
//! however that ends; the file goes with the run. A mark that nobody holds was left by a run that was killed.

use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::place::cannot_write;
use super::{shown, temporaries};
use crate::failure::Failure;
use crate::session::Session;

/// The name of the mark. It ends like those of all files that are not results yet.
pub(super) const MARK: &str = ".stopwise.part";

/// So much of a mark is read.
const LONGEST: u64 = 64 * 1024;
/// Whoever begins at the same time may take the mark between two looks at it, but not for ever.
const ATTEMPTS: usize = 100;

/// A run, as its mark names it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct Holder {
    program: String,
    pub(super) command: String,
    process: u32,
    begun: u64,
    command_line: Vec<String>,
}

impl Holder {
    fn this(session: &Session, command: &str) -> Self {
        let begun = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            program: "stopwise".into(),
            command: command.into(),
            process: std::process::id(),
            begun: begun.as_secs(),
            command_line: session.command_line(),
        }
    }

    fn read(file: &mut File) -> Option<Self> {
        let mut text = String::new();
        file.take(LONGEST).read_to_string(&mut text).ok()?;
        serde_json::from_str(&text).ok().filter(|holder: &Self| holder.program == "stopwise")
    }

    /// The run in words.
    fn told(&self) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let line = stopwise_policy::visible_word(&self.command_line.join(" ")).into_owned();
        format!("process {}, begun {} s ago: {line}", self.process, now.saturating_sub(self.begun))
    }
}

/// The mark, for as long as this process has the directory.
#[derive(Debug)]
pub(super) struct Lock {
    mark: PathBuf,
    /// Holds the advisory lock.
    _file: File,
}

impl Lock {
    /// Takes a directory for a command; with it what the run that was killed here left in its mark, if there was one.
    pub(super) fn take(
        session: &Session,
        directory: &Path,
        command: &str,
    ) -> Result<(Self, Option<Holder>), Failure> {
        let mark = directory.join(MARK);
        let mut dead = None;
        for attempt in 0..ATTEMPTS {
            match temporaries::create(&mark) {
                Ok(mut file) => {
                    // Between the two somebody may have taken it for one that was left.
                    if file.try_lock().is_ok() && is_at(&file, &mark) {
                        // For people: on a full disk there is no name, and the lock holds all the same.
                        let _ = serde_json::to_vec(&Holder::this(session, command))
                            .map(|text| file.write_all(&text));
                        return Ok((Self { mark, _file: file }, dead));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    dead = dead.or(remove_dead(directory, &mark, attempt)?);
                }
                Err(error) => return Err(cannot_write(directory, &error)),
            }
        }
        Err(Failure::Other(format!("`{}`: too many runs begin here at once; try again", shown(directory))))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While the lock is held: later it may be somebody else's.
        temporaries::remove(&self.mark);
    }
}

/// Removes a mark that nobody holds; what it says, if it was still there.
fn remove_dead(directory: &Path, mark: &Path, attempt: usize) -> Result<Option<Holder>, Failure> {
    let at = shown(directory);
    let Ok(about) = fs::symlink_metadata(mark) else { return Ok(None) };
    if !about.is_file() {
        return Err(Failure::Input(format!(
            "cannot write into `{at}`: its `{MARK}` is no file of stopwise; remove it, or name another directory"
        )));
    }
    // Nothing is ever written to it: it might be another name of somebody's file.
    let mut file = match File::options().read(true).write(true).open(mark) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot_write(directory, &error)),
    };
    match file.try_lock() {
        Ok(()) if is_at(&file, mark) => {
            let holder = Holder::read(&mut file).unwrap_or_default();
            fs::remove_file(mark).map_err(|error| cannot_write(directory, &error))?;
            Ok(Some(holder))
        }
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => {
            // It may have begun this moment, and be about to write its name.
            let holder = Holder::read(&mut file);
            if holder.is_none() && attempt < 3 {
                std::thread::sleep(Duration::from_millis(20));
                return Ok(None);
            }
            let told = holder.map_or_else(String::new, |holder| format!(" ({})", holder.told()));
            Err(Failure::Other(format!(
                "another run is writing into `{at}`{told}; wait for its end, or name another directory"
            )))
        }
        Err(TryLockError::Error(error)) => Err(Failure::Other(format!(
            "cannot lock `{at}`, so that two runs might mix their files there: {error}; name a directory on another \
             file system"
        ))),
    }
}

/// Whether the file is what stands under this name, and not one that was there before.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(file), Ok(there)) => is_same(&file, &there),
        _ => false,
    }
}

#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Elsewhere a file that is open cannot be replaced by another.
#[cfg(not(unix))]
fn is_same(_: &Metadata, b: &Metadata) -> bool {
    b.is_file()
}
