//! The words in which policies speak about `CarboniteDice`.

use super::pieces::{self, Planes, Types};
use super::state::NO_MARKER;
use super::{Atom, Carbonite, MARK, Retribution, Roll, SOLO, STOP, State, TAKE, VaultMatch};
use crate::game::{Action, Actions, Question};
use crate::vocabulary::{
    CandidateKey, Masks, Predicate, Prose, TableKey, Tabulation, TurnTables, Vocabulary,
};

/// The bit of memory behind the feature `vault_match`.
pub(super) const MEMORY_FROM_VAULT: u32 = 1;

/// For the three sizes of a colour as bits: how many faces of the pyramid die show a size that is not among them.
const FACES_NOT_COVERED: [u8; 8] = faces_where(false);
/// How many faces show only sizes that are not among them.
pub(in crate::games) const FACES_MISSING: [u8; 8] = faces_where(true);

const fn faces_where(all_missing: bool) -> [u8; 8] {
    let mut table = [0; 8];
    let mut sizes = 0;
    while sizes < 8 {
        let mut face = 0;
        while face < 6 {
            let shown = [1, 2, 4, 3, 5, 6][face];
            let here = shown & sizes;
            if (all_missing && here == 0) || (!all_missing && here != shown) {
                table[sizes] += 1;
            }
            face += 1;
        }
        sizes += 1;
    }
    table
}

/// The features that the digest fixes stand first.
const QUICK_FEATURES: usize = 5;

/// The predicates `completes_solid` and `completes_pair`.
const TREES: u32 = 1 << 5 | 1 << 6;
/// The predicates `colour_has_solid` and `colour_has_pair`.
const HELD_TREES: u32 = 1 << 11 | 1 << 12;
/// The predicates that need the colours that are live: `live` and `surplus`.
const LIVE: u32 = 1 << 10 | 1 << 13;
/// What the types held of one size, and the colours held, say of the pieces of that size: `from_bank`, `from_vault`,
/// `type_missing`, `colour_started`.
const FOR_MARKERS: u32 = 1 | 1 << 1 | 1 << 7 | 1 << 8;
/// The predicate `scarce_size`.
const SCARCE: u32 = 1 << 14;

/// The names of the colours.
pub(in crate::games) const COLOURS: [&str; 5] = ["red", "yellow", "green", "blue", "black"];
const SIZES: [&str; 3] = ["small", "medium", "large"];

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
            8 "solids" "solid trees in the Vault" [0, rules.solids_high()] / 1, 0 => state.vault.solids();
            9 "pairs" "colours with two solid trees in the Vault" [0, rules.pairs_high()] / 1, 0 => state.vault.pairs();
            10 "solids_if_stopped" "solid trees of Vault and Counter together" [0, rules.solids_high()] / 1, 0
            => state.stashed().solids();
            11 "pairs_if_stopped" "colours with two solid trees of Vault and Counter together"
            [0, rules.pairs_high()] / 1, 0 => state.stashed().pairs();
            12 "vault_points" "the Vault's points" [0, rules.points_high()] / 1, 0 => rules.vault_points(state.vault);
            13 "points_if_stopped" "the points of Vault and Counter together" [0, rules.points_high()] / 1, 0
            => rules.vault_points(state.stashed());
            14 "score_if_ended" "the final score if the game ended in this turn"
            [0, rules.points_high() * 10] / 1, 0
            => rules.vault_points(state.vault) * rules.factor(state.turn() - 1, state.turn());
            15 "score_if_stopped" "the final score if the player stopped and the game ended in the next turn's marking"
            [0, rules.points_high() * 10] / 1, 0
            => rules.vault_points(state.stashed()) * rules.factor(state.turn(), state.turn());
            16 "end_chance" "the chance that the next roll ends the game" [0, rules.rolls()] / rules.rolls(), 0
            => rules.ending_rolls(&state);
            17 "live_colours" "colours that can still make two solid trees" [0, rules.colours] / 1, 0
            => pieces::count_lowest(rules.live(&state) & pieces::SMALL);
        }
    }

    const PREDICATES: &'static [Predicate] = &[
        Predicate { name: "from_bank", meaning: "comes from the Bank" },
        Predicate { name: "from_vault", meaning: "comes from the Vault" },
        Predicate { name: "small", meaning: "is small" },
        Predicate { name: "medium", meaning: "is medium" },
        Predicate { name: "large", meaning: "is large" },
        Predicate { name: "completes_solid", meaning: "completes a solid tree" },
        Predicate { name: "completes_pair", meaning: "completes a second solid tree of its colour" },
        Predicate { name: "type_missing", meaning: "is of a type missing from Vault and Counter" },
        Predicate { name: "colour_started", meaning: "is of a colour in the Vault or on the Counter" },
        Predicate { name: "last_in_bank", meaning: "is the last of its type in the Bank" },
        Predicate { name: "live", meaning: "is of a colour that can still make two solid trees" },
        Predicate {
            name: "colour_has_solid",
            meaning: "is of a colour with a solid tree in the Vault or on the Counter",
        },
        Predicate {
            name: "colour_has_pair",
            meaning: "is of a colour with two solid trees in Vault and Counter",
        },
        Predicate {
            name: "surplus",
            meaning: "is a piece its colour's solid trees do not need: two of its type are held already, or the colour is not live",
        },
        Predicate { name: "scarce_size", meaning: "is of the size of which Vault and Counter hold fewest" },
    ];

    #[inline(always)]
    fn predicates(&self, state: State, kind: usize, wanted: u32) -> Masks {
        let bank = state.bank.one();
        // The planes of Vault and Counter together: at least one, two.
        let held = state.stashed();
        let (one, two) = (held.one(), held.two());
        let from_bank = if kind == MARK { pieces::ALL } else { bank };
        // The dearer ones only where a policy asks for them: it asks for the same ones all along.
        let asked = |group: u32| wanted & group != 0;
        let (mut solid, mut pair) = (0, 0);
        if asked(TREES) {
            pair = bank & one & !two & pieces::others_present(two);
            solid = (bank & !one & pieces::others_present(one)) | pair;
        }
        let (mut has_solid, mut has_pair) = (0, 0);
        if asked(HELD_TREES) {
            has_solid = pieces::full_colours(one) * 7;
            has_pair = pieces::full_colours(two) * 7;
        }
        let live = if asked(LIVE) { self.live(&state) } else { 0 };
        let scarce = if asked(SCARCE) { scarce_sizes(held) } else { 0 };
        // One conversion each: as a whole array they are packed into vectors and back, which costs more.
        [
            u64::from(from_bank),
            u64::from(!from_bank),
            u64::from(pieces::of_size(0)),
            u64::from(pieces::of_size(1)),
            u64::from(pieces::of_size(2)),
            u64::from(solid),
            u64::from(pair),
            u64::from(!one),
            u64::from(pieces::whole_colours(one)),
            u64::from(bank & !state.bank.two()),
            u64::from(live),
            u64::from(has_solid),
            u64::from(has_pair),
            u64::from(two | !live),
            u64::from(scarce),
            0,
        ]
    }
}

impl Tabulation for Carbonite {
    const HAS_KEYS: bool = true;

    /// The turn and whether the last piece came from the Vault; the pieces on the Counter.
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

    fn is_digested(index: usize) -> bool {
        index < QUICK_FEATURES
    }

    fn local_predicates(kind: usize) -> u32 {
        match kind {
            TAKE => !(LIVE | SCARCE),
            MARK => FOR_MARKERS,
            _ => 0,
        }
    }

    fn locals(&self, kind: usize) -> usize {
        if kind == STOP { 0 } else { 1 << 15 }
    }

    /// To take, pieces of one colour: their sizes, and the planes of that colour. It is not on the Counter.
    ///
    /// ```text
    /// vault two │ vault one │ bank two │ bank one │ candidates      three bits each
    /// ```
    ///
    /// To mark, pieces of one size, by colour: whether it is a candidate, whether its type is held, and whether
    /// anything of the colour is.
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

impl TurnTables for Carbonite {}

impl Prose for Carbonite {
    fn describe_action(&self, state: &State, kind: usize, action: Action) -> String {
        match (kind, action) {
            (super::STOP, Action::YES) => "stop".into(),
            (super::STOP, _) => "roll again".into(),
            (TAKE, piece) if piece.0 & u64::from(state.bank.one()) == 0 => {
                format!("{} from the Vault", piece_name(piece.index()))
            }
            (_, piece) => piece_name(piece.index()),
        }
    }

    fn describe_outcome(&self, roll: Roll) -> String {
        roll_name(roll, self.colours)
    }

    fn describe_state(&self, state: &State) -> Vec<(&'static str, String)> {
        vec![
            ("Counter", list(Planes::new(state.counter, 0))),
            ("Vault", list(state.vault)),
            ("Bank", list(state.bank)),
            ("Chamber", pieces_in_words(self.chamber(state))),
        ]
    }
}

fn pieces_in_words(count: u32) -> String {
    if count == 1 { "1 piece".into() } else { format!("{count} pieces") }
}

/// A roll in words: "red, small and large". The number of colours stands for the Atom.
pub(in crate::games) fn roll_name(roll: Roll, colours: u8) -> String {
    let colour = if roll.colour == u32::from(colours) { "the Atom" } else { COLOURS[roll.colour as usize] };
    let sizes: Vec<_> = (0..3).filter(|size| roll.sizes >> size & 1 == 1).map(|size| SIZES[size]).collect();
    format!("{colour}, {}", sizes.join(" and "))
}

/// A piece type in words, by the number of its bit.
pub(in crate::games) fn piece_name(number: u32) -> String {
    format!("{} {}", SIZES[number as usize % 3], COLOURS[number as usize / 3])
}

/// The types of the size, or sizes, of which there are fewest.
#[inline(always)]
fn scarce_sizes(held: Planes) -> Types {
    let counts = [held.count_size(0), held.count_size(1), held.count_size(2)];
    let fewest = counts[0].min(counts[1]).min(counts[2]);
    let [small, medium, large] = counts.map(|count| Types::from(count == fewest));
    (small | medium << 1 | large << 2) * pieces::SMALL
}

/// The pieces of a place: "red SMLL, blue S".
fn list(planes: Planes) -> String {
    let colours = (0..5).filter_map(|colour| {
        let letters: String = (0..3)
            .flat_map(|size| {
                let piece: Types = 1 << (3 * colour + size);
                std::iter::repeat_n(['S', 'M', 'L'][size], planes.count_of(piece) as usize)
            })
            .collect();
        (!letters.is_empty()).then(|| format!("{} {letters}", COLOURS[colour]))
    });
    let text = colours.collect::<Vec<_>>().join(", ");
    if text.is_empty() { "empty".into() } else { text }
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

    /// A bound on Vault points: the dearest use of every piece, doubled by every colour.
    fn points_high(&self) -> u32 {
        let dearest = self.points.solid.max(self.points.mixed).max(3 * self.points.single);
        let doubled = if self.doubling { u32::from(self.pairs_high()) } else { 0 };
        (u32::from(self.solids_high()) * u32::from(dearest)) << doubled
    }

    fn rolls(&self) -> u8 {
        6 * (self.colours + 1)
    }

    /// The Chamber holds what is nowhere else. The markers of turn t show t pips.
    fn chamber(&self, state: &State) -> u32 {
        let markers = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4];
        let out = u32::from(self.pieces()) - state.bank.count() - state.vault.count() - state.counter_count();
        let is_unmarked = state.is_marking() || state.ending() == NO_MARKER;
        out - markers[usize::from(state.turn) - usize::from(is_unmarked)]
    }

    /// How many of the rolls are a bomb-out: any size with a colour of the Counter.
    fn busting_rolls(&self, state: &State) -> u32 {
        let atom = u32::from(self.atom == Atom::Bust);
        6 * (state.counter_count() + atom)
    }

    /// For the three sizes of a colour as bits: how many faces of the pyramid die fail to be removed from them.
    pub(super) fn failing_faces(&self) -> [u8; 8] {
        match self.retribution {
            Retribution::All => FACES_NOT_COVERED,
            Retribution::Any => FACES_MISSING,
            Retribution::None => [0; 8],
        }
    }

    /// How many of the rolls end the game: a bomb-out without retribution, or nothing to match.
    fn ending_rolls(&self, state: &State) -> u32 {
        let failing = self.failing_faces();
        let removable = state.bank.one() | state.counter;
        let matchable = if self.vault_match == VaultMatch::NoMatch {
            state.bank.one()
        } else {
            state.bank.one() | state.vault.one()
        };
        let mut ending = 0;
        let mut for_atom = 0;
        for colour in 0..u32::from(self.colours) {
            let sizes = |types: Types| usize::from(types >> (3 * colour) & 7);
            if sizes(state.counter) != 0 {
                ending += u32::from(failing[sizes(removable)]);
            } else {
                ending += u32::from(FACES_MISSING[sizes(matchable)]);
                for_atom |= sizes(matchable);
            }
        }
        if self.atom == Atom::Choice { ending + u32::from(FACES_MISSING[for_atom]) } else { ending }
    }

    /// The types of the colours that can still make two solid trees: Bank, Vault, Counter and a marker that will
    /// be given back hold two pieces of every size.
    #[inline]
    fn live(&self, state: &State) -> Types {
        let held = state.stashed();
        let bank = state.bank;
        let any = bank.one() | held.one();
        let two = bank.two() | held.two() | (bank.one() & held.one()) | (state.marker() & any);
        pieces::full_colours(two) * 7
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scarce_sizes_are_those_of_which_there_are_fewest() {
        for one in 0..=pieces::ALL {
            for two in [0, one & 0x1C71, one] {
                let held = Planes::new(one, two);
                let count = |size| {
                    (one & pieces::of_size(size)).count_ones() + (two & pieces::of_size(size)).count_ones()
                };
                let fewest = count(0).min(count(1)).min(count(2));
                for size in 0..3 {
                    let expected = if count(size) == fewest { pieces::of_size(size) } else { 0 };
                    assert_eq!(scarce_sizes(held) & pieces::of_size(size), expected, "{held:?}");
                }
            }
        }
    }
}
