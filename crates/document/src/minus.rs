//! The true minus sign (U+2212) in text for people.

use std::borrow::Cow;

/// Text for people, in which the sign of a negative number is the minus, U+2212: programs write a hyphen, and read one in CSV and
/// JSON. A hyphen within a word, an option or an expression stays.
#[must_use]
pub fn minus(text: &str) -> Cow<'_, str> {
    let begins = |before: Option<char>| before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '±'));
    let is_sign = |&(at, _): &(usize, &str)| {
        let after = text[at + 1..].chars().next();
        begins(text[..at].chars().next_back()) && after.is_some_and(|c| c.is_ascii_digit())
    };
    let mut out = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices('-').filter(is_sign) {
        out.push_str(&text[done..at]);
        out.push('−');
        done = at + 1;
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_numbers_have_a_minus() {
        assert_eq!(minus("-1.17 (-1.25 to -1.10)"), "−1.17 (−1.25 to −1.10)");
        for text in ["hold-at-25", "hold:n=-3", "--trials 5", "1-2", "- 5", "stopwise -n 1k"] {
            assert_eq!(minus(text), text);
        }
    }
}
