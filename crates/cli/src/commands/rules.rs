//! `rules` and `games`: what exists.

use std::fmt::Write as _;

use stopwise_edge::{Game, NamedRules, games};
use stopwise_policy::shipped;

use crate::args::{GameArgs, RulesCommand};
use crate::failure::Failure;
use crate::output::print;
use crate::setup;

pub(crate) fn list_games() -> Result<(), Failure> {
    let mut out = String::new();
    for Game { name, summary, .. } in games() {
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
            game.as_deref().map(setup::game).transpose()?;
            let mut out = String::new();
            for preset in
                shipped::RULES.iter().filter(|preset| game.as_ref().is_none_or(|game| preset.game == game))
            {
                let summary = preset.text().summary().unwrap_or_default();
                let _ = writeln!(out, "{:<11} {:<12} {summary}", preset.game, preset.name);
            }
            print(&out)
        }
        RulesCommand::Show { game } => show(game),
    }
}

/// What is in force, as a rules file; and, as comments, what the options mean.
fn show(args: &GameArgs) -> Result<(), Failure> {
    let NamedRules { name, rules } = setup::rules(args)?;
    // A name for a file: that of the rules without what was changed by hand.
    let plain = name.split('+').next().unwrap_or_default();
    let name = if plain == name { plain.to_owned() } else { format!("my-{plain}") };
    let mut out = rules.to_text(&name);
    let base = shipped::default_rules(rules.game());
    let _ = writeln!(out, "\n# The options, as {} sets and explains them:\n#", base.file);
    for line in base.content.lines().skip_while(|line| !line.is_empty()).filter(|line| !line.is_empty()) {
        let _ = writeln!(out, "#   {line}");
    }
    print(&out)
}
