//! A round robin: the matrix of win shares, line-up effects, cycles.

use stopwise_analysis::estimate::{Estimate, Interval};
use stopwise_analysis::rank::{RoundRobin, Verdict};
use stopwise_document::{Block, Report, Section, View};

use super::meeting::{MOST, Meeting, steps};
use super::{RankReport, charts};
use crate::numbers::{PERCENT, POINTS};
use crate::words::percent;

/// With more policies the matrix is too wide for a terminal.
const WIDE: usize = 12;
/// Effects listed at most.
const EFFECTS: usize = 12;

/// All sections after the order.
pub(super) fn sections(report: &mut Report, ranked: &RankReport, robin: &RoundRobin) {
    let count = ranked.labels.len();
    if count <= MOST {
        let mut section = Section::new("Who beats whom");
        section.chart(charts::shares(ranked, robin));
        let view = matrix(ranked, robin);
        section.blocks.push(if count <= WIDE { Block::View(view) } else { Block::Long(view) });
        report.section(section);
    }
    if count > 2 {
        report.section(effects(ranked, robin));
        report.section(cycles(ranked, robin));
    }
}

fn matrix(ranked: &RankReport, robin: &RoundRobin) -> View {
    let order = &ranked.ranking.order;
    let mut view = View::new("").texts("win shares, %");
    for place in 1..=order.len() {
        view = view.numbers(place.to_string());
    }
    let width = order.len().to_string().len();
    let widest = widest(robin, order);
    let style = PERCENT.bare().fine(widest);
    for (place, &row) in order.iter().enumerate() {
        let mut cells = vec![format!("{:>width$} {}", place + 1, ranked.labels[row])];
        for &column in order {
            if row == column {
                cells.push("– ".into());
                continue;
            }
            let Meeting { share, verdict, .. } = ranked.meeting(robin, row, column);
            let mark = match verdict {
                Verdict::A => "+",
                Verdict::B => "-",
                _ => " ",
            };
            let shown = |share: Estimate| format!("{}{mark}", style.number(share.value));
            cells.push(share.map_or_else(|| "? ".into(), shown));
        }
        view.row(cells);
    }
    let of = ranked.won().of;
    let meaning = match ranked.seats {
        2 => format!("row against column,{of}"),
        seats => format!(
            "one seat for the row at a table of the column,{of}; fair is {}",
            percent(1.0 / seats as f64)
        ),
    };
    view.note(format!("{meaning}; + is known to beat, - to be beaten"));
    if ranked.seats > 2 {
        view.note(
            "A beats B: one A among Bs wins more than one B among As; both may win more than is fair there, or both less, for one \
             that plays differently is up against others that play alike",
        );
    }
    if let Some(widest) = widest {
        let widest = POINTS.half(widest);
        view.note(format!("every share is known to ± {widest} percentage points or better"));
    }
    view
}

/// As wide, around 0, as the widest side of all intervals of shares.
fn widest(robin: &RoundRobin, order: &[usize]) -> Option<Interval> {
    let shares = pairs(order).filter_map(|(a, b)| robin.share(a, b));
    let sides = shares.filter_map(|share| {
        let interval = share.interval?;
        Some((interval.high - share.value).max(share.value - interval.low))
    });
    sides.reduce(f64::max).map(|side| Interval { low: -side, high: side })
}

/// Line-up effects, in plain words.
fn effects(ranked: &RankReport, robin: &RoundRobin) -> Section {
    let mut section = Section::default();
    let effects = pairs(&ranked.ranking.order).filter_map(|pair| Some((pair, robin.effect(pair.0, pair.1)?)));
    let mut effects = effects.peekable();
    if effects.peek().is_none() {
        return section;
    }
    let mut found: Vec<_> = effects.filter(|(_, effect)| effect.is_above(0.0)).collect();
    if found.is_empty() {
        section.sentence("Who does better against one policy than its strength says: nobody is known to.");
        return section;
    }
    found.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    section.title = "Who does better against one policy than its strength says".into();
    let mut view = View::new("").texts("policy").texts("against").numbers("%-points").texts("limits");
    for ((a, b), effect) in found.iter().take(EFFECTS) {
        let [a, b] = [a, b].map(|&number| ranked.labels[number].clone());
        let style = POINTS.fine(effect.interval);
        view.row([a, b, style.number(effect.value), style.range(effect.interval)]);
    }
    if found.len() > EFFECTS {
        view.note(format!("and {} more, in matches.csv", found.len() - EFFECTS));
    }
    view.note("percentage points won beyond what the strengths of both say; the strength of a policy is its mean over all others");
    section.view(view);
    section
}

/// Every policy with every other, both ways, in the order of the ranking.
fn pairs(order: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    order.iter().flat_map(move |&a| order.iter().filter(move |&&b| a != b).map(move |&b| (a, b)))
}

fn cycles(ranked: &RankReport, robin: &RoundRobin) -> Section {
    let mut section = Section::default();
    let cycles = robin.cycles();
    if cycles.is_empty() {
        section.sentence("Cycles (A beats B, B beats C, C beats A): none is known.");
        return section;
    }
    section.title = "Cycles: each is known to beat the next, and the last the first".into();
    for cycle in cycles {
        let beats = |[a, b]: [usize; 2]| {
            let share =
                robin.share(a, b).map_or_else(String::new, |share| format!(" ({})", percent(share.value)));
            format!("{} beats {}{share}", ranked.labels[a], ranked.labels[b])
        };
        section.sentence(format!("{}.", steps(&cycle).map(beats).collect::<Vec<_>>().join(", ")));
    }
    section.note("the shortest cycle of every set of policies that beat each other in turn");
    section
}
