//! Takes the game and its texts out of the guide: the blocks of code of its first five steps are the game, one under the
//! other, and those that begin with a path are files. The blocks of the page for Rust are one function, one under the other.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const GUIDE: &str = "../../docs/adding-a-game.md";
const RUST: &str = "../../docs/rust.md";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={GUIDE}\ncargo::rerun-if-changed={RUST}");
    let guide = fs::read_to_string(GUIDE)?;
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let game: String =
        guide.split("\n## ").filter(|step| is_of_game(step)).flat_map(|step| blocks(step, "rust")).collect();
    fs::write(out.join("two_dice.rs"), format!("pub mod two_dice {{\n{game}}}\n"))?;
    for (number, test) in blocks(&guide, "rust").filter(|block| block.starts_with("#[test]")).enumerate() {
        fs::write(out.join(format!("test-{number}.rs")), test)?;
    }
    for block in blocks(&guide, "toml") {
        if let Some((path, text)) = block.strip_prefix("# ").and_then(|block| block.split_once('\n')) {
            let name = Path::new(path).file_name().unwrap_or_default();
            fs::write(out.join(name), text)?;
        }
    }
    let programs: String = blocks(&fs::read_to_string(RUST)?, "rust").collect();
    let result = "Result<(), Box<dyn std::error::Error>>";
    fs::write(
        out.join("rust.rs"),
        format!("pub(crate) fn programs() -> {result} {{\n{programs}\nmain()\n}}\n"),
    )
}

/// Whether a step of the guide is one of those that write the game: `1. The state`.
fn is_of_game(step: &str) -> bool {
    step.starts_with(|first| ('1'..='5').contains(&first))
}

/// What stands between fences of this language.
fn blocks<'t>(text: &'t str, language: &str) -> impl Iterator<Item = &'t str> {
    let fence = format!("```{language}\n");
    let starts: Vec<_> = text.match_indices(&fence).map(|(at, fence)| at + fence.len()).collect();
    starts.into_iter().filter_map(move |at| text[at..].find("```").map(|end| &text[at..at + end]))
}
