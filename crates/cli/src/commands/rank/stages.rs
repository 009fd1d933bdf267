//! What is shown while a ranking runs from check point to check point, and what is said of one that may take long.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar};
use stopwise_engine::run::Batch;
use stopwise_narration::grouped;

use crate::output::{bar, bar_target, note};
use crate::session::Session;

/// A ranking that may take longer is announced.
const LONG: Duration = Duration::from_secs(60);
/// How long its speed is measured before. The first stage is slow: tables are made, and threads begin. Within a stage one
/// table is played after the other, and games of one may be longer: only a stage that takes much longer is measured by itself.
const KNOWN: Duration = Duration::from_secs(4);

/// Follows a run in stages, each with its own number of trials.
#[derive(Debug)]
pub(super) struct Stages<'s> {
    session: &'s Session,
    bar: ProgressBar,
    begun: Instant,
    /// When its speed began to be measured, and how many trials were done.
    settled: OnceLock<(Instant, u64)>,
    stage: Mutex<Stage>,
    /// Nothing is left to be announced.
    is_announced: AtomicBool,
}

/// Where a ranking stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stage {
    /// Trials of each piece that are done.
    pub(super) done: u64,
    /// The next check point.
    pub(super) next: u64,
    /// What `--trials` says.
    pub(super) most: u64,
    /// How many pieces there are: the tables of a round robin.
    pub(super) pieces: u64,
}

impl<'s> Stages<'s> {
    /// On a terminal a bar; otherwise a line every ten seconds.
    pub(super) fn new(session: &'s Session, is_quiet: bool) -> Self {
        let template = "{human_pos} of {human_len} trials  {bar:24}  {eta} to the next look  {msg}";
        let bar = bar(Some(0), bar_target(session, is_quiet), template);
        Self {
            session,
            bar,
            begun: Instant::now(),
            settled: OnceLock::new(),
            stage: Mutex::default(),
            is_announced: AtomicBool::new(is_quiet),
        }
    }

    /// A stage begins; `known` is what the ones before it told.
    pub(super) fn begin(&self, stage: Stage, known: &str) {
        let Stage { done, next, most, pieces } = stage;
        let left = (done > 0).then(|| self.begun.elapsed().mul_f64((most - done) as f64 / done as f64));
        if let Ok(mut now) = self.stage.lock() {
            // Fresh trials are no more than those before.
            self.is_announced.fetch_or(now.next > 0 && done == 0, Ordering::Relaxed);
            *now = stage;
        }
        self.bar.set_length(next.saturating_mul(pieces));
        self.bar.set_position(done.saturating_mul(pieces));
        if done > 0 {
            self.announce();
        }
        self.bar.reset_eta();
        let left = left.map_or_else(String::new, |left| format!("; at most {} left", HumanDuration(left)));
        self.bar.set_message(format!("{known}{left}"));
    }

    /// Says once that it may take long, and what would not.
    fn announce(&self) {
        let Ok(stage) = self.stage.lock() else { return };
        let all = stage.most.saturating_mul(stage.pieces).max(1) as f64;
        let done = self.bar.position();
        let &(settled, before) = self.settled.get_or_init(|| (Instant::now(), done));
        if done <= before || settled.elapsed() < KNOWN {
            return;
        }
        let whole =
            Duration::try_from_secs_f64(settled.elapsed().as_secs_f64() * all / (done - before) as f64);
        let whole = whole.unwrap_or(Duration::MAX);
        if whole < LONG || self.is_announced.swap(true, Ordering::Relaxed) {
            return;
        }
        let share = LONG.as_secs_f64() / whole.as_secs_f64();
        let tables =
            if stage.pieces > 1 { format!(" at {} tables", grouped(stage.pieces)) } else { String::new() };
        let trials = shorter(stage.most, share);
        self.bar.suspend(|| {
            note(
                self.session,
                &format!(
                    "up to {} trials{tables} may take {}; --trials {trials} takes about a minute at most",
                    grouped(stage.most),
                    HumanDuration(whole)
                ),
            );
        });
    }

    /// Takes note of a batch, and says whether to go on; `ends` if not, whatever else.
    pub(super) fn batch(&self, batch: Batch, ends: bool) -> ControlFlow<()> {
        self.bar.inc(batch.trials);
        if !self.is_announced.load(Ordering::Relaxed) && self.begun.elapsed() > 10 * KNOWN {
            self.announce();
        }
        if ends || self.session.is_ending() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether the run has been asked to end.
    pub(super) fn is_ending(&self) -> bool {
        self.session.is_ending()
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// About this share of so many trials, in one digit: at least one.
fn shorter(trials: u64, share: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the number of trials")]
    let exact = (trials as f64 * share) as u64;
    let scale = 10_u64.pow(exact.checked_ilog10().unwrap_or(0));
    (exact / scale * scale).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_digit() {
        let cases = [(1_000_000, 0.5, 500_000), (1_000_000, 0.123, 100_000), (100, 0.077, 7), (100, 1e-9, 1)];
        for (trials, share, shown) in cases {
            assert_eq!(shorter(trials, share), shown);
        }
    }
}
