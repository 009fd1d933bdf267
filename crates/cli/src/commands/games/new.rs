//! `games new` and `games fmt`: texts to begin with, and their form.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};

use stopwise_policy::{TextError, shipped, visible_word};

use crate::failure::Failure;
use crate::fresh;
use crate::output::tell;
use crate::session::Session;
use crate::setup;

pub(super) fn new(session: &Session, name: &str, like: Option<&str>) -> Result<(), Failure> {
    let is_good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(is_good) || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Err(Failure::Input(format!(
            "`{}` is no name for a game: write small letters, digits and hyphens, such as my-game",
            visible_word(name)
        )));
    }
    if stopwise_erased::game(name).is_some() {
        return Err(Failure::Input(format!("there is a game `{name}` already; choose another name")));
    }
    let (text, policy) = match like {
        None => {
            let [text, policy] = fresh::fresh(name);
            (text, Some(policy))
        }
        Some(like) => {
            let file = if like.ends_with(".game") { like.to_owned() } else { format!("{like}.game") };
            if !like.ends_with(".game")
                && !setup::is_there(session, &file)
                && shipped::game_text(like).is_none()
            {
                let known = &mut shipped::GALLERY.iter().chain(shipped::TOLD).map(|game| game.game);
                return Err(setup::unknown("game as text", like, known));
            }
            let text = setup::game_text(session, &file)?.text;
            let game = setup::game(session, &file)?;
            let policy = game.policies.first();
            (
                fresh::named(&without_expectations(&text), game.name, name),
                policy.map(|policy| fresh::renamed(policy.content, game.name, name)),
            )
        }
    };
    let path = format!("{name}.game");
    write_new(&path, &text)?;
    let mut said = format!("{path}: a game to be changed\n");
    let mut play = String::new();
    if let Some(policy) = policy {
        let file = format!("{name}.toml");
        write_new(&file, &policy)?;
        said += &format!("{file}: a policy for it\n");
        play = format!("    stopwise simulate {path} -p {file}\n");
    }
    said += &format!("\nNext:\n    stopwise games check {path}\n{play}");
    tell(session, &said)
}

/// What a text expects is of its own rules, not of those that they become.
fn without_expectations(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("expect "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Writes a file that is not there yet.
fn write_new(path: &str, text: &str) -> Result<(), Failure> {
    let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    let why = |error: io::Error| match error.kind() {
        ErrorKind::AlreadyExists => {
            "there is such a file already; choose another name, or move it away".into()
        }
        _ => error.to_string(),
    };
    written.map_err(|error| Failure::Input(format!("cannot write `{}`: {}", visible_word(path), why(error))))
}

pub(super) fn format(session: &Session, files: &[String], check: bool) -> Result<(), Failure> {
    let mut changed = Vec::new();
    for file in files {
        let text = setup::read(session, file)?;
        let formatted = stopwise_script::format(&text.text)
            .map_err(|error| TextError { file: text.file.clone(), ..error })?;
        if formatted == text.text {
            continue;
        }
        if !check {
            fs::write(file, formatted)
                .map_err(|error| Failure::Other(format!("cannot write `{}`: {error}", visible_word(file))))?;
        }
        changed.push(visible_word(file).into_owned());
    }
    match (check, changed.is_empty()) {
        (true, false) => {
            Err(Failure::Input(format!("`stopwise games fmt` would change {}", changed.join(", "))))
        }
        (false, false) => tell(session, &format!("changed: {}\n", changed.join(", "))),
        (_, true) => tell(session, "nothing to change\n"),
    }
}
