//! The pictures of a ranking: all policies in order, and every one against every other.

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::rank::{Race, RoundRobin, Verdict};
use stopwise_document::Chart;
use stopwise_document::chart::{Axis, Heat, Heated, Intervals, Mark, Panel, Plot, Row as Drawn, Tone};
use stopwise_engine::game::Better;

use super::meeting::MOST;
use super::{By, RankReport, Row};
use crate::words::pair;

/// All policies in order: their means, or how far they are from the first.
pub(super) fn order(ranked: &RankReport, rows: &[Row<'_>]) -> Chart {
    let drawn = |at: usize, row: &Row<'_>, found: Option<Estimate>| Drawn {
        label: row.policy.to_owned(),
        value: found.map(|found| found.value),
        interval: pair(found.and_then(|found| found.interval)),
        tone: match (at, row.places.0) {
            (0, _) => Tone::Best,
            (_, 1) => Tone::Possible,
            _ => Tone::Plain,
        },
        note: match row.letters() {
            letters if letters.is_empty() => format!("place {}", row.place()),
            letters => format!("place {} · {letters}", row.place()),
        },
        ..Drawn::default()
    };
    let (metric, seats) = (ranked.metric, ranked.seats as f64);
    let (name, axis, fair) = match &ranked.by {
        By::Race(_) => ("mean", Axis::of(metric.word(), metric.unit), None),
        By::RoundRobin(_) => {
            let fair = Mark { at: 1.0 / seats, label: "fair".into() };
            let title = format!("share{}, in the mean over all others", ranked.won().of);
            (ranked.won().title, Axis::share(title), Some(fair))
        }
    };
    let means = Intervals {
        x: axis.clone(),
        rows: rows.iter().enumerate().map(|(at, row)| drawn(at, row, row.mean)).collect(),
        reference: fair,
    };
    let to_first = |(at, row): (usize, &Row<'_>)| {
        let mut drawn = drawn(at, row, row.to_first);
        if at == 0 {
            drawn.value = Some(0.0);
        }
        drawn
    };
    let less = Intervals {
        x: match axis.is_share {
            true => Axis::points(format!("{}, less the first", axis.title)),
            false => Axis { title: format!("{}, less the first", axis.title), ..axis },
        },
        rows: rows.iter().enumerate().map(to_first).collect(),
        reference: Some(Mark { at: 0.0, label: "the first".into() }),
    };
    let better = if metric.better == Better::Higher { "more" } else { "less" };
    let sentence = format!(
        "All policies in order ({better} is better), with {} intervals that hold together, and their places and groups.",
        ranked.level()
    );
    Chart::new("The ranking", sentence, Plot::Intervals(means)).or(
        name,
        "less the first",
        Plot::Intervals(less),
    )
}

/// The mean differences of a race, if there are not too many.
pub(super) fn differences(ranked: &RankReport, race: &Race) -> Option<Chart> {
    let is_better = |a: usize, b: usize| ranked.ranking.is_better(a, b);
    let cell = |a: usize, b: usize| {
        let found = race.difference(a, b);
        let tone = match (is_better(a, b), is_better(b, a)) {
            (true, _) => Tone::Best,
            (_, true) => Tone::Bad,
            _ => Tone::Plain,
        };
        Some(Heated { interval: pair(found.interval), tone, ..Heated::of(found.value) })
    };
    let metric = ranked.metric;
    let value = Axis::of(format!("difference of {}, row less column", metric.word()), metric.unit);
    let sentence = format!(
        "The mean {} of the row less that of the column, on the trials that both played.",
        metric.word()
    );
    let heat = Heat {
        value,
        middle: Some(0.0),
        is_lower_better: metric.better == Better::Lower,
        legend: "* the row is known to be better, ▾ to be worse".into(),
        ..grid(ranked, cell)
    };
    let is_drawn = ranked.labels.len() <= MOST;
    is_drawn.then(|| Chart::new("Mean differences", sentence, Plot::Heat(heat)))
}

/// The shares of a round robin.
pub(super) fn shares(ranked: &RankReport, robin: &RoundRobin) -> Chart {
    let cell = |a: usize, b: usize| {
        let meeting = ranked.meeting(robin, a, b);
        let share = meeting.share?;
        let tone = match meeting.verdict {
            Verdict::A => Tone::Best,
            Verdict::B => Tone::Bad,
            _ => Tone::Plain,
        };
        Some(Heated { interval: pair(share.interval), tone, ..Heated::of(share.value) })
    };
    let won = ranked.won();
    let table =
        if ranked.seats == 2 { "against the column" } else { "with one seat at a table of the column" };
    let sentence = format!("The share{} that the row wins {table}.", won.of);
    let heat = Heat {
        value: Axis::share(format!("share{}", won.of)),
        middle: Some(1.0 / ranked.seats as f64),
        legend: "* the row is known to beat the column, ▾ to be beaten".into(),
        ..grid(ranked, cell)
    };
    Chart::new(format!("Shares{}", won.of), sentence, Plot::Heat(heat))
}

/// A grid of every policy against every other, in the order of the ranking, if they are not too many.
fn grid(ranked: &RankReport, cell: impl Fn(usize, usize) -> Option<Heated>) -> Heat {
    let order = &ranked.ranking.order[..ranked.ranking.order.len().min(MOST)];
    let names: Vec<_> = order.iter().map(|&number| ranked.labels[number].clone()).collect();
    let of_row = |&a: &usize| order.iter().map(|&b| if a == b { None } else { cell(a, b) }).collect();
    Heat {
        x: Axis::levels("against", names.clone()),
        y: Axis::levels("", names),
        panels: vec![Panel { title: String::new(), cells: order.iter().map(of_row).collect() }],
        ..Heat::default()
    }
}
