//! The check points of a run: a file that grows in its directory, from which the run goes on after anything.
//!
//! A line is whole or it is none (see [`record`](super::record)), so that a process may die at any moment. The file goes when
//! the result is in place.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::header::Header;
use super::record::Record;
use crate::failure::Failure;
use crate::output::{CHECK_POINTS, note, shown};
use crate::signals::is_ending;

/// Nothing is written sooner after the last time, and nothing before.
const LEAST: Duration = Duration::from_secs(2);
/// Writing takes at most one part of so many of the time.
const SHARE: u32 = 200;
/// A run that has gone on for long is written less often: it loses no more than one part of so many.
const LOST: u32 = 200;

/// The bytes above which writing is given up after a signal, and the bytes written between two looks.
const LARGE: usize = 100 << 20;
const PIECE: usize = 16 << 20;

/// The check points of a run.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    header: String,
    file: Option<File>,
    /// Lines that are not written yet.
    lines: String,
    begun: Instant,
    last: Instant,
    wait: Duration,
    is_broken: bool,
}

impl Journal {
    /// In a directory that is ours; `old` are the bytes of a journal to go on with.
    pub(super) fn new(directory: &Path, header: &Header, old: Option<u64>) -> Result<Self, Failure> {
        let path = directory.join(CHECK_POINTS);
        let cannot = |error: &io::Error| {
            Failure::Other(format!("cannot write `{}`: {error}", shown(&directory.join(CHECK_POINTS))))
        };
        let file = match old {
            Some(length) => {
                let file = File::options().write(true).open(&path).map_err(|error| cannot(&error))?;
                file.set_len(length).map_err(|error| cannot(&error))?;
                drop(file);
                Some(File::options().append(true).open(&path).map_err(|error| cannot(&error))?)
            }
            None => {
                remove(directory).map_err(|error| cannot(&error))?;
                None
            }
        };
        let now = Instant::now();
        Ok(Self {
            path,
            header: header.line(),
            file,
            lines: String::new(),
            begun: now,
            last: now,
            wait: LEAST,
            is_broken: false,
        })
    }

    /// The time between two times to write.
    pub(super) fn wait(&self) -> Duration {
        self.wait
    }

    /// Whether it is time to write.
    pub(super) fn is_due(&self) -> bool {
        !self.is_broken && self.last.elapsed() >= self.wait
    }

    /// Whether there is a file, or would be by now.
    pub(super) fn is_begun(&self) -> bool {
        self.file.is_some() || self.begun.elapsed() >= LEAST
    }

    /// Adds a line, for when it is time.
    pub(super) fn add(&mut self, line: String) {
        if self.is_broken {
            return;
        }
        if self.lines.is_empty() {
            self.lines = line;
        } else {
            self.lines.push_str(&line);
        }
    }

    /// Writes what there is, of which the text was begun at this time. If that fails the run goes on without check points.
    pub(super) fn write(&mut self, begun: Instant) {
        if !self.is_broken
            && let Err(error) = self.try_write()
        {
            self.is_broken = true;
            note(&format!(
                "warning: cannot write check points into `{}`: {error}; the run goes on, and cannot be resumed from here",
                shown(&self.path)
            ));
        }
        self.lines = String::new();
        self.last = Instant::now();
        self.wait = LEAST.max(begun.elapsed() * SHARE).max(self.begun.elapsed() / LOST);
    }

    fn try_write(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let mut file = File::options().append(true).create_new(true).open(&self.path)?;
                file.write_all(self.header.as_bytes())?;
                self.file.insert(file)
            }
        };
        for piece in self.lines.as_bytes().chunks(PIECE) {
            if self.lines.len() > LARGE && is_ending() {
                // The last line is none, and nothing may follow on it.
                self.is_broken = true;
                break;
            }
            file.write_all(piece)?;
        }
        Ok(())
    }
}

/// Removes the check points of a directory, if there are any; links are not followed.
fn remove(directory: &Path) -> io::Result<()> {
    match fs::remove_file(directory.join(CHECK_POINTS)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What an earlier run has left.
#[derive(Debug)]
pub(super) struct Left {
    pub(super) header: Header,
    pub(super) records: Vec<Record>,
    /// How many bytes are whole.
    pub(super) length: u64,
}

/// The check points of a directory; `None` if there are none that are whole.
pub(super) fn left(directory: &Path) -> io::Result<Option<Left>> {
    let path = directory.join(CHECK_POINTS);
    match fs::symlink_metadata(&path) {
        Ok(about) if about.is_file() => {}
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => return Ok(None),
    }
    let mut bytes = Vec::new();
    File::open(&path)?.read_to_end(&mut bytes)?;
    Ok(whole(&bytes))
}

/// The lines up to the first that is not whole.
fn whole(bytes: &[u8]) -> Option<Left> {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let text = |line: &[u8]| std::str::from_utf8(line.strip_suffix(b"\n")?).ok().map(str::to_owned);
    let first = lines.next()?;
    let header = Header::of_line(&text(first)?)?;
    let (mut records, mut length) = (Vec::new(), first.len() as u64);
    for line in lines {
        let Some(record) = text(line).as_deref().and_then(Record::of) else { break };
        records.push(record);
        length += line.len() as u64;
    }
    Some(Left { header, records, length })
}
