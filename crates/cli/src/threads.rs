//! Threads that share work. What is generic here does little: what a pool does would be compiled anew for every piece of work.

use std::sync::OnceLock;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use stopwise_engine::plan::LEAST_BATCH;

use crate::failure::Failure;

/// More threads than any machine has use for; each holds a tally and a stack.
const MAX_THREADS: usize = 1024;

/// The stack of a thread. Policies are compiled on these threads, too, and the deepest condition takes more than the usual
/// two megabytes.
const STACK: usize = 4 << 20;

/// The threads on which a command plays and makes its report.
#[derive(Debug)]
pub(crate) struct Threads(ThreadPool);

impl Threads {
    /// So many threads, but no more than find trials to play.
    pub(crate) fn new(threads: Option<usize>, trials: u64) -> Result<Self, Failure> {
        let machine = std::thread::available_parallelism().map_or(1, usize::from);
        if let Some(wrong) = threads.filter(|threads| !(1..=MAX_THREADS).contains(threads)) {
            return Err(Failure::Input(format!(
                "--threads {wrong}: write a number from 1 to {MAX_THREADS}, or leave it out for all; each has its own memory, \
                 and this machine runs {machine} at a time"
            )));
        }
        let by_default = || set_threads(std::env::var("RAYON_NUM_THREADS").ok()).unwrap_or(machine);
        let threads = useful_threads(threads.unwrap_or_else(by_default), trials);
        let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
        pool.map(Self).map_err(|error| {
            Failure::Other(format!("cannot start {threads} threads: {error}; write --threads 1"))
        })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.current_num_threads()
    }

    /// Does some work on one of these threads. What shares its work there shares it with the others.
    pub(crate) fn within<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let (mut work, mut found) = (Some(work), None);
        self.run(&mut || found = work.take().map(|work| work()));
        found.unwrap_or_else(|| unreachable!("the work is done"))
    }

    fn run(&self, work: &mut (dyn FnMut() + Send)) {
        self.0.install(work);
    }
}

/// How many threads share the work of the one that asks.
pub(crate) fn sharing() -> usize {
    rayon::current_num_threads()
}

/// What pieces of work with the numbers from 0 to `count` come to, in order. Threads share them.
pub(crate) fn shared<R: Send + Sync>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let found: Vec<OnceLock<R>> = (0..count).map(|_| OnceLock::new()).collect();
    share(count, &|at| {
        found[at].get_or_init(|| work(at));
    });
    found.into_iter().filter_map(OnceLock::into_inner).collect()
}

fn share(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

/// How many threads there will be at most.
pub(crate) fn most_threads(threads: Option<usize>) -> usize {
    threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).min(MAX_THREADS)
}

/// What a setting that rayon knows asks for: no more than this program starts.
fn set_threads(setting: Option<String>) -> Option<usize> {
    setting?.parse().ok().filter(|&set: &usize| set > 0).map(|set| set.min(MAX_THREADS))
}

/// As many threads as find trials to play.
fn useful_threads(threads: usize, trials: u64) -> usize {
    let fewest = trials.div_ceil(LEAST_BATCH).max(1);
    threads.min(usize::try_from(fewest).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::{set_threads, useful_threads};

    #[test]
    fn no_more_threads_than_find_work() {
        for (threads, trials, useful) in [
            (1024, 0, 1),
            (1024, 16, 1),
            (1024, 17, 2),
            (1024, 1000, 63),
            (1024, 17_000, 1024),
            (3, u64::MAX, 3),
        ] {
            assert_eq!(useful_threads(threads, trials), useful, "{threads} for {trials}");
        }
    }

    #[test]
    fn a_setting_has_an_end() {
        let set = |text: &str| set_threads(Some(text.to_owned()));
        assert_eq!([set("0"), set("many"), set(""), set_threads(None)], [None; 4]);
        assert_eq!(["1", "63", "1024", "1025", "100000"].map(set), [1, 63, 1024, 1024, 1024].map(Some));
    }
}
