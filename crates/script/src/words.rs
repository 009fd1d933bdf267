//! What policies read of a text: features of the state, and of candidates what `candidate` says.

use stopwise_engine::game::{Action, MAX_KINDS, Question};
use stopwise_engine::vocabulary::{CandidateNumber, Feature, MAX_PREDICATES, Masks, Predicate, Reads};

use crate::code::Source;
use crate::kept::leaked;
use crate::op::{NamedKind, Program, Reading};
use crate::state::State;

/// The most features of a state.
const MOST_FEATURES: usize = 64;

/// What is read of a program, in words and as it is found.
#[derive(Debug)]
pub(crate) struct Words {
    /// Features, stop by stop.
    pub(crate) of_state: Vec<Source>,
    pub(crate) features: Vec<Feature>,
    /// Yes or no of a candidate, for each kind of question.
    pub(crate) predicates: Vec<[Option<Word>; MAX_KINDS]>,
    /// What else is read of a candidate.
    pub(crate) of_candidate: Vec<Word>,
    pub(crate) numbers: Vec<CandidateNumber>,
}

/// What is read of a candidate: a number, or whether it is a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) reading: usize,
    pub(crate) name: Option<i64>,
}

impl Words {
    /// The words of a program, and its predicates by name.
    pub(crate) fn new(program: &Program) -> (Self, Vec<Predicate>) {
        let readings = || program.readings.iter().enumerate();
        let (of_state, features): (Vec<usize>, _) =
            of_state(program).map(|at| (at, feature(&program.readings[at]))).unzip();
        let stops = 0..program.sites.len();
        let sources = stops.flat_map(|stop| of_state.iter().map(move |at| program.code.sources[*at][stop]));
        let of_state = sources.collect();
        let mut named: Vec<Predicate> = Vec::new();
        let mut predicates: Vec<[Option<Word>; MAX_KINDS]> = Vec::new();
        let (mut of_candidate, mut numbers) = (Vec::new(), Vec::new());
        let mut add = |kind: usize, word: Word, about: Feature| {
            let known = named.iter().position(|known| known.name == about.name);
            if about.is_truth && (known.is_some() || named.len() < MAX_PREDICATES) {
                let number = known.unwrap_or_else(|| {
                    named.push(Predicate { name: about.name, meaning: about.meaning });
                    predicates.push([None; MAX_KINDS]);
                    named.len() - 1
                });
                predicates[number][kind] = Some(word);
            } else {
                of_candidate.push(word);
                numbers.push(CandidateNumber { kind, number: about });
            }
        };
        for (at, reading) in readings() {
            let Some(kind) = reading.kind.filter(|_| reading.told.is_none()) else { continue };
            add(kind, Word { reading: at, name: None }, feature(reading));
        }
        for (at, reading) in readings() {
            let Some(kind) = reading.kind.filter(|_| reading.told.is_some()) else { continue };
            for &name in program.kinds[kind].names.iter().flatten() {
                let text = program.in_words(NamedKind::Name, name);
                let meaning = leaked(&format!("is `{text}`"));
                let about = Feature {
                    name: leaked(&text),
                    meaning,
                    low: 0,
                    high: 1,
                    is_truth: true,
                    ..feature(reading)
                };
                add(kind, Word { reading: at, name: Some(name) }, about);
            }
        }
        (Self { of_state, features, predicates, of_candidate, numbers }, named)
    }
}

/// The readings that are features of a state, in their order.
pub(crate) fn of_state(program: &Program) -> impl Iterator<Item = usize> + '_ {
    let readings = program.readings.iter().enumerate();
    let of_state = readings.filter(|(_, reading)| reading.kind.is_none() && !reading.is_hidden());
    of_state.map(|(at, _)| at).take(MOST_FEATURES)
}

impl Words {
    /// What a predicate reads in a kind of question, if it has a meaning there.
    pub(crate) fn predicate(&self, number: usize, kind: usize) -> Option<Word> {
        *self.predicates.get(number)?.get(kind)?
    }

    /// What a number of candidates reads.
    pub(crate) fn number(&self, number: usize) -> Option<Word> {
        self.of_candidate.get(number).copied()
    }

    /// The readings behind what a policy reads in a kind of question.
    pub(crate) fn readings(&self, program: &Program, kind: usize, reads: &Reads) -> Vec<usize> {
        let of_state: Vec<usize> = of_state(program).collect();
        let features = reads.features.iter().filter_map(|index| of_state.get(*index).copied());
        let predicates = self.predicates.iter().enumerate();
        let predicates = predicates.filter(|(number, _)| reads.predicates >> number & 1 == 1);
        let numbers = reads.numbers.iter().filter_map(|index| self.of_candidate.get(*index).copied());
        let of_candidate = predicates.filter_map(|(_, kinds)| kinds[kind]).chain(numbers);
        features.chain(of_candidate.map(|word| word.reading)).collect()
    }
}

impl Word {
    /// What it is of a reading's value.
    pub(crate) fn of(self, value: i64) -> i64 {
        self.name.map_or(value, |name| i64::from(value == name))
    }
}

fn feature(reading: &Reading) -> Feature {
    Feature {
        name: leaked(&reading.name),
        meaning: leaked(if reading.meaning.is_empty() { &reading.name } else { &reading.meaning }),
        unit: leaked(&reading.unit),
        low: reading.low,
        high: reading.high,
        denominator: reading.denominator,
        is_truth: reading.is_truth,
        memory: reading.memory,
    }
}

impl Program {
    /// What a policy reads of a state, and of a candidate of its question.
    #[inline]
    pub(crate) fn read(&self, state: &State, source: Option<&Source>, candidate: u32) -> i64 {
        let Some(source) = source else { return 0 };
        match source {
            Source::Code(at) => self.calculate(state, *at, candidate.into(), ()),
            Source::Ahead(number) => self.look(state, *number),
            source => source.at_once(state).unwrap_or(0),
        }
    }

    /// How a reading is found in a state.
    pub(crate) fn source(&self, state: &State, reading: usize) -> Option<&Source> {
        self.code.sources[reading].get(state.stop())
    }

    /// The predicates that are wanted, of these candidates.
    pub(crate) fn predicates(&self, words: &Words, state: &State, of: Question, wanted: u32) -> Masks {
        let mut masks = [0; MAX_PREDICATES];
        for (number, (mask, kinds)) in masks.iter_mut().zip(&words.predicates).enumerate() {
            if wanted >> number & 1 == 1
                && let Some(word) = kinds[of.kind]
            {
                let at = self.code.masks[word.reading].get(state.stop()).copied().flatten();
                if let Some(at) = at.filter(|_| word.name.is_none()) {
                    *mask = self.calculate(state, at, 0, ()).cast_unsigned() & of.actions.0;
                    continue;
                }
                let source = self.source(state, word.reading);
                let holds = |candidate: &Action| word.of(self.read(state, source, candidate.index())) != 0;
                *mask = of.actions.iter().filter(holds).fold(0, |mask, candidate| mask | candidate.0);
            }
        }
        masks
    }
}
