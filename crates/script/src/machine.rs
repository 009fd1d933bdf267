//! Runs a program from one stop to the next: a roll or draw, a question, or the end.

use stopwise_engine::game::{Event, Events, Seat};

use crate::op::{BagOp, Op, Program, Site, SiteForm, Term, WORDS};
use crate::pool::{MOST_PARTS, NONE, Shown, Throw};

/// A position. Equal positions are equal bits.
///
/// ```text
/// word 0   16 bits: the stop │ variables …
/// others   variables; none crosses a word
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State(pub(crate) [u64; WORDS]);

/// The bits of the stop: its number, or what ended the game.
const STOP: u64 = 0xffff;
/// With the number of an ending, and with that of a check that failed.
const ENDED: u64 = 0x8000;
const FAILED: u64 = 0xc000;

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

/// Values that are handed to a program and back.
pub(crate) type Io = [i64; 16];

/// Why the instructions stopped.
#[derive(Clone, Copy, Debug)]
enum Exit {
    At(u32),
    End(u32),
    Return,
    /// The check that failed, and the number that did.
    Fail(u32, i64),
}

impl State {
    pub(crate) fn stop(&self) -> usize {
        index((self.0[0] & STOP).cast_signed())
    }

    /// The number of the ending, if the game ended.
    pub(crate) fn ending(&self) -> Option<usize> {
        let stop = self.0[0] & STOP;
        (ENDED..FAILED).contains(&stop).then(|| index((stop - ENDED).cast_signed()))
    }

    /// The number of the check that failed, if one did.
    pub(crate) fn failed(&self) -> Option<usize> {
        let stop = self.0[0] & STOP;
        (stop >= FAILED).then(|| index((stop - FAILED).cast_signed()))
    }
}

impl Program {
    /// The start of the game.
    pub fn start(&self, events: &mut impl Events) -> (State, Stop) {
        self.run([0; WORDS], 0, [0; 16], events)
    }

    /// What follows an answer: the number of an action that is legal in this question.
    pub fn answer(&self, state: State, action: u32, events: &mut impl Events) -> (State, Stop) {
        let Some(site) = self.sites.get(state.stop()) else { return (state, Stop::End) };
        let mut io = [0; 16];
        io[0] = action.into();
        self.run(state.0, site.resume, io, events)
    }

    /// What follows a roll.
    pub fn resolve(&self, state: State, shown: Shown, events: &mut impl Events) -> (State, Stop) {
        let Some(site) = self.sites.get(state.stop()) else { return (state, Stop::End) };
        let io = self.shown(site, shown);
        self.run(state.0, site.resume, io, events)
    }

    /// The values that a roll gives.
    #[inline]
    fn shown(&self, site: &Site, shown: Shown) -> Io {
        let mut io = [0; 16];
        match &site.form {
            SiteForm::Roll(parts) => {
                let Some(throws) = self.throws else { return io };
                for (&(_, part), &shown) in parts.iter().zip(&shown.0) {
                    io[usize::from(part)] += throws.value(shown);
                }
            }
            SiteForm::Draw(layout) => {
                let fields = &self.layouts[usize::from(*layout)].fields;
                if let Some(field) = fields.get(shown.0[0] as usize) {
                    io[0] = field.atom;
                    io[1] = field.unit();
                }
            }
            SiteForm::Ask(_) => {}
        }
        io
    }

    /// Calculates something of a state, from an address.
    pub(crate) fn calculate(&self, state: &State, at: u32, io: &mut Io) {
        let mut words = state.0;
        let _ = self.instructions(&mut words, at, io, &mut ());
    }

    fn run(
        &self,
        mut words: [u64; WORDS],
        mut at: u32,
        mut io: Io,
        events: &mut impl Events,
    ) -> (State, Stop) {
        loop {
            let number = match self.instructions(&mut words, at, &mut io, events) {
                Exit::At(number) => number,
                Exit::End(ending) => {
                    words[0] = words[0] & !STOP | ENDED | u64::from(ending);
                    return (State(words), Stop::End);
                }
                Exit::Fail(check, number) => {
                    words[0] = words[0] & !STOP | FAILED | u64::from(check);
                    if self.words < WORDS {
                        words[WORDS - 1] = number.cast_unsigned();
                    }
                    return (State(words), Stop::End);
                }
                Exit::Return => return (State(words), Stop::End),
            };
            let site = &self.sites[number as usize];
            let seat = index(io[0]);
            match &site.form {
                SiteForm::Ask(kind) => {
                    let actions = io[1].cast_unsigned();
                    if actions.count_ones() > 1 {
                        return (site.state(words, number), Stop::Ask(seat, *kind, actions));
                    }
                    io = [0; 16];
                    io[0] = actions.trailing_zeros().into();
                }
                form => {
                    let throw = self.throw(form, &io);
                    match throw.certain() {
                        Some(shown) => io = self.shown(site, shown),
                        None => return (site.state(words, number), Stop::Roll(seat, throw)),
                    }
                }
            }
            at = site.resume;
        }
    }

    #[inline]
    fn throw(&self, form: &SiteForm, io: &Io) -> Throw {
        let Some(tables) = self.throws else { unreachable!("a program has tables") };
        let mut throw = Throw { tables, pools: [NONE; MOST_PARTS], layout: NONE, bag: 0 };
        match form {
            SiteForm::Roll(parts) => {
                for ((pool, &(base, _)), &many) in throw.pools.iter_mut().zip(parts).zip(&io[1..]) {
                    if many > 0 {
                        *pool = u16::try_from(i64::from(base) + many - 1).unwrap_or(NONE);
                    }
                }
            }
            SiteForm::Draw(layout) => (throw.layout, throw.bag) = (*layout, io[1]),
            SiteForm::Ask(_) => {}
        }
        throw
    }

    fn instructions(&self, words: &mut [u64; WORDS], at: u32, io: &mut Io, events: &mut impl Events) -> Exit {
        match self.registers {
            0..=16 => self.execute::<16>(words, at, io, events),
            17..=64 => self.execute::<64>(words, at, io, events),
            65..=256 => self.execute::<256>(words, at, io, events),
            _ => self.execute::<MOST_REGISTERS>(words, at, io, events),
        }
    }

    fn execute<const N: usize>(
        &self,
        words: &mut [u64; WORDS],
        at: u32,
        io: &mut Io,
        events: &mut impl Events,
    ) -> Exit {
        let mut r = [0_i64; N];
        let n = |register: u32| register as usize & (N - 1);
        let mut at = at as usize;
        loop {
            let op = self.ops[at];
            at += 1;
            match op {
                Op::Set(d, value) => r[n(d)] = value,
                Op::Move(d, a) => r[n(d)] = r[n(a)],
                Op::Bin(bin, d, a, b) => r[n(d)] = bin.apply(r[n(a)], r[n(b)]),
                Op::BinK(bin, d, a, k) => r[n(d)] = bin.apply(r[n(a)], k.into()),
                Op::Select(d, c, a, b) => r[n(d)] = if r[n(c)] != 0 { r[n(a)] } else { r[n(b)] },
                Op::Table(d, table, a) => {
                    let table = &self.tables[usize::from(table)];
                    r[n(d)] = table.get(index(r[n(a)])).copied().unwrap_or(0);
                }
                Op::Bag(bag, layout, d, a, b) => r[n(d)] = self.bag(bag, layout, r[n(a)], r[n(b)]),
                Op::Get(d, place) => {
                    let bits =
                        words[usize::from(place.word) & (WORDS - 1)] >> (place.shift & 63) & place.mask();
                    r[n(d)] = bits.cast_signed() + i64::from(place.low);
                }
                Op::Put(place, a) => {
                    let word = &mut words[usize::from(place.word) & (WORDS - 1)];
                    let bits = (r[n(a)] - i64::from(place.low)).cast_unsigned() & place.mask();
                    *word = *word & !(place.mask() << (place.shift & 63)) | bits << (place.shift & 63);
                }
                Op::LoadAt(d, cell, len, i) => {
                    let at = index(r[n(i)]).min(len as usize - 1);
                    let place = self.places[cell as usize + at];
                    let bits =
                        words[usize::from(place.word) & (WORDS - 1)] >> (place.shift & 63) & place.mask();
                    r[n(d)] = bits.cast_signed() + i64::from(place.low);
                }
                Op::StoreAt(cell, len, i, a) => {
                    let at = index(r[n(i)]).min(len as usize - 1);
                    let place = self.places[cell as usize + at];
                    let word = &mut words[usize::from(place.word) & (WORDS - 1)];
                    let bits = (r[n(a)] - i64::from(place.low)).cast_unsigned() & place.mask();
                    *word = *word & !(place.mask() << (place.shift & 63)) | bits << (place.shift & 63);
                }
                Op::Jump(to) => at = to as usize,
                Op::JumpIf(a, to) => {
                    if r[n(a)] != 0 {
                        at = to as usize;
                    }
                }
                Op::JumpUnless(a, to) => {
                    if r[n(a)] == 0 {
                        at = to as usize;
                    }
                }
                Op::Check(a, number) => {
                    let check = &self.checks[number as usize];
                    if r[n(a)] < check.low || r[n(a)] > check.high {
                        return Exit::Fail(number, r[n(a)]);
                    }
                }
                Op::CheckSum(a, b, number) => {
                    let (check, sum) = (&self.checks[number as usize], r[n(a)] + r[n(b)]);
                    if sum < check.low || sum > check.high {
                        return Exit::Fail(number, sum);
                    }
                }
                Op::Event(event, seat) => events.event(index(r[n(seat)]), event_of(event)),
                Op::Events(event, seat, many) => {
                    for _ in 0..r[n(many)] {
                        events.event(index(r[n(seat)]), event_of(event));
                    }
                }
                Op::Tick(cell, to) => {
                    let place = self.places[cell as usize];
                    let word = &mut words[usize::from(place.word) & (WORDS - 1)];
                    *word = word.wrapping_add(1 << (place.shift & 63));
                    if *word >> (place.shift & 63) & place.mask() >= MOST_STOPS {
                        at = to as usize;
                    }
                }
                Op::Give(k, a) => io[usize::from(k) & 15] = r[n(a)],
                Op::Take(d, k) => r[n(d)] = io[usize::from(k) & 15],
                Op::Roll(site) | Op::Draw(site) | Op::Ask(site) => return Exit::At(site),
                Op::End(ending) => return Exit::End(ending),
                Op::Return => return Exit::Return,
                Op::Label(_) | Op::Mark(_) | Op::Load(..) | Op::Store(..) => {}
            }
        }
    }

    fn bag(&self, op: BagOp, number: u16, a: i64, b: i64) -> i64 {
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
            BagOp::Pairing => layout.pairing(a, b),
            BagOp::Dice(dice) => layout.dice(a, b, &self.layouts[usize::from(dice)]),
            BagOp::Into(other) => layout.into(a, &self.layouts[usize::from(other)]),
        }
    }
}

/// The most registers of a program: a power of two.
pub(crate) const MOST_REGISTERS: usize = 4096;
/// The rolls and answers of a turn after which a game is capped.
pub(crate) const MOST_STOPS: u64 = 100_000;

impl Site {
    /// The state at this stop: what nothing reads any more is zero.
    #[inline]
    fn state(&self, mut words: [u64; WORDS], number: u32) -> State {
        for (word, live) in words.iter_mut().zip(self.live) {
            *word &= live;
        }
        words[0] = words[0] & !STOP | u64::from(number);
        State(words)
    }
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

#[inline(always)]
pub(crate) fn index(number: i64) -> usize {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "positions are 64 bits wide, and negative ones are outside of all"
    )]
    let index = number.cast_unsigned() as usize;
    index
}

/// What is measured, hidden and forgotten.
impl Program {
    /// The number of instructions, and of the words that a state uses.
    pub fn size(&self) -> (usize, usize) {
        (self.ops.len(), self.words)
    }

    /// The options with the values for which it was compiled.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        self.options.iter().map(|option| (&*option.name, &*option.value))
    }

    /// The seats that play.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The metrics that are read from the end, each at its place.
    pub fn measured(&self, end: &State, seat: Seat) -> [i64; 16] {
        let mut io = [0; 16];
        io[0] = end.ending().and_then(|ending| i64::try_from(ending).ok()).unwrap_or(-1);
        io[1] = i64::try_from(seat).unwrap_or(0);
        self.calculate(end, self.measure, &mut io);
        io
    }

    /// What a number of this program may be read as: the names and unit of everything that policies can read.
    pub fn readings(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.readings.iter().map(|reading| (&*reading.name, &*reading.unit, &*reading.meaning))
    }

    /// What the text asks for and is not there yet.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The state as the player sees it who is asked.
    pub(crate) fn seen(&self, state: State) -> State {
        let Some(site) = self.sites.get(state.stop()) else { return state };
        let mut words = state.0;
        words.iter_mut().zip(site.hidden).for_each(|(word, hidden)| *word &= !hidden);
        State(words)
    }

    /// The state without what only policies read, but for these kinds of memory and what they read of candidates.
    pub(crate) fn forget(&self, state: State, keep: u32) -> State {
        let Some(site) = self.sites.get(state.stop()) else { return state };
        let kinds = site.kept.iter().enumerate().filter(|(kind, _)| keep >> kind & 1 == 1);
        let masks = kinds.map(|(_, mask)| mask).chain([&site.of_candidates]);
        self.masked(state, site, masks)
    }

    /// The state without what only policies read.
    pub(crate) fn without_memory(&self, state: State) -> State {
        match self.sites.get(state.stop()) {
            Some(site) => self.masked(state, site, []),
            None => state,
        }
    }

    /// What the rules read of a state at a stop.
    fn played<'s>(&self, state: &State, site: &'s Site) -> &'s [u64; WORDS] {
        let time = self.clock.map_or(0, |clock| self.places[clock as usize].of(&state.0));
        &site.played[index(time.cast_signed()).min(site.played.len() - 1)]
    }

    fn masked<'m>(
        &self,
        state: State,
        site: &Site,
        more: impl IntoIterator<Item = &'m [u64; WORDS]>,
    ) -> State {
        let mut mask = *self.played(&state, site);
        mask[0] |= STOP;
        for more in more {
            mask.iter_mut().zip(more).for_each(|(mask, more)| *mask |= more);
        }
        let mut words = state.0;
        words.iter_mut().zip(mask).for_each(|(word, mask)| *word &= mask);
        State(words)
    }

    /// A number that no step lowers.
    pub(crate) fn stage(&self, state: &State) -> u64 {
        let Some(site) = self.sites.get(state.stop()) else { return u64::MAX };
        let played = self.played(state, site);
        let term = |term: &Term| {
            let value = term.place.of(&state.0);
            let value = if term.falls { term.most.saturating_sub(value) } else { value };
            let is_read = term.place.of(played) == term.place.mask();
            term.times * if is_read { value } else { term.most }
        };
        self.stages.iter().fold(0, |number, stage| {
            let sum: u64 =
                if stage.terms.is_empty() { site.rank } else { stage.terms.iter().map(term).sum() };
            number * stage.radix + sum.min(stage.radix - 1)
        })
    }
}
