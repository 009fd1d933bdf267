//! A file with a row for every trial: it grows beside its place while trials are played, and is moved there at the end.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use stopwise_erased::{RowFormat, RowState, TrialFile, TrialRows, TrialShare};

use super::lock::is_at;
use super::place::{ROWS, wrong_place};
use super::{earlier, shown, temporaries};
use crate::failure::Failure;

/// How every CSV file of trials begins, so that those of earlier runs are known.
const BEGINNING: &str = "trial,seat,policy,ending,";
/// What stands among the last bytes of every Parquet file that the program writes, of any version: who made it. Behind it is
/// an order of three bytes for every column.
const MAKER: &[u8] = b"stopwise version ";
const LAST: u64 = 256;

/// The bytes before the first rows in a Parquet file; in CSV there are more.
const FIRST: u64 = 4;

/// Bytes that are written at a time, at least.
const BLOCK: usize = 1 << 20;

/// The most bytes that a [digest](RowsLeft::digest) is of: a row group of Parquet has a column after the other, and this
/// reaches across several.
const DIGESTED: u64 = 1 << 20;

/// Whoever begins at the same time is looked for so often, and waited for so long.
const ATTEMPTS: usize = 10;
const PAUSE: Duration = Duration::from_millis(20);

/// Where a file of rows is that is not whole, and how far it has come.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct RowsLeft {
    temporary: PathBuf,
    state: RowState,
    /// SHA-256 of the last bytes of the file up to this state, at most [`DIGESTED`]: under the name of the file there may be
    /// the rows of another run.
    digest: String,
}

impl RowsLeft {
    /// What is left after a later moment.
    pub(crate) fn then(self, next: Self) -> Self {
        Self { state: self.state.then(next.state), ..next }
    }

    /// The file that has so much, if there is one: the one that was left, or, where the run ended in order, what it wrote.
    fn found<'p>(&'p self, place: &'p Path) -> Option<&'p Path> {
        [&*self.temporary, place].into_iter().find(|path| self.is_in(path))
    }

    /// Whether a file begins with so much.
    fn is_in(&self, path: &Path) -> bool {
        let is_file = std::fs::symlink_metadata(path).is_ok_and(|about| about.is_file());
        let found = || digest(&mut File::open(path)?, self.state.bytes);
        is_file && found().is_ok_and(|digest| digest == self.digest)
    }
}

/// The digest of the first `bytes` bytes of a file, which must have so many; see [`RowsLeft`].
fn digest(file: &mut File, bytes: u64) -> io::Result<String> {
    let begin = bytes.saturating_sub(DIGESTED);
    let mut last = vec![0; usize::try_from(bytes - begin).map_err(io::Error::other)?];
    file.seek(SeekFrom::Start(begin))?;
    file.read_exact(&mut last)?;
    Ok(Sha256::digest(&last).iter().map(|byte| format!("{byte:02x}")).collect())
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
        let cannot = |error: &io::Error| {
            wrong_place(format!("--trials-out: cannot write `{}`: {error}", shown(place)), error)
        };
        if place.is_dir() {
            return Err(cannot(&io::Error::other("it is a directory")));
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
        let mut bytes = Vec::new();
        let found = left.as_ref().and_then(|left| Some((left, left.found(place)?)));
        // What was left keeps its name, under which the check points know it, whenever this process dies.
        let kept = match found {
            Some((left, found)) if found != place => {
                Some((found.to_owned(), reopened(found, &left.state).map_err(|error| cannot(&error))?))
            }
            _ => None,
        };
        let (temporary, file) = match kept {
            Some((temporary, file)) => {
                check_is_alone(place, Some(&temporary)).inspect_err(|_| temporaries::leave(&temporary))?;
                (temporary, file)
            }
            None => {
                let (temporary, mut file) = begun(place, &cannot)?;
                if let Some((left, found)) = found {
                    let copied = File::open(found)
                        .and_then(|old| io::copy(&mut old.take(left.state.bytes), &mut file));
                    copied.map_err(|error| cannot(&error))?;
                }
                (temporary, file)
            }
        };
        let (rows, first) = match found {
            Some((left, _)) => (TrialFile::resumed(rows, &left.state), left.state.trials),
            None => (TrialFile::new(rows, first, &mut bytes), first),
        };
        Ok(Self { place: place.to_owned(), temporary, file, rows, first, bytes, broken: None })
    }

    /// The first trial that was lacking when it was opened.
    pub(crate) const fn first(&self) -> u64 {
        self.first
    }

    /// How far it has come, and is written; `None` if it was given up.
    pub(crate) fn check_point(&mut self) -> Option<RowsLeft> {
        self.write();
        if !self.is_wanted() {
            return None;
        }
        let state = self.rows.state();
        match digest(&mut self.file, state.bytes) {
            Ok(digest) => Some(RowsLeft { temporary: self.temporary.clone(), state, digest }),
            Err(error) => {
                self.broken = Some(self.cannot_complete(&error));
                None
            }
        }
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

    /// Whether the file in its place begins with these rows, so that it is of the same run. Of rows that are not written yet,
    /// which are fewer than a row group of Parquet, nobody knows.
    pub(crate) fn is_there(&mut self) -> bool {
        let left = self.check_point();
        left.is_some_and(|left| left.state.bytes > FIRST && left.is_in(&self.place))
    }

    /// The file stays where it is, for the run that goes on with it.
    pub(crate) fn leave(&self) {
        temporaries::leave(&self.temporary);
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

    fn cannot_complete(&self, error: &io::Error) -> Failure {
        Failure::Other(format!("cannot write `{}`: {error}", shown(&self.place)))
    }
}

impl Drop for RowFile {
    fn drop(&mut self) {
        temporaries::remove(&self.temporary);
    }
}

/// A file that was left, without what came after this state.
fn reopened(path: &Path, state: &RowState) -> io::Result<File> {
    let mut file = temporaries::reopen(path)?;
    file.set_len(state.bytes)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

/// A file of this process, beside the place, with a lock for as long as it lives; an error if another run has one there. Where
/// there are no locks nobody is refused, and what a dead process left stays.
fn begun(place: &Path, cannot: &dyn Fn(&io::Error) -> Failure) -> Result<(PathBuf, File), Failure> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let temporary = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
    for _ in 0..ATTEMPTS {
        check_is_alone(place, None)?;
        let file = temporaries::create(&temporary).map_err(|error| cannot(&error))?;
        // Before it had its lock, somebody may have taken it for one that was left.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !is_at(&file, &temporary) {
            std::thread::sleep(PAUSE);
            temporaries::remove(&temporary);
            continue;
        }
        check_is_alone(place, Some(&temporary)).inspect_err(|_| temporaries::remove(&temporary))?;
        return Ok((temporary, file));
    }
    Err(Failure::Other(format!("`{}`: too many runs begin here at once; try again", shown(place))))
}

/// An error if another run is writing the same file; `own` is what this one has begun. Of those that begin at the same moment the
/// process with the lowest number goes on, once the others have gone.
fn check_is_alone(place: &Path, own: Option<&Path>) -> Result<(), Failure> {
    for attempt in 1.. {
        let Some(process) = others(place, own) else { break };
        if own.is_none() || process <= std::process::id() || attempt == ATTEMPTS {
            return Err(Failure::Other(format!(
                "another run is writing the rows of `{}` (process {process}); wait for its end, or give another name",
                shown(place)
            )));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(())
}

/// The process that is writing this file, if there is one beside whoever has `own`; of several the lowest. What processes that
/// were killed have left is removed.
fn others(place: &Path, own: Option<&Path>) -> Option<u32> {
    let name = place.file_name().and_then(|name| name.to_str())?;
    let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let number = |found: &str| {
        let rest = found.strip_prefix('.')?.strip_prefix(name)?;
        rest.strip_prefix('.')?.strip_suffix(".part")?.parse::<u32>().ok()
    };
    let mut lowest: Option<u32> = None;
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_other = entry.file_type().is_ok_and(|kind| kind.is_file())
            && own.and_then(Path::file_name) != Some(&entry.file_name());
        let Some(process) = entry.file_name().to_str().and_then(number).filter(|_| is_other) else {
            continue;
        };
        let Ok(file) = File::open(entry.path()) else { continue };
        match file.try_lock() {
            // While it is locked, so that nobody has begun with it. If it cannot be removed it is in nobody's way.
            Ok(()) => _ = std::fs::remove_file(entry.path()),
            Err(TryLockError::WouldBlock) => {
                lowest = Some(lowest.map_or(process, |lowest| lowest.min(process)));
            }
            Err(TryLockError::Error(_)) => {}
        }
    }
    lowest
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
    let is_ours = || -> io::Result<bool> {
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::Range;
    use std::sync::atomic::{AtomicU32, Ordering};

    use stopwise_erased::game;
    use stopwise_narration::read_rules;
    use stopwise_policy::shipped;

    use super::*;

    /// Two and a half row groups of Pig for two, and a few.
    const TRIALS: u64 = 180_000;

    /// A run that writes rows into a folder of its own, and may die.
    struct Run {
        folder: PathBuf,
        place: PathBuf,
        rows: TrialRows,
        left: Option<RowsLeft>,
    }

    impl Run {
        fn new(name: &str) -> Self {
            static NUMBER: AtomicU32 = AtomicU32::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let folder = std::env::temp_dir().join(format!("stopwise-rows-{}-{number}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir(&folder).expect("a folder");
            let pig = game("pig").expect("a game");
            let rules = read_rules(pig, &shipped::default_rules("pig").text()).expect("shipped").rules;
            let place = folder.join(name);
            let format = RowFile::format(&place).expect("a format");
            let rows = TrialRows::new(&*rules, &["a".into(), "b".into()], 1, format);
            Self { folder, place, rows, left: None }
        }

        /// Opens the file as the run does that goes on with what was left.
        fn open(&self) -> RowFile {
            let plan = RowPlan { place: &self.place, results: None, first: 0, left: self.left.clone() };
            RowFile::create(plan, &self.rows).expect("it is opened")
        }

        /// Adds the rows that are lacking up to this trial; which numbers stand there depends on the seed.
        fn grow(&self, file: &mut RowFile, from: u64, to: u64, seed: u64) {
            let trial = |trial: u64| {
                let mut bytes = vec![0; self.rows.raw_bytes()];
                bytes[1..9].copy_from_slice(&(trial % 251 + seed).to_le_bytes());
                bytes
            };
            let Range { start, end } = from.max(file.first())..to;
            let bytes: Vec<u8> = (start..end).flat_map(trial).collect();
            file.append(&self.rows.read(start, &bytes).expect("rows"));
        }

        /// So far check points know the file.
        fn check_point(&mut self, file: &mut RowFile) {
            let left = file.check_point().expect("it is written");
            let earlier = self.left.take();
            self.left = Some(match earlier {
                Some(earlier) => earlier.then(left),
                None => left,
            });
        }

        /// The run is killed: the file stays as it is.
        fn kill(&self, file: RowFile) {
            let (temporary, saved) = (file.temporary.clone(), self.folder.join("saved"));
            fs::copy(&temporary, &saved).expect("it is there");
            drop(file);
            fs::rename(&saved, &temporary).expect("it has gone");
        }

        /// Goes on to the end, and says what is there then.
        fn ended(self) -> Vec<u8> {
            let mut file = self.open();
            self.grow(&mut file, 0, TRIALS, 0);
            file.finish().expect("it is written");
            let names: Vec<_> = fs::read_dir(&self.folder).expect("a folder").flatten().collect();
            assert_eq!(names.len(), 1, "nothing is left beside it: {names:?}");
            let bytes = fs::read(&self.place).expect("it is there");
            fs::remove_dir_all(&self.folder).expect("a folder");
            bytes
        }
    }

    const NAMES: [&str; 2] = ["rows.csv", "rows.parquet"];

    #[test]
    fn a_file_that_was_left_is_cut_to_what_counts() {
        for name in NAMES {
            let whole = Run::new(name).ended();
            // Killed after a check point, after some rows more, and after the end of the file.
            for is_ended in [false, true] {
                let mut run = Run::new(name);
                let mut file = run.open();
                run.grow(&mut file, 0, 70_000, 0);
                run.check_point(&mut file);
                run.grow(&mut file, 70_000, 140_000, 0);
                run.check_point(&mut file);
                run.grow(&mut file, 140_000, if is_ended { TRIALS } else { 150_000 }, 0);
                if is_ended {
                    file.rows.end(&mut file.bytes);
                }
                file.write();
                run.kill(file);
                // Twice before there is a new check point.
                for _ in 0..2 {
                    let file = run.open();
                    assert!(file.first() > 130_000, "{name}");
                    run.kill(file);
                }
                assert!(run.ended() == whole, "{name}");
            }
        }
    }

    #[test]
    fn a_file_that_was_lost_is_written_anew() {
        for name in NAMES {
            let whole = Run::new(name).ended();
            let mut run = Run::new(name);
            let mut file = run.open();
            run.grow(&mut file, 0, 140_000, 0);
            run.check_point(&mut file);
            drop(file);
            let mut file = run.open();
            assert_eq!(file.first(), 0, "{name}");
            run.grow(&mut file, 0, 70_000, 0);
            run.check_point(&mut file);
            run.kill(file);
            assert!(run.ended() == whole, "{name}");
        }
    }

    #[test]
    fn a_run_that_ended_in_order_goes_on_with_its_file_and_no_other() {
        for name in NAMES {
            let whole = Run::new(name).ended();
            for seed in [0, 1] {
                let mut run = Run::new(name);
                let mut file = run.open();
                run.grow(&mut file, 0, 140_000, 0);
                run.check_point(&mut file);
                drop(file);
                // The rows of another run, or those of this one, with an end that does not count.
                let (left, mut file) = (run.left.take(), run.open());
                run.grow(&mut file, 0, 150_000, seed);
                file.finish().expect("it is written");
                run.left = left;
                let file = run.open();
                assert_eq!(file.first() > 130_000, seed == 0, "{name}");
                drop(file);
                assert!(run.ended() == whole, "{name}");
            }
        }
    }
}
