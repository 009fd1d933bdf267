//! Checks several files one after the other: an error in one does not end the others.

use crate::failure::Failure;
use crate::mistake::Mistake;
use crate::output::note;
use crate::session::Session;

/// Checks every file; `check` says what of one is not as it should be, which has been told, or why it cannot be used. What is said of them
/// together, if any is not, is `[about the only one, about several after their number]`.
pub(super) fn each_file(
    session: &Session,
    files: &[String],
    [one, several]: [&str; 2],
    mut check: impl FnMut(&str) -> Result<Vec<Mistake>, Failure>,
) -> Result<(), Failure> {
    let (mut wrong, mut mistakes) = (0, Vec::new());
    for file in files {
        let (is_good, more) = match check(file) {
            Ok(mistakes) => (mistakes.is_empty(), mistakes),
            Err(failure) => {
                let (message, mistakes) = failure.of_input()?;
                note(session, &format!("error: {message}"));
                (false, mistakes)
            }
        };
        wrong += usize::from(!is_good);
        mistakes.extend(more);
    }
    match (wrong, files) {
        (0, _) => Ok(()),
        (_, [_]) => Err(Failure::Text(one.into(), mistakes)),
        (wrong, files) => Err(Failure::Text(format!("{wrong} of {} {several}", files.len()), mistakes)),
    }
}
