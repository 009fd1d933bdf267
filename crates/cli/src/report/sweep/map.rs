//! Charts of a grid: a line per level for one axis, a heat map for two.
//!
//! They can be read without colour: every cell has its number and a shade.

use std::fmt::Write as _;

use stopwise_engine::game::Better;

use super::{GridComparison, SweepReport};
use crate::output::Colour;
use crate::report::words::nearest;

/// The width of the scale, in characters.
const WIDTH: usize = 48;
/// Columns of a map per block.
const COLUMNS: usize = 8;
/// From the worst mean to the best: a character, a background of the terminal's 256 colours, and a foreground.
const SHADES: [(char, u8, u8); 5] =
    [('·', 53, 231), ('░', 24, 231), ('▒', 30, 231), ('▓', 71, 16), ('█', 178, 16)];

/// `*` for the best point, `≈` for others that may be the best.
pub(super) fn mark(compared: &GridComparison, at: usize) -> char {
    match &compared.best {
        best if best.cell == at => '*',
        best if best.standings[at].is_possible => '≈',
        _ => ' ',
    }
}

/// A line per level: the mean, half its interval, and both on a scale from the least limit to the greatest.
pub(super) fn line(out: &mut String, swept: &SweepReport, compared: &GridComparison) {
    let axis = &swept.grid.axes[0];
    let cells = 0..swept.points.len();
    let (scale, _) = swept.reading();
    let limits = |at: usize| {
        let (mean, half) = (scale * compared.cells.mean(at), scale * compared.half(at).unwrap_or(0.0));
        (mean - half, mean, mean + half)
    };
    let low = cells.clone().map(|at| limits(at).0).fold(f64::INFINITY, f64::min);
    let high = cells.clone().map(|at| limits(at).2).fold(f64::NEG_INFINITY, f64::max);
    let place = |value: f64| place(if high > low { (value - low) / (high - low) } else { 0.5 }, WIDTH);
    let width = names(axis.levels.iter().chain([&axis.name]));
    let ends = format!("{low:.3}");
    let _ = writeln!(
        out,
        "{:<width$}{:>13}{:>10}   {ends}{:>rest$}",
        axis.name,
        "mean",
        "± 95 %",
        format!("{high:.3}"),
        rest = WIDTH.saturating_sub(ends.len())
    );
    for at in cells {
        let (from, mean, to) = limits(at);
        let half = compared.half(at).map_or_else(|| "–".into(), |half| format!("{:.3}", scale * half));
        let mut places = [' '; WIDTH];
        places[place(from)..=place(to)].fill('─');
        places[place(mean)] = '●';
        let places: String = places.iter().collect();
        let text =
            format!("{:<width$}{mean:>12.3}{}{half:>10}   {places}", axis.levels[at], mark(compared, at));
        let _ = writeln!(out, "{}", text.trim_end());
    }
}

/// A heat map: the first axis runs down, the second to the right.
pub(super) fn map(out: &mut String, swept: &SweepReport, compared: &GridComparison, colour: Colour) {
    let [down, right] = [&swept.grid.axes[0], &swept.grid.axes[1]];
    let (scale, _) = swept.reading();
    let means: Vec<_> = (0..swept.points.len()).map(|at| scale * compared.cells.mean(at)).collect();
    let numbers: Vec<_> = means.iter().map(|mean| format!("{mean:.3}")).collect();
    let first = names(down.levels.iter().chain([&down.name]));
    // A shade and a space stand before the number, its mark behind it.
    let width = names(numbers.iter()).max(names(right.levels.iter()).saturating_sub(2));
    let all: Vec<_> = (0..right.levels.len()).collect();
    for columns in all.chunks(COLUMNS) {
        let _ = writeln!(out, "{:first$}  {}", "", right.name);
        let heads: String =
            columns.iter().map(|&column| format!("  {:>1$} ", right.levels[column], width + 2)).collect();
        let _ = writeln!(out, "{:<first$}{}", down.name, heads.trim_end());
        for (row, level) in down.levels.iter().enumerate() {
            let mut line = format!("{level:<first$}");
            for at in columns.iter().map(|column| row * right.levels.len() + column) {
                let (block, paper, ink) = shade(&means, at, swept.metric.better);
                let cell = format!("{block} {:>width$}{}", numbers[at], mark(compared, at));
                let _ = match colour {
                    Colour::Always => write!(line, "  \u{1b}[48;5;{paper};38;5;{ink}m{cell}\u{1b}[0m"),
                    Colour::Never => write!(line, "  {cell}"),
                };
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
        let _ = writeln!(out);
    }
}

/// The shade of a mean among all of them.
fn shade(means: &[f64], at: usize, better: Better) -> (char, u8, u8) {
    let low = means.iter().copied().fold(f64::INFINITY, f64::min);
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let share = match better {
        _ if low >= high => 0.5,
        Better::Higher => (means[at] - low) / (high - low),
        Better::Lower => (high - means[at]) / (high - low),
    };
    SHADES[place(share, SHADES.len())]
}

/// The index of one of `places` places, for a share from 0 to 1.
fn place(share: f64, places: usize) -> usize {
    let last = places - 1;
    nearest(share * last as f64).min(last)
}

/// The length of the longest name, in characters.
pub(super) fn names<'n>(names: impl Iterator<Item = &'n String>) -> usize {
    names.map(|name| name.chars().count()).max().unwrap_or(0)
}
