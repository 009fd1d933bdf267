//! Names of texts for people.

/// A name as people read it: "turn total", of `turn_total`.
#[must_use]
pub fn spoken(name: &str) -> String {
    name.replace('_', " ")
}
