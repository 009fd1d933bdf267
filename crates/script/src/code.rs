//! Executable code: what a program is turned into for the run of one game at a time.
//!
//! Steps read registers and write one. What a stop gives, an answer or the values of a roll, is in the registers from
//! [`Code::io`] on.

use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::Event;

use crate::every::Every;
use crate::layout::BagOp;
use crate::mask::Mask;
use crate::pool::{Choice, Throw, Throws};
use crate::repeat::Repeat;
use crate::row::{Bits, Row};
use crate::state::{Place, State, WORDS};

/// The number of a register.
pub(crate) type Slot = u16;

/// The last register, however many there are: it holds whose turn it is.
pub(crate) const ME_SLOT: Slot = Slot::MAX;

/// A step: 16 bytes. The first register is the one that is written, if any is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Const(Slot, i64),
    Copy(Slot, Slot),
    /// The cell in these bits of a word.
    Get(Slot, u8, u8, u64),
    /// A cell and a number.
    GetLow(Slot, Bits, i32),
    /// A register and a cell.
    AddCell(Slot, Slot, u8, u8, u64),
    /// A number minus a cell.
    FromCell(Slot, Bits, i32),
    /// An element of a row of cells: the second register is its index.
    At(Slot, Slot, Row, i32),
    /// The element of whose turn it is, and a number minus that.
    AtMe(Slot, Row, i32),
    FromAtMe(Slot, Row, i32),
    /// An element of a row that goes on in the next words, and of cells that are not side by side.
    Wide(Slot, Slot, Row, i32),
    Far(Slot, Slot, u32),
    // Of two registers.
    Add(Slot, Slot, Slot),
    Sub(Slot, Slot, Slot),
    Mul(Slot, Slot, Slot),
    Div(Slot, Slot, Slot),
    Rem(Slot, Slot, Slot),
    Min(Slot, Slot, Slot),
    Max(Slot, Slot, Slot),
    And(Slot, Slot, Slot),
    Or(Slot, Slot, Slot),
    Shl(Slot, Slot, Slot),
    Shr(Slot, Slot, Slot),
    Eq(Slot, Slot, Slot),
    Ne(Slot, Slot, Slot),
    Lt(Slot, Slot, Slot),
    Le(Slot, Slot, Slot),
    // Of a register and a number.
    AddK(Slot, Slot, i64),
    /// The number minus the register.
    FromK(Slot, Slot, i64),
    MulK(Slot, Slot, i64),
    DivK(Slot, Slot, i64),
    RemK(Slot, Slot, i64),
    MinK(Slot, Slot, i64),
    MaxK(Slot, Slot, i64),
    AndK(Slot, Slot, i64),
    /// These bits of a register, from the place of the third on.
    Bits(Slot, Slot, u8, i64),
    OrK(Slot, Slot, i64),
    ShlK(Slot, Slot, i64),
    ShrK(Slot, Slot, i64),
    EqK(Slot, Slot, i64),
    NeK(Slot, Slot, i64),
    LtK(Slot, Slot, i64),
    GtK(Slot, Slot, i64),
    /// The third if the second is not 0, else the last.
    Select(Slot, Slot, Slot, Slot),
    SelectK(Slot, Slot, i32, i32),
    /// An entry of a table of so many from a place on; 0 outside of it.
    Table(Slot, Slot, u32, u32),
    /// Bits at equal distances, side by side.
    Every(Slot, Slot, Every),
    /// How many bits are 1.
    Ones(Slot, Slot),
    /// Of a bag, and another number.
    Bag(Slot, BagOp, u16, Slot, Slot),
    /// Sets the cell in these bits of a word.
    Put(u8, u8, Slot, u64),
    /// To another cell.
    PutCell(Bits, Bits),
    /// To the lesser of two.
    PutMin(u8, u8, Slot, Slot, u64),
    /// Adds a register to a cell, up to a number minus the element of whose turn it is. A cell is a row without steps.
    AddUpTo(Bits, Slot, Row, i32),
    /// Adds a register, or a number, to a cell in these bits of a word.
    AddTo(u8, u8, Slot, u64),
    AddKTo(u8, u8, i16, u64),
    PutLow(Bits, i32, Slot),
    PutK(Bits, i64),
    /// Sets bits to 0.
    Clear(u8, u64),
    /// Sets whose turn it is.
    PutMe(Slot),
    /// Sets an element: the first register is its index.
    PutAt(Row, i32, Slot, Slot),
    PutAtMe(Row, i32, Slot),
    PutWide(Row, i32, Slot, Slot),
    PutFar(u32, Slot, Slot),
    Jump(u32),
    JumpIf(Slot, u32),
    JumpUnless(Slot, u32),
    JumpEq(Slot, Slot, u32),
    JumpNe(Slot, Slot, u32),
    JumpLt(Slot, Slot, u32),
    JumpLe(Slot, Slot, u32),
    JumpEqK(Slot, i32, u32),
    JumpNeK(Slot, i32, u32),
    JumpLtK(Slot, i32, u32),
    JumpGeK(Slot, i32, u32),
    // If a cell and a number compare so.
    JumpCellEq(Bits, i32, u32),
    JumpCellNe(Bits, i32, u32),
    JumpCellLt(Bits, i32, u32),
    JumpCellGe(Bits, i32, u32),
    /// Ends the run with the check unless the register is within limits.
    Within(Slot, i32, i32, u32),
    Check(Slot, u32),
    /// An event of the player in a register, of whose turn it is, or of one player.
    Event(Event, Slot),
    EventMe(Event),
    EventOf(Event, u8),
    /// Of the player in the first register, as many as the second says.
    Events(Event, Slot, Slot),
    /// Counts a stop; jumps at the last.
    Tick(u32),
    /// Stops for dice or an answer, whatever is known of it.
    Stop(u32),
    /// Stops for a tabulated event of whose turn it is, of one part, which is the only one here.
    RollMe(&'static Halt),
    /// Stops for an answer of whose turn it is to a kind of question, with the legal actions as bits.
    AskMe(&'static Halt, u8, u32),
    End(u32),
    /// Ends a calculation.
    Return,
}

impl Step {
    /// Where it may jump to.
    pub(crate) fn target(&mut self) -> Option<&mut u32> {
        match self {
            Self::Jump(to)
            | Self::Tick(to)
            | Self::JumpIf(_, to)
            | Self::JumpUnless(_, to)
            | Self::JumpEq(_, _, to)
            | Self::JumpNe(_, _, to)
            | Self::JumpLt(_, _, to)
            | Self::JumpLe(_, _, to)
            | Self::JumpEqK(_, _, to)
            | Self::JumpNeK(_, _, to)
            | Self::JumpLtK(_, _, to)
            | Self::JumpGeK(_, _, to)
            | Self::JumpCellEq(_, _, to)
            | Self::JumpCellNe(_, _, to)
            | Self::JumpCellLt(_, _, to)
            | Self::JumpCellGe(_, _, to) => Some(to),
            _ => None,
        }
    }
}

/// Who plays at a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Me,
    Seat(u8),
    Slot(Slot),
}

/// What comes at once after a roll, and where execution goes on then.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Then {
    /// An event of who rolls.
    pub(crate) event: Option<Event>,
    /// The cell that is set to what was rolled: word, shift and bits.
    pub(crate) cell: Option<(u8, u8, u64)>,
    /// A number that leads elsewhere, and where.
    pub(crate) face: (i64, u32),
    pub(crate) resume: u32,
}

/// What a stop needs.
#[derive(Clone, Debug)]
pub(crate) struct Halt {
    pub(crate) number: u32,
    pub(crate) who: Who,
    /// Where execution goes on.
    pub(crate) resume: u32,
    /// Where it goes on if this is one stop too many; `u32::MAX` if it is not counted.
    pub(crate) capped: u32,
    /// The bits of a state that anything may still read.
    pub(crate) live: Mask,
    /// The same of the words after the second in which not all may be.
    pub(crate) others: Vec<(u8, u64)>,
    pub(crate) form: HaltForm,
    /// The event, where it is the only one and not certain.
    pub(crate) throw: Option<Throw>,
    /// What comes after a roll.
    pub(crate) then: Then,
    /// Where it goes on after no and yes, past what depends on nothing else.
    answered: [u32; 2],
    /// The roll that comes at once after no.
    pub(crate) next_roll: Option<&'static Halt>,
}

impl Halt {
    /// With what is known at first.
    pub(crate) fn new(form: HaltForm, live: Mask) -> Self {
        let (who, resume, capped) = (Who::Seat(0), 0, u32::MAX);
        let (others, then) = (Vec::new(), Then::default());
        let (number, throw, answered, next_roll) = (0, None, [0; 2], None);
        Self { number, who, resume, capped, live, others, form, throw, then, answered, next_roll }
    }

    /// A state comes to it: what nothing reads any more is zero.
    #[inline(always)]
    pub(crate) fn stop(&self, state: &mut State) {
        state.0[0] = state.0[0] & self.live.0[0] | u64::from(self.number);
        state.0[1] &= self.live.0[1];
        for (word, live) in &self.others {
            state.0[usize::from(*word) & (WORDS - 1)] &= live;
        }
    }

    /// Where execution goes on after an answer.
    #[inline(always)]
    pub(crate) fn after(&self, action: u32) -> u32 {
        self.answered.get(action as usize).copied().unwrap_or(self.resume)
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
    /// A cell, and a number.
    Cell(Bits, i32),
    /// The element of whose turn it is, times a number, and another. A cell is a row without steps.
    Row(Row, i32, i32),
    Code(u32),
    /// What is looked at ahead.
    Ahead(u32),
}

impl Source {
    /// The number, if it takes no code.
    #[inline(always)]
    pub(crate) fn at_once(&self, state: &State) -> Option<i64> {
        match self {
            Self::Cell(bits, more) => Some(bits.get(&state.0) + i64::from(*more)),
            Self::Row(row, factor, more) => {
                Some(row.get(&state.0, state.me()) * i64::from(*factor) + i64::from(*more))
            }
            Self::Code(_) | Self::Ahead(_) => None,
        }
    }

    /// A number that is known.
    pub(crate) fn fixed(number: i64) -> Self {
        let first = Bits { word: 0, shift: 0, more: 0 };
        let number = number.clamp(i32::MIN.into(), i32::MAX.into());
        Self::Row(Row { first, step: 0, len: 1 }, 0, i32::try_from(number).unwrap_or(0))
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
    /// The same for all candidates at once: the address of the code that finds it.
    pub(crate) masks: Vec<Vec<Option<u32>>>,
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
    /// Step by step, whether a bust may come from it on before the next roll; nothing where nobody looks ahead.
    pub(crate) perils: Vec<bool>,
}

impl Code {
    /// Where execution gets to from an address by steps that only an answer decides.
    fn led(&self, mut at: u32, answer: i64) -> u32 {
        let is_answer = |slot: Slot| usize::from(slot) == self.io;
        for _ in 0..8 {
            let (jumps, to) = match self.steps[at as usize] {
                Step::Jump(to) => (true, to),
                Step::JumpIf(a, to) if is_answer(a) => (answer != 0, to),
                Step::JumpUnless(a, to) if is_answer(a) => (answer == 0, to),
                Step::JumpEqK(a, k, to) if is_answer(a) => (answer == k.into(), to),
                Step::JumpNeK(a, k, to) if is_answer(a) => (answer != k.into(), to),
                _ => break,
            };
            at = if jumps { to } else { at + 1 };
        }
        at
    }

    /// What comes after a roll from an address on.
    fn then(&self, resume: u32) -> Then {
        let mut then = Then { resume, ..Then::default() };
        if let Step::EventMe(event) = self.steps[then.resume as usize] {
            then.event = Some(event);
            then.resume += 1;
        }
        if let Step::Put(word, shift, a, mask) = self.steps[then.resume as usize]
            && usize::from(a) == self.io
        {
            then.cell = Some((word, shift, mask));
            then.resume += 1;
        }
        then.face.1 = then.resume;
        if let Step::JumpEqK(a, k, to) = self.steps[then.resume as usize]
            && usize::from(a) == self.io
        {
            then.face = (k.into(), to);
            then.resume += 1;
        }
        then
    }

    /// The bits of a state that a step reads or changes, but for the number of the stop and whose turn it is.
    pub(crate) fn touched(&self, step: &Step) -> Mask {
        let of_word = |word: u8, mask: u64| {
            let mut words = [0; WORDS];
            words[usize::from(word) & (WORDS - 1)] = mask;
            Mask(words)
        };
        match step {
            Step::Get(_, word, shift, mask) | Step::AddCell(_, _, word, shift, mask) => {
                of_word(*word, mask << (shift & 63))
            }
            Step::PutMin(word, _, _, _, mask) => of_word(*word, *mask),
            Step::Put(word, _, _, mask) | Step::AddTo(word, _, _, mask) | Step::AddKTo(word, _, _, mask) => {
                of_word(*word, *mask)
            }
            Step::GetLow(_, bits, _)
            | Step::FromCell(_, bits, _)
            | Step::JumpCellEq(bits, ..)
            | Step::JumpCellNe(bits, ..)
            | Step::JumpCellLt(bits, ..)
            | Step::JumpCellGe(bits, ..)
            | Step::PutLow(bits, ..)
            | Step::PutK(bits, _) => bits.mask(0),
            Step::PutCell(to, from) => to.mask(0) | from.mask(0),
            Step::AddUpTo(bits, _, row, _) => bits.mask(0) | row.mask(),
            Step::At(_, _, row, _)
            | Step::AtMe(_, row, _)
            | Step::FromAtMe(_, row, _)
            | Step::Wide(_, _, row, _)
            | Step::PutAt(row, ..)
            | Step::PutAtMe(row, ..)
            | Step::PutWide(row, ..) => row.mask(),
            Step::Far(_, _, number) | Step::PutFar(number, ..) => {
                self.aside.far[*number as usize].iter().map(|place| Mask::from(*place)).collect()
            }
            Step::Clear(word, mask) => of_word(*word, !mask),
            _ => Mask::default(),
        }
    }

    /// The bits of a state that a step reads: not those that it only sets.
    pub(crate) fn read(&self, step: &Step) -> Mask {
        match step {
            Step::Put(..)
            | Step::PutMin(..)
            | Step::PutLow(..)
            | Step::PutK(..)
            | Step::PutAt(..)
            | Step::PutAtMe(..)
            | Step::PutWide(..)
            | Step::PutFar(..)
            | Step::Clear(..) => Mask::default(),
            step => self.touched(step),
        }
    }

    /// Finds the events of stops that have only one, and the words that stops change.
    pub(crate) fn settle(&mut self, throws: &'static Throws) {
        let used: Mask = self.steps.iter().map(|step| self.touched(step)).collect();
        for (number, halt) in (0..).zip(&mut self.aside.halts) {
            halt.number = number;
            let live = (0_u8..).zip(halt.live.0).skip(2);
            halt.others = live.filter(|(word, live)| used.0[usize::from(*word)] & !live != 0).collect();
            if let HaltForm::Roll(choice, sum, slots) = &halt.form
                && slots.is_empty()
            {
                let throw = throws.throw(choice, *sum);
                halt.throw = throw.certain().is_none().then_some(throw);
            }
        }
        for at in 0..self.aside.halts.len() {
            let resume = self.aside.halts[at].resume;
            self.aside.halts[at].answered = [0, 1].map(|answer| self.led(resume, answer));
            self.aside.halts[at].then = self.then(resume);
        }
        // Rolls before the questions that lead to them.
        for own in [Self::own_roll, Self::own_question] {
            for at in 0..self.steps.len() {
                if let Step::Stop(number) = self.steps[at] {
                    let halt = &self.aside.halts[number as usize];
                    let is_own = halt.who == Who::Me && halt.capped != u32::MAX;
                    self.steps[at] = is_own.then(|| own(self, halt)).flatten().unwrap_or(self.steps[at]);
                }
            }
        }
    }

    /// The step of a roll of whose turn it is, if no more is to be found when it is made.
    fn own_roll(&self, halt: &Halt) -> Option<Step> {
        let is_one = matches!(&halt.form, HaltForm::Roll(choice, ..) if choice.is_one());
        (is_one && halt.throw.is_some()).then(|| Step::RollMe(Box::leak(Box::new(halt.clone()))))
    }

    /// The same of a question that is always asked, always with the same actions.
    fn own_question(&self, halt: &Halt) -> Option<Step> {
        let HaltForm::Ask(kind, Ok(actions)) = &halt.form else { return None };
        let (kind, actions) = (u8::try_from(*kind).ok()?, u32::try_from(*actions).ok()?);
        let next_roll = match self.steps[halt.after(0) as usize] {
            Step::RollMe(next) => Some(next),
            _ => None,
        };
        let halt = Box::new(Halt { next_roll, ..halt.clone() });
        (actions.count_ones() > 1).then(|| Step::AskMe(Box::leak(halt), kind, actions))
    }
}
