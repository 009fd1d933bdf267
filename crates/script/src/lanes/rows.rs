//! The numbers for all answers of a game.

use stopwise_engine::arms::with_answer;

use super::column::{Column, Mask, Number, PART, Parts};

/// Mixes an answer into the number for all answers of a game, in the games of a mask.
#[inline(always)]
pub(super) fn mix<T: Number>(parts: Parts, numbers: &mut Column<i64>, answers: &Column<T>, mask: &Mask) {
    for at in parts.all() {
        let (answers, mask, mut part) = (answers.0[at], mask.0[at], numbers.0[at]);
        for lane in 0..PART {
            let mixed = mixed(part[lane], answers[lane].wide());
            part[lane] = part[lane].or_new(mask[lane], mixed);
        }
        numbers.0[at] = part;
    }
}

/// A number for all answers with one more.
#[inline(always)]
pub(super) fn mixed(number: i64, answer: i64) -> i64 {
    with_answer(number.cast_unsigned(), answer.cast_unsigned()).cast_signed()
}
