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

use std::path::Path;

use crate::failure::Failure;

pub(crate) use bar::bar_target;
pub(crate) use directory::{Content, Directory, Written};
pub(crate) use locale::{is_ascii, width};
#[cfg(test)]
pub(crate) use place::TABLES;
pub(crate) use place::{BEST_TURN, CHECK_POINTS, MANIFEST, PAGE, Place, ROWS, SHARD};
pub(crate) use row_file::{RowFile, RowPlan, RowsLeft};
pub(crate) use temporaries::remove_temporaries;
pub(crate) use terminal::{
    Colour, Stream, complain, note, print, print_file, print_painted, put, room, tell,
};

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
        (Ok(written), printed) => printed.map(|()| written),
    }
}
