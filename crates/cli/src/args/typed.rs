//! From the words of the command line to options, or to what is to be said instead.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, FromArgMatches as _};
use stopwise_policy::{is_unseen, shipped, visible, visible_word};

use super::Cli;
use crate::output::Colour;

/// What clap says in place of options.
#[derive(Debug)]
pub(crate) enum Instead {
    /// The help or the version that was asked for, for stdout.
    Answer(String),
    /// What is wrong, for stderr; exit code 2.
    Refusal(String),
}

/// The options of a command line. `command` is that of [`Cli`], with all of its help.
pub(crate) fn typed(command: &Command, words: &[OsString]) -> Result<Cli, Instead> {
    parsed(command, words).map_err(|error| said(hinted(harmless(command, error, words), words)))
}

/// With what to write where a policy stands among the words without its option.
fn hinted(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let known = |word: &&str| {
        let name = word.split(':').next().unwrap_or(word);
        name.ends_with(".toml") || shipped::POLICIES.iter().any(|policy| policy.name == name)
    };
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return error };
    let plays = ["simulate", "compare", "rank", "sweep", "balance", "solve", "replay"];
    let has_policies = words.get(1).and_then(|word| word.to_str()).is_some_and(|word| plays.contains(&word));
    if error.kind() == ErrorKind::UnknownArgument && has_policies && known(&word.as_str()) {
        let tip = format!("a policy follows its option: -p {word}");
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
