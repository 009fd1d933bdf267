//! Line-ups: policies that play together, and line-ups that take turns.

use std::collections::BTreeMap;

use stopwise_engine::info::{AnswerForm, Kind};
use stopwise_engine::rotation::rotations;
use stopwise_erased::{AnyPolicy, AnyRules, Game};
use stopwise_policy::{is_typed, visible_word};
use stopwise_reports::one_label;
use stopwise_reports::simulate::labels;

use super::file::is_there;
use super::first_rules;
use super::policy::{ALL, Player, all_of, named};
use crate::args::PolicyArgs;
use crate::failure::Failure;
use crate::session::Session;

/// The line-ups that take turns, each with a policy for every seat, or one for all: see
/// [`rotation`](stopwise_engine::rotation). Without rotation one alone.
pub(crate) fn lineups(
    session: &Session,
    rules: &dyn AnyRules,
    args: &PolicyArgs,
) -> Result<Vec<Vec<AnyPolicy>>, Failure> {
    played_in_turn(rules, lineup(session, rules, &args.policies)?, args.rotate)
}

/// The same of a command that only tells trials.
pub(crate) fn told_lineups(
    session: &Session,
    rules: &dyn AnyRules,
    args: &PolicyArgs,
) -> Result<Vec<Vec<AnyPolicy>>, Failure> {
    let specs = named(&args.policies, rules.entry());
    check_seats(rules, &specs)?;
    let policy = |spec: &String| Player::parse_told(session, spec, rules.entry())?.compile(session, rules);
    let lineup = specs.iter().map(policy).collect::<Result<_, Failure>>()?;
    played_in_turn(rules, lineup, args.rotate)
}

/// A seat, given from 1, as its index, and the line-up of those who are against it: a policy for every seat, where what stands in
/// its own does not play, or one for all of them, or none.
pub(crate) fn against(
    rules: &dyn AnyRules,
    seat: usize,
    against: &[String],
) -> Result<(usize, Vec<String>), Failure> {
    let (seats, given) = (rules.seats(), against.len());
    let Some(seat) = seat.checked_sub(1).filter(|seat| *seat < seats) else {
        return Err(Failure::Input(format!("--seat {seat}: the seats are 1 to {seats}")));
    };
    if given > 1 && given != seats - 1 || seats == 1 && given > 0 {
        return Err(Failure::Input(match seats {
            1 => "--against: you are alone in this game under these rules".into(),
            2 => "--against: there is one other seat; give it once".into(),
            _ => format!("--against: give it once, or once for each of the {} other seats", seats - 1),
        }));
    }
    let mut all = against.to_vec();
    if given > 1 {
        all.insert(seat, against[0].clone());
    }
    Ok((seat, all))
}

/// A line-up alone, or all its rotations, in which a label stands for one text.
pub(crate) fn played_in_turn(
    rules: &dyn AnyRules,
    lineup: Vec<AnyPolicy>,
    is_rotated: bool,
) -> Result<Vec<Vec<AnyPolicy>>, Failure> {
    // Otherwise reports go by seat, and who has typed two policies is shown both.
    if is_rotated || lineup.iter().any(|policy| is_typed(&policy.heading().text.file)) {
        check_labels(&lineup)?;
    }
    in_turn(rules, lineup, is_rotated)
}

/// A line-up alone, or all its rotations.
fn in_turn(
    rules: &dyn AnyRules,
    lineup: Vec<AnyPolicy>,
    is_rotated: bool,
) -> Result<Vec<Vec<AnyPolicy>>, Failure> {
    if !is_rotated {
        return Ok(vec![lineup]);
    }
    let seats = rules.seats();
    if seats == 1 {
        return Err(Failure::Input(format!(
            "--rotate: {} has one seat under these rules, so that there is nothing to rotate; leave it out",
            rules.game()
        )));
    }
    Ok(rotations(&if lineup.len() == 1 { vec![lineup[0].clone(); seats] } else { lineup }))
}

/// Where reports go by policy, a label must stand for one text.
pub(crate) fn check_labels<'p>(policies: impl IntoIterator<Item = &'p AnyPolicy>) -> Result<(), Failure> {
    let mut known: BTreeMap<String, &AnyPolicy> = BTreeMap::new();
    for policy in policies {
        let other = *known.entry(policy.label()).or_insert(policy);
        if !other.heading().text.is_same(&policy.heading().text) {
            return Err(Failure::Input(format!(
                "`{}` and `{}` are different policies, but both are called `{}`; change the name in one of them{}",
                visible_word(&other.heading().text.file),
                visible_word(&policy.heading().text.file),
                policy.label(),
                if is_typed(&policy.heading().text.file) { ", as by `; name = other`" } else { "" }
            )));
        }
    }
    Ok(())
}

/// Refuses two of what was typed, with their labels, that are the same: one would be held against itself.
pub(crate) fn check_named_once<'t>(all: impl IntoIterator<Item = (&'t str, String)>) -> Result<(), Failure> {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for (typed, label) in all {
        if let Some(before) = known.insert(label.clone(), typed) {
            return Err(Failure::Input(format!(
                "`{}` and `{}` are both called `{label}`; name a policy once, or change the name in one of the files",
                visible_word(before),
                visible_word(typed)
            )));
        }
    }
    Ok(())
}

/// A policy for every seat, or one for all.
fn lineup(session: &Session, rules: &dyn AnyRules, specs: &[String]) -> Result<Vec<AnyPolicy>, Failure> {
    let specs = named(specs, rules.entry());
    check_seats(rules, &specs)?;
    let policy = |spec: &String| Player::parse(session, spec, rules.entry())?.compile(session, rules);
    specs.iter().map(policy).collect()
}

/// No policy was named; `order` is said of several.
pub(crate) fn no_policy(game: &'static Game, order: &str) -> Failure {
    let names: Vec<_> = game.policies.iter().map(|policy| policy.name).collect();
    let (known, name) = (names.join(", "), game.name);
    Failure::Input(if names.is_empty() {
        let typed = first_rules(game).map(|rules| answers(rules.rules.kinds())).unwrap_or_default();
        format!(
            "name a policy: --policy FILE.toml{order}, or type one: --policy '{typed}'; none comes with {name}. `stopwise \
             policy features` lists the words that one may use"
        )
    } else {
        format!("name a policy: --policy NAME or --policy FILE.toml{order}; shipped for {name}: {known}")
    })
}

/// A policy as it is typed, with what stands for its answers.
fn answers(kinds: &[Kind]) -> String {
    let answer = |kind: &Kind| match kind.form {
        AnswerForm::YesNo => format!("{} = CONDITION", kind.name),
        AnswerForm::Items => format!("{} = PREDICATE, …", kind.name),
        AnswerForm::Number => format!("{} = NUMBER", kind.name),
    };
    kinds.iter().map(answer).collect::<Vec<_>>().join("; ")
}

/// Whether there is a policy for every seat, or one for all.
pub(crate) fn check_seats(rules: &dyn AnyRules, specs: &[String]) -> Result<(), Failure> {
    let seats = rules.seats();
    if specs.is_empty() {
        return Err(no_policy(rules.entry(), ""));
    }
    if specs.iter().any(|spec| spec == ALL) {
        let game = rules.game();
        return Err(Failure::Input(format!(
            "--policy {ALL} stands for {} policies, and here plays one (in every seat, or one for each); name it, or see \
             `stopwise rank {game} -p all` or `stopwise compare {game} -p all`",
            rules.entry().policies.len()
        )));
    }
    if specs.len() != 1 && specs.len() != seats {
        return Err(Failure::Input(format!(
            "{} policies for {seats} seat{}: give --policy once for all seats or once for each; `stopwise rank` and `stopwise \
             compare` set many against each other",
            specs.len(),
            if seats == 1 { "" } else { "s" }
        )));
    }
    Ok(())
}

/// Line-ups to be compared, each as typed: one policy for all seats, or one for each, joined with `+`. Each comes as the
/// line-ups that take turns: one alone, or all rotations of it. Where these rules stand alone, there are two at least.
pub(crate) fn compared(
    session: &Session,
    rules: &dyn AnyRules,
    specs: &[String],
    is_rotated: bool,
    is_alone: bool,
) -> Result<Vec<Vec<Vec<AnyPolicy>>>, Failure> {
    let specs = &all_of(session, specs, rules.entry())?;
    if specs.len() == 1 && is_alone {
        return Err(Failure::Input(format!(
            "one policy, `{}`: a comparison needs two or more; give --policy again, or two --rules",
            visible_word(&specs[0])
        )));
    }
    if specs.is_empty() {
        // Says which there are.
        lineup(session, rules, specs)?;
    }
    let of = |spec: &String| {
        // A file may have a `+` in its name, a policy as typed in its text, and a game for one has nothing to join.
        let is_whole = rules.seats() == 1 || is_typed(spec) || is_there(session, spec);
        let seats: Vec<_> =
            if is_whole { vec![spec.clone()] } else { spec.split('+').map(str::to_owned).collect() };
        if seats.len() != 1 && seats.len() != rules.seats() {
            return Err(Failure::Input(format!(
                "`{}`: {} policies for {} seats; name one for all seats, or join one for each with `+`",
                visible_word(spec),
                seats.len(),
                rules.seats()
            )));
        }
        in_turn(rules, lineup(session, rules, &seats)?, is_rotated)
    };
    let lineups: Vec<_> = specs.iter().map(of).collect::<Result<_, _>>()?;
    check_labels(lineups.iter().flatten().flatten())?;
    let label = |lineup: &[AnyPolicy]| one_label(&labels(rules, lineup));
    check_named_once(specs.iter().map(String::as_str).zip(lineups.iter().map(|turns| label(&turns[0]))))?;
    Ok(lineups)
}
