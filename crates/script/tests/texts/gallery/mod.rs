//! The games of the gallery: every text and policy is checked and played, and what a text expects is tried.

mod expected;
mod figures;
mod lanes;
pub(crate) use lanes::agree;
mod played;
mod proofs;
mod solved;
mod stored;

use stopwise_policy::{Text, TextPolicy};
use stopwise_script::{GameText, Script};

use crate::common::{self, files, read, root, stem};

/// Texts of games that exist in Rust too, and are held to those.
const PROOFS: [&str; 3] = ["carbonite", "freeze", "icedice"];

/// Every text, with its name.
fn texts() -> impl Iterator<Item = (String, GameText)> {
    files("games", "game").into_iter().map(|file| {
        let text =
            GameText::checked(&read(&file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        (stem(&file).to_owned(), text)
    })
}

/// The policy of this name, compiled for a game.
fn policy(game: &Script, folder: &str, name: &str) -> TextPolicy<Script> {
    let file = format!("policies/{folder}/{name}.toml");
    let text = Text::new(&file, read(&root().join(&file)));
    common::policy(game, &text)
}
