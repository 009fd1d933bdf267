//! The game in progress: a trial told up to the open question.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::Value;
use stopwise_engine::game::Kind;
use stopwise_erased::{AnyPolicy, AnyRules, Asked};
use stopwise_narration::{InWords, Listener, Outcome, Passage, Told};
use stopwise_policy::{Heading, Text};

use crate::failure::Failure;

/// What comes next in a game.
#[derive(Debug)]
pub(crate) enum Next {
    /// A question with a choice.
    Asked(Box<Asked>),
    Over(Outcome),
}

/// A game with a person in one seat.
pub(crate) struct PlayedGame {
    rules: Arc<dyn AnyRules>,
    /// A policy for every seat, or one for all; that of the person's seat does not play.
    others: Vec<AnyPolicy>,
    seat: usize,
    passage: Passage,
    /// The person's answers, by the numbers of their actions.
    answers: Vec<i64>,
    /// How much of the telling has been shown.
    shown: String,
}

/// A decision of the game that was played.
#[derive(Clone, Debug)]
pub(crate) struct PastDecision {
    /// From 0.
    pub(crate) seat: usize,
    pub(crate) position: String,
    /// What was chosen: its place among all answers that the rules allow. Their words need not be those of the position alone,
    /// which does not say how a city was built.
    pub(crate) choice: usize,
    /// The turn, from 1.
    pub(crate) turn: u64,
}

impl PlayedGame {
    pub(crate) fn new(
        rules: Arc<dyn AnyRules>,
        others: Vec<AnyPolicy>,
        seat: usize,
        (seed, trial): (u64, u64),
    ) -> Self {
        let others = if rules.seats() == 1 { Vec::new() } else { others };
        let passage = Passage::whole(seed, trial);
        Self { rules, others, seat, passage, answers: Vec::new(), shown: String::new() }
    }

    /// The game with these answers.
    pub(crate) fn with(self, answers: &[u8]) -> Self {
        Self { answers: answers.iter().map(|&action| action.into()).collect(), ..self }
    }

    /// All that has happened, up to the next question with a choice or the end; `None` if an answer is not possible there. Where all
    /// answers have the same effect, the first is given.
    pub(crate) fn told(&mut self) -> Result<Option<(String, Next)>, Failure> {
        loop {
            let mut heard = Heard::default();
            let next = match self.rules.play(&self.lineup(), &self.passage, &mut heard) {
                None => return Ok(None),
                Some(Told::Over(outcome)) => Next::Over(outcome),
                Some(Told::Asked(position)) => {
                    let asked = self.rules.asked(&position).map_err(Failure::Other)?;
                    if let [only] = &*asked.choices {
                        self.answer(only.action);
                        continue;
                    }
                    Next::Asked(Box::new(asked))
                }
            };
            return Ok(Some((heard.text, next)));
        }
    }

    /// Tells what is new, up to the next question with a choice or the end.
    pub(crate) fn go_on(&mut self) -> Result<(String, Next), Failure> {
        let told = self.told()?;
        let (text, next) = told.unwrap_or_else(|| unreachable!("a listener that goes on hears the game"));
        let lines = text.split_inclusive('\n').zip(self.shown.split_inclusive('\n'));
        let known: usize = lines.take_while(|(new, shown)| new == shown).map(|(line, _)| line.len()).sum();
        let news = text[known..].to_owned();
        self.shown = text;
        Ok((news, next))
    }

    fn lineup(&self) -> Vec<AnyPolicy> {
        let heading = Heading::new("you".into(), "a person".into(), Text::new("you", ""));
        self.with_own(AnyPolicy::given(heading, &self.answers))
    }

    /// The other policies, and this one in the person's seat.
    pub(crate) fn with_own(&self, own: AnyPolicy) -> Vec<AnyPolicy> {
        let mut lineup = match self.others.as_slice() {
            [] => vec![own.clone()],
            [one] => vec![one.clone(); self.rules.seats()],
            all => all.to_vec(),
        };
        lineup[self.seat] = own;
        lineup
    }

    pub(crate) fn answer(&mut self, action: u8) {
        self.answers.push(action.into());
    }

    /// Takes the last answer back that had an alternative, if there is one.
    pub(crate) fn undo(&mut self) -> Result<bool, Failure> {
        while let Some(less) = self.answers.len().checked_sub(1) {
            self.answers.truncate(less);
            self.told()?;
            if self.answers.len() == less {
                return Ok(true);
            }
            // It is given again.
            self.answers.truncate(less);
        }
        Ok(false)
    }

    pub(crate) fn kind(&self, asked: &Asked) -> Kind {
        self.rules.kinds()[asked.kind]
    }

    pub(crate) fn has_decided(&self) -> bool {
        !self.answers.is_empty()
    }

    /// All decisions with a choice, in their order.
    pub(crate) fn steps(&self) -> Vec<PastDecision> {
        let mut heard = Heard::default();
        self.rules.play(&self.lineup(), &self.passage, &mut heard);
        heard.steps
    }

    /// The labels of the policies that play against the person, seat by seat.
    pub(crate) fn labels(&self) -> Vec<String> {
        let lineup = self.lineup();
        let others = lineup.iter().enumerate().filter(|(seat, _)| *seat != self.seat);
        others.map(|(_, policy)| policy.label()).collect()
    }

    pub(crate) fn others(&self) -> &[AnyPolicy] {
        &self.others
    }

    pub(crate) fn rules(&self) -> &dyn AnyRules {
        &*self.rules
    }

    pub(crate) fn shared_rules(&self) -> Arc<dyn AnyRules> {
        Arc::clone(&self.rules)
    }

    pub(crate) fn seat(&self) -> usize {
        self.seat
    }

    pub(crate) fn trial(&self) -> u64 {
        self.passage.trial
    }

    pub(crate) fn seed(&self) -> u64 {
        self.passage.seed
    }

    pub(crate) fn answers(&self) -> &[i64] {
        &self.answers
    }
}

/// Keeps what it is told.
#[derive(Default)]
struct Heard {
    text: String,
    turn: u64,
    steps: Vec<PastDecision>,
}

impl Listener for Heard {
    fn text(&mut self, text: &str) -> ControlFlow<()> {
        self.text.push_str(text);
        ControlFlow::Continue(())
    }

    fn step(&mut self, step: Value) -> ControlFlow<()> {
        if let Some(turn) = step["turn"].as_u64() {
            self.turn = turn;
        }
        let possible = step["possible"].as_array().filter(|possible| possible.len() > 1);
        let choice =
            possible.and_then(|possible| possible.iter().position(|choice| *choice == step["chosen"]));
        if let Some(choice) = choice {
            let seat = step["seat"].as_u64().and_then(|seat| usize::try_from(seat).ok()).unwrap_or(1) - 1;
            let position = step["position"].as_str().unwrap_or_default().to_owned();
            self.steps.push(PastDecision { seat, position, choice, turn: self.turn });
        }
        ControlFlow::Continue(())
    }
}
