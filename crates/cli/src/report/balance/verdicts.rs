//! Targets and the search for variants that meet them, in sentences.

use std::fmt::Write as _;

use stopwise_analysis::balance::Verdict;

use super::{BalanceReport, Claim, Screened, SearchReport, overall, word};
use crate::numbers::grouped;
use crate::report::words::{percent, range};

/// The greatest number of near misses listed.
const NEAR: usize = 5;

/// A number of a claim, in the unit of its target.
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

/// Up to six decimals, without trailing zeros.
fn short(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn targets(out: &mut String, balanced: &BalanceReport) {
    let claims = balanced.claims();
    if claims.is_empty() {
        return;
    }
    let level = claims[0].measured.level;
    let _ = writeln!(out, "\nTargets ({level}, all {} together by Bonferroni)", claims.len());
    for (variant, ruled) in balanced.variants.iter().enumerate() {
        let of = || claims.iter().filter(|claim| claim.variant == variant);
        let all = match overall(of()) {
            Verdict::Pass => "meets all targets",
            Verdict::Fail => "fails",
            Verdict::Undecided => "is undecided",
        };
        let _ = writeln!(out, "  {} {all}", ruled.name);
        for claim in of() {
            let limits = range(|value| stated(claim, value), claim.measured.interval);
            let more = match (claim.verdict, claim.needed) {
                (Verdict::Undecided, Some(needed)) => {
                    format!("; about {} trials would decide", rounded(needed))
                }
                (Verdict::Undecided, None) => "; too near a bound to say how many trials would decide".into(),
                _ => String::new(),
            };
            let _ = writeln!(
                out,
                "    {:<10} {} {}: {} ({limits}), {}{more}",
                word(claim.verdict),
                claim.target.measure,
                wish(claim),
                stated(claim, claim.measured.value),
                balanced.who(claim.policy, variant)
            );
        }
    }
}

/// Rounded up to two digits, the precision of a forecast.
fn rounded(trials: u64) -> String {
    let scale = 10_u64.pow(trials.checked_ilog10().unwrap_or(0).saturating_sub(1));
    grouped(trials.div_ceil(scale) * scale)
}

pub(super) fn searched(out: &mut String, balanced: &BalanceReport, search: &SearchReport) {
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

/// Variants that were dropped for one target alone, the nearest first.
fn near(out: &mut String, balanced: &BalanceReport, looked: &[Screened]) {
    let relative = |looked: &Screened| {
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
