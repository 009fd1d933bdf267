//! The turn on lanes: `steps.rs` without branches, function for function.
//!
//! Where the rules take one of two ways, the lanes take both. A mask says which lanes went which way, and what must
//! not happen in a lane happens to no piece: `zero_unless(mask, pieces)` is the set of pieces where the mask holds and
//! the empty set elsewhere, and moving the empty set changes nothing.
//!
//! Lanes are of 16 bits, because a set of its piece types has 15. What a policy rarely asks for is computed by the
//! rules themselves, lane by lane. Questions see copies of the fields: behind a reference they would be written to
//! memory before every question, looked at or not.
//!
//! The options that a step asks for are constants where both published texts agree, and a policy that prefers
//! nothing is compiled as one that takes the first candidate: masks that passed a branch on the rules would be
//! moved to scalar registers and back.

mod counts;
mod planes;
mod words;

use std::ops::Range;

pub use counts::CarboniteCounts;
use planes::{LanePlanes, whole_colours};
use words::View;

use super::dice::pyramid_face;
use super::pieces::{self, ALL, Planes};
use super::state::{NO_MARKER, NO_MATCH, NO_RETRIBUTION};
use super::steps::marker_size;
use super::words::FACES_MISSING;
use super::{Atom, Carbonite, MARK, Retribution, STOP, TAKE, VaultMatch};
use crate::lanes::simd::{Machine, Vector16};
use crate::lanes::{Dice, FirstCandidate, LaneGame, LanePolicy, Streams, Table, drive};
use crate::stream::Keys;

impl LaneGame for Carbonite {
    type Counts = CarboniteCounts;

    #[inline(always)]
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

#[inline(always)]
fn play<S: Vector16, P: LanePolicy, const PUBLISHED: bool>(
    simd: S,
    rules: &Carbonite,
    policy: &P,
    keys: &Keys,
    next: impl FnMut(&mut CarboniteCounts) -> Range<u64>,
    counts: &mut CarboniteCounts,
) {
    let setup = Setup::new(simd, rules, policy);
    let lineup = std::slice::from_ref(policy);
    drive::<S, P, Games<S, PUBLISHED>, 1>(simd, &setup, lineup, keys, next, counts);
}

/// The rules, with the options that the steps of a turn ask for as constants if `PUBLISHED`: as both published texts
/// have them. (Asked at every roll, they send the masks from one branch to the next by way of the registers for
/// numbers. With that, and asked for preferences that it does not have, `first` plays a third fewer games with AVX-512,
/// `tidy` 4 % fewer.)
#[inline(always)]
fn with_options<const PUBLISHED: bool>(rules: &Carbonite) -> Carbonite {
    if !PUBLISHED {
        return *rules;
    }
    let Carbonite { retribution, atom, vault_match, .. } = Carbonite::WIKI;
    Carbonite { retribution, atom, vault_match, ..*rules }
}

/// The rules as tables of what a turn or a face stands for, each held twice.
#[derive(Clone, Copy, Debug)]
struct Tables {
    rules: Carbonite,
    /// The types that each face of the colour die wants; for the Atom all of them, unless it stands for none.
    wanted: LookUp,
    /// The types on the Counter with which each face bombs out; none for the Atom, which never does.
    bombing: LookUp,
    /// The types of each face of the pyramid die.
    sizes: LookUp,
    /// The types that can mark each turn; none for the turn after the last.
    markers: LookUp,
    /// All types for the turns in which the marker of the turn before is given back.
    returns: LookUp,
    /// The bit of [`Games::record`] for a bomb-out in each turn.
    bust_bits: LookUp,
    /// How many faces of the pyramid die end the game: by what can be matched of a colour, as three bits; eight more by
    /// what can be removed.
    ending_faces: LookUp,
}

/// Sixteen entries, twice: see [`Vector16::lookup_16`].
type LookUp = [u16; 32];

impl Tables {
    fn new(rules: &Carbonite) -> Self {
        let twice = |entry: &dyn Fn(u8) -> u16| {
            std::array::from_fn(|at| (0..16).map(entry).nth(at % 16).unwrap_or(0))
        };
        let is_colour = |face: u8| face < rules.colours;
        let is_atom = |face: u8| face == rules.colours;
        let is_turn = |turn: u8| (1..=rules.turns).contains(&turn);
        let (missing, failing) = (FACES_MISSING, rules.failing_faces());
        Self {
            rules: *rules,
            ending_faces: twice(&|sizes| {
                let faces = if sizes < 8 { missing } else { failing };
                faces[usize::from(sizes % 8)].into()
            }),
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

/// What does not change from game to game.
#[derive(Debug)]
pub struct Setup<S: Vector16, const PUBLISHED: bool> {
    tables: Tables,
    /// Just before the first roll: the first marker is chosen without dice.
    start: Games<S, PUBLISHED>,
}

impl<S: Vector16, const PUBLISHED: bool> Setup<S, PUBLISHED> {
    #[inline(always)]
    fn new<P: LanePolicy>(simd: S, rules: &Carbonite, policy: &P) -> Self {
        let tables = Tables::new(rules);
        let none = simd.splat(0);
        let all = (1 << (3 * rules.colours)) - 1;
        let mut start = Games {
            bank: LanePlanes::splat(simd, Planes::filled(all, rules.copies)),
            vault: LanePlanes { one: none, two: none },
            counter: none,
            marker: none,
            record: none,
            counted: none,
        };
        start.next_turn(simd, &tables, policy, simd.eq(none, none));
        Self { tables, start }
    }
}

/// [`State`](super::State), a lane each, and what a recorder would count; whether the options are the published ones.
#[derive(Clone, Copy, Debug)]
pub struct Games<S: Vector16, const PUBLISHED: bool> {
    bank: LanePlanes<S::V>,
    vault: LanePlanes<S::V>,
    counter: S::V,
    /// The piece type that marks the turn.
    marker: S::V,
    /// ```text
    /// bits 15 … 6                         5 4      3 … 0
    ///      turns that ended in a bomb-out ending   turn
    /// ```
    ///
    /// A game that is completed ends like one whose next turn cannot be marked: in the turn after the last.
    record: S::V,
    /// ```text
    /// bits 15 … 10                 9 … 0
    ///      matches from the Vault  rolls
    /// ```
    ///
    /// There are at most five matches a turn. Only rerolled Atoms make the rolls more than sixty, and a thousand of
    /// them more likely never than once in 10⁴⁰⁰ games.
    counted: S::V,
}

const RECORD_ENDING: u32 = 4;
const RECORD_BUSTS: u32 = 6;
const COUNTED_MATCHES: u32 = 10;

impl<S: Vector16, const PUBLISHED: bool> Games<S, PUBLISHED> {
    #[inline(always)]
    fn view<'v>(&self, simd: S, tables: &'v Tables, kind: usize, asked: S::M) -> View<'v, S> {
        View::new(simd, tables, self, kind, asked)
    }

    /// Where the mask holds, the game has ended in this way.
    #[inline(always)]
    fn end(&mut self, simd: S, ended: S::M, ending: u8) {
        let ending = simd.splat(u16::from(ending) << RECORD_ENDING);
        self.record = simd.add(self.record, simd.zero_unless(ended, ending));
    }

    /// Begins the next turn in the lanes of `over`, or ends the game; the lanes in which it ended.
    #[inline(always)]
    fn next_turn<P: LanePolicy>(&mut self, simd: S, tables: &Tables, policy: &P, over: S::M) -> S::M {
        self.record = simd.add(self.record, simd.zero_unless(over, simd.splat(1)));
        let markers = simd.zero_unless(over, simd.lookup_16(&tables.markers, self.record));
        let markers = simd.and(markers, self.bank.one);
        let begun = simd.meets(markers, markers);
        let ended = simd.mask_and_not(over, begun);
        let piece = policy.prefer(simd, MARK, &self.view(simd, tables, MARK, begun), markers);
        let returned = simd.zero_unless(over, simd.lookup_16(&tables.returns, self.record));
        // Where the game ended for want of a marker nobody looks at the Bank again.
        self.bank = self.bank.without(simd, piece).with(simd, simd.and(returned, self.marker));
        self.marker = simd.select(over, piece, self.marker);
        self.end(simd, ended, NO_MARKER);
        ended
    }
}

impl<S: Vector16, const PUBLISHED: bool> Table<S, 1> for Games<S, PUBLISHED> {
    type Setup = Setup<S, PUBLISHED>;
    type Counts = CarboniteCounts;

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
        let none = simd.splat(0);
        let never = simd.mask(0);
        let before = *self;
        let mut now = before;

        // resolve: both dice.
        let [colour_face, size_face] = streams.roll(simd, Self::dice(setup), roll, &[none]);
        now.counted = simd.add(now.counted, simd.zero_unless(active, simd.splat(1)));
        let sizes = simd.lookup_16(&tables.sizes, size_face);
        let bombing = simd.lookup_16(&tables.bombing, colour_face);
        let bombs = simd.mask_and(active, simd.meets(before.counter, bombing));

        // match_one: the candidates, and the piece among them. The Atom wants the colours that are not on the Counter;
        // a colour that is there is not wanted but bombs out.
        let wanted = simd.and(simd.lookup_16(&tables.wanted, colour_face), sizes);
        let wanted = simd.and_not(wanted, whole_colours(simd, before.counter));
        let matchable = match rules.vault_match {
            VaultMatch::NoMatch => before.bank.one,
            _ => simd.or(before.bank.one, before.vault.one),
        };
        let matchable = simd.and(matchable, simd.zero_unless(active, simd.splat(ALL)));
        let candidates = simd.and(wanted, matchable);
        let is_atom = simd.eq(colour_face, simd.splat(rules.colours.into()));
        let matches = simd.meets(candidates, candidates);
        let misses = simd.mask_and_not(simd.mask_and_not(active, bombs), matches);
        let (no_match, busts) = match rules.atom {
            Atom::Choice => (misses, bombs),
            Atom::Reroll => (simd.mask_and_not(misses, is_atom), bombs),
            Atom::Bust => {
                (simd.mask_and_not(misses, is_atom), simd.mask_or(bombs, simd.mask_and(active, is_atom)))
            }
        };
        let piece = policy.prefer(simd, TAKE, &before.view(simd, tables, TAKE, matches), candidates);
        let from_vault = simd.and_not(piece, before.bank.one);
        let is_from_vault = simd.meets(from_vault, from_vault);
        let matched = simd.zero_unless(is_from_vault, simd.splat(1 << COUNTED_MATCHES));
        now.counted = simd.add(now.counted, matched);

        // bomb_out: what must be removed.
        let bombed = simd.zero_unless(bombs, simd.and(bombing, sizes));
        let removable = simd.or(before.bank.one, before.counter);
        let (fails, removed) = match rules.retribution {
            // Something must be removed that cannot be.
            Retribution::All => {
                let missing = simd.and_not(bombed, removable);
                (simd.meets(missing, missing), bombed)
            }
            Retribution::Any => (simd.mask_and_not(bombs, simd.meets(bombed, removable)), bombed),
            Retribution::None => (never, none),
        };

        // Either way a piece comes from the Bank if one is there: to the Counter, or to the Chamber.
        let from_counter = simd.and_not(removed, before.bank.one);
        now.bank = before.bank.without(simd, simd.or(piece, removed));
        now.vault = before.vault.without(simd, from_vault);
        now.counter = simd.and_not(simd.or(before.counter, piece), from_counter);

        // The question whether to stop.
        let asked = match rules.vault_match {
            VaultMatch::ForcedRoll => simd.meets(piece, before.bank.one),
            _ => matches,
        };
        let view = now.view(simd, tables, STOP, asked).with_from_vault(is_from_vault);
        let stopped = simd.mask_and(asked, policy.yes(simd, STOP, &view));

        // stash: the Counter goes to the Vault; lose_counter: what is left on it goes to the Bank.
        let lost = simd.mask_and_not(busts, fails);
        let (stashed, returned) =
            (simd.zero_unless(stopped, now.counter), simd.zero_unless(lost, now.counter));
        now.vault = now.vault.with(simd, stashed);
        now.bank = now.bank.with(simd, returned);
        now.counter = simd.and_not(simd.and_not(now.counter, stashed), returned);

        let bust_bits = simd.zero_unless(busts, simd.lookup_16(&tables.bust_bits, now.record));
        now.record = simd.add(now.record, bust_bits);
        now.end(simd, fails, NO_RETRIBUTION);
        now.end(simd, no_match, NO_MATCH);
        let ended = now.next_turn(simd, tables, policy, simd.mask_or(stopped, lost));
        *self = now;
        simd.mask_or(ended, simd.mask_or(no_match, fails))
    }

    #[inline(always)]
    fn finish(&mut self, simd: S, setup: &Setup<S, PUBLISHED>, done: S::M, counts: &mut CarboniteCounts) {
        counts.add(simd, self, done);
        let start = &setup.start;
        let select = |a: S::V, b: S::V| simd.select(done, a, b);
        *self = Self {
            bank: LanePlanes::select(simd, done, start.bank, self.bank),
            vault: LanePlanes::select(simd, done, start.vault, self.vault),
            counter: select(start.counter, self.counter),
            marker: select(start.marker, self.marker),
            record: select(start.record, self.record),
            counted: select(start.counted, self.counted),
        };
    }
}
