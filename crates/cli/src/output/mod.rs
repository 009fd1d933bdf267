//! Where results go: stdout, and the files of a result directory.

mod bar;
mod directory;
mod earlier;
mod locale;
mod lock;
mod narrow;
mod patience;
mod place;
mod row_file;
mod temporaries;
mod terminal;

use std::io;
use std::path::Path;

use crate::failure::Failure;

pub(crate) use bar::{bar, bar_target};
pub(crate) use directory::{Content, Directory, Written};
pub(crate) use locale::{is_ascii, terminal_width, width};
#[cfg(test)]
pub(crate) use place::TABLES;
pub(crate) use place::{CHECK_POINTS, HOLD_AT, MANIFEST, PAGE, POLICY, Place, ROWS, SHARD, SOLUTION, VALUES};
pub(crate) use row_file::{RowFile, RowPlan, RowsLeft};
pub(crate) use temporaries::remove_temporaries;
pub(crate) use terminal::{
    Colour, Stream, complain, note, note_of_play, print, print_file, print_painted, put, room, tell,
};

/// An error unless a path is that of a file: a pipe that nobody writes to would never be read to its end.
pub(crate) fn check_is_file(path: &Path) -> io::Result<()> {
    let is_file = std::fs::metadata(path)?.is_file();
    if is_file { Ok(()) } else { Err(io::Error::other("it is no file, but a pipe, a device or a directory")) }
}

/// A path within a message.
pub(crate) fn shown(path: &Path) -> String {
    stopwise_policy::visible_word(&path.display().to_string()).into_owned()
}

/// What became of a result that went both into files and to stdout: what was written, or why not.
///
/// A reader that has gone is no error, but it must not hide that a run was cut short: Ctrl-C reaches the reader of a pipe,
/// too. Neither must one that has stopped reading.
pub(crate) fn settled(
    written: Result<Option<Written>, Failure>,
    printed: Result<(), Failure>,
    is_cut: bool,
) -> Result<Option<Written>, Failure> {
    match (written, printed) {
        (Err(Failure::Other(files)), Err(Failure::Other(stdout))) => {
            Err(Failure::Other(format!("{files}\nerror: {stdout}")))
        }
        (Err(files), _) => Err(files),
        (Ok(written), Err(Failure::BrokenPipe | Failure::Interrupted(_))) if is_cut => Ok(written),
        (Ok(Some(written)), Err(Failure::Other(stdout))) => {
            Err(Failure::Other(format!("{stdout}; the files in `{}` are written", written.place())))
        }
        (Ok(written), printed) => printed.map(|()| written),
    }
}
