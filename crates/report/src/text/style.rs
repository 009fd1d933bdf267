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
        for word in paragraph.split(' ') {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_broken() {
        let mut out = String::new();
        let style = Style { width: 40, is_coloured: false };
        wrapped(&mut out, "one two three four five six seven eight nine ten eleven", 2, style);
        assert_eq!(out, "one two three four five six seven eight\n  nine ten eleven\n");
    }
}
