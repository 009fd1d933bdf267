//! The records of trials that were played earlier, or on other machines.

use std::ops::Range;

use super::record::Record;

/// Records sorted by stage and first trial; no two overlap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(Vec<Record>);

impl Known {
    /// Of these records. The same trials with the same outcome may come several times: what decides how the others are played
    /// belongs to all parts of a run.
    ///
    /// # Errors
    ///
    /// Names the trials that two different records cover.
    pub(super) fn of(records: impl IntoIterator<Item = Record>) -> Result<Self, String> {
        let mut known = Self::default();
        for record in records {
            let Range { start, end } = record.about.trials();
            // Of those that begin before its end, the last goes furthest.
            let at = known.place(&record.about.stage, end);
            let other = at.checked_sub(1).map(|before| &known.0[before]);
            match other.filter(|other| other.about.stage == record.about.stage && start < other.about.end) {
                None => known.0.insert(at, record),
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

    /// The record that begins with this trial and does not go beyond `end`.
    pub(super) fn from(&self, stage: &str, first: u64, end: u64) -> Option<&Record> {
        let record = self.0.get(self.place(stage, first))?;
        let about = &record.about;
        (about.stage == stage && about.first == first && about.end <= end).then_some(record)
    }

    /// The first trial from `from` on that is not known.
    pub(super) fn reach(&self, stage: &str, from: u64) -> u64 {
        let mut reach = from;
        while let Some(record) = self.from(stage, reach, u64::MAX).filter(|record| record.about.end > reach) {
            reach = record.about.end;
        }
        reach
    }

    /// The first trial from `from` on that is known, or `end` if that comes first.
    pub(super) fn next(&self, stage: &str, from: u64, end: u64) -> u64 {
        let next = self.0.get(self.place(stage, from)).filter(|record| record.about.stage == stage);
        next.map_or(end, |record| record.about.first.min(end))
    }

    /// All records, stage by stage.
    pub(super) fn records(&self) -> &[Record] {
        &self.0
    }

    /// How many records are of an earlier stage, or of this one and begin before this trial.
    fn place(&self, stage: &str, trial: u64) -> usize {
        self.0.partition_point(|record| (record.about.stage.as_str(), record.about.first) < (stage, trial))
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::PlayedTrials;
    use super::*;

    fn record(first: u64, end: u64, payload: &str) -> Record {
        let about = PlayedTrials { stage: "trials".into(), first, end, kind: "pairs".into() };
        Record { about, payload: payload.into() }
    }

    #[test]
    fn nothing_is_counted_twice() {
        let [a, b, c] = [record(0, 5, "a"), record(5, 9, "b"), record(20, 30, "c")];
        let known = Known::of([c, a.clone(), b.clone(), a.clone()]).expect("apart");
        assert_eq!(known.from("trials", 0, 9), Some(&a));
        assert_eq!(known.from("trials", 5, 8), None, "it goes further");
        assert_eq!(known.from("trials", 1, 9), None);
        let reach = |from| known.reach("trials", from);
        assert_eq!([reach(0), reach(5), reach(9), reach(20), reach(3)], [9, 9, 9, 30, 3]);
        assert_eq!(
            (known.next("trials", 9, 40), known.next("trials", 9, 15), known.next("other", 0, 4)),
            (20, 15, 4)
        );
        for wrong in [record(0, 5, "x"), record(4, 6, "a"), record(3, 4, "a"), record(0, 40, "a")] {
            assert!(Known::of([a.clone(), b.clone(), wrong]).is_err());
        }
    }
}
