//! What instructions over columns are made with: the columns, what they have, and what has been calculated.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use stopwise_engine::vocabulary::Answering;

use super::cost::cost;
use super::instr::{CALCULATED, Instr, Ref, Width};
use super::left::{Left, Ranges};
use super::list::List;
use super::local::{Local, Value};
use super::looked::Look;
use super::once::Once;
use super::places::Constants;
use super::range::Range;
use super::repeat::Repeat;
use super::stops::{Ask, Roll};
use crate::ir::{Arg, Ir};
use crate::lower::Blocks;
use crate::op::{Program, Reg};
use crate::script::Script;
use crate::state::Place;

pub(super) struct Builder<'b> {
    pub(super) game: Script,
    pub(super) program: &'static Program,
    pub(super) ir: &'b Blocks,
    /// How every policy answers, by kind of question.
    pub(super) policies: &'b [Vec<Answering>],
    /// The number of the policy in every seat.
    pub(super) seating: Vec<Value>,
    pub(super) cells: FxHashMap<(u8, u8), (Ref, Range)>,
    /// Where stops are counted, which nothing but ticks reads.
    pub(super) ticks: Option<Place>,
    /// Columns of what blocks leave to others, and its ranges.
    pub(super) left: FxHashMap<Left, Ref>,
    pub(super) ranges: Ranges,
    /// Columns with places, and calculated ones, by width.
    pub(super) fixed: [u32; 4],
    pub(super) temporary: [u32; 4],
    pub(super) constants: Constants,
    pub(super) local: Local,
    /// The games in which a check of what a policy reads fails.
    pub(super) failing: Value,
    /// The answer of the stop before, where it is calculated.
    pub(super) answer: Option<Value>,
    /// What variables were set to in the block, as wide as they are or narrower.
    pub(super) stored: FxHashMap<Ref, Value>,
    /// Registers with numbers that their columns do not have yet.
    pub(super) unstored: BTreeSet<Reg>,
    pub(super) known: Once,
    pub(super) out: Vec<Instr>,
    /// How many there are before an attempt is given up.
    most: usize,
    pub(super) rolls: Vec<Roll>,
    pub(super) asks: Vec<Ask>,
    pub(super) lists: Vec<&'static List>,
    pub(super) looks: Vec<Look>,
    pub(super) repeats: Vec<Repeat>,
}

/// Why a game is not on lanes.
pub(super) type Obstacle = String;

impl<'b> Builder<'b> {
    pub(super) fn new(
        game: Script,
        ir: &'b Blocks,
        ranges: Ranges,
        policies: &'b [Vec<Answering>],
        lineups: &[Vec<usize>],
    ) -> Self {
        let program = game.program();
        let mut builder = Self {
            game,
            program,
            ir,
            policies,
            seating: Vec::new(),
            cells: FxHashMap::default(),
            ticks: ir.blocks.iter().flat_map(|(_, block)| block).find_map(|ir| match ir {
                Ir::Tick(place, _) => Some(*place),
                _ => None,
            }),
            left: FxHashMap::default(),
            ranges,
            fixed: [0; 4],
            temporary: [0; 4],
            constants: Constants::default(),
            local: Local::default(),
            failing: Value::Known(0),
            answer: None,
            stored: FxHashMap::default(),
            unstored: BTreeSet::new(),
            known: Once::default(),
            out: Vec::new(),
            most: usize::MAX,
            rolls: Vec::new(),
            asks: Vec::new(),
            lists: Vec::new(),
            looks: Vec::new(),
            repeats: Vec::new(),
        };
        // In the order of cells, so that rows lie side by side.
        let cells = program.places.iter().zip(&program.highs).filter(|(place, _)| place.bits > 0);
        for (place, high) in cells {
            if Some(*place) == builder.ticks {
                continue;
            }
            let range = (place.low.into(), *high);
            let column = builder.column(Width::of(range));
            builder.cells.insert((place.word, place.shift), (column, range));
        }
        let registers = ir.homes().map(Left::Register);
        let left: BTreeSet<Left> =
            registers.chain((0..16).map(Left::Measured)).chain(builder.ranges.all()).collect();
        for left in left {
            let column = builder.column(Width::of(builder.ranges.of(left)));
            builder.left.insert(left, column);
        }
        builder.seating = builder.seated(program.seats, lineups);
        builder
    }

    /// A column with a place.
    pub(super) fn column(&mut self, width: Width) -> Ref {
        let next = &mut self.fixed[width as usize];
        *next += 1;
        Ref { width, at: *next - 1 }
    }

    /// A calculated column.
    pub(super) fn fresh(&mut self, width: Width) -> Ref {
        let next = &mut self.temporary[width as usize];
        *next += 1;
        Ref { width, at: CALCULATED + *next - 1 }
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.out.push(instr);
    }

    /// The column of a calculation, which is done once in a block.
    pub(super) fn calculated(&mut self, width: Width, make: impl Fn(Ref) -> Instr) -> Ref {
        let instr = make(Once::nowhere(width));
        if let Some(column) = self.known.get(&instr) {
            return column;
        }
        let d = self.fresh(width);
        self.emit(make(d));
        self.known.insert(instr, d);
        d
    }

    /// Numbers of a range are left; their column, where it is known already.
    pub(super) fn gives(&mut self, left: Left, range: Range) -> Option<Ref> {
        self.ranges.join(left, range);
        self.left.get(&left).copied()
    }

    /// What was left.
    pub(super) fn left(&self, left: Left) -> Option<Value> {
        self.left.get(&left).map(|column| Value::In(*column, self.ranges.of(left)))
    }

    /// Makes instructions as long as they give something and are cheap enough; else it is as if nothing had been done.
    pub(super) fn attempt<T>(
        &mut self,
        most: usize,
        make: impl FnOnce(&mut Self) -> Result<Option<T>, Obstacle>,
    ) -> Result<Option<T>, Obstacle> {
        let (first, known, temporary) = (self.out.len(), self.known.len(), self.temporary);
        self.most = first + most;
        let made = make(self)?;
        if made.is_none() || cost(&self.out[first..]) > most {
            self.out.truncate(first);
            self.known.truncate(known);
            self.temporary = temporary;
            return Ok(None);
        }
        Ok(made)
    }

    /// Whether an attempt has made too many instructions.
    pub(super) fn is_spent(&self) -> bool {
        self.out.len() > self.most
    }

    pub(super) fn arg(&mut self, arg: Arg) -> Result<Value, Obstacle> {
        Ok(match arg {
            Arg::Const(number) => Value::Known(number),
            Arg::Me => self.me(),
            Arg::Reg(register) => match self.local.get(register) {
                Some(value) => value,
                None => self.left(Left::Register(register)).ok_or("a register without a value")?,
            },
        })
    }
}
