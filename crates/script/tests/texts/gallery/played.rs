//! Every game is played by policies and at random, under its defaults and every preset.

use stopwise_script::{GameText, Script};

use super::{PROOFS, policy, texts};
use crate::common::{Any, Written, ends, files, plays, stem};

/// The trials of each.
const TRIALS: u64 = 60;

/// The game under its defaults and under every preset.
pub(crate) fn variants(text: &GameText) -> Vec<(String, Script)> {
    let presets = text.presets().iter().map(|preset| (preset.name.clone(), preset.values.clone()));
    let all = [("defaults".to_owned(), Vec::new())].into_iter().chain(presets);
    all.map(|(name, values)| (name, text.script(&values).unwrap_or_else(|error| panic!("{error}")))).collect()
}

#[test]
fn any_play_ends() {
    for (name, text) in texts() {
        assert_eq!(text.name(), name);
        assert!(!text.meaning().is_empty(), "{name}");
        assert_eq!(text.expects().is_empty(), PROOFS.contains(&name.as_str()), "{name}");
        for (variant, game) in variants(&text) {
            plays(&game, &Any, TRIALS, &format!("{name}, {variant}"));
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
                plays(&game, &policy, TRIALS, &format!("{name}, {variant}, {}", policy.name()));
            }
        }
    }
}

/// What is written at a question is the same position when it is read.
#[test]
fn positions_are_read_back() {
    for (_, text) in texts() {
        for (_, game) in variants(&text) {
            ends(&game, &Written, 4).for_each(drop);
        }
    }
}
