//! The fast runner: one game a lane of a vector, all lanes rolling at once.
//!
//! A [`Table`] holds the moments of as many games as a vector has lanes, field by field, each just before a roll. One
//! [`Table::step`] rolls for all of them and follows the rules to the next roll without a branch: where the trial
//! takes one of two paths, lanes take both and keep what their mask says. A lane whose game is over waits
//! for the next pause, a few rolls later; there the game is counted, and the lane is handed the next trial.
//!
//! Lanes draw the same words for the same trial and seat as [`trial`](crate::trial::trial), and the tally is the same
//! to the last bit. What a game is on lanes stands beside its rules, in `games/*/lanes`, step for step.
//!
//! Policies answer for all lanes at once ([`LanePolicy`]); a policy that cannot says why.
//!
//! # What was measured
//!
//! Finished lanes wait until about one lane in six has a finished game; finishing is then paid for once in a few
//! rolls. Every table rolls the same number of times, eight at most, before a pause in which its finished lanes are
//! counted and handed new trials. That number follows from how many finished the last time: no branch depends on
//! the dice. With the other changes made then (bust bits that shift, streams that stay where they are, thresholds
//! that are computed) AVX-512 went on one thread from 19 to 27–30 million games a second for solo Pig, from 6.8 to
//! 11 for two, from 23 to 24–27 for CarboniteDice `first` and from 18.5 to 20 for `tidy`.
//!
//! Arrays that lanes are read from one by one are aligned as vectors are: one written across two cache lines made
//! every lane wait (solo Pig: 49.5 to 53.9 million games a second, measured later). The compiler moves masks
//! between mask registers and general registers wherever one meets a number; keeping the lanes that play as a
//! vector won a tenth of solo Pig.
//!
//! Where the time goes is at the head of `benches/lanes.rs`: the generator with dice and seeding 9 % (CarboniteDice
//! under a rule on points) to 40 % (solo Pig), rules 16 to 30 %, finishing and counting 6 to 22 %, and the policy 1
//! to 12 % where it is a comparison and 62 % where it is flat code.
//!
//! How far that is from the limit, with AVX-512: Zen 4 does two vector operations a cycle, one shift or product,
//! half a store; Zen 5 four, two shifts, two products, a store, and eight instructions of any kind. Instructions
//! were counted by a debugger's single steps through hundreds to thousands of games, with their seeding, finishing
//! and waiting; for the rule on points one evaluation of it, added to a step of `first`. Cycles follow from
//! `stopwise bench` in quiet minutes and the clock of 3.8 GHz (on Zen 4 3.5 GHz, of an earlier version that took a
//! few operations more). The limit is an eighth of the instructions or a quarter of the vector operations,
//! whichever is more.
//!
//! | a step of | instructions | vector operations | of the generator | cycles on Zen 4 | on Zen 5 | limit there |
//! |---|---|---|---|---|---|---|
//! | Pig alone, 64 lanes | 240 | 104 | 63 | 95 | 70 | 30 |
//! | Pig for two, 64 lanes | 370 | 164, 33 stores | 104, 16 stores | 130 | 86 | 46 |
//! | CarboniteDice `first`, 32 lanes | 280 | 109 | 54 | 140 | 94 | 35 |
//! | CarboniteDice `tidy`, 32 lanes | 670 | 193 | 54 | 270 | 200 | 84 |
//! | a rule on points, 32 lanes | about 750 | about 265 | 54 | 410 | 310 | 94 |
//!
//! What would close the gap: for Pig finishing and counting, an eighth to a fifth of its time and scalar code, and
//! a cheaper read-out of PCG32, of which two fifths move halves of states about; for CarboniteDice shorter waits
//! for its own results, for `tidy` lists that are not walked entry by entry, and for a rule on points flat code
//! that is compiled instead of interpreted.
//!
//! Tried without gain: the fields of a table in registers from roll to roll (its steps then wait for one another),
//! mask operations as inline assembly.

pub mod dispatch;
mod lane;
pub mod plain;
pub mod simd;
mod streams;
mod tally;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use lane::{Lane, Mask};
pub use streams::{Dice, Streams};
pub use tally::LaneTally;

use std::marker::PhantomData;
use std::ops::Range;

use crate::game::Game;
use crate::stream::Keys;
use crate::tally::Tally;
use crate::vocabulary::Vocabulary;
use simd::{Job, Machine, Numbers, Vector, Vector16};
use streams::Seeds;

/// So many tables are played in turn, so that the machine has work while one of them waits for its own results.
const TABLES: usize = 4;
/// Finished games are counted when about one lane in so many has one. They wait, and all tables for the same number
/// of rolls, so that finishing costs no branch that depends on the dice.
const WAITING: usize = 6;
/// The most rolls before that.
pub const MOST_ROLLS: usize = 8;

/// A place in a table of answers, a lane each: see [`TableKey`](crate::vocabulary::TableKey). The row is
/// `coarse` · stride + `fine`, with a stride of [`Tabulation::fine_rows`](crate::vocabulary::Tabulation::fine_rows).
#[derive(Clone, Copy, Debug)]
pub struct LaneDigest<V> {
    /// The part of the row that most conditions look at.
    pub fine: V,
    /// The rest of the row.
    pub coarse: V,
    /// The column.
    pub column: V,
}

/// What a policy sees of the games on the lanes.
///
/// What lanes do not compute all at once is computed one lane at a time by the game itself, so that a word that is added
/// to a game is known on lanes as well.
pub trait LaneView<S: Vector>: Copy {
    /// The game.
    type Game: Vocabulary;
    /// Whether lists of preferences are walked in line with the rules, compiled at every question of every table, and not
    /// in a function of their own.
    const LISTS_IN_LINE: bool = false;

    /// The rules.
    fn game(&self) -> &Self::Game;

    /// The kind of the question.
    fn kind(&self) -> usize;

    /// The state of every lane in which there is the question, with the number of the lane.
    fn each_state(&self, f: impl FnMut(usize, <Self::Game as Game>::State));

    /// The place in tables of answers.
    fn digest(&self) -> LaneDigest<S::V>;

    /// Feature `index` times its denominator, if lanes compute it all at once and it fits them.
    fn small_number(&self, index: usize) -> Option<S::V> {
        let _ = index;
        None
    }

    /// Feature `index` times its denominator; its range must fit 32 bits.
    #[inline(always)]
    fn feature(&self, simd: S, index: usize) -> S::Column {
        match self.small_number(index) {
            Some(number) => widened(simd, number),
            None => one_by_one(self, index),
        }
    }

    /// The same in a lane, of which the greatest number stands for all that are greater as well; its range must not
    /// begin below 0.
    #[inline(always)]
    fn small_feature(&self, simd: S, index: usize) -> S::V {
        match self.small_number(index) {
            Some(number) => number,
            None => clamped(simd, &self.feature(simd, index)),
        }
    }

    /// The actions of which predicate `index` holds, as in [`Vocabulary::predicates`].
    #[inline(always)]
    fn predicate(&self, simd: S, index: usize) -> S::V {
        simd.load(&predicate_one_by_one(self, index))
    }
}

/// A feature as the game computes it, one lane at a time.
#[inline(never)]
pub fn one_by_one<S: Vector, L: LaneView<S>>(view: &L, index: usize) -> S::Column {
    let mut column = S::ZEROS;
    view.each_state(|lane, state| {
        column.as_mut()[lane] = i32::try_from(view.game().feature(state, index)).unwrap_or(0);
    });
    column
}

/// The same for a predicate.
#[inline(never)]
fn predicate_one_by_one<S: Vector, L: LaneView<S>>(view: &L, index: usize) -> S::Numbers {
    let mut lanes = S::Numbers::ZEROS;
    view.each_state(|lane, state| {
        let masks = view.game().predicates(state, view.kind(), 1 << index);
        #[allow(clippy::cast_possible_truncation, reason = "actions fit lanes")]
        lanes.set(lane, masks[index] as u16 & S::LARGEST);
    });
    lanes
}

/// The lanes in 32 bits.
#[inline(always)]
pub fn widened<S: Vector>(simd: S, v: S::V) -> S::Column {
    let mut lanes = S::Numbers::ZEROS;
    simd.store(v, &mut lanes);
    let mut column = S::ZEROS;
    for (lane, value) in column.as_mut()[..S::LANES].iter_mut().enumerate() {
        *value = lanes.get(lane).into();
    }
    column
}

/// The numbers of a column, or the nearest ones that a lane holds.
#[inline(always)]
pub(crate) fn clamped<S: Vector>(simd: S, column: &S::Column) -> S::V {
    let mut lanes = S::Numbers::ZEROS;
    for (lane, &value) in column.as_ref()[..S::LANES].iter().enumerate() {
        lanes.set(lane, u16::try_from(value.max(0)).unwrap_or(u16::MAX).min(S::LARGEST));
    }
    simd.load(&lanes)
}

/// A policy that answers for all lanes at once, as [`Policy::choose`](crate::game::Policy::choose) does for each.
pub trait LanePolicy: Sync {
    /// The kinds of memory it looks at.
    fn memory(&self) -> u32;

    /// The greatest number that a lane must hold for its answers between yes and no; narrower lanes must not ask.
    fn largest(&self) -> u16;

    /// Whether it prefers anything to the first candidate.
    fn prefers(&self) -> bool;

    /// The answer to a yes/no question of this kind.
    fn yes<S: Vector, L: LaneView<S>>(&self, simd: S, kind: usize, view: &L) -> S::M;

    /// Of `candidates` the preferred one, in a question of items of this kind; none where there are none.
    fn prefer<S: Vector16, L: LaneView<S>>(&self, simd: S, kind: usize, view: &L, candidates: S::V) -> S::V;
}

/// A policy that does not [prefer](LanePolicy::prefers) anything, as one that takes the first candidate unasked: what
/// is compiled for it holds no lists.
#[derive(Clone, Copy, Debug)]
pub struct FirstCandidate<'p, P>(pub &'p P);

impl<P: LanePolicy> LanePolicy for FirstCandidate<'_, P> {
    fn memory(&self) -> u32 {
        self.0.memory()
    }

    fn largest(&self) -> u16 {
        self.0.largest()
    }

    fn prefers(&self) -> bool {
        false
    }

    #[inline(always)]
    fn yes<S: Vector, L: LaneView<S>>(&self, simd: S, kind: usize, view: &L) -> S::M {
        self.0.yes(simd, kind, view)
    }

    #[inline(always)]
    fn prefer<S: Vector16, L: LaneView<S>>(&self, simd: S, _: usize, _: &L, candidates: S::V) -> S::V {
        simd.lowest_bit(candidates)
    }
}

/// A game that lanes can play.
pub trait LaneGame: Vocabulary {
    /// What is counted of finished games, in whatever form is cheapest to add to.
    type Counts: Counts<Self>;

    /// Which rule lanes cannot play, in words, if any.
    fn obstacle(&self) -> Option<String> {
        None
    }

    /// Plays the trials that `next` hands out into `counts`.
    fn play<M: Machine, P: LanePolicy>(
        &self,
        machine: M,
        lineup: &[P],
        keys: &Keys,
        next: impl FnMut(&mut Self::Counts) -> Range<u64>,
        counts: &mut Self::Counts,
    );
}

/// Counts of finished games, on the way to a [`Tally`].
pub trait Counts<G>: Send {
    /// Nothing counted yet.
    fn new(game: &G) -> Self;

    /// Games counted so far, and the sum and sum of squares of the first metric of the first seat.
    fn progress(&self) -> (u64, u64, u128);

    /// Enters everything into a tally.
    fn enter(self, game: &G, tally: &mut Tally);
}

/// As many games as there are lanes, each just before a roll.
pub trait Table<S: Vector, const SEATS: usize>: Copy {
    /// The game.
    type Rules;
    /// What does not change from game to game: the rules as tables, the start.
    type Setup;
    /// Where finished games are counted.
    type Counts;

    /// What does not change.
    fn prepare<P: LanePolicy>(simd: S, rules: &Self::Rules, lineup: &[P]) -> Self::Setup;

    /// Every lane at the start.
    fn start(simd: S, setup: &Self::Setup) -> Self;

    /// What is rolled.
    fn dice(setup: &Self::Setup) -> Dice;

    /// Rolls once in every active lane, up to the next roll. The active lanes whose game is over.
    ///
    /// It is the `roll`-th roll since the last pause. In the other lanes nothing changes that [`Table::finish`] counts.
    fn step<P: LanePolicy>(
        &mut self,
        simd: S,
        setup: &Self::Setup,
        lineup: &[P],
        streams: &mut Streams<S, SEATS>,
        roll: usize,
        active: S::M,
    ) -> S::M;

    /// What is to be done for all lanes after some rolls, at most [`MOST_ROLLS`].
    #[inline(always)]
    fn pause(&mut self, simd: S, setup: &Self::Setup, counts: &mut Self::Counts) {
        let _ = (simd, setup, counts);
    }

    /// Counts the games of the lanes in `done`, and puts those lanes at the start.
    fn finish(&mut self, simd: S, setup: &Self::Setup, done: S::M, counts: &mut Self::Counts);
}

/// Plays the trials that `next` hands out on tables of one kind, until it hands out none.
///
/// The run of every kind of table is a function of its own ([`Vector::outlined`]): one that holds several is so long that
/// the compiler no longer inlines the instructions.
pub fn drive<S: Vector, P: LanePolicy, T: Table<S, SEATS>, const SEATS: usize>(
    simd: S,
    rules: &T::Rules,
    lineup: &[P],
    keys: &Keys,
    next: impl FnMut(&mut T::Counts) -> Range<u64>,
    counts: &mut T::Counts,
) {
    let seeds = Seeds::<_, SEATS>::new(keys, next);
    simd.outlined(Drive { rules, lineup, seeds, counts, table: PhantomData::<T> });
}

/// The run: all tables of a thread, and what they play.
struct Drive<'d, T, R, P, C, N, const SEATS: usize> {
    rules: &'d R,
    lineup: &'d [P],
    seeds: Seeds<'d, N, SEATS>,
    counts: &'d mut C,
    table: PhantomData<T>,
}

impl<S, P, T, N, const SEATS: usize> Job<S> for Drive<'_, T, T::Rules, P, T::Counts, N, SEATS>
where
    S: Vector,
    P: LanePolicy,
    T: Table<S, SEATS>,
    N: FnMut(&mut T::Counts) -> Range<u64>,
{
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let Self { rules, lineup, mut seeds, counts, .. } = self;
        let setup = &T::prepare(simd, rules, lineup);
        let mut tables = [T::start(simd, setup); TABLES];
        let mut streams = [Streams::new(simd); TABLES];
        let all = u64::MAX >> (64 - S::LANES);
        // All bits of the lanes whose game is not over, as a vector: made to a mask from there it stays in the
        // registers for masks, where a number would be moved to and fro.
        let (none, every) = (simd.splat(0), simd.splat(u16::MAX));
        let mut active = [none; TABLES];
        let mut playing = [0_u64; TABLES];
        for at in 0..TABLES {
            playing[at] = all & !seeds.hand_out(simd, all, &mut streams[at], counts);
            active[at] = simd.zero_unless(simd.mask(playing[at]), every);
        }
        let mut rolls = 1;
        while playing != [0; TABLES] {
            for streams in &mut streams {
                streams.deal(simd, T::dice(setup), rolls);
            }
            for roll in 0..rolls {
                for at in 0..TABLES {
                    let plays = simd.whole(active[at]);
                    let done = tables[at].step(simd, setup, lineup, &mut streams[at], roll, plays);
                    active[at] = simd.zero_where(done, active[at]);
                }
            }
            let mut finished = 0;
            for at in 0..TABLES {
                tables[at].pause(simd, setup, counts);
                let done = playing[at] & !simd.bits(simd.whole(active[at]));
                if done != 0 {
                    tables[at].finish(simd, setup, simd.mask(done), counts);
                    playing[at] &= !seeds.hand_out(simd, done, &mut streams[at], counts);
                    active[at] = simd.zero_unless(simd.mask(playing[at]), every);
                    finished += done.count_ones() as usize;
                }
            }
            // As many rolls again as let about one lane in so many finish.
            let wanted = TABLES * S::LANES / WAITING;
            rolls = if finished < wanted { (rolls + 1).min(MOST_ROLLS) } else { (rolls - 1).max(1) };
        }
    }
}
