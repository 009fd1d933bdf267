//! What is shown while the exact walk goes on: what it does, how far it has come, how long it may take.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use stopwise_analysis::exact::{Limits, Progress, Size};
use stopwise_narration::grouped;

use crate::memory::Bytes;
use crate::output::bar_target;
use crate::session::Session;

/// Follows a walk.
#[derive(Debug)]
pub(crate) struct Walking<'s> {
    session: &'s Session,
    bar: ProgressBar,
    /// The most states that may be found.
    most: usize,
    shown: Mutex<Shown>,
}

/// When the line was written last, and when what goes on began, with the states that were done by then.
#[derive(Debug)]
struct Shown {
    last: Instant,
    begun: Instant,
    done: usize,
    is_backward: bool,
}

impl<'s> Walking<'s> {
    /// On a terminal a line; otherwise nothing.
    pub(crate) fn new(session: &'s Session, limits: &Limits<'_>, quiet: bool) -> Self {
        let target = bar_target(session, quiet);
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        let shown = Shown { last: now, begun: now, done: 0, is_backward: false };
        Self { session, bar, most: limits.states, shown: Mutex::new(shown) }
    }

    /// Takes note of a step, and says whether to go on.
    pub(crate) fn step(&self, step: Progress) -> ControlFlow<()> {
        if self.session.is_ending() {
            return ControlFlow::Break(());
        }
        // Of several threads one writes; the others have better things to do than to wait.
        if let Ok(mut shown) = self.shown.try_lock()
            && shown.last.elapsed() > Duration::from_millis(100)
        {
            shown.last = Instant::now();
            self.bar.set_message(shown.line(step, self.most));
            self.bar.tick();
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Shown {
    fn line(&mut self, step: Progress, most: usize) -> String {
        let is_backward = matches!(step, Progress::Evaluate { .. } | Progress::CloseIn { .. });
        let (done, of) = match step {
            Progress::Find { size } => (size.states, most),
            Progress::Evaluate { done, states } | Progress::CloseIn { done, states, .. } => (done, states),
            Progress::Flow { states } => (states, most),
            Progress::Explore { steps } => (steps, most),
        };
        if is_backward != self.is_backward || done < self.done {
            *self = Self { last: self.last, begun: self.last, done, is_backward };
        }
        let left = self.left(done, of);
        match step {
            Progress::Find { size } => finding(&size, left),
            Progress::Evaluate { done, states } => {
                let left = left.map_or_else(String::new, |left| format!(", {} left", time(left)));
                format!("computing values: {} of {} states{left}", number(done), number(states))
            }
            Progress::CloseIn { sweeps, stage, done, states } => format!(
                "closing in on {} states, sweep {}; {} of {} known",
                number(stage),
                number(sweeps + 1),
                number(done),
                number(states)
            ),
            Progress::Flow { states } => format!("following the policy: {} states", number(states)),
            Progress::Explore { steps } => format!("exploring turns: {} steps", number(steps)),
        }
    }

    /// How long it takes from `done` to `of` as fast as up to now.
    fn left(&self, done: usize, of: usize) -> Option<Duration> {
        let took = self.begun.elapsed().as_secs_f64();
        let rate = done.saturating_sub(self.done) as f64 / took;
        let left = of.saturating_sub(done) as f64 / rate;
        (took > 0.5 && left < 1e6).then(|| Duration::from_secs_f64(left))
    }
}

/// What is greater than has been found is marked with a plus: there are so many at least.
fn finding(size: &Size, left: Option<Duration>) -> String {
    let known = if size.states_at_least > size.states {
        format!(" of {}+", number(size.states_at_least))
    } else {
        String::new()
    };
    let limit = left.map_or_else(String::new, |left| format!(", limit in {}", time(left)));
    format!(
        "finding {}{known} states, stage {} of {}+, {}{limit}",
        number(size.states),
        number(size.stages + 1),
        number(size.stages_at_least.max(size.stages + 1)),
        Bytes(size.bytes as u64)
    )
}

/// A count in three digits where it is large.
fn number(count: usize) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.into_iter().find(|(unit, _)| count >= 10_000 && count as f64 >= 0.9995 * unit) {
        None => grouped(count as u64),
        Some((unit, letter)) => {
            let value = count as f64 / unit;
            let places = if value < 9.995 {
                2
            } else if value < 99.95 {
                1
            } else {
                0
            };
            format!("{value:.places$}{letter}")
        }
    }
}

fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 100 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_three_digits() {
        let counts = [0, 9_999, 10_000, 123_456, 999_499, 999_500, 40_008_144, 5_000_000_000];
        let expected = ["0", "9,999", "10.0k", "123k", "999k", "1.00M", "40.0M", "5.00G"];
        assert_eq!(counts.map(number), expected);
    }

    /// The least terminal has 80 columns, of which the spinner and the time that has passed take six.
    #[test]
    fn lines_fit_a_terminal() {
        let size = Size {
            states: 888_888_888,
            stages: 888,
            states_at_least: 888_888_888_888,
            stages_at_least: 8_888,
            bytes: 88_888_888_888,
        };
        let now = Instant::now();
        let mut shown = Shown { last: now, begun: now, done: 0, is_backward: false };
        let (done, states, stage) = (888_888_888, 888_888_888, 888_888_888);
        for line in [
            finding(&size, Some(Duration::from_secs(88))),
            shown.line(Progress::Evaluate { done, states }, states),
            shown.line(Progress::CloseIn { sweeps: 88_888, stage, done, states }, states),
        ] {
            assert!(line.chars().count() <= 74, "{} columns: {line}", line.chars().count());
        }
    }
}
