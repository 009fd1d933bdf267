//! Positions as text.

use stopwise_engine::game::{Node, NodeOf};
use stopwise_engine::vocabulary::{Prose, read_position, write_position};

/// A position that is written is the same when it is read.
pub(crate) fn check<G: Prose>(game: &G, node: &NodeOf<G>) {
    let Node::Decision(state, question) = *node else { return };
    let text = write_position(game, (state, question));
    assert_eq!(read_position(game, &text), Ok((state, question)), "{text}");
    let unknown = read_position(game, &format!("{text} nothing=1"));
    assert!(unknown.is_err_and(|why| why.to_string().starts_with("`nothing` is no part")), "{text}");
}
