//! The turns that a policy has met.
//!
//! Where a roll leads depends on the dice, the policy and the position within the turn: city, dice in hand, rolls … Points,
//! turns and other players matter only as far as the policy reads them when it places dice. So every position within a turn
//! has a number, and (position, dice shown) is looked up in a table; what is not there is played by the rules, asking the
//! policy, and entered.

use rustc_hash::FxHashMap;

use super::super::dice::Shown;
use super::super::state::State;
use super::super::{ALL_CATAPULTS, CITY, Carcassonne, KEEP, KNIGHT_KEPT, NO_CITY};
use crate::arms::with_answer;
use crate::game::{Action, Event, Events, Game, Node, Question, Seat};
use crate::vocabulary::Vocabulary;

/// The number of a position, and the dice in its hand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) number: u32,
    pub(super) dice: u8,
}

/// Bits of the dice shown in the key of a roll. Those of the position are above, and there are fewer positions than
/// [`ROOM`] and the games that are played.
const SHOWN_BITS: u32 = 11;

/// The binary logarithm of the length of the table at first.
const LEAST_LOG: u32 = 14;
/// The table is a quarter full at most, so that most look-ups succeed at once.
const LOAD: usize = 4;
/// The most rolls that are remembered: 32 MiB.
const ROOM: usize = 1 << 19;

/// How a turn ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TurnEnd {
    /// Dice of the largest closed city.
    pub(super) largest: u8,
    pub(super) keep: Keep,
    pub(super) catapults: bool,
}

/// Whether a knight was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Keep {
    #[default]
    No,
    Yes,
    /// It depends on more than the turn.
    Ask,
}

/// Where a roll leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    Roll(Place),
    End(TurnEnd),
}

/// Where a roll leads, in a number other than 0.
///
/// ```text
/// roll on   0 │ dice 4 bits │ position
/// end       1 │ largest city 4 bits │ knight kept 2 bits │ all catapults 1 bit
/// ```
#[derive(Clone, Copy)]
struct Packed(u32);

impl Packed {
    fn of(next: Next) -> Self {
        match next {
            Next::Roll(place) => Self(u32::from(place.dice) << 1 | place.number << 5),
            Next::End(end) => {
                Self(1 | u32::from(end.largest) << 1 | (end.keep as u32) << 5 | u32::from(end.catapults) << 7)
            }
        }
    }

    #[inline(always)]
    fn next(self) -> Next {
        let low = (self.0 >> 1).to_le_bytes()[0] & 15;
        if self.0 & 1 == 0 {
            return Next::Roll(Place { number: self.0 >> 5, dice: low });
        }
        let keep = match self.0 >> 5 & 3 {
            0 => Keep::No,
            1 => Keep::Yes,
            _ => Keep::Ask,
        };
        Next::End(TurnEnd { largest: low, keep, catapults: self.0 >> 7 == 1 })
    }
}

/// What a policy reads, as features, of what stays the same in a turn and changes between turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    /// When it places dice or stops.
    pub(super) turn: Vec<usize>,
    /// When it is asked whether to keep a knight.
    pub(super) keep: Vec<usize>,
}

/// The dice and the knights kept at the beginning of a turn, and what the policy reads of the game then.
type Beginning = (u8, u8, Vec<i64>);

/// The turns of a policy, as far as they were met.
#[derive(Debug)]
pub(super) struct Turns {
    game: Carcassonne,
    outside: Outside,
    /// Whether keeping a knight depends on more than the turn.
    asks: bool,
    /// A key, above where it leads; 0 where there is none.
    table: Vec<u64>,
    /// A number for the answers given on the way, each beside its entry.
    answers: Vec<u64>,
    filled: usize,
    /// The most rolls that are remembered.
    pub(super) room: usize,
    numbers: FxHashMap<State, u32>,
    states: Vec<State>,
    /// The beginnings of turns, by dice and knights kept, where nothing else matters, and others.
    beginnings: [Option<Place>; 64],
    other_beginnings: FxHashMap<Beginning, Place>,
}

/// Notes how a turn ended.
#[derive(Default)]
struct Noted {
    has_ended: bool,
    end: TurnEnd,
}

impl Events for Noted {
    fn event(&mut self, _: Seat, event: Event) {
        match event {
            KNIGHT_KEPT => self.end.keep = Keep::Yes,
            ALL_CATAPULTS => self.end.catapults = true,
            NO_CITY => self.has_ended = true,
            _ => {
                if let Some(at) = (2..).zip(CITY).find(|&(_, city)| city == event).map(|(size, _)| size) {
                    (self.has_ended, self.end.largest) = (true, at);
                }
            }
        }
    }
}

impl Turns {
    pub(super) fn new(game: Carcassonne, outside: Outside) -> Self {
        let asks = outside.keep.iter().any(|feature| !outside.turn.contains(feature));
        let mut turns = Self {
            game,
            outside,
            asks,
            table: Vec::new(),
            answers: Vec::new(),
            filled: 0,
            room: ROOM,
            numbers: FxHashMap::default(),
            states: Vec::new(),
            beginnings: [None; 64],
            other_beginnings: FxHashMap::default(),
        };
        turns.make_room(LEAST_LOG);
        turns
    }

    /// Empties the table, of a length with this binary logarithm.
    fn make_room(&mut self, log: u32) {
        self.table = vec![0; 1 << log];
        self.answers = vec![0; 1 << log];
        self.filled = 0;
    }

    /// The position in which a turn begins.
    #[inline(always)]
    pub(super) fn beginning(&mut self, state: State) -> Place {
        let others = u8::from(state.kept >> 1 != 0) << 1;
        let kept = state.kept & 1 | others;
        let at = usize::from(state.dice << 2 | kept) % 64;
        match self.beginnings[at] {
            Some(place) => place,
            None => self.new_beginning(state, kept, at),
        }
    }

    #[inline(never)]
    fn new_beginning(&mut self, state: State, kept: u8, at: usize) -> Place {
        if self.outside.turn.is_empty() {
            let place = self.place(State { scores: 0, turn: 1, seat: 0, kept, ..state });
            self.beginnings[at] = Some(place);
            return place;
        }
        let reads = self.outside.turn.iter().map(|&feature| self.game.feature(state, feature)).collect();
        let beginning = (state.dice, kept, reads);
        if let Some(&place) = self.other_beginnings.get(&beginning) {
            return place;
        }
        let place = self.place(state);
        self.other_beginnings.insert(beginning, place);
        place
    }

    /// The number of a position.
    fn place(&mut self, state: State) -> Place {
        let number = *self.numbers.entry(state).or_insert_with(|| {
            self.states.push(state);
            u32::try_from(self.states.len() - 1).unwrap_or(u32::MAX)
        });
        Place { number, dice: state.dice }
    }

    /// The index at which a key is or belongs.
    #[inline(always)]
    fn find(&self, key: u32) -> usize {
        let mask = self.table.len() - 1;
        let hash = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        #[allow(clippy::cast_possible_truncation, reason = "the upper bits")]
        let mut at = (hash >> 40) as usize & mask;
        loop {
            #[allow(clippy::cast_possible_truncation, reason = "the key is above")]
            let known = (self.table[at] >> 32) as u32;
            if known == key || self.table[at] == 0 {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// Where a roll leads, and a number for the answers on the way; nothing if it was not met.
    #[inline(always)]
    pub(super) fn known(&self, place: Place, shown: Shown) -> Option<(Next, usize)> {
        let at = self.find(place.number << SHOWN_BITS | shown.rank());
        #[allow(clippy::cast_possible_truncation, reason = "what is below the key")]
        let packed = Packed(self.table[at] as u32);
        (packed.0 != 0).then(|| (packed.next(), at))
    }

    /// The number for the answers of a roll that was met.
    #[inline(always)]
    pub(super) fn answers(&self, at: usize) -> u64 {
        self.answers[at]
    }

    /// Whether there is no room for another roll.
    pub(super) fn is_full(&self) -> bool {
        self.filled >= self.room
    }

    /// Forgets everything but the positions in these places, which get new numbers.
    pub(super) fn forget<'p>(&mut self, held: impl Iterator<Item = &'p mut Place>) {
        let states = std::mem::take(&mut self.states);
        self.numbers.clear();
        self.beginnings = [None; 64];
        self.other_beginnings.clear();
        self.make_room(LEAST_LOG);
        held.for_each(|place| *place = self.place(states[place.number as usize]));
    }

    /// Plays a roll that was not met, and enters where it leads.
    #[cold]
    #[inline(never)]
    pub(super) fn meet(
        &mut self,
        place: Place,
        shown: Shown,
        choose: &dyn Fn(State, Question) -> Action,
    ) -> (Next, usize) {
        let (next, answers) = self.played(self.states[place.number as usize], shown, choose);
        if (self.filled + 1) * LOAD > self.table.len() {
            self.grow();
        }
        let key = place.number << SHOWN_BITS | shown.rank();
        let at = self.find(key);
        self.table[at] = u64::from(key) << 32 | u64::from(Packed::of(next).0);
        self.answers[at] = answers;
        self.filled += 1;
        (next, at)
    }

    fn grow(&mut self) {
        let (table, answers) = (std::mem::take(&mut self.table), std::mem::take(&mut self.answers));
        let filled = self.filled;
        self.make_room(table.len().trailing_zeros() + 1);
        for (word, answers) in table.into_iter().zip(answers).filter(|&(word, _)| word != 0) {
            #[allow(clippy::cast_possible_truncation, reason = "the key is above")]
            let at = self.find((word >> 32) as u32);
            (self.table[at], self.answers[at]) = (word, answers);
        }
        self.filled = filled;
    }

    /// Where a roll leads by the rules, and a number for the answers on the way.
    fn played(
        &mut self,
        state: State,
        shown: Shown,
        choose: &dyn Fn(State, Question) -> Action,
    ) -> (Next, u64) {
        let (game, mut noted, mut answers) = (self.game, Noted::default(), 0);
        let mut node = game.resolve(state, shown, &mut noted);
        loop {
            node = match node {
                Node::Decision(state, question) if question.kind == KEEP && self.asks => {
                    let end = TurnEnd { largest: state.largest, keep: Keep::Ask, ..noted.end };
                    return (Next::End(end), answers);
                }
                Node::Decision(state, question) => {
                    let action = choose(state, question);
                    answers = with_answer(answers, action.index().into());
                    game.decide(state, question.kind, action, &mut noted)
                }
                Node::Chance(next, ..) if !noted.has_ended => return (Next::Roll(self.place(next)), answers),
                Node::Chance(..) | Node::Terminal(_) => return (Next::End(noted.end), answers),
            };
        }
    }
}
