//! Arms whose means are known: drawn, or Pig played by policies of known exact value.

use std::ops::{ControlFlow, Range};

use rand_pcg::Lcg64Xsh32;
use stopwise_analysis::estimate::Interval;
use stopwise_analysis::exact::{Limits, distribution};
use stopwise_analysis::rank::FRESH;
use stopwise_engine::arms::{Lineups, Products, run_arms};
use stopwise_engine::game::Better;
use stopwise_engine::games::pig::Pig;
use stopwise_engine::run::{Plan, run};
use stopwise_policy::{TextPolicy, shipped};

use super::populations::Population;

/// Trials drawn at a time: every check point is a multiple.
const BLOCK: usize = 100;

/// Arms that race.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) better: Better,
    pub(crate) range: Option<Interval>,
    pub(crate) truths: Vec<f64>,
    source: Source,
}

enum Source {
    /// A value that all arms share, if any, one of its own for each, and what keeps the sum from falling below 0.
    Drawn(Option<Population>, Vec<Population>, i32),
    /// Policies of solo Pig.
    Played(Vec<[Vec<TextPolicy<Pig>>; 1]>),
}

/// The trials of one replicate.
pub(crate) struct Replicate<'f> {
    field: &'f Field,
    seed: u64,
    words: Vec<Lcg64Xsh32>,
}

impl Field {
    fn drawn(name: &'static str, common: Option<Population>, own: Vec<Population>, offset: i32) -> Self {
        let mean = |population: &Population| population.sums().moments().expect("values").0;
        let shared = common.as_ref().map_or(0.0, mean) + f64::from(offset);
        let truths = own.iter().map(|own| shared + mean(own)).collect();
        let source = Source::Drawn(common, own, offset);
        Self { name, better: Better::Higher, range: None, truths, source }
    }

    /// Coins of these chances in 65,536.
    fn coins(name: &'static str, counts: Vec<u16>) -> Self {
        let coins = counts.into_iter().map(|count| Population::coin("coin", count)).collect();
        let range = Some(Interval { low: 0.0, high: 1.0 });
        Self { range, ..Self::drawn(name, None, coins, 0) }
    }

    /// Policies that hold at these totals, with the exact mean of the turns that they need.
    fn pig(name: &'static str, holds: &[u32]) -> Self {
        let text = shipped::policy("pig", "hold").expect("shipped").text();
        let policy = |points: &u32| {
            TextPolicy::compile(&text, &Pig::SOLO, &[("n".into(), points.to_string())]).expect("compiles")
        };
        let policies: Vec<_> = holds.iter().map(policy).collect();
        let exact = |policy: &TextPolicy<Pig>| {
            distribution(&Pig::SOLO, &[policy], Limits::default()).expect("small enough").means[0][0]
        };
        let truths = policies.iter().map(exact).collect();
        let source = Source::Played(policies.into_iter().map(|policy| [vec![policy]]).collect());
        Self { name, better: Better::Lower, range: None, truths, source }
    }

    /// All of them.
    pub(crate) fn all() -> Vec<Self> {
        let constant = |value| Population::of("constant", &[(value, u16::MAX), (value, 1)]);
        let shifted = |shift: i32| {
            // A share of the trials has 64 more: 1 point of the mean is 1,024 of 65,536.
            Population::of("more", &[(64, u16::try_from(1024 * shift).expect("a share"))])
        };
        // 1 once in a hundred trials, −50 once in five thousand: nothing on average, and a gain at first sight.
        let rare = || Population::of("rarely different", &[(1, 650), (-50, 13)]);
        vec![
            Self::coins("ten coins 0.5", vec![1 << 15; 10]),
            Self::coins("ten coins 0.01", vec![655; 10]),
            Self::coins("coins 0.5 0.5 0.49 0.48 0.47 0.46 0.45 0.44 0.42 0.40", {
                vec![32_768, 32_768, 32_113, 31_457, 30_802, 30_147, 29_491, 28_836, 27_525, 26_214]
            }),
            Self::drawn("ten times CarboniteDice", None, vec![Population::carbonite(); 10], 0),
            Self::drawn("ten times solo Pig", None, vec![Population::pig(); 10], 0),
            Self::drawn(
                "CarboniteDice less 0 0 1 2 4 8 12 16 24 32 on the same dice",
                Some(Population::carbonite()),
                [32, 32, 31, 30, 28, 24, 20, 16, 8, 0].map(shifted).to_vec(),
                0,
            ),
            Self::drawn(
                "a policy and nine near twins",
                Some(Population::carbonite()),
                std::iter::once(constant(0)).chain((0..9).map(|_| rare())).collect(),
                50,
            ),
            Self::drawn(
                "ten constants, two of them equal",
                None,
                [9, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(constant).to_vec(),
                0,
            ),
            Self::drawn("forty times CarboniteDice", None, vec![Population::carbonite(); 40], 0),
            Self::pig(
                "Pig played: hold at 12 15 18 19 20 21 22 25 30",
                &[12, 15, 18, 19, 20, 21, 22, 25, 30],
            ),
        ]
    }

    pub(crate) fn replicate(&self, seed: u64) -> Replicate<'_> {
        let words = (2..).map(|stream| Lcg64Xsh32::new(seed, stream)).take(self.truths.len() + 1).collect();
        Replicate { field: self, seed, words }
    }
}

impl Replicate<'_> {
    /// The next trials: of all arms, and of some of them.
    pub(crate) fn next(&mut self, trials: Range<u64>, some: &[usize]) -> (Products, Products) {
        match &self.field.source {
            Source::Played(lineups) => {
                let of = |arms: &mut dyn Iterator<Item = usize>| {
                    let arms: Vec<_> = arms.map(|arm| Lineups::of(&Pig::SOLO, &lineups[arm])).collect();
                    let plan = Plan { seed: self.seed, trials: trials.clone() };
                    run_arms(&arms.iter().map(|arm| arm as _).collect::<Vec<_>>(), 0, &plan, &|_| {
                        ControlFlow::Continue(())
                    })
                };
                (of(&mut (0..lineups.len())), of(&mut some.iter().copied()))
            }
            Source::Drawn(common, own, offset) => {
                let (mut all, mut few) = (Products::new(own.len()), Products::new(some.len()));
                let mut columns = vec![vec![0; BLOCK]; own.len()];
                for _ in trials.step_by(BLOCK) {
                    let mut shared = [0; BLOCK];
                    if let Some(common) = common {
                        common.draw_each(&mut shared, &mut self.words[own.len()]);
                    }
                    for ((own, words), column) in own.iter().zip(&mut self.words).zip(&mut columns) {
                        let mut drawn = [0; BLOCK];
                        own.draw_each(&mut drawn, words);
                        for ((value, own), shared) in column.iter_mut().zip(drawn).zip(shared) {
                            *value = u32::try_from(own + shared + offset).expect("0 or more");
                        }
                    }
                    all.add_block(&columns);
                    let chosen: Vec<_> = some.iter().map(|&arm| columns[arm].clone()).collect();
                    few.add_block(&chosen);
                }
                (all, few)
            }
        }
    }

    /// The mean of so many fresh trials of an arm.
    pub(crate) fn fresh(&mut self, arm: usize, trials: u64) -> f64 {
        match &self.field.source {
            Source::Played(lineups) => {
                let plan = Plan { seed: self.seed, trials: FRESH..FRESH + trials };
                let tally = run(&Pig::SOLO, &lineups[arm][0], &plan, |_| ControlFlow::Continue(()));
                tally.seats[0].metrics[0].sums().0 as f64 / trials as f64
            }
            Source::Drawn(common, own, offset) => {
                let mut words = Lcg64Xsh32::new(self.seed, 1);
                let parts = common.iter().chain([&own[arm]]);
                let sums = parts.map(|part| part.draw(trials, &mut words).sum).sum::<i128>();
                sums as f64 / trials as f64 + f64::from(*offset)
            }
        }
    }
}
