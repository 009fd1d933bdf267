//! The spaces and the indentation of a text, set in one way.

use crate::lex::{Line, Token, lines};
use crate::problem::TextError;

/// The text with two spaces a block, one around operators, none inside brackets. Line breaks, empty lines and comments
/// stay.
///
/// # Errors
///
/// The mistakes of a text that is no game: only what can be read is formatted.
pub fn format(text: &str) -> Result<String, TextError> {
    crate::read(text)?;
    let (lines, _) = lines(text);
    let mut out = String::new();
    let mut depths: Vec<usize> = Vec::new();
    let mut end = 0;
    for line in &lines {
        let start = line.tokens.first().map_or(line.start, |(_, span)| span.start);
        if !out.is_empty() && text.get(end..start).is_some_and(has_empty_line) {
            out.push('\n');
        }
        while depths.last().is_some_and(|depth| *depth >= line.indent) {
            depths.pop();
        }
        out.push_str(&"  ".repeat(depths.len()));
        depths.push(line.indent);
        write_line(&mut out, text, line, depths.len());
        end = line.tokens.last().map_or(line.start, |(_, span)| span.end);
        if let Some(comment) = &line.comment {
            if !line.tokens.is_empty() {
                out.push_str("  ");
            }
            out.push_str(comment);
            end = end.max(line.start)
                + text.get(end.max(line.start)..).and_then(|rest| rest.find('\n')).unwrap_or(0);
        }
        out.push('\n');
    }
    Ok(out)
}

fn has_empty_line(between: &str) -> bool {
    let mut breaks = between.split('\n');
    breaks.next();
    breaks.next_back();
    breaks.any(|line| line.trim().is_empty())
}

fn write_line(out: &mut String, text: &str, line: &Line, depth: usize) {
    // `:` belongs to `?` where one is open in the same brackets; else it begins a block, or what follows a domain.
    let mut choices = vec![0];
    let mut before: Option<(&Token, usize)> = None;
    let mut is_prefix = false;
    for (token, span) in &line.tokens {
        if let Some((last, end)) = before {
            let gap = text.get(end..span.start).unwrap_or_default();
            if gap.contains('\n') {
                out.push('\n');
                out.push_str(&"  ".repeat(depth));
            } else if is_spaced(last, token, gap.is_empty(), is_prefix, choices.last().copied().unwrap_or(0))
            {
                out.push(' ');
            }
        }
        is_prefix = matches!(token, Token::Sign("-")) && is_before_operand(before.map(|(last, _)| last));
        match (token, choices.last_mut()) {
            (Token::Sign("(" | "["), _) => choices.push(0),
            (Token::Sign(")" | "]"), _) => _ = choices.pop(),
            (Token::Sign("?"), Some(open)) => *open += 1,
            (Token::Sign(":"), Some(open)) if *open > 0 => *open -= 1,
            _ => {}
        }
        out.push_str(text.get(span.clone()).unwrap_or_default());
        before = Some((token, span.end));
    }
}

/// Whether a sign after this begins an operand.
fn is_before_operand(last: Option<&Token>) -> bool {
    match last {
        None => true,
        Some(Token::Sign(sign)) => !matches!(*sign, ")" | "]"),
        Some(Token::Word(word)) => {
            ["and", "or", "not", "in", "where", "by", "of", "from"].contains(&word.as_str())
        }
        Some(_) => false,
    }
}

fn is_spaced(last: &Token, next: &Token, is_tight: bool, is_prefix: bool, choices: usize) -> bool {
    match (last, next) {
        (Token::Sign("(" | "[" | "." | ".."), _) | (_, Token::Sign(")" | "]" | "," | "." | "..")) => false,
        (_, Token::Sign(":")) => choices > 0,
        (_, Token::Sign("(" | "[")) => !(is_tight && matches!(last, Token::Word(_) | Token::Sign(")" | "]"))),
        // The names of presets and policies have hyphens.
        (Token::Word(_), Token::Sign("-")) | (Token::Sign("-"), Token::Word(_) | Token::Number(_)) => {
            !is_prefix && !is_tight
        }
        _ => !is_prefix,
    }
}
