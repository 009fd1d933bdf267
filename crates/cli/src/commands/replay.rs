//! `replay`: one trial, as a person at the table would tell it.
//!
//! A trial may be long: it is printed while it is played, and what has been printed is forgotten.

use std::ops::ControlFlow;

use serde_json::{Value, json};
use stopwise_edge::{AnyPolicy, Listener, NamedRules, Outcome};
use stopwise_engine::rotation::rotation_of;

use crate::args::Replay;
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::output::Stream;
use crate::report::document::{document, within};
use crate::setup::{lineups, rules};
use crate::signals::{self, is_ending};

/// What is said if a signal ends it.
const INTERRUPTED: &str = "interrupted: the trial is not told to its end";

pub(crate) fn replay(args: &Replay) -> Result<(), Failure> {
    let NamedRules { name, rules } = rules(&args.game)?;
    let lineups = lineups(&*rules, &args.policy)?;
    let rotation = rotation_of(args.trial, lineups.len());
    let labels: Vec<_> = lineups[rotation].iter().map(AnyPolicy::label).collect();
    signals::catch_for(INTERRUPTED)?;
    let tell =
        |listener: &mut dyn Listener| rules.replay(&lineups[rotation], args.seed, args.trial, listener);
    if !args.json {
        let rotated = if args.policy.rotate { ", rotated" } else { "" };
        let head = format!(
            "{} · rules {name} · {}{rotated} · trial {} of seed {}\n",
            rules.game(),
            labels.join(" / "),
            grouped(args.trial),
            args.seed
        );
        let mut told = Told::new(Form::Text);
        told.print(&head);
        tell(&mut told);
        return told.finish();
    }
    // How it ends stands before the steps: it is played once to know that, and once more to be told.
    let mut silent = Told::new(Form::Nothing);
    let Some(Outcome { ending, seats }) = tell(&mut silent) else { return silent.finish() };
    let mut value = json!({
        "game": rules.game(), "rules": name, "policies": labels, "seed": args.seed, "trial": args.trial,
        "steps": [], "ending": ending, "seats": seats,
    });
    if args.policy.rotate {
        value["rotation"] = rotation.into();
    }
    let whole = document(value)?;
    let Some((before, after)) = whole.split_once(NO_STEPS) else { return Err(Failure::other("no steps")) };
    let mut told = Told::new(Form::Json { steps: 0 });
    told.print(before);
    told.print(NO_STEPS.trim_end_matches(']'));
    tell(&mut told);
    told.print(if matches!(told.form, Form::Json { steps: 0 }) { "]" } else { "\n  ]" });
    told.print(after);
    told.finish()
}

/// Where the steps go in a document without any; within a text of JSON no quotation mark stands alone.
const NO_STEPS: &str = "\n  \"steps\": []";

/// As what a trial is told.
#[derive(Clone, Copy, Debug)]
enum Form {
    Nothing,
    Text,
    /// So many steps so far.
    Json {
        steps: u64,
    },
}

/// Prints what it is told, until it cannot.
struct Told {
    form: Form,
    stream: Stream,
    done: Result<(), Failure>,
}

impl Told {
    fn new(form: Form) -> Self {
        Self { form, stream: Stream::new(), done: Ok(()) }
    }

    fn print(&mut self, text: &str) {
        if self.done.is_ok() {
            self.done = self.stream.print(text);
        }
    }

    /// Whether to go on.
    fn flow(&mut self) -> ControlFlow<()> {
        if self.done.is_ok() && is_ending() {
            self.done = Err(Failure::Interrupted(INTERRUPTED.into()));
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

impl Listener for Told {
    fn wants_more(&self) -> bool {
        !matches!(self.form, Form::Nothing)
    }

    fn text(&mut self, text: &str) -> ControlFlow<()> {
        if matches!(self.form, Form::Text) {
            self.print(text);
        }
        self.flow()
    }

    fn step(&mut self, step: Value) -> ControlFlow<()> {
        if let Form::Json { steps } = &mut self.form {
            let comma = if *steps > 0 { "," } else { "" };
            *steps += 1;
            match within(step, 4) {
                Ok(text) => self.print(&format!("{comma}\n    {text}")),
                Err(failure) => self.done = Err(failure),
            }
        }
        self.flow()
    }
}
