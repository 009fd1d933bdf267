//! Best play of a game under one set of rules, and the values of policies against it.

use std::sync::Arc;
use std::time::Instant;

use cpu_time::ProcessTime;
use stopwise_analysis::exact::{ExactError, Limits};
use stopwise_engine::game::Better;
use stopwise_erased::{AnyBestPlay, AnyPolicy, AnyRules, Solved};
use stopwise_narration::InWords;
use stopwise_reports::manifest::{Context, GameFile, Policy};
use stopwise_reports::solve::{AgainstBest, Worth};

use crate::args::Solve;
use crate::exact::{by_turns, failure, is_valued_by_turns};
use crate::failure::Failure;
use crate::memory;
use crate::session::Session;
use crate::threads::Threads;

/// Best play of so many states is kept beside the walks of the policies: half a gigabyte, about.
pub(super) const KEPT: usize = 4_000_000;

/// Whether best play is looked for: where it is not one number, as with three or more seats, a line-up's value still is.
pub(super) fn has_best(rules: &dyn AnyRules, policies: &[AnyPolicy]) -> bool {
    rules.has_best_play().is_ok() || policies.is_empty()
}

/// Best play, if it is one number: by a walk, or turn by turn if that values the policies too.
pub(super) fn best_play(
    rules: &dyn AnyRules,
    metric: usize,
    policies: &[AnyPolicy],
    limits: Limits<'_>,
) -> Result<Option<Arc<dyn AnyBestPlay>>, Failure> {
    if !has_best(rules, policies) {
        return Ok(None);
    }
    let best = rules.best_play(metric, limits).or_else(|error| {
        if let ExactError::TooLarge { .. } = error {
            is_valued_by_turns(rules, policies, &error)?;
            return by_turns(rules, metric, limits, error).map_err(|error| failure(rules, error));
        }
        Err(failure(rules, error))
    });
    best.map(|best| Some(Arc::from(best)))
}

/// What is known of the run.
pub(super) fn context(
    session: &Session,
    rules: &dyn AnyRules,
    policies: &[AnyPolicy],
    pool: &Threads,
    (started, cpu): (Instant, ProcessTime),
) -> Context {
    Context {
        command_line: session.command_line(),
        rules: rules.options(),
        game_text: session.game_text().as_ref().map(GameFile::new),
        policies: policies
            .iter()
            .zip(1..)
            .flat_map(|(policy, at)| Policy::of_seats(1, std::slice::from_ref(policy), Some(at)))
            .collect(),
        requested: 0,
        is_cut: false,
        stopping: None,
        runner: "exact",
        instructions: None,
        threads: pool.count(),
        wall_seconds: started.elapsed().as_secs_f64(),
        cpu_seconds: cpu.elapsed().as_secs_f64(),
    }
}

/// What the walk may take.
pub(super) fn limits(args: &Solve) -> Limits<'static> {
    let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
    Limits { states: size(args.max_states), bytes: size(memory::limit(args.memory)), ..Limits::default() }
}

/// What policies are asked for.
pub(super) struct Asked<'a> {
    pub(super) rules: &'a dyn AnyRules,
    pub(super) metric: usize,
    /// Best play, to compare answers with.
    pub(super) best: Option<Arc<dyn AnyBestPlay>>,
    pub(super) solved: Option<&'a Solved>,
}

impl Asked<'_> {
    /// Solo, the value of the policy; for two, what it is worth at the first seat against its best opponent.
    pub(super) fn worth(&self, policy: &AnyPolicy, limits: Limits<'_>) -> Result<Worth, ExactError> {
        let Self { rules, metric, best, solved } = self;
        if let (Some(best), Some(solved)) = (best, solved)
            && solved.turn_steps > 0
        {
            let found = best.losses_in_turns(policy, limits)?;
            let regret = Some((solved.value - found.value).abs());
            let (label, value, losses) = (policy.label(), found.value, Some(found.rows));
            let (answers, against_best) = (Vec::new(), Vec::new());
            return Ok(Worth {
                label,
                value,
                reply: None,
                regret,
                states: found.states,
                alone: None,
                losses,
                answers,
                against_best,
            });
        }
        let alone = || rules.distribution(std::slice::from_ref(policy), limits);
        let mut reply = None;
        let (alone, value, losses, answers) = match (best, rules.seats()) {
            (Some(best), 1) => {
                let found = best.losses(policy, limits)?;
                let value = found.distribution.means[0][*metric];
                (found.distribution, value, found.rows, found.answers)
            }
            (best, 2) => {
                let solve = || rules.solve(&[Some(policy.clone()), None], *metric, limits, 0);
                // Best play of few states is kept: then there is memory for both.
                let (alone, solved) =
                    if best.is_some() { rayon::join(alone, solve) } else { (alone(), solve()) };
                let solved = solved?;
                // The other walk has about as many states.
                if solved.states <= KEPT {
                    let replied = rules.solve(&[None, Some(policy.clone())], *metric, limits, 0);
                    reply = match replied {
                        Err(ExactError::Interrupted) => return Err(ExactError::Interrupted),
                        found => found.ok().map(|found| found.value),
                    };
                }
                (alone?, solved.value, None, Vec::new())
            }
            _ => {
                let alone = alone()?;
                let value = alone.means[0][*metric];
                (alone, value, None, Vec::new())
            }
        };
        let regret = solved.map(|solved| (solved.value - value).abs());
        let against_best = self.against_best(policy, limits)?;
        let (label, states, alone) = (policy.label(), alone.states, Some(alone));
        Ok(Worth { label, value, reply, regret, states, alone, losses, answers, against_best })
    }

    /// The policy in each of two seats with best play in the other; nothing if that is too much, or need not end.
    fn against_best(&self, policy: &AnyPolicy, limits: Limits<'_>) -> Result<Vec<AgainstBest>, ExactError> {
        let Self { rules, metric, best: Some(best), solved: Some(solved) } = self else {
            return Ok(Vec::new());
        };
        if rules.seats() != 2 {
            return Ok(Vec::new());
        }
        let is_less_better = rules.metrics()[*metric].better == Better::Lower;
        let seat = |seat| {
            let losses = best.losses_against_best(policy, seat, limits)?;
            let value = losses.distribution.means[0][*metric];
            let less = solved.value - value;
            // The second seat wants the contrary of the first.
            let regret = if is_less_better == (seat == 0) { -less } else { less };
            Ok(AgainstBest { value, regret, losses: losses.rows })
        };
        let (first, second) = rayon::join(|| seat(0), || seat(1));
        match first.and_then(|first| Ok(vec![first, second?])) {
            Err(ExactError::Interrupted) => Err(ExactError::Interrupted),
            found => Ok(found.unwrap_or_default()),
        }
    }
}
