//! Formatting of numbers for people.

/// A number with commas between groups of three digits: 1,000,000.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many trials: "1 trial", "1,000 trials".
pub fn trials(count: u64) -> String {
    counted(count, "trial")
}

/// So many things whose plural has an `s`: "1 point", "1,000 points".
pub fn counted(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 1, 1000].map(trials), ["0 trials", "1 trial", "1,000 trials"]);
    }
}
