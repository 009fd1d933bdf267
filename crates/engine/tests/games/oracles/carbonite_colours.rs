//! The colours of `CarboniteDice` are interchangeable: a game with permuted colours takes the same course, and
//! `Game::canonical` maps both to the same state.

use crate::common::Whim;
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Actions, Game, MAX_METRICS, Node, Policy};
use stopwise_engine::games::carbonite::{Carbonite, STOP, State, VaultMatch};
use stopwise_engine::games::pyramids::Roll;
use stopwise_engine::stream::{Keys, WordSource};
use stopwise_engine::vocabulary::Vocabulary;

/// Colour `c` becomes colour `map[c]`.
struct Swap([u32; 5]);

impl Swap {
    fn types(&self, types: u64) -> u64 {
        (0_u32..).zip(self.0).fold(0, |all, (from, to)| all | (types >> (3 * from) & 7) << (3 * to))
    }

    fn action(&self, kind: usize, action: Action) -> Action {
        if kind == STOP { action } else { Action(self.types(action.0)) }
    }

    fn actions(&self, kind: usize, actions: Actions) -> Actions {
        if kind == STOP { actions } else { Actions(self.types(actions.0)) }
    }

    /// The Atom is no colour and stays.
    fn roll(&self, colours: u8, roll: Roll) -> Roll {
        if roll.colour == u32::from(colours) {
            return roll;
        }
        Roll { colour: self.0[roll.colour as usize], ..roll }
    }

    fn check(&self, game: &Carbonite, state: State, twin: State) {
        let pieces = |state: State| -> [u64; 6] {
            let (bank, vault) = (state.bank(), state.vault());
            let places = [bank.one(), bank.two(), vault.one(), vault.two(), state.counter(), state.marker()];
            places.map(u64::from)
        };
        assert_eq!(pieces(state).map(|types| self.types(types)), pieces(twin));
        assert_eq!(game.canonical(state), game.canonical(twin), "{state:?} {twin:?}");
    }

    /// Plays a trial and its mirror image side by side.
    fn play(&self, game: &Carbonite, number: u64) {
        let mut words = Keys::new(1).stream(number, 0);
        let (mut node, mut twin) = (game.root(&mut ()), game.root(&mut ()));
        loop {
            self.check(game, node.state(), twin.state());
            (node, twin) = match (node, twin) {
                (Node::Decision(state, question), Node::Decision(other, asked)) => {
                    assert_eq!(question.kind, asked.kind);
                    assert_eq!(self.actions(question.kind, question.actions), asked.actions);
                    for index in 0..game.features().len() {
                        assert_eq!(game.feature(state, index), game.feature(other, index));
                    }
                    let action = Whim(number).choose(game, state, question);
                    let mirrored = self.action(question.kind, action);
                    let kind = question.kind;
                    (game.decide(state, kind, action, &mut ()), game.decide(other, kind, mirrored, &mut ()))
                }
                (Node::Chance(state, _, dice), Node::Chance(other, _, same)) => {
                    assert_eq!(dice, same);
                    let roll = dice.sample(words.word(0));
                    let mirrored = self.roll(game.colours, roll);
                    (game.resolve(state, roll, &mut ()), game.resolve(other, mirrored, &mut ()))
                }
                (Node::Terminal(state), Node::Terminal(other)) => {
                    let mut values = [[0; MAX_METRICS]; 2];
                    game.measure(state, 0, &mut values[0]);
                    game.measure(other, 0, &mut values[1]);
                    assert_eq!(values[0], values[1]);
                    assert_eq!(game.ending(state), game.ending(other));
                    return;
                }
                nodes => unreachable!("different nodes: {nodes:?}"),
            };
        }
    }
}

#[test]
fn colours_are_alike() {
    for number in 0..200 {
        for map in [[0, 1, 2, 3, 4], [1, 2, 3, 4, 0], [4, 3, 2, 1, 0], [1, 0, 3, 2, 4], [3, 4, 0, 1, 2]] {
            Swap(map).play(&Carbonite::WIKI, number);
            Swap(map).play(&Carbonite { vault_match: VaultMatch::Free, ..Carbonite::README_V1 }, number);
        }
        for map in [[1, 0, 2, 3, 4], [2, 0, 1, 3, 4]] {
            Swap(map).play(&Carbonite { colours: 3, ..Carbonite::WIKI }, number);
        }
    }
}

/// A state that differs in more than the order of its colours is another one.
#[test]
fn canonical_merges_no_more() {
    let game = Carbonite { colours: 2, copies: 1, ..Carbonite::WIKI };
    let Node::Decision(root, question) = game.root(&mut ()) else { unreachable!("a marker first") };
    let after = |action| game.decide(root, question.kind, action, &mut ()).state();
    let marked: Vec<_> = question.actions.iter().map(after).collect();
    let [red, yellow] = marked[..] else { unreachable!("two colours") };
    assert_eq!(game.canonical(red), game.canonical(yellow));
    // Red is the marker; a red piece on the Counter is not the same as a yellow one.
    let rolled = |colour| game.resolve(red, Roll { colour, sizes: 0b010 }, &mut ()).state();
    let take = |colour: u32| {
        let Node::Decision(state, question) = game.resolve(red, Roll { colour, sizes: 0b010 }, &mut ())
        else {
            unreachable!("a match")
        };
        game.decide(state, question.kind, question.actions.first(), &mut ()).state()
    };
    assert_eq!(game.canonical(rolled(0)), game.canonical(rolled(1)), "nothing is taken yet");
    assert_ne!(game.canonical(take(0)), game.canonical(take(1)));
}
