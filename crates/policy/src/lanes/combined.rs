//! Entries of preference lists that combine predicates.

use stopwise_engine::lanes::simd::{Job, Vector, Vector16};

use crate::preference::Holds;

/// A step on a stack of sets of actions.
#[derive(Clone, Copy, Debug)]
pub(super) enum MaskStep {
    Is(usize),
    Not,
    Both,
    Either,
}

/// Appends the steps of an entry.
pub(super) fn emit(holds: &Holds, steps: &mut Vec<MaskStep>) {
    match holds {
        Holds::Is(index) => steps.push(MaskStep::Is(*index)),
        Holds::Not(inner) => {
            emit(inner, steps);
            steps.push(MaskStep::Not);
        }
        Holds::Both(..) | Holds::Either(..) => {
            let is_both = matches!(holds, Holds::Both(..));
            let row = row(holds, is_both);
            emit(row[0], steps);
            for part in &row[1..] {
                emit(part, steps);
                steps.push(if is_both { MaskStep::Both } else { MaskStep::Either });
            }
        }
    }
}

/// What is joined in a row, in order: from left to right one set waits for the next, however many there are.
fn row(holds: &Holds, is_both: bool) -> Vec<&Holds> {
    let mut row = Vec::new();
    let mut rest = vec![holds];
    while let Some(part) = rest.pop() {
        match part {
            Holds::Both(left, right) if is_both => rest.extend([&**right, left]),
            Holds::Either(left, right) if !is_both => rest.extend([&**right, left]),
            _ => row.push(part),
        }
    }
    row
}

/// Predicates. Vectors go through memory: these methods are compiled without the instructions.
pub(super) trait Predicates<S: Vector> {
    /// Writes the actions for which a predicate holds.
    fn predicate(&self, predicate: usize, out: &mut S::V);
}

/// A job that combines predicates, about the games on the lanes.
pub(super) struct Combined<'c, S> {
    pub(super) steps: &'c [MaskStep],
    pub(super) predicates: &'c dyn Predicates<S>,
}

impl<S: Vector16> Job<S> for Combined<'_, S> {
    type Output = S::V;

    #[inline(always)]
    fn run(self, simd: S) -> S::V {
        let all = simd.splat(u16::MAX);
        // Deeper than any entry nests.
        let mut stack = [all; 64];
        let mut depth = 0_usize;
        for step in self.steps {
            match step {
                MaskStep::Is(index) => {
                    self.predicates.predicate(*index, &mut stack[depth % 64]);
                    depth += 1;
                }
                MaskStep::Not => {
                    let top = (depth - 1) % 64;
                    stack[top] = simd.and_not(all, stack[top]);
                }
                MaskStep::Both | MaskStep::Either => {
                    depth -= 1;
                    let (left, right) = (stack[(depth - 1) % 64], stack[depth % 64]);
                    let is_both = matches!(step, MaskStep::Both);
                    stack[(depth - 1) % 64] =
                        if is_both { simd.and(left, right) } else { simd.or(left, right) };
                }
            }
        }
        stack[0]
    }
}
