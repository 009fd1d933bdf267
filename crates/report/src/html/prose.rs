//! Sentences on a page.

/// A number and the sign of per cent behind it stay on one line.
pub(super) fn prose(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_with_their_sign() {
        assert_eq!(prose("54.57 % (95 %: 1 to 2)"), "54.57\u{a0}% (95\u{a0}%: 1 to 2)");
    }
}
