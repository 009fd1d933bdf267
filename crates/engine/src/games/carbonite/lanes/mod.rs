//! The turn on lanes: `steps.rs` without branches, function for function.
//!
//! Where the rules take one of two ways, the lanes take both. A mask says which lanes went which way, and what must
//! not happen in a lane happens to no piece: `keep(mask, pieces)` is the set of pieces where the mask holds and
//! the empty set elsewhere, and moving the empty set changes nothing.

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
use super::{Atom, Carbonite, MARK, Retribution, STOP, TAKE, VaultMatch};
use crate::lanes::simd::{Machine, Simd};
use crate::lanes::{Dice, LaneGame, LanePolicy, Streams, Table, drive};
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
        let setup = Setup::new(simd, self, &lineup[0]);
        drive::<M::Wide, P, Games<M::Wide>, 1>(simd, &setup, lineup, keys, next, counts);
    }
}

/// The rules as tables of what a turn or a face stands for.
#[derive(Clone, Copy, Debug)]
struct Tables {
    rules: Carbonite,
    /// The types of each face of the colour die; none for the Atom.
    colours: [u16; 32],
    /// The types of each face of the pyramid die.
    sizes: [u16; 32],
    /// The types that can mark each turn.
    markers: [u16; 32],
    /// All types for the turns whose marker will be given back.
    returns: [u16; 32],
    /// A bit for each turn.
    turn_bits: [u16; 32],
}

impl Tables {
    fn new(rules: &Carbonite) -> Self {
        let none = [0; 32];
        let mut tables =
            Self { rules: *rules, colours: none, sizes: none, markers: none, returns: none, turn_bits: none };
        for (face, colour) in (0..u32::from(rules.colours)).zip(&mut tables.colours) {
            *colour = pieces::of_colour(face);
        }
        for (face, sizes) in (0..6).zip(&mut tables.sizes) {
            *sizes = pieces::of_sizes(pyramid_face(face));
        }
        for turn in 1..=rules.turns {
            let at = usize::from(turn);
            tables.markers[at] = pieces::of_size(marker_size(turn));
            tables.returns[at] = if rules.gives_back(turn) { ALL } else { 0 };
            tables.turn_bits[at] = 1 << (turn - 1);
        }
        tables
    }
}

/// What does not change from game to game.
#[derive(Debug)]
pub struct Setup<S: Simd> {
    tables: Tables,
    /// Just before the first roll: the first marker is chosen without dice.
    start: Games<S>,
}

impl<S: Simd> Setup<S> {
    #[inline(always)]
    fn new<P: LanePolicy>(simd: S, rules: &Carbonite, policy: &P) -> Self {
        let tables = Tables::new(rules);
        let none = simd.splat(0);
        let all = (1 << (3 * rules.colours)) - 1;
        let mut start = Games {
            bank: LanePlanes::splat(simd, Planes::filled(all, rules.copies)),
            vault: LanePlanes { one: none, two: none },
            counter: none,
            turn: none,
            marker: none,
            ending: none,
            rolls: none,
            vault_matches: none,
            bust_turns: none,
        };
        start.next_turn(simd, &tables, policy, simd.eq(none, none));
        Self { tables, start }
    }
}

/// [`State`](super::State), a lane each, and what a recorder would count.
#[derive(Clone, Copy, Debug)]
pub struct Games<S: Simd> {
    bank: LanePlanes<S::V>,
    vault: LanePlanes<S::V>,
    counter: S::V,
    turn: S::V,
    /// The piece type of the marker that will be given back, if one will.
    marker: S::V,
    ending: S::V,
    rolls: S::V,
    vault_matches: S::V,
    /// A bit for each turn that ended in a bomb-out.
    bust_turns: S::V,
}

impl<S: Simd> Games<S> {
    #[inline(always)]
    fn view<'v>(&'v self, simd: S, rules: &'v Carbonite, kind: usize, asked: S::M) -> View<'v, S> {
        View { simd, rules, games: self, kind, asked, from_vault: simd.mask(0) }
    }

    /// The Counter goes to the Vault.
    #[inline(always)]
    fn stash(&mut self, simd: S, stopped: S::M) {
        self.vault = self.vault.with(simd, simd.keep(stopped, self.counter));
    }

    /// Begins the next turn in the lanes of `over`, or ends the game; the lanes in which it ended.
    #[inline(always)]
    fn next_turn<P: LanePolicy>(&mut self, simd: S, tables: &Tables, policy: &P, over: S::M) -> S::M {
        let completed = simd.both(over, simd.eq(self.turn, simd.splat(tables.rules.turns.into())));
        let begun = simd.but_not(over, completed);
        self.turn = simd.add(self.turn, simd.keep(begun, simd.splat(1)));
        let markers = simd.keep(begun, simd.and(self.bank.one, simd.lookup(&tables.markers, self.turn)));
        let no_marker = simd.both(begun, simd.eq(markers, simd.splat(0)));
        self.ending = simd.select(no_marker, simd.splat(NO_MARKER.into()), self.ending);
        let asked = simd.but_not(begun, no_marker);
        let piece = policy.prefer(simd, MARK, &self.view(simd, &tables.rules, MARK, asked), markers);
        let bank = self.bank.without(simd, piece).with(simd, simd.keep(begun, self.marker));
        // Where the game ended for want of a marker nobody looks at the Bank again.
        self.bank = bank;
        let marker = simd.and(piece, simd.lookup(&tables.returns, self.turn));
        self.marker = simd.select(begun, marker, self.marker);
        simd.either(completed, no_marker)
    }
}

impl<S: Simd> Table<S, 1> for Games<S> {
    type Setup = Setup<S>;
    type Counts = CarboniteCounts;

    #[inline(always)]
    fn start(_: S, setup: &Setup<S>) -> Self {
        setup.start
    }

    #[inline(always)]
    fn dice(setup: &Setup<S>) -> Dice {
        Dice { first: u16::from(setup.tables.rules.colours) + 1, second: Some(6) }
    }

    #[inline(always)]
    fn step<P: LanePolicy>(
        &mut self,
        simd: S,
        setup: &Setup<S>,
        lineup: &[P],
        streams: &mut Streams<S, 1>,
        roll: usize,
        active: S::M,
    ) -> S::M {
        let (policy, tables) = (&lineup[0], &setup.tables);
        let rules = &tables.rules;
        let none = simd.splat(0);
        let never = simd.mask(0);

        // resolve: both dice.
        let [colour_face, size_face] = streams.roll(simd, Self::dice(setup), roll, &[none]);
        self.rolls = simd.add(self.rolls, simd.keep(active, simd.splat(1)));
        let colour = simd.lookup(&tables.colours, colour_face);
        let sizes = simd.lookup(&tables.sizes, size_face);
        let is_atom = simd.eq(colour_face, simd.splat(rules.colours.into()));
        // No piece has the Atom's colour, so that it never bombs out.
        let bombs = simd.both(active, simd.meets(self.counter, colour));
        let atom_ends_turn = if rules.atom == Atom::Bust { simd.both(active, is_atom) } else { never };
        let is_matched = simd.but_not(
            simd.but_not(active, bombs),
            match rules.atom {
                Atom::Choice => never,
                Atom::Reroll | Atom::Bust => is_atom,
            },
        );
        let wanted = match rules.atom {
            Atom::Choice => {
                let free = simd.and_not(simd.splat(ALL), whole_colours(simd, self.counter));
                simd.select(is_atom, free, colour)
            }
            Atom::Reroll | Atom::Bust => colour,
        };

        // match_one: the candidates, and the piece among them.
        let matchable = match rules.vault_match {
            VaultMatch::NoMatch => self.bank.one,
            _ => simd.or(self.bank.one, self.vault.one),
        };
        let shown = simd.and(wanted, sizes);
        let candidates = simd.keep(is_matched, simd.and(shown, matchable));
        let no_match = simd.both(is_matched, simd.eq(candidates, none));
        let asked = simd.but_not(is_matched, no_match);
        let piece = policy.prefer(simd, TAKE, &self.view(simd, rules, TAKE, asked), candidates);

        // bomb_out: what must be removed.
        let bombed = simd.keep(bombs, shown);
        let removable = simd.and(bombed, simd.or(self.bank.one, self.counter));
        let (fails, removed) = match rules.retribution {
            // Something must be removed that cannot be.
            Retribution::All => (simd.meets(simd.and_not(bombed, removable), bombed), removable),
            Retribution::Any => (simd.both(bombs, simd.eq(removable, none)), removable),
            Retribution::None => (never, none),
        };

        // Either way a piece comes from the Bank if one is there: to the Counter, or to the Chamber.
        let moved = simd.or(piece, removed);
        let from_vault = simd.and_not(piece, self.bank.one);
        let from_counter = simd.and_not(removed, self.bank.one);
        self.bank = self.bank.without(simd, simd.and(moved, self.bank.one));
        self.vault = self.vault.without(simd, from_vault);
        self.counter = simd.and_not(simd.or(self.counter, piece), from_counter);
        let is_from_vault = simd.meets(from_vault, from_vault);
        self.vault_matches = simd.add(self.vault_matches, simd.keep(is_from_vault, simd.splat(1)));

        // The question whether to stop.
        let forced = if rules.vault_match == VaultMatch::ForcedRoll { is_from_vault } else { never };
        let asked = simd.but_not(asked, forced);
        let view = View { from_vault: is_from_vault, ..self.view(simd, rules, STOP, asked) };
        let stops = policy.yes(simd, STOP, &view);
        let stopped = simd.both(asked, stops);
        self.stash(simd, stopped);

        // lose_counter: what is left on the Counter goes to the Bank.
        let busts = simd.either(bombs, atom_ends_turn);
        let lost = simd.but_not(busts, fails);
        self.bank = self.bank.with(simd, simd.keep(lost, self.counter));
        let turn_bit = simd.lookup(&tables.turn_bits, self.turn);
        self.bust_turns = simd.or(self.bust_turns, simd.keep(busts, turn_bit));

        let over = simd.either(stopped, lost);
        self.counter = simd.select(over, none, self.counter);
        let failed = simd.select(fails, simd.splat(NO_RETRIBUTION.into()), none);
        let ending = simd.select(no_match, simd.splat(NO_MATCH.into()), failed);
        self.ending = simd.select(active, ending, self.ending);
        let ended = self.next_turn(simd, tables, policy, over);
        simd.either(ended, simd.either(no_match, fails))
    }

    #[inline(always)]
    fn finish(&mut self, simd: S, setup: &Setup<S>, done: S::M, counts: &mut CarboniteCounts) {
        counts.add(simd, self, done);
        let start = &setup.start;
        let select = |a: S::V, b: S::V| simd.select(done, a, b);
        *self = Self {
            bank: LanePlanes::select(simd, done, start.bank, self.bank),
            vault: LanePlanes::select(simd, done, start.vault, self.vault),
            counter: select(start.counter, self.counter),
            turn: select(start.turn, self.turn),
            marker: select(start.marker, self.marker),
            ending: self.ending,
            rolls: select(start.rolls, self.rolls),
            vault_matches: select(start.vault_matches, self.vault_matches),
            bust_turns: select(start.bust_turns, self.bust_turns),
        };
    }
}
