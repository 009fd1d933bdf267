//! The texts shipped with the program: the files of `policies/` and `rules/`, embedded.

use stopwise_text::Text as PolicyText;
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
    pub fn text(&self) -> PolicyText {
        PolicyText::new(self.file, self.content)
    }
}

/// One line per game: its rules presets, of which the first is the default, and its policies, from naive to good. What it
/// is, for people, is told in `rules/GAME/about.txt`.
macro_rules! shipped {
    ($($game:literal: rules [$($rules:literal)*], policies [$($policy:literal)*];)*) => {
        /// Every shipped rules preset; the first of a game is its default.
        pub const RULES: &[Shipped] = &[$($(embedded!("rules", $game, $rules, ".toml"),)*)*];
        /// Every shipped policy, from naive to good within a game.
        pub const POLICIES: &[Shipped] = &[$($(embedded!("policies", $game, $policy, ".toml"),)*)*];
        /// What every game is, for people.
        pub const ABOUT: &[Shipped] = &[$(embedded!("rules", $game, "about", ".txt"),)*];
    };
}

/// The file `FOLDER/GAME/NAME`, with what its name ends in.
macro_rules! embedded {
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
}

/// The shipped policies of a game.
pub fn policies_of(game: &str) -> &'static [Shipped] {
    of_game(POLICIES, game)
}

/// The part of a list that belongs to a game: its files stand side by side.
fn of_game(list: &'static [Shipped], game: &str) -> &'static [Shipped] {
    list.chunk_by(|a, b| a.game == b.game).find(|part| part[0].game == game).unwrap_or_default()
}

/// The shipped policy of a game with this name.
pub fn policy(game: &str, name: &str) -> Option<&'static Shipped> {
    policies_of(game).iter().find(|policy| policy.name == name)
}

/// The name of the file of a policy that is called like a shipped one of the game and is another text.
pub(crate) fn namesake(game: &str, name: &str, text: &PolicyText) -> Option<String> {
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
    let is_meant =
        |about: &&Shipped| [about.game, title(about.game)].iter().any(|known| letters(known) == wanted);
    ABOUT.iter().find(is_meant).map(|about| about.game)
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
