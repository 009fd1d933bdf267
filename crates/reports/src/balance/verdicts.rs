//! Targets, and the search for variants that meet them.

use stopwise_analysis::balance::Verdict;
use stopwise_document::{Section, View};
use stopwise_narration::{counted, grouped};
use stopwise_policy::Target;

use super::topics::{names, style, with_limits};
use super::{BalanceReport, Claim, Miss, Screened, SearchReport, alike, word};
use crate::numbers::{MEAN, PERCENT, POINTS, Style};
use crate::words::all;

/// The greatest number of near misses listed.
const NEAR: usize = 5;

/// The verdict on all targets of a variant; `None` if none is about one of its measures.
pub(super) fn overall(balanced: &BalanceReport, claims: &[Claim<'_>], variant: usize) -> Option<Verdict> {
    let open = balanced.open_claims().iter().filter(|(at, ..)| *at == variant).count();
    let verdicts: Vec<_> =
        claims.iter().filter(|claim| claim.variant == variant).map(|claim| claim.verdict).collect();
    // A measure without a value, such as an edge where nobody won, says nothing about its target.
    let is_open = verdicts.len() < open || verdicts.contains(&Verdict::Undecided);
    match worst(&verdicts) {
        _ if open == 0 => None,
        Some(Verdict::Fail) => Some(Verdict::Fail),
        _ if is_open => Some(Verdict::Undecided),
        verdict => verdict,
    }
}

/// In which order verdicts are read.
pub(super) fn place(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Pass => 0,
        Verdict::Undecided => 1,
        Verdict::Fail => 2,
    }
}

/// How values of a target's measure are written.
fn stated(balanced: &BalanceReport, target: &Target, is_share: bool) -> Style {
    let measure = names(balanced).into_iter().find(|measure| measure.name == target.measure);
    measure.map_or_else(|| if is_share { PERCENT } else { MEAN.to(2) }, style)
}

/// How it is written how far a value is from the bound of its target.
fn distance(is_share: bool) -> Style {
    if is_share { POINTS.unsigned().in_points() } else { MEAN.to(2) }
}

/// What a target asks for: `at most 40 %`.
pub(super) fn wish(balanced: &BalanceReport, target: &Target) -> String {
    let style = stated(balanced, target, balanced.is_share(&target.measure)).unsigned();
    let show = |value| style.as_asked(value);
    match (target.at_least, target.at_most) {
        (Some(low), Some(high)) => format!("{} to {}", show(low), show(high)),
        (Some(low), None) => format!("at least {}", show(low)),
        (None, Some(high)) => format!("at most {}", show(high)),
        (None, None) => String::new(),
    }
}

/// What would decide a target that is open.
pub(super) fn more(claim: &Claim<'_>) -> String {
    match (claim.verdict, claim.needed) {
        (Verdict::Undecided, Some(needed)) => format!("about {} trials would decide", rounded(needed)),
        (Verdict::Undecided, None) => "too near a bound to say how many trials would decide".into(),
        _ => String::new(),
    }
}

/// The verdict on every variant, target by target, those that meet all of them first; where there is one variant its own table
/// says it.
pub(super) fn judged(balanced: &BalanceReport, claims: &[Claim<'_>]) -> Section {
    let mut section = Section::default();
    let mut view = View::new("")
        .captioned("The verdict on every variant, target by target")
        .texts("variant")
        .texts("targets");
    for target in &balanced.targets {
        view = view.texts(format!("{} {}", target.measure, wish(balanced, target)));
    }
    let called = alike::names(balanced);
    let mut all: Vec<_> = alike::firsts(balanced)
        .into_iter()
        .filter_map(|variant| overall(balanced, claims, variant).map(|verdict| (verdict, variant)))
        .collect();
    all.sort_by_key(|(verdict, _)| place(*verdict));
    // Of a search what was found is told, with the base; what fails has its own table.
    let is_hit = |&(verdict, variant): &(Verdict, usize)| variant == 0 || verdict != Verdict::Fail;
    let has_hits = balanced.search.is_some() && all.iter().any(|&(verdict, _)| verdict != Verdict::Fail);
    let before = all.len();
    all.retain(|judged| !has_hits || is_hit(judged));
    let failing = before - all.len();
    for &(verdict, variant) in all.iter().filter(|_| before > 1) {
        let of = |target: &Target| {
            let own =
                claims.iter().filter(|claim| claim.variant == variant && std::ptr::eq(claim.target, target));
            let verdicts: Vec<_> = own.map(|claim| claim.verdict).collect();
            worst(&verdicts).map_or_else(|| "–".into(), |verdict| word(verdict).to_owned())
        };
        let said = match verdict {
            Verdict::Pass => "meets all",
            Verdict::Undecided => "may meet all",
            Verdict::Fail => "fails",
        };
        let cells = [called[variant].clone(), said.to_owned()];
        view.row(cells.into_iter().chain(balanced.targets.iter().map(of)));
    }
    if failing > 0 {
        view.note(format!(
            "{} that stayed to the end of the search {}: see Targets.",
            counted(failing as u64, "other"),
            if failing == 1 { "fails" } else { "fail" }
        ));
    }
    section.view(view);
    section
}

/// The verdict on several claims together; `None` without a claim.
fn worst(verdicts: &[Verdict]) -> Option<Verdict> {
    let has = |verdict| verdicts.contains(&verdict).then_some(verdict);
    has(Verdict::Fail).or_else(|| has(Verdict::Undecided)).or_else(|| has(Verdict::Pass))
}

/// All targets, a table for each variant.
pub(super) fn targets(balanced: &BalanceReport, claims: &[Claim<'_>]) -> Section {
    let mut section = Section::new("Targets");
    if claims.is_empty() {
        return section;
    }
    let called = alike::names(balanced);
    for variant in alike::firsts(balanced) {
        let said = match overall(balanced, claims, variant) {
            None => continue,
            Some(Verdict::Pass) => "meets all targets",
            Some(Verdict::Fail) => "fails",
            Some(Verdict::Undecided) => "may meet all targets",
        };
        let mut view = View::new(format!("{} {said}", called[variant]))
            .texts("target")
            .texts("verdict")
            .texts("value")
            .texts("with");
        for claim in claims.iter().filter(|claim| claim.variant == variant) {
            view.row([
                format!("{} {}", claim.target.measure, wish(balanced, claim.target)),
                word(claim.verdict).to_owned(),
                with_limits(stated(balanced, claim.target, claim.is_share), claim.measured),
                balanced.who(claim.policy, variant),
            ]);
            let more = more(claim);
            if !more.is_empty() {
                let who = balanced.who(claim.policy, variant);
                view.note(format!("{} with {who}: {more}.", claim.target.measure));
            }
        }
        section.view(view);
    }
    let level = claims[0].measured.level;
    section.note(format!(
        "A target passes if its whole interval is within the bounds, and fails if the whole interval is outside. {} ({level}).",
        match claims.len() {
            1 => "There is one interval".to_owned(),
            several => format!("{} hold together", all(several, "intervals")),
        }
    ));
    section
}

/// Rounded up to two digits, the precision of a forecast.
fn rounded(trials: u64) -> String {
    let scale = 10_u64.pow(trials.checked_ilog10().unwrap_or(0).saturating_sub(1));
    grouped(trials.div_ceil(scale) * scale)
}

/// What a search looked at, and what missed the targets by least.
pub(super) fn searched(balanced: &BalanceReport, search: &SearchReport) -> Section {
    let mut section = Section::new("Search");
    let stayed = search.looked.iter().filter(|looked| !looked.has_left).count();
    let judged = match stayed {
        0 => "none stayed".to_owned(),
        1 => "1 stayed, and is judged on fresh trials".to_owned(),
        _ => format!("{} stayed, and are judged on fresh trials", grouped(stayed as u64)),
    };
    section.sentence(format!(
        "Looked at {} of {}{}; {judged}.",
        grouped(search.looked.len() as u64),
        counted(search.combinations as u64, "combination"),
        if search.is_sample { ", an even sample" } else { "" }
    ));
    let played: u64 = search.looked.iter().map(|looked| looked.trials).sum();
    section.note(format!(
        "A variant leaves when a target surely fails (sequences at 95 %, all together); the screening took {} with each \
         policy.",
        stopwise_narration::trials(played)
    ));
    section.view(near_misses(balanced, search));
    section
}

/// The variants that left, the nearest to the targets first.
pub(super) fn nearest<'s>(balanced: &BalanceReport, search: &'s SearchReport) -> Vec<&'s Screened> {
    let greatest =
        |looked: &Screened| looked.misses.iter().map(|miss| relative(balanced, miss)).fold(0.0, f64::max);
    let mut near: Vec<_> = search.looked.iter().filter(|looked| looked.has_left).collect();
    near.sort_by(|a, b| greatest(a).total_cmp(&greatest(b)));
    near
}

/// How far a miss is off, in parts of its bound.
fn relative(balanced: &BalanceReport, miss: &Miss) -> f64 {
    let target = &balanced.targets[miss.target];
    let is_below = target.at_least.is_some_and(|least| miss.value < least);
    let bound = if is_below { target.at_least } else { target.at_most };
    let scale = bound.map_or(1.0, f64::abs);
    if scale > 0.0 { miss.shortfall / scale } else { miss.shortfall }
}

fn near_misses(balanced: &BalanceReport, search: &SearchReport) -> View {
    let mut view = View::new("The nearest misses")
        .texts("variant")
        .texts("target")
        .texts("with")
        .heads()
        .numbers("value")
        .numbers("off by")
        .numbers("trials");
    for looked in nearest(balanced, search).into_iter().take(NEAR) {
        for miss in &looked.misses {
            let target = &balanced.targets[miss.target];
            let is_share = balanced.is_share(&target.measure);
            view.row([
                balanced.shown(&looked.name).to_owned(),
                format!("{} {}", target.measure, wish(balanced, target)),
                balanced.policies[miss.policy].clone(),
                stated(balanced, target, is_share).number(miss.value),
                distance(is_share).number(miss.shortfall),
                grouped(looked.trials),
            ]);
        }
    }
    view.note(
        "Of each variant all targets that it misses in the screening; the nearest is the one whose greatest miss is the \
         least, in parts of the bound.",
    );
    view
}

/// The greatest miss of a variant, in words: `mean score 37.53 with tidy:k=2, wanted at least 60`.
pub(super) fn missed(balanced: &BalanceReport, looked: &Screened) -> Option<String> {
    let by_size = |a: &&Miss, b: &&Miss| relative(balanced, a).total_cmp(&relative(balanced, b));
    let miss = looked.misses.iter().max_by(by_size)?;
    let target = &balanced.targets[miss.target];
    let is_share = balanced.is_share(&target.measure);
    Some(format!(
        "{} {} with {}, wanted {}",
        target.measure,
        stated(balanced, target, is_share).number(miss.value),
        balanced.policies[miss.policy],
        wish(balanced, target)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_fails_and_one_open_claim_leaves_open() {
        use Verdict::{Fail, Pass, Undecided};
        assert_eq!(worst(&[]), None);
        assert_eq!(worst(&[Pass, Pass]), Some(Pass));
        assert_eq!(worst(&[Pass, Undecided]), Some(Undecided));
        assert_eq!(worst(&[Undecided, Fail, Pass]), Some(Fail));
    }

    #[test]
    fn forecasts_are_rounded_up_to_two_digits() {
        let cases = [(0, "0"), (7, "7"), (99, "99"), (101, "110"), (1_201, "1,300"), (120_000, "120,000")];
        for (trials, text) in cases {
            assert_eq!(rounded(trials), text);
        }
    }
}
