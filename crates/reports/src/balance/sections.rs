//! The tables of a balance run.

use stopwise_analysis::balance::Level;
use stopwise_document::{Report, Section, View};
use stopwise_narration::grouped;

use super::topics::{Topic, change, lengths, measures, names, table, with_limits};
use super::verdicts::{judged, searched, targets};
use super::{BalanceReport, Moved, alike, charts, contest, overview, sentences};
use crate::numbers::{MEAN, POINTS};
use crate::words::{all, percent};

/// Adds the answer and all sections.
pub(super) fn sections(report: &mut Report, balanced: &BalanceReport) {
    let (claims, effects) = (balanced.claims(), balanced.effects());
    report.answer = sentences::answer(balanced, &claims, &effects);
    // With its pictures, so that it is first on pages, too.
    let mut verdicts = judged(balanced, &claims);
    charts::targets(balanced, &claims).into_iter().for_each(|chart| verdicts.chart(chart));
    report.section(verdicts);
    // Of what was found everything comes before what missed.
    let looked = balanced.search.as_ref().map(|search| searched(balanced, search));
    let has_found = sentences::has_found(balanced, &claims);
    let mut sections = vec![Some(overview::section(balanced, &claims)), looked];
    if !has_found {
        sections.reverse();
    }
    sections.into_iter().flatten().for_each(|section| report.section(section));
    report.section(variants(balanced));
    report.section(targets(balanced, &claims));
    report.section(best(balanced));
    report.section(skill(balanced));
    report.section(changes(balanced, &effects));
    for policy in 0..balanced.policies.len() {
        report.section(of_policy(balanced, policy));
    }
    let mut pictures = Section::default();
    charts::endings(balanced).into_iter().for_each(|chart| pictures.chart(chart));
    charts::first_seat(balanced).into_iter().for_each(|chart| pictures.chart(chart));
    report.section(pictures);
    let mut section = Section::new("What is measured");
    section.view(measures(balanced));
    report.section(section);
}

/// In what the variants differ from the base.
fn variants(balanced: &BalanceReport) -> Section {
    let mut section = Section::default();
    let mut view =
        View::new("").texts("Variant").texts(format!("changed against {}", balanced.variants[0].name));
    let first = alike::standing_for(balanced);
    let has_alike = (0..first.len()).any(|variant| first[variant] != variant);
    if has_alike {
        view = view.texts("plays the same games as");
    }
    for (variant, ruled) in balanced.variants.iter().enumerate().skip(1) {
        let what = if ruled.changed.is_empty() { "the same rules".into() } else { ruled.changed.join(", ") };
        let plays = if first[variant] == variant { "" } else { balanced.name(first[variant]) };
        view.row([balanced.name(variant), &*what, plays].into_iter().take(view.columns.len()));
    }
    section.view(view);
    section
}

/// The measures of all variants with one policy.
fn of_policy(balanced: &BalanceReport, policy: usize) -> Section {
    let seats = if balanced.has_seats() { " in every seat" } else { "" };
    let mut section = Section::new(format!("{}{seats}", balanced.policies[policy]));
    for topic in Topic::ALL {
        let view = table(balanced, policy, topic);
        if view.columns.len() > 1 {
            section.view(view);
        }
    }
    section.note(format!("In brackets: limits, {}, each by itself.", Level::SINGLE));
    section
}

/// What every variant is known to change.
fn changes(balanced: &BalanceReport, effects: &[Moved<'_>]) -> Section {
    let base = &balanced.variants[0].name;
    let mut section = Section::new(format!("What changes against {base}"));
    let Some(level) = effects.first().map(|moved| moved.effect.difference.level) else { return section };
    let is_known =
        |moved: &Moved<'_>| moved.effect.difference.is_above(0.0) || moved.effect.difference.is_below(0.0);
    let called = alike::names(balanced);
    for variant in alike::firsts(balanced).into_iter().filter(|&variant| variant > 0) {
        let name = called[variant].as_str();
        let mut view =
            balanced.policies.iter().fold(View::new("").texts(name), |view, policy| view.texts(&**policy));
        for measure in names(balanced) {
            let of = |policy: usize| {
                let is_it = |moved: &&Moved<'_>| {
                    (moved.variant, moved.policy) == (variant, policy) && moved.measure.name == measure.name
                };
                effects.iter().find(is_it).filter(|moved| is_known(moved))
            };
            let cells: Vec<_> = (0..balanced.policies.len()).map(of).collect();
            if cells.iter().all(Option::is_none) {
                continue;
            }
            let unit = if measure.is_share() { " (%-points)" } else { "" };
            let told = |moved: Option<&Moved<'_>>| {
                moved
                    .map_or_else(|| "–".into(), |moved| with_limits(change(measure), moved.effect.difference))
            };
            view.row(std::iter::once(format!("{}{unit}", measure.name)).chain(cells.into_iter().map(told)));
        }
        if view.rows.is_empty() {
            section.sentence(format!("{name}: nothing is known to change."));
        }
        section.view(view);
    }
    let turns = match balanced.has_seats() {
        true => format!(" {} are those of all seats, added up.", lengths(balanced)),
        false => String::new(),
    };
    section.note(format!(
        "{} hold together ({level}); – is not known to change. All but quantiles, their ratios and spreads are \
         compared trial by trial on the same dice.{turns}",
        all(level.together(), "intervals")
    ));
    charts::effects(balanced, effects).into_iter().for_each(|chart| section.chart(chart));
    section
}

/// What the best policy has over the naive one.
fn skill(balanced: &BalanceReport) -> Section {
    let mut section = Section::new("Skill");
    let naive = &balanced.policies[balanced.naive];
    if balanced.skills.iter().all(Option::is_none) {
        return section;
    }
    section.sentence(format!(
        "What the best policy has over {naive}, which stands for naive play. The best was chosen on {} other trials.",
        grouped(balanced.pilot)
    ));
    let level = Level::SINGLE;
    let mut alone = View::new("")
        .texts("")
        .texts("best")
        .numbers("better by")
        .texts(format!("{level}"))
        .numbers("in std dev of a game")
        .texts(format!("{level}"));
    let mut at_tables = View::new("")
        .texts("")
        .texts("best")
        .numbers(format!("{} against {naive}", balanced.won().title))
        .numbers("fair")
        .numbers("%-points more")
        .texts(format!("{level}"));
    let called = alike::names(balanced);
    for at in alike::firsts(balanced) {
        let ruled = &balanced.variants[at];
        let Some(skill) = &balanced.skills[at] else { continue };
        let best = &balanced.policies[balanced.best[at]];
        let view = if ruled.seats > 1 { &mut at_tables } else { &mut alone };
        if balanced.best[at] == balanced.naive {
            view.row([&called[at], best, "–", "", "–", ""].map(str::to_owned));
            continue;
        }
        let Some(gap) = skill.gap(level) else { continue };
        if ruled.seats > 1 {
            let fair = 1.0 / ruled.seats as f64;
            view.row([
                called[at].clone(),
                best.clone(),
                percent(fair + gap.value),
                percent(fair),
                POINTS.fine(gap.interval).number(gap.value),
                POINTS.range(gap.interval),
            ]);
            continue;
        }
        let size = skill.size(level);
        view.row([
            called[at].clone(),
            best.clone(),
            format!("{} {}", MEAN.to(2).fine(gap.interval).number(gap.value), ruled.metrics[0].unit),
            MEAN.to(2).range(gap.interval),
            size.map_or_else(|| "–".into(), |size| MEAN.fine(size.interval).number(size.value)),
            size.map_or_else(String::new, |size| MEAN.range(size.interval)),
        ]);
    }
    section.view(alone);
    section.view(at_tables);
    if (0..balanced.variants.len())
        .any(|at| balanced.skills[at].is_some() && balanced.best[at] == balanced.naive)
    {
        section.note(format!("– where {naive} did best itself."));
    }
    section
}

/// Which policies can be best, under each variant.
fn best(balanced: &BalanceReport) -> Section {
    let mut section = Section::new("Best policy");
    let Some(standings) = balanced.standings() else { return section };
    let mut view = View::new("").texts("").texts("the best is");
    let called = alike::names(balanced);
    for variant in alike::firsts(balanced) {
        let in_race = standings.can_be_best(variant);
        let names = balanced.policies.iter().zip(&in_race).filter(|(_, in_race)| **in_race);
        let names: Vec<_> = names.map(|(name, _)| name.as_str()).collect();
        view.row([called[variant].clone(), names.join(" or ")]);
    }
    section.view(view);
    let count = balanced.variants.len() * balanced.policies.len();
    let what = match balanced.has_seats() {
        true => format!("{} {} decide", balanced.won().plural, contest::table(balanced)),
        false => "The mean score decides".into(),
    };
    section.note(format!("{what}; all {count} intervals hold together ({}).", Level::SINGLE));
    charts::standings(balanced).into_iter().for_each(|chart| section.chart(chart));
    section
}
