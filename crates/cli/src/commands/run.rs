//! A run: what is around the trials of every command that plays them. It has threads, files, check points and a clock; in the end
//! its report is published, or a part of it is left for `merge`.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::ValueEnum as _;
use cpu_time::ProcessTime;
use serde_json::{Map, Value, json};
use stopwise_document::Report;
use stopwise_reports::manifest::{Context, GameFile, Subject, manifest_with, mark};
use stopwise_reports::tables::Tables;

use super::trial_rows;
use crate::args::{Common, Format};
use crate::checkpoint::{Handed, Header, Part, Plays, RowPart, Shard};
use crate::failure::Failure;
use crate::output::{Directory, MANIFEST, ROWS, RowFile, SHARD, note, shown};
use crate::progress::{Making, many};
use crate::publish::{are_data_read, is_page_made, publish};
use crate::session::Session;
use crate::signals;
use crate::threads::Threads;

/// A run that has begun.
#[derive(Debug)]
pub(super) struct Run<'r> {
    pub(super) session: &'r Session,
    pub(super) common: &'r Common,
    pub(super) pool: Threads,
    pub(super) plays: Plays<'r>,
    pub(super) directory: Option<Directory>,
    /// The digits of the run, if its results are known by them.
    digest: Option<String>,
    /// Whether an earlier run has left all results where this one, cut short, would have left some.
    is_kept: bool,
    /// Is said once the report is published.
    pub(super) note: Option<String>,
    wall: Instant,
    cpu: ProcessTime,
}

impl<'r> Run<'r> {
    /// How fast these were played, in brackets; of a run that is gone on with nobody knows.
    pub(super) fn rate(&self, played: f64, of: &str, seconds: f64) -> String {
        match self.plays.is_resumed() {
            true => "(gone on with: not all of them now)".into(),
            false => format!("({} {of}a second)", many(played / seconds)),
        }
    }

    /// Opens the directory, if there is one, and finds what is known of the trials. `files` are those of the whole run, `plan` is
    /// the command line that gives the same results, so many trials at most are played at once, and `rows` is the file of their rows.
    pub(super) fn begin(
        session: &'r Session,
        (common, handed): (&'r Common, &Handed),
        command: &'static str,
        (files, plan): (&[&'static str], Vec<String>),
        (trials, rows): (u64, Option<&Path>),
    ) -> Result<Self, Failure> {
        let pool = Threads::new(common.threads, trials)?;
        // Before there are files, so that a signal never leaves half of them behind.
        signals::catch(session)?;
        let files = match common.shard {
            None => [files, &[MANIFEST]].concat(),
            Some(part) if common.out.is_none() && session.caller().is_none() => {
                return Err(Failure::Input(format!(
                    "--shard {part}: a part is left in a directory, for `stopwise merge`; add --out DIR"
                )));
            }
            Some(_) => vec![SHARD, MANIFEST],
        };
        let header = Header::new(plan.clone(), session.texts_read(), common.shard);
        // Two functions may have one name.
        let digest = session.first_policy().is_none().then(|| header.digest());
        let place = common.place(command, digest.as_deref());
        let directory = place.map(|place| Directory::open(session, place, &files)).transpose()?;
        let is_whole = |path: &Path| common.shard.is_none() || is_whole_part(path, rows.is_some());
        let directory = match directory.map(|directory| directory.whole_if(is_whole)) {
            Some(whole) if common.resume && whole.has_whole() => {
                Some(unless_over(session, common, whole, (command, rows))?)
            }
            directory => directory,
        };
        let place = (directory.as_ref().map(Directory::path), common.resume);
        let plays = Plays::new(session, common.shard, place, plan, handed)?;
        Ok(Self {
            session,
            common,
            pool,
            plays,
            directory,
            digest,
            is_kept: false,
            note: None,
            wall: Instant::now(),
            cpu: ProcessTime::now(),
        })
    }

    /// Whether it has gone on for so long. One that repeats another ends where that did, however long it takes.
    pub(super) fn is_over(&self, budget: Option<Duration>) -> bool {
        let budget = budget.filter(|_| self.common.stop_after.is_none());
        budget.is_some_and(|budget| self.wall.elapsed() >= budget)
    }

    /// What its manifest says of who played, how long up to now.
    pub(super) fn context(&self) -> Context {
        Context {
            command_line: self.session.command_line(),
            rules: Value::Null,
            game_text: self.session.game_text().as_ref().map(GameFile::new),
            policies: Vec::new(),
            requested: 0,
            is_cut: false,
            stopping: None,
            runner: "trial",
            instructions: None,
            threads: self.pool.count(),
            wall_seconds: self.wall.elapsed().as_secs_f64(),
            cpu_seconds: self.cpu.elapsed().as_secs_f64(),
        }
    }

    /// The report, with tables if anybody reads them.
    pub(super) fn report(&self, report: impl FnOnce(Option<Tables<'_>>) -> Report + Send) -> Report {
        let are_read = are_data_read(self.session, self.directory.as_ref(), self.common.format);
        let making = Making::new(self.session, self.common.quiet);
        self.pool.within(|| report(are_read.then(|| Tables::new(&making))))
    }

    /// Whether a page is made of the report, which says what was played.
    pub(super) fn is_page_made(&self) -> bool {
        is_page_made(self.session, self.directory.as_ref(), self.common.format)
    }

    /// Writes the files of the report, if they are wanted, and prints it. `more` is what its manifest says besides.
    pub(super) fn publish(
        &mut self,
        mut report: Report,
        (subject, context, mut more): (&Subject<'_>, &Context, Map<String, Value>),
        is_cut: bool,
    ) -> Result<(), Failure> {
        more.insert("run".into(), self.digest.clone().into());
        mark(&mut report, subject, context);
        let remark = self.common.remark.as_deref().unwrap_or_default();
        report.remarks =
            remark.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).map(Into::into).collect();
        let manifest = |report: &Report| manifest_with(subject, context, report, more.clone());
        let (session, directory) = (self.session, self.directory.take());
        self.is_kept = is_cut && directory.as_ref().is_some_and(Directory::has_whole);
        let shown = (self.common.format, self.common.quiet);
        let published =
            self.pool.within(|| publish(session, report, (directory, &manifest, &Vec::new()), shown, is_cut));
        let written = published?;
        self.note.iter().for_each(|text| note(session, text));
        written.iter().for_each(|written| self.tell(&written.to_string()));
        Ok(())
    }

    /// Says what became of the run, unless that is not wanted.
    pub(super) fn tell(&self, text: &str) {
        if !self.common.quiet {
            note(self.session, text);
        }
    }

    /// Why it ends that a signal cut short after so many trials or points; `found` is what it has all the same.
    pub(super) fn interrupted(&self, found: &str, done: u64) -> Failure {
        self.interrupted_so(found, &format!("add --stop-after {done} to the same arguments"))
    }

    /// The same; `change` is how the arguments change for whoever repeats it.
    pub(super) fn interrupted_so(&self, found: &str, change: &str) -> Failure {
        let at = self.common.out.as_deref().map(shown);
        let to = match at {
            Some(at) if self.is_kept => format!("; {}", kept(&at)),
            Some(at) => format!("; written to {at}"),
            None => String::new(),
        };
        Failure::Interrupted(format!("interrupted: {found}; to repeat exactly this, {change}{to}"))
    }

    /// Leaves the part of the run that was played, with the rows of its trials, if they were wanted.
    pub(super) fn leave(self, part: Part, rows: Option<(RowFile, Range<u64>)>) -> Result<(), Failure> {
        let Self { session, common, plays, directory, digest, .. } = self;
        // Of many stages each may be over before anybody looks.
        if plays.is_short() || session.is_ending() {
            if let Some(directory) = directory.filter(Directory::has_whole) {
                let at = shown(directory.path());
                return Err(Failure::Interrupted(format!("interrupted: {}", kept(&at))));
            }
            let goes_on = match rows {
                Some((mut rows, _)) => trial_rows::leave(&plays, &mut rows)?,
                None => plays.leave_check_points()?,
            };
            let further = match goes_on {
                true => "; --resume goes on from here",
                false if common.out.is_some() => "; there are no check points, and it begins anew",
                false => "",
            };
            return Err(Failure::Interrupted(format!(
                "interrupted: part {part} is not whole, so that it was not written{further}"
            )));
        }
        let mut shard = plays.shard()?;
        let mut rows_are_left = false;
        if let Some((rows, trials)) = rows {
            rows_are_left = true;
            rows.finish()?;
            let place = common.out.as_deref().unwrap_or(Path::new("")).join(ROWS);
            shard.records.push(RowPart { path: place, trials }.digest()?);
        }
        let text = shard.text();
        let Some(directory) = directory else { return Err(Failure::Enough(text)) };
        let manifest = || {
            let manifest = json!({
                "program": "stopwise", "version": env!("CARGO_PKG_VERSION"), "command_line": session.command_line(),
                "shard": part.to_string(), "plan": shard.header.plan, "run": digest, "complete": true,
            });
            serde_json::to_vec_pretty(&manifest).map_err(Failure::from)
        };
        let written = directory.finish(true, &mut |name, file| match name {
            MANIFEST => file.write(&manifest()?).map(|()| true),
            _ => file.write(text.as_bytes()).map(|()| true),
        })?;
        if common.format != Format::Table && session.caller().is_none() {
            let format = common.format.to_possible_value().map(|format| format.get_name().to_owned());
            note(
                session,
                &format!(
                    "note: a part has no report, so that --format {} prints nothing: give it to `stopwise merge`",
                    format.unwrap_or_default()
                ),
            );
        }
        if !common.quiet {
            note(session, &format!("{written}: part {part} of `{}`", shard.header.told()));
            if rows_are_left {
                let place = common.out.as_deref().unwrap_or(Path::new("")).join(ROWS);
                note(
                    session,
                    &format!(
                        "the rows of its trials are in {}, for `stopwise merge … --trials-out FILE`, which writes those of all parts",
                        shown(&place)
                    ),
                );
            }
        }
        Ok(())
    }
}

/// The directory, which has whole results of this run, unless they are all that it would leave. A caller of the library wants the
/// results themselves, and rows may be those of another run.
fn unless_over(
    session: &Session,
    common: &Common,
    directory: Directory,
    (command, rows): (&str, Option<&Path>),
) -> Result<Directory, Failure> {
    let at = shown(directory.path());
    let told = match common.shard {
        Some(part) => format!("part {part} of this run is in `{at}`, whole"),
        None => format!("`{at}` has all results of this run"),
    };
    if common.shard.is_some() || rows.is_none() && session.caller().is_none() {
        directory.keep()?;
        note(session, &format!("{told}: nothing is left to be played"));
        return Err(Failure::Over);
    }
    if let Some(rows) = rows {
        let rows = shown(rows);
        note(session, &format!("{told}, but `stopwise {command}` plays it again for the rows in {rows}"));
    }
    Ok(directory)
}

/// Whether a part that was left can be read, and has its rows, undamaged, if they are wanted.
fn is_whole_part(directory: &Path, with_rows: bool) -> bool {
    let shard = fs::read_to_string(directory.join(SHARD)).ok().and_then(|text| Shard::of(&text).ok());
    shard.is_some_and(|shard| {
        let rows = RowPart::of(&shard.records, directory.join(ROWS));
        !with_rows || rows.is_some_and(|rows| rows.is_whole(&shard.records).unwrap_or(false))
    })
}

/// What is said of results that are whole, where a piece of the same would have replaced them.
fn kept(at: &str) -> String {
    format!("`{at}` keeps what an earlier run has left there, which is whole")
}

/// An error unless this program played the parts, or one that plays the same.
pub(super) fn check_program(header: &Header) -> Result<(), Failure> {
    let own =
        Header::new(header.plan.clone(), header.texts.clone(), None).with(header.parts.clone(), header.of);
    own.difference(header).map_or(Ok(()), |difference| {
        Err(Failure::Input(format!("the parts were not played by this program: {difference}")))
    })
}

/// An error if a part is wanted of what cannot be cut; `why` says why.
pub(super) fn refuse_part(common: &Common, why: &str) -> Result<(), Failure> {
    match common.shard {
        Some(part) => Err(Failure::Input(format!("--shard {part}: {why}"))),
        None => Ok(()),
    }
}
