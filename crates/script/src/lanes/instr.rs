//! Instructions over columns: each is carried out for all games before the next.

use crate::layout::BagOp;
use crate::op::Bin;

/// The columns of calculations in a block are numbered from here on until they have places.
pub(super) const CALCULATED: u32 = 1 << 24;
/// Those of constants from here on.
pub(super) const CONSTANT: u32 = 1 << 25;

/// The bits of the numbers of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Width {
    /// Without a sign: from 0 to 255.
    Byte,
    Short,
    Middle,
    Long,
}

impl Width {
    /// The least for numbers of a range.
    pub(super) fn of((low, high): (i64, i64)) -> Self {
        if u8::try_from(low).and(u8::try_from(high)).is_ok() {
            Self::Byte
        } else if i16::try_from(low).and(i16::try_from(high)).is_ok() {
            Self::Short
        } else if i32::try_from(low).and(i32::try_from(high)).is_ok() {
            Self::Middle
        } else {
            Self::Long
        }
    }

    pub(super) fn bits(self) -> i64 {
        8 << self as u8
    }
}

/// A column among those of its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ref {
    pub(super) width: Width,
    pub(super) at: u32,
}

impl Ref {
    pub(super) fn index(self) -> usize {
        self.at as usize
    }
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Order {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// A field of a packed number, and what it is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Packed {
    pub(super) shift: u32,
    pub(super) most: i64,
    pub(super) times: i64,
}

/// An instruction. The first column is what it sets; all columns have one width, unless it is said. Truths, names of
/// players and indices are bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Instr {
    /// A constant: until columns have their places.
    Set(Ref, i64),
    Copy(Ref, Ref),
    /// Between widths.
    Convert(Ref, Ref),
    Bin(Bin, Ref, Ref, Ref),
    BinK(Bin, Ref, Ref, i64),
    /// The number minus the column.
    From(Ref, i64, Ref),
    /// A truth, of two columns of another width.
    Compare(Order, Ref, Ref, Ref),
    CompareK(Order, Ref, Ref, i64),
    /// By a truth.
    Select(Ref, Ref, Ref, Ref),
    /// An entry of a table, by a middle index.
    Table(Ref, u16, Ref),
    /// A number of a list, by a middle place.
    Listed(Ref, usize, Ref),
    /// One of a few numbers, by an index from 0; 0 for what is outside.
    Few(Ref, Box<[i64]>, Ref),
    /// The sum of some fields of a column of any width but bytes, which has another.
    Fields(Ref, Ref, Box<[Packed]>),
    /// The same by bits: how many of a plane there are, and twice those of the next, and so on.
    Counts(Ref, Ref, Box<[i64]>),
    /// What is looked at ahead, by its number, a long number; of all variables. Only of the games that are there.
    Look(Ref, usize, Box<[Ref]>),
    /// Of long columns.
    Bag(BagOp, u16, Ref, Ref, Ref),
    /// One of some columns, by an index; the last for what is outside.
    Pick(Ref, Box<[Ref]>, Ref),
    // Two in one: a comparison, and the truth together with another one.
    CompareAnd(Order, Bin, Ref, [Ref; 3]),
    CompareKAnd(Order, Bin, Ref, [Ref; 2], i64),
    /// An operation on two columns, and another on the result and the third.
    Three(Bin, Bin, Ref, [Ref; 3]),
    // What follows happens to the games that are there.
    /// A column becomes the result of an operation on others.
    PutBin(Bin, Ref, Ref, Ref),
    /// Columns of one width become numbers.
    PutKs(Vec<(Ref, i64)>),
    Put(Ref, Ref),
    PutK(Ref, i64),
    /// A column, or a number, is added.
    Add(Ref, Ref),
    AddK(Ref, i64),
    /// Sets one of some columns, by an index.
    PutAt(Box<[Ref]>, Ref, Ref),
    /// To a block.
    Jump(usize),
    /// If a truth is as wanted.
    JumpIf(Ref, bool, usize),
    /// If a column compares so with a number.
    JumpBy(Order, Ref, i64, usize),
    /// If a column is at least a number that it comes near after many passes.
    JumpFar(Ref, i64, usize, Growth),
    /// The game fails unless the number is in a range.
    Check(Ref, i64, i64),
    /// An event of a seat, or in each game of the seat in a column.
    Event(u8, u8, Option<Ref>),
    /// An event of a seat, of all games or of those in which a column has this number: so often, a middle column.
    Events(u8, u8, Option<Ref>, Ref),
    /// Counts a stop; at the last, on to a block.
    Tick(usize),
    /// The same, and an event of a seat, or of the seat in a column.
    TickEvent(usize, u8, u8, Option<Ref>),
    /// Stops are counted from 0.
    Untick,
    /// By its number, with the columns of the event's number and of the seat.
    Roll(usize, Option<Ref>, Option<Ref>),
    Ask(Box<Question>),
    /// The loop that the rest of the block is, by its number, from what is remembered of it.
    Repeat(usize),
    /// What follows up to here is not carried out after a question that was asked of a few games.
    Asked,
    /// A given answer, a column of any width; of all games, or of those with a truth.
    Answer(Ref, Option<Ref>),
    End(i16),
    Return,
}

/// A block, and the block after it if it does not leave.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) instrs: Vec<Instr>,
    pub(super) next: Option<usize>,
}

/// How far a column grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Growth {
    /// By how much in a pass, at most.
    pub(super) by: i64,
    /// The greatest number with which it begins, or to which it is set.
    pub(super) from: i64,
    /// The number of the jump, under which it is noted until when the column is not looked at.
    pub(super) jump: usize,
}

/// A question that is asked game by game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Question {
    pub(super) number: usize,
    /// The columns of the legal actions, and of the seat.
    pub(super) actions: Option<Ref>,
    pub(super) seat: Option<Ref>,
    /// Truths on which the answer depends.
    pub(super) truths: Box<[Ref]>,
    /// If its answers are calculated in what follows: asked of at most so many games.
    pub(super) few: Option<usize>,
    /// A truth, if it is asked only of the games with it.
    pub(super) only: Option<Ref>,
}

impl Instr {
    /// Calls `visit` with every column: those that are read, then those that are set.
    pub(super) fn each(&mut self, visit: &mut impl FnMut(&mut Ref, bool)) {
        match self {
            Self::Set(d, _) | Self::PutK(d, _) | Self::AddK(d, _) => visit(d, true),
            Self::Copy(d, a) | Self::Convert(d, a) | Self::BinK(_, d, a, _) | Self::From(d, _, a) => {
                visit(a, false);
                visit(d, true);
            }
            Self::CompareK(_, d, a, _)
            | Self::Table(d, _, a)
            | Self::Listed(d, _, a)
            | Self::Few(d, _, a)
            | Self::Fields(d, a, _)
            | Self::Counts(d, a, _)
            | Self::Put(d, a)
            | Self::Add(d, a) => {
                visit(a, false);
                visit(d, true);
            }
            Self::Bin(_, d, a, b)
            | Self::PutBin(_, d, a, b)
            | Self::Compare(_, d, a, b)
            | Self::Bag(_, _, d, a, b) => {
                visit(a, false);
                visit(b, false);
                visit(d, true);
            }
            Self::CompareAnd(_, _, d, of) | Self::Three(_, _, d, of) => {
                of.iter_mut().for_each(|a| visit(a, false));
                visit(d, true);
            }
            Self::CompareKAnd(_, _, d, of, _) => {
                of.iter_mut().for_each(|a| visit(a, false));
                visit(d, true);
            }
            Self::Look(d, _, of) => {
                of.iter_mut().for_each(|a| visit(a, false));
                visit(d, true);
            }
            Self::PutKs(of) => of.iter_mut().for_each(|(d, _)| visit(d, true)),
            Self::Select(d, c, a, b) => {
                visit(c, false);
                visit(a, false);
                visit(b, false);
                visit(d, true);
            }
            Self::Pick(d, of, i) => {
                visit(i, false);
                of.iter_mut().for_each(|a| visit(a, false));
                visit(d, true);
            }
            Self::PutAt(of, i, a) => {
                visit(i, false);
                visit(a, false);
                of.iter_mut().for_each(|d| visit(d, true));
            }
            Self::JumpIf(a, ..) | Self::JumpBy(_, a, ..) | Self::JumpFar(a, ..) | Self::Check(a, ..) => {
                visit(a, false);
            }
            Self::Answer(a, among) => {
                visit(a, false);
                among.iter_mut().for_each(|among| visit(among, false));
            }
            Self::Event(_, _, seat) | Self::TickEvent(_, _, _, seat) => {
                seat.iter_mut().for_each(|seat| visit(seat, false))
            }
            Self::Events(_, _, seat, many) => {
                seat.iter_mut().for_each(|seat| visit(seat, false));
                visit(many, false);
            }
            Self::Roll(_, a, b) => a.iter_mut().chain(b).for_each(|column| visit(column, false)),
            Self::Ask(question) => {
                let Question { actions, seat, truths, only, .. } = &mut **question;
                actions
                    .iter_mut()
                    .chain(seat)
                    .chain(truths)
                    .chain(only)
                    .for_each(|column| visit(column, false));
            }
            Self::Tick(_)
            | Self::Untick
            | Self::Asked
            | Self::Repeat(_)
            | Self::Jump(_)
            | Self::End(_)
            | Self::Return => {}
        }
    }

    /// Whether it only sets columns: it is left out where nothing reads them.
    pub(super) fn only_sets(&self) -> bool {
        matches!(
            self,
            Self::Set(..)
                | Self::Copy(..)
                | Self::Convert(..)
                | Self::Bin(..)
                | Self::BinK(..)
                | Self::From(..)
                | Self::Compare(..)
                | Self::CompareK(..)
                | Self::Select(..)
                | Self::Table(..)
                | Self::Listed(..)
                | Self::Few(..)
                | Self::Fields(..)
                | Self::Counts(..)
                | Self::Look(..)
                | Self::Bag(..)
                | Self::Pick(..)
                | Self::CompareAnd(..)
                | Self::CompareKAnd(..)
                | Self::Three(..)
                | Self::PutBin(..)
                | Self::PutKs(..)
                | Self::Put(..)
                | Self::PutK(..)
                | Self::Add(..)
                | Self::AddK(..)
                | Self::PutAt(..)
        )
    }
}
