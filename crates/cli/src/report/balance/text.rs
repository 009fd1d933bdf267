//! The balance that people read: tables by topic, then sentences.

use std::fmt::Write as _;

use stopwise_analysis::balance::{Everywhere, Level, Measure, Measured, Statistic, Verdict};
use stopwise_analysis::estimate::Interval;

use super::{Balanced, Claim, Looked, Moved, Searched, overall, word};
use crate::numbers::grouped;
use crate::report::text::percent;
use crate::report::wins::points;

/// Near misses that are told.
const NEAR: usize = 5;

/// The whole page.
pub(crate) fn text(balanced: &Balanced) -> String {
    let mut out = String::new();
    let plural =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let _ = writeln!(
        out,
        "{} · {} · {} · {} trials each, all on the same dice · seed {}",
        balanced.game,
        plural(balanced.variants.len(), "variant", "variants"),
        plural(balanced.policies.len(), "policy", "policies"),
        grouped(balanced.trials),
        balanced.seed
    );
    if let Some(search) = &balanced.search {
        searched(&mut out, balanced, search);
    }
    for (policy, label) in balanced.policies.iter().enumerate() {
        let seats = balanced.variants.iter().any(|ruled| ruled.seats > 1);
        let _ = writeln!(out, "\n{label}{}", if seats { " in every seat" } else { "" });
        for topic in [Topic::Length, Topic::Endings, Topic::Seats, Topic::Scores] {
            table(&mut out, balanced, policy, topic);
        }
    }
    let _ = writeln!(out, "\nLimits are 95 %, each by itself.");
    definitions(&mut out, balanced);
    changes(&mut out, balanced);
    skill(&mut out, balanced);
    everywhere(&mut out, balanced);
    effects(&mut out, balanced);
    targets(&mut out, balanced);
    out
}

/// What a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Topic {
    Length,
    Endings,
    Seats,
    Scores,
}

impl Topic {
    fn of(measure: &Measure) -> Self {
        use stopwise_analysis::balance::Quantity::Score;
        match measure.statistic {
            Statistic::Early | Statistic::Ending(_) => Self::Endings,
            Statistic::FirstSeatEdge | Statistic::NoWinner | Statistic::Close(_) => Self::Seats,
            Statistic::Mean(Score)
            | Statistic::Quantile(Score, _)
            | Statistic::Deviation(_)
            | Statistic::Tail(_)
            | Statistic::Above(..) => Self::Scores,
            Statistic::Mean(_) | Statistic::Quantile(..) => Self::Length,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Length => "Length",
            Self::Endings => "Endings",
            Self::Seats => "Seats",
            Self::Scores => "Scores",
        }
    }
}

/// A value as it is read: shares in per cent, an edge in percentage points, quantiles as they were counted.
fn shown(measure: &Measure, value: f64) -> String {
    match measure.statistic {
        Statistic::FirstSeatEdge => points(value),
        _ if measure.is_share() => percent(value),
        Statistic::Quantile(..) => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}

fn limits(show: impl Fn(f64) -> String, interval: Option<Interval>) -> String {
    match interval {
        Some(Interval { low, high }) => format!("{} to {}", show(low), show(high)),
        None => "not known".into(),
    }
}

/// Variants as rows, the measures of a topic as columns; the limits below the values.
fn table(out: &mut String, balanced: &Balanced, policy: usize, topic: Topic) {
    let mut columns: Vec<&Measure> = Vec::new();
    for measure in balanced.variants.iter().flat_map(|ruled| &ruled.measures) {
        if Topic::of(measure) == topic && columns.iter().all(|column| column.name != measure.name) {
            columns.push(measure);
        }
    }
    if columns.is_empty() {
        return;
    }
    let header = |column: &&Measure| column.name.trim_start_matches("early end: ").to_owned();
    let mut rows = vec![(topic.title().to_owned(), columns.iter().map(header).collect::<Vec<_>>())];
    for (variant, ruled) in balanced.variants.iter().enumerate() {
        let found = |column: &&Measure| {
            let measure = ruled.measures.iter().find(|measure| measure.name == column.name)?;
            Some((measure, balanced.measured(variant, policy, measure, Level::SINGLE)?))
        };
        let found: Vec<_> = columns.iter().map(found).collect();
        let value = |cell: &Option<(&Measure, Measured)>| match cell {
            Some((measure, measured)) => shown(measure, measured.value),
            None => "–".into(),
        };
        let range = |cell: &Option<(&Measure, Measured)>| match cell {
            Some((measure, measured)) => {
                limits(|value| shown(measure, value).replace(" %", ""), measured.interval)
            }
            None => String::new(),
        };
        rows.push((ruled.name.clone(), found.iter().map(value).collect()));
        rows.push((String::new(), found.iter().map(range).collect()));
    }
    let first = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..columns.len())
        .map(|column| rows.iter().map(|(_, cells)| cells[column].chars().count()).max().unwrap_or(0))
        .collect();
    let _ = writeln!(out);
    for (name, cells) in rows {
        let mut line = format!("  {name:<first$}");
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(line, "   {cell:<width$}");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Every measure once, with what it is and how its limits are made.
fn definitions(out: &mut String, balanced: &Balanced) {
    let mut told: Vec<&str> = Vec::new();
    let all = || balanced.variants.iter().flat_map(|ruled| &ruled.measures);
    let width = all().map(|measure| measure.name.chars().count()).max().unwrap_or(0);
    for measure in all() {
        if told.contains(&measure.name.as_str()) {
            continue;
        }
        told.push(&measure.name);
        let unit = if measure.is_share() { "" } else { measure.unit };
        let comma = if unit.is_empty() { "" } else { "; " };
        let _ = writeln!(
            out,
            "  {:<width$}   {} ({unit}{comma}{})",
            measure.name,
            measure.definition,
            measure.method()
        );
    }
    let alone = balanced.variants.iter().all(|ruled| ruled.seats == 1);
    if alone {
        let _ = writeln!(out, "  There is one seat: no edge of going first, no close games.");
    } else if all().all(|measure| !matches!(measure.statistic, Statistic::Close(_))) {
        let _ = writeln!(out, "  Close games are counted with --close METRIC=MOST.");
    }
}

fn changes(out: &mut String, balanced: &Balanced) {
    if balanced.variants.len() > 1 {
        let _ = writeln!(out, "\nVariants");
    }
    for ruled in balanced.variants.iter().skip(1) {
        let what = if ruled.changed.is_empty() { "the same rules".into() } else { ruled.changed.join(", ") };
        let _ = writeln!(out, "  {}: {what}", ruled.name);
    }
}

fn skill(out: &mut String, balanced: &Balanced) {
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
                "  {}: {best} wins {} of its games at a table of {naive}, where {} is fair: {} percentage points (95 %: {}).",
                ruled.name,
                percent(fair + gap.value),
                percent(fair),
                points(gap.value),
                limits(points, gap.interval)
            );
            continue;
        }
        let range = limits(|value| format!("{value:.2}"), gap.interval);
        let _ = write!(
            out,
            "  {}: {best} is better by {:.2} {} a game (95 %: {range})",
            ruled.name, gap.value, ruled.metrics[0].unit
        );
        match skill.size(Level::SINGLE) {
            Some(size) => {
                let range = limits(|value| format!("{value:.3}"), size.interval);
                let _ = writeln!(
                    out,
                    ", which is {:.3} standard deviations of a single game (95 %: {range}).",
                    size.value
                );
            }
            None => {
                let _ = writeln!(out, "; the score never varies.");
            }
        }
    }
}

fn everywhere(out: &mut String, balanced: &Balanced) {
    let Some(standings) = balanced.standings() else { return };
    let under = if balanced.variants.len() > 1 { "under every variant" } else { "under these rules" };
    let _ = write!(out, "\nBest policy: ");
    let _ = match standings.everywhere() {
        Everywhere::Best(policy) => {
            writeln!(out, "{} is the best {under} (95 %, all together).", balanced.policies[policy])
        }
        Everywhere::Nobody => writeln!(out, "none is best {under} (95 %, all together)."),
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

fn effects(out: &mut String, balanced: &Balanced) {
    let (effects, together) = balanced.effects();
    if effects.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "\nWhat moves against {} (95 %, all {} effects together; means and early ends trial by trial on the same dice)",
        balanced.variants[0].name,
        grouped(together as u64)
    );
    for (variant, ruled) in balanced.variants.iter().enumerate().skip(1) {
        for (policy, label) in balanced.policies.iter().enumerate() {
            let of: Vec<_> =
                effects.iter().filter(|moved| (moved.variant, moved.policy) == (variant, policy)).collect();
            let has_moved = |moved: &&&Moved<'_>| {
                moved.effect.difference.interval.is_some_and(|Interval { low, high }| low > 0.0 || high < 0.0)
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

/// So many characters of a line.
const WIDTH: usize = 110;

/// Items with commas, in as few lines as they need.
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
        Statistic::Quantile(..) => format!("{:+.0}", value + 0.0),
        _ => format!("{:+.2}", value + 0.0),
    };
    let Measured { value, interval } = moved.effect.difference;
    let unit = if moved.measure.is_share() { " %-points" } else { "" };
    format!("{} {}{unit} ({})", moved.measure.name, show(value), limits(show, interval))
}

/// A number of a claim, as its target would be written.
fn stated(claim: &Claim<'_>, value: f64) -> String {
    if claim.is_share { percent(value) } else { format!("{value:.2}") }
}

fn wish(claim: &Claim<'_>) -> String {
    let show = |value: f64| {
        if claim.is_share { format!("{} %", short(100.0 * value)) } else { short(value) }
    };
    match (claim.target.at_least, claim.target.at_most) {
        (Some(low), Some(high)) => format!("{} to {}", show(low), show(high)),
        (Some(low), None) => format!("at least {}", show(low)),
        (None, Some(high)) => format!("at most {}", show(high)),
        (None, None) => String::new(),
    }
}

/// Up to six decimals, none that say nothing.
fn short(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn targets(out: &mut String, balanced: &Balanced) {
    let claims = balanced.claims();
    if claims.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nTargets (95 %, all {} together by Bonferroni)", claims.len());
    for (variant, ruled) in balanced.variants.iter().enumerate() {
        let of = || claims.iter().filter(|claim| claim.variant == variant);
        let all = match overall(of()) {
            Verdict::Pass => "meets all targets",
            Verdict::Fail => "fails",
            Verdict::Undecided => "is undecided",
        };
        let _ = writeln!(out, "  {} {all}", ruled.name);
        for claim in of() {
            let range = limits(|value| stated(claim, value), claim.measured.interval);
            let more = match (claim.verdict, claim.needed) {
                (Verdict::Undecided, Some(needed)) => {
                    format!("; about {} trials would decide", rounded(needed))
                }
                (Verdict::Undecided, None) => "; too near a bound to say how many trials would decide".into(),
                _ => String::new(),
            };
            let _ = writeln!(
                out,
                "    {:<10} {} {}: {} ({range}), {}{more}",
                word(claim.verdict),
                claim.target.measure,
                wish(claim),
                stated(claim, claim.measured.value),
                balanced.who(claim.policy, variant)
            );
        }
    }
}

/// Two digits are all that a forecast is good for.
fn rounded(trials: u64) -> String {
    let scale = 10_u64.pow(trials.checked_ilog10().unwrap_or(0).saturating_sub(1));
    grouped(trials.div_ceil(scale) * scale)
}

fn searched(out: &mut String, balanced: &Balanced, search: &Searched) {
    let stayed = search.looked.iter().filter(|looked| !looked.has_left).count();
    let _ = writeln!(
        out,
        "\nSearch: looked at {} of {} combinations{}; {stayed} stayed, and are judged below on fresh trials.",
        grouped(search.looked.len() as u64),
        grouped(search.combinations as u64),
        if search.is_sample { ", an even sample" } else { "" }
    );
    let played: u64 = search.looked.iter().map(|looked| looked.trials).sum();
    let _ = writeln!(
        out,
        "  A variant leaves when a target surely fails (sequences at 95 %, all together); {} trials with each policy in all.",
        grouped(played)
    );
    let claims = balanced.claims();
    let of = |wanted: Verdict| {
        let names = balanced
            .variants
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(at, _)| overall(claims.iter().filter(|claim| claim.variant == *at)) == wanted);
        names.map(|(_, ruled)| ruled.name.as_str()).collect::<Vec<_>>()
    };
    for (verdict, what) in [(Verdict::Pass, "meet all targets"), (Verdict::Undecided, "may meet them")] {
        let names = of(verdict);
        let _ = writeln!(out, "  {what}:{}", if names.is_empty() { " none" } else { "" });
        for name in names {
            let _ = writeln!(out, "    {name}");
        }
    }
    near(out, balanced, &search.looked);
}

/// Variants that left for one target alone, the nearest first.
fn near(out: &mut String, balanced: &Balanced, looked: &[Looked]) {
    let relative = |looked: &Looked| {
        let miss = looked.misses[0];
        let target = &balanced.targets[miss.target];
        let scale = target.at_most.or(target.at_least).map_or(1.0, f64::abs);
        if scale > 0.0 { miss.shortfall / scale } else { miss.shortfall }
    };
    let mut near: Vec<_> =
        looked.iter().filter(|looked| looked.has_left && looked.misses.len() == 1).collect();
    near.sort_by(|a, b| relative(a).total_cmp(&relative(b)));
    if !near.is_empty() {
        let _ = writeln!(out, "  miss one target alone, the nearest first:");
    }
    for looked in near.iter().take(NEAR) {
        let miss = looked.misses[0];
        let target = &balanced.targets[miss.target];
        let show = |value: f64| {
            if balanced.is_share(&target.measure) { percent(value) } else { format!("{value:.2}") }
        };
        let _ = writeln!(
            out,
            "    {}, but {} is {} with {}, {} off",
            looked.name,
            target.measure,
            show(miss.value),
            balanced.policies[miss.policy],
            show(miss.shortfall)
        );
    }
}
