//! The first decision at which two line-ups diverge, in words.

use stopwise_engine::games::Playable;
use stopwise_engine::paired::parting as find;
use stopwise_engine::stream::Keys;
use stopwise_policy::TextPolicy;

/// The first decision of a trial on which two line-ups differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// Who decides, from 0.
    pub seat: usize,
    /// The turn of that seat, from 1.
    pub turn: u32,
    /// The kind of decision.
    pub kind: &'static str,
    /// How many decisions came before it, forced ones included.
    pub before: usize,
    /// The decision of A.
    pub a: String,
    /// The decision of B in the same state.
    pub b: String,
    /// The contents of every place, one entry per place.
    pub places: Vec<(&'static str, String)>,
}

pub(crate) fn parting<G: Playable>(
    rules: &G,
    a: &[&TextPolicy<G>],
    b: &[&TextPolicy<G>],
    seed: u64,
    trial: u64,
) -> Option<Parting> {
    let found = find(rules, a, b, &Keys::new(seed), trial)?;
    let question = found.a.question;
    let name = |action| rules.describe_action(&found.a.state, question.kind, action);
    Some(Parting {
        seat: question.seat,
        turn: found.a.turn,
        kind: G::KINDS[question.kind].name,
        before: found.before,
        a: name(found.a.action),
        b: name(found.b),
        places: rules.describe_state(&found.a.state),
    })
}
