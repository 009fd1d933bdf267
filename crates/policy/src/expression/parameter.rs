//! Named constants.

/// A named constant of a policy: a fraction in lowest terms, or a yes or no, which is 1 or 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its numerator.
    pub numerator: i64,
    /// Its denominator, at least 1.
    pub denominator: i64,
    /// Whether it is a yes or no.
    pub is_truth: bool,
    /// Whether the value is another than the text's.
    pub is_changed: bool,
    /// What one of it is, such as `points`; may be empty.
    pub unit: String,
    /// What it does, in a few words; may be empty.
    pub meaning: String,
}

impl Parameter {
    /// The value as it is written in a file.
    pub fn value(&self) -> String {
        if self.is_truth {
            return if self.numerator == 1 { "yes" } else { "no" }.into();
        }
        decimal(self.numerator, self.denominator)
    }

    /// The value with its unit.
    pub fn with_unit(&self) -> String {
        let value = self.value();
        if self.unit.is_empty() { value } else { format!("{value} {}", self.unit) }
    }
}

/// A fraction as it is written in a file. The denominator divides 10^6.
pub(crate) fn decimal(numerator: i64, denominator: i64) -> String {
    if denominator == 1 {
        return numerator.to_string();
    }
    let millions = numerator * (1_000_000 / denominator);
    let text = format!(
        "{}{}.{:06}",
        if millions < 0 { "-" } else { "" },
        millions.abs() / 1_000_000,
        millions.abs() % 1_000_000
    );
    text.trim_end_matches('0').to_owned()
}
