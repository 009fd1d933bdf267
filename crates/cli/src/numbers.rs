//! Numbers as people write them.

use std::ops::RangeInclusive;
use std::time::Duration;

/// What is wrong with a number of something.
fn what(text: &str) -> &'static str {
    let is_negative = text.strip_prefix('-').is_some_and(|rest| rest.parse::<f64>().is_ok());
    if is_negative { "less than 0" } else { "no whole number" }
}

/// Reads `10_000`, `10k`, `2M`, `1e6` and `1.5M` as a whole number.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is {}; write for example 250000, 250k, 2M or 1e6", what(text));
    let plain: String = text.chars().filter(|&c| c != '_').collect();
    let (digits, scale) = match plain.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&plain[..at], 3),
        Some((at, 'm' | 'M')) => (&plain[..at], 6),
        Some((at, 'g' | 'G')) => (&plain[..at], 9),
        _ => (plain.as_str(), 0),
    };
    let are_digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let (digits, exponent) = match digits.split_once(['e', 'E']) {
        Some((_, exponent)) if exponent.is_empty() || !are_digits(exponent) => return Err(wrong()),
        // Of so many digits that it is no number itself, it is larger than any that counts.
        Some((digits, exponent)) => (digits, exponent.parse().unwrap_or(u32::MAX).saturating_add(scale)),
        None => (digits, scale),
    };
    // "10.000" is ten thousand to some, and ten to others.
    if exponent == 0 && digits.contains('.') {
        return Err(wrong());
    }
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let decimals = decimals.trim_end_matches('0');
    let places = u32::try_from(decimals.len()).map_err(|_| wrong())?;
    if places > exponent || whole.is_empty() || !are_digits(whole) || !are_digits(decimals) {
        return Err(wrong());
    }
    let digits = format!("{whole}{decimals}");
    if digits.chars().all(|c| c == '0') {
        return Ok(0);
    }
    // What are digits and no number has too many of them.
    let number = digits.parse::<u64>().ok();
    let scale = 10_u64.checked_pow(exponent - places);
    number
        .zip(scale)
        .and_then(|(number, scale)| number.checked_mul(scale))
        .ok_or_else(|| too_large(text, u64::MAX))
}

fn too_large(text: &str, largest: u64) -> String {
    format!("`{text}` is too large; the largest is {largest}")
}

/// A number, or all from one to another: both ends are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The numbers.
    pub range: RangeInclusive<u64>,
    /// Whether one was written, and not a range.
    pub is_one: bool,
}

/// Reads `7` and `3..9`, both ends of which count; each as [`count`] reads it.
pub(crate) fn span(text: &str) -> Result<Span, String> {
    let Some((low, high)) = text.split_once("..") else {
        return count(text).map(|number| Span { range: number..=number, is_one: true });
    };
    let number = |end: &str| {
        count(end.trim()).map_err(|wrong| {
            if wrong.contains("too large") {
                return wrong;
            }
            format!("`{text}` is no range of whole numbers; write for example 3..9, which holds both ends")
        })
    };
    let (first, last) = (number(low)?, number(high)?);
    if last < first {
        return Err(format!(
            "`{text}` runs backwards and holds nothing; write {}..{}",
            high.trim(),
            low.trim()
        ));
    }
    Ok(Span { range: first..=last, is_one: false })
}

/// The same for turns, which are counted from 1.
pub(crate) fn turns(text: &str) -> Result<RangeInclusive<u32>, String> {
    if text.split("..").any(|end| count(end.trim()) == Ok(0)) {
        return Err(format!("`{text}`: turns are counted from 1; write for example 1..3"));
    }
    let (first, last) = span(text)?.range.into_inner();
    let number = |turn: u64| u32::try_from(turn).map_err(|_| too_large(&turn.to_string(), u32::MAX.into()));
    Ok(number(first)?..=number(last)?)
}

/// What is no number is answered with numbers that fit.
fn such_as<T>(read: Result<T, String>, examples: &str) -> Result<T, String> {
    read.map_err(|wrong| match wrong.split_once("; write for example ") {
        Some((what, _)) => format!("{what}; write for example {examples}"),
        None => wrong,
    })
}

/// [`count`] for seeds, of which all are alike.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    such_as(count(text), "1 or 42")
}

/// [`small`] for values of a metric, or a part of one, as [`share`] reads it: some metrics are shares. Only below 1, because "1.500"
/// is fifteen hundred to some.
pub(crate) fn mark(text: &str) -> Result<f64, String> {
    let part = share(text).ok().filter(|part| (0.0..1.0).contains(part));
    part.map_or_else(|| such_as(small(text), "500, or of a share 0.5").map(f64::from), Ok)
}

/// [`small`] for numbers of games that somebody plays.
pub(crate) fn games(text: &str) -> Result<u32, String> {
    such_as(small(text), "10")
}

/// A number of things, or `all` of them.
pub(crate) fn some_or_all(text: &str) -> Result<String, String> {
    if text != ALL {
        size(text).map_err(|why| format!("{why}, or all"))?;
    }
    Ok(text.to_owned())
}

/// The number that [`some_or_all`] has read.
pub(crate) fn most(text: &str) -> usize {
    if text == ALL { usize::MAX } else { size(text).unwrap_or(usize::MAX) }
}

const ALL: &str = "all";

/// [`size`] for what is not many.
pub(crate) fn few(text: &str) -> Result<usize, String> {
    such_as(size(text), "4")
}

/// [`count`] for numbers of things that this machine holds.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    usize::try_from(count(text)?).map_err(|_| too_large(text, usize::MAX as u64))
}

/// The same for what is counted in 32 bits, as scores are.
pub(crate) fn small(text: &str) -> Result<u32, String> {
    u32::try_from(count(text)?).map_err(|_| too_large(text, u32::MAX.into()))
}

/// Reads `0.9` and `90%` as a share.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let (number, scale) = text.strip_suffix('%').map_or((text, 1.0), |number| (number.trim_end(), 100.0));
    let wrong = |_| format!("`{text}` is no share; write for example 0.9 or 90%");
    number.parse::<f64>().map(|number| number / scale).map_err(wrong)
}

/// Reads `4G`, `1.5G`, `500M`, `2GB`, `16GiB` and `1e9` as a number of bytes; `G` is 10⁹ of them, `Gi` 2³⁰.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no size; write for example 500M, 4G or 16GiB");
    let plain = text.strip_suffix(['b', 'B']).unwrap_or(text);
    let (digits, unit) = match plain.strip_suffix('i') {
        None => (plain, 1),
        Some(binary) => match binary.char_indices().next_back() {
            Some((at, 'k' | 'K')) => (&binary[..at], 1 << 10),
            Some((at, 'm' | 'M')) => (&binary[..at], 1 << 20),
            Some((at, 'g' | 'G')) => (&binary[..at], 1 << 30),
            _ => return Err(wrong()),
        },
    };
    let number = count(digits).map_err(|said| if said.contains("too large") { said } else { wrong() })?;
    let size = number.checked_mul(unit).ok_or_else(|| too_large(text, u64::MAX))?;
    if size == 0 { Err(wrong()) } else { Ok(size) }
}

/// Reads `0.05` and `1e-3`. What is larger than any such number is refused as it was typed.
pub(crate) fn decimal(text: &str) -> Result<f64, String> {
    let wrong = || match text.strip_suffix('%').map(|number| number.trim().parse::<f64>()) {
        Some(Ok(percent)) => format!("`{text}` is no number here; of a share write {}", percent / 100.0),
        _ => format!("`{text}` is no number; write for example 0.5 or 1e-3"),
    };
    let number: f64 = text.parse().map_err(|_| wrong())?;
    if number.is_infinite() && text.contains(|c: char| c.is_ascii_digit()) {
        return Err(format!("`{text}` is too large; the largest is {:e}", f64::MAX));
    }
    Ok(number)
}

/// Reads `60s`, `1.5m`, `2h` and `90` (seconds) as a time.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; write for example 60s, 5m or 1h");
    let (digits, scale) = match text.char_indices().next_back() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3600.0),
        _ => (text, 1.0),
    };
    let is_plain = digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    let seconds = digits.parse::<f64>().ok().filter(|_| is_plain).ok_or_else(wrong)? * scale;
    if seconds <= 0.0 {
        return Err(format!("`{text}` leaves no time; write for example 60s, 5m or 1h"));
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!([share("0.9"), share("90%"), share("12.5 %")], [Ok(0.9), Ok(0.9), Ok(0.125)]);
        assert!(share("many").is_err_and(|message| message.contains("0.9 or 90%")));
    }

    #[test]
    fn marks_are_whole_or_below_one() {
        let good = ["500", "2k", "0", "0.5", "25%"].map(mark);
        assert_eq!(good, [Ok(500.0), Ok(2000.0), Ok(0.0), Ok(0.5), Ok(0.25)]);
        for text in ["2.5", "1.500", "-0.5", "1e400", "nan", "150%"] {
            assert!(mark(text).is_err_and(|said| said.starts_with(&format!("`{text}` is "))), "{text}");
        }
        let said = "`2.5` is no whole number; write for example 500, or of a share 0.5";
        assert_eq!(mark("2.5"), Err(said.into()));
    }

    #[test]
    fn decimals_too_large_are_shown_as_typed() {
        assert_eq!([decimal("1e-3"), decimal("-2.5")], [Ok(0.001), Ok(-2.5)]);
        for text in ["1e400", "-1e999"] {
            assert!(decimal(text).is_err_and(|said| said.starts_with(&format!("`{text}` is too large"))));
        }
        assert!(decimal("wide").is_err_and(|said| said.contains("`wide` is no number")));
        assert!(decimal("0.5%").is_err_and(|said| said.contains("of a share write 0.005")));
    }

    #[test]
    fn counts_as_people_write_them() {
        let good = [
            ("7", 7),
            ("10_000", 10_000),
            ("10k", 10_000),
            ("2M", 2_000_000),
            ("1e6", 1_000_000),
            ("1.5M", 1_500_000),
            ("0", 0),
        ];
        for (text, number) in good {
            assert_eq!(count(text), Ok(number), "{text}");
        }
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
        assert_eq!([count("0e99"), count("000000000000000000000000007")], [Ok(0), Ok(7)]);
        for text in ["", "k", "1.5", "1e", "ten", "10.000", "1.2345k", "1e-3", ".", "e5", "1e1.5", "1e+3"] {
            assert!(count(text).is_err_and(|said| said.contains("no whole number")), "{text}");
        }
        assert!(count("-3").is_err_and(|said| said.starts_with("`-3` is less than 0; write")));
        for text in [
            "1e99",
            "99999999999999999999",
            "18446744073709551616",
            "1e4294967295k",
            "1e99999999999",
            "20000000000G",
        ] {
            let said = count(text).expect_err(text);
            assert!(said.contains("too large; the largest is 18446744073709551615"), "{said}");
        }
        assert_eq!(small("4294967295"), Ok(u32::MAX));
        assert!(small("4294967296").is_err_and(|said| said.ends_with("the largest is 4294967295")));
    }

    #[test]
    fn spans_as_people_write_them() {
        for (text, range, is_one) in [
            ("7", 7..=7, true),
            ("3..9", 3..=9, false),
            ("3..3", 3..=3, false),
            ("0 .. 1k", 0..=1000, false),
            ("18446744073709551614..18446744073709551615", u64::MAX - 1..=u64::MAX, false),
        ] {
            assert_eq!(span(text), Ok(Span { range, is_one }), "{text}");
        }
        for (text, words) in [
            ("", "no whole number"),
            ("x", "no whole number"),
            ("1..", "write for example 3..9"),
            ("..5", "write for example 3..9"),
            ("1...5", "write for example 3..9"),
            ("1..=5", "write for example 3..9"),
            ("1..9:2", "write for example 3..9"),
            ("9..3", "runs backwards and holds nothing; write 3..9"),
            ("1..99999999999999999999", "too large"),
        ] {
            let said = span(text).expect_err(text);
            assert!(said.contains(words), "{text}: {said}");
        }
        assert_eq!(turns("2..5"), Ok(2..=5));
        for text in ["0", "0..5", "1..0", "5 .. 0"] {
            assert!(turns(text).is_err_and(|said| said.contains("counted from 1; write for example 1..3")));
        }
        assert!(turns("5..1").is_err_and(|said| said.contains("write 1..5")));
        assert!(turns("5000000000").is_err_and(|said| said.contains("the largest is 4294967295")));
    }

    #[test]
    fn sizes_as_people_write_them() {
        let good = [
            ("4G", 4_000_000_000),
            ("1.5G", 1_500_000_000),
            ("500M", 500_000_000),
            ("2GB", 2_000_000_000),
            ("16GiB", 16 << 30),
            ("64Ki", 64 << 10),
            ("1e9", 1_000_000_000),
            ("4096", 4096),
        ];
        for (text, size) in good {
            assert_eq!(bytes(text), Ok(size), "{text}");
        }
        for text in ["", "B", "i", "0", "0G", "-4G", "four", "4T", "1.5GiB", "4 G", "GiB", "4iB"] {
            assert!(bytes(text).is_err_and(|said| said.contains("is no size")), "{text}");
        }
        for text in ["1e99", "99999999999GiB"] {
            assert!(bytes(text).is_err_and(|said| said.contains("too large")), "{text}");
        }
    }

    #[test]
    fn times_as_people_write_them() {
        for (text, seconds) in [("60s", 60.0), ("1.5m", 90.0), ("2h", 7200.0), ("90", 90.0), (".5s", 0.5)] {
            assert_eq!(duration(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in
            ["", "s", "-3s", "0", "0m", "ten", "1d", "1e3", "inf", "NaN", "1m30s", "99999999999999999999h"]
        {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
