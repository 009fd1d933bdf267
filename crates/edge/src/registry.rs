//! The registry: games by name.

use std::sync::{Arc, OnceLock};

use stopwise_engine::games::{self, EachGame, Playable};
use stopwise_engine::lanes::LaneGame;
use stopwise_policy::{PolicyText, TextError};
use stopwise_words::words;

use crate::rules::{AnyRules, TypedRules};

/// A game that can be played by name.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// Its name on the command line.
    pub name: &'static str,
    /// One sentence about the game.
    pub summary: &'static str,
    read: fn(&PolicyText) -> Result<NamedRules, TextError>,
}

impl Game {
    /// Reads rules of this game, from the text of a preset or a file.
    ///
    /// # Errors
    ///
    /// All problems of the text, with their places.
    pub fn read(&self, text: &PolicyText) -> Result<NamedRules, TextError> {
        (self.read)(text)
    }
}

/// Rules, and their name in reports.
#[derive(Clone, Debug)]
pub struct NamedRules {
    /// The name.
    pub name: String,
    /// The rules.
    pub rules: Arc<dyn AnyRules>,
}

/// All games, in the order of listings.
pub fn games() -> &'static [Game] {
    static GAMES: OnceLock<Vec<Game>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let mut list = List(Vec::new());
        games::each(&mut list);
        list.0
    })
}

/// The game with this name.
pub fn game(name: &str) -> Option<&'static Game> {
    games().iter().find(|game| game.name == name)
}

/// The only place where types of games become objects.
struct List(Vec<Game>);

impl EachGame for List {
    fn game<G: Playable>(&mut self) {
        self.0.push(Game { name: G::NAME, summary: G::SUMMARY, read: read::<G> });
    }

    fn game_on_lanes<G: Playable + LaneGame>(&mut self) {
        self.game::<G>();
    }
}

fn read<G: Playable>(text: &PolicyText) -> Result<NamedRules, TextError> {
    let (name, rules) = words(G::NAME).read(text)?;
    Ok(NamedRules { name, rules: Arc::new(TypedRules::<G>::of(&*rules)) })
}
