//! Which trials are played, and how threads share them.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Which trials: trial *i* under seed *s* meets the same dice wherever and with whatever it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The seed of all streams.
    pub seed: u64,
    /// The numbers of the trials.
    pub trials: Range<u64>,
}

/// A finished batch, as the progress call-back sees it. Sums are those of the first metric of the first seat.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// Trials in the batch.
    pub trials: u64,
    /// Sum of the metric.
    pub sum: u64,
    /// Sum of its squares.
    pub squares: u128,
}

/// Called after every batch with what it came to; answers whether to go on. `dyn`, so that loops are not compiled for
/// each caller.
pub type Watcher<'w> = dyn Fn(Batch) -> ControlFlow<()> + Sync + 'w;

/// Trials handed to a thread at a time: about a millisecond's work, so that a run can be watched and stopped.
pub(crate) const BATCH: u64 = 4096;

/// The fewest trials that a thread is handed at a time, however many arms play: more threads than so many fit into a plan
/// find nothing to do.
pub const LEAST_BATCH: u64 = crate::arms::BLOCK as u64;

/// The trials of a plan, handed out in order.
#[derive(Debug)]
pub(crate) struct Queue<'p> {
    plan: &'p Plan,
    /// Counted from the first trial of the plan, so that threads that find nothing left cannot overflow it.
    next: AtomicU64,
    stopped: AtomicBool,
}

impl Queue<'_> {
    /// The next `count` trials, or those that are left; none after a report to break.
    pub(crate) fn next(&self, count: u64) -> Option<Range<u64>> {
        if self.stopped.load(Ordering::Relaxed) {
            return None;
        }
        let trials = self.plan.trials.end.saturating_sub(self.plan.trials.start);
        let begun = self.next.fetch_add(count, Ordering::Relaxed);
        (begun < trials).then(|| {
            let start = self.plan.trials.start + begun;
            start..start + count.min(trials - begun)
        })
    }

    /// Whether there are trials that nobody has taken.
    fn has_more(&self) -> bool {
        let trials = self.plan.trials.end.saturating_sub(self.plan.trials.start);
        !self.stopped.load(Ordering::Relaxed) && self.next.load(Ordering::Relaxed) < trials
    }

    /// Takes note of what the call-back answered.
    pub(crate) fn report(&self, flow: ControlFlow<()>) {
        if flow.is_break() {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }
}

/// Lets every thread of the current rayon pool play from one queue: what each of them found. A thread that comes when all
/// trials are taken prepares nothing and is left out.
pub(crate) fn from_one_queue<T: Send>(plan: &Plan, play: impl Fn(&Queue<'_>) -> T + Sync) -> Vec<T> {
    let queue = Queue { plan, next: AtomicU64::new(0), stopped: AtomicBool::new(false) };
    rayon::broadcast(|_| queue.has_more().then(|| play(&queue))).into_iter().flatten().collect()
}
