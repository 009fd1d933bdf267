//! What policies read of a text: features of the state, and of candidates what `candidate` says.

use stopwise_engine::game::{Action, Actions, MAX_KINDS, Question};
use stopwise_engine::vocabulary::{
    CandidateNumber, Feature, MAX_PREDICATES, Masks, Predicate, Tabulation, TurnTables, Vocabulary,
};

use crate::machine::State;
use crate::op::{Program, Reading};
use crate::script::{Script, leaked};

/// The most features of a state.
const MOST_FEATURES: usize = 64;

/// Indices of a program's readings, and the same in words.
#[derive(Debug)]
pub(crate) struct Words {
    of_state: Vec<usize>,
    features: Vec<Feature>,
    /// Yes or no of a candidate, for each kind of question.
    predicates: Vec<[Option<usize>; MAX_KINDS]>,
    /// What else is read of a candidate.
    of_candidate: Vec<usize>,
    numbers: Vec<CandidateNumber>,
}

impl Words {
    /// The words of a program, and its predicates by name.
    pub(crate) fn new(program: &Program) -> (Self, Vec<Predicate>) {
        let readings = || program.readings.iter().enumerate();
        let of_state = readings().filter(|(_, reading)| reading.kind.is_none()).take(MOST_FEATURES);
        let (of_state, features) = of_state.map(|(at, reading)| (at, feature(reading))).unzip();
        let mut named: Vec<Predicate> = Vec::new();
        let mut predicates: Vec<[Option<usize>; MAX_KINDS]> = Vec::new();
        let (mut of_candidate, mut numbers) = (Vec::new(), Vec::new());
        for (at, reading) in readings() {
            let Some(kind) = reading.kind else { continue };
            let known = named.iter().position(|known| known.name == reading.name);
            if reading.is_truth && (known.is_some() || named.len() < MAX_PREDICATES) {
                let number = known.unwrap_or_else(|| {
                    named.push(Predicate { name: leaked(&reading.name), meaning: leaked(&reading.meaning) });
                    predicates.push([None; MAX_KINDS]);
                    named.len() - 1
                });
                predicates[number][kind] = Some(at);
            } else {
                of_candidate.push(at);
                numbers.push(CandidateNumber { kind, number: feature(reading) });
            }
        }
        (Self { of_state, features, predicates, of_candidate, numbers }, named)
    }
}

fn feature(reading: &Reading) -> Feature {
    Feature {
        name: leaked(&reading.name),
        meaning: leaked(if reading.meaning.is_empty() { &reading.name } else { &reading.meaning }),
        low: reading.low,
        high: reading.high,
        denominator: 1,
        is_truth: reading.is_truth,
        memory: reading.memory,
    }
}

impl Program {
    /// What a policy reads of a state, and of a candidate of its question.
    fn read(&self, state: &State, reading: usize, candidate: u32) -> i64 {
        let (stop, reading) = (state.stop(), &self.readings[reading]);
        let at = reading.at.iter().find(|(site, _)| *site as usize == stop);
        let Some(&(_, at)) = at else { return reading.low.max(0).min(reading.high) };
        let mut io = [0; 16];
        io[0] = candidate.into();
        self.calculate(state, at, &mut io);
        io[0]
    }

    /// The predicates that are wanted, of these candidates.
    fn predicates(&self, words: &Words, state: &State, of: Question, wanted: u32) -> Masks {
        let mut masks = [0; MAX_PREDICATES];
        for (number, (mask, kinds)) in masks.iter_mut().zip(&words.predicates).enumerate() {
            if wanted >> number & 1 == 1
                && let Some(reading) = kinds[of.kind]
            {
                let holds = |candidate: &Action| self.read(state, reading, candidate.index()) != 0;
                *mask = of.actions.iter().filter(holds).fold(0, |mask, candidate| mask | candidate.0);
            }
        }
        masks
    }
}

impl Vocabulary for Script {
    fn features(&self) -> Vec<Feature> {
        self.read().1.features.clone()
    }

    fn feature(&self, state: State, index: usize) -> i64 {
        self.slow_feature(&state, index)
    }

    fn slow_feature(&self, state: &State, index: usize) -> i64 {
        let (program, words) = self.read();
        program.read(state, words.of_state[index], 0)
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

    fn known_predicates(&self, kind: usize) -> u32 {
        let known = self.read().1.predicates.iter().enumerate().filter(|(_, kinds)| kinds[kind].is_some());
        known.fold(0, |known, (number, _)| known | 1 << number)
    }

    fn candidate_numbers(&self) -> Vec<CandidateNumber> {
        self.read().1.numbers.clone()
    }

    fn candidate_number(&self, state: &State, candidate: Action, index: usize) -> i64 {
        let (program, words) = self.read();
        program.read(state, words.of_candidate[index], candidate.index())
    }
}

impl Tabulation for Script {}

impl TurnTables for Script {}
