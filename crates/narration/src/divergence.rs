//! The first decision at which two line-ups diverge, in words.

use std::sync::Arc;

use stopwise_engine::games::Playable;
use stopwise_engine::paired::divergence as find;
use stopwise_engine::stream::Keys;
use stopwise_erased::Divergence;
use stopwise_policy::TextPolicy;

pub(crate) fn divergence<G: Playable>(
    rules: &G,
    a: &[Arc<TextPolicy<G>>],
    b: &[Arc<TextPolicy<G>>],
    seed: u64,
    trial: u64,
) -> Option<Divergence> {
    let found = find(rules, a, b, &Keys::new(seed), trial)?;
    let question = found.a.question;
    let name = |action| rules.describe_action(&found.a.state, question.kind, action);
    Some(Divergence {
        seat: question.seat,
        turn: found.a.turn,
        kind: rules.info().kinds[question.kind].name,
        before: found.before,
        a: name(found.a.action),
        b: name(found.b),
        places: rules.describe_state(&found.a.state),
    })
}
