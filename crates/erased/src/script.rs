//! Games as text: each becomes an entry like those of the registry.

use std::sync::{Mutex, PoisonError};

use stopwise_policy::shipped::{self, CHANCE, Shipped};
use stopwise_policy::{Text, TextError};
use stopwise_script::{GameOption, GameText, Preset, STANDARD, Values};

use crate::rules::{Game, Texts};

/// The texts that were read, with their games: who reads one again gets the same.
static READ: Mutex<Vec<(Text, &'static Game)>> = Mutex::new(Vec::new());

impl Game {
    /// The game that a text describes. It is kept as long as the process lives, some 20 to 300 kB for each text, and is the same
    /// for who reads the text again.
    ///
    /// # Errors
    ///
    /// All mistakes of the text, with their places.
    pub fn from_text(text: &Text) -> Result<&'static Self, TextError> {
        let known = |read: &[(Text, &'static Self)]| {
            read.iter().find(|(known, _)| known == text).map(|(_, game)| *game)
        };
        let read = || READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = known(&read()) {
            return Ok(game);
        }
        let in_file = |error| TextError { file: text.file.clone(), ..error };
        let new = GameText::new(&text.text).map_err(in_file)?;
        new.script(&[]).map_err(in_file)?;
        let mut read = read();
        Ok(known(&read).unwrap_or_else(|| {
            let game: &'static Self = Box::leak(Box::new(game(new)));
            read.push((text.clone(), game));
            game
        }))
    }
}

/// A game of the gallery, which is compiled when it is needed.
///
/// # Panics
///
/// If the text is no game: tests compile all of them.
pub(crate) fn of_gallery(text: &Text) -> Game {
    game(GameText::new(&text.text).unwrap_or_else(|error| panic!("{}: {error}", text.file)))
}

fn game(read: GameText) -> Game {
    let name = leaked(read.name().to_owned());
    let standard =
        Preset { name: STANDARD.into(), meaning: "The defaults of the text".into(), values: Vec::new() };
    let presets = std::iter::once(&standard).chain(read.presets());
    let presets: Vec<_> = presets.map(|preset| shipped_preset(name, &read, preset)).collect();
    let texts = Texts {
        name,
        summary: leaked(read.meaning().to_owned()),
        options: Vec::leak(read.options().iter().map(GameOption::rule).collect()),
        presets: Vec::leak(presets),
        policies: policies(name, &read),
        about: leaked(about(&read)),
        text: leaked(read.text().to_owned()),
    };
    Game::new(texts, move || read.script(&[]).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// Those that come with it; where nobody decides anything, one that says so.
fn policies(game: &'static str, read: &GameText) -> &'static [Shipped] {
    let shipped = shipped::policies_of(game);
    if !shipped.is_empty() || read.has_questions() {
        return shipped;
    }
    let name = CHANCE;
    let content =
        leaked(format!("game = {game:?}\nname = {name:?}\nsummary = \"Nobody decides anything.\"\n"));
    Vec::leak(vec![Shipped { game, name, file: "chance.toml", content }])
}

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// A preset as a rules file.
fn shipped_preset(game: &'static str, read: &GameText, preset: &Preset) -> Shipped {
    let mut content = format!("game = {game:?}\nname = {:?}\n", preset.name);
    if !preset.meaning.is_empty() {
        content += &format!("summary = {:?}\n", preset.meaning);
    }
    for option in read.options() {
        let set = preset.values.iter().find(|(name, _)| *name == option.name);
        let value = set.map_or(&option.value, |(_, value)| value);
        content += &match option.values {
            Values::YesNo => format!("{} = {}\n", option.name, value == "yes"),
            Values::Words(_) => format!("{} = {value:?}\n", option.name),
            Values::Whole(..) | Values::Numbers(_) => format!("{} = {value}\n", option.name),
        };
    }
    let name = leaked(preset.name.clone());
    Shipped { game, name, file: leaked(format!("{game} {name}")), content: leaked(content) }
}

/// What the text says of itself, in the form of `rules/GAME/about.txt`.
fn about(read: &GameText) -> String {
    let mut told = read.tell();
    let first = if told.is_empty() { String::new() } else { told.remove(0) };
    format!("# {}\n\n{first}\n\n{}\n", read.name(), told.join("\n"))
}
