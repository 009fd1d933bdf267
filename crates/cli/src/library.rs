//! The program as a library: a request in, what was found out.
//!
//! Everything that the program does, it does here, with the same numbers, texts and files; only what it would print is handed
//! over as a document, and what it would say beside that as notes. Any number of requests may be asked for at once, from any
//! threads.
//!
//! Begin with [`ask`]: a [`Request`], such as [`Simulate`], with the options of the command of that name as fields, and a
//! [`Call`], which has what belongs to no command: texts instead of files, progress, and how to end it. [`Found`] has the
//! [`Report`], of which [`rows`] gives the numbers, and [`json()`], [`csv()`], [`page`], [`markdown`], [`text`] and [`picture`] are what
//! it is written as.
//!
//! ```
//! use stopwise::library::{Call, Request, Simulate, ask, rows};
//!
//! let mut request = Simulate::of("pig");
//! request.policy.policies = vec!["hold:n=20".into()];
//! request.stop.trials = Some(100);
//! let report = ask(Request::Simulate(request), Call::default())?.report.expect("simulate makes one");
//! let win = rows(&report, "summary.csv").find(|row| row.is("metric", "win")).expect("it is a row");
//! assert!(win.number("mean").is_some_and(|mean| (0.0..=1.0).contains(&mean)));
//! # Ok::<(), stopwise::library::Refusal>(())
//! ```
//!
//! A game can be had as an object, too, to play it step by step, to read texts of users, or to solve it: [`erased::Game`] and
//! [`narration::read_rules`] make [`AnyRules`]. `docs/rust.md` shows all of it in short programs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;

use stopwise_document::text::Style;
use stopwise_erased::NamedRules;

use crate::checkpoint::{Handed, Record, Shard, build, merged};
use crate::failure::Failure;
use crate::session::{Said, Session};
use crate::setup::PolicySpec;
use crate::typed::{Instead, typed};
use crate::{obey, publish, setup};

pub use crate::args::{
    Advise, Aim, Balance, Bench, By, Columns, Common, Compare, Format, GameArgs, GamesCommand, Merge, Play,
    PolicyArgs, PolicyCommand, PositionFormat, Rank, Replay, Request, RulesCommand, Runner, Serve, Simulate,
    Solve, Stop, Sweep, Until,
};
pub use crate::checkpoint::{Part, Players, Trials, Wanted};
pub use crate::memory::Memory;
pub use crate::mistake::Mistake;
pub use crate::numbers::Span;
pub use crate::run;
pub use crate::session::Listener;
pub use crate::stop::StopToken;

// What is handed out here, and the crates that it comes from: whoever uses them depends on this crate alone.
pub use stopwise_analysis as analysis;
pub use stopwise_document::{self as document, Cell, Dataset, Report};
pub use stopwise_engine as engine;
pub use stopwise_erased::{self as erased, AnyPolicy, AnyRules};
pub use stopwise_narration as narration;
pub use stopwise_policy as policy;
pub use stopwise_reports::row::{Row, rows};
pub use stopwise_script as script;

/// What is given to a call besides its request.
#[derive(Clone, Default)]
pub struct Call {
    /// Files by their paths, as the request names them, that are known by content and not read from a disk.
    pub texts: BTreeMap<String, String>,
    /// Tables of values, as `solve --out` keeps them, by their paths: a caller that has read one shares it between calls.
    pub tables: BTreeMap<String, Arc<[u8]>>,
    /// Policies that are no texts ([`AnyPolicy::in_batches`], [`AnyPolicy::given`]), by the words that name them. `simulate`,
    /// `compare`, `rank`, `sweep`, `balance` and `replay` take them, in one piece: parts and check points could not tell one
    /// from another.
    pub policies: BTreeMap<String, AnyPolicy>,
    /// Is told a line of progress, several times a second, from any thread.
    pub progress: Option<Listener>,
    /// Who plays the trials.
    pub trials: Trials,
    /// Asks it to end; a clone stays with the caller.
    pub stop: StopToken,
    /// Whether these texts are all the files there are: none is read from a disk, or written to one, whatever the request names.
    pub only_texts: bool,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("trials", &self.trials).finish_non_exhaustive()
    }
}

/// What a command found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its document, of commands that make one.
    pub report: Option<Report>,
    /// Its table, of commands that list what there is.
    pub list: Option<Dataset>,
    /// What it printed, of those that make no document.
    pub text: String,
    /// What it said besides: warnings, what was written, how long it took.
    pub notes: Vec<String>,
    /// The files that it has read, by their paths, but for the tables that it was given.
    pub texts: BTreeMap<String, String>,
    /// If it was cut short, the message that says so: what is here is complete for the trials that were played.
    pub interrupted: Option<String>,
}

/// Why nothing was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The words, or the texts that they name, are wrong.
    Input {
        /// What to change.
        message: String,
        /// The mistakes in texts that it tells of, and those that it leaves out as there are many.
        mistakes: Vec<Mistake>,
    },
    /// It was ended before there was anything to say.
    Interrupted(String),
    /// Anything else.
    Other(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Input { message, .. } | Self::Interrupted(message) | Self::Other(message)) = self;
        f.write_str(message)
    }
}

impl Refusal {
    /// The mistakes in texts, in their order; none where something else is wrong.
    #[must_use]
    pub fn mistakes(&self) -> &[Mistake] {
        match self {
            Self::Input { mistakes, .. } => mistakes,
            _ => &[],
        }
    }
}

impl std::error::Error for Refusal {}

/// Does what is asked for. Any number of calls may go on at once: each has threads of its own.
///
/// # Errors
///
/// Everything for which the program would end with an exit code other than 0, in its words, but for results that were cut
/// short.
pub fn ask(request: Request, call: Call) -> Result<Found, Refusal> {
    let words = request.command_line().into_iter().map(Into::into).collect();
    ended(words, call, |_| Ok(request))
}

/// The same for a command line, without the program's name: `simulate`, `pig`, …
///
/// # Errors
///
/// Those of [`ask`], and words that make no request.
pub fn ask_words(mut words: Vec<OsString>, call: Call) -> Result<Found, Refusal> {
    words.insert(0, "stopwise".into());
    ended(words, call, |session| Ok(typed(session, &crate::command())?.request))
}

/// Does what is asked for, and says how it ended.
fn ended(
    words: Vec<OsString>,
    call: Call,
    request: impl FnOnce(&Session) -> Result<Request, Instead>,
) -> Result<Found, Refusal> {
    let Call { texts, tables, policies, progress, trials, stop, only_texts } = call;
    let session =
        Session::library(words, stop, texts, policies, progress).reading(only_texts).with_tables(tables);
    let mut done = match request(&session) {
        Ok(mut request) => is_whole(&mut request, session.first_policy())
            .and_then(|()| if only_texts { within_texts(&mut request) } else { Ok(()) })
            .and_then(|()| handed(&mut request, trials))
            .and_then(|handed| obey(&session, request, &handed, crate::command())),
        Err(Instead::Answer(text)) => crate::output::put(&session, &text),
        Err(Instead::Refusal(text)) => Err(Failure::Usage(text)),
    };
    let Said { report, list, text, mut notes } = session.take_said();
    if let Err(Failure::Input(message) | Failure::Text(message, _)) = &mut done {
        // Of several files each has been told what is wrong with it.
        let told = notes.extract_if(.., |note| note.starts_with("error: "));
        *message = told.chain([std::mem::take(message)]).collect::<Vec<_>>().join("\n");
    }
    let is_found = report.is_some() || !text.is_empty();
    let found = Found { report, list, text, notes, texts: session.texts_read(), interrupted: None };
    match done {
        Ok(()) | Err(Failure::BrokenPipe | Failure::Over) => Ok(found),
        Err(Failure::Interrupted(message)) if is_found => Ok(Found { interrupted: Some(message), ..found }),
        Err(Failure::Interrupted(message)) => Err(Refusal::Interrupted(message)),
        Err(Failure::Enough(line)) => Ok(Found { text: line, ..found }),
        Err(Failure::Other(message)) => Err(Refusal::Other(message)),
        Err(failure) => Err(refused(failure)),
    }
}

/// Refuses what would read or write files besides texts that are known.
fn within_texts(request: &mut Request) -> Result<(), Failure> {
    let what = match request {
        Request::Merge(_) => "`merge` reads parts",
        Request::Games { text: Some(GamesCommand::New { .. }), .. } => "`games new` writes a file",
        Request::Games { text: Some(GamesCommand::Fmt { .. }), .. } => "`games fmt` writes a file",
        Request::Simulate(Simulate { trials_out: Some(_), .. }) => "--trials-out writes a file",
        Request::Solve(Solve { out: Some(_), .. }) | Request::Play(Play { out: Some(_), .. }) => {
            "--out writes files"
        }
        other => match other.common_mut() {
            Some(common) if common.out.is_some() => "--out writes files",
            _ => return Ok(()),
        },
    };
    Err(Failure::Input(format!("{what}, and here are no files but the texts that were given")))
}

/// Whether a command plays all of its trials at once, as it has to if one of its policies is no text.
fn is_whole(request: &mut Request, function: Option<&str>) -> Result<(), Failure> {
    let (Some(function), Some(common)) = (function, request.common_mut()) else { return Ok(()) };
    match (common.shard.is_some(), common.resume) {
        (false, false) => Ok(()),
        (is_part, _) => Err(Failure::Input(format!(
            "--{}: `{function}` is a function, and results of one function cannot be told from those of another; play it in one \
             piece, or write it as a text",
            if is_part { "shard" } else { "resume" }
        ))),
    }
}

/// A game at which one seat, or each, is asked by a caller.
#[derive(Clone, Debug)]
pub struct Seated {
    /// What the rules are called.
    pub name: String,
    /// The rules.
    pub rules: Arc<dyn AnyRules>,
    /// The metric that is played for, by its index.
    pub metric: usize,
    /// The seat that is asked, from 0, if others play against it.
    pub seat: usize,
    /// The policies of the other seats, by the order of the seats; empty where each is asked.
    pub policies: Vec<Option<AnyPolicy>>,
}

/// The game that words name: `game` with its rules, a `metric`, the first if none is named, and the policies `against` the seat of
/// this number, from 1, as `play` takes them; without any every seat is asked. Of the call its files are used.
///
/// # Errors
///
/// What is wrong with them, in the program's words.
pub fn seated(
    game: GameArgs,
    metric: Option<&str>,
    (seat, against): (usize, &[String]),
    call: Call,
) -> Result<Seated, Refusal> {
    let Call { texts, tables, only_texts, .. } = call;
    let session = Session::library(Vec::new(), StopToken::default(), texts, BTreeMap::new(), None)
        .reading(only_texts)
        .with_tables(tables);
    let read = || {
        let NamedRules { name, rules } = setup::rules(&session, &game)?;
        let metric = setup::metric(&*rules, metric)?;
        let (seat, words) = setup::against(&*rules, seat, against)?;
        let policy = |at: usize| {
            let word = words.get(at).or(words.first()).filter(|_| at != seat);
            word.map(|word| {
                PolicySpec::parse(&session, word, Some(rules.entry()))?.compile(&session, &*rules)
            })
            .transpose()
        };
        let seats = if words.is_empty() { 0 } else { rules.seats() };
        let policies = (0..seats).map(policy).collect::<Result<_, Failure>>()?;
        Ok(Seated { name, rules, metric, seat, policies })
    };
    read().map_err(refused)
}

/// Why the input is refused.
fn refused(failure: Failure) -> Refusal {
    match failure.of_input() {
        Ok((message, mistakes)) => Refusal::Input { message, mistakes },
        Err(_) => Refusal::Other("the game cannot be read".into()),
    }
}

/// Who plays, and what is known.
fn handed(request: &mut Request, trials: Trials) -> Result<Handed, Failure> {
    let known = match &trials {
        Trials::Here => return Ok(Handed::default()),
        Trials::Only { known, .. } => known.lines(),
        Trials::Elsewhere(_) | Trials::Nowhere => "".lines(),
    };
    let records: Option<Vec<_>> = known.map(Record::of).collect();
    let records = records.ok_or_else(|| Failure::Input("what is known of the trials is damaged".into()))?;
    match request.common_mut() {
        Some(_) => Ok(Handed { records, rest: trials, rows: None }),
        None => Err(Failure::Input("this command plays no trials".into())),
    }
}

/// Several parts of a run, as `--shard` leaves them, as one: a larger part, or all of it.
///
/// # Errors
///
/// If they are of different runs, or have trials in common, or one is damaged.
pub fn merge_shards(shards: &[impl AsRef<str>]) -> Result<String, Refusal> {
    let of = |(shard, number): (&_, usize)| {
        let shard = Shard::of(AsRef::as_ref(shard)).map_err(|why| format!("shard {number}: {why}"))?;
        Ok((format!("shard {number}"), shard))
    };
    let shards: Result<Vec<_>, String> = shards.iter().zip(1..).map(of).collect();
    let whole = shards.and_then(|shards| merged(&shards));
    let refused = |message| Refusal::Input { message, mistakes: Vec::new() };
    whole.map(|whole| whole.text()).map_err(refused)
}

/// The version of the program, and a digest of what it plays: parts of a run merge if they are by the same.
#[must_use]
pub fn version() -> String {
    format!("{} {}", env!("CARGO_PKG_VERSION"), build())
}

/// Does what these words say, as the program does, on stdout and stderr and with signals; the exit code. The first is the
/// program's name. For a process that is about to end with it.
pub fn run_words(words: Vec<OsString>) -> u8 {
    crate::run_program(&Session::program(words))
}

/// A document as the program prints it with `--format json`.
///
/// # Errors
///
/// Those of the writer, which memory has none of.
pub fn json(report: &Report) -> Result<String, Refusal> {
    publish::as_json(report).map_err(|_| Refusal::Other("the document cannot be written as JSON".into()))
}

/// A table as its file has it.
///
/// # Errors
///
/// Those of the writer, which memory has none of.
pub fn csv(table: &Dataset) -> Result<String, Refusal> {
    let bytes = document::csv::csv(table).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    bytes.ok_or_else(|| Refusal::Other("the table cannot be written as CSV".into()))
}

/// A document as a page that needs no other file, as the program prints it with `--format html`.
#[must_use]
pub fn page(report: &Report) -> String {
    document::html::page_alone(report)
}

/// The same with `--format markdown`.
#[must_use]
pub fn markdown(report: &Report) -> String {
    document::markdown::markdown(report)
}

/// As a terminal of so many columns shows it, without colours, and all of it.
#[must_use]
pub fn text(report: &Report, width: usize) -> String {
    document::text::text(report, Style { width, is_coloured: false })
}

/// Its first picture as the program prints it with `--format svg`, if it has one.
#[must_use]
pub fn picture(report: &Report) -> Option<String> {
    publish::first_picture(report)
}
