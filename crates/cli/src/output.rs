//! Where results go: stdout, and the files of a result directory.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Prints on stdout; a reader that has gone is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Says something on stderr.
pub(crate) fn note(text: &str) {
    // A note that cannot be written is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The files of a result directory: opened before the run, so that a wrong path is known at once, and put in
/// place at its end, so that a directory never holds half a result.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    files: Vec<(&'static str, PathBuf, File)>,
    is_done: bool,
}

impl Directory {
    pub(crate) fn open(path: &Path, names: &[&'static str]) -> Result<Self, Failure> {
        let wrong = |error| Failure::Input(format!("cannot write into `{}`: {error}", path.display()));
        fs::create_dir_all(path).map_err(wrong)?;
        let open = |&name: &&'static str| {
            if path.join(name).is_dir() {
                return Err(wrong(io::Error::other(format!("its `{name}` is a directory"))));
            }
            let temporary = path.join(format!(".{name}.{}.part", std::process::id()));
            File::create(&temporary).map(|file| (name, temporary, file)).map_err(wrong)
        };
        let mut directory = Self { path: path.to_owned(), files: Vec::new(), is_done: false };
        for name in names {
            directory.files.push(open(name)?);
        }
        Ok(directory)
    }

    /// Writes every file with its content and moves it into place.
    pub(crate) fn finish(
        mut self,
        content: impl Fn(&str) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        for (name, _, file) in &mut self.files {
            file.write_all(&content(name)?)?;
            file.sync_all()?;
        }
        for (name, temporary, _) in &self.files {
            fs::rename(temporary, self.path.join(name))?;
        }
        self.is_done = true;
        Ok(())
    }
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
