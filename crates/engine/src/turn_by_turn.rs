//! Games for two whose turns are alike but for what the players have by then: a turn by itself, and what it comes to.

use rustc_hash::FxHashMap;

use crate::game::{Action, Game, Node, NodeOf, Question, TurnByTurn};
use crate::part::Part;

/// A game turn by turn: the turns by themselves, and all positions between turns.
#[derive(Debug)]
pub struct Turns<G: Game> {
    game: G,
    by: &'static dyn TurnByTurn<G>,
    /// The rules of turns by themselves.
    alone: G,
    /// By the position in which they begin.
    parts: Vec<(G::State, Part<G>)>,
    /// The positions between turns, with the seat to play as the first one; the one in which the game begins is the first.
    pub beginnings: Vec<Beginning<G>>,
    places: FxHashMap<G::State, usize>,
}

/// A position between turns.
#[derive(Clone, Debug)]
pub struct Beginning<G: Game> {
    /// The position.
    pub state: G::State,
    /// The number of its part.
    pub part: usize,
    /// Where each exit of the part leads.
    pub leads: Vec<Lead<G>>,
}

/// Where a turn leads.
#[derive(Clone, Copy, Debug)]
pub enum Lead<G: Game> {
    /// To an end of the game.
    Over(G::State),
    /// To the other seat's turn: the number of the position, in which that seat is the first one.
    Next(usize),
}

impl<G: Game> Turns<G> {
    /// Explores the turns by themselves, as long as `watch` says that it may go on with so many steps, of so many bytes. `None`
    /// if it does not, or if the game is not told turn by turn.
    pub fn explore(game: &G, watch: &mut dyn FnMut(usize, usize) -> bool) -> Option<Self> {
        let by = game.turn_by_turn()?;
        let alone = by.rules(game);
        let mut turns = Self {
            game: *game,
            by,
            alone,
            parts: Vec::new(),
            beginnings: Vec::new(),
            places: FxHashMap::default(),
        };
        turns.place(by.beginning(game, game.root(&mut ()).state())?, watch)?;
        let mut at = 0;
        while at < turns.beginnings.len() {
            let Beginning { state, part, .. } = turns.beginnings[at];
            let exits = turns.parts[part].1.exits.clone();
            let lead = |left| match by.after(game, state, left) {
                Node::Terminal(end) => Some(Lead::Over(end)),
                Node::Chance(next, ..) | Node::Decision(next, _) => {
                    Some(Lead::Next(turns.place(by.beginning(game, next)?, watch)?))
                }
            };
            let leads: Option<Vec<_>> = exits.into_iter().map(lead).collect();
            turns.beginnings[at].leads = leads?;
            at += 1;
        }
        Some(turns)
    }

    /// The number of a position between turns.
    fn place(&mut self, node: NodeOf<G>, watch: &mut dyn FnMut(usize, usize) -> bool) -> Option<usize> {
        let state = node.state();
        if let Some(&known) = self.places.get(&state) {
            return Some(known);
        }
        let alone = self.by.by_itself(&self.game, state);
        let part = match self.parts.iter().position(|(start, _)| *start == alone) {
            Some(part) => part,
            None => {
                let before: usize = self.parts.iter().map(|(_, part)| part.len()).sum();
                let bytes: usize = self.parts.iter().map(|(_, part)| part.bytes()).sum();
                let start = moved(node, alone);
                let is_exit = |node: &NodeOf<G>| matches!(node, Node::Chance(state, seat, _) if *seat != 0 && *state != alone);
                let watch = &mut |steps, more| watch(before + steps, bytes + more);
                let part = Part::explore_within(&self.alone, start, is_exit, watch)?.condensed();
                self.parts.push((alone, part));
                self.parts.len() - 1
            }
        };
        let number = self.beginnings.len();
        self.beginnings.push(Beginning { state, part, leads: Vec::new() });
        self.places.insert(state, number);
        Some(number)
    }

    /// The turns by themselves.
    pub fn parts(&self) -> impl Iterator<Item = &Part<G>> {
        self.parts.iter().map(|(_, part)| part)
    }

    /// The number of the position in which the turn of a state begins.
    pub fn beginning(&self, state: G::State) -> Option<usize> {
        self.places.get(&self.by.beginning(&self.game, state)?.state()).copied()
    }

    /// The part in which the turn of a position goes on.
    pub fn part(&self, beginning: usize) -> &Part<G> {
        &self.parts[self.beginnings[beginning].part].1
    }

    /// The step to which an answer leads.
    pub fn after(&self, beginning: usize, state: G::State, kind: usize, action: Action) -> Option<usize> {
        let alone = self.by.by_itself(&self.game, state);
        let node = self.alone.decide(alone, kind, action, &mut ());
        self.part(beginning).find(&self.alone, node)
    }

    /// The step of a node in the part of its turn.
    pub fn find(&self, beginning: usize, node: NodeOf<G>) -> Option<usize> {
        self.part(beginning).find(&self.alone, moved(node, self.by.by_itself(&self.game, node.state())))
    }

    /// The yes/no decisions of a kind in a turn by itself, given by its number, with the steps to which no and yes lead.
    pub fn decisions(&self, part: usize, kind: usize) -> impl Iterator<Item = (G::State, [usize; 2])> {
        let part = &self.parts[part].1;
        part.decisions(kind).filter_map(move |state| {
            let after = |answer| part.find(&self.alone, self.alone.decide(state, kind, answer, &mut ()));
            Some((state, [after(Action::NO)?, after(Action::YES)?]))
        })
    }

    /// A state of a turn by itself, in the turn of a beginning.
    pub fn within(&self, beginning: usize, alone: G::State) -> G::State {
        self.by.within(self.beginnings[beginning].state, alone)
    }
}

/// The node in another state.
fn moved<S, C>(node: Node<S, C>, state: S) -> Node<S, C> {
    match node {
        Node::Chance(_, _, chance) => Node::Chance(state, 0, chance),
        Node::Decision(_, question) => Node::Decision(state, Question { seat: 0, ..question }),
        Node::Terminal(_) => Node::Terminal(state),
    }
}
