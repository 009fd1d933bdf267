//! Text to tokens.

use std::ops::Range;

use crate::problem::{Problem, quoted};

/// A word of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A number as a fraction in lowest terms; a whole number has denominator 1.
    Number(i64, i64),
    Name(String),
    /// An operator or a bracket, by its text.
    Sign(&'static str),
    End,
}

/// The signs, longer ones first.
const SIGNS: [&str; 18] =
    ["==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "(", ")", ",", "?"];
const COLON: &str = ":";

/// Splits a text into tokens with their places; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, Problem> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
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
                number(&text[start..at], start)?
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                at = end_of(bytes, at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                word(&text[start..at])
            }
            _ => {
                let sign = sign(&text[start..]).map_err(|problem| problem.shifted(start))?;
                at += sign.len();
                Token::Sign(sign)
            }
        };
        tokens.push((token, start..at));
    }
    tokens.push((Token::End, text.len()..text.len()));
    Ok(tokens)
}

fn end_of(bytes: &[u8], start: usize, belongs: impl Fn(u8) -> bool) -> usize {
    start + bytes[start..].iter().take_while(|&&byte| belongs(byte)).count()
}

fn word(name: &str) -> Token {
    match name {
        "and" => Token::Sign("&&"),
        "or" => Token::Sign("||"),
        "not" => Token::Sign("!"),
        "true" => Token::Sign("true"),
        "false" => Token::Sign("false"),
        _ => Token::Name(name.into()),
    }
}

fn sign(rest: &str) -> Result<&'static str, Problem> {
    if let Some(sign) = SIGNS.iter().chain(&[COLON]).find(|sign| rest.starts_with(**sign)) {
        return Ok(sign);
    }
    let character = rest.chars().next().unwrap_or(' ');
    let problem = Problem::new(0..character.len_utf8(), format!("`{character}` has no meaning here"));
    Err(match character {
        '=' if rest.starts_with("=>") => problem.help("write `>=`"),
        '=' if rest.starts_with("=<") => problem.help("write `<=`"),
        '=' => problem.help("to compare, write `==`"),
        '&' => problem.help("write `&&` or `and`"),
        '|' => problem.help("write `||` or `or`"),
        '≥' => problem.help("write `>=`"),
        '≤' => problem.help("write `<=`"),
        '≠' => problem.help("write `!=`"),
        _ => problem,
    })
}

fn number(text: &str, start: usize) -> Result<Token, Problem> {
    fraction(text)
        .map(|(numerator, denominator)| Token::Number(numerator, denominator))
        .map_err(|message| Problem::new(start..start + text.len(), message))
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
    let divisor = super::gcd(numerator, scale);
    Ok((numerator / divisor, scale / divisor))
}
