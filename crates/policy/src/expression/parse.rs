//! Tokens to a tree: the operators of CEL (Common Expression Language) with their usual precedence.
//!
//! The syntax is a subset of CEL's, parsed by hand: the `cel` crate interprets trees of dynamic values and checks
//! neither types nor ranges. The grammar that is needed is a page; spans, depth limits and advice are the point of
//! it.

use std::ops::Range;

use super::lex::{Token, tokens};
use crate::problem::{Problem, quoted};

/// How deeply an expression may be nested.
const DEPTH: usize = 48;
/// How long an expression may be, in bytes.
const LENGTH: usize = 4096;

/// An expression as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Syntax {
    pub(crate) form: Form,
    pub(crate) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Number(i64, i64),
    Truth(bool),
    Name(String),
    Negate(Box<Syntax>),
    Not(Box<Syntax>),
    Binary(Operator, Box<Syntax>, Box<Syntax>),
    Choose(Box<Syntax>, Box<Syntax>, Box<Syntax>),
    Call(String, Vec<Syntax>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Min,
    Max,
}

impl Operator {
    fn of_sign(sign: &str) -> Option<Self> {
        Some(match sign {
            "||" => Self::Or,
            "&&" => Self::And,
            "==" => Self::Equal,
            "!=" => Self::Unequal,
            "<" => Self::Less,
            "<=" => Self::AtMost,
            ">" => Self::More,
            ">=" => Self::AtLeast,
            "+" => Self::Add,
            "-" => Self::Subtract,
            "*" => Self::Multiply,
            "/" => Self::Divide,
            "%" => Self::Remainder,
            _ => return None,
        })
    }

    /// Binding strength; comparisons are all alike and do not chain.
    fn strength(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            _ if self.is_comparison() => 3,
            Self::Add | Self::Subtract => 4,
            _ => 5,
        }
    }

    pub(crate) fn is_comparison(self) -> bool {
        matches!(self, Self::Equal | Self::Unequal | Self::Less | Self::AtMost | Self::More | Self::AtLeast)
    }
}

/// Reads one expression.
pub(crate) fn parse(text: &str) -> Result<Syntax, Problem> {
    if text.len() > LENGTH {
        return Err(Problem::new(0..text.len(), format!("an expression has at most {LENGTH} bytes")));
    }
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    if *parser.peek() == Token::End {
        return Err(Problem::new(0..text.len(), "an expression is missing")
            .help("write for example \"counter >= 2\""));
    }
    let syntax = parser.choice()?;
    match parser.peek() {
        Token::End => Ok(syntax),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser {
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    depth: usize,
}

impl Parser {
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

    /// Runs a step one level deeper.
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

    fn choice(&mut self) -> Result<Syntax, Problem> {
        self.deeper(|parser| {
            let condition = parser.binary(1)?;
            if !parser.accept("?") {
                return Ok(condition);
            }
            let yes = parser.choice()?;
            parser.expect(":")?;
            let no = parser.choice()?;
            let span = condition.span.start..no.span.end;
            Ok(Syntax { form: Form::Choose(Box::new(condition), Box::new(yes), Box::new(no)), span })
        })
    }

    fn binary(&mut self, weakest: u8) -> Result<Syntax, Problem> {
        let mut left = self.unary()?;
        // A long chain such as a + b + c … makes a deep tree without recursion here; it counts as well.
        let mut chain = 0;
        while let Token::Sign(sign) = self.peek() {
            let Some(operator) = Operator::of_sign(sign).filter(|operator| operator.strength() >= weakest)
            else {
                break;
            };
            let span = self.next();
            chain += 1;
            if self.depth + chain > DEPTH {
                return Err(Problem::new(
                    span,
                    format!("the expression has more than {DEPTH} steps in a row"),
                ));
            }
            let right = self.deeper(|parser| parser.binary(operator.strength() + 1))?;
            if operator.is_comparison()
                && let Token::Sign(next) = self.peek()
                && Operator::of_sign(next).is_some_and(Operator::is_comparison)
            {
                return Err(Problem::new(self.span(), "comparisons do not chain")
                    .help("write `a < b && b < c` instead of `a < b < c`"));
            }
            let span = left.span.start..right.span.end;
            left = Syntax { form: Form::Binary(operator, Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Syntax, Problem> {
        let start = self.span().start;
        let wrap: fn(Box<Syntax>) -> Form = match self.peek() {
            Token::Sign("!") => Form::Not,
            Token::Sign("-") => Form::Negate,
            _ => return self.atom(),
        };
        self.next();
        let inner = self.deeper(Self::unary)?;
        let span = start..inner.span.end;
        Ok(Syntax { form: wrap(Box::new(inner)), span })
    }

    fn atom(&mut self) -> Result<Syntax, Problem> {
        let span = self.span();
        let form = match self.peek().clone() {
            Token::Number(numerator, denominator) => Form::Number(numerator, denominator),
            Token::Sign("true") => Form::Truth(true),
            Token::Sign("false") => Form::Truth(false),
            Token::Name(name) => {
                self.next();
                if self.accept("(") {
                    let arguments = self.arguments()?;
                    let end = self.tokens[self.at - 1].1.end;
                    return Ok(Syntax { form: Form::Call(name, arguments), span: span.start..end });
                }
                return Ok(Syntax { form: Form::Name(name), span });
            }
            Token::Sign("(") => {
                self.next();
                let inner = self.choice()?;
                self.expect(")")?;
                let end = self.tokens[self.at - 1].1.end;
                return Ok(Syntax { form: inner.form, span: span.start..end });
            }
            _ => return Err(self.unexpected("a number, a name or `(`")),
        };
        self.next();
        Ok(Syntax { form, span })
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
