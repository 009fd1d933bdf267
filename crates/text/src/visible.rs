//! Makes untrusted text safe to print on a terminal.
//!
//! A terminal obeys control characters, and marks of writing direction reorder what it shows. Messages contain neither:
//! both are written as escapes.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a terminal obeys this character instead of showing it: control characters (C0, DEL, C1), line and paragraph
/// separators, and marks of writing direction. Line breaks and tabs are among them.
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with every character for which [`is_unseen`] holds written as `\u{1b}`, except line breaks and tabs.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_unseen(c) && c != '\n' && c != '\t')
}

/// [`visible`] for a word within a line: line breaks and tabs are escaped, too.
pub fn visible_word(text: &str) -> Cow<'_, str> {
    escaped(text, is_unseen)
}

fn escaped(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' if is_bad(c) => out.push_str("\\n"),
            '\t' if is_bad(c) => out.push_str("\\t"),
            c if is_bad(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(visible("plain — “text”, 5 × ½\n\tmore"), "plain — “text”, 5 × ½\n\tmore");
        assert_eq!(visible("a\u{1b}[31mb\u{7}\r"), "a\\u{1b}[31mb\\u{7}\\u{d}");
        assert_eq!(visible_word("one\ntwo\t"), "one\\ntwo\\t");
        let marks = "\u{7f}\u{80}\u{9b}\u{61c}\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}";
        assert!(marks.chars().all(is_unseen));
        assert!(!visible(marks).chars().any(is_unseen));
    }
}
