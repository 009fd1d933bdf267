//! The page `docs/games.md`: its games and policies are taken out of it, compiled, played and solved, and its reference is
//! that of the table. With `UPDATE_GOLDEN=1` the reference, and the words for editors, are written anew.

mod games;
mod reference;

use std::path::PathBuf;

use crate::common::{read, root};

fn docs(name: &str) -> PathBuf {
    root().join("docs").join(name)
}

fn page() -> String {
    read(&docs("games.md"))
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
