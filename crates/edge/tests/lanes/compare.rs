//! The same trials on lanes and one by one.

use std::ops::ControlFlow;

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use stopwise_engine::game::Game;
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::lanes::{Counts, LaneGame};
use stopwise_engine::run::{Batch, Plan, batch, batch_on_lanes, run, run_on_lanes};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::{Histogram, Tally};
use stopwise_policy::{LaneText, PolicyText, TextPolicy};

/// The policies of a line-up, as the trial asks them and as lanes do.
#[derive(Debug)]
pub(crate) struct Lineup<G: Game> {
    pub(crate) text: Vec<TextPolicy<G>>,
    pub(crate) lanes: Vec<LaneText>,
}

impl<G: LaneGame> Lineup<G> {
    /// The policies for lanes as well, or why one cannot be had.
    pub(crate) fn new(game: &G, text: Vec<TextPolicy<G>>) -> Result<Self, String> {
        let lanes = text.iter().map(|policy| LaneText::new(policy, game)).collect::<Result<_, _>>()?;
        Ok(Self { text, lanes })
    }

    /// The one policy of a text, or why lanes cannot play it.
    pub(crate) fn of(game: &G, answers: &str) -> Result<Self, String> {
        let head = format!("game = \"{}\"\nname = \"test\"\nsummary = \"Test.\"\n", G::NAME);
        let text = PolicyText::new("test.toml", format!("{head}{answers}"));
        let policy = TextPolicy::compile(&text, game, &[]).unwrap_or_else(|error| panic!("{error}"));
        Self::new(game, vec![policy])
    }
}

/// The sets of instructions of this machine.
pub(crate) fn sets() -> impl Iterator<Item = InstructionSet> {
    InstructionSet::ALL.into_iter().filter(|set| set.is_available())
}

pub(crate) fn on(_: Batch) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Plays a plan on lanes. The call-back has one type throughout, so that lanes are compiled once a game: that takes a
/// while.
pub(crate) fn run_lanes<G: LaneGame>(
    set: InstructionSet,
    game: &G,
    lanes: &[LaneText],
    plan: &Plan,
    progress: &(dyn Fn(Batch) -> ControlFlow<()> + Sync),
) -> Tally {
    run_on_lanes(set, game, lanes, plan, progress)
}

/// Plays a plan on every set of instructions; the tally.
pub(crate) fn same_run<G: LaneGame>(
    game: &G,
    lineup: &Lineup<G>,
    plan: &Plan,
) -> Result<Tally, TestCaseError> {
    let expected = run(game, &lineup.text, plan, on);
    for set in sets() {
        let found = run_lanes(set, game, &lineup.lanes, plan, &on);
        equal(game, &expected, &found, &format!("{} over {plan:?}", set.name()))?;
    }
    Ok(expected)
}

/// Plays the trials of a plan one at a time, each as a batch of its own; then in batches of one, two, three and so on,
/// which add up.
pub(crate) fn same_trials<G: LaneGame>(game: &G, lineup: &Lineup<G>, plan: &Plan) -> TestCaseResult {
    let keys = Keys::new(plan.seed);
    let mut together = Tally::new(game);
    for number in plan.trials.clone() {
        let trial = number..number + 1;
        let mut expected = Tally::new(game);
        batch(game, &lineup.text, &keys, trial.clone(), &mut expected);
        together.merge(&expected);
        for set in sets() {
            let mut counts = G::Counts::new(game);
            batch_on_lanes(set, game, &lineup.lanes, &keys, trial.clone(), &mut counts);
            let at = format!("{}, trial {number} of seed {}", set.name(), plan.seed);
            equal(game, &expected, &entered(game, counts), &at)?;
        }
    }
    for set in sets() {
        let mut counts = G::Counts::new(game);
        let mut next = plan.trials.start;
        for length in 1.. {
            let end = plan.trials.end.min(next.saturating_add(length));
            batch_on_lanes(set, game, &lineup.lanes, &keys, next..end, &mut counts);
            if end == plan.trials.end {
                break;
            }
            next = end;
        }
        let at = format!("{}, in batches over {plan:?}", set.name());
        equal(game, &together, &entered(game, counts), &at)?;
    }
    Ok(())
}

fn entered<G: LaneGame>(game: &G, counts: G::Counts) -> Tally {
    let mut tally = Tally::new(game);
    counts.enter(game, &mut tally);
    tally
}

pub(crate) fn equal<G: Game>(game: &G, expected: &Tally, found: &Tally, at: &str) -> TestCaseResult {
    prop_assert!(expected == found, "{at}: {}", difference(game, expected, found));
    Ok(())
}

/// The first part of two tallies that differs: a whole tally fills pages.
fn difference<G: Game>(game: &G, expected: &Tally, found: &Tally) -> String {
    let mut parts = vec![
        ("trials".to_owned(), format!("{:?}", expected.trials), format!("{:?}", found.trials)),
        ("endings".to_owned(), format!("{:?}", expected.endings), format!("{:?}", found.endings)),
        ("first".to_owned(), format!("{:?}", expected.first), format!("{:?}", found.first)),
    ];
    let values = |histogram: &Histogram| format!("{:?}", histogram.iter().collect::<Vec<_>>());
    parts.push(("lengths".to_owned(), values(&expected.lengths), values(&found.lengths)));
    for (seat, (expected, found)) in expected.seats.iter().zip(&found.seats).enumerate() {
        for (metric, (expected, found)) in
            game.metrics().iter().zip(expected.metrics.iter().zip(&found.metrics))
        {
            parts.push((format!("{} of seat {seat}", metric.name), values(expected), values(found)));
        }
        parts.push((format!("busts by turn of seat {seat}"), values(&expected.busts), values(&found.busts)));
    }
    match parts.into_iter().find(|(_, expected, found)| expected != found) {
        Some((part, expected, found)) => format!("{part}: {found} instead of {expected}"),
        None => "the numbers are the same, but not how they are stored".to_owned(),
    }
}
