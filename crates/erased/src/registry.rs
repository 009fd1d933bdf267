//! The registry: games by name.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use stopwise_engine::games::{self, EachGame, Playable};
use stopwise_engine::info::Info;
use stopwise_engine::lanes::LaneGame;
use stopwise_engine::options::RuleOption;
use stopwise_policy::shipped::{self, Shipped};

use crate::rules::{AnyRules, object};
use crate::script::of_gallery;

/// A game, with all that belongs to it.
pub struct Game {
    /// Its name on the command line, in policies and in rules files.
    pub name: &'static str,
    /// One sentence about it, for the list of games.
    pub summary: &'static str,
    /// The options of its rules, in the order in which people read them.
    pub options: &'static [RuleOption],
    /// Its rules presets; the first is in force where no other is named.
    pub presets: &'static [Shipped],
    /// Its policies, from naive to good.
    pub policies: &'static [Shipped],
    /// What it is, for people: see `stopwise_narration::about`.
    pub about: &'static str,
    /// Its text, if it is one; empty of a game in Rust.
    pub text: &'static str,
    /// Any rules of the game, of its own type.
    any: LazyLock<AnyGame, Box<dyn FnOnce() -> AnyGame + Send + Sync>>,
    object: fn(&'static Game, &dyn Any) -> Arc<dyn AnyRules>,
}

/// Rules of a game's own type.
type AnyGame = Box<dyn Any + Send + Sync>;

/// What belongs to a game, and is known before there are rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) options: &'static [RuleOption],
    pub(crate) presets: &'static [Shipped],
    pub(crate) policies: &'static [Shipped],
    pub(crate) about: &'static str,
    pub(crate) text: &'static str,
}

impl Game {
    /// A game, given by any of its rules, which are made when they are needed.
    pub(crate) fn new<G: Playable>(texts: Texts, rules: impl FnOnce() -> G + Send + Sync + 'static) -> Self {
        let Texts { name, summary, options, presets, policies, about, text } = texts;
        let any = LazyLock::new(Box::new(|| Box::new(rules()) as AnyGame) as Box<_>);
        Self { name, summary, options, presets, policies, about, text, any, object: object::<G> }
    }

    /// The preset with this name.
    pub fn preset(&self, name: &str) -> Option<&'static Shipped> {
        self.presets.iter().find(|preset| preset.name == name)
    }

    /// The policy with this name.
    pub fn policy(&self, name: &str) -> Option<&'static Shipped> {
        self.policies.iter().find(|policy| policy.name == name)
    }

    /// Any rules of the game, given as its own type, from which others are made.
    pub fn any(&self) -> &dyn Any {
        &**self.any
    }

    /// Rules of this game, given as the game's own type.
    ///
    /// # Panics
    ///
    /// If they are of another type.
    pub fn rules(&'static self, typed: &dyn Any) -> Arc<dyn AnyRules> {
        (self.object)(self, typed)
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game").field("name", &self.name).finish_non_exhaustive()
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

/// All games that come with the program, in the order of listings: those in Rust, then the gallery.
pub fn games() -> &'static [Game] {
    static GAMES: OnceLock<Vec<Game>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let mut list = List(Vec::new());
        games::each(&mut list);
        let gallery = shipped::GALLERY.iter().map(|text| of_gallery(&text.text()));
        list.0.into_iter().chain(gallery).collect()
    })
}

/// The game with this name that comes with the program.
pub fn game(name: &str) -> Option<&'static Game> {
    games().iter().find(|game| game.name == name)
}

/// Where types of games become objects.
struct List(Vec<Game>);

impl EachGame for List {
    fn game<G: Playable>(&mut self, first: G) {
        let Info { name, summary, options, .. } = *first.info();
        let about = shipped::about(name).map_or("", |about| about.content);
        let (presets, policies) = (shipped::rules_of(name), shipped::policies_of(name));
        let texts = Texts { name, summary, options, presets, policies, about, text: "" };
        self.0.push(Game::new(texts, move || first));
    }

    fn game_on_lanes<G: Playable + LaneGame>(&mut self, first: G) {
        self.game(first);
    }
}
