//! Charts of bars, as text.

use std::fmt::Write as _;

use super::value::shown;
use crate::chart::{Bars, Bin, Bins};

/// The width of the longest bar.
const WIDEST: usize = 48;
/// The most bars of a histogram, but for that of what is beyond all others.
const MOST: usize = 24;

/// A histogram, of its first series.
pub(super) fn bins(out: &mut String, bins: &Bins, width: usize) {
    let Some((_, bars)) = bins.series.first() else { return };
    let bars = joined(bars);
    let name = |bar: &crate::chart::Bin| {
        if bar.to.is_infinite() {
            "more".to_owned()
        } else if bar.from == bar.to {
            shown(&bins.x, bar.from)
        } else {
            format!("{}–{}", shown(&bins.x, bar.from), shown(&bins.x, bar.to))
        }
    };
    let rows: Vec<_> = bars.iter().map(|bar| (name(bar), shown(&bins.y, bar.value), bar.value)).collect();
    draw(out, &rows, width);
}

/// Neighbours as one bar, as many everywhere, where there are more than a terminal shows well. What is left of them is part of
/// what is beyond all others, or, without such a bar, the last reaches as far as the others do.
fn joined(bars: &[Bin]) -> Vec<Bin> {
    let closed = bars.iter().filter(|bar| bar.to.is_finite()).count();
    let together = closed.div_ceil(MOST).max(1);
    let join = |bars: &[Bin]| Bin {
        from: bars[0].from,
        to: bars[bars.len() - 1].to,
        value: bars.iter().map(|bar| bar.value).sum(),
        interval: None,
    };
    let has_open = closed < bars.len();
    let (whole, rest) = bars.split_at(if has_open { closed / together * together } else { closed });
    let mut all: Vec<_> = whole.chunks(together).map(join).collect();
    all.extend((!rest.is_empty()).then(|| join(rest)));
    if let ([first, .., last], false) = (&mut all[..], has_open) {
        last.to = last.from + first.to - first.from;
    }
    all
}

/// Bars, a line for each part of a row.
pub(super) fn bars(out: &mut String, bars: &Bars, width: usize) {
    let mut rows = Vec::new();
    for (label, values) in &bars.rows {
        for (part, value) in bars.parts.iter().zip(values) {
            let name = if bars.parts.len() > 1 { format!("{label} · {part}") } else { label.clone() };
            if let Some(value) = value {
                rows.push((name, shown(&bars.x, *value), *value));
            }
        }
    }
    draw(out, &rows, width);
}

/// Bars with their names and values.
fn draw(out: &mut String, rows: &[(String, String, f64)], width: usize) {
    let longest = |of: fn(&(String, String, f64)) -> &str| {
        rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0)
    };
    let (names, values) = (longest(|row| &row.0), longest(|row| &row.1));
    let room = width.saturating_sub(names + values + 6).clamp(8, WIDEST);
    let most = rows.iter().map(|row| row.2).fold(0.0, f64::max);
    for (name, text, value) in rows {
        let line = format!("  {name:>names$}  {text:>values$}  {}", bar(*value, most, room));
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// A bar with an eighth of a block as its smallest step.
fn bar(value: f64, most: f64, room: usize) -> String {
    if most <= 0.0 || value <= 0.0 {
        return String::new();
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 8 × room")]
    let eighths = (value / most * room as f64 * 8.0).round_ties_even() as usize;
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{part}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Axis;

    #[test]
    fn many_bars_are_joined() {
        let bars: Vec<_> = (0..30)
            .map(|at| Bin { from: f64::from(at), to: f64::from(at), value: 0.03, interval: None })
            .chain([Bin { from: 30.0, to: f64::INFINITY, value: 0.1, interval: None }])
            .collect();
        let all = joined(&bars);
        assert_eq!((all.len(), all[0].to, all[15].to), (16, 1.0, f64::INFINITY));
        assert!((all.iter().map(|bar| bar.value).sum::<f64>() - 1.0).abs() < 1e-12);
        // 25 in twos are 12, and one that is left: with what is beyond, or as wide as the others.
        let some = [&bars[..25], &bars[30..]].concat();
        let last = |bars: &[Bin]| joined(bars).last().map(|bar| (bar.from, bar.to, bar.value));
        assert_eq!((joined(&some).len(), last(&some)), (13, Some((24.0, f64::INFINITY, 0.13))));
        assert_eq!(last(&bars[..25]), Some((24.0, 25.0, 0.03)));
    }

    #[test]
    fn a_histogram() {
        let bin = |from, to, value| Bin { from, to, value, interval: None };
        let bars = vec![bin(0.0, 4.0, 0.5), bin(5.0, 9.0, 0.25), bin(10.0, f64::INFINITY, 0.0)];
        let chart = Bins { y: Axis::share("share"), series: vec![(String::new(), bars)], ..Bins::default() };
        let mut out = String::new();
        bins(&mut out, &chart, 32);
        assert_eq!(out, "   0–4  50.00 %  ███████████████\n   5–9  25.00 %  ███████▌\n  more   0.00 %\n");
    }
}
