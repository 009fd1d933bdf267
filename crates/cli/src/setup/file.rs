//! Reads texts from files, and notes in the session what was read.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use stopwise_engine::kept::Kept;
use stopwise_policy::{Text, file_of_values, nearest, visible_word};

use crate::failure::Failure;
use crate::session::Session;

/// Whether there is a file of this name.
pub(crate) fn is_there(session: &Session, file: &str) -> bool {
    session.known_text(file).is_some() || session.may_read() && Path::new(file).is_file()
}

pub(super) fn is_file(name: &str) -> bool {
    name.ends_with(".toml") || name.ends_with(".game") || name.contains('/') || name.contains('\\')
}

pub(crate) fn read(session: &Session, path: &str) -> Result<Text, Failure> {
    let text = match session.known_text(path) {
        Some(text) => Text::from_bytes(path, text.clone().into_bytes()),
        None if !session.may_read() => {
            return Err(Failure::Input(format!(
                "`{}` is none of the files that may be read here",
                visible_word(path)
            )));
        }
        None => Text::from_bytes(path, bytes(path, Text::LONGEST as u64)?),
    };
    let text = text?;
    session.note_text(path, &text.text);
    Ok(text)
}

/// A policy with the values that it names, if it does: a file in its directory. If there is none, the policy says so when it is
/// compiled.
pub(super) fn with_values(session: &Session, text: Text) -> Result<Text, Failure> {
    let Some(file) = file_of_values(&text) else { return Ok(text) };
    let directory = text.file.rfind(['/', '\\']).map_or("", |end| &text.file[..=end]);
    let path = format!("{directory}{file}");
    if let Some(bytes) = session.known_table(&path) {
        return Ok(Text { beside: Some(Arc::clone(bytes)), ..text });
    }
    let bytes = match session.known_text(&path) {
        Some(letters) => STANDARD.decode(letters).ok(),
        None if session.may_read() && Path::new(&path).is_file() => Some(bytes(&path, Kept::LONGEST)?),
        None => return Ok(text),
    };
    // Whatever it is, it is no table.
    let bytes: Arc<[u8]> = bytes.unwrap_or_default().into();
    session.note_bytes(&path, &bytes);
    Ok(Text { beside: Some(bytes), ..text })
}

fn bytes(path: &str, longest: u64) -> Result<Vec<u8>, Failure> {
    // One byte more than may be there, however much there is: the rest is never read.
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(longest + 1).read_to_end(&mut bytes));
    read.map_err(|error| {
        let advice = match error.kind() {
            ErrorKind::NotFound => like(Path::new(path)).unwrap_or_default(),
            _ => String::new(),
        };
        Failure::Input(format!("cannot read `{}`: {error}{advice}", visible_word(path)))
    })?;
    Ok(bytes)
}

/// The most entries of a directory among which a file is looked for.
const ENTRIES: usize = 1000;

/// The names in a directory, in order.
fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().take(ENTRIES);
    let mut names: Vec<_> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The names, without this ending, of the files in the current directory that have it.
pub(super) fn names_here(session: &Session, ending: &str) -> Vec<String> {
    let names = if session.may_read() { names_in(Path::new(".")) } else { Vec::new() };
    names.iter().filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
}

/// The files of a directory that may be policies, in order; nothing if it is none.
pub(super) fn policies_in(session: &Session, directory: &str) -> Option<Vec<String>> {
    let path = Path::new(directory);
    let known: Vec<_> = session.known_in(path).filter(|file| file.ends_with(".toml")).cloned().collect();
    if !known.is_empty() {
        return Some(known);
    }
    let is_one = session.may_read() && path.is_dir();
    let join = |name: &String| path.join(name).to_str().map(str::to_owned);
    let files = || names_in(path).iter().filter(|name| name.ends_with(".toml")).filter_map(join).collect();
    is_one.then(files)
}

/// Advice on a file that is not there: the one of its directory that may be meant, such as `mine.toml.txt`, whose last
/// ending some systems do not show.
fn like(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names = names_in(directory);
    let longer = format!("{wanted}.txt");
    if let Some(found) = names.iter().find(|name| name.eq_ignore_ascii_case(&longer)) {
        return Some(format!("; there is `{}`: rename it to {}", visible_word(found), visible_word(wanted)));
    }
    let is_text = |name: &&str| name.ends_with(".toml") || name.ends_with(".game");
    let texts = names.iter().map(String::as_str).filter(is_text);
    nearest(wanted, texts).map(|near| format!("; did you mean `{}`?", visible_word(near)))
}
