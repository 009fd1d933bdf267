//! The games of the gallery: every text and policy is checked and played, and what a text expects is tried.

mod expected;
mod figures;
mod lanes;
mod played;
mod positions;
mod proofs;
mod solved;

use std::path::{Path, PathBuf};

use stopwise_policy::{Text, TextPolicy};
use stopwise_script::{GameText, Script};

/// Texts of games that exist in Rust too, and are held to those.
const PROOFS: [&str; 3] = ["carbonite", "freeze", "icedice"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder with this ending, in order.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(root().join(folder)) else { return Vec::new() };
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|file| file.extension().is_some_and(|own| own == ending));
    files.sort();
    files
}

fn stem(file: &Path) -> &str {
    file.file_stem().and_then(|stem| stem.to_str()).expect("a name")
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("a readable file")
}

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
    TextPolicy::compile(&text, game, &[]).unwrap_or_else(|error| panic!("{error}"))
}
