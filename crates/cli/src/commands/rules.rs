//! `rules`, and the list of `games`: presets are listed, shown and checked.

use std::fmt::Write as _;

use stopwise_document::Sheet;
use stopwise_erased::{Game, NamedRules, games};
use stopwise_narration::{InWords, read_rules};
use stopwise_policy::{TomlText as _, shipped, visible_word};

use super::balance::{Change, changes};
use super::each_file::each_file;
use crate::args::{Format, GameArgs, RulesCommand};
use crate::failure::Failure;
use crate::listing::print_list;
use crate::output::{print_file, tell};
use crate::session::Session;
use crate::setup;

/// The names, one after the other.
fn names(of: &[shipped::Shipped], between: &str) -> String {
    of.iter().map(|shipped| shipped.name).collect::<Vec<_>>().join(between)
}

pub(crate) fn list_games(session: &Session, format: Format) -> Result<(), Failure> {
    let table = Sheet::<&Game>::new("games.csv")
        .column("game", "", "the game", |game| game.name)
        .column("summary", "", "what it is", |game| game.summary)
        .column("rules", "", "its rules presets, the default first", |game| names(game.presets, " "))
        .column("policies", "", "its policies, from naive to good", |game| names(game.policies, " "))
        .fill(games());
    print_list(session, format, &table, &told_games)
}

fn told_games() -> String {
    let mut out = String::new();
    for Game { name, summary, presets, policies, .. } in games() {
        let _ = writeln!(out, "{name}\n  {summary}");
        let _ = writeln!(out, "  rules: {}\n  policies: {}", names(presets, ", "), names(policies, ", "));
    }
    out
}

pub(crate) fn rules(session: &Session, command: &RulesCommand) -> Result<(), Failure> {
    match command {
        RulesCommand::List { game, format } => list(session, game.as_deref(), *format),
        RulesCommand::Check { files } => check(session, files),
        RulesCommand::Show { game } => show(session, game),
    }
}

fn check(session: &Session, files: &[String]) -> Result<(), Failure> {
    let said = ["the rules cannot be used", "rules cannot be used"];
    each_file(session, files, said, |file| {
        let told = check_one(session, file)?;
        tell(session, &format!("{}: good ({told})\n", visible_word(file))).map(|()| Vec::new())
    })
}

/// What the rules of a file are called, and how they differ from the game's first preset.
fn check_one(session: &Session, file: &str) -> Result<String, Failure> {
    let text = setup::read(session, file)?;
    let game = setup::game(session, &text.game()?)?;
    let NamedRules { name, rules } = read_rules(game, &text)?;
    let first = setup::first_rules(game)?;
    let changes = changes(&first.rules.options(), &rules.options());
    let changes: Vec<_> =
        changes.iter().map(|Change { path, from, to }| format!("{path} {from} → {to}")).collect();
    let differ = match changes.is_empty() {
        true => format!("the same as {}", first.name),
        false => format!("against {}: {}", first.name, changes.join(", ")),
    };
    Ok(format!("{name}, rules of {}; {differ}", game.name))
}

fn list(session: &Session, game: Option<&str>, format: Format) -> Result<(), Failure> {
    let of = setup::games(session, game)?;
    let presets = || of.iter().flat_map(|game| game.presets.iter().map(move |preset| (*game, preset)));
    let table = Sheet::<(&Game, &shipped::Shipped)>::new("rules.csv")
        .column("game", "", "the game", |(game, _)| game.name)
        .column("rules", "", "the preset's name", |(_, preset)| preset.name)
        .column("default", "", "whether it is in force where no other is named", |(game, preset)| {
            game.presets[0] == **preset
        })
        .column("summary", "", "what is special about it", |(_, preset)| {
            preset.text().summary().unwrap_or_default()
        })
        .fill(presets());
    print_list(session, format, &table, &|| {
        let widest = |of: fn(&shipped::Shipped) -> &'static str| {
            presets().map(|(_, preset)| of(preset).chars().count()).max().unwrap_or_default()
        };
        let (game, name) = (widest(|preset| preset.game), widest(|preset| preset.name));
        let mut out = String::new();
        for (_, preset) in presets() {
            let summary = preset.text().summary().unwrap_or_default();
            let _ = writeln!(out, "{:<game$} {:<name$} {summary}", preset.game, preset.name);
        }
        out
    })
}

/// What is in force, as a rules file; and, as comments, what the options mean.
fn show(session: &Session, args: &GameArgs) -> Result<(), Failure> {
    let NamedRules { name, rules } = setup::rules(session, args)?;
    // A name for a file: that of the rules without what was changed by hand.
    let plain = name.split('+').next().unwrap_or_default();
    let name = if plain == name { plain.to_owned() } else { format!("my-{plain}") };
    let mut out = rules.to_text(&name);
    let first = setup::first_rules(rules.entry())?;
    let _ = writeln!(out, "\n# The options, as {} sets them, and what they mean:\n#", first.name);
    for line in first.rules.explain_options().lines() {
        let _ = writeln!(out, "#   {line}");
    }
    print_file(session, &out)
}
