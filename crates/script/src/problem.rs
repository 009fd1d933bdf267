//! Problems of a text: what is wrong, where, and what to write instead.

use std::fmt;
use std::ops::Range;

/// A place in the text, as a range of bytes.
pub type Span = Range<usize>;

/// A single problem of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The place.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without advice.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    /// The same problem with advice.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The problem of an unknown name, with the most similar known one as advice.
    pub(crate) fn unknown<'n>(
        span: Span,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let problem = Self::new(span, format!("unknown {what} {}", quoted(name)));
        if let Some(sides) = name.strip_prefix('d').filter(|rest| rest.parse::<u32>().is_ok()) {
            return problem.help(format!("declare the die first: `die {name} = 1..{sides}`"));
        }
        let near = known
            .into_iter()
            .map(|known| (strsim::damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase()), known))
            .filter(|(distance, known)| *distance <= (known.len().min(name.len()) / 3).max(1))
            .min();
        match near {
            Some((_, near)) => problem.help(format!("did you mean `{near}`?")),
            None => problem,
        }
    }
}

/// A word of the text, shortened for a message.
pub(crate) fn quoted(word: &str) -> String {
    let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let start: String = word.chars().take(40).map(visible).collect();
    let dots = if word.chars().nth(40).is_some() { "…" } else { "" };
    format!("`{start}{dots}`")
}

/// A text that is no game. It displays its first problems, with their lines underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The text.
    pub text: String,
    /// Its problems, in the order of the text; at least one.
    pub problems: Vec<Problem>,
}

/// The number of problems displayed, and of characters of a line.
const SHOWN: usize = 20;
const WIDTH: usize = 120;

impl TextError {
    pub(crate) fn new(text: &str, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| problem.span.start);
        problems.dedup();
        Self { text: text.into(), problems }
    }
}

/// The line and the column of a byte of the text, both from 1.
pub fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at.min(text.len())).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

impl std::error::Error for TextError {}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().take(SHOWN).enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let (line, column) = place(&self.text, problem.span.start);
            write!(f, "line {line}, column {column}: {}", problem.message)?;
            let whole = self.text.lines().nth(line - 1).unwrap_or_default();
            let visible = |c: char| if c.is_control() { ' ' } else { c };
            let shown: String = whole.chars().take(WIDTH).map(visible).collect();
            let length = self.text.get(problem.span.clone()).map_or(1, |part| part.chars().count());
            let room = shown.chars().count().saturating_sub(column - 1).max(1);
            if column <= WIDTH {
                let under = "^".repeat(length.clamp(1, room));
                write!(f, "\n  | {shown}\n  | {}{under}", " ".repeat(column - 1))?;
            }
            if let Some(help) = &problem.help {
                write!(f, "\n  = help: {help}")?;
            }
        }
        match self.problems.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more problems"),
        }
    }
}
