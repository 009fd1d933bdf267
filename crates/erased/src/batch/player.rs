//! Plays the trials of one line-up side by side.

use std::sync::Arc;

use stopwise_engine::stream::Keys;
use stopwise_engine::trial_result::{Recording, TrialResult};
use stopwise_engine::vector_env::{Numbers, Observation, Renewal, Start, VectorEnvError};

use crate::batch_policy::{BatchPolicy, NumberType, Questions, Values, Wants};
use crate::policy::AnyPolicy;
use crate::rules::AnyRules;
use crate::vector_env::AnyVectorEnv;

/// The trials to play: with which line-up, and what to record.
pub(super) struct Job<'j> {
    pub(super) rules: &'j dyn AnyRules,
    /// A policy for every seat, or one for all of them.
    pub(super) lineup: &'j [AnyPolicy],
    pub(super) keys: &'j Keys,
    pub(super) noting: Recording,
    /// The largest number of tables.
    pub(super) width: usize,
}

/// Plays trials, each given by its number and its number for the keys, and passes on each that ends, in no particular
/// order, as one of the first line-up.
///
/// # Errors
///
/// The reason, in words, why a policy could not answer, or what was wrong with its answer.
pub(super) fn play(
    job: &Job<'_>,
    trials: impl ExactSizeIterator<Item = (u64, u64)>,
    ended: &mut dyn FnMut(&TrialResult<'_>),
) -> Result<(), String> {
    if trials.len() == 0 {
        return Ok(());
    }
    Player::new(job, trials.len()).play(trials.enumerate(), ended)
}

struct Player<'j> {
    job: &'j Job<'j>,
    tables: Box<dyn AnyVectorEnv>,
    /// The asker of each seat, as an index.
    asks: Vec<usize>,
    askers: Vec<Asker<'j>>,
    /// The index of each table's trial.
    places: Vec<usize>,
    busts: Vec<Vec<(u8, u32)>>,
    answers: Vec<Vec<u8>>,
    is_free: Vec<bool>,
    free: Vec<u32>,
    /// Tables that wait for an answer and are not yet assigned to an asker.
    waiting: Vec<u32>,
    seats: Vec<u8>,
}

/// A policy, and the tables that wait for its answers.
struct Asker<'j> {
    policy: &'j AnyPolicy,
    tables: Vec<u32>,
    actions: Vec<i64>,
    columns: Columns,
}

impl<'j> Player<'j> {
    fn new(job: &'j Job<'j>, trials: usize) -> Self {
        let width = trials.min(job.width);
        let (mut askers, mut asks): (Vec<Asker<'j>>, Vec<usize>) = (Vec::new(), Vec::new());
        for policy in job.lineup {
            let same = |asker: &Asker<'_>| match (asker.policy.batch(), policy.batch()) {
                (Some(one), Some(other)) => Arc::ptr_eq(one, other),
                _ => false,
            };
            let known = askers.iter().position(same);
            asks.push(known.unwrap_or(askers.len()));
            if known.is_none() {
                let columns = Columns::default();
                askers.push(Asker { policy, tables: Vec::new(), actions: Vec::new(), columns });
            }
        }
        let last = u32::try_from(width).expect("not that many");
        Self {
            job,
            tables: job.rules.tables(width, job.noting),
            asks,
            askers,
            places: vec![0; width],
            busts: vec![Vec::new(); width],
            answers: vec![Vec::new(); width],
            is_free: vec![true; width],
            free: (0..last).rev().collect(),
            waiting: Vec::new(),
            seats: vec![0; width],
        }
    }

    fn play(
        mut self,
        mut trials: impl Iterator<Item = (usize, (u64, u64))>,
        ended: &mut dyn FnMut(&TrialResult<'_>),
    ) -> Result<(), String> {
        let mut starts = Vec::new();
        loop {
            // Some trials are over before anything is asked.
            loop {
                starts.clear();
                while let Some(&table) = self.free.last()
                    && let Some((at, (trial, key))) = trials.next()
                {
                    self.free.pop();
                    self.places[table as usize] = at;
                    self.is_free[table as usize] = false;
                    starts.push(Start { table, trial, key });
                }
                if starts.is_empty() {
                    break;
                }
                self.tables.begin(self.job.keys, &starts);
                self.take(ended);
                let begun = starts.iter().map(|start| start.table);
                self.waiting.extend(begun.filter(|&table| !self.is_free[table as usize]));
            }
            self.sort();
            if self.askers.iter().all(|asker| asker.tables.is_empty()) {
                return Ok(());
            }
            // Texts first: so the others are asked more at once.
            let waits = |asker: &Asker<'_>| !asker.tables.is_empty();
            let text = self.askers.iter().position(|asker| waits(asker) && asker.policy.batch().is_none());
            match text {
                Some(number) => self.ask(number, ended)?,
                None => {
                    for number in 0..self.askers.len() {
                        self.ask(number, ended)?;
                    }
                }
            }
        }
    }

    /// Assigns waiting tables to the askers of their seats.
    fn sort(&mut self) {
        let Self { waiting, seats, askers, asks, .. } = self;
        let seats = &mut seats[..waiting.len()];
        let mut observation = Observation {
            seats,
            kinds: &mut [],
            masks: &mut [],
            trials: &mut [],
            states: &mut [],
            variables: &mut [],
            features: 0,
            numbers: Numbers::None,
        };
        self.tables.observe(waiting, &mut observation);
        for (table, &mut seat) in waiting.drain(..).zip(seats) {
            let asked = if asks.len() == 1 { asks[0] } else { asks[usize::from(seat)] };
            askers[asked].tables.push(table);
        }
    }

    /// Asks a policy for all tables that wait for it, and continues there.
    fn ask(&mut self, number: usize, ended: &mut dyn FnMut(&TrialResult<'_>)) -> Result<(), String> {
        let Self { askers, tables, job, .. } = self;
        let Asker { policy, tables: asked, actions, columns } = &mut askers[number];
        if asked.is_empty() {
            return Ok(());
        }
        actions.clear();
        actions.resize(asked.len(), -1);
        let of_policy = |message: String| format!("the policy {}: {message}", policy.heading().name);
        match policy.batch() {
            None => tables.answer(policy, asked, actions),
            Some(batch) => columns.ask(&**batch, &**tables, job.rules, asked, actions).map_err(of_policy)?,
        }
        tables.step(asked, actions, Renewal::Wait, &mut [], &mut []).map_err(|error| {
            of_policy(match error {
                VectorEnvError::Illegal { trial, action, kind, legal, .. } => {
                    let legal: Vec<_> =
                        legal.iter().map(|(number, name)| format!("{number} ({name})")).collect();
                    let legal = stopwise_engine::vocabulary::listed(&legal, "or");
                    format!("in trial {trial}, {action} is no legal action of `{kind}`; answer {legal}")
                }
                error @ VectorEnvError::NoDecisions { .. } => error.to_string(),
            })
        })?;
        self.take(ended);
        let asked = self.askers[number].tables.drain(..);
        self.waiting.extend(asked.filter(|&table| !self.is_free[table as usize]));
        Ok(())
    }

    /// Takes over what was recorded, and passes on the games that ended.
    fn take(&mut self, ended: &mut dyn FnMut(&TrialResult<'_>)) {
        let noted = self.tables.noted();
        for (table, seat, turn) in noted.busts.drain(..) {
            self.busts[table as usize].push((seat, turn));
        }
        for (table, answer) in noted.answers.drain(..) {
            self.answers[table as usize].push(answer);
        }
        let (finished, metrics) = (self.tables.finished(), self.job.rules.metrics().len());
        for (number, &table) in finished.tables.iter().enumerate() {
            let at = table as usize;
            let ending = finished.endings[number];
            ended(&TrialResult {
                at: self.places[at],
                lineup: 0,
                ending,
                early: self.job.rules.endings()[ending].early,
                turns: finished.turns[number],
                busts: &self.busts[at],
                answers: &self.answers[at],
                values: finished.of_all(number),
                metrics,
                stride: metrics,
            });
            self.busts[at].clear();
            self.answers[at].clear();
            self.is_free[at] = true;
            self.free.push(table);
        }
    }
}

/// The columns shown to a policy.
#[derive(Default)]
pub(super) struct Columns {
    seats: Vec<u8>,
    kinds: Vec<u8>,
    masks: Vec<u64>,
    trials: Vec<u64>,
    states: Vec<u64>,
    f32s: Vec<f32>,
    f64s: Vec<f64>,
    i64s: Vec<i64>,
}

impl Columns {
    pub(super) fn ask(
        &mut self,
        policy: &dyn BatchPolicy,
        tables: &dyn AnyVectorEnv,
        rules: &dyn AnyRules,
        asked: &[u32],
        actions: &mut [i64],
    ) -> Result<(), String> {
        let Wants { features, numbers, states, candidates } = policy.wants();
        let (count, words) = (asked.len(), tables.words());
        let known = rules.features().len();
        let wanted = (0..known).filter(|feature| features >> feature & 1 == 1).count();
        let place = |wants: bool, length: usize| if wants { length } else { 0 };
        self.seats.resize(count, 0);
        self.kinds.resize(count, 0);
        self.masks.resize(count, 0);
        self.trials.resize(count, 0);
        self.states.resize(place(states, count * words), 0);
        self.f32s.resize(place(numbers == NumberType::F32, count * wanted), 0.0);
        self.f64s.resize(place(numbers == NumberType::F64, count * wanted), 0.0);
        self.i64s.resize(place(numbers == NumberType::I64, count * wanted), 0);
        let mut observation = Observation {
            seats: &mut self.seats,
            kinds: &mut self.kinds,
            masks: &mut self.masks,
            trials: &mut self.trials,
            states: &mut self.states,
            variables: &mut [],
            features,
            numbers: match numbers {
                NumberType::F32 => Numbers::F32(&mut self.f32s),
                NumberType::F64 => Numbers::F64(&mut self.f64s),
                NumberType::I64 => Numbers::I64(&mut self.i64s),
            },
        };
        tables.observe(asked, &mut observation);
        let candidates = candidates.then(|| Arc::from(tables.candidates(asked)));
        let questions = Questions {
            seats: &self.seats,
            kinds: &self.kinds,
            masks: &self.masks,
            trials: &self.trials,
            words,
            states: &self.states,
            values: match numbers {
                NumberType::F32 => Values::F32(&self.f32s),
                NumberType::F64 => Values::F64(&self.f64s),
                NumberType::I64 => Values::I64(&self.i64s),
            },
            candidates: candidates.as_ref(),
        };
        policy.answer(&questions, actions)
    }
}
