//! The pictures of a balance run.

use stopwise_analysis::balance::{Measure, Standings, Statistic, Verdict};
use stopwise_document::Chart;
use stopwise_document::chart::{Axis, Bars, Intervals, Mark, Plot, Row, Tone};
use stopwise_document::text::minus;
use stopwise_engine::game::Ending;

use super::topics::{names, shown, style};
use super::verdicts::{more, wish};
use super::{BalanceReport, Claim, Level, Moved, Ruled, alike, sentences, word};
use crate::words::{pair, percent};

/// What a row of a variant is called: its changes, or its name where it has none or is the base.
fn called(ruled: &Ruled) -> String {
    if ruled.changed.is_empty() { ruled.name.clone() } else { ruled.changed.join(", ") }
}

/// The label of a variant's row with this name of it, if it has one: it stands for those that play the same games.
fn labels(balanced: &BalanceReport) -> impl Fn(usize, &str) -> Option<String> {
    let more = alike::more(balanced);
    move |variant, name| Some(name.to_owned() + more[variant].as_ref()?)
}

/// The name of a policy as a group of rows, where there are several.
fn group(balanced: &BalanceReport, policy: usize) -> String {
    if balanced.policies.len() == 1 { String::new() } else { balanced.policies[policy].clone() }
}

/// What each variant changes, a chart for each of the measures that say most.
pub(super) fn effects(balanced: &BalanceReport, effects: &[Moved<'_>]) -> Vec<Chart> {
    sentences::headlines(balanced)
        .into_iter()
        .filter_map(|measure| tornado(balanced, effects, measure))
        .collect()
}

fn tornado(balanced: &BalanceReport, effects: &[Moved<'_>], measure: &Measure) -> Option<Chart> {
    let label = labels(balanced);
    let label = |moved: &Moved<'_>| label(moved.variant, &called(&balanced.variants[moved.variant]));
    let measured = effects.iter().filter(|moved| moved.measure.name == measure.name);
    let mut of: Vec<_> = measured.filter_map(|moved| Some((moved, label(moved)?))).collect();
    if of.is_empty() {
        return None;
    }
    let size = |moved: &Moved<'_>| moved.effect.difference.value.abs();
    of.sort_by(|(a, _), (b, _)| a.policy.cmp(&b.policy).then(size(b).total_cmp(&size(a))));
    // The axis has the unit of a difference of shares.
    let told = |value| match measure.statistic {
        Statistic::FirstSeatEdge => style(measure).bare().number(value),
        _ => shown(measure, value),
    };
    let row = |(moved, label): (&Moved<'_>, String)| Row {
        label,
        group: group(balanced, moved.policy),
        value: Some(moved.effect.difference.value),
        interval: pair(moved.effect.difference.interval),
        note: minus(&format!("{} → {}", told(moved.effect.base), told(moved.effect.variant))).into_owned(),
        ..Row::default()
    };
    let plot = Intervals {
        x: match measure.is_share() {
            true => Axis::points(format!("difference in {}", measure.name)),
            false => Axis::of(format!("difference in {}", measure.name), measure.unit),
        },
        rows: of.into_iter().map(row).collect(),
        reference: Some(Mark { at: 0.0, label: "no change".into() }),
    };
    let base = &balanced.variants[0].name;
    let is_sum = balanced.has_seats() && matches!(measure.statistic, Statistic::Mean(_));
    let sum = if is_sum { ", all seats added up" } else { "" };
    let sentence = format!(
        "How far each variant moves the {} of {base}{sum}, the greatest change first, with 95 % intervals that hold \
         together.",
        measure.name
    );
    Some(Chart::new(format!("What changes: {}", measure.name), sentence, Plot::Intervals(plot)))
}

/// The targets, a chart for each measure.
pub(super) fn targets(balanced: &BalanceReport, claims: &[Claim<'_>]) -> Vec<Chart> {
    let mut measures: Vec<&str> = Vec::new();
    for claim in claims {
        if !measures.contains(&&*claim.target.measure) {
            measures.push(&claim.target.measure);
        }
    }
    measures.into_iter().filter_map(|measure| target(balanced, claims, measure)).collect()
}

fn target(balanced: &BalanceReport, claims: &[Claim<'_>], measure: &str) -> Option<Chart> {
    let label = labels(balanced);
    let label = |claim: &Claim<'_>| label(claim.variant, balanced.name(claim.variant));
    let measured = claims.iter().filter(|claim| claim.target.measure == measure);
    let mut of: Vec<_> = measured.filter_map(|claim| Some((claim, label(claim)?))).collect();
    let (first, _) = *of.first()?;
    of.sort_by_key(|(claim, _)| claim.policy);
    let row = |(claim, label): &(&Claim<'_>, String)| {
        let more = more(claim);
        let comma = if more.is_empty() { "" } else { ", " };
        Row {
            label: label.clone(),
            group: claim.policy.map_or_else(String::new, |policy| group(balanced, policy)),
            value: Some(claim.measured.value),
            interval: pair(claim.measured.interval),
            wish: Some([claim.target.at_least, claim.target.at_most]),
            tone: match claim.verdict {
                Verdict::Pass => Tone::Best,
                Verdict::Undecided => Tone::Possible,
                Verdict::Fail => Tone::Bad,
            },
            note: format!("{}{comma}{more}", word(claim.verdict)),
        }
    };
    let is_edge = names(balanced)
        .iter()
        .any(|known| known.name == measure && known.statistic == Statistic::FirstSeatEdge);
    let plot = Intervals {
        x: match (first.is_share, is_edge) {
            (true, true) => Axis::points(measure),
            (true, false) => Axis::share(measure),
            (false, _) => Axis::of(measure, first.unit),
        },
        rows: of.iter().map(row).collect(),
        reference: None,
    };
    let mut wishes: Vec<_> = of.iter().map(|(claim, _)| wish(balanced, claim.target)).collect();
    wishes.dedup();
    let sentence = format!(
        "The {measure} of every variant, wanted {}, with 95 % intervals that hold together: within the range a target \
         passes, outside it fails, across its edge it is open.",
        wishes.join(" or ")
    );
    Some(Chart::new(format!("Target: {measure}"), sentence, Plot::Intervals(plot)))
}

/// How the games end, a bar for each variant; one plot for each policy.
pub(super) fn endings(balanced: &BalanceReport) -> Option<Chart> {
    let mut endings: Vec<&Ending> = Vec::new();
    for ending in balanced.variants.iter().flat_map(|ruled| &ruled.endings) {
        if endings.iter().all(|other| other.name != ending.name) {
            endings.push(ending);
        }
    }
    // By its name where it means something else under other rules.
    let told = |ending: &Ending| {
        let all = || balanced.variants.iter().flat_map(|ruled| &ruled.endings);
        let is_same = all().all(|other| other.name != ending.name || other.meaning == ending.meaning);
        if is_same { ending.meaning } else { ending.name }
    };
    let label = labels(balanced);
    let plot = |policy: usize| {
        let row = |(variant, ruled): (usize, &Ruled)| {
            let label = label(variant, balanced.name(variant))?;
            let tally = &balanced.tallies[variant][policy];
            let share = |ending: &&Ending| {
                let at = ruled.endings.iter().position(|other| other.name == ending.name)?;
                Some(*tally.endings.get(at)? as f64 / tally.trials.max(1) as f64)
            };
            Some((label, endings.iter().map(share).collect()))
        };
        Plot::Bars(Bars {
            x: Axis::share("share of the games"),
            parts: endings.iter().map(|ending| told(ending).to_owned()).collect(),
            rows: balanced.variants.iter().enumerate().filter_map(row).collect(),
            is_stacked: true,
        })
    };
    if endings.len() < 2 {
        return None;
    }
    let sentence = "The share of the games that end in each way, for every variant.";
    let first = &balanced.policies[0];
    let more = balanced.policies.iter().enumerate().skip(1);
    let chart = more.fold(Chart::new("How games end", sentence, plot(0)), |chart, (policy, name)| {
        chart.or(first, name, plot(policy))
    });
    Some(chart)
}

/// What going first is worth under every variant.
pub(super) fn first_seat(balanced: &BalanceReport) -> Option<Chart> {
    let edge = names(balanced).into_iter().find(|measure| measure.statistic == Statistic::FirstSeatEdge)?;
    let (mut rows, label) = (Vec::new(), labels(balanced));
    for policy in 0..balanced.policies.len() {
        let tables = balanced.variants.iter().enumerate().filter(|(_, ruled)| ruled.seats > 1);
        for (variant, ruled) in tables {
            let Some(label) = label(variant, balanced.name(variant)) else { continue };
            let found = balanced.measured(variant, policy, edge, Level::SINGLE);
            rows.push(Row {
                label,
                group: group(balanced, policy),
                value: found.map(|found| found.value),
                interval: found.and_then(|found| pair(found.interval)),
                note: format!("fair is {}", percent(1.0 / ruled.seats as f64)),
                ..Row::default()
            });
        }
    }
    let plot = Intervals {
        x: Axis::points("first seat's share of the wins, less a fair one"),
        rows,
        reference: Some(Mark { at: 0.0, label: "fair".into() }),
    };
    let sentence = "What going first is worth: the first seat's share of the games with a winner, less a fair share, with 95 % \
         intervals, each by itself.";
    Some(Chart::new("Going first", sentence, Plot::Intervals(plot)))
}

/// How good every policy is under every variant.
pub(super) fn standings(balanced: &BalanceReport) -> Vec<Chart> {
    let Some(standings) = balanced.standings() else { return Vec::new() };
    let is_alone = |ruled: &Ruled| ruled.seats == 1;
    [true, false].into_iter().filter_map(|alone| standing(balanced, &standings, alone, is_alone)).collect()
}

/// The variants for one player, or those for several: their measures differ.
fn standing(
    balanced: &BalanceReport,
    standings: &Standings,
    alone: bool,
    is_alone: impl Fn(&Ruled) -> bool,
) -> Option<Chart> {
    let mut rows = Vec::new();
    let (group, variants) = (labels(balanced), balanced.variants.iter().enumerate());
    for (variant, _) in variants.filter(|(_, ruled)| is_alone(ruled) == alone) {
        let Some(group) = group(variant, balanced.name(variant)) else { continue };
        let in_race = standings.can_be_best(variant);
        let is_only = in_race.iter().filter(|is_in| **is_in).count() == 1;
        for (policy, label) in balanced.policies.iter().enumerate() {
            let found = balanced.as_wanted(variant, standings.policies[variant][policy]);
            rows.push(Row {
                label: label.clone(),
                group: group.clone(),
                value: Some(found.value),
                interval: pair(found.interval),
                tone: match (in_race[policy], is_only) {
                    (true, true) => Tone::Best,
                    (true, false) => Tone::Possible,
                    _ => Tone::Plain,
                },
                ..Row::default()
            });
        }
    }
    let first = balanced.variants.iter().find(|ruled| is_alone(ruled) == alone)?;
    let (x, what) = match alone {
        true => (Axis::of("mean score", first.metrics[0].unit), "The mean score".to_owned()),
        false => (
            Axis::share("share of the games won at a table of naive policies"),
            format!("The share{} at a table of naive policies", balanced.won().that_it_wins),
        ),
    };
    let sentence = format!(
        "{what}, for every policy under every variant, with 95 % intervals that hold together: marked is which policy is \
         best, or may be."
    );
    let plot = Plot::Intervals(Intervals { x, rows, reference: None });
    Some(Chart::new("Which policy is best", sentence, plot))
}
