//! Accumulating large counts: new trials are added in place to the counts so far, because there is neither room nor time for
//! a second copy.

use std::ops::Range;
use std::time::{Duration, Instant};

use stopwise_engine::run::Plan;
use stopwise_erased::Counted;

use super::journal::Journal;
use super::{Keeper, Next, Plays, kept};
use crate::failure::Failure;

impl Plays<'_> {
    /// What the trials of a leg, after which a run looks, came to: [`Plays::of`] with a `play` that adds to the counts that it
    /// is given. `none` are those of no trials.
    ///
    /// A check point of large counts has all trials of the leg so far, and takes the place of those before it.
    pub(crate) fn leg<T: Counted + Clone>(
        &self,
        stage: &str,
        plan: &Plan,
        none: &dyn Fn() -> T,
        play: &mut dyn FnMut(&Plan, T) -> T,
    ) -> Result<T, Failure> {
        let mut total = none();
        if !total.is_large() {
            let found = self.of(stage, plan, &mut |plan| play(plan, none()));
            return self.seal().and(found);
        }
        let Range { start, end } = plan.trials;
        let of = |trials| Plan { seed: plan.seed, trials };
        let mut at = start;
        while at < end {
            at = match self.found(stage, &of(at..end), &mut |plan| play(plan, none()))? {
                Next::Found(found, next) if at == start => {
                    total = found;
                    next
                }
                Next::Found(found, next) => {
                    total.merge(&found);
                    next
                }
                Next::ToPlay(next) => {
                    let next = self.keeper().next(at, next);
                    let begun = Instant::now();
                    total = play(&of(at..next), total);
                    if total.trials() < next - start {
                        self.keeper().fall_short()?;
                        return Ok(total);
                    }
                    self.keeper().keep_so_far(stage, start..next, &total, (next - at, begun.elapsed()))?;
                    next
                }
            };
        }
        self.keeper().keep_leg(stage, start..end, &total);
        Ok(total)
    }
}

impl Keeper<'_> {
    /// Writes what the trials of a leg so far came to, if it is time; the last so many of them took so long.
    fn keep_so_far<T: Counted>(
        &mut self,
        stage: &str,
        trials: Range<u64>,
        counts: &T,
        (last, took): (u64, Duration),
    ) -> Result<(), Failure> {
        let Some(wait) = self.journal.as_ref().map(Journal::wait) else { return Ok(()) };
        self.pace.took(last, took, wait);
        if self.journal.as_ref().is_some_and(Journal::is_due) {
            let begun = Instant::now();
            self.settle()?;
            let session = self.session;
            let record = kept::record(stage, trials, counts, &|| !session.is_ending());
            if let (Some(journal), Some(record)) = (&mut self.journal, record) {
                journal.add(record);
                journal.write(begun);
            }
        }
        Ok(())
    }

    /// Keeps what the trials of a leg came to, instead of what is kept of some of them.
    fn keep_leg<T: Counted>(&mut self, stage: &str, trials: Range<u64>, counts: &T) {
        let is_needed = self.records.is_some();
        if !self.is_keeping() {
            return;
        }
        let session = self.session;
        let goes_on = || is_needed || !session.is_ending();
        let Some(record) = kept::record(stage, trials, counts, &goes_on) else { return };
        if let Some(records) = &mut self.records {
            records.retain(|earlier| !record.about.covers(&earlier.about));
        }
        self.keep_known(&record);
        if let Some(journal) = &mut self.journal {
            journal.add(record);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Record;
    use super::super::{Handed, Part};
    use super::*;
    use crate::session::Session;

    /// The sum of the numbers of some trials.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Numbers {
        trials: u64,
        sum: u64,
    }

    impl Counted for Numbers {
        const KIND: &'static str = "numbers";

        fn trials(&self) -> u64 {
            self.trials
        }

        fn merge(&mut self, other: &Self) {
            self.trials += other.trials;
            self.sum += other.sum;
        }

        fn text(&self, _: &(dyn Fn() -> bool + Sync)) -> Option<String> {
            Some(format!("[{},{}]", self.trials, self.sum))
        }

        fn is_large(&self) -> bool {
            true
        }

        fn of_text(text: &str) -> Option<Self> {
            let (trials, sum) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(',')?;
            Some(Self { trials: trials.parse().ok()?, sum: sum.parse().ok()? })
        }
    }

    /// The first trial, and the number after the last.
    type Trials = (u64, u64);

    fn of(trials: Range<u64>) -> Numbers {
        Numbers { trials: trials.end - trials.start, sum: trials.sum() }
    }

    fn record(trials: Range<u64>) -> Record {
        kept::whole_record("trials", trials.clone(), &of(trials)).expect("it has a text")
    }

    /// A leg of trials 0 to 100 of a part of a run, of which these are known; `stops` is where a signal comes. What was played,
    /// what it came to, and what is kept.
    fn leg(known: &[Trials], stops: u64) -> (Vec<Trials>, Numbers, Vec<Trials>) {
        let records = known.iter().map(|&(first, end)| record(first..end)).collect();
        let handed = Handed { records, ..Handed::default() };
        let part = "1/2".parse::<Part>().expect("a part");
        let session = Session::default();
        let plays = Plays::new(&session, Some(part), (None, false), vec!["compare".into()], &handed)
            .expect("no directory");
        let mut played = Vec::new();
        let mut add = |plan: &Plan, mut so_far: Numbers| {
            played.push((plan.trials.start, plan.trials.end));
            so_far.merge(&of(plan.trials.start..plan.trials.end.min(stops)));
            so_far
        };
        let plan = Plan { seed: 1, trials: 0..100 };
        let found = plays.leg("trials", &plan, &Numbers::default, &mut add).expect("it is played");
        let keeper = plays.keeper();
        let kept =
            keeper.records.iter().flatten().map(|record| (record.about.first, record.about.end)).collect();
        (played, found, kept)
    }

    #[test]
    fn legs_add_to_what_is_known() {
        for known in [&[][..], &[(0, 40)], &[(40, 60)], &[(0, 10), (10, 30), (80, 100)], &[(0, 100)]] {
            let (played, found, kept) = leg(known, 100);
            assert_eq!((found, kept), (of(0..100), vec![(0, 100)]), "{known:?}");
            let mut all = [&played, known].concat();
            all.sort_unstable();
            let (first, end) = (all[0].0, all[all.len() - 1].1);
            assert!(
                (first, end) == (0, 100) && all.windows(2).all(|two| two[0].1 == two[1].0),
                "{known:?}: {all:?}"
            );
        }
    }

    #[test]
    fn a_leg_that_is_cut_short_is_not_kept() {
        assert_eq!(leg(&[(0, 40)], 70), (vec![(40, 100)], of(0..70), vec![(0, 40)]));
    }
}
