//! Texts from files.

use std::sync::Arc;

use crate::problem::{Problem, TextError, in_order};

/// A text, and its origin: a policy, rules, targets, or a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The file's path, or another name for errors to show.
    pub file: String,
    /// The contents.
    pub text: String,
    /// The bytes of the file that it names beside itself, if it does: a table of values.
    pub beside: Option<Arc<[u8]>>,
}

impl Text {
    /// The longest text, in bytes. A reader of files need not read more than one byte beyond it.
    pub const LONGEST: usize = 64 * 1024;

    /// A text from memory.
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        Self { file: file.into(), text: text.into(), beside: None }
    }

    /// A text from the bytes of a file.
    ///
    /// # Errors
    ///
    /// If it is longer than 64 KiB, or neither UTF-8 nor UTF-16 with a byte order mark.
    pub fn from_bytes(file: impl Into<String>, bytes: Vec<u8>) -> Result<Self, TextError> {
        let file = file.into();
        if bytes.len() > Self::LONGEST {
            let problem = Problem::new(
                0..0,
                format!("the file is longer than {} bytes, the most that is read", Self::LONGEST),
            )
            .help("a policy, rules, targets or a game are a page of text; is this the right file?");
            return Err(TextError { file, text: String::new(), problems: vec![problem] });
        }
        if let Some(units) = utf_16(&bytes) {
            return match String::from_utf16(&units) {
                Ok(text) if bytes.len().is_multiple_of(2) => Ok(Self::new(file, text)),
                _ => {
                    let problem = Problem::new(0..0, "the file begins as UTF-16 and is no such text")
                        .help("write the file with a text editor, as UTF-8");
                    Err(TextError { file, text: String::new(), problems: vec![problem] })
                }
            };
        }
        match String::from_utf8(bytes) {
            // Some editors begin a file with a mark that is no character of any line.
            Ok(text) => Ok(Self::new(file, text.strip_prefix('\u{feff}').unwrap_or(&text))),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let problem = Problem::new(at..at + 1, "this is no text: the file is not UTF-8")
                    .help("write the file with a text editor");
                Err(TextError { file, text, problems: vec![problem] })
            }
        }
    }

    /// Whether two texts are the same, whatever their lines end in and their files are called.
    pub fn is_same(&self, other: &Self) -> bool {
        self.text.lines().eq(other.text.lines())
    }

    /// It cannot be used because of this problem.
    pub fn error(&self, problem: Problem) -> TextError {
        self.errors(vec![problem])
    }

    /// It cannot be used because of these problems.
    pub fn errors(&self, mut problems: Vec<Problem>) -> TextError {
        in_order(&mut problems);
        TextError { file: self.file.clone(), text: self.text.clone(), problems }
    }
}

/// The text in units of 16 bits after a byte order mark, in which PowerShell and some editors write files.
fn utf_16(bytes: &[u8]) -> Option<Vec<u16>> {
    let (unit, rest): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, rest @ ..] => (u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => (u16::from_be_bytes, rest),
        _ => return None,
    };
    Some(rest.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect())
}
