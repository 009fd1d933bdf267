//! Random policies: written as text, and evaluated in the simplest way.

use std::fmt::Write;

use proptest::prelude::*;
use stopwise_engine::game::{Action, Actions, AnswerForm, Info, Question};
use stopwise_engine::vocabulary::{Feature, Vocabulary};

use super::expression::{Expression, Fraction, Value, conditions, entries};

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
}

#[derive(Clone, Debug)]
struct List {
    when: Option<Expression>,
    entries: Vec<Expression>,
}

/// Random policies of a game.
pub(crate) fn cases<G: Vocabulary>(game: &G) -> BoxedStrategy<Case> {
    // Few features make tables of one and of several keys, all of them make flat code.
    let features = game.features();
    let digested: Vec<_> = (0..features.len()).filter(|&index| game.is_digested(index)).collect();
    let all: Vec<_> = (0..features.len()).collect();
    let pair = prop::sample::subsequence(all.clone(), 1..=2);
    let chosen = prop_oneof![pair, Just(digested), Just(all)];
    let info = game.info();
    chosen.prop_flat_map(move |chosen| with_features(info, &features, &chosen)).boxed()
}

fn with_features(game: &Info, features: &[Feature], chosen: &[usize]) -> BoxedStrategy<Case> {
    let (mut wholes, mut fractions) = (vec!["k".to_owned()], vec!["risk".to_owned()]);
    for &index in chosen {
        let Feature { name, denominator, .. } = features[index];
        if denominator == 1 { &mut wholes } else { &mut fractions }.push(name.to_owned());
    }
    let conditions = conditions(&wholes, &fractions);
    let answer = |form: AnswerForm| match form {
        AnswerForm::YesNo => conditions.clone().prop_map(Answer::YesNo).boxed(),
        AnswerForm::Items | AnswerForm::Number => {
            let names: Vec<_> = game.predicates.iter().map(|predicate| predicate.name.to_owned()).collect();
            lists(&conditions, &entries(&names)).prop_map(Answer::Items).boxed()
        }
    };
    let answers: Vec<_> = game.kinds.iter().map(|kind| answer(kind.form)).collect();
    let parameters = (prop_oneof![-3..15_i64, -2000..2000_i64], -2000..2000_i64);
    (parameters, answers).prop_map(|(parameters, answers)| Case { parameters, answers }).boxed()
}

/// One list, or several of which all but perhaps the last have a condition.
fn lists(
    conditions: &BoxedStrategy<Expression>,
    entries: &BoxedStrategy<Expression>,
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
                Answer::YesNo(condition) => writeln!(text, "'''\n{}'''", condition.to_text())?,
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
        }
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
        let masks = game.predicates(state, question.kind, u32::MAX);
        let mut left: Vec<Action> = question.actions.iter().collect();
        let mut narrowing = Vec::new();
        for entry in lists.iter().find(applies).iter().flat_map(|list| &list.entries) {
            let holds_of = |action: Action| {
                let names = |name: &str| {
                    let known = game.info().predicates.iter().position(|predicate| predicate.name == name);
                    Value::Truth(masks[known.expect("a predicate")] & action.0 != 0)
                };
                entry.value(&names).truth()
            };
            let kept: Vec<_> = left.iter().copied().filter(|&action| holds_of(action)).collect();
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
        let names = |name: &str| {
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
        };
        condition.value(&names).truth()
    }
}

fn write_lists(lists: &[List], text: &mut String) -> std::fmt::Result {
    let quoted = |expression: &Expression| format!("'''{}'''", expression.to_text());
    let entries = |list: &List| list.entries.iter().map(quoted).collect::<Vec<_>>().join(", ");
    if let [list @ List { when: None, .. }] = lists {
        return writeln!(text, "[{}]", entries(list));
    }
    writeln!(text, "[")?;
    for list in lists {
        let when = list.when.as_ref().map(|when| format!("when = {}, ", quoted(when)));
        writeln!(text, "  {{ {}prefer = [{}] }},", when.unwrap_or_default(), entries(list))?;
    }
    writeln!(text, "]")
}
