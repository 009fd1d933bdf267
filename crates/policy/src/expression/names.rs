//! Unknown names: written with spaces, hyphens or capitals, or misspelt.

use std::ops::Range;

use super::parse::{Operation, Syntax, SyntaxForm, Unread};
use super::scope::Scope;
use stopwise_text::{Problem, Problems, is_same, misspelt, nearest, quoted};

/// The problem of an unknown name. Two adjacent names unlike any known one are reported as a name and a mistake.
pub(crate) fn unknown<'n>(
    span: Range<usize>,
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Problem {
    let known: Vec<_> = known.into_iter().collect();
    let Some((first, rest)) = name.split_once(char::is_whitespace) else {
        return Problem::unknown(span, what, name, known);
    };
    if misspelt(name, &known).is_some() {
        return Problem::unknown(span, what, name, known);
    }
    let second = rest.trim_start();
    let word = second.split(char::is_whitespace).next().unwrap_or(second);
    let start = span.start + first.len() + (rest.len() - second.len()) + 1;
    Problem::new(
        start..start + word.len(),
        format!("{} stands where an operator or the end should be", quoted(word)),
    )
}

/// The problems of a chain `a - b - c` in which several names together may be one name with hyphens.
pub(crate) fn hyphenated(syntax: &Syntax, what: &str, known: &[&str], problems: Problems) -> Problems {
    let mut chain: Vec<(&str, Range<usize>)> = Vec::new();
    let mut rest = syntax;
    while let SyntaxForm::Binary(Operation::Subtract, left, right) = &rest.form {
        let SyntaxForm::Name(name) = &right.form else { break };
        chain.push((name, right.span.clone()));
        rest = left;
    }
    // What is denied stands before the first name, and binds it closer than a hyphen.
    if let SyntaxForm::Not(inner) | SyntaxForm::Negate(inner) = &rest.form {
        rest = inner;
    }
    if let SyntaxForm::Name(name) = &rest.form {
        chain.push((name, rest.span.clone()));
    }
    chain.reverse();
    // The longest first.
    for length in (2..=chain.len()).rev() {
        for run in chain.windows(length) {
            let name = run.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("-");
            let span = run[0].1.start..run[length - 1].1.end;
            let is_within =
                |problem: &Problem| problem.span.start < span.end && span.start < problem.span.end;
            if known.iter().any(|known| is_same(&name, known)) && problems.iter().any(is_within) {
                let one = Problem::unknown(span.clone(), what, &name, known.iter().copied());
                let others = problems.into_iter().filter(|problem| !is_within(problem));
                return others.chain([one]).collect();
            }
        }
    }
    problems
}

/// The problems of an expression that cannot be parsed, with its unknown names. If the intended expression is unknown,
/// only names that resemble a known one are reported.
pub(crate) fn problems_of(unread: Unread, scope: Scope<'_>) -> Problems {
    let Unread { mut problems, meant, words } = unread;
    match meant {
        Some(syntax) => problems.extend(all_unknown(&syntax, scope)),
        None => {
            let strange = |name: &str| scope.names().all(|known| known != name);
            let near = |name: &str| nearest(name, scope.names()).is_some();
            let is_word = |name: &str| WORDS.iter().any(|word| name.eq_ignore_ascii_case(word));
            let is_new = |span: &Range<usize>, problems: &Problems| {
                problems
                    .iter()
                    .all(|problem| problem.span.end <= span.start || span.end <= problem.span.start)
            };
            for (name, span) in words {
                if strange(&name) && near(&name) && !is_word(&name) && is_new(&span, &problems) {
                    problems.push(unknown(span, "name", &name, scope.names()));
                }
            }
        }
    }
    problems
}

/// Keywords of other languages, and words for actions, that happen to resemble the name of a feature.
const WORDS: [&str; 9] = ["if", "then", "else", "and", "or", "not", "stop", "min", "max"];

/// The unknown names of an expression, wherever they occur.
fn all_unknown(syntax: &Syntax, scope: Scope<'_>) -> Problems {
    let of = |parts: &[&Syntax]| parts.iter().flat_map(|part| all_unknown(part, scope)).collect::<Vec<_>>();
    match &syntax.form {
        SyntaxForm::Number(..) | SyntaxForm::Truth(_) => Vec::new(),
        SyntaxForm::Name(name) if scope.names().any(|known| known == name) => Vec::new(),
        SyntaxForm::Name(name) => vec![unknown(syntax.span.clone(), "name", name, scope.names())],
        SyntaxForm::Negate(inner) | SyntaxForm::Not(inner) => of(&[inner]),
        SyntaxForm::Binary(Operation::Subtract, left, right) => {
            let names: Vec<_> = scope.names().collect();
            let problems = of(&[left, right]);
            if problems.is_empty() { problems } else { hyphenated(syntax, "name", &names, problems) }
        }
        SyntaxForm::Binary(_, left, right) => of(&[left, right]),
        SyntaxForm::Choose(condition, yes, no) => of(&[condition, yes, no]),
        SyntaxForm::Call(_, arguments) => of(&arguments.iter().collect::<Vec<_>>()),
    }
}
