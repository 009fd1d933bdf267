//! The central abstraction: a game is a Markov decision process with three kinds of node.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use crate::chance::Chance;
pub use crate::ending::Ending;
pub use crate::events::{Counts, Event, Events};
pub use crate::info::{AnswerForm, Info, Kind, Shape, Solvable};
pub use crate::metric::{Better, Metric, Role, Source};
pub use crate::node::{Action, Actions, Node, Question, Seat};

/// The most seats any game may have.
pub const MAX_SEATS: usize = 8;
/// The most metrics any game may declare for a seat.
pub const MAX_METRICS: usize = 16;
/// The most kinds of decision any game may have.
pub const MAX_KINDS: usize = 8;

/// A point of a game of this type.
pub type NodeOf<G> = Node<<G as Game>::State, <G as Game>::Chance>;

/// A game. A value of the type holds its rules: all options and nothing else.
///
/// The rules are pure functions from node to next node. They never see randomness, files or clocks. They announce what
/// happens to an [`Events`] listener and get nothing back.
pub trait Game: Copy + Debug + Send + Sync + 'static {
    /// A few machine words; equal bits mean equal states.
    type State: Copy + Eq + Hash + Debug + Send + Sync;
    /// The chance events: rolls of the dice.
    type Chance: Chance;

    /// What the compiler needs to know.
    const SHAPE: Shape;

    /// What people and commands need to know.
    fn info(&self) -> &'static Info;

    /// The rules as text, with all options: equal for equal rules, and for no others.
    fn rules_in_full(&self) -> String {
        format!("{self:?}")
    }

    /// How many seats play, within the limits of [`Game::SHAPE`].
    fn seats(&self) -> usize;

    /// The start of the game.
    fn root(&self, events: &mut impl Events) -> NodeOf<Self>;

    /// The node after `action`, a legal action of the question of `kind` in `state`.
    fn decide(
        &self,
        state: Self::State,
        kind: usize,
        action: Action,
        events: &mut impl Events,
    ) -> NodeOf<Self>;

    /// The node after `outcome`, an outcome of the chance event in `state`.
    fn resolve(
        &self,
        state: Self::State,
        outcome: <Self::Chance as Chance>::Outcome,
        events: &mut impl Events,
    ) -> NodeOf<Self>;

    /// Plays on from a node to the end, with what the dealer rolls and the players answer.
    #[inline(always)]
    fn play_on(
        &self,
        mut node: NodeOf<Self>,
        dealer: &mut impl Dealer<Self::State, Self::Chance>,
    ) -> Self::State {
        loop {
            node = match node {
                Node::Chance(state, seat, chance) => {
                    let outcome = dealer.roll(&state, seat, chance);
                    self.resolve(state, outcome, dealer)
                }
                Node::Decision(state, question) => {
                    let action = dealer.ask(&state, question);
                    self.decide(state, question.kind, action, dealer)
                }
                Node::Terminal(state) => return state,
            };
        }
    }

    /// The metrics of a seat, at most [`MAX_METRICS`]. The first one is the objective of the game.
    fn metrics(&self) -> &'static [Metric] {
        self.info().metrics
    }

    /// Writes the metrics that come from the terminal state, each at its index in [`Game::metrics`].
    fn measure(&self, end: Self::State, seat: Seat, values: &mut [u32; MAX_METRICS]);

    /// The least and greatest possible value of a metric, if the rules imply them. Where positions can recur, the exact
    /// walk starts its bounds there.
    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        let _ = metric;
        None
    }

    /// For solitaire games whose first metric is read from the end: the part of it that the player has already, or
    /// would have if the game ended here. 0 if nothing counts before the end.
    fn score_so_far(&self, state: Self::State) -> u32 {
        let _ = state;
        0
    }

    /// What the first seat has of a metric already, and the state without it, where what is still to come does not depend on
    /// it: the exact walk then knows states that differ in nothing else as one.
    #[inline]
    fn settled(&self, state: Self::State, metric: usize) -> (f64, Self::State) {
        let _ = metric;
        (0.0, state)
    }

    /// How it is told turn by turn, if it is for two and its turns are alike: then it can be solved where there are too many
    /// positions for a walk.
    fn turn_by_turn(&self) -> Option<&'static dyn TurnByTurn<Self>> {
        None
    }

    /// How its turns go on by themselves, if it tells what outlasts them: then a turn can be looked at once for all positions
    /// between turns.
    fn within(&self) -> Option<&'static dyn Within<Self>> {
        None
    }

    /// The state of a decision as the deciding seat sees it: without the answers of others to a question that several
    /// seats are asked at the same time.
    fn seen(&self, state: Self::State) -> Self::State {
        state
    }

    /// The ways a trial can end.
    fn endings(&self) -> &'static [Ending] {
        self.info().endings
    }

    /// Index into [`Game::endings`].
    fn ending(&self, end: Self::State) -> usize;

    /// Why the rules could not go on, if a game ended by an [`Ending::fault`]: a text may let a number leave its range. A
    /// run that meets such a game has no result.
    fn fault(&self, end: Self::State) -> Option<String> {
        let _ = end;
        None
    }

    /// Whether somebody wins every game that no cap cuts off, alone or with others.
    fn is_always_won(&self) -> bool {
        true
    }

    /// Whether players are asked who do not know what others have just answered: they answer at once.
    fn asks_at_once(&self) -> bool {
        false
    }

    /// A number that no step of the game lowers, defined for states in which dice are rolled. The exact walk proceeds
    /// stage by stage; where every step raises the number, it needs no iteration.
    fn stage(&self, state: Self::State) -> u64;

    /// A lower bound on the number of chance states reachable when all seats play freely, if the rules imply one. It
    /// lets the exact walk refuse a game that is too large at once.
    fn states_at_least(&self) -> usize {
        0
    }

    /// How many values each variable has in some states, those with most values first: why there are so many states. Nothing
    /// where variables have no names.
    fn varied(&self, states: &mut dyn Iterator<Item = Self::State>) -> Vec<(String, usize)> {
        let _ = states;
        Vec::new()
    }

    /// Reconstructs the question of a decision of `kind` from its state alone. Given for kinds of decision at which
    /// many paths meet: the exact walk then stores their values as it does for rolls, and [`Game::stage`] covers them
    /// too. As it knows a moment by its state, no roll may have the state of such a question, nor one roll that of another.
    fn ask_again(&self, state: Self::State, kind: usize) -> Option<Question> {
        let _ = (state, kind);
        None
    }

    /// The state by which the exact walk knows a decision, if its value is stored: its state, where it can be
    /// [asked again](Game::ask_again), or a state that tells more of the question than that does.
    #[inline]
    fn met_again(&self, state: Self::State, question: Question) -> Option<Self::State> {
        self.ask_again(state, question.kind).map(|_| state)
    }

    /// The state without memory that only policies read, except for the kinds of memory in `keep` (bits of
    /// [`Feature::memory`](crate::vocabulary::Feature::memory)). States that become equal have equal futures under
    /// every policy that reads no other memory.
    fn forget(&self, state: Self::State, keep: u32) -> Self::State {
        let _ = keep;
        state
    }

    /// One representative of all states with the same value under best play: [`Game::forget`] and the
    /// symmetries of the game.
    fn canonical(&self, state: Self::State) -> Self::State {
        self.forget(state, 0)
    }
}

/// Rolls the dice of a game and asks its players, who hear of its events.
pub trait Dealer<S, C: Chance>: Events {
    /// Whether it looks at the states in which dice are rolled.
    const LOOKS: bool;

    /// The dice of a seat are rolled in a state.
    fn roll(&mut self, state: &S, seat: Seat, chance: C) -> C::Outcome;

    /// A seat answers a question in a state.
    fn ask(&mut self, state: &S, question: Question) -> Action;
}

/// How turns of a game go on by themselves: by what a turn is played with, as long as a step neither looks at what outlasts
/// the turn nor changes it.
pub trait Within<G: Game>: Debug + Sync {
    /// A state without what outlasts the turn, and without memory that only policies read.
    fn part(&self, game: &G, state: G::State) -> G::State;

    /// A part with what outlasts the turn in another state.
    fn whole(&self, game: &G, part: G::State, other: G::State) -> G::State;

    /// What of a state outlasts the turn, and what of the turn's own lasts as long as it: alike for most positions of a turn.
    fn lasting(&self, game: &G, state: G::State) -> [G::State; 2];

    /// [`Game::resolve`] of a part; `None` if that depends on what outlasts the turn, or changes it.
    fn resolve(
        &self,
        game: &G,
        part: G::State,
        outcome: <G::Chance as Chance>::Outcome,
        events: &mut dyn Events,
    ) -> Option<NodeOf<G>>;

    /// [`Game::decide`] of a part; `None` as for rolls.
    fn decide(&self, game: &G, part: G::State, action: Action, events: &mut dyn Events) -> Option<NodeOf<G>>;
}

/// How a game for two is told turn by turn. Positions between turns are those before the first roll of a turn.
pub trait TurnByTurn<G: Game>: Debug + Sync {
    /// The rules of turns by themselves: no number of points ends them.
    fn rules(&self, game: &G) -> G;

    /// Where the turn of a position begins, with the seat to play as the first one.
    fn beginning(&self, game: &G, state: G::State) -> Option<NodeOf<G>>;

    /// The position in a turn by itself, of the first seat: without what does not matter to its moves.
    fn by_itself(&self, game: &G, state: G::State) -> G::State;

    /// A position in a turn by itself, in the turn that begins in `beginning`.
    fn within(&self, beginning: G::State, alone: G::State) -> G::State;

    /// What a turn that begins in `beginning` leads to, if by itself it is left by `left`: the second seat's turn, or an end.
    fn after(&self, game: &G, beginning: G::State, left: NodeOf<G>) -> NodeOf<G>;
}

/// A policy: picks an action at every decision of a seat. It is a pure function and has no random generator: where it answers
/// by chance, it is handed the words.
pub trait Policy<G: Game>: Sync {
    /// One of `question.actions`.
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action;

    /// [`Policy::choose`] without a copy of the state, for games whose states are large.
    #[inline(always)]
    fn choose_in_place(&self, game: &G, state: &G::State, question: Question) -> Action {
        self.choose(game, *state, question)
    }

    /// Whether it answers questions of a kind by chance; only in games as text. [`Policy::choose`] then gives one of its answers.
    fn is_by_chance(&self, kind: usize) -> bool {
        let _ = kind;
        false
    }

    /// Its answer to such a question, which has several actions, drawn with words of the seat's stream of answers.
    fn draw(&self, game: &G, state: &G::State, question: Question, word: &mut dyn FnMut() -> u32) -> Action {
        let _ = word;
        self.choose_in_place(game, state, question)
    }

    /// Its answers to such a question with their probabilities, which are more than 0 and sum to 1: those of [`Policy::draw`].
    fn mix(&self, game: &G, state: &G::State, question: Question) -> Vec<(Action, f64)> {
        vec![(self.choose_in_place(game, state, question), 1.0)]
    }

    /// The kinds of memory that it reads, as bits of [`Feature::memory`](crate::vocabulary::Feature::memory).
    fn memory(&self) -> u32 {
        u32::MAX
    }

    /// Runs `job` with this line-up, or with equivalent policies that answer faster. The choice is made once, before
    /// the first decision.
    fn with_quickest<J: LineupJob<G>>(lineup: &[&Self], job: J) -> J::Output
    where
        Self: Sized,
    {
        job.run(lineup)
    }
}

/// Whether somebody in a line-up answers by chance.
pub fn is_by_chance<G: Game, P: Policy<G>>(lineup: &[P]) -> bool {
    let kinds = 0..MAX_KINDS;
    (const { G::SHAPE.is_text })
        && lineup.iter().any(|policy| kinds.clone().any(|kind| policy.is_by_chance(kind)))
}

/// A computation with a line-up, generic over the type of its policies.
pub trait LineupJob<G: Game> {
    /// Its result.
    type Output;

    /// Runs the computation.
    fn run<P: Policy<G>>(self, lineup: &[P]) -> Self::Output;
}

/// Whoever points at a policy answers as it does.
macro_rules! answers_as {
    ($pointer:ty $(, $bound:ident)?) => {
        impl<G: Game, P: Policy<G> $(+ $bound)?> Policy<G> for $pointer {
            #[inline(always)]
            fn choose(&self, game: &G, state: G::State, question: Question) -> Action {
                (**self).choose(game, state, question)
            }

            #[inline(always)]
            fn choose_in_place(&self, game: &G, state: &G::State, question: Question) -> Action {
                (**self).choose_in_place(game, state, question)
            }

            #[inline(always)]
            fn is_by_chance(&self, kind: usize) -> bool {
                (**self).is_by_chance(kind)
            }

            fn draw(&self, game: &G, state: &G::State, question: Question, word: &mut dyn FnMut() -> u32) -> Action {
                (**self).draw(game, state, question, word)
            }

            fn mix(&self, game: &G, state: &G::State, question: Question) -> Vec<(Action, f64)> {
                (**self).mix(game, state, question)
            }

            fn memory(&self) -> u32 {
                (**self).memory()
            }

            fn with_quickest<J: LineupJob<G>>(lineup: &[&Self], job: J) -> J::Output {
                let lineup: Vec<&P> = lineup.iter().map(|policy| &***policy).collect();
                P::with_quickest(&lineup, job)
            }
        }
    };
}

answers_as!(&P);
answers_as!(Arc<P>, Send);
