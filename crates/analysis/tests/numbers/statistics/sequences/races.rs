//! Error rates of conclusions about the order of arms.

use rand_pcg::Lcg64Xsh32;
use stopwise_analysis::estimate::Interval;
use stopwise_analysis::sequential::{Bounded, Design, Sums, unbeaten};

use super::harness::{ALPHA, Looks, Method, TARGET, start};
use super::populations::Population;

/// Races are shorter: they draw for every arm.
const LENGTH: u64 = 25_600;
/// Every look is after a multiple of so many.
const BLOCK: usize = 100;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// An interval per arm, at α / k: arms are distinguished by disjoint intervals.
    Arms,
    /// An interval for the difference of every two, at α / (k (k − 1) / 2): arms are distinguished if it excludes 0.
    Differences,
}

/// What became of a race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub(crate) method: Method,
    /// Replicates in which, at some look, an arm was held to be better that is not. That a best arm is out is one of
    /// these.
    pub(crate) wrong: u64,
    /// Replicates in which a single arm was left at the last look.
    pub(crate) decided: u64,
}

/// Told at every look, for every method, which arm is held to be better than which.
type Look<'l> = &'l mut dyn FnMut(usize, &dyn Fn(usize, usize) -> bool);

/// Races arms that are drawn independently. With [`Method::Fixed`] every interval is a plain 95 % one.
pub(crate) fn race(arms: &[Population], by: By, methods: &[Method], replicates: u64) -> Vec<Race> {
    let truths: Vec<_> = arms.iter().map(|arm| arm.sums().sum).collect();
    let mut results: Vec<_> = methods.iter().map(|&method| Race { method, wrong: 0, decided: 0 }).collect();
    for replicate in 0..replicates {
        let mut states = vec![(false, arms.len()); methods.len()];
        let mut look = |method: usize, is_better: &dyn Fn(usize, usize) -> bool| {
            let (is_wrong, left) = &mut states[method];
            let mut couples = (0..arms.len()).flat_map(|a| (0..arms.len()).map(move |b| (a, b)));
            *is_wrong |= couples.any(|(a, b)| truths[a] <= truths[b] && is_better(a, b));
            *left = unbeaten(arms.len(), is_better).into_iter().filter(|&is_in| is_in).count();
        };
        match by {
            By::Arms => by_arms(arms, methods, replicate, &mut look),
            By::Differences => by_differences(arms, methods, replicate, &mut look),
        }
        for (result, (is_wrong, left)) in results.iter_mut().zip(states) {
            result.wrong += u64::from(is_wrong);
            result.decided += u64::from(left == 1);
        }
    }
    results
}

fn looks() -> impl Iterator<Item = u64> {
    Looks::Doubling.trials().into_iter().filter(|&look| look <= LENGTH)
}

fn streams(replicate: u64, arms: &[Population]) -> Vec<Lcg64Xsh32> {
    (2..).map(|stream| Lcg64Xsh32::new(replicate, stream)).take(arms.len()).collect()
}

fn by_arms(arms: &[Population], methods: &[Method], replicate: u64, look: Look<'_>) {
    let design = Design::new(ALPHA, TARGET).among(arms.len());
    let mut words = streams(replicate, arms);
    let mut values: Vec<_> = arms.iter().map(start).collect();
    for trials in looks() {
        for ((arm, values), words) in arms.iter().zip(&mut values).zip(&mut words) {
            values.add(&arm.draw(trials - values.sums().trials, words));
        }
        for (at, method) in methods.iter().enumerate() {
            let intervals: Vec<_> = values.iter().map(|values| method.interval(values, design)).collect();
            look(at, &|a, b| intervals[a].low > intervals[b].high);
        }
    }
}

fn by_differences(arms: &[Population], methods: &[Method], replicate: u64, look: Look<'_>) {
    let couples: Vec<_> = (0..arms.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let design = Design::new(ALPHA, TARGET).among(couples.len());
    let mut words = streams(replicate, arms);
    let range = |&(a, b): &(usize, usize)| {
        let ((low, high), (other_low, other_high)) = (arms[a].range(), arms[b].range());
        Bounded::new(Interval { low: f64::from(low - other_high), high: f64::from(high - other_low) })
    };
    let mut values: Vec<_> = couples.iter().map(range).collect();
    let mut drawn = vec![[0; BLOCK]; arms.len()];
    for trials in looks() {
        let mut batches = vec![(0, 0); couples.len()];
        let before = values[0].sums().trials;
        for _ in (before..trials).step_by(BLOCK) {
            for ((arm, words), drawn) in arms.iter().zip(&mut words).zip(&mut drawn) {
                arm.draw_each(drawn, words);
            }
            for ((sum, squares), &(a, b)) in batches.iter_mut().zip(&couples) {
                for (value, other) in drawn[a].iter().zip(&drawn[b]) {
                    let difference = i64::from(value - other);
                    *sum += difference;
                    *squares += (difference * difference).unsigned_abs();
                }
            }
        }
        for (values, (sum, squares)) in values.iter_mut().zip(batches) {
            values.add(&Sums { trials: trials - before, sum: sum.into(), squares: squares.into() });
        }
        for (at, method) in methods.iter().enumerate() {
            let intervals: Vec<_> = values.iter().map(|values| method.interval(values, design)).collect();
            let of = |a, b| couples.iter().position(|&couple| couple == (a, b)).map(|at| intervals[at]);
            let is_better =
                |a, b| of(a, b).is_some_and(|it| it.low > 0.0) || of(b, a).is_some_and(|it| it.high < 0.0);
            look(at, &is_better);
        }
    }
}

/// Arms that race, all equal or in a known order, and ways to make intervals for them.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) arms: Vec<Population>,
    pub(crate) methods: [(By, [Method; 3]); 2],
}

/// Five arms each.
pub(crate) fn fields() -> Vec<Field> {
    let methods = |arms, differences| {
        let with = |exact| [Method::Fixed, exact, Method::Asymptotic];
        [(By::Arms, with(arms)), (By::Differences, with(differences))]
    };
    let coins = |name, counts: [u16; 5]| Field {
        name,
        arms: counts.map(|count| Population::coin("coin", count)).to_vec(),
        methods: methods(Method::Share, Method::Pairs),
    };
    let scores =
        |name, arm| Field { name, arms: vec![arm; 5], methods: methods(Method::Bounded, Method::Bounded) };
    vec![
        coins("five coins 0.5", [1 << 15; 5]),
        coins("coins 0.5 0.5 0.48 0.45 0.4", [32_768, 32_768, 31_457, 29_491, 26_214]),
        coins("coins 0.5 0.47 0.46 0.45 0.4", [32_768, 30_802, 30_147, 29_491, 26_214]),
        scores("five times solo Pig", Population::pig()),
        scores("five times CarboniteDice", Population::carbonite()),
    ]
}
