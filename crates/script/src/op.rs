//! The program of a game: instructions as data, in blocks that end in a roll, a draw, a question, a jump or the end.
//!
//! Registers hold numbers, truth values, names (the number of the name, from 1; 0 is none), players (from 0) and bags
//! (packed counts, see [`Layout`]). They live between two stops; what lives longer is a cell of the
//! state.

use std::borrow::Cow;

pub(crate) use stopwise_engine::game::AnswerForm as Form;
use stopwise_engine::game::Event;

pub(crate) use crate::arithmetic::{Bin, Reg};
use crate::code::Code;
use crate::every::Every;
pub(crate) use crate::layout::BagOp;
use crate::layout::{Bags, Layout};
use crate::mask::Mask;
use crate::pool::{Pool, Throws};
use crate::problem::Span;
use crate::state::Place;
use crate::syntax::Words;

/// A label while compiling, then an address.
pub(crate) type Target = u32;
/// The number of a cell.
pub(crate) type Cell = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Label(Target),
    /// An assignment, with its number; left out as labels are.
    Mark(u32),
    Set(Reg, i64),
    Move(Reg, Reg),
    Bin(Bin, Reg, Reg, Reg),
    BinK(Bin, Reg, Reg, i32),
    /// The second if the first is true, else the third.
    Select(Reg, Reg, Reg, Reg),
    /// An entry of a table; 0 outside of it.
    Table(Reg, u16, Reg),
    Bag(BagOp, u16, Reg, Reg, Reg),
    Load(Reg, Cell),
    Store(Cell, Reg),
    /// One of so many cells in a row.
    LoadAt(Reg, Cell, u32, Reg),
    StoreAt(Cell, u32, Reg, Reg),
    Jump(Target),
    JumpIf(Reg, Target),
    JumpUnless(Reg, Target),
    /// Ends the run unless the number is within the limits of the check.
    Check(Reg, u32),
    /// The same of the sum of a variable and what is added to it. To the exact walk it is a safety net of the variable:
    /// a variable that nothing else reads is no part of positions.
    CheckSum(Reg, Reg, u32),
    /// An event of a player, and one that happens so often.
    Event(u8, Reg),
    Events(u8, Reg, Reg),
    /// Counts rolls and answers of a turn in a cell; jumps at the hundred thousandth.
    Tick(Cell, Target),
    /// Hands a value over: the player first, then what the stop needs.
    Give(u8, Reg),
    /// Takes what came back from a stop, or what a calculation was called with.
    Take(Reg, u8),
    /// Stops. Execution goes on at the next instruction.
    Roll(u32),
    Draw(u32),
    Ask(u32),
    End(u32),
    Return,
    // After cells have got their places.
    /// Bits at equal distances, side by side.
    Every(Reg, Reg, Every),
    /// How many bits are 1.
    Ones(Reg, Reg),
    Get(Reg, Place),
    Put(Place, Reg),
}

impl Op {
    /// The registers that are read, and the one that is written.
    fn parts(&mut self) -> ([Option<&mut Reg>; 3], Option<&mut Reg>) {
        match self {
            Self::Set(d, _) | Self::Load(d, _) | Self::Take(d, _) | Self::Get(d, _) => {
                ([None, None, None], Some(d))
            }
            Self::Move(d, a)
            | Self::BinK(_, d, a, _)
            | Self::Table(d, _, a)
            | Self::LoadAt(d, _, _, a)
            | Self::Every(d, a, _)
            | Self::Ones(d, a) => ([Some(a), None, None], Some(d)),
            Self::Bin(_, d, a, b) | Self::Bag(_, _, d, a, b) => ([Some(a), Some(b), None], Some(d)),
            Self::Select(d, c, a, b) => ([Some(c), Some(a), Some(b)], Some(d)),
            Self::Store(_, a)
            | Self::JumpIf(a, _)
            | Self::JumpUnless(a, _)
            | Self::Check(a, _)
            | Self::Event(_, a)
            | Self::Give(_, a)
            | Self::Put(_, a) => ([Some(a), None, None], None),
            Self::StoreAt(_, _, a, b) | Self::Events(_, a, b) | Self::CheckSum(a, b, _) => {
                ([Some(a), Some(b), None], None)
            }
            Self::Label(_)
            | Self::Mark(_)
            | Self::Jump(_)
            | Self::Tick(..)
            | Self::Roll(_)
            | Self::Draw(_)
            | Self::Ask(_)
            | Self::End(_)
            | Self::Return => ([None, None, None], None),
        }
    }

    /// Calls `visit` with every register: first those that are read, then the one that is written.
    pub(crate) fn registers(&mut self, visit: &mut impl FnMut(&mut Reg, bool)) {
        let (reads, writes) = self.parts();
        reads.into_iter().flatten().for_each(|register| visit(register, false));
        writes.into_iter().for_each(|register| visit(register, true));
    }

    /// The registers that are read.
    pub(crate) fn reads(&mut self) -> impl Iterator<Item = &mut Reg> {
        self.parts().0.into_iter().flatten()
    }

    /// The register that is written.
    pub(crate) fn writes(mut self) -> Option<Reg> {
        self.parts().1.copied()
    }

    /// Whether it only computes a register: nothing else writes one.
    pub(crate) fn is_pure(self) -> bool {
        self.writes().is_some()
    }

    pub(crate) fn target(self) -> Option<Target> {
        match self {
            Self::Jump(to) | Self::JumpIf(_, to) | Self::JumpUnless(_, to) | Self::Tick(_, to) => Some(to),
            _ => None,
        }
    }

    pub(crate) fn is_stop(self) -> bool {
        matches!(self, Self::Roll(_) | Self::Draw(_) | Self::Ask(_))
    }
}

/// A place where the program waits for dice or an answer.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) form: SiteForm,
    /// The address at which execution goes on.
    pub(crate) resume: u32,
    /// The bits of a state that anything may still read.
    pub(crate) live: Mask,
    /// Those of them that the rules read, by the value of the clock.
    pub(crate) played: Vec<Mask>,
    /// The same with what policies remember, by kind of memory; and what they read of candidates.
    pub(crate) kept: Vec<Mask>,
    pub(crate) of_candidates: Mask,
    /// The number of stops that lead to it in a turn and to which it does not lead.
    pub(crate) rank: u64,
    /// The bits that are hidden from the player who is asked.
    pub(crate) hidden: Mask,
    /// What is rolled or drawn, part by part.
    pub(crate) rolled: Vec<(String, NamedKind)>,
    /// Whether that is done for all together, by nobody: in a round, or before the first turn.
    pub(crate) is_of_all: bool,
    /// Of one of several events of a roll.
    pub(crate) event: Option<RollEvent>,
    /// Whether it asks whose turn it is, though that may stand in a register.
    pub(crate) is_mine: bool,
    /// The names of yes and no that are certain where the question is asked: its condition says so.
    pub(crate) certain: Vec<(String, bool)>,
}

/// One of several events of a roll.
#[derive(Clone, Debug)]
pub(crate) struct RollEvent {
    /// The part of the roll to which its dice belong, and the most of them.
    pub(crate) part: usize,
    pub(crate) most: u32,
    /// How many dice are left, of its own and of every kind that comes after them.
    pub(crate) rests: Vec<Cell>,
}

#[derive(Clone, Debug)]
pub(crate) enum SiteForm {
    /// Dice of some kinds.
    Roll(Vec<Rolled>),
    /// From a bag of this layout.
    Draw(u16),
    /// A question of this kind.
    Ask(usize),
}

/// Equal dice of a roll: their pools, for one die, for two, …, and the part of the roll to which they belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rolled {
    pub(crate) first: u32,
    pub(crate) many: u32,
    pub(crate) part: u8,
}

/// What ends a run: a number that left its range.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) low: i64,
    pub(crate) high: i64,
    pub(crate) span: Span,
    pub(crate) what: String,
    /// The variables that can be seen there.
    pub(crate) seen: Vec<usize>,
}

/// A variable as people are shown it: of the player whose turn it is, if every player has one.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) kind: NamedKind,
    pub(crate) first: Cell,
    pub(crate) is_players: bool,
    /// The range of a number.
    pub(crate) range: (i64, i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedKind {
    Number,
    Truth,
    Name,
    Player,
    /// Of this layout.
    Bag(u16),
    /// Two sums.
    Pairing,
}

/// A variable with all its values, for people.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) kind: NamedKind,
    pub(crate) first: Cell,
    /// Whether every player has one.
    pub(crate) is_players: bool,
    /// Whether it begins with the game, and lasts as long.
    pub(crate) is_of_game: bool,
    /// The values of its indices in words, but for that of the player.
    pub(crate) indices: Vec<String>,
    /// The same index by index.
    pub(crate) axes: Vec<Axis>,
    pub(crate) meaning: String,
    /// The least and the greatest number of every value, player by player.
    pub(crate) ranges: Vec<(i64, i64)>,
    /// Of a bag, the most of every face.
    pub(crate) most: Vec<i64>,
    /// Of a name, those that it may be.
    pub(crate) names: Vec<i64>,
}

/// An index of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) is_of_players: bool,
    /// Its values in words.
    pub(crate) words: Vec<String>,
}

/// What the rules count by themselves, where it decides how the game goes on.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) cell: Cell,
    /// The least and the greatest number.
    pub(crate) range: (i64, i64),
    /// Whether it is players, as bits.
    pub(crate) is_of_players: bool,
}

/// A kind of question.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) name: String,
    pub(crate) meaning: String,
    pub(crate) form: Form,
    pub(crate) actions: u8,
    /// What its actions stand for, in their order, if that is the same wherever it is asked.
    pub(crate) known: Option<(NamedKind, Vec<i64>)>,
    /// The names among which is chosen wherever it is asked, but for those that mean something else to policies.
    pub(crate) names: Option<Vec<i64>>,
}

/// The name of a reading for people alone, who type positions: whether a question is asked, or what can be chosen, as bits.
pub(crate) const ASKED: &str = "asked where";
/// The same from what is chosen from as it lies there, where the rules do not keep which candidates they have found.
pub(crate) const ASKED_ANEW: &str = "asked anew where";
/// What the names of others begin with: how many dice were rolled that are there yet. The variable that has them follows, nothing
/// for what is chosen from, and then the one that says how many.
pub(crate) const ROLLED: &str = "rolled as ";

/// Something that policies read, or a metric that is worked out at the end.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) meaning: String,
    /// The address of the calculation at each question where it can be read.
    pub(crate) at: Vec<(u32, u32)>,
    /// The same for all candidates at once, whose truths are then bits; where there is one.
    pub(crate) masks: Vec<(u32, u32)>,
    pub(crate) low: i64,
    pub(crate) high: i64,
    /// A candidate's: the kind of question. Anything else is read of a state.
    pub(crate) kind: Option<usize>,
    pub(crate) is_truth: bool,
    /// Where it is looked at ahead: the questions, and what is looked at. It is in parts of the denominator then.
    pub(crate) ahead: Vec<(u32, u32)>,
    pub(crate) denominator: i64,
    /// Of the candidate itself, for people and not for policies: what it is.
    pub(crate) told: Option<NamedKind>,
    /// The bit of memory that it needs, if the rules do not read all that it reads.
    pub(crate) memory: u32,
}

impl Reading {
    /// Where its calculations begin.
    pub(crate) fn starts(&self) -> impl Iterator<Item = u32> + '_ {
        self.at.iter().chain(&self.masks).map(|(_, at)| *at)
    }

    /// A reading that nothing can read yet.
    pub(crate) fn new(
        name: &str,
        words: &Words,
        kind: Option<usize>,
        (low, high): (i64, i64),
        is_truth: bool,
    ) -> Self {
        Self {
            name: name.to_owned(),
            unit: words.unit.clone().unwrap_or_default(),
            meaning: words.meaning.clone().unwrap_or_default(),
            at: Vec::new(),
            masks: Vec::new(),
            low,
            high,
            kind,
            is_truth,
            told: None,
            ahead: Vec::new(),
            denominator: 1,
            memory: 0,
        }
    }
}

/// What is looked at ahead from a question, in parts of the denominator.
#[derive(Clone, Debug)]
pub(crate) enum Look {
    Zero,
    /// The chance of a bust.
    Bust,
    /// The mean of a reading at the next question, or of a cell when the turn is over.
    Mean(usize, Cell),
    /// A reading at this question; and something times it.
    Whole(usize),
    Times(Box<Self>, usize),
    Bin(Bin, Box<Self>, Box<Self>),
}

impl Look {
    /// Whether a mean is in it.
    pub(crate) fn is_of_means(&self) -> bool {
        match self {
            Self::Zero | Self::Bust | Self::Whole(_) => false,
            Self::Mean(..) => true,
            Self::Times(part, _) => part.is_of_means(),
            Self::Bin(_, a, b) => a.is_of_means() || b.is_of_means(),
        }
    }

    /// Calls `visit` with the readings in it.
    pub(crate) fn each_reading(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Self::Zero | Self::Bust => {}
            Self::Mean(reading, _) | Self::Whole(reading) => visit(*reading),
            Self::Times(part, reading) => {
                part.each_reading(visit);
                visit(*reading);
            }
            Self::Bin(_, a, b) => {
                a.each_reading(visit);
                b.each_reading(visit);
            }
        }
    }
}

/// A part of the number that no step lowers: a sum, of which the parts after it are a fraction.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    /// Above the greatest sum.
    pub(crate) radix: u64,
    /// Without terms it is the rank of the stop.
    pub(crate) terms: Vec<Term>,
}

/// A variable that only grows, or only falls; where nothing reads it any more, it has its last value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) place: Place,
    pub(crate) times: u64,
    pub(crate) most: u64,
    pub(crate) falls: bool,
}

/// Where the numbers of a metric come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    Event(u8),
    /// A part of the calculation at the end.
    End(u8),
}

/// The event with this number, as [`Event::index`] counts.
#[inline]
pub(crate) fn event_of(number: u8) -> Event {
    match number {
        0 => Event::TURN,
        1 => Event::ROLL,
        2 => Event::BUST,
        own => Event::own((own - 3).min(12)),
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Metric {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) meaning: String,
    pub(crate) from: From,
    pub(crate) is_higher_better: bool,
    pub(crate) bounds: Option<(i64, i64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) name: String,
    pub(crate) early: bool,
    /// Whether a game that comes to it was cut off. One of a single turn each is not: that is its length.
    pub(crate) cap: bool,
    pub(crate) meaning: String,
}

/// An option of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOption {
    /// Its name; a part of a group has that of the group before it, `points.solid`.
    pub name: String,
    /// Its value in words: of a text the default, of a program the value that it has.
    pub value: String,
    /// The values that it takes.
    pub values: Values,
    /// The unit of a number, or nothing.
    pub unit: String,
    /// What it is, in a few words, or nothing.
    pub meaning: String,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// `yes` or `no`.
    YesNo,
    /// Whole numbers from the first to the second.
    Whole(i64, i64),
    /// One of several numbers.
    Numbers(Vec<i64>),
    /// One of several words.
    Words(Vec<String>),
}

/// A compiled game, for one set of option values.
#[derive(Debug, Default)]
pub struct Program {
    /// Its own among all programs of the process.
    pub(crate) number: u64,
    pub(crate) name: String,
    pub(crate) meaning: String,
    pub(crate) options: Vec<GameOption>,
    pub(crate) seats: usize,
    pub(crate) is_round: bool,
    /// Whether all seats begin each turn together: a round in which nobody is passed over.
    pub(crate) shares_turns: bool,
    pub(crate) ops: Vec<Op>,
    pub(crate) registers: usize,
    /// The same instructions before registers were shared, for lanes; and how many there are.
    pub(crate) unshared: (Vec<Op>, usize),
    pub(crate) tables: Vec<Vec<i64>>,
    pub(crate) layouts: Vec<Layout>,
    /// Programs whose tables are equal have them in common.
    pub(crate) bags: Cow<'static, Bags>,
    pub(crate) pools: Vec<Pool>,
    pub(crate) throws: Option<&'static Throws>,
    pub(crate) code: Code,
    pub(crate) sites: Vec<Site>,
    /// So many of them, the first, are before the first turn.
    pub(crate) setup_sites: usize,
    pub(crate) checks: Vec<Check>,
    /// Variables by number; nothing for those that cannot be shown.
    pub(crate) named: Vec<Option<Named>>,
    pub(crate) told: Vec<Told>,
    pub(crate) counts: Vec<Count>,
    /// The same, where only policies and the cap look at it.
    pub(crate) clocks: Vec<Count>,
    /// The cell of whose turn it is.
    pub(crate) me: Option<Cell>,
    pub(crate) places: Vec<Place>,
    /// The greatest number of every cell.
    pub(crate) highs: Vec<i64>,
    /// The words that the state uses.
    pub(crate) words: usize,
    /// The address of the calculation at the end; it takes the ending and the player.
    pub(crate) measure: u32,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) readings: Vec<Reading>,
    pub(crate) looks: Vec<Look>,
    /// Of what is looked at ahead.
    pub(crate) denominator: i64,
    /// What is looked at ahead, the question from which, and another to the same player that may come before the roll.
    pub(crate) asked_first: Vec<(Span, u32, u32)>,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) endings: Vec<Ending>,
    /// A win of one player alone; a win shared by two is half of it.
    pub(crate) whole_win: i64,
    /// Whether nobody wins where several are first.
    pub(crate) loses_ties: bool,
    /// The cell by whose values positions differ in what they have.
    pub(crate) clock: Option<Cell>,
    pub(crate) stages: Vec<Stage>,
    /// The bits of a state that outlast a turn: of what counts turns, then of each variable.
    pub(crate) lasting: Vec<Mask>,
    /// The names of names, from 1.
    pub(crate) atoms: Vec<String>,
}
