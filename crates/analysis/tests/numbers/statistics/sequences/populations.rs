//! The populations drawn from: lists of 65,536 values, so that the truth is known and a draw takes half a random word.

use std::ops::ControlFlow;

use rand::Rng;
use rand_pcg::Lcg64Xsh32;
use stopwise_analysis::sequential::Sums;
use stopwise_engine::games::carbonite::Carbonite;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::run::{Plan, run};
use stopwise_engine::vocabulary::Vocabulary;
use stopwise_policy::{TextPolicy, shipped};

const SIZE: u16 = u16::MAX;

/// Values, each as likely as any other.
#[derive(Clone, Debug)]
pub(crate) struct Population {
    pub(crate) name: &'static str,
    values: Vec<i32>,
}

impl Population {
    /// `count` of the 65,536 values are as given, the rest are 0.
    pub(crate) fn of(name: &'static str, counts: &[(i32, u16)]) -> Self {
        let mut values: Vec<i32> =
            counts.iter().flat_map(|&(value, count)| std::iter::repeat_n(value, count.into())).collect();
        values.resize(usize::from(SIZE) + 1, 0);
        Self { name, values }
    }

    /// 1 with a chance of `count` in 65,536, or else 0.
    pub(crate) fn coin(name: &'static str, count: u16) -> Self {
        Self::of(name, &[(1, count)])
    }

    /// The first metric of the first 65,536 trials of a game.
    fn scores<G: Vocabulary>(name: &'static str, game: &G, policy: &str) -> Self {
        let shipped = shipped::policy(game.info().name, policy).expect("a shipped policy");
        let policy = TextPolicy::compile(&shipped.text(), game, &[]).expect("compiles");
        let plan = Plan { seed: 1, trials: 0..u64::from(SIZE) + 1 };
        let tally = run(game, &[&policy], &plan, |_| ControlFlow::Continue(()));
        let value = |value| i32::try_from(value).expect("a score");
        let scores = tally.seats[0].metrics[0].iter();
        let values = scores.flat_map(|(score, count)| (0..count).map(move |_| value(score))).collect();
        Self { name, values }
    }

    pub(crate) fn pig() -> Self {
        Self::scores("turns of solo Pig (hold)", &Pig::SOLO, "hold")
    }

    pub(crate) fn carbonite() -> Self {
        const { assert!(Carbonite::WIKI.doubling) };
        Self::scores("score of CarboniteDice (tidy; doubling)", &Carbonite::WIKI, "tidy")
    }

    /// From simple to hard.
    pub(crate) fn all() -> Vec<Self> {
        vec![
            Self::of("constant 7", &[(7, SIZE), (7, 1)]),
            Self::coin("coin 0.5", 1 << 15),
            Self::coin("coin 0.01", 655),
            Self::of("identical arms", &[]),
            Self::of("pairs 0.005 : 0.005", &[(1, 328), (-1, 328)]),
            Self::of("pairs 0.30 : 0.25", &[(1, 19_661), (-1, 16_384)]),
            Self::pig(),
            Self::carbonite(),
        ]
    }

    /// All of them, summed up.
    pub(crate) fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        self.values.iter().for_each(|&value| sums.add(value.into(), 1));
        sums
    }

    /// The least and the greatest value.
    pub(crate) fn range(&self) -> (i32, i32) {
        let range = |(low, high): (i32, i32), &value: &i32| (low.min(value), high.max(value));
        self.values.iter().fold((0, 0), range)
    }

    /// An even number of values, drawn independently, each kept.
    pub(crate) fn draw_each(&self, values: &mut [i32], words: &mut Lcg64Xsh32) {
        for two in values.chunks_exact_mut(2) {
            let word = words.next_u32();
            two[0] = self.values[(word & 0xffff) as usize];
            two[1] = self.values[(word >> 16) as usize];
        }
    }

    /// The same for so many values, summed up.
    pub(crate) fn draw(&self, trials: u64, words: &mut Lcg64Xsh32) -> Sums {
        assert!(trials.is_multiple_of(2));
        let (mut sum, mut squares) = (0_i64, 0_u64);
        for _ in 0..trials / 2 {
            let word = words.next_u32();
            for index in [word & 0xffff, word >> 16] {
                let value = i64::from(self.values[index as usize]);
                sum += value;
                squares += (value * value).unsigned_abs();
            }
        }
        Sums { trials, sum: sum.into(), squares: squares.into() }
    }
}
