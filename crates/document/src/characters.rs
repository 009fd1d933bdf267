//! Characters that no file format can hold, and those that mislead whoever reads it.

use std::fmt::Write as _;

/// The text with every character escaped that neither HTML nor XML can hold, that turns the direction of writing, or that
/// breaks a line unseen: `\u{202e}`, as in all that the program prints. Line breaks and tabs stay.
pub(crate) fn visible(text: &str) -> String {
    let is_kept = |c: char| !is_unseen(c) || matches!(c, '\n' | '\t');
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_kept(c) {
            out.push(c);
        } else {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
    out
}

/// Control characters, marks of direction, and separators of lines and paragraphs.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unseen_is_shown() {
        assert_eq!(
            visible("a\u{202e}b\u{2028}c\u{1b}[2J\u{ffff}\n\td – ü"),
            "a\\u{202e}b\\u{2028}c\\u{1b}[2J\\u{ffff}\n\td – ü"
        );
    }
}
