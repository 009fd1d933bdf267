//! Estimated widths of texts: system fonts differ, and their metrics are not known here.

use crate::characters::is_unseen;

/// The width of a text in pixels at a size in pixels: that of a wide sans-serif font, so that others leave room.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// About the advances of DejaVu Sans, the widest of the fonts that systems come with.
fn advance(c: char) -> f64 {
    match c {
        // Shown by its escape, such as `\u{202e}`: four characters around its digits.
        c if is_unseen(c) => 0.64 * (4.0 + f64::from(u32::from(c).max(1).ilog(16) + 1)),
        'i' | 'j' | 'l' | '\'' | '|' => 0.3,
        ' ' | '.' | ',' | ':' | ';' | '!' | '·' | 'I' | 'f' | 't' | '-' | '(' | ')' | '[' | ']' | '/' => {
            0.39
        }
        'r' | '"' | '*' => 0.46,
        '\u{202f}' | '\u{2009}' => 0.2,
        'm' | 'M' | 'W' | '%' | '@' | '…' | '—' => 1.0,
        'w' | 'N' | 'O' | 'Q' | 'G' | 'D' | 'H' | 'U' | '&' | '#' | '+' | '=' | '<' | '>' | '±' | '−'
        | '≈' | '≥' => 0.84,
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | '_' => 0.58,
        'A'..='Z' => 0.7,
        c if c.is_ascii() => 0.64,
        // Ideographs are square; most other letters are no wider than Latin capitals.
        '\u{2e80}'..='\u{ffff}' | '\u{1f000}'.. => 1.05,
        _ => 0.72,
    }
}

/// The text, or its beginning and its end about an ellipsis where it is wider than this: names often differ at their end.
pub(crate) fn shortened(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let room = most / size - advance('…');
    let end: String = fitting(text.chars().rev(), 0.35 * room).chars().rev().collect();
    let begin = fitting(text.chars(), room - width(&end, 1.0));
    format!("{}…{}", begin.trim_end(), end.trim_start())
}

/// The first characters that have room, in units of the size.
fn fitting(chars: impl Iterator<Item = char>, mut room: f64) -> String {
    let fits = |c: &char| {
        room -= advance(*c);
        room >= 0.0
    };
    chars.take_while(fits).collect()
}

/// The same of one of several names: where others would look the same, the parts that differ are kept.
pub(crate) fn told_apart(text: &str, names: &[&str], size: f64, most: f64) -> String {
    let short = shortened(text, size, most);
    let is_alike = |name: &&&str| **name != text && shortened(name, size, most) == short;
    let alike: Vec<_> = names.iter().filter(is_alike).collect();
    if alike.is_empty() {
        return short;
    }
    let chars: Vec<char> = text.chars().collect();
    let shared = |name: &&&str| text.chars().zip(name.chars()).take_while(|(a, b)| a == b).count();
    let shared_end =
        |name: &&&str| text.chars().rev().zip(name.chars().rev()).take_while(|(a, b)| a == b).count();
    let mut from = alike.iter().map(shared).min().unwrap_or(0);
    let mut to = chars.len() - alike.iter().map(shared_end).min().unwrap_or(0).min(chars.len() - from);
    let is_within = |c: &char| c.is_alphanumeric() || "=.-_".contains(*c);
    while from > 0 && is_within(&chars[from - 1]) {
        from -= 1;
    }
    while to < chars.len() && is_within(&chars[to]) {
        to += 1;
    }
    let of = |part: &[char]| part.iter().collect::<String>();
    let (rest, part) = (of(&chars[from..]), of(&chars[from..to]));
    let room = most / size - advance('…');
    let kept = if width(&rest, 1.0) <= room { rest } else { format!("{part}…") };
    let kept = shortened(&kept, 1.0, room);
    format!("{}…{kept}", fitting(chars[..from].iter().copied(), room - width(&kept, 1.0)).trim_end())
}

/// The text in lines no wider than this, broken at spaces.
pub(crate) fn lines(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shortened() {
        assert_eq!(shortened("second-tree", 10.0, 200.0), "second-tree");
        let short = shortened("second-tree:k=2", 10.0, 60.0);
        assert!(short.starts_with("s") && short.ends_with('2') && width(&short, 10.0) <= 60.0, "{short}");
        assert_eq!(shortened("abc", 10.0, 0.0), "…");
    }

    #[test]
    fn what_differs_is_kept() {
        let names = [1, 2, 11, 21].map(|k| format!("my-very-carefully-thought-out-policy:k={k},risk=0.1"));
        let names = names.each_ref().map(String::as_str);
        for most in [60.0, 100.0, 150.0] {
            let short = names.map(|name| told_apart(name, &names, 10.0, most));
            assert!(short.iter().all(|name| width(name, 10.0) <= most), "{short:?}");
            let parts = ["k=1", "k=2", "k=11", "k=21"];
            assert!(short.iter().zip(parts).all(|(name, part)| name.contains(part)), "{short:?}");
        }
        assert_eq!(told_apart("tidy", &["tidy", "first"], 10.0, 200.0), "tidy");
    }

    #[test]
    fn texts_are_broken_at_spaces() {
        let broken = lines("one two three four five", 10.0, 80.0);
        assert_eq!(broken.join(" "), "one two three four five");
        assert!(broken.len() > 1 && broken.iter().all(|line| width(line, 10.0) <= 80.0));
    }
}
