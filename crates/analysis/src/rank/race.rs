//! Racing on common dice with elimination of settled arms.

use std::cmp::Ordering;
use std::ops::Range;

use stopwise_engine::arms::Products;
use stopwise_engine::game::Better;

use super::ranking::Ranking;
use crate::estimate::{Estimate, Interval, LEAST_ALPHA, Level, Method, unsigned_zero};
use crate::paired::{BURN_IN, SAME_AFTER, check_points};
use crate::sequential::{Bounded, Design, Sums, guarded};

/// The number of trials for which the sequences are tuned. The width depends on it little: at 1,000 and at 1,000,000
/// trials they are a tenth wider than optimal.
pub const TARGET: u64 = 10_000;

/// The aim of a race.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// The order of all arms: an arm leaves once its order with every other is settled.
    #[default]
    Order,
    /// The best arm: an arm leaves as soon as another is known to be better.
    Best,
}

/// The greatest difference that does not matter: two arms known to differ by no more are settled as equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolution {
    /// In the unit of the metric.
    Absolute(f64),
    /// In standard deviations of a trial of the leader at the first look.
    OfDeviation(f64),
}

/// The settings of a race.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceConfig {
    /// The largest probability that any statement is wrong.
    pub alpha: f64,
    /// The greatest number of trials of an arm.
    pub most: u64,
    /// The aim.
    pub aim: Aim,
    /// The greatest difference that does not matter.
    pub resolution: Resolution,
    /// Whether more or less of the metric is better.
    pub better: Better,
    /// The range of the metric, if it is narrow enough to be useful (0 to 1): the sequences are then exact. Otherwise
    /// they are asymptotic, guarded, and begin after [`BURN_IN`] trials.
    pub range: Option<Interval>,
}

/// The order of two arms, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A is better.
    A,
    /// B is better.
    B,
    /// They differ by no more than the resolution.
    Equal,
    /// Not known yet.
    Open,
}

/// The trials to be played next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The arms that play, in increasing order.
    pub arms: Vec<usize>,
    /// The trials.
    pub trials: Range<u64>,
}

/// A race of many arms by one metric.
///
/// [`Race::leg`] names the arms and trials to be played next, and [`Race::enter`] takes their sums; the state of the race is a
/// function of these. All arms still in the race play the same trials, so that differences are paired.
///
/// There is a confidence sequence for the difference of every two arms and one for the mean of every arm, k (k + 1) / 2
/// in all, each at an equal part of α. Whatever the reason for which an arm leaves, all of them hold at every check
/// point with probability 1 − α ([`asymptotic`](crate::sequential::asymptotic) says in which sense, if the range is not
/// known). So does their intersection over the check points, which is kept. An arm that leaves keeps its sums; the
/// interval of a pair is that of the trials that both arms played.
#[derive(Clone, Debug)]
pub struct Race {
    config: RaceConfig,
    design: Design,
    arms: Vec<Watched>,
    /// A − B for every A after B: (1, 0), (2, 0), (2, 1), …
    pairs: Vec<Watched>,
    /// The arms that are still in the race.
    left: Vec<usize>,
    trials: u64,
    resolution: f64,
}

/// Values of a difference or an arm, and the intersection of the intervals of their mean.
#[derive(Clone, Copy, Debug)]
struct Watched {
    values: Values,
    interval: Interval,
}

#[derive(Clone, Copy, Debug)]
enum Values {
    Any(Sums),
    InRange(Bounded),
}

impl Watched {
    fn new(range: Option<Interval>) -> Self {
        let values = range.map_or(Values::Any(Sums::default()), |range| Values::InRange(Bounded::new(range)));
        Self { values, interval: range.unwrap_or(Interval::UNBOUNDED) }
    }

    fn sums(&self) -> Sums {
        match &self.values {
            Values::Any(sums) => *sums,
            Values::InRange(values) => values.sums(),
        }
    }

    fn moments(&self) -> (f64, f64) {
        self.sums().moments().unwrap_or((0.0, 0.0))
    }

    fn add(&mut self, more: &Sums) {
        match &mut self.values {
            Values::Any(sums) => sums.merge(more),
            Values::InRange(values) => values.add(more),
        }
    }

    /// Intersects the interval with the current one. `scale` is the size of values that may be unseen (see
    /// [`guarded`]).
    fn look(&mut self, scale: f64, design: Design) {
        let now = match &self.values {
            Values::Any(sums) => guarded(sums, scale, BURN_IN, design),
            Values::InRange(values) => values.interval(design),
        };
        let (low, high) = (self.interval.low.max(now.low), self.interval.high.min(now.high));
        // Disjoint intervals: one of the errors that α allows.
        if low <= high {
            self.interval = Interval { low, high };
        }
    }
}

impl Race {
    /// The size of a race in bytes, given the number of arms, including the sums of this number of threads.
    pub fn bytes(arms: usize, threads: usize) -> u64 {
        let [arms, threads] = [arms, threads].map(|number| number as u64);
        let products = threads.saturating_add(1).saturating_mul(size_of::<u128>() as u64);
        let of_two = products.saturating_add(size_of::<Watched>() as u64);
        (arms.saturating_mul(arms.saturating_add(1)) / 2).saturating_mul(of_two)
    }

    /// A race before its first trial.
    ///
    /// # Panics
    ///
    /// If there is no arm, if α is not from [`LEAST_ALPHA`] to below 1 or if the range is unbounded.
    pub fn new(arms: usize, config: RaceConfig) -> Self {
        assert!(config.alpha >= LEAST_ALPHA, "alpha {} is below {LEAST_ALPHA}", config.alpha);
        let width = config.range.map(|range| range.high - range.low);
        let difference = width.map(|width| Interval { low: -width, high: width });
        Self {
            config,
            design: Design::new(config.alpha, TARGET).among(arms * (arms + 1) / 2),
            arms: vec![Watched::new(config.range); arms],
            pairs: vec![Watched::new(difference); arms * (arms - 1) / 2],
            left: (0..arms).collect(),
            trials: 0,
            resolution: 0.0,
        }
    }

    /// The next leg; `None` when all arms are settled or the trials are spent.
    pub fn leg(&self) -> Option<Leg> {
        let next = check_points(self.config.most).find(|&point| point > self.trials)?;
        let is_on = !self.left.is_empty();
        is_on.then(|| Leg { arms: self.left.clone(), trials: self.trials..next })
    }

    /// Adds the sums of [`Race::leg`] and eliminates settled arms.
    ///
    /// # Panics
    ///
    /// If there is no leg, or the sums are of other arms or trials.
    pub fn enter(&mut self, products: &Products) {
        let leg = self.leg().expect("the race is on");
        let is_it = leg.arms.len() == products.arms() && leg.trials.end - leg.trials.start == products.trials;
        assert!(is_it, "the trials of the leg");
        self.trials = leg.trials.end;
        let trials = products.trials;
        for (at, &arm) in leg.arms.iter().enumerate() {
            let sum = products.sum(at).cast_signed();
            self.arms[arm].add(&Sums { trials, sum, squares: products.product(at, at) });
            for (other_at, &other) in leg.arms[..at].iter().enumerate() {
                let [own, both, others] =
                    [(at, at), (at, other_at), (other_at, other_at)].map(|(a, b)| products.product(a, b));
                let sum = sum - products.sum(other_at).cast_signed();
                self.pairs[place(arm, other)].add(&Sums { trials, sum, squares: own + others - 2 * both });
            }
        }
        self.look(&leg.arms);
    }

    fn look(&mut self, played: &[usize]) {
        // Metrics are whole numbers: where they differ, then by 1 at least.
        let scales: Vec<f64> = self.arms.iter().map(|arm| arm.moments().1.max(1.0)).collect();
        for (at, &arm) in played.iter().enumerate() {
            // Where all values of an arm are alike, or of two, nothing says how far another may be off.
            if self.varies(arm) {
                self.arms[arm].look(scales[arm], self.design);
            }
            for &other in &played[..at] {
                if self.varies(arm) || self.varies(other) || self.trials >= SAME_AFTER {
                    self.pairs[place(arm, other)].look(scales[arm].max(scales[other]), self.design);
                }
            }
        }
        // Fixed at the first look: stopping may depend on the data, but the resolution should not change.
        if self.resolution == 0.0 {
            self.resolution = match self.config.resolution {
                Resolution::Absolute(width) => width,
                Resolution::OfDeviation(share) => match self.arms[self.leader()].moments().1 {
                    std_dev if std_dev > 0.0 => share * std_dev,
                    _ => share,
                },
            };
        }
        let is_in: Vec<bool> = match self.config.aim {
            Aim::Order => vec![true; self.arms.len()],
            Aim::Best => {
                let is_beaten =
                    |arm| (0..self.arms.len()).any(|other| self.verdict(other, arm) == Verdict::A);
                (0..self.arms.len()).map(|arm| !is_beaten(arm)).collect()
            }
        };
        let is_open = |a: usize| {
            let mut others = (0..self.arms.len()).filter(|&b| b != a && is_in[b]);
            is_in[a] && others.any(|b| self.verdict(a, b) == Verdict::Open)
        };
        let left = self.left.iter().copied().filter(|&arm| is_open(arm)).collect();
        self.left = left;
    }

    /// The arm with the best mean among those that played most.
    pub fn leader(&self) -> usize {
        let longest = (0..self.arms.len()).filter(|&arm| self.trials_of(arm) == self.trials);
        longest.max_by(|&a, &b| self.good(self.mean(a)).total_cmp(&self.good(self.mean(b)))).unwrap_or(0)
    }

    /// The value with the sign for which more is better.
    fn good(&self, value: f64) -> f64 {
        match self.config.better {
            Better::Higher => value,
            Better::Lower => -value,
        }
    }

    /// Its configuration.
    pub fn config(&self) -> &RaceConfig {
        &self.config
    }

    /// The current check point, in trials.
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// The arms that are still in the race.
    pub fn left(&self) -> &[usize] {
        &self.left
    }

    /// The greatest difference that does not matter, in the unit of the metric; 0 before the first look.
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// The number of trials that an arm played.
    pub fn trials_of(&self, arm: usize) -> u64 {
        self.arms[arm].sums().trials
    }

    /// The mean of an arm's trials.
    pub fn mean(&self, arm: usize) -> f64 {
        self.arms[arm].moments().0
    }

    /// The mean of an arm, with the intersection of its intervals so far.
    pub fn estimate(&self, arm: usize) -> Estimate {
        self.estimated(self.mean(arm), self.arms[arm].interval)
    }

    /// Whether an arm had the same value in all of several trials.
    pub fn has_one_value(&self, arm: usize) -> bool {
        self.trials_of(arm) > 1 && self.arms[arm].moments().1 == 0.0
    }

    /// The value that every trial of every arm had, if it is one.
    pub fn constant(&self) -> Option<f64> {
        let (value, _) = self.arms[0].moments();
        let is_it = |arm: &Watched| arm.sums().trials > 0 && arm.moments() == (value, 0.0);
        self.arms.iter().all(is_it).then_some(value)
    }

    /// Whether an arm has had several values, or only certain ones can be.
    fn varies(&self, arm: usize) -> bool {
        self.config.range.is_some() || self.arms[arm].moments().1 > 0.0
    }

    /// The mean of A − B in the trials that both played, with the intersection of its intervals so far; without one where both
    /// have had one value each.
    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        self.so_far(a, b).of_values_that(a == b || self.varies(a) || self.varies(b))
    }

    /// The same whatever their values.
    fn so_far(&self, a: usize, b: usize) -> Estimate {
        let of = |pair: &Watched| self.estimated(unsigned_zero(pair.moments().0), pair.interval);
        match a.cmp(&b) {
            Ordering::Equal => self.estimated(0.0, Interval { low: 0.0, high: 0.0 }),
            Ordering::Greater => of(&self.pairs[place(a, b)]),
            Ordering::Less => of(&self.pairs[place(b, a)]).negated(),
        }
    }

    /// The number of trials that both arms played.
    pub fn trials_of_both(&self, a: usize, b: usize) -> u64 {
        if a == b { self.trials_of(a) } else { self.pairs[place(a.max(b), a.min(b))].sums().trials }
    }

    fn estimated(&self, value: f64, interval: Interval) -> Estimate {
        Estimate { value, interval: interval.bounded(), method: self.method(), level: self.level() }
    }

    /// The method of all of its intervals.
    pub fn method(&self) -> Method {
        if self.config.range.is_some() { Method::RaceBounded } else { Method::Race }
    }

    /// The level at which all of its intervals hold simultaneously.
    pub fn level(&self) -> Level {
        let arms = self.arms.len();
        Level::new(self.config.alpha).among(arms * (arms + 1) / 2)
    }

    /// The order of two arms, as far as it is known.
    pub fn verdict(&self, a: usize, b: usize) -> Verdict {
        let difference = self.so_far(a, b);
        let [more, less] = match self.config.better {
            Better::Higher => [Verdict::A, Verdict::B],
            Better::Lower => [Verdict::B, Verdict::A],
        };
        let within = -self.resolution..=self.resolution;
        let is_within = |difference: Estimate| {
            difference
                .interval
                .is_some_and(|Interval { low, high }| within.contains(&low) && within.contains(&high))
        };
        match () {
            () if difference.is_above(0.0) => more,
            () if difference.is_below(0.0) => less,
            () if self.trials_of_both(a, b) > 0 && is_within(difference) => Verdict::Equal,
            () => Verdict::Open,
        }
    }

    /// The order of all arms, as far as it is known.
    pub fn ranking(&self) -> Ranking {
        let leader = self.leader();
        // Arms that left early played fewer trials: paired differences from one arm are comparable, means are not.
        let score = |arm| self.good(self.so_far(arm, leader).value);
        Ranking::new(self.arms.len(), |a, b| self.verdict(a, b) == Verdict::A, score)
    }
}

/// The index of the difference of A and an earlier B.
fn place(a: usize, b: usize) -> usize {
    a * (a - 1) / 2 + b
}
