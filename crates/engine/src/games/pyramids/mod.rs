//! Pyramids and their dice, which [`carbonite`](super::carbonite) and [`icedice`](super::icedice) share: sets of pieces
//! as bit planes, the roll of a colour die and a pyramid die, and their names.

mod dice;
pub mod pieces;
pub mod piles;
mod prose;
pub mod stack;

pub use dice::{Dice, Roll};
pub(super) use dice::{FACES_MISSING, FACES_NOT_COVERED, pyramid_face};
pub(super) use prose::{
    COLOURS, Counts, SIZES, at_least, bank, counted, is_offered, kinds_in_words, letters, piece_name, place,
    roll_name, sizes_in_words, sum,
};
