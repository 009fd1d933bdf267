//! The central abstraction: a game is a Markov decision process with three kinds of node.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use crate::chance::Chance;
pub use crate::info::{AnswerForm, Info, Kind, Shape, Solvable};

/// The most seats any game may have.
pub const MAX_SEATS: usize = 8;
/// The most metrics any game may declare for a seat.
pub const MAX_METRICS: usize = 16;

/// The most kinds of decision any game may have.
pub const MAX_KINDS: usize = 8;

/// A player's place at the table, from 0 (printed from 1).
pub type Seat = usize;

/// A point of a game: a decision, a chance event, or the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node<G: Game> {
    /// The seat named in the question picks one of its actions.
    Decision(G::State, Question),
    /// Dice are rolled; the draw comes from the stream of this seat. Simultaneous rolls are a sequence of such nodes,
    /// one per seat. Simultaneous decisions are a sequence of decisions whose answers are hidden from the seats asked
    /// later.
    Chance(G::State, Seat, G::Chance),
    /// The game is over.
    Terminal(G::State),
}

impl<G: Game> Node<G> {
    /// Its state.
    pub fn state(&self) -> G::State {
        let (Self::Decision(state, _) | Self::Chance(state, ..) | Self::Terminal(state)) = *self;
        state
    }
}

/// A question to a seat: which seat, which kind of decision, and which actions are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The seat that decides.
    pub seat: Seat,
    /// Index into the kinds of [`Game::info`].
    pub kind: usize,
    /// The legal actions; never empty.
    pub actions: Actions,
}

/// One action of a decision: a one-bit word, so that sets of actions are masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action(pub u64);

impl Action {
    /// The answer "no" to a yes/no decision.
    pub const NO: Self = Self(1);
    /// The answer "yes" to a yes/no decision.
    pub const YES: Self = Self(2);

    /// The index of this action among all actions of its kind, 0 to 63.
    #[inline]
    pub fn index(self) -> u32 {
        self.0.trailing_zeros()
    }
}

impl From<bool> for Action {
    #[inline]
    fn from(yes: bool) -> Self {
        Self(1 << u32::from(yes))
    }
}

/// A set of actions, in the fixed order of their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Actions(pub u64);

impl Actions {
    /// Both answers to a yes/no decision.
    pub const YES_NO: Self = Self(Action::NO.0 | Action::YES.0);

    /// The first action in order; for an empty set, an action with no bit set.
    #[inline]
    pub fn first(self) -> Action {
        Action(self.0 & self.0.wrapping_neg())
    }

    /// The number of actions.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is exactly one action, so that there is nothing to decide.
    #[inline]
    pub fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Whether `action` is among them.
    #[inline]
    pub fn contains(self, action: Action) -> bool {
        self.0 & action.0 != 0
    }

    /// The actions one by one, in order.
    pub fn iter(self) -> impl Iterator<Item = Action> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let action = Actions(left).first();
            left ^= action.0;
            (action.0 != 0).then_some(action)
        })
    }
}

/// An event that the rules announce for a seat when it happens, so that it can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event(u8);

impl Event {
    /// A turn of the seat begins.
    pub const TURN: Self = Self(0);
    /// The seat rolls.
    pub const ROLL: Self = Self(1);
    /// The seat loses its turn to the dice.
    pub const BUST: Self = Self(2);
    /// The number of different events that a game may announce.
    pub const COUNT: usize = 16;

    /// The `n`-th event of a game's own, `n` from 0 to 12.
    pub const fn own(n: u8) -> Self {
        assert!(n < 13, "a game has at most thirteen events of its own");
        Self(n + 3)
    }

    /// Index into an array of [`Event::COUNT`] counters.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Listens to the events of a game. The rules only announce; they get nothing back.
pub trait Events {
    /// `event` happens to `seat`.
    fn event(&mut self, seat: Seat, event: Event);

    /// `event` happens to `seat` so many times.
    fn events(&mut self, seat: Seat, event: Event, many: u32) {
        (0..many).for_each(|_| self.event(seat, event));
    }

    /// Announces `event` for `seat` if `happens` is true, without a branch: for conditions that branch predictors
    /// cannot learn.
    #[inline(always)]
    fn event_if(&mut self, happens: bool, seat: Seat, event: Event) {
        if happens {
            self.event(seat, event);
        }
    }
}

/// Who counts the events of every seat.
pub trait Counts {
    /// How often each event has happened to a seat.
    fn counts(&mut self, seat: Seat) -> &mut [u32; Event::COUNT];

    /// A seat busts in this turn of its own, from 1.
    #[inline(always)]
    fn bust(&mut self, seat: Seat, turn: u32) {
        let _ = (seat, turn);
    }
}

/// Without a branch, but for busts, which are told.
impl<C: Counts> Events for C {
    #[inline]
    fn event(&mut self, seat: Seat, event: Event) {
        let counts = self.counts(seat);
        counts[event.index()] += 1;
        if event == Event::BUST {
            let turn = counts[Event::TURN.index()];
            self.bust(seat, turn);
        }
    }

    #[inline]
    fn events(&mut self, seat: Seat, event: Event, many: u32) {
        if event == Event::BUST {
            (0..many).for_each(|_| self.event(seat, event));
        } else {
            self.counts(seat)[event.index()] += many;
        }
    }

    #[inline(always)]
    fn event_if(&mut self, happens: bool, seat: Seat, event: Event) {
        if event != Event::BUST {
            self.counts(seat)[event.index()] += u32::from(happens);
        } else if happens {
            self.event(seat, event);
        }
    }
}

/// Ignores all events.
impl Events for () {
    #[inline]
    fn event(&mut self, _: Seat, _: Event) {}
}

/// Passes events on.
impl Events for &mut dyn Events {
    fn event(&mut self, seat: Seat, event: Event) {
        (**self).event(seat, event);
    }

    fn events(&mut self, seat: Seat, event: Event, many: u32) {
        (**self).events(seat, event, many);
    }
}

/// A number reported for every seat of every finished trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Column value in the reports.
    pub name: &'static str,
    /// The unit of the number.
    pub unit: &'static str,
    /// A description of what it measures.
    pub meaning: &'static str,
    /// How it is obtained.
    pub source: Source,
    /// Which direction is better for the player.
    pub better: Better,
    /// How it is to be read.
    pub role: Role,
}

impl Metric {
    /// 1 for the seat that wins, of which more is better.
    pub const WIN: Self = Self { role: Role::Win, ..Self::end("win", "games", "1 if the seat wins") };

    /// An amount that is read from the end of the game, of which more is better.
    pub const fn end(name: &'static str, unit: &'static str, meaning: &'static str) -> Self {
        Self { name, unit, meaning, source: Source::End, better: Better::Higher, role: Role::Amount }
    }

    /// The number of times that an event happens, of which more is better.
    pub const fn count(name: &'static str, unit: &'static str, meaning: &'static str, event: Event) -> Self {
        Self { source: Source::Count(event), ..Self::end(name, unit, meaning) }
    }

    /// The same metric, of which less is better.
    #[must_use]
    pub const fn less(self) -> Self {
        Self { better: Better::Lower, ..self }
    }

    /// Whether it says who wins.
    pub fn is_win(&self) -> bool {
        self.role == Role::Win
    }

    /// Whether it says how much of a win the seat has, where several may win together.
    pub fn is_share(&self) -> bool {
        matches!(self.role, Role::Share(_))
    }

    /// Whether it is of wins, whole or shared.
    pub fn is_won(&self) -> bool {
        self.is_win() || self.is_share()
    }

    /// What a win counts: 1, or the number of its parts.
    pub fn whole(&self) -> u32 {
        match self.role {
            Role::Share(parts) => parts,
            _ => 1,
        }
    }

    /// The metric of who wins, by its place: the share of a win, where several may win together, as equals would hardly ever
    /// win alone.
    pub fn of_wins(metrics: &[Self]) -> Option<usize> {
        let at = |is_it: fn(&Self) -> bool| metrics.iter().position(is_it);
        at(Self::is_share).or_else(|| at(Self::is_win))
    }

    /// Whether it is the number of times that this event happens: [`Event::TURN`] for the length of a game.
    pub fn counts(&self, event: Event) -> bool {
        self.source == Source::Count(event)
    }
}

/// How a metric is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// 1 if the seat wins, otherwise 0: its mean is a share of the games.
    Win,
    /// The part of a win that the seat has, where several may win together: a whole win has so many parts.
    Share(u32),
    /// An amount in its unit.
    Amount,
}

/// How a metric is obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Read from the terminal state by [`Game::measure`].
    End,
    /// The number of times an event happened.
    Count(Event),
}

/// Which direction of a metric is better for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Higher is better.
    Higher,
    /// Lower is better.
    Lower,
}

/// A way a trial can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Column value in the reports.
    pub name: &'static str,
    /// Whether the game was cut short, not played to its regular end.
    pub early: bool,
    /// Whether it is a cap on turns that cut the game short, which no game for people has.
    pub cap: bool,
    /// Whether the rules could not go on, and say nothing about this game: see [`Game::fault`].
    pub fault: bool,
    /// A description of this ending.
    pub meaning: &'static str,
}

impl Ending {
    /// A cap on the turns of all players.
    pub const CAPPED: Self =
        Self { cap: true, ..Self::early("capped", "the turn cap was reached without a winner") };

    /// The game is played to its regular end.
    pub const fn regular(name: &'static str, meaning: &'static str) -> Self {
        Self { name, early: false, cap: false, fault: false, meaning }
    }

    /// The game is cut short.
    pub const fn early(name: &'static str, meaning: &'static str) -> Self {
        Self { early: true, ..Self::regular(name, meaning) }
    }
}

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
    fn root(&self, events: &mut impl Events) -> Node<Self>;

    /// The node after `action`, a legal action of the question of `kind` in `state`.
    fn decide(&self, state: Self::State, kind: usize, action: Action, events: &mut impl Events)
    -> Node<Self>;

    /// The node after `outcome`, an outcome of the chance event in `state`.
    fn resolve(
        &self,
        state: Self::State,
        outcome: <Self::Chance as Chance>::Outcome,
        events: &mut impl Events,
    ) -> Node<Self>;

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

    /// A number that no step of the game lowers, defined for states in which dice are rolled. The exact walk proceeds
    /// stage by stage; where every step raises the number, it needs no iteration.
    fn stage(&self, state: Self::State) -> u64;

    /// A lower bound on the number of chance states reachable when all seats play freely, if the rules imply one. It
    /// lets the exact walk refuse a game that is too large at once.
    fn states_at_least(&self) -> usize {
        0
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
    ) -> Option<Node<G>>;

    /// [`Game::decide`] of a part; `None` as for rolls.
    fn decide(&self, game: &G, part: G::State, action: Action, events: &mut dyn Events) -> Option<Node<G>>;
}

/// How a game for two is told turn by turn. Positions between turns are those before the first roll of a turn.
pub trait TurnByTurn<G: Game>: Debug + Sync {
    /// The rules of turns by themselves: no number of points ends them.
    fn rules(&self, game: &G) -> G;

    /// Where the turn of a position begins, with the seat to play as the first one.
    fn beginning(&self, game: &G, state: G::State) -> Option<Node<G>>;

    /// The position in a turn by itself, of the first seat: without what does not matter to its moves.
    fn by_itself(&self, game: &G, state: G::State) -> G::State;

    /// A position in a turn by itself, in the turn that begins in `beginning`.
    fn within(&self, beginning: G::State, alone: G::State) -> G::State;

    /// What a turn that begins in `beginning` leads to, if by itself it is left by `left`: the second seat's turn, or an end.
    fn after(&self, game: &G, beginning: G::State, left: Node<G>) -> Node<G>;
}

/// A policy: picks an action at every decision of a seat. It is a pure function and has no random generator.
pub trait Policy<G: Game>: Sync {
    /// One of `question.actions`.
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action;

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

/// A computation with a line-up, generic over the type of its policies.
pub trait LineupJob<G: Game> {
    /// Its result.
    type Output;

    /// Runs the computation.
    fn run<P: Policy<G>>(self, lineup: &[P]) -> Self::Output;
}

impl<G: Game, P: Policy<G>> Policy<G> for &P {
    #[inline(always)]
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action {
        (**self).choose(game, state, question)
    }

    fn memory(&self) -> u32 {
        (**self).memory()
    }

    fn with_quickest<J: LineupJob<G>>(lineup: &[&Self], job: J) -> J::Output {
        let lineup: Vec<&P> = lineup.iter().map(|policy| **policy).collect();
        P::with_quickest(&lineup, job)
    }
}

impl<G: Game, P: Policy<G> + Send> Policy<G> for Arc<P> {
    #[inline(always)]
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action {
        (**self).choose(game, state, question)
    }

    fn memory(&self) -> u32 {
        (**self).memory()
    }

    fn with_quickest<J: LineupJob<G>>(lineup: &[&Self], job: J) -> J::Output {
        let lineup: Vec<&P> = lineup.iter().map(|policy| &***policy).collect();
        P::with_quickest(&lineup, job)
    }
}
