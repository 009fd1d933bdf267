//! Conclusions in sentences: changes, skill, the best policy, effects.

use std::fmt::Write as _;

use stopwise_analysis::balance::{Everywhere, Level, Statistic};
use stopwise_analysis::estimate::unsigned_zero;

use super::{BalanceReport, Moved};
use crate::numbers::grouped;
use crate::report::words::{percent, points, range};

pub(super) fn changes(out: &mut String, balanced: &BalanceReport) {
    if balanced.variants.len() > 1 {
        let _ = writeln!(out, "\nVariants");
    }
    for ruled in balanced.variants.iter().skip(1) {
        let what = if ruled.changed.is_empty() { "the same rules".into() } else { ruled.changed.join(", ") };
        let _ = writeln!(out, "  {}: {what}", ruled.name);
    }
}

pub(super) fn skill(out: &mut String, balanced: &BalanceReport) {
    let naive = &balanced.policies[balanced.naive];
    let found: Vec<_> =
        balanced.skills.iter().enumerate().filter_map(|(at, skill)| Some((at, skill.as_ref()?))).collect();
    if found.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "\nSkill: what the best policy has over {naive}, which stands for naive play. The best was chosen on {} other trials.",
        grouped(balanced.pilot)
    );
    for (at, skill) in found {
        let (ruled, best) = (&balanced.variants[at], &balanced.policies[balanced.best[at]]);
        if balanced.best[at] == balanced.naive {
            let _ = writeln!(out, "  {}: {naive} did best itself.", ruled.name);
            continue;
        }
        let Some(gap) = skill.gap(Level::SINGLE) else { continue };
        if ruled.seats > 1 {
            let fair = 1.0 / ruled.seats as f64;
            let _ = writeln!(
                out,
                "  {}: {best} wins {} of the games with a winner at a table of {naive}, where {} is fair: {} percentage points ({}: {}).",
                ruled.name,
                percent(fair + gap.value),
                percent(fair),
                points(gap.value),
                gap.level,
                range(points, gap.interval)
            );
            continue;
        }
        let limits = range(|value| format!("{value:.2}"), gap.interval);
        let _ = write!(
            out,
            "  {}: {best} is better by {:.2} {} a game ({}: {limits})",
            ruled.name, gap.value, ruled.metrics[0].unit, gap.level
        );
        match skill.size(Level::SINGLE) {
            Some(size) => {
                let limits = range(|value| format!("{value:.3}"), size.interval);
                let _ = writeln!(
                    out,
                    ", which is {:.3} standard deviations of a single game ({}: {limits}).",
                    size.value, size.level
                );
            }
            None => {
                let _ = writeln!(out, "; the score never varies.");
            }
        }
    }
}

pub(super) fn everywhere(out: &mut String, balanced: &BalanceReport) {
    let Some(standings) = balanced.standings() else { return };
    let under = if balanced.variants.len() > 1 { "under every variant" } else { "under these rules" };
    let level = Level::SINGLE;
    let _ = write!(out, "\nBest policy: ");
    let _ = match standings.everywhere() {
        Everywhere::Best(policy) => {
            writeln!(out, "{} is the best {under} ({level}, all together).", balanced.policies[policy])
        }
        Everywhere::Nobody => writeln!(out, "none is best {under} ({level}, all together)."),
        Everywhere::Open => writeln!(out, "it is not known whether one is best {under}."),
    };
    for (variant, ruled) in balanced.variants.iter().enumerate() {
        let in_race = standings.can_be_best(variant);
        let names: Vec<_> = balanced
            .policies
            .iter()
            .zip(&in_race)
            .filter(|(_, in_race)| **in_race)
            .map(|(name, _)| name.as_str())
            .collect();
        let verb = if names.len() == 1 { "is best" } else { "cannot be told apart" };
        let _ = writeln!(out, "  {}: {} {verb}", ruled.name, names.join(", "));
    }
}

pub(super) fn effects(out: &mut String, balanced: &BalanceReport) {
    let effects = balanced.effects();
    let Some(level) = effects.first().map(|moved| moved.effect.difference.level) else { return };
    let _ = writeln!(
        out,
        "\nWhat moves against {} ({level}, all {} effects together; means and early ends trial by trial on the same dice)",
        balanced.variants[0].name,
        grouped(level.together() as u64)
    );
    for (variant, ruled) in balanced.variants.iter().enumerate().skip(1) {
        for (policy, label) in balanced.policies.iter().enumerate() {
            let of: Vec<_> =
                effects.iter().filter(|moved| (moved.variant, moved.policy) == (variant, policy)).collect();
            let has_moved = |moved: &&&Moved<'_>| {
                moved.effect.difference.is_above(0.0) || moved.effect.difference.is_below(0.0)
            };
            let moved: Vec<_> = of.iter().filter(has_moved).map(|moved| sentence(moved)).collect();
            let _ = writeln!(out, "  {} · {label}", ruled.name);
            if moved.is_empty() {
                let _ = writeln!(out, "    nothing is known to move");
            }
            listed(out, &moved);
        }
    }
}

/// The width of a line, in characters.
const WIDTH: usize = 110;

/// Items separated by commas, wrapped into lines.
fn listed(out: &mut String, items: &[String]) {
    let mut line = String::new();
    for (at, item) in items.iter().enumerate() {
        let item = if at + 1 < items.len() { format!("{item}, ") } else { item.clone() };
        if line.chars().count() + item.chars().count() > WIDTH {
            let _ = writeln!(out, "    {}", line.trim_end());
            line.clear();
        }
        line += &item;
    }
    if !line.is_empty() {
        let _ = writeln!(out, "    {line}");
    }
}

/// `early end −3.10 points (−3.30 to −2.90)`.
fn sentence(moved: &Moved<'_>) -> String {
    let show = |value: f64| match moved.measure.statistic {
        _ if moved.measure.is_share() => points(value),
        Statistic::Quantile(..) => format!("{:+.0}", unsigned_zero(value)),
        _ => format!("{:+.2}", unsigned_zero(value)),
    };
    let difference = moved.effect.difference;
    let unit = if moved.measure.is_share() { " %-points" } else { "" };
    format!("{} {}{unit} ({})", moved.measure.name, show(difference.value), range(show, difference.interval))
}
