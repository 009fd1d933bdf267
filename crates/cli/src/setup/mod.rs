//! Resolves names and paths from the command line to games and rules.

mod file;
mod likely;
mod lineup;
mod policy;

use std::sync::Arc;

use serde_json::Value;
use stopwise_engine::game::Metric;
use stopwise_erased::{AnyRules, Game, NamedRules};
use stopwise_narration::{InWords, read_rules};
use stopwise_policy::{Text, TomlText as _, nearest, shipped, visible_word};

use crate::args::{GameArgs, shell_line};
use crate::failure::Failure;
use crate::label;
use crate::session::Session;
use file::{is_file, names_here};
pub(crate) use file::{is_there, read};
pub(crate) use likely::likely_game;
pub(crate) use lineup::{
    against, check_labels, check_named_once, check_seats, compared, lineups, no_policy, played_in_turn,
    told_lineups,
};
pub(crate) use policy::{ALL, Player, PolicySpec, all_of, named};

/// The game of this name, or of this file; of a name that no game has, that of the file `NAME.game` in the current
/// directory.
pub(crate) fn game(session: &Session, name: &str) -> Result<&'static Game, Failure> {
    match stopwise_erased::game(name) {
        Some(game) => {
            if let Some(text) = shipped::GALLERY.iter().find(|text| text.game == name) {
                session.note_game(&text.text());
            }
            Ok(game)
        }
        None if is_file(name) => {
            let text = game_text(session, name)?;
            session.note_game(&text);
            Game::from_text(&text).map_err(Failure::from)
        }
        None if is_there(session, &format!("{name}.game")) => game(session, &format!("{name}.game")),
        None => {
            let here = names_here(session, ".game");
            let near = nearest(name, here.iter().map(String::as_str));
            let mut known: Vec<&str> = shipped::games().collect();
            known.extend(near);
            Err(unknown("game", name, &mut known.into_iter()))
        }
    }
}

/// The game that a policy names; a file is looked for beside the policy where it is not in the current directory.
pub(crate) fn game_of(session: &Session, policy: &Text) -> Result<&'static Game, Failure> {
    let name = policy.game().map_err(|error| likely::advised(session, policy, error))?;
    let directory = policy.file.rfind(['/', '\\']).map_or("", |end| &policy.file[..=end]);
    let file = if is_file(&name) { name.clone() } else { format!("{name}.game") };
    let beside = format!("{directory}{file}");
    let is_known = stopwise_erased::game(&name).is_some() || is_there(session, &file);
    game(session, if !is_known && is_there(session, &beside) { &beside } else { &name })
}

/// The games that are files in the current directory, the first of them.
pub(crate) fn games_here(session: &Session) -> Vec<&'static Game> {
    const MOST: usize = 20;
    let names = names_here(session, ".game").into_iter().take(MOST);
    names.filter_map(|name| game(session, &format!("{name}.game")).ok()).collect()
}

/// The text of a game: a file, or else, by a name such as `pig.game`, one that comes with the program.
pub(crate) fn game_text(session: &Session, name: &str) -> Result<Text, Failure> {
    let shipped = name.strip_suffix(".game").and_then(shipped::game_text);
    match shipped {
        Some(shipped) if !is_there(session, name) => Ok(shipped.text()),
        _ => {
            let text = read(session, name)?;
            if name.ends_with(".toml") {
                return Err(Failure::Input(format!(
                    "`{0}` is a policy or rules, and a game is named here: a name or FILE.game; what it is for stands in `{0}` as \
                     `game`",
                    visible_word(name)
                )));
            }
            match repeated_by(&text.text) {
                None => Ok(text),
                Some(line) => Err(Failure::Input(format!(
                    "`{}` is the record of a run, and no game; this repeats the run: {line}",
                    visible_word(name)
                ))),
            }
        }
    }
}

/// The command that repeats a run, if this is its manifest.
fn repeated_by(text: &str) -> Option<String> {
    let manifest: Value = serde_json::from_str(text).ok()?;
    // Without where the program was.
    let words = manifest["command_line"].as_array()?.iter().skip(1).filter_map(Value::as_str);
    Some(shell_line(&["stopwise"].into_iter().chain(words).map(str::to_owned).collect::<Vec<_>>()))
}

/// Whether any of the games has a policy of this name.
pub(crate) fn is_policy(name: &str) -> bool {
    stopwise_erased::games().iter().any(|game| game.policy(name).is_some())
}

/// The game that was named, or all.
pub(crate) fn games(session: &Session, name: Option<&str>) -> Result<Vec<&'static Game>, Failure> {
    Ok(match name {
        Some(name) => vec![game(session, name)?],
        None => stopwise_erased::games(),
    })
}

pub(crate) fn unknown(what: &str, name: &str, known: &mut dyn Iterator<Item = &str>) -> Failure {
    let known: Vec<_> = known.collect();
    let help = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{}`?", visible_word(near)),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there are: {}", visible_word(&known.join(", "))),
    };
    Failure::Input(format!("unknown {what} `{}`; {help}", visible_word(name)))
}

/// The rules that the arguments ask for.
pub(crate) fn rules(session: &Session, args: &GameArgs) -> Result<NamedRules, Failure> {
    rules_of(session, game(session, &args.game)?, args)
}

/// Refuses a game in which nobody decides anything.
pub(crate) fn check_decides(rules: &dyn AnyRules) -> Result<(), Failure> {
    match rules.kinds() {
        [] => Err(Failure::Input(format!(
            "nobody decides anything in {}: `stopwise simulate` and `solve` say how it goes",
            rules.game()
        ))),
        _ => Ok(()),
    }
}

/// The rules of a game that the other arguments ask for.
pub(crate) fn rules_of(
    session: &Session,
    game: &'static Game,
    args: &GameArgs,
) -> Result<NamedRules, Failure> {
    Ok(changed_rules(session, game, args)?.named())
}

/// A preset, or the rules of a file, and what was made of it.
pub(crate) struct ChangedRules {
    base: NamedRules,
    pub(crate) rules: Arc<dyn AnyRules>,
}

impl ChangedRules {
    /// Called by the base, with every option that differs.
    pub(crate) fn named(self) -> NamedRules {
        let name = label::changed(&self.base.name, &*self.base.rules, &*self.rules);
        NamedRules { name, rules: self.rules }
    }
}

/// The rules of a game that the other arguments ask for, with what they were made of.
pub(crate) fn changed_rules(
    session: &Session,
    game: &'static Game,
    args: &GameArgs,
) -> Result<ChangedRules, Failure> {
    check_once(&args.set)?;
    let text = rules_text(session, game, args.rules.as_deref())?;
    let read = read_rules(game, &text).map_err(|error| match args.rules.as_deref() {
        Some(file) if is_policy_of(session, game, file) => {
            let file = visible_word(file);
            Failure::Input(format!("--rules {file}: this is a policy, and no rules; write --policy {file}"))
        }
        _ => error.into(),
    });
    let mut base = read?;
    if is_other_preset(game, &base.name, &*base.rules) {
        base.name += &format!(" ({})", shipped::file_name(&text.file));
    }
    let mut rules = Arc::clone(&base.rules);
    for assignment in &args.set {
        rules = rules.with_option(assignment).map_err(|error| several(assignment, Failure::input(error)))?;
    }
    Ok(ChangedRules { base, rules })
}

/// Whether a file is a policy of the game.
fn is_policy_of(session: &Session, game: &'static Game, file: &str) -> bool {
    let compiled = |rules: NamedRules| {
        Player::parse(session, file, game).and_then(|player| player.quietly(session, &*rules.rules))
    };
    is_file(file) && first_rules(game).is_ok_and(|rules| compiled(rules).is_ok())
}

/// The rules that the values of a policy are for, where their name tells: a preset, and options as in `solo+goal=50`.
pub(crate) fn rules_of_values(session: &Session, game: &'static Game, text: &Text) -> Option<NamedRules> {
    let name = stopwise_policy::rules_of_values(text)?;
    let mut parts = name.split('+').map(str::to_owned);
    let (preset, set) = (parts.next()?, parts.collect());
    game.preset(&preset)?;
    rules_of(session, game, &GameArgs { game: game.name.to_owned(), rules: Some(preset), set }).ok()
}

/// Whether rules are called like a preset, and are others.
fn is_other_preset(game: &'static Game, name: &str, rules: &dyn AnyRules) -> bool {
    let preset = game.preset(name).and_then(|preset| read_rules(game, &preset.text()).ok());
    preset.is_some_and(|preset| preset.rules.options() != rules.options())
}

/// Whether every option is set once: of two values nobody knows which is meant.
fn check_once(assignments: &[String]) -> Result<(), Failure> {
    for (at, assignment) in assignments.iter().enumerate() {
        if let Some(other) = assignments[..at].iter().find(|other| set_key(other) == set_key(assignment)) {
            return Err(Failure::Input(format!(
                "`{}` has two values, {} and {}; write it once",
                visible_word(set_key(assignment)),
                visible_word(other),
                visible_word(assignment)
            )));
        }
    }
    Ok(())
}

/// The option that is set.
pub(crate) fn set_key(assignment: &str) -> &str {
    assignment.split('=').next().unwrap_or(assignment).trim()
}

/// The path of an option of the game's rules that has this name, such as `points.solid` of `solid`.
pub(crate) fn option_of(game: &Game, name: &str) -> Option<String> {
    let mut names = game.options.iter().map(|option| option.name);
    names.find(|known| known.rsplit('.').next() == Some(name)).map(str::to_owned)
}

/// The first of the policies that has a parameter of this name.
pub(crate) fn parameter_of<'p>(
    session: &Session,
    game: &'static Game,
    mut policies: impl Iterator<Item = &'p str>,
    name: &str,
) -> Option<&'p str> {
    let rules = first_rules(game).ok()?.rules;
    policies.find(|policy| {
        let compiled =
            Player::parse(session, policy, game).and_then(|player| player.quietly(session, &*rules));
        compiled
            .is_ok_and(|policy| policy.heading().parameters.iter().any(|parameter| parameter.name == name))
    })
}

/// The error for a `--set` with several options in the form of `--variant`; for a single option, why it is refused.
fn several(assignment: &str, refused: Failure) -> Failure {
    let each: Vec<_> = assignment.split(',').map(str::trim).collect();
    if each.len() == 1 || each.iter().any(|one| !one.contains('=')) {
        return refused;
    }
    let each: Vec<_> = each.iter().map(|one| format!("--set {}", visible_word(one))).collect();
    Failure::Input(format!(
        "--set {}: one option at a time; write {}",
        visible_word(assignment),
        each.join(" ")
    ))
}

/// The rules of a game's first preset.
pub(crate) fn first_rules(game: &'static Game) -> Result<NamedRules, Failure> {
    preset_rules(game, game.presets.first().map_or("", |preset| preset.name))
}

/// The rules of a preset.
pub(crate) fn preset_rules(game: &'static Game, name: &str) -> Result<NamedRules, Failure> {
    read_rules(game, &preset(game, name)?).map_err(Failure::from)
}

fn preset(game: &Game, name: &str) -> Result<Text, Failure> {
    let preset = game.preset(name).map(shipped::Shipped::text);
    preset.ok_or_else(|| unknown("rules preset", name, &mut game.presets.iter().map(|preset| preset.name)))
}

fn rules_text(session: &Session, game: &Game, wanted: Option<&str>) -> Result<Text, Failure> {
    let first = game.presets.first().map_or("", |preset| preset.name);
    let wanted = wanted.unwrap_or(first);
    if is_file(wanted) {
        return read(session, wanted);
    }
    preset(game, wanted)
}

/// The metric that was asked for, or the first, by its place among those of the rules.
pub(crate) fn metric(rules: &dyn AnyRules, wanted: Option<&str>) -> Result<usize, Failure> {
    metric_of(rules.metrics(), wanted)
}

/// The same, among these.
pub(crate) fn metric_of(metrics: &[Metric], wanted: Option<&str>) -> Result<usize, Failure> {
    let names = || metrics.iter().map(|metric| metric.name);
    let Some(wanted) = wanted else { return Ok(0) };
    names().position(|name| name == wanted).ok_or_else(|| unknown("metric", wanted, &mut names()))
}
