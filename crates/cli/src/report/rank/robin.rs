//! A round robin as text: the matrix of win shares, line-up effects, cycles.

use std::fmt::Write as _;

use stopwise_analysis::estimate::Estimate;
use stopwise_analysis::rank::{RoundRobin, Table, Verdict};

use super::{By, RankReport};
use crate::report::words::{percent, points, range};

/// With more policies the matrix is too wide.
const WIDE: usize = 12;
/// Effects listed at most.
const EFFECTS: usize = 12;

/// Policy A with one seat against policy B in the others.
#[derive(Debug)]
pub(super) struct Meeting<'r> {
    pub(super) policies: [&'r str; 2],
    /// Their numbers.
    pub(super) numbers: [usize; 2],
    /// Their table; with two seats the same for A against B and B against A.
    pub(super) table: Table,
    pub(super) first_trial: u64,
    pub(super) share: Option<Estimate>,
    pub(super) lead: Option<Estimate>,
    pub(super) effect: Option<Estimate>,
    pub(super) verdict: Verdict,
}

impl RankReport {
    /// All pairs of a round robin, in the order of the ranking; empty for a race.
    pub(super) fn meetings(&self) -> Vec<Meeting<'_>> {
        let By::RoundRobin(robin) = &self.by else { return Vec::new() };
        let order = &self.ranking.order;
        let pairs = order.iter().flat_map(|&a| order.iter().map(move |&b| (a, b)));
        pairs.filter(|(a, b)| a != b).filter_map(|(a, b)| self.meeting(robin, a, b)).collect()
    }

    fn meeting(&self, robin: &RoundRobin, a: usize, b: usize) -> Option<Meeting<'_>> {
        let is_it = |table: &Table| {
            (table.one, table.others) == (a, b) || (self.seats == 2 && (table.one, table.others) == (b, a))
        };
        let at = robin.tables().iter().position(is_it)?;
        let verdict = match (robin.beats(a, b), robin.beats(b, a)) {
            (true, _) => Verdict::A,
            (_, true) => Verdict::B,
            _ => Verdict::Open,
        };
        Some(Meeting {
            policies: [a, b].map(|number| self.labels[number].as_str()),
            numbers: [a, b],
            table: robin.tables()[at],
            first_trial: at as u64 * Table::TRIALS,
            share: robin.share(a, b),
            lead: robin.lead(a, b),
            effect: robin.effect(a, b),
            verdict,
        })
    }
}

/// All sections of a round robin after the order.
pub(super) fn meetings(out: &mut String, ranked: &RankReport, robin: &RoundRobin) {
    let meetings = ranked.meetings();
    if ranked.labels.len() <= WIDE {
        matrix(out, ranked, &meetings);
    }
    effects(out, &meetings);
    rings(out, ranked, robin);
}

fn matrix(out: &mut String, ranked: &RankReport, meetings: &[Meeting<'_>]) {
    let order = &ranked.ranking.order;
    let width = order.iter().map(|&number| ranked.labels[number].chars().count()).max().unwrap_or(0) + 4;
    let _ = write!(out, "\n{:<width$}", "Win shares, %");
    (1..=order.len()).for_each(|place| {
        let _ = write!(out, "{place:>8}");
    });
    let _ = writeln!(out);
    for (place, &row) in order.iter().enumerate() {
        let _ = write!(out, "{:<width$}", format!("{:>2}  {}", place + 1, ranked.labels[row]));
        for &column in order {
            let found = meetings.iter().find(|meeting| meeting.numbers == [row, column]);
            let cell = match found {
                None => "–".into(),
                Some(Meeting { share: None, .. }) => "?".into(),
                Some(Meeting { share: Some(share), verdict, .. }) => {
                    let mark = match verdict {
                        Verdict::A => "+",
                        Verdict::B => "-",
                        _ => " ",
                    };
                    format!("{:.2}{mark}", 100.0 * share.value)
                }
            };
            let _ = write!(out, "{cell:>8}");
        }
        let _ = writeln!(out);
    }
    let widest = meetings.iter().filter_map(|meeting| meeting.share).filter_map(|share| {
        let interval = share.interval?;
        Some((interval.high - share.value).max(share.value - interval.low))
    });
    let meaning = match ranked.seats {
        2 => "row against column, of the games with a winner".to_owned(),
        seats => format!(
            "one of the row at a table of the column, of the games with a winner; fair is {}",
            percent(1.0 / seats as f64)
        ),
    };
    let _ = writeln!(out, "    {meaning}; + beats, - is beaten");
    if let Some(widest) = widest.reduce(f64::max) {
        let _ = writeln!(out, "    all of them known to ± {:.2} at least", 100.0 * widest);
    }
}

/// Line-up effects.
fn effects(out: &mut String, meetings: &[Meeting<'_>]) {
    let is_known = |effect: &Estimate| effect.is_above(0.0);
    let mut found: Vec<_> = meetings
        .iter()
        .filter_map(|meeting| Some((meeting.policies, meeting.effect.filter(is_known)?)))
        .collect();
    if meetings.iter().all(|meeting| meeting.effect.is_none()) {
        return;
    }
    found.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    if found.is_empty() {
        let _ = writeln!(
            out,
            "\nLine-up effects: none known; the strengths of two say how they do against each other."
        );
        return;
    }
    let _ = writeln!(out, "\nLine-up effects: percentage points beyond what the strengths of both say");
    for ([a, b], effect) in found.iter().take(EFFECTS) {
        let (value, limits) = (points(effect.value), range(points, effect.interval));
        let _ = writeln!(out, "  {value}   {a} against {b} ({limits})");
    }
    if found.len() > EFFECTS {
        let _ = writeln!(out, "  and {} more, in matches.csv", found.len() - EFFECTS);
    }
}

fn rings(out: &mut String, ranked: &RankReport, robin: &RoundRobin) {
    let cycles = robin.cycles();
    if cycles.is_empty() {
        let _ = writeln!(out, "\nRings: none among those known to beat each other.");
        return;
    }
    let _ = writeln!(out, "\nRings, the shortest of every set that beat each other round:");
    for ring in cycles {
        let beats = |(at, &a): (usize, &usize)| {
            let b = ring[(at + 1) % ring.len()];
            let share =
                robin.share(a, b).map_or_else(String::new, |share| format!(" ({})", percent(share.value)));
            format!("{} beats {}{share}", ranked.labels[a], ranked.labels[b])
        };
        let _ = writeln!(out, "  {}", ring.iter().enumerate().map(beats).collect::<Vec<_>>().join(", "));
    }
}
