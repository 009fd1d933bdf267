//! Values in a file beside the policy: what every position is worth under best play, from which best play answers.
//!
//! ```toml
//! [values]
//! file = "values.bin"         # beside this text
//! digest = "0123456789abcdef" # of the file
//! rules = "solo+goal=50"      # for people: the file knows its rules itself
//! metric = "score"            # what is played for
//! except = ["stop"]           # decisions that the policy answers itself; may be left out
//! ```

use std::any::Any;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use stopwise_engine::answers::Answers;
use stopwise_engine::digest::Digest;
use stopwise_engine::game::{Action, Game, Question};
use stopwise_engine::kept::{Covers, Kept, KeptError, WithinTurns};
use stopwise_engine::look_ahead::{Objective, Worths};
use toml::Spanned;
use toml::de::DeValue;

use crate::read::{Toml as _, wrong_kind};
use stopwise_text::{Problem, Text, quoted};

/// The key of the section.
pub(crate) const VALUES: &str = "values";

/// The answers that are remembered for a position of the file: what a roll shows is part of a question.
const ANSWERS: usize = 8;

/// Its keys.
const KEYS: [&str; 4] = ["file", "digest", "rules", "metric"];
/// The key for decisions that do not follow from the values.
const EXCEPT: &str = "except";

/// The values of all positions of a game, or of those between turns, and what they are for.
#[derive(Clone, Debug)]
pub(crate) struct ValueFile<G: Game> {
    kept: Kept,
    objective: Objective,
    /// If the values are of positions between turns: what follows for those within, on first use.
    within: Within<G>,
    /// The best answers that were found.
    answers: Arc<OnceLock<Answers>>,
    /// The rules, as people call them.
    pub(crate) rules: String,
    /// The metric's name.
    pub(crate) metric: &'static str,
    /// Whether the policy answers a kind of decision itself.
    except: Vec<bool>,
}

/// What follows from values between turns. Those of a file with other turns than the game has are `None`.
type Within<G> = Arc<OnceLock<Option<WithinTurns<G>>>>;

/// The digests of the files of values between turns that were read last, and what follows from them: a page, or a program in
/// Python, reads the same file for every answer, and finding the turns takes seconds.
static LAST: Mutex<VecDeque<(String, Arc<dyn Any + Send + Sync>)>> = Mutex::new(VecDeque::new());
/// So many of them.
const LAST_FILES: usize = 2;

/// What follows from the values of the file with this digest, which is of one game and its rules.
fn shared<G: Game>(digest: &str) -> Within<G> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let known = last.iter().find(|(known, _)| known == digest).map(|(_, found)| Arc::clone(found));
    known.and_then(|found| found.downcast().ok()).unwrap_or_else(|| {
        last.truncate(LAST_FILES - 1);
        let within = Within::<G>::default();
        last.push_front((digest.to_owned(), Arc::clone(&within) as _));
        within
    })
}

/// The name of the file with values that a policy names, if it names one: a file in the same directory.
pub fn file_of_values(text: &Text) -> Option<String> {
    word_of(text, "file").filter(|file| is_beside(file))
}

/// The name of the rules that the values of a policy are for, if it has values: a preset, and options as in `solo+goal=50`.
pub fn rules_of_values(text: &Text) -> Option<String> {
    word_of(text, "rules")
}

/// The name of the metric that the values of a policy are for, if it has values.
pub fn metric_of_values(text: &Text) -> Option<String> {
    word_of(text, "metric")
}

fn word_of(text: &Text, key: &str) -> Option<String> {
    let (table, _) = text.recovered().ok()?;
    let values = table.get(VALUES)?.get_ref().as_table()?;
    Some(values.get(key)?.get_ref().as_str()?.to_owned())
}

/// Whether a file's name says that it is beside the policy, wherever that is.
fn is_beside(file: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !file.starts_with('.') && !file.is_empty() && file.chars().all(is_plain)
}

/// The section for a file, to be appended to a policy.
pub fn write_values(file: &str, bytes: &[u8], rules: &str, metric: &str) -> String {
    let digest = Kept::digest(bytes).unwrap_or_default();
    let mut text = format!("[{VALUES}]\n");
    for (key, value) in KEYS.into_iter().zip([file, &digest, rules, metric]) {
        let _ = writeln!(text, "{key} = {}", toml::Value::String(value.to_owned()));
    }
    text
}

/// The kinds of decisions in a list of names.
fn except<G: Game>(value: Option<&Spanned<DeValue<'_>>>, game: &G, problems: &mut Vec<Problem>) -> Vec<bool> {
    let kinds = game.info().kinds;
    let mut except = vec![false; kinds.len()];
    let Some(value) = value else { return except };
    let Some(names) = value.get_ref().as_array() else {
        problems.push(wrong_kind(value, "a list of decisions, such as [\"stop\"]"));
        return except;
    };
    for name in names {
        let word = name.get_ref().as_str().unwrap_or_default();
        match kinds.iter().position(|kind| kind.name == word) {
            Some(kind) => except[kind] = true,
            None => {
                let names = kinds.iter().map(|kind| kind.name);
                problems.push(Problem::unknown(name.span(), "decision", word, names));
            }
        }
    }
    except
}

impl<G: Game> ValueFile<G> {
    /// Reads the section of a policy, with the file beside it.
    pub(crate) fn read(text: &Text, value: &Spanned<DeValue<'_>>, game: &G) -> Result<Self, Vec<Problem>> {
        let Some(table) = value.get_ref().as_table() else {
            return Err(vec![wrong_kind(value, "a table: [values] and its file, digest, rules and metric")]);
        };
        let known = || KEYS.into_iter().chain([EXCEPT]);
        let unknown = table.iter().map(|(key, _)| key);
        let unknown = unknown.filter(|key| !known().any(|known| known == key.get_ref()));
        let mut problems: Vec<_> =
            unknown.map(|key| Problem::unknown(key.span(), "key", key.get_ref(), known())).collect();
        let except = except(table.get(EXCEPT), game, &mut problems);
        let mut word = |key: &str| match table.get(key) {
            Some(found) if found.get_ref().is_str() => {
                Some((found.get_ref().as_str().unwrap_or_default().to_owned(), found.span()))
            }
            Some(found) => {
                problems.push(wrong_kind(found, "a text in quotes"));
                None
            }
            None => {
                let missing = Problem::new(value.span(), format!("the key `{key}` of the values is missing"));
                problems.push(missing.help("leave the section as `stopwise solve` writes it"));
                None
            }
        };
        let [Some(file), Some(digest), Some(rules), Some(metric)] = KEYS.map(&mut word) else {
            return Err(problems);
        };
        if !is_beside(&file.0) {
            let problem = Problem::new(file.1, "a file of values is in the directory of its policy");
            problems.push(problem.help("write its name alone, such as \"values.bin\""));
            return Err(problems);
        }
        let metrics = game.metrics();
        let again = format!("stopwise solve {} … --out DIR", game.info().name);
        let for_others = || {
            let message = format!("the values are for other rules: {}", quoted(&rules.0));
            let help = format!("play by those, or solve these: {again}, with the same --rules and --set");
            Problem::new(rules.1.clone(), message).help(help)
        };
        let Some(number) = metrics.iter().position(|known| known.name == metric.0) else {
            problems.push(for_others());
            return Err(problems);
        };
        let Some(bytes) = &text.beside else {
            let problem =
                Problem::new(file.1, format!("the file {} of values is not there", quoted(&file.0)));
            problems.push(problem.help(format!("put it beside this text, or write both anew: {again}")));
            return Err(problems);
        };
        let objective = Objective::new(game, number);
        let kept = match Kept::read(game, &objective, bytes) {
            Ok(_) if Kept::digest(bytes).as_ref() != Some(&digest.0) => {
                let message =
                    format!("the file {} is not the one that this text was written with", quoted(&file.0));
                Err(Problem::new(digest.1, message)
                    .help(format!("keep the two together, or write both anew: {again}")))
            }
            Ok(kept) => Ok(kept),
            Err(KeptError::OtherRules) => Err(for_others()),
            Err(error) => {
                let message = format!("{}: {error}", quoted(&file.0));
                Err(Problem::new(file.1, message).help(format!("write it anew: {again}")))
            }
        };
        match kept {
            Ok(kept) if problems.is_empty() => {
                let within = match kept.covers {
                    Covers::All => Arc::default(),
                    Covers::BetweenTurns => shared(&digest.0),
                };
                let (rules, metric, answers) = (rules.0, metrics[number].name, Arc::default());
                Ok(Self { kept, objective, within, answers, rules, metric, except })
            }
            Ok(_) => Err(problems),
            Err(problem) => {
                problems.push(problem);
                Err(problems)
            }
        }
    }

    /// Whether answers to a kind of decision follow from the values.
    pub(crate) fn knows(&self, kind: usize) -> bool {
        !self.except[kind]
    }

    /// Whether all answers do.
    pub(crate) fn is_whole(&self) -> bool {
        !self.except.contains(&true)
    }

    /// The number of positions.
    pub(crate) fn positions(&self) -> usize {
        self.kept.positions
    }

    /// Whether all values are known.
    pub(crate) fn is_exact(&self) -> bool {
        self.kept.is_exact()
    }

    /// The value of the game before it begins, for the first seat.
    pub(crate) fn value(&self) -> f64 {
        self.kept.value
    }

    /// What the answers are worth for who decides.
    pub(crate) fn worths(&self, game: &G, state: G::State, question: Question) -> Option<Worths> {
        let within = match self.kept.covers {
            Covers::All => None,
            Covers::BetweenTurns => {
                Some(self.within.get_or_init(|| self.kept.within_turns(game, self.objective)).as_ref()?)
            }
        };
        self.kept.worths(game, &self.objective, within, (state, question))
    }

    /// The best answer: the first of equal ones in the game's order. It is remembered for what a state may still come to, not
    /// for all that are worth the same: these may be mirrored, and their answers with them.
    #[inline]
    pub(crate) fn answer(&self, game: &G, state: G::State, question: Question) -> Option<Action> {
        let answers = self.answers.get_or_init(|| Answers::new(ANSWERS * self.kept.positions));
        let digest = Digest::of(0, &(game.forget(state, 0), question));
        answers.of(digest, || self.worths(game, state, question)?.choice())
    }

    /// What the best answer is worth for the first seat.
    pub(crate) fn worth(&self, game: &G, state: G::State, question: Question) -> Option<f64> {
        let sign = if self.objective.wants_more(question.seat) { 1.0 } else { -1.0 };
        Some(sign * self.worths(game, state, question)?.best())
    }
}
