//! Tables of the answers of an expression over the values of a few features.

use stopwise_engine::vocabulary::Feature;

use super::check::Checked;
use super::columns::{features_of, walk};

/// The largest table, in entries.
const TABLE: usize = 1 << 14;
/// The most features of a table.
const KEYS: usize = 3;

/// The answers for every combination of values of a few features.
#[derive(Clone, Debug)]
pub(crate) struct AnswerTable {
    pub(super) keys: Vec<Key>,
    pub(super) answers: Box<[bool]>,
}

/// A feature of a table: its least value, and the distance between the entries of consecutive values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub(super) feature: usize,
    pub(super) low: i64,
    stride: i64,
}

impl AnswerTable {
    /// Tabulates an expression, if it reads few features with small ranges.
    #[inline]
    pub(super) fn compile(checked: &Checked, features: &[Feature]) -> Option<Self> {
        let mut used = Vec::new();
        features_of(checked, &mut used);
        if used.is_empty() || used.len() > KEYS {
            return None;
        }
        let mut keys = Vec::new();
        let mut size = 1_usize;
        for &feature in &used {
            let Feature { low, high, .. } = features[feature];
            let values = usize::try_from(high - low).ok()?.checked_add(1)?;
            keys.push(Key { feature, low, stride: i64::try_from(size).ok()? });
            size = size.checked_mul(values).filter(|&size| size <= TABLE)?;
        }
        let mut columns = vec![Vec::new(); features.len()];
        for key in &keys {
            let Feature { low, high, .. } = features[key.feature];
            columns[key.feature] =
                (0_i64..).take(size).map(|row| low + row / key.stride % (high - low + 1)).collect();
        }
        let answers = walk(checked, &columns, size).into_iter().map(|answer| answer != 0).collect();
        Some(Self { keys, answers })
    }

    /// The answer, given the value of each feature.
    #[inline(always)]
    pub(super) fn look_up(&self, value: impl Fn(usize) -> i64) -> bool {
        // A loop: where it is called, what iterators are made of is not always inlined.
        let mut index = 0;
        for key in &self.keys {
            index += (value(key.feature) - key.low) * key.stride;
        }
        usize::try_from(index).ok().and_then(|index| self.answers.get(index)).copied().unwrap_or(false)
    }
}
