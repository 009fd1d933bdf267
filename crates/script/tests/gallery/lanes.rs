//! Lanes play what the trial plays: the same tally, with every instruction set.

use stopwise_engine::game::{Game, Policy};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::run::batch;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_policy::TextPolicy;
use stopwise_script::Script;
use stopwise_script::lanes::Lanes;

use crate::played::variants;
use crate::{PROOFS, files, policy, stem, texts};

const TRIALS: u64 = 700;

/// The runs of both, and how many questions lanes ask game by game; nothing if lanes do not play the game.
fn agree(game: &Script, lineup: &[TextPolicy<Script>], what: &str) -> Result<usize, String> {
    let kinds = 0..game.info().kinds.len();
    let formulas: Vec<_> =
        lineup.iter().map(|policy| kinds.clone().map(|kind| policy.answering(kind)).collect()).collect();
    let lanes = Lanes::new(game, &formulas)?;
    let keys = Keys::new(11);
    let mut expected = Tally::new(game);
    batch(game, lineup, &keys, 5..5 + TRIALS, &mut expected);
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let mut tally = Tally::new(game);
        let choose = |seat: usize, state, question| lineup[seat % lineup.len()].choose(game, state, question);
        let mut parts = [5..100, 100..5 + TRIALS].into_iter();
        let mut next = |_: &Tally| parts.next().unwrap_or(0..0);
        lanes.play(set, &keys, &mut next, &choose, &mut tally);
        assert_eq!(tally, expected, "{what}, {}", set.name());
    }
    Ok(lanes.size().1)
}

#[test]
fn lanes_and_trials_agree() {
    let mut obstacles = Vec::new();
    for (name, text) in texts().filter(|(name, _)| !PROOFS.contains(&name.as_str())) {
        for (variant, game) in variants(&text) {
            let policies = files(&format!("policies/{name}"), "toml");
            let policies: Vec<_> = policies.iter().map(|file| policy(&game, &name, stem(file))).collect();
            for policy in &policies {
                let what = format!("{name}, {variant}, {}", policy.name());
                if let Err(why) = agree(&game, std::slice::from_ref(policy), &what) {
                    obstacles.push(format!("{what}: {why}"));
                }
            }
            // All policies at one table.
            let lineup: Vec<_> = policies.iter().cycle().take(game.seats()).cloned().collect();
            let _ = agree(&game, &lineup, &format!("{name}, {variant}, all"));
        }
    }
    assert_eq!(obstacles, Vec::<String>::new());
}
