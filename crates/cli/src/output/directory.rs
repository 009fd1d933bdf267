//! The files of a result directory.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::earlier;
use super::lock::Lock;
use super::place::{CHECK_POINTS, MANIFEST, PAGE, Place, REPLACING, ROWS, SHARD, cannot_write};
use super::terminal::note;
use super::{shown, temporaries};
use crate::failure::Failure;
use crate::session::Session;

/// The files of a result directory: opened before the run, so that a wrong path is known at once, and put in
/// place at its end, so that a directory never holds half a result.
///
/// A directory has one writer at a time. At the end the manifest goes first and comes last: where there is one, all files
/// beside it are of its run, whenever the process or the machine stops.
///
/// One of the files may grow while the run goes on, under its name with `.part` at the end: whoever reads it finds whole
/// rows, and the name says that there are more to come.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    /// Says while files are replaced whose they are; of files with a manifest.
    replacing: Option<(Temporary, &'static str)>,
    files: Vec<Temporary>,
    growing: Option<Temporary>,
    /// Why the file that grows was given up.
    broken: Option<Failure>,
    force: bool,
    /// Whether all results of the same run are there already.
    has_whole: bool,
    /// The last file to go.
    _lock: Lock,
    _made: Made,
}

/// A directory that was made for the run, if there was none. It goes if nothing is in it at the end.
#[derive(Debug)]
struct Made(Option<PathBuf>);

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // Fails if it has files.
            let _ = fs::remove_dir(path);
        }
    }
}

/// A file that has a place to be moved to. It goes if it never gets there.
#[derive(Debug)]
struct Temporary {
    name: &'static str,
    path: PathBuf,
    file: File,
}

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Content<'f> {
    directory: &'f Path,
    to: &'f mut Temporary,
    /// Bytes.
    unsynced: usize,
}

impl Content<'_> {
    /// The most bytes that wait to reach the disk: waiting for more takes too long for who wants to end.
    const MOST: usize = 64 << 20;

    /// Adds to the file.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.to.file.write_all(bytes);
        written.map_err(|error| cannot_complete(self.directory, self.to.name, &error))?;
        self.unsynced += bytes.len();
        if self.unsynced < Self::MOST { Ok(()) } else { self.sync() }
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.unsynced = 0;
        let synced = self.to.file.sync_all();
        synced.map_err(|error| cannot_complete(self.directory, self.to.name, &error))
    }
}

/// What was written, in one line.
#[derive(Debug)]
pub(crate) struct Written {
    path: PathBuf,
    names: Vec<&'static str>,
}

impl Written {
    /// The directory, within a message.
    pub(crate) fn place(&self) -> String {
        shown(&self.path)
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wrote {} into {}", self.names.join(", "), shown(&self.path))
    }
}

impl Directory {
    pub(crate) fn open(session: &Session, place: Place<'_>, names: &[&'static str]) -> Result<Self, Failure> {
        let path = place.path;
        // Whatever has a manifest has a page, but for a part of a run, of which nothing can be told. They are written last.
        let has_manifest = names.contains(&MANIFEST);
        let mut names: Vec<_> = names.iter().copied().filter(|&name| name != MANIFEST).collect();
        names.extend((has_manifest && !names.contains(&SHARD)).then_some(PAGE));
        names.extend(has_manifest.then_some(MANIFEST));
        let made = Made((!earlier::exists(path)).then(|| path.to_owned()));
        fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))?;
        let (lock, dead) = Lock::take(session, path, place.command)?;
        earlier::check(&place, &names, dead.as_ref())?;
        let has_whole = place.run.is_some_and(|run| earlier::has_whole(path, run, &names));
        // Rows of a part that was broken off are gone on with.
        let is_dead = |file: &PathBuf| !names.contains(&SHARD) || !earlier::are_rows(file);
        for file in earlier::left_behind(path, dead.is_some()).into_iter().filter(is_dead) {
            fs::remove_file(&file).map_err(|error| cannot_write(path, &error))?;
        }
        let create = |name: &'static str| {
            Temporary::create(path, name, &format!(".{name}.{}.part", std::process::id()))
        };
        let replacing = has_manifest.then(|| create(REPLACING)).transpose()?;
        let replacing = replacing.map(|file| (file, place.command));
        let files = names.iter().copied().map(create).collect::<Result<_, _>>()?;
        let path = path.to_owned();
        Ok(Self {
            path,
            replacing,
            files,
            growing: None,
            broken: None,
            force: place.force,
            has_whole,
            _lock: lock,
            _made: made,
        })
    }

    /// Has one of the files grow.
    pub(crate) fn grow(&mut self, name: &'static str) -> Result<(), Failure> {
        self.files.retain(|file| file.name != name);
        let temporary = format!("{name}.part");
        let path = self.path.join(&temporary);
        if earlier::exists(&path) {
            // Not left by an earlier run: those files were removed above.
            if !self.force || path.is_dir() && !path.is_symlink() {
                return Err(Failure::Input(format!(
                    "`{}` has a `{temporary}` that is not known to be stopwise's; remove it, name another directory, or \
                     add --force",
                    shown(&self.path)
                )));
            }
            fs::remove_file(&path).map_err(|error| cannot_write(&self.path, &error))?;
        }
        self.growing = Some(Temporary::create(&self.path, name, &temporary)?);
        Ok(())
    }

    /// Adds to the file that grows, for others to read at once. If that fails the run goes on without the file, for
    /// what it prints; [`Directory::finish`] says why.
    pub(crate) fn append(&mut self, session: &Session, bytes: &[u8]) {
        let Some(growing) = &mut self.growing else { return };
        // A file needs no flushing: what is written is there for every reader.
        if let Err(error) = growing.file.write_all(bytes) {
            let failure = cannot_complete(&self.path, growing.name, &error);
            if let Failure::Other(message) = &failure {
                note(session, &format!("warning: {message}; the run goes on, but nothing will be written"));
            }
            self.broken = Some(failure);
            // Nothing is left that was cut short.
            self.growing = None;
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether all results of the same run are there already, which no piece of them replaces.
    pub(crate) const fn has_whole(&self) -> bool {
        self.has_whole
    }

    /// The same, where what is there is whole only if this says so, too.
    pub(crate) fn whole_if(self, is_whole: impl FnOnce(&Path) -> bool) -> Self {
        Self { has_whole: self.has_whole && is_whole(&self.path), ..self }
    }

    /// All stays as it was: what is there is whole, and nothing goes on from its check points.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        self.remove(REPLACING)?;
        self.remove_check_points()
    }

    /// Removes those of a run that is over, with rows of which they may have known.
    fn remove_check_points(&self) -> Result<(), Failure> {
        self.remove(CHECK_POINTS)?;
        for file in earlier::left_behind(&self.path, false).iter().filter(|file| earlier::are_rows(file)) {
            fs::remove_file(file).map_err(|error| cannot_complete(&self.path, ROWS, &error))?;
        }
        Ok(())
    }

    /// Has every other file written, tables first and the manifest last, and moves all of them into place but those that
    /// `write` says are left out. Of a run that is over, and of which nothing is left out, the check points go.
    pub(crate) fn finish(
        mut self,
        mut is_over: bool,
        write: &mut dyn FnMut(&'static str, &mut Content<'_>) -> Result<bool, Failure>,
    ) -> Result<Written, Failure> {
        if let Some(failure) = self.broken.take() {
            return Err(failure);
        }
        let (mut files, count) = (Vec::new(), self.files.len());
        for mut temporary in std::mem::take(&mut self.files) {
            let name = temporary.name;
            let mut content = Content { directory: &self.path, to: &mut temporary, unsynced: 0 };
            if write(name, &mut content)? {
                content.sync()?;
                files.push(temporary);
            } else {
                is_over = false;
            }
        }
        if self.has_whole && files.len() < count {
            return Err(Failure::Interrupted(format!(
                "interrupted: results were being written; `{}` keeps those of an earlier run of the same, which are whole",
                shown(&self.path)
            )));
        }
        self.files = files;
        if let Some(Temporary { name, file, .. }) = &self.growing {
            file.sync_all().map_err(|error| cannot_complete(&self.path, name, &error))?;
        }
        if let Some((Temporary { name, file, .. }, command)) = &mut self.replacing {
            let written = file.write_all(command.as_bytes()).and_then(|()| file.sync_all());
            written.map_err(|error| cannot_complete(&self.path, name, &error))?;
        }
        let written = self.replace()?;
        if is_over {
            self.remove_check_points()?;
        }
        Ok(written)
    }

    /// Moves all files into place: the manifest goes first and comes last.
    fn replace(&self) -> Result<Written, Failure> {
        // Whoever ends the process waits until this is over.
        let mut temporaries = temporaries::lock();
        let failed = |name: &str, error: &io::Error| cannot_complete(&self.path, name, error);
        temporaries.check().map_err(|error| failed(self.files[0].name, &error))?;
        let (manifest, tables): (Vec<_>, Vec<_>) =
            self.files.iter().chain(&self.growing).partition(|file| file.name == MANIFEST);
        let names: Vec<_> = tables.iter().chain(&manifest).map(|file| file.name).collect();
        if let Some((Temporary { name, path, .. }, _)) = &self.replacing {
            temporaries.move_to(path, &self.path.join(name)).map_err(|error| failed(name, &error))?;
            self.sync()?;
            self.remove(MANIFEST)?;
            self.sync()?;
            // What an earlier run wrote and this one does not is no part of the result; the rows of a part are there already.
            let is_kept = |name: &str| names.contains(&name) || name == ROWS && names.contains(&SHARD);
            for stale in earlier::results(&self.path) {
                if !is_kept(stale) {
                    self.remove(stale)?;
                }
            }
        }
        for Temporary { name, path, .. } in tables {
            temporaries.move_to(path, &self.path.join(name)).map_err(|error| failed(name, &error))?;
        }
        self.sync()?;
        for Temporary { name, path, .. } in manifest {
            temporaries.move_to(path, &self.path.join(name)).map_err(|error| failed(name, &error))?;
            self.sync()?;
            self.remove(REPLACING)?;
        }
        Ok(Written { path: self.path.clone(), names })
    }

    /// Removes a file of an earlier run, if it is there.
    fn remove(&self, name: &str) -> Result<(), Failure> {
        match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(cannot_complete(&self.path, name, &error))
            }
            _ => Ok(()),
        }
    }

    /// Makes what was moved and removed so far last, before anything else is. Not every system has a way.
    fn sync(&self) -> Result<(), Failure> {
        let synced =
            if cfg!(unix) { File::open(&self.path).and_then(|path| path.sync_all()) } else { Ok(()) };
        match synced {
            Err(error) if !has_no_way(&error) => {
                Err(Failure::Other(format!("cannot write into `{}`: {error}", shown(&self.path))))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a directory cannot be synced here, or not by us, who may write and not read it.
fn has_no_way(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported)
}

impl Temporary {
    fn create(directory: &Path, name: &'static str, temporary: &str) -> Result<Self, Failure> {
        let path = directory.join(temporary);
        match temporaries::create(&path) {
            Ok(file) => Ok(Self { name, path, file }),
            Err(error) => Err(cannot_write(directory, &error)),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        temporaries::remove(&self.path);
    }
}

/// At its end.
fn cannot_complete(path: &Path, name: &str, error: &io::Error) -> Failure {
    Failure::Other(format!("cannot write `{}`: {error}", shown(&path.join(name))))
}
