//! Best play of Pig alone: by a walk, and by plain loops that know the game. Both are counted in positions.

use std::hint::black_box;
use std::ops::Range;

use stopwise_analysis::exact::Limits;
use stopwise_engine::games::pig::Pig;

use super::{Work, Workload};
use crate::registry;

/// What solves a game and returns the number of its positions; and the sum of those.
struct Solving<S>(S, u64);

impl<S: FnMut() -> u64> Work for Solving<S> {
    fn play(&mut self, _: Range<u64>) {
        self.1 += (self.0)();
    }

    fn counted(self: Box<Self>, _: usize) -> (u64, u128) {
        (self.1, self.1.into())
    }
}

pub(super) fn pig_alone() -> Workload {
    let rules = registry::game("pig").expect("it is shipped").rules(&Pig::SOLO);
    let solve = move || rules.best_play(0, Limits::default()).expect("a small game").solved(0).states as u64;
    Workload::of(&Pig::SOLO, "pig solo, best play: positions")
        .add("plain loops", 1, Solving(|| black_box(plain()).1, 0))
        .add("solve", 1, Solving(solve, 0))
}

/// The fewest turns to 100 points on the mean, and the number of positions.
#[must_use]
pub fn plain() -> (f64, u64) {
    // By score, the turns to come; by points of the turn, those after this one, if it goes on.
    let (mut turns, mut positions) = ([0.0_f64; 106], 0);
    for score in (0..100).rev() {
        let mut value = 1.0;
        loop {
            let mut rolling = [0.0_f64; 106];
            for total in (0..100 - score).rev() {
                let of = |points: usize| turns[(score + points).min(100)].min(rolling[points]);
                rolling[total] = (value + (2..=6).map(|face| of(total + face)).sum::<f64>()) / 6.0;
            }
            let next = 1.0 + rolling[0];
            let is_near = next - value < 1e-14 * next;
            value = next;
            if is_near {
                break;
            }
        }
        turns[score] = value;
        positions += 100 - score as u64;
    }
    (turns[0], positions)
}
