//! The names of colours, sizes, rolls and pieces.

use super::Roll;
use super::pieces::Types;
use crate::game::Actions;
use crate::vocabulary::{Parts, listed};

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

/// The number of pieces of every type in one place.
pub(in crate::games) type Counts = [u32; 15];

/// The pieces of a place, at most `most` of each type, in one word: `red:SSM,blue:L`; `none` if there are none.
pub(in crate::games) fn place(
    parts: &mut Parts,
    name: &str,
    pieces: Counts,
    most: u32,
) -> Result<Counts, String> {
    parts.part(name, pieces, written, |text| pieces_of(text, most))
}

/// The bank: where a text does not give it, all pieces of the game that are not `elsewhere`.
pub(in crate::games) fn bank(
    parts: &mut Parts,
    bank: Counts,
    elsewhere: &Counts,
    [colours, copies]: [u8; 2],
) -> Result<Counts, String> {
    let of_type = |piece: usize| if piece < 3 * usize::from(colours) { u32::from(copies) } else { 0 };
    let rest = if parts.is_read() {
        std::array::from_fn(|piece| of_type(piece).saturating_sub(elsewhere[piece]))
    } else {
        bank
    };
    let bank = place(parts, "bank", rest, copies.into())?;
    let too_many = (0..15).find(|&piece| bank[piece] + elsewhere[piece] > of_type(piece));
    match too_many {
        None => Ok(bank),
        Some(piece) => Err(format!(
            "the game has {} {}, and the places together have {}",
            of_type(piece),
            piece_name(u32::try_from(piece).unwrap_or(0)),
            bank[piece] + elsewhere[piece]
        )),
    }
}

/// Whether one roll offers just these pieces, among what the rolls offer.
pub(in crate::games) fn is_offered(
    choices: Actions,
    offers: impl Iterator<Item = Actions>,
) -> Result<(), String> {
    let nearest = offers.min_by_key(|offer| (offer.0 ^ choices.0).count_ones());
    let Some(nearest) = nearest else { return Err("decision=take: no roll offers a piece there".into()) };
    if nearest == choices {
        return Ok(());
    }
    let names: Vec<_> = nearest.iter().map(|piece| piece_name(piece.index()).replace(' ', "-")).collect();
    Err(format!("choices=…: no roll offers just these; the most like it is choices={}", names.join(",")))
}

fn written(pieces: &Counts) -> String {
    match letters(|piece| pieces[piece.trailing_zeros() as usize]).as_str() {
        "empty" => "none".into(),
        letters => letters.replace(", ", ",").replace(' ', ":"),
    }
}

fn pieces_of(text: &str, most: u32) -> Result<Counts, String> {
    let mut counts = [0; 15];
    if text == "none" {
        return Ok(counts);
    }
    for part in text.split(',') {
        let (colour, letters) = part.split_once(':').unwrap_or((part, ""));
        let colour = COLOURS.iter().position(|name| *name == colour);
        let sizes: Option<Vec<_>> = letters.chars().map(|letter| "SML".find(letter)).collect();
        let (Some(colour), Some(sizes)) = (colour, sizes) else {
            return Err(format!(
                "`{part}` is no pieces of a colour; write `none`, or as in red:SSM,blue:L, with the colours {}",
                COLOURS.join(", ")
            ));
        };
        for size in sizes {
            counts[3 * colour + size] += 1;
            if counts[3 * colour + size] > most {
                return Err(format!("there are at most {most} of a colour and size here"));
            }
        }
    }
    Ok(counts)
}

/// The pieces of a place, counted.
pub(in crate::games) fn counted(count_of: impl Fn(Types) -> u32) -> Counts {
    std::array::from_fn(|piece| count_of(1 << piece))
}

/// The types of which there are at least so many.
pub(in crate::games) fn at_least(pieces: &Counts, many: u32) -> Types {
    (0..15).filter(|piece| pieces[*piece] >= many).fold(0, |types, piece| types | 1 << piece)
}

/// The pieces of one place and of another.
pub(in crate::games) fn sum(places: &[Counts]) -> Counts {
    std::array::from_fn(|piece| places.iter().map(|place| place[piece]).sum())
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
