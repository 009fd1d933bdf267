//! `merge`: the parts of a run as the run in one piece.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::run::check_program;
use crate::args::{Merge, Request};
use crate::checkpoint::{Handed, Header, RowPart, Shard, Trials, merged, missing};
use crate::failure::Failure;
use crate::output::{MANIFEST, ROWS, SHARD, check_is_file, shown};
use crate::session::Session;
use crate::typed::typed;

/// No part is longer.
const LONGEST: u64 = 4 << 30;
/// Of so many it is told what is wrong.
const NAMED: usize = 20;

/// The request whose trials are all in these parts, ready to be done. `all` are those that there are.
pub(crate) fn merge(
    session: &Session,
    args: &Merge,
    all: &clap::Command,
) -> Result<(Request, Session, Handed), Failure> {
    check_is_no_part(args)?;
    let shards = shards(session, &args.parts)?;
    let whole = merged(&shards).map_err(Failure::Input)?;
    lacking(&whole.header).map_or(Ok(()), |lacking| Err(Failure::Input(lacking)))?;
    check_program(&whole.header)?;
    let words = whole.header.plan.iter().map(OsString::from).collect();
    let session = session.speaking_for(words, whole.header.texts);
    let mut request = typed(&session, all)
        .map_err(|_| Failure::Input("the parts are of a command that this program does not know".into()))?
        .request;
    let rows = match &args.trials_out {
        Some(_) => Some(rows(args, &shards)?),
        None => None,
    };
    match (&mut request, &args.trials_out) {
        (Request::Simulate(simulate), file) => simulate.trials_out.clone_from(file),
        (_, None) => {}
        _ => return Err(Failure::Input("--trials-out: only the parts of `simulate` have rows".into())),
    }
    let common = request.common_mut().ok_or_else(|| Failure::Input("the parts are of no run".into()))?;
    common.out.clone_from(&args.out);
    common.force = args.force;
    common.format = args.format;
    common.quiet = args.quiet;
    Ok((request, session, Handed { records: whole.records, rest: Trials::Nowhere, rows }))
}

/// The parts, with what they are called in a message, or what is wrong with all that are none, and which are lacking then.
fn shards(session: &Session, parts: &[PathBuf]) -> Result<Vec<(String, Shard)>, Failure> {
    let files: Vec<_> = parts.iter().map(|path| file(session, path)).collect();
    let (mut shards, mut wrong) = (Vec::new(), Vec::new());
    for (path, file) in parts.iter().zip(files) {
        let name = format!("`{}`", shown(path));
        let text = file.and_then(|file| text(session, path, file));
        match text.and_then(|text| Shard::of(&text).map_err(|why| format!("{name}: {why}"))) {
            Ok(shard) => shards.push((name, shard)),
            Err(why) => wrong.push(why),
        }
    }
    if wrong.is_empty() {
        return Ok(shards);
    }
    let more = wrong.split_off(wrong.len().min(NAMED)).len();
    wrong.extend((more > 0).then(|| format!("and {more} more like these")));
    // Of those that do not belong to each other is told once all can be read.
    wrong.extend(merged(&shards).ok().and_then(|whole| lacking(&whole.header)));
    Err(Failure::Input(wrong.join("\n")))
}

/// What to say if parts of a run are missing.
fn lacking(header: &Header) -> Option<String> {
    let missing = missing(header)?;
    Some(format!(
        "parts are missing of `{}`: {missing}; name the directories of all {}",
        header.told(),
        header.of
    ))
}

/// The rows of all parts, in order.
fn rows(args: &Merge, shards: &[(String, Shard)]) -> Result<Vec<RowPart>, Failure> {
    let mut rows = Vec::new();
    for (path, (name, shard)) in args.parts.iter().zip(shards) {
        if path.is_file() {
            return Err(Failure::Input(format!(
                "--trials-out: {name} is a file, and the rows of its part are another; name the directory of both"
            )));
        }
        let part = RowPart::of(&shard.records, path.join(ROWS)).ok_or_else(|| {
            Failure::Input(format!(
                "--trials-out: {name} has no rows; play that part with --trials-out, too, or leave it out here"
            ))
        })?;
        if !part.is_whole(&shard.records)? {
            return Err(Failure::Input(format!("{name}: its {ROWS} is damaged, or of another run")));
        }
        let before = rows.partition_point(|other: &RowPart| other.trials.start < part.trials.start);
        rows.insert(before, part);
    }
    Ok(rows)
}

/// An error if the whole would take the place of one of its parts, unless that is wanted.
fn check_is_no_part(args: &Merge) -> Result<(), Failure> {
    let same = |path: &Path| std::fs::canonicalize(path).ok();
    let Some(out) = args.out.as_deref().and_then(same).filter(|_| !args.force) else { return Ok(()) };
    let is_out = |part: &&PathBuf| {
        let part = same(part);
        part.as_deref() == Some(&out) || part.is_some_and(|part| part == out.join(SHARD))
    };
    args.parts.iter().find(is_out).map_or(Ok(()), |part| {
        Err(Failure::Input(format!(
            "--out: `{}` is one of the parts, which would be replaced by the whole; name another directory, or add --force",
            shown(part)
        )))
    })
}

/// The file of a part: the one of this name, or that in the directory of this name; `None` if its text is known already.
fn file(session: &Session, path: &Path) -> Result<Option<PathBuf>, String> {
    if session.known_text(&path.to_string_lossy()).is_some() {
        return Ok(None);
    }
    let at = shown(path);
    let is_directory = path.is_dir();
    if is_directory && let Err(error) = path.join(MANIFEST).metadata() {
        return Err(match error.kind() {
            io::ErrorKind::NotFound => format!("`{at}` has no whole part of a run: it has no {MANIFEST}"),
            _ => format!("cannot read `{at}`: {error}"),
        });
    }
    let file = if is_directory { path.join(SHARD) } else { path.to_owned() };
    match check_is_file(&file) {
        Ok(()) => Ok(Some(file)),
        Err(error) => Err(unreadable(path, &error)),
    }
}

/// The text of a part.
fn text(session: &Session, path: &Path, file: Option<PathBuf>) -> Result<String, String> {
    let Some(file) = file else {
        return Ok(session.known_text(&path.to_string_lossy()).cloned().unwrap_or_default());
    };
    let mut text = String::new();
    let read = File::open(&file).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
    read.map(|_| text).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    let at = shown(path);
    if path.is_dir() {
        format!(
            "`{at}` has no part of a run: cannot read its {SHARD}: {error}; parts are made with --shard K/N"
        )
    } else {
        format!("cannot read `{at}`: {error}")
    }
}
