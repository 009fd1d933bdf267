//! What follows a no: `chance(bust)` and `mean(e)`, by trying every outcome of the roll.
//!
//! What is read of the state on the way decides the result. So results are remembered by what was read, which most often is little:
//! the dice that are left, and not what anybody has.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Event, Events, Seat};

use crate::code::Source;
use crate::host::{Manner, Stops};
use crate::machine::Node;
use crate::mask::Mask;
use crate::op::{Look, Program};
use crate::state::{ME, MOST_ME, STOP, State};
use crate::watch::Watch;

/// The most results that are remembered of something that is looked at.
const MOST_RESULTS: usize = 1 << 14;
/// The most programs of which a thread remembers results.
const MOST_PROGRAMS: usize = 4;
/// The most answers that are tried after an outcome to find one that is no bust.
const MOST_ANSWERS: u32 = 1_000;
/// The most questions that are looked at, one behind the other.
const DEEPEST: u32 = 16;
/// The bits of the stop, and of whose turn it is.
const ALWAYS: Mask = Mask::first(STOP | MOST_ME << ME);

thread_local! {
    static REMEMBERED: RefCell<Vec<Remembered>> = const { RefCell::new(Vec::new()) };
}

/// What a thread remembers of a program.
struct Remembered {
    /// The number of the program.
    program: u64,
    /// The bits of a state that each step reads.
    steps: Vec<Mask>,
    /// Of everything that is looked at.
    results: Vec<Results>,
}

/// Results by what was read for any of them.
struct Results {
    read: Mask,
    known: FxHashMap<State, i64>,
    /// How often one was known, since the table was empty.
    hits: usize,
    /// Whether so many numbers decide that nothing is remembered.
    is_off: bool,
}

impl Remembered {
    fn new(program: &Program) -> Self {
        let steps = program.code.steps.iter().map(|step| program.code.read(step)).collect();
        let results = || Results { read: ALWAYS, known: FxHashMap::default(), hits: 0, is_off: false };
        let results = program.looks.iter().map(|_| results()).collect();
        Self { program: program.number, steps, results }
    }
}

impl Results {
    fn find(&mut self, state: &State) -> Option<i64> {
        let known = self.known.get(&(*state & self.read)).copied();
        self.hits += usize::from(known.is_some());
        known
    }

    fn add(&mut self, state: &State, read: Mask, result: i64) {
        let is_more = read.meets(!self.read);
        let is_full = self.known.len() == MOST_RESULTS;
        if is_more || is_full {
            self.is_off = is_full && self.hits < MOST_RESULTS;
            self.hits = 0;
            self.known = FxHashMap::default();
        }
        self.read |= read;
        self.known.insert(*state & self.read, result);
    }
}

/// Notes what is read, and ends a run as soon as the player is bust: what comes then does not count. Where only busts do, it ends
/// as soon as there is none to come.
struct Reading<'r> {
    steps: &'r [Mask],
    /// Whether a bust may come from each step on; nothing where other things count.
    perils: Cell<&'r [bool]>,
    read: Cell<Mask>,
    is_bust: Cell<bool>,
}

impl Reading<'_> {
    fn reads(&self, bits: Mask) {
        self.read.set(self.read.get() | bits);
    }
}

impl Watch for Reading<'_> {
    fn keeps_out(&self, step: usize) -> bool {
        if self.is_bust.get() || self.perils.get().get(step) == Some(&false) {
            return true;
        }
        self.reads(self.steps[step]);
        false
    }
}

/// Whether the player was bust, and whether the turn was over.
struct Heard<'h> {
    seat: Seat,
    is_bust: &'h Cell<bool>,
    is_over: bool,
}

impl Events for Heard<'_> {
    fn event(&mut self, seat: Seat, event: Event) {
        if seat == self.seat && event == Event::BUST && !self.is_over {
            self.is_bust.set(true);
        }
        self.is_over |= event == Event::TURN;
    }
}

/// The states that may follow, with their weights; those after a bust are left out.
struct Outlook<'r> {
    weight: i64,
    bust: i64,
    /// Before the next question, or if true after the turn.
    states: Vec<(State, bool, i64)>,
    reading: &'r Reading<'r>,
}

impl Program {
    /// A number that is looked at ahead, in parts of the denominator.
    pub(crate) fn look(&self, state: &State, number: u32) -> i64 {
        self.looked(state, number).0
    }

    /// The same, and bits of the state by which it is decided.
    pub(crate) fn looked(&self, state: &State, number: u32) -> (i64, Mask) {
        REMEMBERED.with_borrow_mut(|all| {
            let at = all.iter().position(|one| one.program == self.number).unwrap_or_else(|| {
                if all.len() == MOST_PROGRAMS {
                    all.remove(0);
                }
                all.push(Remembered::new(self));
                all.len() - 1
            });
            let Remembered { steps, results, .. } = &mut all[at];
            let results = &mut results[number as usize];
            let is_remembered = !results.is_off && !state.is_late();
            if is_remembered && let Some(result) = results.find(state) {
                return (result, results.read);
            }
            let reading =
                Reading { steps, perils: Cell::default(), read: Cell::default(), is_bust: Cell::default() };
            let look = &self.looks[number as usize];
            let outlook = self.outlook(state, !look.is_of_means(), &reading);
            let result = self.part(state, look, &outlook);
            let read = ALWAYS | reading.read.get();
            if is_remembered {
                results.add(state, read, result);
            }
            (result, read)
        })
    }

    fn part(&self, state: &State, look: &Look, outlook: &Outlook<'_>) -> i64 {
        // Exact where the weight divides the denominator, else the nearest part of it.
        let mean = |sum: i64| {
            let (whole, rest) = (sum.div_euclid(outlook.weight), sum.rem_euclid(outlook.weight));
            whole * self.denominator + (rest * self.denominator + outlook.weight / 2) / outlook.weight
        };
        let known = |state: &State, reading| self.known(state, reading, outlook.reading);
        match look {
            Look::Zero => 0,
            Look::Bust => mean(outlook.bust),
            Look::Whole(reading) => known(state, *reading) * self.denominator,
            Look::Mean(reading, cell) => {
                let after_turn = |state: &State| {
                    outlook.reading.reads(self.places[*cell as usize].into());
                    self.value(state, *cell)
                };
                let value = |(state, is_over, weight): &(State, bool, i64)| {
                    weight * if *is_over { after_turn(state) } else { known(state, *reading) }
                };
                mean(outlook.states.iter().map(value).sum())
            }
            Look::Times(part, reading) => self.part(state, part, outlook) * known(state, *reading),
            Look::Bin(bin, a, b) => bin.apply(self.part(state, a, outlook), self.part(state, b, outlook)),
        }
    }

    fn known(&self, state: &State, number: usize, reading: &Reading<'_>) -> i64 {
        reading.is_bust.set(false);
        match self.code.sources[number].get(state.stop()) {
            Some(source @ Source::Cell(bits, _)) => {
                reading.reads(bits.mask(0));
                self.read(state, Some(source), 0)
            }
            Some(source @ Source::Row(row, ..)) => {
                reading.reads(row.mask());
                self.read(state, Some(source), 0)
            }
            Some(Source::Code(at)) => self.calculate(state, *at, 0, reading as &dyn Watch),
            _ => 0,
        }
    }

    fn outlook<'r>(&'r self, state: &State, is_of_busts: bool, reading: &'r Reading<'r>) -> Outlook<'r> {
        let mut outlook = Outlook { weight: 0, bust: 0, states: Vec::new(), reading };
        let seat = if self.is_round { 0 } else { usize::try_from(state.me()).unwrap_or(0) };
        let heard = |is_bust| Heard { seat, is_bust, is_over: false };
        let is_first_bust = Cell::new(false);
        let mut first = heard(&is_first_bust);
        let watch: &dyn Watch = reading;
        // The next question counts, and not what follows it: also where it has one answer, and is not asked.
        match self.after_answer(state, 0, Manner { events: &mut first, watch, stops: Stops::Asked }) {
            Node::Chance(rolled, _, throw) if !first.is_over => {
                if is_of_busts {
                    reading.perils.set(&self.code.aside.perils);
                }
                for (shown, weight) in throw.outcomes() {
                    reading.is_bust.set(false);
                    let mut heard = heard(&reading.is_bust);
                    let manner = Manner { events: &mut heard, watch, stops: Stops::Asked };
                    let node = self.after_roll(&rolled, shown, manner);
                    let (is_bust, is_over) = (heard.is_bust.get(), heard.is_over);
                    let is_lost = !is_bust
                        && !is_over
                        && self.is_lost(&node, seat, reading, (&mut { MOST_ANSWERS }, DEEPEST));
                    outlook.bust += if is_lost { weight.into() } else { 0 };
                    outlook.add(&node, is_bust, is_over, weight.into());
                }
                reading.perils.set(&[]);
            }
            node => outlook.add(&node, first.is_bust.get(), first.is_over, 1),
        }
        outlook
    }

    /// Whether the player will be bust before the next roll, whatever the answers are. At most so many answers are tried, one after the
    /// other so deep; who would need more counts as saved.
    fn is_lost(
        &self,
        node: &Node,
        seat: Seat,
        reading: &Reading<'_>,
        (left, depth): (&mut u32, u32),
    ) -> bool {
        let Node::Decision(state, question) = node else { return false };
        let resume = self.code.aside.halts[state.stop()].resume;
        self.code.aside.perils[resume as usize]
            && depth > 0
            && question.actions.iter().all(|action| {
                *left = left.saturating_sub(1);
                reading.is_bust.set(false);
                let mut heard = Heard { seat, is_bust: &reading.is_bust, is_over: false };
                let manner = Manner { events: &mut heard, watch: reading as &dyn Watch, stops: Stops::Asked };
                let node = self.after_answer(state, action.index(), manner);
                let (is_bust, is_over) = (heard.is_bust.get(), heard.is_over);
                *left > 0 && (is_bust || !is_over && self.is_lost(&node, seat, reading, (left, depth - 1)))
            })
    }
}

impl Outlook<'_> {
    fn add(&mut self, node: &Node, is_bust: bool, is_over: bool, weight: i64) {
        self.weight += weight;
        match *node {
            _ if is_bust => self.bust += weight,
            Node::Decision(state, _) => self.states.push((state, is_over, weight)),
            Node::Chance(state, ..) | Node::Terminal(state) => self.states.push((state, true, weight)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bust of Farkle is decided by the dice that are left, and by nothing else.
    #[test]
    fn what_decides() {
        let text = concat!(include_str!("../../../games/farkle.game"), "see risk = chance(bust)\n");
        let program: &'static Program = Box::leak(Box::new(crate::compile(text, &[]).expect("a game")));
        let (mut node, mut word, mut met) = (program.first(&mut ()), 1_u32, 0);
        while met < 100 {
            word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            node = match node {
                Node::Chance(state, _, throw) => program.rolled(&state, throw.sample(word), &mut ()),
                Node::Decision(state, question) if question.kind == 0 => {
                    let action = question.actions.iter().next().expect("an action");
                    program.answered(&state, action.index(), &mut ())
                }
                Node::Decision(state, _) => {
                    let (_, read) = program.looked(&state, 0);
                    let left = read & !ALWAYS;
                    assert_eq!(left.count(), 3, "{left:?}");
                    met += 1;
                    program.answered(&state, 0, &mut ())
                }
                Node::Terminal(_) => program.first(&mut ()),
            };
        }
    }
}
