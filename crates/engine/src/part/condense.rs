//! A part for values alone: steps that are alike are one.

use rustc_hash::FxHashMap;

use super::{Operation, Part, merge, number, range};
use crate::game::Game;

impl<G: Game> Part<G> {
    /// The same part for values alone, which takes half the time where many ways are alike: steps with the same successors are
    /// one. [`Part::best_rolls`] then tells nothing.
    #[must_use]
    pub fn condensed(self) -> Self {
        let Self { exits, steps, next, weights, start, mut known, mut known_exits, .. } = self;
        let mut few = Self { exits, ..Self::default() };
        let mut alike: FxHashMap<(bool, Vec<(u32, u32)>), u32> = FxHashMap::default();
        // The new number of every step.
        let mut now: Vec<u32> = Vec::with_capacity(steps.len());
        for step in steps {
            let (from, to, is_roll) = match step {
                Operation::Exit(_) => {
                    now.push(few.push(step));
                    continue;
                }
                Operation::Roll(from, to) => (from, to, true),
                Operation::Choose(from, to) => (from, to, false),
            };
            let next = next[range(from, to)].iter().map(|&next| now[next as usize]);
            let mut next: Vec<_> = next.zip(weights[range(from, to)].iter().copied()).collect();
            merge(&mut next);
            if !is_roll {
                next.iter_mut().for_each(|(_, weight)| *weight = 1);
            }
            now.push(match *next {
                [(only, _)] => only,
                _ => {
                    *alike.entry((is_roll, next)).or_insert_with_key(|(_, next)| few.push_step(is_roll, next))
                }
            });
        }
        known.values_mut().chain(known_exits.values_mut()).for_each(|step| *step = now[*step as usize]);
        let landings = few.decided_for();
        Self { start: now[start as usize], known, known_exits, landings, ..few }
    }

    /// The rolls and exits that decisions lead to.
    fn decided_for(&self) -> Vec<u32> {
        let is_choice = |step: u32| matches!(self.steps[step as usize], Operation::Choose(..));
        let mut is_led_to = vec![false; self.steps.len()];
        for step in &self.steps {
            if let Operation::Choose(from, to) = *step {
                self.next[range(from, to)].iter().for_each(|&next| is_led_to[next as usize] = true);
            }
        }
        (0..number(self.steps.len())).filter(|&step| is_led_to[step as usize] && !is_choice(step)).collect()
    }
}
