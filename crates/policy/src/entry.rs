//! The entries of preference lists: read and checked.
//!
//! An entry is a condition on the candidate, `from_bank`, `pays >= 300 && not small`, or a number of it with `most` or
//! `least` before it, `most pays`, `least 2 * used - pays`. Both may read the state as well.

use stopwise_engine::vocabulary::Feature;

use crate::expression::chance::{Chances, IN_CONDITIONS};
use crate::expression::check::{Checked, Instruction, Kind, check};
use crate::expression::lint::{Constant, doubts};
use crate::expression::parameter::Parameter;
use crate::expression::parse::{Operation, Syntax, SyntaxForm, Unread, parse};
use crate::expression::scope::Scope;
use crate::preference::Holds;
use crate::words::Words;
use stopwise_text::{Problem, Problems, misspelt, quoted};

/// A checked entry.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// Predicates alone.
    Holds(Holds),
    /// Another condition.
    Where(Checked),
    /// The number of which the most is preferred.
    Most(Checked),
}

/// What an entry asks of the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// That a condition holds.
    Where,
    /// The most of a number.
    Most,
    /// The least of a number.
    Least,
}

/// An entry as written.
#[derive(Clone, Debug)]
pub(crate) struct EntrySource {
    pub(crate) wish: Wish,
    pub(crate) syntax: Syntax,
}

impl EntrySource {
    /// The entry as a person would write it.
    pub(crate) fn to_text(&self) -> String {
        let text = self.syntax.to_text();
        match self.wish {
            Wish::Where => text,
            Wish::Most => format!("most {text}"),
            Wish::Least => format!("least {text}"),
        }
    }
}

/// The longest part of a text that is said again in advice, in bytes.
const SHORT: usize = 60;

/// Words that other people write for `most` and `least`.
const OTHER_WORDS: [(&str, &str); 14] = [
    ("highest", "most"),
    ("largest", "most"),
    ("greatest", "most"),
    ("biggest", "most"),
    ("maximum", "most"),
    ("max", "most"),
    ("more", "most"),
    ("lowest", "least"),
    ("smallest", "least"),
    ("fewest", "least"),
    ("minimum", "least"),
    ("min", "least"),
    ("less", "least"),
    ("fewer", "least"),
];

/// What reading an entry needs to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'g> {
    pub(crate) words: &'g Words,
    pub(crate) parameters: &'g [Parameter],
    /// The ranges of the words where the list is used.
    pub(crate) here: &'g [Feature],
}

impl<'g> Given<'g> {
    fn scope(self) -> Scope<'g> {
        let chances = Chances::NotHere(IN_CONDITIONS);
        Scope { features: &self.words.features, parameters: self.parameters, chances }
    }

    /// Reads an entry, and adds comparisons that always or never hold.
    ///
    /// # Errors
    ///
    /// All problems of the entry.
    pub(crate) fn read(
        self,
        content: &str,
        constant: &mut Vec<Constant>,
    ) -> Result<(Entry, EntrySource), Problems> {
        let (wish, rest) = self.wish(content)?;
        let start = content.len() - rest.len();
        let moved = |problems: Problems| -> Problems {
            problems.into_iter().map(|problem| problem.shifted(start)).collect()
        };
        let syntax = parse(rest).map_err(|unread| self.problems_of(unread, wish)).map_err(moved)?;
        let entry = self.check(wish, &syntax).map_err(moved)?;
        if !matches!(entry, Entry::Holds(_)) {
            let mut found = Vec::new();
            doubts(&syntax, self.scope(), self.here, &mut found);
            constant
                .extend(found.into_iter().map(|constant| constant.placed(|problem| problem.shifted(start))));
        }
        Ok((entry, EntrySource { wish, syntax }))
    }

    /// What is wished, and the rest of the entry.
    fn wish(self, content: &str) -> Result<(Wish, &str), Problem> {
        let Some((word, rest)) = first_word(content) else { return Ok((Wish::Where, content)) };
        let wish = |word: &str| match word {
            "most" => Some(Wish::Most),
            "least" => Some(Wish::Least),
            _ => None,
        };
        if let Some(wish) = wish(word) {
            return Ok((wish, rest));
        }
        let place = || {
            let start = content.len() - content.trim_start().len();
            start..content.trim_end().len()
        };
        let advised = |right: &str, rest: &str| {
            let rest = Some(rest.trim()).filter(|rest| rest.len() < SHORT).unwrap_or("…");
            let help = format!("write \"{right} {rest}\"");
            Problem::new(place(), format!("{} has no meaning here", quoted(word))).help(help)
        };
        let other = |word: &str| {
            let known = OTHER_WORDS.iter().find(|(other, _)| word.eq_ignore_ascii_case(other));
            let is_call = rest.starts_with('(') && matches!(word, "min" | "max");
            let misspelt = || {
                let next = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
                next.filter(|next| self.words.is_of_candidate(next))
                    .and_then(|_| misspelt(word, &["most", "least"]))
            };
            known.map(|(_, right)| *right).filter(|_| !is_call).or_else(misspelt)
        };
        match word {
            "not" => match first_word(rest).and_then(|(word, rest)| Some((wish(word)?, rest))) {
                Some((Wish::Most, rest)) => Err(advised("least", rest)),
                Some((_, rest)) => Err(advised("most", rest)),
                None => Ok((Wish::Where, content)),
            },
            _ => match other(word).filter(|_| !self.words.is_of_candidate(word)) {
                Some(right) => Err(advised(right, rest)),
                None => Ok((Wish::Where, content)),
            },
        }
    }

    fn check(self, wish: Wish, syntax: &Syntax) -> Result<Entry, Problems> {
        let mut names = Vec::new();
        syntax.names(&mut names);
        let is_plain = is_logic(syntax) && !names.iter().any(|name| self.words.is_no_predicate(name));
        if wish == Wish::Where && is_plain {
            return Ok(Entry::Holds(Holds::read(syntax, self.words)?));
        }
        if wish != Wish::Where
            && let SyntaxForm::Binary(Operation::And | Operation::Or, number, _) = &syntax.form
            && check(number, self.scope()).is_ok_and(|number| number.kind != Kind::Truth)
        {
            let span = number.span.end..syntax.span.end;
            let message = "the most or least is of one number, and this follows it";
            return Err(Problem::new(span, message).help("write it as an entry of its own").into());
        }
        let checked = check(syntax, self.scope())?;
        let problem = |message: String| Problem::new(syntax.span.clone(), message);
        let text = Some(syntax.to_text()).filter(|text| text.len() < SHORT).unwrap_or_else(|| "…".into());
        if !names.iter().any(|name| self.words.is_of_candidate(name)) {
            let condition = if checked.kind == Kind::Truth { text } else { format!("{text} >= …") };
            let problem = problem("this says nothing of a candidate".into());
            let help = format!("to choose a list by it, write {{ when = \"{condition}\", prefer = [...] }}");
            return Err(problem.help(help).into());
        }
        match (wish, checked.kind) {
            (Wish::Where, Kind::Truth) => Ok(Entry::Where(checked)),
            (Wish::Most, Kind::Number(_)) => Ok(Entry::Most(checked)),
            (Wish::Least, Kind::Number(_)) => {
                let (kind, low, high) = (checked.kind, -checked.high, -checked.low);
                Ok(Entry::Most(Checked { step: Instruction::Negate(Box::new(checked)), kind, low, high }))
            }
            (Wish::Where, Kind::Number(parts)) => {
                let least = (checked.low + (checked.high - checked.low) / 2) / parts;
                let problem = problem("this is a number, and a list needs to know which is preferred".into());
                let compared = format!("\"{text} >= {least}\"");
                let help =
                    format!("write \"most {text}\", \"least {text}\", or compare it, as in {compared}");
                Err(problem.help(help).into())
            }
            (_, Kind::Truth) => {
                let (word, text) = match (wish, &syntax.form) {
                    (Wish::Least, SyntaxForm::Name(_)) => ("least", format!("not {text}")),
                    (Wish::Least, _) => ("least", format!("not ({text})")),
                    _ => ("most", text),
                };
                let problem = problem(format!("`{word}` is for numbers, and this is a yes or no"));
                Err(problem.help(format!("write \"{text}\"")).into())
            }
        }
    }

    /// The problems of an entry that cannot be parsed. If the intended expression is known, its words are checked as well.
    fn problems_of(self, unread: Unread, wish: Wish) -> Problems {
        let Unread { mut problems, meant, .. } = unread;
        for problem in problems.iter_mut().filter(|problem| problem.message.starts_with("`,` stands")) {
            problem.help.get_or_insert("each entry has quotes of its own: \"…\", \"…\"".into());
        }
        if let Some(Err(more)) = meant.map(|syntax| self.check(wish, &syntax)) {
            problems.extend(more);
        }
        problems
    }
}

/// The first word of an entry, and what follows, if that may be an operand.
fn first_word(content: &str) -> Option<(&str, &str)> {
    let text = content.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (word, rest) = text.split_at(end);
    let rest = rest.trim_start();
    let next: &str = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    let is_operand = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '(' | '-' | '_'));
    (is_operand && !matches!(next, "and" | "or") && !(rest.starts_with('-') && rest[1..].starts_with(' ')))
        .then_some((word, rest))
}

/// Whether an expression joins nothing but names.
pub(crate) fn is_logic(syntax: &Syntax) -> bool {
    match &syntax.form {
        SyntaxForm::Name(_) => true,
        SyntaxForm::Not(inner) => is_logic(inner),
        SyntaxForm::Binary(Operation::And | Operation::Or, left, right) => is_logic(left) && is_logic(right),
        _ => false,
    }
}
