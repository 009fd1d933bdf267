//! Carcassonne: The Dice Game against the naive oracle, whose cities lie on a grid: the same dice and the same
//! choices must give the same game, and every feature and predicate must have the same value at every decision.

mod compare;
mod counts;
mod lore;

use std::collections::{BTreeMap, BTreeSet};

use self::compare::{agree, oracle_rules};
use self::lore::{Lore, atlas};
use super::naive::carcassonne::{City, count_cities};
use crate::common::Whim;
use proptest::prelude::*;
use stopwise_engine::games::Rules;
use stopwise_engine::games::carcassonne::{Carcassonne, Faces, NineCatapults, Points};

const STANDARD: [&str; 4] = ["CFFF", "CFCF", "CCFF", "CCCF"];

fn faces(texts: [&str; 4]) -> Faces {
    Faces::try_from(texts.map(str::to_owned).to_vec()).expect("faces of a die")
}

/// The counts of the rules page, of cities that nothing restricts.
#[test]
fn cities_up_to_five_dice() {
    assert_eq!(count_cities(&STANDARD, 5), [4, 18, 123, 1070, 10161]);
}

/// The same further on, with cities packed.
#[test]
fn cities_up_to_six_dice() {
    assert_eq!(counts::count_cities(6), [4, 18, 123, 1070, 10161, 102_816]);
}

/// All of the page's counts: they are about the page and this count of it, and the engine has no part in them.
#[test]
#[ignore = "takes about a minute, with eleven million cities in memory"]
fn cities_up_to_eight_dice() {
    assert_eq!(counts::count_cities(8), [4, 18, 123, 1070, 10161, 102_816, 1_068_850, 11_350_675]);
}

/// The counts of the rules page, of cities that nine dice can close; and on the page's word, these are those without
/// an empty cell that faces four of their sides, and with no more empty cells to fill than dice are left.
#[test]
fn cities_that_can_be_closed() {
    let atlas = atlas(&STANDARD.map(str::to_owned));
    let mut counts = [(0, 0); 10];
    for known in atlas.known.iter().filter(|known| known.needed.is_some()) {
        counts[known.size].0 += 1;
        counts[known.size].1 += usize::from(known.is_closed);
    }
    assert_eq!(counts.map(|(all, _)| all), [1, 4, 18, 123, 1017, 5920, 17866, 26339, 18083, 4646]);
    assert_eq!(counts.map(|(_, closed)| closed), [0, 0, 1, 2, 6, 15, 62, 234, 1051, 4646]);
}

/// The engine's classes are the futures of the oracle's cities, neither more nor fewer.
#[test]
fn classes_are_futures() {
    for texts in [STANDARD, ["CFFF", "CFFF", "CCFF", "CCCF"], ["CCFF", "CCFF", "CFCF", "CCCF"]] {
        let game = Carcassonne { faces: faces(texts), ..Carcassonne::TWO };
        let lore = Lore::of(&game);
        let closable = |number: &usize| lore.atlas.known[*number].needed.is_some();
        let cities = (0..lore.atlas.known.len()).filter(closable);
        let theirs: BTreeSet<u64> = cities.map(|number| lore.atlas.known[number].future).collect();
        let ours: BTreeMap<u64, usize> =
            lore.futures.iter().zip(0..).map(|(&future, id)| (future, id)).collect();
        assert_eq!(ours.len(), lore.futures.len(), "classes differ");
        assert_eq!(ours.into_keys().collect::<BTreeSet<_>>(), theirs);
    }
}

/// Every number of segments of each kind with this sum, and in how many orders they can be drawn.
fn hands(segments: usize) -> Vec<([usize; 4], f64)> {
    let mut hands = BTreeMap::from([([0; 4], 1.0)]);
    for _ in 0..segments {
        let mut more = BTreeMap::new();
        for (hand, orders) in hands {
            for kind in 0..4 {
                let mut hand = hand;
                hand[kind] += 1;
                *more.entry(hand).or_insert(0.0) += orders;
            }
        }
        hands = more;
    }
    hands.into_iter().collect()
}

/// "Largest closable city of n uniformly random segments, free arrangement", to four decimals, and "multisets of
/// exactly n segments that can form one closed city".
#[test]
fn random_segments() {
    let lore = Lore::of(&Carcassonne::TWO);
    let largest = |hand| lore.closable(&City::default(), hand);
    let four = [(0, 0.7344), (2, 0.0273), (3, 0.1250), (4, 0.1133)];
    let six = [(0, 0.4561), (2, 0.0039), (3, 0.0322), (4, 0.1062), (5, 0.2148), (6, 0.1868)];
    for (segments, expected) in [(4, &four[..]), (6, &six[..])] {
        let total = 4_f64.powi(segments);
        for &(size, chance) in expected {
            let hands = hands(segments as usize).into_iter().filter(|&(hand, _)| largest(hand) == size);
            let found = hands.map(|(_, orders)| orders).sum::<f64>() / total;
            assert!((found - chance).abs() <= 0.5e-4, "{segments} segments, {size} dice: {found}");
        }
    }
    let whole = |size: usize| hands(size).into_iter().filter(|&(hand, _)| largest(hand) == size).count();
    assert_eq!([2, 3, 4, 5, 6, 7, 8, 9].map(whole), [1, 2, 5, 7, 14, 19, 35, 46]);
}

fn any_faces() -> impl Strategy<Value = Faces> {
    let others = [
        ["CFFF", "CFFF", "CFCF", "CCFF"],
        ["CCFF", "CCFF", "CFCF", "CCCF"],
        ["CCFF", "CFFF", "CFFF", "CCFF"],
        ["CCCF", "CFFF", "CFFF", "CFFF"],
    ];
    prop_oneof![4 => Just(Faces::STANDARD), 1 => prop::sample::select(others.map(faces).to_vec())]
}

fn any_rules() -> impl Strategy<Value = Carcassonne> {
    let points = prop_oneof![
        3 => Just(Points::STANDARD),
        1 => prop::collection::vec(0..=1000_u16, 7).prop_map(|list| Points::try_from(list).expect("seven"))
    ];
    let goal = prop_oneof![1..=12_u16, 1..=60_u16, 1..=1000_u16];
    let nine = prop_oneof![Just(NineCatapults::Turn), Just(NineCatapults::Roll), Just(NineCatapults::Off)];
    let turn_cap = prop_oneof![1..=6_u16, 1..=60_u16];
    let dice = prop_oneof![2 => Just(9_u8), 1 => 3..=9_u8];
    (
        (1..=5_u8, dice, any_faces(), 1..=5_u8, points),
        (goal, 1..=4_u8, any::<bool>(), nine, turn_cap, 1..=6_u16),
    )
        .prop_map(
            |(
                (players, dice, faces, rolls, points),
                (goal, knights_needed, keeping, nine, turn_cap, turns),
            )| {
                Carcassonne {
                    players,
                    dice: dice.max(players),
                    faces,
                    rolls,
                    points,
                    goal,
                    knights_needed,
                    keeping,
                    nine_catapults: nine,
                    turn_cap,
                    turns,
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rules_any_play(game in any_rules(), seed: u64, number: u64, salt: u64) {
        game.validate().expect("within the ranges");
        agree(&game, &Whim(salt), seed, number);
    }
}

/// The rules as they are, and games that end in each way.
#[test]
fn whole_games() {
    let two = Carcassonne { goal: 10, ..Carcassonne::TWO };
    let few = Carcassonne { dice: 3, ..two };
    let mut endings = BTreeMap::new();
    for number in 0..9 {
        for game in [two, few, Carcassonne { players: 3, nine_catapults: NineCatapults::Roll, ..few }] {
            *endings.entry(agree(&game, &Whim(number), 1, number).ending).or_insert(0) += 1;
        }
        let alone = Carcassonne { turns: 20, keeping: true, ..Carcassonne::SOLO };
        agree(&Carcassonne { dice: 3, ..alone }, &Whim(number), 2, number);
        agree(&alone, &Whim(number), 3, number);
    }
    assert!(endings["goal"] >= 5 && endings["nine_catapults"] >= 5, "{endings:?}");
}

#[test]
fn the_oracle_reads_the_rules() {
    let rules = oracle_rules(&Carcassonne::TWO);
    assert_eq!(rules.points, [1, 3, 6, 10, 15, 21, 28]);
    assert_eq!(rules.faces, STANDARD.map(str::to_owned));
}
