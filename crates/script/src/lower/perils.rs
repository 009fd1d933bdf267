//! From which instructions of a program a bust may come in the same turn, before the next roll.
//!
//! Which variables are sure not to be zero is known on the way: a game rolls the dice that are left after it has asked whether any
//! are, and such a roll is made.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use stopwise_engine::game::Event;

use super::Lowering;
use crate::arithmetic::{Bin, Reg};
use crate::ir::{Arg, Ir};
use crate::op::{SiteForm, event_of};
use crate::state::Place;

/// A register or a variable.
type What = Result<Reg, Place>;

/// What is known at a point.
#[derive(Clone, Default, PartialEq)]
struct Known {
    not_zero: BTreeSet<What>,
    /// Registers that hold what variables hold.
    same: BTreeSet<(Reg, Place)>,
    /// Registers that say whether others and variables, all of them equal, are zero, or are not.
    tests: FxHashMap<Reg, (BTreeSet<What>, bool)>,
}

impl Known {
    fn is_not_zero(&self, arg: Arg) -> bool {
        match arg {
            Arg::Reg(register) => self.not_zero.contains(&Ok(register)),
            Arg::Const(number) => number != 0,
            Arg::Me => false,
        }
    }

    /// A register, and the variables that are equal to it.
    fn equal(&self, register: Reg) -> BTreeSet<What> {
        let cells = self.same.iter().filter(|(own, _)| *own == register);
        cells.map(|(_, cell)| Err(*cell)).chain([Ok(register)]).collect()
    }

    /// Whether a register is true, if that is known.
    fn truth(&self, register: Reg) -> Option<bool> {
        match self.tests.get(&register) {
            Some((tested, is_zero)) => (!tested.is_disjoint(&self.not_zero)).then_some(!is_zero),
            None => self.is_not_zero(Arg::Reg(register)).then_some(true),
        }
    }

    /// The same, and a register is true, or is not.
    fn after(&self, register: Reg, truth: bool) -> Self {
        let mut known = self.clone();
        match self.tests.get(&register) {
            Some((tested, is_zero)) if *is_zero != truth => known.not_zero.extend(tested),
            None if truth => known.not_zero.append(&mut self.equal(register)),
            _ => {}
        }
        known
    }

    fn step(&mut self, ir: &Ir) {
        let (mut is_not_zero, mut same, mut test) = (false, None, None);
        match *ir {
            Ir::Copy(_, a) => is_not_zero = self.is_not_zero(a),
            Ir::Get(_, place) => {
                (is_not_zero, same) = (self.not_zero.contains(&Err(place)), Some(place));
            }
            Ir::Bin(bin @ (Bin::Eq | Bin::Ne), _, Arg::Reg(a), Arg::Const(0)) => {
                test = Some((self.equal(a), bin == Bin::Eq));
            }
            Ir::Put(place, a) => {
                self.forget(|what| what.is_err_and(|cell| cell.meets(place)));
                self.not_zero.extend(self.is_not_zero(a).then_some(Err(place)));
                if let Arg::Reg(register) = a {
                    self.same.insert((register, place));
                }
            }
            Ir::PutAt(..) => self.forget(|what| what.is_err()),
            _ => {}
        }
        if let Some(d) = ir.writes() {
            self.tests.remove(&d);
            self.forget(|what| what == Ok(d));
            self.not_zero.extend(is_not_zero.then_some(Ok(d)));
            self.same.extend(same.map(|cell| (d, cell)));
            self.tests
                .extend(test.map(|(tested, is_zero)| (d, (&tested - &BTreeSet::from([Ok(d)]), is_zero))));
        }
    }

    /// Registers or variables change.
    fn forget(&mut self, is: impl Fn(What) -> bool) {
        self.not_zero.retain(|what| !is(*what));
        self.same.retain(|(register, cell)| !is(Ok(*register)) && !is(Err(*cell)));
        self.tests.values_mut().for_each(|(tested, _)| tested.retain(|what| !is(*what)));
    }

    /// What is left of it at a stop.
    fn at_stop(&self) -> Self {
        let cells = self.not_zero.iter().filter(|what| what.is_err());
        Self { not_zero: cells.copied().collect(), ..Self::default() }
    }

    /// What is known here and there.
    fn met(&self, other: &Self) -> Self {
        Self {
            not_zero: &self.not_zero & &other.not_zero,
            same: &self.same & &other.same,
            tests: self
                .tests
                .iter()
                .filter(|(d, test)| other.tests.get(d) == Some(test))
                .map(|(d, test)| (*d, test.clone()))
                .collect(),
        }
    }
}

impl Lowering<'_> {
    /// Block by block, whether a bust may come from each instruction on.
    pub(super) fn perils(&self) -> Vec<Vec<bool>> {
        let numbers: FxHashMap<usize, usize> =
            self.blocks.iter().enumerate().map(|(number, (at, _))| (*at, number)).collect();
        let mut starts: Vec<Option<Known>> = vec![None; self.blocks.len()];
        let mut ways = vec![Vec::new(); self.blocks.len()];
        let first = self.blocks.iter().position(|(_, block)| !block.is_empty()).unwrap_or(0);
        let mut rest = BTreeSet::from([first]);
        starts[first] = Some(Known::default());
        while let Some(number) = rest.pop_first() {
            let Some(known) = starts[number].clone() else { continue };
            ways[number] = self.ways(number, known, &numbers, |to, known| {
                let met = starts[to].as_ref().map_or_else(|| known.clone(), |before| before.met(known));
                if starts[to].as_ref() != Some(&met) {
                    starts[to] = Some(met);
                    rest.insert(to);
                }
            });
        }
        let mut perils: Vec<_> = self.blocks.iter().map(|(_, block)| vec![false; block.len()]).collect();
        loop {
            let mut is_done = true;
            for number in (0..self.blocks.len()).rev() {
                let found = self.perils_of(number, &ways[number], &perils);
                is_done &= found == perils[number];
                perils[number] = found;
            }
            if is_done {
                return perils;
            }
        }
    }

    /// The blocks to which each instruction of a block may lead before the next roll, up to the last that is reached. `visit` is told
    /// of all blocks that follow, with what is known then.
    fn ways(
        &self,
        number: usize,
        mut known: Known,
        numbers: &FxHashMap<usize, usize>,
        mut visit: impl FnMut(usize, &Known),
    ) -> Vec<[Option<usize>; 2]> {
        let block = &self.blocks[number].1;
        // What is left out leaves blocks without instructions.
        let begins = |number| (number..self.blocks.len()).find(|&number| !self.blocks[number].1.is_empty());
        let number_of = |address: usize| numbers.get(&address).copied().and_then(begins);
        let mut all = Vec::new();
        for (at, ir) in block.iter().enumerate() {
            let (mut jumps, mut falls, mut is_made) = (true, !ir.leaves(), false);
            let mut there = known.clone();
            let to = match *ir {
                Ir::JumpIf(Arg::Reg(register), wanted, to) => {
                    let truth = known.truth(register);
                    (jumps, falls) = (truth != Some(!wanted), truth != Some(wanted));
                    there = known.after(register, wanted);
                    known = known.after(register, !wanted);
                    Some(to)
                }
                Ir::Stop(site, _, ref gives) => {
                    is_made = self.is_made(site, gives, &known);
                    there = known.at_stop();
                    known = there.clone();
                    Some(self.program.sites[site as usize].resume as usize)
                }
                _ => {
                    known.step(ir);
                    ir.target()
                }
            };
            let to = to.filter(|_| jumps).and_then(number_of);
            to.iter().for_each(|to| visit(*to, &there));
            let next = (falls && at + 1 == block.len()).then_some(number + 1).and_then(begins);
            next.iter().for_each(|next| visit(*next, &known));
            all.push([to.filter(|_| !is_made), next]);
            if !falls {
                break;
            }
        }
        all
    }

    fn perils_of(&self, number: usize, ways: &[[Option<usize>; 2]], perils: &[Vec<bool>]) -> Vec<bool> {
        let block = &self.blocks[number].1;
        let mut found = vec![false; block.len()];
        for (at, ways) in ways.iter().enumerate().rev() {
            let leads = || ways.iter().flatten().any(|to| perils[*to].first() == Some(&true));
            found[at] = match &block[at] {
                Ir::Event(event, _) | Ir::Events(event, ..) if event_of(*event) == Event::BUST => true,
                Ir::Event(event, _) if event_of(*event) == Event::TURN => false,
                _ => leads() || found.get(at + 1) == Some(&true),
            };
        }
        found
    }

    /// Whether a roll is made for sure: of some dice that have two faces or more.
    fn is_made(&self, site: u32, gives: &[Arg], known: &Known) -> bool {
        let SiteForm::Roll(kinds) = &self.program.sites[site as usize].form else { return false };
        kinds.iter().zip(gives).any(|(kind, many)| {
            let pools = &self.program.pools[kind.first as usize..(kind.first + kind.many) as usize];
            known.is_not_zero(*many) && pools.iter().all(|pool| pool.results.len() > 1)
        })
    }
}
