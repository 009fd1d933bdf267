//! Single trials as lines of CSV: formatted here, where code is optimised, at millions of rows a second.

use std::ops::Range;

use stopwise_engine::arms::{MetricArm, Rows};
use stopwise_engine::rotation::{named_for, rotation_of};
use stopwise_engine::stream::Keys;

use crate::rules::AnyRules;

/// Trials that are played before they are formatted.
const BLOCK: u64 = 128;

/// How trials of an arm are written: a row a trial and seat.
#[derive(Clone, Debug)]
pub struct TrialRows {
    /// Of the seats in trial 0, quoted for CSV.
    policies: Vec<String>,
    endings: Vec<&'static str>,
    metrics: Vec<&'static str>,
    rotations: usize,
}

impl TrialRows {
    /// For an arm of these rules; `policies` are the labels of the seats' policies in trial 0, and `rotations` is the
    /// number of line-ups that take turns.
    pub fn new(rules: &dyn AnyRules, policies: &[String], rotations: usize) -> Self {
        Self {
            policies: policies.iter().map(|label| quoted(label)).collect(),
            endings: rules.endings().iter().map(|ending| ending.name).collect(),
            metrics: rules.metrics().iter().map(|metric| metric.name).collect(),
            rotations,
        }
    }

    /// The first line.
    pub fn header(&self) -> String {
        format!("trial,seat,policy,ending,{}\n", self.metrics.join(","))
    }

    /// Plays trials on this thread and appends their rows to `out`, in order.
    pub fn write(&self, arm: &dyn MetricArm, keys: &Keys, trials: Range<u64>, out: &mut Vec<u8>) {
        let seats = self.policies.len();
        let mut rows = Rows::new(seats, self.metrics.len());
        let mut first = trials.start;
        while first < trials.end {
            let block = first..trials.end.min(first.saturating_add(BLOCK));
            arm.rows(keys, &block, &mut rows);
            for (at, trial) in block.clone().enumerate() {
                let rotation = rotation_of(trial, self.rotations);
                for seat in 0..seats {
                    number(out, trial);
                    out.push(b',');
                    number(out, seat as u64 + 1);
                    out.push(b',');
                    out.extend_from_slice(self.policies[named_for(seat, rotation, seats)].as_bytes());
                    out.push(b',');
                    out.extend_from_slice(self.endings[rows.ending(at)].as_bytes());
                    for &value in rows.values(at, seat) {
                        out.push(b',');
                        number(out, value.into());
                    }
                    out.push(b'\n');
                }
            }
            first = block.end;
        }
    }
}

/// A label as a field of CSV (RFC 4180).
fn quoted(label: &str) -> String {
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
