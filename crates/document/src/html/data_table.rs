//! The table behind a picture, made from the same numbers: for who cannot see it, and to copy.

use crate::chart::{Bars, Bins, Heat, Intervals, Lines, Plot, Tone};
use crate::svg::number::{self, shown, with_unit};
use crate::svg::{
    bins::range as bin_range,
    frame::title,
    intervals::{wish_words, wished},
    lines::at_or_before,
    tone,
    tone::About,
};
use crate::view::View;

/// The most rows, or cells of a grid, that a page repeats.
const MOST: usize = 150;

/// What stands behind a picture.
pub(super) enum Behind {
    /// One table, or one a panel.
    Tables(Vec<View>),
    /// So many numbers that their file is the better place.
    TooMany,
}

/// The table behind a plot.
pub(super) fn behind(plot: &Plot) -> Behind {
    match plot {
        Plot::Bins(chart) => one(bins(chart)),
        Plot::Lines(chart) => one(lines(chart)),
        Plot::Intervals(chart) => one(intervals(chart)),
        Plot::Bars(chart) => one(bars(chart)),
        Plot::Heat(chart) => heat(chart),
    }
}

fn one(view: View) -> Behind {
    if view.rows.len() > MOST { Behind::TooMany } else { Behind::Tables(vec![view]) }
}

/// From one to the other, or nothing.
fn range(axis: &crate::chart::Axis, interval: Option<[f64; 2]>) -> String {
    interval.map_or_else(String::new, |limits| number::range(axis, limits))
}

/// Columns for the values of some series, each with one for intervals if it has any.
fn columns(mut view: View, names: &[(&str, bool)], only: &str) -> View {
    for (name, has_interval) in names {
        let name = if name.is_empty() { only } else { name };
        view = view.numbers(name);
        if *has_interval {
            view = view.numbers("interval");
        }
    }
    view
}

fn bins(chart: &Bins) -> View {
    let names: Vec<_> = chart
        .series
        .iter()
        .map(|(name, bars)| (name.as_str(), bars.iter().any(|bin| bin.interval.is_some())))
        .collect();
    let mut view = columns(View::new("").texts(title(&chart.x)), &names, &title(&chart.y));
    let mut ranges: Vec<_> = chart.series.iter().flat_map(|(_, bars)| bars).collect();
    ranges.sort_by(|a, b| a.from.total_cmp(&b.from).then(a.to.total_cmp(&b.to)));
    ranges.dedup_by(|a, b| a.from == b.from && a.to == b.to);
    for bin in ranges {
        let mut row = vec![bin_range(chart, bin, "")];
        for ((_, bars), (_, has_interval)) in chart.series.iter().zip(&names) {
            let found = bars.iter().find(|other| other.from == bin.from && other.to == bin.to);
            row.push(found.map_or_else(String::new, |bin| shown(&chart.y, bin.value)));
            if *has_interval {
                row.push(range(&chart.y, found.and_then(|bin| bin.interval)));
            }
        }
        view.row(row);
    }
    for mark in &chart.marks {
        view.note(format!("{} at {}", mark.label, with_unit(&chart.x, mark.at)));
    }
    view
}

fn lines(chart: &Lines) -> View {
    let names: Vec<_> = chart
        .series
        .iter()
        .map(|line| (line.name.as_str(), line.points.iter().any(|point| point.interval.is_some())))
        .collect();
    let is_toned = chart.series.iter().flat_map(|line| &line.points).any(|point| point.tone != Tone::Plain);
    let head = if chart.x.levels.is_empty() {
        View::new("").numbers(title(&chart.x))
    } else {
        View::new("").texts(title(&chart.x))
    };
    let mut view = columns(head, &names, &title(&chart.y));
    if is_toned {
        view = view.texts("");
    }
    let mut xs: Vec<f64> =
        chart.series.iter().flat_map(|line| line.points.iter().map(|point| point.x)).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    for x in xs {
        let mut row = vec![shown(&chart.x, x)];
        let mut tones = Vec::new();
        for (line, (name, has_interval)) in chart.series.iter().zip(&names) {
            let point = at_or_before(line, x);
            // A distribution function begins at 0.
            let before = || if line.is_step { shown(&chart.y, 0.0) } else { String::new() };
            row.push(point.map_or_else(before, |point| shown(&chart.y, point.y)));
            if *has_interval {
                row.push(range(&chart.y, point.and_then(|point| point.interval)));
            }
            if let Some(point) = point.filter(|point| point.tone != Tone::Plain) {
                tones
                    .push(format!("{name} {}", tone::words(point.tone, About::Best)).trim_start().to_owned());
            }
        }
        if is_toned {
            row.push(tones.join(", "));
        }
        view.row(row);
    }
    view
}

fn intervals(chart: &Intervals) -> View {
    let has = |what: fn(&crate::chart::Row) -> bool| chart.rows.iter().any(what);
    let (has_group, has_wish) = (has(|row| !row.group.is_empty()), has(|row| row.wish.is_some()));
    let (has_tone, has_note) = (has(|row| row.tone != Tone::Plain), has(|row| !row.note.is_empty()));
    let mut view = View::new("");
    if has_group {
        view = view.texts("");
    }
    view = view.texts("").numbers(title(&chart.x)).numbers("interval");
    for _ in [has_wish, has_tone, has_note].into_iter().filter(|has| *has) {
        view = view.texts("");
    }
    for row in &chart.rows {
        let mut cells = Vec::new();
        if has_group {
            cells.push(row.group.clone());
        }
        cells.push(row.label.clone());
        cells.push(row.value.map_or_else(|| "not measured".to_owned(), |value| shown(&chart.x, value)));
        cells.push(range(&chart.x, row.interval));
        if has_wish {
            cells.push(wish_words(chart, row));
        }
        if has_tone {
            cells.push(tone::words(row.tone, wished(row)).to_owned());
        }
        if has_note {
            cells.push(row.note.clone());
        }
        view.row(cells);
    }
    if let Some(mark) = &chart.reference {
        view.note(format!("{} at {}", mark.label, with_unit(&chart.x, mark.at)));
    }
    view
}

fn bars(chart: &Bars) -> View {
    let names: Vec<_> = chart.parts.iter().map(|part| (part.as_str(), false)).collect();
    let mut view = columns(View::new("").texts(""), &names, &title(&chart.x));
    for (name, values) in &chart.rows {
        let value = |at: usize| {
            values.get(at).copied().flatten().map_or_else(String::new, |value| shown(&chart.x, value))
        };
        view.row(std::iter::once(name.clone()).chain((0..chart.parts.len()).map(value)));
    }
    view
}

/// A table of the same shape for each panel.
fn heat(chart: &Heat) -> Behind {
    if chart.cells().count() > MOST || chart.x.levels.len() > 30 {
        return Behind::TooMany;
    }
    let of = |panel: &crate::chart::Panel| {
        let corner = format!("{} \\ {}", title(&chart.y), title(&chart.x));
        let mut view = View::new(panel.title.clone()).texts(corner);
        for level in &chart.x.levels {
            view = view.numbers(level.clone());
        }
        for (name, cells) in chart.y.levels.iter().zip(&panel.cells) {
            let cell = |at: usize| match cells.get(at).and_then(Option::as_ref) {
                None => String::new(),
                Some(cell) => {
                    let value = crate::svg::heat::in_words(chart, cell);
                    let range = range(&chart.value, cell.interval);
                    let tone = tone::words(cell.tone, crate::svg::heat::about(chart));
                    let more: Vec<_> =
                        [range.as_str(), tone].into_iter().filter(|text| !text.is_empty()).collect();
                    if more.is_empty() { value } else { format!("{value} ({})", more.join(", ")) }
                }
            };
            view.row(std::iter::once(name.clone()).chain((0..chart.x.levels.len()).map(cell)));
        }
        view
    };
    Behind::Tables(chart.panels.iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Bin, Heated, Line, Panel, Point};

    #[test]
    fn a_histogram_as_a_table() {
        let bin = |from, to, value, interval| Bin { from, to, value, interval };
        let chart = Bins {
            x: Axis::of("score", "points"),
            y: Axis::share("share of trials"),
            series: vec![(
                String::new(),
                vec![bin(0.0, 9.0, 0.25, Some([0.2, 0.3])), bin(10.0, f64::INFINITY, 0.75, None)],
            )],
            marks: Vec::new(),
        };
        let view = bins(&chart);
        let names: Vec<_> = view.columns.iter().map(|column| column.text.as_str()).collect();
        assert_eq!(names, ["score (points)", "share of trials", "interval"]);
        assert_eq!(view.rows[0], ["0 to 9", "25.00 %", "20.00 % to 30.00 %"]);
        assert_eq!(view.rows[1], ["10 or more", "75.00 %", ""]);
    }

    #[test]
    fn lines_as_a_table() {
        let point = |x, y, tone| Point { x, y, interval: None, tone };
        let line = |name: &str, points| Line { name: name.into(), points, is_step: false };
        let series =
            vec![line("a", vec![point(1.0, 2.0, Tone::Best)]), line("b", vec![point(2.0, 3.0, Tone::Plain)])];
        let view = lines(&Lines { series, ..Lines::default() });
        assert_eq!(view.rows, [["1", "2", "", "a best"], ["2", "", "3", ""]]);
    }

    /// Distribution functions are known everywhere: 0 before their first value, and what they were since the last.
    #[test]
    fn steps_have_no_gaps() {
        let point = |x, y| Point { x, y, interval: None, tone: Tone::Plain };
        let line = |name: &str, points| Line { name: name.into(), points, is_step: true };
        let series =
            vec![line("a", vec![point(1.0, 0.5), point(3.0, 1.0)]), line("b", vec![point(2.0, 1.0)])];
        let view = lines(&Lines { series, y: Axis::share("share"), ..Lines::default() });
        let all = [["1", "50.00 %", "0.00 %"], ["2", "50.00 %", "100.00 %"], ["3", "100.00 %", "100.00 %"]];
        assert_eq!(view.rows, all);
    }

    /// Around a middle rows are held against columns; elsewhere cells are the best, or not.
    #[test]
    fn cells_say_what_is_better() {
        let cell = |tone| Some(Heated { tone, ..Heated::of(1.0) });
        let panels = vec![Panel {
            title: String::new(),
            cells: vec![vec![cell(Tone::Best), cell(Tone::Bad), cell(Tone::Plain)]],
        }];
        let levels = |count: usize| Axis::levels("", (0..count).map(|at| at.to_string()).collect());
        let chart = Heat { panels, x: levels(3), y: levels(1), middle: Some(0.0), ..Heat::default() };
        let said = |chart: &Heat| match heat(chart) {
            Behind::Tables(views) => views[0].rows[0].clone(),
            Behind::TooMany => panic!("three cells"),
        };
        assert_eq!(said(&chart), ["0", "1 (the row is better)", "1 (the column is better)", "1"]);
        assert_eq!(said(&Heat { middle: None, ..chart })[1], "1 (best)");
    }

    #[test]
    fn large_grids_are_left_to_their_file() {
        let cells = vec![vec![Some(Heated::of(1.0)); 20]; 20];
        let chart = Heat { panels: vec![Panel { title: String::new(), cells }], ..Heat::default() };
        assert!(matches!(heat(&chart), Behind::TooMany));
    }
}
