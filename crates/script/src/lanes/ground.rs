//! From a program to instructions for line-ups. What does not depend on the policies is found once a program.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use stopwise_engine::vocabulary::Answering;

use super::build::{Builder, Obstacle};
use super::built::Built;
use super::left::Ranges;
use crate::lower::Blocks;
use crate::script::Script;

/// Passes after which a range that still grows is that of all numbers.
const PASSES: usize = 6;

/// The blocks of a program, and the ranges of what they leave to others, whoever plays.
struct Ground {
    ir: Blocks,
    ranges: Ranges,
}

/// Makes the instructions of a program for line-ups of these policies.
///
/// # Errors
///
/// What keeps it from lanes, in words.
pub(super) fn build(
    game: Script,
    policies: &[Vec<Answering>],
    lineups: Vec<Vec<usize>>,
) -> Result<Built, Obstacle> {
    let Ground { ir, ranges } = Ground::of(game)?;
    Builder::new(game, ir, ranges.clone(), policies, &lineups).built(lineups)
}

impl Ground {
    /// Of a program. It is kept as long as the program is.
    fn of(game: Script) -> Result<&'static Self, Obstacle> {
        static KEPT: Mutex<BTreeMap<u64, &'static Result<Ground, Obstacle>>> = Mutex::new(BTreeMap::new());
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.entry(game.program().number);
        found.or_insert_with(|| Box::leak(Box::new(Self::new(game)))).as_ref().map_err(Clone::clone)
    }

    fn new(game: Script) -> Result<Self, Obstacle> {
        let (ir, mut ranges) = (Blocks::of(game.program()), Ranges::default());
        for pass in 0.. {
            let mut builder = Builder::new(game, &ir, ranges, &[], &[]);
            builder.blocks()?;
            ranges = builder.ranges;
            if !std::mem::take(&mut ranges.are_wider) {
                break;
            }
            if pass >= PASSES {
                ranges.give_up();
            }
        }
        Ok(Self { ir, ranges })
    }
}
