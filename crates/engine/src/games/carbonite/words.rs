//! The features, predicates and numbers of `CarboniteDice` for policies.

use super::state::NO_MARKER;
use super::{Atom, Carbonite, MARK, SOLO, STOP, State, TAKE, VaultMatch};
use crate::game::{Action, Actions, Question};
use crate::games::pyramids::pieces::{self, Types};
use crate::games::pyramids::piles::Planes;
use crate::vocabulary::{
    CandidateKey, CandidateNumber, Caution, Frequency, Masks, Predicate, Side, TableKey, Tabulation,
    Vocabulary,
};

/// The bit of memory behind the feature `vault_match`.
pub(super) const MEMORY_FROM_VAULT: u32 = 1;

/// The number of features that the table key fixes. They come first.
const QUICK_FEATURES: usize = 5;

/// The indices of the features that lanes compute for all lanes at once.
pub(super) mod feature {
    pub(in super::super) const TURN: usize = 0;
    pub(in super::super) const TURNS_LEFT: usize = 1;
    pub(in super::super) const COUNTER: usize = 2;
    pub(in super::super) const BUST_CHANCE: usize = 3;
    pub(in super::super) const VAULT_MATCH: usize = 4;
    pub(in super::super) const VAULT: usize = 5;
    pub(in super::super) const BANK: usize = 6;
    pub(in super::super) const SOLIDS: usize = 8;
    pub(in super::super) const PAIRS: usize = 9;
    pub(in super::super) const SOLIDS_IF_STOPPED: usize = 10;
    pub(in super::super) const PAIRS_IF_STOPPED: usize = 11;
    pub(in super::super) const VAULT_POINTS: usize = 12;
    pub(in super::super) const POINTS_IF_STOPPED: usize = 13;
    pub(in super::super) const END_CHANCE: usize = 16;
    pub(in super::super) const LIVE_COLOURS: usize = 17;
}

crate::games::predicates::predicates! {
    /// Predicates of a piece.
    enum Is {
        FromBank "from_bank" "comes from the Bank",
        FromVault "from_vault" "comes from the Vault",
        Small "small" "is small",
        Medium "medium" "is medium",
        Large "large" "is large",
        CompletesSolid "completes_solid" "completes a solid tree",
        CompletesPair "completes_pair" "completes a second solid tree of its colour",
        TypeMissing "type_missing" "is of a type missing from Vault and Counter",
        ColourStarted "colour_started" "is of a colour in the Vault or on the Counter",
        LastInBank "last_in_bank" "is the last of its type in the Bank",
        Live "live" "is of a colour that can still make two solid trees",
        ColourHasSolid "colour_has_solid" "is of a colour with a solid tree in the Vault or on the Counter",
        ColourHasPair "colour_has_pair" "is of a colour with two solid trees in Vault and Counter",
        Surplus "surplus" "is a piece its colour's solid trees do not need: two of its type are held already, or the colour is not live",
        ScarceSize "scarce_size" "is of the size of which Vault and Counter hold fewest",
    }
}

/// The predicates about completing trees.
const TREES: u32 = Is::CompletesSolid.bit() | Is::CompletesPair.bit();
/// The predicates that depend on the trees held.
const HELD_TREES: u32 = Is::ColourHasSolid.bit() | Is::ColourHasPair.bit();
/// The predicates that depend on which colours are live.
const LIVE: u32 = Is::Live.bit() | Is::Surplus.bit();
/// The predicates that the planes of the piece's colour decide.
const OF_COLOUR: u32 = Is::FromBank.bit()
    | Is::FromVault.bit()
    | Is::Small.bit()
    | Is::Medium.bit()
    | Is::Large.bit()
    | TREES
    | Is::TypeMissing.bit()
    | Is::ColourStarted.bit()
    | Is::LastInBank.bit()
    | HELD_TREES;
/// The predicates that, for pieces of one size, the types held of that size and the colours held decide.
const FOR_MARKERS: u32 =
    Is::FromBank.bit() | Is::FromVault.bit() | Is::TypeMissing.bit() | Is::ColourStarted.bit();

pub(super) const PREDICATES: &[Predicate] = Is::ALL;

impl Vocabulary for Carbonite {
    crate::vocabulary::features! { rules, state;
        quick {
            0 "turn" "the current turn, from 1" [1, rules.turns] / 1, 0 => state.turn;
            1 "turns_left" "turns after this one" [0, rules.turns - 1] / 1, 0 => rules.turns - state.turn;
            2 "counter" "pieces on the Counter" [0, rules.colours] / 1, 0 => state.counter_count();
            3 "bust_chance" "the chance that the next roll is a bomb-out" [0, rules.rolls()] / rules.rolls(), 0
            => rules.busting_rolls(&state);
            4 "vault_match" "1 if the last piece came from the Vault and stopping is still allowed, else 0"
            [0, 1] / 1, MEMORY_FROM_VAULT => u8::from(state.is_from_vault());
        }
        slow {
            5 "vault" "pieces in the Vault" [0, rules.pieces()] / 1, 0 => state.vault.count();
            6 "bank" "pieces in the Bank" [0, rules.pieces()] / 1, 0 => state.bank.count();
            7 "chamber" "pieces in the Carbonite Chamber" [0, rules.pieces()] / 1, 0 => rules.chamber(&state);
            8 "solids" "solid trees in the Vault" [0, rules.solids_high()] / 1, 0 => state.vault.trios();
            9 "pairs" "colours with two solid trees in the Vault" [0, rules.pairs_high()] / 1, 0 => state.vault.pairs();
            10 "solids_if_stopped" "solid trees of Vault and Counter together" [0, rules.solids_high()] / 1, 0
            => state.stashed().trios();
            11 "pairs_if_stopped" "colours with two solid trees of Vault and Counter together"
            [0, rules.pairs_high()] / 1, 0 => state.stashed().pairs();
            12 "vault_points" "the Vault's points" [0, rules.points_high()] / 1, 0 => rules.vault_points(state.vault);
            13 "points_if_stopped" "the points of Vault and Counter together" [0, rules.points_high()] / 1, 0
            => rules.vault_points(state.stashed());
            14 "score_if_ended" "the final score if the game ended in this turn"
            [0, rules.points_high() * 10] / 1, 0
            => rules.score_if_ended(&state);
            15 "score_if_stopped" "the final score if the player stopped and the game ended in the next turn's marking"
            [0, rules.points_high() * 10] / 1, 0
            => rules.vault_points(state.stashed()) * rules.factor(state.turn(), state.turn());
            16 "end_chance" "the chance that the next roll ends the game" [0, rules.rolls()] / rules.rolls(), 0
            => state.places().ending_rolls(rules);
            17 "live_colours" "colours that can still make two solid trees" [0, rules.colours] / 1, 0
            => state.places().live_colours();
        }
    }

    fn frequency(&self) -> Option<Frequency> {
        Some(Frequency {
            title: "When to stop",
            kind: STOP,
            row: Side { feature: feature::TURN, title: "turn", unit: "" },
            column: Side { feature: feature::COUNTER, title: "pieces on the Counter", unit: "" },
        })
    }

    /// A piece moved from the Vault to the Counter is at risk again and gains nothing: it was counted already.
    fn cautions(&self) -> Vec<Caution> {
        let of_take = Caution {
            kind: TAKE,
            better: Is::FromBank as usize,
            worse: Is::FromVault as usize,
            never: TREES | Is::TypeMissing.bit() | Is::LastInBank.bit(),
            message: "may take a piece out of the player's own Vault although one from the Bank fits; it is counted \
                      already, and a bomb-out loses it",
        };
        if self.vault_match == VaultMatch::NoMatch { Vec::new() } else { vec![of_take] }
    }

    #[inline(always)]
    fn predicates(&self, state: State, kind: usize, wanted: u32) -> Masks {
        let places = state.places();
        let (bank, held) = (state.bank.one(), places.stashed().one());
        let from_bank = if kind == MARK { pieces::ALL } else { bank };
        // The dearer ones only where a policy asks for them: it asks for the same ones all along. One conversion each: as
        // a whole array they are packed into vectors and back, which costs more.
        let asked = |group: u32| wanted & group != 0;
        let mut masks: Masks = [0; _];
        let mut set = |is: Is, types: Types| masks[is as usize] = u64::from(types);
        set(Is::FromBank, from_bank);
        set(Is::FromVault, !from_bank);
        set(Is::Small, pieces::of_size(0));
        set(Is::Medium, pieces::of_size(1));
        set(Is::Large, pieces::of_size(2));
        if asked(TREES) {
            set(Is::CompletesSolid, places.completing_solids());
            set(Is::CompletesPair, places.completing_pairs());
        }
        set(Is::TypeMissing, !held);
        set(Is::ColourStarted, pieces::whole_colours(held));
        set(Is::LastInBank, bank & !state.bank.two());
        if asked(LIVE) {
            set(Is::Live, places.live());
            set(Is::Surplus, places.surplus());
        }
        if asked(HELD_TREES) {
            set(Is::ColourHasSolid, places.colours_with_trees(1));
            set(Is::ColourHasPair, places.colours_with_trees(2));
        }
        if asked(Is::ScarceSize.bit()) {
            set(Is::ScarceSize, places.stashed().scarce_sizes());
        }
        masks
    }

    fn candidate_numbers(&self) -> Vec<CandidateNumber> {
        let of_kind = |kind| {
            let count = |name, meaning| CandidateNumber::count(kind, name, meaning, self.copies);
            let held = "pieces of its type in Vault and on the Counter";
            [count("in_bank", "pieces of its type in the Bank"), count("held", held)]
        };
        [of_kind(MARK), of_kind(TAKE)].concat()
    }

    fn candidate_number(&self, state: &State, candidate: Action, index: usize) -> i64 {
        #[allow(clippy::cast_possible_truncation, reason = "pieces are 15-bit actions")]
        let piece = candidate.0 as Types;
        let place = if index.is_multiple_of(2) { state.bank } else { state.stashed() };
        place.count_of(piece).into()
    }
}

impl Tabulation for Carbonite {
    /// Row: the turn, and whether the last piece came from the Vault. Column: the pieces on the Counter.
    fn digests(&self) -> (usize, usize) {
        (32, 8)
    }

    #[inline(always)]
    fn digest(&self, state: State) -> TableKey {
        TableKey {
            row: usize::from(state.is_from_vault()) << 4 | usize::from(state.turn),
            column: state.counter_count() as usize,
        }
    }

    #[inline]
    fn with_digest(&self, digest: TableKey) -> Option<State> {
        let (turn, pieces) = (digest.row & 15, digest.column);
        if turn == 0 || turn > usize::from(self.turns) || pieces > usize::from(self.colours) {
            return None;
        }
        let counter = pieces::SMALL & ((1 << (3 * pieces)) - 1);
        let turn = u8::try_from(turn).ok()?;
        let state = State { counter, turn, ..State::start(Planes::default()) };
        Some(state.with_from_vault(digest.row >> 4 == 1))
    }

    fn is_digested(&self, index: usize) -> bool {
        index < QUICK_FEATURES
    }

    fn local_predicates(&self, kind: usize) -> u32 {
        match kind {
            TAKE => OF_COLOUR,
            MARK => FOR_MARKERS,
            _ => 0,
        }
    }

    fn locals(&self, kind: usize) -> usize {
        if kind == STOP { 0 } else { 1 << 15 }
    }

    /// For a piece to take, all candidates have one colour, which is not on the Counter. The key holds their sizes and
    /// the planes of that colour:
    ///
    /// ```text
    /// vault two │ vault one │ bank two │ bank one │ candidates      three bits each
    /// ```
    ///
    /// For a marker, all candidates have one size. The key holds for each colour whether it is a candidate, whether its
    /// type is held, and whether any piece of the colour is held:
    ///
    /// ```text
    /// started, held, candidate │ … │ started, held, candidate      three bits for each colour
    /// ```
    #[inline(always)]
    fn local(&self, state: State, question: Question) -> Option<CandidateKey> {
        #[allow(clippy::cast_possible_truncation, reason = "pieces are 15-bit actions")]
        let candidates = question.actions.0 as u32;
        let lowest = candidates.trailing_zeros();
        // Rounded down to a multiple of three.
        let colour = ((lowest * 11) >> 5) * 3;
        if question.kind == MARK {
            let (size, held) = (lowest - colour, state.stashed().one());
            let digest = usize::try_from(candidates >> size).ok()?
                | usize::from(held >> size & pieces::SMALL) << 1
                | usize::from(pieces::whole_colours(held) & pieces::SMALL) << 2;
            return Some(CandidateKey { digest, base: size });
        }
        let (base, sizes) = (colour, candidates >> colour);
        if question.kind != TAKE || sizes > 7 {
            return None;
        }
        let of_colour = |plane: Types| usize::from(plane >> base & 7);
        let State { bank, vault, .. } = state;
        let digest = sizes as usize
            | of_colour(bank.one()) << 3
            | of_colour(bank.two()) << 6
            | of_colour(vault.one()) << 9
            | of_colour(vault.two()) << 12;
        Some(CandidateKey { digest, base })
    }

    fn with_local(&self, kind: usize, digest: usize) -> Option<(State, Question)> {
        let bits = Types::try_from(digest).ok()?;
        if kind == MARK {
            let of_colours = |number: u32| bits >> number & pieces::SMALL;
            let (candidates, held, started) = (of_colours(0), of_colours(1), of_colours(2));
            let is_legal = candidates != 0 && held & !started == 0;
            return is_legal.then(|| {
                // A colour of which only another type is held is held as its medium one.
                let (bank, vault) =
                    (Planes::new(candidates, 0), Planes::new(held | (started & !held) << 1, 0));
                let question = Question { seat: SOLO, kind, actions: Actions(candidates.into()) };
                (State { vault, turn: 1, ..State::start(bank) }.marking(), question)
            });
        }
        let part = |number: u32| bits >> (3 * number) & 7;
        let [candidates, bank_one, bank_two, vault_one, vault_two] = [0, 1, 2, 3, 4].map(part);
        let is_legal = candidates != 0
            && candidates & !(bank_one | vault_one) == 0
            && bank_two & !bank_one == 0
            && vault_two & !vault_one == 0;
        is_legal.then(|| {
            let (bank, vault) = (Planes::new(bank_one, bank_two), Planes::new(vault_one, vault_two));
            let question = Question { seat: SOLO, kind, actions: Actions(candidates.into()) };
            (State { vault, turn: 1, ..State::start(bank) }, question)
        })
    }
}

impl Carbonite {
    fn pieces(&self) -> u8 {
        3 * self.colours * self.copies
    }

    fn solids_high(&self) -> u8 {
        self.colours * self.copies
    }

    fn pairs_high(&self) -> u8 {
        if self.copies == 2 { self.colours } else { 0 }
    }

    /// An upper bound on Vault points: the most valuable use of every piece, doubled by every colour.
    fn points_high(&self) -> u32 {
        let dearest = self.points.solid.max(self.points.mixed).max(3 * self.points.single);
        let doubled = if self.doubling { u32::from(self.pairs_high()) } else { 0 };
        (u32::from(self.solids_high()) * u32::from(dearest)) << doubled
    }

    fn rolls(&self) -> u8 {
        6 * (self.colours + 1)
    }

    /// The number of pieces in the Chamber: all that are nowhere else. The markers of turn t show t pips.
    pub(super) fn chamber(&self, state: &State) -> u32 {
        self.out(state) - Self::markers_out(state)
    }

    /// The pieces that are in no place that is stored: in the Chamber, or markers.
    pub(super) fn out(&self, state: &State) -> u32 {
        u32::from(self.pieces()) - state.bank.count() - state.vault.count() - state.counter_count()
    }

    /// The markers that are out in a turn.
    pub(super) fn markers_out(state: &State) -> u32 {
        let markers = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4];
        let is_unmarked = state.is_marking() || state.ending() == NO_MARKER;
        markers[usize::from(state.turn) - usize::from(is_unmarked)]
    }

    /// The number of rolls that are a bomb-out: any size with a colour on the Counter.
    fn busting_rolls(&self, state: &State) -> u32 {
        let atom = u32::from(self.atom == Atom::Bust);
        6 * (state.counter_count() + atom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_their_numbers() {
        let features = Carbonite::WIKI.features();
        for (number, name) in [
            (feature::TURN, "turn"),
            (feature::TURNS_LEFT, "turns_left"),
            (feature::COUNTER, "counter"),
            (feature::BUST_CHANCE, "bust_chance"),
            (feature::VAULT_MATCH, "vault_match"),
            (feature::VAULT, "vault"),
            (feature::BANK, "bank"),
            (feature::SOLIDS, "solids"),
            (feature::PAIRS, "pairs"),
            (feature::SOLIDS_IF_STOPPED, "solids_if_stopped"),
            (feature::PAIRS_IF_STOPPED, "pairs_if_stopped"),
            (feature::VAULT_POINTS, "vault_points"),
            (feature::POINTS_IF_STOPPED, "points_if_stopped"),
            (feature::END_CHANCE, "end_chance"),
            (feature::LIVE_COLOURS, "live_colours"),
        ] {
            assert_eq!(features[number].name, name);
        }
    }
}
