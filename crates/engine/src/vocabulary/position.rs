//! Positions as text: the parts of a position at which a seat decides, `NAME=VALUE` each, with spaces between.
//!
//! One function of a game, [`Prose::position`], names the parts of its state. It is called to write a position, and to read
//! one, so that both agree. Within a value, `/` stands between the players, from the one whose turn it is, and `,` between
//! several things.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;

use super::{Prose, effects};
use crate::game::{Action, Actions, AnswerForm, Question};

/// The part that says the kind of decision, where there are several.
const DECISION: &str = "decision";
/// Of the most decisions it is said why they are not asked.
const TOLD: usize = 3;

/// The parts of a position, while it is written or read.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// What a text gives, until it is taken.
    given: Vec<(String, String)>,
    is_read: bool,
    /// All parts so far.
    written: Vec<(String, String)>,
    /// Parts that have their usual value, and are not written.
    usual: Vec<String>,
}

/// The position of a text, or one as text.
pub type Position<G> = (<G as crate::game::Game>::State, Question);

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// A part is wrong.
    Wrong(String),
    /// A part has a name that no part of the position has.
    Unknown {
        /// Its name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
}

impl From<String> for PositionError {
    fn from(why: String) -> Self {
        Self::Wrong(why)
    }
}

impl Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(why) => f.write_str(why),
            Self::Unknown { name, known } => {
                write!(f, "`{name}` is no part of this position; its parts are `{}`", known.join("`, `"))
            }
        }
    }
}

/// A position as text, from which [`read_position`] makes the same position.
pub fn write_position<G: Prose>(game: &G, (state, question): Position<G>) -> String {
    let mut parts = Parts::default();
    // What is written is not wrong: only what is read can be.
    let _ = in_parts(game, (state, question), &mut parts);
    parts.text()
}

/// The position that a text says. A part that it does not give is as at the beginning of the game; the kind of decision is the
/// only one that is asked there, with a choice.
///
/// # Errors
///
/// Says which part is wrong, and what it takes.
pub fn read_position<G: Prose>(game: &G, text: &str) -> Result<Position<G>, PositionError> {
    let parts = Parts::of(text)?;
    let kinds = game.info().kinds;
    if kinds.len() == 1 || parts.is_given(DECISION) {
        return read_parts(game, parts);
    }
    let names = kinds.iter().map(|kind| kind.name);
    let read = |name: &'static str| {
        let mut parts = parts.clone();
        parts.given.push((DECISION.to_owned(), name.to_owned()));
        let read = read_parts(game, parts).and_then(|position| match effects(game, position).len() {
            0 | 1 => Err(PositionError::Wrong("all answers have the same effect".into())),
            _ => Ok(position),
        });
        (name, read)
    };
    let mut read: Vec<(&str, Result<Position<G>, PositionError>)> = names.map(read).collect();
    let asked: Vec<&str> = read.iter().filter(|(_, read)| read.is_ok()).map(|(name, _)| *name).collect();
    match &*asked {
        [only] => {
            let at = read.iter().position(|(name, _)| name == only).unwrap_or(0);
            read.swap_remove(at).1
        }
        [] => Err(none_is_asked(&read)),
        several => Err(PositionError::Wrong(format!(
            "what is decided is missing; write {DECISION}= with one of {}",
            several.join(", ")
        ))),
    }
}

/// Why no decision is asked there.
fn none_is_asked<T>(read: &[(&str, Result<T, PositionError>)]) -> PositionError {
    let why = read.iter().filter_map(|(name, read)| Some((*name, read.as_ref().err()?)));
    let why: Vec<(&str, &PositionError)> = why.collect();
    let is_unknown = |why: &PositionError| matches!(why, PositionError::Unknown { .. });
    // What one decision knows is not unknown.
    let known: Vec<_> = why.iter().filter(|(_, why)| !is_unknown(why)).collect();
    match (&*known, &*why) {
        ([], [(_, first), ..]) => (*first).clone(),
        ([(_, first), rest @ ..], _) if rest.iter().all(|(_, other)| other == first) => (*first).clone(),
        (known, _) => {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            let told = known.iter().take(TOLD).map(|(name, why)| format!("\n{DECISION}={name}: {why}"));
            let names = names.join(", ");
            PositionError::Wrong(format!(
                "none of the decisions {names} is asked there; write {DECISION}= with the one that is meant{}",
                told.collect::<String>()
            ))
        }
    }
}

fn read_parts<G: Prose>(game: &G, mut parts: Parts) -> Result<Position<G>, PositionError> {
    let state = game.root(&mut ()).state();
    let question = Question { seat: 0, kind: 0, actions: Actions(0) };
    let found = in_parts(game, (state, question), &mut parts)?;
    parts.nothing_is_left()?;
    game.is_asked(found)?;
    Ok(found)
}

fn in_parts<G: Prose>(
    game: &G,
    (state, question): Position<G>,
    parts: &mut Parts,
) -> Result<Position<G>, String> {
    let kinds = game.info().kinds;
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    let kind = match names.len() {
        1 => 0,
        _ => parts.word(DECISION, &names, question.kind)?,
    };
    let actions = match kinds[kind].form {
        AnswerForm::YesNo => Actions::YES_NO,
        _ if parts.is_read => kinds[kind].all_actions(),
        _ => question.actions,
    };
    game.position((state, Question { kind, actions, ..question }), parts)
}

impl Parts {
    /// What a text gives.
    fn of(text: &str) -> Result<Self, String> {
        let mut given: Vec<(String, String)> = Vec::new();
        for word in text.split_whitespace() {
            let Some((name, value)) = word.split_once('=') else {
                return Err(format!(
                    "`{word}` is no part of a position; write NAME=VALUE, with spaces between the parts and none within"
                ));
            };
            if value.ends_with(',') {
                return Err(format!("`{word}`: no commas between the parts; write a space alone"));
            }
            if given.iter().any(|(known, _)| known == name) {
                return Err(format!("`{name}` stands twice; write it once"));
            }
            given.push((name.to_owned(), value.to_owned()));
        }
        Ok(Self { given, is_read: true, ..Self::default() })
    }

    fn text(&self) -> String {
        let parts = self.written.iter().map(|(name, value)| format!("{name}={value}"));
        parts.collect::<Vec<_>>().join(" ")
    }

    fn nothing_is_left(&self) -> Result<(), PositionError> {
        let Some((name, _)) = self.given.first() else { return Ok(()) };
        let known = self.written.iter().map(|(name, _)| name).chain(&self.usual);
        Err(PositionError::Unknown { name: name.clone(), known: known.cloned().collect() })
    }

    /// Whether a position is read, not written.
    pub fn is_read(&self) -> bool {
        self.is_read
    }

    /// Whether the text gives this part.
    pub fn is_given(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// What the text gives for a part, until it is taken.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// A part with a text form of its own: the value that the text gives, else `value`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as `read` says.
    pub fn part<T>(
        &mut self,
        name: &str,
        value: T,
        write: impl Fn(&T) -> String,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<T, String> {
        let value = match self.given.iter().position(|(given, _)| given == name) {
            Some(at) => {
                let (_, text) = self.given.remove(at);
                read(&text).map_err(|why| format!("{name}={text}: {why}"))?
            }
            None => value,
        };
        self.written.push((name.to_owned(), write(&value)));
        Ok(value)
    }

    /// The part before this is not written, if it has its usual value.
    fn leave_out(&mut self, is_usual: bool) {
        if is_usual && let Some((name, _)) = self.written.pop() {
            self.usual.push(name);
        }
    }

    /// A whole number.
    ///
    /// # Errors
    ///
    /// If it is no number of the range.
    pub fn number<N: Number>(
        &mut self,
        name: &str,
        value: N,
        range: RangeInclusive<u64>,
    ) -> Result<N, String> {
        self.part(name, value, N::to_string, |text| number(text, &range))
    }

    /// A number that is not written where it is the usual one: memory, and what matters seldom.
    ///
    /// # Errors
    ///
    /// If it is no number of the range.
    pub fn rare_number<N: Number>(
        &mut self,
        name: &str,
        value: N,
        usual: N,
        range: RangeInclusive<u64>,
    ) -> Result<N, String> {
        let value = self.number(name, value, range)?;
        self.leave_out(value == usual);
        Ok(value)
    }

    /// Several numbers, one a player; as many as `values`.
    ///
    /// # Errors
    ///
    /// If there are more or fewer, or one is out of the range.
    pub fn numbers<N: Number>(
        &mut self,
        name: &str,
        values: Vec<N>,
        range: RangeInclusive<u64>,
    ) -> Result<Vec<N>, String> {
        let many = values.len();
        let write = |values: &Vec<N>| values.iter().map(N::to_string).collect::<Vec<_>>().join("/");
        self.part(name, values, write, |text| each(text, many, |text| number(text, &range)))
    }

    /// Yes or no; no is not written.
    ///
    /// # Errors
    ///
    /// If it is another word.
    pub fn truth(&mut self, name: &str, value: bool) -> Result<bool, String> {
        let value = self.word(name, &["no", "yes"], value.into())? == 1;
        self.leave_out(!value);
        Ok(value)
    }

    /// One of several words, by its number.
    ///
    /// # Errors
    ///
    /// If it is another word.
    pub fn word(&mut self, name: &str, words: &[&str], value: usize) -> Result<usize, String> {
        let write = |value: &usize| words.get(*value).copied().unwrap_or_default().to_owned();
        self.part(name, value, write, |text| {
            let found = words.iter().position(|word| *word == text);
            found.ok_or_else(|| format!("write one of {}", words.join(", ")))
        })
    }

    /// A seat, counted from 1 in the text; not written where only one seat plays.
    ///
    /// # Errors
    ///
    /// If there is no such seat.
    pub fn seat(&mut self, name: &str, seat: usize, seats: usize) -> Result<usize, String> {
        let of = self.number(name, seat as u64 + 1, 1..=seats as u64)?;
        self.leave_out(seats == 1);
        Ok(usize::try_from(of - 1).unwrap_or(0))
    }

    /// Seats, as bits; counted from 1 in the text, and not written where there are none.
    ///
    /// # Errors
    ///
    /// If one of them does not play.
    pub fn seats(&mut self, name: &str, bits: u64, seats: usize) -> Result<u64, String> {
        let write = |bits: &u64| {
            let seats = (0..64).filter(|seat| bits >> seat & 1 == 1).map(|seat| (seat + 1).to_string());
            seats.collect::<Vec<_>>().join(",")
        };
        let bits = self.part(name, bits, write, |text| {
            text.split(',').filter(|text| !text.is_empty()).try_fold(0, |bits, text| {
                let seat: u64 = number(text, &(1..=seats as u64))?;
                Ok(bits | 1 << (seat - 1))
            })
        })?;
        self.leave_out(bits == 0);
        Ok(bits)
    }

    /// What can be chosen, where the rest of the position does not tell it: some of `all`, by their names. Of several with
    /// one name the first has it, and the others have their numbers.
    ///
    /// # Errors
    ///
    /// If one is unknown, or none is given.
    pub fn choices(
        &mut self,
        actions: Actions,
        all: Actions,
        name: impl Fn(Action) -> String,
    ) -> Result<Actions, String> {
        let mut named: Vec<(Action, String)> = Vec::new();
        for action in all.iter() {
            let name = slug(&name(action));
            let is_new = !name.is_empty() && named.iter().all(|(_, known)| *known != name);
            named.push((action, if is_new { name } else { format!("#{}", action.index()) }));
        }
        let all = || {
            let names = named.iter().map(|(_, name)| name.as_str());
            names.filter(|name| !name.starts_with('#')).collect::<Vec<_>>().join(", ")
        };
        if self.is_read && !self.is_given("choices") {
            return Err(format!(
                "it does not say what can be chosen; write choices=… with some of {}",
                all()
            ));
        }
        let write = |actions: &Actions| {
            let chosen = named.iter().filter(|(action, _)| actions.contains(*action));
            chosen.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(",")
        };
        self.part("choices", actions, write, |text| {
            let known = |text| named.iter().find(|(_, name)| name == text);
            let bits = text.split(',').try_fold(0, |bits, text| match known(text) {
                Some((action, _)) => Ok(bits | action.0),
                None => Err(format!("`{text}` cannot be chosen here; what can is {}", all())),
            });
            bits.map(Actions)
        })
    }
}

/// What is between slashes, one a player.
///
/// # Errors
///
/// If there are more or fewer, and what is wrong with one of them.
pub fn each<T>(text: &str, many: usize, read: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    let parts: Vec<&str> = text.split('/').collect();
    if parts.len() != many {
        return Err(format!("write {many} of them with `/` between, one a player"));
    }
    parts.into_iter().map(read).collect()
}

/// A name in one word: "large red" as `large-red`.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// A whole number of a state.
pub trait Number: Copy + PartialEq + Display + TryFrom<u64> {}
impl<N: Copy + PartialEq + Display + TryFrom<u64>> Number for N {}

/// A number of a range.
fn number<N: Number>(text: &str, range: &RangeInclusive<u64>) -> Result<N, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    let number = number.and_then(|number| N::try_from(number).ok());
    number.ok_or_else(|| match range.start() == range.end() {
        true => format!("only {} is possible here", range.start()),
        false => format!("write a number from {} to {}", range.start(), range.end()),
    })
}
