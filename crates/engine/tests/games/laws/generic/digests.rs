//! A table key fixes the features that are tabulated over it, and its fine row and column fix some of them.

use stopwise_engine::game::{Node, NodeOf, Question};
use stopwise_engine::vocabulary::{CandidateKey, TableKey, Vocabulary};

/// A decision has a digest in the table, and the state that stands for the digest has the same features.
pub(crate) fn of_state<G: Vocabulary>(game: &G, node: &NodeOf<G>) {
    let (rows, columns) = game.digests();
    let Node::Decision(state, question) = *node else { return };
    if rows == 0 {
        return;
    }
    local(game, state, question);
    let digest = game.digest(state);
    assert!(digest.row < rows && digest.column < columns, "{digest:?}: {state:?}");
    assert_eq!(game.fine_row(state), digest.row % game.fine_rows(), "{digest:?}: {state:?}");
    let stand_in = game.with_digest(digest).expect("a digest that occurs");
    for (index, feature) in game.features().iter().enumerate().filter(|&(index, _)| game.is_digested(index)) {
        let [ours, theirs] = [state, stand_in].map(|state| game.feature(state, index));
        assert_eq!(ours, theirs, "{} of {state:?} and {stand_in:?}", feature.name);
    }
    fine(game, digest, state);
}

/// The key in the fine row has a state, too, with the same features as far as these are fine.
fn fine<G: Vocabulary>(game: &G, digest: TableKey, state: G::State) {
    let mut fine = (0..game.features().len()).filter(|&index| game.is_fine(index)).peekable();
    if fine.peek().is_none() {
        return;
    }
    let key = TableKey { row: digest.row % game.fine_rows(), ..digest };
    let stand_in = game.with_digest(key).expect("a state in the fine row");
    for index in fine {
        assert!(game.is_digested(index), "feature {index}");
        let [ours, theirs] = [state, stand_in].map(|state| game.feature(state, index));
        assert_eq!(ours, theirs, "feature {index} of {state:?} and {stand_in:?}");
    }
}

/// A local digest stands for a question with the same candidates, of which the same predicates hold, but for the shift.
fn local<G: Vocabulary>(game: &G, state: G::State, question: Question) {
    let Some(CandidateKey { digest, base }) = game.local(state, question) else { return };
    assert!(digest < game.locals(question.kind), "{digest}: {state:?}");
    let (stand_in, asked) = game.with_local(question.kind, digest).expect("a local digest that occurs");
    assert_eq!(game.local(stand_in, asked), Some(CandidateKey { digest, base: 0 }));
    assert_eq!(question.actions.0, asked.actions.0 << base, "{state:?} and {stand_in:?}");
    let [ours, theirs] = [(state, question), (stand_in, asked)]
        .map(|(state, question)| game.predicates(state, question.kind, u32::MAX));
    let fixed = |index: &usize| game.local_predicates(question.kind) >> index & 1 == 1;
    for index in (0..game.info().predicates.len()).filter(fixed) {
        let held = (ours[index] & question.actions.0, (theirs[index] & asked.actions.0) << base);
        assert_eq!(held.0, held.1, "{}: {state:?} and {stand_in:?}", game.info().predicates[index].name);
    }
}

/// Every digest that stands for a state is the digest of that state, and its features are in range. Of large
/// tables every 97th digest is looked at.
pub(crate) fn of_numbers<G: Vocabulary>(game: &G) {
    let (rows, columns) = game.digests();
    let step = if rows * columns > 10_000 { 97 } else { 1 };
    let features = game.features();
    for number in (0..rows * columns).step_by(step) {
        let digest = TableKey { row: number / columns, column: number % columns };
        let Some(state) = game.with_digest(digest) else { continue };
        assert_eq!(game.digest(state), digest, "{state:?}");
        fine(game, digest, state);
        for (index, feature) in features.iter().enumerate().filter(|&(index, _)| game.is_digested(index)) {
            let value = game.feature(state, index);
            assert!((feature.low..=feature.high).contains(&value), "{value}: {feature:?} of {state:?}");
        }
    }
}
