//! Colours on a grid, as text: numbers in columns, with colours where the terminal has them.

use std::fmt::Write as _;

use super::{Style, shown};
use crate::chart::{Heat, Panel, Tone};

/// Dark to light, of the colours that terminals with 256 have.
const SHADES: [u8; 6] = [17, 24, 30, 36, 72, 114];

/// Writes every panel below the other.
pub(super) fn heat(out: &mut String, heat: &Heat, style: Style) {
    let values = || heat.panels.iter().flat_map(|panel| panel.cells.iter().flatten().flatten());
    let least = values().map(|cell| cell.value).fold(f64::INFINITY, f64::min);
    let most = values().map(|cell| cell.value).fold(f64::NEG_INFINITY, f64::max);
    for (at, panel) in heat.panels.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        one(out, heat, panel, [least, most], style);
    }
    if !heat.legend.is_empty() {
        super::wrapped(out, &heat.legend, 2, style);
    }
}

fn one(out: &mut String, heat: &Heat, panel: &Panel, [least, most]: [f64; 2], style: Style) {
    let text = |at: usize, row: usize| match &panel.cells[row][at] {
        None => String::new(),
        Some(cell) => {
            let value = match heat.value.is_share {
                true => format!("{:.2}", 100.0 * cell.value),
                false if values_are_whole(heat) => shown(&heat.value, cell.value),
                false => crate::cell::Form::Decimals(3).written(cell.value),
            };
            let mark = match cell.tone {
                Tone::Best => "*",
                Tone::Possible => "≈",
                Tone::Bad => "-",
                Tone::Plain => " ",
            };
            format!("{value}{mark}")
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
            cells.max(count(&heat.x.levels[at]) + 1)
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
            for at in from..to {
                let cell = format!("{:>1$}", text(at, row), widths[at]);
                let value = panel.cells[row][at].as_ref().map(|cell| cell.value);
                match value.filter(|_| style.is_coloured && most > least) {
                    Some(value) => {
                        let _ = write!(line, "  {}", painted(&cell, (value - least) / (most - least)));
                    }
                    None => {
                        let _ = write!(line, "  {cell}");
                    }
                }
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
        from = to;
    }
}

fn values_are_whole(heat: &Heat) -> bool {
    heat.panels
        .iter()
        .flat_map(|panel| panel.cells.iter().flatten().flatten())
        .all(|cell| cell.value.fract() == 0.0)
}

/// A text on a background from dark to light.
fn painted(text: &str, share: f64) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the last shade")]
    let at = ((share * SHADES.len() as f64) as usize).min(SHADES.len() - 1);
    let ink = if at >= 4 { 16 } else { 231 };
    format!("\u{1b}[38;5;{ink};48;5;{}m{text}\u{1b}[0m", SHADES[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Heated};

    #[test]
    fn a_grid() {
        let cell = |value, tone| Some(Heated { value, interval: None, tone });
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
        assert_eq!(out, "   n\nk      1       2\na  1.500   2.000*\nb          0.250\n");
    }
}
