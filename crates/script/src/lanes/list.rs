//! Numbers that a calculation looks up by their places.

use super::range::{Range, joined};

/// Numbers in a row, with their range and that of 0, which is what is outside.
#[derive(Debug)]
pub(super) struct List {
    pub(super) numbers: Vec<i64>,
    pub(super) range: Range,
}

impl List {
    pub(super) fn new(numbers: Vec<i64>) -> Self {
        let range = numbers.iter().fold((0, 0), |range, number| joined(range, (*number, *number)));
        Self { numbers, range }
    }
}
