//! Chance events: sampling and enumeration give the same outcomes with the same weights.

use stopwise_engine::chance::Chance;
use stopwise_engine::stream::{Keys, WordSource};

pub(super) fn check<C: Chance>(chance: C) {
    let all: Vec<_> = chance.outcomes().collect();
    assert!(!all.is_empty() && all.iter().all(|&(_, weight)| weight > 0), "{chance:?}");
    for (n, (outcome, _)) in all.iter().enumerate() {
        assert!(all[..n].iter().all(|(other, _)| other != outcome), "{outcome:?} twice");
    }
    even_grid(chance, 7);
    frequencies(chance, |trial| Keys::new(1).stream(trial, 0).word(0));
    let mut stream = Keys::new(2).stream(0, 0);
    frequencies(chance, |_| stream.word(0));
}

/// Where in the enumeration the outcome of a word stands.
fn place<C: Chance>(chance: C, word: u32) -> usize {
    let outcome = chance.sample(word);
    chance.outcomes().position(|(known, _)| known == outcome).expect("what is drawn is enumerated")
}

/// Words in the middles of equal cells, `times` of them a unit of weight, rise through the outcomes and meet each
/// just as often as its weight says.
fn even_grid<C: Chance>(chance: C, times: u32) {
    let weights: Vec<_> = chance.outcomes().map(|(_, weight)| weight).collect();
    let cells = u64::from(times) * weights.iter().map(|&weight| u64::from(weight)).sum::<u64>();
    let middles = (0..cells).map(|cell| ((2 * cell + 1) << 31) / cells);
    let places: Vec<_> = middles.map(|word| place(chance, u32::try_from(word).expect("below 2³²"))).collect();
    assert!(places.is_sorted(), "the order of the words is that of the outcomes");
    for (n, weight) in weights.iter().enumerate() {
        let met = places.iter().filter(|&&place| place == n).count();
        assert_eq!(met, usize::try_from(times * weight).expect("small"), "{chance:?} outcome {n}");
    }
    assert_eq!((place(chance, 0), place(chance, u32::MAX)), (0, weights.len() - 1));
}

/// The counts of drawn outcomes are binomial: none is more than 4.5 standard deviations off. That would happen once
/// in 150,000 outcomes; the words are fixed, so that it happens always or never.
fn frequencies<C: Chance>(chance: C, mut word: impl FnMut(u64) -> u32) {
    const DRAWS: u32 = 2000;
    let all: Vec<_> = chance.outcomes().collect();
    let total: f64 = all.iter().map(|&(_, weight)| f64::from(weight)).sum();
    let mut counts = vec![0_u32; all.len()];
    for draw in 0..DRAWS {
        counts[place(chance, word(draw.into()))] += 1;
    }
    for ((outcome, weight), count) in all.iter().zip(counts) {
        let p = f64::from(*weight) / total;
        let expected = f64::from(DRAWS) * p;
        let off = (f64::from(count) - expected).abs();
        assert!(off <= 4.5 * (expected * (1.0 - p)).sqrt(), "{outcome:?}: {count}, expected {expected}");
    }
}
