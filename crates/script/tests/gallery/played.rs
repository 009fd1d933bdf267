//! Every game is played by policies and at random, under its defaults and every preset.

use std::hash::{DefaultHasher, Hash, Hasher};

use stopwise_engine::game::{Action, Game, Policy, Question};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::trial;
use stopwise_script::{GameText, Script, State};

use crate::{PROOFS, files, policy, stem, texts};

/// The trials of each.
const TRIALS: u64 = 60;

/// Any legal answer, the same in equal states.
pub(crate) struct Any;

impl Policy<Script> for Any {
    fn choose(&self, _: &Script, state: State, question: Question) -> Action {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let number = hasher.finish() % u64::from(question.actions.count());
        question.actions.iter().nth(usize::try_from(number).expect("a small number")).expect("an action")
    }
}

/// The game under its defaults and under every preset.
pub(crate) fn variants(text: &GameText) -> Vec<(String, Script)> {
    let presets = text.presets().iter().map(|preset| (preset.name.clone(), preset.values.clone()));
    let all = [("defaults".to_owned(), Vec::new())].into_iter().chain(presets);
    all.map(|(name, values)| (name, text.script(&values).unwrap_or_else(|error| panic!("{error}")))).collect()
}

/// Plays to ends of the game's own: no number leaves its range, and no game is cut off.
fn play<P: Policy<Script>>(game: &Script, policy: &P, what: &str) {
    let keys = Keys::new(37);
    for number in 0..TRIALS {
        let end = trial(game, std::slice::from_ref(policy), &mut keys.streams(number, game.seats()), &mut ());
        assert_eq!(game.program().failure(&end), None, "{what}");
        // A preset may be of so many turns.
        let is_short = game.program().options().any(|(name, value)| name == "turn_cap" && value == "1");
        assert!(is_short || !game.endings()[game.ending(end)].cap, "{what}: capped");
    }
}

#[test]
fn any_play_ends() {
    for (name, text) in texts() {
        assert_eq!(text.name(), name);
        assert!(!text.meaning().is_empty(), "{name}");
        assert_eq!(text.expects().is_empty(), PROOFS.contains(&name.as_str()), "{name}");
        for (variant, game) in variants(&text) {
            play(&game, &Any, &format!("{name}, {variant}"));
        }
    }
}

#[test]
fn every_policy_plays() {
    for (name, text) in texts().filter(|(name, _)| !PROOFS.contains(&name.as_str())) {
        let policies = files(&format!("policies/{name}"), "toml");
        assert!(policies.len() >= 3, "{name} has {} policies", policies.len());
        for (variant, game) in variants(&text) {
            for file in &policies {
                let policy = policy(&game, &name, stem(file));
                play(&game, &policy, &format!("{name}, {variant}, {}", policy.name()));
            }
        }
    }
}
