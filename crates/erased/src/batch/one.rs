//! Single trials with a policy that answers in batches, given batches of one question.

use stopwise_engine::stream::Keys;
use stopwise_engine::trial_result::Recording;
use stopwise_engine::vector_env::{Numbers, Observation, Renewal, Start};

use super::player::Columns;
use crate::divergence::Divergence;
use crate::policy::AnyPolicy;
use crate::rules::AnyRules;
use crate::vector_env::AnyVectorEnv;

/// A trial at a table, with its line-up.
struct Single<'s> {
    rules: &'s dyn AnyRules,
    lineup: &'s [AnyPolicy],
    table: Box<dyn AnyVectorEnv>,
    columns: Columns,
    /// The number of given actions that each policy has used.
    taken: Vec<usize>,
}

/// A question and its answer.
struct Asked {
    seat: usize,
    kind: usize,
    /// The index of the policy in the line-up.
    policy: usize,
    action: i64,
}

impl<'s> Single<'s> {
    fn new(rules: &'s dyn AnyRules, lineup: &'s [AnyPolicy], seed: u64, trial: u64) -> Self {
        let mut table = rules.tables(1, Recording::Answers);
        table.begin(&Keys::new(seed), &[Start { table: 0, trial, key: trial }]);
        Self { rules, lineup, table, columns: Columns::default(), taken: vec![0; lineup.len()] }
    }

    /// The next question and its answer; `None` at the end.
    fn ask(&mut self) -> Result<Option<Asked>, String> {
        let (mut seats, mut kinds, mut masks) = ([0], [0], [0]);
        let mut observation = Observation {
            seats: &mut seats,
            kinds: &mut kinds,
            masks: &mut masks,
            trials: &mut [],
            states: &mut [],
            variables: &mut [],
            features: 0,
            numbers: Numbers::None,
        };
        self.table.observe(&[0], &mut observation);
        if masks == [0] {
            return Ok(None);
        }
        let seat = usize::from(seats[0]);
        let policy = if self.lineup.len() == 1 { 0 } else { seat };
        let mut action = [-1];
        let asked = &self.lineup[policy];
        if let Some(batch) = asked.batch() {
            self.columns.ask(&**batch, &*self.table, self.rules, &[0], &mut action)?;
        } else if let Some(actions) = asked.actions() {
            let next = actions.get(self.taken[policy]);
            action[0] = *next.ok_or_else(|| format!("{} has no further actions", asked.label()))?;
            self.taken[policy] += 1;
        } else {
            self.table.answer(asked, &[0], &mut action);
        }
        Ok(Some(Asked { seat, kind: kinds[0].into(), policy, action: action[0] }))
    }

    fn go_on(&mut self, action: i64) -> Result<(), String> {
        let step = self.table.step(&[0], &[action], Renewal::Wait, &mut [], &mut []);
        step.map_err(|error| error.to_string())
    }

    fn name(&self, action: i64) -> String {
        let legal = self.table.legal(0).into_iter();
        let named = legal.into_iter().find(|legal| i64::from(legal.0) == action);
        named.map_or_else(|| action.to_string(), |(_, name)| name)
    }
}

/// The actions of each policy of a line-up in a trial, without forced ones, in order.
///
/// # Errors
///
/// The reason, in words, why a policy could not answer, or what was wrong with its answer.
pub fn batch_actions(
    rules: &dyn AnyRules,
    lineup: &[AnyPolicy],
    seed: u64,
    trial: u64,
) -> Result<Vec<Vec<i64>>, String> {
    let mut single = Single::new(rules, lineup, seed, trial);
    let mut actions = vec![Vec::new(); lineup.len()];
    while let Some(Asked { policy, action, .. }) = single.ask()? {
        single.go_on(action)?;
        actions[policy].push(action);
    }
    Ok(actions)
}

/// The first decision of a trial on which two line-ups differ, if any.
///
/// # Errors
///
/// The reason, in words, why a policy could not answer, or what was wrong with its answer.
pub fn batch_parting(
    rules: &dyn AnyRules,
    a: &[AnyPolicy],
    b: &[AnyPolicy],
    seed: u64,
    trial: u64,
) -> Result<Option<Divergence>, String> {
    let [mut a, mut b] = [a, b].map(|lineup| Single::new(rules, lineup, seed, trial));
    loop {
        let (Some(of_a), Some(of_b)) = (a.ask()?, b.ask()?) else { return Ok(None) };
        if of_a.action == of_b.action {
            a.go_on(of_a.action)?;
            b.go_on(of_b.action)?;
            continue;
        }
        let (turn, places) = (a.table.turn(0, of_a.seat), a.table.places(0));
        return Ok(Some(Divergence {
            seat: of_a.seat,
            turn,
            kind: rules.kinds()[of_a.kind].name,
            before: a.table.noted().answers.len(),
            a: a.name(of_a.action),
            b: b.name(of_b.action),
            places,
        }));
    }
}
