//! How policies ask a text for what they read.

use stopwise_engine::game::{Action, Actions, Question, Seat};
use stopwise_engine::vocabulary::{CandidateNumber, Feature, FeatureBits, Masks, Tabulation, Vocabulary};

use crate::code::Source;
use crate::op::SiteForm;
use crate::row::Bits;
use crate::script::Script;
use crate::state::{ME_BITS, MOST_ME, State, WORDS, index};

impl Vocabulary for Script {
    fn features(&self) -> Vec<Feature> {
        self.read().1.features.clone()
    }

    #[inline]
    fn feature(&self, state: State, index: usize) -> i64 {
        self.slow_feature(&state, index)
    }

    #[inline(always)]
    fn feature_in_place(&self, state: &State, index: usize) -> i64 {
        let words = &self.read().1;
        let source = words.of_state.get(state.stop() * words.features.len() + index);
        match source.and_then(|source| source.at_once(state)) {
            Some(number) => number,
            None => self.slow_feature(state, index),
        }
    }

    #[inline(never)]
    fn slow_feature(&self, state: &State, index: usize) -> i64 {
        let (program, words) = self.read();
        let source = words.of_state.get(state.stop() * words.features.len() + index);
        program.read(state, source, 0)
    }

    fn predicates(&self, state: State, kind: usize, wanted: u32) -> Masks {
        let (program, words) = self.read();
        let actions = Actions(u64::MAX >> (64 - u32::from(program.kinds[kind].actions)));
        program.predicates(words, &state, Question { seat: 0, kind, actions }, wanted)
    }

    fn predicates_of(&self, state: State, question: Question, wanted: u32) -> Masks {
        let (program, words) = self.read();
        program.predicates(words, &state, question, wanted)
    }

    fn is_asked(&self, kind: usize) -> bool {
        self.program().sites.iter().any(|site| matches!(site.form, SiteForm::Ask(of) if of == kind))
    }

    fn known_predicates(&self, kind: usize) -> u32 {
        let known = self.read().1.predicates.iter().enumerate().filter(|(_, kinds)| kinds[kind].is_some());
        known.fold(0, |known, (number, _)| known | 1 << number)
    }

    fn candidate_numbers(&self) -> Vec<CandidateNumber> {
        self.read().1.numbers.clone()
    }

    fn candidate_number(&self, state: &State, candidate: Action, index: usize) -> i64 {
        let (program, words) = self.read();
        let word = words.of_candidate[index];
        word.of(program.read(state, program.source(state, word.reading), candidate.index()))
    }

    fn variables(&self) -> Option<Vec<Feature>> {
        Some(Self::variables(self).columns.clone())
    }

    fn write_variables(&self, state: &State, seat: Seat, row: &mut [f32]) {
        Self::variables(self).write(state, seat, row);
    }
}

impl Tabulation for Script {
    /// A stop, and whose turn it is.
    fn moments(&self) -> usize {
        self.program().sites.len() << ME_BITS
    }

    #[inline(always)]
    fn moment(&self, state: &State) -> usize {
        state.stop() << ME_BITS | index(state.me().cast_signed())
    }

    fn bits_of(&self, moment: usize, index: usize) -> Option<FeatureBits> {
        let words = &self.read().1;
        let (stop, me) = (moment >> ME_BITS, moment as u64 & MOST_ME);
        let (bits, factor, plus) = match words.of_state.get(stop * words.features.len() + index)? {
            Source::Cell(bits, more) => (*bits, 1, *more),
            Source::Row(row, factor, more) => (row.at(me), *factor, *more),
            Source::Code(_) | Source::Ahead(_) => return None,
        };
        let Bits { word, shift, .. } = bits;
        Some(FeatureBits { word, shift, mask: bits.low(), factor: factor.into(), plus: plus.into() })
    }

    #[inline(always)]
    fn bits(&self, state: &State, of: &FeatureBits) -> i64 {
        (state.0[usize::from(of.word) & (WORDS - 1)] >> (of.shift & 63) & of.mask).cast_signed()
    }
}
