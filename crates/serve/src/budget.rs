//! The threads of all answers together.

use std::fmt;
use std::sync::Arc;

use tokio::sync::watch;

use crate::desk::Need;

/// The most answers that are worked on at once: each has a share of the memory, too.
pub const ANSWERS: usize = 4;

/// What nobody has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Free {
    threads: usize,
    answers: usize,
}

impl Free {
    /// The threads that an answer gets now, if there are any for it.
    fn grant(self, need: Need, all: usize) -> Option<usize> {
        // What is soon over finds a thread and a place at any time, unless there is but one.
        let kept = usize::from(need == Need::Long && all > 1);
        let (threads, answers) = (self.threads.checked_sub(kept)?, self.answers.checked_sub(kept)?);
        let wanted = if need == Need::Little { threads.min(1) } else { threads };
        (wanted > 0 && answers > 0).then_some(wanted)
    }
}

/// Hands threads out, and takes them back.
pub(crate) struct Budget {
    all: usize,
    free: watch::Sender<Free>,
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("all", &self.all).finish_non_exhaustive()
    }
}

/// Threads of an answer, until this is dropped.
#[derive(Debug)]
pub(crate) struct Granted {
    budget: Arc<Budget>,
    pub(crate) threads: usize,
}

impl Budget {
    /// So many threads, at least 1.
    pub(crate) fn new(all: usize) -> Self {
        let all = all.max(1);
        Self { all, free: watch::Sender::new(Free { threads: all, answers: ANSWERS.min(all) }) }
    }

    /// Waits until there are threads for an answer.
    pub(crate) async fn grant(self: &Arc<Self>, need: Need) -> Granted {
        let mut changes = self.free.subscribe();
        loop {
            changes.mark_unchanged();
            let mut granted = None;
            self.free.send_if_modified(|free| {
                granted = free.grant(need, self.all);
                if let Some(threads) = granted {
                    (free.threads, free.answers) = (free.threads - threads, free.answers - 1);
                }
                // What is taken is news for nobody.
                false
            });
            if let Some(threads) = granted {
                return Granted { budget: Arc::clone(self), threads };
            }
            // The sender is this one's own.
            let _ = changes.changed().await;
        }
    }
}

impl Drop for Granted {
    fn drop(&mut self) {
        self.budget.free.send_modify(|free| {
            (free.threads, free.answers) = (free.threads + self.threads, free.answers + 1);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_leaves_a_thread() {
        let of = |threads, answers, need, all| Free { threads, answers }.grant(need, all);
        for (threads, answers, all, expected) in [
            (8, 4, 8, [Some(1), Some(8), Some(7)]),
            (2, 2, 2, [Some(1), Some(2), Some(1)]),
            (1, 1, 2, [Some(1), Some(1), None]),
            (5, 1, 8, [Some(1), Some(5), None]),
            (5, 0, 8, [None; 3]),
            (0, 1, 8, [None; 3]),
            // Alone, everything comes one after the other.
            (1, 1, 1, [Some(1); 3]),
        ] {
            let granted = [Need::Little, Need::Soon, Need::Long].map(|need| of(threads, answers, need, all));
            assert_eq!(granted, expected, "{threads} of {all}, {answers} answers");
        }
    }

    #[test]
    fn all_that_is_granted_is_no_more_than_there_is() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it can be built");
        runtime.block_on(granted_and_given_back());
    }

    async fn granted_and_given_back() {
        let budget = Arc::new(Budget::new(3));
        let long = budget.grant(Need::Long).await;
        let little = budget.grant(Need::Little).await;
        assert_eq!((long.threads, little.threads), (2, 1));
        let later = tokio::spawn({
            let budget = Arc::clone(&budget);
            async move { budget.grant(Need::Soon).await.threads }
        });
        tokio::task::yield_now().await;
        assert!(!later.is_finished());
        drop(long);
        assert_eq!(later.await.expect("it is granted"), 2);
        drop(little);
        assert_eq!(*budget.free.borrow(), Free { threads: 3, answers: 3 });
    }
}
