//! Portable lanes play whole games. On x86-64 games in Rust are not compiled for them; here one of them is.

use stopwise_engine::games::pig::Pig;
use stopwise_engine::lanes::plain::Plain;
use stopwise_engine::lanes::{Counts, LaneGame};
use stopwise_engine::run::Plan;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_policy::TextPolicy;
use stopwise_policy::shipped::policies_of;

use super::compare::{Lineup, object};

#[test]
fn pig() {
    for game in [Pig::SOLO, Pig::STANDARD] {
        let rules = object(&game);
        for shipped in policies_of("pig") {
            let Ok(policy) = TextPolicy::compile(&shipped.text(), &game, &[]) else { continue };
            let Ok(lanes) = policy.on_lanes(&game) else { continue };
            let plan = Plan { seed: 3, trials: 5..3005 };
            let mut left = Some(plan.trials.clone());
            let mut counts = <Pig as LaneGame>::Counts::new(&game);
            let next = |_: &mut _| left.take().unwrap_or(0..0);
            game.play(Plain, &[lanes], &Keys::new(plan.seed), next, &mut counts);
            let mut found = Tally::new(&game);
            counts.enter(&game, &mut found);
            let policy = rules.compile(&shipped.text(), &[]).unwrap_or_else(|error| panic!("{error}"));
            let lineup = Lineup::new(&rules, &[vec![policy]]).expect("lanes play it");
            assert!(lineup.one_by_one(&plan) == found, "{} {game:?}", shipped.name);
        }
    }
}
