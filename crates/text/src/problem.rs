//! Problems of a text: what is wrong, where, and what to write instead.

use std::fmt;
use std::ops::Range;

use crate::visible::{is_unseen, visible_word};

/// A single problem of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The place, as a range of bytes of the text; `0..0` if the problem has no place.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Problem {
    /// A problem without advice.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    /// The same problem with advice.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// The problem of an unknown name, with the most similar known one as advice.
    pub fn unknown<'n>(
        span: Range<usize>,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let known: Vec<_> = known.into_iter().collect();
        let problem = Self::new(span, format!("unknown {what} {}", quoted(name)));
        match nearest(name, known.iter().copied()) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => problem,
            None => problem.help(format!("known: {}", known.join(", "))),
        }
    }

    /// The same problem, moved by `offset` bytes.
    pub fn shifted(self, offset: usize) -> Self {
        Self { span: self.span.start + offset..self.span.end + offset, ..self }
    }
}

/// Sorts problems by their places in the text.
pub fn in_order(problems: &mut [Problem]) {
    problems.sort_by_key(|problem| problem.span.start);
}

/// All problems of an expression.
pub type Problems = Vec<Problem>;

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        vec![problem]
    }
}

/// Both results, or the problems of either.
pub fn both<A, B>(a: Result<A, Problems>, b: Result<B, Problems>) -> Result<(A, B), Problems> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(problems), Ok(_)) | (Ok(_), Err(problems)) => Err(problems),
        (Err(mut problems), Err(more)) => {
            problems.extend(more);
            Err(problems)
        }
    }
}

/// A word of the text, shortened for a message; the line shown below it has more.
pub fn quoted(word: &str) -> String {
    let mut start: String = word.chars().take(QUOTED).collect();
    if start.len() < word.len() {
        start.push('…');
    }
    format!("`{}`", visible_word(&start))
}

/// The known name most similar to `name`, if it is similar enough to be meant. Capitals, spaces and hyphens are
/// ignored.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let known: Vec<_> = known.into_iter().collect();
    let lower = name.to_ascii_lowercase();
    // Of short words two letters are many, and yet the same letters are the same word: `trun` and `turns`.
    let by_letters = || {
        let alike = known.iter().map(|near| (strsim::jaro(&lower, &near.to_ascii_lowercase()), *near));
        alike.filter(|&(likeness, _)| likeness > ALIKE).max_by(|(a, _), (b, _)| a.total_cmp(b))
    };
    misspelt(name, &known).or_else(|| by_letters().map(|(_, near)| near))
}

/// The known name that differs from `name` by a few letters only.
pub fn misspelt<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    if let Some(same) = known.iter().find(|near| is_same(name, near)) {
        return Some(same);
    }
    let lower = name.to_ascii_lowercase();
    known
        .iter()
        .map(|near| (strsim::damerau_levenshtein(&lower, &near.to_ascii_lowercase()), *near))
        // Names of one letter are all that far apart.
        .filter(|&(distance, near)| distance < near.len().max(name.len()))
        .filter(|&(distance, near)| distance <= (near.len().min(name.len()) / 3).max(1))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, near)| near)
}

/// The Jaro similarity, from 0 to 1, above which a name is taken as meant.
const ALIKE: f64 = 0.8;

/// Whether two names differ only by capitals, spaces, hyphens and underscores.
pub fn is_same(a: &str, b: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        name.chars().filter(|c| !c.is_whitespace() && !"-_".contains(*c)).map(|c| c.to_ascii_lowercase())
    }
    letters(a).next().is_some() && letters(a).eq(letters(b))
}

/// A text that cannot be used. It displays the first problems, with their lines underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The file, or another name for the origin of the text.
    pub file: String,
    /// The text.
    pub text: String,
    /// Its problems; at least one.
    pub problems: Vec<Problem>,
}

/// The number of problems displayed, and the number of characters of a line.
const SHOWN: usize = 20;
const WIDTH: usize = 120;
/// The number of characters of a word that a message quotes.
const QUOTED: usize = 40;

impl std::error::Error for TextError {}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().take(SHOWN).enumerate() {
            // Who shows the whole says of the first that it is an error.
            if index > 0 {
                write!(f, "\nerror: ")?;
            }
            self.show(f, problem)?;
        }
        match self.problems.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more problems"),
        }
    }
}

impl TextError {
    fn show(&self, f: &mut fmt::Formatter<'_>, problem: &Problem) -> fmt::Result {
        if problem.span == (0..0) {
            return self.show_whole(f, problem);
        }
        let start = floor_boundary(&self.text, problem.span.start);
        let end = floor_boundary(&self.text, problem.span.end).max(start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |at| start + at);
        let line_number = self.text[..start].matches('\n').count() + 1;
        let column = self.text[line_start..start].chars().count() + 1;
        // A window of the line, for files that are one endless line.
        let (from, before) = window_start(&self.text[line_start..start]);
        // Some editors end lines with two characters.
        let line = self.text[line_start + from..line_end].trim_end_matches('\r');
        let shown = clean(line.chars().take(WIDTH));
        let room = shown.chars().count().saturating_sub(before).max(1);
        let under = self.text[start..end.min(line_end)].chars().count().clamp(1, room);
        let margin = " ".repeat(line_number.to_string().len());
        writeln!(f, "{}", visible_word(&problem.message))?;
        writeln!(f, "{margin}--> {}:{line_number}:{column}", visible_word(&self.file))?;
        writeln!(f, "{margin} |")?;
        writeln!(f, "{line_number} | {shown}")?;
        write!(f, "{margin} | {}{}", " ".repeat(before), "^".repeat(under))?;
        if let Some(help) = &problem.help {
            write!(f, "\n{margin} = help: {}", visible_word(help))?;
        }
        Ok(())
    }
}

impl TextError {
    /// Displays a problem of the whole text: something is missing, or an outside request does not fit.
    fn show_whole(&self, f: &mut fmt::Formatter<'_>, problem: &Problem) -> fmt::Result {
        write!(f, "{}\n --> {}", visible_word(&problem.message), visible_word(&self.file))?;
        match &problem.help {
            Some(help) => write!(f, "\n  = help: {}", visible_word(help)),
            None => Ok(()),
        }
    }
}

/// The byte offset at which the displayed part of a line begins, and the number of characters between it and the
/// problem.
fn window_start(before: &str) -> (usize, usize) {
    let characters = before.chars().count();
    if characters <= 80 {
        return (0, characters);
    }
    let from = before.char_indices().nth(characters - 40).map_or(0, |(at, _)| at);
    (from, 40)
}

/// The characters on one line, safe for a terminal, one column each, so that markers below a line stay aligned.
fn clean(characters: impl Iterator<Item = char>) -> String {
    let seen = |c| match c {
        '\t' => ' ',
        c if is_unseen(c) => '\u{fffd}',
        c => c,
    };
    characters.map(seen).collect()
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
