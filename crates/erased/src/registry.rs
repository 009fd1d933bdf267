//! The registry: games by name.

use std::any::{Any, TypeId};
use std::sync::{Arc, OnceLock};

use stopwise_engine::games::{self, EachGame, Playable};
use stopwise_engine::info::Info;
use stopwise_engine::lanes::LaneGame;
use stopwise_policy::shipped::{self, Shipped};

use crate::rules::{AnyRules, object};

/// A game that can be played by name, with all that belongs to it.
#[derive(Clone, Debug)]
pub struct Game {
    /// What people and commands need to know of it.
    pub info: &'static Info,
    /// Its rules presets; the first is in force where no other is named.
    pub presets: Vec<Shipped>,
    /// Its policies, from naive to good.
    pub policies: Vec<Shipped>,
    /// What it is, for people: see `stopwise_narration::about`.
    pub about: &'static str,
    /// The type of its rules.
    pub type_id: TypeId,
    rules: fn(&dyn Any) -> Arc<dyn AnyRules>,
}

impl Game {
    /// A game whose rules have the type `G`, with the texts that belong to it.
    pub fn new<G: Playable>(
        info: &'static Info,
        presets: Vec<Shipped>,
        policies: Vec<Shipped>,
        about: &'static str,
    ) -> Self {
        Self { info, presets, policies, about, type_id: TypeId::of::<G>(), rules: object::<G> }
    }

    /// The preset with this name.
    pub fn preset(&self, name: &str) -> Option<&Shipped> {
        self.presets.iter().find(|preset| preset.name == name)
    }

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
    games().iter().find(|game| game.info.name == name)
}

/// The only place where types of games become objects.
struct List(Vec<Game>);

impl EachGame for List {
    fn game<G: Playable>(&mut self) {
        let name = G::INFO.name;
        let about = shipped::about(name).map_or("", |about| about.content);
        let (presets, policies) = (shipped::rules_of(name), shipped::policies_of(name));
        self.0.push(Game::new::<G>(G::INFO, presets.copied().collect(), policies.copied().collect(), about));
    }

    fn game_on_lanes<G: Playable + LaneGame>(&mut self) {
        self.game::<G>();
    }
}
