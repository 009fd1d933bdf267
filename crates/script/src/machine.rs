//! Runs a program from one stop to the next: a roll or draw, a question, or the end.

use stopwise_engine::game::{self, Actions, Events, Question, Seat};

use crate::code::{Aside, HaltForm, Slot, Step, Watch, Who};
use crate::layout::BagOp;
use crate::op::{Bin, Program};
use crate::pool::{Choice, Shown, Throw};
use crate::pure_loop::{Gives, Key, PureLoop};
use crate::row::Bits;
use crate::script::Script;
pub(crate) use crate::state::State;
use crate::state::{ENDED, FAILED, ME, MOST_ME, Place, TICKS, WORDS, index, me_of};

/// What a program comes to, as the game has it that is made of it.
pub(crate) type Node = game::Node<Script>;

/// Why a program stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Chance answers, from the words of this player.
    Roll(Seat, Throw),
    /// A player answers a question of this kind; the actions are bits.
    Ask(Seat, usize, u64),
    /// The game is over.
    End,
}

/// Why the steps stopped.
#[derive(Clone, Copy, Debug)]
enum Exit {
    Node(Node),
    Return(i64),
}

impl Program {
    /// The start of the game.
    pub fn start(&self, events: &mut impl Events) -> (State, Stop) {
        stopped(self.first(events))
    }

    /// What follows an answer: the number of an action that is legal in this question.
    pub fn answer(&self, state: State, action: u32, events: &mut impl Events) -> (State, Stop) {
        stopped(self.answered(&state, action, events))
    }

    /// What follows a roll.
    pub fn resolve(&self, state: State, shown: Shown, events: &mut impl Events) -> (State, Stop) {
        stopped(self.rolled(&state, shown, events))
    }

    pub(crate) fn first(&self, events: &mut impl Events) -> Node {
        self.after_start::<false>(events)
    }

    /// The start; with `ALL`, questions with one answer stop as those with several do.
    pub(crate) fn after_start<const ALL: bool>(&self, events: &mut impl Events) -> Node {
        self.run::<ALL>(&[0; WORDS], (0, 0), None, (events, ()))
    }

    #[inline]
    pub(crate) fn answered(&self, state: &State, action: u32, events: &mut impl Events) -> Node {
        self.after_answer::<false>(state, action, events, ())
    }

    /// What follows an answer; with `ALL`, questions with one answer stop as those with several do.
    #[inline]
    pub(crate) fn after_answer<const ALL: bool>(
        &self,
        state: &State,
        action: u32,
        events: &mut impl Events,
        watch: impl Watch,
    ) -> Node {
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
        self.run::<ALL>(&state.0, (halt.resume, action.into()), None, (events, watch))
    }

    #[inline]
    pub(crate) fn rolled(&self, state: &State, shown: Shown, events: &mut impl Events) -> Node {
        self.after_roll::<false>(state, shown, events, ())
    }

    /// What follows a roll; with `ALL`, questions with one answer stop as those with several do.
    #[inline]
    pub(crate) fn after_roll<const ALL: bool>(
        &self,
        state: &State,
        shown: Shown,
        events: &mut impl Events,
        watch: impl Watch,
    ) -> Node {
        let Some(halt) = self.code.aside.halts.get(state.stop()) else { return Node::Terminal(*state) };
        let HaltForm::Roll(choice, ..) = &halt.form else { return Node::Terminal(*state) };
        match self.throws.and_then(|throws| throws.only(choice, shown)) {
            Some(value) => self.run::<ALL>(&state.0, (halt.resume, value), None, (events, watch)),
            None => self.run::<ALL>(&state.0, (halt.resume, 0), Some((choice, shown)), (events, watch)),
        }
    }

    /// What follows an answer, or a roll, as long as no step is taken that `watch` keeps out.
    pub(crate) fn answered_within(
        &self,
        state: &State,
        action: u32,
        watch: impl Watch,
        events: &mut impl Events,
    ) -> Option<Node> {
        let halt = self.code.aside.halts.get(state.stop())?;
        self.run_within(state, (halt.resume, action.into()), None, (events, watch))
    }

    pub(crate) fn rolled_within(
        &self,
        state: &State,
        shown: Shown,
        watch: impl Watch,
        events: &mut impl Events,
    ) -> Option<Node> {
        let halt = self.code.aside.halts.get(state.stop())?;
        let HaltForm::Roll(choice, ..) = &halt.form else { return None };
        match self.throws.and_then(|throws| throws.only(choice, shown)) {
            Some(value) => self.run_within(state, (halt.resume, value), None, (events, watch)),
            None => self.run_within(state, (halt.resume, 0), Some((choice, shown)), (events, watch)),
        }
    }

    fn run_within(
        &self,
        state: &State,
        from: (u32, i64),
        shown: Option<(&Choice, Shown)>,
        told: (&mut impl Events, impl Watch),
    ) -> Option<Node> {
        match self.run::<false>(&state.0, from, shown, told) {
            Node::Terminal(_) => None,
            node => Some(node),
        }
    }

    /// Calculates something of a state, from an address.
    pub(crate) fn calculate(&self, state: &State, at: u32, action: i64, watch: impl Watch) -> i64 {
        let mut words = state.0;
        let told = (&mut (), watch);
        let exit = match self.code.slots {
            0..=16 => self.execute::<16, false>(&mut words, at, action, &mut [0; 16], told),
            17..=64 => self.execute::<64, false>(&mut words, at, action, &mut [0; 64], told),
            _ => {
                self.execute::<MOST_REGISTERS, false>(&mut words, at, action, &mut [0; MOST_REGISTERS], told)
            }
        };
        match exit {
            Exit::Return(value) => value,
            Exit::Node(_) => 0,
        }
    }

    #[inline(always)]
    fn run<const ALL: bool>(
        &self,
        words: &[u64; WORDS],
        from: (u32, i64),
        shown: Option<(&Choice, Shown)>,
        told: (&mut impl Events, impl Watch),
    ) -> Node {
        match self.code.slots {
            0..=16 => self.run_with::<16, ALL>(words, from, shown, told),
            17..=64 => self.run_with::<64, ALL>(words, from, shown, told),
            _ => self.run_with::<MOST_REGISTERS, ALL>(words, from, shown, told),
        }
    }

    #[inline(never)]
    fn run_with<const N: usize, const ALL: bool>(
        &self,
        words: &[u64; WORDS],
        (at, mut acc): (u32, i64),
        shown: Option<(&Choice, Shown)>,
        told: (&mut impl Events, impl Watch),
    ) -> Node {
        let mut words = *words;
        let mut r = [0; N];
        if let Some((choice, shown)) = shown {
            acc = self.show(choice, shown, &mut r);
        }
        match self.execute::<N, ALL>(&mut words, at, acc, &mut r, told) {
            Exit::Node(node) => node,
            Exit::Return(_) => Node::Terminal(State(words)),
        }
    }

    /// The values that a roll gives: the first is returned.
    fn show<const N: usize>(&self, choice: &Choice, shown: Shown, r: &mut [i64; N]) -> i64 {
        let mut acc = 0;
        if let Some(throws) = self.throws {
            throws.shown(choice, shown, |at, value| {
                if at == 0 {
                    acc = value;
                } else {
                    r[(self.code.io + at) & (N - 1)] = value;
                }
            });
        }
        acc
    }

    #[inline(always)]
    fn execute<const N: usize, const ALL: bool>(
        &self,
        words: &mut [u64; WORDS],
        at: u32,
        mut acc: i64,
        r: &mut [i64; N],
        (events, watch): (&mut impl Events, impl Watch),
    ) -> Exit {
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
        // The last step is none that execution goes on from.
        while let Some(step) = steps.next() {
            if watch.keeps_out(code.steps.len() - steps.len() - 1) {
                return Exit::Return(acc);
            }
            match step {
                Step::Const(value) => acc = *value,
                Step::Slot(a) => acc = r[n(*a)],
                Step::Me => acc = me.cast_signed(),
                Step::Get(bits) => acc = bits.get(words),
                Step::GetLow(bits, low) => acc = bits.get(words) + i64::from(*low),
                Step::At(row, low) => acc = row.get(words, row.within(acc)) + i64::from(*low),
                Step::AtMe(row, low) => acc = row.get(words, me) + i64::from(*low),
                Step::Wide(row, low) => {
                    let (row, at) = row.turned(row.within(acc));
                    acc = row.get(words, at) + i64::from(*low);
                }
                Step::Far(number) => acc = far(aside, *number, acc).value(words),
                Step::AddGet(bits, low) => acc = acc.wrapping_add(bits.get(words) + i64::from(*low)),
                Step::Add(a) => acc = Bin::Add.apply(acc, r[n(*a)]),
                Step::Sub(a) => acc = Bin::Sub.apply(acc, r[n(*a)]),
                Step::From(a) => acc = Bin::Sub.apply(r[n(*a)], acc),
                Step::Mul(a) => acc = Bin::Mul.apply(acc, r[n(*a)]),
                Step::Min(a) => acc = acc.min(r[n(*a)]),
                Step::Max(a) => acc = acc.max(r[n(*a)]),
                Step::And(a) => acc &= r[n(*a)],
                Step::Or(a) => acc |= r[n(*a)],
                Step::Shl(a) => acc = Bin::Shl.apply(acc, r[n(*a)]),
                Step::Shr(a) => acc = Bin::Shr.apply(acc, r[n(*a)]),
                Step::Div(a) => acc = Bin::Div.apply(acc, r[n(*a)]),
                Step::Rem(a) => acc = Bin::Rem.apply(acc, r[n(*a)]),
                Step::Eq(a) => acc = i64::from(acc == r[n(*a)]),
                Step::Ne(a) => acc = i64::from(acc != r[n(*a)]),
                Step::Lt(a) => acc = i64::from(acc < r[n(*a)]),
                Step::Le(a) => acc = i64::from(acc <= r[n(*a)]),
                Step::Gt(a) => acc = i64::from(acc > r[n(*a)]),
                Step::Ge(a) => acc = i64::from(acc >= r[n(*a)]),
                Step::AddK(k) => acc = acc.wrapping_add(*k),
                Step::FromK(k) => acc = k.wrapping_sub(acc),
                Step::MulK(k) => acc = acc.wrapping_mul(*k),
                Step::MinK(k) => acc = acc.min(*k),
                Step::MaxK(k) => acc = acc.max(*k),
                Step::AndK(k) => acc &= k,
                Step::OrK(k) => acc |= k,
                Step::ShlK(k) => acc <<= *k & 63,
                Step::ShrK(k) => acc >>= *k & 63,
                Step::DivK(k) => acc = Bin::Div.apply(acc, *k),
                Step::RemK(k) => acc = Bin::Rem.apply(acc, *k),
                Step::EqK(k) => acc = i64::from(acc == *k),
                Step::NeK(k) => acc = i64::from(acc != *k),
                Step::LtK(k) => acc = i64::from(acc < *k),
                Step::GtK(k) => acc = i64::from(acc > *k),
                Step::Select(a, b) => acc = if acc != 0 { r[n(*a)] } else { r[n(*b)] },
                Step::SelectK(a, b) => acc = if acc != 0 { *a } else { *b }.into(),
                Step::Table(first, len) => {
                    let is_in = acc.cast_unsigned() < u64::from(*len);
                    acc = if is_in { aside.entries[*first as usize + index(acc)] } else { 0 };
                }
                Step::Bag(op, layout, b) => acc = self.bag(*op, *layout, acc, r[n(*b)]),
                Step::Keep(d) => r[n(*d)] = acc,
                Step::Put(bits) => bits.put(words, acc),
                Step::PutLow(bits, low) => bits.put(words, acc - i64::from(*low)),
                Step::Clear(word, mask) => words[usize::from(*word) & (WORDS - 1)] &= mask,
                Step::PutMe => {
                    me = acc.cast_unsigned() & MOST_ME;
                    words[0] = words[0] & !(MOST_ME << ME) | me << ME;
                }
                Step::PutAt(row, low, i) => row.put(words, row.within(r[n(*i)]), acc - i64::from(*low)),
                Step::PutAtMe(row, low) => row.put(words, me, acc - i64::from(*low)),
                Step::PutWide(row, low, i) => {
                    let (row, at) = row.turned(row.within(r[n(*i)]));
                    row.put(words, at, acc - i64::from(*low));
                }
                Step::PutFar(number, i) => {
                    let place = far(aside, *number, r[n(*i)]);
                    Bits::of(place).put(words, acc - i64::from(place.low));
                }
                Step::Jump(to) => go!(*to),
                Step::JumpIf(to) => go!(acc != 0, *to),
                Step::JumpUnless(to) => go!(acc == 0, *to),
                Step::JumpEq(a, to) => go!(acc == r[n(*a)], *to),
                Step::JumpNe(a, to) => go!(acc != r[n(*a)], *to),
                Step::JumpLt(a, to) => go!(acc < r[n(*a)], *to),
                Step::JumpGe(a, to) => go!(acc >= r[n(*a)], *to),
                Step::JumpLe(a, to) => go!(acc <= r[n(*a)], *to),
                Step::JumpGt(a, to) => go!(acc > r[n(*a)], *to),
                Step::JumpEqK(k, to) => go!(acc == (*k).into(), *to),
                Step::JumpNeK(k, to) => go!(acc != (*k).into(), *to),
                Step::JumpLtK(k, to) => go!(acc < (*k).into(), *to),
                Step::JumpGeK(k, to) => go!(acc >= (*k).into(), *to),
                Step::Within(low, high, check) => {
                    if acc < (*low).into() || acc > (*high).into() {
                        return self.failed(words, *check, acc);
                    }
                }
                Step::Check(number) => {
                    if self.fails(*number, acc) {
                        return self.failed(words, *number, acc);
                    }
                }
                Step::Event(event) => events.event(index(acc), *event),
                Step::EventMe(event) => events.event(place(me), *event),
                Step::EventOf(event, seat) => events.event((*seat).into(), *event),
                Step::Events(event, seat) => {
                    events.events(index(r[n(*seat)]), *event, u32::try_from(acc).unwrap_or(0));
                }
                Step::Tick(to) => go!(tick(words), *to),
                Step::Give(k) => r[n(*k)] = acc,
                Step::AskMe(number, actions) => {
                    let halt = &aside.halts[*number as usize];
                    if tick(words) {
                        go!(halt.capped);
                        continue;
                    }
                    let HaltForm::Ask(kind, _) = halt.form else { continue };
                    let state = State::at(words, &halt.live, *number);
                    let question = Question { seat: place(me), kind, actions: Actions((*actions).into()) };
                    return Exit::Node(Node::Decision(state, question));
                }
                Step::RollMe(number) => {
                    let halt = &aside.halts[*number as usize];
                    if tick(words) {
                        go!(halt.capped);
                        continue;
                    }
                    let Some(throw) = halt.throw else { continue };
                    return Exit::Node(Node::Chance(State::at(words, &halt.live, *number), place(me), throw));
                }
                Step::Stop(number) => {
                    let halt = &aside.halts[*number as usize];
                    if halt.capped != u32::MAX && tick(words) {
                        go!(halt.capped);
                        continue;
                    }
                    match self.stop::<N, ALL>(*number, words, me, r) {
                        Ok(node) => return Exit::Node(node),
                        Err(given) => acc = given,
                    }
                    go!(halt.resume);
                }
                Step::End(ending) => return Exit::Node(Node::Terminal(State::over(words, ENDED, *ending))),
                Step::Return => return Exit::Return(acc),
            }
        }
        Exit::Return(acc)
    }

    /// Stops for dice or an answer; or, where there is only one, what it gives. A loop that is remembered gives registers.
    #[inline(never)]
    fn stop<const N: usize, const ALL: bool>(
        &self,
        number: u32,
        words: &[u64; WORDS],
        me: u64,
        r: &mut [i64; N],
    ) -> Result<Node, i64> {
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
                let Some(throws) = self.throws else { return Err(0) };
                let throw = throws.throw(choice, sum);
                match throw.certain() {
                    None => Ok(Node::Chance(State::at(words, &halt.live, number), seat, throw)),
                    Some(shown) => Err(self.show(choice, shown, r)),
                }
            }
            HaltForm::Ask(kind, actions) => {
                let actions = match actions {
                    Ok(actions) => *actions,
                    Err(a) => r[n(*a)].cast_unsigned(),
                };
                if actions.count_ones() > 1 || ALL && actions != 0 {
                    let question = Question { seat, kind: *kind, actions: Actions(actions) };
                    return Ok(Node::Decision(State::at(words, &halt.live, number), question));
                }
                Err(actions.trailing_zeros().into())
            }
            HaltForm::Loop(number) => {
                self.repeat(*number, r);
                Err(0)
            }
        }
    }

    /// The end of a run by a check, with the number that failed it.
    #[cold]
    #[inline(never)]
    fn failed(&self, words: &[u64; WORDS], check: u32, number: i64) -> Exit {
        let mut words = *words;
        if self.words < WORDS {
            words[WORDS - 1] = number.cast_unsigned();
        }
        Exit::Node(Node::Terminal(State::over(&words, FAILED, check)))
    }

    /// The metrics that are read from the end, each at its place.
    pub fn measured(&self, end: &State, seat: Seat) -> [i64; 16] {
        match self.code.slots {
            0..=16 => self.measured_with::<16>(end, seat),
            17..=64 => self.measured_with::<64>(end, seat),
            _ => self.measured_with::<MOST_REGISTERS>(end, seat),
        }
    }

    fn measured_with<const N: usize>(&self, end: &State, seat: Seat) -> [i64; 16] {
        let ending = end.ending().and_then(|ending| i64::try_from(ending).ok()).unwrap_or(-1);
        let (mut words, mut r) = (end.0, [0; N]);
        let io = self.code.io;
        r[(io + 1) & (N - 1)] = i64::try_from(seat).unwrap_or(0);
        let _ = self.execute::<_, false>(&mut words, self.code.measure, ending, &mut r, (&mut (), ()));
        std::array::from_fn(|k| r[(io + k) & (N - 1)])
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

/// A node as a state and why the program stops there.
fn stopped(node: Node) -> (State, Stop) {
    match node {
        Node::Chance(state, seat, throw) => (state, Stop::Roll(seat, throw)),
        Node::Decision(state, question) => {
            (state, Stop::Ask(question.seat, question.kind, question.actions.0))
        }
        Node::Terminal(state) => (state, Stop::End),
    }
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
