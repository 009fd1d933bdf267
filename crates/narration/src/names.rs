//! Names of texts for people.

/// A name as people read it: "turn total", of `turn_total`.
#[must_use]
pub fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

/// What was rolled in one word, so that it can stand in a list: `1-5-5`, of `1, 5, 5`. Other names stay as they are.
pub(crate) fn in_a_word(name: &str) -> String {
    match name.split(", ").all(|part| part.parse::<u32>().is_ok()) {
        true => name.replace(", ", "-"),
        false => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_alone_are_one_word() {
        assert_eq!(["1, 5, 5", "6", "two, three"].map(in_a_word), ["1-5-5", "6", "two, three"]);
    }
}
