//! Expressions and domains.

use super::{DEPTH, OPERATORS, Parsed, Parser};
use crate::lex::Token;
use crate::problem::{Problem, quoted};
use crate::syntax::{Domain, Expr, Fold, Loop, Name, Operator, Term};

/// The strength of `..` and lists: operands of a domain are sums.
const SUM: u8 = 4;

impl Parser {
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH {
            return Err(Problem::new(self.span(), format!("this is nested more than {DEPTH} deep")));
        }
        self.depth += 1;
        let result = self.inside(read);
        self.depth -= 1;
        result
    }

    /// Reads an expression, or a part of one.
    fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.within == 0 {
            self.operators = 0;
        }
        self.within += 1;
        let result = read(self);
        self.within -= 1;
        result
    }

    /// Counts an operator, an index or a dot.
    fn operator(&mut self) -> Parsed<()> {
        self.operators += 1;
        if self.operators <= OPERATORS {
            return Ok(());
        }
        let message = format!("this expression has more than {OPERATORS} operators");
        Err(Problem::new(self.span(), message).help("give parts of it names: `define NAME = …`"))
    }

    /// An expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.deeper(|parser| {
            let condition = parser.binary(1)?;
            if !parser.accept("?") {
                return Ok(condition);
            }
            let yes = parser.expr()?;
            parser.expect(":")?;
            let no = parser.expr()?;
            let span = condition.span.start..no.span.end;
            Ok(Expr { span, term: Term::Choose(Box::new(condition), Box::new(yes), Box::new(no)) })
        })
    }

    /// An expression that ends before `in`.
    pub(super) fn value(&mut self) -> Parsed<Expr> {
        let before = std::mem::replace(&mut self.no_in, true);
        let value = self.expr();
        self.no_in = before;
        value
    }

    /// A sum, a product or less.
    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        self.inside(|parser| parser.binary(SUM))
    }

    /// What stands in brackets, where `in` is an operator again.
    fn bracketed<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let before = std::mem::replace(&mut self.no_in, false);
        let inner = read(self);
        self.no_in = before;
        inner
    }

    fn binary(&mut self, weakest: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        let mut compared = false;
        loop {
            if self.is_sign("=") {
                let problem = Problem::new(self.span(), "`=` gives a value, and a comparison is needed");
                self.problems.push(problem.help("to compare, write `==`"));
                let line = self.line;
                self.lines[line].tokens[self.at].0 = Token::Sign("==");
            }
            let (operator, strength) = match self.peek() {
                Some(Token::Sign(sign)) => match Operator::of_sign(sign) {
                    Some((operator, strength)) => (Some(operator), strength),
                    None => break,
                },
                Some(Token::Word(word)) if word == "in" && !self.no_in => (None, 3),
                Some(Token::Word(word)) => match Operator::of_sign(word) {
                    Some((operator, strength)) => (Some(operator), strength),
                    None => break,
                },
                _ => break,
            };
            if strength < weakest {
                break;
            }
            if strength == 3 && compared {
                let problem = Problem::new(self.span(), "comparisons do not chain");
                return Err(problem.help("write `a < b and b < c` instead of `a < b < c`"));
            }
            compared |= strength == 3;
            self.operator()?;
            self.at += 1;
            let start = left.span.start;
            let term = match operator {
                Some(operator) => {
                    let right = self.deeper(|parser| parser.binary(strength + 1))?;
                    Term::Binary(operator, Box::new(left), Box::new(right))
                }
                None => {
                    let domain = self.deeper(|parser| parser.domain(false))?;
                    Term::In(Box::new(left), Box::new(domain))
                }
            };
            left = Expr { span: start..self.end_before(), term };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        let term = if self.accept_word("not") {
            Term::Not(Box::new(self.deeper(|parser| parser.binary(3))?))
        } else if self.accept("-") {
            Term::Negate(Box::new(self.deeper(Self::unary)?))
        } else {
            return self.postfix();
        };
        Ok(Expr { span: start..self.end_before(), term })
    }

    /// A name, a number or a bracket, with the indices and dots after it.
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.atom()?;
        loop {
            let start = expr.span.start;
            if self.is_sign("[") || self.is_sign(".") {
                self.operator()?;
            }
            let term = if self.accept("[") {
                let indices = self.bracketed(|parser| {
                    let mut indices = vec![parser.expr()?];
                    while parser.accept(",") {
                        indices.push(parser.expr()?);
                    }
                    parser.expect("]")?;
                    Ok(indices)
                })?;
                Term::Index(Box::new(expr), indices)
            } else if self.is_sign(".") {
                self.at += 1;
                Term::Dot(Box::new(expr), self.name("a name after the dot")?)
            } else {
                return Ok(expr);
            };
            expr = Expr { span: start..self.end_before(), term };
        }
    }

    fn atom(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let term = match self.peek().cloned() {
            Some(Token::Number(number)) => {
                self.at += 1;
                Term::Number(number)
            }
            Some(Token::Decimal(text)) => {
                let problem = Problem::new(span, format!("{} is no whole number", quoted(&text)));
                return Err(problem.help("numbers of a game are whole; count in smaller units"));
            }
            Some(Token::Word(word)) => {
                self.at += 1;
                if self.accept("(") {
                    let name = Name { text: word, span: span.clone() };
                    let term = self.bracketed(|parser| parser.call(name))?;
                    return Ok(Expr { span: span.start..self.end_before(), term });
                }
                let swapped = match word.as_str() {
                    "true" | "True" | "TRUE" => Some("yes"),
                    "false" | "False" | "FALSE" => Some("no"),
                    "AND" | "OR" | "NOT" | "if" | "then" => Some("and"),
                    _ => None,
                };
                if let Some(right) = swapped.filter(|right| *right != "and") {
                    let problem =
                        Problem::new(span.clone(), format!("{} has no meaning here", quoted(&word)));
                    self.problems.push(problem.help(format!("write `{right}`")));
                    return Ok(Expr { span, term: Term::Word(right.into()) });
                }
                if swapped.is_some() {
                    self.at -= 1;
                    let problem = self.unexpected("a number or a name");
                    return Err(
                        problem.help("conditions are written in small letters: `a and not b`, `c ? x : y`")
                    );
                }
                Term::Word(word)
            }
            Some(Token::Sign("(")) => {
                self.at += 1;
                let inner = self.bracketed(|parser| {
                    let inner = parser.expr()?;
                    parser.expect(")")?;
                    Ok(inner)
                })?;
                return Ok(Expr { span: span.start..self.end_before(), term: inner.term });
            }
            _ => return Err(self.unexpected("a number, a name or `(`")),
        };
        Ok(Expr { span, term })
    }

    /// The arguments of a call, or `NAME in DOMAIN …`.
    fn call(&mut self, name: Name) -> Parsed<Term> {
        let is_loop = matches!(self.token(0), Some(Token::Word(_)))
            && matches!(self.token(1), Some(Token::Word(word)) if word == "in");
        if let Some(fold) = Fold::of(&name.text).filter(|_| is_loop) {
            let over = self.loop_over()?;
            let value = if self.accept(":") { Some(Box::new(self.expr()?)) } else { None };
            self.expect(")")?;
            return Ok(Term::Fold(fold, over, value));
        }
        let mut arguments = Vec::new();
        if !self.is_sign(")") {
            arguments.push(self.expr()?);
            while self.accept(",") {
                arguments.push(self.expr()?);
            }
        }
        self.expect(")")?;
        Ok(Term::Call(name, arguments))
    }

    /// `NAME in DOMAIN [where CONDITION]`.
    pub(super) fn loop_over(&mut self) -> Parsed<Loop> {
        let name = self.name("a name")?;
        self.expect_word("in")?;
        let domain = Box::new(self.domain(true)?);
        let filter = self.filter()?.map(Box::new);
        Ok(Loop { name, domain, filter })
    }

    /// `[where CONDITION]`.
    pub(super) fn filter(&mut self) -> Parsed<Option<Expr>> {
        if self.accept_word("where") { Ok(Some(self.expr()?)) } else { Ok(None) }
    }

    /// A domain; a list of more than one only where commas mean nothing else.
    pub(super) fn domain(&mut self, is_list: bool) -> Parsed<Domain> {
        if let Some(list) = self.list_in_brackets() {
            return Ok(list);
        }
        let first = self.sum()?;
        if self.accept("..") {
            return Ok(Domain::Range(first, self.sum()?));
        }
        let mut items = vec![first];
        while is_list && self.accept(",") {
            items.push(self.sum()?);
        }
        Ok(Domain::List(items))
    }

    /// `(EXPR, EXPR, …)`; nothing is read of a bracket with a single expression.
    fn list_in_brackets(&mut self) -> Option<Domain> {
        let (at, problems) = (self.at, self.problems.len());
        let items = self.accept("(").then(|| {
            self.bracketed(|parser| {
                let mut items = vec![parser.expr()?];
                while parser.accept(",") {
                    items.push(parser.expr()?);
                }
                parser.expect(")").map(|()| items)
            })
        });
        match items {
            Some(Ok(items)) if items.len() > 1 => Some(Domain::List(items)),
            _ => {
                self.at = at;
                self.problems.truncate(problems);
                None
            }
        }
    }
}
