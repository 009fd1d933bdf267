//! Games of the gallery are compiled and played.

mod ahead;
mod bags;
mod checked;
mod faults;
mod figures;
mod formatted;
mod loops;
mod mistakes;
mod mutants;
mod pig;
mod policies;
mod positions;
mod texts;
mod told;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use stopwise_engine::game::{Action, Game, Policy, Question};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::trial;
use stopwise_script::{Script, State};

/// Any legal answer, the same in equal states.
struct Any;

impl Policy<Script> for Any {
    fn choose(&self, _: &Script, state: State, question: Question) -> Action {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let number = hasher.finish() % u64::from(question.actions.count());
        question.actions.iter().nth(usize::try_from(number).expect("a small number")).expect("an action")
    }
}

pub(crate) fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(format!("{name}.game"));
    std::fs::read_to_string(path).expect("the game is there")
}

pub(crate) fn script(name: &str, options: &[(&str, &str)]) -> Script {
    let options: Vec<_> =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Script::new(&text(name), &options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_game_is_played_to_an_end_of_its_own() {
    for name in ["pig", "farkle", "zombie-dice", "cant-stop", "carbonite", "incan-gold"] {
        let script = script(name, &[]);
        let keys = Keys::new(1);
        for number in 0..300 {
            let end = trial(&script, &[Any], &mut keys.streams(number, script.seats()), &mut ());
            assert_eq!(script.program().failure(&end), None, "{name}");
            assert_ne!(script.endings()[script.ending(end)].name, "capped", "{name}");
        }
    }
}
