//! Plays the same trials on lanes and on the reference runner.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use stopwise_engine::arms::{ROWS, Rows};
use stopwise_engine::game::Metric;
use stopwise_engine::games::Rules;
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::run::{Batch, Plan, Watcher, play};
use stopwise_engine::side_by_side::{SideBySide, play_side_by_side};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::{Histogram, Tally};
use stopwise_erased::{AnyArm, AnyPolicy, AnyRules, game};
use stopwise_policy::{Text, write_rules};

/// A line-up, as the trial plays it and as lanes do.
#[derive(Debug)]
pub(crate) struct Lineup {
    pub(crate) rules: Arc<dyn AnyRules>,
    pub(crate) arm: Box<dyn AnyArm>,
    fast: Box<dyn AnyArm>,
    lineups: Vec<Vec<AnyPolicy>>,
}

/// Rules as the object of their game: written and read again, so that no code is compiled for the type here.
pub(crate) fn object<G: Rules>(rules: &G) -> Arc<dyn AnyRules> {
    let text = Text::new("rules.toml", write_rules("test", rules));
    let game = game(rules.info().name).expect("in the registry");
    stopwise_narration::read_rules(game, &text).unwrap_or_else(|error| panic!("{error}")).rules
}

impl Lineup {
    /// Line-ups that take turns, or why lanes cannot play them.
    pub(crate) fn new(rules: &Arc<dyn AnyRules>, lineups: &[Vec<AnyPolicy>]) -> Result<Self, String> {
        let mut fast = rules.arm(lineups);
        fast.use_lanes(InstructionSet::best())?;
        Ok(Self { rules: rules.clone(), arm: rules.arm(lineups), fast, lineups: lineups.to_vec() })
    }

    /// The one policy of a text, or why lanes cannot play it.
    pub(crate) fn of<G: Rules>(game: &G, answers: &str) -> Result<Self, String> {
        let rules = object(game);
        let policy = policy(&*rules, answers);
        Self::new(&rules, &[vec![policy]])
    }

    /// The trials of a plan, one by one.
    pub(crate) fn one_by_one(&self, plan: &Plan) -> Tally {
        whole(&play(&*self.arm, plan, &on))
    }

    /// The arm that plays on lanes, with these instructions.
    pub(crate) fn on_lanes_by(&self, set: InstructionSet) -> Box<dyn AnyArm> {
        let mut arm = self.rules.arm(&self.lineups);
        arm.use_lanes(set).expect("as before");
        arm
    }

    /// The lanes, for any instructions.
    pub(crate) fn lanes(&self) -> &dyn SideBySide {
        self.fast.lanes().expect("on lanes").0
    }

    /// Batches of trials of the first line-up, one after the other on one thread.
    fn in_batches(&self, set: InstructionSet, keys: &Keys, batches: &[Range<u64>]) -> Tally {
        let mut player = self.lanes().player(set, 0, keys);
        batches.iter().for_each(|trials| player.play(trials.clone(), None));
        whole(&player.tallies())
    }

    /// The same on lanes.
    pub(crate) fn on_lanes(&self, set: InstructionSet, plan: &Plan, progress: &Watcher<'_>) -> Tally {
        whole(&play_side_by_side(self.lanes(), set, plan, progress))
    }
}

/// A policy that gives these answers.
pub(crate) fn policy(rules: &dyn AnyRules, answers: &str) -> AnyPolicy {
    let head = format!("game = \"{}\"\nname = \"test\"\nsummary = \"Test.\"\n", rules.game());
    let text = Text::new("test.toml", format!("{head}{answers}"));
    rules.compile(&text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn whole(tallies: &[Tally]) -> Tally {
    Tally::whole(tallies)
}

/// The sets of instructions of this machine with which games in Rust have lanes.
pub(crate) fn sets() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL.into_iter().filter(|set| set.is_available() && set.plays_games_in_rust())
}

pub(crate) fn on(_: Batch) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Plays a plan on every set of instructions; the tally.
pub(crate) fn same_run(lineup: &Lineup, plan: &Plan) -> Result<Tally, TestCaseError> {
    let expected = lineup.one_by_one(plan);
    for set in sets() {
        let found = lineup.on_lanes(set, plan, &on);
        equal(&*lineup.rules, &expected, &found, &format!("{} over {plan:?}", set.name()))?;
        same_rows(lineup, set, plan)?;
    }
    Ok(expected)
}

/// Plays a plan block by block, the first one of which is short; what every trial was worth, and the tally of all.
fn same_rows(lineup: &Lineup, set: InstructionSet, plan: &Plan) -> TestCaseResult {
    let (keys, all) = (Keys::new(plan.seed), &plan.trials);
    let fast = lineup.on_lanes_by(set);
    let mut player = fast.fast_player(&keys).expect("on lanes");
    let [mut expected, mut found] = [0; 2].map(|_| Rows::of(&*lineup.arm));
    let (mut first, mut length) = (all.start, 7);
    while first < all.end {
        let block = first..all.end.min(first.saturating_add(length));
        expected.play(&*lineup.arm, &keys, &block);
        player.play(&block, length % 2 == 0, &mut found);
        prop_assert_eq!(expected.trials(), found.trials());
        for (at, trial) in (0..expected.trials()).zip(block.clone()) {
            let row = |rows: &Rows| {
                let seats = (0..lineup.rules.seats()).map(|seat| rows.values(at, seat).to_vec());
                (rows.ending(at), seats.collect::<Vec<_>>())
            };
            prop_assert_eq!(row(&expected), row(&found), "{}, trial {}", set.name(), trial);
        }
        (first, length) = (block.end, ROWS);
    }
    let expected = play_side_by_side(lineup.lanes(), set, plan, &on);
    equal(&*lineup.rules, &whole(&expected), &whole(&player.tallies()), "of rows")
}

/// Plays the trials of a plan one at a time, each as a batch of its own; then in batches of one, two, three and so on,
/// which add up.
pub(crate) fn same_trials(lineup: &Lineup, plan: &Plan) -> TestCaseResult {
    let (keys, rules) = (Keys::new(plan.seed), &*lineup.rules);
    let mut together = lineup.arm.tally();
    for number in plan.trials.clone() {
        let trial = number..number + 1;
        let mut expected = lineup.arm.tally();
        lineup.arm.batch(0, &keys, trial.clone(), &mut expected);
        together.merge(&expected);
        for set in sets() {
            let found = lineup.in_batches(set, &keys, std::slice::from_ref(&trial));
            let at = format!("{}, trial {number} of seed {}", set.name(), plan.seed);
            equal(rules, &expected, &found, &at)?;
        }
    }
    if plan.trials.end - plan.trials.start < 2 {
        // A batch of one has been played.
        return Ok(());
    }
    let mut batches: Vec<Range<u64>> = Vec::new();
    let mut next = plan.trials.start;
    for length in 1.. {
        let end = plan.trials.end.min(next.saturating_add(length));
        batches.push(next..end);
        if end == plan.trials.end {
            break;
        }
        next = end;
    }
    for set in sets() {
        let at = format!("{}, in batches over {plan:?}", set.name());
        equal(rules, &together, &lineup.in_batches(set, &keys, &batches), &at)?;
    }
    Ok(())
}

pub(crate) fn equal(rules: &dyn AnyRules, expected: &Tally, found: &Tally, at: &str) -> TestCaseResult {
    prop_assert!(expected == found, "{at}: {}", difference(rules.metrics(), expected, found));
    Ok(())
}

/// The first part of two tallies that differs: a whole tally fills pages.
fn difference(metrics: &[Metric], expected: &Tally, found: &Tally) -> String {
    let mut parts = vec![
        ("trials".to_owned(), format!("{:?}", expected.trials), format!("{:?}", found.trials)),
        ("endings".to_owned(), format!("{:?}", expected.endings), format!("{:?}", found.endings)),
        ("first".to_owned(), format!("{:?}", expected.first), format!("{:?}", found.first)),
    ];
    let values = |histogram: &Histogram| format!("{:?}", histogram.iter().collect::<Vec<_>>());
    parts.push(("lengths".to_owned(), values(&expected.lengths), values(&found.lengths)));
    for (seat, (expected, found)) in expected.seats.iter().zip(&found.seats).enumerate() {
        for (metric, (expected, found)) in metrics.iter().zip(expected.metrics.iter().zip(&found.metrics)) {
            parts.push((format!("{} of seat {seat}", metric.name), values(expected), values(found)));
        }
        parts.push((format!("busts by turn of seat {seat}"), values(&expected.busts), values(&found.busts)));
    }
    match parts.into_iter().find(|(_, expected, found)| expected != found) {
        Some((part, expected, found)) => format!("{part}: {found} instead of {expected}"),
        None => "the numbers are the same, but not how they are stored".to_owned(),
    }
}
