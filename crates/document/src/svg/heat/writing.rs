//! The text inside heat-map cells: words, a letter or nothing, by the room that there is.

use super::super::frame::SIZE;
use super::super::number;
use super::super::words;
use super::shades::{Shades, sign};
use crate::chart::{Heat, Heated};

/// How much is written into each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    Nothing,
    /// The letters that stand for colours with names.
    Letters,
    /// Words, in small letters.
    Small,
    /// Words or numbers.
    Whole,
}

impl Writing {
    /// The size of small letters.
    pub(super) const fn size(self) -> Option<f64> {
        if matches!(self, Self::Small) { Some(SMALL) } else { None }
    }

    /// What is written into a cell.
    pub(super) fn of(self, heat: &Heat, shades: &Shades, cell: &Heated) -> String {
        // What a cell says beyond the name has no room either.
        let letter = || {
            let at = number::count(cell.value?);
            let [letter, name] = [shades.letters.get(at)?, heat.value.levels.get(at)?];
            Some(if cell.words == *name { letter.clone() } else { format!("{letter}…") })
        };
        match self {
            Self::Small | Self::Whole => whole(heat, shades, cell),
            Self::Letters => letter().unwrap_or_else(|| "–".into()),
            Self::Nothing => String::new(),
        }
    }
}

/// What stands in a cell with room: its words, or its value.
fn whole(heat: &Heat, shades: &Shades, cell: &Heated) -> String {
    let sign = sign(cell.tone);
    match cell.value {
        Some(value) if cell.words.is_empty() => match number::level(&heat.value, value) {
            Some(name) => format!("{name}{sign}"),
            None => {
                let value = if heat.value.is_share { 100.0 * value } else { value };
                format!("{}{sign}", number::decimals(value, shades.places))
            }
        },
        _ => format!("{}{sign}", cell.words),
    }
}

/// The size of small letters.
const SMALL: f64 = 10.0;

/// The room beside words, and beside letters and small words.
const BESIDE: [f64; 2] = [8.0, 3.0];

/// The widths that cells need to be written into: whole, with letters, and with small words; infinite where they are never.
pub(super) fn needed(heat: &Heat, shades: &Shades, [columns, rows]: [usize; 2]) -> [f64; 3] {
    let widest = |texts: &mut dyn Iterator<Item = String>| {
        texts.map(|text| words::width(&text, SIZE)).fold(0.0, f64::max)
    };
    let words = widest(&mut heat.cells().map(|cell| whole(heat, shades, cell)));
    // Numbers beside so many others are not read.
    let is_read = has_words(heat) || columns <= 24 && rows <= 60;
    let letters = widest(&mut heat.cells().map(|cell| Writing::Letters.of(heat, shades, cell))) + BESIDE[1];
    [
        if is_read { words + BESIDE[0] } else { f64::INFINITY },
        if shades.letters.is_empty() { f64::INFINITY } else { letters },
        // Numbers without words are those of the colours.
        if has_words(heat) { words * SMALL / SIZE + BESIDE[1] } else { f64::INFINITY },
    ]
}

/// Whether cells say something in words.
pub(crate) fn has_words(heat: &Heat) -> bool {
    heat.cells().any(|cell| !cell.words.is_empty())
}
