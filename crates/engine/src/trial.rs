//! The reference runner: plays one trial round by round. A round is a roll and the decisions up to the next roll.
//!
//! # What shapes the loop
//!
//! The functions below say why kinds are constants and why a round begins with the roll. Further reasons, each measured
//! on one core:
//!
//! - **A forced decision is asked like any other.** Leaving a question with one action to the rules costs a branch
//!   a roll that no predictor learns: 4.0 million games a second with it, 5.6 without (`first` with k = 2,
//!   CarboniteDice).
//! - **Cold paths take states by reference.** A state passed by value to a function that is not inlined is coerced
//!   to integer registers, and that shape spreads to the whole loop: every access to a field becomes a shift and a
//!   mask. A reference to a copy keeps the fields apart (`first` as text: 4.1 to 4.7 million games a second).
//! - **States are words without arrays.** An array indexed by seat is stored piecewise and copied whole, which
//!   stalls (solo Pig: 1.8 to 4.2 million games a second).
//! - **Unpredictable events are counted without a branch** (`Events::event_if`): four in ten pieces of IceDice are stolen.

use crate::chance::Chance;
use crate::game::{Action, Dealer, Event, Events, Game, MAX_KINDS, Node, NodeOf, Policy, Question, Seat};
use crate::stream::WordSource;

/// An observer of a trial: besides the events, it receives the decisions and the results of the dice.
pub trait Watch<G: Game>: Events {
    /// Whether it looks at the states in which dice are rolled.
    const LOOKS: bool = true;

    /// A seat took `action` in `state`.
    #[inline]
    fn decided(&mut self, state: G::State, question: Question, action: Action) {
        let _ = (state, question, action);
    }

    /// The dice of a seat showed `outcome` in `state`.
    #[inline]
    fn resolved(&mut self, state: G::State, seat: Seat, outcome: <G::Chance as Chance>::Outcome) {
        let _ = (state, seat, outcome);
    }
}

impl<G: Game> Watch<G> for () {
    const LOOKS: bool = false;
}

/// Plays one trial to its end and returns the terminal state.
///
/// `lineup` holds a policy for every seat, or one for all of them.
///
/// # Panics
///
/// If the line-up is shorter than the seats and longer than one.
#[inline]
pub fn trial<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    words: &mut impl WordSource,
    watch: &mut impl Watch<G>,
) -> G::State {
    const { assert!(G::SHAPE.kinds <= MAX_KINDS, "a game has at most eight kinds of decision") };
    // With one kind of decision a round is a roll and its decision, if any. Following decisions to the next roll gains
    // nothing there, and Freeze Dice, whose rolls mostly follow rolls, loses by the second copy of its rules (28 µs a game
    // against 23). In place: as a function of its own that is inlined, 26.
    if const { G::SHAPE.kinds == 1 } {
        let mut node = game.root(watch);
        loop {
            if let Node::Chance(state, seat, chance) = node {
                let outcome = chance.sample(words.word(seat));
                watch.resolved(state, seat, outcome);
                node = game.resolve(state, outcome, watch);
            }
            node = ask::<0, _, _>(game, lineup, node, watch);
            if let Node::Terminal(state) = node {
                return state;
            }
        }
    }
    if const { G::SHAPE.is_text || G::SHAPE.kinds > ASKED_IN_TURN } {
        return play_on(game, lineup, game.root(watch), words, watch);
    }
    let mut next = until_roll(game, lineup, game.root(watch), watch);
    loop {
        let (state, seat, chance) = match next {
            Ok(roll) => roll,
            Err(end) => return end,
        };
        let outcome = chance.sample(words.word(seat));
        watch.resolved(state, seat, outcome);
        next = until_roll(game, lineup, game.resolve(state, outcome, watch), watch);
    }
}

/// Plays a trial on from a node: the [`trial`] of games whose kinds of decision are many or not known when it is compiled,
/// and of those that play themselves. With a test for each kind, a game as text copied every node four times.
#[inline(always)]
pub fn play_on<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    node: NodeOf<G>,
    words: &mut impl WordSource,
    watch: &mut impl Watch<G>,
) -> G::State {
    game.play_on(node, &mut Seated { game, lineup, words, watch })
}

/// The dice and the policies of a trial, and who watches it.
struct Seated<'t, G, P, W, L> {
    game: &'t G,
    lineup: &'t [P],
    words: &'t mut W,
    watch: &'t mut L,
}

impl<G: Game, P: Policy<G>, W: WordSource, L: Watch<G>> Dealer<G::State, G::Chance>
    for Seated<'_, G, P, W, L>
{
    const LOOKS: bool = L::LOOKS;

    #[inline(always)]
    fn roll(&mut self, state: &G::State, seat: Seat, chance: G::Chance) -> <G::Chance as Chance>::Outcome {
        let outcome = chance.sample(self.words.word(seat));
        self.watch.resolved(*state, seat, outcome);
        outcome
    }

    #[inline(always)]
    fn ask(&mut self, state: &G::State, question: Question) -> Action {
        let policy = if self.lineup.len() == 1 { &self.lineup[0] } else { &self.lineup[question.seat] };
        let is_drawn =
            const { G::SHAPE.is_text } && policy.is_by_chance(question.kind) && !question.actions.is_single();
        let action = match is_drawn {
            true => self.drawn(policy, state, question),
            false => policy.choose_in_place(self.game, state, question),
        };
        self.watch.decided(*state, question, action);
        action
    }
}

impl<G: Game, P: Policy<G>, W: WordSource, L> Seated<'_, G, P, W, L> {
    /// The answer of a policy by chance.
    #[cold]
    #[inline(never)]
    fn drawn(&mut self, policy: &P, state: &G::State, question: Question) -> Action {
        let words = &mut *self.words;
        policy.draw(self.game, state, question, &mut || words.answer(question.seat))
    }
}

impl<G, P, W, L: Events> Events for Seated<'_, G, P, W, L> {
    /// In place: a call would take longer than the count.
    #[inline(always)]
    fn event(&mut self, seat: Seat, event: Event) {
        self.watch.event_if(true, seat, event);
    }

    #[inline]
    fn events(&mut self, seat: Seat, event: Event, many: u32) {
        self.watch.events(seat, event, many);
    }
}

/// Asks and applies decisions until the next roll or the end. Returns the roll or the terminal state.
///
/// A round of the trial is a roll and the decisions after it, so that its start is unconditional: each path through the
/// decisions leads back to the roll by itself, with its state in registers. When a round began by asking which node it
/// is, all paths met there (`first` of `CarboniteDice`: 3.3 thousand instructions a game instead of 2.2; with one match
/// over all nodes, IceDice had 22 thousand instead of 12).
#[inline(always)]
fn until_roll<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    node: NodeOf<G>,
    watch: &mut impl Watch<G>,
) -> Result<(G::State, Seat, G::Chance), G::State> {
    let mut node = ask_in_turn(game, lineup, node, watch);
    loop {
        match node {
            Node::Chance(state, seat, chance) => return Ok((state, seat, chance)),
            Node::Terminal(state) => return Err(state),
            Node::Decision(..) => node = ask_in_turn(game, lineup, node, watch),
        }
    }
}

/// The kinds of decision up to which a trial has a test for each.
const ASKED_IN_TURN: usize = 4;

/// Tests once for every kind of decision, in the order in which most turns go: each test follows the step that may have
/// led to it. The first kind is tested again at the end, for the next turn, so that few rolls need another pass.
#[inline(always)]
fn ask_in_turn<G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    node: NodeOf<G>,
    watch: &mut impl Watch<G>,
) -> NodeOf<G> {
    let node = ask::<0, _, _>(game, lineup, node, watch);
    let node = ask::<1, _, _>(game, lineup, node, watch);
    let node = ask::<2, _, _>(game, lineup, node, watch);
    let node = ask::<3, _, _>(game, lineup, node, watch);
    ask::<0, _, _>(game, lineup, node, watch)
}

/// If the node is a question of this kind, asks the seat's policy and applies its answer.
///
/// The kind is a constant, so that question, answer and consequence of one kind are one straight path: with the kind as
/// a variable, a text policy of CarboniteDice played 3.9 million games a second instead of 4.2.
#[inline(always)]
fn ask<const KIND: usize, G: Game, P: Policy<G>>(
    game: &G,
    lineup: &[P],
    node: NodeOf<G>,
    watch: &mut impl Watch<G>,
) -> NodeOf<G> {
    if const { KIND >= G::SHAPE.kinds } {
        return node;
    }
    let Node::Decision(state, question) = node else { return node };
    if question.kind != KIND {
        return node;
    }
    let question = Question { kind: KIND, ..question };
    let policy = if lineup.len() == 1 { &lineup[0] } else { &lineup[question.seat] };
    let action = policy.choose(game, state, question);
    watch.decided(state, question, action);
    game.decide(state, KIND, action, watch)
}
