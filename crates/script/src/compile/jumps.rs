//! Jumps over jumps become jumps the other way, and labels to which nothing leads are left out: what is known on one side
//! of them is then known on the other.

use rustc_hash::FxHashSet;

use super::Compiler;
use crate::op::Op;

impl Compiler<'_> {
    pub(super) fn straighten(&mut self) {
        let mut ops: Vec<Op> = Vec::with_capacity(self.ops.len());
        for op in std::mem::take(&mut self.ops) {
            if let Op::Label(label) = op {
                while ops.last().and_then(|op| op.target()) == Some(label)
                    && !matches!(ops.last(), Some(Op::Tick(..)))
                {
                    ops.pop();
                }
                let turned = match ops[..] {
                    [.., Op::JumpIf(a, over), Op::Jump(to)] if over == label => Some(Op::JumpUnless(a, to)),
                    [.., Op::JumpUnless(a, over), Op::Jump(to)] if over == label => Some(Op::JumpIf(a, to)),
                    _ => None,
                };
                if let Some(turned) = turned {
                    ops.truncate(ops.len() - 2);
                    ops.push(turned);
                }
            }
            ops.push(op);
        }
        let readings = self.program.readings.iter().flat_map(|reading| &reading.at).map(|(_, label)| *label);
        let targets = ops.iter().filter_map(|op| op.target());
        // Where a turn ends is looked for.
        let others = [self.measure, self.labels_of.end];
        let used: FxHashSet<u32> = targets.chain(readings).chain(others).collect();
        ops.retain(|op| !matches!(op, Op::Label(label) if !used.contains(label)));
        self.ops = ops;
    }
}
