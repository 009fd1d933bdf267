use std::fmt::Write;

use stopwise_script::read;
use stopwise_script::reference::{ENTRIES, Place};

use super::{docs, page};

/// The reference as the page has it.
fn reference() -> String {
    let mut page = String::new();
    for place in Place::ALL {
        write!(page, "\n### {}\n\n| word | | for example |\n|---|---|---|\n", place.heading())
            .expect("memory");
        for entry in ENTRIES.iter().filter(|entry| entry.place == place) {
            writeln!(page, "| `{}` | {} | `{}` |", entry.form, entry.meaning, entry.example).expect("memory");
        }
    }
    page
}

/// What Vim colours, from the same table.
fn editor() -> String {
    let words = |place: Place| {
        let mut words: Vec<&str> =
            ENTRIES.iter().filter(|entry| entry.place == place).map(|entry| entry.word).collect();
        words.retain(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()));
        words.dedup();
        words.join(" ")
    };
    let anchored = words(Place::Declaration).replace(' ', "\\|");
    format!(
        "\" Colours for games as text in Vim: copy this file to ~/.vim/syntax/game.vim, and write into ~/.vimrc
\" autocmd BufRead,BufNewFile *.game setfiletype game
\" The words are those of crates/script/src/reference.rs.
syntax match gameNumber /\\<\\d\\+\\>/
syntax keyword gameStatement {}
syntax keyword gameStatement else while where from of by all
syntax keyword gameFunction {} {}
syntax keyword gameGiven {}
syntax keyword gameOperator {}
syntax match gameDeclaration /^\\({anchored}\\)\\>/
syntax region gameMeaning start=/\"/ end=/\"/ oneline
syntax match gameComment /#.*/
highlight default link gameNumber Number
highlight default link gameStatement Statement
highlight default link gameFunction Function
highlight default link gameGiven Constant
highlight default link gameOperator Operator
highlight default link gameDeclaration Structure
highlight default link gameMeaning String
highlight default link gameComment Comment
",
        words(Place::Statement),
        words(Place::Function),
        words(Place::Domain),
        words(Place::Given),
        words(Place::Operator),
    )
}

fn agrees(name: &str, found: &str, wanted: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(docs(name), wanted).expect("a writable file");
    } else {
        assert!(found == wanted, "docs/{name} is not what the table says; UPDATE_GOLDEN=1 writes it anew");
    }
}

#[test]
fn the_page_has_the_table() {
    let page = page();
    let (before, _) = page.split_once("--test texts guide:: -->\n").expect("the mark before the reference");
    agrees("games.md", &page, &format!("{before}--test texts guide:: -->\n{}", reference()));
}

#[test]
fn editors_have_the_table() {
    let found = std::fs::read_to_string(docs("game.vim")).unwrap_or_default();
    agrees("game.vim", &found, &editor());
}

#[test]
fn every_example_can_be_read() {
    for entry in ENTRIES {
        let example = entry.example;
        let text = match entry.place {
            Place::Declaration if entry.word == "game" => format!("{example}\n"),
            Place::Declaration => format!("game example\n{example}\n"),
            Place::Statement => format!("game example\nturn\n  {example}\n"),
            Place::Domain => format!("game example\nturn\n  ask x in {example}\n"),
            Place::Function | Place::Given | Place::Operator => {
                format!("game example\nturn\n  let x = ({example})\n")
            }
        };
        assert!(read(&text).is_ok(), "{text}{}", read(&text).expect_err("a mistake"));
        assert!(!entry.form.contains('|') && !entry.example.contains('|'), "tables end at a bar: {example}");
    }
}
