//! Characters that no file format can hold.

/// The text with U+FFFD for every character that neither HTML nor XML can hold.
pub(crate) fn without_controls(text: &str) -> String {
    let is_kept =
        |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}') || matches!(c, '\n' | '\t');
    text.chars().map(|c| if is_kept(c) { c } else { '\u{fffd}' }).collect()
}
