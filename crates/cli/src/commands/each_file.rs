//! Checks several files one after the other: an error in one does not end the others.

use crate::failure::Failure;
use crate::output::note;
use crate::session::Session;

/// Checks every file; `check` says whether one is as it should be, or what is wrong with it. What is said of them
/// together, if any is not, is `[about the only one, about several after their number]`.
pub(super) fn each_file(
    session: &Session,
    files: &[String],
    [one, several]: [&str; 2],
    mut check: impl FnMut(&str) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let mut wrong = 0;
    for file in files {
        match check(file) {
            Ok(is_good) => wrong += usize::from(!is_good),
            Err(Failure::Input(message)) => {
                wrong += 1;
                note(session, &format!("error: {message}"));
            }
            Err(other) => return Err(other),
        }
    }
    match (wrong, files) {
        (0, _) => Ok(()),
        (_, [_]) => Err(Failure::Input(one.into())),
        (wrong, files) => Err(Failure::Input(format!("{wrong} of {} {several}", files.len()))),
    }
}
