//! What the dice shown, and those of the next roll, can make of a city: tables for the words of policies.

use std::sync::OnceLock;

use super::cities::MOST_DICE;
use super::dice::Shown;
use super::graph::{Class, ClassId, Graph};
use super::segments::{Faces, KINDS, Segment};

/// What chances are divided by: the results of nine dice. Those of fewer dice divide it.
pub(super) const RESULTS: u32 = 6_u32.pow(9);

/// Tables over all classes of cities that a die makes.
#[derive(Debug)]
pub(super) struct Outlook {
    /// For every class, and all segments that may show beside a city of its size: the largest size at which the city
    /// can be closed with them, 0 for none.
    closable: Vec<u8>,
    /// Where the entries of a class begin.
    first: Vec<usize>,
    /// For every class and number of dice: in how many of [`RESULTS`] their roll can close the city.
    closing: Vec<[u32; MOST_DICE + 1]>,
}

impl Outlook {
    /// The tables of a die, computed when first asked for.
    pub(super) fn of(faces: Faces) -> &'static Self {
        /// One for any numbers of faces of the first three kinds, each 0 to 4.
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
        let mut outlook = Self { closable: vec![0; entries], first, closing };
        let hands = Hand::all();
        // Every step leads to a larger city, and larger cities have higher numbers.
        for &(id, class) in classes.iter().rev() {
            let dice = MOST_DICE - usize::from(class.size);
            for (place, hand) in hands[..hands_below(dice + 1)].iter().enumerate() {
                let size = outlook.close(graph, class, *hand);
                outlook.closable[outlook.first[usize::from(id)] + place] = size;
                if size > 0 {
                    for dice in hand.total()..=dice {
                        outlook.closing[usize::from(id)][dice] += hand.results(faces, dice);
                    }
                }
            }
        }
        outlook
    }

    /// The largest size at which a city can be closed with a hand, given that of all larger cities.
    fn close(&self, graph: &Graph, class: &Class, hand: Hand) -> u8 {
        let mut largest = 0;
        for (kind, of_kind) in class.of_kind.iter().enumerate().filter(|(kind, _)| hand.0[*kind] > 0) {
            let mut left = hand;
            left.0[kind] -= 1;
            for way in (0..32).filter(|way| of_kind >> way & 1 == 1) {
                let size = match class.closing >> way & 1 {
                    1 => class.size + 1,
                    _ => self.closable_with(graph.next(class, way), left),
                };
                largest = largest.max(size);
            }
        }
        largest
    }

    fn closable_with(&self, city: ClassId, hand: Hand) -> u8 {
        self.closable[self.first[usize::from(city)] + hand.place()]
    }

    /// The largest size at which the city can be closed with the segments shown, 0 if it cannot. City and dice are
    /// nine at most.
    pub(super) fn closable(&self, city: ClassId, shown: Shown) -> u8 {
        self.closable_with(city, Hand([0, 1, 2, 3].map(|kind| usize::from(shown.count(kind)))))
    }

    /// In how many of [`RESULTS`] a roll of so many dice can close the city. City and dice are nine at most.
    pub(super) fn closing(&self, city: ClassId, dice: u8) -> u32 {
        self.closing[usize::from(city)][usize::from(dice)]
    }
}

/// Segments by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hand([usize; KINDS]);

/// How many hands have fewer segments than this: numbers of four kinds with a sum below it.
fn hands_below(segments: usize) -> usize {
    segments * (segments + 1) * (segments + 2) * (segments + 3) / 24
}

impl Hand {
    /// All hands of up to nine segments, each at its place.
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

    fn total(self) -> usize {
        self.0.iter().sum()
    }

    /// Its place among all hands, of which those with fewer segments come first.
    fn place(self) -> usize {
        let [a, b, c, d] = self.0;
        let (two, three) = (a + b, a + b + c);
        hands_below(three + d) + three * (three + 1) * (three + 2) / 6 + two * (two + 1) / 2 + a
    }

    /// In how many of [`RESULTS`] so many dice show these segments, and knights and catapults besides.
    fn results(self, faces: Faces, dice: usize) -> u32 {
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

/// In how many of [`RESULTS`] a roll of so many dice shows at least so many knights.
pub(super) fn knights_shown(dice: u8, knights: u8) -> u32 {
    let (dice, knights) = (u32::from(dice), u32::from(knights));
    let exactly = |number: u32| {
        let orders = (0..number).fold(1, |orders, taken| orders * (dice - taken) / (taken + 1));
        orders * 5_u32.pow(dice - number) * 6_u32.pow(9 - dice)
    };
    (knights..=dice).map(exactly).sum()
}
