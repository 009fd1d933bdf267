//! Shipped files, compiled texts, and any play of them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use stopwise_engine::game::{Action, Game, Policy, Question, is_by_chance};
use stopwise_engine::stream::Keys;
use stopwise_engine::trial::trial;
use stopwise_engine::vocabulary::{read_position, write_position};
use stopwise_policy::{Text, TextPolicy};
use stopwise_script::{Script, State};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder with this ending, in order.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(root().join(folder)) else { return Vec::new() };
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|file| file.extension().is_some_and(|own| own == ending));
    files.sort();
    files
}

pub(crate) fn stem(file: &Path) -> &str {
    file.file_stem().and_then(|stem| stem.to_str()).expect("a name")
}

pub(crate) fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The shipped text of this name.
pub(crate) fn text(name: &str) -> String {
    read(&root().join(format!("games/{name}.game")))
}

pub(crate) fn given(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

pub(crate) fn compiled(text: &str, options: &[(&str, &str)]) -> Script {
    Script::new(text, &given(options)).unwrap_or_else(|error| panic!("{error}\n\n{text}"))
}

/// The shipped game of this name.
pub(crate) fn script(name: &str, options: &[(&str, &str)]) -> Script {
    compiled(&text(name), options)
}

pub(crate) fn policy(game: &Script, text: &Text) -> TextPolicy<Script> {
    TextPolicy::compile(text, game, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Any legal answer, the same in equal states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Any;

impl Policy<Script> for Any {
    fn choose(&self, _: &Script, state: State, question: Question) -> Action {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        let number = hasher.finish() % u64::from(question.actions.count());
        question.actions.iter().nth(usize::try_from(number).expect("a small number")).expect("an action")
    }
}

/// Plays as [`Any`], and reads and writes every position that it comes to.
pub(crate) struct Written;

impl Policy<Script> for Written {
    fn choose(&self, game: &Script, state: State, question: Question) -> Action {
        let text = write_position(game, (state, question));
        assert_eq!(read_position(game, &text), Ok((state, question)), "{text}");
        Any.choose(game, state, question)
    }
}

/// The ends of so many trials, in which all seats play alike.
pub(crate) fn ends<P: Policy<Script>>(game: &Script, policy: &P, trials: u64) -> impl Iterator<Item = State> {
    let (policy, keys) = (std::slice::from_ref(policy), Keys::new(37));
    let by_chance = is_by_chance::<Script, P>(policy);
    (0..trials).map(move |number| {
        trial(game, policy, &mut keys.streams_with(number, game.seats(), by_chance), &mut ())
    })
}

/// Plays to ends of the game's own: no number leaves its range, and no game is cut off.
pub(crate) fn plays<P: Policy<Script>>(game: &Script, policy: &P, trials: u64, what: &str) {
    for end in ends(game, policy, trials) {
        assert_eq!(game.program().failure(&end), None, "{what}");
        assert!(!game.endings()[game.ending(end)].cap, "{what}: capped");
    }
}
