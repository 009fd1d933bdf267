//! A digest fixes the features that are tabulated over it.

use stopwise_engine::game::Node;
use stopwise_engine::vocabulary::Vocabulary;

/// Every decision has a digest in the table, and the state that stands for the digest has the same features.
pub(crate) fn of_states<G: Vocabulary>(game: &G, nodes: &[Node<G>]) {
    if game.digests() == 0 {
        return;
    }
    let features = game.features();
    for node in nodes {
        let Node::Decision(state, _) = *node else { continue };
        let digest = game.digest(state);
        assert!(digest < game.digests(), "{digest}: {state:?}");
        let stand_in = game.with_digest(digest).expect("a digest that occurs");
        for (index, feature) in features.iter().enumerate().filter(|&(index, _)| G::is_digested(index)) {
            let [ours, theirs] = [state, stand_in].map(|state| game.feature(state, index));
            assert_eq!(ours, theirs, "{} of {state:?} and {stand_in:?}", feature.name);
        }
    }
}

/// Every digest that stands for a state is the digest of that state, and its features are in range. Of large
/// tables every 97th digest is looked at.
pub(crate) fn of_numbers<G: Vocabulary>(game: &G) {
    let step = if game.digests() > 10_000 { 97 } else { 1 };
    let features = game.features();
    for digest in (0..game.digests()).step_by(step) {
        let Some(state) = game.with_digest(digest) else { continue };
        assert_eq!(game.digest(state), digest, "{state:?}");
        for (index, feature) in features.iter().enumerate().filter(|&(index, _)| G::is_digested(index)) {
            let value = game.feature(state, index);
            assert!((feature.low..=feature.high).contains(&value), "{value}: {feature:?} of {state:?}");
        }
    }
}
