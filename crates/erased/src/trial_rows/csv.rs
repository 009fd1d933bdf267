//! Rows as lines of CSV.

use stopwise_engine::arms::Rows;

use super::TrialRows;

/// The header line.
pub(super) fn header(rows: &TrialRows) -> String {
    let names: Vec<_> = rows.columns().map(|(name, _)| name).collect();
    names.join(",") + "\n"
}

/// Appends the lines of trials, beginning with number `first`.
pub(super) fn lines(about: &TrialRows, first: u64, rows: &Rows, out: &mut Vec<u8>) {
    for (at, trial) in (0..rows.trials()).zip(first..) {
        for seat in 0..about.policies.len() {
            number(out, trial);
            out.push(b',');
            number(out, seat as u64 + 1);
            out.push(b',');
            out.extend_from_slice(about.quoted[about.policy(trial, seat)].as_bytes());
            out.push(b',');
            out.extend_from_slice(about.endings[rows.ending(at)].as_bytes());
            for (metric, &value) in about.metrics.iter().zip(rows.values(at, seat)) {
                out.push(b',');
                match metric.is_share() {
                    false => number(out, value.into()),
                    true => out.extend_from_slice(metric.read(value).to_string().as_bytes()),
                }
            }
            out.push(b'\n');
        }
    }
}

/// A label as a CSV field (RFC 4180).
pub(super) fn quoted(label: &str) -> String {
    match label.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", label.replace('"', "\"\"")),
        false => label.to_owned(),
    }
}

/// Appends a number in decimal digits.
fn number(out: &mut Vec<u8>, mut value: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        #[allow(clippy::cast_possible_truncation, reason = "a digit")]
        let digit = (value % 10) as u8;
        digits[at] = b'0' + digit;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_labels() {
        let mut out = Vec::new();
        for value in [0, 7, 10, 1_234_567_890, u64::MAX] {
            number(&mut out, value);
            out.push(b' ');
        }
        assert_eq!(out, b"0 7 10 1234567890 18446744073709551615 ");
        assert_eq!(quoted("first:k=2"), "first:k=2");
        assert_eq!(quoted("first:j=1,k=\"2\""), "\"first:j=1,k=\"\"2\"\"\"");
    }
}
