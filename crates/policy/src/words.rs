//! The words that a text may use: those of a game under its rules, and of these what may be read of the candidates of a
//! question.

use stopwise_engine::game::{Kind, MAX_KINDS};
use stopwise_engine::vocabulary::{CandidateNumber, Caution, Feature, Predicate};

use crate::expression::names::unknown;
use crate::expression::parse::Syntax;
use stopwise_text::Problem;

/// The vocabulary of a game under its rules: what a text may refer to. Not generic, so that reading is compiled once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownNames<'w> {
    pub(crate) game: &'static str,
    pub(crate) kinds: &'static [Kind],
    pub(crate) features: &'w [Feature],
    pub(crate) predicates: &'static [Predicate],
    /// Whether questions of each kind are asked.
    pub(crate) asked: [bool; MAX_KINDS],
    /// Those that have a meaning in questions of each kind, as bits.
    pub(crate) known_predicates: [u32; MAX_KINDS],
    /// The numbers of candidates.
    pub(crate) numbers: &'w [CandidateNumber],
    /// Whether answers may be by chance: the last features are then what is drawn for them.
    pub(crate) has_chances: bool,
    /// The warnings about preference lists.
    pub(crate) cautions: &'w [Caution],
    /// The key of a value table, if the game has such tables.
    pub(crate) table: Option<&'static str>,
}

/// The words of the lists that answer one kind of question.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    /// The words of a candidate, then the features of the state.
    pub(crate) features: Vec<Feature>,
    /// Where the words of a candidate come from.
    pub(crate) origins: Box<[Origin]>,
}

/// Where a word of a candidate comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
    /// The game's predicate of this index.
    Predicate(usize),
    /// The game's number of this index.
    Number(usize),
}

impl Words {
    /// The words for questions of a kind.
    pub(crate) fn new(known: KnownNames<'_>, kind: usize) -> Self {
        let is_known = |&(index, _): &(usize, _)| known.known_predicates[kind] >> index & 1 == 1;
        let predicates = known.predicates.iter().enumerate().filter(is_known).map(|(index, predicate)| {
            let (name, meaning) = (predicate.name, predicate.meaning);
            let word = Feature {
                name,
                meaning,
                unit: "",
                low: 0,
                high: 1,
                denominator: 1,
                is_truth: true,
                memory: 0,
            };
            (Origin::Predicate(index), word)
        });
        let numbers = known.numbers.iter().enumerate().filter(|(_, number)| number.kind == kind);
        let numbers = numbers.map(|(index, number)| (Origin::Number(index), number.number.clone()));
        let (origins, mut features): (Vec<_>, Vec<_>) = predicates.chain(numbers).unzip();
        features.extend_from_slice(known.features);
        Self { features, origins: origins.into() }
    }

    /// The words of a candidate.
    pub(crate) fn of_candidate(&self) -> &[Feature] {
        &self.features[..self.origins.len()]
    }

    /// Whether a name is read of a candidate.
    pub(crate) fn is_of_candidate(&self, name: &str) -> bool {
        self.of_candidate().iter().any(|word| word.name == name)
    }

    /// Whether a name stands for something else than a predicate.
    pub(crate) fn is_no_predicate(&self, name: &str) -> bool {
        let place = self.features.iter().position(|word| word.name == name);
        place.is_some_and(|place| !matches!(self.origins.get(place), Some(Origin::Predicate(_))))
    }

    /// The index of a predicate.
    pub(crate) fn predicate(&self, name: &str, syntax: &Syntax) -> Result<usize, Problem> {
        let place = self.of_candidate().iter().position(|word| word.name == name);
        match place.map(|place| self.origins[place]) {
            Some(Origin::Predicate(index)) => Ok(index),
            _ => Err(self.unknown(name, syntax)),
        }
    }

    /// The problem of a name that is none of a candidate's.
    fn unknown(&self, name: &str, syntax: &Syntax) -> Problem {
        let problem =
            unknown(syntax.span.clone(), "predicate", name, self.of_candidate().iter().map(|word| word.name));
        match self.of_candidate().is_empty() {
            // Games in Rust have some for every decision.
            true => problem.help(format!(
                "no words are known of what is chosen from here: declare them in the game, `candidate DECISION` and below it \
                 `{name} = CONDITION`, where `it` is what may be chosen"
            )),
            false => problem,
        }
    }

    /// The predicates among the words that are marked, as bits.
    pub(crate) fn wanted(&self, used: &[usize]) -> u32 {
        used.iter().fold(0, |wanted, &index| match self.origins.get(index) {
            Some(Origin::Predicate(predicate)) => wanted | 1 << predicate,
            _ => wanted,
        })
    }
}
