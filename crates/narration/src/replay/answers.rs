//! What is told of an answer: what else was possible, why it was given, and whether who is asked next may know of it.

use std::fmt::Write as _;

use serde_json::json;
use stopwise_engine::game::{Action, AnswerForm, Node, Policy as _, Question, Seat};
use stopwise_engine::games::Playable;
use stopwise_engine::vocabulary::{Cause, effects, listed, with_worth, worth_in_words, write_position};

use super::end::object;
use super::player::Answers;
use super::teller::Teller;
use crate::names::in_a_word;

impl<G: Playable> Teller<'_, G> {
    /// Tells a decision: a seat took `action` in `state`.
    pub(super) fn decided(&mut self, state: G::State, question: Question, action: Action) {
        if !self.tells() {
            return;
        }
        self.rolled.clear();
        self.tell_news();
        let is_shown = self.is_shown(question);
        let is_quiet = !is_shown && self.game.is_quiet(question.kind, action);
        let is_secret = self.is_open && !is_shown && self.is_secret(state, question, action);
        if !(is_secret || question.actions.is_single()) {
            self.reveal();
        }
        if !is_quiet {
            self.catch_up();
        }
        if is_shown {
            self.last = Some(self.game.describe_at_a_glance(&state, self.sketch));
            self.has_news = false;
        } else if !is_quiet || self.has_news {
            self.places(state);
        }
        let name = |action| self.game.describe_sketched_action(&state, question.kind, action, self.sketch);
        let (kind, chosen) = (self.game.info().kinds[question.kind].name, name(action));
        let possible: Vec<_> = question.actions.iter().map(name).collect();
        let reason = self.reason(state, question);
        // Of answers of the same effect one is told.
        let others = effects(self.game, (state, question)).into_iter().filter(|same| !same.contains(&action));
        let in_words = |action| {
            let worth = worth_in_words(self.game, &state, question.kind, action);
            with_worth(&in_a_word(&name(action)), worth.as_deref())
        };
        let others: Vec<_> = others.map(|same| in_words(same[0])).collect();
        let choices = match self.game.info().kinds[question.kind].form {
            AnswerForm::Items | AnswerForm::Number if !others.is_empty() && !is_shown => {
                format!(" rather than {}", listed(&others, "or"))
            }
            _ => String::new(),
        };
        let because = if reason.is_empty() { String::new() } else { format!("   [{reason}]") };
        let told = self.game.tell_action(question.kind, action, &in_words(action));
        let line = format!("{}{told}{choices}{because}", self.who(question.seat));
        if is_secret {
            self.secret.push((line, is_quiet));
        } else if is_quiet {
            self.wait(line);
        } else {
            self.line(&line);
        }
        let places = self.game.describe_sketched_state(&state, self.sketch);
        let named = |(place, text): (&str, String)| (place.to_lowercase().replace(' ', "_"), text.into());
        let places = object(places.into_iter().map(named).collect());
        self.step(json!({
            "step": kind, "seat": question.seat + 1, "possible": possible, "chosen": chosen, "reason": reason,
            "state": places, "position": write_position(self.game, (state, question)),
        }));
    }

    /// Whether who answers was shown the places when asked.
    fn is_shown(&self, question: Question) -> bool {
        let player = &self.lineup[if self.lineup.len() == 1 { 0 } else { question.seat }];
        self.is_open && matches!(player.answers, Answers::Given(_)) && !question.actions.is_single()
    }

    /// Whether who is asked next does not know of this answer.
    fn is_secret(&self, state: G::State, question: Question, action: Action) -> bool {
        let next = |action| match self
            .game
            .next_told(Some((state, Cause::Answer(question.kind, action))), &mut ())
        {
            Node::Decision(next, asked) => Some((self.game.seen(next), asked.seat, next)),
            _ => None,
        };
        let is_hidden = |(seen, seat, whole): (G::State, Seat, G::State)| {
            let others = question.actions.iter().filter_map(next);
            others.into_iter().any(|other| (other.0, other.1) == (seen, seat) && other.2 != whole)
        };
        self.game.asks_at_once() && next(action).is_some_and(is_hidden)
    }

    /// The reason for the policy's choice.
    fn reason(&self, state: G::State, question: Question) -> String {
        let policy = if self.lineup.len() == 1 { &self.lineup[0] } else { &self.lineup[question.seat] };
        if question.actions.is_single() {
            return "nothing else is possible".into();
        }
        let Answers::Text(policy) = &policy.answers else { return String::new() };
        if let Some(reason) = policy.reason_by_worth(self.game, &state, question) {
            return reason;
        }
        let mut said = Vec::new();
        let is_by_chance = policy.is_by_chance(question.kind);
        if is_by_chance {
            said.push("by chance".into());
        }
        // Which of several lists it was is not known of chances.
        if policy.has_list(question.kind) && !is_by_chance {
            let mut before = question.actions;
            for (entry, left) in policy.narrowing(self.game, state, question) {
                if left != before {
                    said.push(format!("{entry} leaves {}", left.count()));
                }
                before = left;
            }
            if !before.is_single() {
                said.push("the first in order".into());
            }
        } else if !policy.has_list(question.kind) {
            let evidence = policy.evidence(self.game, state, question);
            said.extend(evidence.iter().map(|(name, value)| format!("{name} = {value}")));
            if policy.is_clipped(self.game, state, question) {
                said.push("the nearest that is legal".into());
            }
        }
        said.join(", ")
    }

    /// Ends a replay whose next given action is missing or illegal.
    pub(super) fn break_off(&mut self, label: &str, state: G::State, question: Question, wrong: Option<i64>) {
        self.catch_up();
        let name = |action: Action| {
            let name = self.game.describe_sketched_action(&state, question.kind, action, self.sketch);
            format!("{} ({name})", action.index())
        };
        let possible: Vec<_> = question.actions.iter().map(name).collect();
        let possible = listed(&possible, "or");
        let kind = self.game.info().kinds[question.kind].name;
        let told = match wrong {
            None => format!("has no further actions; the game goes on with `{kind}`: {possible}"),
            Some(action) => {
                format!("answers {action}, which is no legal action of `{kind}` here: {possible}")
            }
        };
        let _ = writeln!(self.out, "\n{label} {told}");
        self.goes_on();
    }
}
