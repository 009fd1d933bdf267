//! Linear forms of shares.

use crate::estimate::Estimate;
use crate::seats::Part;

/// A constant, and a factor for the share of every table. Strengths, leads and effects are linear forms.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Form {
    constant: f64,
    factors: Vec<f64>,
}

impl Form {
    /// The form 0, over this number of tables.
    pub(super) fn new(tables: usize) -> Self {
        Self { constant: 0.0, factors: vec![0.0; tables] }
    }

    pub(super) fn add_constant(&mut self, constant: f64) {
        self.constant += constant;
    }

    pub(super) fn add(&mut self, table: usize, factor: f64) {
        self.factors[table] += factor;
    }

    /// Adds a multiple of another form.
    pub(super) fn add_form(&mut self, other: &Self, factor: f64) {
        self.constant += factor * other.constant;
        self.factors.iter_mut().zip(&other.factors).for_each(|(own, more)| *own += factor * more);
    }

    /// The value of the form, given (count, trials) for each table; `combine` sums the parts. `None` if a table with a
    /// nonzero factor has no trials.
    pub(super) fn estimate(
        &self,
        counts: impl Iterator<Item = (u64, u64)>,
        combine: impl Fn(&[Part]) -> Option<Estimate>,
    ) -> Option<Estimate> {
        let parts = self.factors.iter().zip(counts).filter(|(factor, _)| factor.abs() > 1e-12);
        let parts: Vec<_> = parts.map(|(&factor, (count, trials))| Part { factor, count, trials }).collect();
        Some(combine(&parts)?.plus(self.constant))
    }
}
