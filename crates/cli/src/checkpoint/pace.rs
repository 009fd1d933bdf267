//! The number of trials between two looks at the clock, after which a check point may be due.

use std::time::Duration;

/// Trials are played for about so long.
const AIM: Duration = Duration::from_secs(1);
/// … or this many times as long as it takes to begin: a round robin prepares every table anew.
const FIXED: u32 = 4;
/// The first trials.
const FIRST: u64 = 64;

/// Suits the number of trials to how long they take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// So many are next.
    size: u64,
    /// The last ones, and how long they took.
    last: Option<(u64, Duration)>,
    /// How long no trials at all would take, by the last two numbers of trials.
    fixed: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { size: FIRST, last: None, fixed: Duration::ZERO }
    }
}

impl Pace {
    /// Up to where is played next.
    pub(super) fn next(&self, start: u64, end: u64) -> u64 {
        end.min(start.saturating_add(self.size))
    }

    /// So many trials took so long; the next ones may take as long as `wait`, if that is longer than they otherwise would.
    pub(super) fn took(&mut self, trials: u64, took: Duration, wait: Duration) {
        if let Some((others, theirs)) =
            self.last.replace((trials, took)).filter(|&(others, _)| others != trials)
        {
            let rate = (took.as_secs_f64() - theirs.as_secs_f64()) / (trials as f64 - others as f64);
            let fixed = took.as_secs_f64() - rate.max(0.0) * trials as f64;
            self.fixed = Duration::from_secs_f64(fixed.max(0.0));
        }
        let aim = AIM.max(self.fixed * FIXED).max(wait);
        if trials == self.size && took < aim / 2 {
            self.size = self.size.saturating_mul(2);
        } else if took > aim {
            self.size = (self.size / 2).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of trials after a while, if so many seconds are taken by none and so many by each.
    fn settled(fixed: f64, each: f64) -> u64 {
        let mut pace = Pace::default();
        for _ in 0..50 {
            let trials = pace.next(0, u64::MAX);
            pace.took(trials, Duration::from_secs_f64(fixed + each * trials as f64), Duration::ZERO);
        }
        pace.size
    }

    #[test]
    fn a_second_or_a_few_times_what_is_fixed() {
        assert!((0.5..=1.0).contains(&(1e-6 * settled(0.0, 1e-6) as f64)));
        assert_eq!(settled(0.0, 10.0), 1);
        // The fixed part is at most half of the time.
        for (fixed, each) in [(0.1, 1e-6), (3.0, 1e-3), (50.0, 1e-2), (50.0, 10.0)] {
            let played = each * settled(fixed, each) as f64;
            assert!(played >= fixed && played + fixed <= (4.0 * fixed).max(1.0), "{fixed} {played}");
        }
    }
}
