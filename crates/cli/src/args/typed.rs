//! From the words of the command line to options, or to what is to be said instead.

use std::ffi::OsString;
use std::io;

use clap::Parser as _;
use stopwise_policy::{is_unseen, visible_word};

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

/// The options of a command line.
pub(crate) fn typed(words: &[OsString]) -> Result<Cli, Instead> {
    let cli = Cli::try_parse_from(words);
    cli.map_err(|error| said(harmless(error, words)))
}

/// The same refusal of words that a terminal can show: clap quotes them.
fn harmless(error: clap::Error, words: &[OsString]) -> clap::Error {
    if !words.iter().any(|word| word.to_string_lossy().contains(is_unseen)) {
        return error;
    }
    let shown = words.iter().map(|word| visible_word(&word.to_string_lossy()).into_owned());
    match Cli::try_parse_from(shown) {
        Err(same) if same.kind() == error.kind() => same,
        _ => Cli::try_parse_from(["stopwise"]).err().unwrap_or(error),
    }
}

fn said(error: clap::Error) -> Instead {
    let text = error.render();
    match error.use_stderr() {
        true => Instead::Refusal(Colour::of(&io::stderr()).styled(&text)),
        false => Instead::Answer(Colour::of_stdout().styled(&text)),
    }
}
