//! Parses the command line into options, or into the help or error message to print.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, FromArgMatches as _};
use stopwise_policy::{is_unseen, visible, visible_word};

use crate::args::Cli;
use crate::names::meant;
use crate::output::Colour;
use crate::session::Session;
use crate::setup;

/// What clap says in place of options.
#[derive(Debug)]
pub(crate) enum Instead {
    /// The help or the version that was asked for, for stdout.
    Answer(String),
    /// What is wrong, for stderr; exit code 2.
    Refusal(String),
}

/// The options of the command line of a call. `command` is that of [`Cli`], with all of its help.
pub(crate) fn typed(session: &Session, command: &Command) -> Result<Cli, Instead> {
    let words = session.words();
    parsed(command, words).map_err(|error| said(hinted(session, harmless(command, error, words))))
}

/// The words that are no Unicode, where Unicode is needed: clap names none of them.
fn unreadable(words: &[OsString]) -> Option<clap::Error> {
    let strange = words.iter().filter(|word| word.to_str().is_none());
    let strange: Vec<_> =
        strange.map(|word| format!("`{}`", visible_word(&word.to_string_lossy()))).collect();
    let message = format!(
        "{}: this is not Unicode, and only what is can be named in reports; if it is a file, rename it\n",
        strange.join(", ")
    );
    (!strange.is_empty()).then(|| clap::Error::raw(ErrorKind::InvalidUtf8, message))
}

/// With what to write in place of what is no option of the command.
fn hinted(session: &Session, error: clap::Error) -> clap::Error {
    let words = session.words();
    match error.kind() {
        ErrorKind::InvalidUtf8 => unreadable(words).unwrap_or(error),
        ErrorKind::ArgumentConflict => with_tip(error, words, |name, command| {
            match (name, command) {
            ("--rules <PRESET|FILE>", "rank" | "simulate" | "solve") => Some(
                "`stopwise compare GAME --rules A --rules B -p POLICY` lays two games over each other, and `stopwise balance \
                 GAME --rules A --rules B -p POLICY` says what differs"
                    .into(),
            ),
            ("--rules <PRESET|FILE>", "sweep") => Some("write --vary-rule preset=A,B".into()),
            _ => None,
        }
        }),
        ErrorKind::UnknownArgument => {
            meant_format(many_rules(meant_policy(meant_option(session, error), words), words), words)
        }
        ErrorKind::MissingRequiredArgument => of_rows(error, words),
        _ => error,
    }
}

/// The error with a tip on the argument that it is about.
fn with_tip(
    mut error: clap::Error,
    words: &[OsString],
    tip: impl Fn(&str, &str) -> Option<String>,
) -> clap::Error {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return error };
    let command = words.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    if let Some(tip) = tip(argument, command) {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// With the command that plays under many rules, where one does that plays under some.
fn many_rules(error: clap::Error, words: &[OsString]) -> clap::Error {
    with_tip(error, words, |name, command| {
        match (name, command) {
        ("--vary-rule", "rank") => Some(
            "rank is for one set of rules: `stopwise balance GAME -p A -p B --vary-rule KEY=LIST` says which policy is best under each \
             of many, and `stopwise sweep GAME -p A -p B --rotate --vary-rule KEY=LIST` what one wins against the other"
                .into(),
        ),
        ("--vary-rule", "simulate" | "compare") => Some(
            "`stopwise sweep GAME -p POLICY --vary-rule KEY=LIST` plays under many rules, and `stopwise balance` says what they do".into(),
        ),
        _ => None,
    }
    })
}

/// With what to write for JSON: `replay` has an option of its own for it.
fn meant_format(error: clap::Error, words: &[OsString]) -> clap::Error {
    with_tip(error, words, |name, command| match (name, command) {
        ("--format", "replay") => Some("for machines write --json; the text is for people".into()),
        ("--json", _) if has_format(words) => Some("write --format json".into()),
        _ => None,
    })
}

/// Whether the command that these words ask for has --format.
fn has_format(words: &[OsString]) -> bool {
    let whole = crate::command();
    let command = words.iter().skip(1).fold(&whole, |command, word| {
        word.to_str().and_then(|word| command.find_subcommand(word)).unwrap_or(command)
    });
    command.get_arguments().any(|argument| argument.get_id() == "format")
}

/// With what --force is about where only --trials-out writes a file.
fn of_rows(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let has =
        |wanted: &str| words.iter().any(|word| word.to_string_lossy().split('=').next() == Some(wanted));
    if has("--trials-out") && has("--force") {
        let tip = "--force is about the directory of --out; a file of --trials-out replaces an earlier one without it, and no other \
                   file at all: leave --force out";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// With what to write where an option of the rules, or a parameter of a policy, was taken for an option of the command.
fn meant_option(session: &Session, mut error: clap::Error) -> clap::Error {
    let words = session.words();
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return error };
    let argument = argument.clone();
    // No command takes a value that begins with a hyphen in place of an option.
    if argument.starts_with('-') {
        error.remove(ContextKind::Suggested);
    }
    let typed: Vec<_> = words.iter().filter_map(|word| word.to_str()).collect();
    let at = typed.iter().position(|word| word.split('=').next() == Some(&*argument));
    let Some((at, name)) = at.zip(argument.strip_prefix("--")) else { return error };
    let value = match typed[at].split_once('=') {
        Some((_, value)) => Some(value),
        None => typed.get(at + 1).copied().filter(|next| !next.starts_with('-')),
    };
    let value = value.unwrap_or("…");
    let name = name.replace('-', "_");
    let tip = |_: &str, _: &str| {
        let policies =
            typed.windows(2).filter(|pair| ["-p", "--policy"].contains(&pair[0])).map(|pair| pair[1]);
        let game = typed.iter().skip(1).find_map(|word| setup::game(session, meant(word)).ok())?;
        setup::parameter_of(session, game, policies, &name)
            .map(|policy| format!("a parameter follows its policy: -p {policy}:{name}={value}"))
            .or_else(|| {
                Some(format!(
                    "an option of the rules is changed by --set {}={value}",
                    setup::option_of(game, &name)?
                ))
            })
    };
    with_tip(error, words, tip)
}

/// With what to write where a policy stands among the words without its option.
fn meant_policy(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let known = |word: &&str| {
        let name = word.split(':').next().unwrap_or(word);
        name.ends_with(".toml") || setup::is_policy(name)
    };
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return error };
    let plays = ["simulate", "compare", "rank", "sweep", "balance", "solve", "advise", "replay"];
    let has_policies = words.get(1).and_then(|word| word.to_str()).is_some_and(|word| plays.contains(&word));
    if has_policies && known(&word.as_str()) {
        let tip = format!(
            "a policy follows its option: -p {word}; a directory stands for all policy files in it: -p DIR"
        );
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

fn parsed<W: Clone + Into<OsString>>(command: &Command, words: &[W]) -> Result<Cli, clap::Error> {
    let mut command = command.clone();
    let found = command.try_get_matches_from_mut(words.iter().cloned())?;
    Cli::from_arg_matches(&found).map_err(|error| error.format(&mut command))
}

/// The same refusal of words that a terminal can show: clap quotes them.
fn harmless(command: &Command, error: clap::Error, words: &[OsString]) -> clap::Error {
    if !words.iter().any(|word| word.to_string_lossy().contains(is_unseen)) {
        return error;
    }
    let shown: Vec<_> = words.iter().map(|word| visible_word(&word.to_string_lossy()).into_owned()).collect();
    match parsed(command, &shown) {
        Err(same) if same.kind() == error.kind() => same,
        // Words that are not Unicode are refused as such only as they were typed.
        _ => {
            let text = error.render().to_string();
            clap::Error::raw(error.kind(), visible(text.strip_prefix("error: ").unwrap_or(&text)))
        }
    }
}

fn said(error: clap::Error) -> Instead {
    let text = error.render();
    match error.use_stderr() {
        true => Instead::Refusal(Colour::styled_message(&text)),
        false => Instead::Answer(Colour::of_stdout().styled(&text)),
    }
}
