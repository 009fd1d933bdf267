//! Whether blocks wait until more games have come to them.
//!
//! A block costs the same for one game as for all that are side by side. Where games take the same way at different times,
//! such as three draws and then what follows from them, blocks that wait for each other's games are fuller. Where games take
//! different ways, waiting keeps those apart that would have met. Which it is depends on the game and its policies, and is
//! found in the first passes: a block is carried out if it has a share of the games that wait for the fullest one, and of a
//! few shares that are tried the one stays that fills the lanes.

use super::column::LANES;
use super::instr::{Block, Instr, Ref};

/// The shares that are tried, in sixteenths of the fullest block.
const SHARES: [usize; 4] = [0, 12, 6, 2];
/// A block that costs less waits for a smaller share: those that cost little lead others to those that cost much.
const DEAR: u64 = 512;
/// The passes in which a share is tried, and those of them, at the end, that are counted.
const TRIED: u32 = 128;
const COUNTED: u32 = 96;
/// A share is better if the lanes are so much fuller.
const BETTER: f64 = 1.02;

/// With how many games a block is carried out.
#[derive(Debug)]
pub(super) struct Holding {
    /// What every block costs.
    costs: Vec<u64>,
    /// What the blocks before every block cost.
    costs_before: Vec<u64>,
    /// What the blocks cost that were carried out in this pass, however often, and in the one before.
    now: u64,
    before: u64,
    /// The passes that were begun, and in which of them a block was carried out last.
    begun: u64,
    last_in: Vec<u64>,
    /// Whether games only come to their end from there: they wait until they are counted. Then only those go on.
    are_last: Vec<bool>,
    last: Vec<usize>,
    ends: bool,
    /// With fewer games no dear block is carried out in this pass.
    least: u64,
    /// The share in force, and whether it stays.
    share: usize,
    is_settled: bool,
    /// The best share so far, and how full the lanes were with it.
    best: usize,
    fullest: f64,
    passes: u32,
    /// What the blocks cost that were carried out, and that times their games.
    spent: u64,
    used: u64,
}

impl Holding {
    /// For these blocks.
    pub(super) fn new(blocks: &[Block]) -> Self {
        let are_last = are_last(blocks);
        let costs: Vec<_> =
            blocks.iter().map(|block| 4 + block.instrs.iter().map(cost).sum::<u64>()).collect();
        let before = costs.iter().scan(0, |sum, cost| Some(std::mem::replace(sum, *sum + cost)));
        Self {
            costs_before: before.collect(),
            costs,
            now: 0,
            before: 0,
            begun: 0,
            last_in: vec![0; blocks.len()],
            last: (0..blocks.len()).filter(|block| are_last[*block]).collect(),
            are_last,
            ends: false,
            least: 0,
            share: 0,
            best: 0,
            is_settled: false,
            fullest: 0.0,
            passes: 0,
            spent: 0,
            used: 0,
        }
    }

    /// How many games have only their end before them, of those that wait for each block.
    #[inline(always)]
    pub(super) fn many_last(&self, many: &[usize]) -> usize {
        self.last.iter().map(|block| many[*block]).sum()
    }

    /// Before a pass, with how many games wait for each block.
    #[inline(always)]
    pub(super) fn begin_pass(&mut self, many: &[usize]) {
        self.ends = false;
        self.before = std::mem::take(&mut self.now);
        self.begun += 1;
        if !self.is_settled {
            self.passes += 1;
            if self.passes.is_multiple_of(TRIED) {
                self.compare();
            } else if self.passes % TRIED == TRIED - COUNTED {
                (self.spent, self.used) = (0, 0);
            }
        }
        let going_on = many.iter().zip(&self.are_last).filter(|(_, is_last)| !**is_last);
        let fullest = if self.share > 0 { going_on.map(|(many, _)| *many).max().unwrap_or(0) } else { 0 };
        self.least = (fullest * SHARES[self.share]) as u64 / 16;
    }

    /// Before a pass in which only games go on that come to their end.
    pub(super) fn begin_ends(&mut self) {
        self.ends = true;
    }

    /// Whether a block is carried out for so many games.
    #[inline(always)]
    pub(super) fn lets(&mut self, block: usize, games: usize) -> bool {
        if self.are_last[block] || self.ends {
            return self.are_last[block] && self.ends;
        }
        if (games as u64) < self.least * self.costs[block].min(DEAR) / DEAR {
            return false;
        }
        if self.last_in[block] != self.begun {
            self.last_in[block] = self.begun;
            self.now += self.costs[block];
        }
        if !self.is_settled {
            self.spent += self.costs[block];
            self.used += self.costs[block] * games as u64;
        }
        true
    }

    /// Whether so many games that jump back from a block to another go on at once, of all that are played: they would wait
    /// while the rest of a pass is carried out, and the others wait for them now.
    #[inline(always)]
    pub(super) fn goes_back(&self, from: usize, to: usize, many: usize, playing: usize) -> bool {
        let own = self.costs_before[from] + self.costs[from] - self.costs_before[to];
        let rest = self.before.saturating_sub(own);
        many as u64 * rest > playing.saturating_sub(many) as u64 * own
    }

    /// Lets no block wait any more: few games are left.
    pub(super) fn release(&mut self) {
        (self.share, self.is_settled) = (0, true);
    }

    /// Goes on to the next share, or from the last to the best.
    #[cold]
    fn compare(&mut self) {
        #[allow(clippy::cast_precision_loss, reason = "a comparison")]
        let full = self.used as f64 / (self.spent.max(1) * LANES as u64) as f64;
        if full > self.fullest * BETTER {
            (self.fullest, self.best) = (full, self.share);
        }
        self.share += 1;
        if self.share == SHARES.len() {
            (self.share, self.is_settled) = (self.best, true);
        }
    }
}

/// From which blocks games only come to their end.
fn are_last(blocks: &[Block]) -> Vec<bool> {
    let mut are_last = vec![false; blocks.len()];
    for (number, block) in blocks.iter().enumerate().rev() {
        let is_last = |to: usize| to > number && are_last.get(to).is_some_and(|is_last| *is_last);
        are_last[number] = block.next.is_none_or(is_last)
            && block.instrs.iter().all(|instr| match instr {
                Instr::Jump(to)
                | Instr::JumpIf(_, _, to)
                | Instr::JumpBy(_, _, _, to)
                | Instr::JumpFar(_, _, to, _)
                | Instr::Tick(to)
                | Instr::TickEvent(to, ..) => is_last(*to),
                Instr::Roll(..) | Instr::Ask(_) | Instr::Repeat(_) => false,
                _ => true,
            });
    }
    are_last
}

/// What an instruction costs, about, in vectors of bytes.
fn cost(instr: &Instr) -> u64 {
    let width = |column: &Ref| 1 << column.width as u64;
    match instr {
        Instr::Set(d, _)
        | Instr::Copy(d, _)
        | Instr::Convert(d, _)
        | Instr::Bin(_, d, ..)
        | Instr::BinK(_, d, ..)
        | Instr::From(d, ..)
        | Instr::Three(_, _, d, _)
        | Instr::PutBin(_, d, ..)
        | Instr::Put(d, _)
        | Instr::PutK(d, _)
        | Instr::Add(d, _)
        | Instr::AddK(d, _) => width(d),
        Instr::Compare(_, _, a, _)
        | Instr::CompareK(_, _, a, _)
        | Instr::CompareAnd(_, _, _, [a, ..])
        | Instr::CompareKAnd(_, _, _, [a, _], _)
        | Instr::Select(_, _, a, _) => width(a),
        Instr::PutKs(of) => of.iter().map(|(d, _)| width(d)).sum(),
        Instr::Table(d, ..) | Instr::Listed(d, ..) | Instr::Bag(_, _, d, ..) => 8 * width(d),
        Instr::Look(..) => 64,
        Instr::Fields(_, a, of) => width(a) * of.len() as u64,
        Instr::Counts(_, a, of) => 3 * width(a) * of.len() as u64,
        Instr::Few(d, of, _) => width(d) * of.len() as u64,
        Instr::Pick(d, of, _) => width(d) * of.len() as u64,
        Instr::PutAt(of, _, a) => width(a) * of.len() as u64,
        Instr::Roll(..) => 48,
        Instr::Events(..) | Instr::Event(..) | Instr::TickEvent(..) | Instr::Answer(..) => 3,
        Instr::Tick(_)
        | Instr::Untick
        | Instr::JumpIf(..)
        | Instr::JumpBy(..)
        | Instr::JumpFar(..)
        | Instr::Jump(_)
        | Instr::Check(..)
        | Instr::End(_) => 1,
        // What is asked game by game costs the same whenever it is asked.
        Instr::Ask(_) | Instr::Asked | Instr::Repeat(_) | Instr::Return => 0,
    }
}
