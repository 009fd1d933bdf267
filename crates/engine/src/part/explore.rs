//! Finding the steps of a part.

use super::{Moment, Operation, Part, exit_of, merge, number};
use crate::chance::Chance;
use crate::game::{Game, Node, NodeOf};

/// The number of steps between two progress reports.
const LOOK: usize = 64;

impl<G: Game> Part<G> {
    /// Explores the game from `start` to the nodes for which `is_exit` holds, and to its ends. All decisions on the way
    /// belong to one player. States that are equal by symmetry are merged ([`Game::canonical`]).
    ///
    /// # Panics
    ///
    /// If the part has 2³² steps.
    pub fn explore(game: &G, start: NodeOf<G>, is_exit: impl Fn(&NodeOf<G>) -> bool) -> Self {
        Self::explore_within(game, start, is_exit, &mut |_, _| true).expect("nothing ends it")
    }

    /// [`Part::explore`], as long as `watch` says that it may go on with so many steps, of so many bytes; else `None`.
    ///
    /// # Panics
    ///
    /// If the part has 2³² steps.
    pub fn explore_within(
        game: &G,
        start: NodeOf<G>,
        is_exit: impl Fn(&NodeOf<G>) -> bool,
        watch: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Self> {
        let mut explorer = Explorer { game, watch, ended: false, is_exit, part: Self::default() };
        let start = explorer.step(start);
        (!explorer.ended).then_some(Self { start, ..explorer.part })
    }
}

struct Explorer<'e, G: Game, E> {
    game: &'e G,
    /// Whether to go on with so many steps, of so many bytes.
    watch: &'e mut dyn FnMut(usize, usize) -> bool,
    /// Whether exploration has ended early.
    ended: bool,
    is_exit: E,
    part: Part<G>,
}

impl<G: Game, E: Fn(&NodeOf<G>) -> bool> Explorer<'_, G, E> {
    /// The step for a node; arbitrary after exploration has ended early.
    fn step(&mut self, node: NodeOf<G>) -> u32 {
        if self.ended {
            return 0;
        }
        let moment = match Moment::of(self.game, node) {
            Some(moment) if !(self.is_exit)(&node) => moment,
            _ => return self.exit(node),
        };
        if let Some(&step) = self.part.known.get(&moment) {
            return step;
        }
        let next: Vec<_> = match node {
            Node::Chance(state, _, chance) => {
                let after = |(outcome, weight)| (self.game.resolve(state, outcome, &mut ()), weight);
                chance.outcomes().map(after).collect()
            }
            Node::Decision(state, question) => {
                let after = |action| (self.game.decide(state, question.kind, action, &mut ()), 1);
                question.actions.iter().map(after).collect()
            }
            Node::Terminal(_) => Vec::new(),
        };
        let mut next: Vec<_> = next.into_iter().map(|(node, weight)| (self.step(node), weight)).collect();
        merge(&mut next);
        let step = match (moment, next.as_slice()) {
            (Moment::Choose(..), &[(only, _)]) => only,
            _ => {
                self.look();
                self.part.push_step(matches!(moment, Moment::Roll(..)), &next)
            }
        };
        if let Moment::Roll(state, _) = moment {
            self.part.rolls.push((state, step));
        }
        self.part.known.insert(moment, step);
        step
    }

    fn exit(&mut self, node: NodeOf<G>) -> u32 {
        let key = exit_of(node);
        if let Some(&step) = self.part.known_exits.get(&key) {
            return step;
        }
        let exit = number(self.part.exits.len());
        self.part.exits.push(node);
        self.look();
        let step = self.part.push(Operation::Exit(exit));
        self.part.known_exits.insert(key, step);
        step
    }

    /// Asks now and then whether to go on.
    fn look(&mut self) {
        if self.part.steps.len().is_multiple_of(LOOK) {
            self.ended = !(self.watch)(self.part.steps.len(), self.part.bytes());
        }
    }
}
