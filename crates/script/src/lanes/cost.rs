//! What calculations cost for all games, in instructions.

use super::instr::Instr;
use crate::layout::BagOp;

/// What an operation on bags costs, which is done game by game, in instructions.
const A_BAG: usize = 50;
/// What it costs to take a bag from another.
const A_MINUS: usize = 10;
/// What it costs to look ahead, which is looked up game by game.
const A_LOOK: usize = 40;
/// What a field of a bag costs.
const A_FIELD: usize = 3;
/// What it costs to count the bits of a plane, in fields that are added; a field times a number counts twice.
pub(super) const A_PLANE: usize = 3;

/// What instructions cost for all games.
pub(super) fn cost(instrs: &[Instr]) -> usize {
    let cost = |instr: &Instr| match instr {
        Instr::Bag(BagOp::Minus, ..) => A_MINUS,
        Instr::Look(..) => A_LOOK,
        Instr::Bag(..) | Instr::Listed(..) => A_BAG,
        Instr::Fields(_, _, fields) => fields.len() * A_FIELD,
        Instr::Counts(_, _, planes) => planes.len() * A_PLANE * A_FIELD,
        _ => 1,
    };
    instrs.iter().map(cost).sum()
}
