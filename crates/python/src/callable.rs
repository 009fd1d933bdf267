//! Policies that are functions of Python, and actions that were taken.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use stopwise_engine::vocabulary::Candidates;
use stopwise_erased::{AnyPolicy, BatchPolicy, Questions as Batch, Values, Wants};
use stopwise_policy::{Heading, Text};

use crate::column::Column;
use crate::lock::held;
use crate::nested::asked;

/// What the functions of a call share with it: what one has raised first, and until when they are asked.
#[derive(Default)]
pub(crate) struct Watch {
    raised: Mutex<Option<PyErr>>,
    end: Mutex<Option<Instant>>,
}

impl Watch {
    /// Takes out what was raised.
    pub(crate) fn take(&self) -> Option<PyErr> {
        held(&self.raised).take()
    }

    /// No function is called later than after this time, which can only become earlier.
    pub(crate) fn ask_no_longer_than(&self, time: Duration) {
        let (mut end, new) = (held(&self.end), Instant::now() + time);
        *end = Some(end.map_or(new, |end| end.min(new)));
    }

    fn is_over(&self) -> bool {
        held(&self.end).is_some_and(|end| end <= Instant::now())
    }

    /// Notes what a function has raised; no other is called then.
    fn note(&self, error: PyErr) {
        self.ask_no_longer_than(Duration::ZERO);
        held(&self.raised).get_or_insert(error);
    }
}

/// Questions, a row each; the function writes its answers into `actions`.
#[pyclass(frozen)]
pub(crate) struct Questions {
    /// Who decides, from 0.
    #[pyo3(get)]
    seats: Py<Column>,
    /// What is decided, by its place among the kinds of the game.
    #[pyo3(get)]
    kinds: Py<Column>,
    /// The legal actions as bits.
    #[pyo3(get)]
    legal: Py<Column>,
    /// The number of the trial.
    #[pyo3(get)]
    trials: Py<Column>,
    /// A row a feature.
    #[pyo3(get)]
    features: Py<Column>,
    /// For the answers.
    #[pyo3(get)]
    actions: Py<Column>,
    read: Arc<dyn Candidates>,
}

#[pymethods]
impl Questions {
    /// What may be read of candidates, by name.
    #[getter]
    fn candidate_names(&self) -> Vec<&'static str> {
        self.read.columns().iter().map(|column| column.name).collect()
    }

    /// The variables of the states, by name, and their values, a row a question; `None` where the game does not tell them.
    fn state(&self, py: Python<'_>) -> Option<(Vec<&'static str>, Column)> {
        let (variables, values) = self.read.variables()?;
        let count = self.legal.borrow_mut(py).numbers::<u64>().len();
        let names = variables.iter().map(|variable| variable.name).collect();
        Some((names, Column::of(values, &[count, variables.len()])))
    }

    /// The most actions of a kind of decision.
    #[getter]
    fn most_actions(&self) -> usize {
        self.read.most_actions()
    }

    /// One of the numbers of [`Questions::candidate_names`], by its place: a row a question, a column an action.
    fn candidates(&self, py: Python<'_>, column: usize) -> PyResult<Column> {
        if column >= self.read.columns().len() {
            return Err(PyIndexError::new_err("no such column"));
        }
        let (count, actions) = (self.legal.borrow_mut(py).numbers::<u64>().len(), self.read.most_actions());
        let mut values = vec![0.0; count * actions];
        self.read.each(&[column], &mut |candidate| {
            values[candidate.question * actions + candidate.action] = candidate.values[0];
        });
        Ok(Column::of(values, &[count, actions]))
    }
}

/// A function of Python as a policy.
struct Callable {
    function: Py<PyAny>,
    watch: Arc<Watch>,
}

impl fmt::Debug for Callable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callable").finish_non_exhaustive()
    }
}

impl BatchPolicy for Callable {
    fn wants(&self) -> Wants {
        Wants { candidates: true, ..Wants::default() }
    }

    fn answer(&self, questions: &Batch<'_>, actions: &mut [i64]) -> Result<(), String> {
        let ended = || Err("it was asked to end".to_owned());
        // Waiting for Python may take long, and a process that is about to end lets nobody in.
        let answered = Python::try_attach(|py| {
            if self.watch.is_over() {
                return ended();
            }
            asked(|| self.ask(py, questions, actions)).map_err(|error| {
                let message = format!("it raised {error}");
                self.watch.note(error);
                message
            })
        });
        answered.unwrap_or_else(ended)
    }
}

impl Callable {
    fn ask(&self, py: Python<'_>, questions: &Batch<'_>, actions: &mut [i64]) -> PyResult<()> {
        let count = actions.len();
        // Copies: who keeps an array longer than the question must not see the next one in it.
        let features = match questions.values {
            Values::F64(values) => Column::of(values.to_vec(), &[values.len() / count.max(1), count]),
            Values::F32(_) | Values::I64(_) => Column::zeros::<f64>(&[0, count]),
        };
        let answers = Py::new(py, Column::of(vec![-1_i64; count], &[count]))?;
        let questions = Questions {
            seats: Py::new(py, Column::of(questions.seats.to_vec(), &[count]))?,
            kinds: Py::new(py, Column::of(questions.kinds.to_vec(), &[count]))?,
            legal: Py::new(py, Column::of(questions.masks.to_vec(), &[count]))?,
            trials: Py::new(py, Column::of(questions.trials.to_vec(), &[count]))?,
            features: Py::new(py, features)?,
            actions: answers.clone_ref(py),
            read: Arc::clone(questions.candidates.expect("they are wanted")),
        };
        self.function.call1(py, (questions,))?;
        actions.copy_from_slice(answers.borrow_mut(py).numbers());
        Ok(())
    }
}

/// Policies by the words that name them: functions, and actions of one trial, each with what it is called.
pub(crate) fn policies(
    functions: Vec<(String, String, Py<PyAny>)>,
    given: Vec<(String, String, Vec<i64>)>,
    watch: &Arc<Watch>,
) -> BTreeMap<String, AnyPolicy> {
    let heading = |name: String, summary: &str, word: &str| {
        Heading::new(name, summary.to_owned(), Text::new(word, String::new()))
    };
    let functions = functions.into_iter().map(|(word, name, function)| {
        let callable = Arc::new(Callable { function, watch: Arc::clone(watch) });
        let policy = AnyPolicy::in_batches(heading(name, "a function of Python", &word), callable);
        (word, policy)
    });
    let given = given.into_iter().map(|(word, name, actions)| {
        let policy = AnyPolicy::given(heading(name, "what was done", &word), &actions);
        (word, policy)
    });
    functions.chain(given).collect()
}
