//! Random games on lanes: the tallies of the trial, where an answer depends on every bit of a state.

use stopwise_engine::game::{Action, Game, Policy, Question};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::plan::Batch;
use stopwise_engine::run::batch;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::vocabulary::{Answering, Formula, List, Operation, Preference, Vocabulary};
use stopwise_script::lanes::Lanes;
use stopwise_script::{Script, State};

use crate::common::Any;

/// Chooses candidates by lists, a list of lists for every kind of question; answers other questions as [`Any`].
#[derive(Clone, Debug)]
struct ByLists(Vec<Option<Vec<List>>>);

impl ByLists {
    /// Lists of whatever there is to read, in every other kind of question that has candidates.
    fn of(script: &Script) -> Self {
        let features = script.features();
        let feature = |seed: usize| match features.len() {
            0 => Formula::Number(1),
            many => Formula::Feature(seed % many),
        };
        let more = Formula::Operation(Operation::More);
        let of_kind = |kind: usize| {
            let numbers = script.candidate_numbers();
            let numbers = numbers.iter().enumerate().filter(|(_, number)| number.kind == kind);
            let mut entries = Vec::new();
            for (at, (index, _)) in numbers.enumerate() {
                let number = Formula::OfCandidate(index);
                entries.push(match at % 3 {
                    0 => Preference::Where(vec![number, feature(index), more]),
                    1 => Preference::Most(vec![number, Formula::Negate]),
                    _ => Preference::Most(vec![
                        number,
                        feature(index),
                        Formula::Operation(Operation::Multiply),
                    ]),
                });
            }
            let known = script.known_predicates(kind);
            for index in (0..32).filter(|index| known >> index & 1 == 1) {
                entries.insert(0, Preference::Where(vec![Formula::Predicate(index), Formula::Not]));
            }
            let when = vec![feature(kind), feature(kind + 1), more];
            let backwards = entries.iter().rev().cloned().collect();
            (!entries.is_empty())
                .then(|| vec![List { when: Some(when), entries: backwards }, List { when: None, entries }])
        };
        Self((0..script.info().kinds.len()).map(of_kind).collect())
    }

    fn value(script: &Script, state: State, question: Question, action: Action, steps: &[Formula]) -> i64 {
        let mut stack: Vec<i64> = Vec::new();
        for step in steps {
            let mut pop = || stack.pop().expect("an operand");
            let value = match step {
                Formula::Number(number) => *number,
                Formula::Feature(index) => script.feature(state, *index),
                Formula::Predicate(index) => {
                    i64::from(script.predicates_of(state, question, 1 << index)[*index] & action.0 != 0)
                }
                Formula::OfCandidate(index) => script.candidate_number(&state, action, *index),
                Formula::Negate => -pop(),
                Formula::Not => i64::from(pop() == 0),
                Formula::Operation(Operation::More) => i64::from(pop() < pop()),
                Formula::Operation(Operation::Multiply) => pop() * pop(),
                _ => panic!("not used here"),
            };
            stack.push(value);
        }
        stack[0]
    }
}

impl Policy<Script> for ByLists {
    fn choose(&self, script: &Script, state: State, question: Question) -> Action {
        let Some(lists) = &self.0[question.kind] else { return Any.choose(script, state, question) };
        let actions: Vec<Action> = question.actions.iter().collect();
        let value = |action: Action, steps: &[Formula]| Self::value(script, state, question, action, steps);
        let applies = |list: &&List| list.when.as_ref().is_none_or(|when| value(actions[0], when) != 0);
        let mut left = actions.clone();
        for entry in &lists.iter().find(applies).expect("the last list applies").entries {
            let kept: Vec<Action> = match entry {
                Preference::Where(steps) => {
                    left.iter().copied().filter(|action| value(*action, steps) != 0).collect()
                }
                Preference::Most(steps) => {
                    let most = left.iter().map(|action| value(*action, steps)).max();
                    left.iter().copied().filter(|action| Some(value(*action, steps)) == most).collect()
                }
            };
            left = if kept.is_empty() { left } else { kept };
        }
        left[0]
    }
}

/// The reason why lanes do not play a game, if they do not: with answers of which nothing is known.
pub(crate) fn beside(script: &Script, trials: u64) -> Result<(), String> {
    agree(script, &Any, vec![Answering::default(); script.info().kinds.len()], trials)
}

/// The same with lists of what there is to read.
pub(crate) fn by_lists(script: &Script, trials: u64) -> Result<(), String> {
    let policy = ByLists::of(script);
    if policy.0.iter().all(Option::is_none) {
        return Ok(());
    }
    let answering = policy.0.iter().map(|lists| Answering { lists: lists.clone(), ..Answering::default() });
    agree(script, &policy, answering.collect(), trials)
}

fn agree(
    script: &Script,
    policy: &(impl Policy<Script> + Clone),
    answering: Vec<Answering>,
    trials: u64,
) -> Result<(), String> {
    let lanes = Lanes::new(script, &[answering], vec![vec![0]])?;
    let keys = Keys::new(3);
    let mut expected = Tally::new(script);
    batch(script, std::slice::from_ref(policy), &keys, 0..trials, &mut expected);
    let mut tally = Tally::new(script);
    let mut left = Some(0..trials);
    let mut next = |_: Batch| left.take().unwrap_or(0..0);
    lanes.play(
        InstructionSet::best(),
        &keys,
        &mut next,
        &|_, state, question| policy.choose(script, state, question),
        std::slice::from_mut(&mut tally),
        None,
    );
    assert_eq!(tally, expected);
    Ok(())
}
