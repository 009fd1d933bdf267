//! What the terminal can show: how wide it is, and whether it knows more than ASCII.

use std::env::var;

use stopwise_document::text::Style;

/// The columns of the terminal on stdout; for files and pipes those that all tables fit into.
pub(crate) fn width() -> usize {
    terminal_width().unwrap_or(Style::PLAIN.width)
}

/// The columns of the terminal on stdout, if it is one.
pub(crate) fn terminal_width() -> Option<usize> {
    columns(terminal_size::terminal_size_of(std::io::stdout()))
}

/// The columns of the terminal on stderr, if it is one.
pub(crate) fn message_width() -> Option<usize> {
    columns(terminal_size::terminal_size_of(std::io::stderr()))
}

fn columns(size: Option<(terminal_size::Width, terminal_size::Height)>) -> Option<usize> {
    size.map(|(terminal_size::Width(width), _)| width.into())
}

/// Whether the locale names an encoding that is not UTF-8. Where nothing is said of it, UTF-8 is assumed.
pub(crate) fn is_ascii() -> bool {
    // The first that is set and not empty counts, as POSIX has it.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| var(name).ok());
    locale.into_iter().find(|value| !value.is_empty()).is_some_and(|locale| !is_utf8(&locale))
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_of_locales() {
        assert!(is_utf8("de_DE.UTF-8") && is_utf8("C.utf8"));
        assert!(!is_utf8("C") && !is_utf8("POSIX") && !is_utf8("de_DE.ISO-8859-1"));
    }
}
