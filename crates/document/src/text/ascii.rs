//! Text for terminals whose locale is not UTF-8.

/// The text with every character that is not ASCII replaced by what it looks like, or by `?`.
#[must_use]
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_ascii() => out.push(c),
            '·' | '×' => out.push(if c == '·' { '|' } else { 'x' }),
            '±' => out.push_str("+-"),
            '−' | '–' | '—' => out.push('-'),
            '≈' => out.push('~'),
            '▾' => out.push('v'),
            '…' => out.push_str("..."),
            '≥' => out.push_str(">="),
            '≤' => out.push_str("<="),
            '→' => out.push_str("->"),
            '“' | '”' => out.push('"'),
            '‘' | '’' => out.push('\''),
            '█' | '▉' | '▊' | '▋' | '▌' => out.push('#'),
            '▓' => out.push('+'),
            '▒' => out.push(':'),
            '░' => out.push('.'),
            '─' => out.push('-'),
            '●' => out.push('o'),
            '▍' | '▎' | '▏' => {}
            '\u{a0}' | '\u{202f}' | '\u{2009}' => out.push(' '),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_without_utf8() {
        assert_eq!(ascii("pig · 3.5 ± 0.1 – A − B ██▌▏ é"), "pig | 3.5 +- 0.1 - A - B ### ?");
        assert_eq!(ascii("──●── ░▒▓█"), "--o-- .:+#");
    }
}
