//! All blocks of a program as instructions over columns, and what a run needs to know of them.
//!
//! Blocks are carried out in their order, each for the games that are in it. What one block leaves to another has a column of
//! its own; what is calculated in a block is in a column that other calculations use later.

use rustc_hash::{FxHashMap, FxHashSet};

use super::build::{Builder, Obstacle};
use super::column::lanes;
use super::fused::fused;
use super::instr::{Block, CALCULATED, Instr, Ref};
use super::jumps::{with_comparisons, with_far_jumps, with_tests_before_loops};
use super::left::Left;
use super::list::List;
use super::local::Value;
use super::looked::Look;
use super::needed::needed;
use super::places::placed;
use super::repeat::Repeat;
use super::stops::{Ask, Roll};
use super::sums::with_sums;
use crate::ir::Ir;
use crate::state::Place;

/// What is made of a program.
#[derive(Debug, Default)]
pub(super) struct Built {
    pub(super) blocks: Vec<Block>,
    /// The first block of the calculation at the end.
    pub(super) measure: usize,
    /// How many columns there are, by width; the first of them, so many, are left from block to block.
    pub(super) columns: [usize; 4],
    pub(super) left: [usize; 4],
    /// How many games are played side by side.
    pub(super) lanes: usize,
    /// Those of constants.
    pub(super) constants: Vec<(Ref, i64)>,
    /// Where every variable that is read is in a state, and its column.
    pub(super) cells: Vec<(Place, Ref)>,
    /// Where stops are counted.
    pub(super) ticks: Option<Place>,
    /// The columns of the ending and the seat, for the calculation at the end, and of what it gives.
    pub(super) ending: Option<Ref>,
    pub(super) seat: Option<Ref>,
    pub(super) measured: Vec<Option<Ref>>,
    pub(super) rolls: Vec<Roll>,
    pub(super) asks: Vec<Ask>,
    pub(super) lists: Vec<&'static List>,
    pub(super) looks: Vec<Look>,
    /// How many jumps there are by numbers that are far.
    pub(super) far: usize,
    pub(super) repeats: Vec<Repeat>,
    /// The numbers of the policies in every line-up, and of that in every seat of a game.
    pub(super) lineups: Vec<Vec<usize>>,
    pub(super) seating: Vec<Value>,
}

impl Builder<'_> {
    /// The blocks that are reached.
    pub(super) fn blocks(&mut self) -> Result<Vec<Block>, Obstacle> {
        let ir = self.ir;
        let resumes: FxHashMap<usize, u32> =
            (0..).zip(&self.program.sites).map(|(number, site)| (site.resume as usize, number)).collect();
        let reached = ir.reached();
        let targets: FxHashSet<usize> =
            ir.blocks.iter().flat_map(|(_, block)| block.iter().filter_map(Ir::target)).collect();
        // What follows a stop is a part of the block before it, unless games come from elsewhere, too.
        let is_joined = |number: usize| {
            let Some((at, _)) = ir.blocks.get(number).filter(|(at, _)| !targets.contains(at)) else {
                return false;
            };
            let before = ir.blocks[number - 1].1.last();
            matches!(before, Some(Ir::Stop(site, ..)) if resumes.get(at) == Some(site)) && reached[number - 1]
        };
        let mut blocks: Vec<Block> = Vec::new();
        let mut first = 0;
        for (number, (at, block)) in ir.blocks.iter().enumerate() {
            blocks.push(Block::default());
            if !reached[number] {
                continue;
            }
            if number == 0 || !is_joined(number) {
                self.local.clear();
                self.unstored.clear();
                self.known.clear();
                self.stored.clear();
                self.temporary = [0; 4];
                self.answer = None;
                first = number;
            }
            let mut given = Vec::new();
            if *at == ir.measure {
                self.gives(Left::Ending, (-1, 64));
                self.gives(Left::Seat, (0, 7));
                given.extend([Left::Ending, Left::Seat]);
            }
            if let Some(stop) = resumes.get(at) {
                given.extend((0..16).map(|k| Left::Given(*stop, k)));
            }
            for (register, left) in (ir.io..).zip(given) {
                // In the first pass nothing is known of what stops give.
                let value = self.answer.take().or_else(|| self.left(left)).unwrap_or(Value::Known(0));
                self.local.insert(register, value);
            }
            let column = |register| self.left.get(&Left::Register(register)).copied();
            if let Some(repeat) = Repeat::of(ir, number, column) {
                self.emit(Instr::Repeat(self.repeats.len()));
                self.repeats.push(repeat);
            }
            for instruction in block {
                self.instr(instruction)?;
            }
            let leaves = block.last().is_some_and(|last| last.leaves() && !matches!(last, Ir::Stop(..)));
            let next = (!leaves && number + 1 < ir.blocks.len()).then_some(number + 1);
            if next.is_some_and(is_joined) {
                continue;
            }
            if let Some(next) = next {
                self.store_for(ir.blocks[next].0);
            }
            blocks[first] = Block { instrs: std::mem::take(&mut self.out), next };
        }
        Ok(blocks)
    }

    /// The columns that are read by something else than instructions: what is measured, who sits where, what loops begin
    /// with, and the variables where a policy is shown a state.
    fn read_alone(&self) -> FxHashSet<Ref> {
        let mut read: FxHashSet<Ref> = self.measured().into_iter().flatten().collect();
        for policy in &self.seating {
            if let Value::In(column, _) = policy {
                read.insert(*column);
            }
        }
        read.extend(self.repeats.iter().flat_map(|repeat| &repeat.reads));
        if !self.asks.is_empty() {
            read.extend(self.cells.values().map(|(column, _)| column));
        }
        read
    }

    fn measured(&self) -> Vec<Option<Ref>> {
        (0..16).map(|k| self.left.get(&Left::Measured(k)).copied()).collect()
    }

    /// All that is made, where the ranges are known.
    pub(super) fn built(mut self, lineups: Vec<Vec<usize>>) -> Result<Built, Obstacle> {
        let mut blocks = self.blocks()?;
        let measured = self.measured();
        let mut instrs: Vec<_> = blocks.iter_mut().map(|block| &mut block.instrs).collect();
        let read = needed(&mut instrs, self.read_alone());
        for column in self.rolls.iter_mut().flat_map(|roll| &mut roll.given) {
            *column = column.filter(|column| read.contains(column));
        }
        for block in &mut blocks {
            let instrs = fused(with_comparisons(with_sums(std::mem::take(&mut block.instrs))));
            block.instrs = placed(instrs, self.fixed, &mut self.constants);
        }
        with_tests_before_loops(&mut blocks);
        let cells: Vec<_> = self
            .program
            .places
            .iter()
            .filter_map(|place| Some((*place, self.cells.get(&(place.word, place.shift))?.0)))
            .collect();
        let far = with_far_jumps(&mut blocks, self.ir.numbers[&self.ir.measure], &cells);
        let mut columns = self.fixed.map(|fixed| fixed as usize);
        for instr in blocks.iter_mut().flat_map(|block| &mut block.instrs) {
            instr.each(&mut |column, _| {
                if column.at < CALCULATED {
                    let most = &mut columns[column.width as usize];
                    *most = (*most).max(column.index() + 1);
                }
            });
        }
        let instrs = &mut blocks.iter_mut().flat_map(|block| &mut block.instrs);
        let constants = self.constants.placed(&mut columns, instrs);
        let cells = cells.into_iter().filter(|(_, column)| read.contains(column)).collect();
        let left = |left| self.left.get(&left).copied();
        Ok(Built {
            blocks,
            measure: self.ir.numbers[&self.ir.measure],
            columns,
            lanes: lanes(columns),
            left: self.fixed.map(|fixed| fixed as usize),
            constants,
            cells,
            ticks: self.ticks,
            ending: left(Left::Ending),
            seat: left(Left::Seat),
            measured,
            rolls: self.rolls,
            asks: self.asks,
            lists: self.lists,
            looks: self.looks,
            far,
            repeats: self.repeats,
            lineups,
            seating: self.seating,
        })
    }
}
