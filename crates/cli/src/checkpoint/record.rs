//! One line of what is kept of a run: which trials, and what they came to.
//!
//! A line is `CHECK {"stage":…,"first":…,"end":…,"kind":…} PAYLOAD`: the two are JSON, and the check is the first 16 digits of
//! the SHA-256 of all that follows on it, so that a line that was cut short or damaged is recognised and ignored.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Digits of a check.
const DIGITS: usize = 16;

/// The bytes between two looks at whether there is time.
const PIECE: usize = 16 << 20;

/// Trials of a stage, and what they came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) about: PlayedTrials,
    /// As JSON.
    pub(crate) payload: String,
}

/// Which trials.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct PlayedTrials {
    /// For what they were played: a command plays in one or several stages.
    pub(crate) stage: String,
    pub(crate) first: u64,
    /// The number after the last.
    pub(crate) end: u64,
    /// How they were counted.
    pub(crate) kind: String,
}

impl PlayedTrials {
    pub(crate) fn trials(&self) -> Range<u64> {
        self.first..self.end
    }

    fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether some trial of another is among these.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.stage == other.stage && self.first < other.end && other.first < self.end
    }

    /// Whether the trials of another are among these.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.stage == other.stage && self.first <= other.first && other.end <= self.end
    }
}

impl Record {
    /// The line, with its end.
    pub(crate) fn line(&self) -> String {
        checked(&[&self.about.line(), " ", &self.payload])
    }

    /// The pieces of the line, which may be hundreds of megabytes long; `None` if `goes_on` says no before they are checked.
    pub(super) fn into_pieces(self, goes_on: &dyn Fn() -> bool) -> Option<[String; 3]> {
        let about = self.about.line();
        let check = check_while(&[&about, " ", &self.payload], goes_on)?;
        Some([format!("{check} {about} "), self.payload, "\n".into()])
    }

    /// The record of a line; `None` if the line is cut short, damaged or no record.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let body = verified(line)?;
        let mut reader = serde_json::Deserializer::from_str(body).into_iter();
        let about: PlayedTrials = reader.next()?.ok()?;
        let payload = body.get(reader.byte_offset() + 1..)?.to_owned();
        (about.first <= about.end).then_some(Self { about, payload })
    }
}

/// A line with its check and its end, of the pieces of its text, which has no line break.
pub(crate) fn checked(text: &[&str]) -> String {
    let check = check(text);
    [&[&*check, " "], text, &["\n"]].concat().concat()
}

/// The text of a line that is whole.
pub(crate) fn verified(line: &str) -> Option<&str> {
    let (found, text) = line.split_once(' ')?;
    (found == check(&[text])).then_some(text)
}

fn check(text: &[&str]) -> String {
    check_while(text, &|| true).unwrap_or_default()
}

/// The check of a text, if it goes on until all is read.
fn check_while(text: &[&str], goes_on: &dyn Fn() -> bool) -> Option<String> {
    let mut hash = Sha256::new();
    for piece in text.iter().flat_map(|piece| piece.as_bytes().chunks(PIECE)) {
        hash.update(piece);
        if !goes_on() {
            return None;
        }
    }
    let mut digits: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    digits.truncate(DIGITS);
    Some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_or_not_at_all() {
        let about = PlayedTrials { stage: "point 3".into(), first: 5, end: 1 << 63, kind: "pairs".into() };
        let record = Record { about, payload: "{\"pairs\":[[1,2]]}".into() };
        let line = record.line();
        assert!(line.ends_with("}\n") && line.lines().count() == 1);
        assert_eq!(record.clone().into_pieces(&|| true).map(|pieces| pieces.concat()).as_ref(), Some(&line));
        assert_eq!(record.clone().into_pieces(&|| false), None);
        let line = line.trim_end();
        assert_eq!(Record::of(line).as_ref(), Some(&record));
        for cut in 0..line.len() {
            assert_eq!(Record::of(&line[..cut]), None);
            let mut damaged = line.as_bytes().to_vec();
            damaged[cut] ^= 1;
            assert_eq!(std::str::from_utf8(&damaged).ok().and_then(Record::of), None);
        }
    }
}
