//! The fast runner: each lane of a vector plays one game, and all lanes roll at the same time.
//!
//! A [`LaneState`] holds the states of as many games as a vector has lanes, field by field, each just before a roll. One
//! [`LaneState::step`] rolls for all of them and follows the rules to the next roll without branches: where the trial takes
//! one of two paths, lanes compute both and a mask selects. A lane whose game is over waits for the next pause, a few
//! rolls later. There the game is counted, and the lane receives the next trial.
//!
//! Lanes draw the same words for the same trial and seat as [`trial`](crate::trial::trial), and the tally is identical
//! bit for bit. The lanes of a game are implemented beside its rules, in `games/*/lanes`, step for step.
//!
//! Policies answer for all lanes at once ([`LanePolicy`]). A policy that cannot do so reports the reason.
//!
//! # Measurements
//!
//! Finished lanes wait until about one lane in six has a finished game, so the cost of finishing is paid once per few
//! rolls. Every table rolls the same number of times, at most eight, before a pause in which its finished lanes are
//! counted and receive new trials. That number follows from how many lanes finished before the last pause, so no branch
//! depends on the dice. Together with the other changes made at the time (bust bits that shift, streams that stay in
//! place, thresholds that are computed) this raised AVX-512 on one thread from 19 to 27–30 million games a second for
//! solo Pig, from 6.8 to 11 for two seats, from 23 to 24–27 for CarboniteDice `first` and from 18.5 to 20 for `tidy`.
//!
//! Arrays from which lanes are read one by one are aligned like vectors: with one that was written across two cache
//! lines, every lane waited (solo Pig: 49.5 to 53.9 million games a second, measured later). The compiler moves masks
//! between mask registers and general registers wherever a mask meets a number; keeping the lanes to play as a vector
//! gained a tenth for solo Pig.
//!
//! The distribution of time is given at the head of `benches/lanes.rs`: the generator with dice and seeding takes 9 %
//! (CarboniteDice with a rule on points) to 40 % (solo Pig), the rules 16 to 30 %, finishing and counting 6 to 22 %,
//! and the policy 1 to 12 % if it is a comparison and 62 % if it is flat code.
//!
//! The distance from the hardware limit with AVX-512: Zen 4 executes two vector operations a cycle, of which one is a
//! shift or product, and half a store. Zen 5 executes four, of which two are shifts and two products, one store, and
//! eight instructions of any kind. Instructions were counted by single steps in a debugger through hundreds to
//! thousands of games, including seeding, finishing and waiting; for the rule on points, one evaluation was added to a
//! step of `first`. Cycles follow from `stopwise bench` on an idle machine and its clock of 3.8 GHz (on Zen 4 3.5 GHz,
//! with an earlier version that used slightly more operations). The limit is an eighth of the instructions or a quarter
//! of the vector operations, whichever is larger.
//!
//! | a step of | instructions | vector operations | of the generator | cycles on Zen 4 | on Zen 5 | limit there |
//! |---|---|---|---|---|---|---|
//! | Pig alone, 64 lanes | 240 | 104 | 63 | 95 | 70 | 30 |
//! | Pig for two, 64 lanes | 370 | 164, 33 stores | 104, 16 stores | 130 | 86 | 46 |
//! | CarboniteDice `first`, 32 lanes | 280 | 109 | 54 | 140 | 94 | 35 |
//! | CarboniteDice `tidy`, 32 lanes | 670 | 193 | 54 | 270 | 200 | 84 |
//! | a rule on points, 32 lanes | about 750 | about 265 | 54 | 410 | 310 | 94 |
//!
//! What would close the gap. For Pig: finishing and counting, which are an eighth to a fifth of its time and scalar
//! code, and a cheaper output function of PCG32, two fifths of which move halves of states. For CarboniteDice: shorter
//! waits for its own results. For `tidy`: lists that are not evaluated entry by entry. For a rule on points: flat code
//! that is compiled instead of interpreted.
//!
//! Tried without gain: keeping the fields of a table in registers from roll to roll (its steps then wait for one
//! another), and mask operations as inline assembly.

pub mod dispatch;
mod lane;
mod lineups;
mod noting;
pub mod plain;
pub mod simd;
mod streams;
mod tally;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use lane::{Lane, Mask};
pub use lineups::LaneLineups;
pub use noting::{Digits, Noting, Trace};
pub use streams::{Dice, Streams};
pub use tally::LaneTally;

use std::marker::PhantomData;
use std::ops::Range;

use crate::game::Game;
use crate::plan::Batch;
use crate::stream::Keys;
use crate::tally::Tally;
use crate::vocabulary::Vocabulary;
use simd::{Job, MOST_NARROW, Machine, Numbers, Vector, Vector16};
use streams::Seeds;

/// The number of tables that are played in turn, so that the machine has work while one of them waits for its results.
const TABLES: usize = 4;
/// Finished games are counted when about one lane in this number has one. All tables wait for the same number of rolls,
/// so that finishing costs no branch that depends on the dice.
const WAITING: usize = 6;
/// The most rolls between two pauses.
pub const MOST_ROLLS: usize = 8;

/// The index into tables of answers, for every lane: see [`TableKey`](crate::vocabulary::TableKey). The row is `coarse`
/// · stride + `fine`, where the stride is [`Tabulation::fine_rows`](crate::vocabulary::Tabulation::fine_rows).
#[derive(Clone, Copy, Debug)]
pub struct LaneDigest<V> {
    /// The part of the row that most conditions depend on.
    pub fine: V,
    /// The rest of the row.
    pub coarse: V,
    /// The column.
    pub column: V,
}

/// The games on the lanes as a policy sees them.
///
/// Values that lanes do not compute for all lanes at once are computed by the game itself, one lane at a time. A
/// feature that is added to a game is therefore available on lanes as well.
pub trait LaneView<S: Vector>: Copy {
    /// The game.
    type Game: Vocabulary;
    /// Whether preference lists are evaluated inline, compiled at every question of every table, and not in a function
    /// of their own.
    const LISTS_IN_LINE: bool = false;

    /// The rules.
    fn game(&self) -> &Self::Game;

    /// The kind of the question.
    fn kind(&self) -> usize;

    /// Calls `f` with the index and the state of every lane that has the question.
    fn each_state(&self, f: impl FnMut(usize, <Self::Game as Game>::State));

    /// The index into tables of answers.
    fn digest(&self) -> LaneDigest<S::V>;

    /// Feature `index` times its denominator, if lanes compute it for all lanes at once and it fits a lane.
    fn small_number(&self, index: usize) -> Option<S::V> {
        let _ = index;
        None
    }

    /// Feature `index` times its denominator, where it is no [small number](LaneView::small_number). Its range must fit
    /// 32 bits.
    #[inline(always)]
    fn column(&self, simd: S, index: usize) -> S::Column {
        let _ = simd;
        one_by_one(self, index)
    }

    /// Feature `index` times its denominator. Its range must fit 32 bits.
    #[inline(always)]
    fn feature(&self, simd: S, index: usize) -> S::Column {
        match self.small_number(index) {
            Some(number) => widened(simd, number),
            None => self.column(simd, index),
        }
    }

    /// Feature `index` times its denominator, saturated to the range of a lane. Its range must not begin below 0.
    #[inline(always)]
    fn small_feature(&self, simd: S, index: usize) -> S::V {
        match self.small_number(index) {
            Some(number) => number,
            None => self.saturated(simd, index),
        }
    }

    /// A [column](LaneView::column), saturated to the range of a lane. Its range must not begin below 0.
    #[inline(always)]
    fn saturated(&self, simd: S, index: usize) -> S::V {
        clamped(simd, &self.column(simd, index))
    }

    /// The actions for which predicate `index` holds, as in [`Vocabulary::predicates`].
    #[inline(always)]
    fn predicate(&self, simd: S, index: usize) -> S::V {
        simd.load(&predicate_one_by_one(self, index))
    }
}

/// A feature, computed by the game one lane at a time.
#[inline(never)]
pub fn one_by_one<S: Vector, L: LaneView<S>>(view: &L, index: usize) -> S::Column {
    let mut column = S::ZEROS;
    view.each_state(|lane, state| {
        column.as_mut()[lane] = i32::try_from(view.game().feature(state, index)).unwrap_or(0);
    });
    column
}

/// A predicate, computed by the game one lane at a time.
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

/// The lanes, widened to 32 bits.
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

/// The numbers of a column, saturated to the range of a lane.
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
    /// The kinds of memory that it reads.
    fn memory(&self) -> u32;

    /// The greatest number that a lane must hold to compute its yes/no answers. Narrower lanes must not ask it.
    fn largest(&self) -> u16;

    /// Whether it prefers any candidate to the first one.
    fn prefers(&self) -> bool;

    /// The answer to a yes/no question of this kind.
    fn yes<S: Vector, L: LaneView<S>>(&self, simd: S, kind: usize, view: &L) -> S::M;

    /// The preferred one of `candidates`, in a question of items of this kind; 0 in lanes without candidates.
    fn prefer<S: Vector16, L: LaneView<S>>(&self, simd: S, kind: usize, view: &L, candidates: S::V) -> S::V;
}

/// A policy that [prefers](LanePolicy::prefers) nothing, compiled as one that takes the first candidate without being
/// asked, so that its code contains no lists.
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

/// A game that can be played on lanes.
pub trait LaneGame: Vocabulary {
    /// Counts of finished games, in the form that is cheapest to add to.
    type Counts: Counts<Self>;

    /// The rule that lanes do not support, in words, if there is one.
    fn obstacle(&self) -> Option<String> {
        None
    }

    /// Plays the trials that `next` provides and adds them to `counts`.
    fn play<M: Machine, P: LanePolicy>(
        &self,
        machine: M,
        lineup: &[P],
        keys: &Keys,
        next: impl FnMut(&mut Self::Counts) -> Range<u64>,
        counts: &mut Self::Counts,
    );
}

/// Counts of finished games that can be turned into a [`Tally`].
pub trait Counts<G>: Send {
    /// Empty counts.
    fn new(game: &G) -> Self;

    /// The games counted so far.
    fn counted(&self) -> Batch;

    /// Adds everything to a tally.
    fn enter(self, game: &G, tally: &mut Tally);

    /// Where every game that is counted is noted as well, if it is.
    fn noting(&mut self) -> &mut Option<Box<Noting>>;

    /// Counts games that wait to be counted.
    fn settle(&mut self) {}
}

/// The games of one vector, one per lane, each just before a roll.
pub trait LaneState<S: Vector, const SEATS: usize>: Copy {
    /// The game.
    type Rules;
    /// Values that do not change from game to game: the rules as tables, the start.
    type Setup;
    /// The counts of finished games.
    type Counts: Counts<Self::Rules>;

    /// Computes the values that do not change. `answers` says whether the answers are noted.
    fn prepare<P: LanePolicy>(simd: S, rules: &Self::Rules, lineup: &[P], answers: bool) -> Self::Setup;

    /// A table with every lane at the start.
    fn start(simd: S, setup: &Self::Setup) -> Self;

    /// The dice of a roll.
    fn dice(setup: &Self::Setup) -> Dice;

    /// Rolls once in every active lane and continues to the next roll. Returns the active lanes whose game is over.
    ///
    /// It is roll number `roll` since the last pause. In lanes that are not active, nothing that [`LaneState::finish`]
    /// counts changes.
    fn step<P: LanePolicy>(
        &mut self,
        simd: S,
        setup: &Self::Setup,
        lineup: &[P],
        streams: &mut Streams<S, SEATS>,
        roll: usize,
        active: S::M,
    ) -> S::M;

    /// Work for all lanes that is due after at most [`MOST_ROLLS`] rolls.
    #[inline(always)]
    fn pause(&mut self, simd: S, setup: &Self::Setup, counts: &mut Self::Counts) {
        let _ = (simd, setup, counts);
    }

    /// Counts the games of the lanes in `done`, and resets these lanes to the start. `numbers` are the lower bits of the
    /// numbers of their trials.
    fn finish(
        &mut self,
        simd: S,
        setup: &Self::Setup,
        done: S::M,
        numbers: &[u16; MOST_NARROW],
        counts: &mut Self::Counts,
    );
}

/// Plays the trials that `next` provides on tables of one kind, until there are no more.
///
/// The loop of every kind of table is a function of its own ([`Vector::outlined`]): a function with several loops is so
/// long that the compiler no longer inlines the instructions.
pub fn drive<S: Vector, P: LanePolicy, T: LaneState<S, SEATS>, const SEATS: usize>(
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

/// The state of a run: all tables of a thread and the trials that they play.
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
    T: LaneState<S, SEATS>,
    N: FnMut(&mut T::Counts) -> Range<u64>,
{
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let Self { rules, lineup, mut seeds, counts, .. } = self;
        let answers = counts.noting().as_ref().is_some_and(|noting| noting.answers);
        let setup = &T::prepare(simd, rules, lineup, answers);
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
                    tables[at].finish(simd, setup, simd.mask(done), &streams[at].numbers, counts);
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
