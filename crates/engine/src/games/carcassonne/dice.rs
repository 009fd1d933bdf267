//! A roll of up to five dice at once, as the number of dice that show each face.
//!
//! Nine dice have 6⁹ results; 2³² words could give their probabilities only to one part in 426. So a roll of more than
//! five dice is a sequence of two chance events.

use crate::chance::{Chance, bounded};

/// The most dice of one chance event.
pub(super) const AT_ONCE: u8 = 5;

/// Faces of a die: four segments, the knight, the catapult.
const FACES: usize = 6;
/// The number of bits that a face takes in [`Shown`].
const FACE_BITS: u32 = 4;
pub(super) const KNIGHT: u32 = 4;
pub(super) const CATAPULT: u32 = 5;

/// How many dice show each face: four bits a face, the segments lowest, then knight and catapult.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shown(u32);

impl Shown {
    /// The number of dice that show this face: 0 to 3 are the segments, 4 the knight, 5 the catapult.
    #[inline(always)]
    pub fn count(self, face: u32) -> u8 {
        (self.0 >> (FACE_BITS * face)).to_le_bytes()[0] & 15
    }

    /// One die that shows this face.
    #[inline(always)]
    pub(super) fn one(face: u32) -> Self {
        Self(1 << (FACE_BITS * face))
    }

    /// The sum of both.
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// The difference. `other` must be a part of these dice.
    #[inline(always)]
    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    /// The dice that do not show a catapult.
    #[inline(always)]
    pub(super) fn without_catapults(self) -> Self {
        Self(self.0 & ((1 << (FACE_BITS * CATAPULT)) - 1))
    }

    /// The number of dice, at most nine.
    #[inline(always)]
    pub(super) fn total(self) -> u8 {
        // The sum of all digits gathers in the highest one.
        (self.0.wrapping_mul(0x1111_1111) >> 28).to_le_bytes()[0]
    }

    /// The number of these dice among all of so many: 0 to 2001 for up to nine dice, different for different ones.
    ///
    /// What is added up is the place of the dice of each face among those before it, in the combinatorial number system.
    #[inline(always)]
    pub(super) fn rank(self) -> u32 {
        // The dice of a face and of those before it; the catapults follow from the number of dice.
        let sums = (self.0 & ((1 << (FACE_BITS * CATAPULT)) - 1)).wrapping_mul(0x1_1111);
        (0..).zip(&CHOICES).map(|(face, of_face)| of_face[Self(sums).count(face) as usize % 16]).sum()
    }

    /// The same number of dice and of knights, with all segments counted as the first kind.
    pub(super) fn without_faces(self) -> Self {
        self.moved([0; 4])
    }

    /// The first four faces moved to other positions; several may move to the same one.
    pub(super) fn moved(self, places: [u32; 4]) -> Self {
        let moved = |sum: Self, (face, place): (u32, u32)| {
            Self(sum.0 + (u32::from(self.count(face)) << (FACE_BITS * place)))
        };
        (0..).zip(places).fold(Self(self.0 >> (FACE_BITS * KNIGHT) << (FACE_BITS * KNIGHT)), moved)
    }
}

/// For the faces before the catapult, by number of dice n: the ways to choose face + 1 of n + face.
const CHOICES: [[u32; 16]; FACES - 1] = {
    let mut choices = [[0; 16]; FACES - 1];
    let mut face = 0;
    while face < FACES - 1 {
        let mut dice = 1;
        while dice < 16 {
            let one_less = choices[face][dice - 1];
            choices[face][dice] = one_less + if face == 0 { 1 } else { choices[face - 1][dice] };
            dice += 1;
        }
        face += 1;
    }
    choices
};

/// A roll of up to five dice.
///
/// The bias is bounded: each of the 6ⁿ ordered results has ⌊2³²/6ⁿ⌋ or one more of the 2³² words, so its probability is
/// off by less than 2⁻³², a relative error of 1.9·10⁻⁶ for five dice. An outcome is at most 120 ordered results, so its
/// probability is off by less than 2.8·10⁻⁸.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    /// Dice rolled, 1 to 5.
    pub dice: u8,
}

/// 6ⁿ for n = 0 to 5 dice.
const RESULTS: [u32; 6] = [1, 6, 36, 216, 1296, 7776];
/// The numbers of outcomes and of ordered results, summed over 0 to 5 dice: the lengths of the lists in [`Outcomes`].
const OUTCOMES: usize = 1 + 6 + 21 + 56 + 126 + 252;
const ORDERED: usize = 1 + 6 + 36 + 216 + 1296 + 7776;

/// The outcomes of 0 to 5 dice, in one list.
struct Outcomes {
    /// Each outcome once, with its number of ordered results.
    outcomes: [(Shown, u32); OUTCOMES],
    /// The index at which the outcomes of a number of dice begin.
    first: [usize; 7],
    /// For each ordered result, grouped by outcome, the index of the outcome among those of the same number of dice.
    ordered: [u8; ORDERED],
    /// The index at which the ordered results of a number of dice begin.
    first_ordered: [usize; 6],
}

static TABLE: Outcomes = Outcomes::new();

impl Outcomes {
    const fn new() -> Self {
        let mut table = Self {
            outcomes: [(Shown(0), 0); OUTCOMES],
            first: [0; 7],
            ordered: [0; ORDERED],
            first_ordered: [0; 6],
        };
        let (mut dice, mut outcome, mut result) = (0, 0, 0);
        while dice <= AT_ONCE as u32 {
            (table.first[dice as usize], table.first_ordered[dice as usize]) = (outcome, result);
            // The numbers of dice that show each face, from all on the first face to all on the last.
            let mut counts = [0; FACES];
            counts[0] = dice;
            let mut number = 0;
            loop {
                let weight = orders(counts);
                table.outcomes[outcome] = (packed(counts), weight);
                let end = result + weight as usize;
                while result < end {
                    table.ordered[result] = number;
                    result += 1;
                }
                (outcome, number) = (outcome + 1, number + 1);
                if counts[FACES - 1] == dice {
                    break;
                }
                // A die of the last face but one that has any goes to the next face, and all of the last with it.
                let mut face = FACES - 2;
                while counts[face] == 0 {
                    face -= 1;
                }
                let last = counts[FACES - 1];
                counts[FACES - 1] = 0;
                counts[face] -= 1;
                counts[face + 1] = last + 1;
            }
            dice += 1;
        }
        table.first[dice as usize] = outcome;
        table
    }
}

/// The number of orders in which dice can show these counts.
const fn orders(counts: [u32; FACES]) -> u32 {
    let (mut orders, mut dice, mut face) = (1, 0, 0);
    while face < FACES {
        let mut of_face = 1;
        while of_face <= counts[face] {
            dice += 1;
            orders = orders * dice / of_face;
            of_face += 1;
        }
        face += 1;
    }
    orders
}

const fn packed(counts: [u32; FACES]) -> Shown {
    let (mut shown, mut face) = (0, FACES);
    while face > 0 {
        face -= 1;
        shown = shown << FACE_BITS | counts[face];
    }
    Shown(shown)
}

impl Chance for Roll {
    type Outcome = Shown;

    fn outcomes(self) -> impl Iterator<Item = (Shown, u32)> {
        let dice = usize::from(self.dice);
        TABLE.outcomes[TABLE.first[dice]..TABLE.first[dice + 1]].iter().copied()
    }

    #[inline]
    fn sample(self, word: u32) -> Shown {
        let dice = usize::from(self.dice);
        let result = bounded(word, RESULTS[dice]) as usize;
        let outcome = TABLE.ordered[TABLE.first_ordered[dice] + result];
        TABLE.outcomes[TABLE.first[dice] + usize::from(outcome)].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_once_with_its_multinomial_weight() {
        for dice in 0..=AT_ONCE {
            let outcomes: Vec<_> = Roll { dice }.outcomes().collect();
            assert_eq!(outcomes.len(), [1, 6, 21, 56, 126, 252][usize::from(dice)]);
            for &(shown, weight) in &outcomes {
                assert_eq!(shown.total(), dice);
                let factorial = |n: u8| (1..=u32::from(n)).product::<u32>();
                let alike: u32 = (0..6).map(|face| factorial(shown.count(face))).product();
                assert_eq!(weight, factorial(dice) / alike);
            }
            let all: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
            assert_eq!(all, RESULTS[usize::from(dice)]);
        }
    }

    #[test]
    fn all_rolls_of_a_number_of_dice_are_numbered() {
        for dice in 0..=9 {
            let (first, second) =
                (Roll { dice: AT_ONCE.min(dice) }, Roll { dice: dice.saturating_sub(AT_ONCE) });
            let rest = || second.outcomes().map(|(shown, _)| shown);
            let mut rolls: Vec<_> =
                first.outcomes().flat_map(|(shown, _)| rest().map(move |rest| shown.and(rest).0)).collect();
            rolls.sort_unstable();
            rolls.dedup();
            let mut ranks: Vec<_> = rolls.iter().map(|&roll| Shown(roll).rank() as usize).collect();
            ranks.sort_unstable();
            assert_eq!(ranks, (0..rolls.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn dice_are_counted_face_by_face() {
        let shown = (0..6).fold(Shown::default(), |shown, face| shown.and(Shown::one(face)));
        let shown = shown.and(Shown::one(2)).and(Shown::one(KNIGHT)).and(Shown::one(CATAPULT));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|face| shown.count(face)), [1, 1, 2, 1, 2, 2]);
        assert_eq!((shown.total(), shown.without_catapults().total()), (9, 7));
        let moved = shown.moved([3, 3, 0, 1]);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|face| moved.count(face)), [2, 1, 0, 2, 2, 2]);
    }
}
