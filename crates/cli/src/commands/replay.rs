//! `replay`: trials, as a person at the table would tell them.
//!
//! A trial may be long, and there may be many: they are printed while they are played, and what has been printed is
//! forgotten.

use std::ops::ControlFlow;

use serde_json::{Value, json};
use stopwise_document::text::minus;
use stopwise_engine::rotation::rotation_of;
use stopwise_engine::stream::SCHEME;
use stopwise_engine::vocabulary::in_units;
use stopwise_erased::{AnyPolicy, AnyRules, NamedRules};
use stopwise_narration::{InWords, Listener, Outcome, Passage, grouped};
use stopwise_reports::document::{document, within};
use stopwise_reports::one_label;

use crate::args::Replay;
use crate::failure::Failure;
use crate::numbers::Span;
use crate::output::{Stream, note};
use crate::session::Session;
use crate::setup::{metric, rules, told_lineups};
use crate::signals;

/// What is said if a signal ends it.
const INTERRUPTED: &str = "interrupted: the trial is not told to its end";
/// The same of several trials, while nobody reads: the trial is not known there.
const LAST_INTERRUPTED: &str =
    "interrupted: the last trial is not told to its end, and those after it are not told";

/// The trials that are looked at for --most and --least, if nothing else is said.
const SOUGHT: u64 = 1_000;

pub(crate) fn replay(session: &Session, args: &Replay) -> Result<(), Failure> {
    let NamedRules { name, rules } = rules(session, &args.game)?;
    let lineups = told_lineups(session, &*rules, &args.policy)?;
    let one = |trial| Span { range: trial..=trial, is_one: true };
    let (wanted, given) = (extreme(args), args.trial.clone().unwrap_or(one(0)));
    let is_one = wanted.is_some() || given.is_one;
    signals::catch_for(session, if is_one { INTERRUPTED } else { LAST_INTERRUPTED })?;
    let (trials, found) = match wanted {
        None => (given, String::new()),
        Some(wanted) => {
            let (trial, said) = sought(session, args, &*rules, &lineups, wanted)?;
            (one(trial), said)
        }
    };
    let notes: Vec<_> = Some(found).filter(|found| !found.is_empty()).into_iter().collect();
    let teller =
        Teller { args, notes: &notes, trials: &trials, name: &name, rules: &*rules, lineups: &lineups };
    let mut told = Told::new(session);
    notes.iter().for_each(|found| note(session, found));
    for trial in trials.range.clone() {
        if args.json {
            teller.document(trial, &mut told);
        } else {
            teller.text(trial, &mut told);
        }
        if told.done.is_err() {
            break;
        }
    }
    told.finish()
}

/// The metric of which the most or the least is wanted, and whether the most.
fn extreme(args: &Replay) -> Option<(&str, bool)> {
    let most = args.most.as_deref().map(|metric| (metric, true));
    most.or(args.least.as_deref().map(|metric| (metric, false)))
}

/// The trial with the most or the least of a metric, the first of several, and that it is it.
fn sought(
    session: &Session,
    args: &Replay,
    rules: &dyn AnyRules,
    lineups: &[Vec<AnyPolicy>],
    (wanted, is_most): (&str, bool),
) -> Result<(u64, String), Failure> {
    let option = if is_most { "--most" } else { "--least" };
    let trials = args.trial.clone().map_or(0..=SOUGHT - 1, |trials| trials.range);
    let seat = args.seat.checked_sub(1).filter(|seat| *seat < rules.seats());
    let seat = seat.ok_or_else(|| {
        Failure::Input(format!("--seat {}: the seats are 1 to {}", args.seat, rules.seats()))
    })?;
    let number = metric(rules, Some(wanted))?;
    let mut best: Option<(u32, u64)> = None;
    for trial in trials.clone() {
        if session.is_ending() {
            return Err(Failure::Interrupted(INTERRUPTED.into()));
        }
        let lineup = &lineups[rotation_of(trial, lineups.len())];
        let values = rules.begun(seat, lineup, (number, args.seed), trial..trial + 1);
        let value = *values.map_err(Failure::Other)?.first().unwrap_or(&0);
        if best.is_none_or(|(other, _)| if is_most { value > other } else { value < other }) {
            best = Some((value, trial));
        }
    }
    let (value, trial) = best.ok_or_else(|| Failure::Input(format!("{option}: there is no trial")))?;
    let metric = &rules.metrics()[number];
    let whose = if rules.seats() > 1 { format!(" of seat {}", seat + 1) } else { String::new() };
    let (extent, first, last) =
        (if is_most { "most" } else { "least" }, grouped(*trials.start()), grouped(*trials.end()));
    Ok((
        trial,
        format!(
            "of trials {first} to {last} of seed {}, trial {} has the {extent} {}{whose}: {}",
            args.seed,
            grouped(trial),
            metric.name,
            match metric.is_share() {
                true => format!("{} of a win", metric.read(value)),
                false => in_units(&value.to_string(), metric.unit),
            }
        ),
    ))
}

/// What all trials have in common.
struct Teller<'t> {
    args: &'t Replay,
    /// What stands beside the trial.
    notes: &'t [String],
    trials: &'t Span,
    name: &'t str,
    rules: &'t dyn AnyRules,
    lineups: &'t [Vec<AnyPolicy>],
}

impl Teller<'_> {
    /// The line-up of a trial.
    fn lineup(&self, trial: u64) -> &[AnyPolicy] {
        &self.lineups[rotation_of(trial, self.lineups.len())]
    }

    fn tell(&self, trial: u64, told: &mut Told<'_>) -> Option<Outcome> {
        let mut passage = Passage::whole(self.args.seed, trial);
        if let Some(turns) = &self.args.turn {
            passage.turns = turns.clone();
        }
        told.trial = (!self.trials.is_one).then_some(trial);
        self.rules.replay(self.lineup(trial), &passage, told)
    }

    fn text(&self, trial: u64, told: &mut Told<'_>) {
        let rotated = if self.args.policy.rotate { ", rotated" } else { "" };
        let labels: Vec<_> = self.lineup(trial).iter().map(AnyPolicy::label).collect();
        let gap = if trial == *self.trials.range.start() { "" } else { "\n\n" };
        told.form = Output::Text;
        told.tell(&format!(
            "{gap}{} · rules {} · {}{rotated} · trial {} of seed {}\n",
            self.rules.game(),
            self.name,
            labels.join(" / "),
            grouped(trial),
            self.args.seed
        ));
        self.tell(trial, told);
    }

    /// A trial as a document; one of several on one line.
    fn document(&self, trial: u64, told: &mut Told<'_>) {
        // How it ends stands before the steps: it is played once to know that, and once more to be told.
        told.form = Output::Nothing;
        let Some(Outcome { ending, seats, .. }) = self.tell(trial, told) else { return };
        let labels: Vec<_> = self.lineup(trial).iter().map(AnyPolicy::label).collect();
        let mut value = json!({
            "command": "replay", "game": self.rules.game(), "rules": self.name, "policy": one_label(&labels),
            "policies": labels, "seed": self.args.seed, "stream_scheme": SCHEME, "trial": trial, "steps": [],
            "ending": ending, "seats": seats,
            "notes": self.notes,
        });
        if self.args.policy.rotate {
            value["rotation"] = rotation_of(trial, self.lineups.len()).into();
        }
        let layout = if self.trials.is_one { Layout::Pretty } else { Layout::Line };
        let whole = document(value).map(|text| layout.of(&text));
        let split = whole.as_ref().ok().and_then(|text| text.split_once(NO_STEPS));
        let Some((before, after)) = split else {
            told.done = Err(whole.err().map_or_else(|| Failure::other("no steps"), Failure::from));
            return;
        };
        told.print(before);
        told.print(NO_STEPS.trim_end_matches(']'));
        told.form = Output::Json { steps: 0, layout };
        self.tell(trial, told);
        told.print(match (told.form, layout) {
            (Output::Json { steps: 0, .. }, _) | (_, Layout::Line) => "]",
            _ => "\n  ]",
        });
        told.print(after);
    }
}

/// Where the steps go in a document without any; within a text of JSON no quotation mark stands alone.
const NO_STEPS: &str = "\"steps\": []";

/// How a document is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// To be read: a line a value.
    Pretty,
    /// All on one line.
    Line,
}

impl Layout {
    /// A document, with its last line break, laid out so. Line breaks within its texts are escaped.
    fn of(self, text: &str) -> String {
        match self {
            Self::Pretty => text.to_owned(),
            Self::Line => text.lines().map(str::trim_start).collect::<String>() + "\n",
        }
    }
}

/// As what a trial is told.
#[derive(Clone, Copy, Debug)]
enum Output {
    Nothing,
    Text,
    /// So many steps so far.
    Json {
        steps: u64,
        layout: Layout,
    },
}

/// Prints what it is told, until it cannot.
struct Told<'s> {
    session: &'s Session,
    form: Output,
    /// Which of several trials is told.
    trial: Option<u64>,
    stream: Stream<'s>,
    done: Result<(), Failure>,
}

impl<'s> Told<'s> {
    fn new(session: &'s Session) -> Self {
        Self { session, form: Output::Nothing, trial: None, stream: Stream::new(session), done: Ok(()) }
    }

    fn tell(&mut self, text: &str) {
        if self.done.is_ok() {
            self.done = self.stream.tell(text);
        }
    }

    fn print(&mut self, text: &str) {
        if self.done.is_ok() {
            self.done = self.stream.print(text);
        }
    }

    /// Whether to go on.
    fn flow(&mut self) -> ControlFlow<()> {
        if self.done.is_ok() && self.session.is_ending() {
            let message = match self.trial {
                None => INTERRUPTED.into(),
                Some(trial) => format!(
                    "interrupted: trial {} is not told to its end, and those after it are not told",
                    grouped(trial)
                ),
            };
            self.done = Err(Failure::Interrupted(message));
        }
        if self.done.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn finish(self) -> Result<(), Failure> {
        match self.done {
            Ok(()) => self.stream.finish(),
            Err(Failure::Interrupted(message)) => {
                // A reader that has gone must not hide that it was cut short.
                self.stream.finish().ok();
                Err(Failure::Interrupted(message))
            }
            failed => failed,
        }
    }
}

impl Listener for Told<'_> {
    fn wants_more(&self) -> bool {
        !matches!(self.form, Output::Nothing)
    }

    fn text(&mut self, text: &str) -> ControlFlow<()> {
        if matches!(self.form, Output::Text) {
            self.tell(&minus(text));
        }
        self.flow()
    }

    fn step(&mut self, step: Value) -> ControlFlow<()> {
        if let Output::Json { steps, layout } = &mut self.form {
            let comma = if *steps > 0 { "," } else { "" };
            *steps += 1;
            let piece = match layout {
                Layout::Pretty => within(step, 4).map(|text| format!("{comma}\n    {text}")),
                Layout::Line => {
                    within(step, 0).map(|text| format!("{comma}{}", Layout::Line.of(&text).trim_end()))
                }
            };
            match piece {
                Ok(text) => self.print(&text),
                Err(error) => self.done = Err(error.into()),
            }
        }
        self.flow()
    }
}
