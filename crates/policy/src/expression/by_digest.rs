//! Conditions tabulated over the table keys of a game.

use stopwise_engine::vocabulary::{Feature, TableKey, Vocabulary};

use super::check::Checked;
use super::columns::{features_of, walk};

/// The largest cost, in steps over all table keys, at which a condition is tabulated when it is loaded: less than a
/// tenth of a second. For two-seat Pig to 100 it allows 130 steps per key, five times what a good policy needs.
const TABULATION: usize = 1 << 27;
/// The number of table keys evaluated at a time, so that their values stay in the nearest cache.
const AT_ONCE: usize = 1024;

/// The answers of a condition for every table key of the game, row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByDigest {
    /// For every row, the first column with a yes, if no row has a no after a yes: one look-up that does not wait for
    /// the column. Empty if some row has one.
    rising: Box<[u16]>,
    /// Every answer; empty if `rising` determines them.
    answers: Box<[bool]>,
    columns: usize,
    /// `rising` by the fine row alone, if that determines it; otherwise empty.
    by_fine: Box<[u16]>,
    /// `rising` if it is the same number in all rows.
    first: Option<u16>,
    /// `rising` if it is the minimum of a number and of another number minus the fine row.
    lesser: Option<(u16, u16)>,
}

impl ByDigest {
    /// Tabulates a condition. The result is empty if the condition reads features that the key does not fix, or if it
    /// would take too long.
    pub(crate) fn tabulate<G: Vocabulary>(game: &G, checked: &Checked, features: &[Feature]) -> Self {
        let (rows, columns) = game.digests();
        let mut used = Vec::new();
        features_of(checked, &mut used);
        let is_digested = used.iter().all(|&feature| game.is_digested(feature));
        if !is_digested || columns == 0 || (rows * columns).saturating_mul(checked.steps()) > TABULATION {
            return Self::default();
        }
        // Where the fine row is all that matters, all other parts of the rows have the same answers.
        let distinct =
            if used.iter().all(|&feature| game.is_fine(feature)) { game.fine_rows() } else { rows };
        let mut answers: Vec<Option<bool>> = Vec::with_capacity(distinct * columns);
        let mut values = vec![Vec::new(); features.len()];
        let at_once = (AT_ONCE / columns).max(1);
        let mut is_state = Vec::with_capacity(at_once * columns);
        for first in (0..distinct).step_by(at_once) {
            is_state.clear();
            used.iter().for_each(|&feature| values[feature].clear());
            // A million of them: pushed by hand, which is quick unoptimised, too.
            for row in first..distinct.min(first + at_once) {
                for column in 0..columns {
                    let state = game.with_digest(TableKey { row, column });
                    is_state.push(state.is_some());
                    let Some(state) = state else { continue };
                    for &feature in &used {
                        values[feature].push(game.feature(state, feature));
                    }
                }
            }
            answer(checked, &values, &is_state, &mut answers);
        }
        Self::of(answers, (rows, columns), game.fine_rows())
    }

    /// The tables of answers, row by row, where the fine row is the row modulo a number. Answers for the first rows alone
    /// are repeated.
    #[inline]
    fn of(answers: Vec<Option<bool>>, (rows, columns): (usize, usize), fine_rows: usize) -> Self {
        let distinct = answers.len() / columns;
        let times = rows / distinct;
        let Some(ranges) = answers.chunks(columns).map(Rising::of).collect::<Option<Vec<_>>>() else {
            let answers: Vec<_> = answers.into_iter().map(|answer| answer.unwrap_or(false)).collect();
            return Self { answers: answers.repeat(times).into(), columns, ..Self::default() };
        };
        let rising: Vec<u16> = ranges.iter().map(|range| range.most).collect();
        let mut by_fine = vec![Rising::ANY; fine_rows];
        for (row, range) in ranges.iter().enumerate() {
            let fine = &mut by_fine[row % fine_rows];
            *fine = fine.and(*range);
        }
        let one = by_fine.iter().fold(Rising::ANY, |one, range| one.and(*range));
        let is_real = |row: usize| answers[row * columns..][..columns].iter().any(Option::is_some);
        let real: Vec<usize> = (0..distinct).filter(|&row| is_real(row)).collect();
        let first = real.first().map(|&row| rising[row]);
        // Rows in rising order: the last fine row tells the other number.
        let fine = |row: usize| u16::try_from(row % fine_rows).ok();
        let last = real.iter().max_by_key(|&&row| row % fine_rows);
        let other = last.and_then(|&row| fine(row)?.checked_add(rising[row]));
        let lesser = first.zip(other).filter(|&(one, other)| {
            let less = |row| other.checked_sub(fine(row)?);
            real.iter().all(|&row| less(row).map(|less| less.min(one)) == Some(rising[row]))
        });
        let by_fine = by_fine.iter().map(|range| range.column()).collect::<Option<_>>();
        let rising = rising.repeat(times).into();
        Self { by_fine: by_fine.unwrap_or_default(), first: one.column(), lesser, rising, ..Self::default() }
    }

    /// The memory that its tables take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.rising) + size_of_val(&*self.answers) + size_of_val(&*self.by_fine)
    }

    /// For every fine row, the first column with a yes; empty if that does not determine the answers.
    #[inline(always)]
    pub(crate) fn by_fine(&self) -> &[u16] {
        &self.by_fine
    }

    /// If the first column with a yes is min(a, b − fine row): a and b.
    #[inline(always)]
    pub(crate) fn lesser(&self) -> Option<(u16, u16)> {
        self.lesser
    }

    /// The first column with a yes, if it is the same in all rows.
    #[inline(always)]
    pub(crate) fn first(&self) -> Option<u16> {
        self.first
    }

    /// For every row, the first column with a yes; empty if that does not determine the answers.
    #[inline(always)]
    pub(crate) fn rising(&self) -> &[u16] {
        &self.rising
    }

    /// Every answer, row by row; empty if the first columns determine them.
    #[inline]
    pub(crate) fn answers(&self) -> &[bool] {
        &self.answers
    }

    /// The answer for a key, if one look-up determines it.
    #[inline(always)]
    pub(crate) fn at_once(&self, digest: TableKey) -> Option<bool> {
        self.rising.get(digest.row).map(|&first| digest.column >= usize::from(first))
    }

    /// The answer for a key, if the key determines it but `at_once` does not.
    #[inline]
    pub(crate) fn answer(&self, digest: TableKey) -> Option<bool> {
        self.answers.get(digest.row * self.columns + digest.column).copied()
    }
}

/// Adds the answers for some keys, given which of them are those of states, and the features of these.
#[inline]
fn answer(checked: &Checked, values: &[Vec<i64>], is_state: &[bool], answers: &mut Vec<Option<bool>>) {
    let states = is_state.iter().filter(|is_state| **is_state).count();
    let mut truths = walk(checked, values, states).into_iter();
    answers.extend(is_state.iter().map(|is_state| is_state.then(|| truths.next() != Some(0))));
}

/// The columns at which a row's answers may turn from no to yes. Keys that no state has leave a choice.
#[derive(Clone, Copy, Debug)]
struct Rising {
    least: u16,
    most: u16,
}

impl Rising {
    const ANY: Self = Self { least: 0, most: u16::MAX };

    /// The columns for a row; `None` if a yes comes before a no.
    #[inline]
    fn of(row: &[Option<bool>]) -> Option<Self> {
        let least = row.iter().rposition(|answer| *answer == Some(false)).map_or(0, |last| last + 1);
        let most = row.iter().position(|answer| *answer == Some(true)).unwrap_or(row.len());
        if least > most {
            return None;
        }
        Some(Self { least: u16::try_from(least).ok()?, most: u16::try_from(most).ok()? })
    }

    /// The columns that are valid for both.
    #[inline]
    fn and(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// One of the columns, if there is any.
    #[inline]
    fn column(self) -> Option<u16> {
        (self.least <= self.most).then_some(self.least)
    }
}
