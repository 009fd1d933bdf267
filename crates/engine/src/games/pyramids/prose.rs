//! The names of colours, sizes, rolls and pieces.

use super::Roll;
use super::pieces::Types;
use crate::vocabulary::listed;

/// The names of the colours.
pub(in crate::games) const COLOURS: [&str; 5] = ["red", "yellow", "green", "blue", "black"];
/// The names of the sizes.
pub(in crate::games) const SIZES: [&str; 3] = ["small", "medium", "large"];

/// Sizes, given as bits, in words: "small or large".
pub(in crate::games) fn sizes_in_words(sizes: u32, last: &str) -> String {
    let names: Vec<_> = (0..3).filter(|size| sizes >> size & 1 == 1).map(|size| SIZES[size]).collect();
    listed(&names, last)
}

/// A roll in words: "red, small and large". The number of colours stands for the Atom.
pub(in crate::games) fn roll_name(roll: Roll, colours: u8) -> String {
    let colour = if roll.colour == u32::from(colours) { "the Atom" } else { COLOURS[roll.colour as usize] };
    format!("{colour}, {}", sizes_in_words(roll.sizes, "and"))
}

/// A piece type in words, by the number of its bit.
pub(in crate::games) fn piece_name(number: u32) -> String {
    format!("{} {}", SIZES[number as usize % 3], COLOURS[number as usize / 3])
}

/// Piece types in words: "small red and large red".
pub(in crate::games) fn kinds_in_words(types: Types, last: &str) -> String {
    let names: Vec<_> = (0..15).filter(|number| types >> number & 1 == 1).map(piece_name).collect();
    listed(&names, last)
}

/// The pieces of a place in words, from the number of pieces of each type.
pub(in crate::games) fn letters(count_of: impl Fn(Types) -> u32) -> String {
    let colours = (0..5).filter_map(|colour| {
        let letters: String = (0..3)
            .flat_map(|size| {
                let piece: Types = 1 << (3 * colour + size);
                std::iter::repeat_n(['S', 'M', 'L'][size], count_of(piece) as usize)
            })
            .collect();
        (!letters.is_empty()).then(|| format!("{} {letters}", COLOURS[colour]))
    });
    let text = colours.collect::<Vec<_>>().join(", ");
    if text.is_empty() { "empty".into() } else { text }
}
