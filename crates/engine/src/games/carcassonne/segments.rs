//! City segments: squares whose sides are city or field, and the four faces of a die that show one.

use serde::{Deserialize, Serialize};

/// The sides of a square that are city, one bit each: north, east, south, west, from the lowest.
pub(super) type Sides = u8;

/// The kinds of segment.
pub(super) const KINDS: usize = 4;

/// A kind of segment: a square with one to three city sides, in any orientation.
///
/// All four kinds are their own mirror image, so a city and its reflection have the same futures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    /// One side of city.
    Cap,
    /// Two opposite sides.
    Straight,
    /// Two adjoining sides.
    Corner,
    /// Three sides.
    Tee,
}

impl Segment {
    /// All kinds, in the order in which candidates are listed.
    pub(super) const ALL: [Self; KINDS] = [Self::Cap, Self::Straight, Self::Corner, Self::Tee];

    /// Its sides clockwise, C for city and F for field.
    pub fn text(self) -> &'static str {
        ["CFFF", "CFCF", "CCFF", "CCCF"][self as usize]
    }

    /// The segment that shows these sides, if there is one.
    pub(super) fn showing(sides: Sides) -> Option<Self> {
        match sides {
            1 | 2 | 4 | 8 => Some(Self::Cap),
            5 | 10 => Some(Self::Straight),
            3 | 6 | 9 | 12 => Some(Self::Corner),
            7 | 11 | 13 | 14 => Some(Self::Tee),
            _ => None,
        }
    }
}

/// The four segments on the faces of a die, in any order and possibly repeated; a list such as `["CFFF", …]` in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Faces([Segment; KINDS]);

impl Faces {
    /// One of each kind.
    pub const STANDARD: Self = Self(Segment::ALL);

    /// The segments face by face.
    pub fn segments(self) -> [Segment; KINDS] {
        self.0
    }

    /// Whether the die shows one segment of each kind, in the order of their numbers.
    #[inline(always)]
    pub(super) fn are_in_order(self) -> bool {
        self == Self::STANDARD
    }

    /// The number of faces of this kind.
    pub(super) fn count(self, kind: Segment) -> usize {
        self.0.iter().filter(|&&segment| segment == kind).count()
    }

    /// The kinds that occur, one bit each.
    #[inline(always)]
    pub(super) fn kinds(self) -> u8 {
        let [a, b, c, d] = self.0;
        1 << a as u8 | 1 << b as u8 | 1 << c as u8 | 1 << d as u8
    }

    /// Whether these segments can close any city: every finite city has a corner, which only a segment with one city
    /// side or with two adjoining ones can fill.
    pub(super) fn can_close(self) -> bool {
        self.0.contains(&Segment::Cap) || self.0.contains(&Segment::Corner)
    }
}

impl TryFrom<Vec<String>> for Faces {
    type Error = String;

    fn try_from(texts: Vec<String>) -> Result<Self, String> {
        let segments = texts.iter().map(|text| read(text)).collect::<Result<Vec<_>, _>>()?;
        segments.try_into().map(Self).map_err(|segments: Vec<_>| {
            format!("{} faces; write the four city segments of a die", segments.len())
        })
    }
}

impl From<Faces> for Vec<String> {
    fn from(faces: Faces) -> Self {
        faces.0.iter().map(|segment| segment.text().to_owned()).collect()
    }
}

/// Reads a segment: its sides clockwise, starting at any side.
fn read(text: &str) -> Result<Segment, String> {
    let side = |letter| match letter {
        'C' => Ok(1),
        'F' => Ok(0),
        _ => {
            Err(format!("`{text}` is no segment; write its four sides clockwise, C for city and F for field"))
        }
    };
    let sides = text.chars().map(side).collect::<Result<Vec<Sides>, _>>()?;
    if sides.len() != 4 {
        return Err(format!("`{text}` has {} sides; write four letters such as CCFF", sides.len()));
    }
    let sides = sides.iter().rev().fold(0, |sides, side| sides << 1 | side);
    Segment::showing(sides).ok_or_else(|| match sides {
        0 => "FFFF has no side of city, so that it fits no city; write another segment".into(),
        _ => "CCCC has no side of field, and a city with it needs more dice than there are on the points \
              table; write another segment"
            .into(),
    })
}
