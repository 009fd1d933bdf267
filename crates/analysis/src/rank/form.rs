//! Sums of shares with factors.

use crate::seats::{Estimate, Part, combination_at};

/// A constant and a factor for the share of every table: strengths, leads and effects are all of this form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Form {
    constant: f64,
    factors: Vec<f64>,
}

impl Form {
    /// 0, over so many tables.
    pub(super) fn new(tables: usize) -> Self {
        Self { constant: 0.0, factors: vec![0.0; tables] }
    }

    pub(super) fn add_constant(&mut self, constant: f64) {
        self.constant += constant;
    }

    pub(super) fn add(&mut self, table: usize, factor: f64) {
        self.factors[table] += factor;
    }

    /// Adds another form, times a factor.
    pub(super) fn add_form(&mut self, other: &Self, factor: f64) {
        self.constant += factor * other.constant;
        self.factors.iter_mut().zip(&other.factors).for_each(|(own, more)| *own += factor * more);
    }

    /// Its value at what was counted, a (count, trials) each table, with limits `z` standard deviations away. `None` if a
    /// table that matters has no trials.
    pub(super) fn estimate(&self, counts: impl Iterator<Item = (u64, u64)>, z: f64) -> Option<Estimate> {
        let parts = self.factors.iter().zip(counts).filter(|(factor, _)| factor.abs() > 1e-12);
        let parts: Vec<_> = parts.map(|(&factor, (count, trials))| Part { factor, count, trials }).collect();
        let mut estimate = combination_at(&parts, z)?;
        estimate.value += self.constant;
        estimate.interval.low += self.constant;
        estimate.interval.high += self.constant;
        Some(estimate)
    }
}
