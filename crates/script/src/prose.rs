//! What happens in a game as text, in words.

use stopwise_engine::game::Action;
use stopwise_engine::vocabulary::Prose;

use crate::machine::State;
use crate::pool::Shown;
use crate::script::Script;

impl Prose for Script {
    fn describe_action(&self, _: &State, kind: usize, action: Action) -> String {
        format!("{kind} {}", action.index())
    }

    fn tell_action(&self, _: usize, _: Action, name: &str) -> String {
        format!("chooses {name}")
    }

    fn describe_outcome(&self, shown: Shown) -> String {
        format!("{shown:?}")
    }

    fn describe_state(&self, _: &State) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}
