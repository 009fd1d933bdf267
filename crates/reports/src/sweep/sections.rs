//! The tables and sentences of a sweep.

use stopwise_analysis::estimate::{Interval, Method};
use stopwise_document::{Block, Report, Section, View};
use stopwise_narration::grouped;

use super::{GridComparison, SweepReport, charts};
use crate::cap;
use crate::numbers::{MEAN, of_differences};
use crate::words::few_trials;

/// Points listed where there are too many axes for a chart, and ties named in a sentence.
const LISTED: usize = 10;
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
    report.answer = capped(swept).into_iter().chain(winner(swept, compared)).collect();
    report.answer.extend(mirror(swept));
    report.answer.extend(alike(swept));
    let mut section = Section::default();
    if let Some(chart) = charts::means(swept, compared) {
        section.chart(chart);
        if swept.grid.axes.len() == 1 {
            let ties =
                if compared.best.ties().next().is_some() { "; ≈ may be the best as well" } else { "" };
            section.note(format!("* the best mean{ties}; intervals hold together"));
        }
    }
    let drawn = swept.grid.axes.len() < 3;
    section.blocks.push(match drawn {
        true => Block::Long(list(swept, compared, LONG)),
        false => Block::View(list(swept, compared, LISTED)),
    });
    section.note(format!("method: {}", Method::WithBest(compared.cells.pairing()).in_words()));
    report.section(section);
    report.section(levels(swept, compared));
    report.warnings.extend(few_trials(swept.trials));
}

/// The points that an interrupted sweep has.
fn finished(swept: &SweepReport) -> View {
    let (scale, unit) = swept.reading();
    let mut view = View::new("").texts("").numbers(format!("{} ({unit})", swept.metric.name));
    for (at, point) in swept.points.iter().enumerate() {
        let mean = scale * point.cell.sum as f64 / swept.trials as f64;
        view.row([swept.grid.label(at), format!("{mean:.3}")]);
    }
    view
}

/// The interval of a point's own mean.
fn own(compared: &GridComparison, at: usize) -> Option<Interval> {
    let mean = compared.cells.mean(at);
    compared.half(at).map(|half| Interval { low: mean - half, high: mean + half })
}

/// The best points, a row each.
fn list(swept: &SweepReport, compared: &GridComparison, most: usize) -> View {
    let (scale, _) = swept.reading();
    let ranking = swept.ranking(compared);
    let mut view = View::new("")
        .captioned("The best settings, and what the others lose against the best")
        .texts("")
        .numbers("mean")
        .texts("")
        .numbers("± 95 %")
        .numbers("loss")
        .texts("95 %");
    for &at in ranking.iter().take(most) {
        let standing = &compared.best.standings[at];
        let (own, style) = (own(compared, at), MEAN.times(scale));
        let interval = standing.loss.and_then(|loss| loss.interval);
        let mark = match charts::tone(compared, at) {
            stopwise_document::chart::Tone::Best => "*",
            stopwise_document::chart::Tone::Possible => "≈",
            _ => "",
        };
        view.row([
            swept.grid.label(at),
            style.fine(own).number(compared.cells.mean(at)),
            mark.into(),
            own.map_or_else(|| "–".into(), |own| style.half(own)),
            standing.loss.map_or_else(|| "–".into(), |loss| style.fine(interval).number(loss.value)),
            interval.map_or_else(|| "–".into(), |loss| style.range(Some(loss))),
        ]);
    }
    let rest = ranking.len().saturating_sub(most);
    if rest > 0 {
        view.note(format!("and {} in best.csv", stopwise_narration::counted(rest as u64, "worse one")));
    }
    let ties = if compared.best.ties().next().is_some() { "; ≈ may be the best as well" } else { "" };
    view.note(format!(
        "* the best mean{ties}; loss against the best of the other settings, below 0 a lead; intervals hold together"
    ));
    view
}

/// The points at which a cap cuts games off, if they are many there.
fn capped(swept: &SweepReport) -> Option<String> {
    let told = swept.points.iter().enumerate().filter(|(_, point)| cap::is_told(point.capped, swept.trials));
    let points = told.clone().count() as u64;
    let (at, worst) = told.max_by_key(|(_, point)| point.capped)?;
    Some(format!(
        "Games end at the turn cap without a winner at {} of {}, most at {}: {} of them. {}",
        grouped(points),
        stopwise_narration::counted(swept.points.len() as u64, "setting"),
        swept.grid.label(at),
        cap::share(worst.capped, swept.trials)?,
        cap::WHY
    ))
}

/// Who plays, where the varied policy plays against itself.
fn mirror(swept: &SweepReport) -> Option<String> {
    let against = swept.against.as_ref()?;
    Some(format!("The varied policy has every seat equally often; {against} plays in all other seats."))
}

/// The best point, and those that may be the best.
fn winner(swept: &SweepReport, compared: &GridComparison) -> Vec<String> {
    let best = &compared.best;
    let (scale, unit) = swept.reading();
    let label = swept.grid.label(best.cell);
    let style = MEAN.times(scale);
    let mean = style.fine(own(compared, best.cell)).number(compared.cells.mean(best.cell));
    let (_, apart) = of_differences(&swept.metric);
    let whom = swept.whom().map(|whom| format!(" for {whom}")).unwrap_or_default();
    let ties: Vec<_> = best.ties().map(|at| swept.grid.label(at)).collect();
    if swept.points.len() == 1 {
        return vec![format!(
            "There is one setting, {label}, with {mean} {unit}: nothing to compare it with."
        )];
    }
    if swept.is_same_play() {
        return vec![format!(
            "All {} settings are the same play: {mean} {unit} at every one. What varies changes nothing here.",
            swept.points.len()
        )];
    }
    let loss = best.standings[best.cell].loss;
    let Some((interval, level)) = loss.and_then(|loss| Some((loss.interval?, loss.level))) else {
        return vec![format!(
            "Best seen{whom}: {label} with {mean} {unit}. One trial does not say which is best."
        )];
    };
    if ties.is_empty() {
        let lead = style.range(Some(interval.negated()));
        return vec![format!(
            "Best{whom}: {label} with {mean} {unit}, better than every other setting ({level}): by {lead} {apart}."
        )];
    }
    if ties.len() + 1 == swept.points.len() {
        return vec![format!(
            "Best seen{whom}: {label} with {mean} {unit}. These trials do not tell which of the {} settings is best.",
            swept.points.len()
        )];
    }
    let others = match ties.as_slice() {
        [tie] => tie.clone(),
        _ => {
            let named = ties.iter().take(LISTED).cloned().collect::<Vec<_>>().join(" · ");
            let rest = ties.len().saturating_sub(LISTED);
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            format!("one of these {}: {named}{more}", grouped(ties.len() as u64))
        }
    };
    let mut said = vec![format!(
        "Best seen{whom}: {label} with {mean} {unit}. The best ({level}) is that one or {others}."
    )];
    let out_of_it = best.standings.iter().filter(|standing| !standing.is_possible);
    let least =
        out_of_it.filter_map(|standing| standing.loss?.interval).map(|loss| loss.low).reduce(f64::min);
    if let Some(least) = least.filter(|&least| least > 0.0) {
        let least = style.fine(best.standings[best.cell].loss.and_then(|loss| loss.interval)).down(least);
        said.push(format!("Every other setting is worse than the best, by {least} {apart} or more."));
    }
    said
}

/// What varies and changes nothing, or else which points played the same games, if only some did.
fn alike(swept: &SweepReport) -> Option<String> {
    if swept.is_same_play() {
        return None;
    }
    let groups = swept.same_plays();
    let idle = |axis: &usize| swept.is_idle(*axis, &groups);
    let idle: Vec<_> =
        (0..swept.grid.axes.len()).filter(idle).map(|axis| &*swept.grid.axes[axis].name).collect();
    if !idle.is_empty() {
        let changes = if idle.len() == 1 { "changes" } else { "change" };
        return Some(format!("{} {changes} nothing here: all values are the same play.", idle.join(" and ")));
    }
    let (first, rest) = groups.split_first()?;
    let mut named: Vec<_> = first.iter().take(LISTED).map(|&at| swept.grid.label(at)).collect();
    if first.len() > LISTED {
        named.push(format!("{} more", grouped((first.len() - LISTED) as u64)));
    }
    let more = match rest.len() {
        0 => String::new(),
        1 => "; and so are those of another group".into(),
        others => format!("; and so are those of {} other groups", grouped(others as u64)),
    };
    Some(format!(
        "The same play in all {}: {}{more}.",
        stopwise_narration::trials(swept.trials),
        named.join(" · ")
    ))
}

/// The effect of each axis.
fn levels(swept: &SweepReport, compared: &GridComparison) -> Section {
    let mut section = Section::default();
    let (scale, _) = swept.reading();
    let axes = swept.grid.axes.iter().zip(&compared.effects).filter(|(axis, _)| axis.levels.len() > 1);
    if axes.clone().next().is_none() {
        return section;
    }
    let title = if swept.grid.axes.len() == 1 { "What it does" } else { "What each does" };
    let mut view = View::new("")
        .captioned("What each axis does, averaged over all others")
        .texts(title)
        .texts("best")
        .numbers("mean")
        .texts("worst")
        .numbers("mean");
    view = view.numbers("apart").texts("95 %");
    for (axis, effect) in axes {
        let style = MEAN.times(scale).fine(effect.range.interval);
        let [(best, best_mean), (worst, worst_mean)] =
            [effect.best, effect.worst].map(|at| (&axis.levels[at], style.number(effect.levels[at].mean)));
        view.row([
            axis.name.clone(),
            best.clone(),
            best_mean,
            worst.clone(),
            worst_mean,
            style.number(effect.range.value),
            effect.range.interval.map_or_else(|| "–".into(), |range| style.range(Some(range))),
        ]);
    }
    let means = if swept.grid.axes.len() == 1 { "" } else { "means over all other axes; " };
    view.note(format!("method: {means}{}", Method::AllLevels(compared.cells.pairing()).in_words()));
    section.view(view);
    if let Some(chart) = charts::effects(swept, compared) {
        section.chart(chart);
    }
    section
}
