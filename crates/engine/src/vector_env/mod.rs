//! Games side by side, each of which stops at every decision: for callers that answer many decisions at once.
//!
//! A table plays one trial at a time. It rolls as [`trial`](crate::trial::trial) does, with the same words in the same
//! order, and answers forced decisions itself. So a table whose questions are answered as a policy would answer them
//! plays, bit for bit, the game that the policy plays in the trial of that number, with the same metrics. The number of
//! other tables and the order in which they are asked do not affect results.
//!
//! The observation at a decision is written into the caller's columns ([`Observation`]), one element per table; games
//! that ended are in [`Finished`]. Steps do not allocate.
//!
//! **Numbers of trials.** [`Tables::reset`] begins trial *first* + *i* at table *i*. Each of *n* tables continues with
//! the trial whose number is *n* larger ([`Renewal`]), so the trials of a table do not depend on how long games take. A
//! trial without any decision is skipped.
//!
//! **Rewards** are what a step adds to a metric of a seat ([`Tables::reward`]), the first one unless another is chosen,
//! negated if less is better: over a trial they add up to the metric, or to its negative. In solitaire games they come as the
//! metric is counted, or as [`Game::score_so_far`] reports it; what happens before the first decision is part of the first
//! step's reward, or is left out ([`Rewarded`]). With several seats, and of metrics besides the first that are not counted, the
//! whole reward comes at the end.
//!
//! **Policies in seats** ([`VectorEnv::seat`]) answer for themselves; a caller answers for the other seats.

mod error;
mod finished;
mod observation;
mod recorded;

use std::fmt::Debug;
use std::hash::Hash;

pub use error::VectorEnvError;
pub use finished::Finished;
pub use observation::{Numbers, Observation};
pub use recorded::Recorded;

use crate::chance::Chance;
use crate::game::{Action, Actions, Better, Event, Game, MAX_METRICS, Node, Policy, Question, Seat, Source};
use crate::stream::{Keys, Stream, WordSource};
use crate::trial_result::{Recording, measure_seat};
use crate::vocabulary::{CandidateColumn, Candidates, Feature, Kept, Prose, Vocabulary, candidate_columns};
use observation::{BLOCK, MAX_FEATURES, Packer};
use recorded::Counter;

/// What a table does when its game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// Waits for [`Tables::begin`]; actions for it are ignored.
    Wait,
    /// The step that ends the game begins the table's next trial.
    SameStep,
    /// The next step begins the next trial, whatever the action, with reward 0.
    NextStep,
}

/// What the rewards of a game add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewarded {
    /// The whole metric: the first step's reward has what was before the first decision.
    Game,
    /// What came after the first decision.
    Decisions,
}

/// A trial to begin at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The index of the table.
    pub table: u32,
    /// The trial's number, as reported.
    pub trial: u64,
    /// The trial's number for the keys, which differs if the keys are those of a share ([`Keys::every`]).
    pub key: u64,
}

/// Games side by side, of whatever game: a call serves all tables.
pub trait Tables: Debug + Send {
    /// The number of tables.
    fn tables(&self) -> usize;
    /// The number of words of a state.
    fn words(&self) -> usize;
    /// The games that ended in the last call, in the order in which the tables were given.
    fn finished(&self) -> &Finished;
    /// The recorded events; they accumulate until they are cleared.
    fn noted(&mut self) -> &mut Recorded;
    /// The metric that is the reward, by its index, and which part of it, in all games that begin from now on; at first the
    /// whole of the first metric.
    ///
    /// # Panics
    ///
    /// If there is no such metric.
    fn reward(&mut self, metric: usize, rewarded: Rewarded);
    /// Begins trial `first` + *i* of `seed` at table *i*, or the table's next trial that has a decision.
    ///
    /// # Errors
    ///
    /// If no such trial was found.
    fn reset(&mut self, seed: u64, first: u64) -> Result<(), VectorEnvError>;
    /// Begins trials at some of the tables. A trial without any decision ends at once, and is among the finished games.
    ///
    /// # Panics
    ///
    /// If a table does not exist.
    fn begin(&mut self, keys: &Keys, starts: &[Start]);
    /// Applies one action at each of some tables and continues each to its next decision or its end.
    ///
    /// `rewards` has one column per seat, one after the other, each with one element per table. `ended` says at which
    /// tables a game ended in this step. Both may be empty. Tables whose games are over ignore their action.
    ///
    /// # Errors
    ///
    /// If an action is illegal; then no table has moved. If a table finds no further trial with a decision.
    ///
    /// # Panics
    ///
    /// If a column is too short, or a table does not exist.
    fn step(
        &mut self,
        tables: &[u32],
        actions: &[i64],
        renewal: Renewal,
        rewards: &mut [f64],
        ended: &mut [bool],
    ) -> Result<(), VectorEnvError>;
    /// The legal actions of a table, by index and name; none if its game is over.
    fn legal(&self, table: usize) -> Vec<(u32, String)>;
    /// The number of the seat's turn at a table, from 1; 0 before its first.
    fn turn(&self, table: usize, seat: Seat) -> u32;
    /// The contents of every place at a table, as the deciding seat sees them.
    fn places(&self, table: usize) -> Vec<(&'static str, String)>;
    /// Writes the observations of some tables at their decisions, one element per table in every column, in the given
    /// order.
    ///
    /// A table whose game is over has no legal actions; its other values are those of its last question.
    ///
    /// # Panics
    ///
    /// If a column is too short, or a table does not exist.
    fn observe(&self, tables: &[u32], observation: &mut Observation<'_>);
    /// The candidates of the questions of some tables, in the given order; a table whose game is over has none.
    ///
    /// # Panics
    ///
    /// If a table does not exist.
    fn candidates(&self, tables: &[u32]) -> Box<dyn Candidates>;
}

/// Tables of a game, numbered from 0. Seats that have a policy `P` are not asked: it answers at once.
#[derive(Clone, Debug)]
pub struct VectorEnv<G: Game, P> {
    game: G,
    /// The policy of each seat that has one; may be shorter.
    policies: Vec<Option<P>>,
    /// The index of the metric that is the reward.
    metric: usize,
    rewarded: Rewarded,
    keys: Keys,
    seats: usize,
    tables: Vec<SubEnv<G>>,
    /// Table by table, then seat by seat.
    streams: Vec<Stream>,
    /// The same for policies that answer by chance, in games as text.
    answers: Vec<Stream>,
    /// Table by table, the stream of the seat that is asked, after who answered last by chance has drawn from it.
    drawn: Vec<Option<Stream>>,
    counts: Vec<[u32; Event::COUNT]>,
    features: Vec<Feature>,
    columns: Vec<CandidateColumn>,
    tells_variables: bool,
    /// The number of words of a state.
    words: usize,
    finished: Finished,
    noting: Recording,
    noted: Recorded,
}

/// One table.
#[derive(Clone, Copy, Debug)]
struct SubEnv<G: Game> {
    /// The state of the last question. When the game ends, the final state is measured and not kept.
    state: G::State,
    trial: u64,
    /// The legal actions as bits; none if the game is over.
    actions: u64,
    /// In solitaire games, the rewards so far.
    so_far: u32,
    seat: u8,
    kind: u8,
    /// Whether a question was ever asked at this table.
    is_asked: bool,
}

impl<G: Vocabulary + Prose, P: Policy<G> + Debug + Send> Tables for VectorEnv<G, P> {
    fn tables(&self) -> usize {
        self.tables.len()
    }

    fn words(&self) -> usize {
        self.words
    }

    fn finished(&self) -> &Finished {
        &self.finished
    }

    fn noted(&mut self) -> &mut Recorded {
        &mut self.noted
    }

    fn reward(&mut self, metric: usize, rewarded: Rewarded) {
        assert!(metric < self.game.metrics().len(), "a metric of the game");
        (self.metric, self.rewarded) = (metric, rewarded);
    }

    fn reset(&mut self, seed: u64, first: u64) -> Result<(), VectorEnvError> {
        self.keys = Keys::new(seed);
        self.finished.clear();
        (0..self.tables.len()).try_for_each(|table| self.find(table, first.wrapping_add(table as u64)))
    }

    fn begin(&mut self, keys: &Keys, starts: &[Start]) {
        self.keys = *keys;
        self.finished.clear();
        for start in starts {
            self.begin_one(start.table as usize, start.trial, start.key);
            self.enter_if_over(start.table as usize);
        }
    }

    fn step(
        &mut self,
        tables: &[u32],
        actions: &[i64],
        renewal: Renewal,
        rewards: &mut [f64],
        ended: &mut [bool],
    ) -> Result<(), VectorEnvError> {
        assert_eq!(tables.len(), actions.len(), "an action a table");
        self.check(tables, actions)?;
        self.finished.clear();
        for (at, (&table, &action)) in tables.iter().zip(actions).enumerate() {
            let table = table as usize;
            let was_over = self.tables[table].actions == 0;
            if !was_over {
                self.go_on(table, Some(Action(1 << action)));
            }
            let is_over = self.tables[table].actions == 0;
            if !rewards.is_empty() {
                for seat in 0..self.seats {
                    rewards[seat * tables.len() + at] =
                        if was_over { 0.0 } else { self.brought(table, seat, is_over) };
                }
            }
            if !ended.is_empty() {
                ended[at] = is_over && !was_over;
            }
            if is_over {
                match (renewal, was_over) {
                    (_, false) => {
                        self.enter_if_over(table);
                        if renewal == Renewal::SameStep {
                            self.find_next(table)?;
                        }
                    }
                    (Renewal::NextStep, true) => self.find_next(table)?,
                    (Renewal::Wait | Renewal::SameStep, true) => {}
                }
            }
        }
        Ok(())
    }

    fn legal(&self, table: usize) -> Vec<(u32, String)> {
        let SubEnv { state, actions, kind, .. } = self.tables[table];
        let name = |action| self.game.describe_action(&state, kind.into(), action);
        Actions(actions).iter().map(|action| (action.index(), name(action))).collect()
    }

    fn turn(&self, table: usize, seat: Seat) -> u32 {
        self.counts[table * self.seats + seat][Event::TURN.index()]
    }

    fn places(&self, table: usize) -> Vec<(&'static str, String)> {
        self.game.describe_state(&self.game.seen(self.tables[table].state))
    }

    fn observe(&self, tables: &[u32], observation: &mut Observation<'_>) {
        for (at, &table) in tables.iter().enumerate() {
            let SubEnv { trial, actions, seat, kind, .. } = self.tables[table as usize];
            observation.question(at, seat, kind, actions, trial);
        }
        if !observation.states.is_empty() {
            let rows = observation.states.chunks_exact_mut(self.words);
            for (&table, row) in tables.iter().zip(rows) {
                Packer::pack(&self.game.seen(self.tables[table as usize].state), row);
            }
        }
        if !observation.variables.is_empty() {
            let width = observation.variables.len() / tables.len().max(1);
            let rows = observation.variables.chunks_exact_mut(width.max(1));
            for (&table, row) in tables.iter().zip(rows) {
                let SubEnv { state, seat, is_asked, .. } = &self.tables[table as usize];
                if *is_asked {
                    self.game.write_variables(state, (*seat).into(), row);
                }
            }
        }
        let wanted = observation.wanted(&self.features);
        if wanted == 0 {
            return;
        }
        let mut values = [[0; BLOCK]; MAX_FEATURES];
        for (number, block) in tables.chunks(BLOCK).enumerate() {
            for (at, &table) in block.iter().enumerate() {
                let SubEnv { state, is_asked, .. } = self.tables[table as usize];
                if is_asked {
                    self.game.each_feature(state, wanted, &mut |feature, value| {
                        values[feature % MAX_FEATURES][at] = value;
                    });
                }
            }
            observation.numbers.write(
                number * BLOCK,
                block.len(),
                tables.len(),
                wanted,
                &values,
                &self.features,
            );
        }
    }

    fn candidates(&self, tables: &[u32]) -> Box<dyn Candidates> {
        // A game that tells nothing of them has no reader.
        let tables = if self.columns.is_empty() && !self.tells_variables { &[] } else { tables };
        let asked =
            |&table: &u32| self.question(table as usize).map(|(_, state, question)| (state, question));
        let questions = tables.iter().map(asked).collect();
        Box::new(Kept { game: self.game, columns: self.columns.clone(), questions })
    }
}

impl<G: Vocabulary + Prose, P: Policy<G> + Debug + Send> VectorEnv<G, P> {
    /// This number of tables, with no trial begun and a policy in no seat.
    ///
    /// # Panics
    ///
    /// If the number is 0 or more than 2³² − 1.
    pub fn new(game: &G, tables: usize, noting: Recording) -> Self {
        assert!(tables > 0 && u32::try_from(tables).is_ok(), "at least one table, and fewer than 2³²");
        let keys = Keys::new(0);
        let seats = game.seats();
        let (Node::Decision(state, _) | Node::Chance(state, ..) | Node::Terminal(state)) = game.root(&mut ());
        let table = SubEnv { state, trial: 0, actions: 0, so_far: 0, seat: 0, kind: 0, is_asked: false };
        Self {
            game: *game,
            policies: Vec::new(),
            metric: 0,
            rewarded: Rewarded::Game,
            keys,
            seats,
            tables: vec![table; tables],
            streams: vec![keys.stream(0, 0); tables * seats],
            answers: vec![keys.answers(0, 0); if const { G::SHAPE.is_text } { tables * seats } else { 0 }],
            drawn: vec![None; if const { G::SHAPE.is_text } { tables } else { 0 }],
            counts: vec![[0; Event::COUNT]; tables * seats],
            features: game.features(),
            columns: candidate_columns(game),
            tells_variables: game.variables().is_some(),
            words: Packer::words(&state),
            finished: Finished::new(seats, game.metrics().len()),
            noting,
            noted: Recorded::default(),
        }
    }

    /// Seats policies, by the order of the seats: in every game that begins from now on, a table stops at the questions of the
    /// other seats alone.
    pub fn seat(&mut self, policies: Vec<Option<P>>) {
        self.policies = policies;
    }

    /// Begins the next trial of a table, from this one on, that has a decision.
    fn find(&mut self, table: usize, trial: u64) -> Result<(), VectorEnvError> {
        let mut trial = trial;
        for _ in 0..error::PATIENCE {
            self.begin_one(table, trial, trial);
            if self.tables[table].actions != 0 {
                return Ok(());
            }
            trial = trial.wrapping_add(self.tables.len() as u64);
        }
        Err(VectorEnvError::NoDecisions { trial })
    }

    fn find_next(&mut self, table: usize) -> Result<(), VectorEnvError> {
        self.find(table, self.tables[table].trial.wrapping_add(self.tables.len() as u64))
    }

    fn begin_one(&mut self, table: usize, trial: u64, key: u64) {
        let seats = table * self.seats..(table + 1) * self.seats;
        for (seat, stream) in self.streams[seats.clone()].iter_mut().enumerate() {
            *stream = self.keys.stream(key, seat);
        }
        for (seat, stream) in self.answers.iter_mut().skip(seats.start).take(self.seats).enumerate() {
            *stream = self.keys.answers(key, seat);
        }
        self.counts[seats].fill([0; Event::COUNT]);
        self.tables[table].trial = trial;
        self.tables[table].so_far = 0;
        self.go_on(table, None);
        if self.rewarded == Rewarded::Decisions && self.tables[table].actions != 0 {
            self.brought(table, 0, false);
        }
    }

    /// Checks that all actions are legal, before any table moves.
    fn check(&self, tables: &[u32], actions: &[i64]) -> Result<(), VectorEnvError> {
        let is_legal = |table: &SubEnv<G>, action: i64| {
            table.actions == 0 || (0..64).contains(&action) && table.actions >> action & 1 == 1
        };
        let mut pairs = tables.iter().zip(actions);
        match pairs.find(|&(&table, &action)| !is_legal(&self.tables[table as usize], action)) {
            None => Ok(()),
            Some((&table, &action)) => Err(self.illegal(table as usize, action)),
        }
    }

    #[cold]
    fn illegal(&self, table: usize, action: i64) -> VectorEnvError {
        let SubEnv { trial, kind, .. } = self.tables[table];
        VectorEnvError::Illegal {
            table,
            trial,
            action,
            kind: self.game.info().kinds[usize::from(kind)].name,
            legal: self.legal(table),
        }
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The question of a table and the state in which it is asked; `None` if its game is over.
    #[inline(always)]
    pub fn question(&self, table: usize) -> Option<(&G, G::State, Question)> {
        let SubEnv { state, actions, seat, kind, .. } = self.tables[table];
        let question = Question { seat: seat.into(), kind: kind.into(), actions: Actions(actions) };
        (actions != 0).then_some((&self.game, state, question))
    }

    /// What a policy answers at a table; `None` if its game is over. Asked again, one that answers by chance draws the same; the
    /// next question of the seat is drawn after what was drawn last for this one, as in the trial.
    pub fn ask(&mut self, table: usize, policy: &impl Policy<G>) -> Option<Action> {
        let (_, state, question) = self.question(table)?;
        if const { G::SHAPE.is_text } && policy.is_by_chance(question.kind) {
            let mut answers = self.answers[table * self.seats + question.seat].clone();
            let action = policy.draw(&self.game, &state, question, &mut || answers.word(question.seat));
            self.drawn[table] = Some(answers);
            return Some(action);
        }
        Some(policy.choose(&self.game, state, question))
    }

    /// Applies an answer, or begins, and continues to the next decision with a choice, or to the end.
    #[inline(never)]
    fn go_on(&mut self, at: usize, answer: Option<Action>) {
        if let Some(drawn) = self.drawn.get_mut(at).and_then(Option::take)
            && answer.is_some()
        {
            self.answers[at * self.seats + usize::from(self.tables[at].seat)] = drawn;
        }
        let Self { game, policies, tables, seats, noting, noted, .. } = self;
        let range = at * *seats..(at + 1) * *seats;
        let (table, streams) = (&mut tables[at], &mut self.streams[range.clone()]);
        let answers = self.answers.get_mut(range.clone()).unwrap_or_default();
        #[allow(clippy::cast_possible_truncation, reason = "there are fewer tables")]
        let number = at as u32;
        let busts = (*noting != Recording::Nothing).then_some(&mut noted.busts);
        let mut counter = Counter { counts: &mut self.counts[range], table: number, busts };
        let mut note = |action: Action| {
            if *noting == Recording::Answers {
                #[allow(clippy::cast_possible_truncation, reason = "an action is one of 64")]
                noted.answers.push((number, action.index() as u8));
            }
        };
        let (mut node, mut answer) = match answer {
            None => (game.root(&mut counter), None),
            Some(action) => {
                let kind = if const { G::SHAPE.kinds == 1 } { 0 } else { table.kind.into() };
                let question = Question { seat: table.seat.into(), kind, actions: Actions(table.actions) };
                (Node::Decision(table.state, question), Some(action))
            }
        };
        loop {
            match node {
                Node::Chance(state, seat, chance) => {
                    let seat = if const { G::SHAPE.most_seats == 1 } { 0 } else { seat };
                    let word = streams[seat].word(seat);
                    node = game.resolve(state, chance.sample(word), &mut counter);
                }
                Node::Decision(state, question) => {
                    let single = question.actions.is_single().then(|| question.actions.first());
                    let seated = || policies.get(question.seat).and_then(Option::as_ref);
                    let chosen = || {
                        let policy = seated()?;
                        if const { G::SHAPE.is_text } && policy.is_by_chance(question.kind) {
                            let answers = &mut answers[question.seat];
                            return Some(
                                policy.draw(game, &state, question, &mut || answers.word(question.seat)),
                            );
                        }
                        Some(policy.choose(game, state, question))
                    };
                    let Some(action) = answer.take().or(single).or_else(chosen) else {
                        #[allow(
                            clippy::cast_possible_truncation,
                            reason = "at most eight seats and four kinds"
                        )]
                        let (seat, kind) = (question.seat as u8, question.kind as u8);
                        *table = SubEnv {
                            state,
                            actions: question.actions.0,
                            seat,
                            kind,
                            is_asked: true,
                            ..*table
                        };
                        return;
                    };
                    note(action);
                    node = game.decide(state, question.kind, action, &mut counter);
                }
                Node::Terminal(end) => {
                    table.actions = 0;
                    let ending = game.ending(end);
                    self.finished.note_end(ending);
                    if game.endings()[ending].fault {
                        self.finished.note_fault(table.trial, game.fault(end));
                    }
                    for (seat, counts) in counter.counts.iter().enumerate() {
                        let mut values = [0; MAX_METRICS];
                        measure_seat(game, end, seat, counts, &mut values);
                        self.finished.note_seat(seat, &values, counts[Event::TURN.index()]);
                    }
                    return;
                }
            }
        }
    }

    /// Adds the game of a table to the finished games if it has just ended.
    fn enter_if_over(&mut self, table: usize) {
        let SubEnv { trial, actions, .. } = self.tables[table];
        if actions == 0 {
            #[allow(clippy::cast_possible_truncation, reason = "there are fewer tables")]
            self.finished.enter(table as u32, trial);
        }
    }

    /// The reward of a seat since this was asked last at a table.
    #[inline(always)]
    fn brought(&mut self, table: usize, seat: Seat, is_over: bool) -> f64 {
        if self.seats > 1 && !is_over {
            return 0.0;
        }
        let metric = self.game.metrics()[self.metric];
        let new = if is_over {
            self.finished.last(seat, self.metric)
        } else {
            match metric.source {
                Source::Count(event) => self.counts[table][event.index()],
                Source::End if self.metric == 0 => self.game.score_so_far(self.tables[table].state),
                Source::End => 0,
            }
        };
        let so_far = if self.seats > 1 { 0 } else { std::mem::replace(&mut self.tables[table].so_far, new) };
        let change = f64::from(new) - f64::from(so_far);
        match metric.better {
            Better::Higher => change,
            Better::Lower => -change,
        }
    }
}

/// The bits of a state as in [`Observation::states`], for tests and for callers that have a state.
pub fn state_words<S: Hash>(state: &S) -> Vec<u64> {
    let mut words = vec![0; Packer::words(state)];
    Packer::pack(state, &mut words);
    words
}
