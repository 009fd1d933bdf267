//! Law: what is solved is what is played. Exact values know a position by its state, while a trial never looks one up: rules
//! whose states keep something back, or stand in a wrong stage, give two different numbers.

use std::ops::ControlFlow;

use stopwise_analysis::estimate::Summary;
use stopwise_analysis::exact::{Limits, Objective, Solution, distribution, solve};
use stopwise_engine::game::{Action, Better, Game, Policy, Question};
use stopwise_engine::kept::Kept;
use stopwise_engine::run::{Plan, run};
use stopwise_engine::tally::Tally;

use crate::common::Whim;

const TRIALS: u64 = 20_000;

/// Positions of a variant that is quickly solved.
fn few<'w>() -> Limits<'w> {
    Limits { states: 100_000, ..Limits::default() }
}

/// One of a line-up.
#[derive(Clone, Copy, Debug)]
enum Player<'s, G: Game> {
    /// It remembers nothing, so that the walk forgets all that the rules do not need.
    Whim(Whim),
    Best(&'s Solution<G>),
    /// The same from a table that was written and read.
    Kept(&'s Kept),
}

impl<G: Game> Policy<G> for Player<'_, G> {
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action {
        match self {
            Self::Whim(whim) => whim.choose(game, game.forget(state, 0), question),
            Self::Best(solution) => solution.choose(game, state, question),
            Self::Kept(_) if question.actions.is_single() => question.actions.first(),
            Self::Kept(kept) => {
                let worths = kept.worths(game, &Objective::new(game, 0), None, (state, question));
                worths.expect("every position is known").answers().next().expect("one is best")
            }
        }
    }

    fn memory(&self) -> u32 {
        match self {
            Self::Whim(_) | Self::Kept(_) => 0,
            Self::Best(solution) => solution.memory(),
        }
    }
}

/// Who may play best in a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Free {
    /// One seat against whims, or all.
    Any,
    /// Nobody, as too many positions are open to best play, or seats decide at the same time.
    Nobody,
}

/// Holds a game to the law: whims, the first seat's best answer to them, and best play of one or two seats.
pub(crate) fn check<G: Game>(game: &G, free: Free) {
    let better = game.metrics()[0].better;
    let best = (free != Free::Nobody && game.seats() <= 2).then(|| solved(game, &vec![None; game.seats()]));
    if let Some(best) = &best {
        agree(game, &[Player::Best(best)], best.middle());
        let kept = Kept::read(game, &Objective::new(game, 0), &best.keep().into()).expect("whole");
        assert_eq!((kept.value, kept.positions), (best.middle(), best.states));
        assert!(kept.error >= best.error() && kept.is_exact(), "{}", kept.error);
        let [solved, kept] = [Player::Best(best), Player::Kept(&kept)].map(|player| played(game, &[player]));
        assert_eq!(solved, kept, "the same answers, {game:?}");
    }
    for salt in [3, 9] {
        let mut lineup: Vec<_> = (salt..).map(|salt| Player::Whim(Whim(salt))).take(game.seats()).collect();
        let mut seats: Vec<_> = lineup.iter().copied().map(Some).collect();
        let value = solved(game, &seats).middle();
        agree(game, &lineup, value);
        if free == Free::Nobody {
            continue;
        }
        seats[0] = None;
        let answer = solved(game, &seats);
        lineup[0] = Player::Best(&answer);
        agree(game, &lineup, answer.middle());
        for less in [Some(value), best.as_ref().map(Solution::middle)].into_iter().flatten() {
            assert!(is_no_worse(better, answer.middle(), less), "{} is worse than {less}", answer.middle());
        }
    }
}

fn is_no_worse(better: Better, value: f64, than: f64) -> bool {
    match better {
        Better::Higher => value >= than - 1e-9,
        Better::Lower => value <= than + 1e-9,
    }
}

fn solved<G: Game>(game: &G, seats: &[Option<Player<'_, G>>]) -> Solution<G> {
    solve(game, seats, Objective::new(game, 0), few()).expect("small enough")
}

fn played<G: Game>(game: &G, lineup: &[Player<'_, G>]) -> Tally {
    let plan = Plan { seed: 3, trials: 0..TRIALS };
    run(game, lineup, &plan, |_| ControlFlow::Continue(()))
}

/// The walk from the end that gave `value`, the walk from the start, and trials.
fn agree<G: Game>(game: &G, lineup: &[Player<'_, G>], value: f64) {
    let exact = distribution(game, lineup, few()).expect("small enough");
    assert!(
        (exact.means[0][0] - value).abs() <= 1e-9 * value.abs().max(1.0),
        "from the end {value}, from the start {}, {game:?}",
        exact.means[0][0]
    );
    let tally = played(game, lineup);
    for (seat, means) in exact.means.iter().enumerate() {
        for (metric, &mean) in means.iter().enumerate() {
            let sampled = Summary::of(&tally.seats[seat].metrics[metric]).expect("trials were played");
            let spread = sampled.std_dev.expect("many trials");
            let what = format!("{} of seat {}", game.metrics()[metric].name, seat + 1);
            same(&what, sampled.mean, mean, spread, f64::from(sampled.max));
        }
    }
    for ((ending, &count), &share) in game.endings().iter().zip(&tally.endings).zip(&exact.endings) {
        let sampled = count as f64 / TRIALS as f64;
        same(ending.name, sampled, share, (sampled * (1.0 - sampled)).sqrt(), 1.0);
    }
}

/// An empirical Bernstein bound (Maurer and Pontil, 2009, theorem 4): exceeded once in a million comparisons, and the seed is
/// fixed. The greatest value seen stands for the range.
fn same(what: &str, sampled: f64, exact: f64, spread: f64, range: f64) {
    let (n, log) = (TRIALS as f64, 4e6_f64.ln());
    let reach = spread * (2.0 * log / n).sqrt() + 7.0 * range.max(1.0) * log / (3.0 * (n - 1.0));
    assert!((sampled - exact).abs() <= reach, "{what}: sampled {sampled} ± {reach}, exact {exact}");
}
