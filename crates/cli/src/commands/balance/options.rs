//! The options of `balance` that define its measures: the score mark, the margin of a close game, the targets.

use stopwise_analysis::balance::{Measure, SKILL, skill_unit};
use stopwise_engine::game::{Metric, Source};
use stopwise_erased::NamedRules;
use stopwise_policy::{Known, Target, read_targets};

use crate::args::Balance;
use crate::failure::Failure;
use crate::output::shown;
use crate::session::Session;
use crate::setup::{read, unknown};

/// By how much a winner may lead in a close game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margin {
    pub(crate) metric: Metric,
    pub(crate) most: u32,
}

pub(super) fn lead(text: &str, variants: &[NamedRules]) -> Result<Margin, Failure> {
    let wrong = |message: String| Failure::Input(format!("--close {text}: {message}"));
    let (name, most) =
        text.split_once('=').ok_or_else(|| wrong("write METRIC=MOST, for example points=10".into()))?;
    let most = crate::numbers::small(most.trim()).map_err(wrong)?;
    let Some(table) = variants.iter().find(|named| named.rules.seats() > 1) else {
        return Err(wrong(format!(
            "{} is a game for one player under these rules, so that nobody leads; leave it out",
            variants[0].rules.game()
        )));
    };
    // Who wins has no lead in wins, and what is counted on the way is not known of whole games.
    let metrics = table.rules.metrics().iter();
    let known: Vec<_> = metrics.filter(|metric| metric.source == Source::End && !metric.is_won()).collect();
    let metric = known.iter().find(|metric| metric.name == name.trim());
    if known.is_empty() {
        return Err(wrong(format!(
            "{} reports no number at the end; give its text a line such as `report points = score points`",
            variants[0].rules.game()
        )));
    }
    let metric = metric.ok_or_else(|| {
        unknown("metric of --close", name.trim(), &mut known.iter().map(|metric| metric.name))
    })?;
    Ok(Margin { metric: **metric, most })
}

pub(super) fn mark_of(mark: u32, variants: &[NamedRules]) -> Result<u32, Failure> {
    if variants.iter().all(|named| named.rules.seats() > 1) {
        return Err(Failure::Input(format!(
            "--mark {mark}: {} is a game for several players under these rules, who play for wins; leave it out",
            variants[0].rules.game()
        )));
    }
    Ok(mark)
}

pub(super) fn targets(
    session: &Session,
    args: &Balance,
    measured: impl Iterator<Item = (usize, Vec<Measure>)>,
    labels: &[String],
) -> Result<Vec<Target>, Failure> {
    let Some(path) = &args.targets else { return Ok(Vec::new()) };
    let mut measures: Vec<(String, &str, bool)> = Vec::new();
    for (seats, of_variant) in measured {
        for measure in of_variant {
            if measures.iter().all(|(name, ..)| *name != measure.name) {
                let is_share = measure.is_share();
                measures.push((measure.name, measure.unit, is_share));
            }
        }
        if labels.len() > 1 && measures.iter().all(|(name, ..)| name != SKILL) {
            measures.push((SKILL.to_owned(), skill_unit(seats), seats > 1));
        }
    }
    let measures: Vec<_> =
        measures.iter().map(|(name, unit, is_share)| (name.as_str(), *unit, *is_share)).collect();
    let names: Vec<_> = labels.iter().map(String::as_str).collect();
    let known = Known { measures: &measures, policies: &names };
    let targets = read_targets(&read(session, &path.to_string_lossy())?, known)?;
    if targets.iter().any(|target| target.measure == SKILL && target.policy.is_some()) {
        return Err(Failure::Input(format!(
            "{}: `{SKILL}` is about the best and the naive policy together; write it above the first policy",
            shown(path)
        )));
    }
    Ok(targets)
}
