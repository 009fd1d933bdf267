//! What is shown while trials run: how many are done, how fast, the mean so far, the time left.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};
use stopwise_analysis::paired::{ALPHA, BURN_IN, TARGET};
use stopwise_analysis::sequential::{self, Design, asymptotic};
use stopwise_engine::game::Metric;
use stopwise_engine::run::Batch;
use stopwise_narration::grouped;
use stopwise_reports::tables::Watch;

use crate::output::{bar, bar_target};
use crate::session::Session;

/// A bar of so many steps with this template, shown on this target; `of` says what its steps are, for [`state`].
pub(crate) fn followed(
    session: &Session,
    steps: Option<u64>,
    target: ProgressDrawTarget,
    template: &str,
    of: String,
) -> ProgressBar {
    let bar = bar(steps, target, template).with_prefix(of);
    session.follow(&bar);
    bar
}

/// So many a second, in words: millions, or thousands and less where it is no tenth of one.
pub(crate) fn many(rate: f64) -> String {
    if rate.is_nan() || rate >= 1e5 {
        return format!("{:.2} million", rate / 1e6);
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "of few the fraction is left out"
    )]
    let whole = rate as u64;
    let unit = 10_u64.pow(whole.checked_ilog10().unwrap_or(0).saturating_sub(2));
    grouped(whole / unit * unit)
}

/// How far a call is that is followed by this bar, in a line.
pub(crate) fn state(followed: Option<ProgressBar>) -> String {
    let Some(bar) = followed.filter(|bar| !bar.is_finished()) else {
        return "nothing is being played at the moment".into();
    };
    let of = bar.length().map_or_else(String::new, |length| format!(" of {}", grouped(length)));
    let state = format!("{}{of} {}  {}", grouped(bar.position()), bar.prefix(), bar.message());
    state.trim_end().to_owned()
}

/// How often a step that takes long is shown.
const TICK: Duration = Duration::from_millis(500);

/// On a terminal nothing is shown of a run that is over within this time.
const SHOWN_AFTER: Duration = Duration::from_millis(500);

/// Follows a run.
#[derive(Debug)]
pub(crate) struct Progress<'s> {
    session: &'s Session,
    bar: ProgressBar,
    quiet: bool,
    metric: Metric,
    state: Mutex<Sums>,
}

/// Follows a number of steps of which each takes a moment: nothing is shown of those that are soon over.
#[derive(Debug)]
pub(crate) struct Steps<'s> {
    session: &'s Session,
    bar: ProgressBar,
    begun: Instant,
    quiet: bool,
}

impl<'s> Steps<'s> {
    /// Of so many; `done` says what has been done with those that are over.
    pub(crate) fn new(session: &'s Session, done: &str, steps: usize, quiet: bool) -> Self {
        let template = "{human_pos} of {human_len} {prefix}  {bar:24}  {msg}  {eta} left";
        let bar = followed(session, Some(steps as u64), ProgressDrawTarget::hidden(), template, done.into());
        Self { session, bar, begun: Instant::now(), quiet }
    }

    /// Acts for a step; after a second it is shown on `what`, however long the step takes.
    pub(crate) fn during<T>(&self, what: String, act: impl FnOnce() -> T) -> T {
        self.bar.set_message(what);
        thread::scope(|scope| {
            let (ended, wait) = mpsc::channel::<()>();
            let show = move || {
                while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    self.show();
                    self.bar.tick();
                }
            };
            // Without a thread it is shown when it is over.
            let _ = thread::Builder::new().name("progress".into()).spawn_scoped(scope, show);
            let done = act();
            drop(ended);
            done
        })
    }

    /// One more is over.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
        self.show();
    }

    /// So many are over.
    pub(crate) fn at(&self, steps: usize) {
        self.bar.set_position(steps as u64);
        self.show();
    }

    fn show(&self) {
        if !self.quiet && self.bar.is_hidden() && self.begun.elapsed() > Duration::from_secs(1) {
            self.bar.set_draw_target(bar_target(self.session, self.quiet));
        }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Follows large tables while they are made, one after the other.
#[derive(Debug)]
pub(crate) struct Making<'s> {
    session: &'s Session,
    /// The file of the last one.
    last: Mutex<(&'static str, Steps<'s>)>,
}

impl<'s> Making<'s> {
    pub(crate) fn new(session: &'s Session, quiet: bool) -> Self {
        Self { session, last: Mutex::new(("", Steps::new(session, "", 0, quiet))) }
    }
}

impl Watch for Making<'_> {
    fn is_ending(&self) -> bool {
        self.session.is_ending()
    }

    fn made(&self, file: &'static str, rows: usize, of: usize) {
        // One thread is enough to tell.
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.0 != file {
            last.1.finish();
            *last = (file, Steps::new(self.session, &format!("rows of {file} made"), of, last.1.quiet));
        }
        last.1.at(rows);
    }
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        if let Ok(last) = self.last.get_mut() {
            last.1.finish();
        }
    }
}

#[derive(Debug)]
struct Sums {
    /// Trials that nobody plays now, because they are known.
    known: u64,
    trials: u64,
    sum: u128,
    squares: u128,
    begun: Instant,
    shown: Instant,
}

impl Sums {
    /// The mean so far of a metric, with limits that bear being looked at all the time: whoever sees them may stop the run.
    fn estimate(&self, metric: Metric) -> String {
        let sums = sequential::Sums {
            trials: self.trials,
            sum: i128::try_from(self.sum).unwrap_or(i128::MAX),
            squares: self.squares,
        };
        let mean = sums.moments().map_or(0.0, |(mean, _)| mean);
        let high = asymptotic(&sums, BURN_IN, Design::new(ALPHA, TARGET)).high;
        let read = |number: f64| number / f64::from(metric.whole());
        let reach = if high.is_finite() { format!(" ± {:.3}", read(high - mean)) } else { String::new() };
        format!("{} {:.3}{reach}", metric.name, read(mean))
    }
}

impl<'s> Progress<'s> {
    /// On a terminal a bar; otherwise a line every ten seconds.
    pub(crate) fn new(session: &'s Session, trials: u64, metric: Metric, quiet: bool) -> Self {
        let template = "{human_pos} of {human_len} {prefix}  {bar:24}  {msg}  {eta} left";
        Self::with(session, Some(trials), template, metric, quiet)
    }

    /// The same for a run of which nobody knows how long it will be.
    pub(crate) fn open_ended(session: &'s Session, metric: Metric, quiet: bool) -> Self {
        Self::with(session, None, "{human_pos} {prefix}  {spinner}  {msg}  {elapsed}", metric, quiet)
    }

    fn with(session: &'s Session, trials: Option<u64>, template: &str, metric: Metric, quiet: bool) -> Self {
        let of = if trials == Some(1) { "trial" } else { "trials" };
        let target = match session.caller() {
            Some(_) => bar_target(session, quiet),
            None => ProgressDrawTarget::hidden(),
        };
        let bar = followed(session, trials, target, template, of.into());
        let now = Instant::now();
        let sums = Sums { known: 0, trials: 0, sum: 0, squares: 0, begun: now, shown: now };
        Self { session, bar, quiet, metric, state: Mutex::new(sums) }
    }

    /// So many trials are over before the next one is played: those of them that were not played here are known, and say
    /// nothing of how fast this is.
    pub(crate) fn reach(&self, trials: u64) {
        let Ok(mut sums) = self.state.lock() else { return };
        let known = trials.saturating_sub(sums.trials);
        if known != sums.known {
            sums.known = known;
            self.bar.set_position(trials);
            self.bar.reset_eta();
        }
    }

    /// Takes note of a batch, and says whether to go on; `ends` if not, whatever else.
    pub(crate) fn batch(&self, batch: Batch, ends: bool) -> ControlFlow<()> {
        if self.session.is_ending() {
            return ControlFlow::Break(());
        }
        let Ok(mut sums) = self.state.lock() else {
            return ControlFlow::Break(());
        };
        sums.trials += batch.trials;
        sums.sum += u128::from(batch.sum);
        sums.squares += batch.squares;
        if sums.shown.elapsed() > Duration::from_millis(100) {
            sums.shown = Instant::now();
            let rate = many(sums.trials as f64 / sums.begun.elapsed().as_secs_f64());
            // A line that is written meanwhile has what stands there: the place first.
            self.bar.set_position(sums.known + sums.trials);
            self.bar.set_message(format!("{rate} a second  {}", sums.estimate(self.metric)));
            if self.bar.is_hidden() && !self.quiet && sums.begun.elapsed() > SHOWN_AFTER {
                self.bar.set_draw_target(bar_target(self.session, self.quiet));
            }
        }
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use stopwise_engine::game::Role;

    use super::*;

    #[test]
    fn rates_in_three_digits() {
        let rates = [0.0, 7.9, 123.4, 12_345.6, 99_999.9, 100_000.0, 12_345_678.0];
        let expected = ["0", "7", "123", "12,300", "99,900", "0.10 million", "12.35 million"];
        assert_eq!(rates.map(many), expected);
    }

    /// Of four games two seats share one and the first wins one: 6 + 12 of 12 parts each, so 3 of 8.
    #[test]
    fn shares_of_wins_are_parts_of_one() {
        let now = Instant::now();
        let sums = Sums { known: 0, trials: 4, sum: 6 + 12, squares: 36 + 144, begun: now, shown: now };
        let share = Metric { role: Role::Share(12), ..Metric::end("share", "wins", "") };
        assert_eq!(sums.estimate(share), "share 0.375");
    }
}
