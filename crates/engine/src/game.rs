//! The one abstraction: a game is a Markov decision process whose every moment is one of three nodes.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::chance::Chance;

/// The most seats any game may have.
pub const MAX_SEATS: usize = 8;
/// The most metrics any game may declare for a seat.
pub const MAX_METRICS: usize = 16;

/// The most kinds of decision any game may have.
pub const MAX_KINDS: usize = 4;

/// A player's place at the table, from 0 (printed from 1).
pub type Seat = usize;

/// A moment of a game: somebody decides, chance answers, or it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node<G: Game> {
    /// The seat named in the question picks one of its actions.
    Decision(G::State, Question),
    /// The dice answer; the draw comes from the stream of this seat. Simultaneous rolls are a run of such
    /// nodes, one a seat; simultaneous decisions are a run of decisions whose states hide one from the next.
    Chance(G::State, Seat, G::Chance),
    /// It is over.
    Terminal(G::State),
}

/// What is being decided: by whom, which kind of decision, and which actions are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// Who decides.
    pub seat: Seat,
    /// Index into [`Game::KINDS`].
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

    /// The number of this action among all actions of its kind, 0 to 63.
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

    /// The first action in order; of an empty set, no bit.
    #[inline]
    pub fn first(self) -> Action {
        Action(self.0 & self.0.wrapping_neg())
    }

    /// How many there are.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is exactly one, so that nothing is left to decide.
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

/// A kind of decision, as a policy names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The key in a policy file.
    pub name: &'static str,
    /// How it is answered.
    pub form: Form,
    /// How many actions it has, numbered from 0, of which some are legal: 2 to 64.
    pub actions: u8,
    /// What is decided, in words.
    pub meaning: &'static str,
}

/// How a kind of decision is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// By [`Action::NO`] or [`Action::YES`]: a policy holds an expression.
    YesNo,
    /// By one of several items: a policy holds a preference list.
    Items,
}

/// Something countable that the rules announce when it happens, for the seat it happens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event(u8);

impl Event {
    /// A turn of the seat begins.
    pub const TURN: Self = Self(0);
    /// The seat rolls.
    pub const ROLL: Self = Self(1);
    /// The seat loses its turn to the dice.
    pub const BUST: Self = Self(2);
    /// How many different events a game may announce.
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

/// Whoever listens to the events of a game. The rules speak and never listen.
pub trait Events {
    /// `event` happens to `seat`.
    fn event(&mut self, seat: Seat, event: Event);

    /// `event` happens to `seat`, or does not: for what no predictor of branches can learn.
    #[inline(always)]
    fn event_if(&mut self, happens: bool, seat: Seat, event: Event) {
        if happens {
            self.event(seat, event);
        }
    }
}

/// Nobody listens.
impl Events for () {
    #[inline]
    fn event(&mut self, _: Seat, _: Event) {}
}

/// A number reported for every seat of every finished trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Column value in the reports.
    pub name: &'static str,
    /// What one of it is.
    pub unit: &'static str,
    /// What it measures, in words.
    pub meaning: &'static str,
    /// Where it comes from.
    pub source: Source,
    /// Which way a player wants it.
    pub better: Better,
}

/// Where a metric comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Read from the terminal state by [`Game::measure`].
    End,
    /// The number of times an event happened.
    Count(Event),
}

/// Which way a player wants a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The more the better.
    Higher,
    /// The less the better.
    Lower,
}

/// A way a trial can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Column value in the reports.
    pub name: &'static str,
    /// Whether it cuts the game short.
    pub early: bool,
    /// What happens, in words.
    pub meaning: &'static str,
}

/// A size of a game that the exact walk reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solvable {
    /// What asks for it on the command line, after the game's name.
    pub options: &'static str,
    /// The states that the walk remembers.
    pub states: u64,
    /// How long it takes on two cores, about.
    pub seconds: f64,
}

/// A game. The value of the type is its rules: all options, nothing else.
///
/// The rules are pure functions from node to next node. They never see randomness, files or clocks; what
/// happens on the way is announced to an [`Events`] listener, and nothing comes back from there.
pub trait Game: Copy + Debug + Send + Sync + 'static {
    /// A few machine words; equal bits mean equal states.
    type State: Copy + Eq + Hash + Debug + Send + Sync;
    /// The dice.
    type Chance: Chance;

    /// The game's name on the command line.
    const NAME: &'static str;
    /// What it is, in a sentence for a list of games.
    const SUMMARY: &'static str;
    /// The kinds of decision, as [`Question::kind`] numbers them; at most [`MAX_KINDS`].
    const KINDS: &'static [Kind];
    /// How many seats the game may have under any of its rules, within 1 to [`MAX_SEATS`]. Loops for one seat, or for
    /// several, are compiled only for games that have them.
    const SEATS: RangeInclusive<usize>;
    /// Sizes of the game that the exact walk reaches, as measured, from the smallest: what is offered where a size is too
    /// large.
    const SOLVABLE: &'static [Solvable] = &[];

    /// How many seats play, within [`Game::SEATS`].
    fn seats(&self) -> usize;

    /// The start of the game.
    fn root(&self, events: &mut impl Events) -> Node<Self>;

    /// What follows from `action`, one of the actions of the question of `kind` asked in `state`.
    fn decide(&self, state: Self::State, kind: usize, action: Action, events: &mut impl Events)
    -> Node<Self>;

    /// What follows from `outcome`, one of the outcomes of the chance event met in `state`.
    fn resolve(
        &self,
        state: Self::State,
        outcome: <Self::Chance as Chance>::Outcome,
        events: &mut impl Events,
    ) -> Node<Self>;

    /// What is reported for every seat; at most [`MAX_METRICS`]. The first is what the game is played for.
    fn metrics(&self) -> &'static [Metric];

    /// Writes the metrics that come from the terminal state, each at its index in [`Game::metrics`].
    fn measure(&self, end: Self::State, seat: Seat, values: &mut [u32; MAX_METRICS]);

    /// What a metric is at least and at most, if the rules say so: where positions return, the exact walk closes
    /// in on a value from there.
    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        let _ = metric;
        None
    }

    /// In games for one whose first metric is read from the end: what of it the player has already, or would have if the
    /// game ended here. 0 where nothing counts before the end.
    fn score_so_far(&self, state: Self::State) -> u32 {
        let _ = state;
        0
    }

    /// The state of a decision as the seat that is asked sees it: without what others have answered to a question that is
    /// asked of several at once.
    fn seen(&self, state: Self::State) -> Self::State {
        state
    }

    /// The ways a trial can end.
    fn endings(&self) -> &'static [Ending];

    /// Index into [`Game::endings`].
    fn ending(&self, end: Self::State) -> usize;

    /// A number that no step of the game lowers, for the states in which dice are rolled: the exact walk goes
    /// from stage to stage. Where every step raises it, the walk needs no iteration.
    fn stage(&self, state: Self::State) -> u64;

    /// As many states before a roll as free seats can reach at least, where the rules tell: a game that is too large for
    /// the exact walk is refused at once.
    fn states_at_least(&self) -> usize {
        0
    }

    /// The question of a decision of `kind` as its state alone says it, for kinds of decision in which many paths
    /// meet: the exact walk remembers their values as it does for rolls. [`Game::stage`] then covers them too.
    fn ask_again(&self, state: Self::State, kind: usize) -> Option<Question> {
        let _ = (state, kind);
        None
    }

    /// The state without what only policies look at, except for the kinds of memory in `keep` (the bits of
    /// [`Feature::memory`](crate::vocabulary::Feature::memory)). States that become equal have equal futures
    /// under every policy that looks at nothing else.
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

/// A policy: picks an action wherever a seat has to decide. Pure, and without a generator.
pub trait Policy<G: Game>: Sync {
    /// One of `question.actions`.
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action;

    /// The kinds of memory it looks at, as bits of [`Feature::memory`](crate::vocabulary::Feature::memory).
    fn memory(&self) -> u32 {
        u32::MAX
    }

    /// Does a job with this line-up, or with policies that give the same answers sooner: a choice made once, before
    /// the first decision.
    fn with_quickest<J: LineupJob<G>>(lineup: &[&Self], job: J) -> J::Output
    where
        Self: Sized,
    {
        job.run(lineup)
    }
}

/// Something to be done with a line-up, whatever kind its policies are.
pub trait LineupJob<G: Game> {
    /// What comes out.
    type Output;

    /// Does it.
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
