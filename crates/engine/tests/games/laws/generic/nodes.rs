//! Every node leads on: a decision has actions, and every action and every outcome has a next node, which is always the
//! same.

use std::collections::HashSet;

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Actions, AnswerForm, Event, Events, Node, NodeOf, Question, Seat};
use stopwise_engine::vocabulary::{CandidateNumber, Prose, Vocabulary};

/// Hears events, and holds the rules to what they may say.
struct Hears(usize);

impl Events for Hears {
    fn event(&mut self, seat: Seat, event: Event) {
        assert!(seat < self.0, "{event:?} of seat {seat}");
    }
}

/// A node, and the one that a path went on to; all nodes to which it may lead. What is told of states has been looked at
/// already.
pub(super) fn check<G: Vocabulary + Prose + PartialEq>(
    game: &G,
    node: &NodeOf<G>,
    next: Option<&NodeOf<G>>,
    told: &mut HashSet<G::State>,
) -> Vec<NodeOf<G>> {
    let ways = ways(game, node);
    assert!(next.is_none_or(|next| ways.contains(next)), "one of the ways out was taken: {next:?}");
    assert_eq!(ways, self::ways(game, node), "the rules remember nothing");
    for way in ways.iter().map(Node::state) {
        if told.insert(way) {
            described(game, &way);
        }
    }
    if let Node::Decision(state, question) = *node {
        decision(game, state, question);
    }
    ways
}

/// Wherever a node may lead.
fn ways<G: Vocabulary + Prose>(game: &G, node: &NodeOf<G>) -> Vec<NodeOf<G>> {
    let mut hears = Hears(game.seats());
    match *node {
        Node::Decision(state, question) => {
            let actions = question.actions.iter();
            actions.map(|action| game.decide(state, question.kind, action, &mut hears)).collect()
        }
        Node::Chance(state, seat, chance) => {
            assert!(seat < game.seats());
            chance.outcomes().map(|(outcome, _)| game.resolve(state, outcome, &mut hears)).collect()
        }
        Node::Terminal(_) => Vec::new(),
    }
}

/// A state in words: the places are always the same.
fn described<G: Vocabulary + Prose>(game: &G, state: &G::State) {
    let places = game.describe_state(state);
    for (at, (name, text)) in places.iter().enumerate() {
        assert!(places[..at].iter().all(|(other, _)| other != name) && !text.is_empty(), "{places:?}");
    }
}

/// Actions whose names hold in every state differ in them.
pub(crate) fn names<G: Vocabulary + Prose>(game: &G) {
    for (kind, about) in game.info().kinds.iter().enumerate() {
        let names = (0..about.actions).filter_map(|number| game.action_name(kind, Action(1 << number)));
        let names: Vec<_> = names.collect();
        assert_eq!(
            names.iter().collect::<HashSet<_>>().len(),
            names.len(),
            "two actions have one name: {names:?}"
        );
    }
}

fn decision<G: Vocabulary + Prose>(game: &G, state: G::State, question: Question) {
    let Question { seat, kind, actions } = question;
    assert!(seat < game.seats() && kind < game.info().kinds.len(), "{question:?}");
    in_order(actions);
    let words: Vec<_> = actions.iter().map(|action| game.describe_action(&state, kind, action)).collect();
    assert_eq!(words.iter().collect::<HashSet<_>>().len(), words.len(), "actions differ in words: {words:?}");
    for (action, words) in actions.iter().zip(&words) {
        let name = game.action_name(kind, action);
        assert!(name.is_none_or(|name| words.starts_with(&name)), "{words}");
    }
    match game.info().kinds[kind].form {
        AnswerForm::YesNo => assert_eq!(actions, Actions::YES_NO),
        AnswerForm::Items | AnswerForm::Number => {
            let masks = game.predicates(state, kind, u32::MAX);
            assert_eq!(masks, game.predicates(state, kind, u32::MAX), "predicates are pure");
            assert!(
                masks[game.info().predicates.len()..].iter().all(|&mask| mask == 0),
                "a predicate without a name"
            );
        }
    }
    for (index, feature) in game.features().iter().enumerate() {
        let value = game.feature(state, index);
        assert!((feature.low..=feature.high).contains(&value), "{value}: {feature:?}");
    }
    candidates(game, &state, question);
}

/// The numbers of candidates are within their ranges; the number that is chosen tells candidates apart.
fn candidates<G: Vocabulary>(game: &G, state: &G::State, question: Question) {
    let about = game.info().kinds[question.kind];
    let numbers = game.candidate_numbers();
    let of_kind = || numbers.iter().enumerate().filter(|(_, number)| number.kind == question.kind);
    for (index, CandidateNumber { number, .. }) in of_kind() {
        let value = |action| game.candidate_number(state, action, index);
        let values: Vec<_> = question.actions.iter().map(value).collect();
        assert!(
            values.iter().all(|value| (number.low..=number.high).contains(value)),
            "{values:?}: {number:?}"
        );
        if number.name == about.name {
            assert_eq!(values.iter().collect::<HashSet<_>>().len(), values.len(), "{values:?}");
        }
    }
    let is_chosen = of_kind().any(|(_, number)| number.number.name == about.name);
    assert!(is_chosen || about.form != AnswerForm::Number, "{}", about.name);
}

/// The actions come one by one, by rising bit, each once.
fn in_order(actions: Actions) {
    let list: Vec<_> = actions.iter().collect();
    assert!(!list.is_empty(), "a decision has an action");
    assert!(list.is_sorted_by(|a, b| a.index() < b.index()), "{list:?}");
    assert!(list.iter().all(|&action| action.0 == 1 << action.index() && actions.contains(action)));
    assert_eq!(list.iter().fold(0, |mask, action| mask | action.0), actions.0);
    assert_eq!(list.len(), usize::try_from(actions.count()).expect("at most 64"));
    assert_eq!(actions.is_single(), list.len() == 1);
    assert_eq!(actions.first(), list[0]);
    assert!(!Actions(actions.0 ^ list[0].0).contains(list[0]));
    assert_eq!(Actions(0).first(), Action(0));
}
