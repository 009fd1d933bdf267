//! Deliberately naive reference implementations of the dice games.
//!
//! They follow the rules pages sentence by sentence, share no code with the engine and aim only at clarity. Their only
//! use is as test oracles.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    unused_imports,
    reason = "a test oracle: not every test uses every part"
)]
#![allow(clippy::needless_range_loop, reason = "the plainest loop is the wanted one")]
#![allow(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test oracle must stop loudly at the first thing that cannot be"
)]

pub mod carbonite;
pub mod carcassonne;
pub mod freeze;
pub mod hash;
pub mod icedice;
pub mod pig;

use carbonite::{L, M, Multiplier, Place, Rules, S};

/// The pieces in one place.
pub fn pieces_in(place: &Place) -> u32 {
    let mut pieces = 0;
    for sizes in place {
        for count in sizes {
            pieces += u32::from(*count);
        }
    }
    pieces
}

/// Whether a place holds a piece of a colour.
pub fn has_colour(place: &Place, colour: usize) -> bool {
    place[colour][S] + place[colour][M] + place[colour][L] > 0
}

/// The solid trees of one colour: min(S, M, L).
fn solids_of_colour(place: &Place, colour: usize) -> u32 {
    let [small, medium, large] = place[colour];
    u32::from(small.min(medium).min(large))
}

/// "`solid` = Σ over colours of min(S, M, L)".
pub fn solids(place: &Place) -> u32 {
    let mut sum = 0;
    for colour in 0..5 {
        sum += solids_of_colour(place, colour);
    }
    sum
}

/// "number of colours with two solid trees".
pub fn pairs(place: &Place) -> u32 {
    let mut colours = 0;
    for colour in 0..5 {
        if solids_of_colour(place, colour) == 2 {
            colours += 1;
        }
    }
    colours
}

/// The points of a Vault, without the multiplier.
pub fn points(rules: &Rules, place: &Place) -> u32 {
    // "`trees` = min(ΣS, ΣM, ΣL) over all colours"
    let mut sums = [0; 3];
    for sizes in place {
        for size in [S, M, L] {
            sums[size] += u32::from(sizes[size]);
        }
    }
    let trees = sums[S].min(sums[M]).min(sums[L]);
    // "base = 7·solid + 5·(trees − solid) + 1·(n − 3·trees)"
    let solid = solids(place);
    let base =
        rules.solid * solid + rules.mixed * (trees - solid) + rules.single * (pieces_in(place) - 3 * trees);
    // "vault = base · 2^(number of colours with two solid trees) (wiki)"
    // "vault = base (readme-v1)"
    let mut points = base;
    if rules.doubling {
        for _ in 0..pairs(place) {
            points *= 2;
        }
    }
    points
}

/// What the Vault points are multiplied with.
pub fn multiplier(rules: &Rules, completed: u32, pips: u32) -> u32 {
    match rules.multiplier {
        // "`last_completed` is the number of completed turns (10 for a full game)"
        Multiplier::LastCompleted => completed,
        // "`pips` is what the markers show when the game ends"
        Multiplier::Pips => pips,
        // "`pips_minus_one` is the literal bracket (never below 0)"
        Multiplier::PipsMinusOne => pips.saturating_sub(1),
        Multiplier::None => 1,
    }
}

/// The vocabulary for policies of `CarboniteDice`.
pub mod vocabulary {
    use super::carbonite::{
        Decision, L, M, Outcome, Piece, Place, Position, Roll, Rules, S, SIZE_FACES, VaultMatch, resolve,
    };
    use super::{has_colour, multiplier, pairs, pieces_in, points, solids};

    /// "V+C means Vault and Counter together".
    fn vault_and_counter(position: &Position) -> Place {
        let mut both = position.vault;
        for colour in 0..5 {
            for size in [S, M, L] {
                both[colour][size] += position.counter[colour][size];
            }
        }
        both
    }

    /// All equally likely rolls.
    pub fn all_rolls(rules: &Rules) -> Vec<Roll> {
        let mut rolls = Vec::new();
        for sizes in SIZE_FACES {
            for colour in 0..rules.colours {
                rolls.push(Roll { colour: Some(colour), sizes: sizes.to_vec() });
            }
            rolls.push(Roll { colour: None, sizes: sizes.to_vec() });
        }
        rolls
    }

    /// Of all rolls: how many are a bomb-out, how many end the game, how many there are.
    fn count_rolls(rules: &Rules, position: &Position) -> (i64, i64, i64) {
        let mut busts = 0;
        let mut ends = 0;
        let mut all = 0;
        for roll in all_rolls(rules) {
            all += 1;
            match resolve(rules, &mut position.clone(), &roll) {
                Outcome::BombOut => busts += 1,
                Outcome::FailedRetribution => {
                    busts += 1;
                    ends += 1;
                }
                Outcome::NoMatch => ends += 1,
                Outcome::Rerolled | Outcome::Match(_) => {}
            }
        }
        (busts, ends, all)
    }

    /// The value of a feature as (numerator, denominator).
    pub fn feature(rules: &Rules, position: &Position, name: &str) -> (i64, i64) {
        let turn = position.turn;
        let both = vault_and_counter(position);
        let whole = match name {
            // "the current turn, from 1; turns after this one"
            "turn" => turn,
            "turns_left" => u32::from(rules.turns) - turn,
            // "pieces on the Counter", "pieces there"
            "counter" => pieces_in(&position.counter),
            "vault" => pieces_in(&position.vault),
            "bank" => pieces_in(&position.bank),
            "chamber" => pieces_in(&position.chamber),
            // "solid trees in the Vault; colours with two of them"
            "solids" => solids(&position.vault),
            "pairs" => pairs(&position.vault),
            // "the same for V+C"
            "solids_if_stopped" => solids(&both),
            "pairs_if_stopped" => pairs(&both),
            // "Vault points now; of V+C"
            "vault_points" => points(rules, &position.vault),
            "points_if_stopped" => points(rules, &both),
            // "the final score if the game ended now, in this turn": the turn is not completed,
            // its markers show its number
            "score_if_ended" => points(rules, &position.vault) * multiplier(rules, turn - 1, turn),
            // "after stashing, if it ended in the next turn's marking": the turn is completed,
            // the markers still show its number
            "score_if_stopped" => points(rules, &both) * multiplier(rules, turn, turn),
            // "probability that the next roll is a bomb-out"
            "bust_chance" => {
                let (busts, _, all) = count_rolls(rules, position);
                return (busts, all);
            }
            // "probability that the next roll ends the game (failed retribution or no match)"
            "end_chance" => {
                let (_, ends, all) = count_rolls(rules, position);
                return (ends, all);
            }
            // "1 if the last piece came from the Vault and the rules still leave the choice"
            "vault_match" => u32::from(position.last_from_vault && rules.vault_match == VaultMatch::Free),
            _ => panic!("no such feature: {name}"),
        };
        (i64::from(whole), 1)
    }

    /// The piece types counted by V+C if the candidate were added to it.
    fn with_piece(position: &Position, piece: Piece) -> Place {
        let (colour, size) = piece;
        let mut both = vault_and_counter(position);
        both[colour][size] += 1;
        both
    }

    /// Whether a predicate holds for a candidate of a Mark or Take decision.
    pub fn predicate(
        rules: &Rules,
        position: &Position,
        decision: Decision,
        piece: Piece,
        name: &str,
    ) -> bool {
        assert!(decision != Decision::Stop, "Stop has no candidates");
        let (colour, size) = piece;
        let both = vault_and_counter(position);
        // "where the piece would come from (`mark`: always the Bank)"
        let from_vault = decision == Decision::Take && position.bank[colour][size] == 0;
        match name {
            "from_bank" => !from_vault,
            "from_vault" => from_vault,
            // "its size"
            "small" => size == S,
            "medium" => size == M,
            "large" => size == L,
            // "taking it raises the number of solid trees of V+C (a piece from the Vault never
            // does: it is already counted)"
            "completes_solid" => !from_vault && solids(&with_piece(position, piece)) > solids(&both),
            // "taking it raises the number of colours of V+C with two solid trees"
            "completes_pair" => !from_vault && pairs(&with_piece(position, piece)) > pairs(&both),
            // "V+C has no (c, s)"
            "type_missing" => both[colour][size] == 0,
            // "V+C has a piece of colour c"
            "colour_started" => has_colour(&both, colour),
            // "the Bank holds exactly one (c, s)"
            "last_in_bank" => position.bank[colour][size] == 1,
            "live" => live(rules, position, decision, colour),
            // The engine's own words, as `policy features` defines them.
            "colour_has_solid" => [S, M, L].iter().all(|&size| both[colour][size] >= 1),
            "colour_has_pair" => [S, M, L].iter().all(|&size| both[colour][size] >= 2),
            "surplus" => both[colour][size] >= 2 || !live(rules, position, decision, colour),
            "scarce_size" => {
                let held = |size: usize| both.iter().map(|colour| u32::from(colour[size])).sum::<u32>();
                held(size) == [S, M, L].map(held).into_iter().min().unwrap()
            }
            _ => panic!("no such predicate: {name}"),
        }
    }

    /// "the colour can still make two solid trees: for each size, Bank, V+C and a small or medium
    /// marker that will be given back hold two pieces of colour c (for `mark`: before the piece is
    /// taken)".
    fn live(rules: &Rules, position: &Position, decision: Decision, colour: usize) -> bool {
        // A marker of the turn before is given back in the very turn whose marker is chosen; the
        // marker of this turn is given back in the next turn, if there is one.
        let marker_returns = match decision {
            Decision::Mark => true,
            Decision::Take | Decision::Stop => position.turn < u32::from(rules.turns),
        };
        let both = vault_and_counter(position);
        for size in [S, M, L] {
            let mut copies = position.bank[colour][size] + both[colour][size];
            // "An L once used stays a marker for the rest of the game."
            if size != L && marker_returns {
                copies += position.markers[colour][size];
            }
            if copies < 2 {
                return false;
            }
        }
        true
    }

    /// The index of the candidate that a preference list chooses.
    pub fn prefer(
        rules: &Rules,
        position: &Position,
        decision: Decision,
        candidates: &[Piece],
        list: &[&str],
    ) -> usize {
        // "A preference list works from left to right: of the candidates left, keep those for
        // which the predicate holds, if any"
        let mut left: Vec<usize> = (0..candidates.len()).collect();
        for entry in list {
            let mut kept = Vec::new();
            for &index in &left {
                let piece = candidates[index];
                // "(each can be negated: `not small`)"
                let holds = match entry.strip_prefix("not ") {
                    Some(name) => !predicate(rules, position, decision, piece, name),
                    None => predicate(rules, position, decision, piece, entry),
                };
                if holds {
                    kept.push(index);
                }
            }
            if !kept.is_empty() {
                left = kept;
            }
        }
        // "the first candidate in the order colour 0…4, then S, M, L wins what is left"
        left[0]
    }
}
