//! What is shown while a grid is played: how many points are done, how fast, the best so far, the time left.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use stopwise_engine::run::Batch;

use crate::output::bar_target;
use crate::progress::{followed, many};
use crate::session::Session;

/// Follows a grid, or the comparison of its points.
#[derive(Debug)]
pub(super) struct GridProgress<'s> {
    session: &'s Session,
    bar: ProgressBar,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    done: String,
    games: u64,
    begun: Instant,
    shown: Instant,
}

impl<'s> GridProgress<'s> {
    /// Of so many games; on a terminal a bar, otherwise a line every ten seconds.
    pub(super) fn new(session: &'s Session, games: u64, quiet: bool) -> Self {
        let template = "{msg}  {bar:24}  {eta} left";
        let bar = followed(session, Some(games), bar_target(session, quiet), template, "games".into());
        let now = Instant::now();
        Self {
            session,
            bar,
            state: Mutex::new(State { done: String::new(), games: 0, begun: now, shown: now }),
        }
    }

    /// What has been done, in words.
    pub(super) fn done(&self, done: String) {
        if let Ok(mut state) = self.state.lock() {
            state.done = done;
        }
    }

    /// Takes note of a batch of trials that so many points played, and says whether to go on; `ends` if not, whatever else.
    pub(super) fn batch(&self, batch: Batch, points: usize, ends: bool) -> ControlFlow<()> {
        let Ok(mut state) = self.state.lock() else { return ControlFlow::Break(()) };
        if self.session.is_ending() {
            return ControlFlow::Break(());
        }
        state.games += batch.trials * points as u64;
        if state.shown.elapsed() > Duration::from_millis(100) {
            state.shown = Instant::now();
            let rate = many(state.games as f64 / state.begun.elapsed().as_secs_f64());
            self.bar.set_message(format!("{}  {rate} games a second", state.done));
            self.bar.set_position(state.games);
        }
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for GridProgress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
