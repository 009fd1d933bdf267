//! What positions are worth, kept: a table in the form of a file, from which best play answers.
//!
//! ```text
//! byte 0    "stopwise values" and what the positions are: 1 all, 2 those between turns
//!      16   digest of the game, its rules and the metric     │
//!      24   salt of the digests of states                    │
//!      32   number of positions                              │ 64 bits each, the least
//!      40   value at the start of the game, a float          │ significant byte first
//!      48   how far it may be off, a float                   │
//!      56   digest of all bytes but these eight              │
//!      64   positions, by their digests: digest of the state, value, a float
//! ```
//!
//! A state is digested as its fields are [hashed](Digest), after [`Game::canonical`]. Two positions never have one digest: a
//! salt is chosen for which it is so. A position that is not there is taken for one that is with a chance of their number
//! in 2⁶⁴, and best play meets none.
//!
//! Of a game that is solved turn by turn, the positions between turns are kept. In a game for two that is
//! [told so](Game::turn_by_turn) they are worth what they are for the seat to play.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use rayon::slice::ParallelSliceMut as _;

use crate::chance::Chance;
use crate::digest::Digest;
use crate::game::{Events, Game, Node, NodeOf, Question};
use crate::look_ahead::{Objective, Values, Worths};
use crate::turn_by_turn::Turns;
use crate::turn_values::TurnValues;
use crate::vocabulary::Cause;
use crate::within::WorthsWithin;

const MAGIC: &[u8; 15] = b"stopwise values";
/// The bytes of the header, and of a position.
const HEADER: usize = 64;
const ENTRY: usize = 16;
/// Where the digest of the file is.
const CHECKED: usize = 56;
/// The salts that are tried.
const SALTS: u64 = 64;
/// The positions from the start on that are looked for in a table that is read.
const LOOKED_FOR: usize = 200;
/// The games whose turns are looked for.
const GAMES: usize = 8;
/// The steps of a search that guess where a digest is, before it goes by halves.
const GUESSES: usize = 16;
/// The most bytes of what is worked out from the values between turns, and remembered.
const REMEMBERED: usize = 1 << 30;

/// A table of values.
#[derive(Clone)]
pub struct Kept {
    bytes: Arc<[u8]>,
    salt: u64,
    /// What the positions are.
    pub covers: Covers,
    /// The number of its positions.
    pub positions: usize,
    /// The value at the start of the game, for the first seat.
    pub value: f64,
    /// How far it, or the value of a position, may be off.
    pub error: f64,
}

/// How far a value may be off that is told as exact; relative for values above 1.
pub const KNOWN: f64 = 1e-9;

/// What the positions of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// All before a roll, and decisions that can be [asked again](Game::ask_again).
    All = 1,
    /// Those between turns.
    BetweenTurns = 2,
}

/// Why a table cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptError {
    /// It is no table of values.
    Foreign,
    /// It was written by another version.
    OtherVersion,
    /// It was cut short, or something was added or changed.
    Damaged,
    /// It is for another game, other rules, or another metric.
    OtherRules,
}

impl fmt::Display for KeptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Foreign => "this is no table of values",
            Self::OtherVersion => "the values were written by another version of stopwise",
            Self::Damaged => "the table of values was cut short, or is damaged",
            Self::OtherRules => "the values are for other rules, or another metric",
        })
    }
}

impl std::error::Error for KeptError {}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept")
            .field("positions", &self.positions)
            .field("value", &self.value)
            .finish_non_exhaustive()
    }
}

/// Of the game, its rules and what is played for.
fn fingerprint<G: Game>(game: &G, metric: usize, covers: Covers) -> u64 {
    Digest::of(covers as u64, &(game.info().name, game.rules_in_full(), game.metrics()[metric].name))
}

/// The digest of a file, all of it but the digest itself.
fn checked(bytes: &[u8]) -> u64 {
    let (before, after) = (&bytes[..CHECKED], &bytes[HEADER..]);
    Digest::of(Digest::of_bytes(before), &Digest::of_bytes(after))
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}

impl Kept {
    /// The largest table that is read, in bytes.
    pub const LONGEST: u64 = 4 << 30;

    /// The bytes of the table of these positions: their representatives ([`Game::canonical`]), each once, with their values.
    /// Before them the value of the game, and how far values may be off.
    ///
    /// # Panics
    ///
    /// If a position comes twice.
    pub fn write<G: Game>(
        game: &G,
        objective: &Objective,
        covers: Covers,
        [value, error]: [f64; 2],
        positions: impl Iterator<Item = (G::State, f64)> + Clone,
    ) -> Vec<u8> {
        let mut entries = Vec::new();
        for salt in 0..SALTS {
            entries.clear();
            entries.extend(positions.clone().map(|(state, value)| (Digest::of(salt, &state), value)));
            if are_distinct(&mut entries) {
                return written(
                    covers,
                    [
                        fingerprint(game, objective.metric, covers),
                        salt,
                        entries.len() as u64,
                        value.to_bits(),
                        error.to_bits(),
                    ],
                    &entries,
                );
            }
        }
        panic!("a position comes twice")
    }

    /// Whether all values are known. They are not where players would rather wait than go on: the bounds of a value do not meet then.
    pub fn is_exact(&self) -> bool {
        self.error <= KNOWN * self.value.abs().max(1.0)
    }

    /// Reads a table.
    ///
    /// # Errors
    ///
    /// If it is no table, or not whole, or was written for something else.
    pub fn read<G: Game>(game: &G, objective: &Objective, bytes: &Arc<[u8]>) -> Result<Self, KeptError> {
        let kept = Self::whole(bytes)?;
        if word(bytes, 16) != fingerprint(game, objective.metric, kept.covers) {
            return Err(KeptError::OtherRules);
        }
        // Another version may know the same positions by other bits.
        let is_known = match kept.covers {
            Covers::All => kept.knows_the_start(game, objective),
            Covers::BetweenTurns => kept.knows_turns(game, objective),
        };
        if is_known { Ok(kept) } else { Err(KeptError::OtherVersion) }
    }

    fn whole(bytes: &Arc<[u8]>) -> Result<Self, KeptError> {
        if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != *MAGIC {
            return Err(KeptError::Foreign);
        }
        if bytes.len() < HEADER {
            return Err(KeptError::Damaged);
        }
        let covers = [Covers::All, Covers::BetweenTurns];
        let Some(covers) = covers.into_iter().find(|covers| *covers as u8 == bytes[MAGIC.len()]) else {
            return Err(KeptError::OtherVersion);
        };
        let positions = word(bytes, 32);
        let is_whole = positions.checked_mul(ENTRY as u64) == Some((bytes.len() - HEADER) as u64);
        if !is_whole || word(bytes, CHECKED) != checked(bytes) {
            return Err(KeptError::Damaged);
        }
        Ok(Self {
            bytes: Arc::clone(bytes),
            salt: word(bytes, 24),
            covers,
            positions: (bytes.len() - HEADER) / ENTRY,
            value: f64::from_bits(word(bytes, 40)),
            error: f64::from_bits(word(bytes, 48)),
        })
    }

    /// The digest of the file, as `policy.toml` has it.
    #[must_use]
    pub fn digest(bytes: &[u8]) -> Option<String> {
        (bytes.len() >= HEADER).then(|| format!("{:016x}", word(bytes, CHECKED)))
    }

    /// Whether the first positions of the game are in the table.
    fn knows_the_start<G: Game>(&self, game: &G, objective: &Objective) -> bool {
        let is_known = |state| self.value(game, objective.settled(game, state).1).is_some();
        let mut nodes = vec![game.root(&mut ())];
        let mut at = 0;
        while at < nodes.len() && nodes.len() < LOOKED_FOR {
            let node = nodes[at];
            at += 1;
            match node {
                Node::Chance(state, _, chance) => {
                    if !is_known(state) {
                        return false;
                    }
                    nodes.extend(
                        chance.outcomes().take(8).map(|(outcome, _)| game.resolve(state, outcome, &mut ())),
                    );
                }
                Node::Decision(state, question) => {
                    if game.met_again(state, question).is_some_and(|state| !is_known(state)) {
                        return false;
                    }
                    let after = question.actions.iter().take(8);
                    nodes.extend(after.map(|action| game.decide(state, question.kind, action, &mut ())));
                }
                Node::Terminal(_) => {}
            }
        }
        true
    }

    /// Whether the turns of some games are in the table.
    fn knows_turns<G: Game>(&self, game: &G, objective: &Objective) -> bool {
        if let Some(by) = game.turn_by_turn() {
            let is_known = |node: NodeOf<G>| {
                by.beginning(game, node.state())
                    .is_some_and(|begins| self.of_turn::<G>(begins.state()).is_some())
            };
            return (0..GAMES).all(|number| some_game(game, number, &mut |_, node| is_known(node)));
        }
        let Some(within) = game.within() else { return false };
        // Whether the last steps have led out of a turn.
        let mut is_out = true;
        let mut is_known = |before: Before<G>, node: NodeOf<G>| {
            let is_within = before.is_none_or(|(state, step)| {
                let (part, events) = (within.part(game, state), &mut () as &mut dyn Events);
                match step {
                    Cause::Answer(_, action) => within.decide(game, part, action, events).is_some(),
                    Cause::Roll(outcome) => within.resolve(game, part, outcome, events).is_some(),
                }
            });
            is_out |= before.is_none() || !is_within;
            match node {
                Node::Chance(state, ..) if is_out => {
                    is_out = false;
                    self.value(game, objective.settled(game, state).1).is_some()
                }
                _ => true,
            }
        };
        (0..GAMES).all(|number| some_game(game, number, &mut is_known))
    }

    /// The value of a position between turns.
    fn of_turn<G: Game>(&self, state: G::State) -> Option<f64> {
        self.find(Digest::of(self.salt, &state))
    }

    /// What follows from the values between turns for positions within them. `None` if the table has not all of them.
    pub fn within_turns<G: Game>(&self, game: &G, objective: Objective) -> Option<WithinTurns<G>> {
        if game.turn_by_turn().is_none() {
            return WorthsWithin::new(game, REMEMBERED).map(WithinTurns::Apart);
        }
        let turns = Turns::explore(game, &mut |_, _| true)?;
        let values: Option<_> = turns.beginnings.iter().map(|turn| self.of_turn::<G>(turn.state)).collect();
        Some(WithinTurns::Told(TurnValues::new(game, objective, turns, values?)))
    }

    fn key(&self, at: usize) -> u64 {
        word(&self.bytes, HEADER + at * ENTRY)
    }

    /// The value of the position with this digest: it is looked for where digests that are evenly spread would have it, a
    /// few times, and then by halves.
    fn find(&self, digest: u64) -> Option<f64> {
        let (mut low, mut high) = (0, self.positions);
        let (mut least, mut most) = (0, u64::MAX);
        let mut steps = 0;
        while low < high {
            let at = if steps < GUESSES && least <= digest && digest <= most {
                let part = (digest - least) as f64 / (most - least).max(1) as f64;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a part of a length"
                )]
                let ahead = (part * (high - low) as f64) as usize;
                low + ahead.min(high - low - 1)
            } else {
                low.midpoint(high)
            };
            let key = self.key(at);
            match key.cmp(&digest) {
                Ordering::Equal => return Some(f64::from_bits(word(&self.bytes, HEADER + at * ENTRY + 8))),
                Ordering::Less => (low, least) = (at + 1, key),
                Ordering::Greater => (high, most) = (at, key),
            }
            steps += 1;
        }
        None
    }

    /// What the answers to a question are worth; `None` if play never comes to it. With values between turns, `within` is what
    /// follows from them.
    pub fn worths<G: Game>(
        &self,
        game: &G,
        objective: &Objective,
        within: Option<&WithinTurns<G>>,
        (state, question): (G::State, Question),
    ) -> Option<Worths> {
        match within {
            None => Worths::of(game, objective, self, state, question),
            Some(WithinTurns::Told(values)) => values.worths(state, question),
            Some(WithinTurns::Apart(worths)) => worths.worths(game, objective, self, state, question),
        }
    }
}

impl<G: Game> Values<G> for Kept {
    fn value(&self, game: &G, state: G::State) -> Option<f64> {
        self.find(Digest::of(self.salt, &game.canonical(state)))
    }
}

/// What follows from values between turns for positions within them.
#[derive(Debug)]
pub enum WithinTurns<G: Game> {
    /// Of a game that is [told turn by turn](Game::turn_by_turn).
    Told(TurnValues<G>),
    /// Of one that tells [what outlasts its turns](Game::within).
    Apart(WorthsWithin<G>),
}

/// The state before a node, and what led from it.
type Before<G> = Option<(<G as Game>::State, Cause<G>)>;

/// Follows the first steps of some game, as long as the answer is yes: to each node, and the step that led to it.
fn some_game<G: Game>(game: &G, number: usize, go_on: &mut dyn FnMut(Before<G>, NodeOf<G>) -> bool) -> bool {
    let (mut before, mut node) = (None, game.root(&mut ()));
    for at in 0..LOOKED_FOR {
        if matches!(node, Node::Terminal(_)) {
            return true;
        }
        if !go_on(before, node) {
            return false;
        }
        (before, node) = match node {
            Node::Chance(state, _, chance) => {
                let outcomes: Vec<_> = chance.outcomes().collect();
                let outcome = outcomes[(number + at) % outcomes.len()].0;
                (Some((state, Cause::Roll(outcome))), game.resolve(state, outcome, &mut ()))
            }
            Node::Decision(state, question) => {
                let actions: Vec<_> = question.actions.iter().collect();
                let action = actions[(number + at) % actions.len()];
                let cause = Cause::Answer(question.kind, action);
                (Some((state, cause)), game.decide(state, question.kind, action, &mut ()))
            }
            Node::Terminal(_) => (None, node),
        };
    }
    true
}

/// Sorts entries by their digests, and says whether these are distinct. Not generic, so that the sort is compiled once.
fn are_distinct(entries: &mut [(u64, f64)]) -> bool {
    entries.par_sort_unstable_by_key(|entry| entry.0);
    entries.windows(2).all(|pair| pair[0].0 != pair[1].0)
}

fn written(covers: Covers, header: [u64; 5], entries: &[(u64, f64)]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + entries.len() * ENTRY);
    bytes.extend(MAGIC);
    bytes.push(covers as u8);
    header.iter().chain(&[0]).for_each(|word| bytes.extend(word.to_le_bytes()));
    for (digest, value) in entries {
        bytes.extend(digest.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    let digest = checked(&bytes);
    bytes[CHECKED..HEADER].copy_from_slice(&digest.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pig::Pig;

    const GAME: Pig = Pig { goal: 6, ..Pig::SOLO };

    /// A table of what is met first in a game, whatever that is worth.
    fn table() -> (Vec<u8>, Vec<(<Pig as Game>::State, f64)>) {
        let (mut nodes, mut known) = (vec![GAME.root(&mut ())], Vec::new());
        let mut at = 0;
        while at < nodes.len() && nodes.len() < 3000 {
            match nodes[at] {
                Node::Chance(state, _, chance) => {
                    let key = GAME.canonical(state);
                    if !known.iter().any(|&(other, _)| other == key) {
                        known.push((key, known.len() as f64 / 3.0));
                        nodes.extend(
                            chance.outcomes().map(|(outcome, _)| GAME.resolve(state, outcome, &mut ())),
                        );
                    }
                }
                Node::Decision(state, question) => {
                    let actions = question.actions.iter();
                    nodes.extend(actions.map(|action| GAME.decide(state, question.kind, action, &mut ())));
                }
                Node::Terminal(_) => {}
            }
            at += 1;
        }
        let bytes =
            Kept::write(&GAME, &Objective::new(&GAME, 0), Covers::All, [7.5, 0.25], known.iter().copied());
        (bytes, known)
    }

    fn read(game: &Pig, metric: usize, bytes: &[u8]) -> Result<Kept, KeptError> {
        Kept::read(game, &Objective::new(game, metric), &bytes.into())
    }

    #[test]
    fn what_was_written_is_read() {
        let (bytes, known) = table();
        assert_eq!(bytes.len(), 64 + 16 * known.len());
        let kept = read(&GAME, 0, &bytes).expect("whole");
        assert_eq!((kept.positions, kept.value, kept.error), (known.len(), 7.5, 0.25));
        for (state, value) in known {
            assert_eq!(kept.value(&GAME, state), Some(value));
        }
        for digest in [0, 1, u64::MAX / 2, u64::MAX] {
            assert_eq!(kept.find(digest), None);
        }
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        let (bytes, _) = table();
        for length in [0, 10, 20, 63, 64, bytes.len() - 16, bytes.len() - 1] {
            let error = read(&GAME, 0, &bytes[..length]).expect_err("it is cut short");
            assert!(matches!(error, KeptError::Foreign | KeptError::Damaged), "{length}: {error}");
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1 << (at % 8);
            assert!(read(&GAME, 0, &bytes).is_err(), "byte {at}");
        }
        let longer = [&bytes[..], &[0; 16]].concat();
        assert_eq!(read(&GAME, 0, &longer).expect_err("it is too long"), KeptError::Damaged);
    }

    #[test]
    fn other_rules_are_refused() {
        let (bytes, _) = table();
        for (game, metric) in [(Pig { goal: 7, ..GAME }, 0), (GAME, 1), (Pig::STANDARD, 0)] {
            assert_eq!(read(&game, metric, &bytes).expect_err("it is for others"), KeptError::OtherRules);
        }
    }

    /// Digests that are anything but evenly spread are found as well.
    #[test]
    fn lopsided_digests_are_found() {
        let digests: Vec<u64> = (0..500).chain((40..64).map(|bit| 1 << bit)).collect();
        let entries: Vec<_> = digests.iter().map(|&digest| (digest, digest as f64)).collect();
        let bytes = written(Covers::All, [0, 0, entries.len() as u64, 0, 0], &entries);
        let kept = Kept::whole(&bytes.into()).expect("whole");
        for digest in digests {
            assert_eq!(kept.find(digest), Some(digest as f64));
        }
        assert_eq!(kept.find(501), None);
    }
}
