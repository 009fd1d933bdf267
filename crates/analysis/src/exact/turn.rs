//! A cache of explored turns, for a walk that stores positions between turns only.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use stopwise_engine::game::{Game, Within};
use stopwise_engine::look_ahead::Objective;
use stopwise_engine::within::{Rules, Turn, may_be_told};

/// The size of the cache in bytes. A turn that was dropped is explored again when it is needed.
const MOST_KEPT: usize = 400 << 20;

/// The explored turns.
pub(super) struct Turns<G: Game> {
    within: &'static dyn Within<G>,
    known: Mutex<Known<G>>,
    /// The most bytes of turns that are kept.
    most: usize,
}

/// A roll, and the part of its state.
type Roll<G> = (<G as Game>::State, <G as Game>::Chance);

struct Known<G: Game> {
    /// By the roll and its part; nothing where positions of a turn return.
    turns: FxHashMap<Roll<G>, Option<Arc<Turn<G>>>>,
    /// Their bytes.
    bytes: usize,
    /// The number of turns explored so far, dropped ones included, and of their steps.
    met: FxHashSet<Roll<G>>,
    steps: usize,
}

impl<G: Game> std::fmt::Debug for Turns<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turns").field("steps", &self.steps()).finish_non_exhaustive()
    }
}

impl<G: Game> Turns<G> {
    /// An empty cache of at most an eighth of `bytes`; `None` if the game does not tell what outlasts a turn.
    pub(super) fn new(game: &G, bytes: usize) -> Option<Self> {
        let known = Known { turns: FxHashMap::default(), bytes: 0, met: FxHashSet::default(), steps: 0 };
        Some(Self { within: game.within()?, known: Mutex::new(known), most: MOST_KEPT.min(bytes / 8) })
    }

    fn known(&self) -> MutexGuard<'_, Known<G>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of steps of all turns.
    pub(super) fn steps(&self) -> usize {
        self.known().steps
    }

    /// Their size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let known = self.known();
        known.bytes + known.met.capacity() * size_of::<Roll<G>>()
    }

    /// The turn that begins with a roll, which is its last step; `None` if a position of it can recur.
    pub(super) fn of(
        &self,
        game: &G,
        objective: &Objective,
        state: G::State,
        chance: G::Chance,
    ) -> Option<Arc<Turn<G>>> {
        if const { !may_be_told::<G>() } {
            return None;
        }
        let part = self.within.part(game, state);
        if let Some(known) = self.known().turns.get(&(part, chance)) {
            return known.clone();
        }
        let mut turn = Turn::default();
        let entered = turn.enter_roll(Rules { game, objective, within: self.within }, part, chance);
        let turn = entered.map(|_| Arc::new(turn));
        let mut known = self.known();
        let Known { turns, bytes, met, steps } = &mut *known;
        if *bytes > self.most {
            turns.clear();
            *bytes = 0;
        }
        if let Some(turn) = &turn {
            *bytes += turn.bytes();
            *steps += if met.insert((part, chance)) { turn.len() } else { 0 };
        }
        turns.insert((part, chance), turn.clone());
        turn
    }

    /// A step's part as the position of this roll has it.
    pub(super) fn whole(&self, game: &G, part: G::State, state: G::State) -> G::State {
        self.within.whole(game, part, state)
    }
}
