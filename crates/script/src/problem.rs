//! Problems of a text: what is wrong, where, and what to write instead.

use std::collections::BTreeSet;
use std::ops::Range;

use stopwise_text::in_order;
pub use stopwise_text::{Problem, TextError};
pub(crate) use stopwise_text::{misspelt, quoted};

/// A place in the text, as a range of bytes.
pub type Span = Range<usize>;

/// The problem of an unknown name, with the most similar known one as advice.
pub(crate) fn unknown<'n>(
    span: Span,
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Problem {
    match name.strip_prefix('d').filter(|rest| rest.parse::<u32>().is_ok()) {
        Some(sides) => Problem::new(span, format!("unknown {what} {}", quoted(name)))
            .help(format!("declare the die first: `die {name} = 1..{sides}`")),
        None => Problem::unknown(span, what, name, known),
    }
}

/// A text that is no game, because of these problems. What is wrong in a definition is found wherever it is used, and said once.
pub(crate) fn error(text: &str, mut problems: Vec<Problem>) -> TextError {
    in_order(&mut problems);
    let mut said = BTreeSet::new();
    problems.retain(|problem| said.insert((problem.span.start, problem.span.end, problem.message.clone())));
    TextError { file: "game".into(), text: text.into(), problems }
}

/// The line and the column of a byte of the text, both from 1.
pub fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at.min(text.len())).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
