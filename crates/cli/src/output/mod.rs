//! Where results go: stdout, and the files of a result directory.

use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Prints on stdout; a reader that has gone is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Whether to print in colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Always,
    Never,
}

impl Colour {
    /// On a terminal, or where `CLICOLOR_FORCE` asks for it; never where `NO_COLOR` has a value.
    pub(crate) fn of_stdout() -> Self {
        let has =
            |name, no: &str| std::env::var_os(name).is_some_and(|value| value != *no && !value.is_empty());
        let is_wanted = has("CLICOLOR_FORCE", "0") || io::stdout().is_terminal();
        if is_wanted && !has("NO_COLOR", "") { Self::Always } else { Self::Never }
    }
}

/// Says something on stderr.
pub(crate) fn note(text: &str) {
    // A note that cannot be written is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The files of a result directory: opened before the run, so that a wrong path is known at once, and put in
/// place at its end, so that a directory never holds half a result.
///
/// One of them may grow while the run goes on, under its name with `.part` at the end: whoever reads it finds whole
/// rows, and the name says that there are more to come. If the run ends badly that file stays.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    files: Vec<(&'static str, PathBuf, File)>,
    growing: Option<(&'static str, PathBuf, File)>,
    is_done: bool,
}

impl Directory {
    pub(crate) fn open(path: &Path, names: &[&'static str]) -> Result<Self, Failure> {
        fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))?;
        let mut directory = Self { path: path.to_owned(), files: Vec::new(), growing: None, is_done: false };
        for name in names {
            let temporary = format!(".{name}.{}.part", std::process::id());
            directory.files.push(create(path, name, &temporary)?);
        }
        Ok(directory)
    }

    /// Opens the file that grows.
    pub(crate) fn grow(&mut self, name: &'static str) -> Result<(), Failure> {
        self.growing = Some(create(&self.path, name, &format!("{name}.part"))?);
        Ok(())
    }

    /// Adds to the file that grows, for others to read at once.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        // A file needs no flushing: what is written is there for every reader.
        self.growing.iter_mut().try_for_each(|(.., file)| file.write_all(bytes)).map_err(Failure::from)
    }

    /// Writes every other file with its content and moves all of them into place.
    pub(crate) fn finish(
        mut self,
        content: impl Fn(&str) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        for (name, _, file) in &mut self.files {
            file.write_all(&content(name)?)?;
            file.sync_all()?;
        }
        self.growing.iter().try_for_each(|(.., file)| file.sync_all())?;
        for (name, temporary, _) in self.files.iter().chain(&self.growing) {
            fs::rename(temporary, self.path.join(name))?;
        }
        self.is_done = true;
        Ok(())
    }
}

/// A file under a temporary name, which has a place to be moved to.
fn create(
    path: &Path,
    name: &'static str,
    temporary: &str,
) -> Result<(&'static str, PathBuf, File), Failure> {
    if path.join(name).is_dir() {
        return Err(cannot_write(path, &io::Error::other(format!("its `{name}` is a directory"))));
    }
    let temporary = path.join(temporary);
    match File::create(&temporary) {
        Ok(file) => Ok((name, temporary, file)),
        Err(error) => Err(cannot_write(path, &error)),
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot write into `{}`: {error}", path.display()))
}

impl Drop for Directory {
    fn drop(&mut self) {
        if !self.is_done {
            for (_, temporary, _) in &self.files {
                // Already gone, or not ours to remove: nothing better can be done.
                let _ = fs::remove_file(temporary);
            }
        }
    }
}
