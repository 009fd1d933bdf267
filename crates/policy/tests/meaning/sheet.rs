//! A game whose state consists only of the values of its features and the masks of its predicates.

use proptest::prelude::*;
use stopwise_engine::chance::Die;
use stopwise_engine::game::{
    Action, Actions, AnswerForm, Events, Game, Info, Kind, MAX_METRICS, Node, NodeOf, Question, Seat, Shape,
};
use stopwise_engine::vocabulary::{
    CandidateNumber, Feature, MAX_PREDICATES, Masks, Predicate, Prose, TableKey, Tabulation, Vocabulary,
};

/// With a digest of the first three features, or without.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sheet {
    pub(crate) tabulated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    values: [i64; 8],
    masks: [u64; 4],
}

/// Name, least and greatest value, denominator: bits, small tables, and too large for any.
const FEATURES: [(&str, i64, i64, i64); 8] = [
    ("few", 0, 5, 1),
    ("signed", -3, 3, 1),
    ("chance", 0, 36, 36),
    ("fixed", 7, 7, 1),
    ("many", 0, 1000, 1),
    ("twentieths", -50, 200, 20),
    ("third", 0, 3, 3),
    ("huge", -1_000_000, 1_000_000_000, 1),
];
/// The digest tells the first three apart.
const DIGESTED: usize = 3;

/// A state and a question about it.
pub(crate) fn states() -> impl Strategy<Value = (State, Question)> {
    let value = |(_, low, high, _): (&str, i64, i64, i64)| prop_oneof![Just(low), Just(high), low..=high];
    let masks = prop_oneof![Just(0), Just(u64::MAX), any::<u64>(), any::<u64>()];
    let actions = any::<u64>().prop_map(|bits| Actions(bits.max(1)));
    let few = any::<u8>().prop_map(|bits| Actions(u64::from(bits.max(1))));
    (FEATURES.map(value), [masks.clone(), masks.clone(), masks.clone(), masks], 0..3_usize, actions, few)
        .prop_map(|(values, masks, kind, actions, few)| {
            let actions = match kind {
                0 => Actions::YES_NO,
                _ if few.count() > 3 => few,
                _ => actions,
            };
            (State { values, masks }, Question { seat: 0, kind, actions })
        })
}

/// Kind of question, name, least and greatest value, denominator, and the feature that it needs.
type Number = (usize, &'static str, i64, i64, i64, Option<usize>);

/// Of the candidates of two kinds of question.
const NUMBERS: [Number; 5] = [
    (1, "weight", -5, 40, 1, None),
    (1, "price", 0, 100, 4, Some(4)),
    (1, "rare", 0, 1, 1, None),
    (2, "count", -10, 122, 1, Some(1)),
    (2, "cost", 0, 9, 1, None),
];

fn values_of(feature: usize) -> usize {
    let (_, low, high, _) = FEATURES[feature];
    usize::try_from(high - low + 1).expect("low is below high")
}

const INFO: &Info = &Info {
    name: "sheet",
    summary: "one question",
    options: &[],
    kinds: &[
        Kind { name: "stop", form: AnswerForm::YesNo, actions: 2, meaning: "whether" },
        Kind { name: "take", form: AnswerForm::Items, actions: 64, meaning: "which" },
        Kind { name: "count", form: AnswerForm::Number, actions: 64, meaning: "how many" },
    ],
    predicates: &[
        Predicate { name: "red", meaning: "is red" },
        Predicate { name: "round", meaning: "is round" },
        Predicate { name: "loud", meaning: "makes noise" },
        Predicate { name: "old", meaning: "is old" },
    ],
    metrics: &[],
    endings: &[],
    tabled: &[],
    solvable: &[],
    shared_turns: false,
};

impl Game for Sheet {
    type State = State;
    type Chance = Die;

    const SHAPE: Shape = Shape::of(INFO, 1, 1).with_keys();

    fn info(&self) -> &'static Info {
        INFO
    }

    fn seats(&self) -> usize {
        1
    }

    fn root(&self, _: &mut impl Events) -> NodeOf<Self> {
        Node::Terminal(State { values: FEATURES.map(|(_, low, ..)| low), masks: [0; 4] })
    }

    fn decide(&self, state: State, _: usize, _: Action, _: &mut impl Events) -> NodeOf<Self> {
        Node::Terminal(state)
    }

    fn resolve(&self, state: State, _: u32, _: &mut impl Events) -> NodeOf<Self> {
        Node::Terminal(state)
    }

    fn measure(&self, _: State, _: Seat, _: &mut [u32; MAX_METRICS]) {}

    fn ending(&self, _: State) -> usize {
        0
    }

    fn stage(&self, _: State) -> u64 {
        0
    }

    /// Feature n needs bit n of memory.
    fn forget(&self, mut state: State, keep: u32) -> State {
        for (index, (value, (_, low, ..))) in state.values.iter_mut().zip(FEATURES).enumerate() {
            if keep >> index & 1 == 0 {
                *value = low;
            }
        }
        state
    }
}

impl Vocabulary for Sheet {
    fn features(&self) -> Vec<Feature> {
        let feature = |(index, (name, low, high, denominator))| Feature {
            name,
            meaning: name,
            unit: "",
            low,
            high,
            denominator,
            is_truth: false,
            memory: 1_u32 << index,
        };
        FEATURES.into_iter().enumerate().map(feature).collect()
    }

    fn feature(&self, state: State, index: usize) -> i64 {
        state.values[index]
    }

    fn slow_feature(&self, state: &State, index: usize) -> i64 {
        state.values[index]
    }

    fn candidate_numbers(&self) -> Vec<CandidateNumber> {
        let number = |(kind, name, low, high, denominator, feature): Number| {
            let memory = feature.map_or(0, |feature| 1_u32 << feature);
            let is_truth = name == "rare";
            let meaning = if is_truth { "is rare" } else { name };
            CandidateNumber {
                kind,
                number: Feature { name, meaning, unit: "", low, high, denominator, is_truth, memory },
            }
        };
        NUMBERS.map(number).into()
    }

    fn candidate_number(&self, state: &State, candidate: Action, index: usize) -> i64 {
        let place = i64::from(candidate.index());
        let chance = |mask: usize, below: u64| {
            i64::try_from(state.masks[mask].rotate_left(7 * candidate.index()) % below)
                .expect("a small number")
        };
        match index {
            0 => chance(0, 46) - 5,
            1 => (state.values[4] + 13 * place) % 101,
            2 => chance(1, 2),
            3 => 2 * place - 7 + state.values[1],
            _ => chance(2, 10),
        }
    }

    /// The last two are of one kind of question.
    fn known_predicates(&self, kind: usize) -> u32 {
        if kind == 1 { 0b1111 } else { 0b0011 }
    }

    /// A predicate that is not wanted holds of anything.
    fn predicates(&self, state: State, _: usize, wanted: u32) -> Masks {
        let mut masks = [0x5555_5555_5555_5555; MAX_PREDICATES];
        for (index, (mask, real)) in masks.iter_mut().zip(state.masks).enumerate() {
            if wanted >> index & 1 == 1 {
                *mask = real;
            }
        }
        masks
    }
}

impl Tabulation for Sheet {
    /// The third feature is the column.
    fn digests(&self) -> (usize, usize) {
        if self.tabulated { (values_of(0) * values_of(1), values_of(2)) } else { (0, 0) }
    }

    fn digest(&self, state: State) -> TableKey {
        let value =
            |feature: usize| usize::try_from(state.values[feature] - FEATURES[feature].1).expect("in range");
        TableKey { row: value(1) * values_of(0) + value(0), column: value(2) }
    }

    fn with_digest(&self, digest: TableKey) -> Option<State> {
        let mut values = FEATURES.map(|(_, low, ..)| low);
        let parts = [digest.row % values_of(0), digest.row / values_of(0), digest.column];
        for (value, part) in values.iter_mut().zip(parts) {
            *value += i64::try_from(part).expect("small");
        }
        Some(State { values, masks: [0; 4] })
    }

    fn is_digested(&self, index: usize) -> bool {
        index < DIGESTED
    }
}

impl Prose for Sheet {
    fn describe_action(&self, _: &State, _: usize, action: Action) -> String {
        action.index().to_string()
    }

    fn tell_action(&self, _: usize, _: Action, name: &str) -> String {
        format!("takes {name}")
    }

    fn describe_outcome(&self, face: u32) -> String {
        face.to_string()
    }

    fn describe_state(&self, _: &State) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}
