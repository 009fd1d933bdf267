//! Runs a program from one stop to the next, a roll or draw, a question, or the end; or to the end, if its host rolls and
//! answers.

use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{self, Actions, Events, Question, Seat};

use crate::code::{Aside, Halt, HaltForm, Slot, Step, Then, Who};
use crate::host::{Host, Manner, Stops};
use crate::layout::BagOp;
use crate::op::{Bin, Program};
use crate::pool::{Choice, Shown, Throw};
use crate::pure_loop::{Gives, Key, PureLoop};
use crate::row::Bits;
pub(crate) use crate::state::State;
use crate::state::{ENDED, FAILED, ME, MOST_ME, Place, TICKS, WORDS, index};
use crate::watch::Watch;

/// Where a program stops: at a roll, a question, or the end.
pub(crate) type Node = game::Node<State, Throw>;

/// The same, without the state.
type Halted = game::Node<(), Throw>;

/// What a stop gives.
#[derive(Clone, Copy)]
enum Given {
    Answer(u32),
    Shown(Shown),
}

/// Calls a method that is compiled for several numbers of registers, for the least that will do.
macro_rules! with_registers {
    ($program:ident, $run:ident($($given:expr),*)) => {
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

    pub(crate) fn after_start(&self, mut manner: Manner<'_, impl Watch>) -> Node {
        with_registers!(self, run(&State::default(), None, &mut manner))
    }

    /// What follows an answer.
    #[inline]
    pub(crate) fn after_answer(
        &self,
        state: &State,
        action: u32,
        mut manner: Manner<'_, impl Watch>,
    ) -> Node {
        let halts = &self.code.aside.halts;
        let Some(halt) = halts.get(state.stop()) else { return Node::Terminal(*state) };
        // Most answers but roll on.
        if let Some(Step::RollMe(next)) = self.code.steps.get(halt.after(action) as usize)
            && let Some(throw) = next.throw
        {
            let mut state = self.untold(state);
            if !tick(&mut state.0) {
                next.stop(&mut state);
                return Node::Chance(state, place(state.me()), throw);
            }
        }
        with_registers!(self, run(state, Some((halt, Given::Answer(action))), &mut manner))
    }

    /// What follows a roll.
    #[inline]
    pub(crate) fn after_roll(&self, state: &State, shown: Shown, mut manner: Manner<'_, impl Watch>) -> Node {
        let Some(halt) = self.code.aside.halts.get(state.stop()) else { return Node::Terminal(*state) };
        with_registers!(self, run(state, Some((halt, Given::Shown(shown))), &mut manner))
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
        let mut manner = Manner { events, watch, stops: Stops::Open };
        within(with_registers!(self, run(state, Some((halt, Given::Answer(action))), &mut manner)))
    }

    /// What follows a roll, as long as no step is taken that `watch` keeps out.
    pub(crate) fn rolled_within(
        &self,
        state: &State,
        shown: Shown,
        watch: &dyn Watch,
        events: &mut dyn Events,
    ) -> Option<Node> {
        within(self.after_roll(state, shown, Manner { events, watch, stops: Stops::Open }))
    }

    /// A state without what it tells of a question.
    #[inline(always)]
    fn untold(&self, state: &State) -> State {
        let mut state = *state;
        if self.words < WORDS {
            state.0[WORDS - 1] = 0;
        }
        state
    }

    fn run<const N: usize>(&self, from: &State, given: Option<(&Halt, Given)>, host: &mut impl Host) -> Node {
        let (mut state, mut r) = (self.untold(from), [0; N]);
        let at = given.map_or(0, |(halt, given)| self.give(halt, given, &mut r));
        match self.execute(&mut state, at, &mut r, host) {
            Halted::Chance((), seat, throw) => Node::Chance(state, seat, throw),
            Halted::Decision((), question) => Node::Decision(state, question),
            Halted::Terminal(()) => Node::Terminal(state),
        }
    }

    /// Plays on from a node to the end.
    pub(crate) fn play_on(&self, node: Node, host: &mut impl Host) -> State {
        // Few sizes: there is one run a game.
        match self.code.slots {
            0..=256 => self.play_with::<256>(node, host),
            _ => self.play_with::<MOST_REGISTERS>(node, host),
        }
    }

    fn play_with<const N: usize>(&self, node: Node, host: &mut impl Host) -> State {
        let mut state = node.state();
        let given = match node {
            Node::Chance(_, seat, throw) => host.roll(&state, seat, throw).map(Given::Shown),
            Node::Decision(_, of) => host.ask(&state, of).map(|action| Given::Answer(action.index())),
            Node::Terminal(_) => None,
        };
        if let Some(given) = given
            && let Some(halt) = self.code.aside.halts.get(state.stop())
        {
            let mut r = [0; N];
            let at = self.give(halt, given, &mut r);
            state = self.untold(&state);
            let _ = self.execute(&mut state, at, &mut r, host);
        }
        state
    }

    /// Calculates something of a state, from an address.
    #[inline(never)]
    pub(crate) fn calculate(&self, state: &State, at: u32, action: i64, watch: impl Watch) -> i64 {
        let mut manner = Manner { events: &mut (), watch, stops: Stops::Open };
        let mut result = [0];
        with_registers!(self, calculate_with(state, at, &[action], &mut result, &mut manner));
        result[0]
    }

    /// Calculates several numbers from some.
    fn calculate_with<const N: usize>(
        &self,
        state: &State,
        at: u32,
        takes: &[i64],
        gives: &mut [i64],
        host: &mut impl Host,
    ) {
        let (mut state, mut r) = (*state, [0; N]);
        let n = |k: usize| (self.code.io + k) & (N - 1);
        takes.iter().enumerate().for_each(|(k, value)| r[n(k)] = *value);
        let _ = self.execute(&mut state, at, &mut r, host);
        gives.iter_mut().enumerate().for_each(|(k, value)| *value = r[n(k)]);
    }

    /// Sets the registers to what a stop gives; returns where execution goes on.
    #[inline(always)]
    fn give<const N: usize>(&self, halt: &Halt, given: Given, r: &mut [i64; N]) -> u32 {
        match given {
            Given::Answer(action) => {
                r[self.code.io & (N - 1)] = action.into();
                halt.after(action)
            }
            Given::Shown(shown) => {
                if let HaltForm::Roll(choice, ..) = &halt.form {
                    self.show(choice, shown, r);
                }
                halt.resume
            }
        }
    }

    /// The values that a roll gives.
    #[inline(always)]
    fn show<const N: usize>(&self, choice: &Choice, shown: Shown, r: &mut [i64; N]) {
        if let Some(throws) = self.throws {
            throws.shown(choice, shown, |at, value| r[(self.code.io + at) & (N - 1)] = value);
        }
    }

    /// Takes steps from an address on to a stop at which the host does not go on, the end, or a return.
    #[inline(never)]
    fn execute<const N: usize, H: Host>(
        &self,
        state: &mut State,
        at: u32,
        r: &mut [i64; N],
        host: &mut H,
    ) -> Halted {
        let n = |slot: Slot| usize::from(slot) & (N - 1);
        let code = &self.code;
        let aside = &*code.aside;
        let Some(throws) = self.throws else { return Halted::Terminal(()) };
        // In its register, and nowhere else.
        r[N - 1] = state.me().cast_signed();
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
        macro_rules! me {
            () => {
                r[N - 1].cast_unsigned()
            };
        }
        macro_rules! word {
            ($word:expr) => {
                state.0[usize::from(*$word) & (WORDS - 1)]
            };
        }
        macro_rules! put {
            ($word:expr, $shift:expr, $value:expr, $mask:expr) => {{
                let was = word!($word);
                word!($word) = was ^ ($value.cast_unsigned() << ($shift & 63) ^ was) & $mask;
            }};
        }
        macro_rules! bin {
            ($bin:ident, $d:expr, $a:expr, $b:expr) => {
                r![$d] = Bin::$bin.apply(r![$a], $b)
            };
        }
        loop {
            // The steps up to a roll of whose turn it is, to which most answers lead at once.
            let halt: &Halt = 'steps: {
                // The last step is none that execution goes on from.
                while let Some(step) = steps.next() {
                    if host.keeps_out(code.steps.len() - steps.len() - 1) {
                        break;
                    }
                    match step {
                        Step::Const(d, value) => r![d] = *value,
                        Step::Copy(d, a) => r![d] = r![a],
                        Step::Get(d, word, shift, mask) => {
                            r![d] = (word!(word) >> (shift & 63) & mask).cast_signed();
                        }
                        Step::GetLow(d, bits, low) => r![d] = bits.get(&state.0) + i64::from(*low),
                        Step::AddCell(d, a, word, shift, mask) => {
                            r![d] = r![a].wrapping_add((word!(word) >> (shift & 63) & mask).cast_signed());
                        }
                        Step::FromCell(d, bits, k) => r![d] = i64::from(*k) - bits.get(&state.0),
                        Step::At(d, i, row, low) => {
                            r![d] = row.get(&state.0, row.within(r![i])) + i64::from(*low)
                        }
                        Step::AtMe(d, row, low) => r![d] = row.get(&state.0, me!()) + i64::from(*low),
                        Step::FromAtMe(d, row, k) => r![d] = i64::from(*k) - row.get(&state.0, me!()),
                        Step::Wide(d, i, row, low) => {
                            let (row, at) = row.turned(row.within(r![i]));
                            r![d] = row.get(&state.0, at) + i64::from(*low);
                        }
                        Step::Far(d, i, number) => r![d] = far(aside, *number, r![i]).value(&state.0),
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
                        Step::Bits(d, a, shift, mask) => r![d] = r![a] >> (shift & 63) & mask,
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
                        Step::Ones(d, a) => r![d] = r![a].count_ones().into(),
                        Step::Every(d, a, every) => r![d] = every.of(r![a]),
                        Step::Bag(d, op, layout, a, b) => r![d] = self.bag(*op, *layout, r![a], r![b]),
                        Step::Put(word, shift, a, mask) => put!(word, shift, r![a], mask),
                        Step::PutCell(to, from) => {
                            let value = from.get(&state.0);
                            to.put(&mut state.0, value);
                        }
                        Step::PutMin(word, shift, a, b, mask) => put!(word, shift, r![a].min(r![b]), mask),
                        Step::AddUpTo(bits, a, row, k) => {
                            let most = i64::from(*k) - row.get(&state.0, me!());
                            let sum = bits.get(&state.0).wrapping_add(r![a]);
                            bits.put(&mut state.0, sum.min(most));
                        }
                        Step::AddTo(word, shift, a, mask) => {
                            let was = word!(word);
                            let now = was.wrapping_add(r![a].cast_unsigned() << (shift & 63));
                            word!(word) = was ^ (now ^ was) & mask;
                        }
                        Step::AddKTo(word, shift, k, mask) => {
                            let was = word!(word);
                            let now = was.wrapping_add(i64::from(*k).cast_unsigned() << (shift & 63));
                            word!(word) = was ^ (now ^ was) & mask;
                        }
                        Step::PutLow(bits, low, a) => bits.put(&mut state.0, r![a] - i64::from(*low)),
                        Step::PutK(bits, k) => bits.put(&mut state.0, *k),
                        Step::Clear(word, mask) => word!(word) &= mask,
                        Step::PutMe(a) => {
                            let me = r![a].cast_unsigned() & MOST_ME;
                            r[N - 1] = me.cast_signed();
                            state.0[0] = state.0[0] & !(MOST_ME << ME) | me << ME;
                        }
                        Step::PutAt(row, low, i, a) => {
                            row.put(&mut state.0, row.within(r![i]), r![a] - i64::from(*low))
                        }
                        Step::PutAtMe(row, low, a) => row.put(&mut state.0, me!(), r![a] - i64::from(*low)),
                        Step::PutWide(row, low, i, a) => {
                            let (row, at) = row.turned(row.within(r![i]));
                            row.put(&mut state.0, at, r![a] - i64::from(*low));
                        }
                        Step::PutFar(number, i, a) => {
                            let place = far(aside, *number, r![i]);
                            Bits::of(place).put(&mut state.0, r![a] - i64::from(place.low));
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
                        Step::JumpCellEq(bits, k, to) => go!(bits.get(&state.0) == (*k).into(), *to),
                        Step::JumpCellNe(bits, k, to) => go!(bits.get(&state.0) != (*k).into(), *to),
                        Step::JumpCellLt(bits, k, to) => go!(bits.get(&state.0) < (*k).into(), *to),
                        Step::JumpCellGe(bits, k, to) => go!(bits.get(&state.0) >= (*k).into(), *to),
                        Step::Within(a, low, high, check) => {
                            let value = r![a];
                            if value < (*low).into() || value > (*high).into() {
                                return self.failed(state, *check, value);
                            }
                        }
                        Step::Check(a, number) => {
                            if self.fails(*number, r![a]) {
                                return self.failed(state, *number, r![a]);
                            }
                        }
                        Step::Event(event, a) => host.event(index(r![a]), *event),
                        Step::EventMe(event) => host.event(place(me!()), *event),
                        Step::EventOf(event, seat) => host.event((*seat).into(), *event),
                        Step::Events(event, seat, many) => {
                            host.events(index(r![seat]), *event, u32::try_from(r![many]).unwrap_or(0));
                        }
                        Step::Tick(to) => go!(tick(&mut state.0), *to),
                        Step::AskMe(halt, kind, actions) => {
                            if tick(&mut state.0) {
                                go!(halt.capped);
                                continue;
                            }
                            halt.stop(state);
                            let (seat, kind) = (place(me!()), usize::from(*kind));
                            let question = Question { seat, kind, actions: Actions((*actions).into()) };
                            let Some(action) = host.ask(state, question) else {
                                return Halted::Decision((), question);
                            };
                            let action = action.index();
                            r[code.io & (N - 1)] = action.into();
                            // By branches, which are predicted: an address from a table would wait for the answer.
                            if action != 0 {
                                go!(halt.after(action));
                            } else if let Some(halt) = halt.next_roll {
                                break 'steps halt;
                            } else {
                                go!(halt.after(0));
                            }
                        }
                        Step::RollMe(halt) => break 'steps halt,
                        Step::Stop(number) => {
                            let halt = &aside.halts[*number as usize];
                            if halt.capped != u32::MAX && tick(&mut state.0) {
                                go!(halt.capped);
                                continue;
                            }
                            if let Some(halted) = self.stop(*number, state, me!(), r, host) {
                                return halted;
                            }
                            go!(halt.resume);
                        }
                        Step::End(ending) => {
                            state.end(ENDED, *ending);
                            break;
                        }
                        Step::Return => break,
                    }
                }
                return Halted::Terminal(());
            };
            if tick(&mut state.0) {
                go!(halt.capped);
                continue;
            }
            let Some(throw) = halt.throw else { continue };
            if const { H::LOOKS } {
                halt.stop(state);
            }
            let Some(shown) = host.roll(state, place(me!()), throw) else {
                return Halted::Chance((), place(me!()), throw);
            };
            let rolled = throws.value(shown);
            r[code.io & (N - 1)] = rolled;
            let Then { event, cell, face, resume } = &halt.then;
            if let Some(event) = event {
                host.event(place(me!()), *event);
            }
            if let Some((word, shift, mask)) = cell {
                put!(word, shift, rolled, mask);
            }
            go!(*resume);
            go!(rolled == face.0, face.1);
        }
    }

    /// Stops for dice or an answer; goes on with what the host gives, or what is the only one, and after a loop that is
    /// remembered.
    #[inline(never)]
    fn stop<const N: usize>(
        &self,
        number: u32,
        state: &mut State,
        me: u64,
        r: &mut [i64; N],
        host: &mut impl Host,
    ) -> Option<Halted> {
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
                // No dice show nothing.
                let is_open = sum != 0 && host.rolls_all();
                let shown = throw.certain().filter(|_| !is_open).or_else(|| {
                    halt.stop(state);
                    host.roll(state, seat, throw)
                });
                match shown {
                    None => return Some(Halted::Chance((), seat, throw)),
                    Some(shown) => self.show(choice, shown, r),
                }
            }
            HaltForm::Ask(kind, actions) => {
                let actions = match actions {
                    Ok(actions) => *actions,
                    Err(a) => r[n(*a)].cast_unsigned(),
                };
                let mut action = actions.trailing_zeros();
                if actions.count_ones() > 1 || host.asks_all() && actions != 0 {
                    let question = Question { seat, kind: *kind, actions: Actions(actions) };
                    halt.stop(state);
                    match host.ask(state, question) {
                        None => return Some(Halted::Decision((), question)),
                        Some(answer) => action = answer.index(),
                    }
                }
                r[self.code.io & (N - 1)] = action.into();
            }
            HaltForm::Loop(number) => self.repeat(*number, r),
        }
        None
    }

    /// The end of a run by a check, with the number that failed it.
    #[cold]
    #[inline(never)]
    fn failed(&self, state: &mut State, check: u32, number: i64) -> Halted {
        if self.words < WORDS {
            state.0[WORDS - 1] = number.cast_unsigned();
        }
        state.end(FAILED, check);
        Halted::Terminal(())
    }

    /// The metrics that are read from the end, each at its place.
    pub fn measured(&self, end: &State, seat: Seat) -> [i64; 16] {
        let ending = end.ending().and_then(|ending| i64::try_from(ending).ok()).unwrap_or(-1);
        let takes = [ending, i64::try_from(seat).unwrap_or(0)];
        let (mut gives, unheard) = ([0; 16], &mut ());
        let mut manner = Manner::plain(unheard);
        with_registers!(self, calculate_with(end, self.code.measure, &takes, &mut gives, &mut manner));
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
