//! Random games on lanes: the tallies of the trial, where an answer depends on every bit of a state.

use std::hash::{DefaultHasher, Hash, Hasher};

use stopwise_engine::game::{Action, Game, Policy, Question};
use stopwise_engine::lanes::dispatch::InstructionSet;
use stopwise_engine::run::batch;
use stopwise_engine::stream::Keys;
use stopwise_engine::tally::Tally;
use stopwise_engine::trial::trial;
use stopwise_engine::vocabulary::{Answering, read_position, write_position};
use stopwise_script::lanes::Lanes;
use stopwise_script::{Script, State};

/// Any legal answer, the same in equal states.
#[derive(Clone, Copy, Debug)]
struct Any;

impl Policy<Script> for Any {
    fn choose(&self, _: &Script, state: State, question: Question) -> Action {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let number = hasher.finish() % u64::from(question.actions.count());
        question.actions.iter().nth(usize::try_from(number).expect("a small number")).expect("an action")
    }
}

/// Plays as [`Any`], and reads and writes every position that it comes to.
struct Written;

impl Policy<Script> for Written {
    fn choose(&self, game: &Script, state: State, question: Question) -> Action {
        let text = write_position(game, (state, question));
        assert_eq!(read_position(game, &text), Ok((state, question)), "{text}");
        Any.choose(game, state, question)
    }
}

/// Positions are read back as they were written.
pub(crate) fn positions(script: &Script) {
    let keys = Keys::new(7);
    for number in 0..3 {
        trial(script, &[Written], &mut keys.streams(number, script.seats()), &mut ());
    }
}

/// The reason why lanes do not play a game, if they do not.
pub(crate) fn beside(script: &Script, trials: u64) -> Result<(), String> {
    let lanes = Lanes::new(script, &[vec![Answering::default(); script.info().kinds.len()]])?;
    let keys = Keys::new(3);
    let mut expected = Tally::new(script);
    batch(script, &[Any], &keys, 0..trials, &mut expected);
    let mut tally = Tally::new(script);
    let mut left = Some(0..trials);
    let mut next = |_: &Tally| left.take().unwrap_or(0..0);
    lanes.play(
        InstructionSet::best(),
        &keys,
        &mut next,
        &|_, state, question| Any.choose(script, state, question),
        &mut tally,
        None,
    );
    assert_eq!(tally, expected);
    Ok(())
}
