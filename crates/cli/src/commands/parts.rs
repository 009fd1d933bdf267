//! How a run begins that may be a part of one, or go on where another was broken off; and how a part ends.

use std::ops::Range;
use std::path::Path;

use serde_json::json;

use crate::args::Common;
use crate::failure::Failure;
use crate::output::{Directory, MANIFEST, ROWS, RowFile, SHARD, note};
use crate::plays::{Header, Part, Plays, RowPart};
use crate::session;
use crate::signals::is_ending;

/// Opens the directory of a run, if it has one, and finds what is known of its trials. `files` are those of the whole run, and
/// `plan` is the command that gives the same results.
pub(super) fn open(
    common: &Common,
    command: &'static str,
    files: &[&'static str],
    plan: Vec<String>,
) -> Result<(Option<Directory>, Plays), Failure> {
    let files = match common.shard {
        None => [files, &[MANIFEST]].concat(),
        Some(part) if common.out.is_none() && !session::is_library() => {
            return Err(Failure::Input(format!(
                "--shard {part}: a part is left in a directory, for `stopwise merge`; add --out DIR"
            )));
        }
        Some(_) => vec![SHARD, MANIFEST],
    };
    let directory = common.place(command).map(|place| Directory::open(place, &files)).transpose()?;
    let place = (directory.as_ref().map(Directory::path), common.resume);
    let plays = Plays::new(common.shard, place, plan, common.handed.clone())?;
    Ok((directory, plays))
}

/// Leaves the part of a run that was played.
pub(super) fn leave(
    common: &Common,
    part: Part,
    plays: &Plays,
    directory: Option<Directory>,
) -> Result<(), Failure> {
    leave_rows(common, part, plays, directory, (None, 0..0))
}

/// The same with the rows of its trials, if they were wanted.
pub(super) fn leave_rows(
    common: &Common,
    part: Part,
    plays: &Plays,
    directory: Option<Directory>,
    (rows, trials): (Option<RowFile>, Range<u64>),
) -> Result<(), Failure> {
    // Of many stages each may be over before anybody looks.
    if plays.is_short() || is_ending() {
        let further = if common.out.is_some() { "; --resume goes on from here" } else { "" };
        return Err(Failure::Interrupted(format!(
            "interrupted: part {part} is not whole, so that it was not written{further}"
        )));
    }
    let mut shard = plays.shard()?;
    if let Some(rows) = rows {
        rows.finish()?;
        let place = common.out.as_deref().unwrap_or(Path::new("")).join(ROWS);
        shard.records.push(RowPart { path: place, trials }.digest()?);
    }
    let text = shard.text();
    let Some(directory) = directory else { return Err(Failure::Enough(text)) };
    let manifest = || {
        let manifest = json!({
            "program": "stopwise", "version": env!("CARGO_PKG_VERSION"), "command_line": session::command_line(),
            "shard": part.to_string(), "plan": shard.header.plan, "complete": true,
        });
        serde_json::to_vec_pretty(&manifest).map_err(Failure::from)
    };
    let written = directory.finish(true, &mut |name, file| match name {
        MANIFEST => file.write(&manifest()?).map(|()| true),
        _ => file.write(text.as_bytes()).map(|()| true),
    })?;
    if !common.quiet {
        note(&format!("{written}: part {part} of `{}`", shard.header.told()));
    }
    Ok(())
}

/// An error unless this program played the parts, or one that plays the same.
pub(super) fn check_program(header: &Header) -> Result<(), Failure> {
    let own =
        Header::of(header.plan.clone(), header.texts.clone(), None).with(header.parts.clone(), header.of);
    own.difference(header).map_or(Ok(()), |difference| {
        Err(Failure::Input(format!("the parts were not played by this program: {difference}")))
    })
}

/// An error if a part is wanted of what cannot be cut; `why` says why.
pub(super) fn refuse(common: &Common, why: &str) -> Result<(), Failure> {
    match common.shard {
        Some(part) => Err(Failure::Input(format!("--shard {part}: {why}"))),
        None => Ok(()),
    }
}
