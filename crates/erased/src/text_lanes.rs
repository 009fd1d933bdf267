//! Games as text on lanes.

use std::any::Any;
use std::sync::Arc;

use stopwise_engine::arms::{Arm as _, TrialRows};
use stopwise_engine::game::{Game as _, Policy as _};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::side_by_side::{Feed, LanePlayer, SideBySide};
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_lanes::{Found, TextLineups};
use stopwise_policy::TextPolicy;
use stopwise_script::Script;
use stopwise_script::lanes::Lanes;

use crate::side_by_side::{Tallied, numbered};

/// Line-ups of a game as text on lanes, or the reason, in words, why lanes cannot play them; nothing if they are of another
/// game.
pub(crate) fn of(lineups: &dyn Any) -> Option<Found> {
    let lineups = lineups.downcast_ref::<TextLineups<Script>>()?;
    if let Some(policy) = lineups.lineups.iter().flatten().find(|policy| policy.is_mixed()) {
        return Some(Err(format!("the policy {} answers by chance, which lanes cannot do", policy.name())));
    }
    let kinds = 0..lineups.game.info().kinds.len();
    let (policies, seats) = numbered(&lineups.lineups);
    let answers = policies.iter().map(|policy| kinds.clone().map(|kind| policy.answering(kind)).collect());
    let lanes = Lanes::new(&lineups.game, &answers.collect::<Vec<_>>(), seats);
    Some(lanes.map(|lanes| Box::new(TextLanes { lineups: lineups.clone(), policies, lanes }) as _))
}

#[derive(Debug)]
struct TextLanes {
    lineups: TextLineups<Script>,
    /// The different policies.
    policies: Vec<Arc<TextPolicy<Script>>>,
    lanes: Lanes,
}

impl SideBySide for TextLanes {
    fn lineups(&self) -> usize {
        self.lineups.lineups.len()
    }

    fn players(&self) -> usize {
        1
    }

    fn tally(&self) -> Tally {
        self.lineups.tally()
    }

    fn at_once(&self) -> u64 {
        self.lanes.at_once()
    }

    fn player<'a>(&'a self, set: InstructionSet, _: usize, keys: &Keys) -> Box<dyn LanePlayer + 'a> {
        let keys = *keys;
        let choose = |policy: usize, state, question| {
            self.policies[policy].choose(&self.lineups.game, state, question)
        };
        let play = move |next: &mut Feed<'_>, tallies: &mut [Tally], rows: Option<TrialRows<'_>>| {
            self.lanes.play(set, &keys, next, &choose, tallies, rows);
        };
        Box::new(Tallied { tallies: vec![self.tally(); self.lineups()], play })
    }
}
