//! The lexer: splits text into tokens.

use std::ops::Range;

use super::fraction::gcd;
use super::parameter::decimal;
use stopwise_text::{Problem, quoted};

/// A token of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A number as a fraction in lowest terms; a whole number has denominator 1.
    Number(i64, i64),
    Name(String),
    /// An operator or a bracket, by its text.
    Sign(&'static str),
    End,
}

/// The operators and brackets, longer ones first.
const SIGNS: [&str; 18] =
    ["==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "(", ")", ",", "?"];
const COLON: &str = ":";

/// A text as tokens.
#[derive(Debug)]
pub(super) struct Lexed {
    /// The tokens with their places; the last is [`Token::End`].
    pub(super) tokens: Vec<(Token, Range<usize>)>,
    /// Problems with characters that are not tokens.
    pub(super) problems: Vec<Problem>,
    /// Whether parsing can continue: every invalid part was replaced by the token that was probably meant.
    pub(super) is_whole: bool,
}

/// Splits a text into tokens.
pub(super) fn tokens(text: &str) -> Lexed {
    let bytes = text.as_bytes();
    let mut lexed = Lexed { tokens: Vec::new(), problems: Vec::new(), is_whole: true };
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let token = match bytes[at] {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            b'0'..=b'9' => {
                at = end_of(bytes, at, |byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_');
                number(&text[start..at], start).unwrap_or_else(|problem| {
                    lexed.problems.push(problem);
                    Token::Number(1, 1)
                })
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                at = end_of(bytes, at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                word(&text[start..at])
            }
            _ => match sign(&text[start..]) {
                Ok(sign) => {
                    at += sign.len();
                    Token::Sign(sign)
                }
                Err(Stranger { problem, meant, length }) => {
                    at += length;
                    // Of characters that mean nothing at all the first will do.
                    if meant.is_some() || lexed.is_whole {
                        lexed.problems.push(problem.shifted(start));
                    }
                    match meant {
                        Some(token) => token,
                        None => {
                            lexed.is_whole = false;
                            continue;
                        }
                    }
                }
            },
        };
        lexed.tokens.push((token, start..at));
    }
    lexed.tokens.push((Token::End, text.len()..text.len()));
    lexed
}

fn end_of(bytes: &[u8], start: usize, belongs: impl Fn(u8) -> bool) -> usize {
    start + bytes[start..].iter().take_while(|&&byte| belongs(byte)).count()
}

fn word(name: &str) -> Token {
    match name {
        "and" => Token::Sign("&&"),
        "or" => Token::Sign("||"),
        "not" => Token::Sign("!"),
        "true" | "yes" => Token::Sign("true"),
        "false" | "no" => Token::Sign("false"),
        _ => Token::Name(name.into()),
    }
}

/// A part of the text that is not a token.
struct Stranger {
    problem: Problem,
    /// The token that was probably meant.
    meant: Option<Token>,
    /// Its length in bytes.
    length: usize,
}

fn sign(rest: &str) -> Result<&'static str, Stranger> {
    if let Some(sign) = SIGNS.iter().chain(&[COLON]).find(|sign| rest.starts_with(**sign)) {
        return Ok(sign);
    }
    let character = rest.chars().next().unwrap_or(' ');
    let width = character.len_utf8();
    let problem = Problem::new(0..width, format!("`{character}` has no meaning here"));
    let (meant, help, length) = match character {
        '=' if rest.starts_with("=>") => (">=", "write `>=`", 2),
        '=' if rest.starts_with("=<") => ("<=", "write `<=`", 2),
        '=' => ("==", "to compare, write `==`", 1),
        '&' => ("&&", "write `&&` or `and`", 1),
        '|' => ("||", "write `||` or `or`", 1),
        '≥' => (">=", "write `>=`", width),
        '≤' => ("<=", "write `<=`", width),
        '≠' => ("!=", "write `!=`", width),
        '−' | '–' => ("-", "write `-`", width),
        '×' | '·' => ("*", "write `*`", width),
        '.' => return Err(point(rest, problem)),
        '[' => {
            let help = "a policy reads the words that `stopwise policy features` lists; in the text of a game, \
                `see NAME = ARRAY[PLACE]` makes one of a place in an array";
            return Err(Stranger { problem: problem.help(help), meant: None, length: width });
        }
        _ => return Err(Stranger { problem, meant: None, length: width }),
    };
    Err(Stranger { problem: problem.help(help), meant: Some(Token::Sign(meant)), length })
}

/// A decimal point without a digit before it: `.5`.
fn point(rest: &str, problem: Problem) -> Stranger {
    let length = end_of(rest.as_bytes(), 1, |byte| byte.is_ascii_digit());
    let number = format!("0{}", &rest[..length]);
    match fraction(&number) {
        Ok((numerator, denominator)) => Stranger {
            problem: problem.help(format!("write `{number}`")),
            meant: Some(Token::Number(numerator, denominator)),
            length,
        },
        Err(_) => Stranger { problem, meant: None, length },
    }
}

fn number(text: &str, start: usize) -> Result<Token, Problem> {
    let token = fraction(text).map(|(numerator, denominator)| Token::Number(numerator, denominator));
    token.map_err(|message| {
        let problem = Problem::new(start..start + text.len(), message);
        match text.strip_suffix("percent").map(fraction) {
            Some(Ok((numerator, denominator))) => percentage(numerator, denominator, problem),
            _ => problem,
        }
    })
}

/// The problem of a number in per cent, with the number to write instead as advice.
pub(crate) fn percentage(numerator: i64, denominator: i64, problem: Problem) -> Problem {
    let divisor = gcd(numerator, denominator * 100);
    let (numerator, denominator) = (numerator / divisor, denominator * 100 / divisor);
    match 1_000_000 % denominator {
        0 => problem
            .help(format!("a chance is a number from 0 to 1; write `{}`", decimal(numerator, denominator))),
        _ => problem.help("a chance is a number from 0 to 1; write it with at most six decimals"),
    }
}

/// Reads `12`, `1_000` or `0.25` exactly, as a fraction in lowest terms.
pub(crate) fn fraction(text: &str) -> Result<(i64, i64), String> {
    let digits: String = text.chars().filter(|&c| c != '_').collect();
    let (whole, decimals) = digits.split_once('.').unwrap_or((&digits, ""));
    let all_digits = !whole.is_empty() && whole.chars().chain(decimals.chars()).all(|c| c.is_ascii_digit());
    if !all_digits || (digits.contains('.') && decimals.is_empty()) {
        return Err(format!("{} is no number; write digits such as 12 or 0.25", quoted(text)));
    }
    if decimals.len() > 6 {
        return Err(format!("{} has more than six decimals", quoted(text)));
    }
    if whole.trim_start_matches('0').len() > 12 {
        return Err(format!("{} is too large; numbers have at most twelve digits", quoted(text)));
    }
    let scale = (0..decimals.len()).fold(1, |scale, _| scale * 10);
    let numerator: i64 =
        format!("{whole}{decimals}").parse().map_err(|_| format!("{} is too large", quoted(text)))?;
    let divisor = gcd(numerator, scale);
    Ok((numerator / divisor, scale / divisor))
}
