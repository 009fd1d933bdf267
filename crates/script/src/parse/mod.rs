//! From lines to the syntax tree. A line that cannot be read is a problem, and reading goes on below it.

mod declaration;
mod expression;
mod once;
mod statement;

#[cfg(test)]
pub(crate) use {declaration::DECLARATIONS, statement::STATEMENTS};

use crate::lex::{Line, Token, lines};
use crate::problem::{Problem, Span, quoted};
use crate::syntax::{EndForm, File, Name, Words};

/// Reads a text.
///
/// # Errors
///
/// All its mistakes.
pub(crate) fn parse(text: &str) -> Result<File, Vec<Problem>> {
    let (mut lines, problems) = lines(text);
    // Lines of nothing but a comment.
    lines.retain(|line| !line.tokens.is_empty());
    let twice = once::said_twice(text, &lines);
    let mut parser = Parser {
        lines,
        line: 0,
        at: 0,
        problems,
        depth: 0,
        within: 0,
        operators: 0,
        no_in: false,
        end: text.len(),
        file: File::default(),
    };
    parser.file();
    parser.problems.extend(twice);
    for end in &mut parser.file.ends {
        if let EndForm::When(condition, _) = &end.form {
            end.said = text.get(condition.span.clone()).unwrap_or_default().to_owned();
        }
    }
    parser.file.end_when_nobody_is_left();
    if parser.problems.is_empty() { Ok(parser.file) } else { Err(parser.problems) }
}

/// The most statements in statements, and brackets in brackets.
const DEPTH: usize = 40;
/// The most operators of an expression, each of which may be an operand of the next: what reads it goes as deep.
const OPERATORS: usize = 256;

pub(crate) struct Parser {
    lines: Vec<Line>,
    /// The line that is read, and the token in it.
    line: usize,
    at: usize,
    problems: Vec<Problem>,
    depth: usize,
    /// How deep in an expression it is, and how many operators this has so far.
    within: usize,
    operators: usize,
    /// Whether `in` ends an expression, as it does after the value of a variable.
    no_in: bool,
    /// The length of the text.
    end: usize,
    file: File,
}

type Parsed<T> = Result<T, Problem>;

impl Parser {
    fn token(&self, ahead: usize) -> Option<&Token> {
        self.lines.get(self.line)?.tokens.get(self.at + ahead).map(|(token, _)| token)
    }

    fn peek(&self) -> Option<&Token> {
        self.token(0)
    }

    /// The place of the next token, or of the end of the line.
    fn span(&self) -> Span {
        let Some(line) = self.lines.get(self.line) else { return self.end..self.end };
        match line.tokens.get(self.at) {
            Some((_, span)) => span.clone(),
            None => line.tokens.last().map_or(self.end..self.end, |(_, span)| span.end..span.end),
        }
    }

    /// The end of the token before.
    fn end_before(&self) -> usize {
        let tokens = self.lines.get(self.line).map(|line| &line.tokens[..]).unwrap_or_default();
        self.at.checked_sub(1).and_then(|at| tokens.get(at)).map_or(self.end, |(_, span)| span.end)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(next)) if *next == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(next)) if next == word)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        self.at += usize::from(is);
        is
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &'static str) -> Parsed<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// The next token stands where something else should.
    fn unexpected(&self, wanted: &str) -> Problem {
        let found = match self.peek() {
            None => "the line ends".to_owned(),
            Some(Token::Word(word)) => format!("{} stands", quoted(word)),
            Some(Token::Number(number)) => format!("`{number}` stands"),
            Some(Token::Decimal(number)) => format!("{} stands", quoted(number)),
            Some(Token::Text(_)) => "a text stands".to_owned(),
            Some(Token::Sign(sign)) => format!("`{sign}` stands"),
        };
        let problem = Problem::new(self.span(), format!("{found} where {wanted} should be"));
        match self.peek() {
            None => problem.help(
                "a line goes on after a comma, an operator, `and`, `or`, `not`, `where`, and in brackets",
            ),
            Some(_) => problem,
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let span = self.span();
        match self.peek() {
            Some(Token::Word(word)) => {
                let name = Name { text: word.clone(), span };
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Names with dots or hyphens in them, written without spaces: `points.solid`, `readme-v1`.
    fn long_name(&mut self, joint: &str, what: &str) -> Parsed<Name> {
        let mut name = self.name(what)?;
        while self.is_sign(joint) && self.span().start == name.span.end {
            let (word, is_next) = match self.lines[self.line].tokens.get(self.at + 1) {
                Some((Token::Word(word), span)) => (word.clone(), span.start == name.span.end + 1),
                Some((Token::Number(number), span)) => (number.to_string(), span.start == name.span.end + 1),
                _ => break,
            };
            if !is_next {
                break;
            }
            self.at += 2;
            name.text = format!("{}{joint}{word}", name.text);
            name.span.end = self.end_before();
        }
        Ok(name)
    }

    fn names(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut names = vec![self.name(what)?];
        while self.accept(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn meaning(&mut self) -> Option<String> {
        let Some(Token::Text(text)) = self.peek() else { return None };
        let text = text.clone();
        self.at += 1;
        Some(text)
    }

    fn words(&mut self) -> Words {
        let unit = match self.peek() {
            Some(Token::Word(word)) if word != "where" => Some(word.clone()),
            _ => None,
        };
        self.at += usize::from(unit.is_some());
        Words { unit, meaning: self.meaning() }
    }

    /// Ends the line; whatever is left of it is a problem.
    fn end_line(&mut self) {
        if self.peek().is_some() {
            let problem = self.unexpected("the end of the line");
            let problem = self.in_quotes(problem);
            self.problems.push(problem);
        }
        self.next_line();
    }

    /// Advice where a line goes on, and words for people have no quotes or no place.
    fn in_quotes(&self, problem: Problem) -> Problem {
        let with_meaning = ["ask", "option", "let", "shared", "player", "see", "report"];
        let first = self.lines.get(self.line).and_then(|line| line.tokens.first());
        let has_meaning =
            matches!(first, Some((Token::Word(word), _)) if with_meaning.contains(&word.as_str()));
        match self.peek() {
            Some(Token::Word(_)) if has_meaning => {
                problem.help("what it means stands in quotes: \"sail home\"")
            }
            Some(Token::Text(_)) if matches!(first, Some((Token::Word(word), _)) if word == "end") => {
                problem.help("what an ending is stands on a line of its own: `end NAME \"…\"`")
            }
            Some(Token::Sign("?")) => problem.help(
                "what follows `in` is a range here: put brackets around a comparison, `(c in NAMES) ? … : …`",
            ),
            _ => problem,
        }
    }

    fn next_line(&mut self) {
        self.line += 1;
        self.at = 0;
    }

    fn indent(&self) -> Option<usize> {
        self.lines.get(self.line).map(|line| line.indent)
    }

    /// Whether the line that was just ended has indented lines below it, and how deep they are.
    fn inner(&self, outer: usize) -> Option<usize> {
        self.indent().filter(|&indent| indent > outer)
    }

    /// Reads indented lines one by one.
    fn each_line(&mut self, outer: usize, mut read: impl FnMut(&mut Self) -> Parsed<()>) {
        let Some(depth) = self.inner(outer) else { return };
        while let Some(indent) = self.inner(outer) {
            if indent != depth {
                self.crooked(depth);
            }
            let line = self.line;
            if let Err(problem) = read(self) {
                self.problems.push(problem);
                self.line = self.line.max(line);
                self.skip(indent);
            }
        }
    }

    fn crooked(&mut self, depth: usize) {
        let problem = Problem::new(self.span(), "this line is not in line with the one above");
        let above = self.line.checked_sub(1).map(|line| &self.lines[line]);
        let is_ask = above.is_some_and(|line| {
            line.indent == depth
                && matches!(line.tokens.first(), Some((Token::Word(word), _)) if word == "ask")
        });
        let why = match is_ask {
            true => {
                "only a question for yes or no has lines below it, and what follows an answer from several stands as far in \
                     as `ask`: "
            }
            false => "",
        };
        self.problems.push(problem.help(format!("{why}indent it by {depth} spaces")));
    }

    /// Leaves a line that cannot be read. What stands below it is still read for its mistakes.
    fn skip(&mut self, indent: usize) {
        self.next_line();
        self.no_in = false;
        if self.inner(indent).is_some() {
            let _ = self.lines_of_block(indent);
        }
    }
}
