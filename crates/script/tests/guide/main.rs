//! The page `docs/games.md`: its games and policies are taken out of it, compiled, played and solved, and its reference is
//! that of the table. With `UPDATE_GOLDEN=1` the reference, and the words for editors, are written anew.

mod games;
mod reference;

use std::path::{Path, PathBuf};

fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

fn page() -> String {
    std::fs::read_to_string(docs("games.md")).expect("the page is there")
}

/// The blocks of the page in this language, with the names of their files.
fn blocks(page: &str, language: &str) -> Vec<(String, String)> {
    let opening = format!("```{language} ");
    let mut blocks = Vec::new();
    for block in page.split(&format!("\n{opening}")).skip(1) {
        let (name, rest) = block.split_once('\n').expect("a line");
        let (text, _) = rest.split_once("```").expect("an end");
        blocks.push((name.to_owned(), text.to_owned()));
    }
    blocks
}
