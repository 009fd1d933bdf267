//! Plans: which trials are played, and how threads share them.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A set of trials. Trial *i* with seed *s* meets the same dice in every run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The seed of all streams.
    pub seed: u64,
    /// The numbers of the trials.
    pub trials: Range<u64>,
}

/// A finished batch, as reported to the progress callback. Sums are those of the first metric of the first seat.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// Trials in the batch.
    pub trials: u64,
    /// Sum of the metric.
    pub sum: u64,
    /// Sum of its squares.
    pub squares: u128,
}

impl Batch {
    /// An empty batch, reported in the middle of a long one.
    pub(crate) const NONE: Self = Self { trials: 0, sum: 0, squares: 0 };
}

/// The progress callback: called with the sums of every finished batch, many times a second; its result says whether to
/// continue. `dyn`, so that loops are not compiled for each caller.
pub type Watcher<'w> = dyn Fn(Batch) -> ControlFlow<()> + Sync + 'w;

/// The most trials handed to a thread at a time.
pub(crate) const BATCH: u64 = 4096;

/// The fewest trials for which it is worth starting a thread.
pub const LEAST_BATCH: u64 = 16;

/// The longest time that a batch should take. With thousands of arms that is a few trials, which is what is lost
/// between batches.
pub(crate) const AIM: Duration = Duration::from_millis(250);

/// How many trials a thread takes at a time: as many as it plays in [`AIM`], so that a run can be watched and stopped
/// whatever the length of its games (some take 30 ms each). The clock decides only which thread plays which trials,
/// which does not affect results.
#[derive(Debug)]
pub(crate) struct Pace {
    size: u64,
    most: u64,
    begun: Instant,
    is_blind: bool,
}

impl Pace {
    /// Begins with `least` trials and never takes more than `most`.
    pub(crate) fn new(least: u64, most: u64) -> Self {
        Self { size: least.min(most), most, begun: Instant::now(), is_blind: false }
    }

    /// The size of the next batch, which begins now.
    fn next(&mut self) -> u64 {
        let size = self.size;
        let took = self.begun.elapsed();
        self.begun += took;
        if std::mem::take(&mut self.is_blind) {
            return size;
        }
        if took > AIM {
            self.size = (size / 2).max(1);
        } else if took < AIM / 2 {
            self.size = self.most.min(size.saturating_mul(2));
        }
        self.size
    }

    /// Keeps the size of the batch, because no trial has finished since it began and the time of a trial is unknown.
    pub(crate) fn keep(&mut self) {
        self.is_blind = true;
    }

    /// Whether the batch has taken so long that progress should be reported; if so, the time is measured anew.
    pub(crate) fn is_late(&mut self) -> bool {
        let is_late = self.begun.elapsed() > AIM;
        if is_late {
            self.begun = Instant::now();
        }
        is_late
    }
}

/// The trials of a plan, handed out in order.
#[derive(Debug)]
pub(crate) struct Queue<'p> {
    plan: &'p Plan,
    /// Counted from the first trial of the plan, so that threads that find no trials left cannot overflow it.
    next: AtomicU64,
    stopped: AtomicBool,
}

impl<'p> Queue<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Self { plan, next: AtomicU64::new(0), stopped: AtomicBool::new(false) }
    }

    /// The next trials, at a thread's pace, or the rest; `None` at the end or after a report to break.
    pub(crate) fn next(&self, pace: &mut Pace) -> Option<Range<u64>> {
        if self.is_stopped() {
            return None;
        }
        let count = pace.next();
        let trials = self.plan.trials.end.saturating_sub(self.plan.trials.start);
        let begun = self.next.fetch_add(count, Ordering::Relaxed);
        (begun < trials).then(|| {
            let start = self.plan.trials.start + begun;
            start..start + count.min(trials - begun)
        })
    }

    /// Whether there are trials that no thread has taken.
    fn has_more(&self) -> bool {
        let trials = self.plan.trials.end.saturating_sub(self.plan.trials.start);
        !self.is_stopped() && self.next.load(Ordering::Relaxed) < trials
    }

    /// Whether the callback has asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Records the answer of the callback.
    pub(crate) fn report(&self, flow: ControlFlow<()>) {
        if flow.is_break() {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }
}

/// Lets every thread of the current rayon pool play from one queue, and returns the results. A thread that starts when
/// all trials are taken is left out.
pub(crate) fn from_one_queue<T: Send>(plan: &Plan, play: impl Fn(&Queue<'_>) -> T + Sync) -> Vec<T> {
    let queue = Queue::new(plan);
    rayon::broadcast(|_| queue.has_more().then(|| play(&queue))).into_iter().flatten().collect()
}
