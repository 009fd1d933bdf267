//! What stands in cells, as far as there is room.

use super::super::frame::SIZE;
use super::super::words;
use super::shades::Shades;
use crate::chart::Heat;

/// How much is written into each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    Nothing,
    /// The letters that stand for colours with names.
    Letters,
    /// Words or numbers.
    Whole,
}

/// The room beside words, and beside letters.
const BESIDE: [f64; 2] = [8.0, 3.0];

/// The widths that cells need to be written into: whole, and with letters; infinite where they are never.
pub(super) fn needed(heat: &Heat, shades: &Shades, [columns, rows]: [usize; 2]) -> [f64; 2] {
    let widest = |texts: &mut dyn Iterator<Item = String>| {
        texts.map(|text| words::width(&text, SIZE)).fold(0.0, f64::max)
    };
    let whole = widest(&mut heat.cells().map(|cell| shades.text(heat, cell))) + BESIDE[0];
    // Numbers beside so many others are not read.
    let is_read = has_words(heat) || columns <= 24 && rows <= 60;
    let letters =
        widest(&mut heat.cells().map(|cell| shades.written(heat, cell, Writing::Letters))) + BESIDE[1];
    [
        if is_read { whole } else { f64::INFINITY },
        if shades.letters.is_empty() { f64::INFINITY } else { letters },
    ]
}

/// Whether cells say something in words.
pub(crate) fn has_words(heat: &Heat) -> bool {
    heat.cells().any(|cell| !cell.words.is_empty())
}

/// A letter for each name: its first one, if they differ, or those of the alphabet.
pub(super) fn letters(names: &[String]) -> Vec<String> {
    let first = |name: &String| name.chars().next().map(|c| c.to_uppercase().collect::<String>());
    let firsts: Vec<_> = names.iter().filter_map(first).collect();
    let are_told_apart = firsts.iter().enumerate().all(|(at, letter)| !firsts[..at].contains(letter));
    if are_told_apart && firsts.len() == names.len() {
        return firsts;
    }
    ('A'..='Z').map(String::from).chain(std::iter::repeat(String::new())).take(names.len()).collect()
}
