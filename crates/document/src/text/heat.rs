//! Colours on a grid, as text: numbers in columns, with colours where the terminal has them.

use std::fmt::Write as _;

use super::style::{Style, wrapped};
use super::value::{fixed, mark, shown};
use crate::chart::{Heat, Panel};
use crate::rounding::Rounding;

/// From the worst value to the best: a character, a background of the terminal's 256 colours, and a foreground.
const SHADES: [(char, u8, u8); 5] =
    [('·', 53, 231), ('░', 24, 231), ('▒', 30, 231), ('▓', 71, 16), ('█', 178, 16)];

/// Writes every panel below the other.
pub(super) fn heat(out: &mut String, heat: &Heat, style: Style) {
    let least = heat.values().fold(f64::INFINITY, f64::min);
    let most = heat.values().fold(f64::NEG_INFINITY, f64::max);
    for (at, panel) in heat.panels.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        one(out, heat, panel, [least, most], style);
    }
    if !heat.legend.is_empty() {
        wrapped(out, &heat.legend, 2, style);
    }
}

fn one(out: &mut String, heat: &Heat, panel: &Panel, [least, most]: [f64; 2], style: Style) {
    let text = |at: usize, row: usize| match &panel.cells[row][at] {
        None => String::new(),
        Some(cell) => {
            let value = match cell.value {
                _ if !cell.words.is_empty() => cell.words.clone(),
                None => String::new(),
                Some(value) if !heat.value.is_share && values_are_whole(heat) => shown(&heat.value, value),
                Some(value) => fixed(&heat.value, value, Rounding::Nearest),
            };
            format!("{value}{}", mark(cell.tone))
        }
    };
    let rows = panel.cells.len();
    let columns = heat.x.levels.len();
    let count = |text: &str| text.chars().count();
    let first = heat.y.levels.iter().map(|name| count(name)).max().unwrap_or(0);
    let first = first.max(count(&heat.y.title));
    let widths: Vec<_> = (0..columns)
        .map(|at| {
            let cells = (0..rows).map(|row| count(&text(at, row))).max().unwrap_or(0);
            // A shade and a space stand before the number.
            cells.max(count(&heat.x.levels[at]) + 1) + 2
        })
        .collect();
    if !panel.title.is_empty() {
        let _ = writeln!(out, "{}", panel.title);
    }
    let mut from = 0;
    while from < columns {
        let mut line = first;
        let mut to = from;
        while to < columns && (to == from || line + 2 + widths[to] <= style.width()) {
            line += 2 + widths[to];
            to += 1;
        }
        if from > 0 {
            out.push('\n');
        }
        let _ = writeln!(out, "{:first$}  {}", "", heat.x.title);
        let mut head = format!("{:<first$}", heat.y.title);
        for (name, width) in heat.x.levels[from..to].iter().zip(&widths[from..to]) {
            let _ = write!(head, "  {:>1$}", format!("{name} "), width);
        }
        let _ = writeln!(out, "{}", head.trim_end());
        for row in 0..rows {
            let mut line = format!("{:<first$}", heat.y.levels[row]);
            for (at, &width) in widths.iter().enumerate().take(to).skip(from) {
                let number = format!("{:>1$}", text(at, row), width - 2);
                let Some(value) = panel.cells[row][at].as_ref().and_then(|cell| cell.value) else {
                    let _ = write!(line, "    {number}");
                    continue;
                };
                let share = if most > least { (value - least) / (most - least) } else { 0.5 };
                let (block, paper, ink) = shade(if heat.is_lower_better { 1.0 - share } else { share });
                let _ = match style.is_coloured {
                    true => write!(line, "  \u{1b}[48;5;{paper};38;5;{ink}m{block} {number}\u{1b}[0m"),
                    false => write!(line, "  {block} {number}"),
                };
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
        from = to;
    }
}

fn values_are_whole(heat: &Heat) -> bool {
    heat.values().all(|value| value.fract() == 0.0)
}

/// The shade of a place between the worst value, 0, and the best, 1.
fn shade(share: f64) -> (char, u8, u8) {
    let last = SHADES.len() - 1;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the last shade")]
    let at = (share * last as f64).round_ties_even() as usize;
    SHADES[at.min(last)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Heated, Tone};

    #[test]
    fn a_grid() {
        let cell = |value, tone| Some(Heated { tone, ..Heated::of(value) });
        let heat_map = Heat {
            x: Axis::levels("n", vec!["1".into(), "2".into()]),
            y: Axis::levels("k", vec!["a".into(), "b".into()]),
            panels: vec![Panel {
                title: String::new(),
                cells: vec![
                    vec![cell(1.5, Tone::Plain), cell(2.0, Tone::Best)],
                    vec![None, cell(0.25, Tone::Plain)],
                ],
            }],
            ..Heat::default()
        };
        let mut out = String::new();
        heat(&mut out, &heat_map, Style::PLAIN);
        assert_eq!(out, "   n\nk        1         2\na  ▓ 1.500   █ 2.000*\nb            · 0.250\n");
    }
}
