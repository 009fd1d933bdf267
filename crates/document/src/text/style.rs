//! How wide text is, and how it is broken.

use std::fmt::Write as _;

/// How text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The columns that a line may have; at least 40 are used.
    pub width: usize,
    /// Whether heat maps have colours (ANSI).
    pub is_coloured: bool,
}

impl Style {
    /// For files and pipes: wide enough for all tables of short names.
    pub const PLAIN: Self = Self { width: 120, is_coloured: false };

    pub(super) fn width(self) -> usize {
        self.width.max(40)
    }
}

/// Breaks a text into lines at spaces; all but the first are indented.
pub(super) fn wrapped(out: &mut String, text: &str, indent: usize, style: Style) {
    let width = style.width();
    for paragraph in text.split('\n') {
        let mut column = 0;
        for word in words(paragraph) {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > width {
                let _ = write!(out, "\n{:indent$}", "");
                column = indent;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += length;
        }
        out.push('\n');
    }
}

/// Whether a line may be broken at a space: not between a number and its sign of per cent, nor about the sign of an interval.
fn is_gap(text: &str, at: usize) -> bool {
    !text[at + 1..].starts_with(['%', '±']) && !text[..at].ends_with('±')
}

/// What is not broken: words, and numbers with the sign of per cent that stands behind them.
fn words(paragraph: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(paragraph);
    std::iter::from_fn(move || {
        let text = rest?;
        let (word, others) = match text.match_indices(' ').find(|&(at, _)| is_gap(text, at)) {
            Some((at, _)) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        rest = others;
        Some(word)
    })
}

/// A text in lines of at most so many characters, broken at spaces; a longer word is broken after a sign that joins two others,
/// or wherever the line ends. All lines but the first are indented.
pub(super) fn pieces(text: &str, width: usize, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = text;
    while rest.chars().count() > room(width, indent, lines.len()) {
        let room = room(width, indent, lines.len());
        let end = rest.char_indices().nth(room).map_or(rest.len(), |(at, _)| at);
        let fits = &rest[..end];
        let is_whole = rest[end..].starts_with(' ') && is_gap(rest, end);
        let mut spaces = fits.rmatch_indices(' ').map(|(at, _)| at);
        let at_space = if is_whole { Some(end) } else { spaces.find(|&at| is_gap(rest, at)) };
        let at_sign = || {
            fits.rfind(['+', ',', '/', '·', '='])
                .map(|at| at + fits[at..].chars().next().map_or(1, char::len_utf8))
        };
        let is_word = |at: &usize| !rest[..*at].trim().is_empty();
        let end = at_space.filter(is_word).or_else(at_sign).filter(is_word).unwrap_or(end);
        lines.push(indented(rest[..end].trim_end(), indent, lines.len()));
        rest = rest[end..].trim_start();
    }
    if !rest.is_empty() || lines.is_empty() {
        lines.push(indented(rest, indent, lines.len()));
    }
    lines
}

fn room(width: usize, indent: usize, number: usize) -> usize {
    (if number == 0 { width } else { width.saturating_sub(indent) }).max(1)
}

fn indented(text: &str, indent: usize, number: usize) -> String {
    if number == 0 { text.to_owned() } else { format!("{:indent$}{text}", "") }
}

/// The text with every line that is too long broken, and what follows under the last column that the line has in its first three fifths:
/// lists of names and what they mean stay lists.
#[must_use]
pub fn folded(text: &str, width: usize) -> String {
    let width = width.max(40);
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        if line.chars().count() <= width {
            out.push_str(line);
        } else {
            out.push_str(&pieces(line, width, hanging(line, width * 3 / 5)).join("\n"));
        }
        out.push_str(end);
    }
    out
}

/// The column of what stands last behind two spaces or more, but no more than `most`; without one two more than that of the
/// first word.
fn hanging(line: &str, most: usize) -> usize {
    let characters: Vec<char> = line.chars().collect();
    let begins = |&at: &usize| at >= 2 && characters[at - 2..at] == [' ', ' '] && characters[at] != ' ';
    let first = characters.iter().take_while(|&&c| c == ' ').count();
    let last = (0..characters.len().min(most + 1)).rev().find(begins).unwrap_or(0);
    if last > first { last } else { (first + 2).min(most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_broken() {
        let mut out = String::new();
        let style = Style { width: 40, is_coloured: false };
        wrapped(&mut out, "one two three four five six seven eight nine ten eleven", 2, style);
        assert_eq!(out, "one two three four five six seven eight\n  nine ten eleven\n");
        let mut out = String::new();
        wrapped(&mut out, "It wins most often, as far as we see: 54.57 % of all.", 0, style);
        assert_eq!(out, "It wins most often, as far as we see:\n54.57 % of all.\n");
    }

    #[test]
    fn lists_stay_lists() {
        let line = "  stop    whether to hold instead of rolling on, an expression\nshort\n";
        let wanted = "  stop    whether to hold instead of\n          rolling on, an expression\nshort\n";
        assert_eq!(folded(line, 40), wanted);
        let line = "Take a piece of that colour and of a size, or none.";
        assert_eq!(folded(line, 40), "Take a piece of that colour and of a\n  size, or none.");
        let link = "a".repeat(90);
        assert!(folded(&link, 40).lines().all(|line| line.chars().count() <= 40));
        assert_eq!(folded(line, 60), line);
    }

    #[test]
    fn a_number_stays_with_its_interval() {
        let line = "It is worth to whoever decides 54.1 % ± 2.2 % of such games.";
        assert_eq!(folded(line, 40), "It is worth to whoever decides\n  54.1 % ± 2.2 % of such games.");
        let line = "It is worth to whoever decides 141 ± 22 points of such games.";
        assert_eq!(folded(line, 40), "It is worth to whoever decides 141 ± 22\n  points of such games.");
    }
}
