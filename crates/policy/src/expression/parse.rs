//! The parser: tokens to a syntax tree, with the operators of CEL (Common Expression Language) and their usual
//! precedence.
//!
//! The syntax is a subset of CEL's. It is parsed by hand because the `cel` crate interprets trees of dynamic values and
//! checks neither types nor ranges, while the grammar needed here is a page. What matters are spans, depth limits and
//! advice.

use std::ops::Range;

use super::fraction::gcd;
use super::lex::{Lexed, Token, percentage, tokens};
pub(crate) use stopwise_engine::vocabulary::Operation;
use stopwise_text::Text;
use stopwise_text::{Problem, quoted};

/// The deepest nesting of an expression: how deep the parser calls itself, and how many values wait for an operator.
const DEPTH: usize = 48;
/// The greatest height of a tree: how deep everything else calls itself that reads one.
const HEIGHT: u16 = 256;
/// The longest expression, in bytes.
const LENGTH: usize = Text::LONGEST;

/// Lower-case words that are never part of a name.
const JOINING: [&str; 5] = ["and", "or", "not", "then", "else"];

/// An expression as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Syntax {
    pub(crate) form: SyntaxForm,
    pub(crate) span: Range<usize>,
    /// The number of forms on the longest way down.
    height: u16,
}

impl Syntax {
    fn new(form: SyntaxForm, span: Range<usize>) -> Self {
        let below = match &form {
            SyntaxForm::Number(..) | SyntaxForm::Truth(_) | SyntaxForm::Name(_) => 0,
            SyntaxForm::Negate(inner) | SyntaxForm::Not(inner) => inner.height,
            SyntaxForm::Binary(_, left, right) => left.height.max(right.height),
            SyntaxForm::Choose(condition, yes, no) => condition.height.max(yes.height).max(no.height),
            SyntaxForm::Call(_, arguments) => {
                arguments.iter().map(|argument| argument.height).max().unwrap_or(0)
            }
        };
        Self { form, span, height: below + 1 }
    }
}

/// Joins a row of operands, in order, in a tree that is no higher than need be.
pub(crate) fn balanced<T, E>(
    mut row: Vec<T>,
    mut join: impl FnMut(T, T) -> Result<T, E>,
) -> Result<Option<T>, E> {
    while row.len() > 1 {
        let mut operands = row.into_iter();
        let mut joined = Vec::with_capacity(operands.len().div_ceil(2));
        while let Some(left) = operands.next() {
            joined.push(match operands.next() {
                Some(right) => join(left, right)?,
                None => left,
            });
        }
        row = joined;
    }
    Ok(row.pop())
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxForm {
    Number(i64, i64),
    Truth(bool),
    Name(String),
    Negate(Box<Syntax>),
    Not(Box<Syntax>),
    Binary(Operation, Box<Syntax>, Box<Syntax>),
    Choose(Box<Syntax>, Box<Syntax>, Box<Syntax>),
    Call(String, Vec<Syntax>),
}

fn of_sign(sign: &str) -> Option<Operation> {
    Some(match sign {
        "||" => Operation::Or,
        "&&" => Operation::And,
        "==" => Operation::Equal,
        "!=" => Operation::Unequal,
        "<" => Operation::Less,
        "<=" => Operation::AtMost,
        ">" => Operation::More,
        ">=" => Operation::AtLeast,
        "+" => Operation::Add,
        "-" => Operation::Subtract,
        "*" => Operation::Multiply,
        "/" => Operation::Divide,
        "%" => Operation::Remainder,
        _ => return None,
    })
}

/// The binding strength. Comparisons have equal strength and do not chain.
fn strength(operator: Operation) -> u8 {
    match operator {
        Operation::Or => 1,
        Operation::And => 2,
        _ if operator.is_comparison() => 3,
        Operation::Add | Operation::Subtract => 4,
        _ => 5,
    }
}

/// An expression that cannot be parsed.
#[derive(Clone, Debug)]
pub(crate) struct Unread {
    /// Its problems, as far as they were found.
    pub(crate) problems: Vec<Problem>,
    /// The expression that was probably meant.
    pub(crate) meant: Option<Syntax>,
    /// Its words, with their places.
    pub(crate) words: Vec<(String, Range<usize>)>,
}

/// Parses one expression.
pub(crate) fn parse(text: &str) -> Result<Syntax, Unread> {
    let alone = |problem: Problem| Unread { problems: vec![problem], meant: None, words: Vec::new() };
    if text.len() > LENGTH {
        let problem = Problem::new(0..text.len(), format!("an expression has at most {LENGTH} bytes"));
        return Err(alone(problem));
    }
    let Lexed { tokens, problems, is_whole } = tokens(text);
    let mut parser = Parser { text, tokens, at: 0, depth: 0, ifs: 0, ifs_from: 0, problems };
    if *parser.peek() == Token::End && is_whole {
        let problem = Problem::new(0..text.len(), "an expression is missing");
        return Err(alone(problem.help("write for example \"counter >= 2\"")));
    }
    let read = parser.choice().and_then(|syntax| match parser.peek() {
        Token::End => Ok(syntax),
        _ => Err(parser.stray()),
    });
    let Parser { tokens, mut problems, .. } = parser;
    let meant = match read {
        Ok(syntax) if problems.is_empty() => return Ok(syntax),
        Ok(syntax) => Some(syntax).filter(|_| is_whole),
        // Of what is no token nothing is known, nor what follows from it.
        Err(problem) => {
            if is_whole {
                problems.push(problem);
            }
            None
        }
    };
    let words = tokens.into_iter().filter_map(|(token, span)| match token {
        Token::Name(name) => Some((name, span)),
        _ => None,
    });
    Err(Unread { problems, meant, words: words.collect() })
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    depth: usize,
    /// The number of open `if … then`.
    ifs: usize,
    /// The position at which an `if` describes what to do: at the beginning, and after `then` or `else` of such an
    /// `if`.
    ifs_from: usize,
    /// Problems with text that was nevertheless understood.
    problems: Vec<Problem>,
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.at].1.clone()
    }

    fn next(&mut self) -> Range<usize> {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(found) if *found == sign);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), Problem> {
        if self.accept(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> Problem {
        let found = match self.peek() {
            Token::End => "the expression ends".to_owned(),
            Token::Name(name) => format!("{} stands", quoted(name)),
            Token::Number(..) => "a number stands".to_owned(),
            Token::Sign(sign) => format!("`{sign}` stands"),
        };
        Problem::new(self.span(), format!("{found} where {wanted} should be"))
    }

    /// What follows a whole expression. After a comma within a number it is the rest of the number.
    fn stray(&self) -> Problem {
        let problem = self.unexpected("an operator or the end");
        let is_number = |at: Option<usize>| {
            at.and_then(|at| self.tokens.get(at)).is_some_and(|(token, _)| matches!(token, Token::Number(..)))
        };
        let is_within = is_number(self.at.checked_sub(1)) && is_number(Some(self.at + 1));
        match self.peek() {
            Token::Sign(",") if is_within => problem.help("write 1000 or 1_000 for 1,000, and 0.5 for 0,5"),
            _ => problem,
        }
    }

    /// Runs a parsing step one level deeper.
    fn deeper<T>(&mut self, step: impl FnOnce(&mut Self) -> Result<T, Problem>) -> Result<T, Problem> {
        if self.depth == DEPTH {
            let problem =
                Problem::new(self.span(), format!("the expression is nested more than {DEPTH} deep"));
            return Err(problem.help("split it, or drop needless parentheses"));
        }
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        result
    }

    /// Whether the next token is this word, in any case.
    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(name) if name.eq_ignore_ascii_case(word))
    }

    /// Whether the token after the next one may begin an operand: a number, a name or a parenthesis.
    fn is_before_operand(&self) -> bool {
        match self.tokens.get(self.at + 1).map(|(token, _)| token) {
            Some(Token::Name(name)) => !JOINING.iter().any(|word| name.eq_ignore_ascii_case(word)),
            Some(Token::Number(..) | Token::Sign("(" | "!" | "true" | "false")) => true,
            _ => false,
        }
    }

    /// A form with what it joins; higher trees than anything could read are refused.
    fn grown(form: SyntaxForm, span: Range<usize>) -> Result<Syntax, Problem> {
        let syntax = Syntax::new(form, span);
        if syntax.height <= HEIGHT {
            return Ok(syntax);
        }
        let message = format!("this takes more than {HEIGHT} steps one after the other");
        Err(Problem::new(syntax.span, message)
            .help("take it apart; `&&`, `||`, `min` and `max` join as many parts as you like"))
    }

    /// An expression, or a row of choices: `a ? b : c ? d : e`.
    fn choice(&mut self) -> Result<Syntax, Problem> {
        self.deeper(|parser| {
            let mut choices = Vec::new();
            let last = loop {
                if parser.is_word("if") && parser.is_before_operand() {
                    break parser.if_then_else()?;
                }
                let condition = parser.binary(1)?;
                if !parser.accept("?") {
                    break condition;
                }
                let yes = parser.choice()?;
                parser.expect(":")?;
                choices.push((condition, yes));
            };
            choices.into_iter().rev().try_fold(last, |no, (condition, yes)| {
                let span = condition.span.start..no.span.end;
                Self::grown(SyntaxForm::Choose(Box::new(condition), Box::new(yes), Box::new(no)), span)
            })
        })
    }

    /// `if … then … else …`, which is not an expression: returns what was meant, and records a problem that says what
    /// to write.
    fn if_then_else(&mut self) -> Result<Syntax, Problem> {
        let is_outermost = self.ifs == 0;
        // What is no part of a larger expression says what is done.
        let is_whole = self.at == self.ifs_from;
        let span = self.next();
        self.ifs += 1;
        let condition = self.choice()?;
        if !self.is_word("then") {
            return Err(self.unexpected("`then`").help("write the condition alone, or `condition ? a : b`"));
        }
        let yes = self.branch(is_whole)?;
        let no = if self.is_word("else") { Some(self.branch(is_whole)?) } else { None };
        self.ifs -= 1;
        let end = no.as_ref().unwrap_or(&yes).span.end;
        let meant = Syntax { span: span.start..end, ..meant_by_if(condition, yes, no, is_whole) };
        if is_outermost {
            let text = meant.to_text();
            let help = match meant.form {
                _ if text.len() > 100 => "write the condition alone, or `condition ? a : b`".into(),
                SyntaxForm::Choose(..) => format!("write `{text}`"),
                _ => format!("a condition alone says yes or no: write `{text}`"),
            };
            let message = "`if`, `then` and `else` are no words of a condition";
            self.problems.push(Problem::new(span, message).help(help));
        }
        Ok(meant)
    }

    /// What follows `then` or `else`.
    fn branch(&mut self, is_whole: bool) -> Result<Syntax, Problem> {
        self.next();
        if is_whole {
            self.ifs_from = self.at;
        }
        self.choice()
    }

    /// Replaces `AND` and `OR` in capitals by the operators.
    fn mend_joint(&mut self) {
        for (word, sign) in [("and", "&&"), ("or", "||")] {
            if self.is_word(word) {
                let span = self.span();
                let problem =
                    Problem::new(span.clone(), format!("`{}` has no meaning here", &self.text[span]));
                self.problems.push(problem.help(format!("write `{word}` or `{sign}`")));
                self.tokens[self.at].0 = Token::Sign(sign);
            }
        }
    }

    fn binary(&mut self, weakest: u8) -> Result<Syntax, Problem> {
        let mut left = self.unary()?;
        self.mend_joint();
        while let Token::Sign(sign) = *self.peek() {
            let Some(operator) = of_sign(sign).filter(|&operator| strength(operator) >= weakest) else {
                break;
            };
            let join = |left: Syntax, right: Syntax| {
                let span = left.span.start..right.span.end;
                Self::grown(SyntaxForm::Binary(operator, Box::new(left), Box::new(right)), span)
            };
            let mut row = vec![left];
            while self.accept(sign) {
                row.push(self.deeper(|parser| parser.binary(strength(operator) + 1))?);
                self.mend_joint();
                if !matches!(operator, Operation::And | Operation::Or) {
                    break;
                }
            }
            if operator.is_comparison()
                && let Token::Sign(next) = self.peek()
                && of_sign(next).is_some_and(Operation::is_comparison)
            {
                return Err(Problem::new(self.span(), "comparisons do not chain")
                    .help("write `a < b && b < c` instead of `a < b < c`"));
            }
            match balanced(row, join)? {
                Some(joined) => left = joined,
                None => unreachable!("a row has operands"),
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Syntax, Problem> {
        let start = self.span().start;
        if self.is_word("not") && self.is_before_operand() {
            let span = self.span();
            let problem = Problem::new(span.clone(), format!("`{}` has no meaning here", &self.text[span]));
            self.problems.push(problem.help("write `not` or `!`"));
            self.tokens[self.at].0 = Token::Sign("!");
        }
        let wrap: fn(Box<Syntax>) -> SyntaxForm = match self.peek() {
            Token::Sign("!") => SyntaxForm::Not,
            Token::Sign("-") => SyntaxForm::Negate,
            _ => return self.atom(),
        };
        self.next();
        let inner = self.deeper(Self::unary)?;
        let span = start..inner.span.end;
        Self::grown(wrap(Box::new(inner)), span)
    }

    fn atom(&mut self) -> Result<Syntax, Problem> {
        let span = self.span();
        let form = match self.peek().clone() {
            Token::Number(numerator, denominator) => {
                self.next();
                return Ok(self.in_percent(numerator, denominator, span));
            }
            Token::Sign("true") => SyntaxForm::Truth(true),
            Token::Sign("false") => SyntaxForm::Truth(false),
            Token::Name(name) => {
                self.next();
                if self.accept("(") {
                    let arguments = self.arguments()?;
                    let end = self.tokens[self.at - 1].1.end;
                    return Self::grown(SyntaxForm::Call(name, arguments), span.start..end);
                }
                return Ok(self.joined(name, span));
            }
            Token::Sign("(") => {
                self.next();
                let inner = self.choice()?;
                self.expect(")")?;
                let end = self.tokens[self.at - 1].1.end;
                return Ok(Syntax { span: span.start..end, ..inner });
            }
            _ => return Err(self.unexpected("a number, a name or `(`")),
        };
        self.next();
        Ok(Syntax::new(form, span))
    }

    /// A number. A per cent sign after it is recorded as a problem.
    fn in_percent(&mut self, numerator: i64, denominator: i64, span: Range<usize>) -> Syntax {
        let is_sign = matches!(self.peek(), Token::Sign("%"));
        let follows = self.tokens.get(self.at + 1).map(|(token, _)| token);
        if !is_sign || self.is_before_operand() || matches!(follows, Some(Token::Sign("-"))) {
            return Syntax::new(SyntaxForm::Number(numerator, denominator), span);
        }
        let span = span.start..self.next().end;
        let problem =
            Problem::new(span.clone(), format!("{} is no number", quoted(&self.text[span.clone()])));
        self.problems.push(percentage(numerator, denominator, problem));
        let divisor = gcd(numerator, denominator * 100);
        Syntax::new(SyntaxForm::Number(numerator / divisor, denominator * 100 / divisor), span)
    }

    /// Adjacent names: one name written with spaces, or a name and a mistake.
    fn joined(&mut self, name: String, span: Range<usize>) -> Syntax {
        let Range { start, mut end } = span;
        while let Token::Name(next) = self.peek()
            && !JOINING.iter().any(|word| next.eq_ignore_ascii_case(word))
        {
            end = self.next().end;
        }
        let name = if end == span.end { name } else { self.text[start..end].to_owned() };
        Syntax::new(SyntaxForm::Name(name), start..end)
    }

    fn arguments(&mut self) -> Result<Vec<Syntax>, Problem> {
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.choice()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(arguments)
    }
}

/// What `if condition then yes else no` means: a choice; or, if the branches are words for actions, such as `then stop
/// else roll`, the condition for the action.
fn meant_by_if(condition: Syntax, yes: Syntax, no: Option<Syntax>, is_whole: bool) -> Syntax {
    let span = condition.span.clone();
    let join = |operator, a, b| SyntaxForm::Binary(operator, Box::new(a), Box::new(b));
    let form = match (done(&yes), no) {
        (Some(true), None) => return condition,
        (Some(false), None) => SyntaxForm::Not(Box::new(condition)),
        (None, None) => join(Operation::And, condition, yes),
        (said, Some(no)) if is_whole => match (said, done(&no)) {
            (Some(true), Some(_)) => return condition,
            (Some(false), Some(_)) => SyntaxForm::Not(Box::new(condition)),
            (Some(true), None) => join(Operation::Or, condition, no),
            (None, Some(false)) => join(Operation::And, condition, yes),
            _ => SyntaxForm::Choose(Box::new(condition), Box::new(yes), Box::new(no)),
        },
        (_, Some(no)) => SyntaxForm::Choose(Box::new(condition), Box::new(yes), Box::new(no)),
    };
    Syntax::new(form, span)
}

/// Whether a branch is a word for taking the action, or for not taking it; `None` if it is not a single word.
fn done(branch: &Syntax) -> Option<bool> {
    match &branch.form {
        SyntaxForm::Truth(truth) => Some(*truth),
        SyntaxForm::Name(name) => {
            let first = name.split([' ', '_']).next().unwrap_or_default().to_ascii_lowercase();
            Some(!["roll", "reroll", "continue", "go", "no", "never"].contains(&first.as_str()))
        }
        _ => None,
    }
}
