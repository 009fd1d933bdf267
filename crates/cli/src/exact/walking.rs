//! The progress of the exact walk: its phase, the share that is done, and the time left.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use stopwise_analysis::exact::{Limits, Progress, Size};
use stopwise_narration::grouped;

use crate::memory::Bytes;
use crate::output::{bar, bar_target, note};
use crate::session::Session;

/// How long a walk is looked at before its time is told, and what is long.
const LOOKED: Duration = Duration::from_secs(8);
const LONG: Duration = Duration::from_secs(600);
/// How long nothing is told of a walk of which nothing shows that it is long.
const PATIENT: Duration = Duration::from_secs(30);

/// Follows a walk.
#[derive(Debug)]
pub(crate) struct Walking<'s> {
    session: &'s Session,
    bar: ProgressBar,
    /// The most states that may be found, and bytes that they may take.
    most: [usize; 2],
    /// What is said if that looks as if it took long, which is said once.
    instead: Mutex<Option<String>>,
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
    /// On a terminal a line; otherwise one every ten seconds; and what else to do where it looks as if it took long.
    pub(crate) fn new(
        session: &'s Session,
        limits: &Limits<'_>,
        quiet: bool,
        instead: Option<String>,
    ) -> Self {
        let bar = bar(None, bar_target(session, quiet), "{spinner} {wide_msg} {elapsed}");
        let now = Instant::now();
        let shown = Shown { last: now, begun: now, done: 0, is_backward: false };
        let instead = Mutex::new(instead.filter(|_| !quiet));
        Self { session, bar, most: [limits.states, limits.bytes], instead, shown: Mutex::new(shown) }
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
            if let Progress::Find { size } = step
                && let Some(long) = shown.long(&size, self.most)
                && let Some(instead) = self.instead.lock().ok().and_then(|mut instead| instead.take())
            {
                self.bar.suspend(|| note(self.session, &format!("{long}\n{instead}")));
            }
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Shown {
    fn line(&mut self, step: Progress, [most, bytes]: [usize; 2]) -> String {
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
        let mut left = self.left(done, of);
        match step {
            Progress::Find { size } => {
                // At the same rate, which of the limits comes first.
                let of_bytes = bytes.saturating_sub(size.bytes) as f64 / size.bytes.max(1) as f64;
                let by_bytes = self.begun.elapsed().as_secs_f64() * of_bytes;
                let by_bytes = Duration::try_from_secs_f64(by_bytes).unwrap_or(Duration::MAX);
                left = left.map(|left| left.min(by_bytes));
                finding(&size, left)
            }
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

    /// What is said of a walk that looks as if finding all states took long: a sample tells how many there are at least, and how
    /// many stages. As much of the memory is needed for all of them as of the time.
    fn long(&self, size: &Size, [states, bytes]: [usize; 2]) -> Option<String> {
        let took = self.begun.elapsed();
        let share = |known: usize, of: usize| known as f64 / of.max(known) as f64;
        let share =
            share(size.states, size.states_at_least).min(share(size.stages + 1, size.stages_at_least));
        let whole = took.as_secs_f64() / share;
        let needed = [size.states, size.bytes].map(|known| known as f64 / share);
        let looks = |what: String| format!("looks as if it took {what}");
        let what = match () {
            () if took <= LOOKED || size.states == 0 || whole >= 1e12 => return None,
            () if whole > LONG.as_secs_f64() => {
                looks(format!("{} or more", time(Duration::from_secs_f64(whole))))
            }
            () if needed[0] > states as f64 => {
                looks(format!("more than the {} states that --max-states allows", grouped(states as u64)))
            }
            () if needed[1] > bytes as f64 => {
                looks(format!("more than the {} of memory that --max-memory allows", Bytes(bytes as u64)))
            }
            () if took > PATIENT => format!("has taken {} up to now", time(took)),
            () => return None,
        };
        Some(format!(
            "finding every position {what}: {} so far are of stage {} of {} or more; it goes on to the limits, and Ctrl-C ends it",
            grouped(size.states as u64),
            grouped((size.stages + 1) as u64),
            grouped(size.stages_at_least.max(size.stages + 1) as u64)
        ))
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

    /// What shows that it is too much is told early, and what does not show after a while.
    #[test]
    fn what_is_too_much_is_told_early() {
        let since = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).expect("a time");
        let size = |stages_at_least| Size {
            states: 1_000_000,
            stages: 9,
            states_at_least: 2_000_000,
            stages_at_least,
            bytes: 1 << 30,
        };
        let said = |seconds, stages, most| {
            let begun = since(seconds);
            let shown = Shown { last: begun, begun, done: 0, is_backward: false };
            shown.long(&size(stages), most).unwrap_or_default()
        };
        assert!(said(10, 1830, [usize::MAX; 2]).contains("looks as if it took 31 min or more"));
        assert_eq!(said(10, 40, [usize::MAX, 1 << 32]), "");
        assert!(said(10, 41, [usize::MAX, 1 << 32]).contains("more than the 4.3 GB of memory"));
        assert!(said(10, 40, [2_000_000, 1 << 40]).contains("more than the 2,000,000 states"));
        assert_eq!(said(10, 40, [1 << 40; 2]), "");
        assert!(said(31, 40, [1 << 40; 2]).contains("has taken 31 s up to now"));
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
            shown.line(Progress::Evaluate { done, states }, [states; 2]),
            shown.line(Progress::CloseIn { sweeps: 88_888, stage, done, states }, [states; 2]),
        ] {
            assert!(line.chars().count() <= 74, "{} columns: {line}", line.chars().count());
        }
    }
}
