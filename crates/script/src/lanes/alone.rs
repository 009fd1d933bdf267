//! What is done game by game: rolls of too many places, questions that few games come to, loops that are remembered.

use stopwise_engine::chance::Chance as _;
use stopwise_engine::game::{self, Actions};
use stopwise_engine::lanes::simd::Vector16;

use super::asked::AskedKeys;
use super::column::{Number, PART, PARTS};
use super::instr::{Question as Asking, Ref, Width};
use super::local::Value;
use super::rows::mixed;
use super::run::Run;
use super::stops::{ACTIONS, ASKED, Roll};
use crate::known::Known;
use crate::pure_loop::Key;
use crate::state::{State, WORDS, index};

/// With so many games of a part, their keys are made side by side.
const SEVERAL: u32 = 8;

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

    /// A game as a state at a stop.
    pub(super) fn state(&self, site: u32, lane: usize) -> State {
        let mut words = [0; WORDS];
        for (place, column) in &self.built.cells {
            let stored = self.number(*column, lane) - i64::from(place.low);
            words[usize::from(place.word)] |= (stored.cast_unsigned() & place.mask()) << place.shift;
        }
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
        let here = self.loops.run(|parts| match question.only {
            Some(truth) => self.here.of(parts, &self.bytes[truth.index()], true).bits(parts, self.loops.simd),
            None => self.here.bits(parts, self.loops.simd),
        });
        let mut answers = std::mem::take(&mut self.answers[question.number]);
        let (mut keys, mut one) = (AskedKeys::<PART>::new(), AskedKeys::<1>::new());
        let are_noted = self.rows.as_ref().is_some_and(|rows| rows.answers);
        for at in 0..PARTS {
            if here.many_in(at) >= SEVERAL {
                self.loops.run(|_| keys.set(self, question, at * PART));
                here.each_in(at, |lane| {
                    self.answer(question, lane, (&keys.of(lane), keys.hash(lane)), &mut answers, are_noted);
                });
            } else {
                here.each_in(at, |lane| {
                    one.set(self, question, lane);
                    self.answer(question, lane, (&one.of(0), one.hash(0)), &mut answers, are_noted);
                });
            }
        }
        self.answers[question.number] = answers;
    }

    /// A game is given its answer.
    #[inline(always)]
    fn answer(
        &mut self,
        question: &Asking,
        lane: usize,
        (key, hash): (&[u64; ASKED], u64),
        answers: &mut Known<ASKED, u32>,
        is_noted: bool,
    ) {
        let answer = match answers.get(hash, key) {
            Some(answer) => answer,
            None => self.choice(question, lane, key, answers),
        };
        if is_noted && key[ACTIONS].count_ones() > 1 {
            let before = self.answered.get(lane);
            self.answered.set(lane, mixed(before, answer.into()));
        }
        if let Some(column) = self.built.asks[question.number].given {
            self.bytes[column.index()].set(lane, u8::of(answer.into()));
        }
    }

    /// What a game answers: found once for a key, if it depends on nothing else.
    #[cold]
    #[inline(never)]
    fn choice(
        &self,
        question: &Asking,
        lane: usize,
        key: &[u64; ASKED],
        answers: &mut Known<ASKED, u32>,
    ) -> u32 {
        let ask = &self.built.asks[question.number];
        let actions = Actions(key[ACTIONS]);
        let choose = || {
            if actions.0.count_ones() <= 1 {
                return actions.0.trailing_zeros();
            }
            let seat = question.seat.map_or(ask.seat, |column| index(self.number(column, lane)));
            let who = match self.built.seating[seat] {
                Value::Known(policy) => index(policy),
                Value::In(column, _) => index(self.number(column, lane)),
            };
            let question = game::Question { seat, kind: ask.kind, actions };
            (self.choose)(who, self.state(ask.site, lane), question).index()
        };
        match ask.reads {
            Some(_) => answers.of(key, choose),
            None => choose(),
        }
    }
}
