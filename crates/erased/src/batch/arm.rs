//! An arm with a policy that answers in batches.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use stopwise_engine::arms::Arm;
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::run::TallyArm;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial_result::{Recording, TrialResult};

use super::player::{Job, play};
use crate::arm::AnyArm;
use crate::policy::AnyPolicy;
use crate::rules::AnyRules;

/// The number of games side by side: enough that a call costs little per question, few enough that all stay in the
/// cache.
const WIDTH: usize = 1024;

/// The number of games of a line-up with which a thread begins. What a call costs is much more than what a question does.
const AT_ONCE: u64 = 16;

/// Rules with line-ups that take turns, played side by side. The results are those of a
/// [`TypedArm`](crate::arm::TypedArm) whose policies give the same answers.
#[derive(Debug)]
pub(crate) struct BatchArm {
    rules: Arc<dyn AnyRules>,
    lineups: Vec<Vec<AnyPolicy>>,
    /// The reason why it could not continue.
    failure: Mutex<Option<String>>,
}

impl BatchArm {
    pub(crate) fn new(rules: Arc<dyn AnyRules>, lineups: &[Vec<AnyPolicy>]) -> Self {
        Self { rules, lineups: lineups.to_vec(), failure: Mutex::new(None) }
    }

    /// Plays trials of a line-up, unless a policy has failed before.
    fn play(
        &self,
        lineup: usize,
        keys: &Keys,
        trials: impl ExactSizeIterator<Item = (u64, u64)>,
        noting: Recording,
        ended: &mut dyn FnMut(&TrialResult<'_>),
    ) {
        if self.failure().is_some() {
            return;
        }
        let job = Job { rules: &*self.rules, lineup: &self.lineups[lineup], keys, noting, width: WIDTH };
        if let Err(message) = play(&job, trials, ended) {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(message);
        }
    }
}

impl Arm for BatchArm {
    fn lineups(&self) -> usize {
        self.lineups.len()
    }

    fn tally(&self) -> Tally {
        self.rules.tally()
    }

    fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        self.rules.bounds(metric)
    }

    fn early(&self) -> Vec<bool> {
        self.rules.endings().iter().map(|ending| ending.early).collect()
    }

    fn at_once(&self) -> u64 {
        AT_ONCE * self.lineups.len() as u64
    }

    fn block(
        &self,
        keys: &Keys,
        trials: &Range<u64>,
        noting: Recording,
        ended: &mut dyn FnMut(&TrialResult<'_>),
    ) {
        let turns = self.lineups.len();
        for (first, start) in trials.clone().take(turns).enumerate() {
            let lineup = stopwise_engine::rotation::rotation_of(start, turns);
            let places = (trials.end - start).div_ceil(turns as u64);
            let numbers = (0..usize::try_from(places).expect("a block is small"))
                .map(|number| start + (number * turns) as u64);
            self.play(lineup, keys, numbers.map(|number| (number, number)), noting, &mut |end| {
                ended(&TrialResult { at: first + end.at * turns, lineup, ..*end });
            });
        }
    }
}

impl TallyArm for BatchArm {
    fn batch(&self, lineup: usize, keys: &Keys, trials: Range<u64>, tally: &mut Tally) {
        let turns = self.lineups.len() as u64;
        let count = usize::try_from(trials.end - trials.start).expect("a batch is small");
        let numbers = (0..count).map(|number| {
            let key = trials.start + number as u64;
            (key * turns + lineup as u64, key)
        });
        self.play(lineup, keys, numbers, Recording::Busts, &mut |end| tally.enter(end));
    }
}

impl AnyArm for BatchArm {
    fn use_lanes(&mut self, _: InstructionSet) -> Result<(), String> {
        let mut policies = self.lineups.iter().flatten();
        let name =
            policies.find(|policy| policy.batch().is_some()).map_or("", |policy| &policy.heading().name);
        Err(format!("the policy {name} answers in batches"))
    }

    fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
