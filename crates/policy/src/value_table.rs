//! Value tables: the values of positions before a roll, from which the best answer to every question that leads to them
//! follows.
//!
//! A table is short, because best play reaches few positions before a roll. It also covers more than a list of answers:
//! when the policy is loaded, the answer to every question is searched for among those that lead to a position of the
//! table. The best answer has the greatest value, including the points scored on the way.
//!
//! The best turn of Carcassonne has 311 rows; a table of its actions would have 55,289.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Game, Info, Node, NodeOf, Question};
use stopwise_engine::vocabulary::{MAX_TABLED, Numbers, Vocabulary};
use toml::Spanned;
use toml::de::DeValue;

use crate::read::{Entries, wrong_kind};
use stopwise_text::{Problem, quoted};

/// Values that differ by less are equal up to the rounding of the table.
const SAME: f64 = 1e-11;

/// The keys of the table in a policy file.
const KEYS: [&str; 3] = ["rules", "columns", "rows"];

/// A value table, ready to answer questions.
#[derive(Clone, Debug)]
pub(crate) struct ValueTable<G: Game> {
    /// The rules for which it is valid, as the game describes them.
    pub(crate) rules: String,
    /// Whether these are the current rules.
    pub(crate) is_used: bool,
    /// The number of its positions.
    pub(crate) rows: usize,
    answers: Arc<Answers<G::State>>,
}

/// The best answers and their values, by representative state and kind of decision.
type Answers<S> = FxHashMap<(S, usize), (Action, f64)>;

impl<G: Vocabulary> ValueTable<G> {
    /// The best answer and its value, if the answer leads to a position of the table.
    pub(crate) fn answer(&self, game: &G, state: &G::State, question: Question) -> Option<(Action, f64)> {
        let known = self.answers.get(&(game.tabled_state(*state), question.kind)).copied();
        known.filter(|&(action, _)| question.actions.contains(action))
    }

    /// Reads the table given as a value in a policy file.
    pub(crate) fn read(
        entries: Entries<'_>,
        value: &Spanned<DeValue<'_>>,
        game: &G,
    ) -> Result<Self, Vec<Problem>> {
        let Some(table) = value.get_ref().as_table() else {
            return Err(vec![wrong_kind(value, "a table: [table] and its rules, columns and rows")]);
        };
        let mut problems = Vec::new();
        for (key, _) in table {
            if !KEYS.contains(&key.get_ref().as_ref()) {
                problems.push(Problem::unknown(key.span(), "key", key.get_ref(), KEYS));
            }
        }
        let mut text = |key: &str, wanted: &str| match table.get(key) {
            Some(value) if value.get_ref().is_str() => Some((value, value.get_ref().as_str().unwrap_or(""))),
            Some(value) => {
                problems.push(wrong_kind(value, "a text in quotes"));
                None
            }
            None => {
                let missing = Problem::new(value.span(), format!("the key `{key}` of the table is missing"));
                problems.push(missing.help(format!("write {key} = \"{wanted}\"")));
                None
            }
        };
        let rules = text("rules", &game.tabled_rules());
        let columns = text("columns", &columns(game.info()));
        let rows = text("rows", "…");
        let (Some((_, rules)), Some((columns_at, columns)), Some((rows_at, rows))) = (rules, columns, rows)
        else {
            return Err(problems);
        };
        if columns.split_whitespace().ne(columns_of(game.info())) {
            let message = format!(
                "the columns of a table for {} are: {}",
                game.info().name,
                columns_of(game.info()).collect::<Vec<_>>().join(" ")
            );
            problems.push(Problem::new(columns_at.span(), message));
        }
        let is_used = rules == game.tabled_rules();
        let mut worths = FxHashMap::default();
        for (line, range) in lines(rows) {
            let problem = |message: String| entries.place(rows_at, Problem::new(range.clone(), message));
            match read_row(line, game.info()) {
                // Of other rules' positions nothing is known but that they are numbers.
                Ok((numbers, _)) if is_used && game.tabled_roll(&numbers).is_none() => {
                    problems
                        .push(problem("there is no such position before a roll under these rules".into()));
                }
                Ok((numbers, worth)) => {
                    if worths.insert(numbers, worth).is_some() {
                        problems.push(problem("this position has a row already".into()));
                    }
                }
                Err(message) => problems.push(problem(message)),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let rows = worths.len();
        let answers = Arc::new(if is_used { answers(game, worths) } else { Answers::default() });
        Ok(Self { rules: rules.to_owned(), is_used, rows, answers })
    }
}

/// The lines that are not blank, trimmed, with their positions.
fn lines(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut start = 0;
    let placed = text.split_inclusive('\n').map(move |line| {
        let from = start + (line.len() - line.trim_start().len());
        start += line.len();
        (line.trim(), from..from + line.trim().len())
    });
    placed.filter(|(line, _)| !line.is_empty())
}

fn columns_of(info: &Info) -> impl Iterator<Item = &'static str> + use<> {
    info.tabled.iter().copied().chain(["worth"])
}

fn columns(info: &Info) -> String {
    columns_of(info).collect::<Vec<_>>().join(" ")
}

fn read_row(line: &str, info: &Info) -> Result<(Numbers, f64), String> {
    let mut cells = line.split_whitespace();
    let mut numbers = [0; MAX_TABLED];
    for (number, name) in numbers.iter_mut().zip(info.tabled) {
        let cell =
            cells.next().ok_or_else(|| format!("the row has no {name}: write {} numbers", columns(info)))?;
        *number = cell.parse().map_err(|_| format!("{} is no {name}; write a whole number", quoted(cell)))?;
    }
    let cell = cells.next().ok_or("the row ends before its worth; write it last")?;
    let worth = cell.parse().ok().filter(|worth: &f64| worth.is_finite());
    let worth = worth.ok_or_else(|| format!("{} is no worth; write a number such as 3.25", quoted(cell)))?;
    match cells.next() {
        Some(more) => Err(format!("{} is one cell too many", quoted(more))),
        None => Ok((numbers, worth)),
    }
}

/// The best answer to every question between a position of the table and the next.
fn answers<G: Vocabulary>(game: &G, worths: FxHashMap<Numbers, f64>) -> Answers<G::State> {
    let rolls: Vec<_> = worths.keys().filter_map(|numbers| game.tabled_roll(numbers)).collect();
    let mut search = Search { game, worths, answers: Answers::default() };
    for roll in rolls {
        search.roll(roll, &mut FxHashSet::default());
    }
    search.answers.retain(|_, (_, worth)| worth.is_finite());
    search.answers
}

struct Search<'s, G: Vocabulary> {
    game: &'s G,
    worths: FxHashMap<Numbers, f64>,
    answers: Answers<G::State>,
}

impl<G: Vocabulary> Search<'_, G> {
    /// Collects every result of a roll, each once: several sequences of chance events may have the same result.
    fn roll(&mut self, node: NodeOf<G>, met: &mut FxHashSet<G::State>) {
        let Node::Chance(state, seat, chance) = node else { return };
        for (outcome, _) in chance.outcomes() {
            match self.game.resolve(state, outcome, &mut ()) {
                Node::Decision(state, question) => {
                    if met.insert(state) {
                        self.best(state, question);
                    }
                }
                // With nothing to decide the turn may be over.
                Node::Chance(next, ..) if self.game.tabled(&next, seat).is_between => {}
                next => self.roll(next, met),
            }
        }
    }

    /// The best answer and its value. Of equal ones, the last in the game's order, which changes the state least.
    fn best(&mut self, state: G::State, question: Question) -> (Action, f64) {
        let game = self.game;
        let state = game.tabled_state(state);
        if let Some(&known) = self.answers.get(&(state, question.kind)) {
            return known;
        }
        let Question { seat, kind, actions } = game.ask_again(state, question.kind).unwrap_or(question);
        let mut best = (actions.first(), f64::NEG_INFINITY);
        for action in actions.iter() {
            let before = game.tabled(&state, seat).scored;
            let worth = match game.decide(state, kind, action, &mut ()) {
                Node::Decision(state, question) => self.best(state, question).1,
                Node::Chance(next, ..) => {
                    let next = game.tabled(&next, seat);
                    let worth = self.worths.get(&next.numbers).copied().unwrap_or(f64::NEG_INFINITY);
                    worth + (next.scored - before) as f64
                }
                Node::Terminal(end) => (game.tabled(&end, seat).scored - before) as f64,
            };
            if worth >= best.1 - SAME {
                best = (action, worth.max(best.1));
            }
        }
        self.answers.insert((state, question.kind), best);
        best
    }
}

/// The `[table]` section for these rows, to be appended to a policy file.
pub fn write_table<G: Vocabulary>(game: &G, rows: &[(Numbers, f64)]) -> String {
    let mut text = format!("[table]\nrules = \"{}\"\n", game.tabled_rules());
    let _ = writeln!(text, "columns = \"{}\"\nrows = \"\"\"", columns(game.info()));
    for (numbers, worth) in rows {
        for number in &numbers[..game.info().tabled.len()] {
            let _ = write!(text, "{number} ");
        }
        let _ = writeln!(text, "{worth:.12}");
    }
    text + "\"\"\"\n"
}
