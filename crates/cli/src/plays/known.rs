//! What is known of trials that were played before, or elsewhere.

use std::collections::BTreeMap;
use std::ops::Range;

use super::record::Record;

/// Records by stage and first trial; no two have a trial in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(BTreeMap<String, BTreeMap<u64, Record>>);

impl Known {
    /// Of these records. The same trials with the same outcome may come several times: what decides how the others are played
    /// belongs to all parts of a run.
    ///
    /// # Errors
    ///
    /// In words which trials are there twice.
    pub(super) fn of(records: impl IntoIterator<Item = Record>) -> Result<Self, String> {
        let mut known = Self::default();
        for record in records {
            let stage = known.0.entry(record.about.stage.clone()).or_default();
            let Range { start, end } = record.about.trials();
            let overlaps = |other: &Record| other.about.first < end && start < other.about.end;
            let others = stage.range(..end).next_back().map(|(_, other)| other);
            match others.filter(|other| overlaps(other)) {
                None => drop(stage.insert(start, record)),
                Some(other) if *other == record => {}
                Some(other) => {
                    let Range { start: first, end: last } = other.about.trials();
                    return Err(format!(
                        "of {} the trials from {} on were played twice, or not the same in both",
                        record.about.stage,
                        start.max(first).min(last)
                    ));
                }
            }
        }
        Ok(known)
    }

    /// What begins with this trial and goes no further than `end`.
    pub(super) fn from(&self, stage: &str, first: u64, end: u64) -> Option<&Record> {
        self.0.get(stage)?.get(&first).filter(|record| record.about.end <= end)
    }

    /// The first trial from this one on, before `end`, that is known; or else `end`.
    pub(super) fn next(&self, stage: &str, from: u64, end: u64) -> u64 {
        let of = self.0.get(stage).and_then(|stage| stage.range(from..end).next());
        of.map_or(end, |(&first, _)| first)
    }

    /// All of it, stage by stage.
    pub(super) fn records(&self) -> impl Iterator<Item = &Record> {
        self.0.values().flat_map(BTreeMap::values)
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::About;
    use super::*;

    fn record(first: u64, end: u64, payload: &str) -> Record {
        let about = About { stage: "trials".into(), first, end, kind: "leads".into() };
        Record { about, payload: payload.into() }
    }

    #[test]
    fn nothing_is_counted_twice() {
        let [a, b, c] = [record(0, 5, "a"), record(5, 9, "b"), record(20, 30, "c")];
        let known = Known::of([c, a.clone(), b.clone(), a.clone()]).expect("apart");
        assert_eq!(known.from("trials", 0, 9), Some(&a));
        assert_eq!(known.from("trials", 5, 8), None, "it goes further");
        assert_eq!(known.from("trials", 1, 9), None);
        assert_eq!(
            (known.next("trials", 9, 40), known.next("trials", 9, 15), known.next("other", 0, 4)),
            (20, 15, 4)
        );
        for wrong in [record(0, 5, "x"), record(4, 6, "a"), record(3, 4, "a"), record(0, 40, "a")] {
            assert!(Known::of([a.clone(), b.clone(), wrong]).is_err());
        }
    }
}
