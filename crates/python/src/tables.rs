//! Games side by side that wait for answers, over columns that NumPy sees where they are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use stopwise::library::{self, Call, GameArgs, Seated};
use stopwise_engine::game::{Better, Kind};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial_result::Recording;
use stopwise_engine::vector_env::{Numbers, Observation, Renewal, Rewarded, Start, VectorEnvError};
use stopwise_engine::vocabulary::{Candidate, Feature};
use stopwise_erased::{AnyRules, AnyVectorEnv};

use crate::ask::told;
use crate::column::Column;
use crate::nested::Calling;

/// Tables of a game. Actions have one numbering: those of the first kind of decision, then those of the second, and so on.
#[pyclass(frozen)]
pub(crate) struct Tables {
    /// The legal actions of each table: 1 or 0, a column an action.
    #[pyo3(get)]
    mask: Py<Column>,
    /// The same as bits, by their numbers within the kind; none where the game is over.
    #[pyo3(get)]
    legal: Py<Column>,
    /// Who decides, from 0.
    #[pyo3(get)]
    seat: Py<Column>,
    /// What is decided, by its place among the kinds.
    #[pyo3(get)]
    kind: Py<Column>,
    /// The number of the trial.
    #[pyo3(get)]
    trial: Py<Column>,
    /// The bits of the state, a row a table; without columns if they are not wanted.
    #[pyo3(get)]
    state: Py<Column>,
    /// The variables of the state as the seat sees them that decides, a row a table; without columns if they are not wanted.
    #[pyo3(get)]
    variables: Py<Column>,
    /// A row a feature, in the game's order.
    #[pyo3(get)]
    features: Py<Column>,
    /// What may be read of each candidate, a row a table and in it a row an action; 0 where it is not legal.
    #[pyo3(get)]
    candidates: Py<Column>,
    /// The actions of the next step, which the caller writes.
    #[pyo3(get)]
    actions: Py<Column>,
    /// What the last step brought, a row a seat.
    #[pyo3(get)]
    rewards: Py<Column>,
    /// Where it ended a game.
    #[pyo3(get)]
    ended: Py<Column>,
    /// The metric of the games that ended in it, a row a seat; otherwise 0.
    #[pyo3(get)]
    scores: Py<Column>,
    /// How they ended, by the place among the endings; otherwise 0.
    #[pyo3(get)]
    ending: Py<Column>,
    /// The name of the rules.
    #[pyo3(get)]
    rules_name: String,
    /// The seat that is asked, from 0, if policies play in the others.
    #[pyo3(get)]
    own_seat: usize,
    rules: Arc<dyn AnyRules>,
    /// What is played for, by its index among the metrics.
    metric: usize,
    playing: Mutex<Playing>,
    /// The first action of each kind.
    offsets: Vec<i64>,
    /// How many actions all kinds have together.
    all_actions: usize,
    /// Which features are wanted, as bits.
    wanted: u64,
    /// Which columns of candidates are wanted, in this order.
    columns: Vec<usize>,
    /// How many words a state takes; 0 if it is not wanted.
    words: usize,
    /// The variables that are shown.
    shown_variables: Vec<Feature>,
}

struct Playing {
    tables: Box<dyn AnyVectorEnv>,
    /// The numbers of all tables.
    all: Vec<u32>,
    /// The actions by their numbers within the kind.
    within: Vec<i64>,
    /// Those that were taken at each table since its trial began; empty before any has begun.
    taken: Vec<Vec<u8>>,
}

#[pymethods]
impl Tables {
    /// So many tables, at which nothing has begun. `rules`, `set` and `against` are words, `texts` files by their names; of features
    /// and of what may be read of candidates all are shown if none are named. Policies `against` the seat of this number, from 1,
    /// play in the others. Rewards are of a metric, the first if none is named; without `from_the_beginning` they leave out what was
    /// before the first decision. Without `variables` those of the state are not shown.
    #[new]
    #[pyo3(signature = (game, rules, set, texts, tables, features=None, states=false, candidates=None, metric=None, against=Vec::new(), seat=1, from_the_beginning=true, variables=false))]
    #[allow(clippy::too_many_arguments, reason = "it is called in one place")]
    fn new(
        py: Python<'_>,
        game: String,
        rules: Option<String>,
        set: Vec<String>,
        texts: BTreeMap<String, String>,
        tables: u32,
        features: Option<Vec<String>>,
        states: bool,
        candidates: Option<Vec<String>>,
        metric: Option<String>,
        against: Vec<String>,
        seat: usize,
        from_the_beginning: bool,
        variables: bool,
    ) -> PyResult<Self> {
        if tables == 0 {
            return Err(PyValueError::new_err("no tables: write 1 or more"));
        }
        let calling = Calling::begin()?;
        let read = py.detach(|| {
            let call = Call { texts, ..Call::default() };
            library::seated(GameArgs { game, rules, set }, metric.as_deref(), (seat, &against), call)
        });
        drop(calling);
        let seated = read.map_err(|refusal| PyValueError::new_err((refusal.to_string(), told(&refusal))))?;
        let Seated { name: rules_name, rules, metric, seat: own_seat, policies } = seated;
        let (wanted, shown) = wanted(&*rules, features.as_deref())?;
        let columns = columns(&*rules, candidates.as_deref())?;
        let variables = if variables { variables_of(&*rules)? } else { Vec::new() };
        let mut offsets = Vec::new();
        let mut all_actions = 0;
        for kind in rules.kinds() {
            offsets.push(i64::from(all_actions));
            all_actions += u16::from(kind.actions);
        }
        let (count, all_actions, seats) = (tables as usize, usize::from(all_actions), rules.seats());
        let mut playing = rules.tables(count, Recording::Nothing);
        playing.seat(&policies);
        playing.reward(metric, if from_the_beginning { Rewarded::Game } else { Rewarded::Decisions });
        let words = if states { playing.words() } else { 0 };
        let scores = match rules.metrics()[metric].whole() {
            1 => Column::zeros::<i64>(&[seats, count]),
            _ => Column::zeros::<f64>(&[seats, count]),
        };
        Ok(Self {
            mask: Py::new(py, Column::zeros::<i8>(&[count, all_actions]))?,
            legal: Py::new(py, Column::zeros::<u64>(&[count]))?,
            seat: Py::new(py, Column::zeros::<u8>(&[count]))?,
            kind: Py::new(py, Column::zeros::<u8>(&[count]))?,
            trial: Py::new(py, Column::zeros::<u64>(&[count]))?,
            state: Py::new(py, Column::zeros::<u64>(&[count, words]))?,
            variables: Py::new(py, Column::zeros::<f32>(&[count, variables.len()]))?,
            features: Py::new(py, Column::zeros::<f32>(&[shown, count]))?,
            candidates: Py::new(py, Column::zeros::<f32>(&[count, all_actions, columns.len()]))?,
            actions: Py::new(py, Column::zeros::<i64>(&[count]))?,
            rewards: Py::new(py, Column::zeros::<f64>(&[seats, count]))?,
            ended: Py::new(py, Column::zeros::<bool>(&[count]))?,
            scores: Py::new(py, scores)?,
            ending: Py::new(py, Column::zeros::<u8>(&[count]))?,
            rules_name,
            own_seat,
            rules,
            metric,
            playing: Mutex::new(Playing {
                tables: playing,
                all: (0..tables).collect(),
                within: vec![0; count],
                taken: Vec::new(),
            }),
            offsets,
            all_actions,
            wanted,
            columns,
            words,
            shown_variables: variables,
        })
    }

    /// How many seats play.
    #[getter]
    fn seats(&self) -> usize {
        self.rules.seats()
    }

    /// Name, meaning, least and greatest value of each feature that is shown, in the game's order.
    #[getter]
    fn shown(&self) -> Vec<(&'static str, &'static str, f64, f64)> {
        let features = self.rules.features().into_iter().enumerate();
        let shown = features.filter(|(number, _)| self.wanted >> number & 1 == 1);
        shown.map(|(_, one)| about(&one)).collect()
    }

    /// The same of each variable that is shown.
    #[getter]
    fn shown_variables(&self) -> Vec<(&'static str, &'static str, f64, f64)> {
        self.shown_variables.iter().map(about).collect()
    }

    /// Name, meaning, least and greatest value of what is shown of each candidate.
    #[getter]
    fn shown_of_candidates(&self) -> Vec<(&'static str, &'static str, f64, f64)> {
        let known = self.rules.candidate_columns();
        let shown = self.columns.iter().map(|&column| &known[column]);
        shown.map(|one| (one.name, one.meaning, one.range.0, one.range.1)).collect()
    }

    /// Name and meaning of each kind of decision, its first action, and how many it has.
    #[getter]
    fn decisions(&self) -> Vec<(&'static str, &'static str, i64, u8)> {
        let kinds = self.rules.kinds().iter().zip(&self.offsets);
        kinds.map(|(kind, &offset)| (kind.name, kind.meaning, offset, kind.actions)).collect()
    }

    /// For every kind of decision the names of its actions, where they have one wherever they are legal.
    #[getter]
    fn action_names(&self) -> Vec<Vec<Option<String>>> {
        let of = |(kind, about): (usize, &Kind)| {
            (0..about.actions).map(|action| self.rules.action_name(kind, action)).collect()
        };
        self.rules.kinds().iter().enumerate().map(of).collect()
    }

    /// Name and unit of what is played for, and whether less of it is better.
    #[getter]
    fn metric(&self) -> (&'static str, &'static str, bool) {
        let metric = &self.rules.metrics()[self.metric];
        let unit = if metric.is_share() { "games" } else { metric.unit };
        (metric.name, unit, metric.better == Better::Lower)
    }

    /// The names of the ways in which games end.
    #[getter]
    fn endings(&self) -> Vec<&'static str> {
        self.rules.endings().iter().map(|ending| ending.name).collect()
    }

    /// Trial `first` + *i* of a seed begins at table *i*, or the table's next one that has a decision.
    fn reset(&self, py: Python<'_>, seed: u64, first: u64) -> PyResult<()> {
        let mut playing = self.playing();
        playing.tables.reset(seed, first).map_err(|error| self.error(error))?;
        playing.taken = vec![Vec::new(); playing.all.len()];
        self.observe(py, &playing);
        fault(&playing)
    }

    /// The next trial of some tables begins, whether the game there is over or not.
    fn renew(&self, py: Python<'_>, seed: u64, tables: Vec<u32>) -> PyResult<()> {
        let mut playing = self.playing();
        let count = playing.all.len();
        let next: Vec<_> = {
            let mut column = self.trial.borrow_mut(py);
            let trials = column.numbers::<u64>();
            let trial = |&table: &u32| {
                let trial = trials.get(table as usize).map(|trial| trial.wrapping_add(count as u64));
                trial.map(|trial| Start { table, trial, key: trial })
            };
            let starts: Option<Vec<_>> = tables.iter().map(trial).collect();
            starts.ok_or_else(|| PyIndexError::new_err("no such table"))?
        };
        playing.tables.begin(&Keys::new(seed), &next);
        // Trials without a decision are passed over.
        let over = playing.tables.finished().tables.clone();
        let none = vec![0; over.len()];
        let step = playing.tables.step(&over, &none, Renewal::NextStep, &mut [], &mut []);
        step.map_err(|error| self.error(error))?;
        for &table in &tables {
            playing.taken[table as usize].clear();
        }
        self.observe(py, &playing);
        fault(&playing)
    }

    /// The trial of each table and the actions that were taken in it, by their numbers within the kind; `None` before any has
    /// begun. With the seed they are all that a game is.
    fn taken(&self, py: Python<'_>) -> Option<Vec<(u64, Vec<i64>)>> {
        let playing = self.playing();
        let mut trials = self.trial.borrow_mut(py);
        let taken = playing.taken.iter().map(|taken| taken.iter().copied().map(i64::from).collect());
        (!playing.taken.is_empty()).then(|| trials.numbers::<u64>().iter().copied().zip(taken).collect())
    }

    /// Begins these trials of a seed, one at each table, and takes these actions in them.
    fn take(&self, py: Python<'_>, seed: u64, taken: Vec<(u64, Vec<i64>)>) -> PyResult<()> {
        let mut playing = self.playing();
        if taken.len() != playing.all.len() {
            return Err(PyValueError::new_err("a trial for every table, and no more"));
        }
        let starts = playing.all.iter().zip(&taken);
        let starts: Vec<_> = starts.map(|(&table, &(trial, _))| Start { table, trial, key: trial }).collect();
        playing.tables.begin(&Keys::new(seed), &starts);
        let longest = taken.iter().map(|(_, actions)| actions.len()).max().unwrap_or_default();
        for at in 0..longest {
            let next = playing.all.iter().zip(&taken);
            let next =
                next.filter_map(|(&table, (_, actions))| actions.get(at).map(|&action| (table, action)));
            let (tables, actions): (Vec<_>, Vec<_>) = next.unzip();
            // Nobody sees the rewards, but the next ones are counted from them.
            let (mut rewards, mut ended) =
                (vec![0.0; self.rules.seats() * tables.len()], vec![false; tables.len()]);
            let step = playing.tables.step(&tables, &actions, Renewal::Wait, &mut rewards, &mut ended);
            step.map_err(|error| self.error(error))?;
        }
        let byte = |action: i64| u8::try_from(action).unwrap_or_default();
        playing.taken =
            taken.into_iter().map(|(_, actions)| actions.into_iter().map(byte).collect()).collect();
        self.observe(py, &playing);
        Ok(())
    }

    /// The actions are followed. `renewal` says what happens to games that are over: 0 nothing, 1 the same step begins the next,
    /// 2 the next step does.
    fn step(&self, py: Python<'_>, renewal: u8) -> PyResult<()> {
        let renewal = match renewal {
            0 => Renewal::Wait,
            1 => Renewal::SameStep,
            _ => Renewal::NextStep,
        };
        let mut playing = self.playing();
        let Playing { tables, all, within, taken } = &mut *playing;
        {
            let (mut kinds, mut actions) = (self.kind.borrow_mut(py), self.actions.borrow_mut(py));
            let pairs = kinds.numbers::<u8>().iter().zip(actions.numbers::<i64>());
            for (within, (&kind, action)) in within.iter_mut().zip(pairs) {
                // Python may have written anything.
                let offset = self.offsets.get(usize::from(kind)).copied().unwrap_or_default();
                *within = action.wrapping_sub(offset);
            }
        }
        {
            let (mut rewards, mut ended) = (self.rewards.borrow_mut(py), self.ended.borrow_mut(py));
            let done = tables.step(all, within, renewal, rewards.numbers(), ended.numbers());
            done.map_err(|error| self.error(error))?;
            let whole = self.whole();
            if whole != 1.0 {
                rewards.numbers::<f64>().iter_mut().for_each(|reward| *reward /= whole);
            }
        }
        {
            // What they were before the step.
            let mut legal = self.legal.borrow_mut(py);
            for ((taken, &mut legal), &action) in
                taken.iter_mut().zip(legal.numbers::<u64>()).zip(within.iter())
            {
                if legal != 0 {
                    taken.push(u8::try_from(action).unwrap_or_default());
                }
            }
        }
        let before = self.trial.borrow_mut(py).numbers::<u64>().to_vec();
        {
            let mut column = self.scores.borrow_mut(py);
            let finished = tables.finished();
            let ended = finished.tables.iter().enumerate().flat_map(|(number, &table)| {
                (0..self.rules.seats()).map(move |seat| (number, seat, table as usize))
            });
            let endings = finished.tables.iter().zip(&finished.endings);
            #[allow(clippy::cast_possible_truncation, reason = "there are a few")]
            let endings = endings.map(|(&table, &ending)| (table as usize, ending as u8));
            put(self.ending.borrow_mut(py).numbers(), endings);
            let scores = ended.map(|(number, seat, table)| {
                (seat * all.len() + table, finished.of(number, seat)[self.metric])
            });
            // Shares of a win are no whole numbers.
            match self.whole() {
                1.0 => put(column.numbers::<i64>(), scores.map(|(at, score)| (at, score.into()))),
                whole => put(column.numbers(), scores.map(|(at, score)| (at, f64::from(score) / whole))),
            }
        }
        self.observe(py, &playing);
        let mut trials = self.trial.borrow_mut(py);
        for ((taken, before), &mut now) in playing.taken.iter_mut().zip(before).zip(trials.numbers::<u64>()) {
            if before != now {
                taken.clear();
            }
        }
        fault(&playing)
    }

    /// A legal action for each table, drawn from a seed; 0 where the game is over.
    fn draw(&self, py: Python<'_>, seed: u64) -> Column {
        let (mut legal, mut kinds) = (self.legal.borrow_mut(py), self.kind.borrow_mut(py));
        let pairs = legal.numbers::<u64>().iter_mut().zip(kinds.numbers::<u8>());
        let mut random = seed;
        let draw = |(&mut mask, &mut kind): (&mut u64, &mut u8)| {
            // SplitMix64.
            random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = (random ^ random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            word ^= word >> 31;
            let skip = ((word >> 32) * u64::from(mask.count_ones())) >> 32;
            let left = (0..skip).fold(mask, |left, _| left & (left - 1));
            let offset = self.offsets.get(usize::from(kind)).copied().unwrap_or_default();
            if mask == 0 { 0 } else { offset + i64::from(left.trailing_zeros()) }
        };
        let drawn: Vec<i64> = pairs.map(draw).collect();
        let count = drawn.len();
        Column::of(drawn, &[count])
    }

    /// The legal actions of a table, by number and name.
    fn legal_actions(&self, py: Python<'_>, table: usize) -> PyResult<Vec<(i64, String)>> {
        let playing = self.playing();
        let kind = self.kind.borrow_mut(py).numbers::<u8>().get(table).copied();
        let kind = kind.ok_or_else(|| PyIndexError::new_err("no such table"))?;
        let offset = self.offsets.get(usize::from(kind)).copied().unwrap_or_default();
        let legal = playing.tables.legal(table).into_iter();
        Ok(legal.map(|(number, name)| (offset + i64::from(number), name)).collect())
    }

    /// What lies where at a table.
    fn places(&self, table: usize) -> PyResult<Vec<(&'static str, String)>> {
        let playing = self.playing();
        if table >= playing.all.len() {
            return Err(PyIndexError::new_err("no such table"));
        }
        Ok(playing.tables.places(table))
    }
}

impl Tables {
    /// Whoever panicked left tables that are whole, though somewhere in a game.
    fn playing(&self) -> MutexGuard<'_, Playing> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many of what trials count are one of what is played for: a share of a win is counted in parts.
    fn whole(&self) -> f64 {
        self.rules.metrics()[self.metric].whole().into()
    }

    /// Writes down what all tables show.
    fn observe(&self, py: Python<'_>, playing: &Playing) {
        let (mut seats, mut kinds) = (self.seat.borrow_mut(py), self.kind.borrow_mut(py));
        let (mut legal, mut trials) = (self.legal.borrow_mut(py), self.trial.borrow_mut(py));
        let (mut states, mut features) = (self.state.borrow_mut(py), self.features.borrow_mut(py));
        let states = if self.words == 0 { &mut [] } else { states.numbers() };
        let mut variables = self.variables.borrow_mut(py);
        let variables = if self.shown_variables.is_empty() { &mut [] } else { variables.numbers() };
        let numbers = if self.wanted == 0 { Numbers::None } else { Numbers::F32(features.numbers()) };
        let mut observation = Observation {
            seats: seats.numbers(),
            kinds: kinds.numbers(),
            masks: legal.numbers(),
            trials: trials.numbers(),
            states,
            variables,
            features: self.wanted,
            numbers,
        };
        playing.tables.observe(&playing.all, &mut observation);
        let mut mask = self.mask.borrow_mut(py);
        let rows = mask.numbers::<i8>().chunks_exact_mut(self.all_actions);
        let questions = kinds.numbers::<u8>().iter().zip(legal.numbers::<u64>());
        for (row, (&kind, &mut legal)) in rows.zip(questions) {
            row.fill(0);
            let (kind, mut left) = (usize::from(kind), legal);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a row")]
            let first = self.offsets[kind] as usize;
            while left != 0 {
                row[first + left.trailing_zeros() as usize] = 1;
                left &= left - 1;
            }
        }
        if !self.columns.is_empty() {
            self.observe_candidates(py, playing);
        }
    }

    /// Writes down what may be read of the candidates.
    fn observe_candidates(&self, py: Python<'_>, playing: &Playing) {
        let mut candidates = self.candidates.borrow_mut(py);
        let numbers = candidates.numbers::<f32>();
        numbers.fill(0.0);
        let width = self.columns.len();
        playing.tables.candidates(&playing.all).each(
            &self.columns,
            &mut |Candidate { question, kind, action, values }| {
                let first = usize::try_from(self.offsets[kind]).unwrap_or_default();
                let row = question * self.all_actions + first + action;
                for (place, &value) in numbers[row * width..][..width].iter_mut().zip(values) {
                    #[allow(clippy::cast_possible_truncation, reason = "it is what is shown")]
                    let value = value as f32;
                    *place = value;
                }
            },
        );
    }

    /// What is wrong, with the numbers of actions that Python has.
    fn error(&self, error: VectorEnvError) -> PyErr {
        let shown = match error {
            VectorEnvError::Illegal { table, trial, action, kind, mut legal } => {
                let place = self.rules.kinds().iter().position(|known| known.name == kind);
                let offset = place.map_or(0, |place| self.offsets[place]);
                for (number, _) in &mut legal {
                    *number += u32::try_from(offset).unwrap_or_default();
                }
                VectorEnvError::Illegal { table, trial, action: action.wrapping_add(offset), kind, legal }
            }
            error @ VectorEnvError::NoDecisions { .. } => error,
        };
        PyValueError::new_err(shown.to_string())
    }
}

/// What went wrong where the rules could not go on, as it is told of policies.
fn fault(playing: &Playing) -> PyResult<()> {
    match &playing.tables.finished().fault {
        None => Ok(()),
        Some((trial, why)) => Err(PyValueError::new_err(format!("trial {trial}: {why}"))),
    }
}

/// Numbers at their places, and 0 everywhere else.
fn put<T: Copy + Default>(column: &mut [T], numbers: impl Iterator<Item = (usize, T)>) {
    column.fill(T::default());
    numbers.for_each(|(at, number)| column[at] = number);
}

/// Name, meaning, least and greatest value of a feature.
fn about(one: &Feature) -> (&'static str, &'static str, f64, f64) {
    #[allow(clippy::cast_precision_loss, reason = "they are small")]
    let number = |value: i64| value as f64 / one.denominator as f64;
    (one.name, one.meaning, number(one.low), number(one.high))
}

/// The variables of the states of a game.
fn variables_of(rules: &dyn AnyRules) -> PyResult<Vec<Feature>> {
    rules.variables().ok_or_else(|| {
        PyValueError::new_err(format!(
            "observe 'state': {} is not written as a text, and does not tell its variables; leave it out, for its features, and \
             state=True puts the bits of the state into info",
            rules.info().name
        ))
    })
}

/// Which features are wanted, as bits, and how many.
fn wanted(rules: &dyn AnyRules, names: Option<&[String]>) -> PyResult<(u64, usize)> {
    let features = rules.features();
    let Some(names) = names else { return Ok((u64::MAX, features.len())) };
    let mut wanted = 0_u64;
    for name in names {
        let Some(number) = features.iter().position(|feature| feature.name == name) else {
            let known: Vec<_> = features.iter().map(|feature| feature.name).collect();
            return Err(PyValueError::new_err(format!(
                "unknown feature `{name}`; there are: {}",
                known.join(", ")
            )));
        };
        if wanted >> number & 1 == 1 {
            return Err(PyValueError::new_err(format!(
                "features: `{name}` is there twice; each is observed once"
            )));
        }
        wanted |= 1 << number;
    }
    Ok((wanted, wanted.count_ones() as usize))
}

/// Which columns of candidates are wanted: of all, those of these names, in this order.
fn columns(rules: &dyn AnyRules, names: Option<&[String]>) -> PyResult<Vec<usize>> {
    let known = rules.candidate_columns();
    let Some(names) = names else { return Ok((0..known.len()).collect()) };
    let place = |name: &String| {
        known.iter().position(|column| column.name == *name).ok_or_else(|| {
            let known: Vec<_> = known.iter().map(|column| column.name).collect();
            let there = if known.is_empty() {
                format!("{} tells nothing of candidates", rules.game())
            } else {
                format!("there are: {}", known.join(", "))
            };
            PyValueError::new_err(format!("nothing is called `{name}` of a candidate; {there}"))
        })
    };
    names.iter().map(place).collect()
}
