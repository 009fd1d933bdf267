//! Random policies: written as text, and evaluated in the simplest way.

use std::cmp::Ordering;
use std::fmt::Write;

use proptest::prelude::*;
use stopwise_engine::game::{Action, Actions, AnswerForm, Info, Question};
use stopwise_engine::vocabulary::{CandidateNumber, Feature, Vocabulary};

use super::expression::{Expression, Fraction, Value, comparisons, conditions, entries, numbers, numbers_of};

/// A policy for any game.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// A whole number and thousandths.
    parameters: (i64, i64),
    /// One for every kind of decision.
    answers: Vec<Answer>,
}

#[derive(Clone, Debug)]
enum Answer {
    YesNo(Expression),
    Items(Vec<List>),
    Number(Expression),
}

#[derive(Clone, Debug)]
struct List {
    when: Option<Expression>,
    entries: Vec<Entry>,
}

/// What is preferred.
#[derive(Clone, Debug)]
enum Entry {
    Where(Expression),
    Most(Expression),
    Least(Expression),
}

/// Random policies of a game, whose lists compare numbers of candidates or do not.
pub(crate) fn cases<G: Vocabulary>(game: &G, with_numbers: bool) -> BoxedStrategy<Case> {
    // Few features make tables of one and of several keys, all of them make flat code.
    let features = game.features();
    let digested: Vec<_> = (0..features.len()).filter(|&index| game.is_digested(index)).collect();
    let all: Vec<_> = (0..features.len()).collect();
    let pair = prop::sample::subsequence(all.clone(), 1..=2);
    let chosen = prop_oneof![pair, Just(digested), Just(all)];
    let info = game.info();
    let mut of_candidates = game.candidate_numbers();
    of_candidates.retain(|_| with_numbers);
    let known: Vec<u32> = (0..info.kinds.len()).map(|kind| game.known_predicates(kind)).collect();
    chosen
        .prop_flat_map(move |chosen| with_features(info, (&of_candidates, &known), &features, &chosen))
        .boxed()
}

fn with_features(
    game: &Info,
    (of_candidates, known): (&[CandidateNumber], &[u32]),
    features: &[Feature],
    chosen: &[usize],
) -> BoxedStrategy<Case> {
    let (mut wholes, mut fractions) = (vec!["k".to_owned()], vec!["risk".to_owned()]);
    for &index in chosen {
        let Feature { name, denominator, .. } = features[index];
        if denominator == 1 { &mut wholes } else { &mut fractions }.push(name.to_owned());
    }
    let (conditions, numbers) = (conditions(&wholes, &fractions), numbers(&wholes, &fractions));
    let answer = |kind: usize| {
        let own: Vec<_> = of_candidates.iter().filter(|number| number.kind == kind).collect();
        let named = |is_truth| {
            let named = own.iter().filter(move |number| number.number.is_truth == is_truth);
            named.map(|number| number.number.name.to_owned()).collect::<Vec<_>>()
        };
        let is_known = |(index, _): &(usize, _)| known[kind] >> index & 1 == 1;
        let predicates = game.predicates.iter().enumerate().filter(is_known);
        let mut truths: Vec<_> = predicates.map(|(_, predicate)| predicate.name.to_owned()).collect();
        truths.extend(named(true));
        let lists = || {
            let truths = entries(&truths);
            lists(&conditions, &list_entries(&named(false), &truths, &numbers)).prop_map(Answer::Items)
        };
        match game.kinds[kind].form {
            AnswerForm::YesNo => conditions.clone().prop_map(Answer::YesNo).boxed(),
            AnswerForm::Items => lists().boxed(),
            AnswerForm::Number => {
                prop_oneof![2 => numbers.clone().prop_map(Answer::Number), 1 => lists()].boxed()
            }
        }
    };
    let answers: Vec<_> = (0..game.kinds.len()).map(answer).collect();
    let parameters = (prop_oneof![-3..15_i64, -2000..2000_i64], -2000..2000_i64);
    (parameters, answers).prop_map(|(parameters, answers)| Case { parameters, answers }).boxed()
}

/// Entries of lists: predicates, and what is said of numbers.
fn list_entries(
    own: &[String],
    truths: &BoxedStrategy<Expression>,
    numbers: &BoxedStrategy<Expression>,
) -> BoxedStrategy<Entry> {
    let plain = truths.clone().prop_map(Entry::Where);
    if own.is_empty() {
        return plain.boxed();
    }
    let own = numbers_of(own, numbers);
    prop_oneof![
        2 => plain,
        2 => comparisons(&own, numbers, truths).prop_map(Entry::Where),
        1 => own.clone().prop_map(Entry::Most),
        1 => own.prop_map(Entry::Least),
    ]
    .boxed()
}

/// One list, or several of which all but perhaps the last have a condition.
fn lists(
    conditions: &BoxedStrategy<Expression>,
    entries: &BoxedStrategy<Entry>,
) -> impl Strategy<Value = Vec<List>> + use<> {
    let entries = prop::collection::vec(entries.clone(), 0..5);
    let list = |(when, entries)| List { when, entries };
    let chosen = (conditions.clone().prop_map(Some), entries.clone()).prop_map(list);
    let last = (Just(None), entries).prop_map(list);
    let several = (prop::collection::vec(chosen, 0..4), prop::option::weighted(0.7, last));
    several.prop_map(|(mut lists, last)| {
        lists.extend(last);
        lists
    })
}

impl Case {
    /// The file that says it.
    pub(crate) fn to_text<G: Vocabulary>(&self, game: &G) -> String {
        let mut text = format!("game = \"{}\"\nname = \"random\"\nsummary = \"Random.\"\n", game.info().name);
        self.write(game.info(), &mut text).expect("a string takes everything");
        text
    }

    fn write(&self, game: &Info, text: &mut String) -> std::fmt::Result {
        let (k, risk) = self.parameters;
        let sign = if risk < 0 { "-" } else { "" };
        writeln!(
            text,
            "params = {{ k = {k}, risk = {sign}{}.{:03} }}",
            risk.abs() / 1000,
            risk.abs() % 1000
        )?;
        for (kind, answer) in game.kinds.iter().zip(&self.answers) {
            write!(text, "{} = ", kind.name)?;
            match answer {
                Answer::YesNo(expression) | Answer::Number(expression) => {
                    writeln!(text, "'''\n{}'''", expression.to_text())?;
                }
                Answer::Items(lists) => write_lists(lists, text)?,
            }
        }
        Ok(())
    }

    /// What it answers.
    pub(crate) fn choose<G: Vocabulary>(
        &self,
        game: &G,
        features: &[Feature],
        state: G::State,
        question: Question,
    ) -> Action {
        match &self.answers[question.kind] {
            Answer::YesNo(condition) => Action::from(self.holds(condition, game, features, state)),
            Answer::Items(_) => {
                let left = self.narrowing(game, features, state, question);
                left.last().copied().unwrap_or(question.actions).first()
            }
            Answer::Number(_) => self.nearest(game, features, state, question).0,
        }
    }

    /// Whether the number that is asked for is not legal, even rounded.
    pub(crate) fn is_clipped<G: Vocabulary>(
        &self,
        game: &G,
        features: &[Feature],
        state: G::State,
        question: Question,
    ) -> bool {
        matches!(self.answers[question.kind], Answer::Number(_)) && {
            let (_, distance) = self.nearest(game, features, state, question);
            distance.compare(Fraction::new(1, 2)) == Ordering::Greater
        }
    }

    /// The action with the nearest number, and how far it is from the one that is asked for.
    fn nearest<G: Vocabulary>(
        &self,
        game: &G,
        features: &[Feature],
        state: G::State,
        question: Question,
    ) -> (Action, Fraction) {
        let Answer::Number(expression) = &self.answers[question.kind] else { panic!("a number") };
        let wanted = expression.value(&|name| self.named(name, game, features, state)).number();
        let name = game.info().kinds[question.kind].name;
        let distance = |action: Action| {
            let number =
                of_candidate(name, game, state, question, action).expect("the number that is chosen");
            number.number().distance(wanted)
        };
        let all = question.actions.iter().map(|action| (action, distance(action)));
        all.min_by(|(_, one), (_, other)| one.compare(*other)).expect("an action")
    }

    /// The candidates left after each entry of the first list that applies; none for yes and no.
    pub(crate) fn narrowing<G: Vocabulary>(
        &self,
        game: &G,
        features: &[Feature],
        state: G::State,
        question: Question,
    ) -> Vec<Actions> {
        let Answer::Items(lists) = &self.answers[question.kind] else {
            return Vec::new();
        };
        let applies = |list: &&List| match &list.when {
            Some(when) => self.holds(when, game, features, state),
            None => true,
        };
        let mut left: Vec<Action> = question.actions.iter().collect();
        let mut narrowing = Vec::new();
        for entry in lists.iter().find(applies).iter().flat_map(|list| &list.entries) {
            let value = |expression: &Expression, action: Action| {
                expression.value(&|name| {
                    let own = of_candidate(name, game, state, question, action);
                    own.unwrap_or_else(|| self.named(name, game, features, state))
                })
            };
            let number = |expression, action| value(expression, action).number();
            // No candidate that is left is better in this respect.
            let is_best = |action: Action| match entry {
                Entry::Where(condition) => value(condition, action).truth(),
                Entry::Most(expression) => left.iter().all(|&other| {
                    number(expression, other).compare(number(expression, action)) != Ordering::Greater
                }),
                Entry::Least(expression) => left.iter().all(|&other| {
                    number(expression, other).compare(number(expression, action)) != Ordering::Less
                }),
            };
            let kept: Vec<_> = left.iter().copied().filter(|&action| is_best(action)).collect();
            if !kept.is_empty() {
                left = kept;
            }
            narrowing.push(Actions(left.iter().map(|action| action.0).sum()));
        }
        narrowing
    }

    fn holds<G: Vocabulary>(
        &self,
        condition: &Expression,
        game: &G,
        features: &[Feature],
        state: G::State,
    ) -> bool {
        condition.value(&|name| self.named(name, game, features, state)).truth()
    }

    /// The value of a parameter or feature.
    fn named<G: Vocabulary>(&self, name: &str, game: &G, features: &[Feature], state: G::State) -> Value {
        Value::Number(match name {
            "k" => Fraction::new(self.parameters.0.into(), 1),
            "risk" => Fraction::new(self.parameters.1.into(), 1000),
            _ => {
                let index = features.iter().position(|feature| feature.name == name).expect("a feature");
                let Feature { low, high, denominator, .. } = features[index];
                let value = game.feature(state, index);
                assert!((low..=high).contains(&value), "{name} is {value}, not from {low} to {high}");
                Fraction::new(value.into(), denominator.into())
            }
        })
    }
}

/// The value of a word of a candidate.
fn of_candidate<G: Vocabulary>(
    name: &str,
    game: &G,
    state: G::State,
    question: Question,
    action: Action,
) -> Option<Value> {
    let predicate = game.info().predicates.iter().position(|predicate| predicate.name == name);
    if let Some(index) = predicate {
        let masks = game.predicates(state, question.kind, u32::MAX);
        return Some(Value::Truth(masks[index] & action.0 != 0));
    }
    let numbers = game.candidate_numbers();
    let is_it = |number: &CandidateNumber| number.kind == question.kind && number.number.name == name;
    let index = numbers.iter().position(is_it)?;
    let value = game.candidate_number(&state, action, index);
    let Feature { low, high, denominator, is_truth, .. } = numbers[index].number;
    assert!((low..=high).contains(&value), "{name} is {value}, not from {low} to {high}");
    Some(match is_truth {
        true => Value::Truth(value == 1),
        false => Value::Number(Fraction::new(value.into(), denominator.into())),
    })
}

fn write_lists(lists: &[List], text: &mut String) -> std::fmt::Result {
    let entry = |entry: &Entry| match entry {
        Entry::Where(expression) => expression.to_text(),
        Entry::Most(expression) => format!("most {}", expression.to_text()),
        Entry::Least(expression) => format!("least {}", expression.to_text()),
    };
    let quoted = |text: String| format!("'''{text}'''");
    let entries =
        |list: &List| list.entries.iter().map(|of| quoted(entry(of))).collect::<Vec<_>>().join(", ");
    if let [list @ List { when: None, .. }] = lists {
        return writeln!(text, "[{}]", entries(list));
    }
    writeln!(text, "[")?;
    for list in lists {
        let when = list.when.as_ref().map(|when| format!("when = {}, ", quoted(when.to_text())));
        writeln!(text, "  {{ {}prefer = [{}] }},", when.unwrap_or_default(), entries(list))?;
    }
    writeln!(text, "]")
}
