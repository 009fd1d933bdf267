//! The chance events: what a player rolls and whether they roll at all, who calls first, and who touches the dice.

use super::numbers::Fraction;
use crate::chance::{Chance, bounded};

/// A chance event. Each takes one random word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Draw {
    /// With this probability the player rolls both dice, else none.
    Both(Fraction),
    /// With this probability the player rolls the loose die, else none; the other die is frozen on a six.
    Loose(Fraction),
    /// One of this number of players, drawn uniformly, is the first to call.
    Caller(u8),
    /// With this probability the player has touched the dice.
    Fumble(Fraction),
}

/// The outcome of a [`Draw`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// The player rolls these dice.
    Dice(Dice),
    /// The player does not roll.
    Stays,
    /// The player with this index among the callers, from 0, is the first to call.
    Caller(u8),
    /// Whether the player has touched the dice.
    Fumble(bool),
}

/// A roll: two dice, not distinguished, or one die beside a frozen six.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice(u8);

/// The number of different rolls of two dice; the six rolls of one die follow them.
const PAIRS: u8 = 21;
const ROLLS: usize = 27;

/// The faces of both dice, for every roll: (1, 1), (1, 2), …, (6, 6), and then (1, 6), …, (6, 6) beside a six.
const FACES: [(u8, u8); ROLLS] = {
    let mut faces = [(0, 6); ROLLS];
    let mut at = 0;
    let mut low = 1;
    while low <= 6 {
        let mut high = low;
        while high <= 6 {
            faces[at] = (low, high);
            at += 1;
            high += 1;
        }
        faces[PAIRS as usize + low as usize - 1] = (low, 6);
        low += 1;
    }
    faces
};

/// The roll of two dice for each of 36 equally likely cases, in the order of the rolls: a pair once, any other roll
/// twice. The array is padded to 64 entries so that an index needs no bounds check.
const OF_36: [u8; 64] = {
    let mut rolls = [0; 64];
    let (mut at, mut roll) = (0, 0);
    while roll < PAIRS {
        let (low, high) = FACES[roll as usize];
        rolls[at] = roll;
        at += 1;
        if low != high {
            rolls[at] = roll;
            at += 1;
        }
        roll += 1;
    }
    rolls
};

impl Dice {
    /// All rolls.
    pub(super) const COUNT: usize = ROLLS;

    /// The number of the roll, below [`Dice::COUNT`].
    #[inline(always)]
    pub(super) fn number(self) -> usize {
        self.0.into()
    }

    /// The faces, the smaller one first; a frozen six counts.
    pub fn faces(self) -> (u8, u8) {
        FACES[self.number()]
    }

    /// Whether one of the dice is a frozen six.
    pub fn is_beside_six(self) -> bool {
        self.0 >= PAIRS
    }

    /// The roll in one of 36 equally likely cases: of both dice, and of one beside a frozen six.
    pub(super) fn of_case(case: u32) -> [Self; 2] {
        #[allow(clippy::cast_possible_truncation, reason = "a case is below 36")]
        let loose = (case / 6) as u8;
        [Self(OF_36[case as usize % 64]), Self(PAIRS + loose % 6)]
    }

    /// The faces of roll `number`.
    pub(super) const fn faces_of(number: usize) -> (u8, u8) {
        FACES[number]
    }

    /// Whether roll `number` is a roll of a single die.
    pub(super) const fn is_loose(number: usize) -> bool {
        number >= PAIRS as usize
    }

    fn both() -> impl Iterator<Item = (Self, u32)> {
        (0..PAIRS).map(Self).map(|dice| (dice, if dice.faces().0 == dice.faces().1 { 1 } else { 2 }))
    }

    fn loose() -> impl Iterator<Item = (Self, u32)> {
        (PAIRS..).map(Self).take(6).map(|dice| (dice, 1))
    }
}

impl Chance for Draw {
    type Outcome = Drawn;

    fn outcomes(self) -> impl Iterator<Item = (Drawn, u32)> {
        let mut all = Vec::with_capacity(ROLLS);
        match self {
            Self::Both(rate) => roll_or_stay(&mut all, Dice::both(), 36, rate),
            Self::Loose(rate) => roll_or_stay(&mut all, Dice::loose(), 6, rate),
            Self::Caller(callers) => all.extend((0..callers).map(|caller| (Drawn::Caller(caller), 1))),
            Self::Fumble(chance) => {
                let (fumbles, cases) = (chance.numerator(), chance.denominator());
                all.extend([(Drawn::Fumble(true), fumbles), (Drawn::Fumble(false), cases - fumbles)]);
            }
        }
        all.retain(|&(_, weight)| weight > 0);
        all.into_iter()
    }

    /// One word decides both whether a player rolls and what. The word selects one of *n* equally likely cases, where
    /// *n* is the number of rolls times the denominator of the rate. Every outcome is a contiguous range of cases, so
    /// its probability is off by less than 2⁻³², whatever the rate (see [`bounded`]).
    #[inline(always)]
    fn sample(self, word: u32) -> Drawn {
        // The usual draw first, lest it wait for a jump.
        if self == Self::Both(Fraction::ONE) {
            return Drawn::Dice(Dice(OF_36[bounded(word, 36) as usize % 64]));
        }
        match self {
            Self::Both(rate) => match case(word, 36, rate) {
                Some(case) => Drawn::Dice(Dice(OF_36[case as usize % 64])),
                None => Drawn::Stays,
            },
            #[allow(clippy::cast_possible_truncation, reason = "a case is below 6")]
            Self::Loose(rate) => match case(word, 6, rate) {
                Some(case) => Drawn::Dice(Dice(PAIRS + case as u8)),
                None => Drawn::Stays,
            },
            #[allow(clippy::cast_possible_truncation, reason = "fewer than eight")]
            Self::Caller(callers) => Drawn::Caller(bounded(word, callers.into()) as u8),
            Self::Fumble(chance) => Drawn::Fumble(bounded(word, chance.denominator()) < chance.numerator()),
        }
    }
}

/// The rolls, with their total weight, and staying.
fn roll_or_stay(
    all: &mut Vec<(Drawn, u32)>,
    rolls: impl Iterator<Item = (Dice, u32)>,
    cases: u32,
    rate: Fraction,
) {
    all.extend(rolls.map(|(dice, weight)| (Drawn::Dice(dice), weight * rate.numerator())));
    all.push((Drawn::Stays, cases * (rate.denominator() - rate.numerator())));
}

/// The equally likely roll that the word selects; `None` if the player does not roll.
#[inline(always)]
fn case(word: u32, rolls: u32, rate: Fraction) -> Option<u32> {
    let case = bounded(word, rolls * rate.denominator());
    if rate == Fraction::ONE {
        return Some(case);
    }
    (case < rolls * rate.numerator()).then(|| case / rate.numerator())
}
