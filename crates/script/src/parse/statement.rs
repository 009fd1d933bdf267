//! Blocks and statements.

use super::{DEPTH, Parsed, Parser};
use crate::lex::Token;
use crate::problem::{Problem, misspelt, quoted};
use crate::syntax::{Block, Domain, Form, RollPart, Statement, Term, Variable, Verdict};

/// The words that begin a statement.
pub(crate) const STATEMENTS: [&str; 13] =
    ["let", "roll", "draw", "ask", "if", "repeat", "for", "break", "again", "do", "bust", "end", "count"];

impl Parser {
    /// The block of the line that is being read: the statement after `:`, or the indented lines below.
    pub(super) fn block(&mut self, indent: usize) -> Parsed<Block> {
        if self.is_sign(":") {
            let span = self.span();
            self.at += 1;
            if self.peek().is_some() {
                return Ok(vec![self.statement(indent)?]);
            }
            let problem = Problem::new(span, "a `:` stands at the end of this line");
            self.problems.push(problem.help("leave it out; what is indented below belongs to this line"));
        }
        if self.peek().is_some() {
            return Err(self.in_quotes(self.unexpected("`:` or the end of the line")));
        }
        let line = self.span();
        self.next_line();
        if self.inner(indent).is_none() {
            return Err(Problem::new(line, "nothing is indented below this line")
                .help("say below it what is done, two spaces further in"));
        }
        Ok(self.lines_of_block(indent))
    }

    /// The block, if there is one.
    fn block_if_any(&mut self, indent: usize) -> Parsed<Block> {
        if self.peek().is_some() {
            return self.block(indent);
        }
        self.next_line();
        Ok(if self.inner(indent).is_some() { self.lines_of_block(indent) } else { Vec::new() })
    }

    /// Indented lines of statements.
    pub(super) fn lines_of_block(&mut self, outer: usize) -> Block {
        let mut block = Vec::new();
        if self.depth >= DEPTH {
            let problem = Problem::new(self.span(), format!("this is nested more than {DEPTH} deep"));
            self.problems.push(problem);
            while self.inner(outer).is_some() {
                self.next_line();
            }
            return block;
        }
        self.depth += 1;
        self.each_line(outer, |parser| {
            let indent = parser.indent().unwrap_or_default();
            block.push(parser.statement(indent)?);
            Ok(())
        });
        self.depth -= 1;
        block
    }

    /// `else …` on the next line.
    fn otherwise(&mut self, indent: usize) -> Parsed<Option<Block>> {
        if self.indent() != Some(indent) || self.at != 0 || !self.accept_word("else") {
            return Ok(None);
        }
        Ok(Some(self.block(indent)?))
    }

    /// A statement, to the end of its line and of the lines below that belong to it.
    fn statement(&mut self, indent: usize) -> Parsed<Statement> {
        let span = self.span();
        let word = match self.peek() {
            Some(Token::Word(word)) => word.clone(),
            _ => return Err(self.unexpected("a statement")),
        };
        let is_target = matches!(self.token(1), Some(Token::Sign("=" | "+=" | "-=" | "[" | ".")));
        let form = match word.as_str() {
            _ if is_target => self.assignment()?,
            _ if !STATEMENTS.contains(&word.as_str()) => return Err(self.no_statement(&word)),
            "let" => {
                self.at += 1;
                Form::Let(self.variable()?)
            }
            "roll" => self.roll()?,
            "draw" => return self.draw(span, indent),
            "ask" => return self.ask(span, indent),
            "if" => return self.branches(span, indent),
            "repeat" => {
                self.at += 1;
                let condition = if self.accept_word("while") { Some(self.expr()?) } else { None };
                let block = self.block(indent)?;
                return Ok(Statement { span, form: Form::Repeat(condition, block) });
            }
            "for" => {
                self.at += 1;
                let over = self.loop_over()?;
                let block = self.block(indent)?;
                return Ok(Statement { span, form: Form::For(over, block) });
            }
            "break" => self.word_alone(Form::Break),
            "again" => self.word_alone(Form::Again),
            "bust" => self.word_alone(Form::Bust),
            "do" => {
                self.at += 1;
                Form::Do(self.name("the name of steps")?)
            }
            "end" => self.end_of()?,
            // `count`, the last of them.
            _ => {
                self.at += 1;
                let name = self.name("the name of what is counted")?;
                let of = self.of()?;
                let by = if self.accept_word("by") { Some(self.expr()?) } else { None };
                Form::Count { name, of, by }
            }
        };
        self.end_line();
        Ok(Statement { span, form })
    }

    fn word_alone(&mut self, form: Form) -> Form {
        self.at += 1;
        form
    }

    fn no_statement(&self, word: &str) -> Problem {
        let problem = Problem::new(self.span(), format!("{} begins no statement", quoted(word)));
        match word {
            "elif" | "elseif" | "elsif" => problem.help("write `else if`"),
            "else" => {
                problem.help("`else` stands below an `if`, `ask` or `draw`, exactly under its first letter")
            }
            "while" | "loop" | "until" => problem.help("write `repeat` or `repeat while CONDITION`"),
            "stop" | "pass" | "return" => problem.help("a turn ends with `end turn`"),
            "continue" => problem.help("write `again`"),
            "var" | "set" | "int" | "const" => problem.help("write `let NAME = VALUE`"),
            "choose" | "choice" | "decide" => problem.help("write `ask NAME in DOMAIN`"),
            _ => match (misspelt(word, &STATEMENTS), self.token(1)) {
                (Some(near), _) => problem.help(format!("did you mean `{near}`?")),
                (_, None) => problem.help(format!("to put steps in place, write `do {word}`")),
                (_, Some(Token::Sign(":" | "=="))) => {
                    problem.help(format!("to set a value, write `{word} = …`"))
                }
                _ => problem
                    .help(format!("a line begins with {}, or a variable that is set", STATEMENTS.join(", "))),
            },
        }
    }

    fn assignment(&mut self) -> Parsed<Form> {
        let target = self.postfix()?;
        let sign = match self.peek() {
            Some(Token::Sign(sign @ ("=" | "+=" | "-="))) => *sign,
            _ => return Err(self.unexpected("`=`, `+=` or `-=`")),
        };
        self.at += 1;
        Ok(Form::Assign(target, sign, self.expr()?))
    }

    /// `NAME [ "[" INDICES "]" ] = EXPR [in DOMAIN] UNIT MEANING`.
    pub(super) fn variable(&mut self) -> Parsed<Variable> {
        let name = self.name("a name")?;
        let mut indices = Vec::new();
        if self.accept("[") {
            loop {
                let is_named = matches!(self.token(1), Some(Token::Word(word)) if word == "in");
                let index = if is_named { Some(self.name("a name")?) } else { None };
                self.at += usize::from(is_named);
                indices.push((index, self.domain(false)?));
                if !self.accept(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        self.expect("=")?;
        let value = self.value()?;
        let range = if self.accept_word("in") { Some(self.domain(false)?) } else { None };
        let words = self.words();
        Ok(Variable { name, indices, value, range, words })
    }

    fn of(&mut self) -> Parsed<Option<crate::syntax::Expr>> {
        if self.accept_word("of") { Ok(Some(self.postfix()?)) } else { Ok(None) }
    }

    fn by(&mut self) -> Parsed<Option<crate::syntax::Expr>> {
        if self.accept_word("by") { Ok(Some(self.postfix()?)) } else { Ok(None) }
    }

    fn roll(&mut self) -> Parsed<Form> {
        self.at += 1;
        let mut parts = Vec::new();
        loop {
            let name = self.name("the name of what is rolled")?;
            if !self.accept("=") {
                return Err(self
                    .unexpected("`=`")
                    .help("write `roll NAME = DIE`, for example `roll face = d`"));
            }
            let first = self.sum()?;
            if let Term::Call(call, arguments) = &first.term
                && call.text == "chance"
                && parts.is_empty()
            {
                let [yes, of] = &arguments[..] else {
                    return Err(Problem::new(first.span, "`chance` takes two numbers")
                        .help("write `chance(1, 6)` for one case in six"));
                };
                return Ok(Form::Chance { name, yes: yes.clone(), of: of.clone(), by: self.by()? });
            }
            let is_die = matches!(self.peek(), Some(Token::Word(word)) if word != "by");
            let part = if is_die {
                RollPart { name, many: Some(first), dice: self.postfix()? }
            } else {
                RollPart { name, many: None, dice: first }
            };
            parts.push(part);
            if !self.accept(",") {
                break;
            }
        }
        Ok(Form::Roll { parts, by: self.by()? })
    }

    fn draw(&mut self, span: std::ops::Range<usize>, indent: usize) -> Parsed<Statement> {
        self.at += 1;
        let name = self.name("the name of what is drawn")?;
        let many = if self.accept("=") { Some(self.sum()?) } else { None };
        self.expect_word("from")?;
        let bag = self.postfix()?;
        let by = self.by()?;
        self.end_line();
        let otherwise = self.otherwise(indent)?;
        Ok(Statement { span, form: Form::Draw { name, many, bag, by, otherwise } })
    }

    fn ask(&mut self, span: std::ops::Range<usize>, indent: usize) -> Parsed<Statement> {
        self.at += 1;
        if self.is_word("all") && matches!(self.token(1), Some(Token::Word(_))) {
            self.at += 1;
            let name = self.name("the name of the question")?;
            self.expect_word("of")?;
            let over = self.loop_over()?;
            if self.is_word("in") {
                return Err(self.unexpected("the end of the line").help(
                    "what each chooses from stands after `from`: `ask all NAME of p in everyone from DOMAIN`",
                ));
            }
            let choices = match self.accept_word("from") {
                true => Some((self.domain(true)?, self.filter()?)),
                false => None,
            };
            let meaning = self.meaning();
            self.end_line();
            let (domain, filter) = (*over.domain, over.filter.map(|filter| *filter));
            return Ok(Statement {
                span,
                form: Form::AskAll { name, player: over.name, domain, filter, choices, meaning },
            });
        }
        let name = self.name("the name of the question")?;
        let of = self.of()?;
        let domain: Option<Domain> = if self.accept_word("in") { Some(self.domain(true)?) } else { None };
        let filter = self.filter()?;
        let meaning = self.meaning();
        let yes = if domain.is_some() {
            self.end_line();
            if self.inner(indent).is_some() {
                // Read for their mistakes, so that the `else` below them is that of the question.
                self.crooked(indent);
                let _ = self.lines_of_block(indent);
            }
            Vec::new()
        } else {
            self.block_if_any(indent)?
        };
        let otherwise = self.otherwise(indent)?;
        Ok(Statement { span, form: Form::Ask { name, of, domain, filter, meaning, yes, otherwise } })
    }

    fn branches(&mut self, span: std::ops::Range<usize>, indent: usize) -> Parsed<Statement> {
        self.at += 1;
        let mut branches = Vec::new();
        loop {
            let condition = self.expr()?;
            if self.is_word("then") {
                return Err(self.unexpected("`:`").help("write `if CONDITION: STATEMENT`"));
            }
            branches.push((condition, self.block(indent)?));
            let is_else = self.indent() == Some(indent) && self.at == 0 && self.is_word("else");
            if !is_else {
                return Ok(Statement { span, form: Form::If(branches, None) });
            }
            self.at += 1;
            if !self.accept_word("if") {
                let otherwise = self.block(indent)?;
                return Ok(Statement { span, form: Form::If(branches, Some(otherwise)) });
            }
        }
    }

    fn end_of(&mut self) -> Parsed<Form> {
        self.at += 1;
        if self.accept_word("turn") {
            if self.is_word("then") {
                return Err(self.unexpected("a comma").help("write `end turn, then PLAYER`"));
            }
            let has_next = self.accept(",");
            if has_next {
                let then = self.expect_word("then");
                then.map_err(|problem| problem.help("who plays next is said by `end turn, then PLAYER`"))?;
            }
            Ok(Form::EndTurn(if has_next { Some(self.expr()?) } else { None }))
        } else if self.accept_word("round") {
            Ok(Form::EndRound)
        } else if self.accept_word("game") {
            let problem = self.unexpected("the name of an ending");
            let name = self
                .name("")
                .map_err(|_| problem.help("write `end game NAME`, and declare `end NAME \"…\"`"))?;
            let verdict = [("won", Verdict::Won), ("lost", Verdict::Lost)]
                .into_iter()
                .find(|(word, _)| self.accept_word(word));
            let verdict = match verdict {
                None => None,
                Some((_, verdict)) => {
                    let by = self.expect_word("by");
                    by.map_err(|problem| problem.help("write `end game NAME won by PLAYER`, or `lost by`"))?;
                    Some((verdict, self.expr()?))
                }
            };
            Ok(Form::EndGame(name, verdict))
        } else {
            Err(self.unexpected("`turn`, `round` or `game`"))
        }
    }
}
