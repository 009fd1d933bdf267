//! Lines that a text has once: a second one would take the place of the first in silence.

use crate::lex::{Line, Token};
use crate::problem::{Problem, place};

/// Words that begin such a line. Of those that stand together a text has one.
const ONCE: [&[&str]; 6] = [&["game"], &["setup"], &["turn", "round"], &["win"], &["alone"], &["tie"]];

/// The second lines, each with the place of the first.
pub(super) fn said_twice(text: &str, lines: &[Line]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for words in ONCE {
        let mut said = lines.iter().filter_map(|line| match line.tokens.first() {
            Some((Token::Word(word), span)) if line.indent == 0 && words.contains(&word.as_str()) => {
                Some((word, span))
            }
            _ => None,
        });
        let Some((_, first)) = said.next() else { continue };
        let (line, _) = place(text, first.start);
        for (word, span) in said {
            let message =
                format!("`{word}` is the second `{}`: line {line} is the first", words.join("` or `"));
            let help = match word.as_str() {
                "win" => "what decides among equals follows a comma: `win most score, least failed`",
                _ => "leave one of them out",
            };
            problems.push(Problem::new(span.clone(), message).help(help));
        }
    }
    problems
}
