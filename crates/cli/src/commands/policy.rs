//! `policy`: list, check, explain, show, and the words to write them in.

use std::fmt::Write as _;
use std::path::Path;

use stopwise_document::{Dataset, Number, Real, Sheet};
use stopwise_engine::game::AnswerForm as KindForm;
use stopwise_engine::vocabulary::{CandidateNumber, Feature, in_units};
use stopwise_erased::{AnyPolicy, AnyRules, Game, games};
use stopwise_narration::InWords;
use stopwise_policy::{Text, TomlText as _, metric_of_values, shipped, visible_word};
use stopwise_reports::doubts::{Doubts, doubts};

use super::each_file::each_file;
use crate::args::{Format, GameArgs, PolicyCommand};
use crate::failure::Failure;
use crate::listing::print_list;
use crate::output::{note, print_file, tell};
use crate::session::Session;
use crate::setup::{self, PolicySpec, read, rules};

pub(crate) fn policy(session: &Session, command: &PolicyCommand) -> Result<(), Failure> {
    match command {
        PolicyCommand::List { game, format } => list(session, game.as_deref(), *format),
        PolicyCommand::Check { files, rules, game } => {
            check(session, files, rules.as_deref(), entry(session, game.as_deref())?)
        }
        PolicyCommand::Explain { policy, game } => {
            let game = entry(session, game.as_deref())?;
            let spec = PolicySpec::parse(session, policy, game)?;
            let named = || setup::game_of(session, &spec.text);
            explain(session, game.map_or_else(named, Ok)?, &spec)
        }
        PolicyCommand::Show { policy, game } => show(session, policy, game.as_deref()),
        PolicyCommand::Features { game, format } => features(session, game, *format),
    }
}

/// The game that was named, if any.
fn entry(session: &Session, game: Option<&str>) -> Result<Option<&'static Game>, Failure> {
    game.map(|game| setup::game(session, game)).transpose()
}

fn list(session: &Session, game: Option<&str>, format: Format) -> Result<(), Failure> {
    let of = setup::games(session, game)?;
    let policies = || of.iter().flat_map(|game| game.policies);
    if let Some(game) = game.filter(|_| policies().next().is_none()) {
        let game = visible_word(game);
        note(
            session,
            &format!(
                "no policies come with {game}: write one in a TOML file, with a line for every decision; `stopwise policy features \
                 {game}` lists the words"
            ),
        );
    }
    let table = Sheet::<&shipped::Shipped>::new("policies.csv")
        .column("game", "", "the game", |policy| policy.game)
        .column("policy", "", "its name; within a game from naive to good", |policy| policy.name)
        .column("summary", "", "what it does", |policy| policy.text().summary().unwrap_or_default())
        .fill(policies());
    print_list(session, format, &table, &|| {
        let mut out = String::new();
        for policy in policies() {
            let summary = policy.text().summary().unwrap_or_default();
            let _ = writeln!(out, "{:<11} {:<22} {summary}", policy.game, policy.name);
        }
        out
    })
}

fn check(
    session: &Session,
    files: &[String],
    rules: Option<&str>,
    game: Option<&'static Game>,
) -> Result<(), Failure> {
    let said = ["the policy cannot be used", "policies cannot be used"];
    each_file(session, files, said, |file| {
        let (policy, doubts) = check_one(session, file, rules, game)?;
        let how = if doubts.warnings.is_empty() { "good" } else { "can be played, but see the warnings" };
        tell(session, &format!("{}: {how} ({})\n", visible_word(file), policy.label()))?;
        let warnings = policy.heading().warnings().chain(doubts.warnings);
        warnings.for_each(|said| note(session, &format!("warning: {said}")));
        let notes = policy.heading().unlisted().into_iter().chain(doubts.notes);
        notes.for_each(|said| note(session, &format!("note: {said}")));
        Ok(Vec::new())
    })
}

/// A policy, and what is absurd in the games that it plays.
fn check_one(
    session: &Session,
    file: &str,
    preset: Option<&str>,
    game: Option<&'static Game>,
) -> Result<(AnyPolicy, Doubts), Failure> {
    // A file may be called as it likes.
    let path = Path::new(file);
    let spec = match path.exists() && !path.is_dir() {
        true => PolicySpec::of(session, read(session, file)?, Vec::new())?,
        false => PolicySpec::parse(session, file, game)?,
    };
    let game = match (game, spec.text.game()) {
        (Some(game), _) => game,
        (None, Ok(file)) if file.ends_with(".game") => setup::game_of(session, &spec.text)?,
        // Of no game, or of an unknown one: that is said together with what else is wrong.
        (None, _) => setup::game_of(session, &spec.text)
            .unwrap_or_else(|_| setup::likely_game(session, &spec.text).unwrap_or(games()[0])),
    };
    let args = GameArgs { game: game.name.to_owned(), rules: preset.map(str::to_owned), set: Vec::new() };
    let own = setup::rules_of_values(session, game, &spec.text).filter(|_| preset.is_none());
    let rules = own.map_or_else(|| setup::rules_of(session, game, &args), Ok)?.rules;
    let policy = spec.compile(session, &*rules)?;
    let is_solved = metric_of_values(&spec.text).is_some();
    // A table for other rules is not used; and best play may never say yes.
    if policy.heading().remark.is_some() || is_solved {
        return Ok((policy, Doubts::default()));
    }
    let doubts = doubts(&*rules, &visible_word(file), &rules.tried(&policy, GAMES, STEPS));
    Ok((policy, doubts))
}

/// Games that a policy plays when it is checked, …
const GAMES: u64 = 200;
/// … or fewer, after so many turns and decisions: a fraction of a second.
const STEPS: u64 = 3_000_000;

fn show(session: &Session, policy: &str, game: Option<&str>) -> Result<(), Failure> {
    let spec = PolicySpec::parse(session, policy, entry(session, game)?)?;
    if !spec.parameters.is_empty() {
        return Err(Failure::Input(format!(
            "the text is the same for all parameters: write the name alone instead of `{policy}`"
        )));
    }
    is_policy(session, &spec.text)?;
    print_file(session, &spec.text.text)
}

/// An error unless the text is a policy, under any of the game's presets: this is no command to print files.
fn is_policy(session: &Session, text: &Text) -> Result<(), Failure> {
    let game = setup::game(session, &text.game()?)?;
    let mut first = None;
    let own = setup::rules_of_values(session, game, text).map(Ok);
    let presets = game.presets.iter().map(|preset| setup::preset_rules(game, preset.name));
    for rules in own.into_iter().chain(presets) {
        let rules = rules?.rules;
        match rules.compile(text, &[]) {
            Ok(_) => return Ok(()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map_or(Ok(()), |error| Err(error.into()))
}

fn explain(session: &Session, game: &'static Game, spec: &PolicySpec) -> Result<(), Failure> {
    let own = setup::rules_of_values(session, game, &spec.text);
    let rules = own.map_or_else(|| setup::first_rules(game), Ok)?.rules;
    tell(session, &rules.explain(&spec.compile(session, &*rules)?))
}

fn features(session: &Session, args: &GameArgs, format: Format) -> Result<(), Failure> {
    let rules = rules(session, args)?.rules;
    print_list(session, format, &words(&*rules), &|| told_features(&*rules))
}

/// A word of a game: of which kind, its meaning, and the range of a feature.
struct Entry<'w> {
    kind: &'static str,
    name: &'w str,
    meaning: &'w str,
    range: Option<(i64, i64, i64)>,
}

/// Every word that a policy of a game may use.
fn words(rules: &dyn AnyRules) -> Dataset {
    /// One end of the range of a feature, in whole units.
    fn end(word: &Entry<'_>, of: fn((i64, i64, i64)) -> i64) -> Option<Number> {
        word.range.map(|range| match range.2 {
            1 => Number::Whole(of(range)),
            denominator => Number::Real(Real::shortest(of(range) as f64 / denominator as f64)),
        })
    }
    let features = rules.features();
    let decisions = rules.kinds().iter().map(|kind| Entry {
        kind: match kind.form {
            KindForm::YesNo => "condition",
            KindForm::Items => "list",
            KindForm::Number => "quantity",
        },
        name: kind.name,
        meaning: kind.meaning,
        range: None,
    });
    let of_features = features.iter().map(|feature| Entry {
        kind: "feature",
        name: feature.name,
        meaning: feature.meaning,
        range: Some((feature.low, feature.high, feature.denominator)),
    });
    let predicates = rules.info().predicates.iter().map(|predicate| Entry {
        kind: "predicate",
        name: predicate.name,
        meaning: predicate.meaning,
        range: None,
    });
    let numbers = rules.candidate_numbers();
    let of_candidates = numbers.iter().map(|CandidateNumber { number, .. }| Entry {
        kind: "number",
        name: number.name,
        meaning: number.meaning,
        range: Some((number.low, number.high, number.denominator)),
    });
    Sheet::<Entry<'_>>::new("words.csv")
        .column("word", "", "the word", |word| word.name)
        .column(
            "kind",
            "",
            "a decision that a condition, a list or a number answers, a feature, or of a candidate a predicate or number",
            |word| word.kind,
        )
        .column("meaning", "", "what it means; of a predicate after \"a candidate\"", |word| word.meaning)
        .column("low", "", "the least value of a feature under these rules", |word| {
            end(word, |range| range.0)
        })
        .column("high", "", "the greatest", |word| end(word, |range| range.1))
        .column("parts", "", "what a chance is counted in, 1 for whole numbers", |word| {
            word.range.map(|range| range.2)
        })
        .fill(decisions.chain(of_features).chain(predicates).chain(of_candidates))
}

fn told_features(rules: &dyn AnyRules) -> String {
    let mut out = format!("Decisions of {}\n", rules.game());
    if rules.kinds().is_empty() {
        out.push_str("  none: nobody decides anything, chance does\n");
    }
    for kind in rules.kinds() {
        let form = match kind.form {
            KindForm::YesNo => "an expression over the features",
            KindForm::Items if rules.info().predicates.is_empty() && rules.candidate_numbers().is_empty() => {
                "the first in the game's order; a list where the game declares words for it, by `candidate`"
            }
            KindForm::Items => "a list of predicates, or [{ when = \"…\", prefer = [...] }, …]",
            KindForm::Number => "an expression for the number, or a list",
        };
        let _ = writeln!(out, "  {:<18} {} — {form}", kind.name, kind.meaning);
    }
    out.push_str("\nFeatures (with their range under these rules)\n");
    for feature in rules.features() {
        let _ = writeln!(out, "  {:<18} {} ({})", feature.name, feature.meaning, range(&feature));
    }
    if !rules.info().predicates.is_empty() {
        out.push_str("\nPredicates: a candidate …\n");
        for predicate in rules.info().predicates {
            let _ = writeln!(out, "  {:<18} {}", predicate.name, predicate.meaning);
        }
    }
    let numbers = rules.candidate_numbers();
    if !numbers.is_empty() {
        out.push_str("\nNumbers of candidates, for lists\n");
        for (index, CandidateNumber { number, .. }) in numbers.iter().enumerate() {
            // The same of the candidates of several decisions is said once.
            let is_same = |other: &&CandidateNumber| other.number == *number;
            if numbers[..index].iter().any(|other| is_same(&other)) {
                continue;
            }
            let kinds =
                numbers.iter().filter(is_same).map(|same| format!("`{}`", rules.kinds()[same.kind].name));
            let (kinds, range) = (kinds.collect::<Vec<_>>().join(", "), range(number));
            let _ = writeln!(out, "  {:<18} {} ({range}), of {kinds}", number.name, number.meaning);
        }
    }
    out.push_str(
        "\nExpressions: + - * / % (whole numbers; / rounds towards zero), == != < <= > >=, && || ! (and, or, not),\n\
         a ? b : c, min(a, b), max(a, b), parentheses, decimals such as 0.35, and the policy's own params.\n\
         Lists: from left to right, of the candidates left keep those for which the entry holds, if any; the first\n\
         in the game's order wins what is left. Entries may join predicates by &&, || and !.\n",
    );
    if !numbers.is_empty() {
        let name = numbers[0].number.name;
        let _ = writeln!(
            out,
            "Numbers of candidates are compared, \"{name} >= {}\", or the most or least is preferred: \"most {name}\".",
            numbers[0].number.high
        );
    }
    out
}

/// The range of a feature in words.
fn range(feature: &Feature) -> String {
    match feature.denominator {
        _ if feature.is_truth => "yes or no".into(),
        1 => in_units(&format!("{} to {}", feature.low, feature.high), feature.unit),
        denominator => {
            let end = |at: i64| at as f64 / denominator as f64;
            let ends = format!("{} to {}", end(feature.low), end(feature.high));
            format!("{}, in parts of {denominator}", in_units(&ends, feature.unit))
        }
    }
}
