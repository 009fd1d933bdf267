//! The registry: games by name.

use std::sync::OnceLock;

use stopwise_engine::games::{self, EachGame, Playable};
use stopwise_engine::info::Info;
use stopwise_engine::lanes::LaneGame;
use stopwise_policy::shipped;

use crate::rules::{Game, Texts};
use crate::script;

/// All games that come with the program, in the order of listings: those in Rust, then the gallery.
pub fn games() -> Vec<&'static Game> {
    in_rust().iter().chain((0..shipped::GALLERY.len()).map(of_gallery)).collect()
}

/// The game with this name that comes with the program. No other text than its own is read.
pub fn game(name: &str) -> Option<&'static Game> {
    let text = || shipped::GALLERY.iter().position(|text| text.game == name).map(of_gallery);
    in_rust().iter().find(|game| game.name == name).or_else(text)
}

fn in_rust() -> &'static [Game] {
    static GAMES: OnceLock<Vec<Game>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let mut list = List(Vec::new());
        games::each(&mut list);
        list.0
    })
}

/// A game of the gallery, by its place there.
fn of_gallery(at: usize) -> &'static Game {
    static GAMES: [OnceLock<Game>; shipped::GALLERY.len()] =
        [const { OnceLock::new() }; shipped::GALLERY.len()];
    GAMES[at].get_or_init(|| script::of_gallery(&shipped::GALLERY[at].text()))
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
