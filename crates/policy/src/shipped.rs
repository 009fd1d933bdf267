//! The texts shipped with the program: the files of `policies/`, `rules/` and `games/`, embedded.

use stopwise_text::Text;
use stopwise_text::visible_word;

/// A file shipped with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// The game it is for.
    pub game: &'static str,
    /// Its name: the file's name without `.toml` or `.txt`.
    pub name: &'static str,
    /// Its path in the repository.
    pub file: &'static str,
    /// Its contents.
    pub content: &'static str,
}

impl Shipped {
    /// The text, to compile.
    pub fn text(&self) -> Text {
        Text::new(self.file, self.content)
    }
}

/// One line per game: of a game in Rust its rules presets, the first of which is the default, and its policies, from naive
/// to good; what it is, for people, is told in `rules/GAME/about.txt`. After `gallery`, of a game that is the text
/// `games/GAME.game`, its policies, likewise; and after `told`, games in Rust that are told as texts as well.
macro_rules! shipped {
    ($($game:literal: rules [$($rules:literal)*], policies [$($policy:literal)*];)*
     gallery $($text:literal: [$($own:literal)*];)* told $($told:literal)*) => {
        /// Every shipped rules preset; the first of a game is its default.
        pub const RULES: &[Shipped] = &[$($(embedded!("rules", $game, $rules, ".toml"),)*)*];
        /// Every shipped policy, from naive to good within a game.
        pub const POLICIES: &[Shipped] = &[
            $($(embedded!("policies", $game, $policy, ".toml"),)*)*
            $($(embedded!("policies", $text, $own, ".toml"),)*)*
        ];
        /// Every game that is a text alone.
        pub const GALLERY: &[Shipped] = &[$(embedded!($text),)*];
        /// Games in Rust as texts.
        pub const TOLD: &[Shipped] = &[$(embedded!($told),)*];
        /// What every game is, for people.
        pub const ABOUT: &[Shipped] = &[$(embedded!("rules", $game, "about", ".txt"),)*];
    };
}

/// The file `FOLDER/GAME/NAME`, with what its name ends in; or the text of a game.
macro_rules! embedded {
    ($game:literal) => {
        Shipped {
            game: $game,
            name: $game,
            file: concat!("games/", $game, ".game"),
            content: include_str!(concat!("../../../games/", $game, ".game")),
        }
    };
    ($folder:literal, $game:literal, $name:literal, $end:literal) => {
        Shipped {
            game: $game,
            name: $name,
            file: concat!($folder, "/", $game, "/", $name, $end),
            content: include_str!(concat!("../../../", $folder, "/", $game, "/", $name, $end)),
        }
    };
}

shipped! {
    "carbonite":
        rules ["wiki" "readme-v1"],
        policies ["first" "bank-late" "safety-first" "points-target" "tidy" "spare-the-vault" "push-then-protect"
            "careful" "risk-limit" "tidy-marks" "stake" "pair-hunter" "few-colours" "second-tree"];
    "icedice":
        rules ["two-players" "three-players" "four-players"],
        policies ["one-by-one" "stop-at" "honest" "bust-limit" "racer" "trio-breaker" "thief" "last-chance"];
    "freeze":
        rules ["published" "workshop" "table" "broke-bonus" "doubles" "lightning"],
        policies ["always" "late-stakes" "never" "when-behind" "not-ahead" "pile-and-clock" "lone-stake"];
    "carcassonne":
        rules ["two" "three" "four" "five" "solo" "solo-knight" "single-roll" "no-catapults"],
        policies ["first-city" "tight" "one" "patient" "builder" "knight-errant" "best-turn"];
    "pig":
        rules ["standard" "solo" "piglet"],
        policies ["hold" "hold-at-25" "end-race-or-keep-pace" "four-scoring-turns"];

    gallery
    "two-dice-pig": ["once" "hold" "race"];
    "farkle": ["once" "bank-at" "by-dice"];
    "zombie-dice": ["once" "two-shots" "by-shots"];
    "martian-dice": ["safe" "most" "by-points"];
    "cant-stop": ["once" "three-runners" "rule-of-28"];
    "pickomino": ["first-tile" "worms-first" "few-dice"];
    "shut-the-box": ["most-boxes" "fewest-boxes" "highest"];
    "threes": ["all-at-once" "one-by-one" "low"];
    "toss-up": ["once" "dice-left" "by-dice"];
    "pass-the-pigs": ["once" "hold" "race"];
    "twenty-one": ["beat" "dealer" "last-look"];
    "incan-gold": ["first-card" "second-card" "gems" "odds"];
    "bank": ["third-roll" "fourth-roll" "at" "chase"];
    "flip-7": ["two-cards" "points" "odds"];
    "dead-mans-draw": ["one-card" "cards" "odds"];
    "goofspiel": ["high" "match" "upper" "over" "mixed"];
    "yahtzee": ["one-roll" "alike" "over-par"];

    told "pig" "carbonite" "icedice" "freeze"
}

/// The shipped policies of a game.
pub fn policies_of(game: &str) -> &'static [Shipped] {
    of_game(POLICIES, game)
}

/// The policy of a game in which nobody decides anything.
pub const CHANCE: &str = "chance";

/// The part of a list that belongs to a game: its files stand side by side.
fn of_game(list: &'static [Shipped], game: &str) -> &'static [Shipped] {
    list.chunk_by(|a, b| a.game == b.game).find(|part| part[0].game == game).unwrap_or_default()
}

/// The shipped policy of a game with this name.
pub fn policy(game: &str, name: &str) -> Option<&'static Shipped> {
    policies_of(game).iter().find(|policy| policy.name == name)
}

/// The name of the file of a policy that is called like a shipped one of the game and is another text.
pub(crate) fn namesake(game: &str, name: &str, text: &Text) -> Option<String> {
    policy(game, name).filter(|shipped| !text.is_same(&shipped.text())).map(|_| file_name(&text.file))
}

/// The last part of a path, for people.
pub fn file_name(path: &str) -> String {
    visible_word(path.rsplit(['/', '\\']).next().unwrap_or(path)).into_owned()
}

/// What a game is, for people.
pub fn about(game: &str) -> Option<&'static Shipped> {
    ABOUT.iter().find(|about| about.game == game)
}

/// The text of a game: of the gallery, or of a game in Rust that is told as a text as well.
pub fn game_text(name: &str) -> Option<&'static Shipped> {
    GALLERY.iter().chain(TOLD).find(|game| game.name == name)
}

/// The names of all games.
pub fn games() -> impl Iterator<Item = &'static str> {
    ABOUT.iter().chain(GALLERY).map(|game| game.game)
}

/// The name by which a game is published, which is the first line of what is told about it: `CarboniteDice`.
pub fn title(game: &str) -> &'static str {
    let first = about(game).and_then(|about| about.content.lines().next()).unwrap_or_default();
    let title = first.trim_start_matches("# ");
    title.split_once(", by ").map_or(title, |(title, _)| title)
}

/// The game that a name means: its own name, or the one by which it is published, in capitals or not, with spaces,
/// hyphens and colons or without.
pub fn meant_game(name: &str) -> Option<&'static str> {
    let letters = |name: &str| -> String {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = letters(name);
    games()
        .find(|game| !wanted.is_empty() && [game, title(game)].iter().any(|known| letters(known) == wanted))
}

/// The rules presets of a game; the first is the default.
pub fn rules_of(game: &str) -> &'static [Shipped] {
    of_game(RULES, game)
}

/// The rules preset of a game with this name.
pub fn rules(game: &str, name: &str) -> Option<&'static Shipped> {
    rules_of(game).iter().find(|rules| rules.name == name)
}

/// The default rules preset of a game.
///
/// # Panics
///
/// If the game has no preset; every shipped game has one.
pub fn default_rules(game: &str) -> &'static Shipped {
    rules_of(game).first().expect("every game ships rules")
}
