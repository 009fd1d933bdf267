//! The game for two turn by turn: a turn's moves do not depend on the points, only their worth does.

use super::rules::Carcassonne;
use super::state::State;
use super::{EXACT_TURN_CAP, GOAL, NINE_CATAPULTS};
use crate::game::{Node, NodeOf, TurnByTurn};

/// For two players, with a cap on the turns that is a safety net.
#[derive(Debug)]
pub(super) struct Two;

impl Two {
    pub(super) fn of(game: &Carcassonne) -> Option<&'static dyn TurnByTurn<Carcassonne>> {
        (game.players == 2 && game.turn_cap > EXACT_TURN_CAP).then_some(&Self)
    }
}

impl TurnByTurn<Carcassonne> for Two {
    fn rules(&self, game: &Carcassonne) -> Carcassonne {
        // More than two doubled cities are worth.
        Carcassonne { goal: u16::MAX, ..*game }
    }

    fn beginning(&self, game: &Carcassonne, state: State) -> Option<NodeOf<Carcassonne>> {
        let State { scores, kept, .. } = state;
        Some(game.begin_turn(State { scores, kept, ..State::default() }, &mut ()))
    }

    /// Points are doubled when the turn is over.
    fn by_itself(&self, _: &Carcassonne, state: State) -> State {
        State { scores: 0, kept: state.kept & !1, seat: 0, turn: 0, ..state }
    }

    fn within(&self, State { scores, kept, .. }: State, alone: State) -> State {
        State { scores, kept, ..alone }
    }

    fn after(&self, game: &Carcassonne, beginning: State, left: NodeOf<Carcassonne>) -> NodeOf<Carcassonne> {
        let end = match left {
            Node::Terminal(_) => return beginning.end(NINE_CATAPULTS),
            Node::Chance(state, ..) | Node::Decision(state, _) => state,
        };
        let points = game.score_after(&end, 1) << u8::from(beginning.is_doubled());
        let scored = State { scores: beginning.scores + points, ..beginning };
        if game.score_after(&scored, 0) >= u64::from(game.goal) {
            return scored.end(GOAL);
        }
        game.begin_turn(game.passed_on(scored, end.keeps(1)), &mut ())
    }
}
