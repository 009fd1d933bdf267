//! Plays the same trial twice with the same words: by the engine and by the naive oracle.

use stopwise_engine::game::{Action, Event, Events, Policy, Question, Seat};
use stopwise_engine::games::carbonite::{Atom, Carbonite, Multiplier, Retribution, State, VaultMatch};
use stopwise_engine::stream::{Keys, WordSource};
use stopwise_engine::tally::{Recorder, Tally};
use stopwise_engine::trial::{Watch, trial};

use crate::naive::carbonite as oracle;
use crate::naive::carbonite::{Decision, Piece, Position};

/// What one played trial leaves: its tally, and everything that was decided.
pub(crate) struct Played {
    pub(crate) tally: Tally,
    pub(crate) decisions: Vec<(State, Question, Action)>,
    pub(crate) end: State,
}

/// Counts like a run does, and remembers the decisions.
struct Log<'t> {
    recorder: Recorder<'t>,
    decisions: Vec<(State, Question, Action)>,
}

impl Events for Log<'_> {
    fn event(&mut self, seat: Seat, event: Event) {
        self.recorder.event(seat, event);
    }
}

impl Watch<Carbonite> for Log<'_> {
    fn decided(&mut self, state: State, question: Question, action: Action) {
        self.decisions.push((state, question, action));
    }
}

pub(crate) fn play(game: &Carbonite, policy: &impl Policy<Carbonite>, keys: &Keys, number: u64) -> Played {
    let mut tally = Tally::new(game);
    let mut log = Log { recorder: Recorder::new(&mut tally), decisions: Vec::new() };
    let end = trial(game, &[policy], &mut keys.stream(number, 0), &mut log);
    log.recorder.finish(game, end);
    let decisions = log.decisions;
    Played { tally, decisions, end }
}

pub(crate) fn oracle_rules(game: &Carbonite) -> oracle::Rules {
    oracle::Rules {
        turns: game.turns,
        colours: game.colours.into(),
        copies: game.copies,
        solid: game.points.solid.into(),
        mixed: game.points.mixed.into(),
        single: game.points.single.into(),
        doubling: game.doubling,
        multiplier: match game.multiplier {
            Multiplier::LastCompleted => oracle::Multiplier::LastCompleted,
            Multiplier::Pips => oracle::Multiplier::Pips,
            Multiplier::PipsMinusOne => oracle::Multiplier::PipsMinusOne,
            Multiplier::None => oracle::Multiplier::None,
        },
        retribution: match game.retribution {
            Retribution::All => oracle::Retribution::All,
            Retribution::Any => oracle::Retribution::Any,
            Retribution::None => oracle::Retribution::None,
        },
        atom: match game.atom {
            Atom::Choice => oracle::Atom::Choice,
            Atom::Reroll => oracle::Atom::Reroll,
            Atom::Bust => oracle::Atom::Bust,
        },
        vault_match: match game.vault_match {
            VaultMatch::ForcedRoll => oracle::VaultMatch::ForcedRoll,
            VaultMatch::Free => oracle::VaultMatch::Free,
            VaultMatch::NoMatch => oracle::VaultMatch::NoMatch,
        },
    }
}

/// The roll that a word stands for: one die with a face for every pair of faces, the colours being the slower.
pub(crate) fn oracle_roll(colours: usize, word: u32) -> oracle::Roll {
    let faces = 6 * (colours as u128 + 1);
    let face = usize::try_from(u128::from(word) * faces / (1 << 32)).expect("a small number");
    let colour = (face / 6 < colours).then_some(face / 6);
    oracle::Roll { colour, sizes: oracle::SIZE_FACES[face % 6].to_vec() }
}

/// The oracle's game with the words of the same trial.
pub(crate) fn oracle_play(
    rules: &oracle::Rules,
    keys: &Keys,
    number: u64,
    choose: &mut dyn FnMut(Decision, &Position, &[Piece]) -> usize,
) -> oracle::Report {
    let mut stream = keys.stream(number, 0);
    oracle::play(rules, &mut || oracle_roll(rules.colours, stream.word(0)), choose)
}
