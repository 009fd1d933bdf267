//! Games in words: what they are, rules read from text and written, policies explained, trials told.
//!
//! All of it is done once a command, or once a trial that a person reads, so this crate is not optimised: its code for
//! five games, a quarter of what `stopwise-erased` would otherwise compile, takes two seconds instead of ten.
//!
//! Nothing optimised may depend on it: of generic functions that are never inlined, the compiler takes the copies of the
//! crates below, and a policy that answers by such a copy plays half as fast.

mod about;
mod divergence;
mod names;
mod numbers;
mod replay;
mod standings;

use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::sync::Arc;

use serde_json::Value;
use stopwise_engine::games::{self, EachGame, Playable, RulesError};
use stopwise_engine::lanes::LaneGame;
use stopwise_erased::{AnyPolicy, AnyRules, Divergence, Game, NamedRules, batch_actions, batch_parting};
use stopwise_policy::{RulesText, Text, TextError, TextPolicy, explain_options, set_option, write_rules};
use stopwise_script::Script;

pub use about::{GameSummary, about, about_under};
pub use names::spoken;
pub use numbers::{counted, grouped, trials};
use replay::{Answers, Player};
pub use replay::{Listener, Outcome, Passage, Told};

/// Reads rules of a game, from the text of a preset or a file.
///
/// # Errors
///
/// All problems of the text, with their places.
pub fn read_rules(game: &'static Game, text: &Text) -> Result<NamedRules, TextError> {
    let (name, rules) = words(game.any()).read(text, game)?;
    Ok(NamedRules { name, rules: game.rules(&*rules) })
}

/// Rules of any game, in words.
///
/// # Panics
///
/// Methods that take policies panic if one of them was compiled for other rules: see [`AnyRules::check_policy`].
pub trait InWords {
    /// Every option under its name.
    fn options(&self) -> Value;

    /// The rules as a file that needs no base.
    fn to_text(&self, name: &str) -> String;

    /// The rules with one option changed, as in `points.solid=9`.
    ///
    /// # Errors
    ///
    /// Says which option is unknown, or what is wrong with the value.
    fn with_option(&self, assignment: &str) -> Result<Arc<dyn AnyRules>, RulesError>;

    /// The options with their values, a line each, and what they mean and take as a remark.
    fn explain_options(&self) -> String;

    /// An explanation of a policy, in several lines.
    fn explain(&self, policy: &AnyPolicy) -> String;

    /// Tells a trial in words, step by step. Returns `None` if the listener asked to stop, or if given actions
    /// ([`AnyPolicy::given`]) do not lead to the end, which the replay then says.
    fn replay(&self, lineup: &[AnyPolicy], passage: &Passage, listener: &mut dyn Listener)
    -> Option<Outcome>;

    /// The same for somebody who answers while it is told: where given actions end before the game, it ends with the
    /// question.
    fn play(&self, lineup: &[AnyPolicy], passage: &Passage, listener: &mut dyn Listener) -> Option<Told>;

    /// The first decision of a trial on which two line-ups differ, if any.
    fn divergence(&self, a: &[AnyPolicy], b: &[AnyPolicy], seed: u64, trial: u64) -> Option<Divergence>;
}

impl InWords for dyn AnyRules + '_ {
    fn options(&self) -> Value {
        words(self.typed()).options(self.typed())
    }

    fn to_text(&self, name: &str) -> String {
        words(self.typed()).to_text(self.typed(), name)
    }

    fn with_option(&self, assignment: &str) -> Result<Arc<dyn AnyRules>, RulesError> {
        let rules = words(self.typed()).with_option(self.typed(), assignment)?;
        Ok(self.entry().rules(&*rules))
    }

    fn explain_options(&self) -> String {
        words(self.typed()).explain_options(self.typed())
    }

    fn explain(&self, policy: &AnyPolicy) -> String {
        if !policy.is_text() {
            return format!("{} has no text to explain\n", policy.heading().name);
        }
        words(self.typed()).explain(self.typed(), policy)
    }

    fn replay(
        &self,
        lineup: &[AnyPolicy],
        passage: &Passage,
        listener: &mut dyn Listener,
    ) -> Option<Outcome> {
        match told(self, lineup, (passage, false), listener)? {
            Told::Over(outcome) => Some(outcome),
            Told::Asked(_) => None,
        }
    }

    fn play(&self, lineup: &[AnyPolicy], passage: &Passage, listener: &mut dyn Listener) -> Option<Told> {
        told(self, lineup, (passage, true), listener)
    }

    fn divergence(&self, a: &[AnyPolicy], b: &[AnyPolicy], seed: u64, trial: u64) -> Option<Divergence> {
        if a.iter().chain(b).any(|policy| policy.batch().is_some()) {
            return batch_parting(self, a, b, seed, trial).ok().flatten();
        }
        words(self.typed()).divergence(self.typed(), [a, b], seed, trial)
    }
}

/// Tells a trial, with the actions of those who answer in batches.
fn told(
    rules: &(dyn AnyRules + '_),
    lineup: &[AnyPolicy],
    (passage, is_open): (&Passage, bool),
    listener: &mut dyn Listener,
) -> Option<Told> {
    let recorded = match lineup.iter().any(|policy| policy.batch().is_some()) {
        false => Vec::new(),
        true => match batch_actions(rules, lineup, passage.seed, passage.trial) {
            Ok(actions) => actions,
            Err(message) => {
                let _ = listener.text(&format!("{message}\n"));
                return None;
            }
        },
    };
    let players = lineup.iter().enumerate().map(|(at, policy)| Player {
        label: policy.label(),
        answers: match policy.actions() {
            Some(actions) => Answers::Given(actions),
            None if policy.batch().is_some() => Answers::Given(&recorded[at]),
            None => Answers::Text(policy),
        },
    });
    let lineup: Vec<_> = players.collect();
    words(rules.typed()).replay(rules.typed(), &lineup, (passage, is_open), listener)
}

/// Rules as the game's own type.
type AnyGame = Box<dyn Any>;

/// A game in words. `rules` are of the game's own type and policies were compiled for them, or the methods panic.
trait Narration {
    fn read(&self, text: &Text, game: &Game) -> Result<(String, AnyGame), TextError>;
    fn options(&self, rules: &dyn Any) -> Value;
    fn to_text(&self, rules: &dyn Any, name: &str) -> String;
    fn with_option(&self, rules: &dyn Any, assignment: &str) -> Result<AnyGame, RulesError>;
    fn explain_options(&self, rules: &dyn Any) -> String;
    fn explain(&self, rules: &dyn Any, policy: &AnyPolicy) -> String;
    fn replay(
        &self,
        rules: &dyn Any,
        lineup: &[Player<'_>],
        passage: (&Passage, bool),
        listener: &mut dyn Listener,
    ) -> Option<Told>;
    fn divergence(
        &self,
        rules: &dyn Any,
        lineups: [&[AnyPolicy]; 2],
        seed: u64,
        trial: u64,
    ) -> Option<Divergence>;
}

/// The game whose rules these are, in words.
fn words(rules: &dyn Any) -> &'static dyn Narration {
    if rules.is::<Script>() {
        return &Typed::<Script>(PhantomData);
    }
    let mut search = Search { rules: rules.type_id(), found: None };
    games::each(&mut search);
    search.found.expect("every type of rules is in the list of games")
}

struct Search {
    rules: TypeId,
    found: Option<&'static dyn Narration>,
}

impl EachGame for Search {
    fn game<G: Playable>(&mut self, _: G) {
        if TypeId::of::<G>() == self.rules {
            self.found = Some(&Typed::<G>(PhantomData));
        }
    }

    fn game_on_lanes<G: Playable + LaneGame>(&mut self, first: G) {
        self.game(first);
    }
}

/// A game whose type is known.
struct Typed<G>(PhantomData<fn() -> G>);

/// The rules of the game.
fn rules<G: Playable>(rules: &dyn Any) -> &G {
    rules.downcast_ref().expect("rules of the game that was named")
}

/// A policy that was compiled for these rules.
fn policy<G: Playable>(policy: &AnyPolicy, rules: &G) -> Arc<TextPolicy<G>> {
    policy.compiled_for(rules).unwrap_or_else(|error| panic!("{error}"))
}

impl<G: Playable> Narration for Typed<G> {
    fn read(&self, text: &Text, game: &Game) -> Result<(String, AnyGame), TextError> {
        let RulesText { name, rules, .. } = RulesText::read(text, rules::<G>(game.any()), game.presets)?;
        Ok((name, Box::new(rules)))
    }

    fn options(&self, of: &dyn Any) -> Value {
        serde_json::to_value(rules::<G>(of)).unwrap_or_default()
    }

    fn to_text(&self, of: &dyn Any, name: &str) -> String {
        write_rules(name, rules::<G>(of))
    }

    fn with_option(&self, of: &dyn Any, assignment: &str) -> Result<AnyGame, RulesError> {
        Ok(Box::new(set_option(rules::<G>(of), assignment)?))
    }

    fn explain_options(&self, of: &dyn Any) -> String {
        explain_options(rules::<G>(of))
    }

    fn explain(&self, of: &dyn Any, asked: &AnyPolicy) -> String {
        policy::<G>(asked, rules(of)).explain(rules(of))
    }

    fn replay(
        &self,
        of: &dyn Any,
        lineup: &[Player<'_>],
        passage: (&Passage, bool),
        listener: &mut dyn Listener,
    ) -> Option<Told> {
        replay::replay::<G>(rules(of), lineup, passage, listener)
    }

    fn divergence(
        &self,
        of: &dyn Any,
        lineups: [&[AnyPolicy]; 2],
        seed: u64,
        trial: u64,
    ) -> Option<Divergence> {
        let rules = rules::<G>(of);
        let [a, b] =
            lineups.map(|lineup| lineup.iter().map(|asked| policy(asked, rules)).collect::<Vec<_>>());
        divergence::divergence(rules, &a, &b, seed, trial)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use stopwise_erased::game;
    use stopwise_policy::shipped;

    use super::*;

    fn rules(name: &str, preset: &str) -> Arc<dyn AnyRules> {
        let text = shipped::rules(name, preset).expect("a preset").text();
        read_rules(game(name).expect("a game"), &text).expect("good").rules
    }

    /// A policy is compiled for rules: their ranges and tables are in it.
    #[test]
    fn policies_play_under_their_own_rules() {
        let (standard, piglet, carbonite) =
            (rules("pig", "standard"), rules("pig", "piglet"), rules("carbonite", "wiki"));
        let hold =
            standard.compile(&shipped::policy("pig", "hold").expect("shipped").text(), &[]).expect("good");
        // The same rules, read once more, are the same.
        let same = standard.with_option("goal=50").and_then(|rules| rules.with_option("goal=100"));
        for good in [&standard, &same.expect("good"), &rules("pig", "standard")] {
            assert_eq!(good.check_policy(&hold), Ok(()));
        }
        let refused = |rules: &Arc<dyn AnyRules>, message: &str| {
            assert_eq!(rules.check_policy(&hold).expect_err("other rules").to_string(), message);
            let tries: [&dyn Fn(); 3] =
                [&|| drop(rules.arm(&[vec![hold.clone()]])), &|| drop(rules.explain(&hold)), &|| {
                    drop(rules.tried(&hold, 1, 10))
                }];
            for tried in tries {
                let panic = catch_unwind(AssertUnwindSafe(tried)).expect_err("other rules");
                assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some(message));
            }
        };
        refused(&piglet, "the policy `hold:n=20` was compiled for other rules of pig; compile it for these");
        refused(
            &carbonite,
            "the policy `hold:n=20` was compiled for pig; name one for carbonite, compiled for these rules",
        );
    }
}
