//! From text to lines of tokens. A line goes on inside open brackets, and after a comma, an operator, `and`, `or`, `not`
//! or `where`.

use crate::problem::{Problem, Span, quoted};

/// A token of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    Number(i64),
    /// A number with a decimal point, as it is written; only `expect` has them.
    Decimal(String),
    /// A text in quotes.
    Text(String),
    /// An operator or a bracket.
    Sign(&'static str),
}

/// A line with its indentation, in spaces.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) indent: usize,
    pub(crate) tokens: Vec<(Token, Span)>,
    pub(crate) comment: Option<String>,
    /// The place of its first character.
    pub(crate) start: usize,
}

/// Operators and brackets, longer ones first.
const SIGNS: [&str; 24] = [
    "==", "!=", "<=", ">=", "+=", "-=", "..", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", "[", "]",
    ",", ":", "?", ".", "!",
];
/// Signs and words after which a line goes on.
const JOINING: [&str; 14] = ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", ",", "?", ".."];
const JOINING_WORDS: [&str; 4] = ["and", "or", "not", "where"];

/// The largest text, in bytes.
pub(crate) const LARGEST_TEXT: usize = 1 << 16;

/// Reads a file's bytes as a text.
///
/// # Errors
///
/// If the bytes are no UTF-8.
pub fn decode(bytes: &[u8]) -> Result<&str, Problem> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|_| {
        let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let message = if is_utf16 { "the file is in UTF-16" } else { "the file is no UTF-8 text" };
        Problem::new(0..0, message).help("save it as UTF-8, as every editor can")
    })
}

/// Splits a text into lines.
pub(crate) fn lines(text: &str) -> (Vec<Line>, Vec<Problem>) {
    let mut reader = Reader { text, lines: Vec::new(), problems: Vec::new(), open: 0 };
    if text.len() > LARGEST_TEXT {
        let message = format!("the text has {} bytes; a game has at most {LARGEST_TEXT}", text.len());
        return (Vec::new(), vec![Problem::new(0..0, message)]);
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        reader.line(start, line.trim_end_matches(['\n', '\r']));
        start += line.len();
    }
    (reader.lines, reader.problems)
}

struct Reader<'t> {
    text: &'t str,
    lines: Vec<Line>,
    problems: Vec<Problem>,
    /// The number of open brackets.
    open: usize,
}

impl Reader<'_> {
    fn line(&mut self, start: usize, line: &str) {
        let content = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - content.len();
        if content.trim().is_empty() {
            return;
        }
        if let Some(tab) = line[..indent].find('\t') {
            let problem = Problem::new(start + tab..start + tab + 1, "a tab begins this line");
            self.problems.push(problem.help("indent by spaces, two for each block"));
        }
        let first = self.lines.len();
        let goes_on = self.goes_on();
        if !goes_on {
            self.open = 0;
            let width = line[..indent].chars().map(|c| if c == '\t' { 2 } else { 1 }).sum();
            self.lines.push(Line { indent: width, tokens: Vec::new(), comment: None, start: start + indent });
        }
        let at = if goes_on { first - 1 } else { first };
        self.tokens(at, start + indent, content);
    }

    /// Whether the line before is unfinished.
    fn goes_on(&self) -> bool {
        let Some(line) = self.lines.last() else { return false };
        self.open > 0
            || match line.tokens.last() {
                Some((Token::Sign(sign), _)) => JOINING.contains(sign),
                Some((Token::Word(word), _)) => JOINING_WORDS.contains(&word.as_str()),
                _ => false,
            }
    }

    fn tokens(&mut self, line: usize, start: usize, content: &str) {
        let bytes = content.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let from = at;
            let rest = &content[at..];
            let token = match bytes[at] {
                b' ' | b'\t' | b'\r' => {
                    at += 1;
                    continue;
                }
                b'#' => {
                    self.lines[line].comment = Some(rest.trim_end().to_owned());
                    break;
                }
                b'0'..=b'9' => {
                    let (token, length) = self.number(rest, start + at);
                    at += length;
                    token
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    at += length_of(rest, |c| c.is_ascii_alphanumeric() || c == '_');
                    Token::Word(content[from..at].to_owned())
                }
                b'"' => match rest[1..].find('"') {
                    Some(end) => {
                        at += end + 2;
                        Token::Text(rest[1..=end].to_owned())
                    }
                    None => {
                        let problem = Problem::new(start + at..start + content.len(), "this text has no end");
                        self.problems.push(problem.help("end it by `\"` on the same line"));
                        at = content.len();
                        Token::Text(rest[1..].to_owned())
                    }
                },
                _ => {
                    let (token, length) = self.sign(rest, start + at);
                    at += length;
                    let Some(token) = token else { continue };
                    match token {
                        Token::Sign("(" | "[") => self.open += 1,
                        Token::Sign(")" | "]") => self.open = self.open.saturating_sub(1),
                        _ => {}
                    }
                    token
                }
            };
            self.lines[line].tokens.push((token, start + from..start + at));
        }
    }

    fn number(&mut self, rest: &str, at: usize) -> (Token, usize) {
        let mut length = length_of(rest, |c| c.is_ascii_digit() || c == '_');
        let after = &rest.as_bytes()[length..];
        let is_decimal = after.first() == Some(&b'.') && after.get(1).is_some_and(u8::is_ascii_digit);
        if is_decimal {
            length += 1 + length_of(&rest[length + 1..], |c| c.is_ascii_digit());
            return (Token::Decimal(rest[..length].to_owned()), length);
        }
        let letters = length_of(&rest[length..], |c| c.is_ascii_alphanumeric() || c == '_');
        if letters > 0 {
            let whole = &rest[..length + letters];
            let mut problem =
                Problem::new(at..at + whole.len(), format!("{} is no number and no name", quoted(whole)));
            if let Some((n, sides)) = whole.split_once('d').filter(|(_, sides)| sides.parse::<u32>().is_ok())
            {
                problem = problem.help(format!("declare `die d = 1..{sides}` and write `{n} d`"));
            }
            self.problems.push(problem);
        }
        let digits: String = rest[..length].chars().filter(|&c| c != '_').collect();
        let number = digits.parse().ok().filter(|&number: &i64| number < 1 << 31);
        if number.is_none() {
            let message = format!("{} is too large", quoted(&rest[..length]));
            self.problems.push(Problem::new(at..at + length, message).help("numbers fit 32 bits"));
        }
        (Token::Number(number.unwrap_or(1)), length + letters)
    }

    fn sign(&mut self, rest: &str, at: usize) -> (Option<Token>, usize) {
        let foreign = [
            ("&&", "and", Token::Word("and".into())),
            ("||", "or", Token::Word("or".into())),
            ("=>", ">=", Token::Sign(">=")),
            ("=<", "<=", Token::Sign("<=")),
            ("<>", "!=", Token::Sign("!=")),
            ("&", "and", Token::Word("and".into())),
            ("|", "or", Token::Word("or".into())),
            ("≥", ">=", Token::Sign(">=")),
            ("≤", "<=", Token::Sign("<=")),
            ("≠", "!=", Token::Sign("!=")),
            ("−", "-", Token::Sign("-")),
            ("–", "-", Token::Sign("-")),
            ("×", "*", Token::Sign("*")),
            ("·", "*", Token::Sign("*")),
            ("…", "..", Token::Sign("..")),
            ("'", "\"", Token::Text(String::new())),
            ("“", "\"", Token::Text(String::new())),
            ("”", "\"", Token::Text(String::new())),
            ("„", "\"", Token::Text(String::new())),
            ("‘", "\"", Token::Text(String::new())),
            ("’", "\"", Token::Text(String::new())),
        ];
        for (wrong, right, meant) in foreign {
            if !rest.starts_with(wrong) {
                continue;
            }
            let mut length = wrong.len();
            let mut token = meant;
            if let Token::Text(text) = &mut token {
                let inner = &rest[length..];
                let end = inner.find(['"', '“', '”', '„', '‘', '’', '\'']).unwrap_or(inner.len());
                *text = inner[..end].to_owned();
                length += end + inner[end..].chars().next().map_or(0, char::len_utf8);
            }
            let problem =
                Problem::new(at..at + wrong.len(), format!("{} has no meaning here", quoted(wrong)));
            self.problems.push(problem.help(format!("write `{right}`")));
            return (Some(token), length);
        }
        match SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            Some("!") => {
                let problem = Problem::new(at..at + 1, "`!` has no meaning here");
                self.problems.push(problem.help("write `not`"));
                (Some(Token::Word("not".into())), 1)
            }
            Some(sign) => (Some(Token::Sign(sign)), sign.len()),
            None => {
                // Of a word in other letters all is one mistake.
                let first = rest.chars().next().map_or(1, char::len_utf8);
                let length = first.max(length_of(rest, |c| c.is_alphanumeric() || c == '_'));
                let strange = &self.text[at..at + length];
                let problem =
                    Problem::new(at..at + length, format!("{} has no meaning here", quoted(strange)));
                let (is_end, is_word) = (strange == ";", strange.starts_with(char::is_alphabetic));
                self.problems.push(if is_end {
                    problem.help("one thing stands on a line: begin another one")
                } else if is_word {
                    problem
                        .help("names have the letters a to z, digits and `_`; other letters stand in quotes")
                } else {
                    problem
                });
                // What follows has no place on this line.
                (None, if is_end { rest.len() } else { length })
            }
        }
    }
}

fn length_of(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}
