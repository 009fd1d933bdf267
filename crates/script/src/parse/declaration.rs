//! Declarations: the lines that are not indented, with what belongs to them.

use super::{Parsed, Parser};
use crate::lex::Token;
use crate::problem::{Problem, quoted, unknown};
use crate::syntax::{
    Alone, Candidate, Choice, Define, End, EndForm, Expect, Expr, FaceItem, Faces, Most, Name, Names,
    NamesForm, Play, Preset, Report, Seen, Still, Tie, With, Words, Worth,
};

/// The words that begin a declaration.
pub(crate) const DECLARATIONS: [&str; 22] = [
    "game",
    "option",
    "preset",
    "names",
    "die",
    "bag",
    "worth",
    "define",
    "shared",
    "player",
    "setup",
    "turn",
    "round",
    "steps",
    "end",
    "win",
    "alone",
    "tie",
    "candidate",
    "see",
    "report",
    "expect",
];

impl Parser {
    /// The whole file.
    pub(super) fn file(&mut self) {
        if self.lines.is_empty() {
            let problem = Problem::new(0..0, "the text is empty");
            self.problems.push(problem.help("it begins with `game NAME \"what it is\"`"));
            return;
        }
        if !self.is_word("game") {
            let problem = Problem::new(self.span(), "the first line does not name the game");
            self.problems.push(problem.help("begin with `game NAME \"what it is\"`"));
        }
        while let Some(indent) = self.indent() {
            if indent > 0 {
                self.crooked(0);
            }
            if let Err(problem) = self.declaration(indent) {
                self.problems.push(problem);
                self.skip(indent);
            }
        }
    }

    fn declaration(&mut self, indent: usize) -> Parsed<()> {
        let span = self.span();
        let Some(Token::Word(word)) = self.peek().cloned() else {
            return Err(self.unexpected("a declaration"));
        };
        self.at += 1;
        match word.as_str() {
            "game" => self.game()?,
            "option" => self.option()?,
            "preset" => return self.preset(indent),
            "names" => self.declare_names()?,
            "die" | "bag" => {
                let faces = self.faces()?;
                if word == "die" { self.file.dice.push(faces) } else { self.file.bags.push(faces) }
            }
            "worth" => return self.worth(indent),
            "define" => return self.define(indent),
            "shared" => {
                let variable = self.variable()?;
                self.file.shared.push(variable);
            }
            "player" => {
                let variable = self.variable()?;
                self.file.player.push(variable);
            }
            "setup" => {
                self.file.setup = Some(self.block(indent)?);
                return Ok(());
            }
            "turn" | "round" => {
                let filter = self.filter()?;
                let block = self.block(indent)?;
                self.file.play = Some(Play { is_round: word == "round", filter, block, span });
                return Ok(());
            }
            "steps" => {
                let name = self.name("the name of the steps")?;
                let block = self.block(indent)?;
                self.file.steps.push((name, block));
                return Ok(());
            }
            "end" => self.end_when(span)?,
            "win" => self.win()?,
            "alone" => self.alone()?,
            "tie" => self.tie()?,
            "candidate" => return self.candidate(indent),
            "see" => {
                let seen = self.seen()?;
                self.file.see.push(seen);
            }
            "report" => self.report()?,
            "expect" => self.expects()?,
            _ => {
                self.at -= 1;
                let problem = Problem::new(self.span(), format!("{} begins no declaration", quoted(&word)));
                let unknown = unknown(self.span(), "", &word, DECLARATIONS);
                let general = "a line that is not indented begins with option, names, die, bag, define, shared, player, turn, end, win …";
                return Err(problem.help(unknown.help.unwrap_or_else(|| general.into())));
            }
        }
        self.end_line();
        Ok(())
    }

    fn game(&mut self) -> Parsed<()> {
        let name = self.long_name("-", "the name of the game")?;
        self.file.name = name.text;
        self.file.meaning = self.meaning().unwrap_or_default();
        Ok(())
    }

    fn option(&mut self) -> Parsed<()> {
        let name = self.long_name(".", "the name of an option")?;
        self.expect("=")?;
        let value = self.value()?;
        let domain = if self.accept_word("in") { Some(self.domain(true)?) } else { None };
        let words = self.words();
        self.file.options.push(Choice { name, value, domain, words });
        Ok(())
    }

    fn preset(&mut self, indent: usize) -> Parsed<()> {
        let name = self.long_name("-", "the name of a preset")?;
        let meaning = self.meaning();
        self.end_line();
        let mut values: Vec<(Name, Expr)> = Vec::new();
        self.each_line(indent, |parser| {
            let option = parser.long_name(".", "the name of an option")?;
            if values.iter().any(|(other, _)| other.text == option.text) {
                let message = format!("the preset `{}` has set `{}` already", name.text, option.text);
                parser.problems.push(Problem::new(option.span.clone(), message));
            }
            parser.expect("=")?;
            values.push((option, parser.expr()?));
            parser.end_line();
            Ok(())
        });
        self.file.presets.push(Preset { name, meaning, values });
        Ok(())
    }

    fn declare_names(&mut self) -> Parsed<()> {
        let name = self.name("a name")?;
        self.expect("=")?;
        let is_first = self.is_word("first") && !matches!(self.token(1), None | Some(Token::Sign(",")));
        let form = if is_first {
            self.at += 1;
            let many = self.sum()?;
            self.expect_word("of")?;
            NamesForm::List(Some(many), self.names("a name")?)
        } else if matches!(self.token(1), Some(Token::Sign("*"))) {
            let left = self.name("a name")?;
            self.at += 1;
            NamesForm::Product(left, self.name("a name")?)
        } else {
            NamesForm::List(None, self.names("a name")?)
        };
        self.file.names.push(Names { name, form });
        Ok(())
    }

    fn faces(&mut self) -> Parsed<Faces> {
        let name = self.name("a name")?;
        self.expect("=")?;
        let mut items = Vec::new();
        loop {
            let mut face = self.sum()?;
            let mut times = None;
            if self.accept_word("of") {
                times = Some(std::mem::replace(&mut face, self.sum()?));
            } else if let Some(Token::Word(word)) = self.peek() {
                let help = format!("how many there are stands before `of`: `12 of {word}`");
                return Err(self.unexpected("`of` or `,`").help(help));
            }
            let to = if self.accept("..") { Some(self.sum()?) } else { None };
            items.push(FaceItem { times, face, to });
            if !self.accept(",") {
                return Ok(Faces { name, items });
            }
        }
    }

    fn worth(&mut self, indent: usize) -> Parsed<()> {
        let die = self.name("the name of a die")?;
        self.end_line();
        let mut lines = Vec::new();
        self.each_line(indent, |parser| {
            let mut faces = Vec::new();
            while !parser.is_sign(":") {
                if parser.peek().is_none() {
                    return Err(parser.unexpected("`:` and what these faces are worth"));
                }
                faces.push(parser.postfix()?);
            }
            parser.at += 1;
            lines.push((faces, parser.expr()?));
            parser.end_line();
            Ok(())
        });
        self.file.worth.push(Worth { die, lines });
        Ok(())
    }

    fn define(&mut self, indent: usize) -> Parsed<()> {
        let name = self.name("a name")?;
        let mut parameters = Vec::new();
        if self.accept("(") {
            parameters = self.names("a name")?;
            self.expect(")")?;
        }
        let mut lines = Vec::new();
        if self.accept("=") {
            if self.peek().is_none() {
                let problem = self.unexpected("a number, a name, a bag or a condition");
                return Err(problem.help("write it behind the `=`; or leave the `=` out, and write cases below, `CONDITION: EXPR`, at last `else: EXPR`"));
            }
            lines.push((None, self.expr()?));
            self.end_line();
        } else {
            let span = name.span.clone();
            self.end_line();
            self.each_line(indent, |parser| {
                let condition = if parser.accept_word("else") { None } else { Some(parser.expr()?) };
                parser.expect(":")?;
                lines.push((condition, parser.expr()?));
                parser.end_line();
                Ok(())
            });
            let is_complete = matches!(lines.split_last(), Some(((None, _), before)) if before.iter().all(|(condition, _)| condition.is_some()));
            if !is_complete {
                self.problems.push(
                    Problem::new(span, "the last line of a definition, and no other, has no condition")
                        .help("end with `else: EXPR`"),
                );
            }
        }
        self.file.defines.push(Define { name, parameters, lines });
        Ok(())
    }

    fn end_when(&mut self, span: std::ops::Range<usize>) -> Parsed<()> {
        let early = self.is_word("early") && self.token(1).is_some();
        self.at += usize::from(early);
        let name = match self.peek() {
            Some(Token::Word(word)) if word != "when" && word != "after" => Some(self.name("")?),
            _ => None,
        };
        let form = if let Some(left) = self.left()? {
            EndForm::Left(left)
        } else if self.accept_word("when") {
            let condition = self.expr()?;
            let mut still = Still::Nothing;
            if self.accept(",") {
                self.expect_word("after")?;
                still = if self.accept_word("equal") {
                    let turns = self.expect_word("turns");
                    turns.map_err(|problem| problem.help("write `after equal turns`"))?;
                    Still::EqualTurns
                } else {
                    for word in ["one", "more", "turn", "for", "the", "others"] {
                        self.expect_word(word)?;
                    }
                    Still::OneMoreTurn
                };
            }
            EndForm::When(condition, still)
        } else if self.accept_word("after") {
            let many = self.sum()?;
            let rounds = self.accept_word("rounds");
            if !rounds {
                self.expect_word("turns")?;
            }
            let _ = self.words();
            EndForm::After(many, rounds)
        } else {
            match self.meaning() {
                Some(meaning) if name.is_some() => EndForm::Means(meaning),
                _ => return Err(self.unexpected("`when`, `after` or a text")),
            }
        };
        self.file.ends.push(End { span, early, name, form, said: String::new() });
        Ok(())
    }

    /// `when one is left`, `when nobody is left`: how many are.
    fn left(&mut self) -> Parsed<Option<i64>> {
        let is =
            |ahead: usize, word: &str| matches!(self.token(ahead), Some(Token::Word(next)) if next == word);
        let is_left = is(3, "left") && (is(2, "is") || is(2, "are")) || is(2, "left") && !is(1, "not");
        if !(is(0, "when") && is_left) {
            return Ok(None);
        }
        let many = ["nobody", "one"].iter().position(|many| is(1, many) && is(2, "is"));
        self.at += 1;
        let Some(many) = many.and_then(|many| i64::try_from(many).ok()) else {
            let problem = self.unexpected("`nobody is left` or `one is left`");
            return Err(
                problem.help("of more players write `when count(p in everyone where CONDITION) <= 2`")
            );
        };
        self.at += 3;
        Ok(Some(many))
    }

    fn most(&mut self) -> Parsed<Most> {
        if self.accept_word("most") {
            Ok(Most::Most)
        } else if self.accept_word("least") {
            Ok(Most::Least)
        } else {
            Err(self.unexpected("`most` or `least`"))
        }
    }

    fn win(&mut self) -> Parsed<()> {
        loop {
            let most = self.most()?;
            let value = self.expr()?;
            self.file.win.push((most, value));
            if !self.accept(",") {
                return Ok(());
            }
        }
    }

    fn alone(&mut self) -> Parsed<()> {
        let most = self.most()?;
        let is_turns = most == Most::Least && self.is_word("turns") && self.token(1).is_none();
        let alone = if is_turns {
            self.at += 1;
            Alone::Turns
        } else {
            Alone::Score(most, self.expr()?)
        };
        self.file.alone = Some(alone);
        Ok(())
    }

    fn tie(&mut self) -> Parsed<()> {
        let tie = match self.peek() {
            Some(Token::Word(word)) => word.clone(),
            _ => String::new(),
        };
        let tie = match tie.as_str() {
            "share" => Tie::Share,
            "nobody" => Tie::Nobody,
            "by" => Tie::ByLot,
            "play" => Tie::PlayOn,
            _ => return Err(self.unexpected("`share`, `nobody`, `by lot` or `play on`")),
        };
        self.at += 1;
        match tie {
            Tie::ByLot => self.expect_word("lot")?,
            Tie::PlayOn => self.expect_word("on")?,
            _ => {}
        }
        self.file.tie = Some(tie);
        Ok(())
    }

    fn candidate(&mut self, indent: usize) -> Parsed<()> {
        let questions = self.names("the name of a question")?;
        self.end_line();
        let mut lines = Vec::new();
        self.each_line(indent, |parser| {
            lines.push(parser.seen()?);
            parser.end_line();
            Ok(())
        });
        self.file.candidates.push(Candidate { questions, lines });
        Ok(())
    }

    fn seen(&mut self) -> Parsed<Seen> {
        let name = self.name("a name")?;
        self.expect("=")?;
        let value = self.expr()?;
        Ok(Seen { name, value, words: self.words() })
    }

    fn report(&mut self) -> Parsed<()> {
        let name = self.name("a name")?;
        let value = if self.accept("=") { Some(self.expr()?) } else { None };
        let words: Words = self.words();
        self.file.reports.push(Report { name, value, words });
        Ok(())
    }

    fn decimal(&mut self) -> Parsed<String> {
        let text = match self.peek() {
            Some(Token::Number(number)) => number.to_string(),
            Some(Token::Decimal(text)) => text.clone(),
            _ => return Err(self.unexpected("a number")),
        };
        self.at += 1;
        Ok(text)
    }

    fn expects(&mut self) -> Parsed<()> {
        let metric = self.name("a metric")?;
        self.expect("=")?;
        let number = self.decimal()?;
        self.expect_word("within")?;
        let within = self.decimal()?;
        let mut with = Vec::new();
        if self.accept_word("with") {
            loop {
                if self.is_word("policy") && matches!(self.token(1), Some(Token::Word(_))) {
                    self.at += 1;
                    with.push(With::Policy(self.long_name("-", "a policy")?));
                } else {
                    let at = self.at;
                    let mut name = self.long_name(".", "a preset or an option")?;
                    if self.is_sign("-") {
                        self.at = at;
                        name = self.long_name("-", "a preset")?;
                    }
                    if self.accept("=") {
                        with.push(With::Option(name, self.expr()?));
                    } else {
                        with.push(With::Preset(name));
                    }
                }
                if !self.accept(",") {
                    break;
                }
            }
        }
        let meaning = self.meaning();
        self.file.expects.push(Expect { metric, number, within, with, meaning });
        Ok(())
    }
}
