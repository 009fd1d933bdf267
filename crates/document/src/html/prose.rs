//! Sentences and names on a page.

use maud::{Markup, PreEscaped, html};

use crate::minus::minus;

/// Code of so many letters stays on one line.
const SHORT: usize = 24;

/// A number and the sign of per cent behind it stay on one line; a name of several parts, such as `wiki+turns=9+atom=bust`, may
/// be broken between two of them, so that none is broken within a word. What stands between backticks is code.
pub(super) fn prose(text: &str) -> Markup {
    let text = html! { (minus(text).replace(" %", "\u{a0}%")) }.into_string();
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    let mut tags = ["<code>", "</code>"].into_iter().cycle().take(text.matches('`').count() / 2 * 2);
    while let Some(c) = rest.next() {
        match (c == '`').then(|| tags.next()).flatten() {
            // Broken behind a hyphen, `--seed` would be two words.
            Some("<code>") if rest.clone().take_while(|c| *c != '`').count() <= SHORT => {
                out.push_str("<code class=\"k\">");
            }
            Some(tag) => out.push_str(tag),
            None => out.push(c),
        }
        let begins_part = rest.peek().is_some_and(char::is_ascii_alphabetic);
        if matches!(c, '+' | ',') && !before.is_whitespace() && begins_part {
            out.push_str("<wbr>");
        }
        before = c;
    }
    PreEscaped(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_with_their_sign() {
        assert_eq!(prose("54.57 % (95 %: 1 to 2)").into_string(), "54.57\u{a0}% (95\u{a0}%: 1 to 2)");
    }

    #[test]
    fn commands_are_code() {
        let found = prose("see `stopwise rank`, or `--all`").into_string();
        assert_eq!(found, r#"see <code class="k">stopwise rank</code>, or <code class="k">--all</code>"#);
        assert_eq!(prose("one ` alone").into_string(), "one ` alone");
    }

    #[test]
    fn names_are_broken_between_their_parts() {
        let found = prose("wiki+turns=9+atom=bust of mine:k=2,risk=0.1 & 1,000 by +3").into_string();
        assert_eq!(found, "wiki+<wbr>turns=9+<wbr>atom=bust of mine:k=2,<wbr>risk=0.1 &amp; 1,000 by +3");
    }
}
