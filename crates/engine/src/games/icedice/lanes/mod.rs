//! The turn on lanes: `steps.rs` without branches, function for function.
//!
//! A Vault or the Bank has one vector per plane. The Vaults rotate when the turn passes, as in a
//! [`State`](super::State): the first one belongs to the seat to play. The counts of a seat stay in place.
//!
//! Tables exist for up to two, three or four seats, and for the same number of copies of each type; with fewer of them
//! a Vault or a plane stays empty.
#![allow(clippy::needless_range_loop, reason = "several arrays by seat go side by side")]

mod view;

use std::ops::Range;

use view::View;

use super::metric::{BUSTS, ROLLS, STEALS, TRIOS, TURNS, WIN};
use super::pieces::{self, ALL};
use super::{CAPPED, IceDice, NoChoice, STOP, TAKE, VICTIM, WON};
use crate::bitboard::{Bitboard, Truth};
use crate::games::pyramids::piles::Piles;
use crate::games::pyramids::pyramid_face;
use crate::games::pyramids::stack::LaneStack;
use crate::lanes::simd::{MOST_LANES, MOST_NARROW, Machine, Vector16};
use crate::lanes::{
    Dice, Lane, LaneGame, LanePolicy, LaneState, LaneTally, MOST_ROLLS, Mask, Streams, Trace, drive,
};
use crate::stream::Keys;

impl LaneGame for IceDice {
    type Counts = LaneTally;

    fn play<M: Machine, P: LanePolicy>(
        &self,
        machine: M,
        lineup: &[P],
        keys: &Keys,
        next: impl FnMut(&mut LaneTally) -> Range<u64>,
        counts: &mut LaneTally,
    ) {
        let simd = machine.wide();
        if self.players == 2 && self.copies() <= 2 {
            drive::<_, P, Games<M::Wide, 2, 1, 2>, 2>(simd, self, lineup, keys, next, counts);
        } else if self.players <= 3 && self.copies() <= 3 {
            drive::<_, P, Games<M::Wide, 3, 2, 3>, 3>(simd, self, lineup, keys, next, counts);
        } else {
            drive::<_, P, Games<M::Wide, 4, 3, 4>, 4>(simd, self, lineup, keys, next, counts);
        }
    }
}

/// Look-up tables of the rules by face. Each table stands twice in its array.
#[derive(Debug)]
pub struct Setup {
    rules: IceDice,
    /// The types that each face of the colour die shows; none for the Atom.
    colours: [u16; 32],
    /// The types that each face allows, ignoring the Counter.
    wanted: [u16; 32],
    /// The types of each face of the pyramid die.
    sizes: [u16; 32],
    /// Whether the answers are noted.
    answers: bool,
}

impl Setup {
    fn new(rules: &IceDice, answers: bool) -> Self {
        let twice = |entry: &dyn Fn(u32) -> u16| {
            std::array::from_fn(|at| (0..16).map(entry).nth(at % 16).unwrap_or(0))
        };
        Self {
            rules: *rules,
            colours: twice(&|face| if face < 5 { pieces::of_colour(face) } else { 0 }),
            wanted: twice(&|face| if face < 5 { pieces::of_colour(face) } else { ALL }),
            sizes: twice(&|face| if face < 6 { pieces::of_sizes(pyramid_face(face)) } else { 0 }),
            answers,
        }
    }
}

/// The pieces of one place, for every lane.
type LanePiles<S, const PLANES: usize> = Piles<LaneStack<S, PLANES>>;

/// The number of pauses after which the counts of the lanes are moved out, so that they do not overflow.
const PAUSES: usize = 65_535 / MOST_ROLLS;

/// Counts of one seat.
#[derive(Clone, Copy, Debug)]
struct Counted<T> {
    rolls: T,
    busts: T,
    steals: T,
}

impl<S: Vector16> Counted<Lane<S>> {
    /// The lanes as arrays.
    #[inline(always)]
    fn to_arrays(self) -> Counted<[u16; MOST_LANES]> {
        let Self { rolls, busts, steals } = self;
        Counted { rolls: rolls.to_array(), busts: busts.to_array(), steals: steals.to_array() }
    }

    /// The counts, set to 0 where the mask holds.
    #[inline(always)]
    fn zero_where(self, mask: Mask<S>) -> Self {
        let Self { rolls, busts, steals } = self;
        let [rolls, busts, steals] =
            [rolls.zero_where(mask), busts.zero_where(mask), steals.zero_where(mask)];
        Self { rolls, busts, steals }
    }
}

/// One game per lane: its [`State`](super::State) and the counts of a recorder, with one plane per copy of a type.
#[derive(Clone, Copy, Debug)]
pub struct Games<S: Vector16, const SEATS: usize, const OTHERS: usize, const PLANES: usize> {
    /// The Vault of the seat to play, then those of the others in turn order.
    vaults: [LanePiles<S, PLANES>; SEATS],
    bank: LanePiles<S, PLANES>,
    counter: Lane<S>,
    /// The seat to play.
    seat: Lane<S>,
    /// The number of the turn, all players together, from 1.
    turn: Lane<S>,
    counted: [Counted<Lane<S>>; SEATS],
    /// The answers, if they are noted.
    trace: Trace<S>,
    /// The turns that ended in a bust since the last pause.
    bust_turns: [u16; MOST_LANES * (MOST_ROLLS + 1)],
    /// The number of such turns.
    busts: usize,
    /// The number of pauses since the counts were moved out.
    pauses: usize,
    /// The lanes with counts that were moved out.
    aside: u64,
    counted_aside: [[Counted<u32>; MOST_LANES]; SEATS],
}

impl<S: Vector16, const SEATS: usize, const OTHERS: usize, const PLANES: usize>
    Games<S, SEATS, OTHERS, PLANES>
{
    /// For every seat, all bits set in the lanes in which it is to play.
    #[inline(always)]
    fn plays(&self) -> [Lane<S>; SEATS] {
        let every = self.seat.alike(u16::MAX);
        let mut plays = [every; SEATS];
        if SEATS == 2 {
            plays[0] = self.seat - self.seat.alike(1);
            plays[1] = self.seat.alike(0) - self.seat;
        } else {
            for (seat, plays) in (0..).zip(&mut plays) {
                *plays = every.zero_unless(self.seat.is(self.seat.alike(seat)));
            }
        }
        plays
    }

    #[inline(always)]
    fn view<'v>(&'v self, setup: &'v Setup, kind: usize, asked: Mask<S>) -> View<'v, S, OTHERS, PLANES> {
        View {
            rules: &setup.rules,
            own: self.vaults[0],
            others: self.vaults[1..].first_chunk().expect("the others"),
            bank: self.bank,
            counter: self.counter,
            stolen: self.counter.alike(0),
            turn: self.turn,
            seat: self.seat,
            kind,
            asked,
        }
    }

    /// The candidate that the line-up's policies prefer, each in the lanes where its seat plays.
    #[inline(always)]
    fn prefer<P: LanePolicy>(
        lineup: &[P],
        plays: &[Lane<S>; SEATS],
        kind: usize,
        view: &View<'_, S, OTHERS, PLANES>,
        candidates: Lane<S>,
    ) -> Lane<S> {
        let simd = candidates.simd;
        let mut chosen = candidates.alike(0);
        for (policy, &plays) in lineup.iter().zip(plays) {
            let own = if lineup.len() == 1 { candidates } else { candidates & plays };
            chosen = chosen | Lane::new(simd, policy.prefer(simd, kind, view, own.v));
        }
        chosen
    }

    /// The lanes in which the line-up's policies say yes.
    #[inline(always)]
    fn yes<P: LanePolicy>(
        lineup: &[P],
        plays: &[Lane<S>; SEATS],
        kind: usize,
        view: &View<'_, S, OTHERS, PLANES>,
    ) -> Mask<S> {
        let simd = view.counter.simd;
        let mut yes = Mask::of_bits(simd, 0);
        for (policy, &plays) in lineup.iter().zip(plays) {
            let own = if lineup.len() == 1 { view.asked } else { plays.whole() };
            yes = yes | (own & Mask { simd, m: policy.yes(simd, kind, view) });
        }
        yes
    }

    /// Where the mask holds, moves the Vault of the seat that played behind those of the others, among `PLAYERS` seats.
    #[inline(always)]
    fn rotate<const PLAYERS: usize>(&mut self, passes: Mask<S>) {
        let own = self.vaults[0];
        for seat in 1..PLAYERS.min(SEATS) {
            self.vaults[seat - 1] = Piles::select(passes, self.vaults[seat], self.vaults[seat - 1]);
        }
        let last = PLAYERS.min(SEATS) - 1;
        self.vaults[last] = Piles::select(passes, own, self.vaults[last]);
    }

    /// The Bank with all pieces.
    #[inline(always)]
    fn full_bank(none: Lane<S>, rules: &IceDice) -> LanePiles<S, PLANES> {
        let mut bank = [none; PLANES];
        for (number, plane) in bank.iter_mut().enumerate() {
            *plane = none.alike(if number < usize::from(rules.copies()) { ALL } else { 0 });
        }
        Piles(LaneStack(bank))
    }

    /// Moves the counts of the lanes out.
    #[cold]
    #[inline(never)]
    fn put_aside(&mut self) {
        for (counted, aside) in self.counted.iter_mut().zip(&mut self.counted_aside) {
            let lanes = counted.to_arrays();
            for (lane, aside) in aside.iter_mut().enumerate() {
                aside.rolls += u32::from(lanes.rolls[lane]);
                aside.busts += u32::from(lanes.busts[lane]);
                aside.steals += u32::from(lanes.steals[lane]);
            }
            let none = counted.rolls.alike(0);
            *counted = Counted { rolls: none, busts: none, steals: none };
        }
        (self.aside, self.pauses) = (u64::MAX, 0);
    }
}

impl<S: Vector16, const SEATS: usize, const OTHERS: usize, const PLANES: usize> LaneState<S, SEATS>
    for Games<S, SEATS, OTHERS, PLANES>
{
    type Rules = IceDice;
    type Setup = Setup;
    type Counts = LaneTally;

    #[inline(always)]
    fn prepare<P: LanePolicy>(_: S, rules: &IceDice, _: &[P], answers: bool) -> Setup {
        Setup::new(rules, answers)
    }

    #[inline(always)]
    fn start(simd: S, setup: &Setup) -> Self {
        let none = Lane::splat(simd, 0);
        let counted = Counted { rolls: none, busts: none, steals: none };
        Self {
            vaults: [Piles(LaneStack([none; PLANES])); SEATS],
            bank: Self::full_bank(none, &setup.rules),
            counter: none,
            seat: none,
            turn: none.alike(1),
            counted: [counted; SEATS],
            trace: Trace::new(none),
            bust_turns: [0; MOST_LANES * (MOST_ROLLS + 1)],
            busts: 0,
            pauses: 0,
            aside: 0,
            counted_aside: [[Counted { rolls: 0, busts: 0, steals: 0 }; MOST_LANES]; SEATS],
        }
    }

    #[inline(always)]
    fn dice(_: &Setup) -> Dice {
        Dice { first: 6, second: Some(6) }
    }

    #[inline(always)]
    fn step<P: LanePolicy>(
        &mut self,
        simd: S,
        setup: &Setup,
        lineup: &[P],
        streams: &mut Streams<S, SEATS>,
        roll: usize,
        active: S::M,
    ) -> S::M {
        let rules = &setup.rules;
        let active = Mask { simd, m: active };
        let none = Lane::splat(simd, 0);
        let plays = self.plays();

        // resolve: both dice.
        let mut rolls = [none.v; SEATS];
        for seat in 0..SEATS {
            rolls[seat] = plays[seat].v;
        }
        let [colour_face, size_face] = streams.roll(simd, Self::dice(setup), roll, &rolls);
        let (colour_face, size_face) = (Lane::new(simd, colour_face), Lane::new(simd, size_face));
        let bombing = colour_face.look_up(&setup.colours);
        let bombs = active & self.counter.meets(bombing);
        // The Atom wants the colours that are not on the Counter; a colour that is there is not wanted but busts.
        let wanted = colour_face.look_up(&setup.wanted) & size_face.look_up(&setup.sizes);
        let wanted = wanted.and_not(pieces::whole_colours(self.counter));

        // choose: from the Bank or, only where it has none, from somebody else.
        let mut had = self.bank.any();
        for other in &self.vaults[1..] {
            had = had | other.any();
        }
        let candidates = wanted & had.zero_unless(active);
        let chooses = candidates.is_some();
        let stuck = active.and_not(bombs).and_not(chooses);
        let (busts, asked) = match rules.no_choice {
            NoChoice::Skip => (bombs, active.and_not(bombs)),
            NoChoice::Bust => (bombs | stuck, chooses),
            NoChoice::Reroll => (bombs, chooses),
        };
        let view = self.view(setup, TAKE, chooses);
        let piece = Self::prefer(lineup, &plays, TAKE, &view, candidates);

        // take, rob: what is not there is not taken away.
        let stolen = piece.and_not(self.bank.any());
        let steals = stolen.is_some();
        let mut from = none;
        if SEATS == 2 {
            // The one opponent is no question.
            self.vaults[1] = self.vaults[1].without(stolen);
        } else {
            let mut victims = none;
            for (place, vault) in self.vaults[1..].iter().enumerate() {
                victims = victims | none.alike(1 << place).zero_unless(vault.any().meets(stolen));
            }
            let victim = if rules.players == 2 {
                victims
            } else {
                let view = View { stolen, ..self.view(setup, VICTIM, steals) };
                Self::prefer(lineup, &plays, VICTIM, &view, victims)
            };
            from = victim;
            for (place, vault) in self.vaults[1..].iter_mut().enumerate() {
                *vault = vault.without(stolen.zero_unless(victim.meets(none.alike(1 << place))));
            }
        }
        self.bank = self.bank.without(piece);
        self.counter = self.counter | piece;

        // The question whether to stop.
        let view = self.view(setup, STOP, asked);
        let stopped = asked & Self::yes(lineup, &plays, STOP, &view);
        if setup.answers {
            // No piece has the highest bit.
            self.trace.note(piece + none.alike(1 << 15).zero_unless(stopped), from, active);
        }

        // stop: the Counter goes to the Vault, which wins with enough trios; bust: it goes to the Bank.
        let own = self.vaults[0].with(self.counter.zero_unless(stopped));
        self.vaults[0] = own;
        self.bank = self.bank.with(self.counter.zero_unless(busts));
        let over = stopped | busts;
        self.counter = self.counter.zero_where(over);
        let wins = stopped & own.trios().is_at_least(none.alike(rules.trios.into()));

        // As vectors: masks would go from their registers to those for numbers and back, for every seat.
        let every = none.alike(u16::MAX);
        let [rolled, lost, robbed] =
            [every.zero_unless(active), every.zero_unless(busts), every.zero_unless(steals)];
        for seat in 0..SEATS {
            let counted = &mut self.counted[seat];
            counted.rolls = counted.rolls - (rolled & plays[seat]);
            counted.busts = counted.busts - (lost & plays[seat]);
            counted.steals = counted.steals - (robbed & plays[seat]);
        }
        let bust_turns = self.bust_turns[self.busts..].first_chunk_mut().expect("a vector long");
        simd.compress(busts.m, self.turn.v, bust_turns);
        self.busts += busts.bits().count_ones() as usize;

        // pass: who played becomes the last of the others, unless the game is over.
        let capped = over & self.turn.is(none.alike(rules.turn_cap));
        let done = wins | capped;
        let passes = over.and_not(done);
        match usize::from(rules.players).min(SEATS) {
            2 => self.rotate::<2>(passes),
            3 => self.rotate::<3>(passes),
            _ => self.rotate::<4>(passes),
        }
        self.turn = self.turn.count(passes);
        let next = self.seat.count(passes);
        self.seat = next.zero_where(next.is(none.alike(rules.players.into())));
        done.m
    }

    #[inline(always)]
    fn pause(&mut self, _: S, _: &Setup, counts: &mut LaneTally) {
        for &turn in &self.bust_turns[..self.busts] {
            counts.add_bust(turn.into());
        }
        self.busts = 0;
        self.pauses += 1;
        if self.pauses == PAUSES {
            self.put_aside();
        }
    }

    #[inline(always)]
    fn finish(
        &mut self,
        simd: S,
        setup: &Setup,
        done: S::M,
        numbers: &[u16; MOST_NARROW],
        counts: &mut LaneTally,
    ) {
        let (rules, done) = (&setup.rules, Mask { simd, m: done });
        let players = usize::from(rules.players);
        let mut trios = [[0; MOST_LANES]; SEATS];
        let mut counted = [self.counted[0].to_arrays(); SEATS];
        for seat in 0..SEATS {
            trios[seat] = self.vaults[seat].trios().to_array();
            counted[seat] = self.counted[seat].to_arrays();
        }
        let (turns, last) = (self.turn.to_array(), self.seat.to_array());
        let traced = self.trace.numbers().map(Lane::to_array);
        let mut left = done.bits();
        while left != 0 {
            let lane = left.trailing_zeros() as usize % MOST_LANES;
            left &= left - 1;
            let (length, last) = (u32::from(turns[lane]), usize::from(last[lane]));
            let is_won = trios[0][lane] >= rules.trios.into();
            let ending = if is_won { WON } else { CAPPED };
            counts.add_game(
                numbers[lane],
                length,
                ending,
                Trace::<S>::joined(traced.map(|numbers| numbers[lane])),
            );
            for seat in 0..players {
                let place = (seat + players - last) % players;
                let turns = (length as usize + players - 1 - seat) / players;
                let aside = &mut self.counted_aside[seat % SEATS][lane];
                let lanes = &counted[seat % SEATS];
                let values = [
                    (WIN, u32::from(is_won && place == 0)),
                    (TURNS, u32::try_from(turns).unwrap_or(u32::MAX)),
                    (ROLLS, u32::from(lanes.rolls[lane]) + aside.rolls),
                    (BUSTS, u32::from(lanes.busts[lane]) + aside.busts),
                    (STEALS, u32::from(lanes.steals[lane]) + aside.steals),
                    (TRIOS, u32::from(trios[place % SEATS][lane])),
                ];
                counts.add_seat(seat, values);
            }
        }
        if self.aside & done.bits() != 0 {
            for aside in &mut self.counted_aside {
                for (lane, aside) in aside.iter_mut().enumerate() {
                    if done.bits() >> lane & 1 == 1 {
                        *aside = Counted { rolls: 0, busts: 0, steals: 0 };
                    }
                }
            }
            self.aside &= !done.bits();
        }

        let none = Lane::splat(simd, 0);
        for vault in &mut self.vaults {
            for plane in &mut vault.0.0 {
                *plane = plane.zero_where(done);
            }
        }
        self.bank = Piles::select(done, Self::full_bank(none, rules), self.bank);
        self.counter = self.counter.zero_where(done);
        if setup.answers {
            self.trace.restart(done);
        }
        self.seat = self.seat.zero_where(done);
        self.turn = Lane::select(done, none.alike(1), self.turn);
        for counted in &mut self.counted {
            *counted = counted.zero_where(done);
        }
    }
}
