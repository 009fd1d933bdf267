//! What the answers to a question depend on, as keys: made side by side where many games of a part are asked.
#![allow(clippy::needless_range_loop, reason = "loops count their lanes: iterators are not always inlined")]

use super::column::{Column, Number, PART, PARTS};
use super::instr::{Question, Ref, Width};
use super::local::Value;
use super::run::Run;
use super::stops::{ACTIONS, ASKED, BITS, READ};
use crate::known::hash;
use crate::state::Place;

/// The keys of games side by side in a part, word by word, and their hashes.
pub(super) struct AskedKeys<const N: usize> {
    words: [[u64; N]; ASKED],
    hashes: [u64; N],
}

impl<const N: usize> AskedKeys<N> {
    pub(super) fn new() -> Self {
        Self { words: [[0; N]; ASKED], hashes: [0; N] }
    }

    /// The key of a game.
    #[inline(always)]
    pub(super) fn of(&self, lane: usize) -> [u64; ASKED] {
        let mut key = [0; ASKED];
        for word in 0..ASKED {
            key[word] = self.words[word][lane % N];
        }
        key
    }

    #[inline(always)]
    pub(super) fn hash(&self, lane: usize) -> u64 {
        self.hashes[lane % N]
    }

    /// Makes the keys of as many games, from a lane on.
    #[inline(always)]
    pub(super) fn set<S>(&mut self, run: &Run<'_, S>, question: &Question, first: usize) {
        let ask = &run.built.asks[question.number];
        let mut words = [[0; N]; ASKED];
        words[ACTIONS] = question.actions.map_or([ask.actions; N], |column| numbers(run, column, first));
        if let Some(reads) = &ask.reads {
            for (place, column) in reads {
                let word = &mut words[usize::from(place.word) % READ];
                put(word, &numbers(run, *column, first), *place);
            }
            words[BITS] = match question.seat {
                None => who(run, run.built.seating[ask.seat], first),
                Some(column) => {
                    let (seats, mut asked) = (numbers::<_, N>(run, column, first), [0; N]);
                    for (seat, policy) in (0..).zip(&run.built.seating) {
                        let policy = who::<_, N>(run, *policy, first);
                        for lane in 0..N {
                            asked[lane] |= policy[lane] & u64::from(seats[lane] == seat).wrapping_neg();
                        }
                    }
                    asked
                }
            };
            for truth in &question.truths {
                let truth = numbers::<_, N>(run, *truth, first);
                for lane in 0..N {
                    words[BITS][lane] = words[BITS][lane] << 1 | u64::from(truth[lane] != 0);
                }
            }
            for lane in 0..N {
                self.hashes[lane] = hash(&[words[0][lane], words[1][lane], words[2][lane], words[3][lane]]);
            }
        }
        self.words = words;
    }
}

/// The numbers of the policies in a seat.
#[inline(always)]
fn who<S, const N: usize>(run: &Run<'_, S>, policy: Value, first: usize) -> [u64; N] {
    match policy {
        Value::Known(policy) => [policy.cast_unsigned(); N],
        Value::In(column, _) => numbers(run, column, first),
    }
}

/// Puts numbers at a place in words.
#[inline(always)]
pub(super) fn put<const N: usize>(words: &mut [u64; N], numbers: &[u64; N], place: Place) {
    let (low, mask, shift) = (i64::from(place.low).cast_unsigned(), place.mask(), place.shift & 63);
    for lane in 0..N {
        words[lane] |= (numbers[lane].wrapping_sub(low) & mask) << shift;
    }
}

/// The numbers of a column.
#[inline(always)]
pub(super) fn numbers<S, const N: usize>(run: &Run<'_, S>, column: Ref, first: usize) -> [u64; N] {
    match column.width {
        Width::Byte => wide(&run.bytes[column.index()], first),
        Width::Short => wide(&run.short[column.index()], first),
        Width::Middle => wide(&run.middle[column.index()], first),
        Width::Long => wide(&run.long[column.index()], first),
    }
}

#[inline(always)]
fn wide<T: Number, const N: usize>(column: &Column<T>, first: usize) -> [u64; N] {
    let (part, mut wide) = (&column.0[first / PART % PARTS], [0; N]);
    for lane in 0..N {
        wide[lane] = part[(first % PART + lane) % PART].wide().cast_unsigned();
    }
    wide
}
