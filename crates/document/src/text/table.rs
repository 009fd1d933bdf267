//! Tables for people, as text: columns of equal width, in several parts where the line is too short, and with cells of
//! several lines where it is too short even for two columns.

use std::fmt::Write as _;

use super::style::{Style, pieces, wrapped};
use crate::view::View;

/// Spaces between columns.
const GAP: usize = 2;
/// The later lines of a cell are indented by so much.
const HANGING: usize = 1;
/// Lines are broken for no fewer columns.
const LEAST: usize = 40;

/// Writes a table with its title and its notes.
pub(super) fn table(out: &mut String, view: &View, width: usize) {
    let style = Style { width, is_coloured: false };
    if !view.title.is_empty() {
        wrapped(out, &view.title, 0, style);
    }
    let count = |text: &str| text.chars().count();
    let mut widths: Vec<usize> = (0..view.columns.len())
        .map(|at| {
            let cells = view.rows.iter().map(|row| count(&row[at]));
            cells.chain([count(&view.columns[at].text)]).max().unwrap_or(0)
        })
        .collect();
    let heads = (1 + view.more_heads).min(widths.len());
    narrow(&mut widths, heads, width.max(LEAST));
    let (mut from, mut is_first) = (heads, true);
    while from < widths.len() || is_first {
        // Every part begins with the columns that say what its rows are about.
        let mut line = whole(&widths[..heads]);
        let mut to = from;
        while to < widths.len() && (to == from || line.saturating_add(GAP + widths[to]) <= width) {
            line += GAP + widths[to];
            to += 1;
        }
        if !is_first {
            out.push('\n');
        }
        part(out, view, &fitting(&widths, from, width.max(LEAST)), (heads, from..to));
        (from, is_first) = (to, false);
    }
    for note in &view.notes {
        wrapped(out, note, 2, style);
    }
}

/// What columns take beside each other.
fn whole(widths: &[usize]) -> usize {
    widths.iter().fold(0_usize, |sum, width| sum.saturating_add(*width))
        + GAP * widths.len().saturating_sub(1)
}

/// Where several columns say what rows are about and the table has several parts, they share half a line.
fn narrow(widths: &mut [usize], heads: usize, width: usize) {
    if heads < 2 || whole(widths) <= width || whole(&widths[..heads]) <= width / 2 {
        return;
    }
    let share = (width / 2).saturating_sub(GAP * (heads - 1)) / heads;
    // What a short one leaves the others have.
    let left: usize = widths[..heads].iter().map(|width| share.saturating_sub(*width)).sum();
    let long = widths[..heads].iter().filter(|width| **width > share).count().max(1);
    widths[..heads].iter_mut().for_each(|width| *width = (*width).min(share + left / long));
}

/// The widths that cells are broken for, where the first column and this one do not fit the line as they are.
fn fitting(widths: &[usize], column: usize, width: usize) -> Vec<usize> {
    let mut fitting = widths.to_vec();
    let (Some(first), other) = (widths.first(), widths.get(column).copied().unwrap_or(0)) else {
        return fitting;
    };
    let gap = if other > 0 { GAP } else { 0 };
    if first + gap + other > width {
        fitting[0] = (*first).min(width.saturating_sub(gap + other).max(width / 5 * 2));
        let left = width - gap - fitting[0];
        if let Some(fitted) = fitting.get_mut(column) {
            *fitted = other.min(left);
        }
    }
    fitting
}

/// The columns that begin every part, and some of the others.
fn part(out: &mut String, view: &View, widths: &[usize], (heads, columns): (usize, std::ops::Range<usize>)) {
    let titles: Vec<_> = view.columns.iter().map(|column| column.text.clone()).collect();
    let has_titles = titles.iter().any(|title| !title.is_empty());
    for row in has_titles.then_some(&titles).into_iter().chain(&view.rows) {
        let shown = (0..heads.max(1)).chain(columns.clone()).filter(|&column| column < row.len());
        let cells: Vec<_> =
            shown.map(|column| (column, pieces(&row[column], widths[column], HANGING))).collect();
        let lines = cells.iter().map(|(_, pieces)| pieces.len()).max().unwrap_or(0);
        for number in 0..lines {
            let mut line = String::new();
            for (at, (column, pieces)) in cells.iter().enumerate() {
                let cell = pieces.get(number).map_or("", String::as_str);
                let (gap, width) = (if at == 0 { 0 } else { GAP }, widths[*column]);
                let _ = match view.columns[*column].is_number {
                    true => write!(line, "{:gap$}{cell:>width$}", ""),
                    false => write!(line, "{:gap$}{cell:<width$}", ""),
                };
            }
            let _ = writeln!(out, "{}", line.trim_end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both names of a pair stand in every part, and none is cut.
    #[test]
    fn several_columns_may_begin_all_parts() {
        let mut view = View::new("").texts("A").texts("B").heads().numbers("A − B").numbers("equal");
        view.row(["hold:n=20", "end-race:base=21,race=29", "+1.2", "86.30 %"]);
        let mut out = String::new();
        table(&mut out, &view, 40);
        let wanted = "A          B          A − B    equal\nhold:n=20  end-race:   +1.2  86.30 %\n            base=21,\n            race=29\n";
        assert_eq!(out, wanted);
        let mut out = String::new();
        table(&mut out, &view, 1000);
        assert_eq!(out.lines().nth(1), Some("hold:n=20  end-race:base=21,race=29   +1.2  86.30 %"));
    }

    #[test]
    fn a_narrow_table_is_in_parts() {
        let mut view = View::new("").texts("policy").numbers("mean").numbers("median").texts("unit");
        view.row(["hold", "12.3", "12", "turns"]);
        let mut out = String::new();
        table(&mut out, &view, 20);
        assert_eq!(out, "policy  mean  median\nhold    12.3      12\n\npolicy  unit\nhold    turns\n");
        let mut out = String::new();
        view.row(["a-policy+with=options", "12.3", "12", "turns of a game of all seats, on average"]);
        table(&mut out, &view, 40);
        let wanted = "policy                 mean  median\nhold                   12.3      12\na-policy+with=options  12.3      12\n\n\
            policy            unit\nhold              turns\na-policy+with=    turns of a game of all\n options           seats, on average\n";
        assert_eq!(out, wanted);
        view.rows.pop();
        let mut out = String::new();
        table(&mut out, &view, 80);
        assert_eq!(out, "policy  mean  median  unit\nhold    12.3      12  turns\n");
    }
}
