//! The registry: games by name.

use std::any::{Any, TypeId};
use std::sync::{Arc, OnceLock};

use stopwise_engine::games::{self, EachGame, Playable};
use stopwise_engine::info::Info;
use stopwise_engine::lanes::LaneGame;

use crate::rules::{AnyRules, object};

/// A game that can be played by name.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    /// What people and commands need to know of it.
    pub info: &'static Info,
    /// Its name on the command line.
    pub name: &'static str,
    /// One sentence about the game.
    pub summary: &'static str,
    /// The type of its rules.
    pub type_id: TypeId,
    rules: fn(&dyn Any) -> Arc<dyn AnyRules>,
}

impl Game {
    /// Rules of this game, given as the game's own type.
    ///
    /// # Panics
    ///
    /// If they are of another type.
    pub fn rules(&self, typed: &dyn Any) -> Arc<dyn AnyRules> {
        (self.rules)(typed)
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
        self.0.push(Game {
            info: G::INFO,
            name: G::INFO.name,
            summary: G::INFO.summary,
            type_id: TypeId::of::<G>(),
            rules: object::<G>,
        });
    }

    fn game_on_lanes<G: Playable + LaneGame>(&mut self) {
        self.game::<G>();
    }
}
