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

/// Finished trials, such as a batch that is reported to the progress callback. Sums are those of the first metric of the
/// first seat.
#[derive(Clone, Copy, Debug, Default)]
pub struct Batch {
    /// Trials.
    pub trials: u64,
    /// Sum of the metric.
    pub sum: u64,
    /// Sum of its squares.
    pub squares: u128,
}

impl Batch {
    /// An empty batch, reported before the first one and in the middle of a long one.
    pub(crate) const NONE: Self = Self { trials: 0, sum: 0, squares: 0 };

    /// What was added to an earlier one.
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self {
            trials: self.trials - earlier.trials,
            sum: self.sum - earlier.sum,
            squares: self.squares - earlier.squares,
        }
    }
}

impl std::iter::Sum for Batch {
    fn sum<I: Iterator<Item = Self>>(batches: I) -> Self {
        batches.fold(Self::NONE, |all, more| Self {
            trials: all.trials + more.trials,
            sum: all.sum + more.sum,
            squares: all.squares + more.squares,
        })
    }
}

/// The progress callback: called with the sums of every finished batch, many times a second, and with an empty batch before
/// the first one of a plan that does not begin with trial 0; its result says whether to continue. `dyn`, so that loops are
/// not compiled for each caller.
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
/// which does not affect results. Where hundreds of games are played side by side, a few take as long as many: half as many
/// that take as long are no gain, and a busy machine would otherwise bring every thread to one game at a time.
#[derive(Debug)]
pub(crate) struct Pace {
    size: u64,
    most: u64,
    begun: Instant,
    /// What the batch before took, which was too long, if this one has half as many.
    halved: Option<Duration>,
    /// For so many batches the size is not halved again.
    held: u32,
}

/// How many batches that take too long are played before it is tried again whether half as many take less.
const HELD: u32 = 16;

impl Pace {
    /// Begins with `least` trials and never takes more than `most`.
    pub(crate) fn new(least: u64, most: u64) -> Self {
        Self { size: least.min(most), most, begun: Instant::now(), halved: None, held: 0 }
    }

    /// The size of the next batch, which begins now.
    pub(crate) fn next(&mut self) -> u64 {
        let took = self.begun.elapsed();
        self.begun += took;
        self.after(took)
    }

    /// The size of the batch after one that took so long.
    fn after(&mut self, took: Duration) -> u64 {
        let (size, halved) = (self.size, self.halved.take());
        let twice = self.most.min(size.saturating_mul(2));
        if took <= AIM {
            self.size = if took < AIM / 2 { twice } else { size };
        } else if halved.is_some_and(|before| took > before * 3 / 4) {
            (self.size, self.held) = (twice, HELD);
        } else if self.held > 0 {
            self.held -= 1;
        } else if size > 1 {
            (self.size, self.halved) = (size / 2, Some(took));
        }
        self.size
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

/// How many trials a thread takes at a time that plays hundreds of games side by side. Games of equal length end together,
/// so the time between two batches says nothing about the time that a batch takes: one of 65,536 games of 4 ms was taken
/// within milliseconds, and the run could not be stopped for minutes. A batch is therefore what the thread finishes in
/// [`AIM`], at its mean speed since it began.
#[derive(Debug)]
pub(crate) struct LanePace {
    least: u64,
    most: u64,
    begun: Instant,
}

impl LanePace {
    /// Takes `least` trials at a time until the first game is over, and never more than `most`.
    pub(crate) fn new(least: u64, most: u64) -> Self {
        Self { least, most, begun: Instant::now() }
    }

    /// The size of the next batch of a thread that has finished this number of games.
    pub(crate) fn size(&self, finished: u64) -> u64 {
        self.after(finished, self.begun.elapsed())
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive number of trials")]
    fn after(&self, finished: u64, elapsed: Duration) -> u64 {
        if finished == 0 {
            return self.least;
        }
        let share = AIM.as_secs_f64() / elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
        ((finished as f64 * share) as u64).clamp(1, self.most)
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

/// The place of a queue that hands out no more: beyond all trials, and far from an overflow.
const CLOSED: u64 = u64::MAX / 2;

impl<'p> Queue<'p> {
    /// All trials of the plan. If others were played before them, none where the callback asks to stop already: a run that is
    /// cut into many short plans would otherwise play the first batch of each. The first trials are begun in any case, so
    /// that a run which is stopped early has a result.
    pub(crate) fn new(plan: &'p Plan, progress: &Watcher<'_>) -> Self {
        let is_stopped = plan.trials.start > 0 && progress(Batch::NONE).is_break();
        Self { plan, next: AtomicU64::new(0), stopped: AtomicBool::new(is_stopped) }
    }

    /// The next trials, at a thread's pace, or the rest; `None` at the end or after a report to break.
    pub(crate) fn next(&self, pace: &mut Pace) -> Option<Range<u64>> {
        if self.is_stopped() { None } else { self.take(pace.next()) }
    }

    /// The next trials, this many or the rest; `None` at the end or after a report to break.
    pub(crate) fn take(&self, count: u64) -> Option<Range<u64>> {
        if self.is_stopped() {
            return None;
        }
        let trials = self.trials();
        let begun = self.next.fetch_add(count, Ordering::Relaxed);
        (begun < trials).then(|| {
            let start = self.plan.trials.start + begun;
            start..start + count.min(trials - begun)
        })
    }

    /// [`Self::take`], of a thread's share of what is left one of so many parts at most, so that all threads end at about the
    /// same time; all of this part, where hardly more would be left.
    pub(crate) fn take_part(&self, count: u64, least: u64, parts: u64) -> Option<Range<u64>> {
        let left = self.trials().saturating_sub(self.next.load(Ordering::Relaxed));
        let threads = rayon::current_num_threads() as u64;
        let part = left.div_ceil(parts * threads).max(least);
        self.take(if part / 2 < count { part } else { count })
    }

    /// Whether there are trials that no thread has taken.
    fn has_more(&self) -> bool {
        !self.is_stopped() && self.next.load(Ordering::Relaxed) < self.trials()
    }

    fn trials(&self) -> u64 {
        self.plan.trials.end.saturating_sub(self.plan.trials.start)
    }

    /// Whether the callback has asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether these trials, which were taken, need not be played on: the callback has asked to stop, and none after them were
    /// taken, nor will be. Trials before others that are played must be played themselves: what is found is about the first
    /// of a plan.
    pub(crate) fn may_leave(&self, trials: &Range<u64>) -> bool {
        let end = trials.end.saturating_sub(self.plan.trials.start);
        let close = || self.next.compare_exchange(end, CLOSED, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        self.is_stopped() && (trials.end == self.plan.trials.end || close())
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
pub(crate) fn from_one_queue<T: Send>(
    plan: &Plan,
    progress: &Watcher<'_>,
    play: impl Fn(&Queue<'_>) -> T + Sync,
) -> Vec<T> {
    let queue = Queue::new(plan, progress);
    rayon::broadcast(|_| queue.has_more().then(|| play(&queue))).into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes of batches that take this long, for a size.
    fn sizes(took: impl Fn(u64) -> Duration) -> Vec<u64> {
        let mut pace = Pace::new(256, 4096);
        let mut size = pace.after(Duration::ZERO);
        let mut next = || {
            size = pace.after(took(size));
            size
        };
        (0..200).map(|_| next()).collect()
    }

    /// Games that take long are taken one at a time; of those that are played side by side, a few are no gain.
    #[test]
    fn batches_are_small_where_that_helps() {
        let long = sizes(|games| AIM * u32::try_from(games).expect("a few"));
        assert!(long[20..].iter().all(|size| *size == 1), "{long:?}");
        let short = sizes(|games| AIM * u32::try_from(games).expect("a few") / 1000);
        assert!(short[20..].iter().all(|size| (500..=1000).contains(size)), "{short:?}");
        // On a busy machine a batch of any size takes too long.
        let aside = sizes(|games| AIM * (2000 + u32::try_from(games).expect("a few")) / 1000);
        assert!(aside.iter().all(|size| *size >= 128), "{aside:?}");
    }

    /// Games that end together are no reason to take more of them: whatever has finished when, a batch is what is finished
    /// in a quarter of a second.
    #[test]
    fn a_batch_on_lanes_is_what_a_quarter_of_a_second_finishes() {
        let pace = LanePace::new(64, 1 << 16);
        assert_eq!(pace.after(0, Duration::ZERO), 64);
        assert_eq!(pace.after(0, Duration::from_secs(9)), 64);
        assert_eq!(pace.after(1, Duration::ZERO), 1 << 16);
        // 256 games that take a second and end at the same time.
        for (finished, size) in [(1, 1), (3, 1), (4, 1), (100, 25), (256, 64)] {
            assert_eq!(pace.after(finished, Duration::from_secs(1)), size);
        }
        assert_eq!(pace.after(20_000_000, Duration::from_secs(1)), 1 << 16);
    }
}
