//! The turn on lanes: `steps.rs` without branches, function for function.
//!
//! Where the rules branch, the lanes compute both branches, and a mask says which lanes take which. A branch that a
//! lane does not take moves the empty set of pieces there: `zero_unless(mask, pieces)` is `pieces` where the mask holds
//! and the empty set elsewhere, and moving the empty set changes nothing.
//!
//! Lanes have 16 bits, because a set of piece types has 15. What policies rarely ask for is computed by the scalar
//! rules, lane by lane. Questions receive copies of the fields: behind a reference the fields would be written to
//! memory before every question, even if nothing reads them.
//!
//! Options that a step reads are constants where both published rule texts agree, and a policy without preferences is
//! compiled as one that takes the first candidate: masks that live across a branch on the rules would be moved to
//! scalar registers and back.

mod counts;
mod words;

use std::ops::Range;

pub use counts::CarboniteCounts;
use words::{LanePiles, View};

use super::state::{NO_MARKER, NO_MATCH, NO_RETRIBUTION};
use super::steps::marker_size;
use super::{Atom, Carbonite, MARK, Retribution, STOP, TAKE, VaultMatch};
use crate::bitboard::{Bitboard, Truth};
use crate::games::pyramids::pieces::{self, ALL, whole_colours};
use crate::games::pyramids::piles::{Piles, Planes};
use crate::games::pyramids::pyramid_face;
use crate::games::pyramids::stack::LaneStack;
use crate::lanes::simd::{MOST_NARROW, Machine, Vector16};
use crate::lanes::{
    Dice, FirstCandidate, Lane, LaneGame, LanePolicy, LaneState, Mask, Streams, Trace, drive,
};
use crate::stream::Keys;

impl LaneGame for Carbonite {
    type Counts = CarboniteCounts;

    fn play<M: Machine, P: LanePolicy>(
        &self,
        machine: M,
        lineup: &[P],
        keys: &Keys,
        next: impl FnMut(&mut CarboniteCounts) -> Range<u64>,
        counts: &mut CarboniteCounts,
    ) {
        let simd = machine.wide();
        let policy = &lineup[0];
        match (with_options::<true>(self) == *self, policy.prefers()) {
            (true, false) => play::<_, _, true>(simd, self, &FirstCandidate(policy), keys, next, counts),
            (true, true) => play::<_, _, true>(simd, self, policy, keys, next, counts),
            (false, _) => play::<_, _, false>(simd, self, policy, keys, next, counts),
        }
    }
}

fn play<S: Vector16, P: LanePolicy, const PUBLISHED: bool>(
    simd: S,
    rules: &Carbonite,
    policy: &P,
    keys: &Keys,
    next: impl FnMut(&mut CarboniteCounts) -> Range<u64>,
    counts: &mut CarboniteCounts,
) {
    let lineup = std::slice::from_ref(policy);
    drive::<S, P, Games<S, PUBLISHED>, 1>(simd, rules, lineup, keys, next, counts);
}

/// The rules. With `PUBLISHED` the options that a turn's steps read are constants, with the values of both published
/// texts. (Read at run time at every roll, they make the masks pass through scalar registers from one branch to the
/// next. With that, and with questions about preferences that it does not have, `first` plays a third fewer games with
/// AVX-512, `tidy` 4 % fewer.)
#[inline(always)]
fn with_options<const PUBLISHED: bool>(rules: &Carbonite) -> Carbonite {
    if !PUBLISHED {
        return *rules;
    }
    let Carbonite { retribution, atom, vault_match, .. } = Carbonite::WIKI;
    Carbonite { retribution, atom, vault_match, ..*rules }
}

/// Look-up tables of the rules by turn or by face. Each table stands twice in its array.
#[derive(Clone, Copy, Debug)]
struct Tables {
    rules: Carbonite,
    /// The types that each face of the colour die allows; for the Atom all types, or none if it does not stand for a
    /// colour.
    wanted: LookUp,
    /// The types on the Counter with which each face is a bomb-out; none for the Atom, which is never one.
    bombing: LookUp,
    /// The types of each face of the pyramid die.
    sizes: LookUp,
    /// The types that can mark each turn; none for the turn after the last.
    markers: LookUp,
    /// All types for the turns in which the marker of the turn before is given back.
    returns: LookUp,
    /// The bit of [`Games::record`] for a bomb-out in each turn.
    bust_bits: LookUp,
}

/// Sixteen entries, stored twice: see [`Vector16::lookup_16`].
type LookUp = [u16; 32];

impl Tables {
    fn new(rules: &Carbonite) -> Self {
        let twice = |entry: &dyn Fn(u8) -> u16| {
            std::array::from_fn(|at| (0..16).map(entry).nth(at % 16).unwrap_or(0))
        };
        let is_colour = |face: u8| face < rules.colours;
        let is_atom = |face: u8| face == rules.colours;
        let is_turn = |turn: u8| (1..=rules.turns).contains(&turn);
        Self {
            rules: *rules,
            wanted: twice(&|face| match rules.atom {
                Atom::Choice if is_atom(face) => ALL,
                _ if is_colour(face) => pieces::of_colour(face.into()),
                _ => 0,
            }),
            bombing: twice(&|face| if is_colour(face) { pieces::of_colour(face.into()) } else { 0 }),
            sizes: twice(&|face| if face < 6 { pieces::of_sizes(pyramid_face(face.into())) } else { 0 }),
            markers: twice(&|turn| if is_turn(turn) { pieces::of_size(marker_size(turn)) } else { 0 }),
            returns: twice(&|turn| {
                if turn > 1 && is_turn(turn) && rules.gives_back(turn - 1) { ALL } else { 0 }
            }),
            bust_bits: twice(&|turn| {
                if is_turn(turn) { 1 << (RECORD_BUSTS + u32::from(turn) - 1) } else { 0 }
            }),
        }
    }
}

/// Values that do not change from game to game.
#[derive(Debug)]
pub struct Setup<S: Vector16, const PUBLISHED: bool> {
    tables: Tables,
    /// Whether the answers are noted.
    answers: bool,
    /// The state just before the first roll: the first marker is chosen without dice.
    start: Games<S, PUBLISHED>,
}

impl<S: Vector16, const PUBLISHED: bool> Setup<S, PUBLISHED> {
    #[inline(always)]
    fn new<P: LanePolicy>(simd: S, rules: &Carbonite, policy: &P, answers: bool) -> Self {
        let tables = Tables::new(rules);
        let none = Lane::splat(simd, 0);
        let all = (1 << (3 * rules.colours)) - 1;
        let bank = Planes::filled(all, rules.copies);
        let mut start = Games {
            bank: Piles(LaneStack([none.alike(bank.one()), none.alike(bank.two())])),
            vault: Piles(LaneStack([none; 2])),
            counter: none,
            marker: none,
            record: none,
            counted: none,
            trace: Trace::new(none),
        };
        start.next_turn(simd, &tables, policy, none.is(none));
        Self { tables, answers, start }
    }
}

/// One game per lane: its [`State`](super::State) and the counts of a recorder. `PUBLISHED` says whether the options
/// are the published ones.
#[derive(Clone, Copy, Debug)]
pub struct Games<S: Vector16, const PUBLISHED: bool> {
    bank: LanePiles<S>,
    vault: LanePiles<S>,
    counter: Lane<S>,
    /// The piece type that marks the turn.
    marker: Lane<S>,
    /// ```text
    /// bits 15 … 6                         5 4      3 … 0
    ///      turns that ended in a bomb-out ending   turn
    /// ```
    ///
    /// A completed game is stored like a game whose next turn cannot be marked: with the turn after its last one.
    record: Lane<S>,
    /// ```text
    /// bits 15 … 10                 9 … 0
    ///      matches from the Vault  rolls
    /// ```
    ///
    /// There are at most five matches per turn. There are more than sixty rolls only if the Atom is rerolled, and the
    /// probability of more than a thousand is below 10⁻⁴⁰⁰.
    counted: Lane<S>,
    /// The answers, if they are noted.
    trace: Trace<S>,
}

const RECORD_ENDING: u32 = 4;
const RECORD_BUSTS: u32 = 6;
const COUNTED_MATCHES: u32 = 10;

impl<S: Vector16, const PUBLISHED: bool> Games<S, PUBLISHED> {
    #[inline(always)]
    fn view<'v>(&self, simd: S, tables: &'v Tables, kind: usize, asked: Mask<S>) -> View<'v, S> {
        View::new(simd, tables, self, kind, asked)
    }

    /// Ends the game in the lanes of the mask, with this ending.
    #[inline(always)]
    fn end(&mut self, ended: Mask<S>, ending: u8) {
        let ending = self.record.alike(u16::from(ending) << RECORD_ENDING);
        self.record = self.record + ending.zero_unless(ended);
    }

    /// Begins the next turn in the lanes of `over`, or ends the game there. Returns the lanes whose game ended.
    #[inline(always)]
    fn next_turn<P: LanePolicy>(&mut self, simd: S, tables: &Tables, policy: &P, over: Mask<S>) -> Mask<S> {
        self.record = self.record + self.record.alike(1).zero_unless(over);
        let markers = self.record.look_up(&tables.markers).zero_unless(over) & self.bank.any();
        let begun = markers.is_some();
        let ended = over.and_not(begun);
        let piece = policy.prefer(simd, MARK, &self.view(simd, tables, MARK, begun), markers.v);
        let piece = Lane::new(simd, piece);
        let returned = self.record.look_up(&tables.returns).zero_unless(over);
        // Where the game ended for want of a marker nobody looks at the Bank again.
        self.bank = self.bank.without(piece).with(returned & self.marker);
        self.marker = Lane::select(over, piece, self.marker);
        self.end(ended, NO_MARKER);
        ended
    }
}

impl<S: Vector16, const PUBLISHED: bool> LaneState<S, 1> for Games<S, PUBLISHED> {
    type Rules = Carbonite;
    type Setup = Setup<S, PUBLISHED>;
    type Counts = CarboniteCounts;

    #[inline(always)]
    fn prepare<P: LanePolicy>(
        simd: S,
        rules: &Carbonite,
        lineup: &[P],
        answers: bool,
    ) -> Setup<S, PUBLISHED> {
        Setup::new(simd, rules, &lineup[0], answers)
    }

    #[inline(always)]
    fn start(_: S, setup: &Setup<S, PUBLISHED>) -> Self {
        setup.start
    }

    #[inline(always)]
    fn dice(setup: &Setup<S, PUBLISHED>) -> Dice {
        Dice { first: u16::from(setup.tables.rules.colours) + 1, second: Some(6) }
    }

    #[inline(always)]
    fn step<P: LanePolicy>(
        &mut self,
        simd: S,
        setup: &Setup<S, PUBLISHED>,
        lineup: &[P],
        streams: &mut Streams<S, 1>,
        roll: usize,
        active: S::M,
    ) -> S::M {
        let (policy, tables) = (&lineup[0], &setup.tables);
        let rules = with_options::<PUBLISHED>(&tables.rules);
        let before = *self;
        let mut now = before;
        let active = Mask { simd, m: active };
        let none = Lane::splat(simd, 0);
        let never = Mask::of_bits(simd, 0);

        // resolve: both dice.
        let [colour_face, size_face] = streams.roll(simd, Self::dice(setup), roll, &[none.v]);
        let (colour_face, size_face) = (Lane::new(simd, colour_face), Lane::new(simd, size_face));
        now.counted = now.counted + none.alike(1).zero_unless(active);
        let sizes = size_face.look_up(&tables.sizes);
        let bombing = colour_face.look_up(&tables.bombing);
        let bombs = active & before.counter.meets(bombing);

        // match_one: the candidates, and the piece among them. The Atom wants the colours that are not on the Counter;
        // a colour that is there is not wanted but bombs out.
        let wanted = colour_face.look_up(&tables.wanted) & sizes;
        let wanted = wanted.and_not(whole_colours(before.counter));
        let matchable = match rules.vault_match {
            VaultMatch::NoMatch => before.bank.any(),
            _ => before.bank.any() | before.vault.any(),
        };
        let matchable = matchable & none.alike(ALL).zero_unless(active);
        let candidates = wanted & matchable;
        let is_atom = colour_face.is(none.alike(rules.colours.into()));
        let matches = candidates.is_some();
        let misses = active.and_not(bombs).and_not(matches);
        let (no_match, busts) = match rules.atom {
            Atom::Choice => (misses, bombs),
            Atom::Reroll => (misses.and_not(is_atom), bombs),
            Atom::Bust => (misses.and_not(is_atom), bombs | (active & is_atom)),
        };
        let view = before.view(simd, tables, TAKE, matches);
        let piece = Lane::new(simd, policy.prefer(simd, TAKE, &view, candidates.v));
        let from_vault = piece.and_not(before.bank.any());
        let is_from_vault = from_vault.is_some();
        now.counted = now.counted + none.alike(1 << COUNTED_MATCHES).zero_unless(is_from_vault);

        // bomb_out: what must be removed.
        let bombed = (bombing & sizes).zero_unless(bombs);
        let removable = before.bank.any() | before.counter;
        let (fails, removed) = match rules.retribution {
            // Something must be removed that cannot be.
            Retribution::All => (bombed.and_not(removable).is_some(), bombed),
            Retribution::Any => (bombs.and_not(bombed.meets(removable)), bombed),
            Retribution::None => (never, none),
        };

        // Either way a piece comes from the Bank if one is there: to the Counter, or to the Chamber.
        let from_counter = removed.and_not(before.bank.any());
        now.bank = before.bank.without(piece | removed);
        now.vault = before.vault.without(from_vault);
        now.counter = (before.counter | piece).and_not(from_counter);

        // The question whether to stop.
        let asked = match rules.vault_match {
            VaultMatch::ForcedRoll => piece.meets(before.bank.any()),
            _ => matches,
        };
        let view = now.view(simd, tables, STOP, asked).with_from_vault(is_from_vault);
        let stopped = asked & Mask { simd, m: policy.yes(simd, STOP, &view) };
        if setup.answers {
            // No piece has the highest bit.
            let answers = piece + none.alike(1 << 15).zero_unless(stopped);
            now.trace.note(answers, before.marker, active);
        }

        // stash: the Counter goes to the Vault; lose_counter: what is left on it goes to the Bank.
        let lost = busts.and_not(fails);
        let (stashed, returned) = (now.counter.zero_unless(stopped), now.counter.zero_unless(lost));
        now.vault = now.vault.with(stashed);
        now.bank = now.bank.with(returned);
        now.counter = now.counter.and_not(stashed).and_not(returned);

        now.record = now.record + now.record.look_up(&tables.bust_bits).zero_unless(busts);
        now.end(fails, NO_RETRIBUTION);
        now.end(no_match, NO_MATCH);
        let ended = now.next_turn(simd, tables, policy, stopped | lost);
        *self = now;
        (ended | (no_match | fails)).m
    }

    #[inline(always)]
    fn finish(
        &mut self,
        simd: S,
        setup: &Setup<S, PUBLISHED>,
        done: S::M,
        numbers: &[u16; MOST_NARROW],
        counts: &mut CarboniteCounts,
    ) {
        counts.add(simd, self, done, numbers);
        let (start, done) = (&setup.start, Mask { simd, m: done });
        *self = Self {
            bank: Piles::select(done, start.bank, self.bank),
            vault: Piles::select(done, start.vault, self.vault),
            counter: Lane::select(done, start.counter, self.counter),
            marker: Lane::select(done, start.marker, self.marker),
            record: Lane::select(done, start.record, self.record),
            counted: Lane::select(done, start.counted, self.counted),
            trace: self.trace,
        };
        if setup.answers {
            self.trace.restart(done);
        }
    }
}
