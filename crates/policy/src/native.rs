//! A few shipped policies written in Rust: the baseline for measuring the cost of text policies. Tests check that both
//! make the same choices.

use stopwise_engine::game::{Action, Actions, LineupJob, Policy, Question};
use stopwise_engine::games::carbonite::{self, Carbonite, MARK, STOP};
use stopwise_engine::games::icedice::{self, IceDice};
use stopwise_engine::games::pig::{self, Pig};
use stopwise_engine::vocabulary::Vocabulary;

/// The policies by value: behind references their numbers would be loaded again at every decision.
fn by_value<P: Copy>(lineup: &[&P]) -> Vec<P> {
    lineup.iter().map(|policy| **policy).collect()
}

/// `first:k=…`: stop when the Counter holds `k` pieces.
#[derive(Clone, Copy, Debug)]
pub struct First {
    /// Pieces on the Counter.
    pub k: u32,
}

impl Policy<Carbonite> for First {
    #[inline(always)]
    fn choose(&self, _: &Carbonite, state: carbonite::State, question: Question) -> Action {
        match question.kind {
            STOP => Action::from(state.counter_count() >= self.k),
            _ => question.actions.first(),
        }
    }

    fn memory(&self) -> u32 {
        0
    }

    fn with_quickest<J: LineupJob<Carbonite>>(lineup: &[&Self], job: J) -> J::Output {
        job.run(&by_value(lineup))
    }
}

/// `stop-at:k=…` of `IceDice`.
impl Policy<IceDice> for First {
    #[inline(always)]
    fn choose(&self, _: &IceDice, state: icedice::State, question: Question) -> Action {
        match question.kind {
            icedice::STOP => Action::from(state.counter_count() >= self.k),
            _ => question.actions.first(),
        }
    }

    fn memory(&self) -> u32 {
        0
    }

    fn with_quickest<J: LineupJob<IceDice>>(lineup: &[&Self], job: J) -> J::Output {
        job.run(&by_value(lineup))
    }
}

/// `tidy:k=…`: stop at `k` pieces, with preferences for `take` and `mark`.
#[derive(Clone, Copy, Debug)]
pub struct Tidy {
    /// Pieces on the Counter.
    pub k: u32,
}

/// The candidates of `left` that are in `mask`, or all of `left` if there are none.
#[inline(always)]
fn prefer(left: u64, mask: u64) -> u64 {
    let kept = left & mask;
    if kept == 0 { left } else { kept }
}

impl Policy<Carbonite> for Tidy {
    #[inline(always)]
    fn choose(&self, game: &Carbonite, state: carbonite::State, question: Question) -> Action {
        if question.kind == STOP {
            return Action::from(state.counter_count() >= self.k);
        }
        // In the order of `Carbonite::PREDICATES`.
        let [from_bank, _, _, _, _, solid, pair, missing, started, ..] =
            game.predicates(state, question.kind, 0x1FF);
        let all = question.actions.0;
        let left = if question.kind == MARK {
            [!missing, !started].into_iter().fold(all, prefer)
        } else {
            [from_bank, pair, solid, missing, started].into_iter().fold(all, prefer)
        };
        Actions(left).first()
    }

    fn memory(&self) -> u32 {
        0
    }

    fn with_quickest<J: LineupJob<Carbonite>>(lineup: &[&Self], job: J) -> J::Output {
        job.run(&by_value(lineup))
    }
}

/// `hold:n=…`: hold at `n` points, or at fewer points that win.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    /// Points of the turn.
    pub n: u32,
}

impl Policy<Pig> for Hold {
    #[inline(always)]
    fn choose(&self, game: &Pig, state: pig::State, _: Question) -> Action {
        let total = state.turn_total();
        Action::from((total >= self.n) | (state.score() + total >= u32::from(game.goal)))
    }

    fn memory(&self) -> u32 {
        0
    }

    fn with_quickest<J: LineupJob<Pig>>(lineup: &[&Self], job: J) -> J::Output {
        job.run(&by_value(lineup))
    }
}
