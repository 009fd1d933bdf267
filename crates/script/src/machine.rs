//! Runs a program from one stop to the next: a roll or draw, a question, or the end.

use stopwise_engine::game::{self, Actions, Events, Question, Seat};

use crate::code::{Aside, HaltForm, Slot, Step, Who};
use crate::layout::BagOp;
use crate::op::{Bin, Program};
use crate::pool::{Choice, Shown, Throw};
use crate::pure_loop::{Gives, Key, PureLoop};
use crate::row::Bits;
pub(crate) use crate::state::State;
use crate::state::{ENDED, FAILED, ME, MOST_ME, Place, TICKS, WORDS, index, me_of};
use crate::watch::Watch;

/// Where a program stops: at a roll, a question, or the end.
pub(crate) type Node = game::Node<State, Throw>;

/// How steps are carried out.
pub(crate) struct Manner<'m, W = ()> {
    /// Who hears of what happens.
    pub(crate) events: &'m mut dyn Events,
    pub(crate) watch: W,
    /// Whether questions with one answer stop as those with several do.
    pub(crate) asks_all: bool,
}

impl<'m> Manner<'m> {
    /// As games are played.
    pub(crate) fn plain(events: &'m mut dyn Events) -> Self {
        Self { events, watch: (), asks_all: false }
    }
}

/// Calls a method that is compiled for several numbers of registers, for the least that will do.
macro_rules! with_registers {
    ($program:ident, $run:ident($($given:ident),*)) => {
        match $program.code.slots {
            0..=16 => $program.$run::<16>($($given),*),
            17..=64 => $program.$run::<64>($($given),*),
            65..=256 => $program.$run::<256>($($given),*),
            _ => $program.$run::<MOST_REGISTERS>($($given),*),
        }
    };
}

impl Program {
    /// The start of the game.
    pub fn first(&self, events: &mut impl Events) -> Node {
        self.after_start(Manner::plain(events))
    }

    /// What follows an answer: the number of an action that is legal in this question.
    #[inline]
    pub fn answered(&self, state: &State, action: u32, events: &mut impl Events) -> Node {
        self.after_answer(state, action, Manner::plain(events))
    }

    /// What follows a roll.
    #[inline]
    pub fn rolled(&self, state: &State, shown: Shown, events: &mut impl Events) -> Node {
        self.after_roll(state, shown, Manner::plain(events))
    }

    pub(crate) fn after_start(&self, manner: Manner<'_, impl Watch>) -> Node {
        self.run(&[0; WORDS], (0, 0), None, manner)
    }

    /// What follows an answer.
    #[inline]
    pub(crate) fn after_answer(&self, state: &State, action: u32, manner: Manner<'_, impl Watch>) -> Node {
        let halts = &self.code.aside.halts;
        let Some(halt) = halts.get(state.stop()) else { return Node::Terminal(*state) };
        // Most answers but roll on.
        if let Some(&number) = halt.next.get(action as usize)
            && let Some(next) = halts.get(number as usize)
            && let Some(throw) = next.throw
        {
            let mut words = state.0;
            if !tick(&mut words) {
                return Node::Chance(State::at(&words, &next.live, number), place(me_of(&words)), throw);
            }
        }
        self.run(&state.0, (halt.resume, action.into()), None, manner)
    }

    /// What follows a roll.
    #[inline]
    pub(crate) fn after_roll(&self, state: &State, shown: Shown, manner: Manner<'_, impl Watch>) -> Node {
        let Some(halt) = self.code.aside.halts.get(state.stop()) else { return Node::Terminal(*state) };
        let HaltForm::Roll(choice, ..) = &halt.form else { return Node::Terminal(*state) };
        let (only, shown) = match self.throws.and_then(|throws| throws.only(choice, shown)) {
            Some(only) => (only, None),
            None => (0, Some((choice, shown))),
        };
        self.run(&state.0, (halt.resume, only), shown, manner)
    }

    /// What follows an answer, as long as no step is taken that `watch` keeps out.
    pub(crate) fn answered_within(
        &self,
        state: &State,
        action: u32,
        watch: &dyn Watch,
        events: &mut dyn Events,
    ) -> Option<Node> {
        let halt = self.code.aside.halts.get(state.stop())?;
        let manner = Manner { events, watch, asks_all: false };
        within(self.run(&state.0, (halt.resume, action.into()), None, manner))
    }

    /// What follows a roll, as long as no step is taken that `watch` keeps out.
    pub(crate) fn rolled_within(
        &self,
        state: &State,
        shown: Shown,
        watch: &dyn Watch,
        events: &mut dyn Events,
    ) -> Option<Node> {
        within(self.after_roll(state, shown, Manner { events, watch, asks_all: false }))
    }

    /// Calculates something of a state, from an address.
    #[inline(never)]
    pub(crate) fn calculate(&self, state: &State, at: u32, action: i64, watch: impl Watch) -> i64 {
        let manner = Manner { events: &mut (), watch, asks_all: false };
        let mut result = [0];
        self.calculate_all(state, at, &[action], &mut result, manner);
        result[0]
    }

    /// Calculates several numbers from some.
    #[inline(always)]
    fn calculate_all(
        &self,
        state: &State,
        at: u32,
        takes: &[i64],
        gives: &mut [i64],
        manner: Manner<'_, impl Watch>,
    ) {
        with_registers!(self, calculate_with(state, at, takes, gives, manner))
    }

    fn calculate_with<const N: usize>(
        &self,
        state: &State,
        at: u32,
        takes: &[i64],
        gives: &mut [i64],
        manner: Manner<'_, impl Watch>,
    ) {
        let (mut words, mut r) = (state.0, [0; N]);
        let n = |k: usize| (self.code.io + k) & (N - 1);
        takes.iter().enumerate().for_each(|(k, value)| r[n(k)] = *value);
        let _ = self.execute(&mut words, at, &mut r, manner);
        gives.iter_mut().enumerate().for_each(|(k, value)| *value = r[n(k)]);
    }

    #[inline(always)]
    fn run(
        &self,
        words: &[u64; WORDS],
        from: (u32, i64),
        shown: Option<(&Choice, Shown)>,
        manner: Manner<'_, impl Watch>,
    ) -> Node {
        with_registers!(self, run_with(words, from, shown, manner))
    }

    #[inline(never)]
    fn run_with<const N: usize>(
        &self,
        words: &[u64; WORDS],
        (at, given): (u32, i64),
        shown: Option<(&Choice, Shown)>,
        manner: Manner<'_, impl Watch>,
    ) -> Node {
        let mut words = *words;
        let mut r = [0; N];
        match shown {
            Some((choice, shown)) => self.show(choice, shown, &mut r),
            None => r[self.code.io & (N - 1)] = given,
        }
        self.execute(&mut words, at, &mut r, manner)
    }

    /// The values that a roll gives.
    fn show<const N: usize>(&self, choice: &Choice, shown: Shown, r: &mut [i64; N]) {
        if let Some(throws) = self.throws {
            throws.shown(choice, shown, |at, value| r[(self.code.io + at) & (N - 1)] = value);
        }
    }

    #[inline(always)]
    fn execute<const N: usize>(
        &self,
        words: &mut [u64; WORDS],
        at: u32,
        r: &mut [i64; N],
        Manner { events, watch, asks_all }: Manner<'_, impl Watch>,
    ) -> Node {
        let n = |slot: Slot| usize::from(slot) & (N - 1);
        let code = &self.code;
        let aside = &*code.aside;
        let mut me = me_of(words);
        let mut steps = code.steps[at as usize..].iter();
        macro_rules! go {
            ($to:expr) => {
                steps = code.steps[$to as usize..].iter()
            };
            ($is:expr, $to:expr) => {
                if $is {
                    steps = code.steps[$to as usize..].iter();
                }
            };
        }
        macro_rules! r {
            ($slot:expr) => {
                r[n(*$slot)]
            };
        }
        macro_rules! bin {
            ($bin:ident, $d:expr, $a:expr, $b:expr) => {
                r![$d] = Bin::$bin.apply(r![$a], $b)
            };
        }
        // The last step is none that execution goes on from.
        while let Some(step) = steps.next() {
            if watch.keeps_out(code.steps.len() - steps.len() - 1) {
                break;
            }
            match step {
                Step::Const(d, value) => r![d] = *value,
                Step::Copy(d, a) => r![d] = r![a],
                Step::Me(d) => r![d] = me.cast_signed(),
                Step::Get(d, bits) => r![d] = bits.get(words),
                Step::GetLow(d, bits, low) => r![d] = bits.get(words) + i64::from(*low),
                Step::At(d, i, row, low) => r![d] = row.get(words, row.within(r![i])) + i64::from(*low),
                Step::AtMe(d, row, low) => r![d] = row.get(words, me) + i64::from(*low),
                Step::Wide(d, i, row, low) => {
                    let (row, at) = row.turned(row.within(r![i]));
                    r![d] = row.get(words, at) + i64::from(*low);
                }
                Step::Far(d, i, number) => r![d] = far(aside, *number, r![i]).value(words),
                Step::Add(d, a, b) => bin!(Add, d, a, r![b]),
                Step::Sub(d, a, b) => bin!(Sub, d, a, r![b]),
                Step::Mul(d, a, b) => bin!(Mul, d, a, r![b]),
                Step::Div(d, a, b) => bin!(Div, d, a, r![b]),
                Step::Rem(d, a, b) => bin!(Rem, d, a, r![b]),
                Step::Min(d, a, b) => bin!(Min, d, a, r![b]),
                Step::Max(d, a, b) => bin!(Max, d, a, r![b]),
                Step::And(d, a, b) => bin!(And, d, a, r![b]),
                Step::Or(d, a, b) => bin!(Or, d, a, r![b]),
                Step::Shl(d, a, b) => bin!(Shl, d, a, r![b]),
                Step::Shr(d, a, b) => bin!(Shr, d, a, r![b]),
                Step::Eq(d, a, b) => bin!(Eq, d, a, r![b]),
                Step::Ne(d, a, b) => bin!(Ne, d, a, r![b]),
                Step::Lt(d, a, b) => bin!(Lt, d, a, r![b]),
                Step::Le(d, a, b) => bin!(Le, d, a, r![b]),
                Step::AddK(d, a, k) => bin!(Add, d, a, *k),
                Step::FromK(d, a, k) => r![d] = Bin::Sub.apply(*k, r![a]),
                Step::MulK(d, a, k) => bin!(Mul, d, a, *k),
                Step::DivK(d, a, k) => bin!(Div, d, a, *k),
                Step::RemK(d, a, k) => bin!(Rem, d, a, *k),
                Step::MinK(d, a, k) => bin!(Min, d, a, *k),
                Step::MaxK(d, a, k) => bin!(Max, d, a, *k),
                Step::AndK(d, a, k) => bin!(And, d, a, *k),
                Step::OrK(d, a, k) => bin!(Or, d, a, *k),
                Step::ShlK(d, a, k) => bin!(Shl, d, a, *k),
                Step::ShrK(d, a, k) => bin!(Shr, d, a, *k),
                Step::EqK(d, a, k) => bin!(Eq, d, a, *k),
                Step::NeK(d, a, k) => bin!(Ne, d, a, *k),
                Step::LtK(d, a, k) => bin!(Lt, d, a, *k),
                Step::GtK(d, a, k) => r![d] = Bin::Lt.apply(*k, r![a]),
                Step::Select(d, c, a, b) => r![d] = if r![c] != 0 { r![a] } else { r![b] },
                Step::SelectK(d, c, a, b) => r![d] = if r![c] != 0 { *a } else { *b }.into(),
                Step::Table(d, i, first, len) => {
                    let at = r![i];
                    let is_in = at.cast_unsigned() < u64::from(*len);
                    r![d] = if is_in { aside.entries[*first as usize + index(at)] } else { 0 };
                }
                Step::Bag(d, op, layout, a, b) => r![d] = self.bag(*op, *layout, r![a], r![b]),
                Step::Put(bits, a) => bits.put(words, r![a]),
                Step::PutLow(bits, low, a) => bits.put(words, r![a] - i64::from(*low)),
                Step::PutK(bits, k) => bits.put(words, *k),
                Step::Clear(word, mask) => words[usize::from(*word) & (WORDS - 1)] &= mask,
                Step::PutMe(a) => {
                    me = r![a].cast_unsigned() & MOST_ME;
                    words[0] = words[0] & !(MOST_ME << ME) | me << ME;
                }
                Step::PutAt(row, low, i, a) => row.put(words, row.within(r![i]), r![a] - i64::from(*low)),
                Step::PutAtMe(row, low, a) => row.put(words, me, r![a] - i64::from(*low)),
                Step::PutWide(row, low, i, a) => {
                    let (row, at) = row.turned(row.within(r![i]));
                    row.put(words, at, r![a] - i64::from(*low));
                }
                Step::PutFar(number, i, a) => {
                    let place = far(aside, *number, r![i]);
                    Bits::of(place).put(words, r![a] - i64::from(place.low));
                }
                Step::Jump(to) => go!(*to),
                Step::JumpIf(a, to) => go!(r![a] != 0, *to),
                Step::JumpUnless(a, to) => go!(r![a] == 0, *to),
                Step::JumpEq(a, b, to) => go!(r![a] == r![b], *to),
                Step::JumpNe(a, b, to) => go!(r![a] != r![b], *to),
                Step::JumpLt(a, b, to) => go!(r![a] < r![b], *to),
                Step::JumpLe(a, b, to) => go!(r![a] <= r![b], *to),
                Step::JumpEqK(a, k, to) => go!(r![a] == (*k).into(), *to),
                Step::JumpNeK(a, k, to) => go!(r![a] != (*k).into(), *to),
                Step::JumpLtK(a, k, to) => go!(r![a] < (*k).into(), *to),
                Step::JumpGeK(a, k, to) => go!(r![a] >= (*k).into(), *to),
                Step::JumpCellEq(bits, k, to) => go!(bits.get(words) == (*k).into(), *to),
                Step::JumpCellNe(bits, k, to) => go!(bits.get(words) != (*k).into(), *to),
                Step::Within(a, low, high, check) => {
                    let value = r![a];
                    if value < (*low).into() || value > (*high).into() {
                        return self.failed(words, *check, value);
                    }
                }
                Step::Check(a, number) => {
                    if self.fails(*number, r![a]) {
                        return self.failed(words, *number, r![a]);
                    }
                }
                Step::Event(event, a) => events.event(index(r![a]), *event),
                Step::EventMe(event) => events.event(place(me), *event),
                Step::EventOf(event, seat) => events.event((*seat).into(), *event),
                Step::Events(event, seat, many) => {
                    events.events(index(r![seat]), *event, u32::try_from(r![many]).unwrap_or(0));
                }
                Step::Tick(to) => go!(tick(words), *to),
                Step::AskMe(number, actions) => {
                    let halt = &aside.halts[*number as usize];
                    if tick(words) {
                        go!(halt.capped);
                        continue;
                    }
                    let HaltForm::Ask(kind, _) = halt.form else { continue };
                    let state = State::at(words, &halt.live, *number);
                    let question = Question { seat: place(me), kind, actions: Actions((*actions).into()) };
                    return Node::Decision(state, question);
                }
                Step::RollMe(number) => {
                    let halt = &aside.halts[*number as usize];
                    if tick(words) {
                        go!(halt.capped);
                        continue;
                    }
                    let Some(throw) = halt.throw else { continue };
                    return Node::Chance(State::at(words, &halt.live, *number), place(me), throw);
                }
                Step::Stop(number) => {
                    let halt = &aside.halts[*number as usize];
                    if halt.capped != u32::MAX && tick(words) {
                        go!(halt.capped);
                        continue;
                    }
                    if let Some(node) = self.stop(*number, words, me, r, asks_all) {
                        return node;
                    }
                    go!(halt.resume);
                }
                Step::End(ending) => return Node::Terminal(State::over(words, ENDED, *ending)),
                Step::Return => break,
            }
        }
        Node::Terminal(State(*words))
    }

    /// Stops for dice or an answer; or, where there is only one, goes on with what it gives, as after a loop that is remembered.
    #[inline(never)]
    fn stop<const N: usize>(
        &self,
        number: u32,
        words: &[u64; WORDS],
        me: u64,
        r: &mut [i64; N],
        asks_all: bool,
    ) -> Option<Node> {
        let halt = &self.code.aside.halts[number as usize];
        let n = |slot: Slot| usize::from(slot) & (N - 1);
        let seat = match halt.who {
            Who::Me => place(me),
            Who::Seat(seat) => seat.into(),
            Who::Slot(a) => index(r[n(a)]),
        };
        match &halt.form {
            HaltForm::Roll(choice, sum, slots) => {
                let sum = slots.iter().fold(*sum, |sum, (a, step)| sum + r[n(*a)] * step);
                let throw = self.throws?.throw(choice, sum);
                match throw.certain() {
                    None => return Some(Node::Chance(State::at(words, &halt.live, number), seat, throw)),
                    Some(shown) => self.show(choice, shown, r),
                }
            }
            HaltForm::Ask(kind, actions) => {
                let actions = match actions {
                    Ok(actions) => *actions,
                    Err(a) => r[n(*a)].cast_unsigned(),
                };
                if actions.count_ones() > 1 || asks_all && actions != 0 {
                    let question = Question { seat, kind: *kind, actions: Actions(actions) };
                    return Some(Node::Decision(State::at(words, &halt.live, number), question));
                }
                r[self.code.io & (N - 1)] = actions.trailing_zeros().into();
            }
            HaltForm::Loop(number) => self.repeat(*number, r),
        }
        None
    }

    /// The end of a run by a check, with the number that failed it.
    #[cold]
    #[inline(never)]
    fn failed(&self, words: &[u64; WORDS], check: u32, number: i64) -> Node {
        let mut words = *words;
        if self.words < WORDS {
            words[WORDS - 1] = number.cast_unsigned();
        }
        Node::Terminal(State::over(&words, FAILED, check))
    }

    /// The metrics that are read from the end, each at its place.
    pub fn measured(&self, end: &State, seat: Seat) -> [i64; 16] {
        let ending = end.ending().and_then(|ending| i64::try_from(ending).ok()).unwrap_or(-1);
        let takes = [ending, i64::try_from(seat).unwrap_or(0)];
        let mut gives = [0; 16];
        self.calculate_all(end, self.code.measure, &takes, &mut gives, Manner::plain(&mut ()));
        gives
    }

    /// Carries out a loop that only calculates, where it is not known what it comes to.
    #[cold]
    #[inline(never)]
    fn repeat<const N: usize>(&self, number: usize, r: &mut [i64; N]) {
        let repeat = &self.code.aside.repeats[number];
        repeat.set(r, |key| self.looped(&repeat.of_one, key));
    }

    /// What a loop that only calculates comes to.
    pub(crate) fn looped(&self, of_one: &PureLoop, key: &Key) -> Gives {
        of_one.result(key, &self.tables, |op, layout, a, b| self.bag(op, layout, a, b))
    }

    #[inline(never)]
    fn fails(&self, number: u32, value: i64) -> bool {
        let check = &self.checks[number as usize];
        value < check.low || value > check.high
    }

    #[inline(never)]
    pub(crate) fn bag(&self, op: BagOp, number: u16, a: i64, b: i64) -> i64 {
        let layout = &self.layouts[usize::from(number)];
        match op {
            BagOp::Size => layout.size(a),
            BagOp::Sum => layout.sum(a),
            BagOp::Highest => layout.highest(a),
            BagOp::Lowest => layout.lowest(a),
            BagOp::Alike => layout.alike(a),
            BagOp::Distinct => layout.distinct(a),
            BagOp::Run => layout.run(a),
            BagOp::Count => layout.count(a, b),
            BagOp::Minus => layout.minus(a, b),
            BagOp::Within => layout.is_within(a, b).into(),
            BagOp::Worth => self.bags.worth(number, a),
            BagOp::Parts => self.bags.parts(number, a),
            BagOp::Part => self.bags.part(number, a, b),
            BagOp::Pairing => match self.bags.pairing(number, a, b) {
                Some(pairing) => pairing,
                None => layout.pairing(a, b),
            },
            BagOp::Known(table) => self.bags.known(table, a),
            BagOp::Dice(dice) => layout.dice(a, b, &self.layouts[usize::from(dice)]),
            BagOp::Into(other) => layout.into(a, &self.layouts[usize::from(other)]),
        }
    }
}

/// A node that a run came to before any step was kept out.
fn within(node: Node) -> Option<Node> {
    (!matches!(node, Node::Terminal(_))).then_some(node)
}

/// Counts a stop; whether it is one too many.
#[inline(always)]
fn tick(words: &mut [u64; WORDS]) -> bool {
    words[0] = words[0].wrapping_add(1 << TICKS);
    words[0] >> TICKS >= MOST_STOPS
}

/// An element of cells that are not side by side; the last is taken for what is outside.
#[inline(never)]
fn far(aside: &Aside, number: u32, at: i64) -> Place {
    let places = &aside.far[number as usize];
    places[index(at).min(places.len() - 1)]
}

#[inline(always)]
fn place(seat: u64) -> usize {
    index(seat.cast_signed())
}

/// The most registers of a program: a power of two.
pub(crate) const MOST_REGISTERS: usize = 4096;
/// The rolls and answers of a turn after which a game is capped.
pub(crate) const MOST_STOPS: u64 = 100_000;
