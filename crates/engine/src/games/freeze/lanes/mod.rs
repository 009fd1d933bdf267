//! The step on lanes: `steps.rs` without branches, for many games at once.
//!
//! What happens in few steps of a game is left to the functions of `steps.rs`, one game at a time ([`Games::settle_apart`],
//! [`Games::end`]): several callers, first rolls in a freeze, a bonus, a bank that runs short, and the end.
//!
//! Loops over the seats, of which there are up to eight, are not unrolled: one kind of table serves any number of players.
//! The fields of a seat are arrays in memory.
#![allow(clippy::needless_range_loop, reason = "several arrays by seat go side by side")]

mod apart;
mod view;

use std::ops::Range;

use view::View;

use super::dice::Dice as Rolled;
use super::numbers::Fraction;
use super::rules::{Doubles, Freeze};
use super::state::{ONE_SIX, PAIR, SEVEN, SIXES, effect};
use super::{BANK_EMPTY, FREEZE_SIX, TIME, metric};
use crate::bitboard::{Bitboard, Truth};
use crate::game::MAX_SEATS;
use crate::lanes::simd::{LaneTable, MOST_LANES, MOST_NARROW, Machine, Vector16};
use crate::lanes::{
    Dice, Lane, LaneGame, LanePolicy, LaneState, LaneTally, MOST_ROLLS, Mask, Streams, Trace, drive,
};
use crate::stream::Keys;

/// A number for every lane.
type Row = [u16; MOST_LANES];

const NONE: Row = [0; MOST_LANES];

/// The indices of what is counted of every seat.
mod counted {
    pub(super) const ROLLS: usize = 0;
    pub(super) const BUSTS: usize = 1;
    pub(super) const CALLS: usize = 2;
    pub(super) const DOUBLES: usize = 3;
    pub(super) const STAKES: usize = 4;
    pub(super) const STAKES_WON: usize = 5;
    pub(super) const ALL: usize = 6;
}

impl LaneGame for Freeze {
    type Counts = LaneTally;

    fn obstacle(&self) -> Option<String> {
        let fine =
            (0..self.players.into()).map(|seat| self.rate.of(seat)).find(|&rate| limit(rate).is_none())?;
        Some(format!("a rate of {} has more decimals than lanes can hold", f64::from(fine)))
    }

    fn play<M: Machine, P: LanePolicy>(
        &self,
        machine: M,
        lineup: &[P],
        keys: &Keys,
        next: impl FnMut(&mut LaneTally) -> Range<u64>,
        counts: &mut LaneTally,
    ) {
        drive::<_, P, Games<M::Wide>, MAX_SEATS>(machine.wide(), self, lineup, keys, next, counts);
    }
}

/// The number of equally likely cases of a roll, of which those from which the player does not roll are the last; none if
/// they do not fit a lane.
fn limit(rate: Fraction) -> Option<u16> {
    u16::try_from(36 * rate.denominator()).ok()
}

/// What does not change from game to game.
#[derive(Debug)]
pub(super) struct Setup {
    rules: Freeze,
    rolls: Vec<Rolls>,
    /// The seats that may roll while the clock runs, as bits, and all of them.
    rolling: u16,
    everybody: u16,
    /// Whether players may wait, and whether any may stay in a step.
    waits: bool,
    stays: bool,
    /// Whether the answers are noted.
    answers: bool,
}

/// How a seat rolls.
#[derive(Debug)]
struct Rolls {
    /// The number of equally likely cases, and the first one of double sixes for a player who is certain to roll.
    limit: u16,
    sixes: u16,
    /// What the dice show in every case, as the bits below.
    shown: LaneTable,
}

/// Bits of what two dice show: double sixes, a sum of seven, and eight places further another pair and a single six.
const SHOWS_SIXES: u16 = 1;
const SHOWS_SEVEN: u16 = 1 << 1;
const SHOWS_PAIR: u16 = SHOWS_SIXES << 8;
const SHOWS_ONE_SIX: u16 = SHOWS_SEVEN << 8;
/// So many places further are the bits of what a loose die beside a frozen six shows.
const LOOSE: u32 = 2;
/// The player rolls.
const ROLLS_AT_ALL: u16 = 1 << 4;

impl Rolls {
    fn new(rate: Fraction) -> Self {
        let (limit, cases) = (limit(rate).unwrap_or(u16::MAX), 36 * rate.numerator());
        let shown = |case: u32| {
            if case >= cases {
                return 0;
            }
            let [both, loose] = Rolled::of_case(case / rate.numerator()).map(|dice| {
                let bit = |lane, bit| if effect(dice) >> lane & 1 == 1 { bit } else { 0 };
                let common = bit(SIXES, SHOWS_SIXES) | bit(SEVEN, SHOWS_SEVEN);
                common | bit(PAIR, SHOWS_PAIR) | bit(ONE_SIX, SHOWS_ONE_SIX)
            });
            ROLLS_AT_ALL | both | loose << LOOSE
        };
        let shown: Vec<_> = (0..limit.into()).map(shown).collect();
        Self { limit, sixes: limit / 36 * 35, shown: LaneTable::new(&shown) }
    }
}

impl Setup {
    fn new(rules: &Freeze, answers: bool) -> Self {
        let seats = |seats: u64| u16::from(seats.to_le_bytes()[0]);
        let everybody = rules.everybody();
        Self {
            rules: *rules,
            rolls: (0..rules.players.into()).map(|seat| Rolls::new(rules.rate.of(seat))).collect(),
            rolling: seats(everybody & !rules.rate.never()),
            everybody: seats(everybody),
            waits: rules.doubles != Doubles::Never && rules.confirm_steps > 0,
            stays: everybody & !rules.rate.certain() != 0,
            answers,
        }
    }

    /// The seats.
    #[inline(always)]
    fn seats(&self) -> Range<usize> {
        0..usize::from(self.rules.players).min(MAX_SEATS)
    }
}

/// One game per lane: its [`State`](super::State) just before the rolls of a step, and the counts of a recorder.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Games<S: Vector16> {
    counters: [Row; MAX_SEATS],
    /// The steps for which each seat still waits.
    waits: [Row; MAX_SEATS],
    counted: [[Row; counted::ALL]; MAX_SEATS],
    bank: Row,
    /// The number of the step, from 1.
    step: Row,
    /// The seats with a frozen die, with a sum of seven, and those that have rolled at least once, as bits.
    frozen: Row,
    sevens: Row,
    seen: Row,
    /// While the clock runs, none; then the seats that are tied, as bits, and at the end the winner.
    left: Row,
    /// The number of turns of every seat.
    turns: Row,
    freezes: Row,
    /// 1 if the bank was empty at the end, 2 if there was a tie-break.
    status: Row,
    /// The answers, if they are noted.
    trace: Trace<S>,
    /// The turns in which each seat bust since the last pause, and the number of such turns.
    bust_turns: [[u16; MOST_LANES * (MOST_ROLLS + 1)]; MAX_SEATS],
    busts: [usize; MAX_SEATS],
    simd: S,
}

/// Adds to a row.
#[inline(always)]
fn add<S: Vector16>(row: &mut Row, more: Lane<S>) {
    *row = (Lane::load(more.simd, row) + more).to_array();
}

/// Adds 1 to a row where the mask holds.
#[inline(always)]
fn count<S: Vector16>(row: &mut Row, mask: Mask<S>) {
    *row = Lane::load(mask.simd, row).count(mask).to_array();
}

/// What the seats rolled in a step, as bits.
struct Shown<S: Vector16> {
    sixes: Lane<S>,
    /// Only where pairs count.
    pairs: Lane<S>,
    /// Only those that can be frozen.
    one_sixes: Lane<S>,
}

impl<S: Vector16> Games<S> {
    #[inline(always)]
    fn load(&self, row: &Row) -> Lane<S> {
        Lane::load(self.simd, row)
    }

    /// Everybody rolls who may: those who are tied, where a tie-break has begun.
    #[inline(always)]
    fn roll(
        &mut self,
        setup: &Setup,
        streams: &mut Streams<S, MAX_SEATS>,
        active: Mask<S>,
        tied: Mask<S>,
    ) -> Shown<S> {
        let simd = self.simd;
        let none = Lane::splat(simd, 0);
        let one = none.alike(1);
        let has_ties = tied.bits() != 0;
        let mut rolling = none.alike(setup.rolling);
        if setup.waits {
            for seat in setup.seats() {
                let wait = self.load(&self.waits[seat]);
                let waits = wait.is_some();
                rolling = rolling.and_not(none.alike(1 << seat).zero_unless(waits));
                self.waits[seat] = (wait - one.zero_unless(waits)).to_array();
            }
        }
        if has_ties {
            rolling = Lane::select(tied, self.load(&self.left), rolling);
        }
        let frozen = self.load(&self.frozen);
        let both = none.alike(SHOWS_SIXES | SHOWS_PAIR);
        let (mut sixes_and_pairs, mut others, mut rolled) = (none, none, none);
        for (seat, rolls) in setup.seats().zip(&setup.rolls) {
            let place = none.alike(1 << seat);
            let mut is_rolling = active & rolling.meets(place);
            // Who is out of a tie-break may draw words at which nobody looks.
            let may_pause = setup.waits || setup.rolling != setup.everybody;
            let moves = may_pause.then(|| none.alike(u16::MAX).zero_unless(is_rolling).v);
            let case = Lane::new(simd, streams.number(simd, seat, rolls.limit, moves));
            let mut shown = case.entry_of(&rolls.shown);
            if setup.stays {
                if has_ties {
                    let six = none.alike(ROLLS_AT_ALL).count(case.is_at_least(none.alike(rolls.sixes)));
                    shown = Lane::select(tied, six, shown);
                }
                is_rolling = is_rolling & shown.meets(none.alike(ROLLS_AT_ALL));
            }
            shown = Lane::select(frozen.meets(place), shown >> LOOSE, shown).zero_unless(is_rolling);
            let other = (shown >> 1) & both;
            // Who has no counter cannot freeze a six.
            let other = Lane::select(self.load(&self.counters[seat]).is_some(), other, other & one);
            #[allow(clippy::cast_possible_truncation, reason = "fewer than eight")]
            let by = seat as u32;
            sixes_and_pairs = sixes_and_pairs | (shown & both) << by;
            others = others | other << by;
            rolled = rolled | place.zero_unless(is_rolling);
            count(&mut self.counted[seat][counted::ROLLS], is_rolling);
        }
        let low = none.alike(0xFF);
        self.sevens = (self.load(&self.sevens).and_not(rolled) | (others & low)).to_array();
        self.seen = (self.load(&self.seen) | rolled).to_array();
        Shown {
            sixes: sixes_and_pairs & low,
            pairs: (sixes_and_pairs >> 8).zero_unless(self.doubles_count(setup, active)),
            one_sixes: others >> 8,
        }
    }

    /// Where pairs count.
    #[inline(always)]
    fn doubles_count(&self, setup: &Setup, active: Mask<S>) -> Mask<S> {
        match setup.rules.doubles {
            Doubles::Never => Mask::of_bits(self.simd, 0),
            Doubles::Always => active,
            Doubles::Lightning => {
                let step = self.load(&self.step);
                let first = setup.rules.steps.saturating_sub(setup.rules.lightning_steps) + 1;
                active & step.is_at_least(step.alike(first))
            }
        }
    }

    /// The freezes with a single caller each: stakes go to the bank, and the caller is paid.
    #[inline(always)]
    fn freeze(&mut self, setup: &Setup, freezes: Mask<S>, callers: Lane<S>) {
        let simd = self.simd;
        let none = Lane::splat(simd, 0);
        let one = none.alike(1);
        let callers = callers.zero_unless(freezes);
        let doubles = self.doubles_count(setup, freezes);
        // Who touched the dice is paid nothing.
        let paid = if setup.rules.fumble == Fraction::ONE { callers.zero_where(doubles) } else { callers };
        let frozen = self.load(&self.frozen);
        let bank = self.load(&self.bank) + frozen.count_ones().zero_unless(freezes);
        let pays = paid.is_some() & bank.is_some();
        self.bank = (bank - one.zero_unless(pays)).to_array();
        self.frozen = frozen.zero_where(freezes).to_array();
        let (won, sevens, turns) = (frozen & paid, self.load(&self.sevens), self.load(&self.turns));
        let mut gained = one.zero_unless(pays);
        for seat in setup.seats() {
            let counters = self.load(&self.counters[seat]);
            let busts = sevens.meets(none.alike(1 << seat)) & counters.is_some() & paid.is_some();
            self.counters[seat] = (counters - one.zero_unless(busts)).to_array();
            gained = gained.count(busts);
            count(&mut self.counted[seat][counted::BUSTS], busts);
            self.bust(seat, busts, turns);
        }
        for seat in setup.seats() {
            let place = none.alike(1 << seat);
            add(&mut self.counters[seat], gained.zero_unless(paid.meets(place)));
            count(&mut self.counted[seat][counted::CALLS], callers.meets(place));
            count(&mut self.counted[seat][counted::STAKES_WON], won.meets(place));
        }
        if setup.waits {
            self.confirm(setup, callers.zero_unless(doubles));
        }
    }

    /// Notes the turns of busts.
    #[inline(always)]
    fn bust(&mut self, seat: usize, busts: Mask<S>, turns: Lane<S>) {
        let noted = &mut self.busts[seat];
        let out = self.bust_turns[seat][*noted..].first_chunk_mut().expect("a vector long");
        self.simd.compress(busts.m, turns.v, out);
        *noted += busts.bits().count_ones() as usize;
    }

    /// Pays for pairs, from a bank that has enough.
    #[inline(always)]
    fn pay_doubles(&mut self, setup: &Setup, pairs: Lane<S>) {
        if setup.rules.fumble != Fraction::ONE {
            self.bank = (self.load(&self.bank) - pairs.count_ones()).to_array();
            for seat in setup.seats() {
                let paid = pairs.meets(pairs.alike(1 << seat));
                count(&mut self.counters[seat], paid);
                count(&mut self.counted[seat][counted::DOUBLES], paid);
            }
        }
        if setup.waits {
            self.confirm(setup, pairs);
        }
    }

    /// Lets these seats wait for confirmation.
    #[inline(always)]
    fn confirm(&mut self, setup: &Setup, seats: Lane<S>) {
        let steps = seats.alike(setup.rules.confirm_steps.into());
        for seat in setup.seats() {
            let waits = self.load(&self.waits[seat]);
            self.waits[seat] = Lane::select(seats.meets(seats.alike(1 << seat)), steps, waits).to_array();
        }
    }

    /// Asks these seats whether they freeze a six. All see the same position.
    #[inline(always)]
    fn ask<P: LanePolicy>(&mut self, setup: &Setup, lineup: &[P], one_sixes: Lane<S>) {
        let simd = self.simd;
        let none = one_sixes.alike(0);
        let mut stakes = none;
        for seat in setup.seats() {
            let place = none.alike(1 << seat);
            let asked = one_sixes.meets(place);
            if asked.bits() != 0 {
                let view = View { setup, games: self, seat, asked };
                let policy = &lineup[if lineup.len() == 1 { 0 } else { seat % lineup.len() }];
                let yes = asked & Mask { simd, m: policy.yes(simd, FREEZE_SIX, &view) };
                stakes = stakes | place.zero_unless(yes);
            }
        }
        if setup.answers {
            self.trace.note(stakes, none, one_sixes.is_some());
        }
        for seat in setup.seats() {
            let puts = stakes.meets(none.alike(1 << seat));
            let counters = self.load(&self.counters[seat]);
            self.counters[seat] = (counters - none.alike(1).zero_unless(puts)).to_array();
            count(&mut self.counted[seat][counted::STAKES], puts);
        }
        self.frozen = (self.load(&self.frozen) | stakes).to_array();
    }
}

impl<S: Vector16> LaneState<S, MAX_SEATS> for Games<S> {
    type Rules = Freeze;
    type Setup = Setup;
    type Counts = LaneTally;

    #[inline(always)]
    fn prepare<P: LanePolicy>(_: S, rules: &Freeze, _: &[P], answers: bool) -> Setup {
        Setup::new(rules, answers)
    }

    #[inline(always)]
    fn start(simd: S, setup: &Setup) -> Self {
        let mut games = Self {
            counters: [NONE; MAX_SEATS],
            waits: [NONE; MAX_SEATS],
            counted: [[NONE; counted::ALL]; MAX_SEATS],
            bank: NONE,
            step: NONE,
            frozen: NONE,
            sevens: NONE,
            seen: NONE,
            left: NONE,
            turns: NONE,
            freezes: NONE,
            status: NONE,
            trace: Trace::new(Lane::splat(simd, 0)),
            bust_turns: [[0; MOST_LANES * (MOST_ROLLS + 1)]; MAX_SEATS],
            busts: [0; MAX_SEATS],
            simd,
        };
        (0..S::LANES).for_each(|lane| games.restart(setup, lane));
        games
    }

    #[inline(always)]
    fn dice(_: &Setup) -> Dice {
        Dice { first: 36, second: None }
    }

    #[inline(always)]
    fn step<P: LanePolicy>(
        &mut self,
        simd: S,
        setup: &Setup,
        lineup: &[P],
        streams: &mut Streams<S, MAX_SEATS>,
        _: usize,
        active: S::M,
    ) -> S::M {
        let (rules, active) = (&setup.rules, Mask { simd, m: active });
        let none = Lane::splat(simd, 0);
        let tied = active & self.load(&self.left).is_some();
        let playing = active.and_not(tied);
        let Shown { sixes, pairs, one_sixes } = self.roll(setup, streams, active, tied);

        // A freeze: pairs and single sixes do not matter any more.
        let freezes = playing & sixes.is_some();
        let pairs = pairs.zero_unless(playing).zero_where(freezes);
        let apart = self.rare(setup, freezes, sixes, pairs);
        let mut left = apart.bits();
        while left != 0 {
            let lane = left.trailing_zeros() as usize % MOST_LANES;
            left &= left - 1;
            self.settle_apart(rules, streams, lane, sixes.to_array()[lane], pairs.to_array()[lane]);
        }
        self.freeze(setup, freezes.and_not(apart), sixes);
        if rules.doubles != Doubles::Never {
            self.pay_doubles(setup, pairs.zero_where(apart));
        }
        if rules.freezing {
            self.ask(setup, lineup, one_sixes.zero_unless(playing).zero_where(freezes));
        }

        // The next step, or the end.
        let step = self.load(&self.step);
        let is_last = step.is(none.alike(rules.steps));
        let over = playing & (is_last | self.load(&self.bank).is(none));
        count(&mut self.freezes, freezes);
        count(&mut self.turns, freezes.and_not(over));
        self.step = step.count(playing.and_not(over)).to_array();
        let mut left = over.bits();
        while left != 0 {
            let lane = left.trailing_zeros() as usize % MOST_LANES;
            left &= left - 1;
            self.end(rules, lane);
        }
        let mut best = self.load(&self.left);
        if tied.bits() != 0 {
            let sixes = sixes & best;
            best = Lane::select(tied & sixes.is_some(), sixes, best);
            self.left = best.to_array();
        }
        let is_one = (best & (best - none.alike(1))).is(none);
        (active & best.is_some() & is_one).m
    }

    #[inline(always)]
    fn pause(&mut self, _: S, setup: &Setup, counts: &mut LaneTally) {
        let players = setup.seats().len();
        for seat in setup.seats() {
            for &turn in &self.bust_turns[seat][..self.busts[seat]] {
                counts.add_bust((usize::from(turn) - 1) * players + seat + 1);
            }
            self.busts[seat] = 0;
        }
    }

    #[inline(always)]
    fn finish(
        &mut self,
        _: S,
        setup: &Setup,
        done: S::M,
        numbers: &[u16; MOST_NARROW],
        counts: &mut LaneTally,
    ) {
        let done = Mask { simd: self.simd, m: done };
        let traced = self.trace.numbers().map(Lane::to_array);
        let mut left = done.bits();
        while left != 0 {
            let lane = left.trailing_zeros() as usize % MOST_LANES;
            left &= left - 1;
            let traced = Trace::<S>::joined(traced.map(|numbers| numbers[lane]));
            self.count_game(setup, lane, (numbers[lane], traced), counts);
            self.restart(setup, lane);
        }
        if setup.answers {
            self.trace.restart(done);
        }
    }
}

impl<S: Vector16> Games<S> {
    /// The lanes whose step is settled apart.
    #[inline(always)]
    fn rare(&self, setup: &Setup, freezes: Mask<S>, sixes: Lane<S>, pairs: Lane<S>) -> Mask<S> {
        let (rules, one) = (&setup.rules, sixes.alike(1));
        let mut apart = freezes & (sixes & (sixes - one)).is_some();
        if setup.stays {
            apart = apart | freezes.and_not(self.load(&self.seen).is(one.alike(setup.everybody)));
        }
        if rules.broke_bonus {
            let sevens = self.load(&self.sevens);
            for seat in setup.seats() {
                let is_broke = self.load(&self.counters[seat]).is(one.alike(0));
                apart = apart | (freezes & is_broke & sevens.meets(one.alike(1 << seat)));
            }
        }
        if rules.doubles != Doubles::Never {
            let enough = self.load(&self.bank).is_at_least(pairs.count_ones());
            apart = apart | pairs.is_some().and_not(enough);
            if rules.fumble != Fraction::ZERO && rules.fumble != Fraction::ONE {
                apart = apart | self.doubles_count(setup, freezes) | pairs.is_some();
            }
        }
        apart
    }

    /// Counts the game of a lane, given the lower bits of its number and that of its answers.
    #[inline(never)]
    fn count_game(&self, setup: &Setup, lane: usize, (number, answers): (u16, u64), counts: &mut LaneTally) {
        let (turns, status) = (u32::from(self.turns[lane]), self.status[lane]);
        let players = u32::from(setup.rules.players);
        let ending = if status & 1 == 1 { BANK_EMPTY } else { TIME };
        counts.add_game(number, turns * players, ending, answers);
        for seat in setup.seats() {
            let of = |what: usize| u32::from(self.counted[seat][what][lane]);
            let values = [
                (metric::WIN, u32::from(self.left[lane] == 1 << seat)),
                (metric::TURNS, turns),
                (metric::ROLLS, of(counted::ROLLS)),
                (metric::BUSTS, of(counted::BUSTS)),
                (metric::COUNTERS, self.counters[seat][lane].into()),
                (metric::FREEZES, self.freezes[lane].into()),
                (metric::CALLS, of(counted::CALLS)),
                (metric::DOUBLES, of(counted::DOUBLES)),
                (metric::STAKES, of(counted::STAKES)),
                (metric::STAKES_WON, of(counted::STAKES_WON)),
                (metric::TIE_BREAK, u32::from(status >> 1)),
                (metric::STEPS, self.step[lane].into()),
            ];
            counts.add_seat(seat, values);
        }
    }
}
