//! The tables of a sweep.

use stopwise_analysis::estimate::{Method, Pairing};
use stopwise_document::chart::Tone;
use stopwise_document::{Block, Report, Section, View};
use stopwise_narration::counted;

use super::sought::{What, ends};
use super::{GridComparison, SweepReport, answer, charts};
use crate::grid::Kind;
use crate::numbers::MEAN;
use crate::words::few_trials;

/// Points listed where there are too many axes for a chart.
const LISTED: usize = 10;
/// And at most, where there is a best under each of many rules.
const MOST_LISTED: usize = 40;
/// Points listed on a page.
const LONG: usize = 200;

/// Adds the answer and all sections.
pub(super) fn sections(report: &mut Report, swept: &SweepReport) {
    let Some(compared) = &swept.compared else {
        let points = swept.points.len();
        let (number, are) = if points == 1 { ("setting", "is") } else { ("settings", "are") };
        report.answer.push(format!(
            "{points} of {} {number} {are} finished; nothing is compared.",
            swept.grid.points()
        ));
        let mut section = Section::default();
        section.view(finished(swept));
        report.section(section);
        return;
    };
    report.answer = answer::answer(swept, compared);
    let mut section = Section::default();
    if let Some(chart) = charts::means(swept, compared) {
        section.chart(chart);
        if swept.grid.axes.len() == 1 {
            section.note(format!("{}; intervals hold together", compared.sought.legend()));
        }
    }
    let drawn = swept.grid.axes.len() < 3;
    section.blocks.push(match drawn {
        true => Block::Long(list(swept, compared, LONG)),
        false => {
            Block::View(list(swept, compared, LISTED.max(compared.sought.groups.len()).min(MOST_LISTED)))
        }
    });
    if !drawn && swept.points.len() > LISTED {
        section.blocks.push(Block::Long(list(swept, compared, LONG)));
    }
    let method = Method::WithBest(compared.sought.pairing()).in_words();
    section.note(format!("method: {}", method.replace("the best", compared.sought.against())));
    report.section(section);
    report.section(levels(swept, compared));
    report.warnings.extend(few_trials(swept.trials));
}

/// The points that an interrupted sweep has.
fn finished(swept: &SweepReport) -> View {
    let (scale, unit) = swept.reading();
    let mut view = View::new("").texts("").numbers(format!("{} ({unit})", swept.metric.word()));
    for (at, point) in swept.points.iter().enumerate() {
        let mean = scale * point.cell.sum as f64 / swept.trials as f64;
        view.row([swept.grid.label(at), format!("{mean:.3}")]);
    }
    view
}

/// The points, a row each: those that stand out first, of each group the first before the second of any.
fn list(swept: &SweepReport, compared: &GridComparison, most: usize) -> View {
    let (scale, _) = swept.reading();
    let sought = &compared.sought;
    let places =
        sought.groups.iter().flat_map(|group| swept.ranking(compared, group).into_iter().enumerate());
    let mut ranking: Vec<_> = places.collect();
    ranking.sort_by_key(|(place, _)| *place);
    let [caption, apart, against, more] = match sought.what() {
        What::Best => [
            "The best settings, and what the others lose against the best",
            "loss",
            "against the best of the other settings",
            "worse one",
        ],
        What::BestUnderRules => [
            "The best settings under the same rules, and what the others lose against the best",
            "loss",
            "against the best of the other settings under the same rules",
            "other",
        ],
        What::Most => [
            "The settings with most, and how much less the others have",
            "less",
            "than the most of the other settings",
            "one with less",
        ],
    };
    let mut view = View::new("").captioned(caption).texts("").numbers("mean").texts("");
    let is_share = swept.metric.is_won();
    view = if is_share { view.texts("95 %") } else { view.numbers("± 95 %") };
    view = view.numbers(apart).texts("95 %");
    for (_, (at, standing)) in ranking.into_iter().take(most) {
        let (own, style) = (compared.own(at), MEAN.times(scale));
        let interval = standing.loss.and_then(|loss| loss.interval);
        let mark = match sought.tone(at) {
            Tone::Best => "*",
            Tone::Possible => "≈",
            _ => "",
        };
        view.row([
            swept.grid.label(at),
            style.fine(own).number(compared.cells.mean(at)),
            mark.into(),
            own.map_or_else(
                || "–".into(),
                |own| if is_share { style.range(Some(own)) } else { style.half(own) },
            ),
            standing.loss.map_or_else(|| "–".into(), |loss| style.fine(interval).number(loss.value)),
            interval.map_or_else(|| "–".into(), |loss| style.range(Some(loss))),
        ]);
    }
    let rest = swept.points.len().saturating_sub(most);
    if rest > 0 {
        view.note(format!("and {}: all are in best.csv of --out DIR", counted(rest as u64, more)));
    }
    view.note(format!("{}; {apart} {against}, below 0 a lead; intervals hold together", sought.legend()));
    view
}

/// The effect of each axis.
fn levels(swept: &SweepReport, compared: &GridComparison) -> Section {
    let mut section = Section::default();
    let (scale, _) = swept.reading();
    let axes = swept.grid.axes.iter().zip(&compared.effects).filter(|(axis, _)| axis.levels.len() > 1);
    if axes.clone().next().is_none() {
        return section;
    }
    // What is best on average, over bad settings as well, need not be what the best setting has.
    let (title, on_average) =
        if swept.grid.axes.len() == 1 { ("What it does", "") } else { ("What each does", " on average") };
    let table = |[most, least]: [&str; 2]| {
        View::new("")
            .captioned("What each axis does, averaged over all others")
            .texts(title)
            .texts(format!("{most}{on_average}"))
            .numbers("mean")
            .texts(format!("{least}{on_average}"))
            .numbers("mean")
            .numbers("apart")
            .texts("95 %")
    };
    let mut unknown = Vec::new();
    let (mut parameters, mut rules) = (table(ends(Kind::Parameter)), table(ends(Kind::Rule)));
    for (axis, effect) in axes {
        let style = MEAN.times(scale).fine(effect.range.interval);
        // Which level is which is told where it is known.
        let is_known = effect.range.is_above(0.0);
        let ends = swept.ends(axis.kind, effect).map(|at| match is_known {
            true => [axis.levels[at].clone(), style.number(effect.levels[at].mean)],
            false => ["–".to_owned(), "–".to_owned()],
        });
        let [[first, most], [last, least]] = ends;
        unknown.extend((!is_known).then_some(&*axis.name));
        let view = match axis.kind {
            Kind::Parameter => &mut parameters,
            Kind::Rule => &mut rules,
        };
        view.row([
            axis.name.clone(),
            first,
            most,
            last,
            least,
            style.number(effect.range.value),
            effect.range.interval.map_or_else(|| "–".into(), |range| style.range(Some(range))),
        ]);
    }
    section.view(parameters);
    section.view(rules);
    let means = if swept.grid.axes.len() == 1 { "" } else { "means over all other axes; " };
    let all = || compared.effects.iter().map(|effect| effect.range.method);
    let method = all().find(|&method| method != Method::AllLevels(Pairing::AnyDependence)).or(all().next());
    section.note(format!("method: {means}{}", method.map(Method::in_words).unwrap_or_default()));
    if !unknown.is_empty() {
        section.note(format!("–: these trials do not tell the values of {} apart", unknown.join(", ")));
    }
    if let Some(chart) = charts::effects(swept, compared) {
        section.chart(chart);
    }
    section
}
