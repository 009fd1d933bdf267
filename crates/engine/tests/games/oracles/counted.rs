//! What the texts of Pig, `IceDice` and `CarboniteDice` cannot tell, or tell by a formula as well: rolls and turns so far, which
//! are counted here by their events; chances, by trying every roll; the fewest pieces to the trios that win, by trying all
//! ways; and pieces, which are never lost.

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Event, Events, Game, Node, NodeOf, Question, Seat};
use stopwise_engine::games::carbonite::{self, Atom, Carbonite, Retribution, VaultMatch};
use stopwise_engine::games::icedice::piles::Piles;
use stopwise_engine::games::icedice::{self, Copies, IceDice, NoChoice};
use stopwise_engine::games::pig::Pig;
use stopwise_engine::games::pyramids::pieces::Types;
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::{Watch, trial};
use stopwise_engine::vocabulary::Vocabulary;

use crate::common::{Whim, path};

/// Counts rolls and turns, and looks at every decision.
struct Counting<L> {
    turns: u16,
    rolls: u16,
    look: L,
}

impl<L> Events for Counting<L> {
    fn event(&mut self, _: Seat, event: Event) {
        if event == Event::TURN {
            (self.turns, self.rolls) = (self.turns + 1, 0);
        }
        self.rolls += u16::from(event == Event::ROLL);
    }
}

impl<G: Game, L: FnMut(G::State, usize, [u16; 2])> Watch<G> for Counting<L> {
    fn decided(&mut self, state: G::State, question: Question, _: Action) {
        (self.look)(state, question.kind, [self.turns, self.rolls]);
    }
}

/// Calls `look` at every decision of some games, with its kind, and the turns and the rolls of the turn so far.
fn at_decisions<G: Vocabulary>(game: &G, look: impl FnMut(G::State, usize, [u16; 2])) {
    let mut watch = Counting { turns: 0, rolls: 0, look };
    for number in 0..60 {
        watch.turns = 0;
        trial(game, &[Whim(number)], &mut Keys::new(3).streams(number, game.seats()), &mut watch);
    }
}

fn feature<G: Vocabulary>(game: &G, state: G::State, name: &str) -> i64 {
    let at = game.features().iter().position(|feature| feature.name == name).expect("a feature");
    game.feature(state, at)
}

#[test]
fn rolls_of_a_turn_of_pig() {
    for players in 1..=4 {
        let game = Pig { players, goal: 60, ..Pig::STANDARD };
        at_decisions(&game, |state, _, [_, rolls]| {
            assert_eq!(feature(&game, state, "rolls_this_turn"), i64::from(rolls));
        });
    }
}

fn some_icedice() -> impl Iterator<Item = IceDice> {
    let copies = [Copies::Players, Copies::Number(1), Copies::Number(3)];
    let choices = [NoChoice::Skip, NoChoice::Bust, NoChoice::Reroll];
    copies.into_iter().zip(choices).flat_map(|(copies, no_choice)| {
        [(2, 3), (3, 5), (4, 4)].map(|(players, trios)| IceDice {
            players,
            copies,
            trios,
            no_choice,
            turn_cap: 90,
        })
    })
}

#[test]
fn turns_left_of_icedice() {
    for game in some_icedice() {
        at_decisions(&game, |state, _, [turns, _]| {
            assert_eq!(feature(&game, state, "turns_left"), i64::from(game.turn_cap - turns));
        });
    }
}

/// Whether a roll was a bust.
struct Heard(bool);

impl Events for Heard {
    fn event(&mut self, _: Seat, event: Event) {
        self.0 |= event == Event::BUST;
    }
}

/// A feature is the share of the next rolls, after a no, for which this holds of what they lead to, and of whether they are a
/// bust.
fn is_share<G: Vocabulary>(
    game: &G,
    (state, kind): (G::State, usize),
    name: &str,
    holds: impl Fn(&NodeOf<G>, bool) -> bool,
) {
    let Node::Chance(rolled, _, dice) = game.decide(state, kind, Action::NO, &mut ()) else {
        unreachable!("a roll follows a no")
    };
    let (mut some, mut all) = (0, 0);
    for (outcome, weight) in dice.outcomes() {
        let mut heard = Heard(false);
        let node = game.resolve(rolled, outcome, &mut heard);
        all += i64::from(weight);
        some += if holds(&node, heard.0) { i64::from(weight) } else { 0 };
    }
    let denominator = game.features().iter().find(|known| known.name == name).expect("a feature").denominator;
    assert_eq!(feature(game, state, name) * all, some * denominator, "{name}: {state:?}");
}

#[test]
fn chances_of_carbonite() {
    for retribution in [Retribution::All, Retribution::Any, Retribution::None] {
        for atom in [Atom::Choice, Atom::Reroll, Atom::Bust] {
            for vault_match in [VaultMatch::ForcedRoll, VaultMatch::Free, VaultMatch::NoMatch] {
                for copies in [1, 2] {
                    let game = Carbonite { copies, retribution, atom, vault_match, ..Carbonite::WIKI };
                    at_decisions(&game, |state, kind, _| {
                        if kind == carbonite::STOP {
                            is_share(&game, (state, kind), "bust_chance", |_, is_bust| is_bust);
                            is_share(&game, (state, kind), "end_chance", |node, _| match node {
                                Node::Terminal(end) => {
                                    let name = game.endings()[game.ending(*end)].name;
                                    name == "no_retribution" || name == "no_match"
                                }
                                _ => false,
                            });
                        }
                    });
                }
            }
        }
    }
}

#[test]
fn chances_of_icedice() {
    for game in some_icedice() {
        at_decisions(&game, |state, kind, _| {
            if kind == icedice::STOP {
                is_share(&game, (state, kind), "bust_chance", |_, is_bust| is_bust);
                // Where it is a bust it cannot be told from another.
                if game.no_choice != NoChoice::Bust {
                    is_share(&game, (state, kind), "no_choice_chance", |node, is_bust| match node {
                        Node::Decision(_, question) => !is_bust && question.kind == icedice::STOP,
                        Node::Chance(..) => !is_bust,
                        Node::Terminal(_) => false,
                    });
                }
            }
        });
    }
}

/// The pieces of a place by colour and size, those on the Counter as well if they are given.
fn place(vault: Piles, counter: Types) -> [[u32; 3]; 5] {
    let piece = |colour: usize, size: usize| {
        let piece = 1 << (3 * colour + size);
        vault.count_of(piece) + u32::from(counter & piece != 0)
    };
    std::array::from_fn(|colour| std::array::from_fn(|size| piece(colour, size)))
}

/// The fewest pieces that a place lacks: of all ways to say how many trios of each colour there shall be, the cheapest.
fn fewest_missing(game: &IceDice, place: &[[u32; 3]]) -> i64 {
    let goal = usize::from(game.trios);
    let mut cheapest = vec![i64::MAX; goal + 1];
    cheapest[0] = 0;
    for colour in place {
        let mut with_colour = cheapest.clone();
        for (so_far, pieces) in cheapest.iter().enumerate().filter(|(_, pieces)| **pieces < i64::MAX) {
            for more in 1..=u32::from(game.copies()) {
                let then = &mut with_colour[(so_far + more as usize).min(goal)];
                let lacking: u32 = colour.iter().map(|&count| more.saturating_sub(count)).sum();
                *then = (*then).min(pieces + i64::from(lacking));
            }
        }
        cheapest = with_colour;
    }
    cheapest[goal]
}

#[test]
fn missing_pieces_of_icedice() {
    for game in some_icedice() {
        at_decisions(&game, |state: icedice::State, _, _| {
            let own = place(game.vault(&state, state.seat()), state.counter());
            assert_eq!(feature(&game, state, "missing"), fewest_missing(&game, &own));
            let others = (0..game.seats()).filter(|&seat| seat != state.seat());
            let least = others.map(|seat| fewest_missing(&game, &place(game.vault(&state, seat), 0))).min();
            assert_eq!(Some(feature(&game, state, "best_other_missing")), least);
        });
    }
}

/// Of every type there are always as many pieces as copies.
#[test]
fn pieces_are_conserved() {
    let keys = Keys::new(3);
    for game in [IceDice::TWO, IceDice { no_choice: NoChoice::Bust, ..IceDice::THREE }, IceDice::FOUR] {
        for number in 0..50 {
            for node in path(&game, &Whim(number), &mut keys.streams(number, game.seats())) {
                let state = node.state();
                for piece in (0..15).map(|n| 1 << n) {
                    let in_vaults = (0..game.seats()).map(|seat| game.vault(&state, seat).count_of(piece));
                    let on_counter = u32::from(state.counter() & piece != 0);
                    let pieces = state.bank().count_of(piece) + on_counter + in_vaults.sum::<u32>();
                    assert_eq!(pieces, u32::from(game.copies()), "{state:?}");
                }
            }
        }
    }
}
