//! Which cities the dice shown, and those of the next roll, can close: tables for the features of policies.

use std::sync::OnceLock;

use super::cities::MOST_DICE;
use super::dice::Shown;
use super::graph::{Class, ClassId, Graph};
use super::segments::{Faces, KINDS, Segment};

/// The denominator of chances: the number of results of nine dice. The results of fewer dice divide it.
pub(super) const RESULTS: u32 = 6_u32.pow(9);

/// Tables over all classes of cities of a die.
#[derive(Debug)]
pub(super) struct Outlook {
    /// For every class and every combination of segments shown beside it: the largest size at which they can close the
    /// city, or 0.
    closable: Vec<u8>,
    /// For the same, the ways to build on towards such a city.
    towards: Vec<u32>,
    /// The index at which the entries of a class begin.
    first: Vec<usize>,
    /// For every class and number of dice: how many of [`RESULTS`] can close the city.
    closing: Vec<[u32; MOST_DICE + 1]>,
}

impl Outlook {
    /// The tables of a die, computed on first use.
    pub(super) fn of(faces: Faces) -> &'static Self {
        /// One slot for every number of faces, 0 to 4, of the first three kinds.
        const DICE: usize = 5 * 5 * 5;
        static OUTLOOKS: [OnceLock<Outlook>; DICE] = [const { OnceLock::new() }; DICE];
        let number = Segment::ALL[..3].iter().fold(0, |number, &kind| number * 5 + faces.count(kind));
        OUTLOOKS[number].get_or_init(|| Self::new(faces))
    }

    #[cold]
    fn new(faces: Faces) -> Self {
        let graph = Graph::of(faces.kinds());
        let classes: Vec<_> = graph.classes().collect();
        let mut first = Vec::with_capacity(classes.len());
        let mut entries = 0;
        for (_, class) in &classes {
            first.push(entries);
            entries += hands_below(MOST_DICE - usize::from(class.size) + 1);
        }
        let closing = vec![[0; MOST_DICE + 1]; classes.len()];
        let mut outlook = Self { closable: vec![0; entries], towards: vec![0; entries], first, closing };
        let hands = Hand::all();
        let results: Vec<_> = hands.iter().map(|hand| hand.results(faces)).collect();
        // Every step leads to a larger city, and larger cities have higher numbers.
        for &(id, class) in classes.iter().rev() {
            let dice = MOST_DICE - usize::from(class.size);
            for (place, hand) in hands[..hands_below(dice + 1)].iter().enumerate() {
                let (size, ways) = outlook.close(graph, class, *hand);
                let entry = outlook.first[usize::from(id)] + place;
                (outlook.closable[entry], outlook.towards[entry]) = (size, ways);
                if size > 0 {
                    for (closing, results) in
                        outlook.closing[usize::from(id)][..=dice].iter_mut().zip(results[place])
                    {
                        *closing += results;
                    }
                }
            }
        }
        outlook
    }

    /// The largest size at which a hand can close a city, or 0, and the ways to build on towards it, given the results for all
    /// larger cities.
    fn close(&self, graph: &Graph, class: &Class, hand: Hand) -> (u8, u32) {
        let (mut largest, mut ways) = (0, 0);
        for (kind, of_kind) in class.of_kind.iter().enumerate().filter(|(kind, _)| hand.0[*kind] > 0) {
            let mut left = hand;
            left.0[kind] -= 1;
            let (place, mut of_kind) = (left.place(), *of_kind);
            while of_kind != 0 {
                let way = of_kind.trailing_zeros();
                of_kind &= of_kind - 1;
                let size = match class.closing >> way & 1 {
                    1 => class.size + 1,
                    _ => self.closable[self.first[usize::from(graph.next(class, way))] + place],
                };
                if size > largest {
                    (largest, ways) = (size, 0);
                }
                if size == largest && size > 0 {
                    ways |= 1 << way;
                }
            }
        }
        (largest, ways)
    }

    fn entry(&self, city: ClassId, hand: Hand) -> usize {
        self.first[usize::from(city)] + hand.place()
    }

    /// The largest size at which the segments shown can close the city, or 0. City and dice are at most nine together.
    pub(super) fn closable(&self, city: ClassId, shown: Shown) -> u8 {
        self.closable[self.entry(city, Hand::of(shown))]
    }

    /// The ways to build on towards the largest city that the segments shown can close. City and dice are at most nine
    /// together.
    pub(super) fn towards(&self, city: ClassId, shown: Shown) -> u64 {
        self.towards[self.entry(city, Hand::of(shown))].into()
    }

    /// How many of [`RESULTS`] of a roll with this number of dice can close the city. City and dice are at most nine
    /// together.
    pub(super) fn closing(&self, city: ClassId, dice: u8) -> u32 {
        self.closing[usize::from(city)][usize::from(dice)]
    }
}

/// The number of segments of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hand([usize; KINDS]);

/// The number of hands with fewer segments than this: four non-negative numbers with a sum below it.
fn hands_below(segments: usize) -> usize {
    segments * (segments + 1) * (segments + 2) * (segments + 3) / 24
}

impl Hand {
    /// All hands of up to nine segments, in the order of [`Hand::place`].
    fn all() -> Vec<Self> {
        let mut hands = vec![Self([0; KINDS]); hands_below(MOST_DICE + 1)];
        for number in 0..10_usize.pow(4) {
            let hand = Self([number / 1000, number / 100 % 10, number / 10 % 10, number % 10]);
            if hand.total() <= MOST_DICE {
                hands[hand.place()] = hand;
            }
        }
        hands
    }

    /// The segments shown.
    #[inline(always)]
    fn of(shown: Shown) -> Self {
        let [cap, straight, corner, tee] = [shown.count(0), shown.count(1), shown.count(2), shown.count(3)];
        Self([cap.into(), straight.into(), corner.into(), tee.into()])
    }

    fn total(self) -> usize {
        self.0.iter().sum()
    }

    /// Its index among all hands, ordered by number of segments.
    fn place(self) -> usize {
        let [a, b, c, d] = self.0;
        let (two, three) = (a + b, a + b + c);
        hands_below(three + d) + three * (three + 1) * (three + 2) / 6 + two * (two + 1) / 2 + a
    }

    /// For every number of dice, how many of [`RESULTS`] show these segments, with any knights and catapults.
    fn results(self, faces: Faces) -> [u32; MOST_DICE + 1] {
        let total = self.total();
        std::array::from_fn(|dice| if dice < total { 0 } else { self.results_of(faces, dice) })
    }

    fn results_of(self, faces: Faces, dice: usize) -> u32 {
        let mut results = 6_usize.pow(u32::try_from(MOST_DICE - dice).unwrap_or(0));
        let mut left = dice;
        for (kind, &count) in Segment::ALL.iter().zip(&self.0) {
            for number in 0..count {
                results = results * (left - number) / (number + 1);
            }
            results *= faces.count(*kind).pow(u32::try_from(count).unwrap_or(0));
            left -= count;
        }
        u32::try_from(results << left).unwrap_or(u32::MAX)
    }
}

/// How many of [`RESULTS`] of a roll with this number of dice show at least this many knights.
pub(super) fn knights_shown(dice: u8, knights: u8) -> u32 {
    AT_LEAST[usize::from(dice)].get(usize::from(knights)).copied().unwrap_or(0)
}

/// For every number of dice and of knights: how many of [`RESULTS`] show at least so many.
const AT_LEAST: [[u32; MOST_DICE + 1]; MOST_DICE + 1] = {
    let mut table = [[0; MOST_DICE + 1]; MOST_DICE + 1];
    let (mut dice, mut sixths) = (0_u32, RESULTS);
    while sixths > 0 {
        // Those that show exactly so many knights are the terms of (1 + 5)ⁿ.
        let (mut knights, mut others, mut term, mut sum) = (dice, 0, sixths, 0);
        loop {
            sum += term;
            table[dice as usize][knights as usize] = sum;
            if knights == 0 {
                break;
            }
            others += 1;
            term = term * 5 * (dice + 1 - others) / others;
            knights -= 1;
        }
        dice += 1;
        sixths /= 6;
    }
    table
};
