//! The stream contract: the words of a trial, and the dice that they give. The values here must never change: if one
//! does, results can no longer be compared with older ones.

use std::collections::HashSet;

use stopwise_engine::chance::{Chance, Die, bounded, split};
use stopwise_engine::game::{Game, MAX_SEATS, Node};
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::pyramids::Dice;
use stopwise_engine::stream::{Keys, WordSource};

/// The first words of a stream.
fn first(seed: u64, trial: u64, seat: usize, count: usize) -> Vec<u32> {
    let mut stream = Keys::new(seed).stream(trial, seat);
    (0..count).map(|_| stream.word(seat)).collect()
}

#[test]
fn known_answers() {
    let rows = crate::common::rows("streams.csv");
    assert!(rows.len() >= 40);
    for row in rows {
        let [seed, trial, seat, words @ ..] = &row[..] else { unreachable!("too few columns: {row:?}") };
        let words: Vec<_> = words.iter().map(|word| u32::from_str_radix(word, 16).expect("hex")).collect();
        let key = (seed.parse().expect("a seed"), trial.parse().expect("a trial"));
        let seat = seat.parse().expect("a seat");
        assert_eq!(first(key.0, key.1, seat, words.len()), words, "{row:?}");
    }
}

/// A seat's words are its own: neither the number of seats nor who draws first or more often changes them.
#[test]
fn seats_do_not_disturb_each_other() {
    for seats in 1..=MAX_SEATS {
        let mut streams = Keys::new(1).streams(5, seats);
        let mut drawn = vec![Vec::new(); seats];
        for turn in 0..200 {
            let seat = turn * turn % 7 % seats;
            drawn[seat].push(streams.word(seat));
        }
        for (seat, words) in drawn.iter().enumerate() {
            assert_eq!(words, &first(1, 5, seat, words.len()));
        }
    }
}

/// No two of 100,000 neighbouring keys share their first three words. For random ones the chance of that
/// would be 5·10⁹ pairs · 2⁻⁹⁶, below 10⁻¹⁹.
#[test]
fn neighbours_differ() {
    let mut seen = HashSet::new();
    for seed in (0..25).chain(u64::MAX - 24..=u64::MAX) {
        let keys = Keys::new(seed);
        for trial in 0..250 {
            for seat in 0..MAX_SEATS {
                let mut stream = keys.stream(trial, seat);
                let words = [stream.word(seat), stream.word(seat), stream.word(seat)];
                assert!(seen.insert(words), "seed {seed} trial {trial} seat {seat}");
            }
        }
    }
}

/// No stream is another one begun later: all words of all windows of three differ, over some thousand streams.
#[test]
fn streams_do_not_overlap() {
    let mut seen = HashSet::new();
    for seed in 0..4 {
        for trial in 0..500 {
            for window in first(seed, trial, 0, 50).windows(3) {
                assert!(seen.insert([window[0], window[1], window[2]]), "seed {seed} trial {trial}");
            }
        }
    }
}

#[test]
fn bounded_and_split_are_stable() {
    let known = [
        (0, 6, 0, 0),
        (1, 6, 0, 6),
        (0x2AAA_AAAA, 6, 0, 0xFFFF_FFFC),
        (0x2AAA_AAAB, 6, 1, 2),
        (0x8000_0000, 6, 3, 0),
        (0xFFFF_FFFF, 6, 5, 0xFFFF_FFFA),
        (0x8000_0000, 5, 2, 0x8000_0000),
        (0xDEAD_BEEF, 36, 31, 0x506E_D99C),
        (0xDEAD_BEEF, 1, 0, 0xDEAD_BEEF),
        (0xFFFF_FFFF, u32::MAX, 0xFFFF_FFFE, 1),
    ];
    for (word, faces, number, rest) in known {
        assert_eq!(split(word, faces), (number, rest), "{word:08x} {faces}");
        assert_eq!(bounded(word, faces), number, "{word:08x} {faces}");
    }
}

/// The dice of `CarboniteDice` with some number of colours.
fn dice(colours: u8) -> Dice {
    let game = Carbonite { colours, ..Carbonite::WIKI };
    let Node::Decision(state, question) = game.root(&mut ()) else { unreachable!("a marker first") };
    let Node::Chance(_, _, dice) = game.decide(state, question.kind, question.actions.first(), &mut ())
    else {
        unreachable!("then a roll")
    };
    dice
}

#[test]
fn the_die_is_stable() {
    let rolls = |sides: u32| -> Vec<u32> {
        first(1, 0, 0, 12).into_iter().map(|word| Die(sides).sample(word)).collect()
    };
    assert_eq!(rolls(2), [2, 2, 1, 2, 2, 1, 2, 1, 1, 1, 1, 2]);
    assert_eq!(rolls(6), [4, 4, 3, 4, 6, 2, 6, 1, 2, 2, 2, 6]);
    assert_eq!(rolls(64), [37, 33, 32, 39, 57, 18, 55, 7, 18, 16, 20, 59]);
}

#[test]
fn the_dice_are_stable() {
    let rolls = |colours: u8| -> Vec<(u32, u32)> {
        let words = first(1, 0, 0, 12);
        words
            .into_iter()
            .map(|word| dice(colours).sample(word))
            .map(|roll| (roll.colour, roll.sizes))
            .collect()
    };
    let five =
        [(3, 4), (3, 1), (2, 6), (3, 3), (5, 2), (1, 3), (5, 1), (0, 3), (1, 3), (1, 4), (1, 5), (5, 3)];
    let two =
        [(1, 5), (1, 3), (1, 4), (1, 5), (2, 3), (0, 5), (2, 3), (0, 2), (0, 5), (0, 5), (0, 6), (2, 5)];
    assert_eq!(rolls(5), five);
    assert_eq!(rolls(2), two);
}

/// The order of the faces: colours, the Atom last; of each S, M, L, SM, SL, ML.
#[test]
fn the_dice_count_up() {
    for colours in 2..=5 {
        let faces = 6 * (u64::from(colours) + 1);
        for face in 0..faces {
            let word = u32::try_from((face << 32).div_ceil(faces)).expect("below 2³²");
            let roll = dice(colours).sample(word);
            let size = usize::try_from(face % 6).expect("small");
            assert_eq!((u64::from(roll.colour), roll.sizes), (face / 6, [1, 2, 4, 3, 5, 6][size]));
        }
    }
}

/// Keys of every so many trials have the streams of those trials, those at the end of the numbers too.
#[test]
fn thinned_keys_name_the_same_streams() {
    let keys = Keys::new(7);
    for (step, first) in [(1, 0), (1, 5), (2, 1), (3, 0), (8, 7)] {
        let thinned = keys.every(step, first);
        for k in [0, 1, 2, 1000, (u64::MAX - first) / step] {
            for seat in 0..MAX_SEATS {
                let (mut thin, mut whole) = (thinned.stream(k, seat), keys.stream(first + k * step, seat));
                assert_eq!([(); 4].map(|()| thin.word(0)), [(); 4].map(|()| whole.word(0)));
            }
        }
        let (mut twice, mut once) = (thinned.every(3, 2).stream(4, 0), thinned.stream(14, 0));
        assert_eq!(twice.word(0), once.word(0));
    }
}
