//! Tables of the answers of an expression over the values of a few features.

use stopwise_engine::vocabulary::{Feature, FeatureBits, Tabulation};

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

/// A table of answers by bits of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByBits {
    /// By moment of the game, where the features are found, if all are bits there: the number of the entry is the sum of
    /// the number and of all bits times their factors.
    found: Vec<Option<(i64, Box<[FeatureBits]>)>>,
    answers: Box<[bool]>,
}

impl ByBits {
    /// The answer in a state, if the features are bits there.
    #[inline(always)]
    pub(crate) fn answer<G: Tabulation>(&self, game: &G, state: &G::State) -> Option<bool> {
        let (first, all) = self.found.get(game.moment(state))?.as_ref()?;
        let of = |bits: &FeatureBits| game.bits(state, bits) * bits.factor;
        // Most have one or two features: a loop would take as long as what is in it.
        let index = match &**all {
            [a] => first + of(a),
            [a, b] => first + of(a) + of(b),
            all => all.iter().fold(*first, |index, bits| index + of(bits)),
        };
        usize::try_from(index).ok().and_then(|index| self.answers.get(index)).copied()
    }
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

    /// Of a feature with at most 64 values, one bit per value.
    #[inline]
    pub(super) fn of_bits(feature: usize, low: i64, bits: u64) -> Self {
        let answers = (0..64).map(|at| bits >> at & 1 == 1).collect();
        Self { keys: vec![Key { feature, low, stride: 1 }], answers }
    }

    /// The same, by bits of the state.
    #[inline]
    pub(super) fn by_bits(&self, game: &impl Tabulation) -> ByBits {
        let found = |moment| {
            let mut first = 0;
            let bits = self.keys.iter().map(|key| {
                let bits = game.bits_of(moment, key.feature)?;
                first += (bits.plus - key.low) * key.stride;
                Some(FeatureBits { factor: bits.factor * key.stride, ..bits })
            });
            let bits = bits.collect::<Option<_>>()?;
            Some((first, bits))
        };
        ByBits { found: (0..game.moments()).map(found).collect(), answers: self.answers.clone() }
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
