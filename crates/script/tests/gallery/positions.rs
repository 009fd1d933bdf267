//! Positions as text: what is written at a question is the same position when it is read.

use stopwise_engine::game::{Action, Game as _, Policy, Question};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::trial;
use stopwise_engine::vocabulary::{read_position, write_position};
use stopwise_script::{Script, State};

use crate::played::{Any, variants};
use crate::texts;

/// Plays as another does, and reads and writes every position that it comes to.
struct Written<P>(P);

impl<P: Policy<Script>> Policy<Script> for Written<P> {
    fn choose(&self, game: &Script, state: State, question: Question) -> Action {
        let text = write_position(game, (state, question));
        assert_eq!(read_position(game, &text), Ok((state, question)), "{text}");
        self.0.choose(game, state, question)
    }
}

#[test]
fn positions_are_read_back() {
    let keys = Keys::new(5);
    for (_, text) in texts() {
        for (_, game) in variants(&text) {
            for number in 0..4 {
                let mut words = keys.streams(number, game.seats());
                trial(&game, &[Written(Any)], &mut words, &mut ());
            }
        }
    }
}
