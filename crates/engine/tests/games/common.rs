//! Shared by the tests: policies, a walk along one trial, and a reader of data files.
#![allow(dead_code, reason = "not every test uses every part")]

use std::hash::{Hash, Hasher};

use stopwise_engine::chance::Chance;
use stopwise_engine::game::{Action, Actions, AnswerForm, Game, Node, NodeOf, Policy, Question};
use stopwise_engine::games::carbonite::{self, Carbonite};
use stopwise_engine::games::icedice::{self, IceDice};
use stopwise_engine::games::pig::{self, Pig};
use stopwise_engine::stream::WordSource;
use stopwise_engine::vocabulary::Vocabulary;

/// Decides by a hash of what it sees, so that it goes everywhere sooner or later. The salt also says how
/// cautious it is: it answers yes in one to seven cases of eight, and so every game comes to an end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whim(pub(crate) u64);

impl<G: Game> Policy<G> for Whim {
    fn choose(&self, game: &G, state: G::State, question: Question) -> Action {
        let mut hasher = Fnv(self.0);
        (state, question).hash(&mut hasher);
        let draw = hasher.finish();
        match game.info().kinds[question.kind].form {
            AnswerForm::YesNo => Action::from(draw % 8 <= self.0 % 7),
            AnswerForm::Items | AnswerForm::Number => {
                let skip = draw % u64::from(question.actions.count());
                question.actions.iter().zip(0..).find(|&(_, n)| n == skip).expect("one of them").0
            }
        }
    }
}

/// FNV-1a with a finaliser: unlike the hashers of the standard library it is the same in every version.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        let folded = (self.0 ^ self.0 >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        folded ^ folded >> 32
    }
}

/// Plays `CarboniteDice` by preference lists, and stops at a number of pieces on the Counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefer<'l> {
    pub(crate) stop_at: u32,
    pub(crate) take: &'l [&'l str],
    pub(crate) mark: &'l [&'l str],
}

impl Prefer<'static> {
    /// "First k" of the rules page.
    pub(crate) fn first(k: u32) -> Self {
        Self { stop_at: k, take: &[], mark: &[] }
    }

    /// "Tidy" of the rules page.
    pub(crate) fn tidy() -> Self {
        Self {
            stop_at: 2,
            take: &["from_bank", "completes_pair", "completes_solid", "type_missing", "colour_started"],
            mark: &["not type_missing", "not colour_started"],
        }
    }
}

impl Policy<Carbonite> for Prefer<'_> {
    fn choose(&self, game: &Carbonite, state: carbonite::State, question: Question) -> Action {
        let list = match question.kind {
            carbonite::MARK => self.mark,
            carbonite::TAKE => self.take,
            _ => return Action::from(state.counter_count() >= self.stop_at),
        };
        preferred(game, state, question, list)
    }
}

/// The candidate that a list of predicates, each perhaps with a "not " before it, prefers.
fn preferred<G: Vocabulary>(game: &G, state: G::State, question: Question, list: &[&str]) -> Action {
    let masks = game.predicates(state, question.kind, u32::MAX);
    let mut left = question.actions.0;
    for entry in list {
        let name = entry.strip_prefix("not ").unwrap_or(entry);
        let known = game.info().predicates.iter().position(|predicate| predicate.name == name);
        let holds = masks[known.expect("a predicate of the game")];
        let kept = left & if name == *entry { holds } else { !holds };
        if kept != 0 {
            left = kept;
        }
    }
    Actions(left).first()
}

/// Plays `IceDice` by preference lists, and stops at a number of pieces on the Counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trader<'l> {
    pub(crate) stop_at: u32,
    pub(crate) take: &'l [&'l str],
    pub(crate) victim: &'l [&'l str],
}

impl Trader<'static> {
    /// Takes the first legal piece from the next seat that has it.
    pub(crate) fn first(k: u32) -> Self {
        Self { stop_at: k, take: &[], victim: &[] }
    }
}

impl Policy<IceDice> for Trader<'_> {
    fn choose(&self, game: &IceDice, state: icedice::State, question: Question) -> Action {
        match question.kind {
            icedice::TAKE => preferred(game, state, question, self.take),
            icedice::VICTIM => preferred(game, state, question, self.victim),
            _ => Action::from(state.counter_count() >= self.stop_at),
        }
    }
}

/// Holds at a number of points, or when the goal is reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HoldAt(pub(crate) u32);

impl Policy<Pig> for HoldAt {
    fn choose(&self, game: &Pig, state: pig::State, _: Question) -> Action {
        let total = state.turn_total();
        Action::from(total >= self.0 || state.score() + total >= u32::from(game.goal))
    }
}

/// Every node that a trial meets, the terminal one last.
pub(crate) fn path<G: Game>(
    game: &G,
    policy: &impl Policy<G>,
    words: &mut impl WordSource,
) -> Vec<NodeOf<G>> {
    let mut nodes = vec![game.root(&mut ())];
    loop {
        let next = match *nodes.last().expect("it has a root") {
            Node::Decision(state, question) => {
                game.decide(state, question.kind, policy.choose(game, state, question), &mut ())
            }
            Node::Chance(state, seat, chance) => {
                game.resolve(state, chance.sample(words.word(seat)), &mut ())
            }
            Node::Terminal(_) => return nodes,
        };
        nodes.push(next);
    }
}

/// Where a data file lies.
pub(crate) fn data_path(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The rows of a data file, without comments and the row of column names.
pub(crate) fn rows(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(data_path(name)).expect("the data file is there");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}
