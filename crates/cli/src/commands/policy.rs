//! `policy`: list, check, explain, show, and the words to write them in.

use std::fmt::Write as _;

use stopwise_engine::game::Form;
use stopwise_policy::{PolicyText, shipped, visible_word};

use crate::args::{GameArgs, PolicyCommand};
use crate::failure::Failure;
use crate::output::{note, print};
use crate::setup::{self, PolicySpec, read, rules};

pub(crate) fn policy(command: &PolicyCommand) -> Result<(), Failure> {
    match command {
        PolicyCommand::List { game } => list(game.as_deref()),
        PolicyCommand::Check { files, rules } => check(files, rules.as_deref()),
        PolicyCommand::Explain { policy, game } => {
            let spec = PolicySpec::parse(policy, game.as_deref())?;
            let game = spec.text.game().map_err(Failure::input)?;
            explain(&game, &spec)
        }
        PolicyCommand::Show { policy, game } => show(policy, game.as_deref()),
        PolicyCommand::Features(args) => features(args),
    }
}

fn default_rules(game: &str, preset: Option<&str>) -> GameArgs {
    GameArgs { game: game.to_owned(), rules: preset.map(str::to_owned), set: Vec::new() }
}

fn list(game: Option<&str>) -> Result<(), Failure> {
    game.map(setup::game).transpose()?;
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
            Ok(label) => print(&format!("{}: good ({label})\n", visible_word(file)))?,
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
    let spec = PolicySpec { text: read(file)?, parameters: Vec::new() };
    let game = spec.text.game().map_err(Failure::input)?;
    let rules = rules(&default_rules(&game, preset))?.rules;
    Ok(spec.compile(&*rules)?.label())
}

fn show(policy: &str, game: Option<&str>) -> Result<(), Failure> {
    let spec = PolicySpec::parse(policy, game)?;
    if !spec.parameters.is_empty() {
        return Err(Failure::Input(format!(
            "the text is the same for all parameters: write the name alone instead of `{policy}`"
        )));
    }
    is_policy(&spec.text)?;
    print(&spec.text.text)
}

/// An error unless the text is a policy, under any of the game's presets: this is no command to print files.
fn is_policy(text: &PolicyText) -> Result<(), Failure> {
    let game = setup::game(&text.game().map_err(Failure::input)?)?.name;
    let mut first = None;
    for preset in shipped::rules_of(game) {
        let rules = rules(&default_rules(game, Some(preset.name)))?.rules;
        match rules.compile(text, &[]) {
            Ok(_) => return Ok(()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(Ok(()), |error| Err(Failure::input(error)))
}

fn explain(game: &str, spec: &PolicySpec) -> Result<(), Failure> {
    let rules = rules(&default_rules(game, None))?.rules;
    print(&rules.explain(&spec.compile(&*rules)?))
}

fn features(args: &GameArgs) -> Result<(), Failure> {
    let rules = rules(args)?.rules;
    let mut out = format!("Decisions of {}\n", rules.game());
    for kind in rules.kinds() {
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
    if !rules.predicates().is_empty() {
        out.push_str("\nPredicates: a candidate …\n");
        for predicate in rules.predicates() {
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
