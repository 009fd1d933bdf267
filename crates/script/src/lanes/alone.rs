//! What is done game by game: rolls of too many places, questions that few games come to, loops that are remembered.

use stopwise_engine::game::{Actions, Question};
use stopwise_engine::lanes::simd::Vector16;

use super::column::Number;
use super::instr::{Question as Asking, Ref, Width};
use super::local::Value;
use super::rows::mixed;
use super::run::Run;
use super::stops::{READ, Roll};
use crate::pure_loop::Key;
use crate::state::{Place, State, index};

impl<S: Vector16> Run<'_, S> {
    /// The number of a column in a game.
    #[inline(always)]
    pub(super) fn number(&self, column: Ref, lane: usize) -> i64 {
        match column.width {
            Width::Byte => self.bytes[column.index()].get(lane).into(),
            Width::Short => self.short[column.index()].get(lane).into(),
            Width::Middle => self.middle[column.index()].get(lane).into(),
            Width::Long => self.long[column.index()].get(lane),
        }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, column: Ref, lane: usize, number: i64) {
        match column.width {
            Width::Byte => self.bytes[column.index()].set(lane, u8::of(number)),
            Width::Short => self.short[column.index()].set(lane, i16::of(number)),
            Width::Middle => self.middle[column.index()].set(lane, i32::of(number)),
            Width::Long => self.long[column.index()].set(lane, number),
        }
    }

    /// Variables of a game at their places in words.
    #[inline(always)]
    fn words<const N: usize>(&self, cells: &[(Place, Ref)], lane: usize) -> [u64; N] {
        let mut words = [0; N];
        for (place, column) in cells {
            let stored = self.number(*column, lane) - i64::from(place.low);
            words[usize::from(place.word) & (N - 1)] |=
                (stored.cast_unsigned() & place.mask()) << place.shift;
        }
        words
    }

    /// A game as a state at a stop.
    fn state(&self, site: u32, lane: usize) -> State {
        let mut words = self.words(&self.built.cells, lane);
        if let Some(place) = self.built.ticks {
            words[usize::from(place.word)] |= u64::from(self.ticks.get(lane)) << place.shift;
        }
        State::at(&words, &self.program.code.aside.halts[site as usize].live, site)
    }

    #[inline(never)]
    pub(super) fn roll_each(&mut self, roll: &Roll, event: Option<Ref>, seat: Option<Ref>) {
        let Roll { throws, choice, .. } = roll;
        let here = self.loops.run(|parts| self.here.bits(parts, self.loops.simd));
        here.each(|lane| {
            let number = event.map_or(roll.number, |column| self.number(column, lane));
            let seat = seat.map_or(roll.seat, |column| index(self.number(column, lane)));
            let throw = throws.throw(choice, number);
            let shown = match throw.certain() {
                Some(shown) => shown,
                None => stopwise_engine::chance::Chance::sample(throw, self.streams.word(seat, lane)),
            };
            throws.shown(choice, shown, |part, value| {
                if let Some(Some(column)) = roll.given.get(part) {
                    self.set(*column, lane, value);
                }
            });
        });
    }

    #[inline(never)]
    pub(super) fn repeat(&mut self, number: usize, many: usize) {
        let repeat = &self.built.repeats[number];
        let mut results = std::mem::take(&mut self.results[number]);
        let here = self.loops.run(|parts| self.here.bits(parts, self.loops.simd));
        here.each(|lane| {
            let mut key = Key::default();
            for (value, column) in key.iter_mut().zip(&repeat.reads) {
                *value = self.number(*column, lane).cast_unsigned();
            }
            let result = results.of(&key, || self.program.looped(&repeat.of_one, &key));
            for (value, column) in result.iter().zip(&repeat.gives) {
                self.set(*column, lane, *value);
            }
        });
        results.asked(many);
        self.results[number] = results;
    }

    #[inline(never)]
    pub(super) fn ask(&mut self, question: &Asking) {
        let Asking { number, actions, seat, truths, only, .. } = question;
        let (number, ask) = (*number, &self.built.asks[*number]);
        let here = self.loops.run(|parts| match only {
            Some(truth) => self.here.of(parts, &self.bytes[truth.index()], true).bits(parts, self.loops.simd),
            None => self.here.bits(parts, self.loops.simd),
        });
        let mut answers = std::mem::take(&mut self.answers[number]);
        here.each(|lane| {
            let actions = actions.map_or(ask.actions, |column| self.number(column, lane).cast_unsigned());
            let answer = if actions.count_ones() > 1 {
                let seat = seat.map_or(ask.seat, |column| index(self.number(column, lane)));
                let question = Question { seat, kind: ask.kind, actions: Actions(actions) };
                let who = match self.built.seating[seat] {
                    Value::Known(policy) => index(policy),
                    Value::In(column, _) => index(self.number(column, lane)),
                };
                let answer = || (self.choose)(who, self.state(ask.site, lane), question).index();
                let answer = match &ask.reads {
                    Some(reads) => {
                        let mut bits = who as u64;
                        for truth in truths {
                            bits = bits << 1 | u64::from(self.bytes[truth.index()].get(lane) != 0);
                        }
                        let [one, other]: [u64; READ] = self.words(reads, lane);
                        answers.of(&[one, other, bits, actions], answer)
                    }
                    None => answer(),
                };
                let before = self.answered.get(lane);
                self.answered.set(lane, mixed(before, answer.into()));
                answer
            } else {
                actions.trailing_zeros()
            };
            if let Some(column) = ask.given {
                self.set(column, lane, answer.into());
            }
        });
        self.answers[number] = answers;
    }
}
