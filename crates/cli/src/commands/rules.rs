//! `rules` and `games`: what exists.

use std::fmt::Write as _;

use stopwise_policy::shipped;

use crate::args::{GameArgs, RulesCommand};
use crate::failure::Failure;
use crate::output::print;
use crate::setup::{GAMES, NamedRules, Playable, rules as read_rules, unknown_game, with_game};

pub(crate) fn games() -> Result<(), Failure> {
    let mut out = String::new();
    for (name, summary) in GAMES {
        let rules: Vec<_> = shipped::rules_of(name).map(|preset| preset.name).collect();
        let policies: Vec<_> = shipped::policies_of(name).map(|policy| policy.name).collect();
        let _ = writeln!(out, "{name}\n  {summary}");
        let _ = writeln!(out, "  rules: {}\n  policies: {}", rules.join(", "), policies.join(", "));
    }
    print(&out)
}

pub(crate) fn rules(command: &RulesCommand) -> Result<(), Failure> {
    match command {
        RulesCommand::List { game } => {
            let known = |game: &String| GAMES.iter().any(|(name, _)| name == game);
            if let Some(unknown) = game.as_ref().filter(|game| !known(game)) {
                return Err(unknown_game(unknown));
            }
            let mut out = String::new();
            for preset in
                shipped::RULES.iter().filter(|preset| game.as_ref().is_none_or(|game| preset.game == game))
            {
                let summary = preset.text().summary().unwrap_or_default();
                let _ = writeln!(out, "{:<11} {:<12} {summary}", preset.game, preset.name);
            }
            print(&out)
        }
        RulesCommand::Show { game } => with_game!(game.game.as_str(), G => show::<G>(game)),
    }
}

/// The preset's own text, which explains every option, and below it what is in force.
fn show<G: Playable>(args: &GameArgs) -> Result<(), Failure> {
    let NamedRules { name, rules } = read_rules::<G>(args)?;
    let mut out = String::new();
    let base = shipped::default_rules(G::NAME);
    let _ = writeln!(out, "# The options of {}, as {} sets and explains them\n", G::NAME, base.file);
    let _ = writeln!(out, "{}", base.content.trim_end());
    let _ = writeln!(out, "\n# In force: {name}");
    let options = serde_json::to_value(rules)?;
    for (key, value) in options.as_object().into_iter().flatten() {
        let _ = writeln!(out, "#   {key} = {value}");
    }
    print(&out)
}
