//! The tables of a ranking.

use stopwise_analysis::rank::{Race, Verdict};
use stopwise_document::{Block, Report, Section, View};
use stopwise_engine::game::Better;
use stopwise_narration::{counted, grouped};

use super::{ALWAYS, By, RankReport, Row, charts, robin};
use crate::won::Won;

/// Pairs of a race listed on a page.
const PAIRS: usize = 100;

/// Adds all sections.
pub(super) fn sections(report: &mut Report, ranked: &RankReport, rows: &[Row<'_>]) {
    let mut section = Section::default();
    section.chart(charts::order(ranked, rows));
    section.view(order(ranked, rows));
    report.section(section);
    match &ranked.by {
        By::Race(race) => report.section(pairs(ranked, race)),
        By::RoundRobin(found) => robin::sections(report, ranked, found),
    }
}

/// All policies in order, with the columns that are read first before the others.
fn order(ranked: &RankReport, rows: &[Row<'_>]) -> View {
    let level = ranked.level();
    let (mean, trials) = match &ranked.by {
        By::Race(_) => ("mean", "trials"),
        By::RoundRobin(_) => (ranked.won().title, "games"),
    };
    let mut view = View::new("")
        .captioned("The ranking: policies of a group are not told apart")
        .texts("policy")
        .numbers("place")
        .texts("group")
        .numbers(mean);
    view = view.texts(level.to_string()).numbers("less the first").texts(level.to_string()).numbers(trials);
    let order = &ranked.ranking.order;
    for (row, &policy) in rows.iter().zip(order) {
        let to_first = row.to_first;
        let is_one_value = row.mean.is_some_and(|mean| ranked.have_one_value(mean, &[policy]));
        view.row([
            row.policy.to_owned(),
            row.place(),
            row.letters(),
            row.mean.map_or_else(|| "not known".into(), |mean| ranked.shown(mean)),
            if is_one_value { ALWAYS.into() } else { ranked.limits(row.mean) },
            to_first.map_or_else(String::new, |to_first| ranked.shown_difference(to_first)),
            to_first
                .map_or_else(String::new, |to_first| ranked.difference_limits(to_first, [policy, order[0]])),
            grouped(row.trials),
        ]);
    }
    let file = match &ranked.by {
        By::Race(_) => "rank_pairs.csv",
        By::RoundRobin(_) => "matches.csv",
    };
    view.note(match &ranked.ranking.groups {
        Some(_) => "Policies that share a letter cannot be distinguished.".to_owned(),
        None => format!("There are too many groups to name them; {file} has every two."),
    });
    view.note(match &ranked.by {
        By::Race(_) => {
            let lower = if ranked.metric.better == Better::Lower { ", less is better" } else { "" };
            format!(
                "means in {}{lower}, each over its own trials; less the first: over those that both played, on the same dice",
                ranked.metric.unit
            )
        }
        By::RoundRobin(_) => {
            let Won { title, of, .. } = ranked.won();
            format!(
                "{title}: the mean, over all others, of the share{of}; less the first: in percentage points"
            )
        }
    });
    view
}

/// Every two policies of a race.
fn pairs(ranked: &RankReport, race: &Race) -> Section {
    let mut section = Section::new("Every policy against every other");
    if let Some(chart) = charts::differences(ranked, race) {
        section.chart(chart);
    }
    let mut view =
        View::new("").texts("A").texts("B").heads().numbers(format!("A − B ({})", ranked.metric.unit));
    view = view.texts(ranked.level().to_string()).texts("").numbers("trials");
    for pair in (0..ranked.labels.len()).flat_map(|above| ranked.pairs(race, above)).take(PAIRS) {
        let verdict = match pair.verdict {
            Verdict::A => "A is better",
            Verdict::B => "B is better",
            Verdict::Equal => "within the resolution",
            Verdict::Open => "not known",
        };
        view.row([
            pair.policies[0].to_owned(),
            pair.policies[1].to_owned(),
            ranked.shown_difference(pair.difference),
            ranked.difference_limits(pair.difference, pair.arms),
            verdict.to_owned(),
            grouped(pair.trials),
        ]);
    }
    let all = all_pairs(ranked.labels.len());
    if all > PAIRS {
        view.note(format!("and {}, in rank_pairs.csv", counted((all - PAIRS) as u64, "more pair")));
    }
    section.blocks.push(Block::Long(view));
    section
}

/// The number of pairs of so many policies.
pub(super) const fn all_pairs(policies: usize) -> usize {
    policies * policies.saturating_sub(1) / 2
}
