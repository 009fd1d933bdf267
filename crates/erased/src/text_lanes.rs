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
use stopwise_script::lanes::{AT_ONCE, Lanes};

use crate::side_by_side::Tallied;

/// Line-ups of a game as text on lanes, or the reason, in words, why lanes cannot play them; nothing if they are of another
/// game.
pub(crate) fn of(lineups: &dyn Any) -> Option<Found> {
    let lineups = lineups.downcast_ref::<TextLineups<Script>>()?;
    let kinds = 0..lineups.game.info().kinds.len();
    let lanes = |lineup: &Vec<Arc<TextPolicy<Script>>>| {
        let players = lineup.iter().map(|policy| kinds.clone().map(|kind| policy.answering(kind)).collect());
        Lanes::new(&lineups.game, &players.collect::<Vec<_>>())
    };
    let lanes = lineups.lineups.iter().map(lanes).collect::<Result<_, _>>();
    Some(lanes.map(|lanes| Box::new(TextLanes { lineups: lineups.clone(), lanes }) as _))
}

#[derive(Debug)]
struct TextLanes {
    lineups: TextLineups<Script>,
    /// Of every line-up.
    lanes: Vec<Lanes>,
}

impl SideBySide for TextLanes {
    fn lineups(&self) -> usize {
        self.lanes.len()
    }

    fn tally(&self) -> Tally {
        self.lineups.tally()
    }

    fn at_once(&self) -> u64 {
        AT_ONCE
    }

    fn player<'a>(&'a self, set: InstructionSet, lineup: usize, keys: &Keys) -> Box<dyn LanePlayer + 'a> {
        let (game, policies, keys) = (&self.lineups.game, &self.lineups.lineups[lineup], *keys);
        let choose = |seat: usize, state, question| {
            let policy = if policies.len() == 1 { &policies[0] } else { &policies[seat] };
            policy.choose(game, state, question)
        };
        let play = move |next: &mut Feed<'_>, tally: &mut Tally, rows: Option<TrialRows<'_>>| {
            self.lanes[lineup].play(set, &keys, next, &choose, tally, rows);
        };
        Box::new(Tallied { tally: self.tally(), play })
    }
}
