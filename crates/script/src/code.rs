//! Executable code: what a program is turned into for the run of one game at a time.
//!
//! One number, the accumulator, is what most steps change; others wait in registers. The values that a stop gives are the
//! accumulator and the registers from [`Code::io`] on.

use stopwise_engine::game::Event;

use crate::layout::BagOp;
use crate::mask::Mask;
use crate::pool::{Choice, Throw, Throws};
use crate::repeat::Repeat;
use crate::row::{Bits, Row};
use crate::state::{Place, WORDS};

/// The number of a register.
pub(crate) type Slot = u16;

/// A step. `acc` is the accumulator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    // acc = …
    Const(i64),
    Slot(Slot),
    /// Whose turn it is.
    Me,
    Get(Bits),
    GetLow(Bits, i32),
    /// An element of a row of cells: acc is its index.
    At(Row, i32),
    /// The element of whose turn it is.
    AtMe(Row, i32),
    /// An element of a row that goes on in the next words: acc is its index.
    Wide(Row, i32),
    /// An element of cells that are not side by side: acc is its index.
    Far(u32),
    // acc = acc … a register
    Add(Slot),
    /// A cell.
    AddGet(Bits, i32),
    Sub(Slot),
    /// The register minus acc.
    From(Slot),
    Mul(Slot),
    Min(Slot),
    Max(Slot),
    And(Slot),
    Or(Slot),
    Shl(Slot),
    Shr(Slot),
    Div(Slot),
    Rem(Slot),
    Eq(Slot),
    Ne(Slot),
    Lt(Slot),
    Le(Slot),
    Gt(Slot),
    Ge(Slot),
    // acc = acc … a number
    AddK(i64),
    FromK(i64),
    MulK(i64),
    MinK(i64),
    MaxK(i64),
    AndK(i64),
    OrK(i64),
    ShlK(u8),
    ShrK(u8),
    DivK(i64),
    RemK(i64),
    EqK(i64),
    NeK(i64),
    LtK(i64),
    GtK(i64),
    /// The second register if acc is not 0, else the third.
    Select(Slot, Slot),
    SelectK(i32, i32),
    /// An entry of a table of so many from a place on; 0 outside of it.
    Table(u32, u32),
    /// Of the bag acc, and a register.
    Bag(BagOp, u16, Slot),
    // acc stays
    Keep(Slot),
    Put(Bits),
    PutLow(Bits, i32),
    /// Sets bits to 0.
    Clear(u8, u64),
    /// Sets whose turn it is.
    PutMe,
    /// Sets an element: the register is its index.
    PutAt(Row, i32, Slot),
    PutAtMe(Row, i32),
    PutWide(Row, i32, Slot),
    PutFar(u32, Slot),
    Jump(u32),
    JumpIf(u32),
    JumpUnless(u32),
    JumpEq(Slot, u32),
    JumpNe(Slot, u32),
    JumpLt(Slot, u32),
    JumpGe(Slot, u32),
    JumpLe(Slot, u32),
    JumpGt(Slot, u32),
    JumpEqK(i32, u32),
    JumpNeK(i32, u32),
    JumpLtK(i32, u32),
    JumpGeK(i32, u32),
    /// Ends the run with the check unless acc is within limits.
    Within(i32, i32, u32),
    Check(u32),
    /// An event of the player acc, of whose turn it is, or of one player.
    Event(Event),
    EventMe(Event),
    EventOf(Event, u8),
    /// As many of the player in the register as acc says.
    Events(Event, Slot),
    /// Counts a stop; jumps at the last.
    Tick(u32),
    /// Hands acc over.
    Give(Slot),
    /// Stops for dice or an answer, whatever is known of it.
    Stop(u32),
    /// Stops for an event of whose turn it is, which is the only one here.
    RollMe(u32),
    /// Stops for an answer of whose turn it is, with the legal actions as bits.
    AskMe(u32, u32),
    End(u32),
    Return,
}

/// Who plays at a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Me,
    Seat(u8),
    Slot(Slot),
}

/// What a stop needs.
#[derive(Clone, Debug)]
pub(crate) struct Halt {
    pub(crate) who: Who,
    /// Where execution goes on.
    pub(crate) resume: u32,
    /// Where it goes on if this is one stop too many; `u32::MAX` if it is not counted.
    pub(crate) capped: u32,
    /// The bits of a state that anything may still read.
    pub(crate) live: Mask,
    pub(crate) form: HaltForm,
    /// The event, where it is the only one and not certain.
    pub(crate) throw: Option<Throw>,
    /// The stop to which no and yes lead if that is all that they do; `u32::MAX` if it is not.
    pub(crate) next: [u32; 2],
}

impl Halt {
    /// With what is known at first.
    pub(crate) fn new(form: HaltForm, live: Mask) -> Self {
        let (who, resume, capped) = (Who::Seat(0), 0, u32::MAX);
        Self { who, resume, capped, live, form, throw: None, next: [u32::MAX; 2] }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum HaltForm {
    /// The event is this number, and every register times its step.
    Roll(Choice, i64, Vec<(Slot, i64)>),
    /// A question of a kind, and the legal actions as bits, if they are known.
    Ask(usize, Result<u64, Slot>),
    /// None: one of the loops that are remembered is carried out.
    Loop(usize),
}

/// How a reading is found at a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    /// The element of whose turn it is, times a number, and another. A cell is a row without steps.
    Row(Row, i32, i32),
    Code(u32),
    /// What is looked at ahead.
    Ahead(u32),
}

impl Source {
    /// A number that is known.
    pub(crate) fn fixed(number: i64) -> Self {
        let first = Bits { word: 0, shift: 0, up: 0, down: 0 };
        let number = number.clamp(i32::MIN.into(), i32::MAX.into());
        Self::Row(Row { first, step: 0, len: 1 }, 0, i32::try_from(number).unwrap_or(0))
    }
}

/// Says which steps are not taken.
pub(crate) trait Watch: Copy {
    /// Whether the run ends before a step.
    fn keeps_out(self, step: usize) -> bool;
}

/// All are taken.
impl Watch for () {
    #[inline(always)]
    fn keeps_out(self, _: usize) -> bool {
        false
    }
}

/// The code of a program.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) steps: Vec<Step>,
    /// The first register of what stops give, and the number of registers.
    pub(crate) io: usize,
    pub(crate) slots: usize,
    pub(crate) measure: u32,
    /// By reading, then by stop.
    pub(crate) sources: Vec<Vec<Source>>,
    /// Apart, so that a run does not begin with loading what few of its steps need.
    pub(crate) aside: Box<Aside>,
}

/// What some steps need.
#[derive(Debug, Default)]
pub(crate) struct Aside {
    pub(crate) halts: Vec<Halt>,
    /// Cells that are elements, but not side by side.
    pub(crate) far: Vec<Vec<Place>>,
    /// The entries of all tables.
    pub(crate) entries: Vec<i64>,
    /// Loops that are remembered.
    pub(crate) repeats: Vec<Repeat>,
}

impl Code {
    /// The roll to which an answer leads if that is all that it does.
    fn next(&self, mut at: u32, answer: i64) -> u32 {
        for _ in 0..8 {
            at = match self.steps.get(at as usize) {
                Some(Step::Jump(to)) => *to,
                Some(Step::JumpIf(to)) if answer != 0 => *to,
                Some(Step::JumpUnless(to)) if answer == 0 => *to,
                Some(Step::JumpEqK(k, to)) if answer == (*k).into() => *to,
                Some(Step::JumpNeK(k, to)) if answer != (*k).into() => *to,
                Some(Step::JumpIf(_) | Step::JumpUnless(_) | Step::JumpEqK(..) | Step::JumpNeK(..)) => at + 1,
                Some(Step::RollMe(number)) => return *number,
                _ => break,
            };
        }
        u32::MAX
    }

    /// The bits of a state that a step reads or changes, but for the number of the stop and whose turn it is.
    pub(crate) fn touched(&self, step: &Step) -> Mask {
        match step {
            Step::Get(bits)
            | Step::GetLow(bits, _)
            | Step::AddGet(bits, _)
            | Step::Put(bits)
            | Step::PutLow(bits, _) => bits.mask(0),
            Step::At(row, _)
            | Step::AtMe(row, _)
            | Step::Wide(row, _)
            | Step::PutAt(row, ..)
            | Step::PutAtMe(row, _)
            | Step::PutWide(row, ..) => row.mask(),
            Step::Far(number) | Step::PutFar(number, _) => {
                self.aside.far[*number as usize].iter().map(|place| Mask::from(*place)).collect()
            }
            Step::Clear(word, mask) => {
                let mut words = [0; WORDS];
                words[usize::from(*word) & (WORDS - 1)] = !mask;
                Mask(words)
            }
            _ => Mask::default(),
        }
    }

    /// Finds the events of stops that have only one.
    pub(crate) fn settle(&mut self, throws: &'static Throws) {
        for halt in &mut self.aside.halts {
            if let HaltForm::Roll(choice, sum, slots) = &halt.form
                && slots.is_empty()
            {
                let throw = throws.throw(choice, *sum);
                halt.throw = throw.certain().is_none().then_some(throw);
            }
        }
        for step in &mut self.steps {
            if let Step::RollMe(number) = *step
                && self.aside.halts[number as usize].throw.is_none()
            {
                *step = Step::Stop(number);
            }
        }
        for at in 0..self.aside.halts.len() {
            let resume = self.aside.halts[at].resume;
            if matches!(self.aside.halts[at].form, HaltForm::Ask(..)) {
                self.aside.halts[at].next = [0, 1].map(|answer| self.next(resume, answer));
            }
        }
    }
}
