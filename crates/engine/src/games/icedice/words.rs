//! The features, predicates and numbers of `IceDice` for policies.

use super::piles::Piles;
use super::{IceDice, NoChoice, State, TAKE, VICTIM, pieces};
use crate::game::Action;
use crate::games::pyramids::FACES_MISSING;
use crate::games::pyramids::pieces::Types;
use crate::games::pyramids::stack::Stack;
use crate::vocabulary::{CandidateNumber, Masks, Predicate, TableKey, Tabulation, Vocabulary};

/// The bit of memory behind the features `turn` and `turns_left`.
pub(super) const MEMORY_TURN: u32 = 1;

/// The number of features that the table key fixes. They come first.
const DIGESTED_FEATURES: usize = 5;
/// The number of rolls of the two dice.
const ROLLS: u8 = 36;
/// The largest number of pieces on the Counter, plus one.
const COUNTERS: usize = 6;

crate::games::predicates::predicates! {
    /// Predicates of a piece, or of a victim.
    enum Is {
        FromBank "from_bank" "comes from the Bank",
        Steal "steal" "is stolen",
        Small "small" "is small",
        Medium "medium" "is medium",
        Large "large" "is large",
        CompletesTrio "completes_trio" "completes a solid trio",
        CompletesPair "completes_pair" "completes the second solid trio of its colour",
        TypeMissing "type_missing" "is of a type missing from Vault and Counter",
        ColourStarted "colour_started" "is of a colour in the Vault or on the Counter",
        LastInBank "last_in_bank" "is the last of its type in the Bank",
        Live "live" "is of a colour of which Bank, Vault and Counter hold two of every size",
        Leader "leader" "can be stolen from the opponent with most trios, then most pieces",
        BreaksTrio "breaks_trio" "breaks a trio of the opponent who loses it",
        Advances "advances" "leaves fewer pieces missing to the trios that win",
    }
}

/// The predicates about completing trios.
const COMPLETES: u32 = Is::CompletesTrio.bit() | Is::CompletesPair.bit();
/// The predicates that depend on the opponents.
const OF_OTHERS: u32 = Is::Leader.bit() | Is::BreaksTrio.bit();

/// The indices of the features that lanes compute for all lanes at once.
pub(super) mod feature {
    pub(in super::super) const COUNTER: usize = 0;
    pub(in super::super) const BUST_CHANCE: usize = 1;
    pub(in super::super) const TRIOS_IF_STOPPED: usize = 2;
    pub(in super::super) const GOAL: usize = 3;
    pub(in super::super) const PLAYERS: usize = 4;
    pub(in super::super) const TRIOS: usize = 5;
    pub(in super::super) const BEST_OTHER_TRIOS: usize = 6;
    pub(in super::super) const VAULT: usize = 9;
    pub(in super::super) const BANK: usize = 10;
    pub(in super::super) const PAIRS: usize = 11;
    pub(in super::super) const PAIRS_IF_STOPPED: usize = 12;
    pub(in super::super) const MISSING: usize = 13;
    pub(in super::super) const BEST_OTHER_MISSING: usize = 14;
    pub(in super::super) const BEST_OTHER_VAULT: usize = 15;
}

pub(super) const PREDICATES: &[Predicate] = Is::ALL;

impl Vocabulary for IceDice {
    crate::vocabulary::features! { rules, state;
        quick {
            0 "counter" "pieces on the Counter" [0, 5] / 1, 0 => state.counter_count();
            1 "bust_chance" "the chance that the next roll is a bust" [0, ROLLS] / ROLLS, 0 => rules.busting_rolls(&state);
            2 "trios_if_stopped" "solid trios of the player's Vault and the Counter together"
            [0, rules.most_trios()] / 1, 0 => state.stashed().trios();
            3 "goal" "solid trios that win" [rules.trios, rules.trios] / 1, 0 => rules.trios;
            4 "players" "players in the game" [rules.players, rules.players] / 1, 0 => rules.players;
        }
        slow {
            5 "trios" "solid trios in the player's Vault" [0, rules.trios - 1] / 1, 0 => state.own.trios();
            6 "best_other_trios" "solid trios in the best other player's Vault" [0, rules.trios - 1] / 1, 0
            => state.places().most_trios_of_others();
            7 "turn" "the player's turn, from 1" [0, rules.turn_cap] / 1, MEMORY_TURN
            => state.turn().div_ceil(u16::from(rules.players));
            8 "turns_left" "turns of all players after this one until the turn cap" [0, rules.turn_cap] / 1, MEMORY_TURN
            => rules.turn_cap - state.turn();
            9 "vault" "pieces in the player's Vault" [0, rules.pieces()] / 1, 0 => state.own.count();
            10 "bank" "pieces in the Bank" [0, rules.pieces()] / 1, 0 => state.bank.count();
            11 "pairs" "colours with two solid trios or more in the player's Vault" [0, 5] / 1, 0 => state.own.pairs();
            12 "pairs_if_stopped" "colours with two solid trios or more of the player's Vault and the Counter together"
            [0, 5] / 1, 0 => state.stashed().pairs();
            13 "missing" "pieces that the player's Vault and the Counter together lack to the trios that win"
            [0, 3 * rules.trios] / 1, 0 => state.places().missing(rules);
            14 "best_other_missing" "pieces that the best other player's Vault lacks to the trios that win"
            [0, 3 * rules.trios] / 1, 0
            => state.places().best_other_missing(rules);
            15 "best_other_vault" "pieces in the fullest other player's Vault" [0, rules.pieces()] / 1, 0
            => state.places().most_pieces_of_others();
            16 "no_choice_chance" "the chance that the next roll is no bust and leaves nothing to choose, whatever that means"
            [0, ROLLS] / ROLLS, 0 => rules.rolls_without_choice(&state);
        }
    }

    /// For a victim, `leader` and `breaks_trio` describe the victim; the other predicates describe the piece.
    #[inline(always)]
    fn predicates(&self, state: State, kind: usize, wanted: u32) -> Masks {
        let places = state.places();
        let (bank, held) = (state.bank.any(), places.stashed());
        // The dearer ones only where a policy asks for them: it asks for the same ones all along. One conversion each: as
        // a whole array they are packed into vectors and back, which costs more.
        let asked = |group: u32| wanted & group != 0;
        let mut masks: Masks = [0; _];
        let mut set = |is: Is, types: Types| masks[is as usize] = u64::from(types);
        set(Is::FromBank, bank);
        set(Is::Steal, !bank);
        set(Is::Small, pieces::of_size(0));
        set(Is::Medium, pieces::of_size(1));
        set(Is::Large, pieces::of_size(2));
        if asked(COMPLETES) {
            let completing = held.completing();
            set(Is::CompletesTrio, completing.any());
            set(Is::CompletesPair, completing.plane(1));
        }
        set(Is::TypeMissing, !held.any());
        set(Is::ColourStarted, pieces::whole_colours(held.any()));
        set(Is::LastInBank, bank & !state.bank.at_least(2));
        if asked(Is::Live.bit()) {
            set(Is::Live, places.live());
        }
        if asked(Is::Advances.bit()) {
            set(Is::Advances, places.advancing(self));
        }
        let mut of_victims = [0; 2];
        if asked(OF_OTHERS) {
            let (mut leader, mut breaks) = (0, 0);
            // The one opponent leads.
            let best = if self.players == 2 { 0 } else { places.best_rank() };
            let leads = |place: usize| self.players == 2 || places.rank_of_other(place) == best;
            let mut look_at = |place: usize, vault: Piles| {
                let (led, broken) = (if leads(place) { vault.any() } else { 0 }, vault.breaking());
                leader |= led & !bank;
                breaks |= broken & !bank;
                of_victims[0] |= u64::from(led & state.stolen() != 0) << place;
                of_victims[1] |= u64::from(broken & state.stolen() != 0) << place;
            };
            look_at(0, state.next);
            if self.players > 2 {
                look_at(1, state.after);
                look_at(2, state.last);
            }
            set(Is::Leader, leader);
            set(Is::BreaksTrio, breaks);
        }
        if kind == VICTIM {
            masks = masks.map(|mask| if mask & u64::from(state.stolen()) == 0 { 0 } else { u64::MAX });
            masks[Is::Leader as usize] = of_victims[0];
            masks[Is::BreaksTrio as usize] = of_victims[1];
        }
        masks
    }

    fn candidate_numbers(&self) -> Vec<CandidateNumber> {
        let count = CandidateNumber::count;
        vec![
            count(TAKE, "in_bank", "pieces of its type in the Bank", self.copies()),
            count(TAKE, "held", "pieces of its type in the player's Vault and on the Counter", self.copies()),
            count(VICTIM, "victim_trios", "solid trios in the victim's Vault", self.trios - 1)
                .in_units("trios"),
            count(VICTIM, "victim_vault", "pieces in the victim's Vault", self.pieces()),
        ]
    }

    fn candidate_number(&self, state: &State, candidate: Action, index: usize) -> i64 {
        let piece = || {
            #[allow(clippy::cast_possible_truncation, reason = "pieces are 15-bit actions")]
            let piece = candidate.0 as Types;
            piece
        };
        let victim = || state.vault_after(candidate.index() as usize + 1);
        i64::from(match index {
            0 => state.bank.count_of(piece()),
            1 => state.stashed().count_of(piece()),
            2 => victim().trios(),
            _ => victim().count(),
        })
    }
}

impl Tabulation for IceDice {
    /// Row: the trios of Vault and Counter. Column: the pieces on the Counter. No key if the chance of a bust depends
    /// on more.
    fn digests(&self) -> (usize, usize) {
        if self.no_choice == NoChoice::Bust { (0, 0) } else { (usize::from(self.most_trios()) + 1, COUNTERS) }
    }

    #[inline(always)]
    fn digest(&self, state: State) -> TableKey {
        TableKey { row: state.stashed().trios() as usize, column: state.counter_count() as usize }
    }

    #[inline]
    fn with_digest(&self, digest: TableKey) -> Option<State> {
        let (trios, counter) = (digest.row, digest.column);
        // As many of the trios as can be are completed by the Counter: with fewer the Vault alone might win.
        let before = trios.saturating_sub(counter);
        if trios > usize::from(self.most_trios()) || before >= usize::from(self.trios) {
            return None;
        }
        let gain = trios - before;
        let mut own = Piles::with_trios(before);
        let mut on_counter = 0;
        // The last colours have fewest trios: there the Counter completes some.
        for colour in (0..5).rev().take(counter) {
            let [small, medium, large] = [0, 1, 2].map(|size| 1 << (3 * colour + size));
            if own.at_least(4) & small != 0 {
                // All of the colour is in the Vault.
                return None;
            }
            if 5 - colour <= gain {
                own = own.with(small | medium);
                on_counter |= large;
            } else {
                on_counter |= small;
            }
        }
        let start = State::start(0);
        Some(State { own, now: start.now.with_counter(on_counter), ..start })
    }

    fn is_digested(&self, index: usize) -> bool {
        index < DIGESTED_FEATURES
    }
}

impl IceDice {
    /// The most trios that Vault and Counter can hold: each piece on the Counter can complete one.
    fn most_trios(&self) -> u8 {
        (self.trios + 4).min(5 * self.copies())
    }

    fn pieces(&self) -> u8 {
        15 * self.copies()
    }

    /// The number of rolls that are a bust: any size with a colour on the Counter, and those that the rules add.
    #[inline(always)]
    fn busting_rolls(&self, state: &State) -> u32 {
        let more = if self.no_choice == NoChoice::Bust { self.rolls_without_choice(state) } else { 0 };
        6 * state.counter_count() + more
    }

    /// The number of rolls without a colour of the Counter that show nothing to take.
    fn rolls_without_choice(&self, state: &State) -> u32 {
        let can_be_had =
            (state.bank.any() | state.places().held_by_others()) & !pieces::whole_colours(state.counter());
        let sizes = |colour: u32| usize::from(can_be_had >> (3 * colour) & 7);
        let of_colours = (0..5).filter(|&colour| state.counter() & pieces::of_colour(colour) == 0);
        let of_atom = (0..5).fold(0, |all, colour| all | sizes(colour));
        of_colours.map(|colour| u32::from(FACES_MISSING[sizes(colour)])).sum::<u32>()
            + u32::from(FACES_MISSING[of_atom])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_their_numbers() {
        let features = IceDice::TWO.features();
        for (number, name) in [
            (feature::COUNTER, "counter"),
            (feature::BUST_CHANCE, "bust_chance"),
            (feature::TRIOS_IF_STOPPED, "trios_if_stopped"),
            (feature::GOAL, "goal"),
            (feature::PLAYERS, "players"),
            (feature::TRIOS, "trios"),
            (feature::BEST_OTHER_TRIOS, "best_other_trios"),
            (feature::VAULT, "vault"),
            (feature::BANK, "bank"),
            (feature::PAIRS, "pairs"),
            (feature::PAIRS_IF_STOPPED, "pairs_if_stopped"),
            (feature::MISSING, "missing"),
            (feature::BEST_OTHER_MISSING, "best_other_missing"),
            (feature::BEST_OTHER_VAULT, "best_other_vault"),
        ] {
            assert_eq!(features[number].name, name);
        }
    }
}
