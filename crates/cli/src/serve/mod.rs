//! `serve`: a page on this machine. The [`Clerk`] turns questions of the page into requests of the library, and results into
//! what the page shows.

mod along;
mod check;
mod folder;
mod game;
mod held;
mod keep;
mod picture;
mod ranking;
mod setting;
mod shown;
mod table;
mod tables;
mod versus;

use std::process::{Command, Stdio};
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use stopwise_serve::{ANSWERS, Answer, Desk, Need, Question, Server, Settings, Work};

use crate::args::Serve;
use crate::failure::Failure;
use crate::library::{Call, Found, Refusal, Request, ask};
use crate::memory::{Bytes, Memory, limit, taken};
use crate::output::{note, print};
use crate::session::Session;
use crate::signals;
use crate::stop::StopToken;
use crate::threads::{Threads, most_threads};
use folder::Folder;
use setting::{Files, Setting};

pub(crate) fn serve(session: &Session, args: &Serve) -> Result<(), Failure> {
    if session.caller().is_some() {
        return Err(Failure::Input("serve opens a page until it is ended: start it as a program".into()));
    }
    // An invalid number is refused before the page is served.
    Threads::new(args.threads, 1)?;
    let folder = Folder::here(limit(args.memory));
    let begin = args.game.as_deref().map(|game| folder.game(game)).transpose()?;
    let settings = Settings { host: args.host, port: args.port, threads: most_threads(args.threads) };
    let server = Server::open(settings).map_err(|error| {
        let instead =
            if args.port == 0 { String::new() } else { "; --port 0 takes any port that is free".into() };
        Failure::Other(format!("cannot listen on {}, port {}: {error}{instead}", args.host, args.port))
    })?;
    let (address, far, ending) = (server.address(), server.address_for_others(), server.ending());
    signals::catch_with(session, move || ending.end())?;
    print(session, &format!("{address}\n"))?;
    note(session, "the page is there until Ctrl-C ends it");
    if let Some(address) = &far {
        note(session, &format!("others on the network open {address}"));
    }
    if !args.host.is_loopback() {
        note(
            session,
            "warning: others on the network who learn this address can use the page, and save files here",
        );
    }
    if args.open && !open(&address) {
        note(session, "no browser could be started: open the address yourself");
    }
    let room = Room { folder, begin, memory: limit(args.memory), adviser: table::Adviser::default() };
    server.serve(Arc::new(Office(Arc::new(room)))).map_err(Failure::other)?;
    Err(Failure::Interrupted("the page has ended".into()))
}

/// Starts the browser of the system; whether there is one.
fn open(address: &str) -> bool {
    let (program, words): (_, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(words).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

/// What all answers share.
#[derive(Debug)]
struct Room {
    folder: Folder,
    /// The game to begin with, if one was named.
    begin: Option<String>,
    /// Bytes of memory, of all answers together.
    memory: u64,
    /// The advisor that was asked last.
    adviser: table::Adviser,
}

/// Works on one answer.
#[derive(Debug)]
struct Clerk<'r> {
    folder: &'r Folder,
    begin: Option<&'r str>,
    adviser: &'r table::Adviser,
    /// The threads of this answer.
    threads: usize,
    /// The bytes of memory that it may take.
    memory: u64,
}

/// Where questions come in.
struct Office(Arc<Room>);

impl Desk for Office {
    fn begin(&self, question: Question) -> Work {
        let (room, stop) = (Arc::clone(&self.0), StopToken::default());
        let (need, ended) = (need(&question), stop.clone());
        let run = move |threads| room.answer(&question, threads, &stop);
        Work { need, run: Box::new(run), end: Arc::new(move || ended.end()) }
    }
}

/// How much work a question is. A first picture is wanted at once; sharper pictures and sweeps can wait.
fn need(Question { name, body }: &Question) -> Need {
    match &**name {
        "picture" if has_at_most(body, picture::FIRST) => Need::Soon,
        "ranking" if has_at_most(body, ranking::FIRST) => Need::Soon,
        "picture" | "versus" | "along" | "ranking" | "held" | "warnings" | "report" | "worth" | "review" => {
            Need::Long
        }
        _ => Need::Little,
    }
}

/// Whether a question asks for at most this many trials.
fn has_at_most(question: &[u8], most: u64) -> bool {
    #[derive(Deserialize)]
    struct Asked {
        trials: u64,
    }
    serde_json::from_slice(question).is_ok_and(|Asked { trials }| trials <= most)
}

/// Why there is no answer: a status and a message for people.
#[derive(Debug)]
struct Wrong(u16, String);

impl From<Refusal> for Wrong {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal {
            Refusal::Input { .. } => 422,
            Refusal::Interrupted(_) => 409,
            Refusal::Other(_) => 500,
        };
        Self(status, refusal.to_string())
    }
}

impl From<Failure> for Wrong {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Input(message) | Failure::Text(message, _) | Failure::Usage(message) => {
                Self(422, message)
            }
            Failure::Interrupted(message) => Self(409, message),
            Failure::Other(message) | Failure::Enough(message) => Self(500, message),
            Failure::BrokenPipe | Failure::Over => Self(500, "a pipe is closed".into()),
        }
    }
}

/// What is sent.
enum Sent {
    Data(Value),
    Page(String),
}

impl Room {
    fn answer(&self, question: &Question, threads: usize, stop: &StopToken) -> Answer {
        let found = self.clerk(threads).and_then(|clerk| clerk.sent(question, stop));
        match found {
            Ok(Sent::Data(value)) => Answer { status: 200, kind: JSON, body: value.to_string().into_bytes() },
            Ok(Sent::Page(page)) => Answer { status: 200, kind: PAGE, body: page.into_bytes() },
            Err(Wrong(status, message)) => {
                Answer { status, kind: JSON, body: json!({ "error": message }).to_string().into_bytes() }
            }
        }
    }

    /// Every answer may take an equal share of the memory that is left, so that all answers at once fit into it.
    fn clerk(&self, threads: usize) -> Result<Clerk<'_>, Wrong> {
        let taken = taken().unwrap_or_default();
        let Some(left) = self.memory.checked_sub(taken) else {
            let (taken, most) = (Bytes(taken), Bytes(self.memory));
            return Err(Wrong(
                503,
                format!(
                    "The page takes {taken} of memory, more than the {most} it may: end it and start it again."
                ),
            ));
        };
        let Self { folder, begin, adviser, .. } = self;
        Ok(Clerk { folder, begin: begin.as_deref(), adviser, threads, memory: left / ANSWERS as u64 })
    }
}

impl Clerk<'_> {
    fn sent(&self, Question { name, body }: &Question, stop: &StopToken) -> Result<Sent, Wrong> {
        if stop.is_ending() {
            return Err(Wrong(409, "Something newer was asked.".into()));
        }
        let found = match &**name {
            "games" => game::list(self),
            "files" => self.folder.list(),
            "game" => game::told(self, &read(body)?),
            "picture" => picture::picture(self, &read(body)?, stop),
            "versus" => versus::versus(self, &read(body)?, stop),
            "along" => along::along(self, &read(body)?, stop),
            "held" => held::held(self, &read(body)?, stop),
            "ranking" => ranking::ranking(self, &read(body)?, stop),
            "check" => check::check(self, &read(body)?),
            "warnings" => Ok(check::warned(&read(body)?)),
            "report" => return keep::report(self, &read(body)?, stop).map(Sent::Page),
            "keep" => keep::kept(self, &read(body)?),
            "table" => table::table(self, &read(body)?),
            "worth" => table::worth(self, &read(body)?, stop),
            "review" => table::reviewed(self, &read(body)?, stop),
            "save" => self.folder.save(&read(body)?),
            _ => Err(Wrong(404, "There is no such question.".into())),
        };
        found.map(Sent::Data)
    }

    /// Asks the library. Nothing is read but the texts of the setting, and results are whole.
    fn ask(&self, setting: &Setting, request: Request, stop: &StopToken) -> Result<Found, Wrong> {
        self.ask_with(setting.files(self.folder)?, request, stop)
    }

    fn ask_with(&self, files: Files, request: Request, stop: &StopToken) -> Result<Found, Wrong> {
        let Files { texts, tables } = files;
        let call = Call { texts, tables, stop: stop.clone(), only_texts: true, ..Call::default() };
        let found = ask(request, call)?;
        match found.interrupted {
            Some(message) => Err(Wrong(409, message)),
            None => Ok(found),
        }
    }

    /// The arguments that all commands that play trials have in common.
    fn common(&self, common: &mut crate::args::Common, seed: Option<u64>) {
        (common.threads, common.quiet) = (Some(self.threads), true);
        common.seed = seed.unwrap_or(common.seed);
    }

    /// What one answer may take of the memory.
    fn share(&self) -> Memory {
        Memory { max_memory: Some(self.memory) }
    }
}

const JSON: &str = "application/json";
const PAGE: &str = "text/html; charset=utf-8";

/// A question.
fn read<Q: DeserializeOwned>(body: &[u8]) -> Result<Q, Wrong> {
    serde_json::from_slice(body).map_err(|error| Wrong(400, format!("the question cannot be read: {error}")))
}

/// The document of a command's result.
fn document(found: Found) -> Result<stopwise_document::Report, Wrong> {
    found.report.ok_or_else(|| Wrong(500, "nothing was found".into()))
}
