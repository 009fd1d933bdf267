//! `games NAME`: the rules of a game in half a page, and what its words mean; `games check`, `new` and `fmt`: texts.

mod check;
mod new;

use std::fmt::Write as _;

use stopwise_narration::{InWords as _, about};

use crate::args::GamesCommand;
use crate::failure::Failure;
use crate::output;
use crate::session::Session;
use crate::setup;
use stopwise_policy::TomlText as _;

/// Columns of text.
const WIDTH: usize = 100;

pub(crate) fn tell(session: &Session, name: &str) -> Result<(), Failure> {
    let game = setup::game(session, name)?;
    let about = about(game).map_err(Failure::other)?;
    let width = output::room(session).map_or(WIDTH, |room| room.clamp(40, WIDTH));
    let mut out = format!("{}\n\n", about.title);
    for paragraph in &about.paragraphs {
        // What a text says is indented as it is nested.
        for line in paragraph.lines() {
            let indent = &line[..line.len() - line.trim_start().len()];
            let hanging = if paragraph.contains('\n') { "  " } else { "" };
            fill(&mut out, width, line, indent, &format!("{indent}{hanging}"));
        }
        out.push('\n');
    }
    out.push_str("Words\n");
    let longest = about.words.iter().map(|(word, _)| word.chars().count()).max().unwrap_or(0);
    for (word, meaning) in &about.words {
        fill(&mut out, width, meaning, &format!("  {word:longest$}  "), &" ".repeat(longest + 4));
    }
    out.push_str("\nRules presets\n");
    let longest = game.presets.iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    for preset in game.presets {
        let summary = preset.text().summary().unwrap_or_default();
        fill(&mut out, width, &summary, &format!("  {:longest$}  ", preset.name), &" ".repeat(longest + 4));
    }
    // Those of a game in Rust are in its prose.
    if !game.text.is_empty() {
        out.push_str("\nOptions\n");
        for line in setup::first_rules(game)?.rules.explain_options().lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    if !about.sources.is_empty() {
        out.push_str("\nWhere the rules were published\n");
    }
    for source in &about.sources {
        fill(&mut out, width, source, "  ", "    ");
    }
    output::tell(session, &out)
}

pub(crate) fn texts(session: &Session, command: &GamesCommand) -> Result<(), Failure> {
    match command {
        GamesCommand::Check { files } => check::check(session, files),
        GamesCommand::New { name, like } => new::new(session, name, like.as_deref()),
        GamesCommand::Fmt { files, check } => new::format(session, files, *check),
    }
}

/// A paragraph in lines, the first of which begins so and the others so.
fn fill(out: &mut String, width: usize, text: &str, first: &str, others: &str) {
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in text.split_whitespace() {
        let gap = usize::from(!is_empty);
        if !is_empty && line.chars().count() + gap + word.chars().count() > width {
            let _ = writeln!(out, "{line}");
            others.clone_into(&mut line);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    let _ = writeln!(out, "{line}");
}
