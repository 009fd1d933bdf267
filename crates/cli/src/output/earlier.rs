//! What is in a result directory already: earlier results of the same command, those of another, or somebody's files.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::lock::Holder;
use super::place::{
    HOLD_AT, MANIFEST, PAGE, POLICY, Place, REPLACING, ROWS, SHARD, SOLUTION, TABLES, VALUES,
};
use super::shown;
use crate::failure::Failure;

/// No manifest is longer.
const LONGEST: u64 = 256 << 20;

/// What files with our names are there may be replaced, or why not. `dead` is a run that was killed here.
pub(super) fn check(place: &Place<'_>, names: &[&str], dead: Option<&Holder>) -> Result<(), Failure> {
    let (path, at) = (place.path, shown(place.path));
    if let Some(name) = names.iter().find(|name| path.join(name).is_dir()) {
        return Err(Failure::Input(format!("cannot write into `{at}`: its `{name}` is a directory")));
    }
    if place.force {
        return Ok(());
    }
    let advice = "name another directory, or add --force to replace them as a whole";
    let has_manifest = names.contains(&MANIFEST);
    let is_ours = |name: &str| place.is_ours.is_some_and(|is_ours| is_ours(&path.join(name)));
    let is_foreign = |name: &str| {
        ([POLICY, HOLD_AT].contains(&name) || !has_manifest) && exists(&path.join(name)) && !is_ours(name)
    };
    if let Some(name) = names.iter().find(|name| is_foreign(name)) {
        return Err(Failure::Input(format!(
            "`{at}` has a file `{name}` that `stopwise {}` has not written; {advice}",
            place.command
        )));
    }
    if !has_manifest {
        return Ok(());
    }
    if exists(&path.join(MANIFEST)) {
        let manifest = manifest(&path.join(MANIFEST));
        let command = manifest.as_ref().and_then(|manifest| manifest["command_line"][1].as_str());
        return match command {
            Some(command) if command == place.command => check_is_no_part(place, manifest.as_ref(), advice),
            Some(command) => Err(Failure::Input(format!(
                "`{at}` has the results of `stopwise {}`; {advice}",
                stopwise_policy::visible_word(command)
            ))),
            None => Err(Failure::Input(format!(
                "`{at}` has a file `{MANIFEST}` that is no manifest of stopwise; {advice}"
            ))),
        };
    }
    // A run that was killed while it replaced the files has taken the manifest away. The one after it may have died, too, and
    // its mark be gone or without a name: then the note is there that was made before.
    if dead.is_some_and(|dead| dead.command == place.command) || was_replacing(path, place.command) {
        return Ok(());
    }
    match results(path).into_iter().min() {
        None => Ok(()),
        Some(name) => Err(Failure::Input(format!(
            "`{at}` has a file `{name}`, but no manifest that says which run wrote it; {advice}"
        ))),
    }
}

/// An error if a part of a run is there, whole, that is not the one of this run.
fn check_is_no_part(place: &Place<'_>, manifest: Option<&Value>, advice: &str) -> Result<(), Failure> {
    let manifest = manifest.filter(|manifest| manifest["run"].as_str() != place.run || place.run.is_none());
    match manifest.and_then(|manifest| manifest["shard"].as_str()) {
        None => Ok(()),
        Some(part) => Err(Failure::Input(format!(
            "`{}` has part {} of a run, whole, which this is not; {advice}",
            shown(place.path),
            stopwise_policy::visible_word(part)
        ))),
    }
}

/// Whether files of this command were being replaced here.
fn was_replacing(directory: &Path, command: &str) -> bool {
    let note = directory.join(REPLACING);
    let is_file =
        fs::symlink_metadata(&note).is_ok_and(|about| about.is_file() && about.len() == command.len() as u64);
    is_file && fs::read(&note).is_ok_and(|note| note == command.as_bytes())
}

/// The files of result directories that are in this one, whichever command writes them; but for a policy, which may be anybody's.
pub(super) fn results(directory: &Path) -> Vec<&'static str> {
    let mut names = [PAGE, SHARD, ROWS, VALUES, SOLUTION].to_vec();
    names.extend(TABLES);
    names.retain(|name| exists(&directory.join(name)));
    names
}

/// Whether some command writes a file of this name into its result directory, where the next one clears it away.
pub(super) fn is_result(name: &OsStr) -> bool {
    let others = [MANIFEST, PAGE, POLICY, HOLD_AT, VALUES, SOLUTION, SHARD, ROWS];
    others.into_iter().chain(TABLES).any(|known| name == known)
}

/// The temporary files that runs have left. `is_marked` if there was the mark of one that was killed: only then a file
/// that grew was its own.
pub(super) fn left_behind(directory: &Path, is_marked: bool) -> Vec<PathBuf> {
    let is_known = |name: &str| name == REPLACING || is_result(name.as_ref());
    let is_temporary = |name: &OsStr| {
        let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".part")) else { return false };
        match name.strip_prefix('.').and_then(|name| name.rsplit_once('.')) {
            Some((name, process)) => process.parse::<u32>().is_ok() && is_known(name),
            None => is_marked && is_known(name),
        }
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| !kind.is_dir());
    entries
        .filter(|entry| is_temporary(&entry.file_name()) && is_file(entry))
        .map(|entry| entry.path())
        .collect()
}

/// Whether one of them has the rows of a part.
pub(super) fn are_rows(file: &Path) -> bool {
    file.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(&format!(".{ROWS}.")))
}

/// Whether there is anything under this name; links are not followed.
pub(super) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether all results of a run are in a directory, in files of these names.
pub(super) fn has_whole(directory: &Path, run: &str, names: &[&str]) -> bool {
    let manifest = manifest(&directory.join(MANIFEST));
    manifest.is_some_and(|manifest| manifest["run"] == run && manifest["complete"] == true)
        && names.iter().all(|name| directory.join(name).is_file())
}

/// What a manifest of ours says.
fn manifest(manifest: &Path) -> Option<Value> {
    fs::symlink_metadata(manifest).ok().filter(fs::Metadata::is_file)?;
    let mut bytes = Vec::new();
    File::open(manifest).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    (value["program"] == "stopwise" && value["command_line"][1].is_string()).then_some(value)
}
