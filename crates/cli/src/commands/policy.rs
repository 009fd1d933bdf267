//! `policy`: list, check, explain, show, and the words to write them in.

use std::fmt::Write as _;

use stopwise_engine::game::Form;
use stopwise_policy::shipped;

use crate::args::{GameArgs, PolicyCommand};
use crate::failure::Failure;
use crate::output::{note, print};
use crate::setup::{GAMES, Playable, PolicySpec, read, rules, unknown_game, with_game};

pub(crate) fn policy(command: &PolicyCommand) -> Result<(), Failure> {
    match command {
        PolicyCommand::List { game } => list(game.as_deref()),
        PolicyCommand::Check { files, rules } => check(files, rules.as_deref()),
        PolicyCommand::Explain { policy, game } => {
            let spec = PolicySpec::parse(policy, game.as_deref())?;
            let game = spec.text.game().map_err(Failure::input)?;
            with_game!(game.as_str(), G => explain::<G>(&spec))
        }
        PolicyCommand::Show { policy, game } => show(policy, game.as_deref()),
        PolicyCommand::Features(args) => with_game!(args.game.as_str(), G => features::<G>(args)),
    }
}

fn default_rules(game: &str, preset: Option<&str>) -> GameArgs {
    GameArgs { game: game.to_owned(), rules: preset.map(str::to_owned), set: Vec::new() }
}

fn list(game: Option<&str>) -> Result<(), Failure> {
    if let Some(unknown) = game.filter(|game| GAMES.iter().all(|(name, _)| name != game)) {
        return Err(unknown_game(unknown));
    }
    let mut out = String::new();
    for policy in shipped::POLICIES.iter().filter(|policy| game.is_none_or(|game| policy.game == game)) {
        let summary = policy.text().summary().unwrap_or_default();
        let _ = writeln!(out, "{:<11} {:<22} {summary}", policy.game, policy.name);
    }
    print(&out)
}

fn check(files: &[String], rules: Option<&str>) -> Result<(), Failure> {
    let mut wrong = 0;
    for file in files {
        match check_one(file, rules) {
            Ok(label) => print(&format!("{file}: good ({label})\n"))?,
            Err(Failure::Input(message)) => {
                wrong += 1;
                note(&format!("error: {message}"));
            }
            Err(other) => return Err(other),
        }
    }
    if wrong > 0 {
        return Err(Failure::Input(format!("{wrong} of {} policies cannot be used", files.len())));
    }
    Ok(())
}

fn check_one(file: &str, preset: Option<&str>) -> Result<String, Failure> {
    fn compile<G: Playable>(spec: &PolicySpec, preset: Option<&str>) -> Result<String, Failure> {
        let rules = rules::<G>(&default_rules(G::NAME, preset))?.rules;
        Ok(spec.compile(&rules)?.label())
    }
    let spec = PolicySpec { text: read(file)?, parameters: Vec::new() };
    let game = spec.text.game().map_err(Failure::input)?;
    with_game!(game.as_str(), G => compile::<G>(&spec, preset))
}

fn show(policy: &str, game: Option<&str>) -> Result<(), Failure> {
    let spec = PolicySpec::parse(policy, game)?;
    if !spec.parameters.is_empty() {
        return Err(Failure::Input(format!(
            "the text is the same for all parameters: write the name alone instead of `{policy}`"
        )));
    }
    print(&spec.text.text)
}

fn explain<G: Playable>(spec: &PolicySpec) -> Result<(), Failure> {
    let rules = rules::<G>(&default_rules(G::NAME, None))?.rules;
    print(&spec.compile(&rules)?.explain(&rules))
}

fn features<G: Playable>(args: &GameArgs) -> Result<(), Failure> {
    let rules = rules::<G>(args)?.rules;
    let mut out = format!("Decisions of {}\n", G::NAME);
    for kind in G::KINDS {
        let form = match kind.form {
            Form::YesNo => "an expression over the features",
            Form::Items => "a list of predicates, or [{ when = \"…\", prefer = [...] }, …]",
        };
        let _ = writeln!(out, "  {:<18} {} — {form}", kind.name, kind.meaning);
    }
    out.push_str("\nFeatures (with their range under these rules)\n");
    for feature in rules.features() {
        let range = match feature.denominator {
            1 => format!("{} to {}", feature.low, feature.high),
            denominator => format!("0 to 1, in parts of {denominator}"),
        };
        let _ = writeln!(out, "  {:<18} {} ({range})", feature.name, feature.meaning);
    }
    if !G::PREDICATES.is_empty() {
        out.push_str("\nPredicates: a candidate …\n");
        for predicate in G::PREDICATES {
            let _ = writeln!(out, "  {:<18} {}", predicate.name, predicate.meaning);
        }
    }
    out.push_str(
        "\nExpressions: + - * / % (whole numbers; / rounds towards zero), == != < <= > >=, && || ! (and, or, not),\n\
         a ? b : c, min(a, b), max(a, b), parentheses, decimals such as 0.35, and the policy's own params.\n\
         Lists: from left to right, of the candidates left keep those for which the entry holds, if any; the first\n\
         in the game's order wins what is left. Entries may join predicates by &&, || and !.\n",
    );
    print(&out)
}
