//! The check points of a run: a file in its directory to which records are appended, and from which the run can be resumed.
//!
//! The process may die at any moment: a line that was cut short fails its check (see [`record`](super::record)) and is ignored.
//! The file is removed once the result is in place.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::header::Header;
use super::record::Record;
use crate::failure::Failure;
use crate::output::{CHECK_POINTS, note, shown};
use crate::session::Session;

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
pub(super) struct Journal<'s> {
    session: &'s Session,
    path: PathBuf,
    header: String,
    file: Option<File>,
    /// Lines that are not written yet, in pieces.
    lines: Vec<String>,
    begun: Instant,
    last: Instant,
    wait: Duration,
    is_broken: bool,
}

impl<'s> Journal<'s> {
    /// In a directory that is ours; `old` are the bytes of a journal to go on with.
    pub(super) fn new(
        session: &'s Session,
        directory: &Path,
        header: &Header,
        old: Option<u64>,
    ) -> Result<Self, Failure> {
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
            session,
            path,
            header: header.line(),
            file,
            lines: Vec::new(),
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
        self.is_due_within(Duration::ZERO)
    }

    /// Whether it is time to write, or will be before so long.
    pub(super) fn is_due_within(&self, within: Duration) -> bool {
        !self.is_broken && self.last.elapsed().saturating_add(within) >= self.wait
    }

    /// Whether there is a file, or would be by now.
    pub(super) fn is_begun(&self) -> bool {
        self.file.is_some() || self.begun.elapsed() >= LEAST
    }

    /// Whether all that was added is in the file.
    pub(super) fn is_written(&self) -> bool {
        self.file.is_some() && self.lines.is_empty() && !self.is_broken
    }

    /// Queues a record for the next check point. After a signal there is no time to write a large one.
    pub(super) fn add(&mut self, record: Record) {
        if self.is_broken {
            return;
        }
        let is_large = record.payload.len() > LARGE;
        let session = self.session;
        self.lines.extend(record.into_pieces(&|| !is_large || !session.is_ending()).into_iter().flatten());
    }

    /// Writes what there is, of which the text was begun at this time. If that fails the run goes on without check points.
    pub(super) fn write(&mut self, begun: Instant) {
        if !self.is_broken
            && let Err(error) = self.try_write()
        {
            self.is_broken = true;
            note(
                self.session,
                &format!(
                    "warning: cannot write check points into `{}`: {error}; the run goes on, and cannot be resumed from here",
                    shown(&self.path)
                ),
            );
        }
        self.lines = Vec::new();
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
        let is_large = self.lines.iter().map(String::len).sum::<usize>() > LARGE;
        for piece in self.lines.iter().flat_map(|piece| piece.as_bytes().chunks(PIECE)) {
            if is_large && self.session.is_ending() {
                // The last line is cut short, so that nothing may be appended to it.
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
    whole(BufReader::new(File::open(&path)?))
}

/// The lines up to the first that is not whole, but for records that share trials with a later one: a run that went on with
/// what was left may have divided the trials otherwise.
fn whole(mut file: impl BufRead) -> io::Result<Option<Left>> {
    let mut length = 0;
    let mut line = || -> io::Result<Option<(String, u64)>> {
        let mut bytes = Vec::new();
        let read = file.read_until(b'\n', &mut bytes)? as u64;
        Ok(bytes
            .pop_if(|last| *last == b'\n')
            .and_then(|_| String::from_utf8(bytes).ok())
            .map(|text| (text, read)))
    };
    let Some((text, read)) = line()? else { return Ok(None) };
    let Some(header) = Header::of_line(&text) else { return Ok(None) };
    length += read;
    let (mut counts, mut others) = (BTreeMap::<(String, u64), Record>::new(), Vec::new());
    while let Some((text, read)) = line()? {
        let Some(record) = Record::of(&text) else { break };
        length += read;
        let place = |trial| (record.about.stage.clone(), trial);
        if record.about.trials().is_empty() {
            others.push(record);
            continue;
        }
        let end = place(record.about.end);
        while let Some((before, earlier)) = counts.range(..&end).next_back()
            && earlier.about.meets(&record.about)
        {
            let before = before.clone();
            counts.remove(&before);
        }
        counts.insert(place(record.about.first), record);
    }
    let records = others.into_iter().chain(counts.into_values()).collect();
    Ok(Some(Left { header, records, length }))
}

#[cfg(test)]
mod tests {
    use super::super::record::PlayedTrials;
    use super::*;

    /// The payloads of what is left of a journal with these lines, and of one whose last line is cut short.
    fn kept(lines: &[(&str, u64, u64, &str)]) -> Vec<String> {
        let line = |&(stage, first, end, payload): &(&str, _, _, &str)| {
            let about = PlayedTrials { stage: stage.into(), first, end, kind: "pairs".into() };
            Record { about, payload: payload.into() }.line()
        };
        let text = Header::new(vec!["compare".into()], BTreeMap::new(), None).line()
            + &lines.iter().map(line).collect::<String>();
        let cut = text.clone() + &line(&("trials", 0, 9, "f"))[..20];
        let [whole, cut] = [&text, &cut].map(|text| {
            let left = whole(text.as_bytes()).expect("it is read").expect("it has a header");
            assert_eq!(left.length, cut.len() as u64 - 20);
            left.records.into_iter().map(|record| record.payload).collect::<Vec<_>>()
        });
        assert_eq!(whole, cut);
        whole
    }

    #[test]
    fn a_record_gives_way_to_one_that_goes_further() {
        let lines = [
            ("trials", 0, 4, "a"),
            ("rows", 0, 0, "b"),
            ("race", 4, 9, "c"),
            ("trials", 0, 8, "d"),
            ("rows", 0, 0, "e"),
        ];
        assert_eq!(kept(&lines), ["b", "e", "c", "d"]);
    }

    /// Those before and behind it stay.
    #[test]
    fn a_record_gives_way_to_one_that_divides_trials_otherwise() {
        let lines = [
            ("race", 0, 4, "a"),
            ("race", 4, 9, "b"),
            ("race", 9, 20, "c"),
            ("race", 20, 30, "d"),
            ("race", 4, 10, "e"),
            ("race", 10, 12, "f"),
            ("trials", 0, 99, "g"),
        ];
        assert_eq!(kept(&lines), ["a", "e", "f", "d", "g"]);
    }
}
