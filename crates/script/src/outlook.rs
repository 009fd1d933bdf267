//! What follows a no: `chance(bust)` and `mean(e)`, by trying every outcome of the roll.

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Event, Events, Node, Seat};

use crate::code::Source;
use crate::machine::State;
use crate::op::{Look, Program};
use crate::script::Script;

/// Whether the player was bust, and whether the turn was over.
struct Heard {
    seat: Seat,
    is_bust: bool,
    is_over: bool,
}

impl Events for Heard {
    fn event(&mut self, seat: Seat, event: Event) {
        self.is_bust |= seat == self.seat && event == Event::BUST;
        self.is_over |= event == Event::TURN;
    }
}

/// The states that may follow, with their weights; those after a bust are left out.
struct Outlook {
    weight: i64,
    bust: i64,
    /// Before the next question, or if true after the turn.
    states: Vec<(State, bool, i64)>,
}

impl Program {
    /// A number that is looked at ahead, in parts of the denominator.
    pub(crate) fn look(&self, state: &State, number: u32) -> i64 {
        let outlook = self.outlook(state);
        self.part(state, &self.looks[number as usize], &outlook)
    }

    fn part(&self, state: &State, look: &Look, outlook: &Outlook) -> i64 {
        let unit = self.denominator / outlook.weight;
        match look {
            Look::Zero => 0,
            Look::Bust => outlook.bust * unit,
            Look::Whole(reading) => self.known(state, *reading) * self.denominator,
            Look::Mean(reading, cell) => {
                let value = |(state, is_over, weight): &(State, bool, i64)| {
                    weight * if *is_over { self.value(state, *cell) } else { self.known(state, *reading) }
                };
                outlook.states.iter().map(value).sum::<i64>() * unit
            }
            Look::Times(part, reading) => self.part(state, part, outlook) * self.known(state, *reading),
            Look::Bin(bin, a, b) => bin.apply(self.part(state, a, outlook), self.part(state, b, outlook)),
        }
    }

    fn known(&self, state: &State, reading: usize) -> i64 {
        match self.code.sources[reading].get(state.stop()) {
            Some(source @ (Source::Row(..) | Source::Code(_))) => self.read(state, Some(source), 0),
            _ => 0,
        }
    }

    fn outlook(&self, state: &State) -> Outlook {
        let mut outlook = Outlook { weight: 0, bust: 0, states: Vec::new() };
        let seat = if self.is_round { 0 } else { usize::try_from(state.me()).unwrap_or(0) };
        let heard = || Heard { seat, is_bust: false, is_over: false };
        let mut first = heard();
        // The next question counts, and not what follows it: also where it has one answer, and is not asked.
        match self.after_answer::<true>(state, 0, &mut first) {
            Node::Chance(rolled, _, throw) if !first.is_over => {
                for (shown, weight) in throw.outcomes() {
                    let mut heard = heard();
                    let node = self.after_roll::<true>(&rolled, shown, &mut heard);
                    outlook.add(&node, &heard, weight.into());
                }
            }
            node => outlook.add(&node, &first, 1),
        }
        outlook
    }
}

impl Outlook {
    fn add(&mut self, node: &Node<Script>, heard: &Heard, weight: i64) {
        self.weight += weight;
        match *node {
            _ if heard.is_bust => self.bust += weight,
            Node::Decision(state, _) => self.states.push((state, heard.is_over, weight)),
            Node::Chance(state, ..) | Node::Terminal(state) => self.states.push((state, true, weight)),
        }
    }
}
