//! `CarboniteDice`, implemented in the simplest way.

use super::{has_colour, multiplier, pairs, points, solids};

pub use super::vocabulary::{feature, predicate, prefer};

pub const S: usize = 0;
pub const M: usize = 1;
pub const L: usize = 2;

/// What the pyramid die shows.
pub const SIZE_FACES: [&[usize]; 6] = [&[S], &[M], &[L], &[S, M], &[S, L], &[M, L]];

/// The size of the piece that turns 1 to 10 take as a marker.
const TAKES: [usize; 10] = [S, M, L, S, M, L, S, M, L, S];

/// The turns that give the next smaller marker back to the Bank: all but 1, 4, 7 and 10.
const GIVES_BACK: [bool; 10] = [false, true, true, false, true, true, false, true, true, false];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Multiplier {
    LastCompleted,
    Pips,
    PipsMinusOne,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Retribution {
    All,
    Any,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    Choice,
    Reroll,
    Bust,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VaultMatch {
    ForcedRoll,
    Free,
    NoMatch,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    pub turns: u8,
    pub colours: usize,
    pub copies: u8,
    pub solid: u32,
    pub mixed: u32,
    pub single: u32,
    pub doubling: bool,
    pub multiplier: Multiplier,
    pub retribution: Retribution,
    pub atom: Atom,
    pub vault_match: VaultMatch,
}

impl Rules {
    pub fn wiki() -> Rules {
        Rules {
            turns: 10,
            colours: 5,
            copies: 2,
            solid: 7,
            mixed: 5,
            single: 1,
            doubling: true,
            multiplier: Multiplier::LastCompleted,
            retribution: Retribution::All,
            atom: Atom::Choice,
            vault_match: VaultMatch::ForcedRoll,
        }
    }

    pub fn readme_v1() -> Rules {
        Rules { doubling: false, multiplier: Multiplier::Pips, ..Rules::wiki() }
    }
}

/// A piece type: (colour from 0, size 0 = S, 1 = M, 2 = L).
pub type Piece = (usize, usize);

/// How many pieces of each colour and size lie in one place.
pub type Place = [[u8; 3]; 5];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    /// `None` is the Atom.
    pub colour: Option<usize>,
    /// Ascending.
    pub sizes: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    Mark,
    Take,
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    Completed,
    NoMarker,
    NoRetribution,
    NoMatch,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub score: u32,
    pub vault: u32,
    pub solids: u32,
    pub pairs: u32,
    pub turn_reached: u32,
    pub completed: u32,
    pub ending: Ending,
    pub rolls: u32,
    pub bomb_outs: u32,
    pub vault_matches: u32,
    /// The turn number of every bomb-out, in order.
    pub bomb_out_turns: Vec<u32>,
}

/// The game at the moment at which a decision is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub bank: Place,
    pub vault: Place,
    pub counter: Place,
    pub markers: Place,
    pub chamber: Place,
    /// The current turn, from 1. At a Mark decision the markers are still those of the turn before.
    pub turn: u32,
    /// Whether the last piece matched in this turn came from the Vault.
    pub last_from_vault: bool,
}

/// What a roll leads to, before the player picks a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An Atom under `atom = reroll`.
    Rerolled,
    /// A bomb-out after which the game goes on.
    BombOut,
    /// A bomb-out that ends the game.
    FailedRetribution,
    NoMatch,
    /// The legal piece types, at least one.
    Match(Vec<Piece>),
}

impl Position {
    /// "Bank (all 30 at the start)".
    pub fn start(rules: &Rules) -> Position {
        let mut bank = [[0; 3]; 5];
        for sizes in bank.iter_mut().take(rules.colours) {
            *sizes = [rules.copies; 3];
        }
        Position {
            bank,
            vault: [[0; 3]; 5],
            counter: [[0; 3]; 5],
            markers: [[0; 3]; 5],
            chamber: [[0; 3]; 5],
            turn: 1,
            last_from_vault: false,
        }
    }

    /// "Every pyramid is in exactly one place at all times."
    pub fn check(&self, rules: &Rules) {
        let places = [&self.bank, &self.vault, &self.counter, &self.markers, &self.chamber];
        let mut all_pieces = 0;
        for colour in 0..5 {
            for size in [S, M, L] {
                let mut copies = 0;
                for place in places {
                    copies += place[colour][size];
                }
                let wanted = if colour < rules.colours { rules.copies } else { 0 };
                assert_eq!(copies, wanted, "colour {colour} size {size}: {self:?}");
                all_pieces += usize::from(copies);
            }
            // "The Counter therefore never holds two pieces of one colour"
            let on_counter: u8 = self.counter[colour].iter().sum();
            assert!(on_counter <= 1, "two of a colour: {self:?}");
        }
        assert_eq!(all_pieces, rules.colours * 3 * usize::from(rules.copies));
    }

    /// Moves every Counter piece to the Bank.
    fn counter_to_bank(&mut self) {
        for colour in 0..5 {
            for size in [S, M, L] {
                self.bank[colour][size] += self.counter[colour][size];
                self.counter[colour][size] = 0;
            }
        }
    }

    /// "stash: every Counter piece goes to the Vault and the turn is over".
    pub fn stash(&mut self) {
        for colour in 0..5 {
            for size in [S, M, L] {
                self.vault[colour][size] += self.counter[colour][size];
                self.counter[colour][size] = 0;
            }
        }
    }

    /// The piece types that can be the marker of this turn.
    pub fn mark_candidates(&self, rules: &Rules) -> Vec<Piece> {
        let size = TAKES[self.turn as usize - 1];
        let mut candidates = Vec::new();
        for colour in 0..rules.colours {
            if self.bank[colour][size] > 0 {
                candidates.push((colour, size));
            }
        }
        candidates
    }

    /// Makes a piece the marker of this turn.
    pub fn mark(&mut self, piece: Piece) {
        // "The piece is taken before the smaller one goes back."
        let (colour, size) = piece;
        self.bank[colour][size] -= 1;
        self.markers[colour][size] += 1;
        // "gives the next smaller marker back to it"
        if GIVES_BACK[self.turn as usize - 1] {
            let smaller = size - 1;
            for colour in 0..5 {
                self.bank[colour][smaller] += self.markers[colour][smaller];
                self.markers[colour][smaller] = 0;
            }
        }
        // "The markers of turn t show t pips"
        let mut pips = 0;
        for [small, medium, large] in self.markers {
            pips += u32::from(small) + 2 * u32::from(medium) + 3 * u32::from(large);
        }
        assert_eq!(pips, self.turn, "wrong markers: {self:?}");
    }

    /// Puts a matched piece on the Counter.
    pub fn take(&mut self, piece: Piece) {
        let (colour, size) = piece;
        // "from the Bank if it holds one; only if the Bank holds none, from the Vault"
        if self.bank[colour][size] > 0 {
            self.bank[colour][size] -= 1;
            self.last_from_vault = false;
        } else {
            self.vault[colour][size] -= 1;
            self.last_from_vault = true;
        }
        // "it goes on the Counter"
        self.counter[colour][size] += 1;
    }
}

/// The legal choices of a roll that is not a bomb-out.
fn take_candidates(rules: &Rules, position: &Position, roll: &Roll) -> Vec<Piece> {
    let mut candidates = Vec::new();
    for colour in 0..rules.colours {
        // "whose colour is the one rolled (with the Atom: any colour not on the Counter)"
        let colour_fits = match roll.colour {
            Some(rolled) => colour == rolled,
            None => !has_colour(&position.counter, colour),
        };
        for size in [S, M, L] {
            // "whose size is shown"
            let size_fits = roll.sizes.contains(&size);
            // "and of which one can be had: from the Bank if it holds one; only if the Bank holds
            // none, from the Vault"; under `no_match` a match from the Vault "is not possible"
            let can_be_had = position.bank[colour][size] > 0
                || (position.vault[colour][size] > 0 && rules.vault_match != VaultMatch::NoMatch);
            if colour_fits && size_fits && can_be_had {
                candidates.push((colour, size));
            }
        }
    }
    candidates
}

/// Follows a roll up to the point where the player picks a piece, if there is one to pick.
pub fn resolve(rules: &Rules, position: &mut Position, roll: &Roll) -> Outcome {
    match roll.colour {
        // "`reroll` = roll both dice again"
        None if rules.atom == Atom::Reroll => return Outcome::Rerolled,
        // "`bust` = the Counter goes to the Bank, nothing to the Chamber"
        None if rules.atom == Atom::Bust => {
            position.counter_to_bank();
            return Outcome::BombOut;
        }
        // "Bomb-out: the colour die shows a colour (not the Atom) that is on the Counter."
        Some(colour) if has_colour(&position.counter, colour) => {
            return bomb_out(rules, position, colour, &roll.sizes);
        }
        // "Match: otherwise"
        _ => {}
    }
    let candidates = take_candidates(rules, position, roll);
    // "No legal choice: the game ends (`no_match`)."
    if candidates.is_empty() {
        return Outcome::NoMatch;
    }
    Outcome::Match(candidates)
}

fn bomb_out(rules: &Rules, position: &mut Position, colour: usize, sizes: &[usize]) -> Outcome {
    // "or nothing is removed and a bomb-out never ends the game"
    if rules.retribution != Retribution::None {
        // "For each size shown, small before large, one pyramid of that colour and size goes to
        // the Chamber:"
        let mut removed = 0;
        for &size in sizes {
            if position.bank[colour][size] > 0 {
                // "from the Bank if one is there,"
                position.bank[colour][size] -= 1;
                position.chamber[colour][size] += 1;
                removed += 1;
            } else if position.counter[colour][size] > 0 {
                // "otherwise from the Counter if the Counter's piece of that colour has that size,"
                position.counter[colour][size] -= 1;
                position.chamber[colour][size] += 1;
                removed += 1;
            }
        }
        // "otherwise the game ends (`no_retribution`)": what must be removable is
        // "every size shown; at least one (those that can be had are removed)"
        let enough = match rules.retribution {
            Retribution::All => removed == sizes.len(),
            Retribution::Any => removed >= 1,
            Retribution::None => true,
        };
        if !enough {
            return Outcome::FailedRetribution;
        }
    }
    // "After that every piece left on the Counter, wherever it came from, goes to the Bank"
    position.counter_to_bank();
    Outcome::BombOut
}

/// Plays one game. For Mark and Take `choose` gets the legal piece types, in order of colour and
/// then S, M, L, and returns an index into them; a single one is taken without asking. For Stop it
/// gets none and returns 1 to stash or 0 to roll again.
pub fn play(
    rules: &Rules,
    roll: &mut dyn FnMut() -> Roll,
    choose: &mut dyn FnMut(Decision, &Position, &[Piece]) -> usize,
) -> Report {
    let mut position = Position::start(rules);
    position.check(rules);
    let mut report = Report {
        score: 0,
        vault: 0,
        solids: 0,
        pairs: 0,
        turn_reached: 0,
        completed: 0,
        ending: Ending::Completed,
        rolls: 0,
        bomb_outs: 0,
        vault_matches: 0,
        bomb_out_turns: Vec::new(),
    };

    // "Turns t = 1, 2, …, 10."
    for turn in 1..=u32::from(rules.turns) {
        position.turn = turn;
        position.last_from_vault = false;
        report.turn_reached = turn;

        // "1. Mark."
        let candidates = position.mark_candidates(rules);
        // "No piece of the needed size in the Bank: the game ends (`no_marker`)."
        if candidates.is_empty() {
            return finish(rules, &position, report, Ending::NoMarker);
        }
        // "(decision `mark`; forced when one colour has that size)"
        let mut index = 0;
        if candidates.len() > 1 {
            index = choose(Decision::Mark, &position, &candidates);
        }
        position.mark(candidates[index]);
        position.check(rules);

        loop {
            // "2. Roll both dice."
            let rolled = roll();
            check_roll(rules, &rolled);
            report.rolls += 1;
            let outcome = resolve(rules, &mut position, &rolled);
            position.check(rules);

            let candidates = match outcome {
                Outcome::Rerolled => continue,
                Outcome::BombOut => {
                    report.bomb_outs += 1;
                    report.bomb_out_turns.push(turn);
                    // "and the turn is over"
                    break;
                }
                Outcome::FailedRetribution => {
                    report.bomb_outs += 1;
                    report.bomb_out_turns.push(turn);
                    return finish(rules, &position, report, Ending::NoRetribution);
                }
                Outcome::NoMatch => {
                    return finish(rules, &position, report, Ending::NoMatch);
                }
                Outcome::Match(candidates) => candidates,
            };

            // "The player picks one (decision `take`; forced when there is one)"
            let mut index = 0;
            if candidates.len() > 1 {
                index = choose(Decision::Take, &position, &candidates);
            }
            position.take(candidates[index]);
            position.check(rules);
            if position.last_from_vault {
                report.vault_matches += 1;
            }

            // "3. Go on or stop. If the piece just matched came from the Vault, the player must
            // roll again (2)."
            if position.last_from_vault && rules.vault_match == VaultMatch::ForcedRoll {
                continue;
            }
            // "Otherwise the player chooses (decision `stop`): roll again (2), or stash"
            let answer = choose(Decision::Stop, &position, &[]);
            assert!(answer <= 1, "Stop is answered with 0 or 1, not {answer}");
            if answer == 1 {
                position.stash();
                position.check(rules);
                break;
            }
        }

        // "A turn that is over without the game having ended is a completed turn."
        report.completed += 1;
    }

    // "After turn 10 the game is over (`completed`)."
    finish(rules, &position, report, Ending::Completed)
}

fn check_roll(rules: &Rules, roll: &Roll) {
    if let Some(colour) = roll.colour {
        assert!(colour < rules.colours, "no such colour: {roll:?}");
    }
    assert!(SIZE_FACES.contains(&roll.sizes.as_slice()), "no such sizes: {roll:?}");
}

/// Fills in what the end of the game decides. "Pieces on the Counter when the game ends are lost."
fn finish(rules: &Rules, position: &Position, mut report: Report, ending: Ending) -> Report {
    // "what the markers show when the game ends (t in turn t, but t − 1 if turn t could not be
    // marked)"
    let pips = if ending == Ending::NoMarker { report.turn_reached - 1 } else { report.turn_reached };
    report.ending = ending;
    report.vault = points(rules, &position.vault);
    report.solids = solids(&position.vault);
    report.pairs = pairs(&position.vault);
    // "score = vault · multiplier"
    report.score = report.vault * multiplier(rules, report.completed, pips);
    report
}
