//! The three kinds of node of which games consist, and questions with their actions.

/// A player's place at the table, from 0 (printed from 1).
pub type Seat = usize;

/// A point of a game, with its states `S` and its chance events `C`: a decision, a chance event, or the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node<S, C> {
    /// The seat named in the question picks one of its actions.
    Decision(S, Question),
    /// Dice are rolled; the draw comes from the stream of this seat. Simultaneous rolls are a sequence of such nodes,
    /// one per seat. Simultaneous decisions are a sequence of decisions whose answers are hidden from the seats asked
    /// later.
    Chance(S, Seat, C),
    /// The game is over.
    Terminal(S),
}

impl<S: Copy, C: Copy> Node<S, C> {
    /// Its state.
    pub fn state(&self) -> S {
        let (Self::Decision(state, _) | Self::Chance(state, ..) | Self::Terminal(state)) = *self;
        state
    }
}

/// A question to a seat: which seat, which kind of decision, and which actions are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    /// The seat that decides.
    pub seat: Seat,
    /// Index into the kinds of [`Game::info`](crate::game::Game::info).
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
