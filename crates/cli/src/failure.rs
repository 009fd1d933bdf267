//! Why a command ends early, and with which exit code.

use std::fmt::Display;
use std::io;

use stopwise_policy::TextError;

use crate::mistake::Mistake;

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is wrong; the message says what to change. Exit code 2.
    Input(String),
    /// Texts are wrong: the message, with their mistakes. Exit code 2.
    Text(String, Vec<Mistake>),
    /// The command line does not parse: the message of clap, with its colours. Exit code 2.
    Usage(String),
    /// Anything else. Exit code 1.
    Other(String),
    /// Ended by a signal; what was complete is written. Exit code 128 and the signal's number: 130 for Ctrl-C.
    Interrupted(String),
    /// All that was wanted of the command is there, as a line: see [`Trials::Only`](crate::checkpoint::Trials::Only).
    Enough(String),
    /// The run is over already, which was said. Not an error.
    Over,
    /// Whoever read the output has gone. Not an error.
    BrokenPipe,
}

impl Failure {
    pub(crate) fn input(message: impl Display) -> Self {
        Self::Input(message.to_string())
    }

    /// An error if a policy that is no text, or the rules, have failed with this message.
    pub(crate) fn of_policy(message: Option<String>) -> Result<(), Self> {
        message.map_or(Ok(()), |message| Err(Self::Input(message)))
    }

    /// What is wrong with the input: a message, and mistakes in texts.
    ///
    /// # Errors
    ///
    /// The failure, if it is not of the input.
    pub(crate) fn of_input(self) -> Result<(String, Vec<Mistake>), Self> {
        match self {
            Self::Input(message) | Self::Usage(message) => Ok((message, Vec::new())),
            Self::Text(message, mistakes) => Ok((message, mistakes)),
            other => Err(other),
        }
    }

    pub(crate) fn other(message: impl Display) -> Self {
        Self::Other(message.to_string())
    }
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Self {
        Self::Text(error.to_string(), Mistake::all(&error))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::BrokenPipe } else { Self::other(error) }
    }
}

impl From<csv::Error> for Failure {
    fn from(error: csv::Error) -> Self {
        Self::other(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::other(error)
    }
}
