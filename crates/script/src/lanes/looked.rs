//! What policies look at ahead, such as the chance of a bust: found once for all positions in which what decides it is the same.

use super::instr::Ref;
use crate::mask::Mask;
use crate::state::Place;

/// The bits of variables that may decide something that is looked at, if it is tabulated.
const MOST_BITS: u8 = 14;
/// What is not found yet.
pub(super) const UNKNOWN: i64 = i64::MIN;

/// Something that is looked at: the question, and its number in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) site: u32,
    pub(super) number: u32,
}

/// What was found, by the variables that have decided it so far.
#[derive(Debug, Default)]
pub(super) struct Looked {
    read: Mask,
    /// With places side by side.
    pub(super) variables: Vec<(Place, Ref)>,
    pub(super) values: Vec<i64>,
}

impl Looked {
    /// These bits have decided it; `cells` are all variables. Returns whether some of them are new: then nothing is known any more.
    pub(super) fn widen(&mut self, read: Mask, cells: &[(Place, Ref)]) -> bool {
        if !read.meets(!self.read) {
            return false;
        }
        self.read |= read;
        let mut shift = 0_u8;
        let side_by_side = |(place, column): &(Place, Ref)| {
            let moved = Place { word: 0, shift, ..*place };
            shift = shift.saturating_add(place.bits);
            (moved, *column)
        };
        let is_read = |(place, _): &&(Place, Ref)| self.read.meets((*place).into());
        self.variables = cells.iter().filter(is_read).map(side_by_side).collect();
        // So many that nothing is kept.
        self.values = if shift > MOST_BITS { Vec::new() } else { vec![UNKNOWN; 1 << shift] };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::instr::Width;
    use super::*;

    #[test]
    fn variables_that_decide_have_places_side_by_side() {
        let column = |at| Ref { width: Width::Byte, at };
        let place = |word, shift, bits| Place { word, shift, bits, low: 0 };
        let cells = [(place(0, 20, 3), column(0)), (place(1, 0, 7), column(1)), (place(1, 7, 60), column(2))];
        let mut looked = Looked::default();
        assert!(looked.widen(cells[1].0.into(), &cells) && !looked.widen(cells[1].0.into(), &cells));
        assert_eq!((looked.variables.len(), looked.values.len()), (1, 1 << 7));
        assert!(looked.widen(cells[0].0.into(), &cells));
        assert_eq!(looked.variables, [(place(0, 0, 3), column(0)), (place(0, 3, 7), column(1))]);
        assert_eq!(looked.values.len(), 1 << 10);
        assert!(looked.widen(cells[2].0.into(), &cells) && looked.values.is_empty());
    }
}
